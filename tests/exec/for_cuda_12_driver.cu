// Calls of the driver API as before CUDA 13: cuCtxCreate() of three arguments, and the number of a device as a place.
#include <cstdio>
#include <cuda.h>

int main() {
  cuInit(0);
  CUdevice device;
  cuDeviceGet(&device, 0);
  CUcontext first, second;
  unsigned int flags = CU_CTX_SCHED_BLOCKING_SYNC, kept = 0;
  const CUresult plain = cuCtxCreate(&first, 0, device), with_flags = cuCtxCreate(&second, flags, device);
  std::printf("%d %d\n", plain, with_flags);
  CUdeviceptr memory;
  cuMemAllocManaged(&memory, 4096, CU_MEM_ATTACH_GLOBAL);
  const CUresult advised = cuMemAdvise(memory, 4096, CU_MEM_ADVISE_SET_READ_MOSTLY, device);
  const CUresult there = cuMemPrefetchAsync(memory, 4096, device, 0);
  const CUresult back = cuMemPrefetchAsync(memory, 4096, CU_DEVICE_CPU, 0);
  std::printf("%d %d %d\n", advised, there, back);
  cuCtxGetFlags(&kept);
  std::printf("%u\n", kept & CU_CTX_SCHED_MASK);
}
