// Checks immediate post-dominators against their definition, on random graphs of every kind: with endless loops,
// unreachable nodes, irreducible loops and self-edges.
#include "cfg/dominators.h"

#include <gtest/gtest.h>

#include <random>

namespace lanescope::cfg {
namespace {

using Graph = std::vector<std::vector<std::int32_t>>;
constexpr std::int32_t exit_node = PostDominators::exit;
constexpr std::int32_t no_node = -100;

// True if the exit can be reached from `start` without passing `avoided`.
bool reaches_exit(const Graph& graph, std::int32_t start, std::int32_t avoided) {
  if (start == avoided) return false;
  std::vector<bool> seen(graph.size());
  std::vector<std::int32_t> work{start};
  seen[static_cast<std::size_t>(start)] = true;
  while (!work.empty()) {
    const auto node = static_cast<std::size_t>(work.back());
    work.pop_back();
    for (const std::int32_t next : graph[node]) {
      if (next == exit_node) return true;
      if (next == avoided || seen[static_cast<std::size_t>(next)]) continue;
      seen[static_cast<std::size_t>(next)] = true;
      work.push_back(next);
    }
  }
  return false;
}

// By definition, p post-dominates n if every path from n to the exit passes p. The immediate post-dominator of n is the
// proper post-dominator that all the others post-dominate.
std::int32_t by_definition(const Graph& graph, std::int32_t n) {
  if (!reaches_exit(graph, n, no_node)) return PostDominators::none;
  std::vector<std::int32_t> dominators;
  for (std::int32_t p = 0; p < static_cast<std::int32_t>(graph.size()); ++p)
    if (p != n && !reaches_exit(graph, n, p)) dominators.push_back(p);
  for (const std::int32_t candidate : dominators) {
    bool nearest = true;
    for (const std::int32_t other : dominators) nearest &= other == candidate || !reaches_exit(graph, candidate, other);
    if (nearest) return candidate;
  }
  return exit_node;
}

std::string describe(const Graph& graph) {
  std::string text;
  for (std::size_t n = 0; n < graph.size(); ++n) {
    text += std::to_string(n) + " →";
    for (const std::int32_t next : graph[n]) text += next == exit_node ? " exit" : " " + std::to_string(next);
    text += '\n';
  }
  return text;
}

Graph random_graph(std::mt19937& random) {
  const auto size = 1 + random() % 14;
  const auto exits = random() % 4, most_edges = 1 + random() % 3;
  Graph graph(size);
  for (auto& successors : graph) {
    for (auto edges = random() % (most_edges + 1); edges > 0; --edges)
      successors.push_back(static_cast<std::int32_t>(random() % size));
    if (random() % 4 < exits) successors.push_back(exit_node);
  }
  return graph;
}

TEST(CfgPostDominators, AgreeWithTheirDefinitionOnRandomGraphs) {
  std::mt19937 random(20240607);
  int endless = 0, with_dominator = 0;
  for (int i = 0; i < 5000; ++i) {
    const Graph graph = random_graph(random);
    const PostDominators found = post_dominators(graph);
    ASSERT_EQ(found.immediate.size(), graph.size());
    for (std::int32_t n = 0; n < static_cast<std::int32_t>(graph.size()); ++n) {
      const std::int32_t expected = by_definition(graph, n);
      endless += expected == PostDominators::none;
      with_dominator += expected >= 0;
      ASSERT_EQ(found.immediate[static_cast<std::size_t>(n)], expected) << "of node " << n << " in\n"
                                                                        << describe(graph);
    }
  }
  EXPECT_GT(endless, 1000);
  EXPECT_GT(with_dominator, 1000);
}

TEST(CfgPostDominators, OfADiamondIsItsJoin) {
  const PostDominators found = post_dominators({{1, 2}, {3}, {3}, {exit_node}});
  EXPECT_EQ(found.immediate, (std::vector<std::int32_t>{3, 3, 3, exit_node}));
}

TEST(CfgPostDominators, OfALoopWithTwoEntries) {
  const PostDominators found = post_dominators({{1, 2}, {2}, {1, 3}, {exit_node}});
  EXPECT_EQ(found.immediate, (std::vector<std::int32_t>{2, 2, 3, exit_node}));
}

TEST(CfgPostDominators, OfAnEndlessLoopAreNone) {
  const PostDominators found = post_dominators({{1, 2}, {1}, {exit_node}});
  EXPECT_EQ(found.immediate, (std::vector<std::int32_t>{2, PostDominators::none, exit_node}));
}

TEST(CfgPostDominators, OfALongChainAreFoundWithoutRecursion) {
  Graph chain(200000);
  for (std::size_t i = 0; i < chain.size(); ++i)
    chain[i].push_back(i + 1 == chain.size() ? exit_node : static_cast<std::int32_t>(i) + 1);
  const PostDominators found = post_dominators(chain);
  EXPECT_EQ(found.immediate.front(), 1);
  EXPECT_EQ(found.immediate.back(), exit_node);
}

TEST(CfgPostDominators, OfNothing) {
  EXPECT_TRUE(post_dominators({}).immediate.empty());
}

}  // namespace
}  // namespace lanescope::cfg
