// Whole programs run on Linux only: each command that would run one says so, and what to do.

#include <gmock/gmock.h>

#include <fstream>

#include "cli/program.h"
#include "golden.h"

namespace lanescope {
namespace {

using testing::HasSubstr;

TEST(ExecOnWindows, IsRefusedWithAReason) {
  const test::TempFolder folder;
  const std::string file = (folder / "a.cu").generic_string();
  std::ofstream(file) << "__global__ void k() {}\nint main() { k<<<1, 1>>>(); }\n";
  for (const std::vector<std::string>& command :
       {std::vector<std::string>{"exec", file}, {"exec", "--", "python3", "a.py"}}) {
    const test::Ran ran = test::lanescope(command);
    EXPECT_EQ(ran.code, 3) << ran.err;
    EXPECT_THAT(ran.err, HasSubstr("Whole programs do not run here on this operating system."));
    EXPECT_THAT(ran.err, HasSubstr("WSL2"));
  }
}

TEST(ElsewhereOnWindows, IsRefusedWithAReason) {
  for (const char* place : {"ssh:lab3", "slurm"}) {
    const test::Ran ran = test::lanescope({"run", "coalescing", "--device", place});
    EXPECT_NE(ran.code, 0) << ran.err;
    EXPECT_THAT(ran.err, HasSubstr("GPUs elsewhere are not reached from this operating system.\n"));
    EXPECT_THAT(ran.err, HasSubstr("WSL2"));
  }
}

}  // namespace
}  // namespace lanescope
