// Basic blocks and reconvergence points of whole functions: tests/cases/cfg/NAME.ptx → NAME.out.
#include "cfg/control_flow_graph.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "golden.h"

namespace lanescope::cfg {
namespace {

using ptx::Function;
using ptx::Module;

std::string describe(const Module& module) {
  std::string text;
  for (const Function& function : module.functions) {
    if (function.is_declaration) continue;
    const ControlFlowGraph graph = build(function);
    text += fmt::format("{}\n", function.name);
    for (std::size_t b = 0; b < graph.blocks.size(); ++b) {
      const BasicBlock& block = graph.blocks[b];
      text += fmt::format("  block {}: to {}; from {}; ipdom {}{}\n", b, block.successors, block.predecessors,
                          block.ipdom != no_block ? std::to_string(block.ipdom)
                          : block.reaches_exit    ? "exit"
                                                  : "none",
                          block.reaches_exit ? "" : "; never leaves");
      for (auto i = static_cast<std::size_t>(block.first); i < static_cast<std::size_t>(block.end); ++i) {
        EXPECT_EQ(graph.block_of[i], static_cast<std::int32_t>(b));
        text += fmt::format("    {}\n", ptx::print(module, function, function.instructions[i]));
      }
    }
  }
  return text;
}

class CfgCases : public testing::TestWithParam<test::Case> {};

TEST_P(CfgCases, AreAsExpected) {
  const auto module = ptx::parse(GetParam().text(), GetParam().name);
  ASSERT_TRUE(module.ok()) << format(module.errors().front());
  test::expect_golden(GetParam().sibling(".out"), describe(*module));
}

INSTANTIATE_TEST_SUITE_P(Cases, CfgCases, testing::ValuesIn(test::cases("cfg", ".ptx")), test::case_name);

void expect_sound(const Function& function) {
  const ControlFlowGraph graph = build(function);
  ASSERT_EQ(graph.block_of.size(), function.instructions.size());
  std::int32_t end = 0;
  for (std::size_t b = 0; b < graph.blocks.size(); ++b) {
    const BasicBlock& block = graph.blocks[b];
    EXPECT_EQ(block.first, end);
    EXPECT_GT(block.end, block.first);
    end = block.end;
    for (const std::int32_t next : block.successors) {
      const auto& back = graph.blocks.at(static_cast<std::size_t>(next)).predecessors;
      EXPECT_EQ(std::ranges::count(back, static_cast<std::int32_t>(b)), 1);
    }
    if (!block.reaches_exit) {
      EXPECT_EQ(block.ipdom, no_block);
    }
  }
  EXPECT_EQ(end, static_cast<std::int32_t>(function.instructions.size()));
}

// For any code: the blocks cover the function without gaps, and successor and predecessor edges match.
TEST(Cfg, IsSoundForEveryPtxCase) {
  for (const test::Case& c : test::cases("ptx", ".ptx", {".err.ptx"})) {
    SCOPED_TRACE(c.name);
    const auto module = ptx::parse(c.text(), c.name);
    ASSERT_TRUE(module.ok());
    for (const Function& function : module->functions) expect_sound(function);
  }
}

TEST(Cfg, OfAnEmptyFunctionIsEmpty) {
  EXPECT_TRUE(build(Function{}).blocks.empty());
}

}  // namespace
}  // namespace lanescope::cfg
