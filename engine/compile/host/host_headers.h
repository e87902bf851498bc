#pragma once
// Stand-ins for the C and C++ library headers that ordinary .cu files include. NVRTC has none, and a kernel seldom
// needs more than names from them. Each stand-in declares only what device code can use, so that the kernels of a file
// written for nvcc compile.

#include <string_view>
#include <vector>

namespace lanescope::compile {

struct HostHeader {
  const char* name;  // as included: "cstdint"
  const char* text;
};

enum class HostLibrary {
  light,  // our own few lines; containers, streams and threads are empty headers
  full    // <type_traits>, <limits>, <array> and their like from libcu++, which takes half a second
          // more
};
const std::vector<HostHeader>& host_headers(HostLibrary library);

// The text of a header with the function objects that Thrust takes from libcu++, under Thrust's names.
std::string_view thrust_functors();
bool is_thrust_functor(std::string_view name);

// A header of a library that only host code uses (cublas_v2.h, helper_cuda.h, omp.h, …): where it is missing, an empty
// one does.
bool is_host_only_header(std::string_view name);

}  // namespace lanescope::compile
