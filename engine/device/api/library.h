#pragma once
// What the CUDA libraries share: the process's only device.

#include <atomic>
#include <cstdint>
#include <mutex>

#include "device/device.h"

namespace lanescope::device::api {

// Created at the first call. Never destroyed, because programs call CUDA until their very end. Options come from the
// environment.
Device& device();

// As with CUDA, a forked child has no device.
bool is_forked_child();

// Holds the device's lock during a call.
class Call {
 public:
  Call() : lock_(device().lock()) {}

 private:
  std::unique_lock<std::recursive_mutex> lock_;
};

// Reports that this kind of texture is not supported, and gives not_supported.
Status no_such_texture(const char* call, const Wording& what);

// Counts the calls of a function without implementation.
struct Counted {
  const char* name;
  std::atomic<std::uint64_t> calls{0};
  std::atomic<Counted*> next{nullptr};
};
int missing_in_runtime(Counted& counted);
int missing_in_driver(Counted& counted);

}  // namespace lanescope::device::api
