// Atomics on memory. Reductions without a result are deferred, to be applied in the order of blocks.

#include <array>
#include <cstring>

#include "sim/warp/lane_addresses.h"
#include "sim/warp/worker.h"

namespace lanescope::sim {

namespace {

// Of a b128 register: 32 lower halves, then 32 upper halves.
using Wide = std::array<std::uint64_t, 2>;
constexpr std::uint32_t upper_halves = 256;  // bytes
Wide wide_value(const std::byte* registers, std::uint32_t slot, int lane) {
  return {read_slot(registers + slot, lane, 8), read_slot(registers + slot + upper_halves, lane, 8)};
}

// atom.exch.b128 and atom.cas.b128.
void exchange_wide(std::byte* registers, const MemoryOp& memory, int lane, std::byte* place) {
  Wide old;
  std::memcpy(old.data(), place, sizeof old);
  const Wide b = wide_value(registers, memory.b[0], lane);
  const bool swaps = memory.c[0] != 0;
  if (!swaps || old == b) {
    const Wide fresh = swaps ? wide_value(registers, memory.c[0], lane) : b;
    std::memcpy(place, fresh.data(), sizeof fresh);
  }
  if (memory.value[0] == 0) return;
  write_slot(registers + memory.value[0], lane, 8, old[0]);
  write_slot(registers + memory.value[0] + upper_halves, lane, 8, old[1]);
}

}  // namespace

void Worker::apply_atomic(const MemoryOp& memory, std::uintptr_t host, const AddressPattern& pattern,
                          std::uint32_t executed, bool global) {
  const AtomicFunction apply = global ? memory.apply_global : memory.apply;
  const std::uint32_t bytes = memory.operand_bytes;
  const auto act = [&](int lane) {
    const std::uint64_t address = address_of(pattern, executed, lane);
    if (memory.element_bytes == sizeof(Wide))
      return exchange_wide(registers_, memory, lane, reinterpret_cast<std::byte*>(host + address));
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

}  // namespace lanescope::sim
