#pragma once
// Queries about the addresses of a warp's memory access.

#include <cstdint>
#include <cstring>
#include <utility>

#include "core/lane_mask.h"
#include "sim/memory/written_map.h"
#include "sim/warp/worker.h"

namespace lanescope::sim {

// Whether all lanes are executed and adjacent: their bytes are one range.
inline bool is_range(const AddressPattern& pattern, std::uint32_t executed, std::uint64_t width) {
  return pattern.affine && executed == ~0u && pattern.stride == static_cast<std::int64_t>(width);
}

inline bool is_aligned(const AddressPattern& pattern, std::uint32_t executed, std::uint64_t width) {
  const std::uint64_t bits = width - 1;
  if (((pattern.first | pattern.bits) & bits) == 0) return true;
  // If lanes are missing, the addresses of an affine pattern may be aligned although its stride is not.
  bool aligned = pattern.affine;
  LaneMask{executed}.for_each([&](int lane) { aligned &= (address_of(pattern, executed, lane) & bits) == 0; });
  return aligned;
}

inline AddressPattern only(const AddressPattern& pattern, std::uint32_t executed, int lane) {
  AddressPattern one;
  one.first = one.low = one.high = address_of(pattern, executed, lane);
  one.affine = true;
  return one;
}

// Whether the warp's next event is the one that the launch stops before: its access must not leave a mark yet.
inline bool stops_before_next_event(Recorder& recorder, const Warp& warp) {
  const Recorder::Watch* const watch = recorder.watched();
  return watch != nullptr && !watch->reached && watch->block == warp.block && watch->warp == warp.index &&
         watch->sequence == warp.sequence;
}

// Prefetches the bytes that the warp will probably access at this site next time, in a loop or as the warp of the next
// block: as far ahead as the address has advanced since the last time. (The address need not be mapped.)
inline void prefetch(std::uintptr_t at, std::uintptr_t& last, std::uint64_t width, bool is_read) {
  const std::uintptr_t next = at + (at - std::exchange(last, at));
  const auto line = [&](std::uint64_t offset) {
    const auto* const there = reinterpret_cast<const void*>(next + offset);
    if (is_read)  // not `? :`, on which clang 14 crashes without optimisation
      __builtin_prefetch(there, 0);
    else
      __builtin_prefetch(there, 1);
  };
  line(0);
  if (width == 8) {
    line(64);
    line(128);
    line(192);
    return;
  }
  for (std::uint64_t offset = 64; offset < 32 * width; offset += 64) line(offset);
}

// `map` is a WrittenMap or a WrittenOverlay.
template <typename Map>
void mark_written(Map& map, std::uint64_t base, const AddressPattern& pattern, std::uint32_t executed,
                  std::uint64_t width) {
  if (is_range(pattern, executed, width)) return map.mark(pattern.low - base, 32 * width);
  if (pattern.affine && pattern.stride == 0) return map.mark(pattern.first - base, width);
  LaneMask{executed}.for_each([&](int lane) { map.mark(address_of(pattern, executed, lane) - base, width); });
}

// 1, 2, 4 or 8 bytes. A memcpy of a constant size is one instruction; otherwise it is a call.
inline std::uint64_t read_number(const std::byte* at, std::uint32_t bytes) {
  std::uint64_t value = 0;
  switch (bytes) {
    case 8:
      std::memcpy(&value, at, 8);
      break;
    case 4:
      std::memcpy(&value, at, 4);
      break;
    case 2:
      std::memcpy(&value, at, 2);
      break;
    default:
      std::memcpy(&value, at, 1);
  }
  return value;
}
inline void write_number(std::byte* at, std::uint32_t bytes, std::uint64_t value) {
  switch (bytes) {
    case 8:
      std::memcpy(at, &value, 8);
      break;
    case 4:
      std::memcpy(at, &value, 4);
      break;
    case 2:
      std::memcpy(at, &value, 2);
      break;
    default:
      std::memcpy(at, &value, 1);
  }
}

// The value of a lane in a slot of the frame.
inline std::uint64_t read_slot(const std::byte* slot, int lane, std::uint32_t bytes) {
  return read_number(slot + static_cast<std::uint32_t>(lane) * bytes, bytes);
}
inline void write_slot(std::byte* slot, int lane, std::uint32_t bytes, std::uint64_t value) {
  write_number(slot + static_cast<std::uint32_t>(lane) * bytes, bytes, value);
}

// The result is *pattern_.
[[gnu::always_inline]] inline void Worker::find_pattern(const MemoryOp& memory, std::uint32_t executed) {
  if (memory.kept_at >= 0) return find_kept_pattern(memory, executed);
  pattern_ = &found_;
  (memory.address64 ? lanes_.pattern64 : lanes_.pattern32)(registers_ + memory.address, memory.offset, executed,
                                                           found_);
}

[[gnu::always_inline]] inline void Worker::find_kept_pattern(const MemoryOp& memory, std::uint32_t executed) {
  const std::byte* const addresses = registers_ + memory.address;
  KeptPattern& kept = kept_[static_cast<std::size_t>(memory.kept_at)];
  AddressPattern& pattern = kept.pattern;
  pattern_ = &pattern;
  const std::uint64_t difference = memory.offset - std::exchange(kept.offset, memory.offset);
  // Other warps and paths may have run since the first access and stored their patterns here.
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

// Moves the values of a checked access. `host`: add this to an address to get the host's.
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

}  // namespace lanescope::sim
