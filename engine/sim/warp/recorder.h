#pragma once
// Counts and keeps events while a worker runs blocks.
//
// Counting: one entry counter per basic block, one counter per site. While a site repeats its pattern, the cost of a
// memory request is looked up, not computed. Costs depend only on the spacing of the addresses and on the position of
// the first one in its sector (for shared memory, in its word). So for an equal pattern only a hit count is
// incremented.
//
// Keeping: a warp appends its events to its own segments. When its block ends, they are copied after those of earlier
// blocks, in the order of warps. Once an event does not fit in the remaining budget, no later one is kept. "Later"
// means the order of execution: block by block, and within a block in the order of the warps' turns.

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "core/lane_mask.h"
#include "metrics/request_cost.h"
#include "sim/alu/lanes.h"
#include "sim/memory/slabs.h"
#include "trace/trace.h"

namespace lanescope::sim {

struct Warp;
class Worker;

// totals: counts only. events: also keeps the events of the running block.
enum class Mode : std::uint8_t { plain, totals, events };

// Entries into a basic block, and their active lanes. Every mode counts these.
struct EntryCounter {
  std::uint64_t entries = 0;
  std::uint64_t lanes = 0;
};

struct SiteCounter {
  std::uint64_t occurrences = 0;     // with at least one executed lane (branches: all)
  std::uint64_t executed_lanes = 0;  // branches: lanes that took it
  std::uint64_t divergent = 0;
};

// Instructions at the end of an entered basic block that a warp did not reach before the launch was stopped.
struct Unexecuted {
  std::int32_t function = 0;
  std::int32_t basic_block = 0;
  std::int32_t first = 0;  // instruction, in the function
  std::uint32_t instructions = 0;
  std::uint32_t lanes = 0;
};

// Lanes' addresses that are not affine, and their costs by phase (recorder.cpp). A loop along the rows of a matrix
// shifts one such pattern by an element each time, so its costs come again with the same phases.
struct IrregularPattern {
  std::array<std::uint64_t, 32> relative{};  // lane → address − first, for executed lanes
  std::array<metrics::RequestCost, MemoryModel::sector_bytes> costs;
  std::uint32_t known = 0;  // phases whose cost is there
};

// The requests of a memory site in one space. Requests with the same pattern are counted in `hits` until another
// pattern comes.
struct RequestCounter {
  std::uint64_t hits = 0;
  std::int64_t stride = 0;
  std::uint32_t mask = 0;  // 0: no pattern yet
  std::uint32_t phase = 0;
  bool affine = false, halves = false;  // as in AddressPattern
  std::uint64_t apart = 0;              // if halves: of the first addresses of both
  metrics::RequestCost cost;
  trace::MemoryTotals totals;                   // without the hits
  std::unique_ptr<IrregularPattern> irregular;  // the latest pattern that was not affine

  // Where the addresses of a warp's last event at this site are, so that equal ones in the same block are stored once.
  struct alignas(32) Kept {
    std::uint64_t first = 0;
    std::uint32_t version = 0, block = 0, side = 0;
  };
  std::vector<Kept> kept;     // by warp
  std::uint32_t version = 0;  // of the pattern: incremented with each change
};

// The events of consecutive blocks. Addresses and source lanes are in the order in which they were kept, block by
// block. Events of one block may share addresses.
struct EventStore {
  BulkVector<trace::WarpEvent> events;
  BulkVector<std::uint64_t> addresses;
  BulkVector<std::uint8_t> source_lanes;
  std::uint64_t seen = 0;       // events of chosen blocks, kept or not
  std::int64_t budget = 0;      // in bytes; each event counts in full, even if it shares addresses
  std::int64_t bytes_left = 0;  // of the budget; −1 after an event did not fit

  void limit_to(std::int64_t bytes) { budget = bytes_left = bytes; }
  // Reserves space for `blocks` more blocks, assuming that they are like those before.
  void expect(std::uint64_t blocks);
};
// Reserves space for `count` elements in total. A vector that comes near the number that `budget` bytes can hold gets
// all of it at once, because untouched memory costs nothing but moving elements does.
template <typename T>
void make_room(BulkVector<T>& vector, std::size_t count, std::int64_t budget) {
  if (count <= vector.capacity()) return;
  constexpr std::int64_t most = std::int64_t{1} << 30;
  std::size_t wanted = std::max(count, vector.capacity() * 2);
  const std::size_t whole = static_cast<std::size_t>(std::max<std::int64_t>(budget, 0)) / sizeof(T);
  if (budget <= most && wanted > whole / 4) wanted = std::max(count, whole);
  vector.reserve(wanted);
}

class Recorder {
 public:
  Recorder(const std::vector<trace::Site>& sites, std::size_t counters);

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

  // Counts one request; `executed` is not empty. Local addresses are the interleaved ones. Returns the counter that
  // counted it.
  RequestCounter& request(std::uint32_t site, trace::MemorySpace space, const AddressPattern& pattern,
                          std::uint32_t executed, int width);

  // Does what request() does, if the site repeats its pattern. Else returns nullptr.
  [[gnu::always_inline]] RequestCounter* repeat(std::uint32_t site, trace::MemorySpace space,
                                                const AddressPattern& pattern, std::uint32_t executed) {
    RequestCounter& counter = requests_[site];
    if (request_space_[site] != space || counter.mask != executed || counter.stride != pattern.stride ||
        counter.phase != phase_of(space, pattern.first) || counter.affine != pattern.affine)
      return nullptr;
    if (!pattern.affine && !(pattern.halves && counter.halves && counter.apart == pattern.relative[16])) return nullptr;
    ++counter.hits;
    return &counter;
  }

  // ---- events; only in Mode::events ----
  // Sets the store for kept events, whose budget is used.
  void begin_events(EventStore& store);
  // The number of events that the warps of a block have kept.
  static std::size_t kept_by(const std::vector<Warp>& warps);
  // Moves the events that the warps kept to the end of the store.
  void end_block(std::vector<Warp>& warps, EventStore& store);
  void event(Warp& warp, trace::EventKind kind, std::uint32_t site, std::uint32_t active, std::uint32_t executed,
             std::uint64_t number = 0);
  void shuffle_event(Warp& warp, std::uint32_t site, std::uint32_t active, std::uint32_t executed,
                     const std::uint8_t* source_lanes);
  // Call it directly after request(), with the counter that request() returned.
  void memory_event(Warp& warp, std::uint32_t site, trace::MemorySpace space, std::uint32_t active,
                    std::uint32_t executed, const AddressPattern& pattern, RequestCounter& counter);
  // Does the same if there is room and no address needs to be stored. Else returns false. (worker_memory.cpp)
  bool repeat_event(Warp& warp, std::uint32_t site, trace::MemorySpace space, std::uint32_t active,
                    std::uint32_t executed, const AddressPattern& pattern, const RequestCounter& counter);
  // An access that failed, and that request() therefore did not count.
  void failed_access_event(Warp& warp, std::uint32_t site, trace::MemorySpace space, std::uint32_t active,
                           std::uint32_t executed, const AddressPattern& pattern);

  // ---- only for a store without a budget, which keeps nothing ----
  struct Heard {
    trace::EventKind kind{};
    trace::MemorySpace space{};
    std::uint32_t site = 0, block = 0, warp = 0, sequence = 0;
    std::uint32_t active = 0, executed = 0;
    const AddressPattern* pattern = nullptr;  // of the executed lanes; null if it is not a memory access
  };
  class Listener {
   public:
    virtual ~Listener() = default;
    virtual void hear(const Heard& event) = 0;
  };
  void listen(Listener* listener) { listener_ = listener; }
  // Detects that event number `sequence` of this warp is about to happen.
  struct Watch {
    std::uint32_t block = 0, warp = 0, sequence = 0;
    bool reached = false;
    // Set when reached. Its pattern is not set; the addresses are in `addresses`, by lane.
    Heard event;
    std::array<std::uint64_t, 32> addresses{};
    std::function<void(Worker&)> arrived;  // called then, with the warp just before the event; may be empty
  };
  void watch(Watch* watch) { watch_ = watch; }
  Watch* watched() { return watch_; }
  bool watch_reached() const { return watch_ != nullptr && watch_->reached; }

  void not_executed(const Unexecuted& part) { unexecuted_.push_back(part); }
  const std::vector<Unexecuted>& unexecuted() const { return unexecuted_; }

  // Adds all counts to `totals`, whose sites are parallel to `sites`. Call once.
  void add_to(trace::Totals& totals, const std::vector<trace::Site>& sites,
              const std::vector<std::uint32_t>& counter_of_site);

 private:
  // The part of the first address that affects a cost. Shifting all addresses by whole sectors does not change it; for
  // banks, shifting by whole words only rotates the banks.
  static std::uint32_t phase_of(trace::MemorySpace space, std::uint64_t first) {
    const int bytes = space == trace::MemorySpace::shared ? MemoryModel::bank_bytes : MemoryModel::sector_bytes;
    return static_cast<std::uint32_t>(first) & static_cast<std::uint32_t>(bytes - 1);
  }
  trace::WarpEvent* next(Warp& warp, std::uint32_t side_bytes);
  void tell(const Warp& warp, Heard event);
  void grow(Warp& warp);
  void take_unexecuted_from(trace::Totals& totals, const std::vector<trace::Site>& sites) const;
  std::uint32_t keep_addresses(const AddressPattern& pattern, std::uint32_t executed, std::uint32_t count);
  bool has_pattern(const RequestCounter& counter, const AddressPattern& pattern, std::uint32_t executed) const;
  void settle(RequestCounter& counter);
  RequestCounter& counter_for(std::uint32_t site, trace::MemorySpace space);

  std::vector<EntryCounter> entries_;
  std::vector<SiteCounter> sites_;
  std::vector<RequestCounter> requests_;  // by site: the first space that it accessed
  std::vector<trace::MemorySpace> request_space_;
  std::vector<metrics::Phases> phases_;  // by site
  struct Other {
    std::uint32_t site;
    trace::MemorySpace space;
    std::unique_ptr<RequestCounter> counter;
  };
  std::vector<Other> others_;  // generic sites that accessed more spaces

  std::vector<Unexecuted> unexecuted_;

  EventStore* store_ = nullptr;
  Slabs segments_;  // in which warps keep their events
  std::size_t segments_in_use_ = 0;
  std::vector<trace::WarpEvent*> spare_;  // segments to reuse
  Watch* watch_ = nullptr;
  Listener* listener_ = nullptr;
  const LaneKernels& lanes_ = lane_kernels();
};

}  // namespace lanescope::sim
