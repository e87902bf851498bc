#include "gpu/launches.h"

#include <algorithm>

#include "core/clusters.h"

namespace lanescope::gpu {
namespace {

void enqueue_in_clusters(const DriverApi& api, const LoadedLaunch& loaded, std::vector<void*>& parameters,
                         CUstream stream) {
  const trace::Launch& shape = loaded.launch.shape;
  CUlaunchAttribute attributes[2] = {};
  attributes[0].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  attributes[0].value.clusterDim = {shape.cluster.x, shape.cluster.y, shape.cluster.z};
  attributes[1].id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
  attributes[1].value.cooperative = 1;
  const CUlaunchConfig config{.gridDimX = shape.grid.x,
                              .gridDimY = shape.grid.y,
                              .gridDimZ = shape.grid.z,
                              .blockDimX = shape.block.x,
                              .blockDimY = shape.block.y,
                              .blockDimZ = shape.block.z,
                              .sharedMemBytes = shape.dynamic_shared_bytes,
                              .hStream = stream,
                              .attrs = attributes,
                              .numAttrs = shape.cooperative ? 2u : 1u};
  LANESCOPE_CUDA(api.launch_kernel_ex(&config, loaded.function, parameters.data(), nullptr));
}

}  // namespace

int attribute_of(const DriverApi& api, CUfunction function, CUfunction_attribute which) {
  int value = 0;
  LANESCOPE_CUDA(api.func_get_attribute(&value, which, function));
  return value;
}

LoadedLaunch load_launch(const DriverApi& api, CUmodule module, const Launch& launch) {
  LoadedLaunch loaded{.launch = launch};
  LANESCOPE_CUDA(api.module_get_function(&loaded.function, module, launch.kernel.c_str()));
  // The limit is that of static and dynamic shared memory together. A recording kernel's own static memory counts too.
  const std::uint32_t dynamic = launch.shape.dynamic_shared_bytes;
  const int own = dynamic != 0 ? attribute_of(api, loaded.function, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES) : 0;
  if (static_cast<std::uint64_t>(own) + dynamic > MemoryModel::max_static_shared_bytes)
    LANESCOPE_CUDA(api.func_set_attribute(loaded.function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                                          static_cast<int>(dynamic)));
  const std::uint64_t blocks = launch.shape.cluster.count();
  if (blocks > most_portable_cluster)
    LANESCOPE_CUDA(api.func_set_attribute(loaded.function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1));
  loaded.passes_clusters =
      blocks > 1 && attribute_of(api, loaded.function, CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH) == 0;
  return loaded;
}

void provide_stack(const DriverApi& api, const std::vector<Launch>& launches) {
  std::uint64_t wanted = 0;
  for (const Launch& launch : launches) wanted = std::max(wanted, launch.stack_bytes);
  std::size_t present = 0;
  LANESCOPE_CUDA(api.ctx_get_limit(&present, CU_LIMIT_STACK_SIZE));
  // The driver reserves this for every thread that can be resident, so it may refuse for lack of memory.
  for (; wanted > present; wanted /= 2)
    if (api.ctx_set_limit(CU_LIMIT_STACK_SIZE, wanted) == CUDA_SUCCESS) return;
}

void enqueue(const DriverApi& api, const LoadedLaunch& loaded, const DeviceArguments& arguments, CUstream stream) {
  std::vector<std::vector<std::byte>> values = arguments.values_of(loaded.launch);
  std::vector<void*> parameters;
  for (std::vector<std::byte>& value : values) parameters.push_back(value.data());
  const trace::Launch& shape = loaded.launch.shape;
  const Dim3 &grid = shape.grid, &block = shape.block;
  if (loaded.passes_clusters)
    enqueue_in_clusters(api, loaded, parameters, stream);
  else if (shape.cooperative)
    LANESCOPE_CUDA(api.launch_cooperative_kernel(loaded.function, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                                                 shape.dynamic_shared_bytes, stream, parameters.data()));
  else
    LANESCOPE_CUDA(api.launch_kernel(loaded.function, grid.x, grid.y, grid.z, block.x, block.y, block.z,
                                     shape.dynamic_shared_bytes, stream, parameters.data(), nullptr));
}

}  // namespace lanescope::gpu
