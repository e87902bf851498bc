#pragma once
// Joining the events of consecutive runs of blocks into one trace.

#include <cstdint>
#include <mutex>
#include <vector>

#include "sim/helper_threads.h"
#include "sim/warp/recorder.h"

namespace lanescope::sim {

// Puts the stores of `count` chunks behind the trace's events, in the order of chunks, whichever is done first. A store
// whose place is known is copied at once, while other chunks still run, and its memory used again.
class EventMerge {
 public:
  EventMerge(trace::Trace& trace, std::size_t count) : trace_(trace), stores_(count), done_(count, false) {}

  // From any thread: an empty store; a chunk's store, complete.
  EventStore take();
  void put(std::size_t chunk, EventStore store);

  // After all have been put, from one thread.
  void finish(HelperThreads& helpers);
  std::uint64_t seen() const { return seen_; }  // Σ EventStore::seen

 private:
  // Sizes of the three arrays, or a place in them.
  struct Extent {
    std::size_t events = 0, addresses = 0, lanes = 0;
  };
  Extent end_after(const EventStore& store) const;
  bool has_room(Extent end) const;
  void resize(Extent end);
  Extent extent() const { return {trace_.events.size(), trace_.addresses.size(), trace_.source_lanes.size()}; }
  void copy(Extent at, const EventStore& store);

  trace::Trace& trace_;
  std::mutex mutex_;                // of all below, and of the sizes of the trace's arrays
  std::vector<EventStore> stores_;  // by chunk: those that wait for one before them
  std::vector<bool> done_;
  std::vector<EventStore> spare_;
  std::size_t next_ = 0;  // the first chunk without a place
  std::uint64_t seen_ = 0;
};

}  // namespace lanescope::sim
