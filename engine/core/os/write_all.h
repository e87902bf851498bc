#pragma once
// write(2) until everything is written.

#include <cstddef>

namespace lanescope {

// Returns 0, or the system's reason (errno).
int write_all(int descriptor, const void* data, std::size_t bytes);

}  // namespace lanescope
