#pragma once
// How a region is shared among its lanes. Internal to instrument/.

#include <array>
#include <cstdint>

#include "core/lane_mask.h"
#include "instrument/instrument.h"

namespace lanescope::instrument {

// Units of the largest record that the kernel makes.
std::uint64_t largest_record(const Instrumented& kernel);
// Units that an event takes at most, as a share of its record.
std::uint64_t largest_event(const Instrumented& kernel);
// Shares with room for so many units of records. Those of `sparse` lanes, which few warps write to, keep to lines of
// their own: a record that lay in two would take both from L2.
RegionShape shape_of(const std::array<std::uint64_t, MemoryModel::lanes>& units, LaneMask sparse = {});

}  // namespace lanescope::instrument
