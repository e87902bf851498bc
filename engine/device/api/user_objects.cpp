#include "device/api/user_objects.h"

#include <climits>
#include <utility>

#include "device/api/graphs.h"
#include "device/api/streams.h"

namespace lanescope::device::api {

namespace {

// The only valid flags, of a user object and of a graph that retains one.
constexpr unsigned no_destructor_sync = 1, move_references = 1;

bool is_count(unsigned count) {
  return count != 0 && count <= static_cast<unsigned>(INT_MAX);
}

void give_up(UserObject& object, unsigned count) {
  object.references -= count;
  if (object.references != 0) return;
  const UserObject gone = object;
  destroy<UserObject>(&object);
  gone.destroy(gone.what);
}

}  // namespace

UserReferences::UserReferences(const UserReferences& other) : counts_(other.counts_) {
  for (const auto& [object, count] : counts_) object->references += count;
}

UserReferences::UserReferences(UserReferences&& other) noexcept : counts_(std::exchange(other.counts_, {})) {}

UserReferences::~UserReferences() {
  for (const auto& [object, count] : counts_) give_up(*object, count);
}

bool UserReferences::drop(UserObject& object, unsigned count) {
  const auto known = counts_.find(&object);
  if (known == counts_.end() || known->second < count) return false;
  known->second -= count;
  if (known->second == 0) counts_.erase(known);
  give_up(object, count);
  return true;
}

Status make_user_object(void** to, void* what, void (*destroy)(void*), unsigned references, unsigned flags) {
  if (to == nullptr || destroy == nullptr || !is_count(references) || flags != no_destructor_sync)
    return Status::invalid_value;
  make(to, UserObject{what, destroy, references, references});
  return Status::success;
}

Status retain(const void* handle, unsigned count) {
  UserObject* object = find<UserObject>(handle);
  if (object == nullptr || !is_count(count)) return Status::invalid_value;
  object->references += count;
  object->own += count;
  return Status::success;
}

Status release(const void* handle, unsigned count) {
  UserObject* object = find<UserObject>(handle);
  if (object == nullptr || !is_count(count) || count > object->own) return Status::invalid_value;
  object->own -= count;
  give_up(*object, count);
  return Status::success;
}

Status graph_retains(const void* graph_handle, const void* handle, unsigned count, unsigned flags) {
  Graph* graph = find<Graph>(graph_handle);
  UserObject* object = find<UserObject>(handle);
  if (graph == nullptr || object == nullptr || !is_count(count) || (flags & ~move_references) != 0)
    return Status::invalid_value;
  if ((flags & move_references) == 0) {
    object->references += count;
  } else {
    if (count > object->own) return Status::invalid_value;
    object->own -= count;
  }
  graph->objects.take(*object, count);
  return Status::success;
}

Status graph_releases(const void* graph_handle, const void* handle, unsigned count) {
  Graph* graph = find<Graph>(graph_handle);
  UserObject* object = find<UserObject>(handle);
  if (graph == nullptr || object == nullptr || !is_count(count)) return Status::invalid_value;
  return graph->objects.drop(*object, count) ? Status::success : Status::invalid_value;
}

}  // namespace lanescope::device::api
