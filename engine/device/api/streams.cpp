#include "device/api/streams.h"

#include <cstdint>

namespace lanescope::device::api {

bool is_stream(const void* stream) {
  return reinterpret_cast<std::uintptr_t>(stream) <= 2 || find<Stream>(stream) != nullptr;
}

unsigned long long next_stream_id() {
  static unsigned long long made = 2;
  return ++made;
}

namespace {
constexpr unsigned no_timing = 2;  // cudaEventDisableTiming, CU_EVENT_DISABLE_TIMING
}

Status record(const void* handle, const void* stream) {
  Event* event = find<Event>(handle);
  if (event == nullptr || !is_stream(stream)) return Status::invalid_handle;
  event->recorded = true;
  event->at = std::chrono::steady_clock::now();
  return Status::success;
}

Status elapsed(float* milliseconds, const void* from, const void* to) {
  const Event *first = find<Event>(from), *last = find<Event>(to);
  if (milliseconds == nullptr) return Status::invalid_value;
  if (first == nullptr || last == nullptr || !first->recorded || !last->recorded ||
      ((first->flags | last->flags) & no_timing) != 0)
    return Status::invalid_handle;
  *milliseconds = std::chrono::duration<float, std::milli>(last->at - first->at).count();
  return Status::success;
}

}  // namespace lanescope::device::api
