#pragma once
// What programs written for CUDA 12 use and CUDA 13 no longer has.

#include <string_view>

namespace lanescope::compile {

// True if an error in nvcc's log tells of such a name.
bool lacks_names_of_cuda_12(std::string_view log);

// A header with them, to be included before anything else: the members that cudaDeviceProp lost, as the device's
// attributes; cudaMemPrefetchAsync() and cudaMemAdvise() with the number of a device; thrust::unary_function and
// binary_function; cub::Sum, Max and Min.
std::string_view header_of_cuda_12();

}  // namespace lanescope::compile
