#pragma once
// Memory pools of both APIs: what is given back goes back to the device at once, so that a pool never keeps memory and
// its thresholds only have to be remembered.

#include <array>
#include <cstdint>
#include <set>

#include "device/api/streams.h"
#include "device/device.h"

namespace lanescope::device::api {

struct MemoryPool {
  std::array<int, 3> reuse{1, 1, 1};
  std::uint64_t release_threshold = 0;
  std::set<std::uint64_t> given;  // addresses; some may have been given back since
  std::uint64_t high = 0;         // most bytes that were given at once

  std::uint64_t used(const Memory& memory) const;
};

MemoryPool* default_pool();
MemoryPool* current_pool();  // what an allocation in a stream's order takes from
Status set_current_pool(const void* pool);
// The default one too; nullptr: it is none.
MemoryPool* find_pool(const void* pool);
Status destroy_pool(const void* pool);

// In a stream's order; a capture notes it, and gives the address.
Status allocate_in(const void* stream, MemoryPool* pool, std::uint64_t bytes, const char* call, std::uint64_t& address);
Status free_in(const void* stream, std::uint64_t address, const char* call);

// By the numbers of cudaMemPoolAttr and CUmemPool_attribute: ints up to 3, else 64 bits.
Status set_attribute(MemoryPool* pool, int which, const void* value);
Status attribute_of(const MemoryPool* pool, int which, void* value);
// What graphs gave, by the numbers of cudaGraphMemAttributeType.
Status graph_memory(int which, std::uint64_t& value);
Status reset_graph_memory(int which, std::uint64_t value);
void graph_allocated(std::uint64_t address);

}  // namespace lanescope::device::api
