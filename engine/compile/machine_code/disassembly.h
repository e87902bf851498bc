#pragma once
// nvdisasm's text, read into instructions.

#include <string>
#include <vector>

#include "compile/compiler.h"

namespace lanescope::compile {

// The instructions of one kernel in the output of `nvdisasm -c -gi -gp` (or without -gi, -gp: then places are unknown).
std::vector<SassInstruction> parse_disassembly(const std::string& text, const std::string& mangled_kernel);

}  // namespace lanescope::compile
