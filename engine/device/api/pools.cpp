#include "device/api/pools.h"

#include <algorithm>
#include <cstring>

#include "device/api/graphs.h"
#include "device/api/library.h"

namespace lanescope::device::api {

namespace {

constexpr int on_device = 1;  // cudaMemLocationTypeDevice; those of the host are above

MemoryPool* current = nullptr;

bool is_elsewhere(PoolLocation location) {
  return location.type == on_device && location.id != 0;
}

MemoryPool& of_graphs() {
  static auto* const made = new MemoryPool;
  return *made;
}

void give(MemoryPool& pool, std::uint64_t address) {
  pool.given.insert(address);
  pool.high = std::max(pool.high, pool.used(device().memory()));
}

}  // namespace

std::uint64_t MemoryPool::used(const Memory& memory) const {
  std::uint64_t bytes = 0;
  for (const std::uint64_t address : given)
    if (const Allocation* one = memory.find(address)) bytes += one->bytes;
  return bytes;
}

Status pool_of(int allocation, PoolLocation location, int handles, MemoryPool& made) {
  constexpr int pinned = 1, managed = 2;
  constexpr int none = 0, on_nearest_node_of_host = 4;  // between them: on the device, and on the host
  if (location.type < none || location.type > on_nearest_node_of_host) return Status::invalid_value;
  if (allocation != managed && (allocation != pinned || location.type == none)) return Status::invalid_value;
  if (handles != 0) return Status::not_supported;
  made.on_host = location.type > on_device;
  made.kind = allocation == managed ? MemoryKind::managed : made.on_host ? MemoryKind::pinned : MemoryKind::device;
  return !made.on_host && location.id != 0 ? Status::invalid_device : Status::success;
}

MemoryPool* default_pool() {
  static auto* const made = new MemoryPool;
  return made;
}
MemoryPool* current_pool() {
  return current == nullptr ? default_pool() : current;
}
MemoryPool* find_pool(const void* pool) {
  return pool == default_pool() ? default_pool() : find<MemoryPool>(pool);
}
Status give_access(const void* handle, std::span<const PoolAccess> list) {
  MemoryPool* pool = find_pool(handle);
  if (pool == nullptr) return Status::invalid_value;
  for (const PoolAccess& one : list)
    if (is_elsewhere(one.location)) return Status::invalid_device;
  for (const PoolAccess& one : list)
    if (pool->on_host != (one.location.type > on_device)) pool->is_shared = one.flags != 0;
  return Status::success;
}
Status access_to(const void* handle, PoolLocation location, int& flags) {
  constexpr int none = 0, read_and_write = 3;
  const MemoryPool* pool = find_pool(handle);
  if (pool == nullptr) return Status::invalid_value;
  if (is_elsewhere(location)) return Status::invalid_device;
  flags = pool->is_shared || pool->on_host == (location.type > on_device) ? read_and_write : none;
  return Status::success;
}
Status set_current_pool(const void* pool) {
  MemoryPool* found = find_pool(pool);
  if (found == nullptr) return Status::invalid_value;
  current = found;
  return Status::success;
}
Status destroy_pool(const void* pool) {
  if (find<MemoryPool>(pool) == nullptr) return Status::invalid_value;
  if (current == pool) current = nullptr;
  return destroy<MemoryPool>(pool);
}

Status allocate_in(const void* stream, MemoryPool* pool, std::uint64_t bytes, const char* call,
                   std::uint64_t& address) {
  if (pool == nullptr) return Status::invalid_value;
  if (!is_stream(stream)) return Status::invalid_handle;
  address = 0;
  if (bytes == 0) return Status::success;
  if (Stream* captured = captured_stream(stream)) {
    address = device().memory().reserve(bytes);
    if (address == 0) return Status::memory_allocation;
    return note(*captured, NodeKind::alloc, allocating({address, bytes}), GraphMemory{address, bytes});
  }
  Allocation* made = device().memory().allocate(pool->kind, bytes, call);
  if (made == nullptr) return Status::memory_allocation;
  made->pool = pool;
  address = made->address;
  std::erase_if(pool->given, [](std::uint64_t one) { return device().memory().find(one) == nullptr; });
  give(*pool, address);
  return Status::success;
}

Status free_in(const void* stream, std::uint64_t address, const char* call) {
  if (!is_stream(stream)) return Status::invalid_handle;
  if (address == 0) return Status::success;
  if (Stream* captured = captured_stream(stream))
    return note(*captured, NodeKind::release, releasing(address), address);
  return device().free(address, false, call);
}

namespace {
enum Attribute : int { threshold = 4, reserved, reserved_high, used_now, used_high };
}

Status set_attribute(MemoryPool* pool, int which, const void* value) {
  if (pool == nullptr || value == nullptr) return Status::invalid_value;
  if (which >= 1 && which <= 3) {
    std::memcpy(&pool->reuse[static_cast<std::size_t>(which - 1)], value, sizeof(int));
    return Status::success;
  }
  std::uint64_t wide = 0;
  std::memcpy(&wide, value, sizeof wide);
  if (which == threshold) {
    pool->release_threshold = wide;
    return Status::success;
  }
  if ((which != reserved_high && which != used_high) || wide != 0) return Status::invalid_value;
  pool->high = pool->used(device().memory());
  return Status::success;
}

Status attribute_of(const MemoryPool* pool, int which, void* value) {
  if (pool == nullptr || value == nullptr) return Status::invalid_value;
  if (which >= 1 && which <= 3) {
    std::memcpy(value, &pool->reuse[static_cast<std::size_t>(which - 1)], sizeof(int));
    return Status::success;
  }
  if (which < threshold || which > used_high) return Status::invalid_value;
  const std::uint64_t wide = which == threshold                       ? pool->release_threshold
                             : which == reserved || which == used_now ? pool->used(device().memory())
                                                                      : pool->high;
  std::memcpy(value, &wide, sizeof wide);
  return Status::success;
}

void graph_allocated(std::uint64_t address) {
  give(of_graphs(), address);
}

Status graph_memory(int which, std::uint64_t& value) {
  if (which < 0 || which > 3) return Status::invalid_value;
  value = which % 2 == 0 ? of_graphs().used(device().memory()) : of_graphs().high;
  return Status::success;
}

Status reset_graph_memory(int which, std::uint64_t value) {
  if (which % 2 != 1 || value != 0) return Status::invalid_value;
  of_graphs().high = of_graphs().used(device().memory());
  return Status::success;
}

}  // namespace lanescope::device::api
