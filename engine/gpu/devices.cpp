#include "gpu/gpu.h"

#include <fmt/format.h>

#include "gpu/clocks.h"
#include "gpu/driver_api.h"

namespace lanescope::gpu {

std::string Device::arch() const {
  return fmt::format("sm_{}{}", major, minor);
}

std::string Device::name_and_place() const {
  return where.empty() ? name : fmt::format("{} ({})", name, where);
}

double Device::peak_bandwidth() const {
  return 2.0 * memory_clock_khz * 1e3 * memory_bus_bits / 8.0;
}

namespace {

int attribute(const DriverApi& api, CUdevice device, CUdevice_attribute which) {
  int value = 0;
  return api.device_get_attribute(&value, which, device) == CUDA_SUCCESS ? value : 0;
}

Device describe(const DriverApi& api, int index) {
  CUdevice handle{};
  LANESCOPE_CUDA(api.device_get(&handle, index));
  Device device;
  device.index = index;
  char name[256] = {};
  LANESCOPE_CUDA(api.device_get_name(name, sizeof name, handle));
  device.name = name;
  std::size_t memory = 0;
  LANESCOPE_CUDA(api.device_total_mem(&memory, handle));
  device.memory_bytes = memory;
  const auto get = [&](CUdevice_attribute which) { return attribute(api, handle, which); };
  device.major = get(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  device.minor = get(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  device.multiprocessors = get(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  device.max_threads_per_multiprocessor = get(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
  device.registers_per_multiprocessor = get(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
  device.shared_bytes_per_multiprocessor =
      static_cast<std::uint64_t>(get(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR));
  device.l2_bytes = static_cast<std::uint64_t>(get(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE));
  device.memory_clock_khz = get(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
  device.memory_bus_bits = get(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
  device.sm_clock_khz = get(CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
  device.supports_cooperative_launch = get(CU_DEVICE_ATTRIBUTE_COOPERATIVE_LAUNCH) != 0;
  int version = 0;
  LANESCOPE_CUDA(api.driver_get_version(&version));
  device.driver_version = version_text(version);
  device.kernel_driver_version = ClockMonitor(pci_bus_id(api, handle)).driver_version();
  return device;
}

}  // namespace

std::string pci_bus_id(const DriverApi& api, CUdevice device) {
  return fmt::format("{:04x}:{:02x}:{:02x}.0", attribute(api, device, CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID),
                     attribute(api, device, CU_DEVICE_ATTRIBUTE_PCI_BUS_ID),
                     attribute(api, device, CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID));
}

Result<std::vector<Device>> devices() {
  auto api = driver();
  if (!api) return api.take_errors();
  try {
    int count = 0;
    LANESCOPE_CUDA((*api)->device_get_count(&count));
    std::vector<Device> found;
    for (int index = 0; index < count; ++index) found.push_back(describe(**api, index));
    return found;
  } catch (const CudaError& error) {
    return error.diagnostic();
  }
}

}  // namespace lanescope::gpu
