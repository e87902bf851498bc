#pragma once
// A session that does nothing: memory does not change, times have no samples, counters count nothing. Tests override
// what they need.

#include "gpu/gpu.h"

namespace lanescope::test {

class IdleGpu : public gpu::Session {
 public:
  explicit IdleGpu(std::string name) { device_.name = std::move(name), device_.major = 9; }

  const gpu::Device& device() const override { return device_; }
  Result<gpu::KernelAttributes> load(std::span<const std::uint8_t>, const std::vector<gpu::Launch>&) override {
    return gpu::KernelAttributes{.registers = 8};
  }
  Result<gpu::Completed> run(std::vector<gpu::Argument> arguments, double) override {
    for (gpu::Argument& argument : arguments)
      if (argument.zero_bytes) argument.bytes.resize(argument.zero_bytes);
    return gpu::Completed{std::move(arguments)};
  }
  Result<gpu::Timing> time(const std::vector<gpu::Argument>&, const gpu::TimingOptions&,
                           const std::function<bool()>&) override {
    return gpu::Timing{};
  }
  Result<gpu::Counted> count(const std::vector<gpu::Argument>&, const std::vector<std::string>& names) override {
    return gpu::Counted{.names = names, .values = std::vector<double>(names.size(), 0.0 / 0.0), .passes = 1};
  }
  Result<gpu::CountedInstructions> count_instructions(const std::vector<gpu::Argument>&,
                                                      const std::vector<std::string>& names) override {
    return gpu::CountedInstructions{.names = names, .instructions = {}};
  }
  Result<gpu::Timing> time_copy(std::uint64_t, const gpu::TimingOptions&) override { return gpu::Timing{}; }
  Result<gpu::Timing> time_library(const std::string&, std::uint64_t, const gpu::TimingOptions&) override {
    return gpu::Timing{};
  }
  bool lost() const override { return false; }

 protected:
  gpu::Device device_;
};

}  // namespace lanescope::test
