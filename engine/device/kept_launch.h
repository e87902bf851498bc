#pragma once
// A saved launch of a program with all its inputs, which can be executed any number of times.

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/memory_model.h"
#include "sim/launch.h"
#include "sim/memory/device_memory_copy.h"

namespace lanescope::device {

// The most that a saved launch may ask for, in bytes: the file may come from anywhere.
inline constexpr std::uint64_t most_event_budget = 4ull << 30;

// The description of one launch in a list.
struct LaunchEntry {
  std::uint64_t number = 0;  // among all launches of the program, from 1; saved ones need not be consecutive
  std::string kernel;        // as the source writes it
  std::string mangled;
  std::string source_file;  // may be empty
  int line = 0;             // of the kernel in that file; 0: not known
  bool in_ptx = false;      // the file is the module's PTX, because the program was compiled without line information
  trace::Launch launch;     // without static_shared_bytes
  std::string arch;
};

// Equal for launches of the same kernel and shape.
std::string shape_key(const std::string& mangled_kernel, const trace::Launch& launch);

struct KeptLaunch {
  LaunchEntry about;
  std::string ptx, module_name;
  std::string source;  // text of about.source_file when the program ran; empty: not available
  std::shared_ptr<const sim::Program> program;
  sim::VariablePlaces places;  // of the module's variables in `memory`
  std::vector<std::byte> parameters;
  std::uint64_t max_steps = 0;
  std::uint64_t event_budget = 0;  // bytes, at most most_event_budget; 0: the opener's own
  struct Limits {
    std::uint64_t heap_bytes = default_heap_bytes, printf_bytes = printf_buffer_bytes;
  } limits;
  sim::DeviceMemory memory;  // before the launch; never run on this, only on a copy
  std::shared_ptr<const std::vector<sim::TextureObject>> textures;

  // The launch on `memory` and `textures`, which must outlive it; so must this object. Records only totals.
  sim::LaunchRequest request() const;

  std::vector<std::unique_ptr<sim::DeviceAllocation>> owned_allocations;
  std::vector<sim::ZeroedBytes> owned_bytes;
};

// For an address that is in none of the allocations: describes it if it is far from all of them.
std::optional<Wording> what_is_far(std::span<sim::DeviceAllocation* const> memory, std::uint64_t address);

}  // namespace lanescope::device
