// cp.async: copies from global to shared memory.

#include <algorithm>
#include <cstring>

#include "sim/warp/lane_addresses.h"
#include "sim/warp/worker.h"

namespace lanescope::sim {

using trace::MemorySpace;

// The copy happens immediately. It is two events of one site: the global read by the lanes that read any bytes, then
// the shared write.
template <Mode mode>
bool Worker::async_copy(const Operation& operation, std::uint32_t active) {
  const MemoryOp& memory = memory_of(operation);
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
      // Lanes that read less may be at the end of a buffer. The request counts with its full width.
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

template bool Worker::async_copy<Mode::plain>(const Operation&, std::uint32_t);
template bool Worker::async_copy<Mode::totals>(const Operation&, std::uint32_t);
template bool Worker::async_copy<Mode::events>(const Operation&, std::uint32_t);

}  // namespace lanescope::sim
