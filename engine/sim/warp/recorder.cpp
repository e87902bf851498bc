#include "sim/warp/recorder.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "sim/warp/warp.h"

namespace lanescope::sim {

namespace {

using trace::EventKind;
using trace::MemorySpace;
using trace::WarpEvent;

// Small, so that the segments of a block's warps stay in the L1 cache.
constexpr std::size_t segment_events = 64;
// Bytes of segments that are kept for later blocks: enough for a block of 32 warps with some thousand events each.
constexpr std::size_t most_kept = std::size_t{8} << 20;

std::uint32_t lanes_in(std::uint32_t mask) {
  if (mask == ~0u) [[likely]]
    return 32;
  return static_cast<std::uint32_t>(LaneMask{mask}.count());
}

}  // namespace

Recorder::Recorder(const std::vector<trace::Site>& sites, std::size_t counters)
    : entries_(counters),
      sites_(sites.size()),
      requests_(sites.size()),
      request_space_(sites.size(), MemorySpace::none) {
  phases_.reserve(sites.size());
  for (const trace::Site& site : sites) phases_.push_back(metrics::phases_of(site));
}

// ---- counting ---------------------------------------------------------------------------------------

RequestCounter& Recorder::counter_for(std::uint32_t site, MemorySpace space) {
  if (request_space_[site] == MemorySpace::none) request_space_[site] = space;
  if (request_space_[site] == space) return requests_[site];
  for (Other& other : others_)
    if (other.site == site && other.space == space) return *other.counter;
  others_.push_back({site, space, std::make_unique<RequestCounter>()});
  return *others_.back().counter;
}

void Recorder::settle(RequestCounter& counter) {
  if (counter.hits == 0) return;
  const auto times = [&](std::uint32_t value) { return counter.hits * value; };
  trace::MemoryTotals& totals = counter.totals;
  totals.requests += counter.hits;
  totals.executed_lanes += times(static_cast<std::uint32_t>(LaneMask{counter.mask}.count()));
  totals.bytes_requested += times(counter.cost.bytes_requested);
  totals.sectors += times(counter.cost.sectors);
  totals.ideal_sectors += times(counter.cost.ideal_sectors);
  totals.wavefronts += times(counter.cost.wavefronts);
  totals.ideal_wavefronts += times(counter.cost.ideal_wavefronts);
  totals.serial_depth += times(counter.cost.serial_depth);
  counter.hits = 0;
}

bool Recorder::has_pattern(const RequestCounter& counter, const AddressPattern& pattern, std::uint32_t executed) const {
  if (counter.mask != executed || counter.affine != pattern.affine) return false;
  if (pattern.affine) return counter.stride == pattern.stride;
  if (pattern.halves && counter.halves)
    return counter.stride == pattern.stride && counter.apart == pattern.relative[16];
  return lanes_.same(pattern.relative, counter.irregular->relative.data(), executed);
}

RequestCounter& Recorder::request(std::uint32_t site, MemorySpace space, const AddressPattern& pattern,
                                  std::uint32_t executed, int width) {
  RequestCounter& counter = request_space_[site] == space ? requests_[site] : counter_for(site, space);
  const std::uint32_t phase = phase_of(space, pattern.first);
  const bool same = has_pattern(counter, pattern, executed);
  if (same && counter.phase == phase) {
    ++counter.hits;
    return counter;
  }
  settle(counter);
  ++counter.version;
  counter.hits = 1;
  counter.mask = executed;
  counter.phase = phase;
  counter.affine = pattern.affine;
  counter.halves = pattern.halves;
  if (!pattern.affine) counter.apart = pattern.relative[16];
  counter.stride = pattern.stride;
  const LaneMask lanes{executed};
  if (pattern.affine) {
    counter.cost = metrics::cost_in_affine(space, pattern.first, static_cast<std::int32_t>(pattern.stride), lanes,
                                           width, phases_[site]);
    return counter;
  }
  if (counter.irregular == nullptr) counter.irregular = std::make_unique<IrregularPattern>();
  IrregularPattern& irregular = *counter.irregular;
  if (!same) {
    std::copy_n(pattern.relative, 32, irregular.relative.begin());
    irregular.known = 0;
  }
  if ((irregular.known >> phase & 1u) == 0) {
    std::array<std::uint64_t, 32> addresses;
    for (std::size_t lane = 0; lane < 32; ++lane) addresses[lane] = pattern.first + pattern.relative[lane];
    irregular.costs[phase] = metrics::cost_in(space, addresses, lanes, width, phases_[site]);
    irregular.known |= 1u << phase;
  }
  counter.cost = irregular.costs[phase];
  return counter;
}

void Recorder::add_to(trace::Totals& totals, const std::vector<trace::Site>& sites,
                      const std::vector<std::uint32_t>& counter_of_site) {
  totals.sites.resize(sites.size());
  const auto add_requests = [&](std::uint32_t id, MemorySpace space, RequestCounter& counter) {
    settle(counter);
    const trace::Site& site = sites[id];
    const bool shared_side = site.operation == trace::Operation::async_copy && space == MemorySpace::shared;
    if (!trace::is_atomic(site.operation)) counter.totals.serial_depth = 0;
    trace::SiteTotals& of_site = totals.sites[id];
    (shared_side ? of_site.memory_shared_part : of_site.memory) += counter.totals;
    if (!shared_side) of_site.executed_lanes += counter.totals.executed_lanes;
    totals.of(trace::class_of(space, site.operation)) += counter.totals;
  };
  for (std::uint32_t id = 0; id < sites.size(); ++id) {
    const trace::Site& site = sites[id];
    trace::SiteTotals& of_site = totals.sites[id];
    const EntryCounter& entry = entries_[counter_of_site[id]];
    const SiteCounter& counter = sites_[id];
    of_site.executions += entry.entries;
    switch (site.kind) {
      case EventKind::block_entry:
        of_site.executed_lanes += entry.lanes;
        totals.warp_instructions += entry.entries * static_cast<std::uint64_t>(site.instruction_count);
        totals.lane_instructions += entry.lanes * static_cast<std::uint64_t>(site.instruction_count);
        continue;
      case EventKind::memory:
        if (request_space_[id] != MemorySpace::none) add_requests(id, request_space_[id], requests_[id]);
        continue;
      case EventKind::branch:
        totals.branches += counter.occurrences;
        totals.divergent_branches += counter.divergent;
        of_site.divergent += counter.divergent;
        break;
      case EventKind::barrier:
        totals.barriers += counter.occurrences;
        break;
      case EventKind::shuffle:
        totals.shuffles += counter.occurrences;
        break;
      case EventKind::vote:
        totals.votes += counter.occurrences;
        break;
      case EventKind::guarded:
        if (counter.occurrences == 0) of_site.executed_lanes += entry.lanes;  // without a guard
        break;
      case EventKind::matrix:
        break;
    }
    of_site.executed_lanes += counter.executed_lanes;
  }
  for (Other& other : others_) add_requests(other.site, other.space, *other.counter);
  take_unexecuted_from(totals, sites);
}

void Recorder::take_unexecuted_from(trace::Totals& totals, const std::vector<trace::Site>& sites) const {
  for (const Unexecuted& part : unexecuted_) {
    totals.warp_instructions -= part.instructions;
    totals.lane_instructions -= std::uint64_t{part.instructions} * part.lanes;
    for (std::size_t id = 0; id < sites.size(); ++id) {
      const trace::Site& site = sites[id];
      if (site.kind != EventKind::block_entry && site.function == part.function &&
          site.basic_block == part.basic_block && site.instruction >= part.first) {
        --totals.sites[id].executions;
        if (site.kind == EventKind::guarded && sites_[id].occurrences == 0)
          totals.sites[id].executed_lanes -= part.lanes;
      }
    }
  }
}

// ---- events -----------------------------------------------------------------------------------------

void EventStore::expect(std::uint64_t blocks) {
  const auto reserve = [&](auto& vector) {
    const std::uint64_t each = sizeof vector[0];
    const std::uint64_t most = static_cast<std::uint64_t>(std::max<std::int64_t>(budget, 0)) / each;
    // One eighth more, because blocks differ.
    vector.reserve(std::min(most, vector.size() * (1 + blocks + blocks / 8)));
  };
  reserve(events);
  reserve(addresses);
  reserve(source_lanes);
}

void Recorder::begin_events(EventStore& store) {
  store_ = &store;
}

void Recorder::grow(Warp& warp) {
  WarpEvent* segment = nullptr;
  if (spare_.empty()) {
    segment = reinterpret_cast<WarpEvent*>(segments_.take(segment_events * sizeof(WarpEvent)));
  } else {
    segment = spare_.back();
    spare_.pop_back();
  }
  ++segments_in_use_;
  warp.event_next = segment;
  warp.event_limit = segment + segment_events;
  warp.segments.push_back(segment);
}

WarpEvent* Recorder::next(Warp& warp, std::uint32_t side_bytes) {
  const auto bytes = static_cast<std::int64_t>(sizeof(WarpEvent) + side_bytes);
  if (store_->bytes_left < bytes || warp.event_next == warp.event_limit) [[unlikely]] {
    if (store_->bytes_left < bytes) {
      store_->bytes_left = -1;  // no later event is kept, even if it were small enough
      ++warp.sequence;
      return nullptr;
    }
    grow(warp);
  }
  store_->bytes_left -= bytes;
  WarpEvent* event = warp.event_next++;
  event->sequence = warp.sequence++;
  event->block = warp.block;
  event->warp = static_cast<std::uint16_t>(warp.index);
  return event;
}

// Reports the event that next() just counted and did not keep.
void Recorder::tell(const Warp& warp, Heard event) {
  event.block = warp.block;
  event.warp = warp.index;
  event.sequence = warp.sequence - 1;
  if (watch_ != nullptr && watch_->block == event.block && watch_->warp == event.warp &&
      watch_->sequence == event.sequence) {
    watch_->reached = true;
    watch_->event = event;
    watch_->event.pattern = nullptr;
    if (event.pattern != nullptr)
      LaneMask{event.executed}.for_each([&](int lane) {
        watch_->addresses[static_cast<std::size_t>(lane)] = address_of(*event.pattern, event.executed, lane);
      });
    return;  // the event itself is not executed
  }
  if (listener_ != nullptr) listener_->hear(event);
}

void Recorder::event(Warp& warp, EventKind kind, std::uint32_t site, std::uint32_t active, std::uint32_t executed,
                     std::uint64_t number) {
  WarpEvent* event = next(warp, 0);
  if (event == nullptr) return tell(warp, {kind, MemorySpace::none, site, 0, 0, 0, active, executed, nullptr});
  event->site = site;
  event->kind = kind;
  event->space = MemorySpace::none;
  event->active = {active};
  event->executed = {executed};
  event->stride = 0;
  event->side = WarpEvent::no_side;
  event->first_address = number;
}

void Recorder::shuffle_event(Warp& warp, std::uint32_t site, std::uint32_t active, std::uint32_t executed,
                             const std::uint8_t* source_lanes) {
  const std::uint32_t count = lanes_in(executed);
  WarpEvent* event = next(warp, count);
  if (event == nullptr)
    return tell(warp, {EventKind::shuffle, MemorySpace::none, site, 0, 0, 0, active, executed, nullptr});
  event->site = site;
  event->kind = EventKind::shuffle;
  event->space = MemorySpace::none;
  event->active = {active};
  event->executed = {executed};
  event->stride = 0;
  event->side = static_cast<std::uint32_t>(store_->source_lanes.size());
  event->first_address = 0;
  LaneMask{executed}.for_each([&](int lane) { store_->source_lanes.push_back(source_lanes[lane]); });
}

void Recorder::memory_event(Warp& warp, std::uint32_t site, MemorySpace space, std::uint32_t active,
                            std::uint32_t executed, const AddressPattern& pattern, RequestCounter& counter) {
  std::uint32_t count = 0;
  if (!pattern.affine) count = lanes_in(executed);
  WarpEvent* event = next(warp, count * 8);
  if (event == nullptr) return tell(warp, {EventKind::memory, space, site, 0, 0, 0, active, executed, &pattern});
  event->site = site;
  event->kind = EventKind::memory;
  event->space = space;
  event->active = {active};
  event->executed = {executed};
  event->first_address = pattern.first;
  if (pattern.affine) {
    event->stride = static_cast<std::int32_t>(pattern.stride);
    event->side = WarpEvent::no_side;
    return;
  }
  event->stride = 0;
  if (warp.index >= counter.kept.size()) counter.kept.resize(warp.index + 1);
  RequestCounter::Kept& kept = counter.kept[warp.index];
  // A counter's versions start at 1, so a new Kept does not match.
  if (kept.version == counter.version && kept.block == warp.block && kept.first == pattern.first) {
    event->side = kept.side;
    return;
  }
  event->side = keep_addresses(pattern, executed, count);
  kept = {pattern.first, counter.version, warp.block, event->side};
}

void Recorder::failed_access_event(Warp& warp, std::uint32_t site, MemorySpace space, std::uint32_t active,
                                   std::uint32_t executed, const AddressPattern& pattern) {
  RequestCounter alone;  // shares no addresses with an earlier event
  alone.version = 1;
  Listener* const listener = std::exchange(listener_, nullptr);  // which is told of what happens
  memory_event(warp, site, space, active, executed, pattern, alone);
  listener_ = listener;
}

std::uint32_t Recorder::keep_addresses(const AddressPattern& pattern, std::uint32_t executed, std::uint32_t count) {
  BulkVector<std::uint64_t>& addresses = store_->addresses;
  const std::size_t at = addresses.size();
  make_room(addresses, at + count, store_->budget);
  addresses.resize(at + count);
  std::uint64_t* to = addresses.data() + at;
  if (count == 32) {
    for (int lane = 0; lane < 32; ++lane) to[lane] = pattern.first + pattern.relative[lane];
  } else {
    LaneMask{executed}.for_each([&](int lane) { *to++ = pattern.first + pattern.relative[lane]; });
  }
  return static_cast<std::uint32_t>(at);
}

namespace {

std::size_t in_last_segment(const Warp& warp) {
  return segment_events - static_cast<std::size_t>(warp.event_limit - warp.event_next);
}

}  // namespace

std::size_t Recorder::kept_by(const std::vector<Warp>& warps) {
  std::size_t kept = 0;
  for (const Warp& warp : warps)
    if (!warp.segments.empty()) kept += (warp.segments.size() - 1) * segment_events + in_last_segment(warp);
  return kept;
}

void Recorder::end_block(std::vector<Warp>& warps, EventStore& store) {
  for (const Warp& warp : warps) store.seen += warp.sequence;
  make_room(store.events, store.events.size() + kept_by(warps), store.budget);
  for (Warp& warp : warps) {
    for (WarpEvent* const segment : warp.segments) {
      const bool last = segment == warp.segments.back();
      const std::size_t at = store.events.size(), used = last ? in_last_segment(warp) : segment_events;
      store.events.resize(at + used);
      std::memcpy(store.events.data() + at, segment, used * sizeof(WarpEvent));
    }
    spare_.insert(spare_.end(), warp.segments.rbegin(), warp.segments.rend());
    segments_in_use_ -= warp.segments.size();
    warp.segments.clear();
    warp.event_next = warp.event_limit = nullptr;
  }
  if (segments_in_use_ != 0 || segments_.bytes() <= most_kept) return;
  spare_.clear();
  segments_.clear();
}

}  // namespace lanescope::sim
