#pragma once
// Where a program's shared variables lie.

#include <cstdint>
#include <vector>

#include "ptx/module.h"

namespace lanescope::sim {

class Program;

struct SharedPlace {
  const ptx::Variable* variable = nullptr;  // of the program's module
  std::uint64_t address = 0;                // in the shared memory of a block
};
// In the order of their addresses. Arrays of dynamic shared memory, of 0 bytes, come last and have the same address.
std::vector<SharedPlace> shared_places(const Program& program);

}  // namespace lanescope::sim
