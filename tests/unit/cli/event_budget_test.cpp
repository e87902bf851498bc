// Memory stays within the event budget, for any launch and any number of threads.

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli/program.h"
#include "test_paths.h"

namespace lanescope {
namespace {

// Two million scattered warp loads: about 600 MB if all events were kept.
constexpr const char* scatter = R"(
__global__ void scatter(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = 0;
  for (int j = 0; j < 1024; ++j) sum += in[(i * 97 + j * 31) & 4095];
  out[i] = sum;
}
)";

// The program's peak memory in MiB.
double peak_of(const std::vector<std::string>& arguments) {
  std::vector<char*> argv{const_cast<char*>(LANESCOPE_BINARY)};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    const int nowhere = open("/dev/null", O_RDWR);
    dup2(nowhere, 1);
    dup2(nowhere, 2);
    execv(LANESCOPE_BINARY, argv.data());
    _exit(127);
  }
  int status = 0;
  rusage usage{};
  EXPECT_EQ(wait4(child, &status, 0, &usage), child);
  EXPECT_EQ(status, 0);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

TEST(CliEventBudget, BoundsTheMemoryOfTheWholeProgram) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the address sanitizer keeps freed memory for a while";
#endif
  test::TempFolder folder;
  const std::string file = (folder / "scatter.cu").string();
  test::write_file(file, scatter);
  const auto peak = [&](const std::string& budget, const std::string& threads) {
    return peak_of({"trace", file, "--kernel", "scatter", "--grid", "256", "--block", "256", "--arg", "i32[4096]=iota",
                    "--arg", "i32[65536]", "--event-budget", budget, "--threads", threads});
  };
  const double nothing_kept = peak("0", "1");
  for (const char* threads : {"1", "2", "8"}) {
    SCOPED_TRACE(threads);
    EXPECT_LE(peak("0", threads), nothing_kept + 32) << "threads have a price of their own, but a small one";
    const double kept = peak("128", threads);
    EXPECT_LE(kept, nothing_kept + 128 + 32);
    EXPECT_GE(kept, nothing_kept + 64) << "most of the budget is used";
  }
}

}  // namespace
}  // namespace lanescope
