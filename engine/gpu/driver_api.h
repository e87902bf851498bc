#pragma once
// The CUDA driver, loaded at run time. Without a driver the program still works. Internal to gpu/.

#include <stdexcept>
#include <string>

#include <cuda.h>

#include "core/architecture.h"
#include "core/result.h"

namespace lanescope::gpu {

// One row per driver function: the member's name and the driver's symbol (cuda.h maps it to the right version).
#define LANESCOPE_DRIVER_FUNCTIONS(ROW)                       \
  ROW(init, cuInit)                                           \
  ROW(driver_get_version, cuDriverGetVersion)                 \
  ROW(get_error_name, cuGetErrorName)                         \
  ROW(get_error_string, cuGetErrorString)                     \
  ROW(device_get_count, cuDeviceGetCount)                     \
  ROW(device_get, cuDeviceGet)                                \
  ROW(device_get_name, cuDeviceGetName)                       \
  ROW(device_get_attribute, cuDeviceGetAttribute)             \
  ROW(device_total_mem, cuDeviceTotalMem)                     \
  ROW(primary_ctx_retain, cuDevicePrimaryCtxRetain)           \
  ROW(primary_ctx_release, cuDevicePrimaryCtxRelease)         \
  ROW(ctx_set_current, cuCtxSetCurrent)                       \
  ROW(ctx_synchronize, cuCtxSynchronize)                      \
  ROW(ctx_get_limit, cuCtxGetLimit)                           \
  ROW(ctx_set_limit, cuCtxSetLimit)                           \
  ROW(module_load_data, cuModuleLoadData)                     \
  ROW(module_unload, cuModuleUnload)                          \
  ROW(module_get_function, cuModuleGetFunction)               \
  ROW(module_get_global, cuModuleGetGlobal)                   \
  ROW(func_get_attribute, cuFuncGetAttribute)                 \
  ROW(func_set_attribute, cuFuncSetAttribute)                 \
  ROW(mem_alloc, cuMemAlloc)                                  \
  ROW(mem_free, cuMemFree)                                    \
  ROW(mem_get_info, cuMemGetInfo)                             \
  ROW(mem_host_alloc, cuMemHostAlloc)                         \
  ROW(mem_free_host, cuMemFreeHost)                           \
  ROW(mem_host_get_device_pointer, cuMemHostGetDevicePointer) \
  ROW(memcpy_h_to_d, cuMemcpyHtoD)                            \
  ROW(memcpy_d_to_h, cuMemcpyDtoH)                            \
  ROW(memcpy_d_to_d_async, cuMemcpyDtoDAsync)                 \
  ROW(array_create, cuArray3DCreate)                          \
  ROW(array_destroy, cuArrayDestroy)                          \
  ROW(memcpy_3d, cuMemcpy3D)                                  \
  ROW(memcpy_3d_async, cuMemcpy3DAsync)                       \
  ROW(texture_create, cuTexObjectCreate)                      \
  ROW(texture_destroy, cuTexObjectDestroy)                    \
  ROW(surface_create, cuSurfObjectCreate)                     \
  ROW(surface_destroy, cuSurfObjectDestroy)                   \
  ROW(memset_d8, cuMemsetD8)                                  \
  ROW(memset_d8_async, cuMemsetD8Async)                       \
  ROW(stream_create, cuStreamCreate)                          \
  ROW(stream_destroy, cuStreamDestroy)                        \
  ROW(stream_synchronize, cuStreamSynchronize)                \
  ROW(stream_query, cuStreamQuery)                            \
  ROW(stream_wait_value, cuStreamWaitValue32)                 \
  ROW(event_create, cuEventCreate)                            \
  ROW(event_destroy, cuEventDestroy)                          \
  ROW(event_record, cuEventRecord)                            \
  ROW(event_synchronize, cuEventSynchronize)                  \
  ROW(event_query, cuEventQuery)                              \
  ROW(event_elapsed_time, cuEventElapsedTime)                 \
  ROW(launch_kernel, cuLaunchKernel)                          \
  ROW(launch_cooperative_kernel, cuLaunchCooperativeKernel)   \
  ROW(launch_kernel_ex, cuLaunchKernelEx)                     \
  ROW(occupancy_max_active_blocks, cuOccupancyMaxActiveBlocksPerMultiprocessor)

struct DriverApi {
#define ROW(member, symbol) decltype(&::symbol) member = nullptr;
  LANESCOPE_DRIVER_FUNCTIONS(ROW)
#undef ROW
};

// The driver of this machine; the first call loads and initialises it. Diagnostics: gpu.no_driver, gpu.driver_too_old,
// gpu.no_device.
Result<const DriverApi*> driver();

// A CUDA version as one number: 1000 × major + 10 × minor, so 12040 for 12.4. This is the format of
// cuDriverGetVersion() (CUDA Driver API, "Version Management") and of cuda.h's CUDA_VERSION.
constexpr int major_of_version(int version) {
  return version / 1000;
}
constexpr int minor_of_version(int version) {
  return version % 1000 / 10;
}
std::string version_text(int version);  // "12.4"

// The major version of the compiler that makes the machine code for a device of this compute capability × 10. It is the
// version of cuda.h, or CUDA 12 where that version no longer supports the device (compile/toolchain.h follows the same
// rule).
constexpr int compiler_major_for(int capability) {
  return capability < oldest_of_cuda_13 ? 12 : major_of_version(CUDA_VERSION);
}

// gpu.driver_too_old: the driver supports an older CUDA than the compiler that made the machine code, so it did not
// load it.
Diagnostic image_refused(CUresult code, int driver_version, int compiler_major);

// "0000:1b:00.0": NVML identifies a device by it.
std::string pci_bus_id(const DriverApi& api, CUdevice device);

// A failed driver call. gpu/ turns it into a Diagnostic before it returns to its caller.
class CudaError : public std::runtime_error {
 public:
  CudaError(const char* call, CUresult code, const std::string& name, const std::string& meaning);
  const std::string& call() const { return call_; }
  CUresult code() const { return code_; }
  // The context is lost: only a new process can use the GPU again.
  bool sticky() const;
  Diagnostic diagnostic() const;  // gpu.kernel_fault when sticky, else gpu.cuda_error

 private:
  std::string call_, name_, meaning_;
  CUresult code_;
};

// Throws CudaError unless `code` is success.
void check(CUresult code, const char* call);
#define LANESCOPE_CUDA(expression) ::lanescope::gpu::check((expression), #expression)

}  // namespace lanescope::gpu
