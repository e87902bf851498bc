#pragma once
// Internal to core/os/linux/.

#include <sys/types.h>

#include "core/os/process_end.h"

namespace lanescope {

// Waits until this child has ended.
ProcessEnd wait_for(pid_t pid);

}  // namespace lanescope
