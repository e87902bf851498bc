// The device in the runtime API: properties, attributes, limits, peers, kernels' attributes, occupancy.

#include "device/api/runtime/runtime.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstring>
#include <iterator>

#include "device/api/runtime/properties_12.h"
#include "device/properties.h"

namespace lanescope::device::api {

namespace {

unsigned device_flags = cudaDeviceScheduleAuto;

int known(int number) {
  return attribute(device(), number).value_or(0);
}

template <std::size_t N>
void put(int (&to)[N], const int (&numbers)[N]) {
  std::ranges::transform(numbers, to, known);
}

// Fills in the members that both layouts have.
template <typename Properties>
void fill_properties(Properties& to) {
  to = {};
  std::strncpy(to.name, device_name, sizeof to.name - 1);
  std::memcpy(to.uuid.bytes, device_uuid, sizeof to.uuid.bytes);
  to.totalGlobalMem = device().memory().total();
  to.sharedMemPerBlock = static_cast<std::size_t>(known(8));
  to.regsPerBlock = known(12);
  to.warpSize = known(10);
  to.memPitch = static_cast<std::size_t>(known(11));
  to.maxThreadsPerBlock = known(1);
  put(to.maxThreadsDim, {2, 3, 4});
  put(to.maxGridSize, {5, 6, 7});
  to.totalConstMem = static_cast<std::size_t>(known(9));
  to.major = known(75);
  to.minor = known(76);
  to.textureAlignment = static_cast<std::size_t>(known(14));
  to.texturePitchAlignment = static_cast<std::size_t>(known(51));
  to.multiProcessorCount = known(16);
  to.integrated = known(18);
  to.canMapHostMemory = known(19);
  to.maxTexture1D = known(21);
  to.maxTexture1DMipmap = known(77);
  put(to.maxTexture2D, {22, 23});
  put(to.maxTexture2DMipmap, {73, 74});
  put(to.maxTexture2DLinear, {70, 71, 72});
  put(to.maxTexture2DGather, {45, 46});
  put(to.maxTexture3D, {24, 25, 26});
  put(to.maxTexture3DAlt, {47, 48, 49});
  to.maxTextureCubemap = known(52);
  put(to.maxTexture1DLayered, {42, 43});
  put(to.maxTexture2DLayered, {27, 28, 29});
  put(to.maxTextureCubemapLayered, {53, 54});
  to.maxSurface1D = known(55);
  put(to.maxSurface2D, {56, 57});
  put(to.maxSurface3D, {58, 59, 60});
  put(to.maxSurface1DLayered, {61, 62});
  put(to.maxSurface2DLayered, {63, 64, 65});
  to.maxSurfaceCubemap = known(66);
  put(to.maxSurfaceCubemapLayered, {67, 68});
  to.surfaceAlignment = static_cast<std::size_t>(known(30));
  to.concurrentKernels = known(31);
  to.ECCEnabled = known(32);
  to.pciBusID = known(33);
  to.pciDeviceID = known(34);
  to.pciDomainID = known(50);
  to.tccDriver = known(35);
  to.asyncEngineCount = known(40);
  to.unifiedAddressing = known(41);
  to.memoryBusWidth = known(37);
  to.l2CacheSize = known(38);
  to.persistingL2CacheMaxSize = known(108);
  to.maxThreadsPerMultiProcessor = known(39);
  to.streamPrioritiesSupported = known(78);
  to.globalL1CacheSupported = known(79);
  to.localL1CacheSupported = known(80);
  to.sharedMemPerMultiprocessor = static_cast<std::size_t>(known(81));
  to.regsPerMultiprocessor = known(82);
  to.managedMemory = known(83);
  to.isMultiGpuBoard = known(84);
  to.multiGpuBoardGroupID = known(85);
  to.hostNativeAtomicSupported = known(86);
  to.pageableMemoryAccess = known(88);
  to.concurrentManagedAccess = known(89);
  to.computePreemptionSupported = known(90);
  to.canUseHostPointerForRegisteredMem = known(91);
  to.cooperativeLaunch = known(95);
  to.sharedMemPerBlockOptin = static_cast<std::size_t>(known(97));
  to.pageableMemoryAccessUsesHostPageTables = known(100);
  to.directManagedMemAccessFromHost = known(101);
  to.maxBlocksPerMultiProcessor = known(106);
  to.accessPolicyMaxWindowSize = known(109);
  to.reservedSharedMemPerBlock = static_cast<std::size_t>(known(111));
  to.hostRegisterSupported = known(99);
  to.memoryPoolsSupported = known(115);
  to.clusterLaunch = known(120);
}

// Fills in the layout of CUDA 12, including the members that CUDA 13 removed.
void fill_of_12(PropertiesOfCuda12& to) {
  fill_properties(to);
  to.clockRate = known(13);
  to.deviceOverlap = known(15);
  to.kernelExecTimeoutEnabled = known(17);
  to.computeMode = known(20);
  to.maxTexture1DLinear = known(69);
  to.memoryClockRate = known(36);
  to.singleToDoublePrecisionPerfRatio = known(87);
}
void fill_of_13(cudaDeviceProp& to) {
  fill_properties(to);
  to.deviceNumaId = known(131);
}

template <typename Properties>
cudaError_t give(Properties* to, int number, void (*fill_in)(Properties&)) {
  return answer_after_a_fault([&](Device&) {
    if (to == nullptr) return Status::invalid_value;
    if (number != 0) return Status::invalid_device;
    fill_in(*to);
    return Status::success;
  });
}

}  // namespace

int loaded_runtime_version() {
  static const int version = [] {
    void* of_12 = dlopen("libcudart.so.12", RTLD_NOLOAD | RTLD_LAZY);
    if (of_12 != nullptr) dlclose(of_12);
    return of_12 != nullptr ? 12080 : 13000;
  }();
  return version;
}

namespace {

cudaError_t known_after_a_fault() {
  initialise_driver();
  return refuse_forked_child() ? remember(Status::initialization_error) : cudaSuccess;
}

Status function_attributes(cudaFuncAttributes& to, const void* function) {
  Status status = Status::success;
  Kernel* kernel = kernel_of(function, status);
  if (kernel == nullptr) return status;
  KernelAttributes known_of_it;
  if (status = attributes_of(device(), *kernel, known_of_it); status != Status::success) return status;
  to = {};
  to.sharedSizeBytes = static_cast<std::size_t>(known_of_it.static_shared_bytes);
  to.constSizeBytes = static_cast<std::size_t>(known_of_it.constant_bytes);
  to.localSizeBytes = static_cast<std::size_t>(known_of_it.local_bytes);
  to.maxThreadsPerBlock = known_of_it.most_threads;
  to.numRegs = known_of_it.registers;
  to.ptxVersion = to.binaryVersion = known(75) * 10 + known(76);
  to.maxDynamicSharedSizeBytes = known_of_it.most_dynamic_shared_bytes;
  to.preferredShmemCarveout = kernel->preferred_carveout;
  to.requiredClusterWidth = static_cast<int>(known_of_it.required_cluster.x);
  to.requiredClusterHeight = static_cast<int>(known_of_it.required_cluster.y);
  to.requiredClusterDepth = static_cast<int>(known_of_it.required_cluster.z);
  to.nonPortableClusterSizeAllowed = kernel->large_clusters ? 1 : 0;
  return Status::success;
}

Status known_function(const void* function) {
  if (handle_of(function) != nullptr || kernel_at(function) != nullptr) return Status::success;
  return function == nullptr ? Status::invalid_device_function : Status::invalid_handle;
}

Status set_function_attribute(const void* function, cudaFuncAttribute which, int value) {
  Status status = Status::success;
  Kernel* kernel = kernel_of(function, status);
  return kernel == nullptr ? status : set_attribute(device(), *kernel, static_cast<int>(which), value);
}

Status blocks_of(int* blocks, const void* function, int threads, std::size_t dynamic_shared) {
  Status status = Status::success;
  Kernel* kernel = kernel_of(function, status);
  return kernel == nullptr ? status : resident_blocks(device(), *kernel, threads, dynamic_shared, blocks);
}

}  // namespace

}  // namespace lanescope::device::api

using namespace lanescope::device;
using namespace lanescope::device::api;

extern "C" {

cudaError_t cudaGetDeviceCount(int* count) {
  if (count == nullptr) return remember(Status::invalid_value);
  *count = 1;
  return known_after_a_fault();
}
cudaError_t cudaGetDevice(int* number) {
  if (number == nullptr) return remember(Status::invalid_value);
  *number = 0;
  return known_after_a_fault();
}
cudaError_t cudaSetDevice(int number) {
  return answer_after_a_fault([&](Device&) { return number == 0 ? Status::success : Status::invalid_device; });
}
cudaError_t cudaInitDevice(int number, unsigned, unsigned) {
  return cudaSetDevice(number);
}
cudaError_t cudaSetValidDevices(int* numbers, int count) {
  return answer([&](Device&) {
    if (count < 0 || count > 1 || (numbers == nullptr && count != 0)) return Status::invalid_value;
    const bool good = std::all_of(numbers, numbers + count, [](int number) { return number == 0; });
    return good ? Status::success : Status::invalid_device;
  });
}
cudaError_t cudaChooseDevice(int* number, const cudaDeviceProp* wanted) {
  if (number == nullptr || wanted == nullptr) return remember(Status::invalid_value);
  return cudaGetDevice(number);
}
cudaError_t cudaGetDeviceProperties(cudaDeviceProp* to, int number) {
  return give(to, number, fill_of_13);
}
cudaError_t cudaGetDeviceProperties_v2(PropertiesOfCuda12* to, int number) {
  return give(to, number, fill_of_12);
}
cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr which, int number) {
  return answer_after_a_fault([&](Device& on) {
    if (number != 0) return Status::invalid_device;
    const std::optional<int> found = attribute(on, static_cast<int>(which));
    if (value == nullptr || !found) return Status::invalid_value;
    *value = *found;
    return Status::success;
  });
}
cudaError_t cudaDriverGetVersion(int* version) {
  if (version == nullptr) return remember(Status::invalid_value);
  *version = driver_version;
  return cudaSuccess;
}
cudaError_t cudaRuntimeGetVersion(int* version) {
  if (version == nullptr) return remember(Status::invalid_value);
  *version = loaded_runtime_version();
  return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize() {
  return answer([](Device&) { return allowed_while_capturing(); });
}
cudaError_t cudaThreadSynchronize() {
  return cudaDeviceSynchronize();
}
cudaError_t cudaDeviceReset() {
  if (refuse_forked_child()) return remember(Status::initialization_error);
  Call call;
  device().reset();
  forget_modules();
  return cudaSuccess;
}
cudaError_t cudaThreadExit() {
  return cudaDeviceReset();
}
cudaError_t cudaSetDeviceFlags(unsigned flags) {
  if (!are_context_flags(flags)) return remember(Status::invalid_value);
  device_flags = flags;
  return answer([](Device&) { return Status::success; }, Tells::nothing);
}
cudaError_t cudaGetDeviceFlags(unsigned* flags) {
  if (flags == nullptr) return remember(Status::invalid_value);
  *flags = device_flags | cudaDeviceMapHost;
  return known_after_a_fault();
}
cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value) {
  return answer([&](Device& device) { return device.limits().set(static_cast<unsigned>(limit), value); });
}
cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
  return answer([&](Device& device) { return device.limits().get(static_cast<unsigned>(limit), value); });
}
cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return answer([&](Device&) {
    if (config == nullptr) return Status::invalid_value;
    *config = static_cast<cudaFuncCache>(current_context()->cache_preference);
    return Status::success;
  });
}
// A preference only: the device has no caches to divide.
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
  return answer([&](Device&) {
    if (!is_cache_preference(config)) return Status::invalid_value;
    current_context()->cache_preference = config;
    return Status::success;
  });
}
cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  if (config != nullptr) *config = cudaSharedMemBankSizeFourByte;
  return remember(config == nullptr ? Status::invalid_value : Status::success);
}
cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
  return answer([&](Device&) { return are_banks(config) ? Status::success : Status::invalid_value; });
}
cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  if (least != nullptr) *least = 0;
  if (greatest != nullptr) *greatest = -5;
  return answer([](Device&) { return Status::success; }, Tells::nothing);
}
cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int number) {
  if (text == nullptr || length < 13) return remember(Status::invalid_value);
  if (number != 0) return remember(Status::invalid_device);
  std::memcpy(text, "0000:00:00.0", 13);
  return cudaSuccess;
}
cudaError_t cudaDeviceGetByPCIBusId(int* number, const char* text) {
  if (number == nullptr || text == nullptr) return remember(Status::invalid_value);
  if (const Status status = find_bus_id(text); status != Status::success) return remember(status);
  *number = 0;
  return cudaSuccess;
}
// There is only one device, so it has no peers.
cudaError_t cudaDeviceCanAccessPeer(int* can, int from, int to) {
  if (can == nullptr) return remember(Status::invalid_value);
  if (from != 0 || to != 0) return remember(Status::invalid_device);
  *can = 0;
  return cudaSuccess;
}
cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr, int, int) {
  return answer([&](Device&) { return value == nullptr ? Status::invalid_value : Status::invalid_device; });
}
cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  return answer([&](Device&) {
    if (flags != 0) return Status::invalid_value;
    return peer == 0 ? Status::peer_access_unsupported : Status::invalid_device;
  });
}
cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return answer([&](Device&) { return peer == 0 ? Status::peer_access_not_enabled : Status::invalid_device; });
}

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* to, const void* function) {
  if (to == nullptr) return remember(Status::invalid_value);
  return answer([&](Device&) { return function_attributes(*to, function); });
}
cudaError_t cudaFuncSetAttribute(const void* function, cudaFuncAttribute which, int value) {
  return answer([&](Device&) { return set_function_attribute(function, which, value); });
}
cudaError_t cudaFuncSetCacheConfig(const void* function, cudaFuncCache config) {
  return answer([&](Device&) {
    const Status status = known_function(function);
    return status == Status::success && !is_cache_preference(config) ? Status::invalid_value : status;
  });
}
cudaError_t cudaFuncSetSharedMemConfig(const void* function, cudaSharedMemConfig config) {
  return answer([&](Device&) {
    const Status status = known_function(function);
    return status == Status::success && !are_banks(config) ? Status::invalid_value : status;
  });
}
cudaError_t cudaFuncGetName(const char** name, const void* function) {
  return answer([&](Device&) {
    if (name == nullptr) return Status::invalid_value;
    if (const HostFunction* host = handle_of(function)) return *name = host->name.c_str(), Status::success;
    const Kernel* kernel = kernel_at(function);
    if (kernel == nullptr) return known_function(function);
    *name = kernel->function->name.c_str();
    return Status::success;
  });
}
cudaError_t cudaFuncGetParamInfo(const void* function, std::size_t index, std::size_t* offset, std::size_t* bytes) {
  return answer([&](Device&) {
    if (offset == nullptr) return Status::invalid_value;
    Status status = Status::success;
    const Kernel* kernel = kernel_of(function, status);
    if (kernel == nullptr) return status;
    if (index >= kernel->function->parameters.size()) return Status::invalid_value;
    *offset = kernel->function->parameters[index].offset;
    if (bytes != nullptr) *bytes = kernel->function->parameters[index].bytes();
    return Status::success;
  });
}
cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t kernel, cudaFuncAttribute which, int value, int device) {
  if (device != 0) return remember(Status::invalid_device);
  return cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel), which, value);
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int threads,
                                                          std::size_t dynamic_shared) {
  return answer([&](Device&) { return blocks_of(blocks, function, threads, dynamic_shared); });
}
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function, int threads,
                                                                   std::size_t dynamic_shared, unsigned flags) {
  if (flags > 1) return remember(Status::invalid_value);
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, dynamic_shared);
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, const void* function, int blocks,
                                                      int threads) {
  return answer([&](Device& on) {
    Status status = Status::success;
    Kernel* kernel = kernel_of(function, status);
    return kernel == nullptr ? status : shared_memory_left(on, *kernel, blocks, threads, bytes);
  });
}
cudaError_t cudaOccupancyMaxPotentialClusterSize(int* blocks, const void* function, const cudaLaunchConfig_t* config) {
  return answer([&](Device& on) {
    Status status = Status::success;
    Kernel* kernel = kernel_of(function, status);
    if (kernel == nullptr) return status;
    return is_readable(config) ? most_blocks_of_cluster(on, *kernel, shape_of(*config), blocks) : Status::invalid_value;
  });
}
cudaError_t cudaOccupancyMaxActiveClusters(int* clusters, const void* function, const cudaLaunchConfig_t* config) {
  return answer([&](Device& on) {
    Status status = Status::success;
    Kernel* kernel = kernel_of(function, status);
    if (kernel == nullptr) return status;
    return is_readable(config) ? resident_clusters(on, *kernel, shape_of(*config), clusters) : Status::invalid_value;
  });
}

cudaError_t cudaProfilerStart() {
  return cudaSuccess;
}
cudaError_t cudaProfilerStop() {
  return cudaSuccess;
}

}  // extern "C"
