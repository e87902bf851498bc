#pragma once
// Registers, occupancy and machine code of a kernel; needs no GPU.

#include "compile/compiler.h"
#include "diagram/views.h"
#include "job/run/job.h"
#include "metrics/occupancy.h"

namespace lanescope::job {

struct MachineFacts {
  int registers = 0;                            // per thread
  std::optional<metrics::Occupancy> occupancy;  // of architectures whose limits are known here
};

// Registers per thread of a compiled kernel. Diagnostics: those of compile(), sass.no_such_kernel.
Result<int> registers_of(const Request& request, const std::string& kernel, const std::string& ptx,
                         const std::string& mangled);

// Of launch 1, 2, … of a run, compiled for its architecture. Diagnostics: those of compile().
Result<MachineFacts> machine_facts(const Outcome& outcome, int launch);

// The machine code itself, compiled for the request's architecture by what the learner's text would be compiled by:
// NVRTC, or nvJitLink where the source is PTX. `kernel`, `ptx` and `mangled` are a launch's. Sass::shared_bytes is 0:
// the launch knows. Takes tenths of a second the first time. Diagnostics: those of compile::compile() and
// compile::disassemble().
Result<compile::Sass> machine_code(const Request& request, const std::string& kernel, const std::string& ptx,
                                   const std::string& mangled);

// As a picture of it wants it, without a step.
diagram::MachineCode picture_of(const compile::Sass& sass, const compile::Source& source, const trace::Launch& launch);

}  // namespace lanescope::job
