// `lanescope trace` with a pipe or a device as its source.

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>

#include "cli/program.h"

namespace lanescope {
namespace {

namespace fs = std::filesystem;
using test::lanescope;
using test::Ran;
using testing::AllOf;
using testing::HasSubstr;

TEST(CliTrace, APipeOrADeviceIsNoSource) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the address sanitizer takes more address space than any limit allows";
#endif
  test::TempFolder folder;
  const std::string pipe = (folder / "pipe.cu").string(), large = (folder / "large.cu").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  test::write_file(large, "__global__ void k() {}\n");
  fs::resize_file(large, 60u << 20);
  for (const std::string& file : {pipe, std::string("/dev/zero"), large}) {
    const Ran ran =
        lanescope({"trace", file, "--kernel", "k", "--grid", "1", "--block", "1"}, {.before = "ulimit -v 4000000"});
    EXPECT_EQ(ran.code, 2) << file;
    EXPECT_THAT(ran.err, AllOf(HasSubstr("error: "), HasSubstr("cure: ")));
  }
}

// A compiler would wait for somebody to write into it.
TEST(CliTrace, APipeOrADeviceIsNoHeader) {
  test::TempFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe.h").c_str(), 0600), 0);
  fs::create_symlink("/dev/zero", folder / "zero.h");
  for (const std::string name : {"pipe.h", "zero.h"}) {
    const std::string source = (folder / ("with_" + name + ".cu")).string();
    test::write_file(source, "\n#include \"" + name + "\"\n__global__ void k() {}\nint main() {}\n");
    for (const bool program : {false, true}) {
      const Ran ran = program ? lanescope({"exec", source})
                              : lanescope({"trace", source, "--kernel", "k", "--grid", "1", "--block", "1"});
      EXPECT_NE(ran.code, 0) << name;
      EXPECT_THAT(ran.err, AllOf(HasSubstr(".cu:2: error: the included `"), HasSubstr("is a pipe or a device")))
          << name;
    }
  }
}

TEST(CliOpen, APipeOrADeviceIsNoRun) {
  for (const char* command : {"open", "exec"}) {
    const Ran ran = lanescope({command, "/dev/zero"});
    EXPECT_EQ(ran.code, 2) << command;
    EXPECT_THAT(ran.err, HasSubstr("/dev/zero: error: This is a pipe or a device, not a file.")) << command;
  }
}

// A shell's PWD keeps the links of the path by which a folder was entered. The code and its lines are the source's all
// the same.
TEST(CliTrace, InAFolderThatWasEnteredThroughALinkLinesAreTheSources) {
  test::TempFolder folder;
  const fs::path real = folder / "real", link = folder / "link";
  fs::create_directory(real);
  fs::create_directory_symlink(real, link);
  test::write_file((real / "linked.cu").string(), "__global__ void k(int* out) {\n  out[threadIdx.x] = 7;\n}\n");
  const Ran ran =
      lanescope({"trace", "linked.cu", "--kernel", "k", "--grid", "1", "--block", "32", "--arg", "i32[32]=0"},
                {.before = "cd '" + link.string() + "'"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("   2  out[threadIdx.x] = 7;"));
  EXPECT_THAT(ran.out, testing::Not(HasSubstr(link.string())));
}

}  // namespace
}  // namespace lanescope
