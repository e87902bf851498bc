// What the runtime API answers about kernels, launches and occupancy when the arguments are wrong or borderline. See
// answers_memory.cu.
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
static int not_a_kernel() { return 1; }
static void callback(void*) {}
static void CUDART_CB told(cudaStream_t, cudaError_t, void*) {}

static void functions() {
  cudaFuncAttributes is{};
  int blocks = 0, size = 0;
  size_t bytes = 0, offset = 0;
  const char* name = nullptr;
  const void* plain = (const void*)not_a_kernel;
  T(cudaFuncGetAttributes((cudaFuncAttributes*)nullptr, (const void*)none));
  T(cudaFuncGetAttributes(&is, plain));
  T(cudaFuncGetAttributes(&is, (const void*)nullptr));
  T(cudaFuncGetAttributes(&is, (const void*)"none"));
  T(cudaFuncGetAttributes(&is, (const void*)bounded));
  V(is.maxThreadsPerBlock);
  T(cudaFuncSetAttribute((const void*)none, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448));
  T(cudaFuncSetAttribute((const void*)none, cudaFuncAttributeMaxDynamicSharedMemorySize, 232449));
  T(cudaFuncSetAttribute((const void*)none, cudaFuncAttributeMaxDynamicSharedMemorySize, -1));
  T(cudaFuncSetAttribute((const void*)none, cudaFuncAttributeMaxDynamicSharedMemorySize, 0));
  T(cudaFuncSetAttribute((const void*)shared_of_32k, cudaFuncAttributeMaxDynamicSharedMemorySize, 199680));
  T(cudaFuncSetAttribute((const void*)shared_of_32k, cudaFuncAttributeMaxDynamicSharedMemorySize, 199681));
  T(cudaFuncSetAttribute((const void*)none, cudaFuncAttributePreferredSharedMemoryCarveout, 101));
  T(cudaFuncSetAttribute((const void*)none, cudaFuncAttributePreferredSharedMemoryCarveout, -1));
  T(cudaFuncSetAttribute((const void*)none, cudaFuncAttributePreferredSharedMemoryCarveout, -2));
  T(cudaFuncSetAttribute((const void*)none, cudaFuncAttributePreferredSharedMemoryCarveout, 50));
  T(cudaFuncSetAttribute((const void*)none, (cudaFuncAttribute)0, 1));
  T(cudaFuncSetAttribute((const void*)none, (cudaFuncAttribute)77, 1));
  T(cudaFuncSetAttribute((const void*)none, cudaFuncAttributeNonPortableClusterSizeAllowed, 2));
  T(cudaFuncSetAttribute((const void*)none, cudaFuncAttributeNonPortableClusterSizeAllowed, 0));
  T(cudaFuncSetAttribute((const void*)wild, cudaFuncAttributeRequiredClusterWidth, 0));
  T(cudaFuncSetAttribute((const void*)wild, cudaFuncAttributeRequiredClusterWidth, -1));
  T(cudaFuncSetAttribute((const void*)wild, cudaFuncAttributeRequiredClusterWidth, 2));
  T(cudaFuncSetAttribute((const void*)in_pairs, cudaFuncAttributeRequiredClusterWidth, 0));
  T(cudaFuncSetAttribute((const void*)in_pairs, cudaFuncAttributeRequiredClusterWidth, 2));
  T(cudaFuncSetAttribute((const void*)none, cudaFuncAttributeClusterDimMustBeSet, 1));
  T(cudaFuncSetAttribute((const void*)none, cudaFuncAttributeClusterSchedulingPolicyPreference, 1));
  T(cudaFuncSetAttribute((const void*)none, cudaFuncAttributeClusterSchedulingPolicyPreference, 9));
  T(cudaFuncSetAttribute(plain, cudaFuncAttributeMaxDynamicSharedMemorySize, 1));
  T(cudaFuncSetCacheConfig((const void*)none, (cudaFuncCache)9));
  T(cudaFuncSetCacheConfig((const void*)none, cudaFuncCachePreferL1));
  T(cudaFuncSetCacheConfig(plain, cudaFuncCachePreferL1));
  T(cudaFuncSetSharedMemConfig((const void*)none, (cudaSharedMemConfig)9));
  T(cudaFuncSetSharedMemConfig(plain, cudaSharedMemBankSizeDefault));
  T(cudaFuncGetName(nullptr, (const void*)none));
  T(cudaFuncGetName(&name, plain));
  T(cudaFuncGetName(&name, (const void*)nullptr));
  T(cudaFuncGetName(&name, (const void*)none));
  T(cudaFuncGetParamInfo((const void*)three, 0, nullptr, nullptr));
  T(cudaFuncGetParamInfo((const void*)three, 0, &offset, nullptr));
  T(cudaFuncGetParamInfo((const void*)three, 0, nullptr, &bytes));
  T(cudaFuncGetParamInfo((const void*)three, 2, &offset, &bytes));
  V(offset);
  V(bytes);
  T(cudaFuncGetParamInfo((const void*)three, 3, &offset, &bytes));
  T(cudaFuncGetParamInfo(plain, 0, &offset, &bytes));
  cudaFunction_t function = nullptr;
  cudaKernel_t kernel = nullptr;
  T(cudaGetFuncBySymbol(nullptr, (const void*)none));
  T(cudaGetFuncBySymbol(&function, plain));
  T(cudaGetFuncBySymbol(&function, (const void*)nullptr));
  T(cudaGetKernel(&kernel, plain));
  T(cudaGetKernel(&kernel, (const void*)nullptr));
  T(cudaGetKernel(&kernel, (const void*)none));
  T(cudaKernelSetAttributeForDevice(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536, 1));
  T(cudaKernelSetAttributeForDevice(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536, 0));
  T(cudaOccupancyMaxActiveBlocksPerMultiprocessor(nullptr, (const void*)none, 128, 0));
  T(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void*)none, 0, 0));
  T(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void*)none, -5, 0));
  T(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void*)none, 1025, 0));
  V(blocks);
  T(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void*)none, 100000, 0));
  V(blocks);
  T(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void*)bounded, 256, 0));
  V(blocks);
  T(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void*)none, 128, 1 << 20));
  V(blocks);
  T(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void*)none, 1, 0));
  V(blocks);
  T(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void*)none, 33, 100000));
  V(blocks);
  T(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void*)three, 33, 49152));
  V(blocks);
  T(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void*)three, 33, 49153));
  V(blocks);
  T(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void*)shared_of_32k, 32, 0));
  V(blocks);
  T(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 128, 0));
  T(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, (const void*)none, 128, 0, 5));
  T(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, (const void*)none, 128, 0, 1));
  T(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, (const void*)none, 1, 128));
  V(bytes);
  T(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, (const void*)none, 0, 128));
  T(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, (const void*)none, 100, 128));
  V(bytes);
  T(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, (const void*)none, 1, 0));
  T(cudaOccupancyAvailableDynamicSMemPerBlock(nullptr, (const void*)none, 1, 128));
  cudaLaunchConfig_t config{};
  cudaLaunchAttribute attributes[2]{};
  config.gridDim = 8, config.blockDim = 128;
  T(cudaOccupancyMaxPotentialClusterSize(nullptr, (const void*)none, &config));
  T(cudaOccupancyMaxPotentialClusterSize(&size, (const void*)none, nullptr));
  T(cudaOccupancyMaxPotentialClusterSize(&size, plain, &config));
  T(cudaOccupancyMaxPotentialClusterSize(&size, (const void*)none, &config));
  V(size);
  config.blockDim = 2000;
  T(cudaOccupancyMaxPotentialClusterSize(&size, (const void*)none, &config));
  config.blockDim = 128;
  T(cudaOccupancyMaxActiveClusters(&size, (const void*)none, &config));
  attributes[0].id = cudaLaunchAttributeClusterDimension;
  attributes[0].val.clusterDim.x = 3, attributes[0].val.clusterDim.y = 1, attributes[0].val.clusterDim.z = 1;
  config.attrs = attributes, config.numAttrs = 1;
  T(cudaOccupancyMaxActiveClusters(&size, (const void*)none, &config));
  attributes[0].val.clusterDim.x = 16;
  T(cudaOccupancyMaxActiveClusters(&size, (const void*)none, &config));
  attributes[0].val.clusterDim.x = 0;
  T(cudaOccupancyMaxActiveClusters(&size, (const void*)none, &config));
  T(cudaOccupancyMaxActiveClusters(nullptr, (const void*)none, &config));
  attributes[0].val.clusterDim.x = 2;
  T(cudaOccupancyMaxActiveClusters(&size, plain, &config));
}

static void launches() {
  int* d = nullptr;
  int one = 1, two = 2;
  cudaMalloc(&d, 64);
  void* good[] = {&d, &one, &two};
  void* null_in[] = {&d, nullptr, &two};
  T(cudaLaunchKernel((void*)three, dim3(1), dim3(32), nullptr, 0, 0));
  T(cudaLaunchKernel((void*)three, dim3(1), dim3(32), null_in, 0, 0));
  T(cudaLaunchKernel((void*)not_a_kernel, dim3(1), dim3(32), good, 0, 0));
  T(cudaLaunchKernel((void*)nullptr, dim3(1), dim3(32), good, 0, 0));
  T(cudaLaunchKernel((void*)three, dim3(0), dim3(32), good, 0, 0));
  T(cudaLaunchKernel((void*)three, dim3(1, 0, 1), dim3(32), good, 0, 0));
  T(cudaLaunchKernel((void*)three, dim3(1), dim3(0), good, 0, 0));
  T(cudaLaunchKernel((void*)three, dim3(1), dim3(1025), good, 0, 0));
  T(cudaLaunchKernel((void*)three, dim3(1), dim3(32, 33), good, 0, 0));
  T(cudaLaunchKernel((void*)three, dim3(1), dim3(1, 1, 65), good, 0, 0));
  T(cudaLaunchKernel((void*)three, dim3(1, 65536), dim3(32), good, 0, 0));
  T(cudaLaunchKernel((void*)three, dim3(1, 1, 65536), dim3(32), good, 0, 0));
  T(cudaLaunchKernel((void*)three, dim3(0x80000000u), dim3(32), good, 0, 0));
  T(cudaLaunchKernel((void*)three, dim3(1), dim3(32), good, 49152, 0));
  T(cudaLaunchKernel((void*)three, dim3(1), dim3(32), good, 49153, 0));
  T(cudaLaunchKernel((void*)three, dim3(1), dim3(32), good, (size_t)1 << 40, 0));
  T(cudaLaunchKernel((void*)shared_of_32k, dim3(1), dim3(32), good, 16384, 0));
  T(cudaLaunchKernel((void*)shared_of_32k, dim3(1), dim3(32), good, 16385, 0));
  T(cudaLaunchKernel((void*)bounded, dim3(1), dim3(129), nullptr, 0, 0));
  T(cudaLaunchKernel((void*)none, dim3(1), dim3(32), nullptr, 0, (cudaStream_t)3));
  T(cudaLaunchKernel((void*)none, dim3(1), dim3(32), nullptr, 0, cudaStreamLegacy));
  T(cudaLaunchKernel((void*)none, dim3(1), dim3(32), nullptr, 0, cudaStreamPerThread));
  T(cudaLaunchKernel((void*)in_pairs, dim3(3), dim3(32), nullptr, 0, 0));
  T(cudaLaunchKernel((void*)in_pairs, dim3(4), dim3(32), nullptr, 0, 0));
  T(cudaLaunchCooperativeKernel((void*)none, dim3(1000000), dim3(1024), nullptr, 0, 0));
  T(cudaLaunchCooperativeKernel((void*)none, dim3(0), dim3(32), nullptr, 0, 0));
  T(cudaLaunchCooperativeKernel((void*)none, dim3(1), dim3(2048), nullptr, 0, 0));
  T(cudaLaunchCooperativeKernel((void*)not_a_kernel, dim3(1), dim3(32), nullptr, 0, 0));
  T(cudaLaunchCooperativeKernel((void*)none, dim3(2), dim3(32), nullptr, 0, 0));
  cudaLaunchConfig_t config{};
  cudaLaunchAttribute at[2]{};
  config.gridDim = 4, config.blockDim = 32, config.attrs = at, config.numAttrs = 1;
  T(cudaLaunchKernelExC(nullptr, (void*)none, nullptr));
  at[0].id = cudaLaunchAttributeClusterDimension;
  at[0].val.clusterDim.x = 3, at[0].val.clusterDim.y = at[0].val.clusterDim.z = 1;
  T(cudaLaunchKernelExC(&config, (void*)none, nullptr));
  at[0].val.clusterDim.x = 2;
  T(cudaLaunchKernelExC(&config, (void*)none, nullptr));
  at[0].val.clusterDim.x = 0;
  T(cudaLaunchKernelExC(&config, (void*)none, nullptr));
  at[0].val.clusterDim.x = 4;
  T(cudaLaunchKernelExC(&config, (void*)in_pairs, nullptr));
  config.gridDim = 16, at[0].val.clusterDim.x = 16;
  T(cudaLaunchKernelExC(&config, (void*)none, nullptr));
  config.gridDim = 32, at[0].val.clusterDim.x = 32;
  T(cudaLaunchKernelExC(&config, (void*)none, nullptr));
  config.gridDim = 4;
  at[0] = {}, at[0].id = (cudaLaunchAttributeID)99;
  T(cudaLaunchKernelExC(&config, (void*)none, nullptr));
  at[0] = {}, at[0].id = cudaLaunchAttributeIgnore;
  T(cudaLaunchKernelExC(&config, (void*)none, nullptr));
  at[0] = {}, at[0].id = cudaLaunchAttributePriority, at[0].val.priority = 77;
  T(cudaLaunchKernelExC(&config, (void*)none, nullptr));
  at[0] = {}, at[0].id = cudaLaunchAttributeCooperative, at[0].val.cooperative = 1;
  config.gridDim = 1000000;
  T(cudaLaunchKernelExC(&config, (void*)none, nullptr));
  config.gridDim = 1, config.attrs = nullptr;
  T(cudaLaunchKernelExC(&config, (void*)none, nullptr));
  config.attrs = at, config.numAttrs = 0;
  T(cudaLaunchKernelExC(&config, (void*)not_a_kernel, nullptr));
  T(cudaLaunchHostFunc(0, nullptr, nullptr));
  T(cudaLaunchHostFunc((cudaStream_t)3, callback, nullptr));
  T(cudaLaunchHostFunc(0, callback, nullptr));
  T(cudaStreamAddCallback(0, nullptr, nullptr, 0));
  T(cudaStreamAddCallback(0, told, nullptr, 1));
  T(cudaStreamAddCallback((cudaStream_t)3, told, nullptr, 0));
  T(cudaDeviceSynchronize());
}

int main() {
  group("functions and occupancy", functions);
  group("launches", launches);
}
