#pragma once
// Which definition of a register each instruction of a PTX function reads (static single assignment). PTX has no such
// form of its own: a compiler writes one register in several places, where paths meet and in the copies of a loop.
//
// Method: Cytron, Ferrante, Rosen, Wegman, Zadeck, "Efficiently Computing Static Single Assignment Form and the Control
// Dependence Graph" (1991), with joins only where the register is live.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "cfg/control_flow_graph.h"
#include "ptx/module.h"
#include "ptx/register_use.h"

namespace lanescope::cfg {

using ValueId = std::int32_t;
inline constexpr ValueId no_value = -1;

// Of blocks, instructions and values in their vectors.
constexpr std::size_t index(std::int32_t number) {
  return static_cast<std::size_t>(number);
}

struct Value {
  enum class Kind {
    entry,        // what the register has when the function starts
    instruction,  // what the instruction `at` writes
    join,         // what the predecessors of the block `at` pass to it
  };
  Kind kind = Kind::entry;
  ptx::RegisterId reg = ptx::no_register;
  std::int32_t at = 0;
  // Of a join: by predecessor of its block; no_value for one that cannot be reached. The block 0 has one more: the
  // entry. Of a guarded instruction: the value that stays if the guard is false. Else empty.
  std::vector<ValueId> merged;
};

struct Values {
  std::vector<Value> all;
  std::vector<std::vector<ValueId>> joins;    // by block
  std::vector<ptx::RegisterUse> uses;         // by instruction
  std::vector<std::vector<ValueId>> read;     // by instruction, in the order of uses[instruction].read
  std::vector<std::vector<ValueId>> written;  // likewise of uses[instruction].written

  // The value of `reg` that the instruction reads; no_value if it does not read it, or cannot be reached.
  ValueId read_by(std::size_t instruction, ptx::RegisterId reg) const;
};

// `graph`: build(function).
Values values_of(const ptx::Function& function, const ControlFlowGraph& graph);

// The blocks that can be reached, each after all of its predecessors except over the back edges of loops.
std::vector<std::int32_t> reverse_post_order(const ControlFlowGraph& graph);

}  // namespace lanescope::cfg
