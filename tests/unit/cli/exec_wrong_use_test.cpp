// Programs that misuse CUDA or end early. Each gets the API's own error, a diagnostic where the learner erred, an end,
// and a saved run that is readable up to that point.

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <thread>

#include "cli/built_program.h"
#include "cli/program.h"
#include "core/text.h"

namespace lanescope {
namespace {

using test::lanescope;
using test::Ran;
using testing::HasSubstr;
using testing::Not;

class ExecWrongUse : public test::WithProgram {
 protected:
  static void SetUpTestSuite() { build("wrong_use.cu"); }

  struct Seen : Ran {
    nlohmann::json report;
    double seconds = 0;
    std::string said() const {  // the codes
      std::string all;
      for (const nlohmann::json& one : report.at("diagnostics")) all += one.at("code").get<std::string>() + " ";
      return all;
    }
  };
  Seen use(const std::string& kind, std::vector<std::string> options = {}) {
    const test::TempFolder folder;
    const std::string file = (folder / "report.json").string();
    options.insert(options.begin(), {"exec", "--json", file});
    options.insert(options.end(), {program_->path, kind});
    const auto start = std::chrono::steady_clock::now();
    // A program's SIGSEGV ends it, under the address sanitizer too.
    Seen seen{lanescope(options, {.environment = "ASAN_OPTIONS=handle_segv=0"}), {}, 0};
    seen.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    std::ifstream(file) >> seen.report;
    return seen;
  }
};

TEST_F(ExecWrongUse, BeforeCuInitTheDriverIsNotInitialised) {
  const Seen seen = use("before_init");
  EXPECT_EQ(seen.out, "3\n3\n");
  EXPECT_EQ(seen.said(), "device.not_initialised ") << "told once";
}

TEST_F(ExecWrongUse, ThreadsWithStreamsOfTheirOwnGetWhatTheyAskedFor) {
  const Seen seen = use("threads");
  EXPECT_EQ(seen.out, "10 10 10 10\n");
  EXPECT_EQ(seen.report.at("kernels")[0].at("launches"), 40);
}

// Its files stay empty, and the table and the saved run have the launch after it too.
TEST_F(ExecWrongUse, AProgramThatClosesAllDescriptorsKeepsItsFilesToItself) {
  const test::TempFolder folder;
  const std::string saved = (folder / "run.lanescope").string();
  const Seen seen = use("closes_descriptors", {"--save", saved});
  EXPECT_EQ(seen.out, "cudaSuccess\n0\n0\n0\n");
  EXPECT_EQ(seen.report.at("kernels")[0].at("launches"), 2);
  EXPECT_EQ(lanescope({"open", saved, "--json"}).json().at("launches").size(), 2u);
}

TEST_F(ExecWrongUse, AChildThatIsForkedBeforeTheFirstCallIsAProgramLikeAnyOther) {
  const Seen seen = use("fork_first");
  EXPECT_EQ(seen.out, "cudaSuccess\ncudaSuccess\ncudaSuccess\n");
  EXPECT_EQ(seen.report.at("kernels")[0].at("launches"), 3);
}

TEST_F(ExecWrongUse, AForkedChildIsRefusedAndItsParentGoesOn) {
  const Seen seen = use("fork");
  EXPECT_EQ(seen.out, "cudaErrorInitializationError\ncudaErrorInitializationError\ncudaSuccess\n");
  EXPECT_EQ(seen.report.at("kernels")[0].at("launches"), 1);
  EXPECT_THAT(seen.said(), HasSubstr("device.forked_child "));
  EXPECT_EQ(seen.report.at("diagnostics")[0].at("severity"), "warning") << "its parent may be right";
  EXPECT_EQ(seen.report.at("diagnostics").size(), 2u) << "told once; the other is device.not_freed";
}

// A child inherits locks as they are; the one of the report's file is free.
TEST_F(ExecWrongUse, ChildrenThatAreForkedBesideAThreadDoNotHang) {
  const Seen seen = use("fork_beside_copies");
  EXPECT_EQ(seen.out, "100\n");
}

TEST_F(ExecWrongUse, WhatIsNoCodeIsNamed) {
  const Seen seen = use("loads_text");
  EXPECT_EQ(seen.out, "cudaErrorInvalidKernelImage\n");
  EXPECT_THAT(seen.said(), HasSubstr("program.image_unknown "));
}

TEST_F(ExecWrongUse, MemoryIsFreedOnce) {
  const Seen seen = use("double_free");
  EXPECT_EQ(seen.out, "cudaSuccess\ncudaErrorInvalidValue\n");
  EXPECT_EQ(seen.said(), "device.bad_free ");
  EXPECT_THAT(seen.err, HasSubstr("cudaMalloc of 256 bytes (allocation 1), which was given back already"));
}

// On a GPU the kernel ends as soon as the host has written the word.
TEST_F(ExecWrongUse, AKernelThatWaitsForTheHostIsToldWhatItWaitsFor) {
  const Seen seen = use("waits_for_host");
  EXPECT_EQ(seen.out, "cudaErrorLaunchTimeout\n");
  EXPECT_THAT(seen.said(), HasSubstr("run.deadlock"));
  EXPECT_THAT(seen.err, HasSubstr("wrong_use.cu:26:3: error: kernel wait_for_host"));
  EXPECT_THAT(seen.err, HasSubstr("waits here for a value in cudaHostAlloc of 4 bytes (allocation 2) that no running"));
  EXPECT_THAT(seen.err, HasSubstr("let it do so before the launch: here a launch ends before the host goes on"));
}

TEST_F(ExecWrongUse, WhatIsNotFreedIsANoteAtTheEnd) {
  const Seen seen = use("leak");
  EXPECT_EQ(seen.code, 0);
  EXPECT_EQ(seen.said(), "device.not_freed ");
  EXPECT_THAT(seen.err, HasSubstr("note: not freed: 2 allocations, 1280 bytes in all, the first of them cudaMalloc of "
                                  "256 bytes (allocation 1)"));
  EXPECT_THAT(seen.err, HasSubstr("Call cudaFree after"));
  EXPECT_THAT(use("driver_leak").err, HasSubstr("Call cuMemFreeHost after"));
  EXPECT_THAT(use("no_leak").said(), Not(HasSubstr("device.not_freed"))) << "cudaDeviceReset frees all";
}

TEST_F(ExecWrongUse, AKernelGetsAPointerOfTheHost) {
  const Seen seen = use("host_pointer");
  EXPECT_EQ(seen.out, "cudaErrorIllegalAddress\n");
  EXPECT_THAT(seen.err, HasSubstr("wrong_use.cu:15"));
  EXPECT_THAT(seen.err, HasSubstr("it may be a pointer of the host"));
  EXPECT_THAT(seen.err, HasSubstr("cure: Check where the pointer comes from"));
}

TEST_F(ExecWrongUse, ALaunchNeedsAllArguments) {
  const Seen seen = use("argument_missing");
  EXPECT_EQ(seen.out, "cudaErrorInvalidValue\n");
  EXPECT_THAT(seen.said(), HasSubstr("device.argument_missing "));
  EXPECT_THAT(seen.err, HasSubstr("kernel fill was not launched: it takes 2 arguments, numbered from 0, and the launch "
                                  "has none for argument 1"));
}

// Standard error is a file here. The system ends the program by its time.
TEST_F(ExecWrongUse, AnEndlessLaunchIsNotSilentWithoutATerminalEither) {
  const Ran ran = lanescope({"exec", program_->path, "endless"}, {.before = "ulimit -t 12"});
  EXPECT_THAT(ran.err, HasSubstr("lanescope: wait_long<<<1, 32>>> (wrong_use.cu:"));
  EXPECT_THAT(ran.err, HasSubstr("s, 0 of 1 blocks are done. To end the program: Ctrl+C or `kill "));
}

TEST_F(ExecWrongUse, TheHostReadsMemoryOfTheDevice) {
  const Seen seen = use("device_pointer");
  EXPECT_EQ(seen.code, 128 + SIGSEGV);
  EXPECT_EQ(seen.said(), "device.touched_by_host program.ended_by_signal ");
  EXPECT_THAT(seen.err, HasSubstr("byte 12 of cudaMalloc of 256 bytes (allocation 1), which is memory of the device"));
  EXPECT_EQ(seen.report.at("kernels")[0].at("launches"), 1) << "the table up to there";
}

TEST_F(ExecWrongUse, CopiesThatDoNotFitAreRefused) {
  const Seen too_long = use("copy_too_long");
  EXPECT_EQ(too_long.out, "cudaErrorInvalidValue\n");
  EXPECT_THAT(too_long.err, HasSubstr("go 144 bytes past its end"));
  EXPECT_THAT(use("copy_behind").err,
              HasSubstr("is not an address of the device's memory: it lies 768 bytes past the end "
                        "of cudaMalloc of 256 bytes (allocation 1)"));
  const Seen direction = use("wrong_direction");
  EXPECT_EQ(direction.out, "cudaErrorInvalidValue\n");
  EXPECT_THAT(direction.said(), HasSubstr("device.host_pointer"));
}

TEST_F(ExecWrongUse, CopiesThatDoNotFitIntoAnArrayAreRefused) {
  const Seen seen = use("copy_past_array");
  EXPECT_EQ(seen.out, "cudaErrorInvalidValue\ncudaErrorInvalidValue\ncudaErrorInvalidValue\n");
  EXPECT_THAT(seen.said(), HasSubstr("device.copy_too_long device.copy_too_long device.copy_too_long "));
  EXPECT_THAT(seen.err, HasSubstr("cudaMemcpy2DToArray: 36 bytes × 8 rows × 1 slices from byte 0, row 0, slice 0 on do "
                                  "not fit into cudaMallocArray"));
  EXPECT_THAT(seen.err, HasSubstr("which has 32 bytes × 8 rows × 1 slices"));
}

TEST_F(ExecWrongUse, TheHostsAddressOfAVariableOfTheDeviceIsNamed) {
  const Seen seen = use("variable_as_pointer");
  EXPECT_EQ(seen.out, "cudaErrorInvalidValue\ncudaErrorIllegalAddress\n");
  EXPECT_THAT(seen.err, HasSubstr("is the host's address of counts, which is a variable of the device"));
  EXPECT_THAT(seen.err, HasSubstr("is out of bounds: it is the host's address of counts, a variable of the device"));
  EXPECT_THAT(use("host_pointer").err, Not(HasSubstr("counts")));
}

// As on an H200: the addresses are unified, so the side that the call names is not asked for.
TEST_F(ExecWrongUse, MemoryOfTheDeviceThatIsCalledTheHostsIsCopied) {
  const Seen seen = use("symbol_from_device");
  EXPECT_EQ(seen.out, "cudaErrorInvalidMemcpyDirection\ncudaSuccess\n7 7 7 7\n");
  EXPECT_THAT(seen.said(), HasSubstr("device.device_pointer "));
  EXPECT_EQ(seen.report.at("diagnostics")[0].at("severity"), "warning");
}

// Ten billion steps would be left.
TEST_F(ExecWrongUse, AnEndInTheMiddleOfALaunchIsAnEnd) {
  for (const auto& [kind, code] : {std::pair("exit_in_a_launch", 3), std::pair("killed_in_a_launch", 128 + SIGKILL)}) {
    const test::TempFolder folder;
    const std::string saved = (folder / "run.lanescope").string();
    const Seen seen = use(kind, {"--save", saved});
    EXPECT_EQ(seen.code, code) << kind << seen.err;
    EXPECT_LT(seen.seconds, 60) << kind;
    const bool cut_off = code == 3;
    EXPECT_THAT(cut_off ? seen.said() : seen.err,
                HasSubstr(cut_off ? "device.cut_off " : "A user ended it, or the system"))
        << seen.err;
    const nlohmann::json launches = lanescope({"open", saved, "--json"}).json().at("launches");
    ASSERT_EQ(launches.size(), 2u) << kind;
    EXPECT_EQ(launches[1].at("kernel"), "wait_long");
    const Ran shown = lanescope({"open", saved, "--launch", "1", "--json"});
    EXPECT_EQ(shown.code, 0) << shown.err;
  }
}

// The signal arrives while nvcc runs: nothing runs after it, and no folder is left behind.
TEST_F(ExecWrongUse, TerminatedWhileItsProgramIsBuilt) {
  const test::TempFolder scratch, folder;
  const std::string command = "cd " LANESCOPE_SOURCE_DIR "/tests/exec && TMPDIR=" + scratch.path().string() +
                              " timeout --foreground --preserve-status -s TERM 1 " + test::quoted(LANESCOPE_BINARY) +
                              " exec saxpy.cu > " + test::quoted((folder / "out").string()) + " 2>&1 < /dev/null";
  const auto start = std::chrono::steady_clock::now();
  const int status = std::system(command.c_str());
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 128 + SIGTERM) << test::read_file(folder / "out");
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(60));
  EXPECT_THAT(test::read_file(folder / "out"), Not(HasSubstr("right")));
  EXPECT_THAT(test::read_file(folder / "out"),
              HasSubstr("Signal 15 (Terminated) came while nvcc built the program, so the program was not started."));
  EXPECT_TRUE(std::filesystem::is_empty(scratch.path()));
}

// True if one of the process's arguments is the word. /proc also has entries that are not processes, and processes may
// end meanwhile.
bool a_process_has(const std::string& word) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", ignored)) {
    std::ifstream file(entry.path() / "cmdline", std::ios::binary);
    const std::string command{std::istreambuf_iterator<char>(file), {}};
    if (contains(command, word)) return true;
  }
  return false;
}

// The host compiler would wait forever: nobody writes into the pipe.
TEST_F(ExecWrongUse, TerminatedWhileNvccWaitsForAChild) {
  const test::TempFolder scratch, folder;
  const std::string pipe = (folder / "pipe.h").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const std::string command = "cd " LANESCOPE_SOURCE_DIR "/tests/exec && TMPDIR=" + scratch.path().string() +
                              " timeout --foreground --preserve-status -s TERM -k 100 3 " +
                              test::quoted(LANESCOPE_BINARY) + " exec --nvcc=-Xcompiler=-include," + pipe +
                              " saxpy.cu > " + test::quoted((folder / "out").string()) + " 2>&1 < /dev/null";
  const int status = std::system(command.c_str());
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 128 + SIGTERM) << test::read_file(folder / "out");
  // A process that is killed is there for a moment more.
  for (int tries = 0; tries < 1000 && a_process_has(pipe); ++tries)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_FALSE(a_process_has(pipe)) << "its compiler goes with it";
  EXPECT_THAT(test::read_file(folder / "out"), HasSubstr("Signal 15 (Terminated) came while nvcc built the program"));
  EXPECT_TRUE(std::filesystem::is_empty(scratch.path()));
}

}  // namespace
}  // namespace lanescope
