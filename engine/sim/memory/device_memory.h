#pragma once
// Memory that outlives a launch: what cudaMalloc gives, pinned and managed memory, the variables of a module. A launch
// works on it in place; its addresses stay, so that pointers which are stored in it hold in the next launch.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/wording.h"
#include "sim/memory/written_map.h"

namespace lanescope::sim {

struct DeviceAllocation {
  std::uint64_t address = 0;  // where kernels see it
  std::uint64_t bytes = 0;
  std::byte* data = nullptr;  // where the interpreter finds its bytes; not owned. The same as `address` where the host
                              // may use it too
  bool variable = false, constant = false;  // of a module; constant: kernels cannot write to it
  Wording name;                             // for messages: "cudaMalloc of 4096 bytes (allocation 3)", "variable table"
  WrittenMap written;                       // a launch adds what it wrote

  std::uint64_t end() const { return address + bytes; }
};

// Sorted by address, apart from one another by sim/memory/address_space.h's gap. Not owned.
using DeviceMemory = std::vector<DeviceAllocation*>;

}  // namespace lanescope::sim
