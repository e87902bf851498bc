#include "sim/event_merge.h"

#include <atomic>
#include <cstring>

#include "core/os/eager_lock.h"

namespace lanescope::sim {

using trace::EventKind;
using trace::WarpEvent;

EventStore EventMerge::take() {
  const EagerLock lock(mutex_);
  if (spare_.empty()) return {};
  EventStore store = std::move(spare_.back());
  spare_.pop_back();
  return store;
}

EventMerge::Extent EventMerge::end_after(const EventStore& store) const {
  const Extent begin = extent();
  return {begin.events + store.events.size(), begin.addresses + store.addresses.size(),
          begin.lanes + store.source_lanes.size()};
}

bool EventMerge::has_room(Extent end) const {
  return end.events <= trace_.events.capacity() && end.addresses <= trace_.addresses.capacity() &&
         end.lanes <= trace_.source_lanes.capacity();
}

void EventMerge::resize(Extent end) {
  trace_.events.resize(end.events);
  trace_.addresses.resize(end.addresses);
  trace_.source_lanes.resize(end.lanes);
}

void EventMerge::copy(Extent at, const EventStore& store) {
  const auto write = [](auto* to, const auto& from) {
    if (!from.empty()) std::memcpy(to, from.data(), from.size() * sizeof from[0]);
  };
  WarpEvent* const events = trace_.events.data() + at.events;
  write(events, store.events);
  write(trace_.addresses.data() + at.addresses, store.addresses);
  write(trace_.source_lanes.data() + at.lanes, store.source_lanes);
  if (store.addresses.empty() && store.source_lanes.empty()) return;
  for (WarpEvent* event = events; event != events + store.events.size(); ++event)
    if (event->side != WarpEvent::no_side)
      event->side += static_cast<std::uint32_t>(event->kind == EventKind::shuffle ? at.lanes : at.addresses);
}

void EventMerge::put(std::size_t chunk, EventStore store) {
  struct Placed {
    Extent at;
    EventStore store;
  };
  std::vector<Placed> placed;
  {
    const EagerLock lock(mutex_);
    seen_ += store.seen;
    stores_[chunk] = std::move(store);
    done_[chunk] = true;
    // Only while the arrays need not move, because other threads may be writing to them.
    while (next_ < stores_.size() && done_[next_] && has_room(end_after(stores_[next_]))) {
      const Extent at = extent();
      resize(end_after(stores_[next_]));
      placed.push_back({at, std::move(stores_[next_])});
      ++next_;
    }
  }
  for (const Placed& one : placed) copy(one.at, one.store);
  const EagerLock lock(mutex_);
  for (Placed& one : placed) {
    one.store.events.clear();
    one.store.addresses.clear();
    one.store.source_lanes.clear();
    one.store.seen = 0;
    spare_.push_back(std::move(one.store));
  }
}

void EventMerge::finish(HelperThreads& helpers) {
  spare_.clear();
  const std::size_t first = next_;
  std::vector<Extent> places;
  Extent end = extent();
  for (std::size_t i = first; i < stores_.size(); ++i) {
    places.push_back(end);
    end.events += stores_[i].events.size();
    end.addresses += stores_[i].addresses.size();
    end.lanes += stores_[i].source_lanes.size();
  }
  const std::size_t events_before = trace_.events.size();
  resize(end);
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i; (i = next++) < places.size();) {
      copy(places[i], stores_[first + i]);
      stores_[first + i] = {};
    }
  };
  constexpr std::size_t worth_threads = 100'000;  // events
  if (end.events - events_before > worth_threads)
    helpers.run([&](int) { work(); });
  else
    work();
  next_ = stores_.size();
}

}  // namespace lanescope::sim
