#include "cfg/uniform_registers.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>

#include "ptx/named_opcodes.h"
#include "ptx/opcode_table.h"
#include "ptx/register_use.h"

namespace lanescope::cfg {
namespace {

using ptx::Category;
using ptx::Instruction;
using ptx::Operand;
using Kind = Operand::Kind;
using Table = Operand::SymbolTable;

class RegisterSet {
 public:
  explicit RegisterSet(std::size_t registers) : words_((registers + 63) / 64) {}
  bool has(std::size_t id) const { return (words_[id / 64] >> id % 64 & 1) != 0; }
  // False if it is there already.
  bool add(std::size_t id) {
    const bool fresh = !has(id);
    words_[id / 64] |= std::uint64_t{1} << id % 64;
    return fresh;
  }
  // False if nothing is new.
  bool add(const RegisterSet& other) {
    std::uint64_t fresh = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) {
      fresh |= other.words_[i] & ~words_[i];
      words_[i] |= other.words_[i];
    }
    return fresh != 0;
  }
  RegisterSet without(const RegisterSet& other) const {
    RegisterSet rest = *this;
    for (std::size_t i = 0; i < words_.size(); ++i) rest.words_[i] &= ~other.words_[i];
    return rest;
  }
  RegisterSet both(const RegisterSet& other) const {
    RegisterSet shared = *this;
    for (std::size_t i = 0; i < words_.size(); ++i) shared.words_[i] &= other.words_[i];
    return shared;
  }

 private:
  std::vector<std::uint64_t> words_;
};

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

class UniformRegisters {
 public:
  UniformRegisters(const ptx::Function& function, const ControlFlowGraph& graph)
      : function_(function),
        graph_(graph),
        parted_(graph.blocks.size()),
        written_(graph.blocks.size(), RegisterSet(function.registers.size())),
        live_(graph.blocks.size(), RegisterSet(function.registers.size())),
        differs_(function.registers.size()) {
    for (const Instruction& instruction : function.instructions) uses_.push_back(ptx::registers_of(instruction));
    find_order();
    find_live();
  }

  std::vector<bool> find() {
    for (const auto* list : {&function_.parameters, &function_.results})
      for (const ptx::Parameter& one : *list)
        if (one.in_register) differs_.add(one.reg);
    for (bool more = true; more;) {
      more = false;
      for (std::size_t i = 0; i < uses_.size(); ++i)
        if (result_differs(i))
          for (std::size_t k = 0; k < uses_[i].written.size(); ++k)
            if (!is_same_in_all(i, k)) more |= differs_.add(uses_[i].written[k]);
      for (std::size_t b = 0; b < graph_.blocks.size(); ++b)
        if (!parted_[b] && lanes_part_at(b)) {
          parted_[b] = true;
          more |= part(static_cast<std::int32_t>(b));
        }
    }
    std::vector<bool> uniform(function_.registers.size());
    for (std::size_t id = 0; id < uniform.size(); ++id) uniform[id] = !differs_.has(id);
    return uniform;
  }

 private:
  // Sets order_, the reverse post-order of the blocks that can be reached, and place_, the place of each in it.
  void find_order() {
    std::vector<bool> seen(graph_.blocks.size());
    std::vector<std::pair<std::size_t, std::size_t>> path;  // block, its next successor
    place_.assign(graph_.blocks.size(), 0);
    if (!seen.empty()) path.emplace_back(0, 0);
    while (!path.empty()) {
      auto& [block, next] = path.back();
      seen[block] = true;
      const auto& successors = graph_.blocks[block].successors;
      while (next < successors.size() && seen[static_cast<std::size_t>(successors[next])]) ++next;
      if (next < successors.size()) {
        path.emplace_back(static_cast<std::size_t>(successors[next]), 0);
      } else {
        order_.push_back(static_cast<std::int32_t>(block));
        path.pop_back();
      }
    }
    std::ranges::reverse(order_);
    for (std::size_t i = 0; i < order_.size(); ++i)
      place_[static_cast<std::size_t>(order_[i])] = static_cast<std::int32_t>(i);
  }

  // Sets written_, and live_: what is read at or after the start of a block before it is written.
  void find_live() {
    std::vector<RegisterSet> replaced(graph_.blocks.size(), RegisterSet(function_.registers.size()));
    for (std::size_t b = 0; b < graph_.blocks.size(); ++b)
      for (auto i = static_cast<std::size_t>(graph_.blocks[b].first);
           i < static_cast<std::size_t>(graph_.blocks[b].end); ++i) {
        for (const ptx::RegisterId id : uses_[i].read)
          if (!replaced[b].has(id)) live_[b].add(id);
        for (const ptx::RegisterId id : uses_[i].written) {
          written_[b].add(id);
          if (!function_.instructions[i].guard.present()) replaced[b].add(id);
        }
      }
    for (bool more = true; more;) {
      more = false;
      for (std::size_t b = graph_.blocks.size(); b-- > 0;)
        for (const std::int32_t next : graph_.blocks[b].successors)
          more |= live_[b].add(live_[static_cast<std::size_t>(next)].without(replaced[b]));
    }
  }

  bool differs(const Operand& operand) const {
    if (has_such_a_special(operand)) return true;
    if (operand.reg != ptx::no_register && (operand.kind == Kind::reg || operand.kind == Kind::address) &&
        differs_.has(operand.reg))
      return true;
    return std::ranges::any_of(operand.elements, [&](const Operand& element) { return differs(element); });
  }

  bool result_differs(std::size_t at) const {
    const Instruction& instruction = function_.instructions[at];
    if (uses_[at].written.empty()) return false;
    if (instruction.guard.present() && differs_.has(instruction.guard.predicate)) return true;
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
        return !reads_one_lane(instruction) && (instruction.operands.size() < 2 || differs(instruction.operands[1]));
      case Category::load:
        return is_own_memory(instruction) || reads_what_differs(instruction);
      default:
        return becomes_a_call(instruction) || reads_what_differs(instruction);
    }
  }

  bool reads_what_differs(const Instruction& instruction) const {
    const auto destinations = static_cast<std::size_t>(ptx::destination_count(instruction));
    return std::any_of(instruction.operands.begin() + static_cast<std::ptrdiff_t>(destinations),
                       instruction.operands.end(), [&](const Operand& operand) { return differs(operand); });
  }

  bool reads_one_lane(const Instruction& instruction) const {
    return instruction.shuffle == ptx::ShuffleMode::idx && instruction.operands.size() > 2 &&
           !differs(instruction.operands[2]);
  }
  // Whether the `which`th written register is the same in all lanes although the instruction's result differs.
  bool is_same_in_all(std::size_t at, std::size_t which) const {
    const Instruction& instruction = function_.instructions[at];
    return which > 0 && instruction.opcode == ptx::opcodes::shfl_sync && reads_one_lane(instruction);
  }

  // Local memory, and what a caller or a called function passes.
  bool is_own_memory(const Instruction& instruction) const {
    if (instruction.space == ptx::Space::local) return true;
    if (instruction.space != ptx::Space::param || instruction.operands.size() < 2) return false;
    return !function_.is_entry || instruction.operands[1].symbol_table != Table::parameter;
  }

  bool lanes_part_at(std::size_t block) const {
    if (graph_.blocks[block].successors.size() < 2 || !is_reached(block)) return false;
    const auto last = static_cast<std::size_t>(graph_.blocks[block].end) - 1;
    const Instruction& instruction = function_.instructions[last];
    if (ptx::info(instruction.opcode).category != Category::branch) return false;
    return std::ranges::any_of(uses_[last].read, [&](ptx::RegisterId id) { return differs_.has(id); });
  }

  // Lanes part at the end of `block`. Where they may meet again, a register that was written on the way differs.
  bool part(std::int32_t block) {
    const Paths paths = paths_from(block);
    RegisterSet written(function_.registers.size());
    for (std::size_t b = 0; b < paths.through.size(); ++b)
      if (paths.through[b]) written.add(written_[b]);
    bool more = false;
    for (const std::int32_t meeting : paths.meetings)
      more |= differs_.add(written.both(live_[static_cast<std::size_t>(meeting)]));
    // Lanes leave a loop in different rounds: ptxas also takes for different what a round hands to the next one.
    if (paths.through[static_cast<std::size_t>(block)])
      for (std::size_t b = 0; b < paths.through.size(); ++b)
        if (paths.through[b] && is_entered(b, paths.through)) more |= differs_.add(written.both(live_[b]));
    return more;
  }

  bool is_reached(std::size_t block) const { return block == 0 || place_[block] != 0; }

  bool is_entered(std::size_t block, const std::vector<bool>& loop) const {
    return std::ranges::any_of(graph_.blocks[block].predecessors,
                               [&](std::int32_t from) { return !loop[static_cast<std::size_t>(from)]; });
  }

  struct Paths {
    std::vector<bool> through;           // by block: on a path from the branch to its immediate post-dominator
    std::vector<std::int32_t> meetings;  // blocks that are first reached over two sides
  };
  // A block has the number of the side over which it is reached; where two meet, its own.
  Paths paths_from(std::int32_t branch) const {
    constexpr std::int32_t none = -1;
    const std::int32_t end = graph_.blocks[static_cast<std::size_t>(branch)].ipdom;
    const auto& sides = graph_.blocks[static_cast<std::size_t>(branch)].successors;
    const auto blocks = static_cast<std::int32_t>(graph_.blocks.size());
    std::vector<std::int32_t> side(graph_.blocks.size(), none);
    Paths paths{std::vector<bool>(graph_.blocks.size()), {}};
    // In program order of the paths, so that all sides of a block are known before it is left.
    std::set<std::int32_t> work;  // places in order_
    const auto reach = [&](std::int32_t block, std::int32_t over) {
      const auto b = static_cast<std::size_t>(block);
      if (block == branch) paths.through[b] = true;
      if (block == branch || side[b] == over || side[b] == block) return;
      if (side[b] != none) paths.meetings.push_back(block);
      side[b] = side[b] == none ? over : block;
      if (block == end) return;
      paths.through[b] = true;
      work.insert(place_[b]);
    };
    for (std::size_t i = 0; i < sides.size(); ++i) reach(sides[i], blocks + static_cast<std::int32_t>(i));
    while (!work.empty()) {
      const auto b = static_cast<std::size_t>(order_[static_cast<std::size_t>(*work.begin())]);
      work.erase(work.begin());
      for (const std::int32_t next : graph_.blocks[b].successors) reach(next, side[b]);
    }
    return paths;
  }

  const ptx::Function& function_;
  const ControlFlowGraph& graph_;
  std::vector<ptx::RegisterUse> uses_;  // by instruction
  std::vector<std::int32_t> order_, place_;
  std::vector<bool> parted_;  // by block: part() was called
  std::vector<RegisterSet> written_, live_;
  RegisterSet differs_;
};

}  // namespace

std::vector<bool> uniform_registers(const ptx::Function& function, const ControlFlowGraph& graph) {
  return UniformRegisters(function, graph).find();
}

}  // namespace lanescope::cfg
