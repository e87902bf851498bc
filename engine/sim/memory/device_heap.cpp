#include "sim/memory/device_heap.h"

#include <algorithm>
#include <iterator>

#include "sim/memory/address_space.h"

namespace lanescope::sim {

namespace {

using address_space::align_up;
using address_space::alignment;

constexpr std::uint64_t gap = 1024;                             // minimum distance between allocations
constexpr std::uint64_t launch_bytes = std::uint64_t{1} << 44;  // address space of one launch
constexpr std::uint64_t launches_apart = 16;                    // after this many launches the addresses repeat
constexpr std::uint64_t common_bytes = launch_bytes / 4;        // common to all threads; the last of those
constexpr std::size_t most_freed = 1u << 20;                    // remembered freed allocations

// malloc(0) takes space too.
std::uint64_t counted(std::uint64_t bytes) {
  return align_up(std::max<std::uint64_t>(bytes, 1), 16);
}

}  // namespace

void DeviceHeap::begin_launch(std::uint64_t threads) {
  base_ = address_space::heap + launches_++ % launches_apart * launch_bytes;
  range_bytes_ = (launch_bytes - common_bytes) / std::max<std::uint64_t>(threads, 1) / alignment * alignment;
  common_ = base_ + launch_bytes - common_bytes;
  next_.clear();
  refusals_ = {};
}

// If false, `behind` is the first address after the allocation that is in the way.
bool DeviceHeap::is_free(std::uint64_t address, std::uint64_t bytes, std::uint64_t& behind) const {
  auto before = allocations_.lower_bound(address + bytes + gap);
  if (before == allocations_.begin()) return true;
  --before;
  behind = before->first + before->second.bytes() + gap;
  return behind <= address;
}

// In the thread's own range; if that is full, after the others in the common range.
std::uint64_t DeviceHeap::place_for(std::uint64_t bytes, std::uint64_t thread) {
  const std::uint64_t begin = base_ + thread * range_bytes_, end = begin + range_bytes_;
  std::uint64_t& next = next_.try_emplace(thread, begin).first->second;
  std::uint64_t behind = 0;
  while (next + bytes + gap <= end) {
    const std::uint64_t address = next;
    const bool fits = is_free(address, bytes, behind);
    next = align_up(fits ? address + bytes + gap : behind, alignment);
    if (fits) return address;
  }
  for (;;) {
    if (common_ + bytes + gap > base_ + launch_bytes) common_ = base_ + launch_bytes - common_bytes;
    const std::uint64_t address = common_;
    const bool fits = is_free(address, bytes, behind);
    common_ = align_up(fits ? address + bytes + gap : behind, alignment);
    if (fits) return address;
  }
}

HeapAllocation* DeviceHeap::allocate(std::uint64_t bytes, std::uint64_t thread, const HeapCall& by) {
  if (bytes > capacity_ || counted(bytes) > capacity_ - used_) {
    if (refusals_.count++ == 0) refusals_.first = by, refusals_.bytes = bytes;
    return nullptr;
  }
  const std::uint64_t address = place_for(bytes, thread);
  used_ += counted(bytes);
  forget_freed(address, address + bytes);
  HeapAllocation& made = allocations_[address];
  made.address = address;
  made.contents.resize(bytes);
  made.allocated = by;
  return &made;
}

void DeviceHeap::release(std::uint64_t address, const HeapCall& by) {
  const auto found = allocations_.find(address);
  const HeapAllocation& gone = found->second;
  used_ -= counted(gone.bytes());
  if (freed_.size() >= most_freed) freed_.erase(freed_.begin());
  freed_[address] = {address, gone.bytes(), gone.allocated, by};
  allocations_.erase(found);
}

void DeviceHeap::forget_freed(std::uint64_t first, std::uint64_t end) {
  auto at = freed_.upper_bound(first);
  if (at != freed_.begin() && std::prev(at)->second.bytes > first - std::prev(at)->first) --at;
  while (at != freed_.end() && at->first < end) at = freed_.erase(at);
}

const HeapAllocation* DeviceHeap::at(std::uint64_t address) const {
  const auto after = allocations_.upper_bound(address);
  if (after == allocations_.begin()) return nullptr;
  const HeapAllocation& one = std::prev(after)->second;
  return address - one.address < one.bytes() ? &one : nullptr;
}

const FreedAllocation* DeviceHeap::freed_at(std::uint64_t address) const {
  const auto after = freed_.upper_bound(address);
  if (after == freed_.begin()) return nullptr;
  const FreedAllocation& one = std::prev(after)->second;
  return address - one.address < one.bytes ? &one : nullptr;
}

std::uint32_t DeviceHeap::number_of(const Line& line) {
  const auto known = std::find(lines_.begin(), lines_.end(), line);
  if (known != lines_.end()) return static_cast<std::uint32_t>(known - lines_.begin());
  lines_.push_back(line);
  return static_cast<std::uint32_t>(lines_.size() - 1);
}

}  // namespace lanescope::sim
