#pragma once
// Memory that outlives a launch: from cudaMalloc, pinned and managed memory, the variables of a module. A launch works
// on it in place. Its addresses do not change, so pointers that are stored in it are valid in the next launch.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/wording.h"
#include "sim/memory/written_map.h"

namespace lanescope::sim {

struct DeviceAllocation {
  std::uint64_t address = 0;  // for kernels
  std::uint64_t bytes = 0;
  std::byte* data = nullptr;                // its bytes, not owned; at `address` if the host may use them too
  bool variable = false, constant = false;  // `variable`: of a module; `constant`: kernels cannot write to it
  Wording name;                             // for messages: "cudaMalloc of 4096 bytes (allocation 3)", "variable table"
  WrittenMap written;                       // a launch adds the bytes that it writes

  std::uint64_t end() const { return address + bytes; }
};

// Sorted by address, at least the gap of sim/memory/address_space.h apart. Not owned.
using DeviceMemory = std::vector<DeviceAllocation*>;

}  // namespace lanescope::sim
