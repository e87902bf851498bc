// Asks about a graph's edges, changes nodes and executable graphs, and prints what comes back. The output must be the
// same on a GPU, built with `nvcc graph_structure.cu -lcuda`, and under `lanescope exec --nvcc=-lcuda graph_structure.cu`.
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <cuda.h>
#include <cuda_runtime.h>

__constant__ int factor;
__device__ int sum;

__global__ void multiply(int* data, int by) {
  data[threadIdx.x] = data[threadIdx.x] * by + factor;
}
__global__ void keep(const int* data) {
  sum = data[0] + data[1];
}

std::map<const void*, std::string> names;  // of nodes
std::string name_of(const void* node) {
  return node == nullptr ? "none" : names.count(node) != 0 ? names[node] : "unknown";
}
void tell(const char* what, cudaError_t error) {
  std::printf("%s: %s\n", what, cudaGetErrorName(error));
}
void tell(const char* what, CUresult error) {
  const char* name = "";
  cuGetErrorName(error, &name);
  std::printf("%s: %s\n", what, name);
}

void tell_edges(const char* when, cudaGraph_t graph) {
  size_t count = 0;
  tell(when, cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count));
  std::vector<cudaGraphNode_t> from(count + 1), to(count + 1);
  std::vector<cudaGraphEdgeData> data(count + 1);
  std::memset(data.data(), 7, sizeof data[0] * data.size());
  size_t given = count + 1;
  tell("with room for one more", cudaGraphGetEdges(graph, from.data(), to.data(), data.data(), &given));
  std::map<std::string, int> lines;  // the order is not specified
  for (size_t i = 0; i < given; ++i)
    ++lines[name_of(from[i]) + " -> " + name_of(to[i]) + ", data " + std::to_string(data[i].type)];
  for (const auto& [line, times] : lines) std::printf("  %d × %s\n", times, line.c_str());
  std::printf("  %zu edges, %zu given, then %s\n", count, given, name_of(from[given]).c_str());
}
void tell_neighbours(cudaGraphNode_t node) {
  for (const bool before : {true, false}) {
    const auto ask = before ? cudaGraphNodeGetDependencies : cudaGraphNodeGetDependentNodes;
    size_t count = 0;
    ask(node, nullptr, nullptr, &count);
    std::vector<cudaGraphNode_t> found(count + 1);
    ask(node, found.data(), nullptr, &count);
    std::map<std::string, int> sorted;
    for (size_t i = 0; i < count; ++i) ++sorted[name_of(found[i])];
    std::printf("%s %s:", before ? "before" : "after", name_of(node).c_str());
    for (const auto& [name, times] : sorted) std::printf(" %s", name.c_str());
    std::printf("\n");
  }
}

struct Parts {
  int *data, host[2] = {5, 6}, five = 5, result = 0, from_driver = 0;
  cudaGraph_t graph;
  cudaGraphNode_t copy_in, set_factor, kernel, kept, copy_out, record, wait;
  cudaEvent_t first, second;
};

void build(Parts& p) {
  cudaMalloc(&p.data, sizeof p.host);
  cudaEventCreate(&p.first), cudaEventCreate(&p.second);
  cudaGraphCreate(&p.graph, 0);
  cudaGraphAddMemcpyNode1D(&p.copy_in, p.graph, nullptr, 0, p.data, p.host, sizeof p.host, cudaMemcpyHostToDevice);
  tell("copy to a variable", cudaGraphAddMemcpyNodeToSymbol(&p.set_factor, p.graph, nullptr, 0, factor, &p.five,
                                                            sizeof(int), 0, cudaMemcpyHostToDevice));
  static int by = 10;
  void* arguments[] = {&p.data, &by};
  const cudaKernelNodeParams call{reinterpret_cast<void*>(multiply), dim3(1), dim3(2), 0, arguments, nullptr};
  const cudaGraphNode_t both[] = {p.copy_in, p.set_factor};
  cudaGraphAddKernelNode(&p.kernel, p.graph, both, 2, &call);
  void* of_keep[] = {&p.data};
  cudaGraphNodeParams node{};
  node.type = cudaGraphNodeTypeKernel;
  node.kernel.func = reinterpret_cast<void*>(keep);
  node.kernel.gridDim = dim3(1), node.kernel.blockDim = dim3(1), node.kernel.kernelParams = of_keep;
  cudaGraphEdgeData plain{};
  tell("add a node with plain edges", cudaGraphAddNode(&p.kept, p.graph, &p.kernel, &plain, 1, &node));
  tell("copy from a variable", cudaGraphAddMemcpyNodeFromSymbol(&p.copy_out, p.graph, &p.kept, 1, &p.result, sum,
                                                                sizeof(int), 0, cudaMemcpyDeviceToHost));
  cudaGraphAddEventRecordNode(&p.record, p.graph, &p.copy_out, 1, p.first);
  cudaGraphAddEventWaitNode(&p.wait, p.graph, &p.record, 1, p.first);
  names = {{p.copy_in, "copy_in"}, {p.set_factor, "set_factor"}, {p.kernel, "kernel"}, {p.kept, "kept"},
           {p.copy_out, "copy_out"}, {p.record, "record"}, {p.wait, "wait"}};
}

void structure(Parts& p) {
  tell_edges("edges", p.graph);
  for (const cudaGraphNode_t node : {p.copy_in, p.kernel, p.wait}) tell_neighbours(node);
  tell("remove an edge", cudaGraphRemoveDependencies(p.graph, &p.record, &p.wait, nullptr, 1));
  tell("remove it again", cudaGraphRemoveDependencies(p.graph, &p.record, &p.wait, nullptr, 1));
  tell_edges("edges without one", p.graph);
  cudaGraph_t clone;
  cudaGraphClone(&clone, p.graph);
  cudaGraphNode_t in_clone;
  tell("find in the clone", cudaGraphNodeFindInClone(&in_clone, p.kernel, clone));
  tell("destroy a node", cudaGraphDestroyNode(p.wait));
  size_t count = 0;
  cudaGraphGetNodes(p.graph, nullptr, &count);
  std::printf("%zu nodes left", count);
  cudaGraphGetNodes(clone, nullptr, &count);
  std::printf(", %zu in the clone\n", count);
  tell("destroy the clone's kernel", cudaGraphDestroyNode(in_clone));
  cudaGraphGetEdges(clone, nullptr, nullptr, nullptr, &count);
  std::printf("%zu edges left in the clone\n", count);
  cudaGraphDestroy(clone);
  cudaEvent_t event = nullptr;
  tell("the event of a node", cudaGraphEventRecordNodeGetEvent(p.record, &event));
  std::printf("it is %s\n", event == p.first ? "the first" : "another");
  tell("set it", cudaGraphEventRecordNodeSetEvent(p.record, p.second));
  cudaGraphEventRecordNodeGetEvent(p.record, &event);
  std::printf("now it is %s\n", event == p.second ? "the second" : "another");
  tell("the event of a kernel", cudaGraphEventRecordNodeGetEvent(p.kernel, &event));
  tell("remove an edge with other data", [&] {
    cudaGraphEdgeData data{};
    data.type = 1;
    return cudaGraphRemoveDependencies(p.graph, &p.copy_in, &p.kernel, &data, 1) == cudaSuccess ? cudaSuccess
                                                                                               : cudaErrorUnknown;
  }());
}

void execute(Parts& p) {
  cudaGraphExec_t exec = nullptr;
  cudaGraphInstantiateParams how{};
  tell("instantiate", cudaGraphInstantiateWithParams(&exec, p.graph, &how));
  std::printf("result %d, wrong node %s\n", static_cast<int>(how.result_out), name_of(how.errNode_out).c_str());
  const auto launch = [&](const char* when) {
    p.result = -1;
    cudaGraphLaunch(exec, nullptr);
    tell(when, cudaDeviceSynchronize());
    std::printf("the sum is %d\n", p.result);
  };
  launch("as built");
  const int three = 3;
  tell("copy another value", cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, p.set_factor, factor, &three, sizeof(int), 0,
                                                                      cudaMemcpyHostToDevice));
  launch("with another value");
  int other = -1;
  tell("copy it elsewhere", cudaGraphExecMemcpyNodeSetParamsFromSymbol(exec, p.copy_out, &other, sum, sizeof(int), 0,
                                                                       cudaMemcpyDeviceToHost));
  launch("to another variable");
  std::printf("the other is %d\n", other);
  tell("record another event", cudaGraphExecEventRecordNodeSetEvent(exec, p.record, p.first));
  tell("past the variable", cudaGraphExecMemcpyNodeSetParamsToSymbol(exec, p.set_factor, factor, &three, sizeof(int), 4,
                                                                     cudaMemcpyHostToDevice));
  unsigned enabled = 9;
  tell("is it enabled", cudaGraphNodeGetEnabled(exec, p.kernel, &enabled));
  std::printf("%u\n", enabled);
  tell("disable the kernel", cudaGraphNodeSetEnabled(exec, p.kernel, 0));
  cudaGraphNodeGetEnabled(exec, p.kernel, &enabled);
  std::printf("%u\n", enabled);
  launch("without the kernel");
  std::printf("the other is %d\n", other);
  tell("is a recording enabled", cudaGraphNodeGetEnabled(exec, p.record, &enabled));
  cudaGraphExecDestroy(exec);
  tell("change the graph's copy", cudaGraphMemcpyNodeSetParams1D(p.copy_in, p.data, &p.five, 4, cudaMemcpyHostToDevice));
  tell("and its variable",
       cudaGraphMemcpyNodeSetParamsToSymbol(p.set_factor, factor, &three, sizeof(int), 0, cudaMemcpyHostToDevice));
}

void through_the_driver(Parts& p) {
  CUgraphNode kernel = p.kernel;
  CUDA_KERNEL_NODE_PARAMS call{};
  tell("a kernel's parameters", cuGraphKernelNodeGetParams(kernel, &call));
  std::printf("grid %u, block %u, by %d\n", call.gridDimX, call.blockDimX, *static_cast<int*>(call.kernelParams[1]));
  size_t count = 0;
  tell("its dependencies", cuGraphNodeGetDependencies(kernel, nullptr, nullptr, &count));
  std::printf("%zu\n", count);
  tell("not a copy", cuGraphHostNodeGetParams(kernel, nullptr));
  tell("edges without a count", cuGraphGetEdges(p.graph, nullptr, nullptr, nullptr, nullptr));
  CUgraphNode wait = nullptr, record = p.record;
  tell("wait for an event", cuGraphAddEventWaitNode(&wait, p.graph, &record, 1, p.second));
  CUevent event = nullptr;
  tell("which event", cuGraphEventWaitNodeGetEvent(wait, &event));
  std::printf("it is %s\n", event == p.second ? "the second" : "another");
  CUgraphExec exec = nullptr;
  tell("instantiate", cuGraphInstantiateWithFlags(&exec, p.graph, 0));
  cuuint64_t flags = 9;
  tell("flags", cuGraphExecGetFlags(exec, &flags));
  std::printf("%d\n", static_cast<int>(flags));
  tell("disable", cuGraphNodeSetEnabled(exec, kernel, 0));
  unsigned enabled = 9;
  cuGraphNodeGetEnabled(exec, kernel, &enabled);
  std::printf("%u\n", enabled);
  cuGraphExecDestroy(exec);
  tell("destroy", cuGraphDestroyNode(wait));
}

int main() {
  Parts p;
  build(p);
  structure(p);
  execute(p);
  through_the_driver(p);
  tell("print the graph", cudaGraphDebugDotPrint(p.graph, "graph_structure.dot", 0));
  std::ifstream file("graph_structure.dot");
  std::stringstream text;
  text << file.rdbuf();
  std::printf("%s\n", text.str().find("digraph") != std::string::npos ? "a digraph" : "something else");
  std::remove("graph_structure.dot");
  cudaGraphDestroy(p.graph);
}
