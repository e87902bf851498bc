#pragma once
// Internal to gpu/.

#include <string>

#include "gpu/driver_api.h"

namespace lanescope::gpu {

// "0000:1b:00.0": what NVML knows a device by.
std::string pci_bus_id(const DriverApi& api, CUdevice device);

}  // namespace lanescope::gpu
