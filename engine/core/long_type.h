#pragma once

#include <cstddef>

namespace lanescope {

// The size of `long` in CUDA C++. NVRTC and nvcc take that of the system on which they run: 8 bytes on Linux, 4 on
// Windows ("NVRTC", Integer Size).
inline constexpr std::size_t bytes_of_long = sizeof(long);

}  // namespace lanescope
