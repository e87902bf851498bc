// A driver with one GPU that computes nothing, to test the messages when a driver refuses a call. Memory is the host's,
// a launch leaves it unchanged, and a call fails if a test says so (told.h). Built as libcuda.so.1, in a folder of its
// own.

#include <cuda.h>

#include <cstdlib>
#include <cstring>

#include "told.h"

#ifdef LANESCOPE_BEFORE_CUDA_12_8
#undef cuEventElapsedTime  // cuda.h maps the name to its second version
#endif

namespace {

using lanescope::pretend::machine;

bool large_clusters = false;     // of more than 8 blocks
int dynamic_shared_allowed = 0;  // 0: CUDA's default
std::size_t stack_bytes = 1024;

constexpr std::size_t device_bytes = std::size_t{1} << 34;

// A test names a function as it is exported: "cuMemAlloc_v2".
#define SUCCEEDS(name, ...)                                                \
  CUresult name(__VA_ARGS__) {                                             \
    return static_cast<CUresult>(lanescope::pretend::result_of(__func__)); \
  }
#define ANSWER \
  if (const int code = lanescope::pretend::result_of(__func__)) return static_cast<CUresult>(code)

int attribute(CUdevice_attribute which) {
  switch (which) {
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
      return machine("major", 9);
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
      return machine("minor", 0);
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
      return 4;
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR:
      return 2048;
    case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR:
      return 65536;
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR:
      return 233472;
    case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE:
      return 1 << 20;
    case CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH:
      return 1;
    default:
      return 0;
  }
}

struct Error {
  int code;
  const char *name, *meaning;
};
// Names and meanings as in cuda.h.
constexpr Error errors[] = {
    {2, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {3, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {100, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {200, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
    {209, "CUDA_ERROR_NO_BINARY_FOR_GPU", "no kernel image is available for execution on the device"},
    {221, "CUDA_ERROR_JIT_COMPILER_NOT_FOUND", "PTX JIT compiler library not found"},
    {700, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {701, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES", "too many resources requested for launch"},
    {720, "CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE", "too many blocks in cooperative launch"},
    {912, "CUDA_ERROR_INVALID_CLUSTER_SIZE", "a kernel launch error has occurred due to cluster misconfiguration"}};

CUdeviceptr address_of(void* memory) {
  return reinterpret_cast<CUdeviceptr>(memory);
}
void* memory_at(CUdeviceptr address) {
  return reinterpret_cast<void*>(address);
}
template <typename Handle>
Handle some() {
  static char anything;
  return reinterpret_cast<Handle>(&anything);
}

}  // namespace

extern "C" {

SUCCEEDS(cuInit, unsigned)
CUresult cuDriverGetVersion(int* version) {
  ANSWER;
  return *version = machine("version", CUDA_VERSION), CUDA_SUCCESS;
}
CUresult cuGetErrorName(CUresult code, const char** name) {
  for (const Error& one : errors)
    if (one.code == code) return *name = one.name, CUDA_SUCCESS;
  return CUDA_ERROR_INVALID_VALUE;
}
CUresult cuGetErrorString(CUresult code, const char** meaning) {
  for (const Error& one : errors)
    if (one.code == code) return *meaning = one.meaning, CUDA_SUCCESS;
  return CUDA_ERROR_INVALID_VALUE;
}
CUresult cuDeviceGetCount(int* count) {
  ANSWER;
  return *count = machine("devices", 1), CUDA_SUCCESS;
}
CUresult cuDeviceGet(CUdevice* device, int index) {
  ANSWER;
  return *device = index, CUDA_SUCCESS;
}
CUresult cuDeviceGetName(char* name, int room, CUdevice) {
  ANSWER;
  return std::strncpy(name, "Pretended", static_cast<std::size_t>(room)), CUDA_SUCCESS;
}
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute which, CUdevice) {
  ANSWER;
  return *value = attribute(which), CUDA_SUCCESS;
}
CUresult cuDeviceTotalMem(std::size_t* bytes, CUdevice) {
  ANSWER;
  return *bytes = device_bytes, CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice) {
  ANSWER;
  return *context = some<CUcontext>(), CUDA_SUCCESS;
}
SUCCEEDS(cuDevicePrimaryCtxRelease, CUdevice)
SUCCEEDS(cuCtxSetCurrent, CUcontext)
SUCCEEDS(cuCtxSynchronize)
CUresult cuCtxGetLimit(std::size_t* value, CUlimit) {
  ANSWER;
  return *value = stack_bytes, CUDA_SUCCESS;
}
// With stack_room=4096 there is memory for stacks of at most 4096 bytes.
CUresult cuCtxSetLimit(CUlimit, std::size_t value) {
  ANSWER;
  if (value > static_cast<std::size_t>(machine("stack_room", 1 << 19))) return CUDA_ERROR_OUT_OF_MEMORY;
  return stack_bytes = value, CUDA_SUCCESS;
}
// Accepts only machine code, like a driver without its PTX compiler.
CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  if (std::memcmp(image, "\177ELF", 4) != 0) return CUDA_ERROR_JIT_COMPILER_NOT_FOUND;
  ANSWER;
  return *module = some<CUmodule>(), CUDA_SUCCESS;
}
SUCCEEDS(cuModuleUnload, CUmodule)
CUresult cuModuleGetFunction(CUfunction* function, CUmodule, const char*) {
  ANSWER;
  return *function = some<CUfunction>(), CUDA_SUCCESS;
}
SUCCEEDS(cuModuleGetGlobal, CUdeviceptr*, std::size_t*, CUmodule, const char*)
CUresult cuFuncGetAttribute(int* value, CUfunction_attribute which, CUfunction) {
  ANSWER;
  *value = which == CU_FUNC_ATTRIBUTE_NUM_REGS                 ? 16
           : which == CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK  ? 1024
           : which == CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES      ? machine("static_shared", 0)
           : which == CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH ? machine("declared_cluster", 0)
                                                               : 0;
  return CUDA_SUCCESS;
}
CUresult cuFuncSetAttribute(CUfunction, CUfunction_attribute which, int value) {
  ANSWER;
  if (which == CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED) large_clusters = value == 1;
  if (which == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) dynamic_shared_allowed = value;
  return CUDA_SUCCESS;
}
CUresult cuMemAlloc(CUdeviceptr* address, std::size_t bytes) {
  ANSWER;
  void* memory = bytes <= device_bytes ? std::malloc(bytes) : nullptr;
  return *address = address_of(memory), memory ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}
CUresult cuMemFree(CUdeviceptr address) {
  return std::free(memory_at(address)), CUDA_SUCCESS;
}
CUresult cuMemGetInfo(std::size_t* free, std::size_t* total) {
  ANSWER;
  return *free = *total = device_bytes, CUDA_SUCCESS;
}
CUresult cuMemHostAlloc(void** memory, std::size_t bytes, unsigned) {
  ANSWER;
  return *memory = std::calloc(bytes, 1), CUDA_SUCCESS;
}
CUresult cuMemFreeHost(void* memory) {
  return std::free(memory), CUDA_SUCCESS;
}
CUresult cuMemHostGetDevicePointer(CUdeviceptr* address, void* memory, unsigned) {
  ANSWER;
  return *address = address_of(memory), CUDA_SUCCESS;
}
CUresult cuMemcpyHtoD(CUdeviceptr to, const void* from, std::size_t bytes) {
  ANSWER;
  return std::memcpy(memory_at(to), from, bytes), CUDA_SUCCESS;
}
CUresult cuMemcpyDtoH(void* to, CUdeviceptr from, std::size_t bytes) {
  ANSWER;
  return std::memcpy(to, memory_at(from), bytes), CUDA_SUCCESS;
}
CUresult cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, std::size_t bytes, CUstream) {
  ANSWER;
  return std::memcpy(memory_at(to), memory_at(from), bytes), CUDA_SUCCESS;
}
CUresult cuArray3DCreate(CUarray* array, const CUDA_ARRAY3D_DESCRIPTOR* wanted) {
  ANSWER;
  constexpr std::size_t largest_channel = 4;
  const auto at_least_one = [](std::size_t count) { return count == 0 ? 1 : count; };
  *array = static_cast<CUarray>(
      std::calloc(wanted->Width * at_least_one(wanted->Height) * at_least_one(wanted->Depth) * wanted->NumChannels,
                  largest_channel));
  return CUDA_SUCCESS;
}
CUresult cuArrayDestroy(CUarray array) {
  ANSWER;
  return std::free(array), CUDA_SUCCESS;
}
// Of whole arrays, whose texels lie as in contiguous memory.
CUresult cuMemcpy3D(const CUDA_MEMCPY3D* copy) {
  ANSWER;
  const auto place = [](CUmemorytype type, const void* host, CUdeviceptr device, CUarray array) {
    return type == CU_MEMORYTYPE_HOST    ? const_cast<void*>(host)
           : type == CU_MEMORYTYPE_ARRAY ? array
                                         : memory_at(device);
  };
  std::memcpy(place(copy->dstMemoryType, copy->dstHost, copy->dstDevice, copy->dstArray),
              place(copy->srcMemoryType, copy->srcHost, copy->srcDevice, copy->srcArray),
              copy->WidthInBytes * copy->Height * copy->Depth);
  return CUDA_SUCCESS;
}
CUresult cuMemcpy3DAsync(const CUDA_MEMCPY3D* copy, CUstream) {
  ANSWER;
  return cuMemcpy3D(copy);
}
CUresult cuTexObjectCreate(CUtexObject* object, const CUDA_RESOURCE_DESC*, const CUDA_TEXTURE_DESC*,
                           const CUDA_RESOURCE_VIEW_DESC*) {
  ANSWER;
  return *object = 1, CUDA_SUCCESS;
}
SUCCEEDS(cuTexObjectDestroy, CUtexObject)
CUresult cuSurfObjectCreate(CUsurfObject* object, const CUDA_RESOURCE_DESC*) {
  ANSWER;
  return *object = 1, CUDA_SUCCESS;
}
SUCCEEDS(cuSurfObjectDestroy, CUsurfObject)
CUresult cuMemsetD8(CUdeviceptr to, unsigned char value, std::size_t bytes) {
  ANSWER;
  return std::memset(memory_at(to), value, bytes), CUDA_SUCCESS;
}
CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, std::size_t bytes, CUstream) {
  ANSWER;
  return std::memset(memory_at(to), value, bytes), CUDA_SUCCESS;
}
CUresult cuStreamCreate(CUstream* stream, unsigned) {
  ANSWER;
  return *stream = some<CUstream>(), CUDA_SUCCESS;
}
SUCCEEDS(cuStreamDestroy, CUstream)
SUCCEEDS(cuStreamSynchronize, CUstream)
// With needs_stack=2048 kernels overflow a smaller stack.
CUresult cuStreamQuery(CUstream) {
  ANSWER;
  return stack_bytes < static_cast<std::size_t>(machine("needs_stack", 0)) ? CUDA_ERROR_ILLEGAL_ADDRESS : CUDA_SUCCESS;
}
SUCCEEDS(cuStreamWaitValue32, CUstream, CUdeviceptr, cuuint32_t, unsigned)
CUresult cuEventCreate(CUevent* event, unsigned) {
  ANSWER;
  return *event = some<CUevent>(), CUDA_SUCCESS;
}
SUCCEEDS(cuEventDestroy, CUevent)
SUCCEEDS(cuEventRecord, CUevent, CUstream)
SUCCEEDS(cuEventSynchronize, CUevent)
SUCCEEDS(cuEventQuery, CUevent)
CUresult cuEventElapsedTime(float* milliseconds, CUevent, CUevent) {
  ANSWER;
  return *milliseconds = 0.01F, CUDA_SUCCESS;
}
// Refuses more shared memory than 48 KiB in all, or than was allowed.
CUresult cuLaunchKernel(CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned shared,
                        CUstream, void**, void**) {
  ANSWER;
  const int own = machine("static_shared", 0);
  const int allowed = dynamic_shared_allowed != 0 ? dynamic_shared_allowed : 48 * 1024 - own;
  return static_cast<int>(shared) <= allowed ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
SUCCEEDS(cuLaunchCooperativeKernel, CUfunction, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned,
         CUstream, void**)
// Refuses what is not a launch in clusters of several blocks.
CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction, void**, void**) {
  ANSWER;
  for (unsigned i = 0; i < config->numAttrs; ++i) {
    const CUlaunchAttribute& one = config->attrs[i];
    if (one.id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE && one.value.cooperative == 1) continue;
    if (one.id != CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) return CUDA_ERROR_INVALID_VALUE;
    const auto& cluster = one.value.clusterDim;
    const bool divides = cluster.x != 0 && cluster.y != 0 && cluster.z != 0 && config->gridDimX % cluster.x == 0 &&
                         config->gridDimY % cluster.y == 0 && config->gridDimZ % cluster.z == 0;
    const unsigned blocks = cluster.x * cluster.y * cluster.z;
    if (!divides || blocks < 2 || (blocks > 8 && !large_clusters)) return CUDA_ERROR_INVALID_CLUSTER_SIZE;
  }
  return config->numAttrs > 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction, int, std::size_t) {
  ANSWER;
  return *blocks = 8, CUDA_SUCCESS;
}

}  // extern "C"
