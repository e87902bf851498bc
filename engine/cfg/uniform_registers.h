#pragma once
// Which registers of a PTX function have the same value in all lanes of a warp that read them, as far as the text
// shows. ptxas decides in the same way which atomics it adds up before one lane of the warp executes them.
//
// Method: a divergence analysis (Coutinho, Sampaio, Quintão Pereira, Meira, "Divergence Analysis and Optimizations",
// 2011). Thread and lane numbers differ between lanes, and what atomics and calls return; so does what is computed from
// them, and what differs by the side of a branch that lanes took or by the round in which they left a loop. Checked
// against the code that ptxas (CUDA 13.0) makes for sm_90: tests/unit/cfg/uniform_registers_test.cpp.

#include <vector>

#include "cfg/control_flow_graph.h"
#include "ptx/module.h"

namespace lanescope::cfg {

// By register. `graph`: build(function).
std::vector<bool> uniform_registers(const ptx::Function& function, const ControlFlowGraph& graph);

}  // namespace lanescope::cfg
