#pragma once
// What a program says of ranges of managed memory: who uses them, where they should lie, where they were prefetched to.
// It is kept for queries and changes nothing: managed memory is the host's and the device's alike.

#include <cstddef>
#include <cstdint>
#include <optional>

#include "device/memory.h"
#include "device/status.h"

namespace lanescope::device::api {

// The values of cudaMemLocationType and CUmemLocationType that managed memory can be at.
enum class MemoryPlaceKind : int { none = 0, device = 1, host = 2, host_node = 3, nearest_host_node = 4 };
struct MemoryPlace {
  MemoryPlaceKind kind = MemoryPlaceKind::none;
  int id = 0;
  friend bool operator==(const MemoryPlace&, const MemoryPlace&) = default;
};
// From a number of CUDA 12's calls: a device, or -1 for the host.
MemoryPlace place_of(int device);
// nullopt if there is no such place.
std::optional<MemoryPlace> place_of(int kind, int id);

// `advice`: a value of cudaMemoryAdvise or CUmem_advise. The range counts in pages of 4096 bytes. invalid_value for
// memory that is not managed and for another device.
Status advise(std::uint64_t at, std::size_t bytes, int advice, std::optional<MemoryPlace> place);
// invalid_device for another device.
Status prefetch(std::uint64_t at, std::size_t bytes, std::optional<MemoryPlace> place);
// `which`: a value of cudaMemRangeAttribute or CUmem_range_attribute. What does not hold for the whole range is not
// told, as the APIs say.
Status tell_advice(void* to, std::size_t size, int which, std::uint64_t at, std::size_t bytes);

}  // namespace lanescope::device::api
