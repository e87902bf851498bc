// CUPTI for the pretended driver: all counts are zero, no machine instruction is counted, and a call fails if a test
// says so (told.h). Built as libcupti.so.13.

#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_sass_metrics.h>
#include <cupti_target.h>

#include <string>

#include "told.h"

#define ANSWER \
  if (const int code = lanescope::pretend::result_of(__func__)) return static_cast<CUptiResult>(code)
#define SUCCEEDS(name, Params)                                                \
  CUptiResult name(Params*) {                                                 \
    return static_cast<CUptiResult>(lanescope::pretend::result_of(__func__)); \
  }

extern "C" {

CUptiResult cuptiGetResultString(CUptiResult code, const char** meaning) {
  static thread_local std::string text;
  text = "CUPTI's result " + std::to_string(code);
  return *meaning = text.c_str(), CUPTI_SUCCESS;
}
SUCCEEDS(cuptiProfilerInitialize, CUpti_Profiler_Initialize_Params)
CUptiResult cuptiDeviceGetChipName(CUpti_Device_GetChipName_Params* params) {
  ANSWER;
  return params->pChipName = "pretended", CUPTI_SUCCESS;
}
CUptiResult cuptiProfilerGetCounterAvailability(CUpti_Profiler_GetCounterAvailability_Params* params) {
  ANSWER;
  return params->counterAvailabilityImageSize = 1, CUPTI_SUCCESS;
}
SUCCEEDS(cuptiProfilerHostInitialize, CUpti_Profiler_Host_Initialize_Params)
SUCCEEDS(cuptiProfilerHostDeinitialize, CUpti_Profiler_Host_Deinitialize_Params)
SUCCEEDS(cuptiProfilerHostConfigAddMetrics, CUpti_Profiler_Host_ConfigAddMetrics_Params)
CUptiResult cuptiProfilerHostGetConfigImageSize(CUpti_Profiler_Host_GetConfigImageSize_Params* params) {
  ANSWER;
  return params->configImageSize = 1, CUPTI_SUCCESS;
}
SUCCEEDS(cuptiProfilerHostGetConfigImage, CUpti_Profiler_Host_GetConfigImage_Params)
CUptiResult cuptiProfilerHostGetNumOfPasses(CUpti_Profiler_Host_GetNumOfPasses_Params* params) {
  ANSWER;
  return params->numOfPasses = 1, CUPTI_SUCCESS;
}
CUptiResult cuptiProfilerHostEvaluateToGpuValues(CUpti_Profiler_Host_EvaluateToGpuValues_Params* params) {
  ANSWER;
  for (std::size_t i = 0; i < params->numMetrics; ++i) params->pMetricValues[i] = 0;
  return CUPTI_SUCCESS;
}
SUCCEEDS(cuptiRangeProfilerEnable, CUpti_RangeProfiler_Enable_Params)
SUCCEEDS(cuptiRangeProfilerDisable, CUpti_RangeProfiler_Disable_Params)
SUCCEEDS(cuptiRangeProfilerSetConfig, CUpti_RangeProfiler_SetConfig_Params)
CUptiResult cuptiRangeProfilerGetCounterDataSize(CUpti_RangeProfiler_GetCounterDataSize_Params* params) {
  ANSWER;
  return params->counterDataSize = 1, CUPTI_SUCCESS;
}
SUCCEEDS(cuptiRangeProfilerCounterDataImageInitialize, CUpti_RangeProfiler_CounterDataImage_Initialize_Params)
SUCCEEDS(cuptiRangeProfilerStart, CUpti_RangeProfiler_Start_Params)
CUptiResult cuptiRangeProfilerStop(CUpti_RangeProfiler_Stop_Params* params) {
  ANSWER;
  return params->isAllPassSubmitted = 1, CUPTI_SUCCESS;
}
SUCCEEDS(cuptiRangeProfilerPushRange, CUpti_RangeProfiler_PushRange_Params)
SUCCEEDS(cuptiRangeProfilerPopRange, CUpti_RangeProfiler_PopRange_Params)
SUCCEEDS(cuptiRangeProfilerDecodeData, CUpti_RangeProfiler_DecodeData_Params)
SUCCEEDS(cuptiSassMetricsGetProperties, CUpti_SassMetrics_GetProperties_Params)
SUCCEEDS(cuptiSassMetricsSetConfig, CUpti_SassMetricsSetConfig_Params)
SUCCEEDS(cuptiSassMetricsUnsetConfig, CUpti_SassMetricsUnsetConfig_Params)
SUCCEEDS(cuptiSassMetricsEnable, CUpti_SassMetricsEnable_Params)
SUCCEEDS(cuptiSassMetricsDisable, CUpti_SassMetricsDisable_Params)
SUCCEEDS(cuptiSassMetricsGetDataProperties, CUpti_SassMetricsGetDataProperties_Params)
SUCCEEDS(cuptiSassMetricsFlushData, CUpti_SassMetricsFlushData_Params)

}  // extern "C"
