// The compiler's processes: a crash is a Diagnostic, the next compilation starts another process, and nothing is left
// behind.

#include "compile/worker.h"

#include <gmock/gmock.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "cli/program.h"
#include "compile/compiler_process.h"
#include "compile/fixture.h"
#include "compile/toolchain.h"
#include "golden.h"
#include "test_paths.h"

namespace lanescope::compile {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// The compiler processes that `parent` started.
std::vector<pid_t> workers_of(pid_t parent) {
  std::vector<pid_t> found;
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename().string();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::ifstream stat(entry.path() / "stat"), command(entry.path() / "cmdline");
    std::string id, words;
    char state = 0;
    pid_t its_parent = 0;
    if (!(stat >> id >> words >> state >> its_parent) || its_parent != parent || state == 'Z') continue;
    std::ostringstream text;
    text << command.rdbuf();  // where an iterator would throw, if the process has ended since its file was opened
    if (text.str().find("compile-worker") != std::string::npos) found.push_back(std::stoi(name));
  }
  return found;
}

bool gone(pid_t process) {
  return ::kill(process, 0) != 0;
}

std::size_t open_descriptors() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator("/proc/self/fd")) ++count;
  return count;
}

std::string code_of(const Result<Ptx>& ptx) {
  return ptx ? "" : ptx.errors().front().code;
}

Result<Ptx> compiled_by_worker(const std::string& text, Options options = {}) {
  return compile({"k.cu", text, {}}, options);
}

// Each call compiles another text, so nothing comes from the cache.
std::string another_kernel() {
  static std::atomic<int> number{0};
  return "__global__ void k(int* a) { a[0] = " + std::to_string(++number) + " + 1000 * " + std::to_string(::getpid()) +
         "; }";
}

// Minutes of work for NVRTC.
std::string endless() {
  std::string text;
  for (char c = 'A'; c < 'P'; ++c)
    text += std::string("#define ") + c + " " + std::string(1, char(c + 1)) + " " + char(c + 1) + " " + char(c + 1) +
            " " + char(c + 1) + "\n";
  return text + "#define P +1\n// " + another_kernel() + "\n__global__ void k(int* o) { o[0] = 0 A; }";
}

template <typename Until>
bool within_seconds(double seconds, Until&& until) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
  while (std::chrono::steady_clock::now() < end) {
    if (until()) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

class CompileWorker : public testing::Test {
 protected:
  void SetUp() override { NEEDS_NVRTC(); }
};

TEST_F(CompileWorker, ATypeThatIsNotDeclaredInATemplateIsAnErrorAndNoCrash) {
  Options options;
  options.name_expressions = {"k<64>"};
  for (int twice = 0; twice < 2; ++twice) {
    const auto half = compiled_by_worker("template<int N> __global__ void k(half* y){y[0]=y[N];}", options);
    ASSERT_FALSE(half.ok());
    EXPECT_EQ(half.errors().front().code, "compile.error");
    EXPECT_EQ(half.errors().front().place.line, 1);
    EXPECT_THAT(half.errors().front().message, HasSubstr("half"));
    EXPECT_THAT(half.errors().front().cure, HasSubstr("cuda_fp16.h"));
    const auto misspelt = compiled_by_worker("template<int N> __global__ void k(flaot* y){y[0]=y[N];}", options);
    ASSERT_FALSE(misspelt.ok());
    EXPECT_THAT(misspelt.errors().front().message, HasSubstr("flaot"));
    EXPECT_TRUE(compiled_by_worker(another_kernel()).ok()) << "the next compilation has a compiler";
  }
}

TEST_F(CompileWorker, ATemplateHasTheTypesThatNvccDeclaresUnasked) {
  Options options;
  options.name_expressions = {"k<64>"};
  const auto ptx = compiled_by_worker("template<int N> __global__ void k(int8_t* y) { y[0] = y[N]; }", options);
  ASSERT_TRUE(ptx.ok()) << ptx.errors().front().message;
}

TEST_F(CompileWorker, KilledInMidCompilationIsADiagnosticAndTheNextOneRuns) {
  for (int twice = 0; twice < 2; ++twice) {
    ASSERT_TRUE(compiled_by_worker(another_kernel()).ok());
    std::thread killer([] {
      std::this_thread::sleep_for(std::chrono::milliseconds(150));
      for (const pid_t worker : workers_of(::getpid())) ::kill(worker, SIGKILL);
    });
    const auto ptx = compiled_by_worker(endless());
    killer.join();
    ASSERT_EQ(code_of(ptx), "compile.crashed");
    EXPECT_THAT(ptx.errors().front().message, HasSubstr("SIGKILL"));
    EXPECT_EQ(ptx.errors().front().place.file, "k.cu");
    EXPECT_TRUE(compiled_by_worker(another_kernel()).ok());
  }
}

TEST_F(CompileWorker, AnIdleOneThatEndedIsReplaced) {
  ASSERT_TRUE(compiled_by_worker(another_kernel()).ok());
  for (const pid_t worker : workers_of(::getpid())) ::kill(worker, SIGKILL);
  ASSERT_TRUE(within_seconds(5, [] { return workers_of(::getpid()).empty(); }));
  const auto again = compiled_by_worker(another_kernel());
  EXPECT_TRUE(again.ok()) << code_of(again) << ": " << again.errors().front().message;
}

TEST_F(CompileWorker, StopEndsTheProcessThatCompiles) {
  std::atomic<bool> cancel{false};
  Options options;
  options.cancel = &cancel;
  std::thread stopper([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    cancel = true;
  });
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(code_of(compiled_by_worker(endless(), options)), "compile.cancelled");
  stopper.join();
  EXPECT_LT(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count(), 2.0);
  const auto busy = [] {  // the processes that are left use no processor time
    double used = 0;
    for (const pid_t worker : workers_of(::getpid())) {
      std::ifstream stat("/proc/" + std::to_string(worker) + "/stat");
      std::string word;
      for (int field = 1; field <= 14 && stat >> word; ++field)
        if (field == 14) used += std::stod(word);
    }
    return used;
  };
  const double before = busy();
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  EXPECT_EQ(busy(), before);
}

TEST_F(CompileWorker, MemoryIsBounded) {
  const ScopedVariable little("LANESCOPE_COMPILER_GIB", "0.4");
  const auto ptx = compiled_by_worker(endless());
  ASSERT_EQ(code_of(ptx), "compile.too_much_memory");
  EXPECT_THAT(ptx.errors().front().message, HasSubstr("409 MiB"));
  EXPECT_THAT(ptx.errors().front().cure, HasSubstr("LANESCOPE_COMPILER_GIB"));
  EXPECT_TRUE(compiled_by_worker(another_kernel()).ok());
}

TEST_F(CompileWorker, ManyThreadsCompileAtOnceAndNoDescriptorStays) {
  ASSERT_TRUE(compiled_by_worker(another_kernel()).ok());
  const auto all_at_once = [] {
    std::vector<std::thread> threads;
    std::atomic<int> failed{0};
    for (int i = 0; i < 4; ++i)
      threads.emplace_back([&failed] {
        for (int j = 0; j < 3; ++j) failed += compiled_by_worker(another_kernel()).ok() ? 0 : 1;
      });
    for (std::thread& thread : threads) thread.join();
    return failed.load();
  };
  EXPECT_EQ(all_at_once(), 0);
  const std::size_t before = open_descriptors();
  EXPECT_EQ(all_at_once(), 0);
  EXPECT_LE(open_descriptors(), before + 2) << "of one more worker that is kept";
}

TEST_F(CompileWorker, OneThatCannotBeStartedSaysSo) {
  for (const std::vector<std::string>& command : {std::vector<std::string>{"/nowhere/lanescope"}, {}}) {
    set_worker_command(command);
    const auto ptx = compiled_by_worker(another_kernel());
    set_worker_command({LANESCOPE_BINARY, "compile-worker"});
    ASSERT_EQ(code_of(ptx), "toolchain.no_worker");
    EXPECT_THAT(ptx.errors().front().message, HasSubstr("No such file"));
  }
  EXPECT_TRUE(compiled_by_worker(another_kernel()).ok());
}

TEST_F(CompileWorker, GoesWhenItsParentIsKilled) {
  const test::TempFolder folder;
  test::write_file(folder / "k.cu", endless());
  const pid_t program = ::fork();
  if (program == 0) {
    ::execl(LANESCOPE_BINARY, LANESCOPE_BINARY, "parse", (folder / "k.cu").c_str(), nullptr);
    ::_exit(1);
  }
  std::vector<pid_t> started;
  EXPECT_TRUE(within_seconds(20, [&] { return !(started = workers_of(program)).empty(); }));
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  ::kill(program, SIGKILL);
  ::waitpid(program, nullptr, 0);
  for (const pid_t worker : started) EXPECT_TRUE(within_seconds(5, [&] { return gone(worker); }));
}

// A folder in which NVRTC's file name belongs to something else.
TEST_F(CompileWorker, ABrokenLibraryIsNamedByDoctorToo) {
  const fs::path real = find_toolchain()->nvrtc_path;
  const test::TempFolder folder;
  const fs::path library = folder / "lib/libnvrtc.so.13";
  const auto told = [&](const char* what) {
    const auto located = locate_toolchain({{folder.path().string()}, false});
    EXPECT_FALSE(located.ok());
    if (located.ok()) return;
    EXPECT_EQ(located.errors().front().code, "toolchain.no_nvrtc");
    EXPECT_THAT(located.errors().front().message, HasSubstr(what));
    const test::Ran ran =
        test::lanescope({"doctor"}, {"LANESCOPE_CUDA=" + test::quoted(folder.path().string()), "", "", ""});
    EXPECT_LT(ran.code, 128) << ran.err;
    EXPECT_THAT(ran.out, HasSubstr(what));
    fs::remove_all(library);
  };
  fs::create_directories(library);
  told("is not a regular file");
  ASSERT_EQ(::mkfifo(library.c_str(), 0600), 0);
  told("is not a regular file");
  test::write_file(library, "");
  told("is empty");
  test::write_file(library, std::string(4096, 'x'));
  told("is not a shared library");
  std::string start(1 << 20, '\0');
  std::ifstream(real, std::ios::binary).read(start.data(), static_cast<std::streamsize>(start.size()));
  test::write_file(library, start);
  told("is truncated");
  // The header does not show the defect; the loader itself dies with SIGBUS.
  std::string lying = start;
  std::fill_n(lying.begin() + 40, 8, '\0');  // e_shoff
  std::fill_n(lying.begin() + 58, 4, '\0');  // e_shentsize, e_shnum
  test::write_file(library, lying);
  told("crashed (SIG");
}

// Otherwise registers and spills of a kernel would be known only the first time, on a machine with a driver.
TEST(Linker, DoesNotUseTheCacheOfTheDriver) {
  const fs::path library = LANESCOPE_PRETENDED "/linker/libnvJitLink.so.13";
  const LinkOutcome outcome = link_ptx({library.string(), "sm_90", ".version 9.0"});
  EXPECT_EQ(outcome.end, LinkOutcome::End::linked);
  EXPECT_THAT(outcome.info, HasSubstr("Compiling entry function"));
}

}  // namespace
}  // namespace lanescope::compile
