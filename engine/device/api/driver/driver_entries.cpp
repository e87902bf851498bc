// Entry points by name: cuGetProcAddress.

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

#include "device/api/driver/driver.h"

#define ENTRY(name, library) extern "C" void lanescope_##name##_entry() __asm__("lanescope_" #name);
#include "entries.inc"
#undef ENTRY

namespace lanescope::device::api {

namespace {

struct Entry {
  std::string_view name;
  void (*function)();
};
constexpr Entry runtime(const char*, void (*)()) {
  return {};
}
constexpr Entry driver(const char* name, void (*function)()) {
  return {name, function};
}
// Sorted by name. Those of the runtime come first and are empty.
const Entry entries[] = {
#define ENTRY(name, library) library(#name, lanescope_##name##_entry),
#include "entries.inc"
#undef ENTRY
};

struct Version {
  std::string_view name;
  int since;
  const char* function;
};
constexpr Version versions[] = {
#define VERSION(name, since, function) {#name, since, #function},
#include "versions.inc"
#undef VERSION
};

constexpr int after_this_driver = 14000;  // programs ask for what was new in the versions of their own headers

void* find_entry(std::string_view name) {
  const auto* entry = std::ranges::find(entries, name, &Entry::name);
  return entry == std::end(entries) ? nullptr : reinterpret_cast<void*>(entry->function);
}

Status look_up(const char* symbol, void** to, int version, CUdriverProcAddressQueryResult* result) {
  if (symbol == nullptr || to == nullptr || version >= after_this_driver) return Status::invalid_value;
  *to = nullptr;
  CUdriverProcAddressQueryResult found = CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  for (const Version& one : versions) {
    if (one.name != symbol) continue;
    if (one.since <= version)
      *to = find_entry(one.function);
    else if (*to == nullptr)
      found = CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT;
  }
  // A function that the header knows only under this name.
  const bool is_of_a_version = std::ranges::any_of(
      versions, [&](const Version& one) { return one.function == std::string_view(symbol) && one.name != symbol; });
  if (*to == nullptr && found == CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND && !is_of_a_version) *to = find_entry(symbol);
  if (*to != nullptr) found = CU_GET_PROC_ADDRESS_SUCCESS;
  if (result != nullptr) *result = found;
  return *to == nullptr && result == nullptr ? Status::not_found : Status::success;
}

}  // namespace

}  // namespace lanescope::device::api

using namespace lanescope::device;
using namespace lanescope::device::api;

extern "C" {

// The flags choose between the kinds of the default stream, which are the same on this device.
CUresult cuGetProcAddress_v2(const char* symbol, void** to, int version, cuuint64_t flags,
                             CUdriverProcAddressQueryResult* result) {
  if (flags > CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM) return CUDA_ERROR_INVALID_VALUE;
  return result_of(look_up(symbol, to, version, result));
}
CUresult lanescope_cuGetProcAddress(const char* symbol, void** to, int version, cuuint64_t) {
  return result_of(look_up(symbol, to, version, nullptr));
}

}  // extern "C"
