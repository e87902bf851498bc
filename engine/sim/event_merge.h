#pragma once
// Merges the events of consecutive runs of blocks into one trace.

#include <cstdint>
#include <mutex>
#include <vector>

#include "sim/helper_threads.h"
#include "sim/warp/recorder.h"

namespace lanescope::sim {

// Appends the stores of `count` chunks to the trace's events, in the order of chunks, no matter which is complete
// first. A store whose position is known is copied immediately, while other chunks still run, and its memory is reused.
class EventMerge {
 public:
  EventMerge(trace::Trace& trace, std::size_t count) : trace_(trace), stores_(count), done_(count, false) {}

  // take() gives an empty store; put() takes a chunk's complete store. Both may be called from any thread.
  EventStore take();
  void put(std::size_t chunk, EventStore store);

  // Call after all stores have been put, from one thread.
  void finish(HelperThreads& helpers);
  std::uint64_t seen() const { return seen_; }  // Σ EventStore::seen

 private:
  // The sizes of the three arrays, or a position in them.
  struct Extent {
    std::size_t events = 0, addresses = 0, lanes = 0;
  };
  Extent end_after(const EventStore& store) const;
  bool has_room(Extent end) const;
  void resize(Extent end);
  Extent extent() const { return {trace_.events.size(), trace_.addresses.size(), trace_.source_lanes.size()}; }
  void copy(Extent at, const EventStore& store);

  trace::Trace& trace_;
  std::mutex mutex_;                // protects all members below, and the sizes of the trace's arrays
  std::vector<EventStore> stores_;  // by chunk: those that wait for an earlier one
  std::vector<bool> done_;
  std::vector<EventStore> spare_;
  std::size_t next_ = 0;  // the first chunk without a position
  std::uint64_t seen_ = 0;
};

}  // namespace lanescope::sim
