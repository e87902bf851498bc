// An executable graph takes the parameters of a graph of the same shape.

#include <algorithm>

#include "device/api/graph_conditions.h"
#include "device/api/graphs.h"

namespace lanescope::device::api {

namespace {

// The numbers of the nodes before this one, in order of creation.
std::vector<std::size_t> numbers_of(const Graph& graph, const GraphNode& node) {
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < graph.nodes.size(); ++i)
    if (std::ranges::find(node.after, graph.nodes[i].get()) != node.after.end()) numbers.push_back(i);
  return numbers;
}

// Values of cudaGraphExecUpdateResult.
constexpr int alike = 0, topology_changed = 2, kind_changed = 3;

// `culprit`: the node of `graph` at which they differ.
int difference(const Graph& own, const Graph& graph, const void*& culprit) {
  if (own.nodes.size() != graph.nodes.size()) return topology_changed;
  for (std::size_t i = 0; i < own.nodes.size(); ++i) {
    const GraphNode &node = *own.nodes[i], &other = *graph.nodes[i];
    culprit = &other;
    if (numbers_of(own, node) != numbers_of(graph, other)) return topology_changed;
    if (node.kind != other.kind) return kind_changed;
    const Graph *inner = inner_of(node), *inner_of_other = inner_of(other);
    const int inside =
        inner == nullptr || inner_of_other == nullptr ? alike : difference(*inner, *inner_of_other, culprit);
    if (inside != alike) return inside;
  }
  culprit = nullptr;
  return alike;
}

// Of a graph of the same shape. Each node remains the copy of the node that it was made from.
void take_parameters(Graph& own, const Graph& from) {
  for (std::size_t i = 0; i < own.nodes.size(); ++i) {
    GraphNode& node = *own.nodes[i];
    const GraphNode& other = *from.nodes[i];
    const Graph* other_inner = inner_of(other);
    if (Graph* inner = inner_of(node); inner != nullptr && other_inner != nullptr) {
      take_parameters(*inner, *other_inner);
      continue;
    }
    node.work = other.work;
    node.parameters = other.parameters;
    if (const auto* choice = choice_of(other)) node.parameters = api::copy_of(**choice);
  }
}

}  // namespace

Status set_child_graph(const void* exec, const void* handle, const void* child) {
  const GraphNode* node = find_in(exec, handle);
  Graph* inner = node == nullptr ? nullptr : inner_of(*node);
  const Graph* graph = find<Graph>(child);
  if (inner == nullptr || graph == nullptr) return Status::invalid_value;
  const void* culprit = nullptr;
  if (difference(*inner, *graph, culprit) != alike) return Status::graph_update_failure;
  take_parameters(*inner, *graph);
  return Status::success;
}

Status update(const void* handle, const void* with, int& result, const void** culprit) {
  GraphExec* exec = find<GraphExec>(handle);
  const Graph* graph = find<Graph>(with);
  if (exec == nullptr || graph == nullptr) return Status::invalid_value;
  const void* at = nullptr;
  result = difference(*exec->graph, *graph, at);
  if (culprit != nullptr) *culprit = at;
  if (result != alike) return Status::graph_update_failure;
  take_parameters(*exec->graph, *graph);
  return Status::success;
}

}  // namespace lanescope::device::api
