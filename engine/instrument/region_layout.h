#pragma once
// How a region is shared among its lanes. Internal to instrument/.

#include <array>
#include <cstdint>

#include "instrument/instrument.h"

namespace lanescope::instrument {

// Units of the largest record that the kernel makes.
std::uint64_t largest_record(const Instrumented& kernel);
// Shares with room for so many units of records.
RegionShape shape_of(const std::array<std::uint64_t, MemoryModel::lanes>& units);

}  // namespace lanescope::instrument
