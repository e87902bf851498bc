#pragma once
// How a region is shared among its lanes. Internal to instrument/.

#include <array>
#include <cstdint>

#include "core/lane_mask.h"
#include "instrument/instrument.h"

namespace lanescope::instrument {

// Units of the largest record that the kernel makes.
std::uint64_t largest_record(const Instrumented& kernel);
// The most units that one event takes: its share of its record.
std::uint64_t largest_event(const Instrumented& kernel);
// A shape with room for this many units per lane. The lanes in `sparse` write in few warps only. Their parts occupy
// whole cache lines, because a record that straddles two lines would occupy both in L2.
RegionShape shape_of(const std::array<std::uint64_t, MemoryModel::lanes>& units, LaneMask sparse = {});

}  // namespace lanescope::instrument
