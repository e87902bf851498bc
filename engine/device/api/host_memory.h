#pragma once
// Memory of the host in both APIs: what a program registers, and what it says of ranges of managed memory: who uses
// them, where they should lie, where they were prefetched to. The latter is kept for queries and changes nothing:
// managed memory is the host's and the device's alike.

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
// Where managed memory is attached does not matter, because it never moves. invalid_value for other memory and for a
// part of it.
Status attach(const void* stream, std::uint64_t at, std::size_t bytes, unsigned flags);
// invalid_device for another device.
Status prefetch(std::uint64_t at, std::size_t bytes, std::optional<MemoryPlace> place);
// `which`: a value of cudaMemRangeAttribute or CUmem_range_attribute. What does not hold for the whole range is not
// told, as the APIs say.
Status tell_advice(void* to, std::size_t size, int which, std::uint64_t at, std::size_t bytes);

// Memory that the program registers, and what is asked about memory of the host. What is refused, and with which error,
// is as on an H200 (tests/exec/answers_memory.out).

// `flags`: cudaHostRegisterPortable and so on, CU_MEMHOSTREGISTER_PORTABLE and so on. `call` is for messages.
Status register_host(void* memory, std::size_t bytes, unsigned flags, const char* call);
Status unregister_host(void* memory);
// The flags of page-locked memory, which is always mapped. `memory` may be any address within.
Status flags_of_host(const void* memory, unsigned* flags);

}  // namespace lanescope::device::api
