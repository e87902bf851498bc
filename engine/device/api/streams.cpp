#include "device/api/streams.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

#include "device/api/graphs.h"
#include "device/api/library.h"
#include "device/properties.h"

namespace lanescope::device::api {

bool is_stream(const void* stream) {
  return reinterpret_cast<std::uintptr_t>(stream) <= 2 || find<Stream>(stream) != nullptr;
}

namespace {

constexpr unsigned non_blocking = 1;  // cudaStreamNonBlocking, CU_STREAM_NON_BLOCKING
constexpr unsigned no_timing = 2;     // cudaEventDisableTiming, CU_EVENT_DISABLE_TIMING
constexpr unsigned between_processes = 4;
constexpr unsigned event_flags = 7;
constexpr int greatest_priority = -5;
constexpr int largest_access_window = 109;  // an attribute of the device

// cudaLaunchAttributeID.
constexpr int access_policy_window = 1, synchronization_policy = 3, priority_of_work = 8, domain_map = 9, domain = 10;
constexpr std::array attributes_of_streams = {access_policy_window, synchronization_policy, priority_of_work,
                                              domain_map, domain};

bool is_attribute_of_streams(int which) {
  return std::ranges::find(attributes_of_streams, which) != attributes_of_streams.end();
}

// The beginning of cudaAccessPolicyWindow.
struct AccessWindow {
  void* first;
  std::size_t bytes;
  float hit_ratio;
};
bool can_be(int which, const void* value) {
  AccessWindow window{};
  int number = 0;
  std::memcpy(&window, value, sizeof window);
  std::memcpy(&number, value, sizeof number);
  if (which == access_policy_window)
    return window.bytes <= static_cast<std::size_t>(attribute(device(), largest_access_window).value_or(0)) &&
           window.hit_ratio >= 0 && window.hit_ratio <= 1;
  if (which == synchronization_policy) return number >= 1 && number <= 4;
  return which != domain || number == 0 || number == 1;
}

Stream& standard_stream() {
  static auto* const made = new Stream;
  return *made;
}
Stream* stream_at(const void* handle) {
  if (!is_stream(handle)) return nullptr;
  Stream* found = find<Stream>(handle);
  return found == nullptr ? &standard_stream() : found;
}

unsigned long long next_stream_id() {
  static unsigned long long made = 2;
  return ++made;
}

}  // namespace

const Stream* known_stream(const void* handle) {
  return stream_at(handle);
}

Status set_attribute_of_stream(const void* handle, int which, const void* value) {
  Stream* stream = stream_at(handle);
  if (stream == nullptr) return Status::invalid_handle;
  if (value == nullptr || !is_attribute_of_streams(which) || !can_be(which, value)) return Status::invalid_value;
  std::memcpy(stream->attributes[which].data(), value, sizeof(AttributeValue));
  return Status::success;
}

Status attribute_of_stream(const void* handle, int which, void* value) {
  const Stream* stream = stream_at(handle);
  if (stream == nullptr) return Status::invalid_handle;
  if (value == nullptr || !is_attribute_of_streams(which)) return Status::invalid_value;
  AttributeValue answer{};
  const auto set = stream->attributes.find(which);
  if (set != stream->attributes.end()) answer = set->second;
  const int unset = which == priority_of_work ? stream->priority : which == synchronization_policy ? -1 : 0;
  if (set == stream->attributes.end() && unset != 0) std::memcpy(answer.data(), &unset, sizeof unset);
  std::memcpy(value, answer.data(), sizeof answer);
  return Status::success;
}

Status expect_stream(const void* handle) {
  if (is_stream(handle)) return Status::success;
  say_unknown(reinterpret_cast<std::uintptr_t>(handle), "stream");
  return Status::invalid_handle;
}

namespace {
Status unknown_event(const void* handle) {
  if (handle != nullptr) say_unknown(reinterpret_cast<std::uintptr_t>(handle), "event");
  return Status::invalid_handle;
}
}  // namespace

Status destroy_stream(const void* handle, const char* call) {
  const Status status = destroy<Stream>(handle);
  if (status != Status::success && !is_stream(handle)) say_unknown(reinterpret_cast<std::uintptr_t>(handle), call);
  return status;
}

Status destroy_event(const void* handle, const char* call) {
  const Status status = destroy<Event>(handle);
  if (status != Status::success && handle != nullptr) say_unknown(reinterpret_cast<std::uintptr_t>(handle), call);
  return status;
}

Status destroy_array(const void* handle, const char* call) {
  const Status status = device().textures().destroy_array(handle);
  if (status != Status::success && device().textures().array(handle) == nullptr)
    say_unknown(reinterpret_cast<std::uintptr_t>(handle), call);
  return status;
}

Status copy_attributes_of_stream(const void* to, const void* from) {
  Stream *target = stream_at(to), *source = stream_at(from);
  if (target == nullptr || source == nullptr) return Status::invalid_handle;
  target->attributes = source->attributes;
  return Status::success;
}

Status make_stream(void** to, unsigned flags, int priority) {
  if (to == nullptr || (flags & ~non_blocking) != 0) return Status::invalid_value;
  make(to, Stream{flags, std::clamp(priority, greatest_priority, 0), next_stream_id()});
  return Status::success;
}

Status make_event(void** to, unsigned flags) {
  if (to == nullptr || (flags & ~event_flags) != 0) return Status::invalid_value;
  if ((flags & between_processes) != 0 && (flags & no_timing) == 0) return Status::invalid_value;
  make(to, Event{flags, false, {}});
  return Status::success;
}

namespace {

Status check_flags_for(const void* handle, unsigned flags) {
  constexpr unsigned external = 1;
  if (flags > external) return Status::invalid_value;
  return flags == external && captured_stream(handle) == nullptr ? Status::illegal_state : Status::success;
}

}  // namespace

Status record(const void* handle, const void* stream, unsigned flags) {
  if (const Status status = check_flags_for(stream, flags); status != Status::success) return status;
  Event* event = find<Event>(handle);
  if (event == nullptr) return unknown_event(handle);
  if (const Status known = expect_stream(stream); known != Status::success) return known;
  const Stream* in = find<Stream>(stream);
  event->capture = in == nullptr ? nullptr : in->capture;
  event->last = in == nullptr ? std::vector<GraphNode*>() : in->last;
  if (event->capture != nullptr) return Status::success;
  if (const Status status = allowed_in(stream); status != Status::success) return status;
  event->recorded = true;
  event->at = std::chrono::steady_clock::now();
  return Status::success;
}

namespace {
// It was last recorded in a capture that has ended.
bool is_of_no_use(const Event& event) {
  return event.capture != nullptr && event.capture->graph == nullptr;
}
}  // namespace

Status wait_for(const void* handle, const void* which, unsigned flags) {
  if (const Status status = check_flags_for(handle, flags); status != Status::success) return status;
  const Event* event = find<Event>(which);
  if (event == nullptr) return unknown_event(which);
  if (const Status known = expect_stream(handle); known != Status::success) return known;
  if (is_of_no_use(*event)) return Status::invalid_value;
  if (event->capture == nullptr) return Status::success;  // done
  Stream* stream = find<Stream>(handle);
  if (stream == nullptr) return Status::capture_unsupported;
  if (stream->capture != nullptr && stream->capture != event->capture) return Status::capture_merge;
  stream->capture = event->capture;
  for (GraphNode* node : event->last)
    if (std::ranges::find(stream->last, node) == stream->last.end()) stream->last.push_back(node);
  return Status::success;
}

Status wait_for_event(const void* handle) {
  const Event* event = find<Event>(handle);
  if (event == nullptr) return unknown_event(handle);
  if (event->capture == nullptr) return Status::success;
  if (is_of_no_use(*event)) return Status::invalid_value;
  event->capture->broken = true;
  return Status::captured_event;
}

Status wait_for_stream(const void* handle) {
  if (const Status known = expect_stream(handle); known != Status::success) return known;
  const Stream* stream = find<Stream>(handle);
  if (stream == nullptr) return allowed_in(handle);
  if (stream->capture == nullptr) return Status::success;
  stream->capture->broken = true;
  return Status::capture_unsupported;
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
