#pragma once
// wgmma.mma_async: the product of a warpgroup, whose four warps have 16 rows each. Sources: "PTX ISA", "Asynchronous
// Warpgroup Level Matrix Instructions", for fragments, shapes and the matrix descriptor.
//
// Arithmetic: as tensor.h has it, all products of an instruction in one step, and
//   - d has no part in it where scale-d is false: with it, even a zero sum has the exponent −126;
//   - of 8-bit floats 13 bits are kept below the largest exponent, and 13 fraction bits of an f32 sum;
//   - the exponent of a subnormal 8-bit float is that of the smallest normal one;
//   - an f16 sum that is zero, or is rounded to it, is +0.
// All of this gave the same bits as an H200 on 3.85 million sums: random and adversarial numbers (wide exponents,
// cancellation, subnormal and huge numbers, zeros, infinity and NaN) of each type and accumulator. So did the addresses
// that 1,824 descriptors of every swizzle, both ways and any base offset name.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/tensor/tensor.h"
#include "sim/tensor/tensor_tile.h"

namespace lanescope::sim {

// A matrix in shared memory as the 64 bits of a descriptor say. A line is a row of A or a column of B; its 32 bytes of
// k are two chunks. Addresses are bytes.
struct SharedMatrix {
  std::uint32_t start = 0, leading = 0, stride = 0;
  int base = 0;
  enum class Swizzle : std::uint8_t { none, by128, by64, by32 } swizzle = Swizzle::none;
  bool is_valid = true;  // no bit is set that must be zero

  static SharedMatrix of(std::uint64_t descriptor);
  // Chunks of 16 bytes from one line to the next within the pattern of the swizzle: 1, 2, 4 or 8.
  std::uint32_t across() const;
  // The pattern of a swizzle starts at a multiple of its size, or else `base` has to say where. (An H200 takes any.)
  bool is_aligned() const {
    return (start >> 7 & (across() - 1)) == (static_cast<std::uint32_t>(base) & (across() - 1));
  }
  // 16 bytes that belong together. K-major: 16 bytes of k of a line; `chunk` is 0 or 1.
  std::uint32_t along_k(int line, int chunk) const;
  // M- or N-major, of 16-bit elements: eight lines, from a multiple of eight on, at one k.
  std::uint32_t along_lines(int line, int k) const;

 private:
  std::uint32_t swizzled(std::uint32_t address) const;
};

struct WarpgroupOp {
  static constexpr int rows = 16, line_bytes = 32;
  static constexpr int most_columns = 256;

  Element a{}, b{}, sum{};
  int n = 0, k = 0;
  bool a_in_registers = false;
  bool a_by_line = false, b_by_line = false;  // M- and N-major
  bool negate_a = false, negate_b = false;
  bool saturate = false;
  std::vector<std::uint32_t> a_slots, d_slots;
  std::uint32_t a_descriptor = 0, b_descriptor = 0;  // slots
  bool always_adds = false;                          // else by a predicate: slot, negated
  bool never_adds = false;
  std::uint32_t adds = 0;
  bool adds_negated = false;

  // Filled in by find_places(): the part that the vector kernels do `strip` columns at a time.
  int strip = 0;                                // 0: only the slow way
  std::vector<std::uint32_t> a_at, b_at, c_at;  // in WarpgroupInput, see tensor_tile.h; b_at by strip
  std::vector<std::uint32_t> d_at;              // in the registers, row by row of a strip, by strip

  Fragment fragment() const { return {Fragment::Matrix::c, sum, rows, n, k, false, false}; }
  // Below the largest exponent: what is left of a summand.
  int kept_bits() const;
  // Of an f32 sum's significand.
  int result_bits() const;
};

// What one warp multiplies: the lines of its rows of A, those of B, and room for the sums.
struct WarpgroupInput {
  alignas(64) std::array<std::byte, WarpgroupOp::rows * WarpgroupOp::line_bytes> a;
  std::array<std::byte, WarpgroupOp::most_columns * WarpgroupOp::line_bytes> b;
  std::array<std::byte, Tile::most_elements * 4> c;
};

void find_places(WarpgroupOp& op);

// d = a b (+ d), in the registers of a warp. Changes the input (signs).
void multiply(const WarpgroupOp& op, WarpgroupInput& input, bool adds, std::byte* registers,
              const TileKernels& kernels);

// The slow way, for any numbers: raw elements, a by rows, b by columns, sums by rows. (tensor_multiply.cpp)
void multiply_lines(const WarpgroupOp& op, const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b,
                    std::vector<std::uint64_t>& sums, bool adds);

}  // namespace lanescope::sim
