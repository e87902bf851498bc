// Graphs inside graphs, attributes of kernel nodes, and nodes of memory. The output must be the same on a GPU, built
// with `nvcc child_graphs.cu -lcuda`, and under `lanescope exec --nvcc=-lcuda child_graphs.cu`.
#include <cstdio>
#include <cstring>

#include <cooperative_groups.h>
#include <cuda.h>
#include <cuda_runtime.h>

void tell(const char* what, cudaError_t error) {
  std::printf("%s: %s\n", what, cudaGetErrorName(error));
  cudaGetLastError();
}
void tell(const char* what, CUresult error) {
  const char* name = "";
  cuGetErrorName(error, &name);
  std::printf("%s: %s\n", what, name);
}

__global__ void add(int* sum, int what) {
  *sum += what;
}
__global__ void across(int* sum) {
  if (threadIdx.x == 0) atomicAdd(&sum[1], 1);
  cooperative_groups::this_grid().sync();
  if (blockIdx.x == 0 && threadIdx.x == 0) sum[0] += sum[1] == static_cast<int>(gridDim.x) ? 1000 : 0;
}

int* sum;
cudaStream_t stream;

int value() {
  int now = -1;
  cudaMemcpy(&now, sum, sizeof now, cudaMemcpyDeviceToHost);
  cudaMemset(sum, 0, 2 * sizeof *sum);
  return now;
}
cudaGraphNode_t add_to(cudaGraph_t graph, int what, const cudaGraphNode_t* after = nullptr) {
  void* arguments[] = {&sum, &what};
  const cudaKernelNodeParams call{reinterpret_cast<void*>(add), dim3(1), dim3(1), 0, arguments, nullptr};
  cudaGraphNode_t node = nullptr;
  cudaGraphAddKernelNode(&node, graph, after, after == nullptr ? 0 : 1, &call);
  return node;
}
int run(cudaGraphExec_t exec) {
  cudaGraphLaunch(exec, stream);
  cudaStreamSynchronize(stream);
  return value();
}
int run(cudaGraph_t graph) {
  cudaGraphExec_t exec = nullptr;
  if (cudaGraphInstantiate(&exec, graph, 0) != cudaSuccess) return -1;
  const int now = run(exec);
  cudaGraphExecDestroy(exec);
  return now;
}
size_t nodes_in(cudaGraph_t graph) {
  size_t count = 0;
  cudaGraphGetNodes(graph, nullptr, &count);
  return count;
}
void set(cudaError_t (*how)(cudaGraphExec_t, cudaGraphNode_t, const cudaKernelNodeParams*), cudaGraphExec_t exec,
         cudaGraphNode_t node, int what) {
  void* arguments[] = {&sum, &what};
  const cudaKernelNodeParams call{reinterpret_cast<void*>(add), dim3(1), dim3(1), 0, arguments, nullptr};
  tell("set a kernel inside", how(exec, node, &call));
}

void children() {
  cudaGraph_t outer, inner, inside = nullptr;
  cudaGraphCreate(&outer, 0), cudaGraphCreate(&inner, 0);
  const cudaGraphNode_t first = add_to(inner, 1);
  cudaGraphNode_t child = nullptr;
  tell("add a child", cudaGraphAddChildGraphNode(&child, outer, nullptr, 0, inner));
  const cudaGraphNode_t after = add_to(outer, 10, &child);
  add_to(inner, 100, &first);  // not in the child, which is a copy
  std::printf("runs: %d\n", run(outer));
  tell("the graph inside", cudaGraphChildGraphNodeGetGraph(child, &inside));
  std::printf("another graph: %d, %zu nodes in it, %zu in the first\n", inside != inner, nodes_in(inside), nodes_in(inner));
  cudaGraph_t again = nullptr;
  cudaGraphChildGraphNodeGetGraph(child, &again);
  std::printf("the same graph again: %d\n", inside == again);
  cudaGraphNode_t within = nullptr;
  size_t count = 1;
  cudaGraphGetNodes(inside, &within, &count);
  cudaGraphExec_t before = nullptr;
  cudaGraphInstantiate(&before, outer, 0);
  add_to(inside, 1000, &within);
  std::printf("with a node added inside: %d, instantiated before: %d\n", run(outer), run(before));
  set(cudaGraphExecKernelNodeSetParams, before, within, 2);
  std::printf("executable graph with another kernel inside: %d, the graph: %d\n", run(before), run(outer));
  tell("not a child", cudaGraphChildGraphNodeGetGraph(after, &again));
  tell("no place", cudaGraphChildGraphNodeGetGraph(child, nullptr));
  tell("no node", cudaGraphChildGraphNodeGetGraph(nullptr, &again));

  cudaGraph_t other, clone, inside_clone = nullptr;
  cudaGraphCreate(&other, 0);
  const cudaGraphNode_t of_other = add_to(other, 5);
  tell("set a child", cudaGraphExecChildGraphNodeSetParams(before, child, other));
  std::printf("runs: %d\n", run(before));
  add_to(other, 7, &of_other);
  tell("set a child with more nodes", cudaGraphExecChildGraphNodeSetParams(before, child, other));
  tell("set what is not a child", cudaGraphExecChildGraphNodeSetParams(before, after, other));
  tell("set no graph", cudaGraphExecChildGraphNodeSetParams(before, child, nullptr));
  std::printf("runs: %d\n", run(before));
  cudaGraphExec_t with_more = nullptr;
  cudaGraphInstantiate(&with_more, outer, 0);
  tell("set a child of the same shape", cudaGraphExecChildGraphNodeSetParams(with_more, child, other));
  std::printf("runs: %d, the graph: %d\n", run(with_more), run(outer));
  tell("update it from the graph", cudaGraphExecUpdate(with_more, outer, nullptr));
  cudaGraphExecUpdateResultInfo info{};
  tell("update", cudaGraphExecUpdate(with_more, outer, &info));
  std::printf("runs: %d, result %d\n", run(with_more), info.result);
  tell("update one that has fewer nodes inside", cudaGraphExecUpdate(before, outer, &info));
  std::printf("result %d\n", info.result);
  cudaGetLastError();

  cudaGraphClone(&clone, outer);
  cudaGraphNode_t child_in_clone = nullptr;
  cudaGraphNodeFindInClone(&child_in_clone, child, clone);
  tell("the graph inside a clone", cudaGraphChildGraphNodeGetGraph(child_in_clone, &inside_clone));
  add_to(inside_clone, 10000);
  std::printf("clone: %d, original: %d\n", run(clone), run(outer));
  cudaGraph_t of_graph_node = nullptr;
  cudaGraphNodeParams parameters{};
  parameters.type = cudaGraphNodeTypeGraph;
  parameters.graph.graph = inner;
  cudaGraphNode_t added = nullptr;
  tell("add a child by its type", cudaGraphAddNode(&added, outer, nullptr, nullptr, 0, &parameters));
  tell("the graph inside", cudaGraphChildGraphNodeGetGraph(added, &of_graph_node));
  std::printf("%zu nodes in it, runs: %d\n", nodes_in(of_graph_node), run(outer));
  cudaGraph_t deep = nullptr, inside_deep = nullptr, deepest = nullptr;
  cudaGraphCreate(&deep, 0);
  cudaGraphNode_t level = nullptr, below[2] = {};
  cudaGraphAddChildGraphNode(&level, deep, nullptr, 0, outer);
  cudaGraphChildGraphNodeGetGraph(level, &inside_deep);
  count = 2;
  cudaGraphGetNodes(inside_deep, below, &count);
  for (const cudaGraphNode_t one : below)
    if (cudaGraphNodeType kind; cudaGraphNodeGetType(one, &kind) == cudaSuccess && kind == cudaGraphNodeTypeGraph)
      tell("two levels down", cudaGraphChildGraphNodeGetGraph(one, &deepest));
  add_to(deepest, 100000);
  std::printf("deep: %d, original: %d\n", run(deep), run(outer));
  tell("destroy a child's node", cudaGraphDestroyNode(child));
  std::printf("without it: %d\n", run(outer));
}

void tell_attribute(const char* what, cudaGraphNode_t node, cudaLaunchAttributeID which) {
  cudaLaunchAttributeValue is;
  std::memset(&is, 0, sizeof is);
  const cudaError_t error = cudaGraphKernelNodeGetAttribute(node, which, &is);
  int words[4];
  std::memcpy(words, &is, sizeof words);
  if (error != cudaSuccess) std::memset(words, 0, sizeof words);
  std::printf("%s: %s, %d %d %d\n", what, cudaGetErrorName(error), words[0], words[1], words[2]);
  cudaGetLastError();
}

void attributes() {
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  void* arguments[] = {&sum};
  const cudaKernelNodeParams call{reinterpret_cast<void*>(across), dim3(4), dim3(32), 0, arguments, nullptr};
  cudaGraphNode_t node = nullptr, empty = nullptr, second = nullptr;
  cudaGraphAddKernelNode(&node, graph, nullptr, 0, &call);
  cudaGraphAddEmptyNode(&empty, graph, nullptr, 0);
  tell_attribute("cooperative at first", node, cudaLaunchAttributeCooperative);
  tell_attribute("priority at first", node, cudaLaunchAttributePriority);
  tell_attribute("cluster at first", node, cudaLaunchAttributeClusterDimension);
  tell_attribute("synchronization policy", node, cudaLaunchAttributeSynchronizationPolicy);
  tell_attribute("of an empty node", empty, cudaLaunchAttributeCooperative);
  tell_attribute("of no node", nullptr, cudaLaunchAttributeCooperative);
  cudaLaunchAttributeValue to{};
  to.cooperative = 1;
  tell("cooperative", cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeCooperative, &to));
  tell_attribute("cooperative", node, cudaLaunchAttributeCooperative);
  std::printf("waits across the grid: %d\n", run(graph));
  tell("the same parameters again", cudaGraphKernelNodeSetParams(node, &call));
  tell_attribute("cooperative after that", node, cudaLaunchAttributeCooperative);
  std::printf("waits across the grid: %d\n", run(graph));
  to = {};
  to.priority = -3;
  tell("priority", cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributePriority, &to));
  tell_attribute("priority", node, cudaLaunchAttributePriority);
  tell("of an empty node", cudaGraphKernelNodeSetAttribute(empty, cudaLaunchAttributePriority, &to));
  tell("synchronization policy", cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeSynchronizationPolicy, &to));
  tell("number 500", cudaGraphKernelNodeSetAttribute(node, static_cast<cudaLaunchAttributeID>(500), &to));
  second = add_to(graph, 5, &node);
  tell_attribute("priority of another", second, cudaLaunchAttributePriority);
  tell("copy attributes", cudaGraphKernelNodeCopyAttributes(second, node));
  tell_attribute("its priority", second, cudaLaunchAttributePriority);
  tell_attribute("is it cooperative", second, cudaLaunchAttributeCooperative);
  tell("copy from an empty node", cudaGraphKernelNodeCopyAttributes(second, empty));
  std::printf("runs: %d\n", run(graph));
  cudaGraph_t clone;
  cudaGraphClone(&clone, graph);
  cudaGraphNode_t in_clone = nullptr;
  cudaGraphNodeFindInClone(&in_clone, node, clone);
  tell_attribute("priority in a clone", in_clone, cudaLaunchAttributePriority);

  cudaGraph_t captured;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  cudaLaunchAttribute given[2]{};
  given[0].id = cudaLaunchAttributeCooperative, given[0].val.cooperative = 1;
  given[1].id = cudaLaunchAttributePriority, given[1].val.priority = -2;
  const cudaLaunchConfig_t config{dim3(4), dim3(32), 0, stream, given, 2};
  cudaLaunchKernelExC(&config, reinterpret_cast<void*>(across), arguments);
  cudaStreamEndCapture(stream, &captured);
  size_t one = 1;
  cudaGraphGetNodes(captured, &node, &one);
  tell_attribute("captured: cooperative", node, cudaLaunchAttributeCooperative);
  tell_attribute("captured: priority", node, cudaLaunchAttributePriority);
  cudaGraphExec_t exec = nullptr;
  cudaGraphInstantiate(&exec, captured, 0);
  tell("set the executable node's parameters", cudaGraphExecKernelNodeSetParams(exec, node, &call));
  std::printf("waits across the grid: %d\n", run(exec));
  cudaLaunchAttributeValue cluster{};
  cluster.clusterDim.x = 2, cluster.clusterDim.y = 1, cluster.clusterDim.z = 1;
  tell("cluster", cudaGraphKernelNodeSetAttribute(second, cudaLaunchAttributeClusterDimension, &cluster));
  tell_attribute("cluster", second, cudaLaunchAttributeClusterDimension);
  CUgraphNode of_driver = second;
  CUlaunchAttributeValue driver_value{};
  tell("the driver's priority", cuGraphKernelNodeGetAttribute(of_driver, CU_LAUNCH_ATTRIBUTE_PRIORITY, &driver_value));
  std::printf("%d\n", driver_value.priority);
  driver_value.priority = -1;
  tell("set it", cuGraphKernelNodeSetAttribute(of_driver, CU_LAUNCH_ATTRIBUTE_PRIORITY, &driver_value));
  tell_attribute("then", second, cudaLaunchAttributePriority);
}

void memory_nodes() {
  CUgraph graph;
  cuGraphCreate(&graph, 0);
  CUDA_MEM_ALLOC_NODE_PARAMS what{};
  what.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  what.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  what.bytesize = 4096;
  CUgraphNode allocated = nullptr, filled = nullptr, copied = nullptr, freed = nullptr;
  tell("allocate in a graph", cuGraphAddMemAllocNode(&allocated, graph, nullptr, 0, &what));
  CUDA_MEM_ALLOC_NODE_PARAMS is{};
  tell("ask about it", cuGraphMemAllocNodeGetParams(allocated, &is));
  std::printf("the same address: %d, %zu bytes, type %d, location %d\n", is.dptr == what.dptr, is.bytesize,
              is.poolProps.allocType, is.poolProps.location.type);
  cudaMemAllocNodeParams of_runtime{};
  tell("ask the runtime", cudaGraphMemAllocNodeGetParams(allocated, &of_runtime));
  std::printf("the same address: %d, %zu bytes\n", reinterpret_cast<CUdeviceptr>(of_runtime.dptr) == what.dptr,
              of_runtime.bytesize);
  tell("ask without a place", cuGraphMemAllocNodeGetParams(allocated, nullptr));
  CUcontext context;
  cuCtxGetCurrent(&context);
  const CUDA_MEMSET_NODE_PARAMS fill{what.dptr, 0, 7, 4, 1024, 1};
  cuGraphAddMemsetNode(&filled, graph, &allocated, 1, &fill, context);
  tell("ask about another node", cuGraphMemAllocNodeGetParams(filled, &is));
  int result = 0;
  CUDA_MEMCPY3D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE, copy.srcDevice = what.dptr + 4092;
  copy.dstMemoryType = CU_MEMORYTYPE_HOST, copy.dstHost = &result;
  copy.WidthInBytes = 4, copy.Height = 1, copy.Depth = 1;
  cuGraphAddMemcpyNode(&copied, graph, &filled, 1, &copy, context);
  tell("free in a graph", cuGraphAddMemFreeNode(&freed, graph, &copied, 1, what.dptr));
  CUgraphExec exec;
  tell("instantiate", cuGraphInstantiate(&exec, graph, 0));
  tell("launch", cuGraphLaunch(exec, stream));
  cuStreamSynchronize(stream);
  std::printf("%d\n", result);
  cuuint64_t used = 99, reserved = 99;
  tell("bytes in use", cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &used));
  tell("trim", cuDeviceGraphMemTrim(0));
  tell("set what cannot be set", cuDeviceSetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, &reserved));
  reserved = 0;
  tell("reset the highest", cuDeviceSetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_HIGH, &reserved));
  tell("no bytes", (what.bytesize = 0, cuGraphAddMemAllocNode(&allocated, graph, nullptr, 0, &what)));
  tell("no place", cuDeviceGetGraphMemAttribute(0, CU_GRAPH_MEM_ATTR_USED_MEM_CURRENT, nullptr));
  tell("device 7", cuDeviceGraphMemTrim(7));
  CUgraph outer;
  cuGraphCreate(&outer, 0);
  tell("a child that allocates", cuGraphAddChildGraphNode(&copied, outer, nullptr, 0, graph));
}

int main() {
  cudaMalloc(&sum, 2 * sizeof *sum);
  cudaMemset(sum, 0, 2 * sizeof *sum);
  cudaStreamCreate(&stream);
  children();
  attributes();
  memory_nodes();
  tell("at last", cudaDeviceSynchronize());
}
