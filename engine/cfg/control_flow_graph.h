#pragma once
// Basic blocks of one PTX function, their immediate post-dominators, and with them the point where the lanes of a
// divergent branch reconverge.
//
// Reconvergence at the immediate post-dominator is a model: hardware may join earlier or later (short-circuit
// conditions, loops left at different times). Say so where it matters. An example from SASS: in `if (a) { if (b)
// return; … } rest` the path that returns goes round `rest`, so here the lanes meet only at the end, and `rest` runs
// once for each side; hardware lets the returning lanes go and joins the others before `rest`.

#include <cstdint>
#include <vector>

#include "ptx/module.h"

namespace lanescope::cfg {

inline constexpr std::int32_t no_block = -1;  // also: the function's exit

struct BasicBlock {
  std::int32_t first = 0;                // index of its first instruction
  std::int32_t end = 0;                  // one past its last
  std::vector<std::int32_t> successors;  // basic-block indices; the taken target(s) first, then
                                         // fall-through; exit is not listed
  std::vector<std::int32_t> predecessors;
  std::int32_t ipdom = no_block;  // immediate post-dominator; no_block when only the exit
                                  // post-dominates it, or it never reaches the exit
  bool reaches_exit = true;       // false inside an endless loop, and where all paths end in a trap
};

struct ControlFlowGraph {
  std::vector<BasicBlock> blocks;      // in program order; [0] is the entry
  std::vector<std::int32_t> block_of;  // instruction index → basic-block index

  // Where lanes that disagree on the branch ending `block` reconverge: the ipdom's index, or no_block for the
  // function's exit.
  std::int32_t reconvergence_of(std::int32_t block) const;
};

// A guarded ret, exit or trap ends a basic block too (its other lanes fall through). A trap ends the launch, so paths
// that end in one are ignored: `@%p bra fine; trap; fine: …` reconverges at `fine`. Never fails: unreachable code gets
// basic blocks like any other; irreducible and endless loops are allowed.
ControlFlowGraph build(const ptx::Function& function);

}  // namespace lanescope::cfg
