#pragma once
// What the CUDA libraries share: the process's only device.

#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>

#include "core/float_environment.h"
#include "device/device.h"

namespace lanescope::device::api {

// Created at the first call. Never destroyed, because programs call CUDA until their very end. Options come from the
// environment.
Device& device();

// As with CUDA, a child that was forked after the first call has no device.
bool is_forked_child();
// Whether this is such a child, whose call is refused. Reports the first one.
bool refuse_forked_child();
// Reports the first call of the driver API that comes before cuInit.
void say_not_initialised();

// Holds the device's lock during a call. The interpreter runs on the program's thread, so it must not compute in the
// program's floating-point environment.
class Call {
 public:
  Call() : lock_(device().lock()) {}

 private:
  DefaultFloatEnvironment environment_;
  std::unique_lock<std::recursive_mutex> lock_;
};

// Kernels that the program has a handle of: CUfunction, CUkernel, cudaFunction_t and cudaKernel_t are one address.
// nullptr if the handle is invalid.
Kernel* kernel_at(const void* handle);
void make_handle(Kernel* kernel);
void forget_handles_of(const Module* module);  // before it is unloaded

// The name of the device's variable for which the host has something at this address; empty if there is none.
std::string host_variable_at(std::uint64_t address);

// Warns that nothing has this handle. `what`: the call that destroys it, or what it should be.
void say_unknown(std::uint64_t handle, const char* what);

// Whether they are values of both APIs: flags of a context or the device, cudaFuncCache, cudaSharedMemConfig.
bool are_context_flags(unsigned flags);
constexpr bool is_cache_preference(int value) {
  return value >= 0 && value <= 3;
}
constexpr bool are_banks(int value) {
  return value >= 0 && value <= 2;
}

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
