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
  for (const char* type : {"u8", "i8", "u16", "i16", "f16", "i32", "u32", "f32", "i64", "u64", "f64"})
    for (const char* fill : {"=iota", "=random:3", "=random:1000", "=1", ""}) {
      if (type == std::string("f16") && fill == std::string("=iota")) continue;
      const std::string text = std::string(type) + "[40000]" + fill;
      const std::vector<std::byte> bytes = contents_of(text);
      const std::optional<ContentRule> rule = content_rule_of(bytes);
      ASSERT_TRUE(rule) << text;
      std::vector<std::byte> made(bytes.size());
      ASSERT_TRUE(lanescope::fill(made, *rule)) << text;
      EXPECT_TRUE(made == bytes) << text;
    }
}

TEST(ContentRuleOfFills, OtherContentsHaveNone) {
  for (const char* text : {"f32[40000]=random:1:0:2", "i32[40000]=permutation:7", "i32[40000]=random:5000"})
    EXPECT_FALSE(content_rule_of(contents_of(text))) << text;
}

}  // namespace
}  // namespace lanescope::job
