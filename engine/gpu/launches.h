#pragma once
// Loads the launches of a module and enqueues them in a stream. Internal to gpu/. Failed driver calls throw CudaError.

#include "gpu/device_memory.h"
#include "gpu/driver_api.h"
#include "gpu/gpu.h"

namespace lanescope::gpu {

struct LoadedLaunch {
  CUfunction function = nullptr;
  Launch launch;
  bool passes_clusters = false;  // the launch has clusters of several blocks that the kernel does not declare
};

// Looks up the kernel, and permits what the launch needs and CUDA does not permit by default: much shared memory, and
// large clusters.
LoadedLaunch load_launch(const DriverApi& api, CUmodule module, const Launch& launch);
int attribute_of(const DriverApi& api, CUfunction function, CUfunction_attribute which);
// Makes the stack of every thread as large as the launches need, or as large as the driver allows. It never shrinks.
void provide_stack(const DriverApi& api, const std::vector<Launch>& launches);

void enqueue(const DriverApi& api, const LoadedLaunch& loaded, const DeviceArguments& arguments, CUstream stream);

}  // namespace lanescope::gpu
