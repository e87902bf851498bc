// Conditional nodes whose conditions kernels set: Collatz's steps to 1 counted by a WHILE node with an IF/ELSE node in
// its body, and a SWITCH node. Checked against the host.
#include <cstdio>

#define CHECK(call)                                                                     \
  do {                                                                                  \
    const cudaError_t error = (call);                                                   \
    if (error != cudaSuccess) {                                                         \
      std::printf("line %d: %s\n", __LINE__, cudaGetErrorName(error));                  \
      return 1;                                                                         \
    }                                                                                   \
  } while (false)

struct State {
  unsigned number, steps;
};

__global__ void look(const State* state, cudaGraphConditionalHandle go_on, cudaGraphConditionalHandle is_odd) {
  cudaGraphSetConditional(go_on, state->number != 1);
  cudaGraphSetConditional(is_odd, state->number % 2);
}
__global__ void triple(State* state) {
  state->number = 3 * state->number + 1;
  ++state->steps;
}
__global__ void halve(State* state) {
  state->number /= 2;
  ++state->steps;
}
__global__ void choose(const unsigned* which, cudaGraphConditionalHandle handle) {
  cudaGraphSetConditional(handle, *which);
}
__global__ void store(unsigned* to, unsigned value) {
  *to = value;
}

static cudaError_t add(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, void* kernel, void** arguments) {
  cudaGraphNodeParams made = {cudaGraphNodeTypeKernel};
  made.kernel.func = kernel;
  made.kernel.gridDim = made.kernel.blockDim = dim3(1);
  made.kernel.kernelParams = arguments;
  return cudaGraphAddNode(node, graph, after, nullptr, after != nullptr, &made);
}
static cudaError_t add(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, cudaGraphConditionalHandle handle,
                       cudaGraphConditionalNodeType type, unsigned size, cudaGraph_t** bodies) {
  cudaGraphNodeParams made = {cudaGraphNodeTypeConditional};
  made.conditional.handle = handle;
  made.conditional.type = type;
  made.conditional.size = size;
  const cudaError_t error = cudaGraphAddNode(node, graph, after, nullptr, after != nullptr, &made);
  *bodies = made.conditional.phGraph_out;
  return error;
}

static int collatz() {
  State* state = nullptr;
  CHECK(cudaMallocManaged(&state, sizeof *state));
  cudaGraph_t graph, *loop, *branches;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaGraphConditionalHandle go_on, is_odd;
  CHECK(cudaGraphConditionalHandleCreate(&go_on, graph, 0, 0));
  CHECK(cudaGraphConditionalHandleCreate(&is_odd, graph, 0, 0));
  void *of_look[] = {&state, &go_on, &is_odd}, *of_step[] = {&state};
  cudaGraphNode_t first, second, node, again;
  CHECK(add(&first, graph, nullptr, reinterpret_cast<void*>(look), of_look));
  CHECK(add(&second, graph, &first, go_on, cudaGraphCondTypeWhile, 1, &loop));
  CHECK(add(&node, loop[0], nullptr, is_odd, cudaGraphCondTypeIf, 2, &branches));
  CHECK(add(&again, branches[0], nullptr, reinterpret_cast<void*>(triple), of_step));
  CHECK(add(&again, branches[1], nullptr, reinterpret_cast<void*>(halve), of_step));
  CHECK(add(&again, loop[0], &node, reinterpret_cast<void*>(look), of_look));
  cudaGraphExec_t exec;
  CHECK(cudaGraphInstantiate(&exec, graph, 0));
  CHECK(cudaGraphDestroy(graph));
  for (unsigned from : {1u, 2u, 7u, 27u}) {
    unsigned steps = 0;
    for (unsigned number = from; number != 1; ++steps) number = number % 2 ? 3 * number + 1 : number / 2;
    *state = {from, 0};
    CHECK(cudaGraphLaunch(exec, nullptr));
    CHECK(cudaDeviceSynchronize());
    std::printf("%u: %u steps, %s\n", from, state->steps, state->steps == steps && state->number == 1 ? "right" : "WRONG");
  }
  CHECK(cudaGraphExecDestroy(exec));
  return cudaFree(state);
}

// Body n stores 10 + n; a condition that is not set has its default, 2.
static int cases() {
  unsigned* place = nullptr;
  CHECK(cudaMallocManaged(&place, 2 * sizeof *place));
  unsigned *which = place, *to = place + 1;
  for (bool sets : {true, false}) {
    cudaGraph_t graph, *bodies;
    CHECK(cudaGraphCreate(&graph, 0));
    cudaGraphConditionalHandle handle;
    CHECK(cudaGraphConditionalHandleCreate(&handle, graph, 2, cudaGraphCondAssignDefault));
    cudaGraphNode_t first, node;
    void* of_choose[] = {&which, &handle};
    if (sets) CHECK(add(&first, graph, nullptr, reinterpret_cast<void*>(choose), of_choose));
    CHECK(add(&node, graph, sets ? &first : nullptr, handle, cudaGraphCondTypeSwitch, 3, &bodies));
    for (unsigned n = 0; n < 3; ++n) {
      unsigned value = 10 + n;
      void* of_store[] = {&to, &value};
      CHECK(add(&node, bodies[n], nullptr, reinterpret_cast<void*>(store), of_store));
    }
    cudaGraphExec_t exec;
    CHECK(cudaGraphInstantiate(&exec, graph, 0));
    for (unsigned n = 0; n < 4; ++n) {
      *which = n;
      *to = 0;
      CHECK(cudaGraphLaunch(exec, nullptr));
      CHECK(cudaDeviceSynchronize());
      std::printf("%u ", *to);
    }
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
  }
  std::printf("\n");
  return cudaFree(place);
}

int main() {
  return collatz() != 0 || cases() != 0;
}
