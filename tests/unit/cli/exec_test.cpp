// Whole programs, built with the nvcc that `third_party/fetch nvcc` brings. The expected tables follow from the
// programs' sizes.

#include <gmock/gmock.h>

#include <fstream>

#include "cli/program.h"
#include "compile/nvcc/nvcc.h"
#include "core/text.h"

namespace lanescope {
namespace {

using test::lanescope;
using test::Ran;
using testing::HasSubstr;
using testing::Not;

#define NEEDS_NVCC() \
  if (const auto found = compile::locate_nvcc(); !found) GTEST_SKIP() << "no nvcc: " << format(found.errors().front())

// A program's SIGSEGV ends it, under the address sanitizer too.
test::Setting in_programs(const std::string& environment = "ASAN_OPTIONS=handle_segv=0") {
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

double number_of(const nlohmann::json& outcome, const std::string& name) {
  for (const nlohmann::json& number : outcome.at("numbers"))
    if (number.at("name") == name) return number.at("value").get<double>();
  ADD_FAILURE() << name;
  return 0;
}

// `open` of a program runs it first; nothing is left of the run.
TEST(Exec, AProgramIsRunAndOpened) {
  NEEDS_NVCC();
  const Ran list = lanescope({"open", "saxpy.cu", "--list", "--", "1000"}, in_programs());
  EXPECT_EQ(list.code, 0) << list.err;
  EXPECT_THAT(list.out, HasSubstr("right, cudaSuccess"));
  EXPECT_THAT(list.out, HasSubstr("LAUNCH"));
  EXPECT_THAT(list.out, HasSubstr("saxpy.cu:"));
  EXPECT_THAT(list.err, HasSubstr("lane instr"));
  EXPECT_THAT(list.err, Not(HasSubstr("To look at them")));
  const Ran none = lanescope({"open", "no_header.cu", "--list"}, in_programs());
  EXPECT_EQ(none.code, 1);
  EXPECT_THAT(none.err, HasSubstr("cannot open source file"));
  EXPECT_EQ(none.out, "");
  const test::TempFolder folder;
  const std::string file = (folder / "with_kernel.cu").generic_string();
  test::write_file(file,
                   "#include \"nobody_has_this.h\"\n__global__ void fill(int* x) { x[threadIdx.x] = 1; }\n"
                   "int main() { check(fill); }\n");
  const Ran kernels = lanescope({"open", file, "--list"});
  EXPECT_EQ(kernels.code, 1);
  EXPECT_THAT(kernels.err, HasSubstr("cannot open source file"));
  EXPECT_THAT(kernels.err, HasSubstr("Each of its kernels can be run alone"));
  EXPECT_THAT(kernels.out, HasSubstr(" --kernel fill --grid 1 "));
  const Ran json = lanescope({"open", "saxpy.cu", "--list", "--json"}, in_programs());
  EXPECT_EQ(json.code, 2);
  EXPECT_THAT(json.out + json.err, HasSubstr("exec --save FILE saxpy.cu"));
}

// Each launch can be opened and shows the numbers that the table has for it.
TEST(Exec, SavesItsLaunchesToBeOpened) {
  NEEDS_NVCC();
  const test::TempFolder folder;
  const std::string saved = (folder / "run.lanescope").string();
  const Told told = exec({"--save", saved, "saxpy.cu", "--", "1000"});
  EXPECT_THAT(told.err,
              HasSubstr("Launches saved in " + saved + ": 2. To look at them: `lanescope open " + saved + "`"));
  const Ran list = lanescope({"open", saved, "--list"});
  EXPECT_EQ(list.code, 0) << list.err;
  EXPECT_THAT(list.out, HasSubstr("saxpy"));
  EXPECT_THAT(list.out, HasSubstr("saxpy.cu:"));
  EXPECT_EQ(lanescope({"open", saved, "--json"}).json().at("launches").size(), 2u);
  const nlohmann::json& table = told.report.at("kernels")[0].at("numbers");
  for (const char* name : {"global_load.requests", "global_load.sectors", "global_store.sectors", "divergent_branches",
                           "warp_instructions"}) {
    double both = 0;
    for (const char* launch : {"1", "2"}) {
      const Ran shown = lanescope({"open", saved, "--launch", launch, "--json"});
      ASSERT_EQ(shown.code, 0) << shown.err;
      both += number_of(shown.json(), name);
    }
    EXPECT_EQ(table.at(name), both) << name;
  }
  // y[3] is 1, then 2 · 3 + 1, then 2 · 3 + 7.
  const Ran writer = lanescope({"open", saved, "--launch", "2", "--writer", "y[3]"});
  EXPECT_THAT(writer.out, HasSubstr("Thread 3 of block 0 wrote `y[3]` last, in line 8."));
  EXPECT_THAT(writer.out, HasSubstr("13"));
  const std::string trace = (folder / "second.trace").string();
  const Ran kept = lanescope({"open", saved, "--launch", "2", "--save", trace});
  EXPECT_EQ(kept.code, 0) << kept.err;
  EXPECT_EQ(lanescope({"show", trace, "--json"}).json().at("totals"),
            lanescope({"open", saved, "--launch", "2", "--json"}).json().at("totals"));
}

// The file asks for it each time one of its launches is opened; `open` may ask for something else.
TEST(Exec, SavesHowManyEventsToKeepOfALaunch) {
  NEEDS_NVCC();
  const test::TempFolder folder;
  const std::string saved = (folder / "run.lanescope").string();
  const auto dropped = [&](std::vector<std::string> more) {
    std::vector<std::string> command = {"open", saved, "--launch", "1", "--json"};
    command.insert(command.end(), more.begin(), more.end());
    return lanescope(command).json().at("events").at("dropped").get<int>();
  };
  exec({"--save", saved, "--event-budget", "1", "saxpy.cu", "--", "100000"});
  EXPECT_GT(dropped({}), 0);
  EXPECT_EQ(dropped({"--event-budget", "256"}), 0);
  EXPECT_GT(dropped({"--event-budget", "1", "--blocks", "0-300"}), 0);
  std::filesystem::remove(saved);
  exec({"--save", saved, "saxpy.cu", "--", "100000"});
  EXPECT_EQ(dropped({}), 0);
  EXPECT_EQ(lanescope({"exec", "--event-budget", "1", "saxpy.cu"}).code, 2) << "there are no events without --save";
}

// `exec --json ./a.out ./b.out` took the first program for the file to write.
TEST(Exec, WritesJsonOverAnEarlierReportAndNothingElse) {
  NEEDS_NVCC();
  const test::TempFolder folder;
  const std::string report = (folder / "report.json").string(), other = (folder / "program").string();
  std::ofstream(other) << "mine";
  const Ran refused = lanescope({"exec", "--json", other, "saxpy.cu"}, in_programs());
  EXPECT_NE(refused.code, 0);
  EXPECT_THAT(refused.err, HasSubstr("The file to write JSON into exists, and is not JSON."));
  EXPECT_EQ(std::filesystem::file_size(other), 4u);
  for (int time = 0; time < 2; ++time) {
    const Ran written = lanescope({"exec", "--json", report, "saxpy.cu"}, in_programs());
    EXPECT_EQ(written.code, 7) << written.err;  // the program's own
    EXPECT_TRUE(nlohmann::json::parse(std::ifstream(report)).contains("exit_code"));
  }
}

TEST(Exec, SavesOverAnEarlierRunAndNothingElse) {
  NEEDS_NVCC();
  const test::TempFolder folder;
  const std::string saved = (folder / "run.lanescope").string(), other = (folder / "notes.txt").string();
  std::ofstream(other) << "mine";
  const Ran refused = lanescope({"exec", "--save", other, "saxpy.cu"}, in_programs());
  EXPECT_NE(refused.code, 0);
  EXPECT_THAT(refused.err, HasSubstr("The file to save launches in exists, and is not a saved run."));
  exec({"--save", saved, "saxpy.cu"});
  exec({"--save", saved, "--launches", "2", "saxpy.cu"});
  const nlohmann::json list = lanescope({"open", saved, "--json"}).json();
  ASSERT_EQ(list.at("launches").size(), 1u);
  EXPECT_EQ(list.at("launches")[0].at("number"), 2);
  const Ran none = lanescope({"open", saved, "--launch", "1"});
  EXPECT_NE(none.code, 0);
  EXPECT_THAT(none.err, HasSubstr("The saved run has no launch 1."));
  exec({"--save", saved, "--kernels", "^other$", "saxpy.cu"});
  EXPECT_FALSE(std::filesystem::exists(saved)) << "nothing was launched that is saved";
}

// The launches before the kill are kept, and the kill is not reported as a launch's error.
TEST(Exec, AProgramThatIsKilledLeavesItsSavedLaunches) {
  NEEDS_NVCC();
  const test::TempFolder folder;
  const std::string saved = (folder / "run.lanescope").string();
  EXPECT_EQ(exec({"--save", saved, "killed.cu"}).code, 128 + SIGSEGV);
  EXPECT_EQ(lanescope({"open", saved, "--json"}).json().at("launches")[0].at("kernel"), "nothing");
}

// The options that PyCUDA's SourceModule passes. A program that asks for PTX or for the version gets it.
TEST(Exec, AProgramsOwnNvccMakesPtxWhereItAsksForMachineCode) {
  NEEDS_NVCC();
  const test::TempFolder folder;
  std::ofstream(folder / "kernel.cu") << "__global__ void mine(int* to) { *to = 1; }";
  const std::string script = "cd " + folder.path().string() +
                             " && nvcc --cubin -arch=sm_90 kernel.cu && grep -c 'entry _Z4minePi' kernel.cubin && "
                             "nvcc -cubin -arch=sm_90 -o other kernel.cu && grep -c 'entry _Z4minePi' other && "
                             "nvcc --version | tail -n 1";
  const Told told = exec({"/bin/sh", "-c", script});
  EXPECT_EQ(told.out, "1\n1\nPTX in place of machine code: lanescope exec\n") << told.err;
}

TEST(Exec, ConditionalNodesRunWhatKernelsChoose) {
  NEEDS_NVCC();
  const Told told = exec({"conditions.cu"});
  EXPECT_EQ(told.code, 0) << told.err;
  EXPECT_EQ(told.out,
            "1: 0 steps, right\n2: 1 steps, right\n7: 16 steps, right\n27: 111 steps, right\n"
            "10 11 12 0 12 12 12 12 \n");
  EXPECT_TRUE(told.report.at("diagnostics").empty()) << told.report.at("diagnostics");
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
  // 1,000 elements lie in 125 sectors; 32 warps load x and y and store, twice.
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

// The program checks its product itself. Each block of four warps stores 64 × 64 floats, two per lane. Tiles come by
// tensor map, which makes no request.
TEST(Exec, MultipliesByWgmmaWhatTensorMapsBring) {
  NEEDS_NVCC();
  const test::TempFolder folder;
  const std::string saved = (folder / "run.lanescope").string();
  const Told told = exec({"--races", "--save", saved, "wgmma_tma.cu"});
  EXPECT_EQ(told.code, 0) << told.err;
  EXPECT_EQ(told.out, "128 x 192 x 256: 0 wrong\n");
  const nlohmann::json& numbers = told.report.at("kernels")[0].at("numbers");
  EXPECT_EQ(numbers.at("global_load.requests"), 0);
  EXPECT_EQ(numbers.at("global_store.requests"), 6 * 4 * 16);
  EXPECT_EQ(numbers.at("global_store.sectors"), 128 * 192 * 4 / 32);
  EXPECT_EQ(told.report["kernels"][0].at("races"), 0);
  const Ran again = lanescope({"open", saved, "--launch", "1", "--json"});
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(number_of(again.json(), "global_store.requests"), 6 * 4 * 16);
}

// The program checks its three results itself.
TEST(Exec, CopiesByTensorMapsOfAllKinds) {
  NEEDS_NVCC();
  const Told told = exec({"--races", "tensor_copies.cu"});
  EXPECT_EQ(told.code, 0) << told.out << told.err;
  EXPECT_EQ(told.out, "stencil: 0 wrong\nsums: 0 wrong\nconvolution: 0 wrong\n");
  for (const nlohmann::json& kernel : told.report.at("kernels"))
    EXPECT_EQ(kernel.at("races"), 0) << kernel.at("kernel");
}

#ifdef LANESCOPE_EXEC_FOLDER
// Otherwise `verify` would compare the interpreter with itself.
TEST(Exec, TheImitatedDeviceIsNoGpu) {
  const Ran ran =
      lanescope({"verify", "coalescing"}, {.environment = std::string("LD_LIBRARY_PATH=") + LANESCOPE_EXEC_FOLDER});
  EXPECT_NE(ran.code, 0);
  EXPECT_THAT(ran.err, HasSubstr("The CUDA driver here is the interpreter, as programs see it: it is no GPU."));
  EXPECT_EQ(ran.out, "");
}
#endif

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
  EXPECT_EQ(told.code, 1);
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

TEST(Exec, AMacroIsDefinedForTheWholeProgram) {
  NEEDS_NVCC();
  const test::TempFolder folder;
  const std::string file = (folder / "defined.cu").string();
  test::write_file(file,
                   "#include <cstdio>\n__global__ void k() { printf(\"%d\", VALUE); }\n"
                   "int main() { k<<<1, THREADS>>>(); cudaDeviceSynchronize(); std::printf(\" %d\", VALUE); }\n");
  EXPECT_EQ(exec({"-D", "VALUE=7", "-DTHREADS=2", file}).out, "77 7");
}

// What follows the file is the program's, so `exec FILE --races` looks for no race.
TEST(Exec, AnOptionBehindTheFileIsTold) {
  NEEDS_NVCC();
  const test::TempFolder folder;
  const std::string file = (folder / "says.cu").string();
  test::write_file(file,
                   "#include <cstdio>\nint main(int n, char** words) {\n"
                   "  for (int i = 1; i < n; ++i) std::printf(\"%s;\", words[i]);\n}\n");
  const Told behind = exec({file, "--races", "-I..", "--verbose", "5"});
  EXPECT_EQ(behind.out, "--races;-I..;--verbose;5;");
  EXPECT_THAT(behind.err,
              testing::AllOf(HasSubstr("`--races -I..` stands behind"), HasSubstr("Put it before the file")));
  const Told meant = exec({file, "--", "--races"});
  EXPECT_EQ(meant.out, "--races;");
  EXPECT_THAT(meant.err, Not(HasSubstr("stands behind")));
}

// The files hold what an H200 printed, with driver 580.159.04.
TEST(Exec, CopiesGraphsAndCallsWithoutAContextAnswerAsAnH200) {
  NEEDS_NVCC();
  for (const std::string program : {"copy_directions", "graph_structure", "without_context", "advice_and_old_launches",
                                    "child_graphs", "libraries", "stream_values", "shared_memory", "mipmaps", "limits"})
    EXPECT_EQ(exec({"--nvcc=-lcuda", program + ".cu"}).out,
              test::read_file(LANESCOPE_SOURCE_DIR "/tests/exec/" + program + ".out"));
}

// The file holds what an H200 printed, with driver 580.159.04, without the lines for what `exec` refuses.
TEST(Exec, CubeMapsAnswerAsAnH200AlsoAtTheEdges) {
  NEEDS_NVCC();
  std::string printed;
  const std::string out = exec({"cube_maps.cu", "--", "edges"}).out;
  for (const std::string_view line : split(out, '\n')) {
    if (line.starts_with("seamless") || line.starts_with("not normalized") || line.empty()) continue;
    printed.append(line).append("\n");
    if (line == "ok") break;
  }
  EXPECT_EQ(printed, test::read_file(LANESCOPE_SOURCE_DIR "/tests/exec/cube_maps.out"));
}

// The files hold what an H100 (the first two) and an H200 printed, with driver 580.159.04.
TEST(Exec, InterleavedTensorMapsAndProductsAnswerAsAGpu) {
  NEEDS_NVCC();
  for (const std::string program :
       {"interleaved_maps", "sparse_products", "sparse_warpgroup_products", "warpgroup_together"})
    EXPECT_EQ(exec({"--nvcc=-lcuda", program + ".cu"}).out,
              test::read_file(LANESCOPE_SOURCE_DIR "/tests/exec/" + program + ".out"))
        << program;
}

TEST(Exec, VariablesThatNoKernelUsesHaveTheirInitialValues) {
  NEEDS_NVCC();
  EXPECT_EQ(exec({"unused_variables.cu"}).out, "1 2\n3 4\n5 6\n0 7\n1\n");
}

// 1e-30f * 1e-10f and 1.0 / 3 as IEEE 754 rounds them to nearest, computed by gcc.
TEST(Exec, TheHostsFloatEnvironmentDoesNotReachTheKernels) {
  NEEDS_NVCC();
  EXPECT_EQ(exec({"float_environment.cu"}).out, "inf inf 0x1.16c2p-133 0x1p+0 1 0x1.5555555555555p-2 same\n");
}

TEST(Exec, RacesOfASmallLaunchAreToldUnasked) {
  NEEDS_NVCC();
  const Told told = exec({"racy.cu"});
  EXPECT_THAT(told.err, HasSubstr("racy.cu:6"));
  EXPECT_THAT(told.err, HasSubstr("Data race in global memory"));
  EXPECT_THAT(told.err, Not(HasSubstr("--races")));
  EXPECT_GT(told.report["kernels"][0].at("races"), 0);
  EXPECT_EQ(told.report["kernels"][0].at("launches_checked_for_races"), 1);
}

// Element 64 is the first that was not written: of thread 0 in block 1, then of thread 48 of block 0.
TEST(Exec, ALineThatReadsWhatWasNeverWrittenIsToldOnce) {
  NEEDS_NVCC();
  const Told told = exec({"unwritten.cu"});
  EXPECT_EQ(told.code, 0);
  EXPECT_THAT(told.err, HasSubstr("unwritten.cu:7:"));
  EXPECT_THAT(told.err, HasSubstr("thread (0, 0, 0) of block (1, 0, 0)"));
  EXPECT_THAT(told.err,
              HasSubstr("256 bytes into cudaMalloc of 2048 bytes (allocation 1) (the first of 3 at this line)"));
  EXPECT_THAT(told.err, Not(HasSubstr("thread (48, 0, 0) of block (0, 0, 0)")));
}

// 257 blocks of 64 threads are not small: unasked, the first two are checked.
TEST(Exec, RacesInTheFirstBlocksOfALargeLaunchAreToldUnasked) {
  NEEDS_NVCC();
  const Told told = exec({"racy.cu", "--", "257"});
  EXPECT_THAT(told.err, HasSubstr("Data race in global memory"));
  EXPECT_THAT(told.err, HasSubstr("launch a second kernel between the two")) << "this launch cannot use grid.sync()";
  EXPECT_THAT(told.err, HasSubstr("no launch of 1 of 1 kernels was checked to its end"));
}

TEST(Exec, RacesInLaterBlocksOfALargeLaunchAreToldWhenAskedFor) {
  NEEDS_NVCC();
  const Told unasked = exec({"racy.cu", "--", "257", "2"});
  EXPECT_THAT(unasked.err, Not(HasSubstr("Data race")));
  EXPECT_THAT(unasked.err, HasSubstr("no launch of 1 of 1 kernels was checked to its end"));
  EXPECT_THAT(unasked.err, HasSubstr("Add --races"));
  EXPECT_EQ(unasked.report["kernels"][0].at("launches_checked_for_races"), 0);
  const Told asked = exec({"--races", "racy.cu", "--", "257", "2"});
  EXPECT_THAT(asked.err, HasSubstr("Data race in global memory"));
  EXPECT_THAT(asked.err, Not(HasSubstr("Add --races")));
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
  EXPECT_THAT(no_nvcc.err, HasSubstr(test::installed() ? "nvidia-cuda-nvcc==" : "third_party/fetch nvcc"));
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

TEST(Exec, AMarkMayStandAheadOfTheProgram) {
  for (const std::vector<std::string>& options : {std::vector<std::string>{}, {"--threads", "1", "-I", "."}})
    EXPECT_EQ(lanescope(test::with(test::with({"exec"}, options), {"--", "echo", "--json", "--"}), in_programs()).out,
              "--json --\n");
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
                          {{"exec", "--"}, 2, "A program is missing."},
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
