#pragma once
// The GPU's current SM clock and throttling state, read through NVML (loaded at run time). Internal to gpu/.

#include <cstdint>
#include <memory>
#include <string>

namespace lanescope::gpu {

// One device's clock. Without NVML every answer is "unknown". A read takes well under a millisecond.
class ClockMonitor {
 public:
  // `pci_bus_id` as the driver formats it: "0000:1b:00.0".
  explicit ClockMonitor(const std::string& pci_bus_id);
  ~ClockMonitor();
  ClockMonitor(const ClockMonitor&) = delete;
  ClockMonitor& operator=(const ClockMonitor&) = delete;

  int sm_clock_khz() const;      // 0 = unknown
  int max_sm_clock_khz() const;  // 0 = unknown
  // True if heat, a power brake or a hardware slow-down throttles the clock now. False if unknown.
  bool throttled() const;
  std::string driver_version() const;  // "580.159.04"; empty = unknown

 private:
  struct Library;
  std::unique_ptr<Library> library_;
};

}  // namespace lanescope::gpu
