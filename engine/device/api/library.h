#pragma once
// What the CUDA libraries share: the one device of the process.

#include <atomic>
#include <cstdint>
#include <mutex>

#include "device/device.h"

namespace lanescope::device::api {

// Made at the first call; never taken down, because programs call at their very end. Options come from the environment.
Device& device();

// After a fork the child has no device, as with CUDA.
bool is_forked_child();

// Held for the time of a call.
class Call {
 public:
  Call() : lock_(device().lock()) {}

 private:
  std::unique_lock<std::recursive_mutex> lock_;
};

// Says that there are no textures of this kind, and answers not_supported.
Status no_such_texture(const char* call, const Wording& what);

// A call of what is not there.
struct Counted {
  const char* name;
  std::atomic<std::uint64_t> calls{0};
  std::atomic<Counted*> next{nullptr};
};
int missing_in_runtime(Counted& counted);
int missing_in_driver(Counted& counted);

}  // namespace lanescope::device::api
