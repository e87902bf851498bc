#pragma once
// Memory pools of both APIs. Freed memory is returned to the device immediately, so a pool never keeps memory, and its
// thresholds are only stored.

#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <span>
#include <vector>

#include "device/api/streams.h"
#include "device/device.h"

namespace lanescope::device::api {

struct MemoryPool {
  MemoryKind kind = MemoryKind::device;  // or managed, or pinned for memory of the host
  bool on_host = false;                  // where it is
  bool is_shared = false;                // the other side was given access
  std::array<int, 3> reuse{1, 1, 1};
  std::uint64_t most_bytes = 0;  // that may be allocated at the same time; 0: no limit
  std::uint64_t release_threshold = 0;
  std::set<std::uint64_t> given;  // allocated addresses; some may have been freed since
  std::uint64_t high = 0;         // most bytes that were allocated at the same time

  std::uint64_t used(const Memory& memory) const;
};

// Values of cudaMemAllocationType, cudaMemLocationType, cudaMemAccessFlags and cudaMemAllocationHandleType, which are
// those of the driver API too.
struct PoolLocation {
  int type = 0, id = 0;
};
Status pool_of(int allocation, PoolLocation location, int handles, MemoryPool& made);

MemoryPool* default_pool();
MemoryPool* current_pool();  // from which stream-ordered allocations take memory
Status set_current_pool(const void* pool);
// The device or the host may use a pool where it is, or if it was given access.
struct PoolAccess {
  PoolLocation location;
  int flags = 0;
};
Status give_access(const void* pool, std::span<const PoolAccess> list);
Status access_to(const void* pool, PoolLocation location, int& flags);
// The same with the structs of either API: cudaMemAccessDesc and CUmemAccessDesc, cudaMemLocation and CUmemLocation.
template <typename Access>
Status give_access(const void* pool, const Access* list, std::size_t count) {
  if (list == nullptr && count != 0) return Status::invalid_value;
  std::vector<PoolAccess> given;
  for (std::size_t i = 0; i < count; ++i)
    given.push_back({{static_cast<int>(list[i].location.type), list[i].location.id}, static_cast<int>(list[i].flags)});
  return give_access(pool, given);
}
template <typename Location, typename Flags>
Status access_to(const void* pool, const Location* location, Flags* flags) {
  if (flags == nullptr || location == nullptr) return Status::invalid_value;
  int found = 0;
  const Status status = access_to(pool, {static_cast<int>(location->type), location->id}, found);
  if (status == Status::success) *flags = static_cast<Flags>(found);
  return status;
}
// Also the default pool. nullptr if it is not a pool.
MemoryPool* find_pool(const void* pool);
Status destroy_pool(const void* pool);

// Stream-ordered. During a capture, adds a node and gives the address.
Status allocate_in(const void* stream, MemoryPool* pool, std::uint64_t bytes, const char* call, std::uint64_t& address);
Status free_in(const void* stream, std::uint64_t address, const char* call);

// `which` is a value of cudaMemPoolAttr and CUmemPool_attribute. The value is an int for 0 to 3, else 64 bits.
Status set_attribute(MemoryPool* pool, int which, const void* value);
Status attribute_of(const MemoryPool* pool, int which, void* value);
// The memory of graphs; `which` is a value of cudaGraphMemAttributeType.
Status graph_memory(int which, std::uint64_t& value);
Status reset_graph_memory(int which, std::uint64_t value);
void graph_allocated(std::uint64_t address);

}  // namespace lanescope::device::api
