#pragma once
// Tensor core products by vector instructions. They give the same bits as multiply() of tensor.h, for types of at least
// 8 bits except 8-bit floats, and as multiply_lines() of warpgroup.h, for these too; only if all numbers are finite.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/alu/operation.h"
#include "sim/tensor/tensor.h"

namespace lanescope::sim {

struct TileFormat {
  int bytes = 0;
  int exponent_bits = 0, fraction_bits = 0;
  int unused_bits = 0;   // the lowest
  bool infinite = true;  // the largest exponent is that of infinity and NaN; else only of NaN, the largest fraction
};
TileFormat tile_format_of(Element element);  // f16, bf16, tf32, e4m3, e5m2; else f32

// Plain data, for the kernels of each instruction set.
struct Tile {
  static constexpr int most_elements = 512;  // of a matrix
  int m = 0, n = 0, k = 0;                   // n is a multiple of 8
  // The position of each element in the registers of the warp, row by row.
  const std::uint32_t *a_at = nullptr, *b_at = nullptr, *c_at = nullptr;
  bool a_signed = false, b_signed = false;  // 8-bit integers
  TileFormat factor, b_factor, addend;      // floats; factor: of a
  int kept_bits = 25;                       // of a summand, below the largest exponent
  int result_bits = 24;                     // of a truncated sum's significand
  int at_once = 0;                          // products per step
  bool adds = true;                         // c is added, even if it is zero
  bool to_odd = false;                      // truncated bits set the last bit (round to odd); then k is a single step
};

struct TileKernels {
  // d: the bits of f32, truncated. False, with d undefined, if an infinite number or a NaN occurs.
  bool (*floats)(const Tile& tile, const std::byte* registers, std::uint32_t* d) = nullptr;
  // Sums modulo 2^32.
  void (*bytes)(const Tile& tile, const std::byte* registers, std::uint32_t* d) = nullptr;
  // Chains of fused multiply-adds. False, with d undefined, if a NaN occurs.
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

// The f16 sum for a result that `floats` gave with Tile::to_odd. A sum that is rounded to zero is +0.
std::uint16_t half_sum(std::uint32_t odd);

// Fills in a_at, b_at, c_at and d_at: the position of each element in the registers, row by row. Leaves them empty if
// only multiply() can do it.
void find_places(TensorOp& op);

// Multiplies from registers to registers. False if it did nothing; then call multiply().
bool multiply_quickly(const TensorOp& op, std::byte* registers, const TileKernels& kernels);

}  // namespace lanescope::sim
