#pragma once
// Global and constant memory of one launch. Its regions never touch. Each has the bytes of a buffer argument, a module
// variable, a cooperative launch's workspace, or an allocation on the device heap. Heap regions are added and removed
// during the launch, which then runs on one thread.

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
  const std::vector<std::uint64_t>* written_bits = nullptr;  // further written bytes, as in WrittenMap::words()
  const WrittenMap* before = nullptr;                        // both as a map; nullptr if all bytes count as written
  DeviceAllocation* allocation = nullptr;  // for memory that outlives the launch; it has the name and the written bytes
  std::uint32_t index = 0;                 // in GlobalMemory::regions()

  std::uint64_t end() const { return address + bytes; }
  const Wording& shown_name() const { return allocation == nullptr ? name : allocation->name; }
  // Whether some bytes count as never written when the launch begins.
  bool has_unwritten() const { return allocation == nullptr ? written < bytes : !allocation->written.complete(); }
  // Whether [low, high + width) is inside the region.
  bool holds(std::uint64_t low, std::uint64_t high, std::uint64_t width) const {
    return low >= address && high <= end() - width && bytes >= width;
  }
  // Add this to an address to get the host's address.
  std::uintptr_t host() const { return reinterpret_cast<std::uintptr_t>(data) - address; }
};

class GlobalMemory {
 public:
  void add(Region region);
  // Call once after the last add(). `name` may give each region a better name.
  void sort(const std::function<void(Region&)>& name = {});
  const std::vector<Region>& regions() const { return regions_; }  // without those on the heap
  // Adds an allocation of the device heap; call it after sort(). The region stays valid until it is removed. Its index
  // is never used again.
  const Region& add_heap(Region region);
  void remove_heap(const Region& region) { heap_.erase(region.address); }
  bool has_heap() const { return !heap_.empty(); }
  // The region with address ≤ `address` < end, or nullptr.
  const Region* find(std::uint64_t address) const;
  // The region that is closest to the address; nullptr if there are none.
  const Region* nearest(std::uint64_t address) const;
  // The bytes that are written before the launch, for a worker: by region index.
  std::vector<WrittenOverlay> written() const;

 private:
  void find_before(Region& region);

  std::vector<Region> regions_;
  std::deque<WrittenMap> before_;         // for regions that do not outlive the launch
  std::map<std::uint64_t, Region> heap_;  // by address
  std::uint32_t heap_indices_ = 0;        // number of indices given so far
};

}  // namespace lanescope::sim
