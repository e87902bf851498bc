#pragma once
// Names and texts of error codes.

namespace lanescope::device::api {

const char* runtime_error_name(int code);  // "cudaErrorInvalidValue"
const char* driver_error_name(int code);   // "CUDA_ERROR_INVALID_VALUE"; nullptr if there is none
const char* error_text(int code);          // "invalid argument"

}  // namespace lanescope::device::api
