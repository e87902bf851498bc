#include "gpu/counter_refusal.h"

#include <gtest/gtest.h>

#include "words/messages.h"

namespace lanescope::gpu {
namespace {

std::string chinese(const Wording& wording) {
  return diagram::translated(wording, diagram::Language::chinese);
}

// The numbers are those of CUPTI's manual, "CUPTI Result Codes".
TEST(CounterRefusal, ADriverThatForbidsCountingNamesTheSettingThatAllowsIt) {
  const Diagnostic told = counter_refusal(35, "cuptiRangeProfilerEnable", "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES");
  EXPECT_EQ(told.code, "gpu.counters_forbidden");
  EXPECT_EQ(told.severity, Severity::error);
  EXPECT_EQ(std::string(told.message), "The driver lets only administrators read the hardware counters.");
  EXPECT_NE(told.cure.find("NVreg_RestrictProfilingToAdminUsers=0"), std::string::npos) << told.cure;
  EXPECT_NE(told.cure.find("/etc/modprobe.d"), std::string::npos) << told.cure;
  EXPECT_NE(chinese(told.cure).find("设置驱动选项 NVreg_RestrictProfilingToAdminUsers=0"), std::string::npos)
      << chinese(told.cure);
}

TEST(CounterRefusal, AVirtualGpuIsAMatterForItsHost) {
  const Diagnostic told = counter_refusal(40, "cuptiRangeProfilerEnable", "");
  EXPECT_EQ(told.code, "gpu.counters_forbidden");
  EXPECT_EQ(told.cure.find("NVreg"), std::string::npos) << "no setting of this machine's driver opens it";
  EXPECT_NE(told.cure.find("enable_profiling=1"), std::string::npos) << told.cure;
  EXPECT_NE(chinese(told.cure).find("主机的管理员"), std::string::npos) << chinese(told.cure);
}

TEST(CounterRefusal, WhatTheGpuCannotIsNotAskedOfItsOwner) {
  for (const int code : {27, 33, 41, 42, 43, 44, 45, 46}) {
    const Diagnostic told =
        counter_refusal(code, "cuptiProfilerHostInitialize", "CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED");
    EXPECT_EQ(told.code, "gpu.counters_failed") << code;
    EXPECT_EQ(std::string(told.message),
              "The counter call cuptiProfilerHostInitialize failed: CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED.")
        << code;
    EXPECT_NE(told.cure.find("does not give this program hardware counters"), std::string::npos) << code;
  }
}

TEST(CounterRefusal, AProgramThatCountsAlreadyIsNamedAsTheCause) {
  const Diagnostic told = counter_refusal(26, "cuptiRangeProfilerStart", "CUPTI_ERROR_HARDWARE_BUSY");
  EXPECT_EQ(told.code, "gpu.counters_busy");
  EXPECT_EQ(std::string(told.message),
            "Another program reads this GPU's hardware counters, and only one can at a time.");
}

TEST(CounterRefusal, AllElseNamesTheCallAndCuptisReason) {
  for (const int code : {1, 17, 39, 999}) {
    const Diagnostic told = counter_refusal(code, "cuptiRangeProfilerStart", "CUPTI_ERROR_UNKNOWN");
    EXPECT_EQ(told.code, "gpu.counters_failed") << code;
    EXPECT_NE(told.message.find("cuptiRangeProfilerStart failed: CUPTI_ERROR_UNKNOWN"), std::string::npos)
        << told.message;
    EXPECT_NE(told.cure.find("other profilers"), std::string::npos) << code;
  }
}

}  // namespace
}  // namespace lanescope::gpu
