#pragma once
// Runs instrumented kernels in the interpreter, beside the plain kernel.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "instrument/instrument.h"
#include "instrument/region_layout.h"
#include "job/witness/record_comparison.h"
#include "sim/launch.h"

namespace lanescope::instrument {

struct Case {
  std::string name, source, kernel;
  trace::Launch launch;
  std::vector<sim::Argument> arguments;
};

sim::Argument buffer(sim::ElementType type, std::size_t count, bool iota = true);
sim::Argument scalar(std::int32_t value);

// A case for each form of access and control flow that the instrumenter treats separately.
const std::vector<Case>& cases();

struct Runs {
  sim::LaunchResult plain, recorded;
  Instrumented kernel;
  Recording recording;  // its buffer: the recorded run's
  std::vector<job::DeviceRange> ranges;
};

// Runs the plain kernel and the instrumented one, in which the chosen blocks record. `most_capacity`: units of records
// per region, if less than the shape of the plain run.
void run_both(const Case& one, Pass pass, std::uint32_t first_block, std::uint32_t blocks, Runs& out,
              std::uint32_t most_capacity = 0xffffffff, const RegionShape* wanted = nullptr);

}  // namespace lanescope::instrument
