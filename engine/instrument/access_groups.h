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
  std::int32_t at = 0;  // the record is written before this instruction, which is the group's last access
  std::string guard;    // "", "%p1", "!%p1"
  // The base registers of the group's addresses. At most four, or up to RecordGroup::most_words if their distances seem
  // to be the same in all lanes.
  std::vector<LaneWord> words;
  std::vector<RecordSite> sites;
};

// Returns the groups in program order. Adds instrument.unsupported to `errors` for each instruction that cannot be
// recorded (textures, unknown forms).
std::vector<AccessGroup> access_groups(const ptx::Module& module, const ptx::Function& function,
                                       const cfg::ControlFlowGraph& graph, Diagnostics& errors);

// The instruction's guard predicate as text: "" (none), "%p1" or "!%p1".
std::string guard_of(const ptx::Function& function, const ptx::Instruction& instruction);

}  // namespace lanescope::instrument
