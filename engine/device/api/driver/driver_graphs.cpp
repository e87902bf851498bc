// Graphs and stream capture of the driver API.

#include <cstring>

#include "device/api/driver/driver.h"
#include "device/api/graph_conditions.h"
#include "device/api/graph_structure.h"

namespace lanescope::device::api {

namespace {

Status made_of(const CUDA_KERNEL_NODE_PARAMS& from, NodeWork& to) {
  const void* handle = from.func != nullptr ? static_cast<const void*>(from.func) : from.kern;
  Kernel* kernel = kernel_at(handle);
  if (kernel == nullptr) return Status::invalid_handle;
  if (from.extra != nullptr) return Status::not_supported;
  LaunchShape shape{{from.gridDimX, from.gridDimY, from.gridDimZ}, {from.blockDimX, from.blockDimY, from.blockDimZ}};
  shape.dynamic_shared_bytes = from.sharedMemBytes;
  KernelCall call;
  Status status = KernelCall::make(handle, *kernel, shape, from.kernelParams, call);
  if (status == Status::success) status = device().check_launch(*kernel, shape);
  to = {NodeKind::kernel, launching(call), call};
  return status;
}
Status made_of(const CUDA_MEMCPY3D& from, NodeWork& to) {
  to = {NodeKind::memcpy, [from](Device&) { return copy_as_told(from, "a graph's copy"); }, from};
  if (from.WidthInBytes == 0 || from.Height == 0 || from.Depth == 0) return Status::invalid_value;
  return copy_as_told(from, "a graph's copy", Doing::only_the_check);
}
Status made_of(const CUDA_MEMSET_NODE_PARAMS& from, NodeWork& to) {
  to.kind = NodeKind::memset;
  to.parameters = from;
  to.work = [from](Device& on) {
    for (std::size_t row = 0; row < from.height; ++row)
      if (const Status status =
              on.fill(from.dst + row * from.pitch, from.value, from.elementSize, from.width, "a graph's fill");
          status != Status::success)
        return status;
    return Status::success;
  };
  return check_fill_later({from.dst, from.pitch, from.elementSize, from.width, from.height}, "a graph's fill");
}
Status made_of(const CUDA_HOST_NODE_PARAMS& from, NodeWork& to) {
  if (from.fn == nullptr) return Status::invalid_value;
  to = {NodeKind::host, [from](Device&) { return from.fn(from.userData), Status::success; }, from};
  return Status::success;
}

// Only the nodes that can be described without a graph.
Status made_of(const CUgraphNodeParams& from, NodeWork& to) {
  switch (from.type) {
    case CU_GRAPH_NODE_TYPE_KERNEL: {
      CUDA_KERNEL_NODE_PARAMS plain{};
      static_assert(sizeof from.kernel == sizeof plain);
      std::memcpy(&plain, &from.kernel, sizeof plain);
      return made_of(plain, to);
    }
    case CU_GRAPH_NODE_TYPE_MEMCPY:
      return made_of(from.memcpy.copyParams, to);
    case CU_GRAPH_NODE_TYPE_MEMSET: {
      const CUDA_MEMSET_NODE_PARAMS_v2& fill = from.memset;
      return made_of(
          CUDA_MEMSET_NODE_PARAMS{fill.dst, fill.pitch, fill.value, fill.elementSize, fill.width, fill.height}, to);
    }
    case CU_GRAPH_NODE_TYPE_HOST:
      return made_of(CUDA_HOST_NODE_PARAMS{from.host.fn, from.host.userData}, to);
    case CU_GRAPH_NODE_TYPE_EMPTY:
      return to = {NodeKind::empty, {}, {}}, Status::success;
    case CU_GRAPH_NODE_TYPE_WAIT_EVENT:
      return with_event(waiting(from.eventWait.event), to);
    case CU_GRAPH_NODE_TYPE_EVENT_RECORD:
      return with_event(recording(from.eventRecord.event), to);
    default:
      return Status::not_supported;
  }
}

template <typename Parameters>
CUresult add(CUgraphNode* to, CUgraph graph, const CUgraphNode* after, std::size_t count,
             const Parameters* parameters) {
  return driver_answer([&](Device&) {
    NodeWork made;
    const Status status = parameters == nullptr ? Status::invalid_value : made_of(*parameters, made);
    return status == Status::success ? add_node(place_of(to), graph, handles(after), count, made) : status;
  });
}

// Changes a node of a graph or, with `exec`, of an executable graph.
template <typename Parameters>
CUresult change(const void* exec, CUgraphNode handle, const Parameters* parameters) {
  return driver_answer([&](Device&) {
    GraphNode* node = exec == nullptr ? find_node(handle) : find_in(exec, handle);
    if (node == nullptr || parameters == nullptr) return Status::invalid_value;
    NodeWork made;
    const Status status = made_of(*parameters, made);
    return status == Status::success ? set_work(*node, made) : status;
  });
}

template <typename Parameters>
CUresult change_in_exec(CUgraphExec exec, CUgraphNode node, const Parameters* parameters) {
  return exec == nullptr ? CUDA_ERROR_INVALID_VALUE : change(exec, node, parameters);
}

template <typename Parameters>
CUresult tell(CUgraphNode node, Parameters* to) {
  return driver_answer([&](Device&) { return tell_parameters(node, to); });
}

}  // namespace

}  // namespace lanescope::device::api

using namespace lanescope::device;
using namespace lanescope::device::api;

extern "C" {

CUresult cuStreamBeginCapture(CUstream stream, CUstreamCaptureMode mode) {
  return driver_answer([&](Device&) { return begin_capture(stream, static_cast<int>(mode)); }, Reports::nothing);
}
CUresult cuStreamEndCapture(CUstream stream, CUgraph* graph) {
  return driver_answer([&](Device&) { return end_capture(stream, place_of(graph)); }, Reports::nothing);
}
CUresult lanescope_cuStreamGetCaptureInfo_v2(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id,
                                             CUgraph* graph, const CUgraphNode** last, std::size_t* count) {
  return driver_answer([&](Device&) { return tell_capture(stream, status, id, graph, last, count); }, Reports::nothing);
}
CUresult cuStreamIsCapturing(CUstream stream, CUstreamCaptureStatus* status) {
  return lanescope_cuStreamGetCaptureInfo_v2(stream, status, nullptr, nullptr, nullptr, nullptr);
}
// The edges of a capture have no data.
CUresult cuStreamGetCaptureInfo(CUstream stream, CUstreamCaptureStatus* status, cuuint64_t* id, CUgraph* graph,
                                const CUgraphNode** last, const CUgraphEdgeData** edges, std::size_t* count) {
  if (edges != nullptr) *edges = nullptr;
  return lanescope_cuStreamGetCaptureInfo_v2(stream, status, id, graph, last, count);
}
// The mode says which calls a capture allows. This device allows all of them.
CUresult cuThreadExchangeStreamCaptureMode(CUstreamCaptureMode* mode) {
  int number = mode == nullptr ? -1 : static_cast<int>(*mode);
  const Status status = exchange_capture_mode(&number);
  if (status == Status::success) *mode = static_cast<CUstreamCaptureMode>(number);
  return static_cast<CUresult>(status);
}

CUresult cuGraphCreate(CUgraph* to, unsigned flags) {
  return driver_answer([&](Device&) { return make_graph(place_of(to), flags); });
}
CUresult cuGraphDestroy(CUgraph graph) {
  return driver_answer([&](Device&) { return destroy_graph(graph); });
}
CUresult cuGraphClone(CUgraph* to, CUgraph graph) {
  return driver_answer([&](Device&) { return clone_graph(place_of(to), graph); });
}
CUresult cuGraphAddKernelNode(CUgraphNode* to, CUgraph graph, const CUgraphNode* after, std::size_t count,
                              const CUDA_KERNEL_NODE_PARAMS* parameters) {
  return add(to, graph, after, count, parameters);
}
CUresult cuGraphAddMemcpyNode(CUgraphNode* to, CUgraph graph, const CUgraphNode* after, std::size_t count,
                              const CUDA_MEMCPY3D* parameters, CUcontext) {
  return add(to, graph, after, count, parameters);
}
CUresult cuGraphAddMemsetNode(CUgraphNode* to, CUgraph graph, const CUgraphNode* after, std::size_t count,
                              const CUDA_MEMSET_NODE_PARAMS* parameters, CUcontext) {
  return add(to, graph, after, count, parameters);
}
CUresult cuGraphAddHostNode(CUgraphNode* to, CUgraph graph, const CUgraphNode* after, std::size_t count,
                            const CUDA_HOST_NODE_PARAMS* parameters) {
  return add(to, graph, after, count, parameters);
}
CUresult cuGraphAddEmptyNode(CUgraphNode* to, CUgraph graph, const CUgraphNode* after, std::size_t count) {
  return driver_answer([&](Device&) {
    return add_node(place_of(to), graph, handles(after), count, {NodeKind::empty, {}, {}});
  });
}
CUresult cuGraphAddChildGraphNode(CUgraphNode* to, CUgraph graph, const CUgraphNode* after, std::size_t count,
                                  CUgraph child) {
  return driver_answer([&](Device&) { return add_child_graph(place_of(to), graph, handles(after), count, child); });
}
// Only this one makes conditional nodes.
CUresult cuGraphAddNode(CUgraphNode* to, CUgraph graph, const CUgraphNode* after, const CUgraphEdgeData* edges,
                        std::size_t count, CUgraphNodeParams* of) {
  if (of == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (!are_plain(edges, count)) return CUDA_ERROR_NOT_SUPPORTED;
  switch (of->type) {
    case CU_GRAPH_NODE_TYPE_GRAPH:
      return cuGraphAddChildGraphNode(to, graph, after, count, of->graph.graph);
    case CU_GRAPH_NODE_TYPE_MEM_FREE:
      return cuGraphAddMemFreeNode(to, graph, after, count, of->free.dptr);
    case CU_GRAPH_NODE_TYPE_CONDITIONAL:
      return driver_answer([&](Device&) {
        return add_choice(place_of(to), graph, handles(after), count, of->conditional.handle, of->conditional.type,
                          of->conditional.size, reinterpret_cast<void***>(&of->conditional.phGraph_out));
      });
    default:
      return add(to, graph, after, count, of);
  }
}
CUresult cuGraphConditionalHandleCreate(CUgraphConditionalHandle* to, CUgraph graph, CUcontext, unsigned value,
                                        unsigned flags) {
  return driver_answer([&](Device& on) {
    std::uint64_t handle = 0;
    const Status status = make_condition(on, graph, value, flags, to == nullptr ? nullptr : &handle);
    if (status == Status::success) *to = handle;
    return status;
  });
}
CUresult cuStreamBeginCaptureToGraph(CUstream stream, CUgraph graph, const CUgraphNode* after,
                                     const CUgraphEdgeData* edges, std::size_t count, CUstreamCaptureMode mode) {
  if (!are_plain(edges, count)) return CUDA_ERROR_NOT_SUPPORTED;
  return driver_answer(
      [&](Device&) { return begin_capture_to(stream, graph, handles(after), count, static_cast<int>(mode)); },
      Reports::nothing);
}
CUresult cuStreamUpdateCaptureDependencies(CUstream stream, CUgraphNode* nodes, const CUgraphEdgeData* edges,
                                           std::size_t count, unsigned flags) {
  if (!are_plain(edges, count)) return CUDA_ERROR_NOT_SUPPORTED;
  return driver_answer([&](Device&) { return set_last_captured(stream, handles(nodes), count, flags); },
                       Reports::nothing);
}
CUresult cuGraphAddDependencies(CUgraph graph, const CUgraphNode* from, const CUgraphNode* to,
                                const CUgraphEdgeData* edges, std::size_t count) {
  if (!are_plain(edges, count)) return CUDA_ERROR_NOT_SUPPORTED;
  return driver_answer([&](Device&) { return depend(graph, handles(from), handles(to), count); });
}
CUresult cuGraphGetNodes(CUgraph graph, CUgraphNode* to, std::size_t* count) {
  return driver_answer([&](Device&) { return list_nodes(graph, false, place_of(to), count); });
}
CUresult cuGraphGetRootNodes(CUgraph graph, CUgraphNode* to, std::size_t* count) {
  return driver_answer([&](Device&) { return list_nodes(graph, true, place_of(to), count); });
}
CUresult cuGraphNodeGetType(CUgraphNode handle, CUgraphNodeType* kind) {
  return driver_answer([&](Device&) {
    int number = 0;
    const Status status = kind == nullptr ? Status::invalid_value : tell_kind(handle, number);
    if (status == Status::success) *kind = static_cast<CUgraphNodeType>(number);
    return status;
  });
}

CUresult cuGraphInstantiateWithFlags(CUgraphExec* to, CUgraph graph, unsigned long long flags) {
  return driver_answer([&](Device&) { return instantiate(place_of(to), graph, flags); });
}
CUresult cuGraphInstantiateWithParams(CUgraphExec* to, CUgraph graph, CUDA_GRAPH_INSTANTIATE_PARAMS* parameters) {
  if (parameters == nullptr) return CUDA_ERROR_INVALID_VALUE;
  parameters->hErrNode_out = nullptr;
  const CUresult result = cuGraphInstantiateWithFlags(to, graph, parameters->flags);
  parameters->result_out = result == CUDA_SUCCESS ? CUDA_GRAPH_INSTANTIATE_SUCCESS : CUDA_GRAPH_INSTANTIATE_ERROR;
  return result;
}
CUresult lanescope_cuGraphInstantiate_v2(CUgraphExec* to, CUgraph graph, CUgraphNode* wrong, char* text,
                                         std::size_t bytes) {
  if (wrong != nullptr) *wrong = nullptr;
  if (text != nullptr && bytes != 0) *text = '\0';
  return cuGraphInstantiateWithFlags(to, graph, 0);
}
CUresult cuGraphExecDestroy(CUgraphExec exec) {
  return driver_answer([&](Device&) { return destroy_exec(exec); });
}
CUresult cuGraphLaunch(CUgraphExec exec, CUstream stream) {
  return driver_answer([&](Device& on) { return launch_graph(on, exec, stream); }, Reports::nothing);
}
CUresult cuGraphUpload(CUgraphExec exec, CUstream stream) {
  return driver_answer([&](Device&) { return can_launch(exec, stream); });
}
CUresult cuGraphExecUpdate(CUgraphExec exec, CUgraph graph, CUgraphExecUpdateResultInfo* info) {
  return driver_answer([&](Device&) {
    int result = 0;
    const void* culprit = nullptr;
    const Status status = update(exec, graph, result, &culprit);
    if (info != nullptr)
      *info = {static_cast<CUgraphExecUpdateResult>(result), reinterpret_cast<CUgraphNode>(const_cast<void*>(culprit)),
               nullptr};
    return status;
  });
}
CUresult cuGraphExecKernelNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS* parameters) {
  return change_in_exec(exec, node, parameters);
}
CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_MEMCPY3D* parameters,
                                        CUcontext) {
  return change_in_exec(exec, node, parameters);
}
CUresult cuGraphExecMemsetNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS* parameters,
                                        CUcontext) {
  return change_in_exec(exec, node, parameters);
}
CUresult cuGraphExecHostNodeSetParams(CUgraphExec exec, CUgraphNode node, const CUDA_HOST_NODE_PARAMS* parameters) {
  return change_in_exec(exec, node, parameters);
}
CUresult cuGraphExecNodeSetParams(CUgraphExec exec, CUgraphNode node, CUgraphNodeParams* parameters) {
  return change_in_exec(exec, node, parameters);
}
CUresult cuGraphNodeSetParams(CUgraphNode node, CUgraphNodeParams* parameters) {
  return change(nullptr, node, parameters);
}
CUresult cuGraphKernelNodeSetParams(CUgraphNode node, const CUDA_KERNEL_NODE_PARAMS* parameters) {
  return change(nullptr, node, parameters);
}
CUresult cuGraphMemcpyNodeSetParams(CUgraphNode node, const CUDA_MEMCPY3D* parameters) {
  return change(nullptr, node, parameters);
}
CUresult cuGraphMemsetNodeSetParams(CUgraphNode node, const CUDA_MEMSET_NODE_PARAMS* parameters) {
  return change(nullptr, node, parameters);
}
CUresult cuGraphHostNodeSetParams(CUgraphNode node, const CUDA_HOST_NODE_PARAMS* parameters) {
  return change(nullptr, node, parameters);
}
CUresult cuGraphMemcpyNodeGetParams(CUgraphNode node, CUDA_MEMCPY3D* to) {
  return tell(node, to);
}
CUresult cuGraphMemsetNodeGetParams(CUgraphNode node, CUDA_MEMSET_NODE_PARAMS* to) {
  return tell(node, to);
}
CUresult cuGraphHostNodeGetParams(CUgraphNode node, CUDA_HOST_NODE_PARAMS* to) {
  return tell(node, to);
}
CUresult cuGraphMemFreeNodeGetParams(CUgraphNode node, CUdeviceptr* to) {
  return driver_answer([&](Device&) {
    std::uint64_t address = 0;
    const Status status = to == nullptr ? Status::invalid_value : tell_parameters(node, &address);
    if (status == Status::success) *to = address;
    return status;
  });
}
CUresult cuGraphKernelNodeGetParams(CUgraphNode handle, CUDA_KERNEL_NODE_PARAMS* to) {
  return driver_answer([&](Device&) {
    GraphNode* node = find_node(handle);
    auto* call = node == nullptr ? nullptr : std::any_cast<KernelCall>(&node->parameters);
    if (to == nullptr || call == nullptr) return Status::invalid_value;
    call->point();
    const auto &grid = call->shape.grid, &block = call->shape.block;
    *to = {};
    to->func = static_cast<CUfunction>(const_cast<void*>(call->function));
    to->gridDimX = grid.x, to->gridDimY = grid.y, to->gridDimZ = grid.z;
    to->blockDimX = block.x, to->blockDimY = block.y, to->blockDimZ = block.z;
    to->sharedMemBytes = call->shape.dynamic_shared_bytes;
    to->kernelParams = call->pointers.data();
    return Status::success;
  });
}

CUresult cuUserObjectCreate(CUuserObject* to, void* what, CUhostFn destroy, unsigned references, unsigned flags) {
  return driver_answer(
      [&](Device&) { return make_user_object(reinterpret_cast<void**>(to), what, destroy, references, flags); });
}
CUresult cuUserObjectRetain(CUuserObject object, unsigned count) {
  return driver_answer([&](Device&) { return retain(object, count); });
}
CUresult cuUserObjectRelease(CUuserObject object, unsigned count) {
  return driver_answer([&](Device&) { return release(object, count); });
}
CUresult cuGraphRetainUserObject(CUgraph graph, CUuserObject object, unsigned count, unsigned flags) {
  return driver_answer([&](Device&) { return graph_retains(graph, object, count, flags); });
}
CUresult cuGraphReleaseUserObject(CUgraph graph, CUuserObject object, unsigned count) {
  return driver_answer([&](Device&) { return graph_releases(graph, object, count); });
}

}  // extern "C"
