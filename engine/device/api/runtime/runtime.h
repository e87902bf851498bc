#pragma once
// The state of the runtime API: what nvcc's host code registered, and the last error of each thread. Include this
// before any CUDA header, because it renames our functions (entries.py).

#include "renames.h"

#include <cuda_runtime_api.h>

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "device/api/contexts.h"
#include "device/api/graphs.h"
#include "device/api/library.h"

namespace lanescope::device::api {

struct FatBinary;

// A __global__ function on the host's side. The handle that nvcc's host code gets (__cudaGetKernel) points to one.
struct HostFunction {
  FatBinary* binary = nullptr;
  std::string name;          // mangled
  Kernel* kernel = nullptr;  // set at the first use
};

// The kernel for the host's function or a handle. If there is none, nullptr and the reason in `status`.
Kernel* kernel_of(const void* function, Status& status);
// The handle for both APIs of such a function.
Status handle_for(void** to, const void* function);
LaunchShape shape_of(const cudaLaunchConfig_t& config);
inline bool is_readable(const cudaLaunchConfig_t* config) {
  return config != nullptr && (config->attrs != nullptr || config->numAttrs == 0);
}
// The variable for the host's shadow variable.
Allocation* variable_of(const void* symbol, Status& status);
HostFunction* handle_of(const void* function);
// As seen on an H200 with CUDA 13. Only one runtime is loaded, of version 12 or 13.
Status told_by_the_runtime(Status of_launch);
void forget_modules();  // at cudaDeviceReset

// The version of the runtime library that the program has loaded: 12080 or 13000.
int loaded_runtime_version();

// Stores the error for cudaGetLastError.
cudaError_t remember(Status status);

// Used by most calls. Refuses in a forked child and after a sticky error. Then reports the faults of earlier launches,
// and answers act(device).
enum class Tells : std::uint8_t { earlier_faults, nothing };
template <typename Act>
cudaError_t answer(Act&& act, Tells tells = Tells::earlier_faults) {
  if (refuse_forked_child()) return remember(Status::initialization_error);
  Call call;
  enter_primary_context();
  Device& on = device();
  const Status before = tells == Tells::earlier_faults ? on.wait() : on.lost();
  return remember(before != Status::success ? before : std::forward<Act>(act)(on));
}

// As answer(), for work of a stream. While the stream is captured, adds a node to the graph instead, if `check` allows
// it.
template <typename Act, typename Check = decltype(&anything)>
cudaError_t in_stream(cudaStream_t stream, NodeKind kind, Act act, Check check = anything) {
  return answer([&](Device& on) { return do_or_note(on, stream, kind, act, check); }, Tells::nothing);
}

// As answer(), for queries that need only the host: they still work after a sticky error (seen on an H200, CUDA 13.0).
template <typename Act>
cudaError_t answer_after_a_fault(Act&& act) {
  if (refuse_forked_child()) return remember(Status::initialization_error);
  Call call;
  enter_primary_context();
  return remember(std::forward<Act>(act)(device()));
}

// As answer(), for a call that waits for its work, which belongs to the legacy stream.
template <typename Act>
cudaError_t in_legacy_stream(Act act) {
  return answer([&](Device& on) {
    const Status status = allowed_in(nullptr);
    return status == Status::success ? act(on) : status;
  });
}

// The side (host or device) of each pointer of a copy.
struct Sides {
  Device::Side to = Device::Side::either, from = Device::Side::either;
};
Status sides_of(cudaMemcpyKind kind, Sides& sides);
// Executes the copy or fill that the structure describes, or only says whether it could be executed. `call` is for
// messages.
Status copy_as_told(const cudaMemcpy3DParms& what, const char* call, Doing doing = Doing::all_of_it);
Status fill_as_told(const cudaMemsetParams& what, const char* call);

inline std::uint64_t address(const void* pointer) {
  return reinterpret_cast<std::uint64_t>(pointer);
}
inline void* pointer(std::uint64_t at) {
  return reinterpret_cast<void*>(at);
}

}  // namespace lanescope::device::api
