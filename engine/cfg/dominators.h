#pragma once
// Post-order and immediate post-dominators of a plain graph. Independent of PTX, so that tests can check them against
// the definition.

#include <cstdint>
#include <vector>

namespace lanescope::cfg {

// Nodes reachable from `root` in post-order of a depth-first walk.
std::vector<std::int32_t> post_order(const std::vector<std::vector<std::int32_t>>& successors, std::int32_t root);

struct PostDominators {
  // Per node: its immediate post-dominator; `exit` if only the exit post-dominates it; `none` if it does not reach the
  // exit.
  std::vector<std::int32_t> immediate;
  static constexpr std::int32_t exit = -1;
  static constexpr std::int32_t none = -2;
};

// `successors[n]`: the nodes that may follow n; PostDominators::exit means leaving the graph. A node without successors
// never leaves. Paths that never reach the exit are ignored: a node post-dominates another if it lies on every path
// from there that reaches the exit. Method: Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm", on the
// reversed graph.
PostDominators post_dominators(const std::vector<std::vector<std::int32_t>>& successors);

}  // namespace lanescope::cfg
