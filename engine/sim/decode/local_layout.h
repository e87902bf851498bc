#pragma once
// Where the variables of a function lie in a thread's local memory, and copies of those parameters whose address the
// function takes. PTX ISA, "mov": such a parameter "will be copied onto the stack and the address will be in the local
// state space".

#include <cstdint>
#include <optional>
#include <vector>

#include "ptx/module.h"

namespace lanescope::sim {

// A parameter whose address is taken.
struct LocalCopy {
  std::size_t parameter = 0;
  std::uint64_t offset = 0;  // from the frame's local base
};

struct LocalLayout {
  std::vector<std::optional<std::uint64_t>> variables;  // parallel to Function::variables: offsets in the frame
  std::vector<LocalCopy> copies;
  std::uint64_t bytes = 0;
  std::uint64_t alignment = 16;
};

LocalLayout local_layout(const ptx::Function& function);

}  // namespace lanescope::sim
