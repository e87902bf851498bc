#include "gpu/clocks.h"

#include "core/os/dynamic_library.h"

namespace lanescope::gpu {
namespace {

// From NVML's documentation: nvmlClockType_t and the clocks-event-reasons bits.
constexpr int nvml_clock_sm = 1;
constexpr unsigned long long reason_hw_slowdown = 0x8, reason_sw_thermal = 0x20, reason_hw_thermal = 0x40,
                             reason_hw_power_brake = 0x80;
constexpr int nvml_success = 0;

}  // namespace

struct ClockMonitor::Library {
  DynamicLibrary file;
  void* device = nullptr;
  int (*init)() = nullptr;
  int (*shutdown)() = nullptr;
  int (*device_by_pci)(const char*, void**) = nullptr;
  int (*clock_info)(void*, int, unsigned*) = nullptr;
  int (*max_clock_info)(void*, int, unsigned*) = nullptr;
  int (*reasons)(void*, unsigned long long*) = nullptr;
  int (*system_driver_version)(char*, unsigned) = nullptr;
};

ClockMonitor::ClockMonitor(const std::string& pci_bus_id) : library_(std::make_unique<Library>()) {
  Library& nvml = *library_;
  nvml.file = DynamicLibrary::open("libnvidia-ml.so.1");
  if (!nvml.file) return;
  nvml.file.find("nvmlInit_v2", nvml.init);
  nvml.file.find("nvmlShutdown", nvml.shutdown);
  nvml.file.find("nvmlDeviceGetHandleByPciBusId_v2", nvml.device_by_pci);
  nvml.file.find("nvmlDeviceGetClockInfo", nvml.clock_info);
  nvml.file.find("nvmlDeviceGetMaxClockInfo", nvml.max_clock_info);
  nvml.file.find("nvmlDeviceGetCurrentClocksThrottleReasons", nvml.reasons);
  nvml.file.find("nvmlSystemGetDriverVersion", nvml.system_driver_version);
  const bool usable = nvml.init && nvml.device_by_pci && nvml.init() == nvml_success;
  if (!usable || nvml.device_by_pci(pci_bus_id.c_str(), &nvml.device) != nvml_success) nvml.device = nullptr;
}

ClockMonitor::~ClockMonitor() {
  if (library_->file && library_->shutdown) library_->shutdown();
}

int ClockMonitor::sm_clock_khz() const {
  unsigned mhz = 0;
  const Library& nvml = *library_;
  if (!nvml.device || !nvml.clock_info) return 0;
  return nvml.clock_info(nvml.device, nvml_clock_sm, &mhz) == nvml_success ? static_cast<int>(mhz) * 1000 : 0;
}

int ClockMonitor::max_sm_clock_khz() const {
  unsigned mhz = 0;
  const Library& nvml = *library_;
  if (!nvml.device || !nvml.max_clock_info) return 0;
  return nvml.max_clock_info(nvml.device, nvml_clock_sm, &mhz) == nvml_success ? static_cast<int>(mhz) * 1000 : 0;
}

bool ClockMonitor::throttled() const {
  unsigned long long reasons = 0;
  const Library& nvml = *library_;
  if (!nvml.device || !nvml.reasons || nvml.reasons(nvml.device, &reasons) != nvml_success) return false;
  return (reasons & (reason_hw_slowdown | reason_sw_thermal | reason_hw_thermal | reason_hw_power_brake)) != 0;
}

std::string ClockMonitor::driver_version() const {
  char version[96] = {};
  const Library& nvml = *library_;
  if (!nvml.file || !nvml.system_driver_version) return {};
  return nvml.system_driver_version(version, sizeof version) == nvml_success ? version : "";
}

}  // namespace lanescope::gpu
