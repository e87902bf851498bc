// Advice about managed memory, and launches as before CUDA 4. The output must be the same on a GPU, built with
// `nvcc advice_and_old_launches.cu -lcuda`, and under `lanescope exec --nvcc=-lcuda advice_and_old_launches.cu`.
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <cuda.h>
#include <cuda_runtime.h>

void tell(const char* what, cudaError_t error) {
  std::printf("%s: %s\n", what, cudaGetErrorName(error));
}
void tell(const char* what, CUresult error) {
  const char* name = "";
  cuGetErrorName(error, &name);
  std::printf("%s: %s\n", what, name);
}

constexpr cudaMemRangeAttribute attributes[] = {
    cudaMemRangeAttributeReadMostly,           cudaMemRangeAttributePreferredLocation,
    cudaMemRangeAttributeLastPrefetchLocation, cudaMemRangeAttributePreferredLocationType,
    cudaMemRangeAttributePreferredLocationId,  cudaMemRangeAttributeLastPrefetchLocationType,
    cudaMemRangeAttributeLastPrefetchLocationId};

void tell_range(const char* when, const char* at, size_t bytes) {
  std::printf("%s:", when);
  for (const cudaMemRangeAttribute which : attributes) {
    int value = 99;
    const cudaError_t error = cudaMemRangeGetAttribute(&value, sizeof value, which, at, bytes);
    std::printf(" %d", error == cudaSuccess ? value : 1000 + static_cast<int>(error));
  }
  int users[3] = {99, 99, 99};
  const cudaError_t error = cudaMemRangeGetAttribute(users, sizeof users, cudaMemRangeAttributeAccessedBy, at, bytes);
  std::printf(", used by %d %d %d (%s)\n", users[0], users[1], users[2], cudaGetErrorName(error));
}

void advice() {
  constexpr size_t bytes = 8 << 20, half = bytes / 2;
  char* memory = nullptr;
  cudaMallocManaged(&memory, bytes);
  const cudaMemLocation device{cudaMemLocationTypeDevice, 0}, host{cudaMemLocationTypeHost, 0};
  tell_range("at first", memory, bytes);
  tell("mostly read", cudaMemAdvise(memory, half, cudaMemAdviseSetReadMostly, device));
  tell_range("the half", memory, half);
  tell_range("all", memory, bytes);
  tell("preferred on the device", cudaMemAdvise(memory, bytes, cudaMemAdviseSetPreferredLocation, device));
  tell("used by the device", cudaMemAdvise(memory, bytes, cudaMemAdviseSetAccessedBy, device));
  tell("used by the host", cudaMemAdvise(memory, half, cudaMemAdviseSetAccessedBy, host));
  tell_range("the half", memory, half);
  tell_range("all", memory, bytes);
  tell("preferred on the host", cudaMemAdvise(memory + half, half, cudaMemAdviseSetPreferredLocation, host));
  tell_range("the other half", memory + half, half);
  tell_range("all", memory, bytes);
  tell("no longer mostly read", cudaMemAdvise(memory, half, cudaMemAdviseUnsetReadMostly, device));
  tell("no longer preferred", cudaMemAdvise(memory, bytes, cudaMemAdviseUnsetPreferredLocation, device));
  tell("no longer used by the device", cudaMemAdvise(memory, bytes, cudaMemAdviseUnsetAccessedBy, device));
  tell_range("the half", memory, half);
  tell("prefetch to the device", cudaMemPrefetchAsync(memory, bytes, device, 0, nullptr));
  tell("wait", cudaDeviceSynchronize());
  tell_range("all", memory, bytes);
  tell("prefetch to the host", cudaMemPrefetchAsync(memory, half, host, 0, nullptr));
  tell("wait", cudaDeviceSynchronize());
  tell_range("the half", memory, half);
  tell_range("all", memory, bytes);
  int value = 0, more[2];
  void* to[] = {&value, more};
  size_t sizes[] = {sizeof value, sizeof more};
  cudaMemRangeAttribute which[] = {cudaMemRangeAttributeReadMostly, cudaMemRangeAttributeAccessedBy};
  tell("two at once", cudaMemRangeGetAttributes(to, sizes, which, 2, memory, half));
  std::printf("%d, %d %d\n", value, more[0], more[1]);
  tell("of a wrong size", cudaMemRangeGetAttribute(more, sizeof more, cudaMemRangeAttributeReadMostly, memory, half));
  void* plain = nullptr;
  cudaMalloc(&plain, 4096);
  tell("of device memory", cudaMemRangeGetAttribute(&value, sizeof value, cudaMemRangeAttributeReadMostly, plain, 4096));
  tell("past the end", cudaMemAdvise(memory, bytes + 4096, cudaMemAdviseSetReadMostly, device));
  tell("nothing", cudaMemAdvise(memory, 0, cudaMemAdviseSetReadMostly, device));
  const cudaMemLocation ninth{cudaMemLocationTypeDevice, 9};
  tell("another device", cudaMemAdvise(memory, half, cudaMemAdviseSetPreferredLocation, ninth));
  tell("prefetch to another device", cudaMemPrefetchAsync(memory, half, ninth, 0, nullptr));
  tell("no such advice", cudaMemAdvise(memory, half, static_cast<cudaMemoryAdvise>(40), device));
  cudaFree(memory), cudaFree(plain);
}

const char* const text = R"(.version 7.0
.target sm_70
.address_size 64
.extern .shared .align 4 .b8 room[];
.visible .entry scale(.param .u64 to, .param .f32 by, .param .u32 add)
{
  .reg .b32 %r<8>; .reg .f32 %f<4>; .reg .b64 %d<4>;
  ld.param.u64 %d1, [to]; ld.param.f32 %f1, [by]; ld.param.u32 %r1, [add];
  mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x;
  mad.lo.u32 %r5, %r2, %r3, %r4; add.u32 %r6, %r5, %r1;
  mov.u32 %r7, %dynamic_smem_size; add.u32 %r6, %r6, %r7;
  cvt.rn.f32.u32 %f2, %r6; mul.f32 %f2, %f2, %f1;
  mul.wide.u32 %d2, %r5, 4; add.u64 %d1, %d1, %d2; st.global.f32 [%d1], %f2;
  ret;
})";

void old_launches() {
  CUmodule module;
  CUfunction scale;
  tell("load", cuModuleLoadData(&module, text));
  tell("function", cuModuleGetFunction(&scale, module, "scale"));
  float* results = nullptr;
  cudaMallocManaged(&results, 64 * sizeof(float));
  std::memset(results, 0, 64 * sizeof(float));
  tell("block", cuFuncSetBlockShape(scale, 8, 1, 1));
  tell("no block", cuFuncSetBlockShape(scale, 0, 1, 1));
  tell("shared memory", cuFuncSetSharedSize(scale, 64));
  tell("pointer", cuParamSetv(scale, 0, &results, sizeof results));
  tell("float", cuParamSetf(scale, 8, 0.5f));
  tell("integer", cuParamSeti(scale, 12, 100));
  tell("size", cuParamSetSize(scale, 16));
  tell("launch", cuLaunchGrid(scale, 2, 1));
  tell("wait", cuCtxSynchronize());
  for (int i = 0; i < 18; ++i) std::printf("%g ", results[i]);
  tell("\nanother integer", cuParamSeti(scale, 12, 0));
  tell("one block", cuLaunch(scale));
  tell("wait", cuCtxSynchronize());
  for (int i = 0; i < 18; ++i) std::printf("%g ", results[i]);
  tell("\nno grid", cuLaunchGrid(scale, 0, 1));
  CUsharedconfig banks;
  tell("banks", cuCtxGetSharedMemConfig(&banks));
  std::printf("%d\n", static_cast<int>(banks));
  tell("other banks", cuCtxSetSharedMemConfig(CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE));
  tell("banks", cuCtxGetSharedMemConfig(&banks));
  std::printf("%d\n", static_cast<int>(banks));
  tell("of a function", cuFuncSetSharedMemConfig(scale, CU_SHARED_MEM_CONFIG_EIGHT_BYTE_BANK_SIZE));
  cudaFree(results);
}

int main() {
  advice();
  old_launches();
}
