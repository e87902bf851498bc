#pragma once
// Finds from the PTX which buffers a kernel reads and which it writes: timing restores these between launches.

#include <string>
#include <vector>

#include "job/run/job.h"
#include "ptx/module.h"

namespace lanescope::job {

struct BufferUse {
  bool read = false, written = false;  // may be, through an address computed from the parameter
  friend bool operator==(const BufferUse&, const BufferUse&) = default;
};

// By the kernel's parameters, in order. Never too little: where a pointer's way cannot be followed (through memory, or
// into a function that was not inlined) all are read and written.
std::vector<BufferUse> use_of_parameters(const ptx::Module& module, const std::string& mangled_kernel);

// By the request's arguments and then its buffers, over all of its launches.
std::vector<BufferUse> use_of_buffers(const Outcome& interpreted);

}  // namespace lanescope::job
