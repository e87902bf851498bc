// Files that are missing, damaged or not what they should be, and machines without memory, disk or compiler: a
// diagnostic with place, reason and cure, the right exit code, and nothing lost.

#include <gmock/gmock.h>

#include "cli/bad_input.h"
#include "cli/program.h"
#include "lesson/lesson_fixture.h"
#include "test_paths.h"
#include "trace/checksum.h"
#include "trace/trace.h"

namespace lanescope {
namespace {

namespace fs = std::filesystem;
using test::copy_arguments;
using test::expect_chinese;
using test::lanescope;
using test::Ran;
using test::trace;
using testing::AllOf;
using testing::HasSubstr;

// An unreadable file must not end the program, neither as the source nor behind an #include.
TEST(CliBadInput, AFileThatBreaksOffWhileRead) {
  if (!fs::is_regular_file("/proc/self/mem")) GTEST_SKIP() << "no /proc/self/mem";
  EXPECT_EQ(lanescope(trace("/proc/self/mem", "copy", "1", "32", copy_arguments)).code, 2);
  test::TempFolder folder;
  const std::string source = (folder / "k.cu").string();
  test::write_file(source, "#include \"/proc/self/mem\"\n__global__ void k(int* out) { out[0] = 1; }\n");
  const Ran ran = lanescope(trace(source, "k", "1", "1", {"i32[1]"}));
  EXPECT_THAT(ran.code, testing::AnyOf(0, 1)) << ran.err;
  EXPECT_THAT(ran.err, testing::Not(HasSubstr("terminate")));
}

// Editors on Windows write it. No command may say that such a file has no kernel.
TEST(CliBadInput, ASourceInUtf16IsNamed) {
  std::string text = "\xff\xfe";
  for (const char c : std::string("__global__ void k(int* out) { out[0] = 1; }\n")) (text += c) += '\0';
  test::TempFolder folder;
  const std::string source = (folder / "k.cu").string();
  test::write_file(source, text);
  std::vector<std::vector<std::string>> commands{
      {"trace", source}, {"trace", source, "--kernel", "k"}, {"open", source, "--list"}};
  if (test::on_posix()) commands.push_back({"exec", source});  // elsewhere it says that it runs no program
  for (const std::vector<std::string>& command : commands) {
    const Ran ran = lanescope(command);
    EXPECT_NE(ran.code, 0) << command[0];
    EXPECT_THAT(ran.err, AllOf(HasSubstr("UTF-16"), HasSubstr("Save it as UTF-8"))) << command[0];
  }
}

TEST(CliBadInput, APlaceIsInTheFileByItsOwnName) {
  test::TempFolder folder;
  const std::string source = (folder / (test::on_posix() ? "größe 核 \"x\".cu" : "größe 核.cu")).string();
  test::write_file(source,
                   "__device__ int far(int i) {\n  return i + 100;\n}\n__global__ void k(int* out) {\n  "
                   "out[far(threadIdx.x)] = 1;\n}\n");
  const Ran ran = lanescope(trace(source, "k", "1", "32", {"i32[64]"}));
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.err, HasSubstr(source + ":5:"));
}

TEST(CliBadInput, ANameThatPtxCannotWrite) {
  NEEDS_POSIX();
  test::TempFolder folder;
  const std::string source = (folder / "a\nb.cu").string();
  test::write_file(source, "__global__ void k(int* out) { out[0] = 1; }\n");
  const Ran ran = lanescope(trace(source, "k", "1", "1", {"i32[1]"}));
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("line break"), HasSubstr("Rename the file.")));
}

// The totals that the program prints of such a buffer are not those of the kernel's elements.
TEST(CliBadInput, ABufferOfOtherElementsIsWarnedOf) {
  const Ran other = lanescope(trace("copy.cu", "copy", "1", "32", {"f32[64]=1", "i32[64]", "i32=32"}));
  EXPECT_EQ(other.code, 0);
  EXPECT_THAT(other.err, AllOf(HasSubstr("copy.cu:1:17: warning: Parameter 1 of `copy` is float*"),
                               HasSubstr("`i32[64]` holds i32"), HasSubstr("f32[1024]")));
  EXPECT_EQ(lanescope(trace("copy.cu", "copy", "1", "32", {"f32[64]=1", "f32[64]", "i32=32"})).err, "");
}

// Filling buffers takes longest, so it comes after all checks. Here there is not enough memory to fill them.
TEST(CliBadInput, WhatCannotBeLaunchedNeedsNoMemory) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the address sanitizer takes more address space than any limit allows";
#endif
  NEEDS_POSIX();
  const test::Setting little{"", "ulimit -v 3000000", "", ""};  // KiB
  const auto too_large = [](const char* grid, const char* block, const std::vector<std::string>& more) {
    return test::with(trace("copy.cu", "copy", grid, block, {"f32[1073741824]=iota", "f32[1073741824]", "i32=100"}),
                      more);
  };
  EXPECT_THAT(lanescope(too_large("1057", "256", {"--cooperative"}), little).err,
              HasSubstr("of 1057 blocks only 1056 fit"));
  EXPECT_THAT(lanescope(too_large("1", "1025", {}), little).err, HasSubstr("is too large"));
  EXPECT_THAT(lanescope(too_large("1", "256", {"--shared", "999999"}), little).err, HasSubstr("of shared memory"));
  EXPECT_THAT(lanescope(too_large("1056", "256", {"--cooperative"}), little).err,
              HasSubstr("there is not enough memory for"));
}

TEST(CliBadInput, PtxThatIsNone) {
  for (const char* command : {"parse", "cfg"}) {
    EXPECT_EQ(lanescope({command, "nowhere.ptx"}).code, 2);
    const Ran ran = lanescope({command, "unsupported.ptx"});
    EXPECT_EQ(ran.code, 1);
    EXPECT_THAT(ran.err, HasSubstr("unsupported.ptx:9"));
    EXPECT_EQ(lanescope({command, "copy.cu", "--kernel", "nothing"}).code, 2);
  }
}

TEST(CliBadInput, NoCompilerIsExitCode3) {
  test::TempFolder nothing;
  const test::Setting setting{"LANESCOPE_CUDA=" + nothing.path().string(), "", "", ""};
  const Ran ran = lanescope({"run", "coalescing", "--json"}, setting);
  EXPECT_EQ(ran.code, 3) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("NVRTC"));
  const Ran doctor = lanescope({"doctor"}, setting);
  EXPECT_EQ(doctor.code, 3) << doctor.out;
  EXPECT_THAT(doctor.out, HasSubstr("missing  CUDA compiler (NVRTC)"));
}

// Damaged lessons: `check` names file, line and cure and exits with 1.
TEST(CliBadInput, LessonsThatAreWrong) {
  struct Spoilt {
    const char* what;
    const char* file;
    std::string contents;
    const char* said;
  };
  const Spoilt cases[] = {
      {"missing field", "lesson.toml", test::replaced(test::small_lesson, "title = \"Small\"\n", ""), "lacks `title`"},
      {"unknown key", "lesson.toml", test::replaced(test::small_lesson, "block = 32", "blok = 32"),
       "Did you mean `block`?"},
      {"stray file", "notes.txt", "x", "No variant uses this file"},
      {"wrong number", "text.md", test::replaced(test::small_text, "[[4 =", "[[5 ="), "The text states 5"},
      {"false check", "text.md", test::replaced(test::small_text, ">= 4", ">= 400"), "does not hold"},
      {"unknown number", "text.md", test::replaced(test::small_text, "sectors | 0", "sektors | 0"),
       "global_load.sectors"},
      {"swapped kernel", "copy.cu", test::replaced(test::small_kernel, "in[i * stride_of]", "in[i]"),
       "`out[1]` is 1, expected 8"},
      {"wrong figure", "lesson.toml", test::replaced(test::small_lesson, "min(32, 4 * stride)", "4 * stride + 1"),
       "does not hold"},
      {"kernel that faults", "copy.cu",
       test::replaced(test::small_kernel, "in[i * stride_of]", "in[i * stride_of + 8]"), "copy.cu:4"},
      {"kernel that does not compile", "copy.cu", test::replaced(test::small_kernel, "= value;", "= valu;"),
       "copy.cu:6"},
      {"launch that is impossible", "lesson.toml", test::replaced(test::small_lesson, "block = 32", "block = 2048"),
       "1024"},
      {"fill that is none", "lesson.toml", test::replaced(test::small_lesson, "\"iota\"", "\"iotas\""), "iotas"},
      {"languages that differ", "text.zh-CN.md", test::replaced(test::small_text, "[[4 =", "[[4.0 ="),
       "but not in text.zh-CN.md"},
  };
  test::TempFolder good;
  test::write_small_lesson(good.path());
  const Ran holds = lanescope({"check", good.path().string()});
  EXPECT_EQ(holds.code, 0) << holds.err;
  for (const Spoilt& spoilt : cases) {
    test::TempFolder folder;
    test::write_small_lesson(folder.path());
    test::write_file(folder / spoilt.file, spoilt.contents);
    const Ran ran = lanescope({"check", folder.path().string()});
    EXPECT_EQ(ran.code, 1) << spoilt.what << ran.err;
    EXPECT_THAT(ran.err, AllOf(HasSubstr(spoilt.said), HasSubstr("cure: "))) << spoilt.what;
    SCOPED_TRACE(spoilt.what);
    expect_chinese({"check", folder.path().string()}, 1);
  }
}

TEST(CliBadInput, TracesThatAreDamaged) {
  test::TempFolder folder;
  const std::string saved = (folder / "a.trace").string();
  ASSERT_EQ(lanescope({"run", "coalescing", "--set", "n=64", "--save", saved}).code, 0);
  ASSERT_EQ(lanescope({"show", saved}).code, 0);
  const std::string whole = test::read_file(saved);
  test::write_file(folder / "short.trace", whole.substr(0, whole.size() / 2));
  const Ran truncated = lanescope({"show", (folder / "short.trace").string(), "--json"});
  EXPECT_EQ(truncated.code, 1);
  EXPECT_EQ(truncated.json()["diagnostics"][0]["code"], "trace.truncated");
  std::string damaged = whole;
  damaged[whole.size() - 1] = static_cast<char>(damaged[whole.size() - 1] ^ 1);
  test::write_file(folder / "damaged.trace", damaged);
  EXPECT_EQ(lanescope({"show", (folder / "damaged.trace").string()}).code, 1);
  for (const char* name : {"short.trace", "damaged.trace"}) expect_chinese({"show", (folder / name).string()}, 1);
  std::string newer = whole;
  newer[8] = static_cast<char>(trace::format_version + 1);  // format version and checksum of the bytes up to there
  const std::uint64_t check = trace::checksum(std::as_bytes(std::span(newer).first(12)));
  for (std::size_t i = 0; i < 4; ++i) newer[12 + i] = static_cast<char>(check >> (8 * i));
  test::write_file(folder / "newer.trace", newer);
  const Ran later = lanescope({"show", (folder / "newer.trace").string(), "--json"});
  EXPECT_EQ(later.code, 1);
  EXPECT_EQ(later.json()["diagnostics"][0]["code"], "trace.newer");
  EXPECT_THAT(later.err, AllOf(HasSubstr("newer.trace"), HasSubstr("cure: ")));
  expect_chinese({"show", (folder / "newer.trace").string()}, 1);
}

// Shipped times are damaged. The lesson still runs; what its text says about times is not checked.
TEST(CliBadInput, ARecordingThatIsDamaged) {
  test::TempFolder root;
  fs::create_directories(root / "assets/recordings");
  fs::copy(fs::path(LANESCOPE_SOURCE_DIR) / "lessons", root / "lessons", fs::copy_options::recursive);
  test::write_file(root / "assets/recordings/coalescing.json", "{\"lanescope_recording\": 1, \"lesson\"");
  const test::Setting there{"LANESCOPE_ROOT=" + root.path().string(), "", "", ""};
  const Ran ran = lanescope({"run", "coalescing"}, there);
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, AllOf(HasSubstr("coalescing.json: warning: "), HasSubstr("damaged"), HasSubstr("cure: ")));
  EXPECT_THAT(ran.out, testing::Not(HasSubstr("recorded time")));
  const Ran checked = lanescope({"check", (root / "lessons/01_coalescing").string()}, there);
  EXPECT_EQ(checked.code, 1) << checked.err;
  EXPECT_THAT(checked.err, AllOf(HasSubstr("coalescing.json: error: "), HasSubstr("cure: ")));
}

// A limit on file sizes stands for a full disk.
TEST(CliBadInput, AFullDiskLosesNothing) {
  NEEDS_POSIX();
  const test::Setting full{"", "trap '' XFSZ; ulimit -f 2", "", ""};
  test::TempFolder folder;
  const std::string saved = (folder / "a.trace").string();
  test::write_file(saved, "what was there before");
  const Ran ran = lanescope({"run", "coalescing", "--save", saved, "--svg", folder.path().string()}, full);
  EXPECT_EQ(ran.code, 1) << ran.err;
  EXPECT_THAT(ran.err, AllOf(HasSubstr("a.trace"), HasSubstr(".svg"), HasSubstr("cure: ")));
  EXPECT_EQ(test::read_file(saved), "what was there before");
  std::vector<std::string> left;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder.path()))
    left.push_back(entry.path().filename().string());
  EXPECT_THAT(left, testing::Each(testing::Not(testing::EndsWith(".part"))));

  const Ran device = lanescope({"run", "coalescing", "--save", "/dev/full"});
  EXPECT_EQ(device.code, 1);
  EXPECT_THAT(device.out, HasSubstr("global load sectors")) << "the run itself is not lost";
  const Ran output = lanescope({"list"}, {"", "", "", "/dev/full"});
  EXPECT_EQ(output.code, 1);
  EXPECT_THAT(output.err, HasSubstr("could not be written"));
  EXPECT_EQ(lanescope({"run", "coalescing", "--save", "/nowhere/a.trace"}).code, 1);
  EXPECT_EQ(lanescope({"run", "coalescing", "--svg", "/dev/null/pictures"}).code, 1);
}

}  // namespace
}  // namespace lanescope
