// What `=iota`, `=random:SEED` and equal elements put into a buffer is found again as a rule, in every type of
// elements.

#include <gtest/gtest.h>

#include "core/content_rule.h"
#include "job/values/argument.h"

namespace lanescope::job {
namespace {

std::vector<std::byte> contents_of(const std::string& text) {
  const Result<sim::Argument> made = make_argument({text, "buffer"});
  EXPECT_TRUE(made.ok()) << text;
  return made ? made->contents : std::vector<std::byte>{};
}

TEST(ContentRuleOfFills, FindsWhatTheFillsMake) {
  for (const char* type : {"u8", "i8", "u16", "i16", "f16", "bf16", "i32", "u32", "f32", "i64", "u64", "f64"})
    for (const char* fill : {"=iota", "=random:3", "=random:1000", "=1", ""}) {
      if (std::string_view(type).ends_with("f16") && fill == std::string("=iota")) continue;
      const std::string text = std::string(type) + "[40000]" + fill;
      const std::vector<std::byte> bytes = contents_of(text);
      const std::optional<ContentRule> rule = content_rule_of(bytes);
      ASSERT_TRUE(rule) << text;
      std::vector<std::byte> made(bytes.size());
      ASSERT_TRUE(lanescope::fill(made, *rule)) << text;
      EXPECT_TRUE(made == bytes) << text;
    }
}

// What is not found in the bytes, the recipe tells.
TEST(ContentRuleOfFills, TheRecipeTellsTheOthers) {
  for (const char* text : {"f32[40000]=random:1:0:2", "f16[40000]=random:1:-8:8", "bf16[40000]=random:1:-8:8",
                           "f64[40000]=random:9000:1e-300:1e300", "i8[40000]=random:2:-128:127",
                           "i16[40000]=random:2:-5:-1", "u64[40000]=random:5000:0:0xffffffffffffffff",
                           "i32[40000]=permutation:7", "u8[200]=permutation:7", "u64[40000]=permutation:5000",
                           "i32[40000]=random:5000", "f16[40000]=random:5000", "tex:f32[200,200]=random:5000"}) {
    const std::vector<std::byte> bytes = contents_of(text);
    EXPECT_FALSE(content_rule_of(bytes)) << text;
    const std::optional<ContentRule> rule = content_rule({text, "buffer"});
    ASSERT_TRUE(rule) << text;
    EXPECT_TRUE(makes(*rule, bytes)) << text;
  }
  for (const char* text : {"i32=4", "f32[40000]", "f32[40000]=iota", "same:0", "f32[40000]=wrong", ""})
    EXPECT_FALSE(content_rule({text, "buffer"})) << text;
}

}  // namespace
}  // namespace lanescope::job
