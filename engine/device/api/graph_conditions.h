#pragma once
// Conditional nodes of graphs: a condition is four bytes of the device, whose address is its handle; kernels set it by
// cudaGraphSetConditional() (device_runtime.h). The node looks at it when it is its turn.

#include <cstdint>
#include <memory>
#include <vector>

#include "device/api/graphs.h"

namespace lanescope::device::api {

// The numbers of cudaGraphConditionalNodeType and CUgraphConditionalNodeType.
enum class ChoiceKind : int { if_else, while_loop, switch_case };

// What a conditional node does. The bodies are graphs that the program fills; a node of a copied graph has copies.
struct Choice {
  std::uint64_t condition = 0;
  ChoiceKind kind{};
  std::vector<void*> bodies;
  std::vector<std::shared_ptr<Graph>> copies;
};

// `flags` 1: each launch of the graph begins with `value`.
Status make_condition(Device& device, const void* graph, unsigned value, unsigned flags, std::uint64_t* handle);
// The handles of the bodies stay as long as the node. invalid_value: not a condition of this graph, or a wrong size.
Status add_choice(void** to, const void* graph, const void* const* after, std::size_t count, std::uint64_t condition,
                  int kind, unsigned size, void*** bodies);

// Of a graph's copy: copies of the bodies as they are now.
std::shared_ptr<Choice> copy_of(const Choice& choice);
const std::shared_ptr<Choice>* choice_of(const GraphNode& node);
bool has_choices(const Graph& graph);  // such a one may be no child of another
Status choose(Device& device, const Choice& choice);
// Whether a body, at any depth, has a node of a kind that none may have.
bool bodies_are_allowed(const Graph& graph);

}  // namespace lanescope::device::api
