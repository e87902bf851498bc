#include "sim/event_merge.h"

#include <algorithm>
#include <bit>

namespace lanescope::sim {

namespace {

using trace::EventKind;
using trace::WarpEvent;

std::int64_t bytes_of(const WarpEvent& event) {
  std::int64_t bytes = sizeof(WarpEvent);
  if (event.side != WarpEvent::no_side)
    bytes += std::popcount(event.executed.bits) * (event.kind == EventKind::shuffle ? 1 : 8);
  return bytes;
}

// Copies events [first, last) and their side data.
class Appender {
 public:
  Appender(trace::Trace& trace, const EventStore& from) : trace_(trace), from_(from) {}
  void append(std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      WarpEvent event = from_.events[i];
      if (event.side != WarpEvent::no_side) {
        const auto count = static_cast<std::size_t>(std::popcount(event.executed.bits));
        const bool lanes = event.kind == EventKind::shuffle;
        const std::size_t at = event.side;
        if (lanes) {
          event.side = static_cast<std::uint32_t>(trace_.source_lanes.size());
          const auto* begin = from_.source_lanes.data() + at;
          trace_.source_lanes.insert(trace_.source_lanes.end(), begin, begin + count);
        } else {
          event.side = static_cast<std::uint32_t>(trace_.addresses.size());
          const auto* begin = from_.addresses.data() + at;
          trace_.addresses.insert(trace_.addresses.end(), begin, begin + count);
        }
      }
      trace_.events.push_back(event);
    }
  }

 private:
  trace::Trace& trace_;
  const EventStore& from_;
};

void release(EventStore& store) {
  store.events = {};
  store.addresses = {};
  store.source_lanes = {};
  store.turns = {};
}

}  // namespace

void append_events(trace::Trace& trace, EventStore& from, std::int64_t& bytes_left) {
  if (bytes_left < 0) return release(from);
  const bool cut = from.bytes_left < 0;  // it reached a limit of its own, which was no smaller
  std::int64_t needed = 0;
  for (const WarpEvent& event : from.events) needed += bytes_of(event);
  if (needed <= bytes_left) {
    if (trace.events.empty()) {
      trace.events = std::move(from.events);
      trace.addresses = std::move(from.addresses);
      trace.source_lanes = std::move(from.source_lanes);
    } else {
      Appender(trace, from).append(0, from.events.size());
    }
    bytes_left = cut ? -1 : bytes_left - needed;
    return release(from);
  }
  // Block by block; the one that does not fit ends where the execution had come when the room was used up.
  Appender appender(trace, from);
  std::size_t first = 0, turn = 0;
  while (bytes_left >= 0 && turn < from.turns.size()) {
    std::size_t last = first, end_turn = turn;
    std::int64_t block_bytes = 0;
    const std::uint32_t block = from.turns[turn].block;
    std::uint16_t warps = 0;
    for (; end_turn < from.turns.size() && from.turns[end_turn].block == block; ++end_turn) {
      last += from.turns[end_turn].events;
      warps = std::max<std::uint16_t>(warps, static_cast<std::uint16_t>(from.turns[end_turn].warp + 1));
    }
    for (std::size_t i = first; i < last; ++i) block_bytes += bytes_of(from.events[i]);
    if (block_bytes <= bytes_left) {
      appender.append(first, last);
      bytes_left -= block_bytes;
    } else {
      std::vector<std::size_t> begin(warps), kept(warps, 0);
      std::size_t at = first;
      for (std::size_t warp = 0; warp < warps; ++warp) {
        begin[warp] = at;
        while (at < last && from.events[at].warp == warp) ++at;
      }
      for (std::size_t t = turn; t < end_turn && bytes_left >= 0; ++t)
        for (std::uint32_t i = 0; i < from.turns[t].events; ++i) {
          const std::size_t warp = from.turns[t].warp;
          const std::int64_t bytes = bytes_of(from.events[begin[warp] + kept[warp]]);
          if (bytes > bytes_left) {
            bytes_left = -1;
            break;
          }
          bytes_left -= bytes;
          ++kept[warp];
        }
      for (std::size_t warp = 0; warp < warps; ++warp)
        appender.append(begin[warp], begin[warp] + kept[warp]);
      bytes_left = -1;
    }
    first = last;
    turn = end_turn;
  }
  bytes_left = -1;
  release(from);
}

}  // namespace lanescope::sim
