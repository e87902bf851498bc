#include "device/kept_launch.h"

#include <fmt/format.h>

#include "core/worded.h"
#include "ptx/module.h"

namespace lanescope::device {

std::optional<Wording> what_is_far(std::span<sim::DeviceAllocation* const> memory, std::uint64_t address) {
  constexpr std::uint64_t far = std::uint64_t{4} << 20;
  for (const sim::DeviceAllocation* one : memory)
    if (address + far >= one->address && address < one->end() + far) return std::nullopt;
  return worded("no memory of the device lies near it; it may be a pointer of the host");
}

std::string shape_key(const std::string& mangled_kernel, const trace::Launch& launch) {
  const Dim3 &grid = launch.grid, &block = launch.block;
  return fmt::format("{} {} {} {} {} {} {} {} {} {} {} {}", mangled_kernel, grid.x, grid.y, grid.z, block.x, block.y,
                     block.z, launch.dynamic_shared_bytes, launch.cooperative, launch.cluster.x, launch.cluster.y,
                     launch.cluster.z);
}

sim::LaunchRequest KeptLaunch::request() const {
  sim::LaunchRequest made;
  made.launch = about.launch;
  made.device_memory = memory;
  made.parameters = parameters;
  made.parameters->resize(sim::kernel_of(*program).parameter_bytes);
  made.max_steps = max_steps;
  made.heap_bytes = limits.heap_bytes;
  made.printf_bytes = limits.printf_bytes;
  made.arch = about.arch;
  made.unwritten = std::byte{0};
  made.unwritten_is_a_warning = true;
  made.explain_address = [this](std::uint64_t address) { return what_is_far(memory, address); };
  made.textures = textures;
  made.kernel_source_name = about.kernel;
  made.user_file = about.source_file;
  return made;
}

}  // namespace lanescope::device
