// Loads, stores, atomics and asynchronous copies of the running warp.

#include <algorithm>
#include <cstring>

#include "sim/memory/address_space.h"
#include "sim/warp/worker.h"

namespace lanescope::sim {

namespace {

// The bytes of word w of a lane stand together; an access narrower than a word lies within one.
std::uint64_t position_in_local(std::uint64_t offset, int lane) {
  return (offset / 4 * 32 + static_cast<std::uint64_t>(lane)) * 4 + offset % 4;
}

using trace::MemorySpace;

// Lanes side by side, all of them: their bytes are one range.
inline bool is_range(const AddressPattern& pattern, std::uint32_t executed, std::uint64_t width) {
  return pattern.affine && executed == ~0u && pattern.stride == static_cast<std::int64_t>(width);
}

inline bool is_aligned(const AddressPattern& pattern, std::uint32_t executed, std::uint64_t width) {
  const std::uint64_t bits = width - 1;
  if (((pattern.first | pattern.bits) & bits) == 0) return true;
  // An affine pattern's stride need not show where lanes are missing.
  bool aligned = pattern.affine;
  LaneMask{executed}.for_each([&](int lane) { aligned &= (address_of(pattern, executed, lane) & bits) == 0; });
  return aligned;
}

AddressPattern only(const AddressPattern& pattern, std::uint32_t executed, int lane) {
  AddressPattern one;
  one.first = one.low = one.high = address_of(pattern, executed, lane);
  one.affine = true;
  return one;
}

// Asks the machine for the bytes that the warp after next is likely to want: neighbouring warps mostly work on
// neighbouring data. (The address need not be mapped.)
inline void prefetch(std::uintptr_t at, std::uint64_t width, bool is_read) {
  const std::uint64_t span = 32 * width;
  for (std::uintptr_t line = at + 2 * span; line < at + 3 * span; line += 64) {
    if (is_read)
      __builtin_prefetch(reinterpret_cast<const void*>(line), 0);
    else
      __builtin_prefetch(reinterpret_cast<const void*>(line), 1);
  }
}

void mark_written(WrittenMap& map, std::uint64_t base, const AddressPattern& pattern, std::uint32_t executed,
                  std::uint64_t width) {
  if (is_range(pattern, executed, width)) return map.mark(pattern.low - base, 32 * width);
  if (pattern.affine && pattern.stride == 0) return map.mark(pattern.first - base, width);
  LaneMask{executed}.for_each([&](int lane) { map.mark(address_of(pattern, executed, lane) - base, width); });
}

}  // namespace

// Leaves the pattern at *pattern_.
void Worker::find_pattern(const MemoryOp& memory, std::uint32_t executed) {
  if (memory.kept_at >= 0) return find_kept_pattern(memory, executed);
  pattern_ = &found_;
  (memory.address64 ? lanes_.pattern64 : lanes_.pattern32)(registers_ + memory.address, memory.offset, executed,
                                                           found_);
}

void Worker::find_kept_pattern(const MemoryOp& memory, std::uint32_t executed) {
  const std::byte* const addresses = registers_ + memory.address;
  KeptPattern& kept = kept_[static_cast<std::size_t>(memory.kept_at)];
  AddressPattern& pattern = kept.pattern;
  pattern_ = &pattern;
  const std::uint64_t difference = memory.offset - std::exchange(kept.offset, memory.offset);
  // Since the first access of its kind other warps and paths may have run, and kept theirs in this place.
  if (memory.as_kept && kept.addresses == addresses && kept.executed == executed) {
    const std::int64_t by =
        memory.address64 ? static_cast<std::int64_t>(difference) : static_cast<std::int32_t>(difference);
    const std::uint64_t last = memory.address64 ? ~std::uint64_t{0} : 0xffffffffu;
    const std::uint64_t step = static_cast<std::uint64_t>(by);
    const bool wraps = by >= 0 ? pattern.high > last - step : pattern.low < 0 - step;
    if (!wraps) return shift(pattern, step);
  }
  kept.addresses = addresses;
  kept.executed = executed;
  (memory.address64 ? lanes_.pattern64 : lanes_.pattern32)(addresses, memory.offset, executed, pattern);
}

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
  const MemoryOp& memory = frame_->code->memory[operation.index];
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
void Worker::transfer(const MemoryOp& memory, std::uintptr_t host, const AddressPattern& pattern,
                      std::uint32_t executed, bool global) {
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

namespace {

std::uint64_t read_slot(const std::byte* slot, int lane, std::uint32_t bytes) {
  std::uint64_t value = 0;
  std::memcpy(&value, slot + static_cast<std::uint32_t>(lane) * bytes, bytes);
  return value;
}

}  // namespace

void Worker::apply_atomic(const MemoryOp& memory, std::uintptr_t host, const AddressPattern& pattern,
                          std::uint32_t executed, bool global) {
  const AtomicFunction apply = global ? memory.apply_global : memory.apply;
  const std::uint32_t bytes = memory.operand_bytes;
  const auto act = [&](int lane) {
    const std::uint64_t address = address_of(pattern, executed, lane);
    for (std::uint32_t e = 0; e < memory.elements; ++e) {
      const std::uint64_t b = read_slot(registers_ + memory.b[e], lane, bytes);
      const std::uint64_t c = memory.c[e] == 0 ? 0 : read_slot(registers_ + memory.c[e], lane, bytes);
      auto* place = reinterpret_cast<void*>(host + address + e * memory.element_bytes);
      const std::uint64_t old = apply(place, b, c);
      if (memory.value[e] != 0)
        std::memcpy(registers_ + memory.value[e] + static_cast<std::uint32_t>(lane) * bytes, &old, bytes);
    }
  };
  if (schedule_ == nullptr) return LaneMask{executed}.for_each(act);
  std::uint8_t order[32];
  const std::uint32_t count = schedule_->order(executed, order);
  for (std::uint32_t i = 0; i < count; ++i) act(order[i]);
}

void Worker::defer(const MemoryOp& memory, const AddressPattern& pattern, std::uint32_t executed) {
  const std::uint32_t bytes = memory.operand_bytes;
  LaneMask{executed}.for_each([&](int lane) {
    const std::uint64_t address = address_of(pattern, executed, lane);
    for (std::uint32_t e = 0; e < memory.elements; ++e)
      deferred_.push_back({address + e * memory.element_bytes, read_slot(registers_ + memory.b[e], lane, bytes),
                           memory.c[e] == 0 ? 0 : read_slot(registers_ + memory.c[e], lane, bytes),
                           memory.apply_global});
  });
}

// Reads of what was never written are faults. Then marks what this access writes.
bool Worker::check_written(const MemoryOp& memory, MemorySpace space, WrittenMap& map, std::uint64_t base,
                           std::uint64_t window, const AddressPattern& pattern, std::uint32_t executed) {
  const std::uint64_t width = memory.width;
  if (memory.operation != trace::Operation::store) {
    const bool all = is_range(pattern, executed, width) && map.all(pattern.low - base, 32 * width);
    if (!all) {
      for (std::uint32_t left = executed; left != 0; left &= left - 1) {
        const int lane = LaneMask{left}.lowest();
        const std::uint64_t address = address_of(pattern, executed, lane);
        if (map.any(address - base, width)) continue;
        memory_fault(memory, space, lane, address + window, "memory.uninitialised");
        return false;
      }
    }
    if (memory.operation == trace::Operation::load) return true;
  }
  mark_written(map, base, pattern, executed, width);
  return true;
}

void Worker::note_poll(const MemoryOp& memory, const AddressPattern& pattern, std::uint32_t executed) {
  std::uint64_t seen = pattern.first * 0x9e3779b97f4a7c15ull ^ executed;
  LaneMask{executed}.for_each([&](int lane) {
    const std::uint32_t bytes =
        memory.operation == trace::Operation::load ? memory.register_bytes : memory.operand_bytes;
    const std::uint64_t value = read_slot(registers_ + memory.value[0], lane, bytes);
    seen = (seen ^ value ^ address_of(pattern, executed, lane)) * 0xff51afd7ed558ccdull;
    seen ^= seen >> 29;
  });
  Poll& poll = warp_->poll;
  poll.since_jump = true;
  poll.repeats = poll.site == memory.site && poll.seen == seen ? poll.repeats + 1 : 0;
  poll.site = memory.site;
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
  WrittenMap& map = written_[region->index];
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
  const WrittenMap& map = written_[region->index];
  if (map.complete() || map.any(address - region->address, memory.width)) return true;
  memory_fault(memory, MemorySpace::global, lane, address, "memory.uninitialised");
  return false;
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
    WrittenMap& map = written_[region.index];
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
  const AddressPattern& pattern = *pattern_;
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
      memory_fault(memory, MemorySpace::shared, lane, address, fits ? "memory.misaligned" : "memory.out_of_bounds");
      return false;
    }
  }
  if (!block_->shared_written.complete() &&
      !check_written(memory, MemorySpace::shared, block_->shared_written, 0, 0, pattern, executed))
    return false;
  if (!record<mode>(memory.site, MemorySpace::shared, active, executed, pattern, memory.width)) return false;
  transfer(memory, reinterpret_cast<std::uintptr_t>(block_->shared.data()), pattern, executed, false);
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
      any |= written || unwritten.has_value();
    }
    if (any) continue;
    memory_fault(memory, MemorySpace::local, lane, offset, "memory.uninitialised");
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

template <Mode mode>
bool Worker::parameter_load(const Operation& operation, std::uint32_t active) {
  const ParameterLoad& load = frame_->code->parameter_loads[operation.index];
  const std::uint32_t executed = executed_lanes(operation, active);
  if (executed == 0) return true;
  if constexpr (mode != Mode::plain) {
    found_.first = load.offset;
    found_.stride = 0;
    found_.affine = true;
    if (!record<mode>(load.site, MemorySpace::param, active, executed, found_, load.width)) return false;
  }
  for (const ParameterLoad::Copy& copy : load.copies) {
    std::byte* to = registers_ + copy.to;
    const std::byte* from = registers_ + copy.from;
    if (executed == ~0u) {
      std::memcpy(to, from, 32u * copy.bytes);
    } else {
      LaneMask{executed}.for_each([&](int lane) {
        const std::uint32_t at = static_cast<std::uint32_t>(lane) * copy.bytes;
        std::memcpy(to + at, from + at, copy.bytes);
      });
    }
  }
  return true;
}

template <Mode mode>
bool Worker::frame_access(const Operation& operation, std::uint32_t active, bool is_load) {
  const FrameAccess& frame = frame_->code->frame_accesses[operation.index];
  const std::uint32_t executed = executed_lanes(operation, active);
  if (!guarded_event<mode>(frame.site, active, executed)) return false;
  for (std::uint32_t e = 0; e < frame.elements; ++e) {
    std::byte* slot = registers_ + frame.value[e];
    const std::uint32_t offset = frame.offset + e * frame.element_bytes;
    LaneMask{executed}.for_each([&](int lane) {
      const auto l = static_cast<std::uint32_t>(lane);
      std::byte* value = slot + l * frame.register_bytes;
      std::uint64_t bits = 0;
      const std::uint32_t chunk = std::min<std::uint32_t>(frame.element_bytes, 4);
      const auto place = [&](std::uint32_t byte) {
        const std::uint32_t at = offset + byte;
        return registers_ + frame.area + (at / 4 * 32 + l) * 4 + at % 4;
      };
      if (!is_load) std::memcpy(&bits, value, frame.register_bytes);
      for (std::uint32_t byte = 0; byte < frame.element_bytes; byte += chunk) {
        auto* part = reinterpret_cast<std::byte*>(&bits) + byte;
        if (is_load)
          std::memcpy(part, place(byte), chunk);
        else
          std::memcpy(place(byte), part, chunk);
      }
      if (!is_load) return;
      if (frame.is_signed && frame.element_bytes < 8) {
        const int unused = 64 - 8 * frame.element_bytes;
        bits = static_cast<std::uint64_t>(static_cast<std::int64_t>(bits << unused) >> unused);
      }
      std::memcpy(value, &bits, frame.register_bytes);
    });
  }
  return true;
}

// ---- asynchronous copies ----------------------------------------------------------------------------

// The copy happens at once. Its two sides are two events of one site: the global read of the lanes that read anything,
// then the shared write.
template <Mode mode>
bool Worker::async_copy(const Operation& operation, std::uint32_t active) {
  const MemoryOp& memory = frame_->code->memory[operation.index];
  const std::uint32_t executed = executed_lanes(operation, active);
  if (executed == 0) return true;
  std::array<std::uint32_t, 32> given;
  given.fill(memory.width);
  std::uint32_t reading = executed;
  LaneMask{executed}.for_each([&](int lane) {
    auto& bytes = given[static_cast<std::size_t>(lane)];
    if (memory.source_bytes != 0)
      bytes = std::min<std::uint32_t>(memory.width,
                                      static_cast<std::uint32_t>(read_slot(registers_ + memory.source_bytes, lane, 4)));
    if (memory.ignore_source != 0 && (read_slot(registers_ + memory.ignore_source, 0, 4) >> lane & 1u) != 0) bytes = 0;
    if (bytes == 0) reading &= ~(1u << lane);
  });
  if (races_ != nullptr) [[unlikely]]
    watch_copy(memory, executed, reading, given);
  alignas(64) std::byte staged[32 * 16] = {};
  if (reading != 0) {
    MemoryOp load = memory;
    load.operation = trace::Operation::load;
    load.address = memory.source;
    load.offset = memory.source_offset;
    load.address64 = memory.source64;
    load.elements = 0;  // the bytes are copied below
    find_pattern(load, reading);
    bool whole = true;
    LaneMask{reading}.for_each([&](int lane) { whole &= given[static_cast<std::size_t>(lane)] == memory.width; });
    if (whole) {
      if (!access_global<mode>(load, active, reading, false)) return false;
    } else {
      // Lanes that read less may stand at the end of a buffer. The request counts with its full width.
      for (std::uint32_t left = reading; left != 0; left &= left - 1) {
        const int lane = LaneMask{left}.lowest();
        const AddressPattern one = only(*pattern_, reading, lane);
        MemoryOp part = load;
        part.width = static_cast<std::uint8_t>(given[static_cast<std::size_t>(lane)]);
        if (one.first % memory.width != 0) {
          memory_fault(load, MemorySpace::global, lane, one.first, "memory.misaligned");
          return false;
        }
        if (!check_lane(part, one, lane)) return false;
        const Region& region = *context_.memory.find(one.first);
        if (sets_ != nullptr) sets_->mark(AccessSets::Use::read, region, one, 1u << lane, part.width);
      }
      if (!record<mode>(memory.site, MemorySpace::global, active, reading, *pattern_, memory.width)) return false;
    }
    LaneMask{reading}.for_each([&](int lane) {
      const std::uint64_t address = address_of(*pattern_, reading, lane);
      const Region& region = *context_.memory.find(address);
      std::memcpy(staged + lane * 16, reinterpret_cast<const void*>(region.host() + address),
                  given[static_cast<std::size_t>(lane)]);
    });
  }
  MemoryOp store = memory;
  store.operation = trace::Operation::store;
  store.elements = 0;
  find_pattern(store, executed);
  if (!access_shared<mode>(store, active, executed)) return false;
  LaneMask{executed}.for_each([&](int lane) {
    std::memcpy(block_->shared.data() + address_of(*pattern_, executed, lane), staged + lane * 16, memory.width);
  });
  return true;
}

template bool Worker::memory_access<Mode::plain>(const Operation&, std::uint32_t);
template bool Worker::memory_access<Mode::totals>(const Operation&, std::uint32_t);
template bool Worker::memory_access<Mode::events>(const Operation&, std::uint32_t);
template bool Worker::access<Mode::plain>(const MemoryOp&, std::uint32_t, std::uint32_t);
template bool Worker::access<Mode::totals>(const MemoryOp&, std::uint32_t, std::uint32_t);
template bool Worker::access<Mode::events>(const MemoryOp&, std::uint32_t, std::uint32_t);
template bool Worker::async_copy<Mode::plain>(const Operation&, std::uint32_t);
template bool Worker::async_copy<Mode::totals>(const Operation&, std::uint32_t);
template bool Worker::async_copy<Mode::events>(const Operation&, std::uint32_t);
template bool Worker::parameter_load<Mode::plain>(const Operation&, std::uint32_t);
template bool Worker::parameter_load<Mode::totals>(const Operation&, std::uint32_t);
template bool Worker::parameter_load<Mode::events>(const Operation&, std::uint32_t);
template bool Worker::frame_access<Mode::plain>(const Operation&, std::uint32_t, bool);
template bool Worker::frame_access<Mode::totals>(const Operation&, std::uint32_t, bool);
template bool Worker::frame_access<Mode::events>(const Operation&, std::uint32_t, bool);

}  // namespace lanescope::sim
