#include "core/os/cores.h"

#include <sched.h>

#include <algorithm>
#include <thread>

namespace lanescope {

int usable_cores() {
  cpu_set_t allowed;
  // Fails on a machine with more than 1024 cores.
  if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return std::max(1, CPU_COUNT(&allowed));
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

}  // namespace lanescope
