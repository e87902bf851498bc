#pragma once
// The device's memory: the program's allocations. Addresses are never used twice and are far apart, so that an access
// through a wrong or stale pointer hits nothing.
//
// The host cannot access memory from cudaMalloc, because nothing is mapped at its address. Pinned and managed memory is
// on the host, at the same address that kernels use.

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/wording.h"
#include "sim/memory/device_memory.h"

namespace lanescope::device {

enum class MemoryKind : std::uint8_t { device, pinned, managed, registered, variable, constant, array, mapped };

struct Allocation : sim::DeviceAllocation {
  MemoryKind kind = MemoryKind::device;
  std::uint32_t flags = 0;        // as passed to the allocating call
  bool of_module = false;         // a variable, which exists as long as its module
  const void* pool = nullptr;     // the memory pool of the APIs that gave it
  const void* context = nullptr;  // of the driver API, the one that was current; nullptr: none in particular
  bool on_host() const {
    return kind == MemoryKind::pinned || kind == MemoryKind::managed || kind == MemoryKind::registered;
  }
  bool holds(std::uint64_t from, std::uint64_t count) const {
    return from >= address && from <= end() && count <= end() - from;
  }
  std::byte* at(std::uint64_t from) const { return data + (from - address); }
};

// A freed allocation, for messages.
struct Freed {
  std::uint64_t address = 0, bytes = 0;
  Wording name;
};

class Memory {
 public:
  // The total is that of the imitated GPU, but at most that of the machine.
  Memory();
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  // nullptr if there is not enough memory. Memory on the host and variables count as written. All memory starts as
  // zeros. The name is for messages; if `counted`, it includes a number: "cudaMalloc of 4096 bytes (allocation 3)".
  Allocation* allocate(MemoryKind kind, std::uint64_t bytes, const char* call);
  // Allocates at an address from reserve() that is free now.
  Allocation* allocate_at(std::uint64_t address, std::uint64_t bytes, const char* call);
  // Reserves addresses for this many bytes, which no other allocation gets. 0 if there are none.
  std::uint64_t reserve(std::uint64_t bytes);
  Allocation* allocate_variable(bool constant, std::uint64_t bytes, Wording name);
  // Makes the allocation one that another process can map: its place there, for take_shared(). nullopt if that fails.
  struct SharedPlace {
    std::int32_t process = 0, descriptor = 0;
    std::uint64_t bytes = 0;
  };
  std::optional<SharedPlace> share(Allocation& allocation);
  // What another process has shared, as device memory of this one, at an address of its own. nullptr if it is not there
  // any more. All of it counts as written.
  Allocation* take_shared(const SharedPlace& place, const char* call);
  // Memory that already exists on the host, as in cudaHostRegister.
  Allocation* take_host(void* memory, std::uint64_t bytes);
  void release(Allocation* allocation);
  void release_all();

  // The allocation that contains the address; nullptr if there is none.
  Allocation* find(std::uint64_t address) const;
  const Freed* find_freed(std::uint64_t address) const;
  std::span<sim::DeviceAllocation* const> all() const { return sorted_; }
  std::uint64_t used() const { return used_; }
  std::uint64_t total() const { return total_; }

 private:
  struct Owned;
  Allocation* make(MemoryKind kind, std::uint64_t address, std::uint64_t bytes, const char* call);
  Allocation* add(std::unique_ptr<Owned> owned);

  sim::DeviceMemory sorted_;
  std::vector<std::unique_ptr<Owned>> owned_;  // parallel to sorted_
  std::deque<Freed> freed_;                    // the latest ones
  std::uint64_t next_, used_ = 0, total_, made_ = 0;
};

// Mark bytes as written: all of them, or those that are written in `from`.
void mark_written(sim::DeviceAllocation& to, std::uint64_t address, std::uint64_t bytes);
void copy_written(sim::DeviceAllocation& to, std::uint64_t to_address, const sim::DeviceAllocation& from,
                  std::uint64_t from_address, std::uint64_t bytes);

}  // namespace lanescope::device
