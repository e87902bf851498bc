#pragma once
// The results of the race detector (sim/races/races.h): pairs of unordered accesses.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/diagnostic.h"
#include "trace/trace.h"

namespace lanescope::sim {

enum class RaceKind : std::uint8_t {
  write_write,       // two writes of different values
  read_write,        // a read and a write, in either order
  atomic_plain,      // an atomic, volatile or ordered access, and a plain one
  copy_not_awaited,  // an asynchronous copy (cp.async) that its own thread has not waited for
  // Races of a single access, to shared memory of another block: `first` and `second` are the same.
  not_begun,       // nothing orders the access after the block's start
  may_have_ended,  // nothing orders the block's end after the access
  // Notes, which are not races.
  same_value,      // two writes of the same bytes, or such a write and a read after the other by its own thread
  colliding_lanes  // lanes of one store that wrote different values to one address: one wins
};
constexpr bool of_one_access(RaceKind kind) {
  return kind == RaceKind::not_begun || kind == RaceKind::may_have_ended;
}
const char* name_of(RaceKind kind);  // "write_write", as in the JSON
constexpr bool accuses(RaceKind kind) {
  return kind != RaceKind::same_value && kind != RaceKind::colliding_lanes;
}

// The smallest synchronisation that would order the two accesses.
enum class RaceCure : std::uint8_t {
  warp,     // __syncwarp()
  block,    // __syncthreads()
  cluster,  // cluster.sync()
  grid,     // a grid-wide sync, another launch, a release and an acquire, or atomics
  copy      // waiting for the asynchronous copy
};
const char* name_of(RaceCure cure);  // "__syncwarp()"

struct RaceAccess {
  std::uint32_t site = 0;    // of the trace
  std::uint32_t block = 0;   // linear
  std::uint32_t thread = 0;  // linear in its block
  bool writes = false;
  bool atomic = false;         // an atomic: reads and writes at once
  bool strong = false;         // atomic, volatile, or ordered
  std::uint32_t clock = 0;     // number of the thread's synchronisations before it
  std::uint32_t position = 0;  // among its warp's requests since the last synchronisation
};

struct Race {
  RaceKind kind{};
  RaceCure cure{};
  trace::MemorySpace space{};  // shared, distributed (if it is another block's than the second access's) or global
  std::int32_t buffer = -1;    // for global memory: index in Trace::buffers
  std::uint32_t owner = 0;     // for distributed memory: the block whose shared memory it is
  std::uint64_t offset = 0;    // of the first common byte: from the buffer's beginning, or in shared memory
  std::uint32_t bytes = 0;     // number of common bytes, within one 4-byte word
  RaceAccess first, second;    // in the order of execution
  std::uint64_t count = 0;     // how often the two lines raced like this
  // The places of the two in each function that both are in or were inlined into, the innermost first. Empty if they
  // are in different functions that were not inlined, or nothing is known of their lines.
  std::vector<std::array<SourcePlace, 2>> in_common;
  // Whether the second access comes first in the program; empty if each can follow the other.
  std::optional<bool> second_is_earlier;
  // No barrier helps: both threads do the same write in the same step, or read and then write one element there, as in
  // `bins[b] += 1`.
  bool in_one_step = false;
  // The same or a guess: threads of one block that do the same work do it in the order of their synchronisations.
  bool turned() const {
    if (second_is_earlier) return *second_is_earlier;
    return second.clock != first.clock ? second.clock < first.clock : second.position < first.position;
  }
};

// Sets `in_one_step` of each; `second_is_earlier` is known.
void find_one_steps(std::vector<Race>& races);

struct RaceReport {
  bool looked = false;           // the detector was on
  std::vector<Race> races;       // one per pair of lines and kind, in the order found
  std::uint64_t more_pairs = 0;  // found after the list was full: pairs of instructions that are not in it
  std::uint64_t unwatched = 0;   // accesses of lanes that were not watched, for lack of memory
  std::uint64_t undecided = 0;   // checks for which part of the history was missing
  std::uint64_t watched = 0;     // accesses of lanes
  std::uint64_t compared = 0;    // with how many earlier accesses these were compared, beyond two per word
  bool stopped = false;          // the rest was not watched: LaunchRequest::races_up_to, races_in_first_blocks
  bool ended = false;            // the launch completed; otherwise only what happened before its end is known
  // What a limit on watching counts. Comparisons take the longest: each counts as four accesses.
  std::uint64_t effort() const { return watched + 4 * compared; }
  bool complete() const { return looked && ended && !stopped && unwatched == 0 && undecided == 0; }
  bool accuses() const {
    for (const Race& race : races)
      if (sim::accuses(race.kind)) return true;
    return more_pairs != 0;
  }
};

}  // namespace lanescope::sim
