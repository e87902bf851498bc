#pragma once
// What the machine code of a kernel says about how it will run; no GPU needed.

#include "job/job.h"
#include "metrics/occupancy.h"

namespace lanescope::job {

struct MachineFacts {
  int registers = 0;                     // a thread
  std::optional<metrics::Occupancy> occupancy;  // of architectures whose limits are known here
};

// Registers that a thread of a compiled kernel takes. Diagnostics: those of compile(), sass.no_such_kernel.
Result<int> registers_of(const Request& request, const std::string& kernel, const std::string& ptx, const std::string& mangled);

// Of launch 1, 2, … of a run, compiled for its architecture. Diagnostics: those of compile().
Result<MachineFacts> machine_facts(const Outcome& outcome, int launch);

}  // namespace lanescope::job
