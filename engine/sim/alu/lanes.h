#pragma once
// What the interpreter does with the 32 addresses and values of one warp-level memory access: finding their pattern,
// and moving the values. One copy for each instruction set (see operation.h).

#include <cstddef>
#include <cstdint>

namespace lanescope::sim {

// The addresses of the executed lanes of one access. Never made for an empty mask.
struct AddressPattern {
  std::uint64_t first = 0;  // of the lowest executed lane
  // When affine: lane → first + stride × (lane − lowest executed lane); fits in 32 bits. Of `halves`: see there.
  std::int64_t stride = 0;
  std::uint64_t low = 0;   // the smallest address of an executed lane
  std::uint64_t high = 0;  // the largest
  // Says what all addresses less `first` are multiples of: its lowest set bit is the lowest one of them all. The stride
  // when affine.
  std::uint64_t bits = 0;
  bool affine = false;
  // Not affine, all 32 lanes, and each half of the warp is affine with this stride: lane → first + stride × lane for
  // the lower half, first + relative[16] + stride × (lane − 16) for the upper one. `relative` is set as well.
  bool halves = false;
  alignas(64) std::uint64_t relative[32];  // when not affine: lane → address − first; of executed lanes
};

[[gnu::always_inline]] inline std::uint64_t address_of(const AddressPattern& pattern, std::uint32_t executed,
                                                       int lane) {
  if (!pattern.affine) return pattern.first + pattern.relative[lane];
  return pattern.first + static_cast<std::uint64_t>(pattern.stride * (lane - __builtin_ctz(executed)));
}

// Adds to every address.
[[gnu::always_inline]] inline void shift(AddressPattern& pattern, std::uint64_t by) {
  pattern.first += by;
  pattern.low += by;
  pattern.high += by;
}

// Bytes of an element in memory and of the lane's place in its register slot, and how the one fills the other.
struct TransferShape {
  int memory_bytes = 4;    // 1, 2, 4, 8
  int register_bytes = 4;  // 2, 4, 8
  bool is_signed = false;  // a load into a wider register extends the sign
};

// Moves one element of each executed lane between the register slot and host memory; the element of lane l lies at host
// address `host + address of l`. Stores go in lane order, so the highest lane wins where lanes collide.
using Load = void (*)(std::byte* slot, std::uintptr_t host, const AddressPattern& pattern, std::uint32_t mask);
using Store = void (*)(const std::byte* slot, std::uintptr_t host, const AddressPattern& pattern, std::uint32_t mask);

struct LaneKernels {
  // The pattern of a slot of 32- or 64-bit addresses, each with `offset` added in that width.
  void (*pattern32)(const std::byte* slot, std::uint64_t offset, std::uint32_t mask, AddressPattern& pattern);
  void (*pattern64)(const std::byte* slot, std::uint64_t offset, std::uint32_t mask, AddressPattern& pattern);
  // Null for a shape that does not exist.
  Load (*load)(TransferShape shape);
  Store (*store)(TransferShape shape);
  // Whether a[i] == b[i] for every executed lane.
  bool (*same)(const std::uint64_t* a, const std::uint64_t* b, std::uint32_t mask);
  // to[i] = from[source[i]] for the lanes of the mask; `to` may be `from`.
  void (*permute32)(std::uint32_t* to, const std::uint32_t* from, const std::uint32_t* source, std::uint32_t mask);
};

// The best for this machine.
const LaneKernels& lane_kernels();

namespace lane_memory_baseline {
const LaneKernels& kernels();
}
namespace lane_memory_avx2 {
const LaneKernels& kernels();
}
namespace lane_memory_avx512 {
const LaneKernels& kernels();
}

}  // namespace lanescope::sim
