#pragma once
// Contexts of the driver API. The runtime API uses the primary one.

#include <cstdint>

namespace lanescope::device::api {

struct Context {
  std::uint64_t id = 0;
  unsigned flags = 0;
  unsigned retained = 0;     // for the primary one
  bool of_runtime = false;   // the runtime uses it: the primary one
  int cache_preference = 0;  // CUfunc_cache, cudaFuncCache: kept, and changes nothing
};

bool driver_is_initialised();
void initialise_driver();
Context* primary_context();
// Whether it is in use, by the runtime or because the program retains it. If not, a GPU has destroyed it.
bool is_active(const Context* context);
// The context of this thread: the top of its stack, or nullptr if the stack is empty.
Context* current_context();
// When a thread calls the runtime API, the primary context becomes its current one.
void enter_primary_context();
void forget_all();  // modules and kernels, when everything is reset

}  // namespace lanescope::device::api
