#pragma once
// One decoded instruction, as the interpreter's inner loop runs it for a whole warp: the contract between the decoder
// (sim/decode) and those who supply handlers (sim/alu*: arithmetic, logic, conversion, comparison).
//
// Register file. Each warp has one 64-byte-aligned array of bytes. Every PTX register owns a slot at a fixed byte
// offset; the layout depends only on its class:
//   32-bit   std::uint32_t[32]    at a multiple of 64 (128 bytes)
//   64-bit   std::uint64_t[32]    at a multiple of 64 (256 bytes)
//   16-bit   std::uint16_t[32]    at a multiple of 64 (64 bytes); 8-bit registers too, zero-extended
//   b128     std::uint64_t[2][32] at a multiple of 64: all low halves, then all high halves (512 bytes)
//   pred     std::uint32_t        at a multiple of 4: bit i is lane i
// Immediates, addresses of symbols and special registers are slots of the same file, filled before the code runs, so a
// handler sees nothing but offsets. Offset 0 is never an operand.
//
// Lanes. A handler may read every lane of its sources (dead lanes hold unspecified but readable bits). `full` writes
// all 32 lanes and ignores `mask`. `masked` writes exactly the lanes in `mask`, which is never 0; for a predicate that
// means p = (p & ~mask) | (result & mask). A destination may be the same slot as a source, never a partial overlap of
// one.
//
// Several instruction sets. A file engine/sim/NAME_avx2.cpp is compiled for AVX2 + FMA + F16C + BMI2, NAME_avx512.cpp
// for AVX-512 F/BW/DQ/VL/CD (build.cmake does it by name; on other processors both must compile to nothing), NAME.cpp
// for the baseline; isa() says which may be called. Such files define everything in a namespace of their own and use no
// inline function of the standard library that is not always inlined: the linker might hand its AVX-512 body to an
// older machine. Floating-point contraction is off in all of sim/.

#include <cstddef>
#include <cstdint>

#include "ptx/instruction.h"

namespace lanescope::sim {

struct Operation;
using Handler = void (*)(std::byte* registers, const Operation& operation, std::uint32_t mask);

// How the inner loop treats an operation. Those who supply handlers leave it alone.
enum class OperationKind : std::uint8_t {
  alu,          // full or masked
  alu_guarded,  // the same, under a guard predicate
  other         // memory, control, warp-wide: sim/'s own (see decode.h)
};

struct alignas(64) Operation {
  Handler full = nullptr;
  Handler masked = nullptr;
  // Slots. Each handler decides which operand is where; no other code reads them.
  std::uint32_t dst = 0, dst2 = 0;
  std::uint32_t a = 0, b = 0, c = 0, d = 0;
  std::uint64_t immediate = 0;              // the handler's own: a lookup table, a rounding mode, a byte selector
  std::uint32_t guard = 0;                  // the guard's predicate slot; 0 = no guard   (decoder)
  std::uint32_t index = 0;                  // into the decoder's side table              (decoder)
  OperationKind kind = OperationKind::alu;  //                                     (decoder)
  std::uint8_t code = 0;                    // which `other` operation                    (decoder)
  bool guard_negated = false;               //                                            (decoder)
  std::uint8_t flags = 0;                   // the handler's own
  std::uint32_t extra = 0;                  // the handler's own
};
static_assert(sizeof(Operation) == 64);

// Where an instruction's operands live; the decoder implements it, tests may too.
class OperandSlots {
 public:
  virtual ~OperandSlots() = default;
  // The slot of a source read as `type`: a register's own slot, or one that holds the integer, real, special register
  // or symbol address in every lane, in the layout of `type` (pred: a constant mask). A real is converted to `type`
  // where they differ; an integer is truncated.
  virtual std::uint32_t read(const ptx::Operand& operand, ptx::Type type) = 0;
  // The slot of a destination register. A sink gets a slot of 512 bytes that is never read.
  virtual std::uint32_t write(const ptx::Operand& operand) = 0;
  // Bytes per lane in that operand's register class: 2, 4, 8, 16; 0 for a predicate. A register may be wider than the
  // instruction's type (cvt, and sources of u8). For an operand that is no register: bytes_of(type) as read() lays it
  // out.
  virtual int register_bytes(const ptx::Operand& operand, ptx::Type type) const = 0;
  // The warp's carry flags (CC.CF), one mask as a predicate slot.
  virtual std::uint32_t carry() const = 0;
};

// Fills full, masked, the slots and the handler's own fields for an arithmetic, logic, conversion, comparison,
// selection or move instruction, on the best instruction set of this machine. The guard is not its business. Returns
// false, leaving `operation` as it was, for every other instruction and for forms it does not know (they become a
// diagnostic). Not among them, because they need more than registers: everything with memory, control, warp-wide
// exchange, barriers, cvta, isspacep, mov from %clock*/%globaltimer*, activemask, nanosleep. (alu.cpp)
bool select_alu(const ptx::Instruction& instruction, OperandSlots& slots, Operation& operation);

// The instruction set chosen for this machine, once. The environment's LANESCOPE_ISA=baseline|avx2|avx512 lowers it.
enum class Isa : std::uint8_t { baseline, avx2, avx512 };
Isa isa();
const char* name_of(Isa isa);

}  // namespace lanescope::sim
