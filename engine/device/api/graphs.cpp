#include "device/api/graphs.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <utility>

#include "device/api/graph_conditions.h"
#include "device/api/library.h"
#include "device/api/pools.h"

namespace lanescope::device::api {

namespace {

std::set<const void*>& known_nodes() {
  static auto* const all = new std::set<const void*>;
  return *all;
}

std::map<const void*, Graph*>& inner_graphs() {
  static auto* const all = new std::map<const void*, Graph*>;
  return *all;
}

// Forgets the graph's nodes, whose handles the program has.
void forget(const Graph& graph) {
  for (const auto& node : graph.nodes) known_nodes().erase(node.get());
}

bool is_of_memory(NodeKind kind) {
  return kind == NodeKind::alloc || kind == NodeKind::release;
}

bool has_memory(const Graph& graph) {
  return std::ranges::any_of(graph.nodes, [](const auto& node) { return is_of_memory(node->kind); });
}

bool find_all(const void* const* handles, std::size_t count, std::vector<GraphNode*>& to) {
  if (handles == nullptr && count != 0) return false;
  for (std::size_t i = 0; i < count; ++i) {
    GraphNode* node = find_node(handles[i]);
    if (node == nullptr) return false;
    to.push_back(node);
  }
  return true;
}

// Different nodes of this graph.
bool find_different(const Graph& graph, const void* const* handles, std::size_t count, std::vector<GraphNode*>& to) {
  if (!find_all(handles, count, to)) return false;
  const auto is_own = [&](const GraphNode* node) {
    return std::ranges::any_of(graph.nodes, [&](const auto& one) { return one.get() == node; });
  };
  return std::ranges::all_of(to, is_own) && std::set(to.begin(), to.end()).size() == to.size();
}

// Whether `wanted` is one of the nodes in `from` or an ancestor of one. has_joined() uses this: the origin must wait
// for everything that the stream did.
bool reaches(const std::vector<GraphNode*>& from, const GraphNode* wanted, std::set<const GraphNode*>& seen) {
  return std::ranges::any_of(from, [&](const GraphNode* node) {
    return node == wanted || (seen.insert(node).second && reaches(node->after, wanted, seen));
  });
}

bool has_joined(const Stream& stream, const Stream& origin) {
  return std::ranges::all_of(stream.last, [&](const GraphNode* node) {
    std::set<const GraphNode*> seen;
    return reaches(origin.last, node, seen);
  });
}

}  // namespace

template <>
Graph* find<Graph>(const void* handle) {
  const auto outer = all<Graph>().find(handle);
  if (outer != all<Graph>().end()) return outer->second.get();
  const auto inner = inner_graphs().find(handle);
  return inner == inner_graphs().end() ? nullptr : inner->second;
}

std::vector<Graph*> all_graphs() {
  std::vector<Graph*> graphs;
  for (const auto& [handle, graph] : all<Graph>()) graphs.push_back(graph.get());
  for (const auto& [handle, graph] : inner_graphs()) graphs.push_back(graph);
  return graphs;
}

InnerGraph::InnerGraph(std::unique_ptr<Graph> of) : graph(std::move(of)) {
  inner_graphs()[graph.get()] = graph.get();
  for (const auto& node : graph->nodes) known_nodes().insert(node.get());
}
InnerGraph::~InnerGraph() {
  forget(*graph);
  inner_graphs().erase(graph.get());
}

Graph* inner_of(const GraphNode& node) {
  const auto* inner = std::any_cast<std::shared_ptr<InnerGraph>>(&node.parameters);
  return inner == nullptr ? nullptr : (*inner)->graph.get();
}

Status KernelCall::make(const void* function, Kernel& kernel, const LaunchShape& shape, const void* const* arguments,
                        KernelCall& to) {
  to = {function, &kernel, shape, {}, {}, {}};
  return device().pack(kernel, arguments, to.parameters);
}

void KernelCall::point() {
  pointers.clear();
  for (const ptx::Parameter& parameter : kernel->function->parameters)
    pointers.push_back(parameters.data() + parameter.offset);
}

Work launching(const KernelCall& call) {
  return [call](Device& device) { return device.launch(*call.kernel, call.shape, call.parameters); };
}

GraphNode* Graph::add(NodeKind kind, Work work, std::span<GraphNode* const> after, std::any parameters) {
  auto made = std::make_unique<GraphNode>(
      GraphNode{kind, std::move(work), {after.begin(), after.end()}, std::move(parameters), nullptr, true});
  return nodes.emplace_back(std::move(made)).get();
}

std::unique_ptr<Graph> Graph::copy() const {
  auto made = std::make_unique<Graph>(Graph{{}, objects, conditions});
  std::map<const GraphNode*, GraphNode*> copies;
  for (const auto& node : nodes) {
    GraphNode& copy = *made->nodes.emplace_back(std::make_unique<GraphNode>(*node));
    copy.origin = node.get();
    if (const auto* choice = choice_of(*node)) copy.parameters = api::copy_of(**choice);
    if (const Graph* inner = inner_of(*node)) copy.parameters = std::make_shared<InnerGraph>(inner->copy());
    copies[node.get()] = &copy;
  }
  for (const auto& node : made->nodes)
    for (GraphNode*& before : node->after) before = copies.at(before);
  return made;
}

GraphNode* Graph::copy_of(const GraphNode* origin) const {
  const auto found = std::ranges::find_if(nodes, [&](const auto& node) { return node->origin == origin; });
  return found == nodes.end() ? nullptr : found->get();
}

std::vector<GraphNode*> Graph::in_order() const {
  std::vector<GraphNode*> order;
  std::set<const GraphNode*> done;
  for (std::size_t before = ~std::size_t{0}; order.size() != before;) {
    before = order.size();
    for (const auto& node : nodes) {
      if (done.contains(node.get())) continue;
      if (!std::ranges::all_of(node->after, [&](const GraphNode* one) { return done.contains(one); })) continue;
      order.push_back(node.get());
      done.insert(node.get());
    }
  }
  return order.size() == nodes.size() ? order : std::vector<GraphNode*>();
}

Status run(Device& device, const std::vector<GraphNode*>& nodes) {
  for (const GraphNode* node : nodes) {
    if (!node->enabled) continue;
    const auto* choice = choice_of(*node);
    const Graph* inner = inner_of(*node);
    const Status status = choice != nullptr  ? choose(device, **choice)
                          : inner != nullptr ? run(device, inner->in_order())
                          : node->work       ? node->work(device)
                                             : Status::success;
    if (status != Status::success) return status;
  }
  return Status::success;
}

Stream* captured_stream(const void* handle) {
  Stream* stream = find<Stream>(handle);
  return stream == nullptr || stream->capture == nullptr ? nullptr : stream;
}

Status note(Stream& stream, NodeKind kind, Work work, std::any parameters) {
  if (stream.capture->broken) return Status::capture_invalidated;
  GraphNode* node = stream.capture->graph->add(kind, std::move(work), stream.last, std::move(parameters));
  known_nodes().insert(node);
  stream.last = {node};
  return Status::success;
}

namespace {
CaptureMode& own_mode() {
  thread_local CaptureMode mode = CaptureMode::global;
  return mode;
}
bool is_mode(int mode) {
  return mode >= static_cast<int>(CaptureMode::global) && mode <= static_cast<int>(CaptureMode::relaxed);
}
}  // namespace

Status exchange_capture_mode(int* mode) {
  if (mode == nullptr || !is_mode(*mode)) return Status::invalid_value;
  *mode = static_cast<int>(std::exchange(own_mode(), static_cast<CaptureMode>(*mode)));
  return Status::success;
}

Status allowed_while_capturing() {
  if (own_mode() == CaptureMode::relaxed) return Status::success;
  Status status = Status::success;
  for (const auto& [handle, stream] : all<Stream>()) {
    Capture* capture = stream->capture.get();
    if (capture == nullptr || capture->mode == CaptureMode::relaxed) continue;
    const bool own = capture->by == std::this_thread::get_id();
    if (!own && (capture->mode != CaptureMode::global || own_mode() != CaptureMode::global)) continue;
    capture->broken = true;
    status = Status::capture_unsupported;
  }
  return status;
}

Status allowed_in(const void* handle) {
  constexpr std::uintptr_t most_legacy = 1;  // cudaStreamLegacy
  constexpr unsigned non_blocking = 1;
  if (reinterpret_cast<std::uintptr_t>(handle) > most_legacy) return Status::success;
  Status status = Status::success;
  for (const auto& [other, stream] : all<Stream>()) {
    if (stream->capture == nullptr || (stream->flags & non_blocking) != 0) continue;
    stream->capture->broken = true;
    status = Status::capture_implicit;
  }
  return status;
}

namespace {

// `own` is nullptr for a new graph.
Status begin(const void* handle, Graph* own, std::vector<GraphNode*> after, int mode) {
  if (!is_mode(mode)) return Status::invalid_value;
  Stream* stream = find<Stream>(handle);
  if (stream == nullptr) return is_stream(handle) ? Status::capture_unsupported : Status::invalid_handle;
  if (stream->capture != nullptr) return Status::illegal_state;
  static unsigned long long made = 0;
  Graph* graph = own;
  if (own == nullptr) make(&graph, Graph{});
  stream->capture = std::make_shared<Capture>(Capture{graph, own == nullptr, ++made, stream, false,
                                                      static_cast<CaptureMode>(mode), std::this_thread::get_id()});
  stream->last = std::move(after);
  return Status::success;
}

}  // namespace

Status begin_capture(const void* handle, int mode) {
  return begin(handle, nullptr, {}, mode);
}

Status begin_capture_to(const void* handle, const void* to, const void* const* after, std::size_t count, int mode) {
  Graph* graph = find<Graph>(to);
  std::vector<GraphNode*> before;
  if (graph == nullptr || !find_all(after, count, before)) return Status::invalid_value;
  return begin(handle, graph, std::move(before), mode);
}

Status set_last_captured(const void* handle, const void* const* nodes, std::size_t count, unsigned flags) {
  constexpr unsigned set = 1;
  Stream* stream = find<Stream>(handle);
  if (stream == nullptr && !is_stream(handle)) return Status::invalid_handle;
  std::vector<GraphNode*> given;
  if (flags > set || !find_all(nodes, count, given)) return Status::invalid_value;
  if (stream == nullptr || stream->capture == nullptr) return Status::illegal_state;
  if (stream->capture->broken) return Status::capture_invalidated;
  if (flags == set) stream->last.clear();
  for (GraphNode* node : given)
    if (std::ranges::find(stream->last, node) == stream->last.end()) stream->last.push_back(node);
  return Status::success;
}

Status end_capture(const void* handle, void** to) {
  Stream* origin = find<Stream>(handle);
  if (origin == nullptr) return Status::invalid_handle;
  const std::shared_ptr<Capture> capture = origin->capture;
  if (to != nullptr) *to = nullptr;
  if (capture == nullptr) return Status::illegal_state;
  if (capture->origin != origin) {
    capture->broken = true;
    return Status::capture_unmatched;
  }
  Status status = capture->broken ? Status::capture_invalidated : Status::success;
  for (const auto& [other, stream] : all<Stream>()) {
    if (stream->capture != capture) continue;
    if (status == Status::success && !has_joined(*stream, *origin)) status = Status::capture_unjoined;
    if (stream.get() == origin) continue;
    stream->capture.reset();
    stream->last.clear();
  }
  origin->capture.reset();
  origin->last.clear();
  Graph* graph = std::exchange(capture->graph, nullptr);
  if (status == Status::success && to != nullptr) *to = graph;
  if ((status != Status::success || to == nullptr) && capture->into_own) destroy_graph(graph);
  return status;
}

int capture_status(const void* handle, const Capture** capture) {
  const Stream* stream = captured_stream(handle);
  *capture = stream == nullptr ? nullptr : stream->capture.get();
  return *capture == nullptr ? 0 : (*capture)->broken ? 2 : 1;
}

Status make_graph(void** to, unsigned flags) {
  if (to == nullptr || flags != 0) return Status::invalid_value;
  make(to, Graph{});
  return Status::success;
}

Status clone_graph(void** to, const void* handle) {
  const Graph* graph = find<Graph>(handle);
  if (to == nullptr || graph == nullptr) return Status::invalid_value;
  if (has_memory(*graph)) return Status::not_supported;
  const std::unique_ptr<Graph> copy = graph->copy();
  for (const auto& node : copy->nodes) known_nodes().insert(node.get());
  make(to, std::move(*copy));
  return Status::success;
}

Status destroy_graph(const void* handle) {
  const Graph* graph = find<Graph>(handle);
  if (graph == nullptr || inner_graphs().contains(handle)) return Status::invalid_value;
  forget(*graph);
  for (const auto& node : graph->nodes)
    if (const auto* choice = choice_of(*node))
      for (const void* body : (*choice)->bodies) destroy_graph(body);
  return destroy<Graph>(handle);
}

GraphNode* find_node(const void* handle) {
  return known_nodes().contains(handle) ? static_cast<GraphNode*>(const_cast<void*>(handle)) : nullptr;
}

void forget_node(const GraphNode* node) {
  known_nodes().erase(node);
}

Status add_node(void** to, const void* handle, const void* const* after, std::size_t count, NodeWork what) {
  Graph* graph = find<Graph>(handle);
  std::vector<GraphNode*> before;
  if (to == nullptr || graph == nullptr || !find_different(*graph, after, count, before)) return Status::invalid_value;
  if (inner_graphs().contains(handle) && is_of_memory(what.kind)) return Status::not_supported;
  GraphNode* node = graph->add(what.kind, std::move(what.work), before, std::move(what.parameters));
  known_nodes().insert(node);
  *to = node;
  return Status::success;
}

Status add_child_graph(void** to, const void* graph, const void* const* after, std::size_t count, const void* child) {
  const Graph* found = find<Graph>(child);
  if (found == nullptr) return Status::invalid_value;
  if (has_choices(*found) || has_memory(*found)) return Status::not_supported;
  if (child == graph) return Status::invalid_value;
  return add_node(to, graph, after, count, {NodeKind::graph, {}, std::make_shared<InnerGraph>(found->copy())});
}

Status tell_child_graph(const void* handle, void** to) {
  const GraphNode* node = find_node(handle);
  Graph* inner = node == nullptr ? nullptr : inner_of(*node);
  if (to == nullptr || inner == nullptr) return Status::invalid_value;
  *to = inner;
  return Status::success;
}

Status set_work(GraphNode& node, const NodeWork& what) {
  if (node.kind != what.kind) return Status::invalid_value;
  const auto *before = std::any_cast<KernelCall>(&node.parameters),
             *after = std::any_cast<KernelCall>(&what.parameters);
  if (before != nullptr && after != nullptr) {
    KernelCall call = *after;
    call.attributes = before->attributes;
    call.shape.cooperative = before->shape.cooperative;
    call.shape.cluster = before->shape.cluster;
    call.shape.cluster_given = before->shape.cluster_given;
    node.work = launching(call);
    node.parameters = std::move(call);
    return Status::success;
  }
  node.work = what.work;
  node.parameters = what.parameters;
  return Status::success;
}

Status tell_kind(const void* handle, int& kind) {
  const GraphNode* node = find_node(handle);
  if (node == nullptr) return Status::invalid_value;
  kind = static_cast<int>(node->kind);
  return Status::success;
}

Status can_launch(const void* exec, const void* stream) {
  return find<GraphExec>(exec) != nullptr && is_stream(stream) ? Status::success : Status::invalid_value;
}

Status depend(const void* handle, const void* const* from, const void* const* to, std::size_t count) {
  std::vector<GraphNode*> first, second;
  if (find<Graph>(handle) == nullptr || !find_all(from, count, first) || !find_all(to, count, second))
    return Status::invalid_value;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<GraphNode*>& after = second[i]->after;
    if (first[i] == second[i] || std::ranges::find(after, first[i]) != after.end()) return Status::invalid_value;
    after.push_back(first[i]);
  }
  return Status::success;
}

namespace {
bool has_cycle(const Graph& graph) {
  return (graph.in_order().empty() && !graph.nodes.empty()) || std::ranges::any_of(graph.nodes, [](const auto& node) {
           const Graph* inner = inner_of(*node);
           return inner != nullptr && has_cycle(*inner);
         });
}
}  // namespace

Status instantiate(void** to, const void* handle, unsigned long long flags) {
  const Graph* graph = find<Graph>(handle);
  constexpr unsigned long long known_flags = 15;
  if (to == nullptr || graph == nullptr || (flags & ~known_flags) != 0) return Status::invalid_value;
  if (!bodies_are_allowed(*graph)) return Status::not_supported;
  GraphExec made;
  made.graph = graph->copy();
  made.order = made.graph->in_order();
  made.flags = flags;
  if (has_cycle(*made.graph)) return Status::invalid_value;
  make(to, std::move(made));
  return Status::success;
}

Status destroy_exec(const void* handle) {
  return all<GraphExec>().erase(handle) == 0 ? Status::invalid_value : Status::success;
}

Status launch_graph(Device& device, const void* handle, const void* stream) {
  const GraphExec* exec = find<GraphExec>(handle);
  if (exec == nullptr || !is_stream(stream)) return Status::invalid_value;
  if (Stream* captured = captured_stream(stream)) {
    if (has_choices(*exec->graph)) return Status::not_supported;
    return note(*captured, NodeKind::graph, {}, std::make_shared<InnerGraph>(exec->graph->copy()));
  }
  // Memory that an earlier launch allocated and the program has not freed.
  constexpr unsigned long long auto_free_on_launch = 1;
  if ((exec->flags & auto_free_on_launch) != 0)
    for (const GraphNode* node : exec->order)
      if (const auto* memory = std::any_cast<GraphMemory>(&node->parameters))
        if (Allocation* left = device.memory().find(memory->address); left != nullptr) device.memory().release(left);
  for (const Condition& condition : exec->graph->conditions)
    if (const Allocation* place = device.memory().find(condition.address); condition.at_launch && place != nullptr)
      std::memcpy(place->at(condition.address), &condition.value, sizeof condition.value);
  return run(device, exec->order);
}

namespace {

// At any depth.
GraphNode* copy_within(const Graph& graph, const GraphNode* origin) {
  if (GraphNode* found = graph.copy_of(origin)) return found;
  for (const auto& node : graph.nodes)
    if (const Graph* inner = inner_of(*node))
      if (GraphNode* found = copy_within(*inner, origin)) return found;
  return nullptr;
}

}  // namespace

GraphNode* find_in(const void* handle, const void* node) {
  const GraphExec* exec = find<GraphExec>(handle);
  if (exec == nullptr || node == nullptr) return nullptr;
  return copy_within(*exec->graph, static_cast<const GraphNode*>(node));
}

Status list_nodes(const void* graph, bool roots, void** to, std::size_t* count) {
  const Graph* found = find<Graph>(graph);
  if (found == nullptr || count == nullptr) return Status::invalid_value;
  std::vector<GraphNode*> nodes;
  for (const auto& node : found->nodes)
    if (!roots || node->after.empty()) nodes.push_back(node.get());
  if (to != nullptr) {
    for (std::size_t i = 0; i < *count; ++i) to[i] = i < nodes.size() ? nodes[i] : nullptr;
    *count = std::min(*count, nodes.size());
  } else {
    *count = nodes.size();
  }
  return Status::success;
}

}  // namespace lanescope::device::api
