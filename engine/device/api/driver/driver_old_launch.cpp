// Launches as before CUDA 4: block, shared memory and arguments are set one by one and kept by the function. Textbooks
// of that time use them, and PyCUDA calls cuFuncSetBlockShape before a modern launch.

#include <cstring>
#include <map>
#include <vector>

#include "device/api/driver/driver.h"

namespace lanescope::device::api {

namespace {

struct OldLaunch {
  unsigned block_x = 1, block_y = 1, block_z = 1, shared = 0;
  std::vector<std::byte> parameters;
};
constexpr std::size_t most_parameter_bytes = 4096;

std::map<const void*, OldLaunch>& all_launches() {
  static auto* const all = new std::map<const void*, OldLaunch>;
  return *all;
}

template <typename Set>
CUresult set(CUfunction function, Set&& set_one) {
  return driver_answer([&](Device&) {
    if (kernel_at(function) == nullptr) return Status::invalid_handle;
    return set_one(all_launches()[function]);
  });
}

CUresult set_parameter(CUfunction function, int offset, const void* from, std::size_t bytes) {
  return set(function, [&](OldLaunch& launch) {
    if (offset < 0 || from == nullptr || offset + bytes > most_parameter_bytes) return Status::invalid_value;
    if (launch.parameters.size() < offset + bytes) launch.parameters.resize(offset + bytes);
    std::memcpy(launch.parameters.data() + offset, from, bytes);
    return Status::success;
  });
}

CUresult launch_grid(CUfunction function, int width, int height, CUstream stream) {
  if (width <= 0 || height <= 0) return CUDA_ERROR_INVALID_VALUE;
  OldLaunch launch;
  const CUresult known = set(function, [&](OldLaunch& one) { return launch = one, Status::success; });
  if (known != CUDA_SUCCESS) return known;
  std::size_t bytes = launch.parameters.size();
  void* arguments[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, launch.parameters.data(), CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                       CU_LAUNCH_PARAM_END};
  return cuLaunchKernel(function, static_cast<unsigned>(width), static_cast<unsigned>(height), 1, launch.block_x,
                        launch.block_y, launch.block_z, launch.shared, stream, nullptr, arguments);
}

}  // namespace

}  // namespace lanescope::device::api

using namespace lanescope::device;
using namespace lanescope::device::api;

extern "C" {

CUresult cuFuncSetBlockShape(CUfunction function, int x, int y, int z) {
  return set(function, [&](OldLaunch& launch) {
    if (x <= 0 || y <= 0 || z <= 0) return Status::invalid_value;
    launch.block_x = static_cast<unsigned>(x);
    launch.block_y = static_cast<unsigned>(y);
    launch.block_z = static_cast<unsigned>(z);
    return Status::success;
  });
}
CUresult cuFuncSetSharedSize(CUfunction function, unsigned bytes) {
  return set(function, [&](OldLaunch& launch) { return launch.shared = bytes, Status::success; });
}
CUresult cuParamSetSize(CUfunction function, unsigned bytes) {
  return set(function, [&](OldLaunch& launch) {
    if (bytes > most_parameter_bytes) return Status::invalid_value;
    return launch.parameters.resize(bytes), Status::success;
  });
}
CUresult cuParamSeti(CUfunction function, int offset, unsigned value) {
  return set_parameter(function, offset, &value, sizeof value);
}
CUresult cuParamSetf(CUfunction function, int offset, float value) {
  return set_parameter(function, offset, &value, sizeof value);
}
CUresult cuParamSetv(CUfunction function, int offset, void* from, unsigned bytes) {
  return set_parameter(function, offset, from, bytes);
}
CUresult cuLaunchGridAsync(CUfunction function, int width, int height, CUstream stream) {
  return launch_grid(function, width, height, stream);
}
CUresult cuLaunchGrid(CUfunction function, int width, int height) {
  return launch_grid(function, width, height, nullptr);
}
CUresult cuLaunch(CUfunction function) {
  return launch_grid(function, 1, 1, nullptr);
}

}  // extern "C"
