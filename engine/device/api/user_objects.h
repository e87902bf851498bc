#pragma once
// User objects of both APIs: objects of the program that graphs retain. When the last reference is released, the
// program's own function destroys the object.

#include <map>

#include "device/status.h"

namespace lanescope::device::api {

struct UserObject {
  void* what = nullptr;
  void (*destroy)(void*) = nullptr;
  unsigned references = 0;  // by the program and by graphs
  unsigned own = 0;         // of these, the program's: it must not release more
};

// The references of a graph. A copy of the graph has as many of its own.
class UserReferences {
 public:
  UserReferences() = default;
  UserReferences(const UserReferences& other);
  UserReferences(UserReferences&& other) noexcept;
  UserReferences& operator=(const UserReferences&) = delete;
  ~UserReferences();

  // The graph takes over references that are already counted.
  void take(UserObject& object, unsigned count) { counts_[&object] += count; }
  // False if it does not have that many.
  bool drop(UserObject& object, unsigned count);

 private:
  std::map<UserObject*, unsigned> counts_;
};

// The calls of both APIs (documentation of cuUserObjectCreate and the calls after it). Handles may be invalid.
Status make_user_object(void** to, void* what, void (*destroy)(void*), unsigned references, unsigned flags);
Status retain(const void* object, unsigned count);
Status release(const void* object, unsigned count);
Status graph_retains(const void* graph, const void* object, unsigned count, unsigned flags);
Status graph_releases(const void* graph, const void* object, unsigned count);

}  // namespace lanescope::device::api
