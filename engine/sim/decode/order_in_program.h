#pragma once
// Which of two instructions a thread executes first.

#include <optional>

namespace lanescope::ptx {
struct Instruction;  // ptx/instruction.h
struct Module;       // ptx/module.h
}  // namespace lanescope::ptx

namespace lanescope::sim {

// Whether `other` comes before `one`: only `one` can follow, or neither can, as in the two branches of an if, and `one`
// stands behind it. Empty if each can follow the other, as in a loop, or if a kernel may call their function several
// times. Both are instructions of one function of the module.
std::optional<bool> comes_before(const ptx::Module& module, const ptx::Instruction& other, const ptx::Instruction& one);

}  // namespace lanescope::sim
