#include "compile/nvcc/cuda_12_names.h"

#include "core/text.h"

namespace lanescope::compile {

namespace {

// As NVRTC and nvcc write them.
constexpr std::string_view told_of[] = {
    "\"cudaDeviceProp\" has no member \"clockRate\"",
    "\"cudaDeviceProp\" has no member \"memoryClockRate\"",
    "\"cudaDeviceProp\" has no member \"computeMode\"",
    "\"cudaDeviceProp\" has no member \"deviceOverlap\"",
    "\"cudaDeviceProp\" has no member \"kernelExecTimeoutEnabled\"",
    "\"cudaDeviceProp\" has no member \"maxTexture1DLinear\"",
    "\"cudaDeviceProp\" has no member \"singleToDoublePrecisionPerfRatio\"",
    "\"cudaDeviceProp\" has no member \"cooperativeMultiDeviceLaunch\"",
    "to \"cudaMemLocation\"",
    "to \"CUmemLocation_st\"",
    "cuCtxCreate_v4(",  // in the line that the compiler shows: cuda.h gives the call this name
    "has no member class \"unary_function\"",
    "has no member class \"binary_function\"",
    "\"cub\" has no member \"Sum\"",
    "\"cub\" has no member \"Max\"",
    "\"cub\" has no member \"Min\"",
};

constexpr std::string_view header = R"(#pragma once
#ifdef __cplusplus
)"
                                    "#include <cuda_runtime.h>\n"
                                    "#include <cuda.h>\n"
                                    // The parts of <cuda/functional> for cub::Sum and its like: CUB scans sums in
                                    // another way than operators that it does not know. All of it takes seconds.
                                    "#include <cuda/__functional/maximum.h>\n"
                                    "#include <cuda/__functional/minimum.h>\n"
                                    "#include <cuda/std/__functional/operations.h>\n"
                                    R"(namespace lanescope_cuda_12 {
struct DeviceProp : ::cudaDeviceProp {
  int clockRate, memoryClockRate, computeMode, deviceOverlap, kernelExecTimeoutEnabled, maxTexture1DLinear,
      singleToDoublePrecisionPerfRatio, cooperativeMultiDeviceLaunch;
};
inline int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  if (::cudaDeviceGetAttribute(&value, which, device) != cudaSuccess) ::cudaGetLastError();
  return value;
}
inline cudaError_t get_properties(DeviceProp* out, int device) {
  const cudaError_t error = ::cudaGetDeviceProperties(static_cast<::cudaDeviceProp*>(out), device);
  if (error != cudaSuccess) return error;
  out->clockRate = attribute(cudaDevAttrClockRate, device);
  out->memoryClockRate = attribute(cudaDevAttrMemoryClockRate, device);
  out->computeMode = attribute(cudaDevAttrComputeMode, device);
  out->deviceOverlap = attribute(cudaDevAttrGpuOverlap, device);
  out->kernelExecTimeoutEnabled = attribute(cudaDevAttrKernelExecTimeout, device);
  out->maxTexture1DLinear = attribute(cudaDevAttrMaxTexture1DLinearWidth, device);
  out->singleToDoublePrecisionPerfRatio = attribute(cudaDevAttrSingleToDoublePrecisionPerfRatio, device);
  out->cooperativeMultiDeviceLaunch = 0;
  return cudaSuccess;
}
inline cudaMemLocation location_of(int device) {
  cudaMemLocation made{};
  made.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  made.id = device == cudaCpuDeviceId ? 0 : device;
  return made;
}
}  // namespace lanescope_cuda_12
inline cudaError_t lanescope_get_properties(lanescope_cuda_12::DeviceProp* out, int device) {
  return lanescope_cuda_12::get_properties(out, device);
}
inline cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t count, int device, cudaStream_t stream = 0) {
  return cudaMemPrefetchAsync(pointer, count, lanescope_cuda_12::location_of(device), 0u, stream);
}
inline cudaError_t cudaMemAdvise(const void* pointer, size_t count, cudaMemoryAdvise advice, int device) {
  return cudaMemAdvise(pointer, count, advice, lanescope_cuda_12::location_of(device));
}
inline CUresult cuCtxCreate_v4(CUcontext* made, unsigned int flags, CUdevice device) {
  return cuCtxCreate_v4(made, nullptr, flags, device);
}
namespace lanescope_cuda_12 {
inline CUmemLocation place_of(CUdevice device) {
  CUmemLocation made{};
  made.type = device == CU_DEVICE_CPU ? CU_MEM_LOCATION_TYPE_HOST : CU_MEM_LOCATION_TYPE_DEVICE;
  made.id = device == CU_DEVICE_CPU ? 0 : device;
  return made;
}
}  // namespace lanescope_cuda_12
inline CUresult cuMemPrefetchAsync(CUdeviceptr pointer, size_t count, CUdevice device, CUstream stream) {
  return cuMemPrefetchAsync(pointer, count, lanescope_cuda_12::place_of(device), 0u, stream);
}
inline CUresult cuMemAdvise(CUdeviceptr pointer, size_t count, CUmem_advise advice, CUdevice device) {
  return cuMemAdvise(pointer, count, advice, lanescope_cuda_12::place_of(device));
}
namespace thrust {
template <typename Argument, typename Result>
struct unary_function {
  typedef Argument argument_type;
  typedef Result result_type;
};
template <typename First, typename Second, typename Result>
struct binary_function {
  typedef First first_argument_type;
  typedef Second second_argument_type;
  typedef Result result_type;
};
}  // namespace thrust
namespace cub {
using Sum = ::cuda::std::plus<>;
using Max = ::cuda::maximum<>;
using Min = ::cuda::minimum<>;
}  // namespace cub
#define cudaDeviceProp lanescope_cuda_12::DeviceProp
#define cudaGetDeviceProperties lanescope_get_properties
#endif
)";

}  // namespace

bool lacks_names_of_cuda_12(std::string_view log) {
  for (const std::string_view one : told_of)
    if (contains(log, one)) return true;
  return false;
}

std::string_view header_of_cuda_12() {
  return header;
}

}  // namespace lanescope::compile
