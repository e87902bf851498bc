#pragma once
// Contexts of the driver API. The runtime API works in the primary one.

#include <cstdint>

namespace lanescope::device::api {

struct Context {
  std::uint64_t id = 0;
  unsigned flags = 0;
  unsigned retained = 0;  // the primary one
};

bool driver_is_initialised();
void initialise_driver();
Context* primary_context();
// Of this thread: the top of its stack; nullptr when that is empty.
Context* current_context();
// A thread that calls the runtime API has the primary context from then on.
void enter_primary_context();
void forget_all();  // modules and kernels, when everything is reset

}  // namespace lanescope::device::api
