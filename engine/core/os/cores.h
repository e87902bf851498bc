#pragma once
// How many threads are worth starting.

namespace lanescope {

// Processors that this process may run on (sched_getaffinity: what taskset, a container's cpuset or a batch system
// leave it), at least 1. std::thread::hardware_concurrency() counts those of the machine.
int usable_cores();

}  // namespace lanescope
