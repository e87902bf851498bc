#include "lesson/formula.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "lesson/lesson.h"

namespace lanescope::lesson {
namespace {

std::int64_t integer(const std::string& text, const ControlValues& controls = {}) {
  const Result<std::int64_t> value = evaluate({text, {}}, controls);
  EXPECT_TRUE(value.ok()) << text << ": " << (value ? "" : value.errors()[0].message);
  return value ? *value : INT64_MIN;
}

std::string error_code(const std::string& text, const ControlValues& controls = {}) {
  const Result<std::int64_t> value = evaluate({text, {}}, controls);
  return value ? "" : value.errors()[0].code;
}

TEST(Formula, FollowsTheRulesOfArithmetic) {
  EXPECT_EQ(integer("1 + 2 * 3"), 7);
  EXPECT_EQ(integer("(1 + 2) * 3"), 9);
  EXPECT_EQ(integer("10 - 4 - 3"), 3);
  EXPECT_EQ(integer("100 / 10 / 2"), 5);
  EXPECT_EQ(integer("7 % 4 * 2"), 6);
  EXPECT_EQ(integer("-3 + 5"), 2);
  EXPECT_EQ(integer("-(2 - 5)"), 3);
  EXPECT_EQ(integer("- -4"), 4);
  EXPECT_EQ(integer("0x40"), 64);
  EXPECT_EQ(integer("2 > 1 ? 10 : 20"), 10);
  EXPECT_EQ(integer("2 == 1 ? 10 : 3 != 3 ? 20 : 30"), 30);
}

TEST(Formula, DividesAsCppDoes) {
  for (const std::int64_t a : {-7, -1, 0, 5, 7, 1000003})
    for (const std::int64_t b : {-3, -1, 2, 32}) {
      const ControlValues values{{"a", a}, {"b", b}};
      EXPECT_EQ(integer("a / b", values), a / b);
      EXPECT_EQ(integer("a % b", values), a % b);
      EXPECT_EQ(integer("ceil_div(a, b)", values), static_cast<std::int64_t>(std::ceil(double(a) / double(b))))
          << a << " / " << b;
    }
}

TEST(Formula, KnowsItsFunctions) {
  EXPECT_EQ(integer("min(3, -2)"), -2);
  EXPECT_EQ(integer("max(3, min(9, 5))"), 5);
  EXPECT_EQ(integer("abs(-8)"), 8);
  EXPECT_EQ(integer("ceil_div(n, block) * block", {{"n", 100}, {"block", 32}}), 128);
}

TEST(Formula, RefusesWhatHasNoIntegerResult) {
  EXPECT_EQ(error_code("1 / 0"), "lesson.arithmetic");
  EXPECT_EQ(error_code("1 % (2 - 2)"), "lesson.arithmetic");
  EXPECT_EQ(error_code("ceil_div(4, 0)"), "lesson.arithmetic");
  EXPECT_EQ(error_code("9223372036854775807 + 1"), "lesson.arithmetic");
  EXPECT_EQ(error_code("a * a", {{"a", 4000000000}}), "lesson.arithmetic");
  EXPECT_EQ(error_code("a - 1", {{"a", INT64_MIN}}), "lesson.arithmetic");
  EXPECT_EQ(error_code("a / b", {{"a", INT64_MIN}, {"b", -1}}), "lesson.arithmetic");
  EXPECT_EQ(error_code("-a", {{"a", INT64_MIN}}), "lesson.arithmetic");
  EXPECT_EQ(error_code("strid", {{"stride", 1}}), "lesson.unknown_name");
}

TEST(Formula, RefusesWhatIsNoFormula) {
  for (const char* text : {"",
                           "  ",
                           "1 +",
                           "* 2",
                           "(1",
                           "1)",
                           "1 2",
                           "min(1)",
                           "min(1, 2, 3)",
                           "n n",
                           "1.5",
                           "2e3",
                           "99999999999999999999",
                           "12ab",
                           "a[0]",
                           "sum(j, 0, 3, j)",
                           "stride.requests",
                           "sqrt(4)",
                           "foo(1)",
                           "1 ? 2",
                           "#",
                           "min",
                           "sum",
                           "a.b",
                           "1 < 2 within 3",
                           "1 == 2 within n"})
    EXPECT_FALSE(error_code(text, {{"n", 1}, {"a", 1}}).empty()) << text;
}

TEST(Formula, SaysWhereItWentWrong) {
  const auto broken = Formula::parse("n + * 2", Dialect::integers, {"lesson.toml", 7, 10});
  ASSERT_FALSE(broken.ok());
  EXPECT_EQ(broken.errors()[0].place, (SourcePlace{"lesson.toml", 7, 14}));
  EXPECT_FALSE(broken.errors()[0].cure.empty());
  const auto unknown = evaluate({"strid + 1", {}}, {{"stride", 4}});
  EXPECT_NE(unknown.errors()[0].cure.find("`stride`"), std::string::npos);
}

TEST(Formula, SurvivesDeepNesting) {
  EXPECT_EQ(error_code(std::string(100000, '(')), "lesson.bad_formula");
  EXPECT_EQ(error_code(std::string(100000, '-') + "1"), "lesson.bad_formula");
  EXPECT_EQ(integer(std::string(50, '(') + "7" + std::string(50, ')')), 7);
}

// Buffers of doubles, by name.
class Doubles : public ElementSource {
 public:
  Doubles(const Formula& formula, const std::map<std::string, std::vector<double>>& buffers) {
    for (const Formula::BufferUse& use : formula.buffers())
      uses_.push_back(&buffers.at((use.after ? "after " : "") + use.name));
  }
  bool element(std::size_t use, std::int64_t index, Value& value) override {
    if (index < 0 || index >= static_cast<std::int64_t>(uses_[use]->size())) return false;
    value = Value::of((*uses_[use])[static_cast<std::size_t>(index)]);
    return true;
  }

 private:
  std::vector<const std::vector<double>*> uses_;
};

struct Rule {
  bool holds = false;
  std::string error;
};
Rule check(const std::string& text, const std::map<std::string, std::vector<double>>& buffers, std::int64_t i = 0) {
  const Result<Formula> formula = Formula::parse(text, Dialect::elements);
  if (!formula) return {false, formula.errors()[0].message};
  Doubles source(*formula, buffers);
  std::vector<Value> names(formula->names().size(), Value::of(i));
  std::uint64_t sum_steps = 10000;
  const auto compared = formula->compare({names, {}, &source, &sum_steps});
  if (!compared) return {false, compared.errors()[0].message};
  return {compared->holds, ""};
}

TEST(Formula, ReadsTheLeftSideAfterTheRunAndTheRightSideBefore) {
  const std::map<std::string, std::vector<double>> buffers{
      {"data", {1, 2, 3}}, {"after data", {2, 4, 6}}, {"after out", {2, 8, 18}}};
  for (std::int64_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(check("data[i] == 2 * data[i]", buffers, i).holds);
    EXPECT_TRUE(check("(data[i]) == 2 * (data[i])", buffers, i).holds);
    EXPECT_TRUE(check("out[i] == data[i] * after.data[i]", buffers, i).holds);
    EXPECT_FALSE(check("out[i] == data[i] * data[i]", buffers, i).holds);
  }
}

TEST(Formula, SumsOverRanges) {
  std::map<std::string, std::vector<double>> buffers;
  double sum = 0;
  for (int k = 0; k < 100; ++k) {
    buffers["in"].push_back(k * 0.25);
    if (k >= 30 && k < 40) sum += k * 0.25;
  }
  buffers["after out"] = {0, 0, 0, sum};
  EXPECT_TRUE(check("out[i] == sum(j, 0, 10, in[i * 10 + j])", buffers, 3).holds);
  EXPECT_FALSE(check("out[i] == sum(j, 0, 9, in[i * 10 + j])", buffers, 3).holds);
  EXPECT_TRUE(check("out[3] == sum(a, 3, 4, sum(b, 0, 10, in[a * 10 + b]))", buffers).holds);
  EXPECT_TRUE(check("out[0] == sum(j, 5, 5, in[j])", buffers).holds) << "an empty range adds nothing";
  EXPECT_NE(check("out[0] == sum(j, 0, 101, in[j])", buffers).error, "");
  EXPECT_NE(check("out[0] == sum(j, 0, 2000000000000, 1)", buffers).error, "") << "must end";
}

TEST(Formula, ComparesWithATolerance) {
  const std::map<std::string, std::vector<double>> buffers{{"after out", {1.001}}};
  EXPECT_TRUE(check("out[0] == 1 within 0.01", buffers).holds);
  EXPECT_TRUE(check("out[0] == 1 within 1%", buffers).holds);
  EXPECT_FALSE(check("out[0] == 1 within 0.0001", buffers).holds);
  EXPECT_FALSE(check("out[0] == 1", buffers).holds);
  EXPECT_TRUE(check("out[0] >= 1", buffers).holds);
  EXPECT_NE(check("out[0] <= 1 within 1%", buffers).error, "");
}

TEST(Formula, RoundsToTheTypesOfBuffers) {
  const double third_f32 = static_cast<double>(1.0f / 3.0f);
  const std::map<std::string, std::vector<double>> buffers{{"after out", {third_f32, 2048, 256, 0.333984375}}};
  EXPECT_TRUE(check("out[0] == f32(1.0 / 3)", buffers).holds);
  EXPECT_FALSE(check("out[0] == 1.0 / 3", buffers).holds);
  EXPECT_TRUE(check("out[1] == f16(2048.0 + 1)", buffers).holds);
  EXPECT_TRUE(check("out[2] == bf16(257.0)", buffers).holds);
  EXPECT_TRUE(check("out[3] == bf16(1.0 / 3)", buffers).holds);
}

TEST(Formula, ExpectsANaNWhereThereIsOne) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(check("out[0] == in[0]", {{"after out", {nan}}, {"in", {nan}}}).holds);
  EXPECT_FALSE(check("out[0] == in[0]", {{"after out", {nan}}, {"in", {1}}}).holds);
}

TEST(Formula, ReadsNumbersOfRuns) {
  const auto formula =
      Formula::parse("stride(stride=1,n=64)@load1[3, 0].global_load.sectors_per_request == 4 * n", Dialect::text);
  ASSERT_TRUE(formula.ok()) << formula.errors()[0].message;
  ASSERT_EQ(formula->references().size(), 1u);
  const NumberReference& reference = formula->references()[0];
  EXPECT_EQ(reference.variant, "stride");
  EXPECT_EQ(reference.controls, (ControlValues{{"stride", 1}, {"n", 64}}));
  EXPECT_EQ(reference.mark, "load1");
  EXPECT_EQ(reference.step, 3);
  EXPECT_EQ(reference.warp, 0);
  EXPECT_EQ(reference.number, "global_load.sectors_per_request");
  EXPECT_EQ(formula->names(), std::vector<std::string>{"n"});
  // The canonical text reads back as the same reference.
  const auto again = Formula::parse(reference.text(), Dialect::text);
  ASSERT_TRUE(again.ok()) << reference.text();
  EXPECT_EQ(again->references()[0].text(), reference.text());
}

TEST(Formula, ReadsElementsAfterARunAsNumbers) {
  const auto formula = Formula::parse("half(n=64).after.out[12] - 1", Dialect::text);
  ASSERT_TRUE(formula.ok()) << formula.errors()[0].message;
  const NumberReference& reference = formula->references()[0];
  EXPECT_EQ(reference.variant, "half");
  EXPECT_EQ(reference.buffer, "out");
  EXPECT_EQ(reference.element, 12);
  const auto again = Formula::parse(reference.text(), Dialect::text);
  ASSERT_TRUE(again.ok()) << reference.text();
  EXPECT_EQ(again->references()[0].text(), reference.text());
  const auto own = Formula::parse("after.out[3] == 4", Dialect::numbers);
  ASSERT_TRUE(own.ok()) << own.errors()[0].message;
  EXPECT_EQ(own->references()[0].buffer, "out");
  for (const char* wrong :
       {"half.after.out", "half.after.out[", "half.after.out[-1]", "half.after.out[n]", "half.after.out[1"})
    EXPECT_FALSE(Formula::parse(wrong, Dialect::text).ok()) << wrong;
}

TEST(Formula, ReadsAVariantsOwnNumbersInChecks) {
  const auto formula = Formula::parse("global_load.requests == @load.sectors / 4 + simt_efficiency", Dialect::numbers);
  ASSERT_TRUE(formula.ok()) << formula.errors()[0].message;
  ASSERT_EQ(formula->references().size(), 2u);
  EXPECT_EQ(formula->references()[0].number, "global_load.requests");
  EXPECT_EQ(formula->references()[0].variant, "");
  EXPECT_EQ(formula->references()[1].mark, "load");
  EXPECT_EQ(formula->names(), std::vector<std::string>{"simt_efficiency"});
}

}  // namespace
}  // namespace lanescope::lesson
