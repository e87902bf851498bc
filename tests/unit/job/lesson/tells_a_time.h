#pragma once
// A session that runs nothing and returns a time for everything, which depends on the grid alone.

#include "job/witness/idle_gpu.h"
#include "metrics/statistics.h"

namespace lanescope::test {

class TellsATime final : public IdleGpu {
 public:
  explicit TellsATime(std::string name = "tells a time") : IdleGpu(std::move(name)) {}
  Result<gpu::KernelAttributes> load(std::span<const std::uint8_t> cubin,
                                     const std::vector<gpu::Launch>& launches) override {
    grid_ = launches.front().shape.grid.x;
    return IdleGpu::load(cubin, launches);
  }
  Result<gpu::Timing> time(const std::vector<gpu::Argument>& arguments, const gpu::TimingOptions& options,
                           const std::function<bool()>&) override {
    ++times;
    gpu::Timing timing;
    timing.cache = options.cache;
    timing.samples.assign(20, arguments.empty() ? 2.5e-6 : 5e-6 + 1e-9 * static_cast<double>(grid_));
    timing.seconds = metrics::median_interval(timing.samples);
    return timing;
  }

  int times = 0;  // calls of time(): one per measurement

 private:
  std::uint32_t grid_ = 0;
};

}  // namespace lanescope::test
