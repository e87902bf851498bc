// The structure of graphs in the driver API: edges, clones, events, and what an executable graph leaves out.

#include "device/api/driver/driver.h"
#include "device/api/graph_structure.h"
#include "device/api/pools.h"

namespace lanescope::device::api {

namespace {

CUresult add_of_event(CUgraphNode* to, CUgraph graph, const CUgraphNode* after, std::size_t count, NodeWork what) {
  return driver_answer([&](Device&) {
    NodeWork made;
    const Status status = with_event(std::move(what), made);
    return status == Status::success ? add_node(place_of(to), graph, handles(after), count, made) : status;
  });
}

}  // namespace

}  // namespace lanescope::device::api

using namespace lanescope::device;
using namespace lanescope::device::api;

extern "C" {

CUresult cuGraphGetEdges(CUgraph graph, CUgraphNode* from, CUgraphNode* to, CUgraphEdgeData* edges,
                         std::size_t* count) {
  return driver_answer([&](Device&) { return tell_edges(graph, from, to, edges, count); });
}
CUresult cuGraphNodeGetDependencies(CUgraphNode node, CUgraphNode* to, CUgraphEdgeData* edges, std::size_t* count) {
  return driver_answer([&](Device&) { return tell_neighbours(node, Neighbours::before, to, edges, count); });
}
CUresult cuGraphNodeGetDependentNodes(CUgraphNode node, CUgraphNode* to, CUgraphEdgeData* edges, std::size_t* count) {
  return driver_answer([&](Device&) { return tell_neighbours(node, Neighbours::after, to, edges, count); });
}
// The data of the edges is ignored, as an H200's driver does.
CUresult cuGraphRemoveDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                   const CUgraphEdgeData*, std::size_t count) {
  return driver_answer([&](Device&) { return remove_dependencies(graph, handles(from), handles(to), count); });
}
CUresult cuGraphDestroyNode(CUgraphNode node) {
  return driver_answer([&](Device&) { return destroy_node(node); });
}
CUresult cuGraphNodeFindInClone(CUgraphNode* to, CUgraphNode node, CUgraph clone) {
  return driver_answer([&](Device&) { return find_in_clone(place_of(to), node, clone); });
}
CUresult cuGraphDebugDotPrint(CUgraph graph, const char* path, unsigned) {
  return driver_answer([&](Device&) { return print_graph(graph, path); });
}

CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode node, CUgraph* to) {
  return driver_answer([&](Device&) { return tell_child_graph(node, place_of(to)); });
}
CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraph child) {
  return driver_answer([&](Device&) { return set_child_graph(exec, node, child); });
}
CUresult cuGraphKernelNodeSetAttribute(CUgraphNode node, CUlaunchAttributeID which,
                                       const CUlaunchAttributeValue* value) {
  return driver_answer([&](Device&) { return set_attribute_of_kernel(node, static_cast<int>(which), value); });
}
CUresult cuGraphKernelNodeGetAttribute(CUgraphNode node, CUlaunchAttributeID which, CUlaunchAttributeValue* value) {
  return driver_answer([&](Device&) { return attribute_of_kernel(node, static_cast<int>(which), value); });
}
CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode to, CUgraphNode from) {
  return driver_answer([&](Device&) { return copy_attributes_of_kernel(to, from); });
}

CUresult cuGraphAddMemAllocNode(CUgraphNode* to, CUgraph graph, const CUgraphNode* after, std::size_t count,
                                CUDA_MEM_ALLOC_NODE_PARAMS* parameters) {
  return driver_answer([&](Device& on) {
    if (parameters == nullptr) return Status::invalid_value;
    std::uint64_t address = 0;
    const Status status = add_allocation(on, place_of(to), graph, handles(after), count, parameters->bytesize, address);
    if (status == Status::success) parameters->dptr = address;
    return status;
  });
}
CUresult cuGraphMemAllocNodeGetParams(CUgraphNode node, CUDA_MEM_ALLOC_NODE_PARAMS* to) {
  return driver_answer([&](Device&) {
    GraphMemory memory;
    const Status status = to == nullptr ? Status::invalid_value : tell_parameters(node, &memory);
    if (status != Status::success) return status;
    *to = {};
    to->poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
    to->poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    to->bytesize = memory.bytes;
    to->dptr = memory.address;
    return Status::success;
  });
}
CUresult cuGraphAddMemFreeNode(CUgraphNode* to, CUgraph graph, const CUgraphNode* after, std::size_t count,
                               CUdeviceptr memory) {
  return driver_answer([&](Device&) { return add_release(place_of(to), graph, handles(after), count, memory); });
}
CUresult cuDeviceGetGraphMemAttribute(CUdevice number, CUgraphMem_attribute which, void* value) {
  return driver_answer([&](Device&) {
    if (number != 0) return Status::invalid_device;
    return value == nullptr ? Status::invalid_value : graph_memory(which, *static_cast<std::uint64_t*>(value));
  });
}
CUresult cuDeviceSetGraphMemAttribute(CUdevice number, CUgraphMem_attribute which, void* value) {
  return driver_answer([&](Device&) {
    if (number != 0) return Status::invalid_device;
    return value == nullptr ? Status::invalid_value : reset_graph_memory(which, *static_cast<std::uint64_t*>(value));
  });
}
CUresult cuDeviceGraphMemTrim(CUdevice number) {
  return driver_answer([&](Device&) { return number == 0 ? Status::success : Status::invalid_device; });
}

CUresult cuGraphAddEventRecordNode(CUgraphNode* to, CUgraph graph, const CUgraphNode* after, std::size_t count,
                                   CUevent event) {
  return add_of_event(to, graph, after, count, recording(event));
}
CUresult cuGraphAddEventWaitNode(CUgraphNode* to, CUgraph graph, const CUgraphNode* after, std::size_t count,
                                 CUevent event) {
  return add_of_event(to, graph, after, count, waiting(event));
}
CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode node, CUevent* to) {
  return driver_answer([&](Device&) { return tell_event(node, NodeKind::record_event, to); });
}
CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode node, CUevent* to) {
  return driver_answer([&](Device&) { return tell_event(node, NodeKind::wait_event, to); });
}
CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode node, CUevent event) {
  return driver_answer([&](Device&) { return set_work_of(find_node(node), recording(event)); });
}
CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode node, CUevent event) {
  return driver_answer([&](Device&) { return set_work_of(find_node(node), waiting(event)); });
}
CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event) {
  return driver_answer([&](Device&) { return set_work_of(find_in(exec, node), recording(event)); });
}
CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec exec, CUgraphNode node, CUevent event) {
  return driver_answer([&](Device&) { return set_work_of(find_in(exec, node), waiting(event)); });
}
CUresult cuGraphExecGetFlags(CUgraphExec exec, cuuint64_t* flags) {
  return driver_answer([&](Device&) {
    unsigned long long known = 0;
    const Status status = flags == nullptr ? Status::invalid_value : tell_flags(exec, &known);
    if (status == Status::success) *flags = known;
    return status;
  });
}
CUresult cuGraphNodeSetEnabled(CUgraphExec exec, CUgraphNode node, unsigned enabled) {
  return driver_answer([&](Device&) { return set_enabled(exec, node, enabled != 0); });
}
CUresult cuGraphNodeGetEnabled(CUgraphExec exec, CUgraphNode node, unsigned* enabled) {
  return driver_answer([&](Device&) { return tell_enabled(exec, node, enabled); });
}

}  // extern "C"
