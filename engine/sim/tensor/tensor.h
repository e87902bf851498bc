#pragma once
// Tensor core instructions: which lane holds which element of a matrix, and how a product is computed. Source: "PTX
// ISA", chapter "Warp Level Matrix Multiply-Accumulate Instructions", for mma, ldmatrix, stmatrix and movmatrix. It
// leaves open where the elements of a wmma fragment are. Here they are where ptxas places them for sm_80 to sm_90: a
// fragment consists of fragments of mma.m16n8k16 and similar.
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
// This gave the same bits as an H200 for 64 random products of each shape and type, NaN and infinity included. The only
// exception, before the last rule was added, was the sign of one zero in 4,096 words of m16n8k16 with e5m2 and f16
// sums. So for p summands of magnitudes up to M, the error of one step is at most p · 2⁻²⁵ · 2⌈log2 M⌉, plus the
// rounding of its result.

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "ptx/instruction.h"

namespace lanescope::sim {

enum class Element : std::uint8_t { none, b1, s4, u4, s8, u8, e4m3, e5m2, f16, bf16, tf32, f32, f64, s32 };

int bits_of(Element element);  // in memory and in a register
Element element_named(std::string_view name);

// How the elements of a matrix are distributed over the registers of the lanes.
struct Fragment {
  enum class Matrix : std::uint8_t { a, b, c };
  struct Place {
    int row = 0, column = 0;
  };

  Matrix matrix{};
  Element element{};
  int m = 0, n = 0, k = 0;
  bool quads = false;      // f16 m8n8k4: four products, each of lanes 4q … 4q+3 and 16+4q … 16+4q+3
  bool by_column = false;  // for quads: .col

  // ptxas implements m8n32k16 by mma.m16n8k16 with transposed matrices: B and C are laid out like its A and C.
  bool turned() const { return m == 8 && n == 32; }
  int rows() const { return matrix == Matrix::b ? k : m; }
  int columns() const { return matrix == Matrix::a ? k : n; }
  int register_bytes() const { return element == Element::f64 ? 8 : 4; }
  int per_register() const { return 8 * register_bytes() / bits_of(element); }
  // Registers of a lane with different contents. An f16 wmma fragment has more registers, which repeat these.
  int registers() const {
    return quads ? 8 / per_register() / (matrix == Matrix::c ? 1 : 2) : rows() * columns() / 32 / per_register();
  }
  Place place(int lane, int reg, int part) const;
};

// The lanes whose addresses one memory request uses, and the place of each address relative to the matrix's first
// element.
struct FragmentRequest {
  std::uint32_t lanes = 0;
  int width = 0;  // bytes per lane
  std::array<Fragment::Place, 32> place{};
};

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
std::vector<LaneValues> multiply(const TensorOp& op, const std::vector<LaneValues>& a, const std::vector<LaneValues>& b,
                                 const std::vector<LaneValues>& c);

// The requests that move a fragment: by ldmatrix if it has 16-bit elements and is in shared memory (`rows_at_once`),
// else word by word.
std::vector<FragmentRequest> requests_of(const Fragment& fragment, bool by_column, bool rows_at_once);

// Whether the elements of one register are contiguous in memory.
bool is_together(const Fragment& fragment, bool by_column);

}  // namespace lanescope::sim
