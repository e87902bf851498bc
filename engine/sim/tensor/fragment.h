#pragma once
// Which lane holds which element of a matrix, and the requests of wmma.load and wmma.store. Source: "PTX ISA", chapter
// "Warp Level Matrix Multiply-Accumulate Instructions", for mma, ldmatrix, stmatrix and movmatrix. It leaves open where
// the elements of a wmma fragment are. Here they are where ptxas places them for sm_80 to sm_90: a fragment consists of
// fragments of mma.m16n8k16 and similar. The recorder of kernels (instrument/) uses this header too.

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace lanescope::ptx {
struct Instruction;  // ptx/instruction.h
}

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

// The requests that move a fragment: by ldmatrix if it has 16-bit elements and is in shared memory (`rows_at_once`),
// else word by word.
std::vector<FragmentRequest> requests_of(const Fragment& fragment, bool by_column, bool rows_at_once);

// Whether the elements of one register are contiguous in memory.
bool is_together(const Fragment& fragment, bool by_column);

// A wmma.load or wmma.store. An element is `line` × stride + the place in its line elements from the address; lines are
// rows, or columns with `by_column`.
struct FragmentAccess {
  bool is_load = false;
  Fragment fragment;
  bool by_column = false;  // in memory
  std::vector<FragmentRequest> requests;
  std::size_t address = 0, registers = 0;  // indices of operands
  std::optional<std::size_t> stride;       // likewise; none: default_stride
  std::uint32_t default_stride = 0;        // elements
  std::uint64_t line(Fragment::Place place) const {
    return static_cast<std::uint64_t>(by_column ? place.column : place.row);
  }
  std::uint64_t in_line(Fragment::Place place) const {
    return static_cast<std::uint64_t>(by_column ? place.row : place.column);
  }
};
// Nothing if the form is not supported.
std::optional<FragmentAccess> fragment_access(const ptx::Instruction& instruction);

}  // namespace lanescope::sim
