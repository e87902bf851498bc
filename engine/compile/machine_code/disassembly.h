#pragma once
// Parses nvdisasm's text into instructions.

#include <string>
#include <vector>

#include "compile/compiler.h"

namespace lanescope::compile {

// The instructions of one kernel in the output of `nvdisasm -c -gi -gp`. Without -gi or -gp their places are unknown.
std::vector<SassInstruction> parse_disassembly(const std::string& text, const std::string& mangled_kernel);

}  // namespace lanescope::compile
