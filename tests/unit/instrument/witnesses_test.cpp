// Kernels of realistic shapes (tests/cases/witnesses/), none of them from a lesson. Compares the interpreter's result
// with the host's, and each kernel's own record, made in the interpreter, with the interpreter's trace, record by
// record. On a GPU, `lanescope verify tests/cases/witnesses/*.cu` compares them with the hardware
// (OnGpu.WitnessesAgreeOnKernelsOfEveryShape).

#include <gtest/gtest.h>

#include "golden.h"
#include "instrument/record_check.h"
#include "instrument/witness_references.h"
#include "job/request/directives.h"
#include "test_paths.h"

namespace lanescope::instrument {
namespace {

class Witnesses : public testing::TestWithParam<test::Case> {
 protected:
  std::vector<job::DirectedRun> runs() {
    Result<std::vector<job::DirectedRun>> all =
        job::directed_runs(GetParam().path.filename().string(), GetParam().text());
    EXPECT_TRUE(all.ok()) << format(all.errors().front());
    return all ? *all : std::vector<job::DirectedRun>();
  }
};
INSTANTIATE_TEST_SUITE_P(Cases, Witnesses, testing::ValuesIn(test::cases("witnesses", ".cu")), test::case_name);

TEST_P(Witnesses, TheResultIsTheHosts) {
  for (const job::DirectedRun& one : runs()) {
    const std::string& kernel = one.request.first().kernel;
    const job::Outcome outcome = job::run(one.request);
    ASSERT_TRUE(outcome.completed) << kernel << ": " << format(outcome.diagnostics.front());
    const auto reference = test::witness_references().find(kernel);
    ASSERT_NE(reference, test::witness_references().end()) << kernel << " has no answer on the host";
    test::HostArguments expected(test::arguments_of(one.request));
    reference->second(expected);
    for (std::size_t i = 0; i < outcome.arguments.size(); ++i)
      if (outcome.arguments[i].is_buffer) {
        EXPECT_EQ(outcome.arguments[i].contents, expected.bytes(i)) << kernel << ", argument " << i;
      }
  }
}

// Blocks of these kernels wait for each other by polling, and the number of polls depends on timing.
bool waits_for_other_blocks(const std::string& kernel) {
  return kernel == "look_back" || kernel == "grid_sync_twice";
}

TEST_P(Witnesses, RecordsAreTheInterpretersEvents) {
  for (const job::DirectedRun& one : runs()) {
    const job::Outcome plain = job::run(one.request);
    ASSERT_TRUE(plain.completed) << one.request.first().kernel << ": " << format(plain.diagnostics.front());
    for (const Pass pass : {Pass::memory, Pass::block_entries, Pass::operations})
      test::expect_equal_records(one.request, plain, pass, waits_for_other_blocks(one.request.first().kernel));
  }
}

// They run on a GPU only, but that their lines can be read shows here.
TEST(WitnessReferences, TheLaunchesOfTheKernelsOfBenchCanBeRead) {
  const std::string text = test::read_file(LANESCOPE_SOURCE_DIR "/bench/gpu/recording.cu");
  const Result<std::vector<job::DirectedRun>> runs = job::directed_runs("recording.cu", text);
  ASSERT_TRUE(runs.ok()) << format(runs.errors().front());
  EXPECT_EQ(runs->size(), 13u);
  for (const job::DirectedRun& run : *runs)
    EXPECT_NE(text.find(" " + run.request.first().kernel + "("), std::string::npos);
}

TEST(WitnessReferences, EachIsOfAKernelThatIsThere) {
  std::size_t kernels = 0;
  for (const test::Case& file : test::cases("witnesses", ".cu"))
    kernels += job::directed_runs(file.name, file.text())->size();
  EXPECT_EQ(kernels, test::witness_references().size());
}

}  // namespace
}  // namespace lanescope::instrument
