#pragma once
// Tensor core instructions: their operations, and how a product is computed. Source: "PTX ISA", chapter "Warp Level
// Matrix Multiply-Accumulate Instructions".
//
// Arithmetic. Integers and bits are exact. f64 is a chain of fused multiply-adds in the order of k. For narrower
// floating-point types the manual leaves rounding open. This implements the model that the literature found for Hopper
// ("MMA-Sim: Bit-Accurate Reference Model of Tensor Cores and Matrix Cores", arXiv 2511.10909; earlier: Fasi et al.,
// "Numerical behavior of NVIDIA tensor cores", 2021):
//   - products are exact; one step adds c and 16 products of 16-bit types, or 8 of tf32 (4 for wmma, which ptxas
//     implements by m16n8k4);
//   - each summand is truncated 25 bits below the largest summand's exponent; the sum of the truncated ones is exact;
//   - the result is truncated to f32, or rounded to nearest even for f16; it is c of the next step;
//   - a NaN is 0x7fffffff (f32) or 0x7fff (f16); subnormal numbers are not flushed; tf32 is the upper 19 bits of its
//     register;
//   - sm_90 has no instruction for 8-bit floats; as in its machine code they are converted to f16. The chain starts
//     with 0, takes the lower halves of all registers first and then the upper ones, and c is added last (to nearest);
//   - sm_90 has no instruction for m8n8k4 either: it consists of f32 multiply-adds;
//   - an f16 sum that is zero or is rounded to zero is +0 (seen for wgmma).
//   - for mma.sp, the products of the stored elements are those of an mma with half of the k, in their order (its
//     machine code is HMMA.SP, two of them for 8-bit floats; tests/exec/sparse_products.cu compares it with an H100);
// This gave the same bits as an H200 for 64 random products of each shape and type, NaN and infinity included. The only
// exception, before the last rule was added, was the sign of one zero in 4,096 words of m16n8k16 with e5m2 and f16
// sums. So for p summands of magnitudes up to M, the error of one step is at most p · 2⁻²⁵ · 2⌈log2 M⌉, plus the
// rounding of its result.

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "ptx/instruction.h"
#include "sim/tensor/fragment.h"

namespace lanescope::sim {

struct WarpgroupOp;  // sim/tensor/warpgroup.h

struct TensorOp {
  enum class Kind : std::uint8_t {
    multiply,
    load_rows,
    store_rows,
    transpose,
    load_fragment,
    store_fragment,
    of_warpgroup
  };
  Kind kind{};

  // For multiply. d and c hold the same elements, but their types may differ.
  Fragment a, b, c, d;
  bool saturate = false;                       // integers: clamp to the range of s32
  bool exclusive = false;                      // b1: xor; else and
  ptx::Rounding rounding = ptx::Rounding::rn;  // f64
  // mma.sp: a holds half of the columns, so a.k is half of b.k. See sparse.h.
  bool sparse = false, ordered = false;
  int selector = 0;
  std::uint32_t metadata = 0;  // slot
  std::vector<std::uint32_t> a_slots, b_slots, c_slots;
  std::vector<std::uint32_t> a_at, b_at, c_at, d_at;  // see tensor_tile.h; empty if only multiply() can do it

  std::vector<std::uint32_t> slots;  // results; for a store or a transpose: the registers to move

  // For rows of 8 × 8 matrices: lane 8 i + r has the address of row r of matrix i.
  bool transposed = false;
  // For wmma.load and wmma.store.
  Fragment fragment;
  bool by_column = false;    // in memory
  std::uint32_t stride = 0;  // slot: elements from one line to the next
  std::vector<FragmentRequest> requests;
  // By register, lane and part. There is only one part if the elements of a register are contiguous in memory.
  std::vector<Fragment::Place> places;

  // For instructions that access memory.
  std::uint32_t site = 0xffffffffu;
  ptx::Space space = ptx::Space::generic;
  std::uint32_t address = 0;  // slot
  std::uint64_t offset = 0;
  bool address64 = true;
  std::uint32_t scratch = 0;  // slot of 256 bytes that is never read

  std::shared_ptr<const WarpgroupOp> warpgroup;

  bool of_wmma = false;
  int products_at_once() const {
    if (a.element == Element::tf32) return of_wmma ? 4 : 8;
    return bits_of(a.element) == 8 ? a.k / 2 : 16;
  }

  bool is_load() const { return kind == Kind::load_rows || kind == Kind::load_fragment; }
  bool touches_memory() const {
    return kind != Kind::multiply && kind != Kind::transpose && kind != Kind::of_warpgroup;
  }
};

// One register of 32 lanes.
using LaneValues = std::array<std::uint64_t, 32>;

// Returns the registers of d. Each vector has the operand's registers, at least Fragment::registers() of them.
// `columns`: for a sparse product, those of SparseColumns.
std::vector<LaneValues> multiply(const TensorOp& op, const std::vector<LaneValues>& a, const std::vector<LaneValues>& b,
                                 const std::vector<LaneValues>& c, const std::vector<std::uint8_t>& columns = {});

}  // namespace lanescope::sim
