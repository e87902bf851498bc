#pragma once
// Global and constant memory of one launch: regions that never touch, each the bytes of a buffer argument, of a module
// variable, of the cooperative launch's workspace, or of an allocation on the device heap. Those on the heap come and
// go during the launch, which runs on one thread then.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/wording.h"
#include "sim/memory/device_memory.h"
#include "sim/memory/written_map.h"
#include "sim/memory/written_overlay.h"

namespace lanescope::sim {

enum class RegionKind : std::uint8_t { buffer, variable, constant, workspace, heap };

struct Region {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  std::byte* data = nullptr;  // owned by the launch
  RegionKind kind = RegionKind::buffer;
  std::int32_t argument = -1;
  Wording name;               // for messages: "arg 1 (f32[1024])", "variable table"
  std::uint64_t written = 0;  // bytes from the start that count as written before the launch
  const std::vector<std::uint64_t>* written_bits = nullptr;  // and these, as WrittenMap::words() gives them
  const WrittenMap* before = nullptr;      // both of them as a map; nullptr where there is nothing to know
  DeviceAllocation* allocation = nullptr;  // of memory that outlives the launch: it has the name, and what is written
  std::uint32_t index = 0;                 // in GlobalMemory::regions()

  std::uint64_t end() const { return address + bytes; }
  const Wording& shown_name() const { return allocation == nullptr ? name : allocation->name; }
  // Whether some of its bytes count as never written when the launch begins.
  bool has_unwritten() const { return allocation == nullptr ? written < bytes : !allocation->written.complete(); }
  // Whether [low, high] with `width` bytes from high on lies within.
  bool holds(std::uint64_t low, std::uint64_t high, std::uint64_t width) const {
    return low >= address && high <= end() - width && bytes >= width;
  }
  // What to add to an address to get the host's.
  std::uintptr_t host() const { return reinterpret_cast<std::uintptr_t>(data) - address; }
};

class GlobalMemory {
 public:
  void add(Region region);
  // Call once after the last add(). `name` may give each region a better name.
  void sort(const std::function<void(Region&)>& name = {});
  const std::vector<Region>& regions() const { return regions_; }  // but those on the heap
  // An allocation of the device heap: after sort(). Stays where it is until it is removed. Its index is no other's,
  // also after that.
  const Region& add_heap(Region region);
  void remove_heap(const Region& region) { heap_.erase(region.address); }
  bool has_heap() const { return !heap_.empty(); }
  // The region with address ≤ `address` < end, or nullptr.
  const Region* find(std::uint64_t address) const;
  // The one whose bytes come closest; nullptr when there are none.
  const Region* nearest(std::uint64_t address) const;
  // What is written before the launch, for a worker: by index.
  std::vector<WrittenOverlay> written() const;

 private:
  void find_before(Region& region);

  std::vector<Region> regions_;
  std::deque<WrittenMap> before_;         // of those that do not outlive the launch
  std::map<std::uint64_t, Region> heap_;  // by address
  std::uint32_t heap_indices_ = 0;        // given so far
};

}  // namespace lanescope::sim
