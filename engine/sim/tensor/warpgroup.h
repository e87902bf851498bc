#pragma once
// wgmma.mma_async: the product of a warpgroup, whose four warps have 16 rows each. Source for fragments, shapes and the
// matrix descriptor: "PTX ISA", "Asynchronous Warpgroup Level Matrix Instructions". In a sparse product
// (wgmma.mma_async.sp), a row of A holds half of its columns, as in mma.sp (sparse.h), and B has twice as many rows.
//
// Arithmetic: as in tensor.h, but all products of an instruction are one step, and
//   - d is not added if scale-d is false; if it is added, even a zero has the exponent −126;
//   - for 8-bit floats 13 bits are kept below the largest exponent, and an f32 sum has 13 fraction bits;
//   - the exponent of a subnormal 8-bit float is that of the smallest normal one;
//   - an f16 sum that is zero or is rounded to zero is +0.
// This gave the same bits as an H200 for 3.85 million sums: random and adversarial numbers (wide exponents,
// cancellation, subnormal and huge numbers, zeros, infinity and NaN) of each type and accumulator. The addresses of
// 1,824 descriptors (every swizzle, both orientations, any base offset) were equal too.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/tensor/tensor.h"
#include "sim/tensor/tensor_tile.h"

namespace lanescope::sim {

// A matrix in shared memory, from the 64 bits of a descriptor. A line is a row of A or a column of B; its 32 bytes
// along k, or 64 of a sparse product's B, are chunks of 16. Addresses are in bytes.
struct SharedMatrix {
  std::uint32_t start = 0, leading = 0, stride = 0;
  int base = 0;
  enum class Swizzle : std::uint8_t { none, by128, by64, by32 } swizzle = Swizzle::none;
  bool is_valid = true;  // no bit is set that must be zero

  static SharedMatrix of(std::uint64_t descriptor);
  // The distance between lines within the swizzle pattern, in chunks of 16 bytes: 1, 2, 4 or 8.
  std::uint32_t across() const;
  // The swizzle pattern starts at a multiple of its size; otherwise `base` must say where. (An H200 accepts any.)
  bool is_aligned() const {
    return (start >> 7 & (across() - 1)) == (static_cast<std::uint32_t>(base) & (across() - 1));
  }
  // The address of 16 contiguous bytes. K-major: 16 bytes of a line along k. A chunk beyond the width of the swizzle
  // is in the next pattern, `leading` further on.
  std::uint32_t along_k(int line, int chunk) const;
  // M- or N-major, 16-bit elements: eight lines, from a multiple of eight on, for one k.
  std::uint32_t along_lines(int line, int k) const;

 private:
  std::uint32_t swizzled(std::uint32_t address) const;
};

struct WarpgroupOp {
  static constexpr int rows = 16, line_bytes = 32;
  static constexpr int most_columns = 256;

  Element a{}, b{}, sum{};
  int n = 0, k = 0;            // k: stored columns of A
  bool sparse = false;         // half of the columns are stored
  int selector = 0;            // sparse: which lanes of each four give their metadata
  std::uint32_t metadata = 0;  // slot
  bool a_in_registers = false;
  bool a_by_line = false, b_by_line = false;  // M- and N-major
  bool negate_a = false, negate_b = false;
  bool saturate = false;
  std::vector<std::uint32_t> a_slots, d_slots;
  std::uint32_t a_descriptor = 0, b_descriptor = 0;  // slots
  bool always_adds = false;                          // if not set: decided by a predicate (slot, negated)
  bool never_adds = false;
  std::uint32_t adds = 0;
  bool adds_negated = false;

  // Filled in by find_places(), for the vector kernels, which compute `strip` columns at a time.
  int strip = 0;                                // 0: only multiply_lines() can do it
  std::vector<std::uint32_t> a_at, b_at, c_at;  // positions in WarpgroupInput, see tensor_tile.h; b_at by strip
  std::vector<std::uint32_t> d_at;              // positions in the registers, row by row of a strip, by strip

  int depth() const { return sparse ? 2 * k : k; }  // rows of B
  int b_line_bytes() const { return sparse ? 2 * line_bytes : line_bytes; }
  // The 16 rows of a warp of a sparse product, as mma.sp would name them; for sparse.h.
  TensorOp sparse_form() const;
  Fragment fragment() const { return {Fragment::Matrix::c, sum, rows, n, k, false, false}; }
  // The bits of a summand that are kept below the largest exponent.
  int kept_bits() const;
  // The bits of an f32 sum's significand.
  int result_bits() const;
};

// The input of one warp's product: its lines of A, all lines of B, and space for the sums.
struct WarpgroupInput {
  alignas(64) std::array<std::byte, WarpgroupOp::rows * WarpgroupOp::line_bytes> a;
  std::array<std::byte, WarpgroupOp::most_columns * WarpgroupOp::line_bytes * 2> b;
  std::array<std::byte, Tile::most_elements * 4> c;
};

void find_places(WarpgroupOp& op);

// d = a b (+ d), in the registers of a warp. Changes the signs in the input. `columns`: for a sparse product, those of
// SparseColumns.
void multiply(const WarpgroupOp& op, WarpgroupInput& input, bool adds, std::byte* registers, const TileKernels& kernels,
              const std::vector<std::uint8_t>& columns = {});

// The slow way, for any numbers and any number of rows. Elements are raw: a by rows, b by columns, sums by rows.
// (tensor_multiply.cpp)
void multiply_lines(const WarpgroupOp& op, const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b,
                    std::vector<std::uint64_t>& sums, bool adds);

}  // namespace lanescope::sim
