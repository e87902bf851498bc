// The structure of graphs in the runtime API: edges, clones, events, and what an executable graph leaves out.

#include "device/api/graph_structure.h"
#include "device/api/runtime/runtime.h"

using namespace lanescope::device;
using namespace lanescope::device::api;

extern "C" {

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, cudaGraphEdgeData* edges,
                              std::size_t* count) {
  return answer([&](Device&) { return tell_edges(graph, from, to, edges, count); });
}
cudaError_t cudaGraphGetEdges_v2(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to,
                                 cudaGraphEdgeData* edges, std::size_t* count) {
  return cudaGraphGetEdges(graph, from, to, edges, count);
}
cudaError_t cudaGraphGetEdges_of_12(cudaGraph_t graph, cudaGraphNode_t* from, cudaGraphNode_t* to, std::size_t* count) {
  return cudaGraphGetEdges(graph, from, to, nullptr, count);
}
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t* to, cudaGraphEdgeData* edges,
                                         std::size_t* count) {
  return answer([&](Device&) { return tell_neighbours(node, Neighbours::before, to, edges, count); });
}
cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t node, cudaGraphNode_t* to, cudaGraphEdgeData* edges,
                                            std::size_t* count) {
  return cudaGraphNodeGetDependencies(node, to, edges, count);
}
cudaError_t cudaGraphNodeGetDependencies_of_12(cudaGraphNode_t node, cudaGraphNode_t* to, std::size_t* count) {
  return cudaGraphNodeGetDependencies(node, to, nullptr, count);
}
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t* to, cudaGraphEdgeData* edges,
                                           std::size_t* count) {
  return answer([&](Device&) { return tell_neighbours(node, Neighbours::after, to, edges, count); });
}
cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t node, cudaGraphNode_t* to, cudaGraphEdgeData* edges,
                                              std::size_t* count) {
  return cudaGraphNodeGetDependentNodes(node, to, edges, count);
}
cudaError_t cudaGraphNodeGetDependentNodes_of_12(cudaGraphNode_t node, cudaGraphNode_t* to, std::size_t* count) {
  return cudaGraphNodeGetDependentNodes(node, to, nullptr, count);
}
// The data of the edges is ignored, as an H200's driver does.
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                        const cudaGraphEdgeData*, std::size_t count) {
  return answer([&](Device&) { return remove_dependencies(graph, handles(from), handles(to), count); });
}
cudaError_t cudaGraphRemoveDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                           const cudaGraphEdgeData* edges, std::size_t count) {
  return cudaGraphRemoveDependencies(graph, from, to, edges, count);
}
cudaError_t cudaGraphRemoveDependencies_of_12(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                              std::size_t count) {
  return cudaGraphRemoveDependencies(graph, from, to, nullptr, count);
}
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
  return answer([&](Device&) { return destroy_node(node); });
}
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t* to, cudaGraphNode_t node, cudaGraph_t clone) {
  return answer([&](Device&) { return find_in_clone(place_of(to), node, clone); });
}
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char* path, unsigned) {
  return answer([&](Device&) { return print_graph(graph, path); });
}

cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t* to) {
  return answer([&](Device&) { return tell_child_graph(node, place_of(to)); });
}
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraph_t child) {
  return answer([&](Device&) { return set_child_graph(exec, node, child); });
}
cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID which,
                                            const cudaLaunchAttributeValue* value) {
  return answer([&](Device&) { return set_attribute_of_kernel(node, static_cast<int>(which), value); });
}
cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID which,
                                            cudaLaunchAttributeValue* value) {
  return answer([&](Device&) { return attribute_of_kernel(node, static_cast<int>(which), value); });
}
// `to` and `from` have other names in CUDA's header: the first one is written.
cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from) {
  return answer([&](Device&) { return copy_attributes_of_kernel(to, from); });
}
cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, cudaMemAllocNodeParams* to) {
  return answer([&](Device&) {
    GraphMemory memory;
    const Status status = to == nullptr ? Status::invalid_value : tell_parameters(node, &memory);
    if (status != Status::success) return status;
    *to = {};
    to->poolProps.allocType = cudaMemAllocationTypePinned;
    to->poolProps.location.type = cudaMemLocationTypeDevice;
    to->bytesize = memory.bytes;
    to->dptr = pointer(memory.address);
    return Status::success;
  });
}

cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* to) {
  return answer([&](Device&) { return tell_event(node, NodeKind::record_event, to); });
}
cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t* to) {
  return answer([&](Device&) { return tell_event(node, NodeKind::wait_event, to); });
}
cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return answer([&](Device&) { return set_work_of(find_node(node), recording(event)); });
}
cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event) {
  return answer([&](Device&) { return set_work_of(find_node(node), waiting(event)); });
}
cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event) {
  return answer([&](Device&) { return set_work_of(find_in(exec, node), recording(event)); });
}
cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t exec, cudaGraphNode_t node, cudaEvent_t event) {
  return answer([&](Device&) { return set_work_of(find_in(exec, node), waiting(event)); });
}
cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void* to) {
  return answer([&](Device&) { return tell_parameters(node, static_cast<std::uint64_t*>(to)); });
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t* to, cudaGraph_t graph,
                                           cudaGraphInstantiateParams* parameters) {
  if (parameters == nullptr) return remember(Status::invalid_value);
  parameters->errNode_out = nullptr;
  const cudaError_t result = cudaGraphInstantiateWithFlags(to, graph, parameters->flags);
  parameters->result_out = result == cudaSuccess ? cudaGraphInstantiateSuccess : cudaGraphInstantiateError;
  return result;
}
cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long* flags) {
  return answer([&](Device&) { return tell_flags(exec, flags); });
}
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned enabled) {
  return answer([&](Device&) { return set_enabled(exec, node, enabled != 0); });
}
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t exec, cudaGraphNode_t node, unsigned* enabled) {
  return answer([&](Device&) { return tell_enabled(exec, node, enabled); });
}

}  // extern "C"
