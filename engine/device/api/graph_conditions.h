#pragma once
// Conditional nodes of graphs. A condition is four bytes on the device, whose address is its handle. Kernels set it
// with cudaGraphSetConditional() (device_runtime.h). The node reads it when the node is executed.

#include <cstdint>
#include <memory>
#include <vector>

#include "device/api/graphs.h"

namespace lanescope::device::api {

// The values of cudaGraphConditionalNodeType and CUgraphConditionalNodeType.
enum class ChoiceKind : int { if_else, while_loop, switch_case };

// A conditional node. The bodies are graphs that the program fills in; a node of a copied graph has copies of them.
struct Choice {
  std::uint64_t condition = 0;
  ChoiceKind kind{};
  std::vector<void*> bodies;
  std::vector<std::shared_ptr<Graph>> copies;
};

// `flags` 1: each launch of the graph starts with `value`.
Status make_condition(Device& device, const void* graph, unsigned value, unsigned flags, std::uint64_t* handle);
// The handles of the bodies are valid as long as the node. invalid_value: not a condition of this graph, or a wrong
// size.
Status add_choice(void** to, const void* graph, const void* const* after, std::size_t count, std::uint64_t condition,
                  int kind, unsigned size, void*** bodies);

// For a copy of the graph: with copies of the bodies in their current state.
std::shared_ptr<Choice> copy_of(const Choice& choice);
const std::shared_ptr<Choice>* choice_of(const GraphNode& node);
bool has_choices(const Graph& graph);  // such a graph must not be a child of another
Status choose(Device& device, const Choice& choice);
// Whether a body, at any depth, has a node of a kind that bodies must not have.
bool bodies_are_allowed(const Graph& graph);

}  // namespace lanescope::device::api
