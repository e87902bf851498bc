// Kernels that launch kernels.

#include <gmock/gmock.h>

#include <fstream>
#include <map>

#include "cli/program.h"
#include "compile/nvcc/nvcc.h"

namespace lanescope {
namespace {

using test::lanescope;
using test::Ran;
using testing::HasSubstr;

class ExecChildren : public testing::Test {
 protected:
  // Built once for all tests.
  static void SetUpTestSuite() {
    if (!compile::locate_nvcc()) return;
    compile::ProgramSource source;
    source.file = LANESCOPE_SOURCE_DIR "/tests/exec/kernels_launch.cu";
    source.standard = "c++17";
    source.further = {"-rdc=true"};
    source.runtime_folder = LANESCOPE_EXEC_FOLDER;
    Result<compile::BuiltProgram> built = compile::build_program(source);
    ASSERT_TRUE(built.ok()) << format(built.errors().front());
    program_ = new compile::BuiltProgram(std::move(*built));
  }
  static void TearDownTestSuite() {
    delete program_;
    program_ = nullptr;
  }
  void SetUp() override {
    if (program_ == nullptr) GTEST_SKIP() << "no nvcc";
  }
  static inline compile::BuiltProgram* program_ = nullptr;
};

constexpr const char* right =
    "cudaSuccess: 1209 1209 9 9 0 7\n"  // the sums are worked out in the file
    "cudaSuccess: abz\n"
    "cudaSuccess: 43.5\n"
    "cudaSuccess: 1000\n";

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
  const std::map<std::string, int> expected{{"add", 1006}, {"append", 3}, {"each_thread", 1}, {"nest", 3},
                                            {"order", 1},  {"pass", 1},   {"take", 1}};
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

}  // namespace
}  // namespace lanescope
