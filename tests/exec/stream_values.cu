// Words that streams write and wait for, batches of copies, and what a program asks about the device beside that. The
// output must be the same on a GPU, built with `nvcc stream_values.cu -lcuda`, and under `lanescope exec
// --nvcc=-lcuda stream_values.cu`.
#include <cstdio>
#include <cstring>

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

__global__ void store(unsigned* to, unsigned what) {
  *to = what;
}
__global__ void needs_shared() {
  extern __shared__ int words[];
  __shared__ int own[256];
  own[threadIdx.x] = words[threadIdx.x] = 0;
}

CUstream stream;
unsigned* memory;
CUdeviceptr at;

unsigned long long word(int number) {
  unsigned long long is = 0;
  cudaMemcpy(&is, memory + 2 * number, sizeof is, cudaMemcpyDeviceToHost);
  return is;
}

void values() {
  cudaMemset(memory, 0, 64);
  tell("write 32 bits", cuStreamWriteValue32(stream, at, 0xfffffffeu, CU_STREAM_WRITE_VALUE_DEFAULT));
  tell("write 64 bits", cuStreamWriteValue64(stream, at + 8, 0x123456789abcdefull, CU_STREAM_WRITE_VALUE_DEFAULT));
  tell("without a barrier", cuStreamWriteValue32(stream, at + 16, 3, CU_STREAM_WRITE_VALUE_NO_MEMORY_BARRIER));
  tell("wait for equal", cuStreamWaitValue32(stream, at, 0xfffffffeu, CU_STREAM_WAIT_VALUE_EQ));
  tell("at least, cyclically", cuStreamWaitValue32(stream, at, 0xfffffff0u, CU_STREAM_WAIT_VALUE_GEQ));
  tell("a common bit", cuStreamWaitValue32(stream, at, 2, CU_STREAM_WAIT_VALUE_AND));
  tell("neither bit", cuStreamWaitValue32(stream, at, 0xfffffffeu, CU_STREAM_WAIT_VALUE_NOR));
  tell("64 bits", cuStreamWaitValue64(stream, at + 8, 0x123456789abcdeeull, CU_STREAM_WAIT_VALUE_GEQ));
  tell("end", cuStreamSynchronize(stream));
  std::printf("%llx %llx %llx\n", word(0), word(1), word(2));
  store<<<1, 1, 0, stream>>>(memory + 8, 77);
  tell("wait for a kernel's value", cuStreamWaitValue32(stream, at + 32, 77, CU_STREAM_WAIT_VALUE_EQ));
  tell("end", cuStreamSynchronize(stream));
  tell("misaligned", cuStreamWriteValue32(stream, at + 2, 1, 0));
  tell("misaligned for 64 bits", cuStreamWriteValue64(stream, at + 4, 1, 0));
  tell("wait misaligned", cuStreamWaitValue32(stream, at + 1, 1, 0));
  tell("unknown flags", cuStreamWriteValue32(stream, at, 1, 0x40));
  tell("unknown wait", cuStreamWaitValue32(stream, at, 1, 0x40));
  tell("address 0", cuStreamWriteValue32(stream, 0, 1, 0));
  unsigned* pinned = nullptr;
  cudaMallocHost(&pinned, 64);
  pinned[0] = 4;
  tell("wait for the host's value", cuStreamWaitValue32(stream, reinterpret_cast<CUdeviceptr>(pinned), 4, 0));
  tell("write to the host", cuStreamWriteValue32(stream, reinterpret_cast<CUdeviceptr>(pinned) + 4, 9, 0));
  tell("end", cuStreamSynchronize(stream));
  std::printf("%u\n", pinned[1]);
  unsigned managed_word = 0;
  unsigned* managed = nullptr;
  cudaMallocManaged(&managed, 64);
  tell("write to managed memory", cuStreamWriteValue32(stream, reinterpret_cast<CUdeviceptr>(managed), 11, 0));
  tell("end", cuStreamSynchronize(stream));
  managed_word = managed[0];
  std::printf("%u\n", managed_word);
}

CUstreamBatchMemOpParams writing(CUdeviceptr where, unsigned what) {
  CUstreamBatchMemOpParams made{};
  made.writeValue.operation = CU_STREAM_MEM_OP_WRITE_VALUE_32;
  made.writeValue.address = where, made.writeValue.value = what;
  return made;
}
CUstreamBatchMemOpParams waiting(CUdeviceptr where, unsigned long long what) {
  CUstreamBatchMemOpParams made{};
  made.waitValue.operation = CU_STREAM_MEM_OP_WAIT_VALUE_64;
  made.waitValue.address = where, made.waitValue.value64 = what, made.waitValue.flags = CU_STREAM_WAIT_VALUE_EQ;
  return made;
}

void batches() {
  cudaMemset(memory, 0, 64);
  CUstreamBatchMemOpParams all[4] = {writing(at, 5), waiting(at, 5), writing(at + 4, 6), {}};
  all[3].memoryBarrier.operation = CU_STREAM_MEM_OP_BARRIER;
  tell("batch", cuStreamBatchMemOp(stream, 3, all, 0));
  tell("end", cuStreamSynchronize(stream));
  std::printf("%llx\n", word(0));
  tell("with a barrier", cuStreamBatchMemOp(stream, 4, (all[1] = writing(at + 8, 1), all), 0));
  tell("end", cuStreamSynchronize(stream));
  tell("nothing", cuStreamBatchMemOp(stream, 0, all, 0));
  tell("flags", cuStreamBatchMemOp(stream, 1, all, 1));
  tell("257 of them", cuStreamBatchMemOp(stream, 257, all, 0));
  CUstreamBatchMemOpParams unknown{};
  unknown.operation = static_cast<CUstreamBatchMemOpType>(77);
  tell("unknown operation", cuStreamBatchMemOp(stream, 1, &unknown, 0));

  CUcontext context;
  cuCtxGetCurrent(&context);
  CUgraph graph;
  cuGraphCreate(&graph, 0);
  CUstreamBatchMemOpParams two[2] = {writing(at + 16, 21), writing(at + 20, 22)};
  CUDA_BATCH_MEM_OP_NODE_PARAMS what{context, 2, two, 0}, is{};
  CUgraphNode node = nullptr;
  tell("node", cuGraphAddBatchMemOpNode(&node, graph, nullptr, 0, &what));
  CUgraphNodeType kind{};
  cuGraphNodeGetType(node, &kind);
  tell("ask about it", cuGraphBatchMemOpNodeGetParams(node, &is));
  std::printf("type %d, %u operations, the first writes %u\n", kind, is.count,
              is.paramArray == nullptr ? 0 : static_cast<unsigned>(is.paramArray[0].writeValue.value));
  two[0].writeValue.value = 99;  // the node has a copy
  CUgraphExec exec;
  tell("instantiate", cuGraphInstantiate(&exec, graph, 0));
  tell("launch", cuGraphLaunch(exec, stream));
  cuStreamSynchronize(stream);
  std::printf("%llx\n", word(2));
  what.count = 1;
  tell("set", cuGraphBatchMemOpNodeSetParams(node, &what));
  tell("set in the executable graph", cuGraphExecBatchMemOpNodeSetParams(exec, node, &what));
  tell("launch", cuGraphLaunch(exec, stream));
  cuStreamSynchronize(stream);
  std::printf("%llx\n", word(2));
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed);
  tell("captured", cuStreamWriteValue32(stream, at + 24, 31, 0));
  tell("captured", cuStreamWaitValue32(stream, at + 24, 31, 0));
  CUgraph captured = nullptr;
  tell("end of the capture", cudaStreamEndCapture(stream, &captured));
  std::printf("not executed yet: %llx\n", word(3));
  size_t count = 0;
  cuGraphGetNodes(captured, nullptr, &count);
  CUgraphNode nodes[2] = {};
  cuGraphGetNodes(captured, nodes, &count);
  kind = CU_GRAPH_NODE_TYPE_EMPTY;
  cuGraphNodeGetType(nodes[0], &kind);
  std::printf("%zu nodes of type %d\n", count, kind);
  CUgraphExec exec_captured = nullptr;
  cuGraphInstantiate(&exec_captured, captured, 0);
  tell("launch", cuGraphLaunch(exec_captured, stream));
  cuStreamSynchronize(stream);
  std::printf("%llx\n", word(3));
}

void batched_copies() {
  char host[48] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJ", back[48] = {};
  char* device = nullptr;
  cudaMalloc(&device, 64);
  cudaMemcpyAttributes how{};
  how.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  size_t first = 0;
  void* to[] = {device, device + 16, device + 32};
  const void* from[] = {host + 16, host, host + 32};
  const size_t bytes[] = {16, 16, 14};
  tell("copies", cudaMemcpyBatchAsync(to, from, bytes, 3, &how, &first, 1, stream));
  void* to_host[] = {back, back + 20};
  const void* of_device[] = {device, device + 20};
  const size_t halves[] = {20, 26};
  tell("copies back", cudaMemcpyBatchAsync(to_host, of_device, halves, 2, &how, &first, 1, stream));
  tell("end", cudaStreamSynchronize(stream));
  std::printf("%s\n", back);
  tell("no attributes", cudaMemcpyBatchAsync(to, from, bytes, 3, nullptr, nullptr, 0, stream));
  tell("no copies", cudaMemcpyBatchAsync(to, from, bytes, 0, &how, &first, 1, stream));
  tell("the legacy stream", cudaMemcpyBatchAsync(to, from, bytes, 3, &how, &first, 1, nullptr));
  size_t second = 1;
  tell("attributes that begin later", cudaMemcpyBatchAsync(to, from, bytes, 3, &how, &second, 1, stream));
  const size_t none[] = {0, 16, 14};
  tell("a copy of nothing", cudaMemcpyBatchAsync(to, from, none, 3, &how, &first, 1, stream));
  cudaMemcpyAttributes wrong{};
  tell("order 0", cudaMemcpyBatchAsync(to, from, bytes, 3, &wrong, &first, 1, stream));
  tell("end", cudaStreamSynchronize(stream));
  cudaMemcpy3DBatchOp rows{};
  rows.src.type = cudaMemcpyOperandTypePointer, rows.dst.type = cudaMemcpyOperandTypePointer;
  rows.src.op.ptr.ptr = device, rows.src.op.ptr.rowLength = 8, rows.src.op.ptr.layerHeight = 2;
  rows.src.op.ptr.locHint = {cudaMemLocationTypeDevice, 0};
  rows.dst.op.ptr.ptr = back, rows.dst.op.ptr.rowLength = 4, rows.dst.op.ptr.layerHeight = 2;
  rows.dst.op.ptr.locHint = {cudaMemLocationTypeHost, 0};
  rows.extent = make_cudaExtent(4, 2, 2);
  rows.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  std::memset(back, 0, sizeof back);
  tell("boxes", cudaMemcpy3DBatchAsync(1, &rows, 0, stream));
  tell("end", cudaStreamSynchronize(stream));
  std::printf("%s\n", back);
  tell("flags", cudaMemcpy3DBatchAsync(1, &rows, 1, stream));
}

void questions() {
  int value = 99;
  tell("peers", cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 0));
  tell("no such peer", cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 64));
  tell("the driver's peers", cuDeviceGetP2PAttribute(&value, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, 0, 0));
  size_t bytes = 99;
  for (const int blocks : {1, 2, 4, 32, 33, 0})
    tell("shared memory left", cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, reinterpret_cast<void*>(needs_shared), blocks, 256)),
        std::printf("%d blocks: %zu\n", blocks, bytes);
  tell("no threads", cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, reinterpret_cast<void*>(needs_shared), 1, 0));
  tell("8 blocks of 1024", cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, reinterpret_cast<void*>(needs_shared), 8, 1024));
  tell("2 blocks of 1024", cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, reinterpret_cast<void*>(needs_shared), 2, 1024));
  std::printf("%zu\n", bytes);
  for (const CUdevice_attribute which : {CU_DEVICE_ATTRIBUTE_CAN_USE_64_BIT_STREAM_MEM_OPS, CU_DEVICE_ATTRIBUTE_CAN_USE_STREAM_WAIT_VALUE_NOR}) {
    cuDeviceGetAttribute(&value, which, 0);
    std::printf("attribute %d: %d\n", which, value);
  }
}

int main() {
  cudaSetDevice(0);
  cudaStreamCreate(&stream);
  cudaMalloc(&memory, 64);
  at = reinterpret_cast<CUdeviceptr>(memory);
  values();
  batches();
  batched_copies();
  questions();
  tell("at last", cudaDeviceSynchronize());
}
