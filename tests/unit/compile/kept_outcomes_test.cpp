// Outcomes kept for other processes are the compiler's answers, and each belongs to its inputs.

#include "compile/kept_outcomes.h"

#include <algorithm>
#include <filesystem>

#include "cli/program.h"
#include "compile/compiler.h"
#include "compile/fixture.h"

namespace lanescope::compile {
namespace {

namespace fs = std::filesystem;
using test::Ran;

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder)) found.push_back(entry.path());
  return found;
}

TEST(KeptOutcomes, ComeBackAsTheyWere) {
  const test::TempFolder folder;
  const std::string name = (folder / "one").string();
  NvrtcOutcome outcome;
  outcome.error = Wording(std::string("none: 5"));
  outcome.log = "a line\n3:abc\n";
  outcome.ptx = std::string("// \0 zero", 9);
  outcome.cubin = {0x7f, 'E', 0, 255};
  outcome.mangled = {{"k<1>", "_Z1k"}, {"t", ""}};
  EXPECT_FALSE(kept_outcome(name));
  keep_outcome(name, outcome);
  const auto known = kept_outcome(name);
  ASSERT_TRUE(known);
  EXPECT_EQ(known->code, NvrtcOutcome::success);
  EXPECT_EQ(known->error, outcome.error);
  EXPECT_EQ(known->log, outcome.log);
  EXPECT_EQ(known->ptx, outcome.ptx);
  EXPECT_EQ(known->cubin, outcome.cubin);
  EXPECT_EQ(known->mangled, outcome.mangled);
  const std::string text = test::read_file(name);
  for (std::size_t size = 0; size < text.size(); ++size) {
    test::write_file(name, text.substr(0, size));
    EXPECT_FALSE(kept_outcome(name)) << "of " << text.size() << " bytes " << size;
  }
  outcome.code = NvrtcOutcome::compilation_failed;
  keep_outcome(name, outcome);
  EXPECT_EQ(kept_outcome(name)->code, NvrtcOutcome::compilation_failed);
}

TEST(KeptOutcomes, WhatMayGoOtherwiseNextTimeIsNotKept) {
  const test::TempFolder folder;
  NvrtcOutcome outcome;
  for (const NvrtcOutcome::Code code : {NvrtcOutcome::out_of_memory, NvrtcOutcome::cancelled, NvrtcOutcome::crashed}) {
    outcome.code = code;
    keep_outcome((folder / "one").string(), outcome);
    EXPECT_TRUE(files_in(folder.path()).empty()) << code;
  }
}

// From outside: the second process takes the first one's answer unless an input has changed.
TEST(KeptOutcomes, BelongToAllThatWentIn) {
  NEEDS_NVRTC();
  const test::TempFolder folder, kept;
  const fs::path source = folder / "k.cu";
  test::write_file(source, "#include \"value.cuh\"\n__global__ void k(int* a) { a[0] = VALUE; }\n");
  test::write_file(folder / "value.cuh", "#define VALUE 1111\n");
  const auto ptx = [&](const std::vector<std::string>& more = {}) {
    const Ran ran = test::lanescope(test::with({"parse", source.string()}, more),
                                    {"LANESCOPE_COMPILED=" + test::quoted(kept.path().string()), "", "", ""});
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran.out;
  };
  const std::string first = ptx();
  EXPECT_NE(first.find("1111"), std::string::npos) << first;
  ASSERT_EQ(files_in(kept.path()).size(), 1u);
  EXPECT_EQ(ptx(), first);
  EXPECT_EQ(files_in(kept.path()).size(), 1u);
  // A modified answer, which no compiler gave, proves that the kept one was taken.
  const fs::path file = files_in(kept.path()).front();
  std::string answer = test::read_file(file);
  ASSERT_NE(answer.find("1111"), std::string::npos);
  test::write_file(file, answer.replace(answer.find("1111"), 4, "9999"));
  EXPECT_NE(ptx().find("9999"), std::string::npos);
  test::write_file(folder / "value.cuh", "#define VALUE 2222\n");
  EXPECT_NE(ptx().find("2222"), std::string::npos) << "a header that changed";
  EXPECT_NE(ptx({"--arch", "sm_80"}).find(".target sm_80"), std::string::npos);
  EXPECT_EQ(files_in(kept.path()).size(), 3u);
}

TEST(KeptOutcomes, NothingIsKeptWhereTheFolderIsNotThereOrTheIncludesAreNotKnown) {
  NEEDS_NVRTC();
  const test::TempFolder folder, kept;
  const fs::path source = folder / "k.cu";
  test::write_file(folder / "value.cuh", "#define VALUE 1111\n");
  test::write_file(source,
                   "#define WHICH \"value.cuh\"\n#include WHICH\n__global__ void k(int* a) { a[0] = VALUE; }\n");
  for (const std::string& where : {kept.path().string(), (folder / "nowhere").string()}) {
    const Ran ran =
        test::lanescope({"parse", source.string()}, {"LANESCOPE_COMPILED=" + test::quoted(where), "", "", ""});
    EXPECT_EQ(ran.code, 0) << ran.err;
    EXPECT_NE(ran.out.find("1111"), std::string::npos);
  }
  EXPECT_TRUE(files_in(kept.path()).empty());
  EXPECT_FALSE(fs::exists(folder / "nowhere"));
}

// By default a kernel is still compiled when the program starts again.
TEST(KeptOutcomes, AreKeptInTheUsersCacheFolder) {
  NEEDS_POSIX();
  NEEDS_NVRTC();
  const test::TempFolder folder;
  const fs::path source = folder / "k.cu", cache = folder / "cache";
  test::write_file(source, "__global__ void k(int* a) { a[0] = 1111; }\n");
  const auto ptx = [&](const std::string& more) {
    const Ran ran =
        test::lanescope({"parse", source.string()},
                        {"XDG_CACHE_HOME=" + test::quoted(cache.string()) + more, "unset LANESCOPE_COMPILED", "", ""});
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran.out;
  };
  const std::string first = ptx("");
  const fs::path kept = cache / "lanescope" / "compiled";
  ASSERT_TRUE(fs::is_directory(kept));
  EXPECT_EQ(fs::status(kept).permissions(), fs::perms::owner_all);
  ASSERT_EQ(files_in(kept).size(), 1u);
  const fs::path file = files_in(kept).front();
  std::string answer = test::read_file(file);
  test::write_file(file, answer.replace(answer.find("1111"), 4, "9999"));
  EXPECT_NE(ptx("").find("9999"), std::string::npos) << "the second process took what the first one kept";
  EXPECT_EQ(ptx(" LANESCOPE_COMPILED="), first) << "an empty LANESCOPE_COMPILED turns it off";
}

TEST(KeptOutcomes, TheLeastRecentlyUsedGoFirst) {
  const test::TempFolder folder;
  const auto now = fs::file_time_type::clock::now();
  for (int i = 0; i < 8; ++i) {
    const fs::path path = folder / std::to_string(i);
    test::write_file(path, std::string(100, 'x'));
    fs::last_write_time(path, now - std::chrono::minutes(100 - i));
  }
  bound_kept(folder.path().string(), 800);
  EXPECT_EQ(files_in(folder.path()).size(), 8u) << "800 bytes are not more than 800";
  fs::last_write_time(folder / "0", now);
  bound_kept(folder.path().string(), 700);
  std::vector<std::string> left;
  for (const fs::path& path : files_in(folder.path())) left.push_back(path.filename().string());
  std::sort(left.begin(), left.end());
  EXPECT_EQ(left, (std::vector<std::string>{"0", "4", "5", "6", "7"}));
  bound_kept((folder / "nowhere").string(), 1);  // no folder: nothing to do
}

}  // namespace
}  // namespace lanescope::compile
