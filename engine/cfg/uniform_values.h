#pragma once
// Which values of a PTX function are the same in all lanes of a warp that read them, as far as the text shows. ptxas
// decides in the same way which atomics it adds up before one lane of the warp executes them.
//
// Method: a divergence analysis (Coutinho, Sampaio, Quintão Pereira, Meira, "Divergence Analysis and Optimizations",
// 2011). Thread and lane numbers differ between lanes, and what atomics and calls return; so does what is computed from
// them, and what differs by the side of a branch that lanes took or by the round in which they left a loop. Checked
// against the code that ptxas (CUDA 13.0) makes for sm_90 and sm_100: tests/unit/sim/shared_turns_test.cpp.

#include <vector>

#include "cfg/values.h"

namespace lanescope::cfg {

// By value. `graph`: build(function); `values`: values_of(function, graph).
std::vector<bool> uniform_values(const ptx::Function& function, const ControlFlowGraph& graph, const Values& values);

}  // namespace lanescope::cfg
