// Code that the program loads by itself, in the runtime API.

#include "device/api/libraries.h"
#include "device/api/runtime/runtime.h"

namespace lanescope::device::api {

namespace {

cudaError_t library_variable(void** to, std::size_t* bytes, cudaLibrary_t library, const char* name, bool managed) {
  return answer([&](Device&) {
    std::uint64_t at = 0;
    const Status status = find_variable(&at, bytes, library, name, managed);
    if (status == Status::success && to != nullptr) *to = pointer(at);
    return status;
  });
}

}  // namespace

}  // namespace lanescope::device::api

using namespace lanescope::device;
using namespace lanescope::device::api;

extern "C" {

// The options are about caches, names and debugging: they change nothing here.
cudaError_t cudaLibraryLoadData(cudaLibrary_t* to, const void* code, cudaJitOption*, void**, unsigned,
                                cudaLibraryOption*, void**, unsigned) {
  return answer([&](Device& on) { return load_image(on, place_of(to), code); });
}
cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t* to, const char* path, cudaJitOption*, void**, unsigned,
                                    cudaLibraryOption*, void**, unsigned) {
  return answer([&](Device& on) { return load_file(on, place_of(to), path); });
}
cudaError_t cudaLibraryUnload(cudaLibrary_t library) {
  return answer([&](Device& on) { return unload_module(on, library); });
}
cudaError_t cudaLibraryGetKernel(cudaKernel_t* to, cudaLibrary_t library, const char* name) {
  return answer([&](Device&) { return find_kernel(place_of(to), library, name); });
}
cudaError_t cudaLibraryGetGlobal(void** to, std::size_t* bytes, cudaLibrary_t library, const char* name) {
  return library_variable(to, bytes, library, name, false);
}
cudaError_t cudaLibraryGetManaged(void** to, std::size_t* bytes, cudaLibrary_t library, const char* name) {
  return library_variable(to, bytes, library, name, true);
}
// No library of this device has such a function. This is what an H200 answers.
cudaError_t cudaLibraryGetUnifiedFunction(void**, cudaLibrary_t library, const char*) {
  return answer(
      [&](Device&) { return module_at(library) == nullptr ? Status::invalid_handle : Status::invalid_value; });
}
cudaError_t cudaLibraryGetKernelCount(unsigned* count, cudaLibrary_t library) {
  return answer([&](Device&) { return count_kernels(count, library); });
}
cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t* to, unsigned count, cudaLibrary_t library) {
  return answer([&](Device&) { return list_kernels(place_of(to), count, library); });
}

}  // extern "C"
