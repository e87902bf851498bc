#pragma once
// Facts that only a kernel's PTX tells. Pure. Internal to job/.

#include <map>
#include <string>
#include <vector>

namespace lanescope::job {

// The PTX lines that hold an instruction, per function and in order.
using PtxLines = std::vector<std::vector<int>>;

struct PtxFacts {
  PtxLines instruction_lines;
  // Driver functions that the kernel calls: those that its PTX calls but does not define. "vprintf, malloc"; usually
  // empty.
  std::string functions_outside;
  // The PTX line of an access → that of the first atomic whose result its address is computed from, through registers.
  // Each execution of the atomic returns what those before it left, so such an address depends on their order.
  std::map<int, int> addresses_from_atomics;
};

// Empty if the PTX cannot be parsed.
PtxFacts facts_of_ptx(const std::string& ptx);

}  // namespace lanescope::job
