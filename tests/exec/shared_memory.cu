// Memory and events of another process (cudaIpc…). The output must be the same on a GPU, built with `nvcc
// shared_memory.cu -lcuda`, and under `lanescope exec --nvcc=-lcuda shared_memory.cu`.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

#include <cuda.h>
#include <cuda_runtime.h>

void tell(const char* what, cudaError_t error) {
  std::printf("%s: %s\n", what, cudaGetErrorName(error));
  std::fflush(stdout);
  cudaGetLastError();
}
void tell(const char* what, CUresult error) {
  const char* name = "";
  cuGetErrorName(error, &name);
  std::printf("%s: %s\n", what, name);
  std::fflush(stdout);
}

__global__ void add(int* to, int what, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] += what;
}

constexpr int small = 64, large = 1 << 20;

struct Handles {
  cudaIpcMemHandle_t small, large;
  cudaIpcEventHandle_t event;
};

long long sum_of(const int* device, int count) {
  int* host = new int[count];
  cudaMemcpy(host, device, count * sizeof(int), cudaMemcpyDeviceToHost);
  long long sum = 0;
  for (int i = 0; i < count; ++i) sum += host[i];
  delete[] host;
  return sum;
}

void child(int in, int out) {
  Handles handles;
  if (read(in, &handles, sizeof handles) != sizeof handles) _exit(1);
  int *memory = nullptr, *again = nullptr, *more = nullptr;
  tell("open", cudaIpcOpenMemHandle(reinterpret_cast<void**>(&memory), handles.small, cudaIpcMemLazyEnablePeerAccess));
  std::printf("sum %lld\n", sum_of(memory, small));
  tell("open again", cudaIpcOpenMemHandle(reinterpret_cast<void**>(&again), handles.small, cudaIpcMemLazyEnablePeerAccess));
  std::printf("the same address: %d\n", memory == again);
  tell("close", cudaIpcCloseMemHandle(again));
  std::printf("still there: sum %lld\n", sum_of(memory, small));
  tell("unknown flags", cudaIpcOpenMemHandle(reinterpret_cast<void**>(&more), handles.large, 64));
  tell("open much", cudaIpcOpenMemHandle(reinterpret_cast<void**>(&more), handles.large, cudaIpcMemLazyEnablePeerAccess));
  std::printf("sum %lld\n", sum_of(more, large));
  cudaEvent_t event = nullptr;
  tell("open the event", cudaIpcOpenEventHandle(&event, handles.event));
  tell("wait for it", cudaStreamWaitEvent(nullptr, event, 0));
  tell("is it over", cudaEventSynchronize(event));
  add<<<1, small>>>(memory, 1000, small);
  add<<<large / 256, 256>>>(more, 1, large);
  tell("kernels", cudaDeviceSynchronize());
  tell("record it", cudaEventRecord(event, nullptr));
  tell("close", cudaIpcCloseMemHandle(more));
  tell("close", cudaIpcCloseMemHandle(memory));
  int* own = nullptr;
  cudaMalloc(&own, 64);
  tell("close what was not opened", cudaIpcCloseMemHandle(own));
  cudaDeviceSynchronize();
  std::fflush(stdout);
  if (write(out, "x", 1) != 1) _exit(1);
}

void parent(int in, int out) {
  int *memory = nullptr, *more = nullptr, *pinned = nullptr, *managed = nullptr;
  cudaMalloc(&memory, small * sizeof(int)), cudaMalloc(&more, large * sizeof(int));
  cudaMallocHost(&pinned, 64), cudaMallocManaged(&managed, 64);
  cudaMemset(memory, 0, small * sizeof(int)), cudaMemset(more, 0, large * sizeof(int));
  add<<<1, small>>>(memory, 7, small);
  add<<<large / 256, 256>>>(more, 2, large);
  Handles handles;
  tell("handle", cudaIpcGetMemHandle(&handles.small, memory));
  tell("handle", cudaIpcGetMemHandle(&handles.large, more));
  cudaIpcMemHandle_t other;
  tell("handle again", cudaIpcGetMemHandle(&other, memory));
  std::printf("the same: %d\n", std::memcmp(&other, &handles.small, sizeof other) == 0);
  tell("of pinned memory", cudaIpcGetMemHandle(&other, pinned));
  tell("of managed memory", cudaIpcGetMemHandle(&other, managed));
  tell("of the host's memory", cudaIpcGetMemHandle(&other, &other));
  void* mine = nullptr;
  tell("open it here", cudaIpcOpenMemHandle(&mine, handles.small, cudaIpcMemLazyEnablePeerAccess));
  std::memset(&other, 0, sizeof other);
  cudaEvent_t event = nullptr, plain = nullptr, timed = nullptr;
  tell("event", cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming));
  tell("event with times", cudaEventCreateWithFlags(&timed, cudaEventInterprocess));
  cudaEventCreate(&plain);
  cudaIpcEventHandle_t unused;
  tell("its handle", cudaIpcGetEventHandle(&handles.event, event));
  tell("handle of a plain one", cudaIpcGetEventHandle(&unused, plain));
  tell("record", cudaEventRecord(event, nullptr));
  tell("the driver's handle", cuIpcGetMemHandle(reinterpret_cast<CUipcMemHandle*>(&other), reinterpret_cast<CUdeviceptr>(memory)));
  std::printf("the same: %d\n", std::memcmp(&other, &handles.small, sizeof other) == 0);
  cudaDeviceSynchronize();
  std::fflush(stdout);
  char done = 0;
  if (write(out, &handles, sizeof handles) != sizeof handles || read(in, &done, 1) != 1) _exit(1);
  tell("wait", cudaEventSynchronize(event));
  std::printf("sums %lld %lld\n", sum_of(memory, small), sum_of(more, large));
  add<<<1, small>>>(memory, 1, small);
  std::printf("sum %lld\n", sum_of(memory, small));
  tell("free", cudaFree(memory));
  tell("at last", cudaDeviceSynchronize());
}

int main() {
  int to_child[2], to_parent[2];
  if (pipe(to_child) != 0 || pipe(to_parent) != 0) return 1;
  const pid_t started = fork();  // before the first call of CUDA
  if (started == 0) {
    child(to_child[0], to_parent[1]);
    return 0;
  }
  parent(to_parent[0], to_child[1]);
  int status = 0;
  waitpid(started, &status, 0);
  return status;
}
