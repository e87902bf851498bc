#include "gpu/counters.h"

#include "gpu/cupti.h"

namespace lanescope::gpu {
namespace {

// The counters that this context may use. A CUPTI older than the chip needs them to build host objects.
std::vector<std::uint8_t> availability(CUcontext context) {
  auto ask = LANESCOPE_CUPTI_PARAMS(CUpti_Profiler_GetCounterAvailability_Params);
  ask.ctx = context;
  LANESCOPE_CUPTI(availability, &ask);
  std::vector<std::uint8_t> image(ask.counterAvailabilityImageSize);
  ask.pCounterAvailabilityImage = image.data();
  LANESCOPE_CUPTI(availability, &ask);
  return image;
}

class HostObject {
 public:
  HostObject(CUcontext context, int device_index) : availability_(availability(context)) {
    auto params = LANESCOPE_CUPTI_PARAMS(CUpti_Profiler_Host_Initialize_Params);
    params.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    params.pChipName = chip_name(device_index);
    params.pCounterAvailabilityImage = availability_.data();
    LANESCOPE_CUPTI(host_initialize, &params);
    object_ = params.pHostObject;
  }
  ~HostObject() {
    auto params = LANESCOPE_CUPTI_PARAMS(CUpti_Profiler_Host_Deinitialize_Params);
    params.pHostObject = object_;
    cupti().host_deinitialize(&params);
  }
  HostObject(const HostObject&) = delete;
  HostObject& operator=(const HostObject&) = delete;

  std::vector<std::uint8_t> configuration(std::vector<const char*>& names, int& passes) {
    auto add = LANESCOPE_CUPTI_PARAMS(CUpti_Profiler_Host_ConfigAddMetrics_Params);
    add.pHostObject = object_;
    add.ppMetricNames = names.data();
    add.numMetrics = names.size();
    LANESCOPE_CUPTI(add_metrics, &add);
    auto size = LANESCOPE_CUPTI_PARAMS(CUpti_Profiler_Host_GetConfigImageSize_Params);
    size.pHostObject = object_;
    LANESCOPE_CUPTI(config_size, &size);
    std::vector<std::uint8_t> image(size.configImageSize);
    auto get = LANESCOPE_CUPTI_PARAMS(CUpti_Profiler_Host_GetConfigImage_Params);
    get.pHostObject = object_;
    get.configImageSize = image.size();
    get.pConfigImage = image.data();
    LANESCOPE_CUPTI(config_image, &get);
    auto count_passes = LANESCOPE_CUPTI_PARAMS(CUpti_Profiler_Host_GetNumOfPasses_Params);
    count_passes.configImageSize = image.size();
    count_passes.pConfigImage = image.data();
    LANESCOPE_CUPTI(pass_count, &count_passes);
    passes = static_cast<int>(count_passes.numOfPasses);
    return image;
  }

  std::vector<double> values(const std::vector<std::uint8_t>& data, std::vector<const char*>& names) {
    std::vector<double> found(names.size());
    auto params = LANESCOPE_CUPTI_PARAMS(CUpti_Profiler_Host_EvaluateToGpuValues_Params);
    params.pHostObject = object_;
    params.pCounterDataImage = data.data();
    params.counterDataImageSize = data.size();
    params.ppMetricNames = names.data();
    params.numMetrics = names.size();
    params.pMetricValues = found.data();
    LANESCOPE_CUPTI(evaluate, &params);
    return found;
  }

 private:
  std::vector<std::uint8_t> availability_;
  CUpti_Profiler_Host_Object* object_ = nullptr;
};

class RangeProfiler {
 public:
  explicit RangeProfiler(CUcontext context) {
    auto params = LANESCOPE_CUPTI_PARAMS(CUpti_RangeProfiler_Enable_Params);
    params.ctx = context;
    LANESCOPE_CUPTI(enable, &params);
    object_ = params.pRangeProfilerObject;
  }
  ~RangeProfiler() {
    auto params = LANESCOPE_CUPTI_PARAMS(CUpti_RangeProfiler_Disable_Params);
    params.pRangeProfilerObject = object_;
    cupti().disable(&params);
  }
  RangeProfiler(const RangeProfiler&) = delete;
  RangeProfiler& operator=(const RangeProfiler&) = delete;

  std::vector<std::uint8_t> collect(const std::vector<std::uint8_t>& configuration, std::vector<const char*>& names,
                                    const std::function<void()>& run_once) {
    std::vector<std::uint8_t> data = empty_data(names);
    auto config = LANESCOPE_CUPTI_PARAMS(CUpti_RangeProfiler_SetConfig_Params);
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
    LANESCOPE_CUPTI(set_config, &config);
    while (!one_pass(run_once)) {
    }
    auto decode = LANESCOPE_CUPTI_PARAMS(CUpti_RangeProfiler_DecodeData_Params);
    decode.pRangeProfilerObject = object_;
    LANESCOPE_CUPTI(decode, &decode);
    return data;
  }

 private:
  std::vector<std::uint8_t> empty_data(std::vector<const char*>& names) {
    auto size = LANESCOPE_CUPTI_PARAMS(CUpti_RangeProfiler_GetCounterDataSize_Params);
    size.pRangeProfilerObject = object_;
    size.pMetricNames = names.data();
    size.numMetrics = names.size();
    size.maxNumOfRanges = 1;
    size.maxNumRangeTreeNodes = 1;
    LANESCOPE_CUPTI(data_size, &size);
    std::vector<std::uint8_t> data(size.counterDataSize);
    auto params = LANESCOPE_CUPTI_PARAMS(CUpti_RangeProfiler_CounterDataImage_Initialize_Params);
    params.pRangeProfilerObject = object_;
    params.counterDataSize = data.size();
    params.pCounterData = data.data();
    LANESCOPE_CUPTI(data_initialize, &params);
    return data;
  }

  // Returns true after the last pass.
  bool one_pass(const std::function<void()>& run_once) {
    auto begin = LANESCOPE_CUPTI_PARAMS(CUpti_RangeProfiler_Start_Params);
    begin.pRangeProfilerObject = object_;
    LANESCOPE_CUPTI(start, &begin);
    auto range = LANESCOPE_CUPTI_PARAMS(CUpti_RangeProfiler_PushRange_Params);
    range.pRangeProfilerObject = object_;
    range.pRangeName = "kernel";
    LANESCOPE_CUPTI(push, &range);
    run_once();
    auto end_range = LANESCOPE_CUPTI_PARAMS(CUpti_RangeProfiler_PopRange_Params);
    end_range.pRangeProfilerObject = object_;
    LANESCOPE_CUPTI(pop, &end_range);
    auto end = LANESCOPE_CUPTI_PARAMS(CUpti_RangeProfiler_Stop_Params);
    end.pRangeProfilerObject = object_;
    LANESCOPE_CUPTI(stop, &end);
    return end.isAllPassSubmitted != 0;
  }

  CUpti_RangeProfiler_Object* object_ = nullptr;
};

std::vector<double> count_once(CUcontext context, int device_index, const std::vector<std::string>& metrics,
                               const std::function<void()>& run_once, int& passes) {
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
  std::vector<double> values;
  Diagnostics errors = count_with_cupti([&] { values = count_once(context, device_index, metrics, run_once, passes); });
  if (!errors.empty()) return errors;
  return values;
}

}  // namespace lanescope::gpu
