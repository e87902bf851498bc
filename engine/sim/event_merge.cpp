#include "sim/event_merge.h"

#include <atomic>
#include <cstring>
#include <thread>

namespace lanescope::sim {

namespace {

using trace::EventKind;
using trace::WarpEvent;

// Sizes of the three arrays, or a place in them.
struct Extent {
  std::size_t events = 0, addresses = 0, lanes = 0;
};

// Writes a store's arrays from `at` on, and frees them.
void move_store(trace::Trace& trace, Extent at, EventStore& store) {
  const auto copy = [](auto* to, const auto& from) {
    if (!from.empty()) std::memcpy(to, from.data(), from.size() * sizeof from[0]);
  };
  WarpEvent* const events = trace.events.data() + at.events;
  copy(events, store.events);
  copy(trace.addresses.data() + at.addresses, store.addresses);
  copy(trace.source_lanes.data() + at.lanes, store.source_lanes);
  if (!store.addresses.empty() || !store.source_lanes.empty()) {
    for (WarpEvent* event = events; event != events + store.events.size(); ++event)
      if (event->side != WarpEvent::no_side)
        event->side += static_cast<std::uint32_t>(event->kind == EventKind::shuffle ? at.lanes : at.addresses);
  }
  store.events = {};
  store.addresses = {};
  store.source_lanes = {};
}

}  // namespace

void append_events(trace::Trace& trace, std::span<EventStore* const> stores, int threads) {
  Extent end{trace.events.size(), trace.addresses.size(), trace.source_lanes.size()};
  std::vector<Extent> places;
  for (const EventStore* store : stores) {
    places.push_back(end);
    end.events += store->events.size();
    end.addresses += store->addresses.size();
    end.lanes += store->source_lanes.size();
  }
  trace.events.resize(end.events);
  trace.addresses.resize(end.addresses);
  trace.source_lanes.resize(end.lanes);
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i; (i = next++) < stores.size();) move_store(trace, places[i], *stores[i]);
  };
  constexpr std::size_t worth_threads = 100'000;  // events
  std::vector<std::thread> others;
  for (int i = 1; i < threads && end.events > worth_threads; ++i) others.emplace_back(work);
  work();
  for (std::thread& other : others) other.join();
}

}  // namespace lanescope::sim
