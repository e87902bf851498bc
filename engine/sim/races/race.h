#pragma once
// The results of the race detector (sim/races/races.h): pairs of unordered accesses.

#include <cstdint>
#include <vector>

#include "trace/trace.h"

namespace lanescope::sim {

enum class RaceKind : std::uint8_t {
  write_write,       // two writes of different values
  read_write,        // a read and a write, in whichever order they came
  atomic_plain,      // an atomic, volatile or ordered access, and a plain one
  copy_not_awaited,  // an asynchronous copy (cp.async) that its own thread has not waited for
  // Of one access, to shared memory of another block: its `first` and `second` are the same.
  not_begun,       // nothing says that the block has begun
  may_have_ended,  // nothing orders the block's end behind the access
  // Notes: these accuse nobody.
  same_value,      // two writes that left the same bytes
  colliding_lanes  // lanes of one store instruction that wrote different values to one address: one of them wins
};
constexpr bool of_one_access(RaceKind kind) {
  return kind == RaceKind::not_begun || kind == RaceKind::may_have_ended;
}
const char* name_of(RaceKind kind);  // "write_write", as in the JSON
constexpr bool accuses(RaceKind kind) {
  return kind != RaceKind::same_value && kind != RaceKind::colliding_lanes;
}

// The smallest thing that would order the two.
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
  bool atomic = false;         // reads and writes in one
  bool strong = false;         // atomic, volatile, or ordered
  std::uint32_t clock = 0;     // synchronisations that the thread had behind it
  std::uint32_t position = 0;  // among its warp's requests since the last one
};

struct Race {
  RaceKind kind{};
  RaceCure cure{};
  trace::MemorySpace space{};  // shared, distributed (of another block than the second one's) or global
  std::int32_t buffer = -1;    // of global memory: index in Trace::buffers
  std::uint32_t owner = 0;     // of distributed memory: the block whose shared memory it is
  std::uint64_t offset = 0;    // of the first byte that both touch: from the buffer's beginning, or in shared memory
  std::uint32_t bytes = 0;     // that both touch, within one 4-byte word
  RaceAccess first, second;    // in the order in which they ran
  std::uint64_t count = 0;     // times that the two lines met like this
  // Whether the second, as the program is written, comes before the first: threads of one block that do the same work
  // do it in the order of their synchronisations. A guess for other threads.
  bool turned() const {
    return second.clock != first.clock ? second.clock < first.clock : second.position < first.position;
  }
};

struct RaceReport {
  bool looked = false;           // the detector was on
  std::vector<Race> races;       // one for each pair of lines and kind, in the order found
  std::uint64_t more_pairs = 0;  // met after the list was full, by pairs of instructions that are not in it
  std::uint64_t unwatched = 0;   // accesses of lanes for which no memory was left to watch them
  std::uint64_t undecided = 0;   // checks for which part of the history had been dropped
  bool stopped = false;          // not all accesses were watched: LaunchRequest::races_up_to
  bool ended = false;            // the launch ran to its end: of one that was stopped only what came before is known
  bool complete() const { return looked && ended && !stopped && unwatched == 0 && undecided == 0; }
  bool accuses() const {
    for (const Race& race : races)
      if (sim::accuses(race.kind)) return true;
    return more_pairs != 0;
  }
};

}  // namespace lanescope::sim
