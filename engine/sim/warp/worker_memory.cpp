// Loads and stores of the running warp, and the way into its atomics.

#include <algorithm>
#include <cstring>

#include "sim/memory/address_space.h"
#include "sim/warp/lane_addresses.h"
#include "sim/warp/worker.h"

namespace lanescope::sim {

using trace::MemorySpace;

namespace {

// The bytes of word w of a lane stand together; an access narrower than a word lies within one.
std::uint64_t position_in_local(std::uint64_t offset, int lane) {
  return (offset / 4 * 32 + static_cast<std::uint64_t>(lane)) * 4 + offset % 4;
}

}  // namespace

template <Mode mode>
bool Worker::record(std::uint32_t site, MemorySpace space, std::uint32_t active, std::uint32_t executed,
                    const AddressPattern& pattern, int width) {
  if constexpr (mode != Mode::plain) {
    RequestCounter& counter = recorder_.request(site, space, pattern, executed, width);
    if constexpr (mode == Mode::events) {
      recorder_.memory_event(*warp_, site, space, active, executed, pattern, counter);
      if (recorder_.watch_reached()) return false;
    }
  }
  return true;
}

template <Mode mode>
bool Worker::memory_access(const Operation& operation, std::uint32_t active) {
  const MemoryOp& memory = memory_of(operation);
  const std::uint32_t executed = executed_lanes(operation, active);
  if (executed == 0) return true;
  if (schedule_ != nullptr) [[unlikely]] {
    if (preempt()) return false;
  }
  if (races_ != nullptr) [[unlikely]]
    watch_access(memory, executed);
  return access<mode>(memory, active, executed);
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

// A generic access belongs to the space that its addresses fall in; where they fall in several, it is one request in
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
    // *pattern_ was changed by the part before.
    find_pattern(memory, executed);
    const std::uint64_t window = window_of(address_of(*pattern_, executed, LaneMask{left}.lowest()));
    std::uint32_t part = 0;
    LaneMask{left}.for_each([&](int lane) {
      if (window_of(address_of(*pattern_, executed, lane)) == window) part |= 1u << lane;
    });
    left &= ~part;
    find_pattern(memory, part);
    // Lanes below and above all windows are together, but maybe not in one piece.
    if (window == 0) {
      if (!access_global<mode>(memory, active, part, false)) return false;
    } else if (!access_generic<mode>(memory, active, part)) {
      return false;
    }
  }
  return true;
}

// Moves the values of an access that has been checked. `host`: what to add to an address.
[[gnu::always_inline]] inline void Worker::transfer(const MemoryOp& memory, std::uintptr_t host,
                                                    const AddressPattern& pattern, std::uint32_t executed,
                                                    bool global) {
  switch (memory.operation) {
    case trace::Operation::load:
      for (std::uint32_t e = 0; e < memory.elements; ++e)
        memory.load(registers_ + memory.value[e], host + e * memory.element_bytes, pattern, executed);
      return;
    case trace::Operation::store:
      for (std::uint32_t e = 0; e < memory.elements; ++e)
        memory.store(registers_ + memory.value[e], host + e * memory.element_bytes, pattern, executed);
      return;
    default:
      apply_atomic(memory, host, pattern, executed, global);
  }
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

// Reads of what was never written are faults. Then marks what this access writes.
template <typename Map>
bool Worker::check_written(const MemoryOp& memory, MemorySpace space, Map& map, std::uint64_t base,
                           std::uint64_t window, const AddressPattern& pattern, std::uint32_t executed) {
  const std::uint64_t width = memory.width;
  // Mostly all that lies between the lanes was written long ago.
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
  mark_written(map, base, pattern, executed, width);
  return true;
}

void Worker::note_poll(const MemoryOp& memory, const AddressPattern& pattern, std::uint32_t executed) {
  Poll& poll = warp_->poll;
  if (poll.site != memory.site || poll.mbarrier != Poll::no_mbarrier) {
    // Most volatile accesses wait for nothing: what they saw is looked at from their second time on.
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

inline void Worker::announce_write(const Region& region, const AddressPattern& pattern, std::uint32_t executed,
                                   std::uint64_t width) {
  if (!context_.writes.keeps()) return context_.writes.note_write(region);
  const std::uint64_t span = pattern.high - pattern.low + width;
  // What lies between the lanes may be kept as well, while it is little.
  if (span <= 4 * WriteWatch::piece_bytes) return context_.writes.before_write(region, pattern.low, span);
  LaneMask{executed}.for_each(
      [&](int lane) { context_.writes.before_write(region, address_of(pattern, executed, lane), width); });
}

// Tells of an access that its site's reach does not cover: notes it for the comparison with other workers, and lets
// what it overwrites be kept. True when it is put off: a reduction without a result. (Not inline, for the sake of what
// is covered.)
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
    if (!check_scattered(memory, pattern, executed)) return false;
    if (!record<mode>(memory.site, space, active, executed, pattern, memory.width)) return false;
    return transfer_scattered(memory, pattern, executed);
  }
  WrittenOverlay& map = written_[region->index];
  if (!map.complete() && !check_written(memory, space, map, region->address, 0, pattern, executed)) return false;
  if (!record<mode>(memory.site, space, active, executed, pattern, memory.width)) return false;
  if (!covered && announce(memory, *region, executed)) return true;
  if (gapless) prefetch(region->host() + pattern.low, memory.width, is_read);
  transfer(memory, region->host(), pattern, executed, true);
  if (memory.polling) note_poll(memory, pattern, executed);
  return true;
}

// Whether one lane's access lies in a region, and may.
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

// Each lane for itself: a fault, or lanes in several regions.
bool Worker::check_scattered(const MemoryOp& memory, const AddressPattern& pattern, std::uint32_t executed) {
  for (std::uint32_t left = executed; left != 0; left &= left - 1) {
    const int lane = LaneMask{left}.lowest();
    if (!check_lane(memory, only(pattern, executed, lane), lane)) return false;
  }
  if (memory.operation == trace::Operation::load) return true;
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

// ---- shared, local and parameter memory -------------------------------------------------------------

template <Mode mode>
bool Worker::access_shared(const MemoryOp& memory, std::uint32_t active, std::uint32_t executed) {
  if (!block_->cluster.empty()) [[unlikely]]
    return access_in_cluster<mode>(memory, active, executed);
  return access_shared_of<mode>(*block_, memory, active, executed);
}

// Of addresses that are the owner's own.
template <Mode mode>
bool Worker::access_shared_of(BlockState& owner, const MemoryOp& memory, std::uint32_t active, std::uint32_t executed) {
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
  if (!owner.shared_written.complete() &&
      !check_written(memory, space, owner.shared_written, 0, base, pattern, executed))
    return false;
  if (distributed) [[unlikely]]
    shift(*pattern_, base);
  if (!record<mode>(memory.site, space, active, executed, pattern, memory.width)) return false;
  if (distributed) [[unlikely]]
    shift(*pattern_, 0 - base);
  transfer(memory, reinterpret_cast<std::uintptr_t>(owner.shared.data()), pattern, executed, false);
  if (memory.polling) note_poll(memory, pattern, executed);
  return true;
}

// Reads of what was never written are faults, or get what the launch says that it holds.
bool Worker::check_local_written(const MemoryOp& memory, const std::array<std::uint64_t, 32>& offsets,
                                 std::uint32_t executed) {
  LocalMemory& local = warp_->local;
  const std::optional<std::byte> unwritten = context_.request.unwritten_local;
  const std::uint64_t chunk = std::min<std::uint64_t>(memory.width, 4);
  for (std::uint32_t left = executed; left != 0; left &= left - 1) {
    const int lane = LaneMask{left}.lowest();
    const std::uint64_t offset = offsets[static_cast<std::size_t>(lane)];
    bool any = false;
    for (std::uint64_t byte = 0; byte < memory.width; byte += chunk) {
      const std::uint64_t at = position_in_local(offset + byte, lane);
      const bool written = local.written.any(at, chunk);
      if (!written && unwritten) std::fill_n(local.bytes.begin() + static_cast<std::ptrdiff_t>(at), chunk, *unwritten);
      any |= written || (unwritten && !context_.request.unwritten_is_a_warning);
    }
    if (any || unwritten_read(memory, MemorySpace::local, lane, offset)) continue;
    return false;
  }
  return true;
}

// Local memory. A request is counted at addresses at which the lanes' pieces of the width of the access (at least a
// word) lie side by side, as the hardware lays local memory out: 32 lanes that read the same 4-byte variable touch four
// sectors. Bytes are kept by words (LocalMemory), whatever the width.
template <Mode mode>
bool Worker::access_local(const MemoryOp& memory, std::uint32_t active, std::uint32_t executed) {
  const AddressPattern& pattern = *pattern_;
  LocalMemory& local = warp_->local;
  const std::uint64_t width = memory.width;
  std::array<std::uint64_t, 32> offsets;
  for (std::uint32_t left = executed; left != 0; left &= left - 1) {
    const int lane = LaneMask{left}.lowest();
    const std::uint64_t address = address_of(pattern, executed, lane);
    const bool fits = local.lane_bytes >= width && address <= local.lane_bytes - width;
    offsets[static_cast<std::size_t>(lane)] = address;
    if (fits && address % width == 0) continue;
    memory_fault(memory, MemorySpace::local, lane, address, fits ? "memory.misaligned" : "memory.out_of_bounds");
    return false;
  }
  if (memory.operation != trace::Operation::load && memory.operation != trace::Operation::store) {
    memory_fault(memory, MemorySpace::local, LaneMask{executed}.lowest(), pattern.first, "memory.atomic_on_local");
    return false;
  }
  const std::uint64_t piece = std::max<std::uint64_t>(width, 4);
  const auto counted = [&](int lane) {
    const std::uint64_t offset = offsets[static_cast<std::size_t>(lane)];
    return offset / piece * piece * 32 + static_cast<std::uint64_t>(lane) * piece + offset % piece;
  };
  AddressPattern& interleaved = second_pattern_;
  interleaved.first = counted(LaneMask{executed}.lowest());
  interleaved.affine = pattern.affine && pattern.stride == 0;
  interleaved.halves = false;
  interleaved.stride = interleaved.affine && (executed & (executed - 1)) != 0 ? static_cast<std::int64_t>(piece) : 0;
  if (!interleaved.affine)
    LaneMask{executed}.for_each([&](int lane) { interleaved.relative[lane] = counted(lane) - interleaved.first; });

  const std::uint64_t chunk = std::min<std::uint64_t>(width, 4);
  const auto position = [&](int lane, std::uint64_t byte) {
    return position_in_local(offsets[static_cast<std::size_t>(lane)] + byte, lane);
  };
  const bool is_load = memory.operation == trace::Operation::load;
  if (is_load && !check_local_written(memory, offsets, executed)) return false;
  if (!record<mode>(memory.site, MemorySpace::local, active, executed, interleaved, memory.width)) return false;

  // Through a copy in which each lane's bytes are contiguous, so that the usual transfer serves.
  alignas(64) std::byte staged[32 * 32];
  AddressPattern in_copy;
  in_copy.affine = true;
  in_copy.stride = 32;
  in_copy.first = static_cast<std::uint64_t>(LaneMask{executed}.lowest()) * 32;
  if ((executed & (executed - 1)) == 0) in_copy.stride = 0;
  const auto host = reinterpret_cast<std::uintptr_t>(staged);
  const auto each_chunk = [&](auto&& visit) {
    LaneMask{executed}.for_each([&](int lane) {
      for (std::uint64_t byte = 0; byte < width; byte += chunk)
        visit(staged + static_cast<std::uint64_t>(lane) * 32 + byte, position(lane, byte));
    });
  };
  if (is_load) {
    each_chunk([&](std::byte* copy, std::uint64_t at) { std::memcpy(copy, local.bytes.data() + at, chunk); });
    transfer(memory, host, in_copy, executed, false);
    return true;
  }
  transfer(memory, host, in_copy, executed, false);
  each_chunk([&](const std::byte* copy, std::uint64_t at) {
    std::memcpy(local.bytes.data() + at, copy, chunk);
    local.written.mark(at, chunk);
  });
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

template bool Worker::memory_access<Mode::plain>(const Operation&, std::uint32_t);
template bool Worker::memory_access<Mode::totals>(const Operation&, std::uint32_t);
template bool Worker::memory_access<Mode::events>(const Operation&, std::uint32_t);
template bool Worker::access<Mode::plain>(const MemoryOp&, std::uint32_t, std::uint32_t);
template bool Worker::access<Mode::totals>(const MemoryOp&, std::uint32_t, std::uint32_t);
template bool Worker::access<Mode::events>(const MemoryOp&, std::uint32_t, std::uint32_t);
// What the other files of the worker call.
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
template bool Worker::access_shared_of<Mode::plain>(BlockState&, const MemoryOp&, std::uint32_t, std::uint32_t);
template bool Worker::access_shared_of<Mode::totals>(BlockState&, const MemoryOp&, std::uint32_t, std::uint32_t);
template bool Worker::access_shared_of<Mode::events>(BlockState&, const MemoryOp&, std::uint32_t, std::uint32_t);

}  // namespace lanescope::sim
