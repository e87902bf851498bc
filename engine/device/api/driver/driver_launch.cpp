// Launches, attributes of kernels, occupancy and the linker of the driver API.

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>

#include "core/os/read_file.h"
#include "core/worded.h"
#include "device/api/driver/driver.h"
#include "device/api/graph_structure.h"
#include "device/api/image.h"
#include "device/api/streams.h"
#include "device/properties.h"

namespace lanescope::device::api {

namespace {

Status launch(const void* handle, const LaunchShape& shape, const void* stream, void** arguments, void** extra,
              const CUlaunchConfig* config = nullptr) {
  Kernel* kernel = kernel_at(handle);
  if (kernel == nullptr || !is_stream(stream)) return Status::invalid_handle;
  if (const Status status = allowed_in(stream); status != Status::success) return status;
  KernelCall call{handle, kernel, shape, {}, {}, {}};
  if (config != nullptr && captured_stream(stream) != nullptr) keep_attributes(call, config->attrs, config->numAttrs);
  if (extra != nullptr && arguments != nullptr)
    return device().refuse_launch(*kernel, shape, "device.arguments_twice",
                                  "its arguments are given twice, as a list and as one block",
                                  "Pass kernelParams or extra, and null for the other.", Status::invalid_value);
  if (extra == nullptr) {
    Stream* captured = captured_stream(stream);
    if (captured == nullptr) return device().launch(*kernel, shape, arguments);
    if (captured->capture->broken) return Status::capture_invalidated;
    Status status = device().pack(*kernel, arguments, call.parameters);
    if (status == Status::success) status = device().check_launch(*kernel, shape);
    captured->capture->broken = status != Status::success;
    return status == Status::success ? note(*captured_stream(stream), NodeKind::kernel, launching(call), call) : status;
  }
  const void* block = nullptr;
  std::size_t bytes = 0;
  for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
      block = extra[1];
    else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE)
      bytes = *static_cast<std::size_t*>(extra[1]);
    else
      return Status::invalid_value;
  }
  if (block == nullptr || bytes < kernel->function->parameter_bytes)
    return device().refuse_launch(
        *kernel, shape, "device.argument_missing",
        worded("it takes {} bytes of arguments, and the launch gives {}", kernel->function->parameter_bytes,
               block == nullptr ? 0 : bytes),
        "Lay the arguments out as a structure with the types of the kernel's parameters, and give its size.",
        Status::invalid_value);
  const std::span given(static_cast<const std::byte*>(block), bytes);
  if (captured_stream(stream) == nullptr) return device().launch(*kernel, shape, given);
  call.parameters.assign(given.begin(), given.end());
  return note(*captured_stream(stream), NodeKind::kernel, launching(call), call);
}

// `number` is a value of CUfunction_attribute. nullopt if it does not exist.
std::optional<int> value_of(const KernelAttributes& of, const Kernel& kernel, int number) {
  const int capability = attribute(device(), CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR).value_or(0) * 10 +
                         attribute(device(), CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR).value_or(0);
  switch (number) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      return of.most_threads;
    case CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES:
      return of.static_shared_bytes;
    case CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES:
      return of.constant_bytes;
    case CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES:
      return of.local_bytes;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
      return of.registers;
    case CU_FUNC_ATTRIBUTE_CACHE_MODE_CA:
    case CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET:
    case CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE:
      return 0;
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH:
      return static_cast<int>(of.required_cluster.x);
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT:
      return static_cast<int>(of.required_cluster.y);
    case CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH:
      return static_cast<int>(of.required_cluster.z);
    case CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED:
      return kernel.large_clusters ? 1 : 0;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
      return capability;
    case CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      return of.most_dynamic_shared_bytes;
    case CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      return kernel.preferred_carveout;
    default:
      return std::nullopt;
  }
}

CUresult ask(int* value, int number, const void* handle) {
  return driver_answer([&](Device& on) {
    Kernel* kernel = kernel_at(handle);
    if (kernel == nullptr) return Status::invalid_handle;
    KernelAttributes known;
    if (const Status status = attributes_of(on, *kernel, known); status != Status::success) return status;
    const std::optional<int> found = value_of(known, *kernel, number);
    if (value == nullptr || !found) return Status::invalid_value;
    *value = *found;
    return Status::success;
  });
}

// A kernel of a library, on a device.
CUresult check_device(CUdevice number) {
  return number == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}
// For the functions of a kernel that only keep a preference.
CUresult keep_preference(const void* handle, bool is_known) {
  if (kernel_at(handle) == nullptr) return CUDA_ERROR_INVALID_HANDLE;
  return is_known ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
bool is_readable_config(const CUlaunchConfig* config) {
  return config != nullptr && (config->attrs != nullptr || config->numAttrs == 0);
}

CUresult change(const void* handle, int number, int value) {
  return driver_answer([&](Device& on) {
    Kernel* kernel = kernel_at(handle);
    return kernel == nullptr ? Status::invalid_handle : set_attribute(on, *kernel, number, value);
  });
}

// The block size, in whole warps, that puts most threads on a multiprocessor; the largest if there are several.
Status best_block(Device& on, Kernel& kernel, CUoccupancyB2DSize shared_of, std::size_t shared, int limit, int* grid,
                  int* block) {
  KernelAttributes of;
  if (const Status status = attributes_of(on, kernel, of); status != Status::success) return status;
  const int most = limit > 0 ? std::min(limit, of.most_threads) : of.most_threads;
  int best = 0;
  *block = *grid = 0;
  for (int threads = most / 32 * 32; threads > 0; threads -= 32) {
    int blocks = 0;
    const std::size_t bytes = shared_of != nullptr ? shared_of(threads) : shared;
    if (const Status status = resident_blocks(on, kernel, threads, bytes, &blocks); status != Status::success)
      return status;
    if (blocks * threads <= best) continue;
    best = blocks * threads;
    *block = threads;
    *grid = blocks * attribute(on, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT).value_or(1);
  }
  return Status::success;
}

// Attributes about the order or the speed of work need no action, because everything is executed in order.
LaunchShape shape_of_config(const CUlaunchConfig& config) {
  LaunchShape shape{{config.gridDimX, config.gridDimY, config.gridDimZ},
                    {config.blockDimX, config.blockDimY, config.blockDimZ},
                    config.sharedMemBytes};
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    const CUlaunchAttribute& one = config.attrs[i];
    if (one.id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE) shape.cooperative = one.value.cooperative != 0;
    if (one.id != CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) continue;
    shape.cluster = {one.value.clusterDim.x, one.value.clusterDim.y, one.value.clusterDim.z};
    shape.cluster_given = true;
  }
  return shape;
}

// Links PTX to PTX, because the device reads nothing else.
struct Link {
  std::vector<std::string> texts;
  std::string library;  // the PTX that stands for libraries; last, because the first text's header counts
  std::string output;
};
std::map<const void*, std::unique_ptr<Link>>& links() {
  static auto* const all = new std::map<const void*, std::unique_ptr<Link>>;
  return *all;
}
Link* link_at(const void* handle) {
  const auto found = links().find(handle);
  return found == links().end() ? nullptr : found->second.get();
}

CUresult add_to_link(const void* handle, CUjitInputType type, const void* data, std::size_t bytes) {
  return driver_answer([&](Device& on) {
    Link* link = link_at(handle);
    if (link == nullptr) return Status::invalid_handle;
    if (data == nullptr || bytes == 0) return Status::invalid_value;
    if (type > CU_JIT_INPUT_NVVM) return Status::invalid_value;
    std::string ptx(static_cast<const char*>(data), bytes);
    if (type == CU_JIT_INPUT_PTX && ptx.find(".version") == std::string::npos) return Status::invalid_image;
    if (type == CU_JIT_INPUT_LIBRARY && stands_for_library(ptx, link->library)) return Status::success;
    if (type != CU_JIT_INPUT_PTX) {
      std::string found;
      if (const Status status = ptx_of_image(on, ptx, found); status != Status::success) return status;
      ptx = std::move(found);
    }
    while (!ptx.empty() && ptx.back() == '\0') ptx.pop_back();
    link->texts.push_back(std::move(ptx));
    return Status::success;
  });
}

}  // namespace

}  // namespace lanescope::device::api

using namespace lanescope::device;
using namespace lanescope::device::api;

extern "C" {

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                        unsigned block_y, unsigned block_z, unsigned shared, CUstream stream, void** arguments,
                        void** extra) {
  const LaunchShape shape{{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared};
  return driver_answer([&](Device&) { return launch(function, shape, stream, arguments, extra); }, Reports::nothing);
}
CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                   unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                                   CUstream stream, void** arguments) {
  const LaunchShape shape{{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared, true};
  return driver_answer([&](Device&) { return launch(function, shape, stream, arguments, nullptr); }, Reports::nothing);
}
CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** arguments, void** extra) {
  if (!is_readable_config(config) || !all_of_launches(config->attrs, config->numAttrs)) return CUDA_ERROR_INVALID_VALUE;
  const LaunchShape shape = shape_of_config(*config);
  return driver_answer([&](Device&) { return launch(function, shape, config->hStream, arguments, extra, config); },
                       Reports::nothing);
}
CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void* data) {
  if (function == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (Call call; Stream* captured = captured_stream(stream))
    return result_of(note(
        *captured, NodeKind::host, [=](Device&) { return function(data), Status::success; },
        CUDA_HOST_NODE_PARAMS{function, data}));
  const CUresult before = driver_answer([&](Device&) { return expect_stream(stream); });
  if (before == CUDA_SUCCESS) function(data);
  return before;
}

CUresult cuFuncGetAttribute(int* value, CUfunction_attribute which, CUfunction function) {
  return ask(value, static_cast<int>(which), function);
}
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute which, int value) {
  return change(function, static_cast<int>(which), value);
}
CUresult cuKernelGetAttribute(int* value, CUfunction_attribute which, CUkernel kernel, CUdevice number) {
  const CUresult known = check_device(number);
  return known == CUDA_SUCCESS ? ask(value, static_cast<int>(which), kernel) : known;
}
CUresult cuKernelSetAttribute(CUfunction_attribute which, int value, CUkernel kernel, CUdevice number) {
  const CUresult known = check_device(number);
  return known == CUDA_SUCCESS ? change(kernel, static_cast<int>(which), value) : known;
}
CUresult cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config) {
  return keep_preference(function, is_cache_preference(config));
}
CUresult cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig config) {
  return keep_preference(function, are_banks(config));
}
CUresult cuKernelSetCacheConfig(CUkernel kernel, CUfunc_cache config, CUdevice number) {
  const CUresult known = check_device(number);
  return known == CUDA_SUCCESS ? keep_preference(kernel, is_cache_preference(config)) : known;
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, CUfunction function, int threads,
                                                     std::size_t shared) {
  return driver_answer([&](Device& on) {
    Kernel* kernel = kernel_at(function);
    return kernel == nullptr ? Status::invalid_handle : resident_blocks(on, *kernel, threads, shared, blocks);
  });
}
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, CUfunction function, int threads,
                                                              std::size_t shared, unsigned flags) {
  if (flags > CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE) return CUDA_ERROR_INVALID_VALUE;
  return cuOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, shared);
}
CUresult cuOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, CUfunction function, int blocks, int threads) {
  return driver_answer([&](Device& on) {
    Kernel* kernel = kernel_at(function);
    return kernel == nullptr ? Status::invalid_handle : shared_memory_left(on, *kernel, blocks, threads, bytes);
  });
}
CUresult cuOccupancyMaxPotentialClusterSize(int* blocks, CUfunction function, const CUlaunchConfig* config) {
  return driver_answer([&](Device& on) {
    Kernel* kernel = kernel_at(function);
    if (function == nullptr || !is_readable_config(config)) return Status::invalid_value;
    if (kernel == nullptr) return Status::invalid_handle;
    return most_blocks_of_cluster(on, *kernel, shape_of_config(*config), blocks);
  });
}
CUresult cuOccupancyMaxActiveClusters(int* clusters, CUfunction function, const CUlaunchConfig* config) {
  return driver_answer([&](Device& on) {
    Kernel* kernel = kernel_at(function);
    if (kernel == nullptr) return Status::invalid_handle;
    return is_readable_config(config) ? resident_clusters(on, *kernel, shape_of_config(*config), clusters)
                                      : Status::invalid_value;
  });
}
CUresult cuOccupancyMaxPotentialBlockSize(int* grid, int* block, CUfunction function, CUoccupancyB2DSize shared_of,
                                          std::size_t shared, int limit) {
  return driver_answer([&](Device& on) {
    Kernel* kernel = kernel_at(function);
    if (grid == nullptr || block == nullptr || limit < 0) return Status::invalid_value;
    if (kernel == nullptr) return Status::invalid_handle;
    return best_block(on, *kernel, shared_of, shared, limit, grid, block);
  });
}
CUresult cuOccupancyMaxPotentialBlockSizeWithFlags(int* grid, int* block, CUfunction function,
                                                   CUoccupancyB2DSize shared_of, std::size_t shared, int limit,
                                                   unsigned flags) {
  if (flags > CU_OCCUPANCY_DISABLE_CACHING_OVERRIDE) return CUDA_ERROR_INVALID_VALUE;
  return cuOccupancyMaxPotentialBlockSize(grid, block, function, shared_of, shared, limit);
}

CUresult cuLinkCreate(unsigned, CUjit_option*, void**, CUlinkState* to) {
  return driver_answer([&](Device&) {
    if (to == nullptr) return Status::invalid_value;
    auto link = std::make_unique<Link>();
    *to = reinterpret_cast<CUlinkState>(link.get());
    links()[*to] = std::move(link);
    return Status::success;
  });
}
CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void* data, std::size_t bytes, const char*, unsigned,
                       CUjit_option*, void**) {
  return add_to_link(state, type, data, bytes);
}
CUresult cuLinkAddFile(CUlinkState state, CUjitInputType type, const char* path, unsigned, CUjit_option*, void**) {
  std::string contents;
  if (path == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (lanescope::read_file(path, contents) != 0) return CUDA_ERROR_FILE_NOT_FOUND;
  return add_to_link(state, type, contents.data(), contents.size());
}
CUresult cuLinkComplete(CUlinkState state, void** image, std::size_t* bytes) {
  return driver_answer([&](Device&) {
    Link* link = link_at(state);
    if (link == nullptr) return Status::invalid_handle;
    std::vector<std::string> texts = link->texts;
    if (!link->library.empty()) texts.push_back(link->library);
    link->output = linked(texts);
    if (image != nullptr) *image = link->output.data();
    if (bytes != nullptr) *bytes = link->output.size() + 1;
    return Status::success;
  });
}
CUresult cuLinkDestroy(CUlinkState state) {
  return driver_answer([&](Device&) { return links().erase(state) == 0 ? Status::invalid_handle : Status::success; });
}

}  // extern "C"
