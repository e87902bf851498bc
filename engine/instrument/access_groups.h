#pragma once
// Which memory accesses of a function are recorded together (see instrument.h). Internal to instrument/.

#include <cstdint>
#include <vector>

#include "cfg/control_flow_graph.h"
#include "core/result.h"
#include "instrument/snippets.h"
#include "ptx/module.h"

namespace lanescope::instrument {

struct AccessGroup {
  std::int32_t at = 0;  // the record stands before this instruction, the group's last
  std::string guard;    // "", "%p1", "!%p1"
  // The bases: at most four, or RecordGroup::most_words where all seem to be as far from each other in all lanes.
  std::vector<LaneWord> words;
  std::vector<RecordSite> sites;
};

// In program order. What cannot be recorded (tensor copies, textures) is added to `errors`: instrument.unsupported.
std::vector<AccessGroup> access_groups(const ptx::Module& module, const ptx::Function& function,
                                       const cfg::ControlFlowGraph& graph, Diagnostics& errors);

// "", "%p1", "!%p1"
std::string guard_of(const ptx::Function& function, const ptx::Instruction& instruction);

}  // namespace lanescope::instrument
