#pragma once
// The runtime API's own state: what nvcc's host code registered, and the last error of each thread. Include it before
// anything of CUDA's: it gives our functions their names (entries.py).

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

// A __global__ function as the host knows it; cudaKernel_t and cudaFunction_t point to one.
struct HostFunction {
  FatBinary* binary = nullptr;
  std::string name;          // mangled
  Kernel* kernel = nullptr;  // once it was asked for
};

// The kernel behind what a program names: the host's function, or a handle. nullptr and why.
Kernel* kernel_of(const void* function, Status& status);
LaunchShape shape_of(const cudaLaunchConfig_t& config);
// The variable behind the host's shadow of it.
Allocation* variable_of(const void* symbol, Status& status);
HostFunction* handle_of(const void* function);
void forget_modules();  // at cudaDeviceReset

// Of the runtime library that the program has loaded: 12080 or 13000.
int loaded_runtime_version();

// Keeps an error for cudaGetLastError.
cudaError_t remember(Status status);

// What most calls do: refuse in a forked child and after a sticky error; tell what an earlier launch did wrong; then
// `act(device)` answers.
enum class Tells : std::uint8_t { earlier_faults, nothing };
template <typename Act>
cudaError_t answer(Act&& act, Tells tells = Tells::earlier_faults) {
  if (is_forked_child()) return remember(Status::initialization_error);
  Call call;
  enter_primary_context();
  Device& on = device();
  const Status before = tells == Tells::earlier_faults ? on.wait() : on.lost();
  return remember(before != Status::success ? before : std::forward<Act>(act)(on));
}

// As answer(), of what a stream does: while it is captured, the graph gets a node of it instead.
template <typename Act>
cudaError_t in_stream(cudaStream_t stream, NodeKind kind, Act act) {
  return answer([&](Device& on) { return do_or_note(on, stream, kind, act); }, Tells::nothing);
}

// As answer(), of a call that waits for what it does: work for the legacy stream.
template <typename Act>
cudaError_t in_legacy_stream(Act act) {
  return answer([&](Device& on) {
    const Status status = allowed_in(nullptr);
    return status == Status::success ? act(on) : status;
  });
}

// Which side each pointer of a copy is on.
struct Sides {
  Device::Side to = Device::Side::either, from = Device::Side::either;
};
Status sides_of(cudaMemcpyKind kind, Sides& sides);
// The copy that a structure describes, and the fill; `call` is for messages.
Status copy_as_told(const cudaMemcpy3DParms& what, const char* call);
Status fill_as_told(const cudaMemsetParams& what, const char* call);

inline std::uint64_t address(const void* pointer) {
  return reinterpret_cast<std::uint64_t>(pointer);
}
inline void* pointer(std::uint64_t at) {
  return reinterpret_cast<void*>(at);
}

}  // namespace lanescope::device::api
