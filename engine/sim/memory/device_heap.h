#pragma once
// The heap of malloc() and free() in kernels. What is not freed stays from one launch to the next.
//
// Each thread of a launch has a range of addresses of its own, so that where an allocation lies depends neither on the
// order of blocks nor on what other threads allocated; once it is used up, the next free address of a common range
// serves. No address is given twice within a launch, and between any two allocations lies a gap: an access behind
// either end of one, or after free(), falls into nothing. Addresses are multiples of 256; CUDA promises 16. Only the
// bytes that are asked for, rounded up to 16, count towards the capacity: the allocator of a GPU needs some for itself,
// and is full earlier.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/diagnostic.h"
#include "core/dim3.h"

namespace lanescope::sim {

// cudaLimitMallocHeapSize, unless the host sets another.
inline constexpr std::uint64_t default_heap_bytes = std::uint64_t{8} << 20;

// Who called malloc() or free().
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

// One that was freed.
struct FreedAllocation {
  std::uint64_t address = 0, bytes = 0;
  HeapCall allocated, freed;
};

class DeviceHeap {
 public:
  explicit DeviceHeap(std::uint64_t capacity = default_heap_bytes) : capacity_(capacity) {}

  // Before each launch, with its number of threads.
  void begin_launch(std::uint64_t threads);
  // For the thread with this linear index in its launch. nullptr when it does not fit. Of 0 bytes it is a place
  // where nothing may be read or written, as on an H200. Stays where it is until it is released.
  HeapAllocation* allocate(std::uint64_t bytes, std::uint64_t thread, const HeapCall& by);
  // One that is allocated now.
  void release(std::uint64_t address, const HeapCall& by);

  // The one with this byte, or nullptr.
  const HeapAllocation* at(std::uint64_t address) const;
  const FreedAllocation* freed_at(std::uint64_t address) const;
  std::map<std::uint64_t, HeapAllocation>& allocations() { return allocations_; }  // by address
  const std::map<std::uint64_t, HeapAllocation>& allocations() const { return allocations_; }

  std::uint64_t capacity() const { return capacity_; }
  std::uint64_t used() const { return used_; }
  // How often there was no room in this launch, and of the first time who asked, for how much.
  struct Refusals {
    std::uint64_t count = 0, bytes = 0;
    HeapCall first;
  };
  const Refusals& refusals() const { return refusals_; }

  // Lines that call malloc() and free().
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
  // Of the launch.
  std::uint64_t launches_ = 0, base_ = 0, range_bytes_ = 0, common_ = 0;
  std::unordered_map<std::uint64_t, std::uint64_t> next_;  // by thread: the next address of its range
};

}  // namespace lanescope::sim
