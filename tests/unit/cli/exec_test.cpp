// Whole programs, built by the nvcc that third_party/fetch nvcc brings. What the tables must hold follows from the
// programs' sizes.

#include <gmock/gmock.h>

#include <fstream>

#include "cli/program.h"
#include "compile/nvcc.h"

namespace lanescope {
namespace {

using test::lanescope;
using test::Ran;
using testing::HasSubstr;
using testing::Not;

#define NEEDS_NVCC() \
  if (const auto found = compile::locate_nvcc(); !found) GTEST_SKIP() << "no nvcc: " << format(found.errors().front())

test::Setting in_programs(const std::string& environment = "") {
  return {.environment = environment, .folder = LANESCOPE_SOURCE_DIR "/tests/exec"};
}

struct Told : Ran {
  nlohmann::json report;
};

Told exec(std::vector<std::string> arguments) {
  test::TempFolder folder;
  const std::string file = (folder / "report.json").string();
  arguments.insert(arguments.begin(), {"exec", "--json", file});
  Told told{lanescope(arguments, in_programs()), {}};
  std::ifstream(file) >> told.report;
  return told;
}

// Each launch can be opened, with the numbers that the table has of it.
TEST(Exec, KeepsItsLaunchesToBeOpened) {
  NEEDS_NVCC();
  const test::TempFolder folder;
  const std::string kept = (folder / "kept").string();
  const Told told = exec({"--save", kept, "saxpy.cu", "--", "1000"});
  EXPECT_THAT(told.err, HasSubstr("Launches saved in " + kept + ": 2. To look at one: `lanescope show " + kept +
                                  "/0001-saxpy.trace --svg pictures`"));
  double sectors = 0;
  for (const char* file : {"0001-saxpy.trace", "0002-saxpy.trace"}) {
    const Ran shown = lanescope({"show", kept + "/" + file, "--json"});
    ASSERT_EQ(shown.code, 0) << shown.err;
    const nlohmann::json read = shown.json();
    for (const nlohmann::json& number : read.at("numbers"))
      if (number.at("name") == "global_load.sectors") sectors += number.at("value").get<double>();
  }
  EXPECT_EQ(told.report.at("kernels")[0].at("numbers").at("global_load.sectors"), sectors);
  const Ran pictures = lanescope({"show", kept + "/0002-saxpy.trace", "--svg", (folder / "pictures").string()});
  EXPECT_THAT(pictures.out, HasSubstr("SVG files"));
  const Ran again = lanescope({"exec", "--save", kept, "saxpy.cu"}, in_programs());
  EXPECT_NE(again.code, 0);
  EXPECT_THAT(again.err, HasSubstr("The folder to save launches in is not empty."));
}

TEST(Exec, TellsWhatAProgramDid) {
  NEEDS_NVCC();
  const Told told = exec({"saxpy.cu", "--", "1000"});
  EXPECT_EQ(told.code, 7) << told.err;
  EXPECT_EQ(told.out, "right, cudaSuccess\n");
  ASSERT_EQ(told.report.at("kernels").size(), 1u);
  const nlohmann::json& row = told.report["kernels"][0];
  EXPECT_EQ(row.at("kernel"), "saxpy");
  EXPECT_EQ(row.at("grid"), nlohmann::json({4, 1, 1}));
  EXPECT_EQ(row.at("block"), nlohmann::json({256, 1, 1}));
  EXPECT_EQ(row.at("launches"), 2);
  const nlohmann::json& numbers = row.at("numbers");
  // 1,000 elements lie in 125 sectors; 32 warps load and store, twice; x and y are loaded.
  EXPECT_EQ(numbers.at("global_load.requests"), 2 * 2 * 32);
  EXPECT_EQ(numbers.at("global_load.sectors"), 2 * 2 * 125);
  EXPECT_EQ(numbers.at("global_store.sectors"), 2 * 125);
  EXPECT_EQ(numbers.at("global_store.efficiency"), 100);
  EXPECT_EQ(numbers.at("divergent_branches"), 2);
  EXPECT_EQ(row.at("most_traffic").at("line"), 8);
  EXPECT_EQ(told.report.at("copies"),
            nlohmann::json::parse(R"([{"direction": "host_to_device", "count": 2, "bytes": 8000},
                                      {"direction": "device_to_host", "count": 1, "bytes": 4000}])"));
  EXPECT_EQ(told.report.at("exit_code"), 7);
  EXPECT_THAT(told.err, HasSubstr("saxpy.cu:8"));
}

TEST(Exec, CountsOnlyWhatIsChosen) {
  NEEDS_NVCC();
  const Told second = exec({"--launches", "2", "--verbose", "saxpy.cu"});
  EXPECT_EQ(second.report["kernels"][0].at("launches_counted"), 1);
  EXPECT_EQ(second.report["kernels"][0].at("numbers").at("global_store.sectors"), 125);
  EXPECT_THAT(second.err, HasSubstr("launch 1: saxpy<<<4, 256>>>,"));
  EXPECT_THAT(second.err, HasSubstr("launch 2: saxpy<<<4, 256>>>: "));
  const Told none = exec({"--kernels", "^other$", "saxpy.cu"});
  EXPECT_EQ(none.report["kernels"][0].at("launches"), 2);
  EXPECT_FALSE(none.report["kernels"][0].contains("numbers"));
}

TEST(Exec, AFaultIsToldAtItsLineAndStays) {
  NEEDS_NVCC();
  const Told told = exec({"out_of_bounds.cu"});
  EXPECT_EQ(told.code, 0);
  EXPECT_EQ(told.out, "cudaSuccess\ncudaErrorIllegalAddress\ncudaErrorIllegalAddress\n");
  EXPECT_THAT(told.err, HasSubstr("out_of_bounds.cu:5"));
  EXPECT_THAT(told.err, HasSubstr("256 bytes"));
  EXPECT_EQ(told.report["kernels"][0].at("launches_not_completed"), 1);
}

TEST(Exec, ACrashOnTheHostLeavesTheTable) {
  NEEDS_NVCC();
  const Told told = exec({"killed.cu"});
  EXPECT_EQ(told.code, 128 + SIGSEGV);
  EXPECT_EQ(told.report["kernels"][0].at("kernel"), "nothing");
  EXPECT_EQ(told.report["diagnostics"].back().at("code"), "program.ended_by_signal");
}

TEST(Exec, CallsThatAreNotThereAreNamed) {
  NEEDS_NVCC();
  const Told told = exec({"not_there.cu"});
  EXPECT_EQ(told.out, "cudaErrorNotSupported\ncudaErrorNotSupported\ncudaErrorNotSupported\n");
  EXPECT_THAT(told.err, HasSubstr("cudaImportExternalMemory: not there; 3 calls"));
}

TEST(Exec, RacesAreToldWhenAskedFor) {
  NEEDS_NVCC();
  EXPECT_THAT(exec({"racy.cu"}).err, Not(HasSubstr("Data race")));
  const Told told = exec({"--races", "racy.cu"});
  EXPECT_THAT(told.err, HasSubstr("racy.cu:3"));
  EXPECT_THAT(told.err, HasSubstr("Data race in global memory"));
  EXPECT_GT(told.report["kernels"][0].at("races"), 0);
}

TEST(Exec, MistakesInTheFileAreToldAtTheirLines) {
  NEEDS_NVCC();
  const Ran header = lanescope({"exec", "no_header.cu"}, in_programs());
  EXPECT_EQ(header.code, 1);
  EXPECT_THAT(header.err, HasSubstr("no_header.cu:2: error: cannot open source file \"nobody_has_this.h\""));
  const Ran mistakes = lanescope({"exec", "mistakes.cu"}, in_programs());
  EXPECT_EQ(mistakes.code, 1);
  EXPECT_THAT(mistakes.err, HasSubstr("mistakes.cu:2: error: identifier \"b\" is undefined"));
  EXPECT_THAT(mistakes.err, HasSubstr("mistakes.cu:5: error: identifier \"undefined_thing\" is undefined"));
}

TEST(Exec, WithoutNvccOrGxxSaysHowToGetThem) {
  test::TempFolder empty;
  const std::string nowhere = "LANESCOPE_CUDA=" + empty.path().string();
  const Ran no_nvcc = lanescope({"exec", "saxpy.cu"}, in_programs(nowhere));
  EXPECT_EQ(no_nvcc.code, 3);
  EXPECT_THAT(no_nvcc.err, HasSubstr("third_party/fetch nvcc"));
  NEEDS_NVCC();
  const Ran no_gxx = lanescope({"exec", "saxpy.cu"}, in_programs("PATH=" + empty.path().string()));
  EXPECT_EQ(no_gxx.code, 3);
  EXPECT_THAT(no_gxx.err, HasSubstr("apt install g++"));
}

TEST(Exec, AProgramKeepsItsStreamsAndExitCode) {
  const Ran ran = lanescope({"exec", "sh", "-c", "echo out; echo err >&2; exit 42"}, in_programs());
  EXPECT_EQ(ran.code, 42);
  EXPECT_EQ(ran.out, "out\n");
  EXPECT_THAT(ran.err, HasSubstr("err\n"));
  EXPECT_THAT(ran.err, HasSubstr("The program launched nothing, and has no CUDA code of its own"));
}

TEST(Exec, WhatCannotBeStartedIsExplained) {
  struct Case {
    std::vector<std::string> arguments;
    int code;
    const char* said;
  };
  for (const Case& one : {Case{{"exec"}, 2, "A program is missing."},
                          {{"exec", "./nobody"}, 2, "There is no such program."},
                          {{"exec", "./saxpy.cu.txt"}, 2, "There is no such program."},
                          {{"exec", "../exec"}, 2, "The file cannot be read"},
                          {{"exec", "../tools/cuda_on_host.h"}, 2, "chmod +x"},
                          {{"exec", "--nonsense", "sh"}, 2, "There is no option `--nonsense`."},
                          {{"exec", "--launches", "5-3", "sh"}, 2, "`--launches 5-3` is not understood."},
                          {{"exec", "--kernels", "(", "sh"}, 2, "`--kernels (` is not a regular expression."},
                          {{"exec", "--arch", "sm_35", "sh"}, 2, "sm_75 is the oldest"}}) {
    const Ran ran = lanescope(one.arguments, in_programs());
    EXPECT_EQ(ran.code, one.code) << one.said;
    EXPECT_THAT(ran.err, HasSubstr(one.said));
    EXPECT_THAT(ran.err, HasSubstr("cure: "));
  }
}

}  // namespace
}  // namespace lanescope
