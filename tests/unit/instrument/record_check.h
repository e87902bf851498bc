#pragma once
// Runs a recording kernel in the interpreter and compares its records one by one with the interpreter's own trace.

#include <cstring>

#include <gtest/gtest.h>

#include "instrument/instrument.h"
#include "job/run/job.h"
#include "job/witness/record_comparison.h"
#include "ptx/module.h"
#include "sim/launch.h"

namespace lanescope::test {

inline std::vector<sim::Argument> arguments_of(const job::Request& request) {
  std::vector<sim::Argument> arguments;
  for (const auto& text : request.arguments) arguments.push_back(*job::make_argument(text));
  return arguments;
}

// Parses the PTX once for several passes over the kernels of a file.
inline const Result<ptx::Module>& parsed_once(const std::string& text) {
  static std::string known;
  static Result<ptx::Module> module = ptx::parse(known, "plain.ptx");
  if (known != text) module = ptx::parse(known = text, "plain.ptx");
  return module;
}

// `polls`: blocks wait for each other, so the recorded kernel may iterate differently; only its result is compared.
inline void expect_equal_records(const job::Request& request, const job::Outcome& plain, instrument::Pass pass,
                                 bool polls) {
  using namespace instrument;
  const std::string place = request.first().kernel + ", " + to_string(pass);
  const Result<ptx::Module>& module = parsed_once(plain.first().ptx);
  ASSERT_TRUE(module.ok());
  const Result<Instrumented> made = instrument::instrument(*module, plain.first().mangled_kernel, pass);
  ASSERT_TRUE(made.ok()) << place << ": " << format(made.errors().front());
  const Result<ptx::Module> again = ptx::parse(made->ptx, "recording.ptx");
  ASSERT_TRUE(again.ok()) << place << ": " << format(again.errors().front());
  const auto program = sim::prepare(*again, plain.first().mangled_kernel);
  ASSERT_TRUE(program.ok()) << place << ": " << format(program.errors().front());
  RegionShape shape = region_shape(*made, plain.first().trace);
  if (polls) shape = enlarged(*made, {.control = {}, .lanes = shape.lanes, .buffer = {}});
  const auto blocks = static_cast<std::uint32_t>(request.first().shape.grid.count());
  const std::uint64_t regions = std::uint64_t{blocks} * request.first().shape.warps_per_block();
  const std::size_t own = request.arguments.size();
  Recording recording;
  sim::LaunchResult ran;
  const auto record = [&] {
    recording = {.control = {.block_count = blocks,
                             .regions = static_cast<std::uint32_t>(regions),
                             .warps_per_block = request.first().shape.warps_per_block(),
                             .records = records_offset},
                 .lanes = shape.lanes,
                 .buffer = {}};
    sim::LaunchRequest launch;
    launch.launch = request.first().shape;
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
    ran = sim::run(**program, launch);
    recording.buffer = ran.arguments[own].contents;
  };
  record();
  ASSERT_TRUE(ran.completed) << place << ": " << format(ran.diagnostics.front());
  // As on a GPU: runs again with room for the dropped events.
  if (!polls && count_events(*made, recording).dropped > 0) {
    shape = enlarged(*made, recording);
    record();
  }
  for (std::size_t i = 0; i < own; ++i)
    EXPECT_EQ(ran.arguments[i].contents, plain.arguments[i].contents) << place << ", argument " << i;
  if (polls) return;

  const Result<trace::Trace> recorded = decode(*made, recording, plain.first().trace.launch, plain.first().trace);
  ASSERT_TRUE(recorded.ok()) << place << ": " << format(recorded.errors().front());
  std::vector<job::DeviceRange> ranges;
  for (const trace::Buffer& found : ran.trace.buffers)
    if (found.argument >= 0 && found.argument < static_cast<std::int32_t>(own))
      ranges.push_back({found.argument, found.address, found.bytes});
  const job::RecordComparison comparison =
      job::compare_records(plain.first().trace, *recorded, pass, 0, blocks, ranges);
  std::string differences;
  for (const auto& difference : comparison.differences) differences += std::string(difference) + "\n";
  EXPECT_TRUE(comparison.agrees()) << place << ": " << comparison.interpreted << " interpreted, " << comparison.recorded
                                   << " recorded, " << comparison.equal << " equal\n"
                                   << differences;
}

}  // namespace lanescope::test
