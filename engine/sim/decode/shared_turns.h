#pragma once
// How the lanes of an atomic on shared memory are served: decides trace::Site::turns.

#include <optional>
#include <vector>

#include "cfg/control_flow_graph.h"
#include "cfg/values.h"
#include "ptx/module.h"
#include "trace/trace.h"

namespace lanescope::sim {

// What ptxas does with the atomics of a function. (From the code that ptxas (CUDA 13.0) makes for sm_80, sm_90, sm_100
// and sm_120 of 474 forms of `atom`, and an H200's counters of 37 forms with 35 patterns of addresses each:
// docs/agreement-history.md, "Atomics on shared memory".)
class SharedTurns {
 public:
  // Both must outlive this object.
  SharedTurns(const ptx::Function& function, const cfg::ControlFlowGraph& graph) : function_(function), graph_(graph) {}
  // `at`: the index of an atom or red of this function. `result_is_read`: of an atom.
  trace::Turns of(std::size_t at, bool result_is_read);

 private:
  bool is_uniform(std::size_t at, const ptx::Operand& operand);
  bool is_constant(std::size_t at, const ptx::Operand& operand, std::uint32_t value);

  struct Analysis {
    cfg::Values values;
    std::vector<bool> uniform;  // by value
  };
  const Analysis& analysis();

  const ptx::Function& function_;
  const cfg::ControlFlowGraph& graph_;
  std::optional<Analysis> analysis_;  // made when first asked for
};

}  // namespace lanescope::sim
