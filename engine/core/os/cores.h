#pragma once
// The number of threads that are worth starting.

namespace lanescope {

// The number of processors that this process may run on (sched_getaffinity: as restricted by taskset, a container's
// cpuset or a batch system), at least 1. std::thread::hardware_concurrency() counts those of the machine.
int usable_cores();

}  // namespace lanescope
