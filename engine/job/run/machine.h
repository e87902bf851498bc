#pragma once
// Registers, occupancy and machine code of a kernel. Needs no GPU.

#include "compile/compiler.h"
#include "compile/machine_code/cubin.h"
#include "diagram/views.h"
#include "job/run/job.h"
#include "metrics/occupancy.h"

namespace lanescope::job {

struct Prepared;

struct MachineFacts {
  int registers = 0;                            // per thread
  std::optional<metrics::Occupancy> occupancy;  // for architectures with known limits
};

// What the machine code of a compiled kernel takes: registers, barriers. Diagnostics: those of compile(),
// sass.no_such_kernel.
Result<compile::CubinKernel> resources_of(const Request& request, const std::string& kernel, const std::string& ptx,
                                          const std::string& mangled);

// For launch 1, 2, … of a run, compiled for its architecture. Diagnostics: those of compile().
Result<MachineFacts> machine_facts(const Outcome& outcome, int launch);

// All blocks of a cooperative launch must be resident at once. The interpreter checks threads and shared memory; the
// numbers of registers and barriers are only known from the machine code. Diagnostics: launch.cooperative_too_large.
Diagnostics check_residency(const Request& request, const Prepared& prepared, const RequestedLaunch& requested);

// The machine code for the request's architecture, made by the compiler that the learner's text needs: NVRTC, or
// ptxas (or nvJitLink) if the source is PTX. `kernel`, `ptx` and `mangled` are those of a launch. Sass::shared_bytes is
// 0; the launch has that value. Takes tenths of a second the first time. Diagnostics: those of compile::compile() and
// compile::disassemble().
Result<compile::Sass> machine_code(const Request& request, const std::string& kernel, const std::string& ptx,
                                   const std::string& mangled);

// The machine code as input of its picture, without a current step.
diagram::MachineCode picture_of(const compile::Sass& sass, const compile::Source& source, const trace::Launch& launch);

}  // namespace lanescope::job
