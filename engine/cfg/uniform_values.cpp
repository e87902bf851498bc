#include "cfg/uniform_values.h"

#include <algorithm>
#include <cstdint>
#include <set>

#include "ptx/named_opcodes.h"
#include "ptx/opcode_table.h"

namespace lanescope::cfg {
namespace {

using ptx::Category;
using ptx::Instruction;
using ptx::Operand;
using Kind = Operand::Kind;
using Table = Operand::SymbolTable;

bool differs_by_lane(ptx::SpecialRegister special) {
  using S = ptx::SpecialRegister;
  return special <= S::tid_z || special == S::laneid || (special >= S::lanemask_eq && special <= S::lanemask_gt);
}

bool has_such_a_special(const Operand& operand) {
  return (operand.kind == Kind::special && differs_by_lane(operand.special)) ||
         std::ranges::any_of(operand.elements, has_such_a_special);
}

// ptxas calls a function for these, and does not follow values through calls.
bool becomes_a_call(const Instruction& instruction) {
  const auto exact = [&] {
    return ptx::is_float(instruction.type) && instruction.rounding != ptx::Rounding::approx &&
           instruction.rounding != ptx::Rounding::full;
  };
  if (instruction.opcode == ptx::opcodes::rcp || instruction.opcode == ptx::opcodes::sqrt) return exact();
  if (instruction.opcode != ptx::opcodes::div && instruction.opcode != ptx::opcodes::rem) return false;
  const bool wide = instruction.type == ptx::Type::u64 || instruction.type == ptx::Type::s64;
  return exact() || (wide && instruction.operands.back().kind != Kind::integer);
}

class UniformValues {
 public:
  UniformValues(const ptx::Function& function, const ControlFlowGraph& graph, const Values& values)
      : function_(function),
        graph_(graph),
        values_(values),
        order_(reverse_post_order(graph)),
        place_(graph.blocks.size(), unreached),
        parted_(graph.blocks.size()),
        differs_(values.all.size()) {
    for (std::size_t i = 0; i < order_.size(); ++i) place_[index(order_[i])] = static_cast<std::int32_t>(i);
  }

  std::vector<bool> find() {
    mark_what_a_caller_passes();
    for (bool more = true; more;) {
      more = false;
      for (const std::int32_t block : order_) {
        for (const ValueId join : values_.joins[index(block)]) more |= spread(join);
        for (std::int32_t i = graph_.blocks[index(block)].first; i < graph_.blocks[index(block)].end; ++i)
          more |= execute(index(i));
        if (parted_[index(block)] || !lanes_part_at(index(block))) continue;
        parted_[index(block)] = true;
        more |= part(block);
      }
    }
    std::vector<bool> uniform = differs_;
    uniform.flip();
    return uniform;
  }

 private:
  void mark_what_a_caller_passes() {
    for (const auto* list : {&function_.parameters, &function_.results})
      for (const ptx::Parameter& one : *list)
        for (std::size_t v = 0; v < values_.all.size(); ++v)
          if (one.in_register && values_.all[v].kind == Value::Kind::entry && values_.all[v].reg == one.reg)
            differs_[v] = true;
  }

  // The functions that return bool say whether something new differs.
  bool mark(ValueId value) {
    if (differs_[index(value)]) return false;
    differs_[index(value)] = true;
    return true;
  }

  // A value differs if one that is merged into it does.
  bool spread(ValueId value) {
    const auto differs = [&](ValueId merged) { return merged != no_value && differs_[index(merged)]; };
    return std::ranges::any_of(values_.all[index(value)].merged, differs) && mark(value);
  }

  bool execute(std::size_t at) {
    bool more = false;
    const bool differs = result_differs(at);
    for (std::size_t k = 0; k < values_.written[at].size(); ++k) {
      const ValueId value = values_.written[at][k];
      more |= differs && !is_same_in_all(at, k) ? mark(value) : spread(value);
    }
    return more;
  }

  bool reads_differing(std::size_t at, ptx::RegisterId reg) const {
    const ValueId value = values_.read_by(at, reg);
    return value != no_value && differs_[index(value)];
  }

  bool differs(std::size_t at, const Operand& operand) const {
    if (has_such_a_special(operand)) return true;
    if (operand.reg != ptx::no_register && (operand.kind == Kind::reg || operand.kind == Kind::address) &&
        reads_differing(at, operand.reg))
      return true;
    return std::ranges::any_of(operand.elements, [&](const Operand& element) { return differs(at, element); });
  }

  bool result_differs(std::size_t at) const {
    const Instruction& instruction = function_.instructions[at];
    if (values_.written[at].empty()) return false;
    if (instruction.guard.present() && reads_differing(at, instruction.guard.predicate)) return true;
    switch (ptx::info(instruction.opcode).category) {
      case Category::atomic:
      case Category::barrier:  // bar.red: ptxas takes its result for one that differs
      case Category::tensor:
      case Category::texture:
      case Category::mbarrier:
      case Category::async_copy:
      case Category::misc:
        return true;
      case Category::vote:
        return false;
      case Category::warp:
        return instruction.opcode != ptx::opcodes::redux && instruction.opcode != ptx::opcodes::activemask;
      case Category::shuffle:
        return !reads_one_lane(at) && differs(at, *(operands_read(instruction)));
      case Category::load:
        return is_own_memory(instruction) || reads_what_differs(at);
      default:
        return becomes_a_call(instruction) || reads_what_differs(at);
    }
  }

  static std::vector<Operand>::const_iterator operands_read(const Instruction& instruction) {
    return instruction.operands.begin() + ptx::destination_count(instruction);
  }

  bool reads_what_differs(std::size_t at) const {
    const Instruction& instruction = function_.instructions[at];
    return std::any_of(operands_read(instruction), instruction.operands.end(),
                       [&](const Operand& operand) { return differs(at, operand); });
  }

  // shfl reads a value, then a lane.
  bool reads_one_lane(std::size_t at) const {
    const Instruction& instruction = function_.instructions[at];
    return instruction.shuffle == ptx::ShuffleMode::idx && !differs(at, operands_read(instruction)[1]);
  }
  // Whether the `which`th written register is the same in all lanes although the instruction's result differs.
  bool is_same_in_all(std::size_t at, std::size_t which) const {
    return which > 0 && function_.instructions[at].opcode == ptx::opcodes::shfl_sync && reads_one_lane(at);
  }

  // Local memory, and what a caller or a called function passes.
  bool is_own_memory(const Instruction& instruction) const {
    if (instruction.space == ptx::Space::local) return true;
    if (instruction.space != ptx::Space::param || instruction.operands.size() < 2) return false;
    return !function_.is_entry || instruction.operands[1].symbol_table != Table::parameter;
  }

  bool lanes_part_at(std::size_t block) const {
    if (graph_.blocks[block].successors.size() < 2) return false;
    const std::size_t last = index(graph_.blocks[block].end) - 1;
    return ptx::info(function_.instructions[last].opcode).category == Category::branch &&
           std::ranges::any_of(values_.read[last], [&](ValueId value) { return differs_[index(value)]; });
  }

  // Lanes part at the end of `block`. Where sides meet, a value differs that has another definition on each of them.
  bool part(std::int32_t block) {
    const Paths paths = paths_from(block);
    bool more = false;
    for (const std::int32_t meeting : paths.meetings) {
      const auto& before = graph_.blocks[index(meeting)].predecessors;
      for (const ValueId join : values_.joins[index(meeting)]) {
        std::set<ValueId> merged;
        for (std::size_t i = 0; i < before.size(); ++i)
          if (comes_over_a_side(before[i], block, meeting, paths)) merged.insert(values_.all[index(join)].merged[i]);
        if (merged.size() > 1) more |= mark(join);
      }
    }
    // Lanes leave a loop in different rounds: ptxas also takes for different what a round hands to the next one.
    if (paths.side[index(block)] != none)
      for (std::size_t b = 0; b < paths.side.size(); ++b)
        if (paths.side[b] != none && is_entered(b, paths))
          for (const ValueId join : values_.joins[b]) more |= mark(join);
    return more;
  }

  static constexpr std::int32_t none = -1;
  static constexpr std::int32_t unreached = -1;
  struct Paths {
    // By block: the side over which it is reached on the way from the branch to its immediate post-dominator; where two
    // sides meet, its own number; none if it does not lie there. The branch itself has one if it lies in a loop.
    std::vector<std::int32_t> side;
    std::vector<std::int32_t> meetings;  // blocks that are first reached over two sides
  };

  bool comes_over_a_side(std::int32_t before, std::int32_t branch, std::int32_t meeting, const Paths& paths) const {
    if (before == branch) return true;
    return paths.side[index(before)] != none && paths.side[index(before)] != meeting;
  }

  bool is_entered(std::size_t block, const Paths& loop) const {
    return std::ranges::any_of(graph_.blocks[block].predecessors,
                               [&](std::int32_t from) { return loop.side[index(from)] == none; });
  }

  Paths paths_from(std::int32_t branch) const {
    const std::int32_t end = graph_.blocks[index(branch)].ipdom;
    const auto& sides = graph_.blocks[index(branch)].successors;
    const auto blocks = static_cast<std::int32_t>(graph_.blocks.size());
    Paths paths{std::vector<std::int32_t>(graph_.blocks.size(), none), {}};
    std::vector<std::int32_t>& side = paths.side;
    // In program order of the paths, so that all sides of a block are known before it is left.
    std::set<std::int32_t> work;  // places in order_
    const auto reach = [&](std::int32_t block, std::int32_t over) {
      const std::size_t b = index(block);
      if (block == branch) {
        side[b] = block;
        return;
      }
      if (side[b] == over || side[b] == block) return;
      if (side[b] != none) paths.meetings.push_back(block);
      side[b] = side[b] == none ? over : block;
      if (block != end) work.insert(place_[b]);
    };
    for (std::size_t i = 0; i < sides.size(); ++i) reach(sides[i], blocks + static_cast<std::int32_t>(i));
    while (!work.empty()) {
      const std::size_t b = index(order_[index(*work.begin())]);
      work.erase(work.begin());
      for (const std::int32_t next : graph_.blocks[b].successors) reach(next, side[b]);
    }
    if (end != no_block) side[index(end)] = none;
    return paths;
  }

  const ptx::Function& function_;
  const ControlFlowGraph& graph_;
  const Values& values_;
  std::vector<std::int32_t> order_, place_;
  std::vector<bool> parted_;   // by block: part() was called
  std::vector<bool> differs_;  // by value
};

}  // namespace

std::vector<bool> uniform_values(const ptx::Function& function, const ControlFlowGraph& graph, const Values& values) {
  return UniformValues(function, graph, values).find();
}

}  // namespace lanescope::cfg
