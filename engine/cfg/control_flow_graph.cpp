#include "cfg/control_flow_graph.h"

#include <algorithm>

#include "cfg/dominators.h"
#include "ptx/named_opcodes.h"
#include "ptx/opcode_table.h"

namespace lanescope::cfg {
namespace {

using ptx::Category;
using ptx::Function;
using ptx::Instruction;
using ptx::Operand;

bool ends_block(const Instruction& instruction) {
  const Category category = ptx::info(instruction.opcode).category;
  return category == Category::branch || category == Category::return_;
}

// The indices of the instructions that a branch may jump to; one past the last instruction is the end of the function.
std::vector<std::int32_t> branch_targets(const Function& function, const Instruction& instruction) {
  std::vector<std::int32_t> result;
  if (ptx::info(instruction.opcode).category != Category::branch) return result;
  for (const Operand& operand : instruction.operands) {
    if (operand.kind != Operand::Kind::label) continue;
    if (operand.symbol_table == Operand::SymbolTable::branch_targets)
      result = function.branch_targets[static_cast<std::size_t>(operand.symbol)].targets;
    else
      result.push_back(operand.target);
  }
  return result;
}

std::vector<bool> find_leaders(const Function& function) {
  const std::size_t count = function.instructions.size();
  std::vector<bool> leader(count);
  const auto mark = [&](std::size_t index) {
    if (index < count) leader[index] = true;
  };
  mark(0);
  for (std::size_t i = 0; i < count; ++i) {
    if (!ends_block(function.instructions[i])) continue;
    mark(i + 1);
    for (const std::int32_t target : branch_targets(function, function.instructions[i]))
      mark(static_cast<std::size_t>(target));
  }
  return leader;
}

void split_into_blocks(const Function& function, ControlFlowGraph& graph) {
  const std::vector<bool> leader = find_leaders(function);
  for (std::size_t i = 0; i < leader.size(); ++i) {
    const auto index = static_cast<std::int32_t>(i);
    if (leader[i]) graph.blocks.emplace_back().first = index;
    graph.blocks.back().end = index + 1;
    graph.block_of.push_back(static_cast<std::int32_t>(graph.blocks.size()) - 1);
  }
}

// Adds the successors of each block. Returns them with PostDominators::exit added where control may leave.
std::vector<std::vector<std::int32_t>> connect(const Function& function, ControlFlowGraph& graph) {
  std::vector<std::vector<std::int32_t>> with_exit(graph.blocks.size());
  const auto count = static_cast<std::int32_t>(function.instructions.size());
  for (std::size_t b = 0; b < graph.blocks.size(); ++b) {
    BasicBlock& block = graph.blocks[b];
    const auto add = [&](std::int32_t instruction) {
      const std::int32_t next =
          instruction < count ? graph.block_of[static_cast<std::size_t>(instruction)] : PostDominators::exit;
      if (std::ranges::find(with_exit[b], next) != with_exit[b].end()) return;
      with_exit[b].push_back(next);
      if (next != PostDominators::exit) block.successors.push_back(next);
    };
    const Instruction& last = function.instructions[static_cast<std::size_t>(block.end) - 1];
    // A trap ends the launch: no lanes reconverge after it, so it has no successor.
    const bool leaves = ptx::info(last.opcode).category == Category::return_ && last.opcode != ptx::opcodes::trap;
    if (leaves) add(count);
    for (const std::int32_t target : branch_targets(function, last)) add(target);
    if (!ends_block(last) || last.guard.present()) add(block.end);
  }
  for (std::size_t b = 0; b < graph.blocks.size(); ++b)
    for (const std::int32_t next : graph.blocks[b].successors)
      graph.blocks[static_cast<std::size_t>(next)].predecessors.push_back(static_cast<std::int32_t>(b));
  return with_exit;
}

}  // namespace

ControlFlowGraph build(const Function& function) {
  ControlFlowGraph graph;
  split_into_blocks(function, graph);
  const PostDominators dominators = post_dominators(connect(function, graph));
  for (std::size_t b = 0; b < graph.blocks.size(); ++b) {
    const std::int32_t immediate = dominators.immediate[b];
    graph.blocks[b].reaches_exit = immediate != PostDominators::none;
    graph.blocks[b].ipdom = immediate >= 0 ? immediate : no_block;
  }
  return graph;
}

std::int32_t ControlFlowGraph::reconvergence_of(std::int32_t block) const {
  return blocks[static_cast<std::size_t>(block)].ipdom;
}

}  // namespace lanescope::cfg
