#pragma once
// What programs ask about a graph's nodes and edges, and how they take them away, for both APIs. Edges have no data.

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <utility>
#include <vector>

#include "device/api/graphs.h"

namespace lanescope::device::api {

// Lists of handles, as the APIs give them: with a null list only the count, otherwise at most *count handles, nullptr
// after the last one, and the count of those that were written.

// The edge i goes from from[i] to to[i]. Both lists are null, or none.
Status list_edges(const void* graph, void** from, void** to, std::size_t* count);
enum class Neighbours : std::uint8_t { before, after };
Status list_neighbours(const void* node, Neighbours which, void** to, std::size_t* count);

// invalid_value if an edge does not exist; then none is removed.
Status remove_dependencies(const void* graph, const void* const* from, const void* const* to, std::size_t count);
// With its edges. not_supported for nodes that allocate or release memory, as in CUDA.
Status destroy_node(const void* node);

// They have the event itself, for with_event(), which refuses what is no event.
NodeWork recording(const void* event);
NodeWork waiting(const void* event);
Status with_event(NodeWork what, NodeWork& to);
// As set_work(); invalid_value if there is no node.
Status set_work_of(GraphNode* node, const NodeWork& what);

// Only nodes for kernels, copies and fills can be disabled.
Status set_enabled(const void* exec, const void* node, bool enabled);
Status tell_enabled(const void* exec, const void* node, unsigned* enabled);
Status tell_flags(const void* exec, unsigned long long* flags);
Status find_in_clone(void** to, const void* node, const void* clone);

// From the first to the second.
using Edge = std::pair<GraphNode*, GraphNode*>;
std::vector<Edge> edges_of(const Graph& graph);

// Writes the graph in the language of Graphviz. operating_system if the file cannot be written.
Status print_graph(const void* graph, const char* path);

// The parameters of the node in the API's structure; invalid_value if it has others.
template <typename Parameters>
Status tell_parameters(const void* handle, Parameters* to) {
  const GraphNode* node = find_node(handle);
  const auto* known = node == nullptr ? nullptr : std::any_cast<Parameters>(&node->parameters);
  if (to == nullptr || known == nullptr) return Status::invalid_value;
  *to = *known;
  return Status::success;
}

// The event of a node of this kind, as the API's handle.
template <typename Event>
Status tell_event(const void* handle, NodeKind kind, Event* to) {
  const void* event = nullptr;
  const GraphNode* node = find_node(handle);
  if (to == nullptr || node == nullptr || node->kind != kind) return Status::invalid_value;
  const Status status = tell_parameters(handle, &event);
  if (status == Status::success) *to = static_cast<Event>(const_cast<void*>(event));
  return status;
}

// Edges with data order parts of kernels (programmatic dependent launch), which this device does not have. Data of
// zeros is a plain edge.
template <typename EdgeData>
bool are_plain(const EdgeData* edges, std::size_t count) {
  const EdgeData plain{};
  for (std::size_t i = 0; edges != nullptr && i < count; ++i)
    if (std::memcmp(&edges[i], &plain, sizeof plain) != 0) return false;
  return true;
}
// Writes such data for the edges of a list, if there is a list.
template <typename EdgeData>
Status with_plain_data(Status status, const void* list, EdgeData* edges, const std::size_t* count) {
  if (status != Status::success || list == nullptr || edges == nullptr) return status;
  for (std::size_t i = 0; i < *count; ++i) edges[i] = {};
  return status;
}
// list_edges() and list_neighbours() in the types of an API.
template <typename NodeHandle, typename EdgeData>
Status tell_edges(const void* graph, NodeHandle* from, NodeHandle* to, EdgeData* edges, std::size_t* count) {
  return with_plain_data(list_edges(graph, place_of(from), place_of(to), count), from, edges, count);
}
template <typename NodeHandle, typename EdgeData>
Status tell_neighbours(const void* node, Neighbours which, NodeHandle* to, EdgeData* edges, std::size_t* count) {
  return with_plain_data(list_neighbours(node, which, place_of(to), count), to, edges, count);
}

// Attributes of kernel nodes: `which` is of cudaLaunchAttributeID. The cooperative launch and the cluster change the
// launch; the others are hints, which are kept and change nothing.

// `value` has the size of AttributeValue. invalid_value: no kernel node, or an attribute that it does not have.
Status set_attribute_of_kernel(const void* node, int which, const void* value);
// Zeros if it was never set.
Status attribute_of_kernel(const void* node, int which, void* value);
Status copy_attributes_of_kernel(const void* to, const void* from);

// Whether the attributes of a launch are known ones. `list` may be null if there are none.
template <typename Attribute>
bool all_of_launches(const Attribute* list, std::size_t count) {
  constexpr int last = 15;  // NVLink utilisation
  return std::all_of(list, list + count, [](const Attribute& one) {
    return static_cast<int>(one.id) >= 0 && static_cast<int>(one.id) <= last;
  });
}

// For a launch that is captured: keeps those that a kernel node has and the shape has not.
template <typename Attribute>
void keep_attributes(KernelCall& call, const Attribute* list, std::size_t count);
bool is_kept_attribute(int which);

template <typename Attribute>
void keep_attributes(KernelCall& call, const Attribute* list, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    if (is_kept_attribute(static_cast<int>(list[i].id))) {
      // The value is the last member, of 64 bytes, in both APIs.
      static_assert(sizeof(AttributeValue) <= sizeof list[i]);
      const auto* end = reinterpret_cast<const std::byte*>(&list[i] + 1);
      std::copy_n(end - sizeof(AttributeValue), sizeof(AttributeValue),
                  call.attributes[static_cast<int>(list[i].id)].data());
    }
}

}  // namespace lanescope::device::api
