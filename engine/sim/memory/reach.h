#pragma once
// The bytes of global memory that a site of a worker may access without marking or announcing them. Most accesses then
// cost only one comparison.

#include <bit>
#include <cassert>
#include <cstdint>

#include "sim/memory/memory.h"

namespace lanescope::sim {

// Either a whole region, or a window of up to 64 units of it. A unit is as large as one gapless access of a whole warp.
// Accessed units are ticked, in whatever order the warps come, and are marked later.
struct Reach {
  const Region* region = nullptr;                // the last one that the site accessed
  std::uint64_t begin = std::uint64_t{1} << 63;  // of the region or the window; nothing is at this default
  std::uint64_t bytes = 0;                       // of the whole region; 0 for a window
  std::uint64_t ticked = 0;                      // accessed units of the window, one bit each
  std::uint8_t unit_shift = 0;                   // log2 of a unit's bytes
  std::uint8_t units = 0;                        // of the window; 0 = none
  std::uint8_t use = 0;                          // AccessSets::Use of the ticked units
  // For a site that only loads or only stores: the region is global memory and all of it counts as written, so nothing
  // else needs to be checked.
  bool easy = false;

  static Reach nothing_of(const Region& of) { return {.region = &of}; }
  static Reach all_of(const Region& of) { return {.region = &of, .begin = of.address, .bytes = of.bytes}; }
  // A window around an access to [low, low + unit), where unit is a power of two. Most of it is above the access,
  // because later accesses usually are, but the last warp of a block may come first.
  static Reach around(const Region& of, std::uint64_t low, std::uint8_t unit_shift, std::uint8_t use);
  std::uint64_t window_bytes() const { return std::uint64_t{units} << unit_shift; }

  // Whether the site, whose accesses all have `width` bytes per lane, may access [low, high + width). `gapless`: a
  // whole warp accesses each of these bytes.
  bool covers(std::uint64_t low, std::uint64_t high, std::uint64_t width, bool gapless) {
    const std::uint64_t offset = low - begin;
    if (offset <= bytes && high - begin + width <= bytes) return true;
    // If the access does not start at a unit, the rotation moves the remainder to the top, which makes the number too
    // large.
    const std::uint64_t unit = std::rotr(offset, unit_shift);
    if (!gapless || unit >= units) return false;
    assert(high - low + width == std::uint64_t{1} << unit_shift);
    ticked |= std::uint64_t{1} << unit;
    return true;
  }
};

}  // namespace lanescope::sim
