// What the runtime API answers about the device, kernels, launches, occupancy and errors when the arguments are wrong or borderline.
// See answers_memory.cu.
#include "answers.h"

__global__ void none() {}
__global__ void three(int* out, int a, int b) {
  if (out != nullptr && threadIdx.x == 0) *out = a + b;
}
__global__ void __launch_bounds__(128) bounded() {}
__global__ void shared_of_32k(int* out) {
  __shared__ int all[8192];
  all[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (out != nullptr) *out = all[31 - threadIdx.x];
}
__global__ void __cluster_dims__(2, 1, 1) in_pairs() {}
__global__ void wild(int* out) { *out = 1; }
static void callback(void*) {}

static void devices() {
  int n = 0, value = 0, least = 0, greatest = 0;
  unsigned flags = 0;
  cudaDeviceProp is{};
  char text[32] = "";
  T(cudaGetDeviceCount((int*)nullptr));
  T(cudaGetDevice((int*)nullptr));
  T(cudaSetDevice(-1));
  T(cudaSetDevice(1));
  T(cudaSetDevice(99));
  T(cudaGetDevice(&n));
  V(n);
  T(cudaSetDevice(0));
  T(cudaInitDevice(1, 0, 0));
  T(cudaInitDevice(-1, 0, 0));
  T(cudaInitDevice(0, 0, 5));
  T(cudaInitDevice(0, 64, cudaInitDeviceFlagsAreValid));
  T(cudaSetValidDevices(nullptr, 0));
  T(cudaSetValidDevices(nullptr, 1));
  n = 3;
  T(cudaSetValidDevices(&n, 1));
  T(cudaSetValidDevices(&n, -1));
  T(cudaSetValidDevices(&n, 100));
  n = 0;
  T(cudaSetValidDevices(&n, 1));
  T(cudaChooseDevice(nullptr, &is));
  T(cudaChooseDevice(&n, nullptr));
  T(cudaChooseDevice(&n, &is));
  T(cudaGetDeviceProperties((cudaDeviceProp*)nullptr, 0));
  T(cudaGetDeviceProperties(&is, 1));
  T(cudaGetDeviceProperties(&is, -1));
  T(cudaDeviceGetAttribute((int*)nullptr, cudaDevAttrWarpSize, 0));
  T(cudaDeviceGetAttribute(&value, (cudaDeviceAttr)0, 0));
  T(cudaDeviceGetAttribute(&value, (cudaDeviceAttr)-1, 0));
  T(cudaDeviceGetAttribute(&value, (cudaDeviceAttr)9999, 0));
  T(cudaDeviceGetAttribute(&value, cudaDevAttrMax, 0));
  T(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 1));
  T(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, -1));
  T(cudaDeviceGetAttribute(&value, (cudaDeviceAttr)9999, 1));
  T(cudaDriverGetVersion((int*)nullptr));
  T(cudaRuntimeGetVersion((int*)nullptr));
  T(cudaRuntimeGetVersion(&value));
  T(cudaDeviceGetPCIBusId(nullptr, 32, 0));
  T(cudaDeviceGetPCIBusId(text, 0, 0));
  T(cudaDeviceGetPCIBusId(text, 12, 0));
  T(cudaDeviceGetPCIBusId(text, 13, 0));
  V(strlen(text));
  T(cudaDeviceGetPCIBusId(text, 32, 1));
  T(cudaDeviceGetByPCIBusId(&n, text));
  T(cudaDeviceGetByPCIBusId(nullptr, text));
  T(cudaDeviceGetByPCIBusId(&n, nullptr));
  T(cudaDeviceGetByPCIBusId(&n, "nonsense"));
  T(cudaDeviceGetByPCIBusId(&n, ""));
  T(cudaDeviceGetByPCIBusId(&n, "ffff:ff:1f.0"));
  T(cudaDeviceCanAccessPeer(nullptr, 0, 0));
  T(cudaDeviceCanAccessPeer(&value, 0, 0));
  V(value);
  T(cudaDeviceCanAccessPeer(&value, 0, 1));
  T(cudaDeviceCanAccessPeer(&value, -1, 0));
  T(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 0));
  T(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 1));
  T(cudaDeviceGetP2PAttribute(&value, (cudaDeviceP2PAttr)99, 0, 0));
  T(cudaDeviceGetP2PAttribute(nullptr, cudaDevP2PAttrAccessSupported, 0, 0));
  T(cudaDeviceEnablePeerAccess(0, 0));
  T(cudaDeviceEnablePeerAccess(1, 0));
  T(cudaDeviceEnablePeerAccess(0, 1));
  T(cudaDeviceEnablePeerAccess(-1, 0));
  T(cudaDeviceDisablePeerAccess(0));
  T(cudaDeviceDisablePeerAccess(1));
  T(cudaGetDeviceFlags((unsigned*)nullptr));
  T(cudaGetDeviceFlags(&flags));
  V(flags);
  T(cudaSetDeviceFlags(7));
  T(cudaSetDeviceFlags(3));
  T(cudaSetDeviceFlags(1 << 20));
  T(cudaSetDeviceFlags(cudaDeviceScheduleYield));
  T(cudaGetDeviceFlags(&flags));
  V(flags);
  T(cudaDeviceGetStreamPriorityRange(nullptr, nullptr));
  T(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  V(least);
  V(greatest);
  cudaFuncCache config{};
  T(cudaDeviceGetCacheConfig((cudaFuncCache*)nullptr));
  T(cudaDeviceSetCacheConfig((cudaFuncCache)9));
  T(cudaDeviceGetCacheConfig(&config));
  V(config);
  cudaSharedMemConfig banks{};
  T(cudaDeviceGetSharedMemConfig((cudaSharedMemConfig*)nullptr));
  T(cudaDeviceGetSharedMemConfig(&banks));
  V(banks);
  T(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte));
  T(cudaDeviceSetSharedMemConfig((cudaSharedMemConfig)9));
  T(cudaDeviceGetSharedMemConfig(&banks));
  V(banks);
  size_t limit = 0;
  T(cudaDeviceGetLimit((size_t*)nullptr, cudaLimitStackSize));
  T(cudaDeviceGetLimit(&limit, (cudaLimit)99));
  T(cudaDeviceGetLimit(&limit, (cudaLimit)-1));
  T(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, 1000));
  T(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 99));
  T(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 2));
  T(cudaDeviceGetLimit(&limit, cudaLimitDevRuntimeSyncDepth));
  T(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, 128));
  T(cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, 100));
  T(cudaDeviceGetLimit(&limit, cudaLimitMaxL2FetchGranularity));
  V(limit);
  T(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, (size_t)1 << 34));
  T(cudaDeviceGetLimit(&limit, cudaLimitPersistingL2CacheSize));
  V(limit);
  T(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, 0));
  T(cudaCtxResetPersistingL2Cache());
  T(cudaDeviceSynchronize());
  T(cudaDeviceReset());
  T(cudaDeviceReset());
}

static void last_errors() {
  cudaEvent_t event = nullptr;
  int* d = nullptr;
  cudaEventCreate(&event);
  T(cudaPeekAtLastError());
  (void)cudaMalloc((void**)nullptr, 4);
  (void)cudaDeviceSynchronize();
  T(cudaPeekAtLastError());
  (void)cudaMalloc((void**)nullptr, 4);
  (void)cudaSetDevice(17);
  T(cudaPeekAtLastError());
  (void)cudaSetDevice(17);
  (void)cudaMalloc(&d, 4);
  T(cudaGetLastError());
  T(cudaGetLastError());
  (void)cudaSetDevice(17);
  (void)cudaDeviceReset();
  T(cudaGetLastError());
  (void)cudaSetDevice(17);
  V(cudaGetErrorName(cudaSuccess) != nullptr);
  T(cudaGetLastError());
  none<<<0, 1>>>();
  (void)cudaDeviceSynchronize();
  T(cudaGetLastError());
  (void)cudaFuncSetAttribute((const void*)none, (cudaFuncAttribute)77, 1);
  none<<<1, 1>>>();
  T(cudaGetLastError());
  T(cudaGetErrorName((cudaError_t)12345)[0] == 'u' ? cudaSuccess : cudaErrorUnknown);
}

static void after_a_fault() {
  int *d = nullptr, *h = nullptr, n = 0;
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  cudaDeviceProp is{};
  cudaPointerAttributes at{};
  unsigned flags = 0;
  cudaMalloc(&d, 4);
  cudaMallocHost(&h, 4);
  cudaStreamCreate(&stream);
  cudaEventCreate(&event);
  wild<<<1, 1>>>((int*)16);
  T(cudaDeviceSynchronize());
  T(cudaDeviceSynchronize());
  T(cudaGetLastError());
  T(cudaPeekAtLastError());
  T(cudaMalloc(&d, 4));
  T(cudaFree(d));
  T(cudaFree(nullptr));
  T(cudaMallocHost((void**)&h, 4));
  T(cudaFreeHost(h));
  T(cudaMemcpy(h, d, 4, cudaMemcpyDeviceToHost));
  T(cudaMemcpy(h, d, 0, cudaMemcpyDeviceToHost));
  T(cudaMemset(d, 0, 4));
  T(cudaStreamCreate(&stream));
  T(cudaStreamQuery(stream));
  T(cudaStreamSynchronize(stream));
  T(cudaStreamGetFlags(stream, &flags));
  T(cudaStreamDestroy(stream));
  T(cudaEventCreate(&event));
  T(cudaEventRecord(event));
  T(cudaEventQuery(event));
  T(cudaEventSynchronize(event));
  T(cudaEventDestroy(event));
  T(cudaGetDeviceCount(&n));
  T(cudaGetDevice(&n));
  T(cudaSetDevice(0));
  T(cudaSetDevice(7));
  T(cudaGetDeviceProperties(&is, 0));
  T(cudaDeviceGetAttribute(&n, cudaDevAttrWarpSize, 0));
  T(cudaDriverGetVersion(&n));
  T(cudaRuntimeGetVersion(&n));
  T(cudaPointerGetAttributes(&at, d));
  T(cudaFuncSetCacheConfig((const void*)none, cudaFuncCachePreferL1));
  T(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, (const void*)none, 32, 0));
  T(cudaLaunchKernel((void*)none, dim3(1), dim3(32), nullptr, 0, 0));
  T(cudaLaunchKernel((void*)none, dim3(0), dim3(32), nullptr, 0, 0));
  T(cudaDeviceCanAccessPeer(&n, 0, 0));
  T(cudaDeviceSetLimit(cudaLimitStackSize, 2048));
  T(cudaGetDeviceFlags(&flags));
  T(cudaDeviceReset());
  T(cudaGetLastError());
  T(cudaDeviceSynchronize());
  T(cudaMalloc(&d, 4));
}

static void handles_after_a_fault() {
  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  unsigned flags = 0;
  float ms = 0;
  cudaStreamCreate(&stream), cudaEventCreate(&event), cudaEventRecord(event, stream);
  wild<<<1, 1, 0, stream>>>((int*)16);
  T(cudaStreamSynchronize(stream));
  T(cudaStreamQuery(stream));
  T(cudaStreamGetFlags(stream, &flags));
  T(cudaEventElapsedTime(&ms, event, event));
  T(cudaStreamWaitEvent(stream, event, 0));
  T(cudaLaunchHostFunc(stream, callback, nullptr));
  T(cudaMemsetAsync(&flags, 0, 4, stream));
  T(cudaStreamDestroy(stream));
}

static void faulty_launch_is_told_late() {
  wild<<<1, 1>>>((int*)16);
  usleep(300000);
  T(cudaGetLastError());
  T(cudaStreamQuery(0));
  T(cudaGetLastError());
}

static void names() {
  for (int code = -1; code < 1010; ++code) {
    const char *name = cudaGetErrorName((cudaError_t)code), *text = cudaGetErrorString((cudaError_t)code);
    if (strcmp(name, "unrecognized error code") != 0 || code == 500000) std::printf("  %d %s: %s\n", code, name, text);
  }
  std::printf("  %s %s\n", cudaGetErrorName((cudaError_t)5), cudaGetErrorString((cudaError_t)5));
}

static void entry_points() {
  void* at = nullptr;
  cudaDriverEntryPointQueryResult found{};
  T(cudaGetDriverEntryPointByVersion("cuMemAlloc", &at, 12000, 0, &found));
  V(found);
  T(cudaGetDriverEntryPointByVersion("cuNothing", &at, 12000, 0, &found));
  V(found);
  V(at == nullptr);
  T(cudaGetDriverEntryPointByVersion("cuMemAlloc", &at, 1000, 0, &found));
  V(found);
  T(cudaGetDriverEntryPointByVersion("cuMemAlloc", &at, 99000, 0, &found));
  V(found);
  T(cudaGetDriverEntryPointByVersion(nullptr, &at, 12000, 0, &found));
  T(cudaGetDriverEntryPointByVersion("cuMemAlloc", nullptr, 12000, 0, &found));
  T(cudaGetDriverEntryPointByVersion("cuMemAlloc", &at, 12000, 77, &found));
  T(cudaGetDriverEntryPointByVersion("cuMemAlloc", &at, 12000, 0, nullptr));
  T(cudaGetDriverEntryPointByVersion("", &at, 12000, 0, &found));
}

static void libraries() {
  cudaLibrary_t library = nullptr;
  cudaKernel_t kernel = nullptr;
  unsigned count = 0;
  void* at = nullptr;
  size_t bytes = 0;
  const char* good = ".version 8.0\n.target sm_90\n.address_size 64\n.visible .global .align 4 .u32 v;\n.visible .entry k() { ret; }\n";
  T(cudaLibraryLoadData(nullptr, good, nullptr, nullptr, 0, nullptr, nullptr, 0));
  T(cudaLibraryLoadData(&library, nullptr, nullptr, nullptr, 0, nullptr, nullptr, 0));
  T(cudaLibraryLoadFromFile(&library, "/nonexistent.ptx", nullptr, nullptr, 0, nullptr, nullptr, 0));
  T(cudaLibraryLoadFromFile(&library, nullptr, nullptr, nullptr, 0, nullptr, nullptr, 0));
  T(cudaLibraryLoadData(&library, good, nullptr, nullptr, 0, nullptr, nullptr, 0));
  T(cudaLibraryGetKernel(&kernel, library, "no"));
  T(cudaLibraryGetKernel(&kernel, library, nullptr));
  T(cudaLibraryGetKernel(nullptr, library, "k"));
  T(cudaLibraryGetKernel(&kernel, nullptr, "k"));
  T(cudaLibraryGetKernel(&kernel, library, "k"));
  T(cudaLibraryGetGlobal(&at, &bytes, library, "no"));
  T(cudaLibraryGetGlobal(nullptr, &bytes, library, "v"));
  T(cudaLibraryGetGlobal(&at, nullptr, library, "v"));
  T(cudaLibraryGetGlobal(&at, &bytes, library, nullptr));
  T(cudaLibraryGetManaged(&at, &bytes, library, "v"));
  T(cudaLibraryGetKernelCount(&count, library));
  V(count);
  T(cudaLibraryGetKernelCount(nullptr, library));
  T(cudaLibraryEnumerateKernels(nullptr, 1, library));
  T(cudaLibraryEnumerateKernels(&kernel, 0, library));
  T(cudaLibraryEnumerateKernels(&kernel, 5, library));
  T(cudaLibraryUnload(nullptr));
  T(cudaLibraryUnload(library));
}

int main() {
  group("devices", devices);
  group("last errors", last_errors);
  group("after a fault", after_a_fault);
  group("streams and events after a fault", handles_after_a_fault);
  group("a faulty launch is told late", faulty_launch_is_told_late);
  group("names of codes", names);
  group("entry points of the driver", entry_points);
  group("libraries", libraries);
}
