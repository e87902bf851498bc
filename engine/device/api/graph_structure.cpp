#include "device/api/graph_structure.h"

#include <algorithm>
#include <map>
#include <utility>

namespace lanescope::device::api {
namespace {

Graph* graph_of(const GraphNode* node) {
  for (Graph* graph : all_graphs())
    for (const auto& one : graph->nodes)
      if (one.get() == node) return graph;
  return nullptr;
}

// What `of(element)` gives for each element.
template <typename Elements, typename Of>
void give(const Elements& elements, void** to, std::size_t room, Of of) {
  for (std::size_t i = 0; i < room; ++i) to[i] = i < elements.size() ? of(elements[i]) : nullptr;
}

// Nodes that were made from this one no longer name it: another may get its address.
void forget_origin(const GraphNode* origin) {
  const auto forget = [&](const Graph& graph) {
    for (const auto& node : graph.nodes)
      if (node->origin == origin) node->origin = nullptr;
  };
  for (const Graph* graph : all_graphs()) forget(*graph);
  for (const auto& [handle, exec] : all<GraphExec>()) forget(*exec->graph);
}

}  // namespace

std::vector<Edge> edges_of(const Graph& graph) {
  std::vector<Edge> edges;
  for (const auto& node : graph.nodes)
    for (GraphNode* before : node->after) edges.emplace_back(before, node.get());
  return edges;
}

Status list_edges(const void* handle, void** from, void** to, std::size_t* count) {
  const Graph* graph = find<Graph>(handle);
  if (graph == nullptr || count == nullptr || (from == nullptr) != (to == nullptr)) return Status::invalid_value;
  const std::vector<Edge> edges = edges_of(*graph);
  if (from == nullptr) return *count = edges.size(), Status::success;
  give(edges, from, *count, [](const Edge& edge) { return edge.first; });
  give(edges, to, *count, [](const Edge& edge) { return edge.second; });
  *count = std::min(*count, edges.size());
  return Status::success;
}

Status list_neighbours(const void* handle, Neighbours which, void** to, std::size_t* count) {
  GraphNode* const node = find_node(handle);
  if (node == nullptr || count == nullptr) return Status::invalid_value;
  std::vector<GraphNode*> found;
  if (which == Neighbours::before) {
    found = node->after;
  } else if (const Graph* graph = graph_of(node)) {
    for (const auto& [before, after] : edges_of(*graph))
      if (before == node) found.push_back(after);
  }
  if (to == nullptr) return *count = found.size(), Status::success;
  give(found, to, *count, [](GraphNode* one) { return one; });
  *count = std::min(*count, found.size());
  return Status::success;
}

Status remove_dependencies(const void* handle, const void* const* from, const void* const* to, std::size_t count) {
  if (find<Graph>(handle) == nullptr || (count != 0 && (from == nullptr || to == nullptr)))
    return Status::invalid_value;
  std::map<GraphNode*, std::vector<GraphNode*>> left;  // what each node will depend on
  for (std::size_t i = 0; i < count; ++i) {
    GraphNode* const node = find_node(to[i]);
    if (node == nullptr) return Status::invalid_value;
    std::vector<GraphNode*>& after = left.try_emplace(node, node->after).first->second;
    const auto edge = std::ranges::find(after, from[i]);
    if (edge == after.end()) return Status::invalid_value;
    after.erase(edge);
  }
  for (auto& [node, after] : left) node->after = std::move(after);
  return Status::success;
}

Status destroy_node(const void* handle) {
  GraphNode* const node = find_node(handle);
  Graph* const graph = node == nullptr ? nullptr : graph_of(node);
  if (graph == nullptr) return Status::invalid_value;
  if (node->kind == NodeKind::alloc || node->kind == NodeKind::release || node->kind == NodeKind::conditional)
    return Status::not_supported;
  for (const auto& other : graph->nodes) std::erase(other->after, node);
  for (const auto& [of, stream] : all<Stream>()) std::erase(stream->last, node);
  forget_origin(node);
  forget_node(node);
  std::erase_if(graph->nodes, [&](const auto& one) { return one.get() == node; });
  return Status::success;
}

NodeWork recording(const void* event) {
  return {NodeKind::record_event, [event](Device&) { return record(event, nullptr); }, event};
}

Status with_event(NodeWork what, NodeWork& to) {
  to = std::move(what);
  return find<Event>(std::any_cast<const void*>(to.parameters)) == nullptr ? Status::invalid_value : Status::success;
}

NodeWork waiting(const void* event) {
  return {NodeKind::wait_event, [event](Device&) { return wait_for(nullptr, event); }, event};
}

Status set_work_of(GraphNode* node, const NodeWork& what) {
  return node == nullptr ? Status::invalid_value : set_work(*node, what);
}

Status set_enabled(const void* exec, const void* handle, bool enabled) {
  GraphNode* node = find_in(exec, handle);
  if (node == nullptr || node->kind > NodeKind::memset) return Status::invalid_value;
  node->enabled = enabled;
  return Status::success;
}

Status tell_enabled(const void* exec, const void* handle, unsigned* enabled) {
  const GraphNode* node = find_in(exec, handle);
  if (node == nullptr || enabled == nullptr || node->kind > NodeKind::memset) return Status::invalid_value;
  *enabled = node->enabled ? 1 : 0;
  return Status::success;
}

Status tell_flags(const void* exec, unsigned long long* flags) {
  const GraphExec* found = find<GraphExec>(exec);
  if (found == nullptr || flags == nullptr) return Status::invalid_value;
  *flags = found->flags;
  return Status::success;
}

Status find_in_clone(void** to, const void* node, const void* clone) {
  const Graph* found = find<Graph>(clone);
  GraphNode* copy = found == nullptr ? nullptr : found->copy_of(find_node(node));
  if (to == nullptr || copy == nullptr) return Status::invalid_value;
  *to = copy;
  return Status::success;
}

}  // namespace lanescope::device::api
