// Initialisation, devices and contexts of the driver API.

#include <atomic>
#include <cstring>
#include <memory>

#include "device/api/driver/driver.h"
#include "device/api/error_texts.h"
#include "device/properties.h"

namespace lanescope::device::api {

namespace {

std::atomic<bool> initialised{false};

std::vector<Context*>& stack() {
  thread_local std::vector<Context*> contexts;
  return contexts;
}
std::vector<std::unique_ptr<Context>>& made() {
  static auto* const contexts = new std::vector<std::unique_ptr<Context>>;
  return *contexts;
}
Context* known(CUcontext handle) {
  if (reinterpret_cast<Context*>(handle) == primary_context()) return primary_context();
  for (const auto& one : made())
    if (one.get() == reinterpret_cast<Context*>(handle)) return one.get();
  return nullptr;
}
CUcontext context_handle(Context* context) {
  return reinterpret_cast<CUcontext>(context);
}

CUresult create(CUcontext* to, unsigned flags, CUdevice number) {
  return driver_answer(
      [&](Device&) {
        if (to == nullptr || !are_context_flags(flags)) return Status::invalid_value;
        if (number != 0) return Status::invalid_device;
        auto context = std::make_unique<Context>(Context{made().size() + 2, flags, 0});
        stack().push_back(context.get());
        *to = context_handle(context.get());
        made().push_back(std::move(context));
        return Status::success;
      },
      Reports::nothing, Needs::driver);
}

// Runs `put` after the checks that all queries about a device share.
template <typename Put>
CUresult about(CUdevice number, const void* to, Put&& put) {
  return driver_answer(
      [&](Device& on) {
        if (to == nullptr) return Status::invalid_value;
        if (number != 0) return Status::invalid_device;
        put(on);
        return Status::success;
      },
      Reports::nothing, Needs::driver);
}

}  // namespace

bool driver_is_initialised() {
  return initialised;
}
void initialise_driver() {
  initialised = true;
}
Context* primary_context() {
  static auto* const primary = new Context{1, 0, 0};
  return primary;
}
Context* current_context() {
  return stack().empty() ? nullptr : stack().back();
}
bool is_active(const Context* context) {
  return context != primary_context() || context->retained > 0 || context->of_runtime;
}
void enter_primary_context() {
  initialised = true;
  primary_context()->of_runtime = true;
  if (stack().empty()) stack().push_back(primary_context());
}

}  // namespace lanescope::device::api

using namespace lanescope::device;
using namespace lanescope::device::api;

extern "C" {

CUresult cuInit(unsigned flags) {
  if (refuse_forked_child()) return CUDA_ERROR_NOT_INITIALIZED;
  if (flags != 0) return CUDA_ERROR_INVALID_VALUE;
  initialise_driver();
  return CUDA_SUCCESS;
}
CUresult cuDriverGetVersion(int* version) {
  if (version == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *version = driver_version;
  return CUDA_SUCCESS;
}
CUresult cuGetErrorName(CUresult error, const char** text) {
  if (text == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *text = driver_error_name(error);
  return *text == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}
CUresult cuGetErrorString(CUresult error, const char** text) {
  if (text == nullptr) return CUDA_ERROR_INVALID_VALUE;
  *text = driver_error_name(error) == nullptr ? nullptr : error_text(error);
  return *text == nullptr ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int* count) {
  return about(0, count, [&](Device&) { *count = 1; });
}
CUresult cuDeviceGet(CUdevice* to, int number) {
  return about(number, to, [&](Device&) { *to = 0; });
}
CUresult cuDeviceGetName(char* to, int length, CUdevice number) {
  if (length <= 0) return CUDA_ERROR_INVALID_VALUE;
  return about(number, to, [&](Device&) {
    std::strncpy(to, device_name, static_cast<std::size_t>(length));
    to[length - 1] = '\0';
  });
}
CUresult cuDeviceGetUuid_v2(CUuuid* to, CUdevice number) {
  return about(number, to, [&](Device&) { std::memcpy(to->bytes, device_uuid, sizeof to->bytes); });
}
CUresult lanescope_cuDeviceGetUuid(CUuuid* to, CUdevice number) {
  return cuDeviceGetUuid_v2(to, number);
}
CUresult cuDeviceTotalMem(std::size_t* bytes, CUdevice number) {
  return about(number, bytes, [&](Device& on) { *bytes = on.memory().total(); });
}
CUresult cuDeviceComputeCapability(int* major, int* minor, CUdevice number) {
  if (major == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return about(number, minor, [&](Device& on) {
    *major = attribute(on, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR).value_or(0);
    *minor = attribute(on, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR).value_or(0);
  });
}
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute which, CUdevice number) {
  return driver_answer(
      [&](Device& on) {
        if (number != 0) return Status::invalid_device;
        const std::optional<int> found = attribute(on, static_cast<int>(which));
        if (value == nullptr || !found) return Status::invalid_value;
        *value = *found;
        return Status::success;
      },
      Reports::nothing, Needs::driver);
}
CUresult cuDeviceGetPCIBusId(char* text, int length, CUdevice number) {
  if (length < 13) return CUDA_ERROR_INVALID_VALUE;
  return about(number, text, [&](Device&) { std::memcpy(text, "0000:00:00.0", 13); });
}
CUresult cuDeviceGetByPCIBusId(CUdevice* to, const char* text) {
  if (text == nullptr || to == nullptr) return CUDA_ERROR_INVALID_VALUE;
  if (const Status status = find_bus_id(text); status != Status::success) return result_of(status);
  return about(0, to, [&](Device&) { *to = 0; });
}
CUresult cuDeviceGetP2PAttribute(int* value, CUdevice_P2PAttribute, CUdevice from, CUdevice) {
  const CUresult known = about(from, value, [](Device&) {});
  return known == CUDA_SUCCESS ? CUDA_ERROR_INVALID_DEVICE : known;  // a device is no peer of itself
}
CUresult cuDeviceCanAccessPeer(int* can, CUdevice from, CUdevice to) {
  return about(from == 0 ? to : from, can, [&](Device&) { *can = 0; });
}

CUresult cuDevicePrimaryCtxRetain(CUcontext* to, CUdevice number) {
  return about(number, to, [&](Device&) {
    ++primary_context()->retained;
    *to = context_handle(primary_context());
  });
}
CUresult cuDevicePrimaryCtxRelease(CUdevice number) {
  const CUresult known_device = about(number, "", [](Device&) {});
  if (known_device != CUDA_SUCCESS) return known_device;
  const Call call;
  unsigned& retained = primary_context()->retained;
  return retained == 0 ? CUDA_ERROR_INVALID_CONTEXT : (--retained, CUDA_SUCCESS);
}
CUresult cuDevicePrimaryCtxReset(CUdevice number) {
  return about(number, "", [&](Device& on) {
    forget_all();
    on.reset();
  });
}
CUresult cuDevicePrimaryCtxGetState(CUdevice number, unsigned* flags, int* active) {
  if (flags == nullptr) return CUDA_ERROR_INVALID_VALUE;
  return about(number, active, [&](Device&) {
    *flags = primary_context()->flags;
    *active = is_active(primary_context());
  });
}
CUresult cuDevicePrimaryCtxSetFlags(CUdevice number, unsigned flags) {
  if (number == 0 && !are_context_flags(flags)) return CUDA_ERROR_INVALID_VALUE;
  return about(number, "", [&](Device&) { primary_context()->flags = flags; });
}

CUresult cuCtxCreate_v2(CUcontext* to, unsigned flags, CUdevice number) {
  return create(to, flags, number);
}
CUresult cuCtxCreate_v4(CUcontext* to, CUctxCreateParams*, unsigned flags, CUdevice number) {
  return create(to, flags, number);
}
CUresult cuCtxDestroy(CUcontext handle) {
  return driver_answer(
      [&](Device&) {
        if (handle == nullptr) return Status::invalid_value;
        Context* context = known(handle);
        if (context == nullptr) return Status::context_is_destroyed;
        if (context == primary_context()) return Status::invalid_context;
        if (current_context() == context) stack().pop_back();
        std::erase_if(made(), [&](const auto& one) { return one.get() == context; });
        return Status::success;
      },
      Reports::nothing, Needs::driver);
}
// Here each context has only one user, since cuCtxAttach is not implemented. So this destroys it.
CUresult cuCtxDetach(CUcontext handle) {
  return cuCtxDestroy(handle);
}
CUresult cuCtxPushCurrent(CUcontext handle) {
  return driver_answer(
      [&](Device&) {
        if (handle == nullptr) return Status::invalid_value;
        Context* context = known(handle);
        if (context == nullptr) return Status::invalid_context;
        stack().push_back(context);
        return Status::success;
      },
      Reports::nothing, Needs::driver);
}
CUresult cuCtxPopCurrent(CUcontext* to) {
  return driver_answer(
      [&](Device&) {
        if (to != nullptr) *to = context_handle(current_context());
        stack().pop_back();
        return Status::success;
      },
      Reports::nothing);
}
CUresult cuCtxSetCurrent(CUcontext handle) {
  return driver_answer(
      [&](Device&) {
        if (!stack().empty()) stack().pop_back();
        if (handle == nullptr) return Status::success;
        Context* context = known(handle);
        if (context == nullptr) return Status::invalid_context;
        stack().push_back(context);
        return Status::success;
      },
      Reports::nothing, Needs::driver);
}
CUresult cuCtxGetCurrent(CUcontext* to) {
  return about(0, to, [&](Device&) { *to = context_handle(current_context()); });
}
CUresult cuCtxGetDevice(CUdevice* to) {
  return driver_answer([&](Device&) { return to == nullptr ? Status::invalid_value : (*to = 0, Status::success); },
                       Reports::nothing);
}
CUresult cuCtxGetFlags(unsigned* flags) {
  return driver_answer(
      [&](Device&) {
        if (flags == nullptr) return Status::invalid_value;
        *flags = current_context()->flags;
        return Status::success;
      },
      Reports::nothing);
}
CUresult cuCtxGetId(CUcontext handle, unsigned long long* id) {
  return driver_answer(
      [&](Device&) {
        const Context* context = handle == nullptr ? current_context() : known(handle);
        if (context == nullptr || id == nullptr) return id == nullptr ? Status::invalid_value : Status::invalid_context;
        *id = context->id;
        return Status::success;
      },
      Reports::nothing, Needs::driver);
}
CUresult cuCtxGetApiVersion(CUcontext context, unsigned* version) {
  if (context == nullptr && current_context() == nullptr && driver_is_initialised()) return CUDA_ERROR_INVALID_CONTEXT;
  return about(0, version, [&](Device&) { *version = 3020; });
}
CUresult cuCtxSynchronize() {
  return driver_answer([](Device&) { return allowed_while_capturing(); });
}
CUresult cuCtxSetLimit(CUlimit limit, std::size_t value) {
  return driver_answer([&](Device& device) { return device.limits().set(static_cast<unsigned>(limit), value); });
}
CUresult cuCtxGetLimit(std::size_t* value, CUlimit limit) {
  return driver_answer([&](Device& device) { return device.limits().get(static_cast<unsigned>(limit), value); });
}
// Preferences only: the device has no caches to divide.
CUresult cuCtxGetCacheConfig(CUfunc_cache* config) {
  return driver_answer([&](Device&) {
    if (config == nullptr) return Status::invalid_value;
    *config = static_cast<CUfunc_cache>(current_context()->cache_preference);
    return Status::success;
  });
}
CUresult cuCtxSetCacheConfig(CUfunc_cache config) {
  return driver_answer([&](Device&) {
    if (!is_cache_preference(config)) return Status::invalid_value;
    current_context()->cache_preference = config;
    return Status::success;
  });
}
CUresult cuCtxGetSharedMemConfig(CUsharedconfig* config) {
  return driver_answer([&](Device&) {
    if (config == nullptr) return Status::invalid_value;
    return *config = CU_SHARED_MEM_CONFIG_FOUR_BYTE_BANK_SIZE, Status::success;
  });
}
// The width of a bank is fixed since compute capability 5.0.
CUresult cuCtxSetSharedMemConfig(CUsharedconfig config) {
  return driver_answer([&](Device&) { return are_banks(config) ? Status::success : Status::invalid_value; });
}
CUresult cuCtxGetStreamPriorityRange(int* least, int* greatest) {
  return driver_answer([&](Device&) {
    if (least != nullptr) *least = 0;
    if (greatest != nullptr) *greatest = -5;
    return Status::success;
  });
}
CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags) {
  return driver_answer([&](Device&) {
    if (known(peer) == nullptr) return Status::invalid_context;
    return flags != 0 ? Status::invalid_value : Status::peer_access_unsupported;
  });
}
CUresult cuCtxDisablePeerAccess(CUcontext peer) {
  return driver_answer(
      [&](Device&) { return known(peer) == nullptr ? Status::invalid_context : Status::peer_access_not_enabled; });
}
CUresult cuProfilerStart() {
  return CUDA_SUCCESS;
}
CUresult cuProfilerStop() {
  return CUDA_SUCCESS;
}

}  // extern "C"
