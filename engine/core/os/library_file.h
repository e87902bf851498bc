#pragma once
// What a file has to be so that the loader can take it for a shared library. The loader trusts a library's own headers,
// and the process dies where the file is shorter than they say.

#include <cstdint>

namespace lanescope {

struct LibraryShape {
  int reason = 0;                 // why it could not be read (errno)
  bool is_library = false;        // of this system, for 64 bits
  std::uint64_t least_bytes = 0;  // what its headers say that it has
};
LibraryShape shape_of_library(int file);

}  // namespace lanescope
