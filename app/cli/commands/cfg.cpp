// lanescope cfg FILE: basic blocks, and where the lanes of a divergent branch reconverge.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cfg/control_flow_graph.h"
#include "cli/commands/commands.h"
#include "cli/commands/stage_input.h"
#include "core/source_name.h"
#include "ptx/module.h"

namespace lanescope::cli {

namespace {

std::string block_name(std::int32_t block) {
  return block == cfg::no_block ? "exit" : fmt::format("{}", block);
}

std::string describe(const ptx::Module& module, const ptx::Function& function) {
  const cfg::ControlFlowGraph graph = cfg::build(function);
  std::string out =
      fmt::format("{} {} ({}): {} basic block{}\n", function.is_entry ? "kernel" : "function",
                  source_name(function.name), function.name, graph.blocks.size(), graph.blocks.size() == 1 ? "" : "s");
  for (std::size_t i = 0; i < graph.blocks.size(); ++i) {
    const cfg::BasicBlock& block = graph.blocks[i];
    const auto index = static_cast<std::int32_t>(i);
    const int last_line =
        block.end > block.first ? function.instructions[static_cast<std::size_t>(block.end - 1)].ptx_line : 0;
    const int first_line =
        block.end > block.first ? function.instructions[static_cast<std::size_t>(block.first)].ptx_line : 0;
    out += fmt::format("  {}: PTX lines {}–{}, {} instruction{}", i, first_line, last_line, block.end - block.first,
                       block.end - block.first == 1 ? "" : "s");
    if (!block.successors.empty())
      out += fmt::format("; goes on to {}", fmt::join(block.successors, ", "));
    else if (block.reaches_exit)
      out += "; goes on to exit";
    out += block.reaches_exit ? fmt::format("; immediate post-dominator {}", block_name(block.ipdom))
                              : "; never reaches the exit";
    if (block.successors.size() > 1)
      out += fmt::format("; reconverges at {}", block_name(graph.reconvergence_of(index)));
    out += "\n";
    for (std::int32_t k = block.first; k < block.end; ++k)
      out += fmt::format("    {}\n", ptx::print(module, function, function.instructions[static_cast<std::size_t>(k)]));
  }
  return out;
}

}  // namespace

int cfg(const FileOptions& options) {
  return print_stage(options, [](const ptx::Module& module, const std::string& kernel) {
    std::string out;
    for (const ptx::Function& function : module.functions)
      if (!function.is_declaration && (kernel.empty() || function.name == kernel))
        out += (out.empty() ? "" : "\n") + describe(module, function);
    return out;
  });
}

}  // namespace lanescope::cli
