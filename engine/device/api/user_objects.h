#pragma once
// User objects of both APIs: something of the program's that graphs hold on to. When nobody refers to it any more, the
// program's own function destroys it.

#include <map>

#include "device/status.h"

namespace lanescope::device::api {

struct UserObject {
  void* what = nullptr;
  void (*destroy)(void*) = nullptr;
  unsigned references = 0;  // by the program and by graphs
  unsigned own = 0;         // of them the program's: it may release no others
};

// Those of a graph. A copy of the graph has as many of its own.
class UserReferences {
 public:
  UserReferences() = default;
  UserReferences(const UserReferences& other);
  UserReferences(UserReferences&& other) noexcept;
  UserReferences& operator=(const UserReferences&) = delete;
  ~UserReferences();

  // References that are counted already become the graph's.
  void take(UserObject& object, unsigned count) { counts_[&object] += count; }
  // False: it has not so many.
  bool drop(UserObject& object, unsigned count);

 private:
  std::map<UserObject*, unsigned> counts_;
};

// What both APIs' calls do (documentation of cuUserObjectCreate and the calls after it). Handles may be none.
Status make_user_object(void** to, void* what, void (*destroy)(void*), unsigned references, unsigned flags);
Status retain(const void* object, unsigned count);
Status release(const void* object, unsigned count);
Status graph_retains(const void* graph, const void* object, unsigned count, unsigned flags);
Status graph_releases(const void* graph, const void* object, unsigned count);

}  // namespace lanescope::device::api
