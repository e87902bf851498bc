#pragma once
// Kernels that are instrumented and run by the interpreter, beside the plain kernel.

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

// Each shape of access and control flow that the instrumenter treats in a way of its own.
const std::vector<Case>& cases();

struct Runs {
  sim::LaunchResult plain, recorded;
  Instrumented kernel;
  Recording recording;  // its buffer: the recorded run's
  std::vector<job::DeviceRange> ranges;
};

// Runs the plain kernel and its instrumented twin, whose chosen blocks record. `most_capacity`: units of records per
// region, where that is less than the shape that the plain run asks for.
void run_both(const Case& one, Pass pass, std::uint32_t first_block, std::uint32_t blocks, Runs& out,
              std::uint32_t most_capacity = 0xffffffff, const RegionShape* wanted = nullptr);

}  // namespace lanescope::instrument
