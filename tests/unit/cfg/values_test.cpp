// Which definition each instruction reads: against random walks through random functions that note the last write.
#include "cfg/values.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>

#include "cfg/uniform_values.h"

namespace lanescope::cfg {
namespace {

using ptx::Function;
using ptx::Module;

using Random = std::mt19937_64;

int below(Random& random, int bound) {
  return static_cast<int>(random() % static_cast<std::uint64_t>(bound));
}

std::string random_block(Random& random, int number, int blocks) {
  std::string text = fmt::format("L{}:\n", number);
  for (int count = below(random, 4); count > 0; --count) {
    const std::string guard = below(random, 4) == 0 ? "@%p0 " : "";
    text += fmt::format("{}add.u32 %r{}, %r{}, %r{};\n", guard, below(random, 5), below(random, 5), below(random, 5));
  }
  if (below(random, 3) == 0) text += "setp.eq.u32 %p0, %r0, 7;\n";
  if (below(random, 3) == 0) return text + fmt::format("bra L{};\n", below(random, blocks));
  return text + fmt::format("@%p{} bra L{};\n", below(random, 2), below(random, blocks));
}

std::string random_function(Random& random) {
  const int blocks = 1 + below(random, 12);
  std::string text =
      ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n.reg .u32 %r<5>;\n.reg .pred %p<2>;\n";
  for (int b = 0; b < blocks; ++b) text += random_block(random, b, blocks);
  return text + "ret;\n}\n";
}

// One path through a function: the last write of each register, and the value that Values says it has.
class Walk {
 public:
  Walk(const Function& function, const ControlFlowGraph& graph, const Values& values)
      : function_(function), graph_(graph), values_(values), last_write_(function.registers.size(), -1) {}

  void run(Random& random, int blocks) {
    std::int32_t block = 0, before = no_block;
    for (int step = 0; step < blocks; ++step) {
      enter(block, before);
      for (std::int32_t i = graph_.blocks[index(block)].first; i < graph_.blocks[index(block)].end; ++i)
        execute(index(i), below(random, 2) == 0);
      const auto& next = graph_.blocks[index(block)].successors;
      if (next.empty()) return;
      before = block;
      block = next[static_cast<std::size_t>(below(random, static_cast<int>(next.size())))];
    }
  }
  int reads() const { return reads_; }

 private:
  // Joins take all of their values at once.
  void enter(std::int32_t block, std::int32_t before) {
    const auto& predecessors = graph_.blocks[index(block)].predecessors;
    const auto from = static_cast<std::size_t>(std::ranges::find(predecessors, before) - predecessors.begin());
    std::map<ValueId, int> fresh;
    for (const ValueId join : values_.joins[index(block)])
      fresh[join] = write_of(values_.all[index(join)].merged.at(from));
    for (const auto& [join, write] : fresh) write_of_[join] = write;
  }

  int write_of(ValueId value) const {
    const auto found = write_of_.find(value);
    return found == write_of_.end() ? -1 : found->second;
  }

  void execute(std::size_t at, bool guard_holds) {
    const ptx::RegisterUse& use = values_.uses[at];
    for (std::size_t k = 0; k < use.read.size(); ++k, ++reads_)
      EXPECT_EQ(write_of(values_.read[at][k]), last_write_[use.read[k]]);
    const bool guarded = function_.instructions[at].guard.present();
    for (std::size_t k = 0; k < use.written.size(); ++k) {
      const ValueId value = values_.written[at][k];
      const auto& merged = values_.all[index(value)].merged;
      ASSERT_EQ(merged.size(), guarded ? 1u : 0u);
      const bool writes = !guarded || guard_holds;
      write_of_[value] = writes ? next_write_ : write_of(merged[0]);
      if (writes) last_write_[use.written[k]] = next_write_++;
    }
  }

  const Function& function_;
  const ControlFlowGraph& graph_;
  const Values& values_;
  std::vector<int> last_write_;      // by register: the number of the write, -1 before the first
  std::map<ValueId, int> write_of_;  // likewise by value
  int next_write_ = 0;
  int reads_ = 0;
};

TEST(Values, AreTheLastWritesOfEveryWalk) {
  Random random(1991);
  int reads = 0, joins = 0;
  for (int round = 0; round < 400; ++round) {
    const std::string text = random_function(random);
    SCOPED_TRACE(text);
    const auto module = ptx::parse(text, "random");
    ASSERT_TRUE(module.ok()) << format(module.errors().front());
    const Function& function = module->functions[0];
    const ControlFlowGraph graph = build(function);
    const Values values = values_of(function, graph);
    for (const auto& list : values.joins) joins += static_cast<int>(list.size());
    for (int walk = 0; walk < 8; ++walk) {
      Walk one(function, graph, values);
      one.run(random, 40);
      reads += one.reads();
    }
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(reads, 20000);
  EXPECT_GT(joins, 500);
}

// LLVM writes the address register of an unrolled loop again for the next round.
TEST(Values, OfARegisterThatIsWrittenAgainAreTwo) {
  const auto module = ptx::parse(
      ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n.reg .u32 %r<3>;\n"
      "mov.u32 %r0, 4;\n"
      "add.u32 %r1, %r0, 1;\n"
      "mov.u32 %r0, %tid.x;\n"
      "add.u32 %r2, %r0, 1;\n"
      "ret;\n}\n",
      "again");
  ASSERT_TRUE(module.ok()) << format(module.errors().front());
  const Function& function = module->functions[0];
  const ControlFlowGraph graph = build(function);
  const Values values = values_of(function, graph);
  const std::vector<bool> uniform = uniform_values(function, graph, values);
  EXPECT_NE(values.read_by(1, 0), values.read_by(3, 0));
  EXPECT_TRUE(uniform[index(values.read_by(1, 0))]);
  EXPECT_FALSE(uniform[index(values.read_by(3, 0))]);
  EXPECT_EQ(values.read_by(0, 0), no_value);
}

}  // namespace
}  // namespace lanescope::cfg
