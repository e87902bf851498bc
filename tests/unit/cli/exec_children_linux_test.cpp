// Kernels that launch kernels, and programs of several files: nvcc -rdc=true.

#include <gmock/gmock.h>

#include <chrono>
#include <fstream>
#include <map>

#include "cli/built_program.h"
#include "cli/program.h"
#include "compile/nvcc/nvcc.h"
#include "core/os/subprocess.h"

namespace lanescope {
namespace {

using test::lanescope;
using test::Ran;
using testing::HasSubstr;

class ExecChildren : public test::WithProgram {
 protected:
  static void SetUpTestSuite() { build("kernels_launch.cu", {"-rdc=true"}); }
};

constexpr const char* right =
    "cudaSuccess: 1209 1209 9 9 0 7\n"  // the sums are worked out in the file
    "cudaSuccess: abz\n"
    "cudaSuccess: 43.5\n"
    "cudaSuccess: 100\n"
    "cudaSuccess: 380\n"
    "no error, out of memory\n"
    "cudaSuccess: 100 -1 -1 103 5 6 7 8\n";

TEST_F(ExecChildren, RunInTheirOrderAndAreRowsOfTheTable) {
  const test::TempFolder folder;
  const std::string json = (folder / "report.json").string();
  const Ran ran = lanescope({"exec", "--json", json, program_->path});
  EXPECT_EQ(ran.out, right) << ran.err;
  nlohmann::json report;
  std::ifstream(json) >> report;
  ASSERT_EQ(report.at("diagnostics").size(), 1u) << report.at("diagnostics");
  EXPECT_EQ(report.at("diagnostics")[0].at("code"), "device.children_counted");
  std::map<std::string, int> launches;
  for (const nlohmann::json& row : report.at("kernels")) launches[row.at("kernel")] += row.at("launches").get<int>();
  const std::map<std::string, int> expected{{"add", 106}, {"append", 3}, {"each_thread", 1}, {"fill", 1},
                                            {"make", 1},  {"move", 1},   {"put", 2},         {"nest", 3},
                                            {"order", 1}, {"pass", 1},   {"sum_up", 1},      {"take", 1}};
  EXPECT_EQ(launches, expected);
}

TEST_F(ExecChildren, AFaultInOneIsReportedAtItsLineAndByTheNextCallThatWaits) {
  const Ran ran = lanescope({"exec", program_->path, "fault"});
  EXPECT_EQ(ran.out, right + std::string("cudaErrorIllegalAddress\n")) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("kernels_launch.cu:23"));
}

TEST_F(ExecChildren, AreSavedAsLaunchesOfTheirOwn) {
  const test::TempFolder folder;
  const std::string saved = (folder / "run.lanescope").string();
  EXPECT_EQ(lanescope({"exec", "--launches", "1-9", "--save", saved, program_->path}).out, right);
  const nlohmann::json launches = lanescope({"open", saved, "--json"}).json().at("launches");
  ASSERT_EQ(launches.size(), 9u);
  EXPECT_EQ(launches[0].at("kernel"), "nest");
  EXPECT_EQ(launches[1].at("kernel"), "add");
  const Ran shown = lanescope({"open", saved, "--launch", "2", "--json"});
  EXPECT_EQ(shown.code, 0) << shown.err;
}

// odd(1) + triple(1) + table<3>[0] + 100 * (odd(1) + triple(1) + table<4>[1]). Both files have a `$str`.
TEST(ExecSeparateCompilation, FilesShareTemplatesAndKeepWhatIsTheirOwn) {
  if (!compile::locate_nvcc()) GTEST_SKIP() << "no nvcc";
  const std::string folder = LANESCOPE_SOURCE_DIR "/tests/exec/two_files/";
  const Ran ran = lanescope({"exec", "--nvcc=-rdc=true", "--nvcc=" + folder + "other.cu", folder + "main.cu"});
  EXPECT_EQ(ran.out, "first: 8\nthe other: 70\ncudaSuccess: 1109\n") << ran.err;
}

// As a program that nvcc links with cudadevrt, the default of -rdc=true: that library has machine code, and PTX for
// sm_121 only.
TEST(ExecSeparateCompilation, APartWithoutPtxCountsOnlyWhereItsKernelIsLaunched) {
  const Result<compile::LocatedNvcc> nvcc = compile::locate_nvcc();
  if (!nvcc) GTEST_SKIP() << "no nvcc";
  const std::string folder = LANESCOPE_SOURCE_DIR "/tests/exec/linked_parts/";
  const test::TempFolder made;
  const std::string object = (made / "elsewhere.o").string();
  for (const char* code : {"compute_121", "sm_90"}) {
    const std::string arch = code[0] == 's' ? "compute_90" : code;
    const ProgramOutcome compiled = run_program(
        nvcc->path, {"-dc", "-gencode", "arch=" + arch + ",code=" + code, "-o", object, folder + "elsewhere.cu"}, {},
        std::chrono::minutes(5));
    ASSERT_EQ(compiled.exit_status, 0) << compiled.errors;
    const std::vector<std::string> program{"exec", "--nvcc=-rdc=true", "--nvcc=" + object, folder + "main.cu"};
    EXPECT_EQ(lanescope(program).out, "cudaSuccess\n7\n");
    std::vector<std::string> launching = program;
    launching.insert(launching.end(), {"--", "elsewhere"});
    const Ran ran = lanescope(launching);
    EXPECT_EQ(ran.out, "cudaErrorNoKernelImageForDevice\n7\n");
    EXPECT_THAT(ran.err, HasSubstr("kernel elsewhere is wanted from it"));
  }
}

TEST(ExecSeparateCompilation, IsTurnedOnWhereTheCodeNeedsIt) {
  if (!compile::locate_nvcc()) GTEST_SKIP() << "no nvcc";
  const Ran ran = lanescope({"exec", LANESCOPE_SOURCE_DIR "/tests/exec/kernels_launch.cu"});
  EXPECT_EQ(ran.out, right) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("Built with -rdc=true, which the code needs."));
}

}  // namespace
}  // namespace lanescope
