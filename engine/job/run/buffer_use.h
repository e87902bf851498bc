#pragma once
// Finds in the PTX which buffers a kernel reads and writes. Timing restores those that it writes and reads.

#include <string>
#include <vector>

#include "job/run/job.h"
#include "ptx/module.h"

namespace lanescope::job {

struct BufferUse {
  bool read = false, written = false;  // possibly, through an address computed from the parameter
  friend bool operator==(const BufferUse&, const BufferUse&) = default;
};

// In the order of the kernel's parameters. Errs on the safe side: if a pointer cannot be followed (through memory, or
// into a function that was not inlined), all buffers count as read and written.
std::vector<BufferUse> use_of_parameters(const ptx::Module& module, const std::string& mangled_kernel);

// In the order of the request's arguments and then its buffers, over all launches.
std::vector<BufferUse> use_of_buffers(const Outcome& interpreted);

}  // namespace lanescope::job
