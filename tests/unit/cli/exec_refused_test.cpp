// Launches that the device refuses, and the exit code of `exec`: the program's own, but 1 for 0 if there is an error.

#include <gmock/gmock.h>

#include <fstream>

#include "cli/built_program.h"
#include "cli/program.h"

namespace lanescope {
namespace {

using test::lanescope;
using test::Ran;
using testing::HasSubstr;
using testing::Not;

class ExecRefused : public test::WithProgram {
 protected:
  static void SetUpTestSuite() { build("refused.cu"); }

  struct Reported : Ran {
    nlohmann::json report;
  };
  static Reported report_on(const std::string& program, const std::string& kind) {
    const test::TempFolder folder;
    const std::string file = (folder / "report.json").string();
    Reported seen{lanescope({"exec", "--json", file, program, kind}), {}};
    std::ifstream(file) >> seen.report;
    return seen;
  }
  static Reported with(const std::string& kind) { return report_on(program_->path, kind); }
};

TEST_F(ExecRefused, ALaunchIsToldWithItsKernelAndFileAndInTheTable) {
  const Reported seen = with("more");
  EXPECT_THAT(seen.err, HasSubstr("refused.cu:5: error: kernel deep was not launched: a block of 2048 × 1 × 1 threads "
                                  "is too large (2 times)"));
  EXPECT_THAT(seen.err, HasSubstr("error: kernel tile was not launched: 60000 bytes of dynamic shared memory"));
  EXPECT_THAT(seen.err, HasSubstr("error: kernel tile was not launched: a grid of 0 × 1 × 1 blocks"));
  EXPECT_THAT(seen.err, HasSubstr("2 refused"));
  const nlohmann::json& deep = seen.report.at("kernels")[0];
  EXPECT_EQ(deep.at("kernel"), "deep");
  EXPECT_EQ(deep.at("launches"), 0);
  EXPECT_EQ(deep.at("launches_refused"),
            nlohmann::json::parse(R"([{"code": "launch.block_too_large", "launches": 2}])"));
  const nlohmann::json& ran = seen.report.at("kernels").back();
  EXPECT_EQ(ran.at("launches"), 1);
  EXPECT_EQ(ran.at("launches_refused"), nlohmann::json::array());
  EXPECT_EQ(seen.report.at("launches"), 1) << "those that ran";
}

TEST_F(ExecRefused, ASuccessWithAnErrorIsNoSuccess) {
  const Reported ignored = with("");
  EXPECT_EQ(ignored.out, "cudaSuccess\n");
  EXPECT_EQ(ignored.code, 1);
  EXPECT_EQ(ignored.report.at("exit_code"), 0) << "the program's own";
  EXPECT_EQ(with("three").code, 3) << "the program's own failure stays";
}

// Such a program makes the error on purpose, or has dealt with it.
TEST_F(ExecRefused, AnErrorThatTheProgramFetchesIsAWarning) {
  const Reported asked = with("ask");
  EXPECT_EQ(asked.out, "cudaErrorInvalidValue\ncudaSuccess\n");
  EXPECT_EQ(asked.code, 0);
  EXPECT_THAT(asked.err, HasSubstr("warning: kernel deep was not launched"));
  EXPECT_THAT(asked.err, Not(HasSubstr("error:")));
  EXPECT_EQ(asked.report.at("diagnostics")[0].at("severity"), "warning");
}

// The program asks for the fault and gets it; the kernel is wrong all the same.
TEST_F(ExecRefused, AFaultOfAKernelStaysAnError) {
  const Ran fault = lanescope({"exec", LANESCOPE_SOURCE_DIR "/tests/exec/out_of_bounds.cu"});
  EXPECT_THAT(fault.out, HasSubstr("cudaErrorIllegalAddress"));
  EXPECT_THAT(fault.err, HasSubstr("error: kernel fill, thread (64, 0, 0)"));
  EXPECT_EQ(fault.code, 1);
}

TEST_F(ExecRefused, OneLaunchOfTheKernelInTheFileIsThePlace) {
  const test::TempFolder folder;
  const std::string file = (folder / "one.cu").string();
  test::write_file(file,
                   "namespace own {\ntemplate <typename T> __global__ void tile(T* out) {\n  out[threadIdx.x] = 1;\n}\n"
                   "}\nint main() {\n  int* memory;\n  cudaMalloc(&memory, 64);\n\n"
                   "  own::tile<int><<<dim3(1, 70000), 16>>>(memory);\n  cudaFree(memory);\n}\n");
  const Ran ran = lanescope({"exec", file});
  EXPECT_THAT(ran.err, HasSubstr("one.cu:10: error: kernel own::tile<int> was not launched: a grid of 1 × 70000 × 1"));
  EXPECT_EQ(ran.code, 1);
}

// Also of an empty file, which the linker says nothing else about.
TEST_F(ExecRefused, AFileWithoutMainIsToldHowItsKernelRuns) {
  const test::TempFolder folder;
  const std::string one = (folder / "one.cu").string(), two = (folder / "two.cu").string(),
                    empty = (folder / "empty.cu").string();
  const std::string kernel =
      "__global__ void first(float* a, int n) {\n  if (threadIdx.x < n) a[threadIdx.x] = n;\n}\n";
  test::write_file(one, kernel);
  test::write_file(two, kernel + "__global__ void second(int* a) {\n  a[threadIdx.x] = 2;\n}\n");
  test::write_file(empty, "");
  const Ran of_one = lanescope({"exec", one});
  EXPECT_EQ(of_one.code, 1);
  EXPECT_THAT(of_one.err, HasSubstr("one.cu: error: The file has no main(), so it is not a program."));
  EXPECT_THAT(of_one.err, HasSubstr("trace " + one + " --kernel first --grid"));
  const Ran of_two = lanescope({"exec", two});
  EXPECT_THAT(of_two.err, HasSubstr("open " + two + " --list` prints a command for each of the 2"));
  const Ran of_empty = lanescope({"exec", empty});
  EXPECT_EQ(of_empty.code, 1);
  EXPECT_THAT(of_empty.err, HasSubstr("empty.cu: error: The file has no main(), so it is not a program."));
  EXPECT_THAT(of_empty.err, HasSubstr("It has no kernel either"));
}

TEST_F(ExecRefused, ShowPointsToOpenForASavedRun) {
  const test::TempFolder folder;
  const std::string saved = (folder / "run.lanescope").string();
  lanescope({"exec", "--save", saved, program_->path, "more"});
  const Ran shown = lanescope({"show", saved});
  EXPECT_NE(shown.code, 0);
  EXPECT_THAT(shown.err, HasSubstr("This file holds the launches of a program"));
  EXPECT_THAT(shown.err, HasSubstr("open " + saved + "`"));
  EXPECT_EQ(lanescope({"open", saved, "--list"}).code, 0);
}

}  // namespace
}  // namespace lanescope
