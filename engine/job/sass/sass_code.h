#pragma once
// A kernel's machine code, prepared for verify: each instruction is parsed once. Pure. Internal to job/.

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
  int bytes = 4;               // per lane
};
SassAccess access_of(const compile::SassParts& parts);

// A line of the listing (address, guard, label, source and PTX lines) and its parsed form.
struct MachineInstruction : compile::SassInstruction {
  explicit MachineInstruction(const compile::SassInstruction& listed);
  compile::SassParts parts;
  SassAccess access;
  bool is(std::string_view opcode) const { return parts.opcode == opcode; }
};

struct SassCode {
  SassCode() = default;
  SassCode(const compile::Sass& sass);  // parses every instruction: make one per kernel and pass it on
  std::vector<MachineInstruction> instructions;
  std::uint32_t spill_store_bytes = 0;  // per thread
};

// The first access of this kind; null if there is none.
const MachineInstruction* find_instruction(const SassCode& sass, SassAccess::Kind kind);
bool has_opcode(const SassCode& sass, std::string_view opcode);
// The first call of a driver function; null if there is none.
const MachineInstruction* call_of_driver(const SassCode& sass);

// A loop: the instructions from the target of a backward branch to that branch, as indices into SassCode::instructions.
struct SassLoop {
  std::size_t first = 0, last = 0;
};
// A range may contain more than the loop: ptxas moves rarely executed code to the end and jumps back from there.
std::vector<SassLoop> loops_of(const SassCode& sass);

// The control flow within one function. Calls return.
class SassFlow {
 public:
  explicit SassFlow(const SassCode& sass);
  // True if some path leads from the instruction back to it, or if a jump has unknown targets.
  bool comes_again(std::size_t instruction) const;

 private:
  static constexpr std::size_t nowhere = ~std::size_t{0}, anywhere = nowhere - 1;
  struct Next {
    std::size_t after = nowhere, jump = nowhere;
  };
  std::vector<Next> next_;  // indexed by instruction
};

}  // namespace lanescope::job
