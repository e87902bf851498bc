// The structure of graphs in the driver API: edges, clones, events, and what an executable graph leaves out.

#include "device/api/driver/driver.h"
#include "device/api/graph_structure.h"

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

CUresult cuGraphAddEventRecordNode(CUgraphNode* to, CUgraph graph, const CUgraphNode* after, std::size_t count,
                                   CUevent event) {
  return driver_answer([&](Device&) { return add_node(place_of(to), graph, handles(after), count, recording(event)); });
}
CUresult cuGraphAddEventWaitNode(CUgraphNode* to, CUgraph graph, const CUgraphNode* after, std::size_t count,
                                 CUevent event) {
  return driver_answer([&](Device&) { return add_node(place_of(to), graph, handles(after), count, waiting(event)); });
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
