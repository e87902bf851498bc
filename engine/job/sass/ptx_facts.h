#pragma once
// Facts that only a kernel's PTX tells. Pure. Internal to job/.

#include <string>
#include <vector>

namespace lanescope::job {

// The PTX lines that hold an instruction, per function and in order.
using PtxLines = std::vector<std::vector<int>>;
// Empty if the PTX cannot be parsed.
PtxLines lines_of_instructions(const std::string& ptx);

// Driver functions that the kernel calls: those that its PTX calls but does not define. "vprintf, malloc"; usually
// empty.
std::string functions_outside(const std::string& ptx);

}  // namespace lanescope::job
