// Comparing more than two variants: values, sizes, and the edited code beside the lesson's, line by line.

#include <algorithm>

#include "driver.h"
#include "gui/compare/code_diff.h"
#include "gui/time/time_sizes.h"

namespace lanescope::test {
namespace {

using gui::Compared;
using gui::DiffRow;
using gui::RunResult;
using gui::Session;

std::vector<DiffRow> changed_rows(const std::vector<DiffRow>& rows) {
  std::vector<DiffRow> changed;
  std::ranges::copy_if(rows, std::back_inserter(changed), &DiffRow::changed);
  return changed;
}

TEST(CodeDiff, EqualLinesStandBesideEachOther) {
  const std::vector<DiffRow> same{{1, 1, false}, {2, 2, false}};
  EXPECT_EQ(gui::diff_of("a\nb\n", "a\nb"), same) << "an end of the last line is no line";
  EXPECT_EQ(gui::diff_of("a  // @load\nb \t\n", "a\nb"), same) << "marks and trailing spaces count for nothing";
  EXPECT_TRUE(gui::diff_of("", "").empty());
}

TEST(CodeDiff, WhatChangedStandsBesideWhatItBecame) {
  EXPECT_EQ(gui::diff_of("a\nb\nc", "a\nx\nc"), (std::vector<DiffRow>{{1, 1, false}, {2, 2, true}, {3, 3, false}}));
  // A line that only one text has is in a row of its own.
  EXPECT_EQ(gui::diff_of("a\nc", "a\nb\nc"), (std::vector<DiffRow>{{1, 1, false}, {0, 2, true}, {2, 3, false}}));
  EXPECT_EQ(gui::diff_of("a\nb\nc", ""), (std::vector<DiffRow>{{1, 0, true}, {2, 0, true}, {3, 0, true}}));
  // The longest common subsequence matches: `b` and `c` here; `a` moved.
  EXPECT_EQ(gui::diff_of("a\nb\nc", "b\nc\na"),
            (std::vector<DiffRow>{{1, 0, true}, {2, 1, false}, {3, 2, false}, {0, 3, true}}));
}

TEST(CodeDiff, EveryLineOfBothComesOnceInItsOrder) {
  std::string a, b;
  for (int i = 0; i < 60; ++i) {
    if (i % 7 != 0) a += std::to_string(i * i % 11) + "\n";
    if (i % 5 != 0) b += std::to_string(i * i % 11) + "\n";
  }
  int last_a = 0, last_b = 0;
  for (const DiffRow& row : gui::diff_of(a, b)) {
    if (row.a > 0) {
      EXPECT_EQ(row.a, ++last_a);
    }
    if (row.b > 0) {
      EXPECT_EQ(row.b, ++last_b);
    }
    EXPECT_TRUE(row.changed || (row.a > 0 && row.b > 0));
  }
  EXPECT_EQ(last_a, std::ranges::count(a, '\n'));
  EXPECT_EQ(last_b, std::ranges::count(b, '\n'));
}

double number_of(const RunResult* result, const std::string& name) {
  const auto found = std::ranges::find(result->numbers, name, &metrics::Measurement::name);
  return found == result->numbers.end() ? -1 : found->value;
}

gui::Options coalescing_stride() {
  gui::Options options;
  options.lesson = "coalescing";
  options.variant = "stride";
  options.controls = {{"stride", 1}};
  return options;
}

TEST(CompareOwn, TheSameVariantAtAnotherValue) {
  Learner learner(coalescing_stride());
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    s.compare(s.selection.variant_index());
    learner.wait(ui);
    const gui::CompareView& view = learner.app().window().comparison();
    ASSERT_NE(view.result(false), nullptr);
    EXPECT_EQ(view.result(true), view.result(false)) << "nothing of its own";

    ui.ItemClick("**/choose b");
    ui.ItemClick("**/stride/value");
    ui.Yield(2);
    ui.KeyCharsReplaceEnter("8");
    learner.wait(ui);
    ASSERT_NE(view.result(false), nullptr);
    EXPECT_EQ(view.result(false)->key.controls.at("stride"), 8);
    EXPECT_EQ(view.result(true)->key.controls.at("stride"), 1);
    EXPECT_EQ(s.selection.control("stride"), 1) << "what is on screen stays";
    // 32 lanes of 4 bytes, 8 × 4 bytes apart: one sector of 32 bytes each. Contiguous, they fill 4.
    EXPECT_DOUBLE_EQ(number_of(view.result(true), "global_load.sectors_per_request"), 4);
    EXPECT_DOUBLE_EQ(number_of(view.result(false), "global_load.sectors_per_request"), 32);
    EXPECT_FALSE(s.runs.compared_stale());
    EXPECT_TRUE(learner.says(ui, "stride · stride = 1")) << "both sides name the value in which they differ";
    EXPECT_TRUE(learner.says(ui, "stride · stride = 8"));

    // Its recorded time is that of its own value, at the size that the lesson measures.
    const auto [of_a, of_b] = gui::recorded_of_both(s);
    ASSERT_TRUE(of_a && of_b);
    EXPECT_EQ(of_a->controls.at("stride"), 1);
    EXPECT_EQ(of_b->controls.at("stride"), 8);
    EXPECT_EQ(of_a->controls.at("n"), of_b->controls.at("n"));

    // A follows its own slider; B keeps its value.
    s.selection.set_control("stride", 2);
    s.runs.run_if_needed();
    learner.wait(ui);
    EXPECT_DOUBLE_EQ(number_of(view.result(true), "global_load.sectors_per_request"), 8);
    EXPECT_DOUBLE_EQ(number_of(view.result(false), "global_load.sectors_per_request"), 32);

    ui.ItemClick("**/###as on screen");  // the list is still open
    learner.wait(ui);
    EXPECT_EQ(view.result(true), view.result(false));
  });
}

TEST(CompareOwn, ASizeOfItsOwnHasNoTimeOfAnotherSize) {
  Learner learner(coalescing_stride());
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    s.compare_with(Compared{s.selection.variant_index(), {{"n", 1024}}, false});
    learner.wait(ui);
    const gui::CompareView& view = learner.app().window().comparison();
    ASSERT_NE(view.result(false), nullptr);
    EXPECT_EQ(view.result(false)->key.controls.at("n"), 1024);
    EXPECT_NE(view.result(true)->key.controls.at("n"), 1024);
    const auto [of_a, of_b] = gui::recorded_of_both(s);
    if (of_a != nullptr) {
      EXPECT_EQ(of_a->controls.at("n"), s.selection.control("n"));
    }
    if (of_b != nullptr) {
      EXPECT_EQ(of_b->controls.at("n"), 1024);
    }
  });
}

TEST(CompareOwn, TheEditedCodeBesideTheLessons) {
  Learner learner(coalescing_stride());
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    // Every other element: 8 sectors per request, not 4.
    std::string text = s.selection.source();
    const std::string from = "i * stride";
    const std::size_t at = text.rfind(from);  // the comment matches too
    ASSERT_NE(at, std::string::npos) << text;
    text.replace(at, from.size(), "(2 * i % n) * stride");
    const auto line = static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
    s.selection.set_source(text);
    s.runs.run();
    learner.wait(ui);
    ASSERT_TRUE(s.selection.edited());
    s.compare(s.selection.variant_index());
    learner.wait(ui);
    ui.ItemClick("**/choose b");
    ui.ItemClick("//$FOCUSED/###original");
    learner.wait(ui);
    const gui::CompareView& view = learner.app().window().comparison();
    ASSERT_NE(view.result(true), nullptr);
    ASSERT_NE(view.result(false), nullptr);
    EXPECT_EQ(view.result(true)->key.source, text);
    EXPECT_EQ(view.result(false)->key.source, s.selection.original_source());
    EXPECT_DOUBLE_EQ(number_of(view.result(true), "global_load.sectors_per_request"), 8);
    EXPECT_DOUBLE_EQ(number_of(view.result(false), "global_load.sectors_per_request"), 4);
    EXPECT_TRUE(learner.says(ui, "the lesson's code"));
    // An edited text was not recorded, and the time of another text is not shown for it.
    EXPECT_EQ(gui::recorded_of_both(s).first, nullptr);
    EXPECT_NE(gui::recorded_of_both(s).second, nullptr);

    ui.KeyPress(ImGuiKey_Escape);  // of the list
    ui.Yield(2);
    ui.KeyPress(ImGuiKey_C);
    learner.wait(ui);
    EXPECT_TRUE(learner.state().compare_code);
    EXPECT_EQ(changed_rows(view.text_rows()), (std::vector<DiffRow>{{line + 1, line + 1, true}}));
    ui.ItemClick("**/texts");
    EXPECT_FALSE(learner.state().compare_code);
  });
}

TEST(CompareOwn, WhyItDoesNotRunIsSaidOfIt) {
  Learner learner(coalescing_stride());
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    s.selection.set_source("this is no kernel");
    s.runs.run();
    s.compare_with(Compared{s.selection.variant_index(), {{"stride", 8}}, false});
    learner.wait(ui);
    ASSERT_FALSE(s.runs.compared_problems().empty()) << "the edited text, with the other value";
    s.compare_with(Compared{s.selection.variant_index(), {{"stride", 8}}, true});
    learner.wait(ui);
    EXPECT_TRUE(s.runs.compared_problems().empty()) << "the lesson's own text";
    EXPECT_FALSE(s.runs.problems().empty());
    ASSERT_NE(s.runs.compared_run(), nullptr);
    EXPECT_EQ(s.runs.compared_run()->key.controls.at("stride"), 8);
  });
}

}  // namespace
}  // namespace lanescope::test
