#pragma once
// The JSON fields of devices, kernel attributes and timings, in recordings and in worker messages (core/json_fields.h).

#include "core/json_fields.h"
#include "gpu/gpu.h"

namespace lanescope::gpu {

template <typename Visit, ConstOr<Device> T>
void fields(Visit& visit, T& device) {
  visit.transient("index", device.index);
  visit("name", device.name);
  visit("compute_capability", std::tie(device.major, device.minor));
  visit("multiprocessors", device.multiprocessors);
  visit("max_threads_per_multiprocessor", device.max_threads_per_multiprocessor);
  visit("registers_per_multiprocessor", device.registers_per_multiprocessor);
  visit("shared_bytes_per_multiprocessor", device.shared_bytes_per_multiprocessor);
  visit("memory_bytes", device.memory_bytes);
  visit("l2_bytes", device.l2_bytes);
  visit("memory_clock_khz", device.memory_clock_khz);
  visit("memory_bus_bits", device.memory_bus_bits);
  visit("sm_clock_khz", device.sm_clock_khz);
  visit("cuda", device.driver_version);
  visit("driver", device.kernel_driver_version);
  visit.transient("cooperative", device.supports_cooperative_launch);
  visit.transient("where", device.where);
}

template <typename Visit, ConstOr<KernelAttributes> T>
void fields(Visit& visit, T& attributes) {
  visit("registers", attributes.registers);
  visit("static_shared_bytes", attributes.static_shared_bytes);
  visit("local_bytes", attributes.local_bytes);
  visit.transient("max_threads_per_block", attributes.max_threads_per_block);
  visit("resident_blocks", attributes.resident_blocks_per_multiprocessor);
  visit("occupancy", attributes.occupancy);
}

template <typename Visit, ConstOr<Timing> T>
void fields(Visit& visit, T& timing) {
  visit.seconds("samples", timing.samples);
  visit("discarded", timing.discarded);
  visit("cache", timing.cache);
  visit("sm_clock_khz", std::tie(timing.sm_clock_khz_low, timing.sm_clock_khz_high));
  visit("stopped_by", timing.stop_reason);
}
inline void completed(Timing& timing) {
  timing.seconds = metrics::median_interval(timing.samples);
}

}  // namespace lanescope::gpu
