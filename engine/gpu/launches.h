#pragma once
// A module's launches: looked up, and put into a stream. Internal to gpu/. Failed driver calls throw CudaError.

#include "gpu/device_memory.h"
#include "gpu/driver_api.h"
#include "gpu/gpu.h"

namespace lanescope::gpu {

struct LoadedLaunch {
  CUfunction function = nullptr;
  Launch launch;
  bool passes_clusters = false;  // the launch has clusters of several blocks that the kernel does not declare
};

// Allows what the launch needs and a kernel must be allowed: much shared memory, and large clusters.
LoadedLaunch load_launch(const DriverApi& api, CUmodule module, const Launch& launch);
int attribute_of(const DriverApi& api, CUfunction function, CUfunction_attribute which);
void enqueue(const DriverApi& api, const LoadedLaunch& loaded, const DeviceArguments& arguments, CUstream stream);

}  // namespace lanescope::gpu
