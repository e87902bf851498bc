#pragma once
// How the interpreter handles the 32 addresses and values of a warp's memory access: it finds the pattern of the
// addresses and moves the values. One copy for each instruction set (see operation.h).

#include <cstddef>
#include <cstdint>

namespace lanescope::sim {

// The addresses of the executed lanes of one access. At least one lane is executed.
//
// What shift() changes does not lie in a row: gcc would change two at once, and each change would wait longer for the
// one before it.
struct AddressPattern {
  std::uint64_t first = 0;  // of the lowest executed lane
  // If affine: lane → first + stride × (lane − lowest executed lane); fits in 32 bits. For `halves`, see there.
  std::int64_t stride = 0;
  std::uint64_t low = 0;  // the smallest address of an executed lane
  // The lowest set bit is the lowest one that any (address − first) has, so this tells which power of two divides all
  // of them. If affine, it is the stride.
  std::uint64_t bits = 0;
  std::uint64_t high = 0;  // the largest address of an executed lane
  bool affine = false;
  // Not affine, all 32 lanes executed, and each half of the warp is affine with `stride`: lane → first + stride × lane
  // in the lower half, first + relative[16] + stride × (lane − 16) in the upper half. `relative` is set too.
  bool halves = false;
  alignas(64) std::uint64_t relative[32];  // if not affine: lane → address − first, for executed lanes
};

[[gnu::always_inline]] inline std::uint64_t address_of(const AddressPattern& pattern, std::uint32_t executed,
                                                       int lane) {
  if (!pattern.affine) return pattern.first + pattern.relative[lane];
  return pattern.first + static_cast<std::uint64_t>(pattern.stride * (lane - __builtin_ctz(executed)));
}

// Adds `by` to every address.
[[gnu::always_inline]] inline void shift(AddressPattern& pattern, std::uint64_t by) {
  pattern.first += by;
  pattern.low += by;
  pattern.high += by;
}

// The bytes of an element in memory and of a lane in its register slot, and how a load extends it.
struct TransferShape {
  int memory_bytes = 4;    // 1, 2, 4, 8
  int register_bytes = 4;  // 2, 4, 8
  bool is_signed = false;  // a load into a wider register extends the sign
};

// Moves one element for each executed lane between the register slot and host memory. The element of lane l is at host
// address `host + address of l`. Stores go in lane order, so the highest lane wins if lanes collide.
using Load = void (*)(std::byte* slot, std::uintptr_t host, const AddressPattern& pattern, std::uint32_t mask);
using Store = void (*)(const std::byte* slot, std::uintptr_t host, const AddressPattern& pattern, std::uint32_t mask);

// The same for all 32 lanes and adjacent elements, from or to the first one. Always true, so that a function can end
// with it.
using MoveRange = bool (*)(std::byte* slot, std::byte* host);

struct LaneKernels {
  // The pattern of a slot of 32- or 64-bit addresses, each with `offset` added in that width.
  void (*pattern32)(const std::byte* slot, std::uint64_t offset, std::uint32_t mask, AddressPattern& pattern);
  void (*pattern64)(const std::byte* slot, std::uint64_t offset, std::uint32_t mask, AddressPattern& pattern);
  // nullptr for a shape that does not exist.
  Load (*load)(TransferShape shape);
  Store (*store)(TransferShape shape);
  MoveRange (*load_range)(TransferShape shape);
  MoveRange (*store_range)(TransferShape shape);
  // Whether a[i] == b[i] for every executed lane.
  bool (*same)(const std::uint64_t* a, const std::uint64_t* b, std::uint32_t mask);
  // Whether a lane holds 0, in a slot of 32- or 64-bit numbers. All 32 lanes count.
  bool (*some_zero32)(const std::byte* slot);
  bool (*some_zero64)(const std::byte* slot);
  // to[i] = from[source[i]] for the lanes of the mask; `to` may be `from`.
  void (*permute32)(std::uint32_t* to, const std::uint32_t* from, const std::uint32_t* source, std::uint32_t mask);
};

// The kernels for the best instruction set of this machine.
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
