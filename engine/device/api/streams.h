#pragma once
// Streams and events of both APIs: a handle of one is a handle of the other. Everything was done when it was asked for,
// so nobody ever waits, and an event's time is the host's clock when it was recorded.

#include <chrono>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "device/status.h"

namespace lanescope::device::api {

struct Capture;  // graphs.h
struct GraphNode;

struct Stream {
  unsigned flags = 0;
  int priority = 0;
  unsigned long long id = 0;
  // While it is captured: into what, and the nodes that the next one comes after.
  std::shared_ptr<Capture> capture = nullptr;
  std::vector<GraphNode*> last = {};
};
struct Event {
  unsigned flags = 0;
  bool recorded = false;
  std::chrono::steady_clock::time_point at;
  // If it was last recorded in a stream that was captured.
  std::shared_ptr<Capture> capture = nullptr;
  std::vector<GraphNode*> last = {};
};

// What exists: a handle that was destroyed, or never made, is an error and not a crash.
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
  return all<T>().erase(handle) == 0 ? Status::invalid_handle : Status::success;
}

// The standard streams (0, 1 and 2) too.
bool is_stream(const void* stream);
unsigned long long next_stream_id();
Status record(const void* event, const void* stream);
// The stream goes on after what the event stands for: so a capture takes in another stream.
Status wait_for(const void* stream, const void* event);
// The host waits for it, or asks: not allowed while it is captured.
Status wait_for_event(const void* event);
Status wait_for_stream(const void* stream);
Status elapsed(float* milliseconds, const void* from, const void* to);

}  // namespace lanescope::device::api
