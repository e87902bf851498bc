#pragma once
// A kernel's machine code as verify asks it: each instruction is read once. Pure. Internal to job/.

#include <cstdint>
#include <string_view>
#include <vector>

#include "compile/compiler.h"
#include "compile/machine_code/sass_instruction.h"
#include "trace/trace.h"

namespace lanescope::job {

// A memory instruction of the machine code.
struct SassAccess {
  enum class Kind : std::uint8_t { none, load, store, atomic, reduction, compare_and_swap, async_copy };
  Kind kind{};
  trace::MemorySpace space{};  // none: generic
  int bytes = 4;               // a lane
};
SassAccess access_of(const compile::SassParts& parts);

// A line of the listing (address, guard, label, lines of source and PTX), and what it says.
struct MachineInstruction : compile::SassInstruction {
  explicit MachineInstruction(const compile::SassInstruction& listed);
  compile::SassParts parts;
  SassAccess access;
  bool is(std::string_view opcode) const { return parts.opcode == opcode; }
};

struct SassCode {
  SassCode() = default;
  SassCode(const compile::Sass& sass);  // reads every instruction: make one for a kernel, and hand that on
  std::vector<MachineInstruction> instructions;
  std::uint32_t spill_store_bytes = 0;  // per thread
};

// The first of its kind; null when there is none.
const MachineInstruction* find_instruction(const SassCode& sass, SassAccess::Kind kind);
// The first call of a function that is the driver's and not the kernel's; null when there is none.
const MachineInstruction* call_of_driver(const SassCode& sass);

// A loop: the instructions from where a branch leads back to, to that branch. Indices into SassCode::instructions.
struct SassLoop {
  std::size_t first = 0, last = 0;
};
// (More than a loop may lie between: ptxas puts what is seldom run behind all else, and jumps back from there.)
std::vector<SassLoop> loops_of(const SassCode& sass);

// Ways through the instructions of one function: calls return.
class SassFlow {
 public:
  explicit SassFlow(const SassCode& sass);
  // Whether some way leads from the instruction back to it. Also true where a jump's targets are not known.
  bool comes_again(std::size_t instruction) const;

 private:
  static constexpr std::size_t nowhere = ~std::size_t{0}, anywhere = nowhere - 1;
  struct Next {
    std::size_t after = nowhere, jump = nowhere;
  };
  std::vector<Next> next_;  // by instruction
};

}  // namespace lanescope::job
