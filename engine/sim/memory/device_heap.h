#pragma once
// The heap of malloc() and free() in kernels. Memory that is not freed stays allocated for later launches.
//
// Each thread of a launch has its own range of addresses. So the address of an allocation does not depend on the order
// of blocks or on what other threads allocate. If the range is full, the next free address of a common range is used.
// No address is used twice within a launch, and there is a gap between any two allocations. So an access past either
// end of an allocation, or after free(), hits no memory. Addresses are multiples of 256; CUDA promises 16. Only the
// requested bytes, rounded up to 16, count towards the capacity. A GPU's allocator needs some bytes for itself and is
// full earlier.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/diagnostic.h"
#include "core/dim3.h"
#include "core/memory_model.h"

namespace lanescope::sim {

// A call of malloc() or free().
struct HeapCall {
  std::uint32_t line = 0;  // DeviceHeap::line()
  Dim3 block, thread;
};

struct HeapAllocation {
  std::uint64_t address = 0;
  std::vector<std::byte> contents;
  std::vector<std::uint64_t> written;  // WrittenMap::words() between launches
  HeapCall allocated;
  std::uint64_t bytes() const { return contents.size(); }
};

// An allocation that was freed.
struct FreedAllocation {
  std::uint64_t address = 0, bytes = 0;
  HeapCall allocated, freed;
};

class DeviceHeap {
 public:
  explicit DeviceHeap(std::uint64_t capacity = default_heap_bytes) : capacity_(capacity) {}

  // Call before each launch, with its number of threads.
  void begin_launch(std::uint64_t threads);
  // `thread` is the thread's linear index in the launch. nullptr if it does not fit. An allocation of 0 bytes is an
  // address where nothing may be read or written, as on an H200. The result stays valid until it is released.
  HeapAllocation* allocate(std::uint64_t bytes, std::uint64_t thread, const HeapCall& by);
  // Frees an existing allocation.
  void release(std::uint64_t address, const HeapCall& by);

  // The allocation that contains this byte, or nullptr.
  const HeapAllocation* at(std::uint64_t address) const;
  const FreedAllocation* freed_at(std::uint64_t address) const;
  std::map<std::uint64_t, HeapAllocation>& allocations() { return allocations_; }  // by address
  const std::map<std::uint64_t, HeapAllocation>& allocations() const { return allocations_; }

  std::uint64_t capacity() const { return capacity_; }
  std::uint64_t used() const { return used_; }
  // How often an allocation did not fit in this launch; the first such call and its bytes.
  struct Refusals {
    std::uint64_t count = 0, bytes = 0;
    HeapCall first;
  };
  const Refusals& refusals() const { return refusals_; }

  // The lines that call malloc() and free().
  struct Line {
    SourcePlace place;
    std::string kernel;
    friend bool operator==(const Line&, const Line&) = default;
  };
  std::uint32_t number_of(const Line& line);
  const std::vector<Line>& lines() const { return lines_; }
  const Line& line(const HeapCall& call) const { return lines_.at(call.line); }

 private:
  bool is_free(std::uint64_t address, std::uint64_t bytes, std::uint64_t& behind) const;
  std::uint64_t place_for(std::uint64_t bytes, std::uint64_t thread);
  void forget_freed(std::uint64_t first, std::uint64_t end);

  std::uint64_t capacity_, used_ = 0;
  std::map<std::uint64_t, HeapAllocation> allocations_;
  std::map<std::uint64_t, FreedAllocation> freed_;
  std::vector<Line> lines_;
  Refusals refusals_;
  // State of the current launch.
  std::uint64_t launches_ = 0, base_ = 0, range_bytes_ = 0, common_ = 0;
  std::unordered_map<std::uint64_t, std::uint64_t> next_;  // by thread: the next address of its range
};

}  // namespace lanescope::sim
