// Loads and stores of the running warp.

#include <algorithm>
#include <cassert>
#include <cstring>

#include "sim/memory/address_space.h"
#include "sim/warp/lane_addresses.h"
#include "sim/warp/worker.h"

namespace lanescope::sim {

using trace::MemorySpace;

[[gnu::always_inline]] inline bool Recorder::repeat_event(Warp& warp, std::uint32_t site, MemorySpace space,
                                                          std::uint32_t active, std::uint32_t executed,
                                                          const AddressPattern& pattern,
                                                          const RequestCounter& counter) {
  std::uint32_t side = trace::WarpEvent::no_side;
  std::int64_t bytes = sizeof(trace::WarpEvent);
  if (!pattern.affine) {  // two halves of a whole warp, as repeat() knows
    assert(executed == ~0u);
    if (warp.index >= counter.kept.size()) return false;
    const RequestCounter::Kept& kept = counter.kept[warp.index];
    if (kept.version != counter.version || kept.block != warp.block || kept.first != pattern.first) return false;
    side = kept.side;
    bytes += 8 * MemoryModel::lanes;
  }
  if (store_->bytes_left < bytes || warp.event_next == warp.event_limit) return false;
  store_->bytes_left -= bytes;
  trace::WarpEvent& event = *warp.event_next++;
  event.site = site;
  event.block = warp.block;
  event.warp = static_cast<std::uint16_t>(warp.index);
  event.kind = trace::EventKind::memory;
  event.space = space;
  event.sequence = warp.sequence++;
  event.active = {active};
  event.executed = {executed};
  event.stride = pattern.affine ? static_cast<std::int32_t>(pattern.stride) : 0;
  event.side = side;
  event.first_address = pattern.first;
  return true;
}

template <Mode mode>
[[gnu::noinline]] bool Worker::record_new(std::uint32_t site, MemorySpace space, std::uint32_t active,
                                          std::uint32_t executed, const AddressPattern& pattern, int width) {
  RequestCounter& counter = recorder_.request(site, space, pattern, executed, width);
  if constexpr (mode == Mode::events) {
    recorder_.memory_event(*warp_, site, space, active, executed, pattern, counter);
    if (recorder_.watch_reached()) return false;
  }
  return true;
}

// Records a request that repeat() counted.
[[gnu::noinline]] bool Worker::record_counted(std::uint32_t site, MemorySpace space, std::uint32_t active,
                                              std::uint32_t executed, const AddressPattern& pattern,
                                              RequestCounter& counter) {
  recorder_.memory_event(*warp_, site, space, active, executed, pattern, counter);
  return !recorder_.watch_reached();
}

template <Mode mode>
[[gnu::always_inline]] inline bool Worker::record_inline(std::uint32_t site, MemorySpace space, std::uint32_t active,
                                                         std::uint32_t executed, const AddressPattern& pattern,
                                                         int width) {
  if constexpr (mode == Mode::plain) return true;
  RequestCounter* const counter = recorder_.repeat(site, space, pattern, executed);
  if (counter == nullptr) [[unlikely]]
    return record_new<mode>(site, space, active, executed, pattern, width);
  if constexpr (mode == Mode::totals) return true;
  if (recorder_.repeat_event(*warp_, site, space, active, executed, pattern, *counter)) [[likely]]
    return true;
  return record_counted(site, space, active, executed, pattern, *counter);
}

template <Mode mode>
bool Worker::record(std::uint32_t site, MemorySpace space, std::uint32_t active, std::uint32_t executed,
                    const AddressPattern& pattern, int width) {
  return record_inline<mode>(site, space, active, executed, pattern, width);
}

template <Mode mode>
bool Worker::access(const MemoryOp& memory, std::uint32_t active, std::uint32_t executed) {
  find_pattern(memory, executed);
  switch (memory.space) {
    case ptx::Space::global:
      return access_global<mode>(memory, active, executed, false);
    case ptx::Space::constant:
      return access_global<mode>(memory, active, executed, true);
    case ptx::Space::shared:
      return access_shared<mode>(memory, active, executed);
    case ptx::Space::local:
      return access_local<mode>(memory, active, executed);
    case ptx::Space::param:
      return access_parameters<mode>(memory, active, executed);
    default:
      return access_generic<mode>(memory, active, executed);
  }
}

// Whether the warp may access these bytes of the block's shared memory; marks what it writes.
[[gnu::always_inline]] inline bool Worker::check_own_shared(const MemoryOp& memory, WrittenMap& map, bool range,
                                                            std::uint32_t executed) {
  if (map.complete()) return true;
  const AddressPattern& pattern = *pattern_;
  const std::uint64_t bytes = std::uint64_t{32} * memory.width;
  // A whole warp stores to the 64 bytes of each word of the map.
  if (range && memory.operation == trace::Operation::store && pattern.low % 64 == 0 && bytes >= 128 &&
      recorder_.watched() == nullptr) {
    map.mark_of_warp(pattern.low, bytes);
    return true;
  }
  return check_written(memory, MemorySpace::shared, map, 0, 0, pattern, executed);
}

// The most frequent case: a simple access to global memory or to shared memory that no other block can access. A whole
// warp with adjacent addresses has the shortest way.
template <Mode mode>
[[gnu::noinline]] bool Worker::access_simple(const MemoryOp& memory, std::uint32_t active, std::uint32_t executed) {
  find_pattern(memory, executed);
  const AddressPattern& pattern = *pattern_;
  const std::uint64_t width = memory.width;
  const bool range = is_range(pattern, executed, width);
  std::byte* const value = registers_ + memory.value[0];
  if (memory.space == ptx::Space::shared) {
    BlockState& block = *block_;
    if (!block.cluster.empty()) [[unlikely]]
      return access_shared<mode>(memory, active, executed);
    const std::uint64_t bytes = context_.shared_bytes;
    if (bytes < width || pattern.high > bytes - width || ((pattern.first | pattern.bits) & (width - 1)) != 0)
      return access_shared_of_block<mode>(memory, active, executed);
    if (!check_own_shared(memory, block.shared_written, range, executed))
      return failed_access<mode>(memory, MemorySpace::shared, active, executed, pattern);
    if (!record_inline<mode>(memory.site, MemorySpace::shared, active, executed, pattern, memory.width)) return false;
    std::byte* const host = block.shared.data();
    if (range) return memory.move_range(value, host + pattern.first);
    if (memory.operation == trace::Operation::load)
      memory.load(value, reinterpret_cast<std::uintptr_t>(host), pattern, executed);
    else
      memory.store(value, reinterpret_cast<std::uintptr_t>(host), pattern, executed);
    return true;
  }
  Reach& reach = reaches_[memory.site];
  if (!range || !reach.easy || (pattern.first & (width - 1)) != 0 ||
      !reach.covers(pattern.low, pattern.high, width, true))
    return access_global<mode>(memory, active, executed, false);
  if (!record_inline<mode>(memory.site, MemorySpace::global, active, executed, pattern, memory.width)) return false;
  const std::uintptr_t host = reach.region->host() + pattern.first;
  prefetch(host, last_at(memory.site), width, memory.operation == trace::Operation::load);
  return memory.move_range(value, reinterpret_cast<std::byte*>(host));
}

// A generic access is an access to the space of its addresses. If these are in several spaces, it is one request in
// each.
template <Mode mode>
bool Worker::access_generic(const MemoryOp& memory, std::uint32_t active, std::uint32_t executed) {
  using namespace address_space;
  constexpr std::uint64_t windows[] = {shared_window, local_window, param_window};
  const auto window_of = [&](std::uint64_t address) -> std::uint64_t {
    for (std::uint64_t window : windows)
      if (in_window(address, window)) return window;
    return 0;
  };
  const std::uint64_t low_window = window_of(pattern_->low);
  const std::uint64_t high_window = window_of(pattern_->high);
  const bool jumps_over =
      low_window == 0 && pattern_->low < shared_window && pattern_->high >= param_window + window_bytes;
  if (low_window == high_window && !jumps_over) {
    if (low_window != 0) shift(*pattern_, 0 - low_window);
    if (low_window == shared_window) return access_shared<mode>(memory, active, executed);
    if (low_window == local_window) return access_local<mode>(memory, active, executed);
    if (low_window == param_window) return access_parameters<mode>(memory, active, executed);
    return access_global<mode>(memory, active, executed, false);
  }
  std::uint32_t left = executed;
  while (left != 0) {
    // The previous part changed *pattern_.
    find_pattern(memory, executed);
    const std::uint64_t window = window_of(address_of(*pattern_, executed, LaneMask{left}.lowest()));
    std::uint32_t part = 0;
    LaneMask{left}.for_each([&](int lane) {
      if (window_of(address_of(*pattern_, executed, lane)) == window) part |= 1u << lane;
    });
    left &= ~part;
    find_pattern(memory, part);
    // The lanes outside all windows, below and above them, are one part, but maybe not contiguous.
    if (window == 0) {
      if (!access_global<mode>(memory, active, part, false)) return false;
    } else if (!access_generic<mode>(memory, active, part)) {
      return false;
    }
  }
  return true;
}

std::byte* Worker::take_global(const Region& region, std::uint64_t address, std::uint64_t bytes, bool reads,
                               bool writes) {
  if (sets_ != nullptr && reads) sets_->mark(AccessSets::Use::read, region, address, bytes);
  if (writes) {
    if (sets_ != nullptr) sets_->mark(AccessSets::Use::write, region, address, bytes);
    context_.writes.before_write(region, address, bytes);
    WrittenOverlay& written = written_[region.index];
    if (!written.complete()) written.mark(address - region.address, bytes);
  }
  return reinterpret_cast<std::byte*>(region.host() + address);
}

// A read of bytes that were never written is a fault. Then marks the bytes that this access writes.
template <typename Map>
bool Worker::check_written(const MemoryOp& memory, MemorySpace space, Map& map, std::uint64_t base,
                           std::uint64_t window, const AddressPattern& pattern, std::uint32_t executed) {
  const std::uint64_t width = memory.width;
  // Mostly, all bytes between the lanes were written long ago.
  constexpr std::uint64_t little = 4096;
  const std::uint64_t span = pattern.high - pattern.low + width;
  if (span <= little && map.all(pattern.low - base, span)) return true;
  if (memory.operation != trace::Operation::store) {
    const bool all = is_range(pattern, executed, width) && map.all(pattern.low - base, 32 * width);
    if (!all) {
      for (std::uint32_t left = executed; left != 0; left &= left - 1) {
        const int lane = LaneMask{left}.lowest();
        const std::uint64_t address = address_of(pattern, executed, lane);
        if (map.any(address - base, width)) continue;
        if (!unwritten_read(memory, space, lane, address + window)) return false;
      }
    }
    if (memory.operation == trace::Operation::load) return true;
  }
  if (!stops_before_next_event(recorder_, *warp_)) mark_written(map, base, pattern, executed, width);
  return true;
}

void Worker::note_poll(const MemoryOp& memory, const AddressPattern& pattern, std::uint32_t executed) {
  Poll& poll = warp_->poll;
  if (poll.site != memory.site || poll.mbarrier != Poll::no_mbarrier) {
    // Most volatile accesses do not wait for anything, so their values are compared only from the second access on.
    poll.site = memory.site;
    poll.mbarrier = Poll::no_mbarrier;
    poll.seen = 0;
    poll.saw(false);
    return;
  }
  std::uint64_t seen = pattern.first * 0x9e3779b97f4a7c15ull ^ executed;
  LaneMask{executed}.for_each([&](int lane) {
    const std::uint32_t bytes =
        memory.operation == trace::Operation::load ? memory.register_bytes : memory.operand_bytes;
    const std::uint64_t value = read_slot(registers_ + memory.value[0], lane, bytes);
    seen = (seen ^ value ^ address_of(pattern, executed, lane)) * 0xff51afd7ed558ccdull;
    seen ^= seen >> 29;
  });
  poll.saw(poll.seen == seen);
  poll.seen = seen;
}

// ---- global and constant memory ---------------------------------------------------------------------

void Worker::announce_write(const Region& region, const AddressPattern& pattern, std::uint32_t executed,
                            std::uint64_t width) {
  if (!context_.writes.keeps()) return context_.writes.note_write(region);
  const std::uint64_t span = pattern.high - pattern.low + width;
  // If the span is small, the bytes between the lanes are kept too.
  if (span <= 4 * WriteWatch::piece_bytes) return context_.writes.before_write(region, pattern.low, span);
  LaneMask{executed}.for_each(
      [&](int lane) { context_.writes.before_write(region, address_of(pattern, executed, lane), width); });
}

// Announces an access outside its site's reach: notes it for the comparison with other workers, and saves the bytes
// that it overwrites. True if the access is deferred, because it is a reduction without a result. (Not inline, which
// keeps the fast path short.)
[[gnu::noinline]] bool Worker::announce(const MemoryOp& memory, const Region& region, std::uint32_t executed) {
  using Use = AccessSets::Use;
  Reach& reach = reaches_[memory.site];
  const bool is_read = memory.operation == trace::Operation::load;
  if (sets_ != nullptr && memory.operation == trace::Operation::reduction) {
    reach = Reach::nothing_of(region);
    sets_->mark(Use::reduce, region, *pattern_, executed, memory.width);
    context_.writes.note_write(region);
    defer(memory, *pattern_, executed);
    return true;
  }
  if (!is_read) announce_write(region, *pattern_, executed, memory.width);
  const bool keeps = !is_read && context_.writes.keeps();
  if (sets_ != nullptr)
    sets_->mark(reach, is_read ? Use::read : Use::write, region, *pattern_, executed, memory.width);
  else
    reach = keeps ? Reach::nothing_of(region) : Reach::all_of(region);
  if (keeps && reach.units != 0) context_.writes.before_write(region, reach.begin, reach.window_bytes());
  return false;
}

void Worker::finish_sets() {
  if (sets_ == nullptr) return;
  for (Reach& reach : reaches_) sets_->finish(reach);
}

template <Mode mode>
bool Worker::access_global(const MemoryOp& memory, std::uint32_t active, std::uint32_t executed, bool constant) {
  const AddressPattern& pattern = *pattern_;
  Reach& reach = reaches_[memory.site];
  const bool gapless = is_range(pattern, executed, memory.width);
  const bool covered = reach.covers(pattern.low, pattern.high, memory.width, gapless);
  const Region* region = reach.region;
  if (!covered && (region == nullptr || !region->holds(pattern.low, pattern.high, memory.width))) {
    region = context_.memory.find(pattern.low);
    if (region != nullptr && !region->holds(pattern.low, pattern.high, memory.width)) region = nullptr;
  }
  const bool is_read = memory.operation == trace::Operation::load;
  const bool fits = region != nullptr && is_aligned(pattern, executed, memory.width) &&
                    (is_read || region->kind != RegionKind::constant);
  const MemorySpace space = constant || (region != nullptr && is_read && region->kind == RegionKind::constant)
                                ? MemorySpace::constant
                                : MemorySpace::global;
  if (!fits) {
    if (!check_scattered(memory, pattern, executed))
      return failed_access<mode>(memory, space, active, executed, pattern);
    if (!record<mode>(memory.site, space, active, executed, pattern, memory.width)) return false;
    return transfer_scattered(memory, pattern, executed);
  }
  WrittenOverlay& map = written_[region->index];
  if (!map.complete() && !check_written(memory, space, map, region->address, 0, pattern, executed))
    return failed_access<mode>(memory, space, active, executed, pattern);
  if (!record<mode>(memory.site, space, active, executed, pattern, memory.width)) return false;
  if (!covered && announce(memory, *region, executed)) return true;
  reach.easy = reach.region == region && region->kind != RegionKind::constant && map.complete();
  if (gapless) prefetch(region->host() + pattern.low, last_at(memory.site), memory.width, is_read);
  transfer(memory, region->host(), pattern, executed, true);
  if (memory.polling) note_poll(memory, pattern, executed);
  return true;
}

// Whether one lane's access is in a region and is allowed there.
bool Worker::check_lane(const MemoryOp& memory, const AddressPattern& one, int lane) {
  const std::uint64_t address = one.first;
  const Region* region = context_.memory.find(address);
  const char* code = nullptr;
  if (region == nullptr || !region->holds(address, address, memory.width))
    code = address < address_space::null_bytes ? "memory.null" : "memory.out_of_bounds";
  else if ((memory.width & (memory.width - 1)) == 0 && address % memory.width != 0)
    code = "memory.misaligned";
  else if (memory.operation != trace::Operation::load && region->kind == RegionKind::constant)
    code = "memory.write_to_constant";
  if (code != nullptr) {
    memory_fault(memory, MemorySpace::global, lane, address, code);
    return false;
  }
  if (memory.operation == trace::Operation::store) return true;
  const WrittenOverlay& map = written_[region->index];
  if (map.complete() || map.any(address - region->address, memory.width)) return true;
  return unwritten_read(memory, MemorySpace::global, lane, address);
}

// Checks each lane separately: there is a fault, or the lanes access several regions.
bool Worker::check_scattered(const MemoryOp& memory, const AddressPattern& pattern, std::uint32_t executed) {
  for (std::uint32_t left = executed; left != 0; left &= left - 1) {
    const int lane = LaneMask{left}.lowest();
    if (!check_lane(memory, only(pattern, executed, lane), lane)) return false;
  }
  if (memory.operation == trace::Operation::load || stops_before_next_event(recorder_, *warp_)) return true;
  LaneMask{executed}.for_each([&](int lane) {
    const AddressPattern one = only(pattern, executed, lane);
    const Region& region = *context_.memory.find(one.first);
    WrittenOverlay& map = written_[region.index];
    if (!map.complete()) mark_written(map, region.address, one, 1u << lane, memory.width);
  });
  return true;
}

bool Worker::transfer_scattered(const MemoryOp& memory, const AddressPattern& pattern, std::uint32_t executed) {
  for (std::uint32_t left = executed; left != 0; left &= left - 1) {
    const int lane = LaneMask{left}.lowest();
    const AddressPattern one = only(pattern, executed, lane);
    const Region& region = *context_.memory.find(one.first);
    if (sets_ != nullptr) {
      using Use = AccessSets::Use;
      const bool deferred = memory.operation == trace::Operation::reduction;
      const Use use = memory.operation == trace::Operation::load ? Use::read : deferred ? Use::reduce : Use::write;
      sets_->mark(use, region, one, 1u << lane, memory.width);
      if (deferred) {
        context_.writes.note_write(region);
        defer(memory, one, 1u << lane);
        continue;
      }
    }
    if (memory.operation != trace::Operation::load) announce_write(region, one, 1u << lane, memory.width);
    transfer(memory, region.host(), one, 1u << lane, true);
  }
  if (memory.polling) note_poll(memory, pattern, executed);
  return true;
}

// ---- shared and parameter memory -------------------------------------------------------------------

template <Mode mode>
bool Worker::access_shared(const MemoryOp& memory, std::uint32_t active, std::uint32_t executed) {
  if (!block_->cluster.empty()) [[unlikely]]
    return access_in_cluster<mode>(memory, active, executed);
  return access_shared_of_block<mode>(memory, active, executed);
}

bool Worker::check_shared_of(BlockState& owner, const MemoryOp& memory, std::uint32_t executed) {
  const AddressPattern& pattern = *pattern_;
  const bool distributed = &owner != block_;
  const MemorySpace space = distributed ? MemorySpace::distributed : MemorySpace::shared;
  const std::uint64_t base = distributed ? std::uint64_t{owner.rank} << address_space::rank_shift : 0;
  const std::uint64_t bytes = context_.shared_bytes;
  const std::uint64_t width = memory.width;
  const auto in_reserved = [&](std::uint64_t low, std::uint64_t high) {
    return context_.reserved_shared != 0 && low >= context_.reserved_shared && high <= context_.shared_end() - width;
  };
  const bool inside = (bytes >= width && pattern.high <= bytes - width) || in_reserved(pattern.low, pattern.high);
  if (!inside || !is_aligned(pattern, executed, width)) {
    for (std::uint32_t left = executed; left != 0; left &= left - 1) {
      const int lane = LaneMask{left}.lowest();
      const std::uint64_t address = address_of(pattern, executed, lane);
      const bool fits = (bytes >= width && address <= bytes - width) || in_reserved(address, address);
      if (fits && address % width == 0) continue;
      memory_fault(memory, space, lane, base + address, fits ? "memory.misaligned" : "memory.out_of_bounds");
      return false;
    }
  }
  return owner.shared_written.complete() ||
         check_written(memory, space, owner.shared_written, 0, base, pattern, executed);
}

void Worker::transfer_shared_of(BlockState& owner, const MemoryOp& memory, std::uint32_t executed) {
  transfer(memory, reinterpret_cast<std::uintptr_t>(owner.shared.data()), *pattern_, executed, false);
  if (memory.polling) note_poll(memory, *pattern_, executed);
}

template <Mode mode>
bool Worker::access_shared_of_block(const MemoryOp& memory, std::uint32_t active, std::uint32_t executed) {
  if (!check_shared_of(*block_, memory, executed))
    return failed_access<mode>(memory, MemorySpace::shared, active, executed, *pattern_);
  if (!record<mode>(memory.site, MemorySpace::shared, active, executed, *pattern_, memory.width)) return false;
  transfer_shared_of(*block_, memory, executed);
  return true;
}

template <Mode mode>
bool Worker::access_parameters(const MemoryOp& memory, std::uint32_t active, std::uint32_t executed) {
  const AddressPattern& pattern = *pattern_;
  const std::uint64_t bytes = context_.parameters.size();
  const bool is_load = memory.operation == trace::Operation::load;
  for (std::uint32_t left = executed; left != 0; left &= left - 1) {
    const int lane = LaneMask{left}.lowest();
    const std::uint64_t address = address_of(pattern, executed, lane);
    const bool fits = bytes >= memory.width && address <= bytes - memory.width;
    if (fits && address % memory.width == 0 && is_load) continue;
    memory_fault(memory, MemorySpace::param, lane, address,
                 !fits     ? "memory.out_of_bounds"
                 : is_load ? "memory.misaligned"
                           : "memory.write_to_constant");
    return false;
  }
  if (!record<mode>(memory.site, MemorySpace::param, active, executed, pattern, memory.width)) return false;
  transfer(memory, reinterpret_cast<std::uintptr_t>(context_.parameters.data()), pattern, executed, false);
  return true;
}

template bool Worker::access_simple<Mode::plain>(const MemoryOp&, std::uint32_t, std::uint32_t);
template bool Worker::access_simple<Mode::totals>(const MemoryOp&, std::uint32_t, std::uint32_t);
template bool Worker::access_simple<Mode::events>(const MemoryOp&, std::uint32_t, std::uint32_t);
template bool Worker::access<Mode::plain>(const MemoryOp&, std::uint32_t, std::uint32_t);
template bool Worker::access<Mode::totals>(const MemoryOp&, std::uint32_t, std::uint32_t);
template bool Worker::access<Mode::events>(const MemoryOp&, std::uint32_t, std::uint32_t);
// Instantiated for the other files of the worker.
template bool Worker::record<Mode::plain>(std::uint32_t, MemorySpace, std::uint32_t, std::uint32_t,
                                          const AddressPattern&, int);
template bool Worker::record<Mode::totals>(std::uint32_t, MemorySpace, std::uint32_t, std::uint32_t,
                                           const AddressPattern&, int);
template bool Worker::record<Mode::events>(std::uint32_t, MemorySpace, std::uint32_t, std::uint32_t,
                                           const AddressPattern&, int);
template bool Worker::access_global<Mode::plain>(const MemoryOp&, std::uint32_t, std::uint32_t, bool);
template bool Worker::access_global<Mode::totals>(const MemoryOp&, std::uint32_t, std::uint32_t, bool);
template bool Worker::access_global<Mode::events>(const MemoryOp&, std::uint32_t, std::uint32_t, bool);
template bool Worker::access_shared<Mode::plain>(const MemoryOp&, std::uint32_t, std::uint32_t);
template bool Worker::access_shared<Mode::totals>(const MemoryOp&, std::uint32_t, std::uint32_t);
template bool Worker::access_shared<Mode::events>(const MemoryOp&, std::uint32_t, std::uint32_t);
template bool Worker::access_shared_of_block<Mode::plain>(const MemoryOp&, std::uint32_t, std::uint32_t);
template bool Worker::access_shared_of_block<Mode::totals>(const MemoryOp&, std::uint32_t, std::uint32_t);
template bool Worker::access_shared_of_block<Mode::events>(const MemoryOp&, std::uint32_t, std::uint32_t);

}  // namespace lanescope::sim
