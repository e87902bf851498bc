#pragma once
// Basic blocks of a PTX function and their immediate post-dominators, at which the lanes of a divergent branch
// reconverge.
//
// Reconvergence at the immediate post-dominator is a model. Hardware may join lanes earlier or later (short-circuit
// conditions, loops left at different times); say so where it matters. An example from SASS: in `if (a) { if (b)
// return; … } rest`, the path that returns bypasses `rest`. So in the model the lanes only meet at the end, and `rest`
// runs once per side. Hardware drops the returning lanes and joins the others before `rest`.

#include <cstdint>
#include <vector>

#include "ptx/module.h"

namespace lanescope::cfg {

inline constexpr std::int32_t no_block = -1;  // also stands for the function's exit

struct BasicBlock {
  std::int32_t first = 0;  // index of its first instruction
  std::int32_t end = 0;    // one past its last
  // Basic-block indices: the taken targets first, then the fall-through. The exit is not listed.
  std::vector<std::int32_t> successors;
  std::vector<std::int32_t> predecessors;
  // Immediate post-dominator. no_block if only the exit post-dominates the block, or if it never reaches the exit.
  std::int32_t ipdom = no_block;
  bool reaches_exit = true;  // false inside an endless loop, and if all paths end in a trap
};

struct ControlFlowGraph {
  std::vector<BasicBlock> blocks;      // in program order; [0] is the entry
  std::vector<std::int32_t> block_of;  // instruction index → basic-block index

  // The block where lanes that disagree on the branch at the end of `block` reconverge; no_block for the function's
  // exit.
  std::int32_t reconvergence_of(std::int32_t block) const;
};

// A guarded ret, exit or trap also ends a basic block (the other lanes fall through). A trap ends the launch, so paths
// that end in one are ignored: `@%p bra fine; trap; fine: …` reconverges at `fine`. Never fails: unreachable code gets
// ordinary basic blocks, and irreducible and endless loops are allowed.
ControlFlowGraph build(const ptx::Function& function);

}  // namespace lanescope::cfg
