// CUB's DeviceReduce::Sum, the library to beat, as a shared library that `lanescope record` builds with nvcc where one is:
//   nvcc -O3 -arch=native -shared -Xcompiler -fPIC cub_sum.cu -o cub_sum.so
// One function, called twice as CUB itself is: without scratch it only says how much scratch it wants.
#include <cub/device/device_reduce.cuh>

#include <cstddef>
#include <cstdint>
#include <string>

// A cudaError_t. `stream` is a cudaStream_t of the context that is current.
extern "C" int lanescope_library_run(void* scratch, std::size_t* scratch_bytes, const void* in, void* out, std::uint64_t count,
                                     void* stream) {
  return cub::DeviceReduce::Sum(scratch, *scratch_bytes, static_cast<const float*>(in), static_cast<float*>(out),
                                static_cast<std::int64_t>(count), static_cast<cudaStream_t>(stream));
}

extern "C" const char* lanescope_library_name() {
  static const std::string name = "CUB " + std::to_string(CUB_VERSION / 100000) + "." +
                                  std::to_string(CUB_VERSION / 100 % 1000) + "." + std::to_string(CUB_VERSION % 100);
  return name.c_str();
}
