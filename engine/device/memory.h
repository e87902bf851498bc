#pragma once
// The device's memory: what the program allocated, at addresses that are never used twice, far apart from one another,
// so that an access through a pointer that is wrong or too old finds nothing there.
//
// The host cannot touch what cudaMalloc gives: at its address nothing is mapped. Pinned and managed memory lies on the
// host at the very address that kernels use.

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
  std::uint32_t flags = 0;  // as passed to the call that made it
  bool of_module = false;   // a variable, which lives as long as its module
  bool on_host() const {
    return kind == MemoryKind::pinned || kind == MemoryKind::managed || kind == MemoryKind::registered;
  }
  bool holds(std::uint64_t from, std::uint64_t count) const {
    return from >= address && from <= end() && count <= end() - from;
  }
  std::byte* at(std::uint64_t from) const { return data + (from - address); }
};

// What was given back, for messages.
struct Freed {
  std::uint64_t address = 0, bytes = 0;
  Wording name;
};

class Memory {
 public:
  // As much as there is of it; what the imitated GPU has, but not more than the machine.
  Memory();
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  // nullptr when there is not so much. What is on the host counts as written, and so do variables; all begins as zeros.
  // The name is for messages; a number is added to it where `counted`: "cudaMalloc of 4096 bytes (allocation 3)".
  Allocation* allocate(MemoryKind kind, std::uint64_t bytes, const char* call);
  // At an address that reserve() gave and where nothing lies now.
  Allocation* allocate_at(std::uint64_t address, std::uint64_t bytes, const char* call);
  // Room for so many bytes, which nothing else will get; 0: there is none.
  std::uint64_t reserve(std::uint64_t bytes);
  Allocation* allocate_variable(bool constant, std::uint64_t bytes, Wording name);
  // Memory that the host has already, as cudaHostRegister takes it.
  Allocation* take_host(void* memory, std::uint64_t bytes);
  void release(Allocation* allocation);
  void release_all();

  // The one that the address lies in; nullptr when there is none.
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
  std::deque<Freed> freed_;                    // the last ones
  std::uint64_t next_, used_ = 0, total_, made_ = 0;
};

// Marks as written, or takes over which bytes of `from` were.
void mark_written(sim::DeviceAllocation& to, std::uint64_t address, std::uint64_t bytes);
void copy_written(sim::DeviceAllocation& to, std::uint64_t to_address, const sim::DeviceAllocation& from,
                  std::uint64_t from_address, std::uint64_t bytes);

}  // namespace lanescope::device
