#pragma once
// Checks that the loader can load a file as a shared library. The loader trusts a library's headers, and the process
// crashes if the file is shorter than they say.

#include <cstdint>

namespace lanescope {

struct LibraryShape {
  int reason = 0;                 // errno if it could not be read
  bool is_library = false;        // a 64-bit library of this system
  std::uint64_t least_bytes = 0;  // size according to its headers
};
LibraryShape shape_of_library(int file);

}  // namespace lanescope
