#pragma once
// CUPTI, loaded at run time, and what its calls have in common. Internal to gpu/. Failed calls throw CuptiError.

#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_sass_metrics.h>
#include <cupti_target.h>

#include <cstddef>
#include <functional>

#include "core/result.h"

namespace lanescope::gpu {

// One row per function: the member's name and CUPTI's symbol.
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
  ROW(decode, cuptiRangeProfilerDecodeData)                          \
  ROW(sass_properties, cuptiSassMetricsGetProperties)                \
  ROW(sass_set_config, cuptiSassMetricsSetConfig)                    \
  ROW(sass_unset_config, cuptiSassMetricsUnsetConfig)                \
  ROW(sass_enable, cuptiSassMetricsEnable)                           \
  ROW(sass_disable, cuptiSassMetricsDisable)                         \
  ROW(sass_data_properties, cuptiSassMetricsGetDataProperties)       \
  ROW(sass_flush, cuptiSassMetricsFlushData)

struct Cupti {
#define ROW(member, symbol) decltype(&::symbol) member = nullptr;
  LANESCOPE_CUPTI_FUNCTIONS(ROW)
#undef ROW
  bool usable = false;  // it is on this machine and has all of these functions
};
struct CuptiNames {
#define ROW(member, symbol) static constexpr const char* member = #symbol;
  LANESCOPE_CUPTI_FUNCTIONS(ROW)
#undef ROW
};
// The first call loads it.
const Cupti& cupti();

struct CuptiError {
  CUptiResult result;
  Diagnostic diagnostic;
};
void require(CUptiResult result, const char* call);
#define LANESCOPE_CUPTI(function, params) require(cupti().function(params), CuptiNames::function)

// CUPTI's parameters, which begin with their own size.
template <typename Params>
Params sized(std::size_t size) {
  Params params{};
  params.structSize = size;
  return params;
}
#define LANESCOPE_CUPTI_PARAMS(Type) sized<Type>(Type##_STRUCT_SIZE)

// CUPTI's name of the chip, "GH100".
const char* chip_name(int device_index);

// Calls `work`, which may throw CuptiError. One program at a time may count; ours takes a fraction of a second, so
// several that share a GPU wait for each other. Diagnostics: gpu.no_counters (CUPTI is missing), those of
// counter_refusal().
Diagnostics count_with_cupti(const std::function<void()>& work);

}  // namespace lanescope::gpu
