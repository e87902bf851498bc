// Looks up driver functions by name, for programs that do not link with the driver.

#include "device/api/runtime/runtime.h"

extern "C" int lanescope_cuGetProcAddress_v2(const char* symbol, void** to, int version, std::uint64_t flags,
                                             int* result);

namespace lanescope::device::api {

namespace {

// `result`, with the driver's constants, says whether it was found. Without `result`, a missing function is an error.
cudaError_t find_entry(const char* symbol, void** to, int version, std::uint64_t flags,
                       cudaDriverEntryPointQueryResult* result) {
  return answer(
      [&](Device&) {
        if (symbol == nullptr || to == nullptr) return Status::invalid_value;
        int found = 0;
        const int status = lanescope_cuGetProcAddress_v2(symbol, to, version, flags, &found);
        if (status != 0) return static_cast<Status>(status);
        if (result != nullptr) *result = static_cast<cudaDriverEntryPointQueryResult>(found);
        return *to == nullptr && result == nullptr ? Status::not_found : Status::success;
      },
      Tells::nothing);
}

}  // namespace

}  // namespace lanescope::device::api

using namespace lanescope::device::api;

extern "C" {

cudaError_t cudaGetDriverEntryPointByVersion(const char* symbol, void** to, unsigned version, unsigned long long flags,
                                             cudaDriverEntryPointQueryResult* result) {
  return find_entry(symbol, to, static_cast<int>(version), flags, result);
}

cudaError_t cudaGetDriverEntryPoint(const char* symbol, void** to, unsigned long long flags,
                                    cudaDriverEntryPointQueryResult* result) {
  return find_entry(symbol, to, loaded_runtime_version(), flags, result);
}

}  // extern "C"
