// Random kernels (tests/cases/generated/, or the folder in LANESCOPE_GENERATED) from tests/tools/random_kernels.py,
// with the results that g++ and the processor computed. The interpreter must give the same results on one thread, on
// two, and in another order of warps and lanes. Its totals must equal those of its events, it must report no race, and
// each kernel's own record must match the interpreter's trace.

#include <cstdlib>
#include <map>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "golden.h"
#include "instrument/record_check.h"
#include "job/request/directives.h"
#include "sim/naive_totals.h"

namespace lanescope {
namespace {

std::vector<test::Case> generated_files() {
  const char* const other = std::getenv("LANESCOPE_GENERATED");
  return test::cases(other != nullptr ? other : "generated", ".cu");
}

// FNV-1a of the bytes, 64 bits, in hexadecimal, as cuda_on_host.h prints it.
std::string fnv1a_text(const std::vector<std::byte>& bytes) {
  std::uint64_t hash = 0xcbf29ce484222325ull;
  for (const std::byte byte : bytes) hash = (hash ^ static_cast<std::uint64_t>(byte)) * 0x100000001b3ull;
  return fmt::format("{:016x}", hash);
}

// A file's launches. The file is compiled once for all of them.
std::vector<job::Request> compiled_requests(const test::Case& file) {
  std::vector<job::Request> requests;
  const Result<std::vector<job::DirectedRun>> runs = job::directed_runs(file.path.filename().string(), file.text());
  EXPECT_TRUE(runs.ok()) << format(runs.errors().front());
  if (!runs) return requests;
  compile::Options options;
  for (const job::DirectedRun& run : *runs) options.name_expressions.push_back(run.request.first().kernel);
  const Result<compile::Ptx> ptx = compile::compile(runs->front().request.source, options);
  EXPECT_TRUE(ptx.ok()) << format(ptx.errors().front());
  if (!ptx) return requests;
  for (const job::DirectedRun& run : *runs) {
    job::Request& request = requests.emplace_back(run.request);
    request.source = {file.name + ".ptx", ptx->text, {}};
    request.first().kernel = ptx->mangled.at(run.request.first().kernel);
  }
  return requests;
}

class GeneratedKernels : public testing::TestWithParam<test::Case> {
 protected:
  void SetUp() override {
    std::istringstream lines(test::read_file(GetParam().sibling(".out")));
    std::string kernel, hash;
    for (int argument = 0; lines >> kernel >> argument >> hash;) answers_[kernel][argument] = hash;
  }

  // Runs a launch and compares its buffers with the host's.
  job::Outcome run(const job::Request& request, const std::string& how) {
    job::Outcome outcome = job::run(request);
    EXPECT_TRUE(outcome.completed) << request.first().kernel << how << ": " << format(outcome.diagnostics.front());
    EXPECT_FALSE(outcome.race_found()) << request.first().kernel << how;
    for (const auto& [kernel, answers] : answers_) {
      // _Z5k17_0PKj…
      if (!request.first().kernel.starts_with(fmt::format("_Z{}{}P", kernel.size(), kernel))) continue;
      for (const auto& [argument, hash] : answers) {
        EXPECT_EQ(fnv1a_text(outcome.arguments.at(static_cast<std::size_t>(argument)).contents), hash)
            << kernel << how << ", argument " << argument;
      }
      return outcome;
    }
    ADD_FAILURE() << request.first().kernel << " has no answer";
    return outcome;
  }

  std::map<std::string, std::map<int, std::string>> answers_;  // by kernel and argument
};
INSTANTIATE_TEST_SUITE_P(Cases, GeneratedKernels, testing::ValuesIn(generated_files()), test::case_name);

TEST_P(GeneratedKernels, LeaveAndRecordWhatTheyShould) {
  using instrument::Pass;
  for (job::Request& request : compiled_requests(GetParam())) {
    request.record.events = true;
    request.threads = 1;
    const job::Outcome alone = run(request, "");
    if (HasFailure()) continue;
    EXPECT_TRUE(sim::test::naive_totals(alone.first().trace) == alone.first().trace.totals) << request.first().kernel;
    for (const Pass pass : {Pass::memory, Pass::block_entries, Pass::operations})
      test::expect_equal_records(request, alone, pass, false);
    request.threads = 2;
    const job::Outcome shared = run(request, ", two threads");
    EXPECT_TRUE(shared.first().trace.totals == alone.first().trace.totals) << request.first().kernel << ", two threads";
    EXPECT_EQ(shared.first().trace.events.size(), alone.first().trace.events.size())
        << request.first().kernel << ", two threads";
    request.races = true;
    request.schedule_seed = 1;
    run(request, ", in another order");
  }
}

}  // namespace
}  // namespace lanescope
