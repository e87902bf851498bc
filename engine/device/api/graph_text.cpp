// A graph in the language of Graphviz.

#include <map>

#include <fmt/format.h>

#include "core/os/replace_file.h"
#include "device/api/graph_structure.h"

namespace lanescope::device::api {
namespace {

const char* name_of(NodeKind kind) {
  switch (kind) {
    case NodeKind::kernel:
      return "kernel";
    case NodeKind::memcpy:
      return "memcpy";
    case NodeKind::memset:
      return "memset";
    case NodeKind::host:
      return "host function";
    case NodeKind::graph:
      return "child graph";
    case NodeKind::empty:
      return "empty";
    case NodeKind::wait_event:
      return "wait for event";
    case NodeKind::record_event:
      return "record event";
    case NodeKind::alloc:
      return "allocate memory";
    case NodeKind::release:
      return "free memory";
    case NodeKind::batch_mem_op:
      return "writes and waits for words";
    case NodeKind::conditional:
      return "conditional";
  }
  return "";
}

std::string label_of(const GraphNode& node) {
  const auto* call = std::any_cast<KernelCall>(&node.parameters);
  if (call == nullptr) return name_of(node.kind);
  const Dim3 &grid = call->shape.grid, &block = call->shape.block;
  return fmt::format("{}\\n<<<({}, {}, {}), ({}, {}, {}), {}>>>", call->kernel->name, grid.x, grid.y, grid.z, block.x,
                     block.y, block.z, call->shape.dynamic_shared_bytes);
}

}  // namespace

Status print_graph(const void* handle, const char* path) {
  const Graph* graph = find<Graph>(handle);
  if (graph == nullptr || path == nullptr) return Status::invalid_value;
  std::map<const GraphNode*, std::size_t> numbers;
  std::string text = "digraph graph_of_cuda {\n";
  for (const auto& node : graph->nodes) {
    const std::size_t number = numbers.emplace(node.get(), numbers.size()).first->second;
    text += fmt::format("  node{} [shape=box, label=\"{}\"];\n", number, label_of(*node));
  }
  for (const auto& [before, after] : edges_of(*graph))
    text += fmt::format("  node{} -> node{};\n", numbers.at(before), numbers.at(after));
  return replace_file(path, text + "}\n") == 0 ? Status::success : Status::operating_system;
}

}  // namespace lanescope::device::api
