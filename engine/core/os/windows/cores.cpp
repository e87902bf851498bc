#include "core/os/cores.h"

#include <windows.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <thread>

namespace lanescope {

int usable_cores() {
  // Gives the processors of one group, 64 at most. For a process that may use several groups it gives 0.
  DWORD_PTR own = 0, all = 0;
  if (::GetProcessAffinityMask(::GetCurrentProcess(), &own, &all) != 0 && own != 0)
    return std::popcount(static_cast<std::uint64_t>(own));
  return static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

}  // namespace lanescope
