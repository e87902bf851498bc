#include "gpu/counters.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <mutex>
#include <thread>

#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_target.h>

#include "core/os/dynamic_library.h"
#include "core/os/environment.h"
#include "core/os/own_path.h"
#include "gpu/counter_refusal.h"

namespace lanescope::gpu {
namespace {

#define LANESCOPE_CUPTI_FUNCTIONS(ROW)                               \
  ROW(get_result_string, cuptiGetResultString)                       \
  ROW(initialize, cuptiProfilerInitialize)                           \
  ROW(chip_name, cuptiDeviceGetChipName)                             \
  ROW(availability, cuptiProfilerGetCounterAvailability)             \
  ROW(host_initialize, cuptiProfilerHostInitialize)                  \
  ROW(host_deinitialize, cuptiProfilerHostDeinitialize)              \
  ROW(add_metrics, cuptiProfilerHostConfigAddMetrics)                \
  ROW(config_size, cuptiProfilerHostGetConfigImageSize)              \
  ROW(config_image, cuptiProfilerHostGetConfigImage)                 \
  ROW(pass_count, cuptiProfilerHostGetNumOfPasses)                   \
  ROW(evaluate, cuptiProfilerHostEvaluateToGpuValues)                \
  ROW(enable, cuptiRangeProfilerEnable)                              \
  ROW(disable, cuptiRangeProfilerDisable)                            \
  ROW(set_config, cuptiRangeProfilerSetConfig)                       \
  ROW(data_size, cuptiRangeProfilerGetCounterDataSize)               \
  ROW(data_initialize, cuptiRangeProfilerCounterDataImageInitialize) \
  ROW(start, cuptiRangeProfilerStart)                                \
  ROW(stop, cuptiRangeProfilerStop)                                  \
  ROW(push, cuptiRangeProfilerPushRange)                             \
  ROW(pop, cuptiRangeProfilerPopRange)                               \
  ROW(decode, cuptiRangeProfilerDecodeData)

struct Cupti {
#define ROW(member, symbol) decltype(&::symbol) member = nullptr;
  LANESCOPE_CUPTI_FUNCTIONS(ROW)
#undef ROW
  bool usable = false;
};
struct CuptiNames {
#define ROW(member, symbol) static constexpr const char* member = #symbol;
  LANESCOPE_CUPTI_FUNCTIONS(ROW)
#undef ROW
};

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

const Cupti& cupti() {
  static const Cupti loaded = load();
  return loaded;
}

struct CuptiError {
  CUptiResult result;
  Diagnostic diagnostic;
};

void require(CUptiResult result, const char* call) {
  if (result == CUPTI_SUCCESS) return;
  const char* meaning = "unknown error";
  cupti().get_result_string(result, &meaning);
  throw CuptiError{result, counter_refusal(result, call, meaning)};
}
#define REQUIRE(function, params) require(cupti().function(params), CuptiNames::function)

template <typename Params>
Params sized(std::size_t size) {
  Params params{};
  params.structSize = size;
  return params;
}
#define PARAMS(Type) sized<Type>(Type##_STRUCT_SIZE)

// The counters that this context may use. A CUPTI older than the chip needs them to build host objects.
std::vector<std::uint8_t> availability(CUcontext context) {
  auto ask = PARAMS(CUpti_Profiler_GetCounterAvailability_Params);
  ask.ctx = context;
  REQUIRE(availability, &ask);
  std::vector<std::uint8_t> image(ask.counterAvailabilityImageSize);
  ask.pCounterAvailabilityImage = image.data();
  REQUIRE(availability, &ask);
  return image;
}

class HostObject {
 public:
  HostObject(CUcontext context, int device_index) : availability_(availability(context)) {
    auto chip = PARAMS(CUpti_Device_GetChipName_Params);
    chip.deviceIndex = static_cast<std::size_t>(device_index);
    REQUIRE(chip_name, &chip);
    auto params = PARAMS(CUpti_Profiler_Host_Initialize_Params);
    params.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    params.pChipName = chip.pChipName;
    params.pCounterAvailabilityImage = availability_.data();
    REQUIRE(host_initialize, &params);
    object_ = params.pHostObject;
  }
  ~HostObject() {
    auto params = PARAMS(CUpti_Profiler_Host_Deinitialize_Params);
    params.pHostObject = object_;
    cupti().host_deinitialize(&params);
  }
  HostObject(const HostObject&) = delete;
  HostObject& operator=(const HostObject&) = delete;

  std::vector<std::uint8_t> configuration(std::vector<const char*>& names, int& passes) {
    auto add = PARAMS(CUpti_Profiler_Host_ConfigAddMetrics_Params);
    add.pHostObject = object_;
    add.ppMetricNames = names.data();
    add.numMetrics = names.size();
    REQUIRE(add_metrics, &add);
    auto size = PARAMS(CUpti_Profiler_Host_GetConfigImageSize_Params);
    size.pHostObject = object_;
    REQUIRE(config_size, &size);
    std::vector<std::uint8_t> image(size.configImageSize);
    auto get = PARAMS(CUpti_Profiler_Host_GetConfigImage_Params);
    get.pHostObject = object_;
    get.configImageSize = image.size();
    get.pConfigImage = image.data();
    REQUIRE(config_image, &get);
    auto count_passes = PARAMS(CUpti_Profiler_Host_GetNumOfPasses_Params);
    count_passes.configImageSize = image.size();
    count_passes.pConfigImage = image.data();
    REQUIRE(pass_count, &count_passes);
    passes = static_cast<int>(count_passes.numOfPasses);
    return image;
  }

  std::vector<double> values(const std::vector<std::uint8_t>& data, std::vector<const char*>& names) {
    std::vector<double> found(names.size());
    auto params = PARAMS(CUpti_Profiler_Host_EvaluateToGpuValues_Params);
    params.pHostObject = object_;
    params.pCounterDataImage = data.data();
    params.counterDataImageSize = data.size();
    params.ppMetricNames = names.data();
    params.numMetrics = names.size();
    params.pMetricValues = found.data();
    REQUIRE(evaluate, &params);
    return found;
  }

 private:
  std::vector<std::uint8_t> availability_;
  CUpti_Profiler_Host_Object* object_ = nullptr;
};

class RangeProfiler {
 public:
  explicit RangeProfiler(CUcontext context) {
    auto params = PARAMS(CUpti_RangeProfiler_Enable_Params);
    params.ctx = context;
    REQUIRE(enable, &params);
    object_ = params.pRangeProfilerObject;
  }
  ~RangeProfiler() {
    auto params = PARAMS(CUpti_RangeProfiler_Disable_Params);
    params.pRangeProfilerObject = object_;
    cupti().disable(&params);
  }
  RangeProfiler(const RangeProfiler&) = delete;
  RangeProfiler& operator=(const RangeProfiler&) = delete;

  std::vector<std::uint8_t> collect(const std::vector<std::uint8_t>& configuration, std::vector<const char*>& names,
                                    const std::function<void()>& run_once) {
    std::vector<std::uint8_t> data = empty_data(names);
    auto config = PARAMS(CUpti_RangeProfiler_SetConfig_Params);
    config.pRangeProfilerObject = object_;
    config.configSize = configuration.size();
    config.pConfig = configuration.data();
    config.counterDataImageSize = data.size();
    config.pCounterDataImage = data.data();
    config.range = CUPTI_UserRange;
    config.replayMode = CUPTI_UserReplay;
    config.maxRangesPerPass = 1;
    config.numNestingLevels = 1;
    config.minNestingLevel = 1;
    config.targetNestingLevel = 1;
    REQUIRE(set_config, &config);
    while (!one_pass(run_once)) {
    }
    auto decode = PARAMS(CUpti_RangeProfiler_DecodeData_Params);
    decode.pRangeProfilerObject = object_;
    REQUIRE(decode, &decode);
    return data;
  }

 private:
  std::vector<std::uint8_t> empty_data(std::vector<const char*>& names) {
    auto size = PARAMS(CUpti_RangeProfiler_GetCounterDataSize_Params);
    size.pRangeProfilerObject = object_;
    size.pMetricNames = names.data();
    size.numMetrics = names.size();
    size.maxNumOfRanges = 1;
    size.maxNumRangeTreeNodes = 1;
    REQUIRE(data_size, &size);
    std::vector<std::uint8_t> data(size.counterDataSize);
    auto params = PARAMS(CUpti_RangeProfiler_CounterDataImage_Initialize_Params);
    params.pRangeProfilerObject = object_;
    params.counterDataSize = data.size();
    params.pCounterData = data.data();
    REQUIRE(data_initialize, &params);
    return data;
  }

  // Returns true after the last pass.
  bool one_pass(const std::function<void()>& run_once) {
    auto begin = PARAMS(CUpti_RangeProfiler_Start_Params);
    begin.pRangeProfilerObject = object_;
    REQUIRE(start, &begin);
    auto range = PARAMS(CUpti_RangeProfiler_PushRange_Params);
    range.pRangeProfilerObject = object_;
    range.pRangeName = "kernel";
    REQUIRE(push, &range);
    run_once();
    auto end_range = PARAMS(CUpti_RangeProfiler_PopRange_Params);
    end_range.pRangeProfilerObject = object_;
    REQUIRE(pop, &end_range);
    auto end = PARAMS(CUpti_RangeProfiler_Stop_Params);
    end.pRangeProfilerObject = object_;
    REQUIRE(stop, &end);
    return end.isAllPassSubmitted != 0;
  }

  CUpti_RangeProfiler_Object* object_ = nullptr;
};

std::vector<double> count_once(CUcontext context, int device_index, const std::vector<std::string>& metrics,
                               const std::function<void()>& run_once, int& passes) {
  auto initialize = PARAMS(CUpti_Profiler_Initialize_Params);
  REQUIRE(initialize, &initialize);
  std::vector<const char*> names;
  for (const std::string& metric : metrics) names.push_back(metric.c_str());
  HostObject host(context, device_index);
  const std::vector<std::uint8_t> configuration = host.configuration(names, passes);
  RangeProfiler profiler(context);
  const std::vector<std::uint8_t> data = profiler.collect(configuration, names, run_once);
  return host.values(data, names);
}

}  // namespace

Result<std::vector<double>> count(CUcontext context, int device_index, const std::vector<std::string>& metrics,
                                  const std::function<void()>& run_once, int& passes) {
  if (!cupti().usable)
    return Diagnostic{
        .code = "gpu.no_counters",
        .message = "CUPTI, which reads the hardware counters, is not on this machine.",
        .cure = "Run third_party/fetch, or install the CUDA Toolkit 13. Everything else works without counters."};
  // One program at a time may count. Ours takes a fraction of a second, so several that share a GPU wait for each
  // other.
  constexpr std::chrono::seconds longest_wait{5};
  const auto end = std::chrono::steady_clock::now() + longest_wait;
  for (std::chrono::milliseconds pause{20};; pause = std::min(2 * pause, std::chrono::milliseconds{200})) {
    try {
      return count_once(context, device_index, metrics, run_once, passes);
    } catch (const CuptiError& error) {
      if (error.result != CUPTI_ERROR_HARDWARE_BUSY || std::chrono::steady_clock::now() > end) return error.diagnostic;
    }
    std::this_thread::sleep_for(pause);
  }
}

}  // namespace lanescope::gpu
