// Errors of the runtime API: the last one, names and texts.

#include <utility>

#include "device/api/error_texts.h"
#include "device/api/runtime/runtime.h"

namespace lanescope::device::api {

namespace {
thread_local cudaError_t last_error = cudaSuccess;

cudaError_t told(cudaError_t error) {
  if (error != cudaSuccess && !is_sticky(static_cast<Status>(error))) device().observer().error_fetched();
  return error;
}
}  // namespace

cudaError_t remember(Status status) {
  const auto error = static_cast<cudaError_t>(status);
  if (status != Status::success && status != Status::not_ready) last_error = error;
  return error;
}

int missing_in_runtime(Counted& counted) {
  return remember(static_cast<Status>(missing_in_driver(counted)));
}

}  // namespace lanescope::device::api

using namespace lanescope::device;
using namespace lanescope::device::api;

extern "C" {

cudaError_t cudaGetLastError() {
  Call call;
  return told(std::exchange(last_error, cudaSuccess));
}

cudaError_t cudaPeekAtLastError() {
  Call call;
  return told(last_error);
}

const char* cudaGetErrorName(cudaError_t error) {
  return runtime_error_name(static_cast<int>(error));
}

const char* cudaGetErrorString(cudaError_t error) {
  return error_text(static_cast<int>(error));
}

}  // extern "C"
