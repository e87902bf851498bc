#pragma once
// What only a kernel's PTX tells. Pure. Internal to job/.

#include <string>
#include <vector>

namespace lanescope::job {

// Lines of the PTX that hold an instruction, by function; in order.
using PtxLines = std::vector<std::vector<int>>;
// None when it cannot be read.
PtxLines lines_of_instructions(const std::string& ptx);

// Functions of the driver that the kernel calls (vprintf, malloc): called and not defined in its PTX. "vprintf,
// malloc"; mostly empty.
std::string functions_outside(const std::string& ptx);

}  // namespace lanescope::job
