// Kernels in shapes that people really write (tests/cases/witnesses/), none of them a lesson's: the interpreter's result against the
// host's, and what each kernel records of itself, run by the interpreter, against the interpreter's own trace, record by record.
// With a GPU `lanescope verify tests/cases/witnesses/*.cu` holds them against the hardware (OnGpu.WitnessesAgreeOnKernelsOfEveryShape).

#include <cstring>

#include <gtest/gtest.h>

#include "golden.h"
#include "instrument/instrument.h"
#include "instrument/witness_references.h"
#include "job/directives.h"
#include "job/record_comparison.h"
#include "ptx/module.h"
#include "sim/launch.h"

namespace lanescope::instrument {
namespace {

class Witnesses : public testing::TestWithParam<test::Case> {
 protected:
  std::vector<job::DirectedRun> runs() {
    Result<std::vector<job::DirectedRun>> all = job::directed_runs(GetParam().path.filename().string(), GetParam().text());
    EXPECT_TRUE(all.ok()) << format(all.errors().front());
    return all ? *all : std::vector<job::DirectedRun>();
  }
};
INSTANTIATE_TEST_SUITE_P(Cases, Witnesses, testing::ValuesIn(test::cases("witnesses", ".cu")), test::case_name);

std::vector<sim::Argument> arguments_of(const job::Request& request) {
  std::vector<sim::Argument> arguments;
  for (const auto& text : request.arguments) arguments.push_back(*job::parse_argument(text));
  return arguments;
}

TEST_P(Witnesses, TheResultIsTheHosts) {
  for (const job::DirectedRun& one : runs()) {
    const std::string& kernel = one.request.kernel;
    const job::Outcome outcome = job::run(one.request);
    ASSERT_TRUE(outcome.completed) << kernel << ": " << format(outcome.diagnostics.front());
    const auto reference = test::witness_references().find(kernel);
    ASSERT_NE(reference, test::witness_references().end()) << kernel << " has no answer on the host";
    test::HostArguments expected(arguments_of(one.request));
    reference->second(expected);
    for (std::size_t i = 0; i < outcome.arguments.size(); ++i)
      if (outcome.arguments[i].is_buffer) {
        EXPECT_EQ(outcome.arguments[i].contents, expected.bytes(i)) << kernel << ", argument " << i;
      }
  }
}

// Others take other turns when a block waits for another, so that what they poll is another number of times.
bool waits_for_other_blocks(const std::string& kernel) { return kernel == "look_back" || kernel == "grid_sync_twice"; }

void expect_equal_records(const job::Request& request, const job::Outcome& plain, Pass pass) {
  const std::string place = request.kernel + ", " + to_string(pass);
  const Result<ptx::Module> module = ptx::parse(plain.ptx, "plain.ptx");
  ASSERT_TRUE(module.ok());
  const Result<Instrumented> made = instrument(*module, plain.mangled_kernel, pass);
  ASSERT_TRUE(made.ok()) << place << ": " << format(made.errors().front());
  const Result<ptx::Module> again = ptx::parse(made->ptx, "recording.ptx");
  ASSERT_TRUE(again.ok()) << place << ": " << format(again.errors().front());
  const auto program = sim::prepare(*again, plain.mangled_kernel);
  ASSERT_TRUE(program.ok()) << place << ": " << format(program.errors().front());

  RegionShape shape = region_shape(*made, plain.trace);
  if (waits_for_other_blocks(request.kernel)) shape = enlarged(*made, {.control = {}, .lanes = shape.lanes, .buffer = {}});
  const auto blocks = static_cast<std::uint32_t>(request.launch.grid.count());
  const std::uint64_t regions = std::uint64_t{blocks} * request.launch.warps_per_block();
  Recording recording{.control = {.block_count = blocks, .regions = static_cast<std::uint32_t>(regions), .warps_per_block = request.launch.warps_per_block(),
                                  .records = records_offset},
                      .lanes = shape.lanes, .buffer = {}};
  sim::LaunchRequest launch;
  launch.launch = request.launch;
  launch.arguments = arguments_of(request);
  launch.record.events = true;
  sim::Argument buffer{.type = sim::ElementType::u8, .is_buffer = true};
  buffer.contents.resize(buffer_bytes(regions, shape.capacity()));
  launch.arguments.push_back(std::move(buffer));
  sim::Argument places{.type = sim::ElementType::u8, .is_buffer = true};
  places.contents.resize(sizeof shape.lanes);
  std::memcpy(places.contents.data(), &shape.lanes, sizeof shape.lanes);
  launch.arguments.push_back(std::move(places));
  sim::Argument control{.type = sim::ElementType::u8};
  control.raw_parameter.resize(sizeof recording.control);
  std::memcpy(control.raw_parameter.data(), &recording.control, sizeof recording.control);
  launch.arguments.push_back(std::move(control));
  const sim::LaunchResult ran = sim::run(**program, launch);
  ASSERT_TRUE(ran.completed) << place << ": " << format(ran.diagnostics.front());
  const std::size_t own = request.arguments.size();
  for (std::size_t i = 0; i < own; ++i) EXPECT_EQ(ran.arguments[i].contents, plain.arguments[i].contents) << place << ", argument " << i;
  if (waits_for_other_blocks(request.kernel)) return;

  recording.buffer = ran.arguments[own].contents;
  const Result<trace::Trace> recorded = decode(*made, recording, request.launch, plain.trace);
  ASSERT_TRUE(recorded.ok()) << place << ": " << format(recorded.errors().front());
  std::vector<job::DeviceRange> ranges;
  for (const trace::Buffer& found : ran.trace.buffers)
    if (found.argument >= 0 && found.argument < static_cast<std::int32_t>(own)) ranges.push_back({found.argument, found.address, found.bytes});
  const job::RecordComparison comparison = job::compare_records(plain.trace, *recorded, pass, 0, blocks, ranges);
  EXPECT_TRUE(comparison.agrees()) << place << ": " << comparison.interpreted << " interpreted, " << comparison.recorded << " recorded, "
                                   << comparison.equal << " equal\n" << testing::PrintToString(comparison.differences);
}

TEST_P(Witnesses, RecordsAreTheInterpretersEvents) {
  for (const job::DirectedRun& one : runs()) {
    const job::Outcome plain = job::run(one.request);
    ASSERT_TRUE(plain.completed) << one.request.kernel << ": " << format(plain.diagnostics.front());
    for (const Pass pass : {Pass::memory, Pass::block_entries, Pass::operations}) expect_equal_records(one.request, plain, pass);
  }
}

TEST(WitnessReferences, EachIsOfAKernelThatIsThere) {
  std::size_t kernels = 0;
  for (const test::Case& file : test::cases("witnesses", ".cu")) kernels += job::directed_runs(file.name, file.text())->size();
  EXPECT_EQ(kernels, test::witness_references().size());
}

}  // namespace
}  // namespace lanescope::instrument
