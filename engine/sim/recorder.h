#pragma once
// What a worker counts and keeps while it runs blocks.
//
// Counting: one entry counter a basic block, one counter a site. The cost of a memory request is looked up, not worked
// out, as long as a site repeats its pattern: costs depend only on the spacing of the addresses and on the first one's
// place in its sector (or in its word, for shared memory), so equal patterns just add to a hit count.
//
// Keeping: a warp appends its events to segments of its own; when its block ends they are copied, in the order of
// warps, behind those of the blocks before. Once an event does not fit in what is left of the budget, no later one is
// kept. "Later" is the order of execution: block by block, and within a block as its warps took their turns.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/lane_mask.h"
#include "metrics/request_cost.h"
#include "sim/lanes.h"
#include "trace/trace.h"

namespace lanescope::sim {

struct Warp;

// totals: counts only. events: counts, and keeps events of the running block.
enum class Mode : std::uint8_t { plain, totals, events };

// Entries into a basic block and their active lanes; every mode counts these.
struct EntryCounter {
  std::uint64_t entries = 0;
  std::uint64_t lanes = 0;
};

struct SiteCounter {
  std::uint64_t occurrences = 0;      // with an executed lane (branches: all)
  std::uint64_t executed_lanes = 0;   // branches: that took it
  std::uint64_t divergent = 0;
};

// One space of a memory site: requests of one pattern pile up in `hits` until another comes.
struct RequestCounter {
  std::uint64_t hits = 0;
  std::int64_t stride = 0;
  std::uint32_t mask = 0;             // 0: no pattern yet
  std::uint32_t phase = 0;
  bool affine = false;
  metrics::RequestCost cost;
  trace::MemoryTotals totals;         // without the hits
  std::unique_ptr<std::array<std::uint64_t, 32>> relative;  // of the pattern that is not affine
};

// The events of consecutive blocks.
struct EventStore {
  std::vector<trace::WarpEvent> events;
  std::vector<std::uint64_t> addresses;
  std::vector<std::uint8_t> source_lanes;
  std::uint64_t seen = 0;             // events of chosen blocks, kept or not
  std::int64_t bytes_left = 0;
  // Which warp took how many of a block's kept events in turn: for cutting the store where a smaller budget ends.
  struct Turn { std::uint32_t block; std::uint16_t warp; std::uint32_t events; };
  std::vector<Turn> turns;
  bool keep_turns = false;
};

struct EventSegment {
  std::unique_ptr<trace::WarpEvent[]> events;
  std::uint32_t capacity = 0, used = 0;
};

class Recorder {
 public:
  Recorder(std::size_t sites, std::size_t counters);

  EntryCounter* entries() { return entries_.data(); }
  void occurred(std::uint32_t site, std::uint32_t executed_lanes) {
    SiteCounter& counter = sites_[site];
    ++counter.occurrences;
    counter.executed_lanes += executed_lanes;
  }
  void branched(std::uint32_t site, std::uint32_t taken_lanes, bool divergent) {
    SiteCounter& counter = sites_[site];
    ++counter.occurrences;
    counter.executed_lanes += taken_lanes;
    counter.divergent += divergent;
  }

  // Counts one request; `executed` is not empty. Local addresses are the interleaved ones.
  void request(std::uint32_t site, trace::MemorySpace space, const AddressPattern& pattern,
               std::uint32_t executed, int width);

  // ---- events; only in Mode::events ----
  // Where what is kept goes, and whose budget it uses.
  void begin_events(EventStore& store);
  // Moves what the warps kept to the end of the store.
  void end_block(std::vector<Warp>& warps, EventStore& store);
  void event(Warp& warp, trace::EventKind kind, std::uint32_t site, std::uint32_t active,
             std::uint32_t executed, std::uint64_t number = 0);
  void shuffle_event(Warp& warp, std::uint32_t site, std::uint32_t active, std::uint32_t executed,
                     const std::uint8_t* source_lanes);
  void memory_event(Warp& warp, std::uint32_t site, trace::MemorySpace space, std::uint32_t active,
                    std::uint32_t executed, const AddressPattern& pattern);
  // A warp's turn is over: its share in the order of execution.
  void end_turn(Warp& warp);

  // Notices when this warp's event number `sequence` is about to happen; for a store without budget only.
  struct Watch { std::uint32_t warp = 0, sequence = 0; bool reached = false; };
  void watch(Watch* watch) { watch_ = watch; }
  bool watch_reached() const { return watch_ != nullptr && watch_->reached; }

  // Adds everything counted to `totals`, whose sites are parallel to `sites`. Call once.
  void add_to(trace::Totals& totals, const std::vector<trace::Site>& sites,
              const std::vector<std::uint32_t>& counter_of_site);

 private:
  trace::WarpEvent* next(Warp& warp, std::uint32_t side_bytes);
  void grow(Warp& warp);
  void settle(RequestCounter& counter);
  RequestCounter& counter_for(std::uint32_t site, trace::MemorySpace space);

  std::vector<EntryCounter> entries_;
  std::vector<SiteCounter> sites_;
  std::vector<RequestCounter> requests_;                 // by site: the first space it fell in
  std::vector<trace::MemorySpace> request_space_;
  struct Other { std::uint32_t site; trace::MemorySpace space; std::unique_ptr<RequestCounter> counter; };
  std::vector<Other> others_;                            // generic sites that fell in further spaces

  EventStore* store_ = nullptr;
  std::vector<EventSegment> spare_;                      // small ones, used again
  Watch* watch_ = nullptr;
  const LaneKernels& lanes_ = lane_kernels();
};

}  // namespace lanescope::sim
