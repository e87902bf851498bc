#pragma once
// Streams and events of both APIs; they share handles. All work is executed when it is submitted, so nothing ever
// waits. The time of an event is the host's clock when it was recorded.

#include <array>
#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "device/status.h"

namespace lanescope::device::api {

struct Capture;  // graphs.h
struct GraphNode;

// A cudaLaunchAttributeValue or CUlaunchAttributeValue.
using AttributeValue = std::array<std::byte, 64>;

struct Stream {
  unsigned flags = 0;
  int priority = 0;
  unsigned long long id = 0;
  // While the stream is captured: the capture, and the nodes on which the next node depends.
  std::shared_ptr<Capture> capture = nullptr;
  std::vector<GraphNode*> last = {};
  std::map<int, AttributeValue> attributes = {};  // those that were set
};
struct Event {
  unsigned flags = 0;
  bool recorded = false;
  std::chrono::steady_clock::time_point at;
  // If it was last recorded in a captured stream.
  std::shared_ptr<Capture> capture = nullptr;
  std::vector<GraphNode*> last = {};
};

// All existing objects. A handle that was destroyed or never created gives an error instead of a crash.
template <typename T>
std::map<const void*, std::unique_ptr<T>>& all() {
  static auto* const made = new std::map<const void*, std::unique_ptr<T>>;
  return *made;
}
template <typename T>
T* find(const void* handle) {
  const auto found = all<T>().find(handle);
  return found == all<T>().end() ? nullptr : found->second.get();
}
template <typename T, typename Handle>
void make(Handle* to, T what) {
  auto made = std::make_unique<T>(std::move(what));
  *to = reinterpret_cast<Handle>(made.get());
  all<T>()[made.get()] = std::move(made);
}
template <typename T>
Status destroy(const void* handle) {
  return all<T>().extract(handle).empty() ? Status::invalid_handle : Status::success;
}

// Also true for the standard streams (0, 1 and 2).
bool is_stream(const void* stream);
// invalid_handle, with a warning, if it is none.
Status expect_stream(const void* stream);
// nullptr if the handle is invalid. All standard streams are one stream with the standard properties.
const Stream* known_stream(const void* stream);
// For queries that write to `to`: `put` gets the stream and writes.
template <typename Put>
Status about_stream(const void* stream, const void* to, Put&& put) {
  const Stream* found = known_stream(stream);
  if (found == nullptr) return Status::invalid_handle;
  if (to == nullptr) return Status::invalid_value;
  put(*found);
  return Status::success;
}
// `flags` 0 or 1: cudaStreamNonBlocking, CU_STREAM_NON_BLOCKING.
Status make_stream(void** to, unsigned flags, int priority);
// Attributes are hints about caches and the order of work: they are kept, and change nothing. `which` is of
// cudaLaunchAttributeID; one that streams do not have is an invalid value. `value` has the size of AttributeValue.
Status set_attribute_of_stream(const void* stream, int which, const void* value);
Status attribute_of_stream(const void* stream, int which, void* value);
Status copy_attributes_of_stream(const void* to, const void* from);
// Those of an array, a stream or an event that does not exist are a warning too. `call` is for messages.
Status destroy_array(const void* array, const char* call);
Status destroy_stream(const void* stream, const char* call);
Status destroy_event(const void* event, const char* call);
Status make_event(void** to, unsigned flags);
// `flags`: cudaEventRecordExternal, cudaEventWaitExternal and those of the driver API. An external record or wait is
// only for a stream that is captured.
Status record(const void* event, const void* stream, unsigned flags = 0);
// The stream waits for the event. If the event was recorded in a captured stream, this stream joins the capture.
Status wait_for(const void* stream, const void* event, unsigned flags = 0);
// The host waits for it or queries it. Not allowed during a capture.
Status wait_for_event(const void* event);
Status wait_for_stream(const void* stream);
Status elapsed(float* milliseconds, const void* from, const void* to);

}  // namespace lanescope::device::api
