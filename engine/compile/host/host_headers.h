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
  light,  // our own short stand-ins; containers, streams and threads are empty headers
  // <type_traits>, <limits>, <array> and similar from libcu++, which takes half a second longer.
  full
};
const std::vector<HostHeader>& host_headers(HostLibrary library);

// A header with the function objects that Thrust takes from libcu++, under Thrust's names.
std::string_view thrust_functors();
bool is_thrust_functor(std::string_view name);

// True for a library header that only host code uses (cublas_v2.h, helper_cuda.h, omp.h, …): if it is missing, an empty
// one is enough.
bool is_host_only_header(std::string_view name);

}  // namespace lanescope::compile
