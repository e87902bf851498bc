// A wgmma is one operation of four warps: a warp that has waited for it may overwrite the matrices that the others read.
// The program runs on a GPU and in the interpreter. warpgroup_together.out holds what an H200 printed
// (driver 580.159.04).
//   nvcc -std=c++17 -arch=sm_90a -o build/together tests/exec/warpgroup_together.cu && build/together
//
// One warp reaches the product late. Another one waits for it, and then overwrites B.

#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <vector>

__device__ uint64_t descriptor(const void* matrix) {  // rows of 16 bytes, not swizzled
  return static_cast<uint64_t>(__cvta_generic_to_shared(matrix)) >> 4 | uint64_t{128 >> 4} << 16 | uint64_t{256 >> 4} << 32;
}

__global__ void product(float* sums, int late) {
  __shared__ __align__(128) __half a[64 * 16], b[8 * 16];
  for (int i = threadIdx.x; i < 64 * 16; i += 128) a[i] = 1;
  if (threadIdx.x < 128) b[threadIdx.x] = 1;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  const uint64_t of_a = descriptor(a), of_b = descriptor(b);
  if (threadIdx.x / 32 == late)
    for (int i = 0; i < 20; ++i) __nanosleep(1000);
  float d0 = 0, d1 = 0, d2 = 0, d3 = 0;
  asm volatile(
      "wgmma.fence.sync.aligned;\n"
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0,%1,%2,%3}, %4, %5, 1, 1, 1, 0, 0;\n"
      "wgmma.commit_group.sync.aligned;\n"
      "wgmma.wait_group.sync.aligned 0;\n"
      : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3)
      : "l"(of_a), "l"(of_b)
      : "memory");
  if (threadIdx.x / 32 == (late + 1) % 4)
    for (int i = threadIdx.x % 32; i < 128; i += 32) b[i] = 2;
  float* const to = sums + (blockIdx.x * 128 + threadIdx.x) * 4;
  to[0] = d0, to[1] = d1, to[2] = d2, to[3] = d3;
}

int main() {
  constexpr int blocks = 64;
  std::vector<float> sums(blocks * 128 * 4);
  float* on_device = nullptr;
  cudaMalloc(&on_device, sums.size() * sizeof(float));
  bool all_right = true;
  for (int late = 0; late < 4; ++late) {
    product<<<blocks, 128>>>(on_device, late);
    const cudaError_t error = cudaMemcpy(sums.data(), on_device, sums.size() * sizeof(float), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (const float sum : sums) wrong += sum != 16;
    std::printf("warp %d late: %s, %d of %zu sums wrong\n", late, cudaGetErrorString(error), wrong, sums.size());
    all_right = all_right && error == cudaSuccess && wrong == 0;
  }
  cudaFree(on_device);
  return all_right ? 0 : 1;
}
