// The calibration kernels in the interpreter. Each states one fact and its answer.

#include <filesystem>

#include <gtest/gtest.h>

#include "golden.h"
#include "job/request/directives.h"
#include "metrics/report.h"
#include "test_paths.h"

namespace lanescope::job {
namespace {

std::filesystem::path folder() {
  return std::filesystem::path(LANESCOPE_SOURCE_DIR) / "kernels" / "calibration";
}

std::vector<std::string> files() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder()))
    if (entry.path().extension() == ".cu") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

class Calibration : public testing::TestWithParam<std::string> {};

TEST_P(Calibration, EveryKernelGivesItsStatedAnswer) {
  const std::string name = GetParam() + ".cu";
  const auto runs = directed_runs(name, test::read_file(folder() / name));
  ASSERT_TRUE(runs.ok()) << format(runs.errors().front());
  for (const DirectedRun& one : *runs) {
    EXPECT_FALSE(one.expectations.empty()) << one.request.first().kernel << " states nothing";
    const Outcome outcome = run(one.request);
    ASSERT_TRUE(outcome.completed) << one.request.first().kernel << ": " << format(outcome.diagnostics.front());
    for (const Expectation& expected : one.expectations) {
      const metrics::Measurement got = metrics::find(outcome.first().trace, expected.number);
      EXPECT_FALSE(got.name.empty()) << name << ":" << expected.place.line << ": no number " << expected.number;
      EXPECT_EQ(got.value, expected.value)
          << name << ":" << expected.place.line << ": " << one.request.first().kernel << " " << expected.number;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, Calibration, testing::ValuesIn(files()), [](const auto& file) { return file.param; });

TEST(Directives, AWrongLineIsNamed) {
  const auto bad = directed_runs("a.cu", "// run: --grid 1 --blok 32\n__global__ void k() {}\n");
  ASSERT_FALSE(bad.ok());
  EXPECT_EQ(bad.errors().front().place.line, 1);
  EXPECT_EQ(directed_runs("a.cu", "__global__ void k() {}\n").errors().front().code, "directive.none");
  const auto bounded = directed_runs(
      "a.cu", "// run: --grid 1 --block 32 --arg i32[1]\n__global__ void __launch_bounds__(32, 2) k(int* a) {}\n");
  ASSERT_TRUE(bounded.ok());
  EXPECT_EQ(bounded->front().request.first().kernel, "k");
  EXPECT_FALSE(directed_runs("a.cu", "// expect: a == 1\n").ok());
  const auto defined = directed_runs(
      "a.cu", "// run: --grid 1 --block 32 -D N=4 -D 'T=unsigned int' --arg u32[1]\n__global__ void k(T* a) {}\n");
  ASSERT_TRUE(defined.ok());
  EXPECT_EQ(defined->front().request.source.defines, (std::vector<std::string>{"N=4", "T=unsigned int"}));
  EXPECT_FALSE(directed_runs("a.cu", "// run: --grid 1 --block 32 -D 4=N\n__global__ void k() {}\n").ok());
  for (const char* launch :
       {"--grid -1 --block 32", "--grid 1 --block 1e3", "--grid 4294967296 --block 32", "--grid 1,1,1,1 --block 32",
        "--grid 1, --block 32", "--grid 1 --block 32 --shared -1", "--grid 1 --block 32 --shared 0.5"}) {
    const auto read = directed_runs("a.cu", std::string("// run: ") + launch + "\n__global__ void k() {}\n");
    ASSERT_FALSE(read.ok()) << launch;
    EXPECT_EQ(read.errors().front().place.line, 1) << launch;
  }
}

TEST(Directives, SeveralAboveOneKernelAreAllItsLaunches) {
  const auto read = directed_runs(
      "a.cu",
      "// run: --grid 1 --block 32\n// expect: a == 1\n// run: --grid 2 --block 64\n__global__ void k() {}\n"
      "// run: --grid 3 --block 32\n__global__ void other() {}\n");
  ASSERT_TRUE(read.ok()) << format(read.errors().front());
  ASSERT_EQ(read->size(), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ((*read)[i].request.first().kernel, i < 2 ? "k" : "other");
    EXPECT_EQ((*read)[i].request.first().shape.grid.x, i + 1);
  }
}

TEST(Directives, ALaunchWithoutAKernelIsNamedByItsOwnLine) {
  const auto read =
      directed_runs("a.cu", "__global__ void k() {}\n// run: --grid 1 --block 32\n\n// run: --grid 2 --block 32\n\n\n");
  ASSERT_FALSE(read.ok());
  ASSERT_EQ(read.errors().size(), 2u);
  EXPECT_EQ(read.errors()[0].place.line, 2);
  EXPECT_EQ(read.errors()[1].place.line, 4);
}

}  // namespace
}  // namespace lanescope::job
