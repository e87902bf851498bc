// Every row of metrics.def has its names in both languages.

#include <gtest/gtest.h>

#include <algorithm>

#include "metrics/report.h"
#include "unit/glossary.h"
#include "words/messages.h"

namespace lanescope::metrics {
namespace {

using diagram::Language;
using diagram::translated;

bool has_ideograph(const std::string& text) {
  return std::ranges::any_of(text, [](char c) { return (static_cast<unsigned char>(c) & 0xf0) == 0xe0; });
}

// The problem with the Chinese of a name or note; empty if there is none.
std::string fault_in(const Wording& said) {
  const std::string chinese = translated(said, Language::chinese);
  if (chinese.empty()) return "is missing";
  // "shuffle" is the glossary's word.
  if (!has_ideograph(chinese) && chinese != "shuffle") return "is English: " + chinese;
  if (chinese.find('{') != std::string::npos) return "has an empty place: " + chinese;
  if (const std::string word = test::ruled_out_in(chinese, test::words_ruled_out()); !word.empty())
    return "has `" + word + "`, which the glossary rules out: " + chinese;
  return "";
}

TEST(MetricNames, AreInBothLanguages) {
  ASSERT_GT(test::words_ruled_out().size(), 20u);
  for (const Measurement& number : report(trace::Trace{})) {
    SCOPED_TRACE(number.name);
    EXPECT_NE(translated(number.label, Language::english), "");
    EXPECT_EQ(fault_in(number.label), "");
    if (!number.nsight_note.empty()) {
      EXPECT_EQ(fault_in(number.nsight_note), "");
    }
  }
}

// What the test above reports for a row without Chinese, or with wrong Chinese.
TEST(MetricNames, ARowWithoutChineseIsFound) {
  EXPECT_EQ(fault_in(Wording::bilingual("lanes", "")), "is missing");
  EXPECT_EQ(fault_in(Wording::bilingual("lanes", "lanes")), "is English: lanes");
  EXPECT_EQ(fault_in("wording"), "is English: wording") << "no row has this";
  EXPECT_EQ(fault_in(Wording::bilingual("{} lanes", "{} 的数")), "has an empty place: {} 的数");
  EXPECT_EQ(fault_in(Wording::bilingual("lanes", "lane 的数")), "");
}

TEST(MetricNames, HaveTheirClassInThem) {
  const Measurement sectors = find(trace::Trace{}, "global_load.sectors");
  EXPECT_EQ(sectors.label, "global load sectors");
  EXPECT_EQ(translated(sectors.label, Language::chinese), "全局读取 sector 数");
  EXPECT_EQ(sectors.memory_class, trace::MemoryClass::global_load);
  const Measurement barriers = find(trace::Trace{}, "barriers");
  EXPECT_EQ(translated(barriers.label, Language::chinese), "屏障");
  EXPECT_FALSE(barriers.memory_class);
}

TEST(MetricNames, OfNsightComputeAreFoundByTheNumber) {
  EXPECT_EQ(nsight_name("shared_store.bank_conflicts"), "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum");
  EXPECT_EQ(nsight_name("barriers"), "");
  EXPECT_EQ(nsight_name("no such number"), "");
}

// Larger shares are better. Requested amounts and ideal amounts are not costs, so they are neutral.
TEST(MetricNames, SayWhichValueIsBetter) {
  for (const Measurement& number : report(trace::Trace{})) {
    const std::string key = number.name.substr(number.name.find('.') + 1);
    const bool asked = key.starts_with("ideal_") || key == "bytes_requested" || key == "executed_lanes";
    if (number.unit == "%") {
      EXPECT_EQ(number.better, Better::more) << number.name;
    }
    EXPECT_EQ(number.better == Better::neutral, asked) << number.name;
    if (number.better == Better::neutral) {
      EXPECT_LT(number.ideal, 0) << number.name << ": an ideal of what has no better";
    }
  }
}

}  // namespace
}  // namespace lanescope::metrics
