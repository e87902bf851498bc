#pragma once
// The state of the driver API: whether cuInit was called, and the contexts of each thread. There is one device, and all
// contexts can use what one of them allocates. Include this before any CUDA header (entries.py).

#include "renames.h"

#include <cuda.h>

#include <optional>
#include <utility>
#include <vector>

#include "device/api/contexts.h"
#include "device/api/graphs.h"
#include "device/api/library.h"

namespace lanescope::device::api {

enum class Needs : std::uint8_t { nothing, driver, context };
enum class Reports : std::uint8_t { earlier_faults, nothing };

inline CUresult result_of(Status status) {
  return static_cast<CUresult>(driver_status(status));
}

// Used by most calls. Refuses before cuInit, without a context, in a forked child and after a sticky error. Then
// reports the faults of earlier launches, and answers act(device).
template <typename Act>
CUresult driver_answer(Act&& act, Reports reports = Reports::earlier_faults, Needs needs = Needs::context) {
  if (refuse_forked_child()) return CUDA_ERROR_NOT_INITIALIZED;
  Call call;
  if (needs != Needs::nothing && !driver_is_initialised()) {
    say_not_initialised();
    return CUDA_ERROR_NOT_INITIALIZED;
  }
  if (needs == Needs::context && current_context() == nullptr) return CUDA_ERROR_INVALID_CONTEXT;
  if (needs == Needs::context && !is_active(current_context())) return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  Device& on = device();
  const Status before = reports == Reports::earlier_faults ? on.wait() : on.lost();
  return result_of(before != Status::success ? before : std::forward<Act>(act)(on));
}

// A stream that the program made belongs to a context; the others are those of the current context.
inline Needs needs_of(CUstream stream) {
  if (is_forked_child()) return Needs::driver;  // which is refused
  const Call call;
  return find<Stream>(stream) != nullptr ? Needs::driver : Needs::context;
}

// Whether a call waits for its work, or the stream that orders the work.
struct Order {
  Reports reports = Reports::earlier_faults;
  CUstream stream = nullptr;
};
// As driver_answer(). While the stream is captured, adds a node to the graph instead.
template <typename Act>
CUresult in_order(Order order, NodeKind kind, Act act) {
  return driver_answer([&](Device& on) { return do_or_note(on, order.stream, kind, act); }, order.reports);
}
// Executes the copy that the structure describes, or says what that would answer. `call` is for messages.
Status copy_as_told(const CUDA_MEMCPY3D& what, const char* call, Doing doing = Doing::all_of_it);

inline std::uint64_t place(const void* pointer) {
  return reinterpret_cast<std::uint64_t>(pointer);
}

}  // namespace lanescope::device::api
