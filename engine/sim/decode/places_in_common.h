#pragma once
// Where two instructions are in each function that both are in or were inlined into.

#include <array>
#include <vector>

#include "core/diagnostic.h"

namespace lanescope::ptx {
struct Instruction;  // ptx/instruction.h
struct Module;       // ptx/module.h
}  // namespace lanescope::ptx

namespace lanescope::sim {

// The innermost function first. Both are instructions of one function of the module.
std::vector<std::array<SourcePlace, 2>> places_in_common(const ptx::Module& module, const ptx::Instruction& one,
                                                         const ptx::Instruction& other);

}  // namespace lanescope::sim
