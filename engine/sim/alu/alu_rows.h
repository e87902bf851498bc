#pragma once
// The table behind select_alu(): the forms of instructions that the interpreter executes, and their handlers. One row
// per form. The rows are added by the files alu_*.inl (compiled for every instruction set) and alu_scalar_*.cpp
// (compiled once).
//
// Results follow "Parallel Thread Execution ISA", chapter "Instruction Set". Where it leaves a result open, this
// interpreter gives:
// clang-format off
//   integer division by zero   quotient and remainder are all ones
//   most negative number / -1  itself, remainder 0
//   NaN of f32, f16, bf16      0x7fffffff, 0x7fff, 0x7fff, whatever the operands were (also of abs, neg, min, max, cvt)
//   NaN of f64                 that of b, else of c, else of a, made quiet (div: of a, else of b), as on an H200;
//                              0xfff8000000000000 where no operand was one; abs and neg keep its sign
//   .sat, .relu of -0          +0
//   .ftz                       f16, cvt.f32.f64: results are flushed when they are below the smallest normal number
//                              after rounding as if exponents had no limit; f32: when they are subnormal after rounding
//   fns with a base above 31   0xffffffff
//   div.approx, |b| < 2^-126   a / b, correctly rounded; with .ftz b is zero
//   sin, cos beyond ±100π      as near as double precision gives it
//   cvt.f32.bf16 of a NaN      its bits, shifted, as ptxas has it; with .ftz 0x7fffffff
//   cvt to and from f64, NaN   sign and the payload's upper bits kept, made quiet, as on an H200
//   tf32                       an f32 whose 13 low bits are zero; NaN is 0x7fffe000
// clang-format on

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

#include "ptx/instruction.h"
#include "sim/alu/operation.h"

namespace lanescope::sim {

// Flags of a form. Those up to 0x80 are also in Operation::flags, for handlers that test them at run time.
enum AluFlag : std::uint32_t {
  alu_ftz = 0x1,
  alu_sat = 0x2,
  alu_relu = 0x4,
  alu_satfinite = 0x8,
  alu_nan = 0x10,
  alu_xorsign = 0x20,
  alu_abs = 0x40,
  alu_oob = 0x80,
  alu_hi = 0x100,
  alu_lo = 0x200,
  alu_wide = 0x400,
  alu_carry_out = 0x800,
  // Modifiers of single opcodes.
  alu_left = 0x1000,
  alu_right = 0x2000,
  alu_clamp = 0x4000,
  alu_wrap = 0x8000,
  alu_shiftamt = 0x10000,
  alu_f4e = 0x20000,
  alu_b4e = 0x40000,
  alu_rc8 = 0x80000,
  alu_ecl = 0x100000,
  alu_ecr = 0x200000,
  alu_rc16 = 0x400000,
  alu_finite = 0x800000,
  alu_infinite = 0x1000000,
  alu_number = 0x2000000,
  alu_notanumber = 0x4000000,
  alu_normal = 0x8000000,
  alu_subnormal = 0x10000000,
  alu_accumulate = 0x20000000,  // .add of the video instructions
  // Not written in PTX: the width to which an integer conversion extends, lop3 with a predicate result, three sources.
  alu_to16 = 0x40000000,
  alu_to32 = 0x80000000,
  alu_to64 = 0xc0000000,
  alu_predicate = 0x40000000,
  alu_of_three = 0x80000000,  // min and max of three sources
  // The types of cvt.pack that are narrower than a byte.
  alu_pack_u4 = 0x1000,
  alu_pack_s4 = 0x2000,
  alu_pack_u2 = 0x4000,
  alu_pack_s2 = 0x8000
};

// An opcode as a row names it: "cvt.pack". Rows have no ptx::Opcode, so that a new row of opcodes.def does not
// recompile the handlers, the slowest files of this project.
using Mnemonic = const char*;

// The opcode of that name; asserts that there is one. Not inline, as AluTable::add. Without asserts an unknown name
// gives an opcode that no instruction has; a test looks for such rows.
ptx::Opcode row_opcode(Mnemonic mnemonic);

// What selects a handler: the instruction without its operands. The boolean operators of set, setp and lop3 are not
// part of it. f32 and f64 arithmetic without a rounding modifier has .rn here.
struct AluForm {
  ptx::Opcode opcode{};
  ptx::Type type = ptx::Type::none;
  ptx::Type source = ptx::Type::none;  // second type; equal to `type` if there is only one
  ptx::Rounding rounding = ptx::Rounding::none;
  ptx::Compare compare = ptx::Compare::none;
  std::uint32_t flags = 0;
  friend auto operator<=>(const AluForm&, const AluForm&) = default;
};

// Bits of Operation::flags for setp and set.
enum CompareFlag : std::uint8_t {
  compare_invert = 0x1,  // the kernel gives the inverse
  compare_and = 0x2,
  compare_or = 0x4,
  compare_xor = 0x8,
  compare_negate_c = 0x10,  // !c
  compare_second = 0x20,    // there is a second destination
  compare_ftz = 0x40
};

// Compares all lanes of slots a and b. Bit i is the result of lane i; for packed types bits 32 to 63 are the upper
// halves.
using CompareKernel = std::uint64_t (*)(const std::byte* registers, const Operation& operation);

struct AluRow {
  AluForm form;
  Handler full = nullptr, masked = nullptr;
  CompareKernel kernel = nullptr;  // set and setp: stored in Operation::immediate
  bool invert = false,
       swap = false;  // set and setp: use the kernel with its result inverted, or with exchanged operands
};

class AluTable {
 public:
  // Deliberately not inline, because files that are compiled for other instruction sets call it.
  void add(const AluForm& form, Handler full, Handler masked);
  void add_compare(const AluForm& form, Handler full, Handler masked, CompareKernel kernel, bool invert, bool swap);
  const AluRow* find(const AluForm& form) const;  // nullptr if there is none
  const std::vector<AluRow>& rows() const { return rows_; }
  void sort();  // after the last add(), before the first find(); a form added twice keeps its last row

 private:
  std::vector<AluRow> rows_;
};

// The rows of each instruction set, and the rows that exist only once.
void add_lane_rows_baseline(AluTable& table);
void add_lane_rows_avx2(AluTable& table);
void add_lane_rows_avx512(AluTable& table);
void add_scalar_integer_rows(AluTable& table);
void add_scalar_float_rows(AluTable& table);
void add_scalar_convert_rows(AluTable& table);
void add_scalar_half_rows(AluTable& table);
void add_video_rows(AluTable& table);
void add_move_rows(AluTable& table);
// For mov with a vector on one side.
bool select_vector_move(const ptx::Instruction& instruction, OperandSlots& slots, Operation& operation);

const AluTable& alu_table(Isa isa);

// The form of an instruction. nullopt if it has a modifier that no row uses.
std::optional<AluForm> alu_form(const ptx::Instruction& instruction);

// As select_alu(), for a given instruction set. The machine must support it.
bool select_alu(const ptx::Instruction& instruction, OperandSlots& slots, Operation& operation, Isa isa);

}  // namespace lanescope::sim
