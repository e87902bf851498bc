#pragma once
// How a region is divided among its lanes. Internal to instrument/.

#include <array>
#include <cstdint>

#include "instrument/instrument.h"

namespace lanescope::instrument {

// Units of the largest record that the kernel makes.
std::uint64_t largest_record(const Instrumented& kernel);
// Parts of so many units, one behind the other.
RegionShape shape_of(const std::array<std::uint64_t, MemoryModel::lanes>& units);

}  // namespace lanescope::instrument
