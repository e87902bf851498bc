// Graphs of the runtime API.

#include "device/api/graph_conditions.h"
#include "device/api/graph_structure.h"
#include "device/api/pools.h"
#include "device/api/runtime/runtime.h"

namespace lanescope::device::api {

namespace {

Status made_of(const cudaKernelNodeParams& from, NodeWork& to) {
  Status status = Status::success;
  Kernel* kernel = kernel_of(from.func, status);
  if (kernel == nullptr) return status;
  if (from.extra != nullptr) return Status::not_supported;
  LaunchShape shape{{from.gridDim.x, from.gridDim.y, from.gridDim.z},
                    {from.blockDim.x, from.blockDim.y, from.blockDim.z}};
  shape.dynamic_shared_bytes = from.sharedMemBytes;
  KernelCall call;
  status = KernelCall::make(from.func, *kernel, shape, from.kernelParams, call);
  if (status == Status::success) status = told_by_the_runtime(device().check_launch(*kernel, shape));
  to = {NodeKind::kernel, launching(call), call};
  return status;
}
Status made_of(const cudaMemcpy3DParms& from, NodeWork& to) {
  to = {NodeKind::memcpy, [from](Device&) { return copy_as_told(from, "a graph's copy"); }, from};
  const bool is_empty = from.extent.width == 0 || from.extent.height == 0 || from.extent.depth == 0;
  return is_empty ? Status::invalid_value : copy_as_told(from, "a graph's copy", Doing::only_the_check);
}
Status made_of(const cudaMemsetParams& from, NodeWork& to) {
  to = {NodeKind::memset, [from](Device&) { return fill_as_told(from, "a graph's fill"); }, from};
  return check_fill_later({address(from.dst), from.pitch, from.elementSize, from.width, from.height}, "a graph's fill");
}
Status made_of(const cudaHostNodeParams& from, NodeWork& to) {
  if (from.fn == nullptr) return Status::invalid_value;
  to = {NodeKind::host, [from](Device&) { return from.fn(from.userData), Status::success; }, from};
  return Status::success;
}

// Only the nodes that can be described without a graph.
Status made_of(const cudaGraphNodeParams& from, NodeWork& to) {
  switch (from.type) {
    case cudaGraphNodeTypeKernel: {
      const cudaKernelNodeParamsV2& kernel = from.kernel;
      return made_of(cudaKernelNodeParams{kernel.func, kernel.gridDim, kernel.blockDim, kernel.sharedMemBytes,
                                          kernel.kernelParams, kernel.extra},
                     to);
    }
    case cudaGraphNodeTypeMemcpy:
      return made_of(from.memcpy.copyParams, to);
    case cudaGraphNodeTypeMemset: {
      const cudaMemsetParamsV2& fill = from.memset;
      return made_of(cudaMemsetParams{fill.dst, fill.pitch, fill.value, fill.elementSize, fill.width, fill.height}, to);
    }
    case cudaGraphNodeTypeHost:
      return made_of(cudaHostNodeParams{from.host.fn, from.host.userData}, to);
    case cudaGraphNodeTypeEmpty:
      return to = {NodeKind::empty, {}, {}}, Status::success;
    case cudaGraphNodeTypeWaitEvent:
      return with_event(waiting(from.eventWait.event), to);
    case cudaGraphNodeTypeEventRecord:
      return with_event(recording(from.eventRecord.event), to);
    default:
      return from.type > cudaGraphNodeTypeConditional ? Status::invalid_value : Status::not_supported;
  }
}

cudaMemcpy3DParms plain_copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
  cudaMemcpy3DParms made{};
  made.srcPtr = {const_cast<void*>(from), bytes, bytes, 1};
  made.dstPtr = {to, bytes, bytes, 1};
  made.extent = {bytes, 1, 1};
  made.kind = kind;
  return made;
}

// A copy to a variable (`to` is null) or from one (`from` is null).
Status copy_of_symbol(const void* symbol, void* to, const void* from, std::size_t bytes, std::size_t offset,
                      cudaMemcpyKind kind, NodeWork& made) {
  Status status = Status::success;
  const Allocation* variable = variable_of(symbol, status);
  if (variable == nullptr) return status;
  if (offset > variable->bytes || bytes > variable->bytes - offset) return Status::invalid_value;
  void* const at = pointer(variable->address + offset);
  return made_of(to == nullptr ? plain_copy(at, from, bytes, kind) : plain_copy(to, at, bytes, kind), made);
}

// `make(NodeWork&)` makes the node's work.
template <typename Make>
cudaError_t add_made(cudaGraphNode_t* to, cudaGraph_t graph, const cudaGraphNode_t* after, std::size_t count,
                     Make&& make) {
  return answer([&](Device&) {
    NodeWork made;
    const Status status = make(made);
    return status == Status::success ? add_node(place_of(to), graph, handles(after), count, made) : status;
  });
}
template <typename Parameters>
cudaError_t add(cudaGraphNode_t* to, cudaGraph_t graph, const cudaGraphNode_t* after, std::size_t count,
                const Parameters* parameters) {
  return add_made(to, graph, after, count, [&](NodeWork& made) {
    return parameters == nullptr ? Status::invalid_value : made_of(*parameters, made);
  });
}

// `find` finds the node in a graph or in an executable graph.
using Find = GraphNode* (*)(const void*, const void*);
template <typename Make>
cudaError_t change_to(Find find, const void* exec, cudaGraphNode_t handle, Make&& make) {
  return answer([&](Device&) {
    GraphNode* node = find(exec, handle);
    if (node == nullptr) return Status::invalid_value;
    NodeWork made;
    const Status status = make(made);
    return status == Status::success ? set_work(*node, made) : status;
  });
}
template <typename Parameters>
cudaError_t change(Find find, const void* exec, cudaGraphNode_t handle, const Parameters* parameters) {
  return change_to(find, exec, handle, [&](NodeWork& made) {
    return parameters == nullptr ? Status::invalid_value : made_of(*parameters, made);
  });
}
GraphNode* in_graph(const void*, const void* node) {
  return find_node(node);
}

template <typename Parameters>
cudaError_t tell(cudaGraphNode_t node, Parameters* to) {
  return answer([&](Device&) { return tell_parameters(node, to); });
}

dim3 dim_of(const Dim3& from) {
  return {from.x, from.y, from.z};
}

}  // namespace

}  // namespace lanescope::device::api

using namespace lanescope::device;
using namespace lanescope::device::api;

extern "C" {

cudaError_t cudaGraphCreate(cudaGraph_t* to, unsigned flags) {
  return answer([&](Device&) { return make_graph(place_of(to), flags); });
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return answer([&](Device&) { return destroy_graph(graph); });
}
cudaError_t cudaGraphClone(cudaGraph_t* to, cudaGraph_t graph) {
  return answer([&](Device&) { return clone_graph(place_of(to), graph); });
}
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* to, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   std::size_t count, const cudaKernelNodeParams* parameters) {
  return add(to, graph, after, count, parameters);
}
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* to, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   std::size_t count, const cudaMemcpy3DParms* parameters) {
  return add(to, graph, after, count, parameters);
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* to, cudaGraph_t graph, const cudaGraphNode_t* after,
                                     std::size_t count, void* target, const void* source, std::size_t bytes,
                                     cudaMemcpyKind kind) {
  const cudaMemcpy3DParms copy = plain_copy(target, source, bytes, kind);
  return add(to, graph, after, count, &copy);
}
cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t* to, cudaGraph_t graph, const cudaGraphNode_t* after,
                                           std::size_t count, const void* symbol, const void* source, std::size_t bytes,
                                           std::size_t offset, cudaMemcpyKind kind) {
  return add_made(to, graph, after, count,
                  [&](NodeWork& made) { return copy_of_symbol(symbol, nullptr, source, bytes, offset, kind, made); });
}
cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t* to, cudaGraph_t graph, const cudaGraphNode_t* after,
                                             std::size_t count, void* target, const void* symbol, std::size_t bytes,
                                             std::size_t offset, cudaMemcpyKind kind) {
  return add_made(to, graph, after, count,
                  [&](NodeWork& made) { return copy_of_symbol(symbol, target, nullptr, bytes, offset, kind, made); });
}
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* to, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   std::size_t count, const cudaMemsetParams* parameters) {
  return add(to, graph, after, count, parameters);
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* to, cudaGraph_t graph, const cudaGraphNode_t* after,
                                 std::size_t count, const cudaHostNodeParams* parameters) {
  return add(to, graph, after, count, parameters);
}
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* to, cudaGraph_t graph, const cudaGraphNode_t* after,
                                  std::size_t count) {
  return answer([&](Device&) {
    return add_node(place_of(to), graph, handles(after), count, {NodeKind::empty, {}, {}});
  });
}
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* to, cudaGraph_t graph, const cudaGraphNode_t* after,
                                       std::size_t count, cudaGraph_t child) {
  return answer([&](Device&) { return add_child_graph(place_of(to), graph, handles(after), count, child); });
}
cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t* to, cudaGraph_t graph, const cudaGraphNode_t* after,
                                        std::size_t count, cudaEvent_t event) {
  return add_made(to, graph, after, count, [&](NodeWork& made) { return with_event(recording(event), made); });
}
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t* to, cudaGraph_t graph, const cudaGraphNode_t* after,
                                      std::size_t count, cudaEvent_t event) {
  return add_made(to, graph, after, count, [&](NodeWork& made) { return with_event(waiting(event), made); });
}
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* to, cudaGraph_t graph, const cudaGraphNode_t* after,
                                     std::size_t count, cudaMemAllocNodeParams* parameters) {
  return answer([&](Device& on) {
    if (parameters == nullptr) return Status::invalid_value;
    const cudaMemPoolProps& pool = parameters->poolProps;
    MemoryPool wanted;
    Status status = pool_of(pool.allocType, {pool.location.type, pool.location.id}, pool.handleTypes, wanted);
    if (status != Status::success) return status;
    std::uint64_t at = 0;
    status = add_allocation(on, place_of(to), graph, handles(after), count, parameters->bytesize, at);
    if (at != 0) parameters->dptr = pointer(at);
    return status;
  });
}
// Only this one makes conditional nodes.
cudaError_t cudaGraphAddNode(cudaGraphNode_t* to, cudaGraph_t graph, const cudaGraphNode_t* after,
                             const cudaGraphEdgeData* edges, std::size_t count, cudaGraphNodeParams* of) {
  if (of == nullptr) return remember(Status::invalid_value);
  if (!are_plain(edges, count)) return remember(Status::not_supported);
  switch (of->type) {
    case cudaGraphNodeTypeGraph:
      return cudaGraphAddChildGraphNode(to, graph, after, count, of->graph.graph);
    case cudaGraphNodeTypeMemFree:
      return cudaGraphAddMemFreeNode(to, graph, after, count, of->free.dptr);
    case cudaGraphNodeTypeConditional:
      return answer([&](Device&) {
        return add_choice(place_of(to), graph, handles(after), count, of->conditional.handle, of->conditional.type,
                          of->conditional.size, reinterpret_cast<void***>(&of->conditional.phGraph_out));
      });
    default:
      return add(to, graph, after, count, of);
  }
}
cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t* to, cudaGraph_t graph, const cudaGraphNode_t* after,
                                const cudaGraphEdgeData* edges, std::size_t count, cudaGraphNodeParams* of) {
  return cudaGraphAddNode(to, graph, after, edges, count, of);
}
cudaError_t cudaGraphAddNode_of_12(cudaGraphNode_t* to, cudaGraph_t graph, const cudaGraphNode_t* after,
                                   std::size_t count, cudaGraphNodeParams* of) {
  return cudaGraphAddNode(to, graph, after, nullptr, count, of);
}
cudaError_t cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* to, cudaGraph_t graph, unsigned value,
                                             unsigned flags) {
  return answer([&](Device& on) {
    std::uint64_t handle = 0;
    const Status status = make_condition(on, graph, value, flags, to == nullptr ? nullptr : &handle);
    if (status == Status::success) *to = handle;
    return status;
  });
}
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* to, cudaGraph_t graph, const cudaGraphNode_t* after,
                                    std::size_t count, void* memory) {
  return answer([&](Device&) { return add_release(place_of(to), graph, handles(after), count, address(memory)); });
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                     const cudaGraphEdgeData* edges, std::size_t count) {
  if (!are_plain(edges, count)) return remember(Status::not_supported);
  return answer([&](Device&) { return depend(graph, handles(from), handles(to), count); });
}
cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                        const cudaGraphEdgeData* edges, std::size_t count) {
  return cudaGraphAddDependencies(graph, from, to, edges, count);
}
cudaError_t cudaGraphAddDependencies_of_12(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                           std::size_t count) {
  return cudaGraphAddDependencies(graph, from, to, nullptr, count);
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* to, std::size_t* count) {
  return answer([&](Device&) { return list_nodes(graph, false, place_of(to), count); });
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* to, std::size_t* count) {
  return answer([&](Device&) { return list_nodes(graph, true, place_of(to), count); });
}
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t handle, cudaGraphNodeType* kind) {
  return answer([&](Device&) {
    int number = 0;
    const Status status = kind == nullptr ? Status::invalid_value : tell_kind(handle, number);
    if (status == Status::success) *kind = static_cast<cudaGraphNodeType>(number);
    return status;
  });
}
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t handle, cudaKernelNodeParams* to) {
  return answer([&](Device&) {
    GraphNode* node = find_node(handle);
    auto* call = node == nullptr ? nullptr : std::any_cast<KernelCall>(&node->parameters);
    if (to == nullptr || call == nullptr) return Status::invalid_value;
    call->point();
    *to = {const_cast<void*>(call->function), dim_of(call->shape.grid), dim_of(call->shape.block),
           call->shape.dynamic_shared_bytes,  call->pointers.data(),    nullptr};
    return Status::success;
  });
}
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* parameters) {
  return change(in_graph, nullptr, node, parameters);
}
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, cudaMemcpy3DParms* to) {
  return tell(node, to);
}
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const cudaMemcpy3DParms* parameters) {
  return change(in_graph, nullptr, node, parameters);
}
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void* target, const void* source, std::size_t bytes,
                                           cudaMemcpyKind kind) {
  const cudaMemcpy3DParms copy = plain_copy(target, source, bytes, kind);
  return change(in_graph, nullptr, node, &copy);
}
cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const void* symbol, const void* source,
                                                 std::size_t bytes, std::size_t offset, cudaMemcpyKind kind) {
  return change_to(in_graph, nullptr, node,
                   [&](NodeWork& made) { return copy_of_symbol(symbol, nullptr, source, bytes, offset, kind, made); });
}
cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node, void* target, const void* symbol,
                                                   std::size_t bytes, std::size_t offset, cudaMemcpyKind kind) {
  return change_to(in_graph, nullptr, node,
                   [&](NodeWork& made) { return copy_of_symbol(symbol, target, nullptr, bytes, offset, kind, made); });
}
cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t exec, cudaGraphNode_t node, const void* symbol,
                                                     const void* source, std::size_t bytes, std::size_t offset,
                                                     cudaMemcpyKind kind) {
  return change_to(find_in, exec, node,
                   [&](NodeWork& made) { return copy_of_symbol(symbol, nullptr, source, bytes, offset, kind, made); });
}
cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t exec, cudaGraphNode_t node, void* target,
                                                       const void* symbol, std::size_t bytes, std::size_t offset,
                                                       cudaMemcpyKind kind) {
  return change_to(find_in, exec, node,
                   [&](NodeWork& made) { return copy_of_symbol(symbol, target, nullptr, bytes, offset, kind, made); });
}
cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, cudaMemsetParams* to) {
  return tell(node, to);
}
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const cudaMemsetParams* parameters) {
  return change(in_graph, nullptr, node, parameters);
}
cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, cudaHostNodeParams* to) {
  return tell(node, to);
}
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const cudaHostNodeParams* parameters) {
  return change(in_graph, nullptr, node, parameters);
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* to, cudaGraph_t graph, unsigned long long flags) {
  return answer([&](Device&) { return instantiate(place_of(to), graph, flags); });
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* to, cudaGraph_t graph, unsigned long long flags) {
  return cudaGraphInstantiateWithFlags(to, graph, flags);
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec) {
  return answer([&](Device&) { return destroy_exec(exec); });
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream) {
  return answer([&](Device& on) { return launch_graph(on, exec, stream); }, Tells::nothing);
}
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream) {
  return answer([&](Device&) { return can_launch(exec, stream); });
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo* info) {
  return answer([&](Device&) {
    int result = 0;
    const void* culprit = nullptr;
    const Status status = update(exec, graph, result, &culprit);
    if (info != nullptr && status != Status::invalid_value)
      *info = {static_cast<cudaGraphExecUpdateResult>(result),
               reinterpret_cast<cudaGraphNode_t>(const_cast<void*>(culprit)), nullptr};
    return status;
  });
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* parameters) {
  return change(find_in, exec, node, parameters);
}
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemcpy3DParms* parameters) {
  return change(find_in, exec, node, parameters);
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void* target,
                                               const void* source, std::size_t bytes, cudaMemcpyKind kind) {
  const cudaMemcpy3DParms copy = plain_copy(target, source, bytes, kind);
  return change(find_in, exec, node, &copy);
}
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                             const cudaMemsetParams* parameters) {
  return change(find_in, exec, node, parameters);
}
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
                                           const cudaHostNodeParams* parameters) {
  return change(find_in, exec, node, parameters);
}
cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, cudaGraphNodeParams* parameters) {
  return change(in_graph, nullptr, node, parameters);
}
cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node, cudaGraphNodeParams* parameters) {
  return change(find_in, exec, node, parameters);
}

cudaError_t cudaUserObjectCreate(cudaUserObject_t* to, void* what, cudaHostFn_t destroy, unsigned references,
                                 unsigned flags) {
  return answer([&](Device&) { return make_user_object(place_of(to), what, destroy, references, flags); });
}
cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned count) {
  return answer([&](Device&) { return retain(object, count); });
}
cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned count) {
  return answer([&](Device&) { return release(object, count); });
}
cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count, unsigned flags) {
  return answer([&](Device&) { return graph_retains(graph, object, count, flags); });
}
cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned count) {
  return answer([&](Device&) { return graph_releases(graph, object, count); });
}

}  // extern "C"
