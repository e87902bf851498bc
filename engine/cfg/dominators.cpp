#include "cfg/dominators.h"

#include <cstddef>
#include <utility>

namespace lanescope::cfg {
namespace {

using Graph = std::vector<std::vector<std::int32_t>>;

// The reversed graph with the exit as an additional last node.
Graph reversed(const Graph& successors) {
  const auto exit = static_cast<std::int32_t>(successors.size());
  Graph result(successors.size() + 1);
  for (std::int32_t node = 0; node < exit; ++node)
    for (const std::int32_t next : successors[static_cast<std::size_t>(node)])
      result[static_cast<std::size_t>(next == PostDominators::exit ? exit : next)].push_back(node);
  return result;
}

}  // namespace

std::vector<std::int32_t> post_order(const Graph& graph, std::int32_t root) {
  std::vector<std::int32_t> order;
  std::vector<bool> seen(graph.size());
  std::vector<std::pair<std::int32_t, std::size_t>> stack{{root, 0}};
  seen[static_cast<std::size_t>(root)] = true;
  while (!stack.empty()) {
    const auto node = static_cast<std::size_t>(stack.back().first);
    if (stack.back().second == graph[node].size()) {
      order.push_back(stack.back().first);
      stack.pop_back();
      continue;
    }
    const std::int32_t next = graph[node][stack.back().second++];
    if (seen[static_cast<std::size_t>(next)]) continue;
    seen[static_cast<std::size_t>(next)] = true;
    stack.emplace_back(next, 0);
  }
  return order;
}

PostDominators post_dominators(const Graph& successors) {
  const auto exit = static_cast<std::int32_t>(successors.size());
  const std::vector<std::int32_t> order = post_order(reversed(successors), exit);

  constexpr std::int32_t unknown = -1;
  std::vector<std::int32_t> rank(successors.size() + 1,
                                 unknown);  // place in `order`; the exit's is the highest
  for (std::size_t i = 0; i < order.size(); ++i)
    rank[static_cast<std::size_t>(order[i])] = static_cast<std::int32_t>(i);

  // Indexed by rank in the post-order, so that walking up the tree only compares numbers.
  std::vector<std::int32_t> immediate(order.size(), unknown);
  const std::int32_t root = static_cast<std::int32_t>(order.size()) - 1;
  immediate[static_cast<std::size_t>(root)] = root;
  const auto common = [&](std::int32_t a, std::int32_t b) {
    while (a != b) {
      while (a < b) a = immediate[static_cast<std::size_t>(a)];
      while (b < a) b = immediate[static_cast<std::size_t>(b)];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::int32_t at = root - 1; at >= 0; --at) {
      std::int32_t candidate = unknown;
      for (std::int32_t next : successors[static_cast<std::size_t>(order[static_cast<std::size_t>(at)])]) {
        const std::int32_t next_rank = rank[static_cast<std::size_t>(next == PostDominators::exit ? exit : next)];
        if (next_rank == unknown || immediate[static_cast<std::size_t>(next_rank)] == unknown) continue;
        candidate = candidate == unknown ? next_rank : common(candidate, next_rank);
      }
      if (immediate[static_cast<std::size_t>(at)] == candidate) continue;
      immediate[static_cast<std::size_t>(at)] = candidate;
      changed = true;
    }
  }

  PostDominators result;
  result.immediate.assign(successors.size(), PostDominators::none);
  for (std::int32_t at = 0; at < root; ++at) {
    const std::int32_t dominator = order[static_cast<std::size_t>(immediate[static_cast<std::size_t>(at)])];
    result.immediate[static_cast<std::size_t>(order[static_cast<std::size_t>(at)])] =
        dominator == exit ? PostDominators::exit : dominator;
  }
  return result;
}

}  // namespace lanescope::cfg
