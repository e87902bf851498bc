#pragma once
// Products of the tensor cores by vector instructions: the same bits as multiply() of tensor.h, for the types of 8 bits
// and more but 8-bit floats, and as long as every number is finite.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/alu/operation.h"
#include "sim/tensor/tensor.h"

namespace lanescope::sim {

struct TileFormat {
  int bytes = 0;
  int exponent_bits = 0, fraction_bits = 0;
  int unused_bits = 0;  // the lowest
};
TileFormat tile_format_of(Element element);  // f16, bf16, tf32; else f32

// Plain data, for the kernels of each instruction set.
struct Tile {
  static constexpr int most_elements = 512;  // of a matrix
  int m = 0, n = 0, k = 0;                   // n is a multiple of 8
  // Where each element stands in the registers of the warp: row by row.
  const std::uint32_t *a_at = nullptr, *b_at = nullptr, *c_at = nullptr;
  bool a_signed = false, b_signed = false;  // 8-bit integers
  TileFormat factor, addend;                // floats
  int at_once = 0;                          // products of one step
  bool adds = true;                         // c has a part in it, even as a zero
  bool to_odd = false;                      // what is cut off sets the last bit; k is one step then
};

struct TileKernels {
  // d: the bits of f32, cut off. False, with d undefined, where an infinite number or a NaN comes up.
  bool (*floats)(const Tile& tile, const std::byte* registers, std::uint32_t* d) = nullptr;
  // Sums modulo 2^32.
  void (*bytes)(const Tile& tile, const std::byte* registers, std::uint32_t* d) = nullptr;
  // Chains of fused multiply-adds. False, with d undefined, where a NaN comes up.
  bool (*doubles)(const Tile& tile, const std::byte* registers, double* d) = nullptr;
};
namespace tensor_baseline {
const TileKernels& tile_kernels();
}
namespace tensor_avx2 {
const TileKernels& tile_kernels();
}
namespace tensor_avx512 {
const TileKernels& tile_kernels();
}
const TileKernels& tile_kernels(Isa isa);

// An f16 sum of what `floats` gave for Tile::to_odd: also what is rounded to zero is +0.
std::uint16_t half_sum(std::uint32_t odd);

// Fills a_at, b_at, c_at and d_at: where each element stands in the registers, row by row. Leaves them empty where only
// multiply() can do it.
void find_places(TensorOp& op);

// Multiplies from registers to registers. False where nothing was done and multiply() has to.
bool multiply_quickly(const TensorOp& op, std::byte* registers, const TileKernels& kernels);

}  // namespace lanescope::sim
