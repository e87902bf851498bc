// Which element is wrong, and who wrote it.

#include <algorithm>

#include <gtest/gtest.h>

#include "job/lesson/lesson_request.h"
#include "job/run/wrong_result.h"
#include "job/shipped_lessons/lesson_run.h"
#include "test_paths.h"

namespace lanescope::job {
namespace {

const lesson::Lesson& coalescing() {
  static const lesson::Lesson lesson = *lesson::load(LANESCOPE_SOURCE_DIR "/lessons/01_coalescing");
  return lesson;
}

// The lesson's variant `stride` with `out[i] = …;` replaced.
Outcome with_store(const std::string& store) {
  const lesson::Variant& variant = *coalescing().find_variant("stride");
  Request request = *from_lesson(coalescing(), variant, {});
  std::string& text = request.source.text;
  const std::size_t from = text.find("out[i] ="), to = text.find(';', from);
  EXPECT_NE(from, std::string::npos);
  text.replace(from, to + 1 - from, store);
  Outcome outcome = run(request, &variant);
  EXPECT_TRUE(outcome.completed) << test::first_of(outcome.diagnostics);
  return outcome;
}

int line_of_store() {
  const std::string& text = coalescing().sources.at("stride.cu");
  return 1 + static_cast<int>(
                 std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(text.find("out[i] =")), '\n'));
}

TEST(WrongResult, NamesTheElementThatIsLeftOut) {
  const Outcome outcome = with_store("if (i != 37) out[i] = in[i * stride];");
  const auto wrong = wrong_results(outcome);
  ASSERT_EQ(wrong.size(), 1u);
  EXPECT_EQ(wrong[0].element.buffer, "out");
  EXPECT_EQ(wrong[0].element.index, 37);
  EXPECT_TRUE(wrong[0].element.never_written);
  EXPECT_EQ(wrong[0].element.expected, std::to_string(37 * 8));  // in is 0, 1, 2, …; the stride is 8
  EXPECT_EQ(wrong[0].element.wrong, 1u);
  EXPECT_EQ(wrong[0].said.message, "`out[37]` was never written, expected 296. 1 of 16,384 elements is wrong.");
  EXPECT_TRUE(wrong[0].writes.complete);
  EXPECT_EQ(wrong[0].writes.count, 0u);
  EXPECT_FALSE(wrong[0].writes.last);
  EXPECT_EQ(wrong[0].writes.lines, std::vector<int>{line_of_store()});
  EXPECT_EQ(wrong[0].said.place.line, line_of_store());
}

// The interpreter's memory is zero at first; a GPU's is not. So an element that is expected to be 0 must be written
// too.
TEST(WrongResult, AnElementThatIsNeverWrittenIsWrongEvenIfZeroIsExpected) {
  const Outcome outcome = with_store("if (i != 0) out[i] = in[i * stride];");
  const auto wrong = wrong_results(outcome);
  ASSERT_EQ(wrong.size(), 1u);
  EXPECT_EQ(wrong[0].said.message, "`out[0]` was never written, expected 0. 1 of 16,384 elements is wrong.");
  EXPECT_EQ(outcome.buffers.at(1).never_written, 1u);
  const auto none = wrong_results(with_store("if (i < 0) out[i] = in[i * stride];"));
  ASSERT_EQ(none.size(), 1u);
  EXPECT_EQ(none[0].element.wrong, 16384u);
  EXPECT_EQ(with_store("out[i] = in[i * stride];").buffers.at(1).never_written, 0u);
}

// The learner of a lesson has not numbered the arguments.
TEST(WrongResult, AFaultNamesTheLessonsBuffer) {
  const lesson::Variant& variant = *coalescing().find_variant("stride");
  Request request = *from_lesson(coalescing(), variant, {});
  request.source.text.replace(request.source.text.find("in[i * stride]"), 14, "in[i * stride + 200000]");
  const Outcome outcome = run(request, &variant);
  ASSERT_EQ(outcome.diagnostics.size(), 1u);
  const std::string& said = outcome.diagnostics[0].message;
  EXPECT_NE(said.find("275712 bytes past the end of `in` (f32[131072])"), std::string::npos) << said;
}

TEST(WrongResult, NamesTheThreadThatWroteIt) {
  // Thread 300 is thread 44 of block 1.
  const Outcome outcome = with_store("out[i] = in[i * stride] + (i == 300 ? 1 : 0);");
  const auto wrong = wrong_results(outcome);
  ASSERT_EQ(wrong.size(), 1u);
  EXPECT_EQ(wrong[0].said.message, "`out[300]` is 2401, expected 2400. 1 of 16,384 elements is wrong.");
  ASSERT_TRUE(wrong[0].writes.last);
  EXPECT_EQ(wrong[0].writes.count, 1u);
  EXPECT_EQ(wrong[0].writes.last->launch, 1);
  EXPECT_EQ(wrong[0].writes.last->place.block, 1u);
  EXPECT_EQ(wrong[0].writes.last->place.thread, 44u);
  EXPECT_EQ(wrong[0].writes.last->place.line, line_of_store());
}

// The program orders the writes of one thread; nothing orders those of threads in two blocks.
TEST(WrongResult, TheLastWriterIsNamedOnlyWhereTheWritesAreOrdered) {
  const auto twice = wrong_results(with_store("out[i] = in[i * stride];\n  if (i == 5) out[i] = -1;"));
  ASSERT_EQ(twice.size(), 1u);
  EXPECT_EQ(twice[0].writes.count, 2u);
  ASSERT_TRUE(twice[0].writes.last);
  EXPECT_EQ(twice[0].writes.last->place.line, line_of_store() + 1);

  const auto by_all = wrong_results(with_store("out[5] = -1;"));
  ASSERT_EQ(by_all.size(), 1u);
  EXPECT_EQ(by_all[0].element.index, 0);
  EXPECT_EQ(by_all[0].writes.count, 0u);
  const ElementWrites of_five = writes_of(with_store("out[5] = -1;"), by_all[0].element.argument, 5);
  EXPECT_EQ(of_five.count, 16384u);
  EXPECT_FALSE(of_five.last);
  EXPECT_EQ(of_five.lines, std::vector<int>{line_of_store()});
}

TEST(WrongResult, WhatWasNotKeptIsNotGuessed) {
  const lesson::Variant& variant = *coalescing().find_variant("stride");
  Request request = *from_lesson(coalescing(), variant, {});
  request.source.text.replace(request.source.text.find("in[i * stride]"), 14, "in[i * stride] + 1");
  request.record.event_budget_bytes = 1 << 12;
  const auto wrong = wrong_results(run(request, &variant));
  ASSERT_EQ(wrong.size(), 1u);
  EXPECT_FALSE(wrong[0].writes.complete);
  EXPECT_FALSE(wrong[0].writes.last);
}

TEST(WrongResult, IsInTheJson) {
  const auto json = nlohmann::json::parse(to_json(with_store("if (i != 37) out[i] = in[i * stride];")));
  const auto& check = json["checks"][0];
  EXPECT_EQ(check["wrong"]["buffer"], "out");
  EXPECT_EQ(check["wrong"]["index"], 37);
  EXPECT_TRUE(check["wrong"]["got"].is_null());
  EXPECT_EQ(check["wrong"]["expected"], "296");
  EXPECT_EQ(json["buffers"][0]["never_written"], 0);
  EXPECT_EQ(json["buffers"][1]["never_written"], 1);
  EXPECT_EQ(check["wrong"]["wrong_elements"], 1);
  EXPECT_EQ(check["wrong"]["covered_elements"], 16384);
  EXPECT_TRUE(check["wrong"]["writes"]["last"].is_null());
  EXPECT_TRUE(json["checks"][1]["wrong"].is_null());
}

}  // namespace
}  // namespace lanescope::job
