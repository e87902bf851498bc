#pragma once
// The mbarrier object: a barrier in 8 bytes of shared memory ("PTX ISA", mbarrier).
//
// A phase is complete when no arrivals and no transaction bytes are pending. The next phase then waits for the expected
// arrivals. PTX leaves the contents of the 8 bytes open. Here, from bit 0: pending arrivals (20 bits), expected
// arrivals (20), transaction bytes (21, signed), the phase modulo 4 (2), and a 1. An arrival returns a token: the word
// before the arrival.

#include <cstdint>

#include "core/wording.h"

namespace lanescope::sim {

struct MbarrierState {
  static constexpr std::uint32_t bytes = 8;                      // also its alignment
  static constexpr std::uint32_t most = (1u << 20) - 1;          // arrivals
  static constexpr std::int64_t most_transaction = most;         // bytes, pending or completed too early
  static constexpr std::uint64_t mark = std::uint64_t{1} << 63;  // set in every word

  std::uint32_t pending = 0, expected = 0;  // arrivals: still missing in this phase; of each later phase
  std::int64_t transaction = 0;             // bytes that are expected and not completed yet
  std::uint32_t phase = 0;                  // modulo 4

  std::uint64_t word() const {
    const auto bits = static_cast<std::uint64_t>(transaction) & 0x1fffff;
    return mark | std::uint64_t{phase & 3u} << 61 | bits << 40 | std::uint64_t{expected} << 20 | pending;
  }
  static MbarrierState of(std::uint64_t word) {
    MbarrierState state;
    state.pending = static_cast<std::uint32_t>(word & 0xfffff);
    state.expected = static_cast<std::uint32_t>(word >> 20 & 0xfffff);
    state.transaction = static_cast<std::int64_t>(word << 3) >> 43;
    state.phase = static_cast<std::uint32_t>(word >> 61 & 3);
    return state;
  }
  // Starts the next phase if this one is complete.
  bool next_phase() {
    if (pending != 0 || transaction != 0) return false;
    pending = expected;
    phase = (phase + 1) & 3u;
    return true;
  }
};

// What is missing in a phase, such as "3 of 4 arrivals and 128 bytes".
Wording missing_of(const MbarrierState& state);

}  // namespace lanescope::sim
