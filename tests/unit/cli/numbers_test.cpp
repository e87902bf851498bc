// A number is one row of metrics.def. The row alone brings it into the table, the JSON and the Chinese texts.

#include <gmock/gmock.h>

#include "cli/program.h"
#include "expressions.h"
#include "metrics/report.h"
#include "words/messages.h"

namespace lanescope {
namespace {

using nlohmann::json;
using test::lanescope;
using test::Ran;
using test::with;
using testing::HasSubstr;

const std::vector<std::string> every_class{"trace", "every_class.cu", "--kernel", "every_class", "--grid",
                                           "1",     "--block",        "32",       "--arg",       "i32[32]=iota",
                                           "--arg", "i32[2]=0",       "--arg",    "i32=16"};

// The accesses that only blocks of a cluster make.
const std::vector<std::string> every_class_of_clusters{
    "trace",        "cluster_classes.cu", "--kernel", "cluster_classes", "--grid", "2", "--block", "32", "--arg",
    "i32[64]=iota", "--cluster",          "2"};

bool is_of_clusters(const metrics::Measurement& number) {
  return number.memory_class && *number.memory_class >= trace::MemoryClass::distributed_load;
}

TEST(CliNumbers, EveryRowIsInTheTableInBothLanguages) {
  for (const auto& [language, code] :
       {std::pair{diagram::Language::english, "en"}, std::pair{diagram::Language::chinese, "zh-CN"}}) {
    const Ran alone = lanescope(with(every_class, {"--nsight", "--language", code}));
    ASSERT_EQ(alone.code, 0) << alone.err;
    const Ran in_clusters = lanescope(with(every_class_of_clusters, {"--nsight", "--language", code}));
    ASSERT_EQ(in_clusters.code, 0) << in_clusters.err;
    for (const metrics::Measurement& number : metrics::report(trace::Trace{})) {
      const Ran& ran = is_of_clusters(number) ? in_clusters : alone;
      EXPECT_THAT(ran.out, HasSubstr("\n" + diagram::translated(number.label, language) + "  ")) << number.name;
      if (!number.nsight_name.empty()) {
        EXPECT_THAT(ran.out, HasSubstr("  " + number.nsight_name + "\n"));
      } else {
        EXPECT_THAT(ran.out, HasSubstr("  –  " + diagram::translated(number.nsight_note, language) + "\n"));
      }
    }
  }
}

TEST(CliNumbers, EveryRowIsInTheJsonWhichIsTheSameInEveryLanguage) {
  const auto numbers_in = [](const char* language) {
    const Ran ran = lanescope(with(every_class, {"--json", "--language", language}));
    EXPECT_EQ(ran.code, 0) << ran.err;
    return json(ran.json()["numbers"]);
  };
  const json numbers = numbers_in("en");
  std::vector<std::string> keys;
  for (const json& number : numbers) {
    keys.push_back(number["name"]);
    EXPECT_TRUE(number["value"].is_number()) << keys.back() << ": the kernel lacks such an access";
  }
  EXPECT_EQ(keys, metrics::names());
  EXPECT_EQ(numbers_in("zh-CN"), numbers);
}

TEST(CliNumbers, AreNamedInChinese) {
  const Ran ran =
      lanescope({"trace", "copy.cu", "--kernel", "copy", "--grid", "2", "--block", "64", "--arg", "f32[128]=iota",
                 "--arg", "f32[128]", "--arg", "i32=100", "--nsight", "--language", "zh-CN"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  test::expect_golden("cli/trace_copy_zh.out", test::all_replaced(ran.out, "nvrtc [0-9.]+", "nvrtc X"));
  const Ran both = lanescope({"compare", "coalescing", "pairs_apart", "packed2", "--language", "zh-CN"});
  ASSERT_EQ(both.code, 0) << both.err;
  for (const char* name : {"warp 指令  ", "全局读取请求数  ", "每次全局读取的 sector  "})
    EXPECT_THAT(both.out, HasSubstr(std::string("\n") + name));
}

// One sample of 159 ms, three of 59 ms: there are no intervals that could overlap.
TEST(CliNumbers, TimesOfTooFewSamplesAreNotCalledAlike) {
  const Ran few = lanescope({"compare", "half_atomics", "half_native", "half2_packed"});
  EXPECT_THAT(few.out, HasSubstr("Too few samples for an interval, but their ranges do not overlap: B ÷ A = 0.3697; "
                                 "6 of each would decide"));
}

}  // namespace
}  // namespace lanescope
