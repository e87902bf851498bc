#include "device/api/pools.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <map>

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
  constexpr int known_handles = 15;
  if ((handles & ~known_handles) != 0) return Status::invalid_value;
  if (handles != 0) return Status::not_supported;
  made.on_host = location.type > on_device;
  made.kind = allocation == managed ? MemoryKind::managed : made.on_host ? MemoryKind::pinned : MemoryKind::device;
  return !made.on_host && location.id != 0 ? Status::invalid_value : Status::success;
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
  constexpr int none = 0, read_and_write = 3;
  for (const PoolAccess& one : list) {
    if (one.location.type == 0 || (one.flags != none && one.flags != read_and_write)) return Status::not_supported;
    // The device always reaches its own memory.
    const bool own = one.location.type == on_device && !pool->on_host;
    if (is_elsewhere(one.location) || (own && one.flags == none)) return Status::invalid_device;
  }
  for (const PoolAccess& one : list)
    if (pool->on_host != (one.location.type > on_device)) pool->is_shared = one.flags != 0;
  return Status::success;
}
Status access_to(const void* handle, PoolLocation location, int& flags) {
  constexpr int none = 0, read_and_write = 3;
  const MemoryPool* pool = find_pool(handle);
  if (pool == nullptr) return Status::invalid_value;
  if (location.type == 0 || is_elsewhere(location)) return Status::invalid_value;
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
  if (const Status known = expect_stream(stream); known != Status::success) return known;
  address = 0;
  if (bytes == 0) return Status::success;
  if (Stream* captured = captured_stream(stream)) {
    const GraphMemory memory = reserve_for_graph(device(), bytes);
    address = memory.address;
    if (address == 0) return Status::memory_allocation;
    return note(*captured, NodeKind::alloc, allocating(memory), memory);
  }
  if (pool->most_bytes != 0 && pool->used(device().memory()) + bytes > pool->most_bytes)
    return Status::memory_allocation;
  Allocation* made = device().memory().allocate(pool->kind, bytes, call);
  if (made == nullptr) return Status::memory_allocation;
  made->pool = pool;
  address = made->address;
  std::erase_if(pool->given, [](std::uint64_t one) { return device().memory().find(one) == nullptr; });
  give(*pool, address);
  return Status::success;
}

Status free_in(const void* stream, std::uint64_t address, const char* call) {
  if (const Status known = expect_stream(stream); known != Status::success) return known;
  if (address == 0) return Status::success;
  if (Stream* captured = captured_stream(stream))
    return is_graph_memory(address) ? note(*captured, NodeKind::release, releasing(address), address)
                                    : Status::invalid_value;
  return device().free(address, false, call);
}

namespace {
enum Attribute : int { threshold = 4, reserved, reserved_high, used_now, used_high };
}

Status set_attribute(MemoryPool* pool, int which, const void* value) {
  if (pool == nullptr || value == nullptr) return Status::invalid_value;
  if (which >= 1 && which <= 3) {
    int number = 0;
    std::memcpy(&number, value, sizeof number);
    pool->reuse[static_cast<std::size_t>(which - 1)] = number != 0;
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

// Memory that graphs allocate and free in their nodes, and what a node that copies or fills can touch.

namespace {

// All that nodes allocate, by its address; no address is used twice. Without lock: calls hold the device's.
std::map<std::uint64_t, std::uint64_t>& memory_of_nodes() {
  static auto* const made = new std::map<std::uint64_t, std::uint64_t>;
  return *made;
}

// The bytes from this address on that a node allocates; 0 if none does.
std::uint64_t reserved_from(std::uint64_t address) {
  const auto after = memory_of_nodes().upper_bound(address);
  if (after == memory_of_nodes().begin()) return 0;
  const auto& [first, bytes] = *std::prev(after);
  return address - first < bytes ? bytes - (address - first) : 0;
}

}  // namespace

bool is_graph_memory(std::uint64_t address) {
  return memory_of_nodes().contains(address);
}

GraphMemory reserve_for_graph(Device& device, std::uint64_t bytes) {
  const GraphMemory memory{device.memory().reserve(bytes), bytes};
  if (memory.address != 0) memory_of_nodes()[memory.address] = bytes;
  return memory;
}

Status add_allocation(Device& device, void** to, const void* graph, const void* const* after, std::size_t count,
                      std::uint64_t bytes, std::uint64_t& address) {
  if (bytes == 0) return Status::invalid_value;
  const GraphMemory memory = reserve_for_graph(device, bytes);
  if (memory.address == 0) return Status::memory_allocation;
  address = memory.address;
  return add_node(to, graph, after, count, {NodeKind::alloc, allocating(memory), memory});
}

Status add_release(void** to, const void* graph, const void* const* after, std::size_t count, std::uint64_t address) {
  const Graph* found = find<Graph>(graph);
  if (found == nullptr || !is_graph_memory(address)) return Status::invalid_value;
  for (const auto& node : found->nodes)  // once
    if (node->kind == NodeKind::release && *std::any_cast<std::uint64_t>(&node->parameters) == address)
      return Status::invalid_value;
  return add_node(to, graph, after, count, {NodeKind::release, releasing(address), address});
}

Work allocating(GraphMemory memory) {
  return [memory](Device& device) {
    // The program must have freed the memory of an earlier launch.
    if (device.memory().allocate_at(memory.address, memory.bytes, "a graph's node") == nullptr)
      return Status::invalid_value;
    graph_allocated(memory.address);
    return Status::success;
  };
}

Work releasing(std::uint64_t address) {
  return [address](Device& device) { return device.free(address, false, "a graph's free"); };
}

Status check_later(const Device::Range& range, const char* call) {
  if (const std::uint64_t there = reserved_from(range.address); there != 0)
    return range.bytes <= there ? Status::success : Status::invalid_value;
  return device().check(range, call);
}

Status check_block_later(const Device::Block& block, std::uint64_t width, std::uint64_t rows, std::uint64_t slices,
                         const char* call) {
  if (width == 0 || rows == 0 || slices == 0) return Status::success;
  return check_later({block.address, (slices - 1) * block.slice + (rows - 1) * block.pitch + width, block.side}, call);
}

Status check_fill_later(const LaterFill& fill, const char* call) {
  const bool known_size = fill.element_bytes == 1 || fill.element_bytes == 2 || fill.element_bytes == 4;
  const std::uint64_t row = fill.width * fill.element_bytes;
  if (!known_size || fill.width == 0 || fill.height == 0 || (fill.height > 1 && row > fill.pitch))
    return Status::invalid_value;
  return check_later({fill.address, (fill.height - 1) * fill.pitch + row, Device::Side::device}, call);
}

}  // namespace lanescope::device::api
