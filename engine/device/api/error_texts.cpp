#include "device/api/error_texts.h"

#include <algorithm>
#include <iterator>

namespace lanescope::device::api {

namespace {

struct Named {
  int code;
  const char* text;
};

constexpr Named runtime_names[] = {
#include "runtime_errors.inc"
};
constexpr Named driver_names[] = {
#include "driver_errors.inc"
};

// CUDA's own texts, because programs print them and tests compare them.
constexpr Named texts[] = {
    {0, "no error"},
    {1, "invalid argument"},
    {2, "out of memory"},
    {3, "initialization error"},
    {4, "driver shutting down"},
    {9, "invalid configuration argument"},
    {12, "invalid pitch argument"},
    {13, "invalid device symbol"},
    {17, "invalid device pointer"},
    {18, "invalid texture reference"},
    {20, "invalid channel descriptor"},
    {21, "invalid copy direction for memcpy"},
    {35, "CUDA driver version is insufficient for CUDA runtime version"},
    {52, "__global__ function call is not configured"},
    {98, "invalid device function"},
    {100, "no CUDA-capable device is detected"},
    {101, "invalid device ordinal"},
    {200, "device kernel image is invalid"},
    {201, "invalid device context"},
    {209, "no kernel image is available for execution on the device"},
    {217, "peer access is not supported between these two devices"},
    {218, "a PTX JIT compilation failed"},
    {222, "the provided PTX was compiled with an unsupported toolchain."},
    {300, "device kernel image is invalid"},
    {301, "file not found"},
    {302, "shared object symbol not found"},
    {303, "shared object initialization failed"},
    {304, "OS call failed or operation not supported on this OS"},
    {400, "invalid resource handle"},
    {401, "the operation cannot be performed in the present state"},
    {500, "named symbol not found"},
    {600, "device not ready"},
    {700, "an illegal memory access was encountered"},
    {701, "too many resources requested for launch"},
    {702, "the launch timed out and was terminated"},
    {704, "peer access is already enabled"},
    {705, "peer access has not been enabled"},
    {708, "cannot set while device is active in this process"},
    {709, "context is destroyed"},
    {710, "device-side assert triggered"},
    {712, "part or all of the requested memory range is already mapped"},
    {713, "pointer does not correspond to a registered memory region"},
    {714, "hardware stack error"},
    {715, "an illegal instruction was encountered"},
    {716, "misaligned address"},
    {717, "operation not supported on global/shared address space"},
    {718, "invalid program counter"},
    {719, "unspecified launch failure"},
    {720, "too many blocks in cooperative launch"},
    {800, "operation not permitted"},
    {801, "operation not supported"},
    {900, "operation not permitted when stream is capturing"},
    {901, "operation failed due to a previous error during capture"},
    {902, "operation would result in a merge of separate capture sequences"},
    {903, "capture was not ended in the same stream as it began"},
    {904, "capturing stream has unjoined work"},
    {906, "operation would make the legacy stream depend on a capturing blocking stream"},
    {907, "operation not permitted on an event last recorded in a capturing stream"},
    {910,
     "the graph update was not performed because it included changes which violated constraints specific to "
     "instantiated graph update"},
    {912, "a kernel launch error has occurred due to cluster misconfiguration"},
    {999, "unknown error"},
};

template <std::size_t N>
const char* find(const Named (&rows)[N], int code) {
  const Named* row = std::ranges::find(rows, code, &Named::code);
  return row == std::end(rows) ? nullptr : row->text;
}

}  // namespace

const char* runtime_error_name(int code) {
  const char* name = find(runtime_names, code);
  return name == nullptr ? "unrecognized error code" : name;
}

const char* driver_error_name(int code) {
  return find(driver_names, code);
}

const char* error_text(int code) {
  const char* text = find(texts, code);
  if (text == nullptr) text = find(runtime_names, code);
  return text == nullptr ? "unrecognized error code" : text;
}

}  // namespace lanescope::device::api
