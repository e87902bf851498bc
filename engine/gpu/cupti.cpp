#include "gpu/cupti.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "core/os/dynamic_library.h"
#include "core/os/environment.h"
#include "core/os/own_path.h"
#include "gpu/counter_refusal.h"

namespace lanescope::gpu {
namespace {

// CUPTI must have the driver's major version. It finds libnvperf_* in its own folder.
std::vector<std::string> folders_with_cupti() {
  std::vector<std::string> folders;
  if (const auto deps = value_of_variable("LANESCOPE_DEPS")) folders.push_back(*deps + "/cuda/lib");
  const auto here = own_path().parent_path();
  for (const char* relative : {"../../third_party/.fetched/cuda/lib", "../share/lanescope/cuda/lib", "../lib"})
    folders.push_back((here / relative).lexically_normal().generic_string());
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const auto toolkit = value_of_variable(variable)) folders.push_back(*toolkit + "/extras/CUPTI/lib64");
  folders.push_back("/usr/local/cuda/extras/CUPTI/lib64");
  folders.push_back("");  // the loader's search path
  return folders;
}

Cupti load() {
  Cupti cupti;
  for (const std::string& folder : folders_with_cupti()) {
    const std::string lead = folder.empty() ? "" : folder + "/";
    for (const char* helper : {"libnvperf_host.so", "libnvperf_target.so"})
      DynamicLibrary::open(lead + helper, Symbols::global);
    const DynamicLibrary library = DynamicLibrary::open(lead + "libcupti.so.13", Symbols::global);
    if (!library) continue;
    cupti.usable = true;
#define ROW(member, symbol) cupti.usable = library.find(#symbol, cupti.member) && cupti.usable;
    LANESCOPE_CUPTI_FUNCTIONS(ROW)
#undef ROW
    if (cupti.usable) break;
  }
  return cupti;
}

}  // namespace

const Cupti& cupti() {
  static const Cupti loaded = load();
  return loaded;
}

void require(CUptiResult result, const char* call) {
  if (result == CUPTI_SUCCESS) return;
  const char* meaning = "unknown error";
  cupti().get_result_string(result, &meaning);
  throw CuptiError{result, counter_refusal(result, call, meaning)};
}

const char* chip_name(int device_index) {
  auto chip = LANESCOPE_CUPTI_PARAMS(CUpti_Device_GetChipName_Params);
  chip.deviceIndex = static_cast<std::size_t>(device_index);
  LANESCOPE_CUPTI(chip_name, &chip);
  return chip.pChipName;
}

Diagnostics count_with_cupti(const std::function<void()>& work) {
  if (!cupti().usable)
    return {{.code = "gpu.no_counters",
             .message = "CUPTI, which reads the hardware counters, is not on this machine.",
             .cure = "Run third_party/fetch, or install the CUDA Toolkit 13. Everything else works without counters."}};
  constexpr std::chrono::seconds longest_wait{5};
  const auto end = std::chrono::steady_clock::now() + longest_wait;
  for (std::chrono::milliseconds pause{20};; pause = std::min(2 * pause, std::chrono::milliseconds{200})) {
    try {
      auto initialize = LANESCOPE_CUPTI_PARAMS(CUpti_Profiler_Initialize_Params);
      LANESCOPE_CUPTI(initialize, &initialize);
      work();
      return {};
    } catch (const CuptiError& error) {
      if (error.result != CUPTI_ERROR_HARDWARE_BUSY || std::chrono::steady_clock::now() > end)
        return {error.diagnostic};
    }
    std::this_thread::sleep_for(pause);
  }
}

}  // namespace lanescope::gpu
