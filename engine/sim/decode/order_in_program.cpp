#include "sim/decode/order_in_program.h"

#include <algorithm>
#include <functional>
#include <vector>

#include "cfg/control_flow_graph.h"
#include "ptx/module.h"

namespace lanescope::sim {

namespace {

bool can_follow(const cfg::ControlFlowGraph& graph, std::size_t first, std::size_t next) {
  const std::int32_t from = graph.block_of[first], to = graph.block_of[next];
  if (from == to && first < next) return true;
  std::vector<bool> seen(graph.blocks.size());
  std::vector<std::int32_t> left{from};
  while (!left.empty()) {
    const std::int32_t block = left.back();
    left.pop_back();
    for (const std::int32_t successor : graph.blocks[static_cast<std::size_t>(block)].successors) {
      if (successor == to) return true;
      if (seen[static_cast<std::size_t>(successor)]) continue;
      seen[static_cast<std::size_t>(successor)] = true;
      left.push_back(successor);
    }
  }
  return false;
}

}  // namespace

std::optional<bool> comes_before(const ptx::Module& module, const ptx::Instruction& other,
                                 const ptx::Instruction& one) {
  for (const ptx::Function& function : module.functions) {
    const std::vector<ptx::Instruction>& all = function.instructions;
    const auto has = [&](const ptx::Instruction& which) {
      return !all.empty() && !std::less<>()(&which, all.data()) && std::less<>()(&which, all.data() + all.size());
    };
    if (!has(one) || !has(other)) continue;
    if (!function.is_entry) return std::nullopt;
    const cfg::ControlFlowGraph graph = cfg::build(function);
    const auto at = static_cast<std::size_t>(&one - all.data()),
               of_other = static_cast<std::size_t>(&other - all.data());
    const bool follows = can_follow(graph, of_other, at), precedes = can_follow(graph, at, of_other);
    if (follows && precedes) return std::nullopt;
    return follows || (!precedes && of_other < at);
  }
  return std::nullopt;
}

}  // namespace lanescope::sim
