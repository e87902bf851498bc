#pragma once
// Bytes of global memory that a site of a worker may touch without recording or announcing it: most accesses then cost
// one comparison.

#include <bit>
#include <cassert>
#include <cstdint>

#include "sim/memory/memory.h"

namespace lanescope::sim {

// Either all of a region; or a window of up to 64 units of it, each as large as what a whole warp touches side by side:
// those that were touched are ticked off, in whatever order the warps come, and have yet to be noted.
struct Reach {
  const Region* region = nullptr;                // the last one that the site fell in
  std::uint64_t begin = std::uint64_t{1} << 63;  // address of all of it, or of the window; here nothing ever lies
  std::uint64_t bytes = 0;                       // of all of it; 0 of a window
  std::uint64_t ticked = 0;                      // units of the window, a bit each
  std::uint8_t unit_shift = 0;                   // log2 of a unit's bytes
  std::uint8_t units = 0;                        // of the window; 0 = none
  std::uint8_t use = 0;                          // AccessSets::Use of what is ticked
  // Of a site that only loads or only stores: the region is global memory and all of it counts as written, so nothing
  // is left to ask of what is covered.
  bool easy = false;

  static Reach nothing_of(const Region& of) { return {.region = &of}; }
  static Reach all_of(const Region& of) { return {.region = &of, .begin = of.address, .bytes = of.bytes}; }
  // A window around an access to [low, low + unit), where unit is a power of two: mostly the next ones lie behind it,
  // but the last warp of a block may come first.
  static Reach around(const Region& of, std::uint64_t low, std::uint8_t unit_shift, std::uint8_t use);
  std::uint64_t window_bytes() const { return std::uint64_t{units} << unit_shift; }

  // Whether the site, whose accesses all have `width` bytes per lane, may touch [low, high + width). `gapless`: a whole
  // warp touches each of these bytes.
  bool covers(std::uint64_t low, std::uint64_t high, std::uint64_t width, bool gapless) {
    const std::uint64_t offset = low - begin;
    if (offset <= bytes && high - begin + width <= bytes) return true;
    // Where it does not begin with a unit, what is left over comes to the top and makes the number too large.
    const std::uint64_t unit = std::rotr(offset, unit_shift);
    if (!gapless || unit >= units) return false;
    assert(high - low + width == std::uint64_t{1} << unit_shift);
    ticked |= std::uint64_t{1} << unit;
    return true;
  }
};

}  // namespace lanescope::sim
