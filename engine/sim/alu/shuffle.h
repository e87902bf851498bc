#pragma once
// Which lane each lane of a shuffle reads. Source: "PTX ISA", shfl.sync.

#include <array>
#include <cstddef>
#include <cstdint>

#include "ptx/instruction.h"

namespace lanescope::sim {

// The lane that `lane` reads, or −1 if it is out of range. Then `lane` keeps its own value.
[[gnu::always_inline]] inline int source_lane(ptx::ShuffleMode mode, int lane, std::uint32_t b, std::uint32_t c) {
  const int shift = static_cast<int>(b & 31u);
  const int clamp = static_cast<int>(c & 31u);
  const int segment = static_cast<int>(c >> 8 & 31u);
  const int lowest = lane & segment;
  const int limit = lowest | (clamp & ~segment);
  int source = lane;
  bool in_range = false;
  switch (mode) {
    case ptx::ShuffleMode::up:
      source = lane - shift;
      in_range = source >= limit;
      break;
    case ptx::ShuffleMode::down:
      source = lane + shift;
      in_range = source <= limit;
      break;
    case ptx::ShuffleMode::bfly:
      source = lane ^ shift;
      in_range = source <= limit;
      break;
    case ptx::ShuffleMode::idx:
      source = lowest | (shift & ~segment);
      in_range = source <= limit;
      break;
    case ptx::ShuffleMode::none:
      break;
  }
  return in_range ? source : -1;
}

// source_lane() of all 32 lanes, without a branch on the mode for each.
template <ptx::ShuffleMode mode>
void sources_by(const std::array<std::uint32_t, 32>& b, const std::array<std::uint32_t, 32>& c,
                std::array<std::int32_t, 32>& sources) {
  for (std::size_t lane = 0; lane < 32; ++lane)
    sources[lane] = source_lane(mode, static_cast<int>(lane), b[lane], c[lane]);
}
inline void find_sources(ptx::ShuffleMode mode, const std::array<std::uint32_t, 32>& b,
                         const std::array<std::uint32_t, 32>& c, std::array<std::int32_t, 32>& sources) {
  using Mode = ptx::ShuffleMode;
  switch (mode) {
    case Mode::up:
      return sources_by<Mode::up>(b, c, sources);
    case Mode::down:
      return sources_by<Mode::down>(b, c, sources);
    case Mode::bfly:
      return sources_by<Mode::bfly>(b, c, sources);
    case Mode::idx:
      return sources_by<Mode::idx>(b, c, sources);
    case Mode::none:
      return sources.fill(-1);
  }
}

}  // namespace lanescope::sim
