#include "cfg/values.h"

#include <algorithm>
#include <utility>

#include "cfg/dominators.h"

namespace lanescope::cfg {
namespace {

using Blocks = std::vector<std::int32_t>;

// By block: its immediate dominator; PostDominators::exit for the entry, none if it cannot be reached.
Blocks immediate_dominators(const ControlFlowGraph& graph) {
  std::vector<Blocks> backwards;
  for (const BasicBlock& block : graph.blocks) backwards.push_back(block.predecessors);
  if (!backwards.empty()) backwards[0].push_back(PostDominators::exit);
  return post_dominators(backwards).immediate;
}

// By block: where its dominance ends.
std::vector<Blocks> dominance_frontiers(const ControlFlowGraph& graph, const Blocks& dominator) {
  std::vector<Blocks> frontiers(graph.blocks.size());
  for (std::size_t b = 0; b < graph.blocks.size(); ++b) {
    if (dominator[b] == PostDominators::none || graph.blocks[b].predecessors.size() + (b == 0) < 2) continue;
    for (std::int32_t at : graph.blocks[b].predecessors)
      for (; at != dominator[b] && at >= 0 && dominator[index(at)] != PostDominators::none; at = dominator[index(at)])
        if (Blocks& frontier = frontiers[index(at)];
            frontier.empty() || frontier.back() != static_cast<std::int32_t>(b))
          frontier.push_back(static_cast<std::int32_t>(b));
  }
  return frontiers;
}

// One place in the text where a register is read or written.
struct Use {
  std::size_t instruction = 0;
  std::size_t place = 0;  // in uses[instruction].read or .written
  bool is_write = false;
};

class Renaming {
 public:
  Renaming(const ptx::Function& function, const ControlFlowGraph& graph)
      : function_(function),
        graph_(graph),
        order_(reverse_post_order(graph)),
        dominator_(immediate_dominators(graph)),
        frontier_(dominance_frontiers(graph, dominator_)),
        uses_of_(function.registers.size()) {
    values_.joins.resize(graph.blocks.size());
    for (const ptx::Instruction& instruction : function.instructions) {
      values_.uses.push_back(ptx::registers_of(instruction));
      values_.read.emplace_back(values_.uses.back().read.size(), no_value);
      values_.written.emplace_back(values_.uses.back().written.size(), no_value);
    }
    collect_uses();
  }

  Values run() {
    for (std::size_t reg = 0; reg < uses_of_.size(); ++reg)
      if (!uses_of_[reg].empty()) rename(static_cast<ptx::RegisterId>(reg));
    return std::move(values_);
  }

 private:
  // In the order in which the blocks are visited, and in a block as an instruction does it: it reads, then writes.
  void collect_uses() {
    for (const std::int32_t block : order_)
      for (auto i = index(graph_.blocks[index(block)].first); i < index(graph_.blocks[index(block)].end); ++i) {
        const ptx::RegisterUse& use = values_.uses[i];
        for (std::size_t k = 0; k < use.read.size(); ++k) uses_of_[use.read[k]].push_back({i, k, false});
        for (std::size_t k = 0; k < use.written.size(); ++k) uses_of_[use.written[k]].push_back({i, k, true});
      }
  }

  ValueId add(Value::Kind kind, ptx::RegisterId reg, std::size_t at) {
    values_.all.push_back({kind, reg, static_cast<std::int32_t>(at), {}});
    return static_cast<ValueId>(values_.all.size()) - 1;
  }

  std::int32_t block_of(const Use& use) const { return graph_.block_of[use.instruction]; }
  bool is_guarded(const Use& use) const { return function_.instructions[use.instruction].guard.present(); }

  // By block: whether the register is read there, or later, before it is written.
  std::vector<bool> live_at_start(ptx::RegisterId reg) const {
    std::vector<bool> live(graph_.blocks.size()), replaced(graph_.blocks.size());
    Blocks work;
    for (const Use& use : uses_of_[reg]) {
      const std::size_t b = index(block_of(use));
      if (use.is_write && !is_guarded(use)) replaced[b] = true;
      // A guarded write leaves what was there to the lanes that do not execute it.
      if ((use.is_write && !is_guarded(use)) || replaced[b] || live[b]) continue;
      live[b] = true;
      work.push_back(static_cast<std::int32_t>(b));
    }
    while (!work.empty()) {
      const std::int32_t block = work.back();
      work.pop_back();
      for (const std::int32_t before : graph_.blocks[index(block)].predecessors) {
        if (replaced[index(before)] || live[index(before)]) continue;
        live[index(before)] = true;
        work.push_back(before);
      }
    }
    return live;
  }

  // By block: the join of the register at its start, or no_value.
  std::vector<ValueId> joins_of(ptx::RegisterId reg) {
    const std::vector<bool> live = live_at_start(reg);
    std::vector<ValueId> join(graph_.blocks.size(), no_value);
    Blocks work{0};
    for (const Use& use : uses_of_[reg])
      if (use.is_write) work.push_back(block_of(use));
    while (!work.empty()) {
      const std::int32_t block = work.back();
      work.pop_back();
      for (const std::int32_t at : frontier_[index(block)]) {
        if (!live[index(at)] || join[index(at)] != no_value) continue;
        join[index(at)] = add(Value::Kind::join, reg, index(at));
        values_.joins[index(at)].push_back(join[index(at)]);
        work.push_back(at);
      }
    }
    return join;
  }

  void rename(ptx::RegisterId reg) {
    const ValueId entry = add(Value::Kind::entry, reg, 0);
    const std::vector<ValueId> join = joins_of(reg);
    std::vector<ValueId> at_end(graph_.blocks.size(), no_value);
    auto use = uses_of_[reg].begin();
    for (const std::int32_t block : order_) {
      ValueId now = join[index(block)];
      if (now == no_value) now = block == 0 ? entry : at_end[index(dominator_[index(block)])];
      for (; use != uses_of_[reg].end() && block_of(*use) == block; ++use) now = apply(*use, reg, now);
      at_end[index(block)] = now;
    }
    for (std::size_t b = 0; b < join.size(); ++b) {
      if (join[b] == no_value) continue;
      std::vector<ValueId>& merged = values_.all[index(join[b])].merged;
      for (const std::int32_t before : graph_.blocks[b].predecessors) merged.push_back(at_end[index(before)]);
      if (b == 0) merged.push_back(entry);
    }
  }

  // Returns the register's value after the use.
  ValueId apply(const Use& use, ptx::RegisterId reg, ValueId now) {
    if (!use.is_write) {
      values_.read[use.instruction][use.place] = now;
      return now;
    }
    const ValueId fresh = add(Value::Kind::instruction, reg, use.instruction);
    if (is_guarded(use)) values_.all[index(fresh)].merged.push_back(now);
    values_.written[use.instruction][use.place] = fresh;
    return fresh;
  }

  const ptx::Function& function_;
  const ControlFlowGraph& graph_;
  Blocks order_, dominator_;
  std::vector<Blocks> frontier_;
  std::vector<std::vector<Use>> uses_of_;  // by register
  Values values_;
};

}  // namespace

ValueId Values::read_by(std::size_t instruction, ptx::RegisterId reg) const {
  const auto& registers = uses[instruction].read;
  const auto found = std::ranges::find(registers, reg);
  return found == registers.end() ? no_value : read[instruction][static_cast<std::size_t>(found - registers.begin())];
}

Values values_of(const ptx::Function& function, const ControlFlowGraph& graph) {
  return Renaming(function, graph).run();
}

std::vector<std::int32_t> reverse_post_order(const ControlFlowGraph& graph) {
  if (graph.blocks.empty()) return {};
  std::vector<Blocks> successors;
  for (const BasicBlock& block : graph.blocks) successors.push_back(block.successors);
  Blocks order = post_order(successors, 0);
  std::ranges::reverse(order);
  return order;
}

}  // namespace lanescope::cfg
