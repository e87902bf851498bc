#include "gpu/instruction_counts.h"

#include <map>
#include <utility>

#include "gpu/cupti.h"

namespace lanescope::gpu {
namespace {

using Place = std::pair<std::string, std::uint32_t>;  // function and address

// The metrics of a device. CUPTI forgets them when this object ends.
class Configured {
 public:
  Configured(int device_index, const std::vector<std::string>& metrics)
      : device_(static_cast<std::uint32_t>(device_index)) {
    const char* chip = chip_name(device_index);
    std::vector<CUpti_SassMetrics_Config> configs;
    for (const std::string& metric : metrics) {
      auto properties = LANESCOPE_CUPTI_PARAMS(CUpti_SassMetrics_GetProperties_Params);
      properties.pChipName = chip;
      properties.pMetricName = metric.c_str();
      LANESCOPE_CUPTI(sass_properties, &properties);
      places_[properties.metric.metricId] = configs.size();
      configs.push_back({properties.metric.metricId, CUPTI_SASS_METRICS_OUTPUT_GRANULARITY_GPU});
    }
    auto params = LANESCOPE_CUPTI_PARAMS(CUpti_SassMetricsSetConfig_Params);
    params.numOfMetricConfig = configs.size();
    params.pConfigs = configs.data();
    params.deviceIndex = device_;
    LANESCOPE_CUPTI(sass_set_config, &params);
  }
  ~Configured() {
    auto params = LANESCOPE_CUPTI_PARAMS(CUpti_SassMetricsUnsetConfig_Params);
    params.deviceIndex = device_;
    cupti().sass_unset_config(&params);
  }
  Configured(const Configured&) = delete;
  Configured& operator=(const Configured&) = delete;

  // Indices of the metrics by CUPTI's numbers for them.
  const std::map<std::uint64_t, std::size_t>& places() const { return places_; }

 private:
  std::map<std::uint64_t, std::size_t> places_;
  std::uint32_t device_;
};

class Enabled {
 public:
  explicit Enabled(CUcontext context) : context_(context) {
    auto params = LANESCOPE_CUPTI_PARAMS(CUpti_SassMetricsEnable_Params);
    params.ctx = context_;
    params.enableLazyPatching = 1;  // only the kernel that runs
    LANESCOPE_CUPTI(sass_enable, &params);
  }
  ~Enabled() {
    auto params = LANESCOPE_CUPTI_PARAMS(CUpti_SassMetricsDisable_Params);
    params.ctx = context_;
    cupti().sass_disable(&params);
  }
  Enabled(const Enabled&) = delete;
  Enabled& operator=(const Enabled&) = delete;

  // An instruction has a record per metric that applies to it.
  std::map<Place, std::vector<std::uint64_t>> values(const std::map<std::uint64_t, std::size_t>& metrics) const {
    auto size = LANESCOPE_CUPTI_PARAMS(CUpti_SassMetricsGetDataProperties_Params);
    size.ctx = context_;
    LANESCOPE_CUPTI(sass_data_properties, &size);
    std::map<Place, std::vector<std::uint64_t>> found;
    if (size.numOfPatchedInstructionRecords == 0) return found;
    std::vector<CUpti_SassMetrics_InstanceValue> instances(size.numOfPatchedInstructionRecords * size.numOfInstances);
    std::vector<CUpti_SassMetrics_Data> data(size.numOfPatchedInstructionRecords);
    for (std::size_t i = 0; i < data.size(); ++i) {
      data[i].structSize = sizeof(CUpti_SassMetrics_Data);
      data[i].pInstanceValues = &instances[i * size.numOfInstances];
    }
    auto flush = LANESCOPE_CUPTI_PARAMS(CUpti_SassMetricsFlushData_Params);
    flush.ctx = context_;
    flush.numOfPatchedInstructionRecords = data.size();
    flush.numOfInstances = size.numOfInstances;
    flush.pMetricsData = data.data();
    LANESCOPE_CUPTI(sass_flush, &flush);
    for (const CUpti_SassMetrics_Data& one : data)
      for (std::size_t k = 0; k < size.numOfInstances; ++k) {
        const auto metric = metrics.find(one.pInstanceValues[k].metricId);
        if (metric == metrics.end()) continue;
        std::vector<std::uint64_t>& of_place = found[{one.functionName, one.pcOffset}];
        of_place.resize(metrics.size());
        of_place[metric->second] += one.pInstanceValues[k].value;
      }
    return found;
  }

 private:
  CUcontext context_;
};

}  // namespace

Result<CountedInstructions> count_instructions(CUcontext context, int device_index,
                                               const std::vector<std::string>& metrics,
                                               const std::function<void()>& run_once) {
  std::map<Place, std::vector<std::uint64_t>> counts;
  Diagnostics errors = count_with_cupti([&] {
    const Configured configured(device_index, metrics);
    const Enabled enabled(context);
    run_once();
    counts = enabled.values(configured.places());
  });
  if (!errors.empty()) return errors;
  CountedInstructions counted{.names = metrics, .instructions = {}};
  for (auto& [place, values] : counts) counted.instructions.push_back({place.first, place.second, std::move(values)});
  return counted;
}

}  // namespace lanescope::gpu
