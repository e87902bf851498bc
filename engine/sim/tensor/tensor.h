#pragma once
// Instructions of the tensor cores: which lane holds which element of a matrix, and what a product is. Sources: "PTX
// ISA", chapters "Warp Level Matrix Multiply-Accumulate Instructions", for mma, ldmatrix, stmatrix and movmatrix. Where
// the elements of a wmma fragment lie is left open there; here they lie as ptxas places them for sm_80 to sm_90: a
// fragment is made of those of mma.m16n8k16 and its like.
//
// Arithmetic. Integers and bits are exact; f64 is a chain of fused multiply-adds in the order of k. For the narrower
// floating-point types the manual leaves rounding open. What is done here is the model that the literature found for
// Hopper ("MMA-Sim: Bit-Accurate Reference Model of Tensor Cores and Matrix Cores", arXiv 2511.10909; earlier: Fasi et
// al., "Numerical behavior of NVIDIA tensor cores", 2021):
//   - products are exact; one step adds c and 16 products of 16-bit types, or 8 of tf32 (4 in wmma, which ptxas makes
//     of m16n8k4);
//   - each summand is truncated 25 bits below the exponent of the largest one; the sum of what is left is exact;
//   - the result is truncated to f32, or rounded to the nearest even f16; it is c of the next step;
//   - a NaN is 0x7fffffff (f32) or 0x7fff (f16); subnormal numbers count in full; tf32 is the upper 19 bits of its
//     register;
//   - sm_90 has no instruction for 8-bit floats; as in its machine code they become f16, the chain begins with 0, takes
//     first the lower halves of all registers and then the upper ones, and c is added last (to nearest);
//   - sm_90 has none for m8n8k4 either: it is made of f32 multiply-adds;
//   - an f16 sum that is zero, or is rounded to it, is +0 (seen of wgmma).
// All of this gave the same bits as an H200 on 64 random products of each shape and type, NaN and infinity included;
// but for the sign of one zero in 4,096 words of m16n8k16 with e5m2 and f16 sums, before the last rule. So for p
// summands of magnitudes up to M one step is off the exact sum by at most p · 2⁻²⁵ · 2⌈log2 M⌉ and the rounding of its
// result.

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "ptx/instruction.h"

namespace lanescope::sim {

enum class Element : std::uint8_t { none, b1, s4, u4, s8, u8, e4m3, e5m2, f16, bf16, tf32, f32, f64, s32 };

int bits_of(Element element);  // in memory and in a register
Element element_named(std::string_view name);

// How the elements of a matrix are spread over the registers of the lanes.
struct Fragment {
  enum class Matrix : std::uint8_t { a, b, c };
  struct Place {
    int row = 0, column = 0;
  };

  Matrix matrix{};
  Element element{};
  int m = 0, n = 0, k = 0;
  bool quads = false;      // m8n8k4 of f16: four products, each of lanes 4q … 4q+3 and 16+4q … 16+4q+3
  bool by_column = false;  // of quads: .col

  // ptxas makes m8n32k16 of mma.m16n8k16, with the matrices turned over: B and C lie as A and C of that do.
  bool turned() const { return m == 8 && n == 32; }
  int rows() const { return matrix == Matrix::b ? k : m; }
  int columns() const { return matrix == Matrix::a ? k : n; }
  int register_bytes() const { return element == Element::f64 ? 8 : 4; }
  int per_register() const { return 8 * register_bytes() / bits_of(element); }
  // Registers of a lane with different contents. A wmma fragment of f16 has more; they repeat these.
  int registers() const {
    return quads ? 8 / per_register() / (matrix == Matrix::c ? 1 : 2) : rows() * columns() / 32 / per_register();
  }
  Place place(int lane, int reg, int part) const;
};

// The lanes whose addresses one memory request serves, and the distance of each address from the first element of the
// matrix.
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

  // multiply; d and c hold the same elements, of maybe different types.
  Fragment a, b, c, d;
  bool saturate = false;                       // integers: to the range of s32
  bool exclusive = false;                      // b1: xor, else and
  ptx::Rounding rounding = ptx::Rounding::rn;  // f64
  std::vector<std::uint32_t> a_slots, b_slots, c_slots;
  std::vector<std::uint32_t> a_at, b_at, c_at, d_at;  // see tensor_tile.h; none where only multiply() can do it

  std::vector<std::uint32_t> slots;  // results; of a store and of a transpose: what is moved

  // Rows of 8 by 8 matrices: lane 8 i + r names row r of matrix i.
  bool transposed = false;
  // wmma.load, wmma.store.
  Fragment fragment;
  bool by_column = false;    // in memory
  std::uint32_t stride = 0;  // slot: elements from one line to the next
  std::vector<FragmentRequest> requests;
  // By register, lane and part: one part where the elements of a register stand together in memory.
  std::vector<Fragment::Place> places;

  // Of those that touch memory.
  std::uint32_t site = 0xffffffffu;
  ptx::Space space = ptx::Space::generic;
  std::uint32_t address = 0;  // slot
  std::uint64_t offset = 0;
  bool address64 = true;
  std::uint32_t scratch = 0;  // slot of 256 bytes that nobody reads

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

// A register of 32 lanes.
using LaneValues = std::array<std::uint64_t, 32>;

// The registers of d. Each span holds the operand's registers, at least Fragment::registers() of them.
std::vector<LaneValues> multiply(const TensorOp& op, const std::vector<LaneValues>& a, const std::vector<LaneValues>& b,
                                 const std::vector<LaneValues>& c);

// The requests by which a fragment is moved: ldmatrix where it is 16 bits wide and in shared memory (`rows_at_once`),
// else word by word.
std::vector<FragmentRequest> requests_of(const Fragment& fragment, bool by_column, bool rows_at_once);

// Whether the elements of one register stand together in memory.
bool is_together(const Fragment& fragment, bool by_column);

}  // namespace lanescope::sim
