#pragma once
// One decoded instruction, as the interpreter's inner loop executes it for a whole warp. This is the contract between
// the decoder (sim/decode) and the handlers (sim/alu: arithmetic, logic, conversion, comparison).
//
// Register file. Each warp has one 64-byte-aligned array of bytes. Every PTX register owns a slot at a fixed byte
// offset; the layout depends only on its class:
//   32-bit   std::uint32_t[32]    at a multiple of 64 (128 bytes)
//   64-bit   std::uint64_t[32]    at a multiple of 64 (256 bytes)
//   16-bit   std::uint16_t[32]    at a multiple of 64 (64 bytes); 8-bit registers too, in the low byte
//   b128     std::uint64_t[2][32] at a multiple of 64: all low halves, then all high halves (512 bytes)
//   pred     std::uint32_t        at a multiple of 4: bit i is lane i
// Immediates, addresses of symbols and special registers are slots of the same file. They are filled in before the code
// runs, so a handler only sees offsets. Offset 0 is never an operand.
//
// Lanes. A handler may read every lane of its sources; lanes that are not live have unspecified but readable bits.
// `full` writes all 32 lanes and ignores `mask`. `masked` writes exactly the lanes in `mask`, which is never 0. For a
// predicate this means p = (p & ~mask) | (result & mask). A destination may be the same slot as a source, but they
// never overlap partially.
//
// Several instruction sets. In engine/sim, a file NAME_avx2.cpp is compiled for AVX2 + FMA + F16C + BMI2,
// NAME_avx512.cpp for AVX-512 F/BW/DQ/VL/CD, NAME.cpp for the baseline. build.cmake selects the options by name; on
// other processors the first two must compile to nothing. isa() says which may be called. Such files define everything
// in a namespace of their own. They use no inline function of the standard library that may be compiled out of line,
// because the linker could use the AVX-512 copy on an older machine. Floating-point contraction is off in all of sim/.

#include <cstddef>
#include <cstdint>

#include "ptx/instruction.h"

namespace lanescope::sim {

struct Operation;
using Handler = void (*)(std::byte* registers, const Operation& operation, std::uint32_t mask);

// How the inner loop treats an operation. Handlers do not set it.
enum class OperationKind : std::uint8_t {
  alu,           // full or masked
  alu_guarded,   // the same, under a guard predicate
  alu_division,  // the same without a guard; the slot `index` holds the divisor, an integer of `code` bytes
  other          // memory, control, warp-wide: sim/'s own (see decode.h)
};

struct alignas(64) Operation {
  Handler full = nullptr;
  Handler masked = nullptr;
  // Slots. Each handler decides which operand is in which field; no other code reads them.
  std::uint32_t dst = 0, dst2 = 0;
  std::uint32_t a = 0, b = 0, c = 0, d = 0;
  std::uint64_t immediate = 0;              // the handler's own: a lookup table, a rounding mode, a byte selector
  std::uint32_t guard = 0;                  // the guard's predicate slot; 0 = no guard   (decoder)
  std::uint32_t index = 0;                  // into the decoder's side table              (decoder)
  OperationKind kind = OperationKind::alu;  //                                     (decoder)
  std::uint8_t code = 0;                    // which `other` operation; alu_division      (decoder)
  bool guard_negated = false;               //                                            (decoder)
  std::uint8_t flags = 0;                   // the handler's own
  std::uint32_t extra = 0;                  // the handler's own
};
static_assert(sizeof(Operation) == 64);

// The slots of an instruction's operands. Implemented by the decoder; tests may implement it too.
class OperandSlots {
 public:
  virtual ~OperandSlots() = default;
  // The slot of a source that is read as `type`: the register's own slot, or a slot with the integer, real, special
  // register or symbol address in every lane, in the layout of `type` (pred: a constant mask). A real is converted to
  // `type` if the types differ; an integer is truncated.
  virtual std::uint32_t read(const ptx::Operand& operand, ptx::Type type) = 0;
  // The slot of a destination register. A sink gets a slot of 512 bytes that is never read.
  virtual std::uint32_t write(const ptx::Operand& operand) = 0;
  // Bytes per lane in the operand's register class: 2, 4, 8, 16; 0 for a predicate. A register may be wider than the
  // instruction's type (cvt, and sources of u8). For an operand that is not a register: bytes_of(type), the layout of
  // read().
  virtual int register_bytes(const ptx::Operand& operand, ptx::Type type) const = 0;
  // The warp's carry flags (CC.CF), one mask as a predicate slot.
  virtual std::uint32_t carry() const = 0;
};

// Fills in full, masked, the slots and the handler's own fields of an arithmetic, logic, conversion, comparison,
// selection or move instruction, for the best instruction set of this machine. Does not handle the guard. For every
// other instruction and for unknown forms returns false and leaves `operation` unchanged; the caller makes a
// diagnostic. Instructions that need more than registers are not handled here: memory, control, warp-wide exchange,
// barriers, cvta, isspacep, mov from %clock*/%globaltimer*, activemask, nanosleep. (alu.cpp)
bool select_alu(const ptx::Instruction& instruction, OperandSlots& slots, Operation& operation);

// The instruction set for this machine, chosen once. LANESCOPE_ISA=baseline|avx2|avx512 in the environment can lower
// it.
enum class Isa : std::uint8_t { baseline, avx2, avx512 };
Isa isa();
const char* name_of(Isa isa);

}  // namespace lanescope::sim
