#include "gpu/counter_refusal.h"

#include <cupti_result.h>

#include "core/worded.h"

namespace lanescope::gpu {

Diagnostic counter_refusal(int result, const char* call, const char* meaning) {
  switch (result) {
    case CUPTI_ERROR_INSUFFICIENT_PRIVILEGES:
      return {.code = "gpu.counters_forbidden",
              .message = "The driver lets only administrators read the hardware counters.",
              .cure =
                  "Run as root (in a container that has the capability SYS_ADMIN too), or set the driver's option "
                  "NVreg_RestrictProfilingToAdminUsers=0 in /etc/modprobe.d and restart. Everything else works without "
                  "counters."};
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES:
      return {.code = "gpu.counters_forbidden",
              .message = "This GPU is virtual, and its host does not let it read the hardware counters.",
              .cure =
                  "Ask whoever runs the host to allow profiling for this virtual GPU (NVIDIA vGPU: "
                  "enable_profiling=1). Everything else "
                  "works without counters."};
    case CUPTI_ERROR_HARDWARE_BUSY:
      return {.code = "gpu.counters_busy",
              .message = "Another program reads this GPU's hardware counters, and only one can at a time.",
              .cure = "Run again when it has ended, or close it. Everything else works meanwhile."};
    default:
      break;
  }
  Diagnostic failed{
      .code = "gpu.counters_failed", .message = worded("The counter call {} failed: {}.", call, meaning), .cure = {}};
  switch (result) {
    case CUPTI_ERROR_NOT_SUPPORTED:
    case CUPTI_ERROR_VIRTUALIZED_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_CONFIDENTIAL_COMPUTING_NOT_SUPPORTED:
    case CUPTI_ERROR_CMP_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_SLI_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_WSL_DEVICE_NOT_SUPPORTED:
    case CUPTI_ERROR_INVALID_CHIP_NAME:
      failed.cure =
          "This GPU, or its current mode, does not give this program hardware counters. Everything else works "
          "without them.";
      break;
    default:
      failed.cure = "Close other profilers that use this GPU. A metric that this GPU does not have also fails here.";
  }
  return failed;
}

}  // namespace lanescope::gpu
