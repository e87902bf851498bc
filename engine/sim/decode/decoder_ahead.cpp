// Finds what a thread may still reach from each instruction on. This tells whether lanes on another path can still
// arrive at a barrier.

#include <algorithm>

#include "ptx/named_opcodes.h"
#include "ptx/opcode_table.h"
#include "sim/decode/decoder.h"

namespace lanescope::sim {

namespace {

using ptx::Category;
using ptx::Space;

// For an instruction that is not a call.
std::uint8_t at(const ptx::Instruction& instruction) {
  switch (ptx::info(instruction.opcode).category) {
    case Category::arithmetic:
    case Category::bits:
    case Category::logic:
    case Category::compare:
    case Category::select:
    case Category::move:
    case Category::convert:
    case Category::video:
    case Category::load:
    case Category::prefetch:
    case Category::branch:
      return 0;
    case Category::return_:
      return instruction.opcode == ptx::opcodes::trap ? Ahead::effect : 0;
    case Category::store:
      return instruction.space == Space::local || instruction.space == Space::param ? 0 : Ahead::effect;
    case Category::barrier:
      return Ahead::barrier | Ahead::effect;
    default:
      return Ahead::effect;
  }
}

// For each instruction alone. A call also has what the called functions may reach.
std::vector<std::uint8_t> alone(const Program& program, const FunctionCode& code,
                                const std::vector<std::uint8_t>& whole) {
  const std::vector<ptx::Instruction>& instructions = code.source->instructions;
  std::vector<std::uint8_t> found(instructions.size() + 1, 0);
  std::ranges::transform(instructions, found.begin(), at);
  for (const CallOp& call : code.calls) {
    std::uint8_t& here = found[static_cast<std::size_t>(call.instruction - instructions.data())];
    if (call.callee >= 0) here |= whole[static_cast<std::size_t>(call.callee)];
    if (call.callee >= 0 || call.device_function != DeviceFunction::none) continue;
    for (std::size_t any = 1; any < program.functions.size(); ++any) here |= whole[any];
  }
  return found;
}

void add_what_follows(std::vector<std::uint8_t>& found, const cfg::ControlFlowGraph& graph) {
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t b = graph.blocks.size(); b-- > 0;) {
      const cfg::BasicBlock& block = graph.blocks[b];
      std::uint8_t from_here = 0;
      for (const std::int32_t next : block.successors)
        from_here |= found[static_cast<std::size_t>(graph.blocks[static_cast<std::size_t>(next)].first)];
      for (std::int32_t i = block.end; i-- > block.first;) {
        std::uint8_t& here = found[static_cast<std::size_t>(i)];
        from_here |= here;
        changed |= here != from_here;
        here = from_here;
      }
    }
  }
}

}  // namespace

void find_what_lies_ahead(Program& program, const std::vector<std::unique_ptr<cfg::ControlFlowGraph>>& graphs) {
  std::vector<std::uint8_t> whole(program.functions.size(), 0);  // for each function: from its beginning on
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t f = 0; f < whole.size(); ++f) {
      FunctionCode& code = *program.functions[f];
      code.ahead = alone(program, code, whole);
      add_what_follows(code.ahead, *graphs[f]);
      changed |= whole[f] != code.ahead.front();
      whole[f] = code.ahead.front();
    }
  }
}

}  // namespace lanescope::sim
