// Two variants side by side: ratios, rows of numbers, and the view in the window.

#include <gtest/gtest.h>

#include <algorithm>

#include "driver.h"
#include "gui/compare/comparison.h"

namespace lanescope::gui {
namespace {

metrics::Measurement number(double value, std::string unit = "requests") {
  metrics::Measurement m;
  m.name = "x";
  m.value = value;
  m.better = unit == "%" ? metrics::Better::more : metrics::Better::less;
  m.unit = std::move(unit);
  return m;
}

TEST(Ratios, SayHowMuchAndWhetherItIsBetter) {
  using Verdict = Ratio::Verdict;
  EXPECT_EQ(ratio_of(number(200), number(130)).text, "0.65 ×");
  EXPECT_EQ(ratio_of(number(200), number(130)).verdict, Verdict::better);
  EXPECT_EQ(ratio_of(number(61, "%"), number(94, "%")).verdict, Verdict::better);
  EXPECT_EQ(ratio_of(number(61, "%"), number(94, "%")).text, "1.54 ×");
  EXPECT_EQ(ratio_of(number(0), number(26880)).only, Ratio::Only::b);
  EXPECT_EQ(ratio_of(number(0), number(26880)).verdict, Verdict::worse);
  EXPECT_EQ(ratio_of(number(5), number(0)).only, Ratio::Only::a);
  EXPECT_EQ(ratio_of(number(0), number(0)).text, "–");
  EXPECT_EQ(ratio_of(number(7), number(7)).verdict, Verdict::same);
  metrics::Measurement ideal = number(8);
  ideal.better = metrics::Better::neutral;
  EXPECT_EQ(ratio_of(number(4), number(8)).verdict, Verdict::worse);
  EXPECT_EQ(ratio_of(ideal, number(4)).verdict, Verdict::neutral) << "what would do is no price";
  metrics::Measurement narrow = number(8, "sectors/request"), wide = number(16, "sectors/request");
  narrow.ideal = 8, wide.ideal = 16;
  EXPECT_EQ(ratio_of(narrow, wide).verdict, Verdict::neutral) << "twice as wide, and nothing wasted";
  wide.ideal = 8;
  EXPECT_EQ(ratio_of(narrow, wide).verdict, Verdict::worse);
  metrics::Measurement none = number(0);
  none.applicable = false;
  EXPECT_EQ(ratio_of(none, number(3)).text, "–");
}

TEST(Ratios, HaveAUnitAndAreOneOnlyWhereBothAreEqual) {
  EXPECT_EQ(ratio_text(1), "1.00 ×");
  EXPECT_EQ(ratio_text(0.998), "0.998 ×");
  EXPECT_EQ(ratio_text(0.125), "0.125 ×");
  EXPECT_EQ(ratio_text(0.25), "0.25 ×");
  EXPECT_EQ(ratio_text(1.0004), "1.0004 ×");
  EXPECT_EQ(ratio_text(0.042), "0.042 ×");
  EXPECT_EQ(ratio_text(0.00082), "0.00082 ×");
  EXPECT_EQ(ratio_text(1.5), "1.50 ×");
  EXPECT_EQ(ratio_text(12.34), "12.3 ×");
  EXPECT_EQ(ratio_text(1234.5), "1234 ×");
}

TEST(Rows, ThoseThatDifferComeFirst) {
  const auto named = [](const char* name, double value) {
    metrics::Measurement m = number(value);
    m.name = name;
    return m;
  };
  const auto rows = compare_rows({named("same", 3), named("nothing", 0), named("less", 5)},
                                 {named("same", 3), named("nothing", 0), named("less", 2)});
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[0].a.name, "less");
  EXPECT_EQ(rows[0].b.value, 2);
  EXPECT_EQ(rows[1].a.name, "same");
}

// Both sides go to the same block and warp. A side with fewer shows its last one.
TEST(CompareView, BothSidesGoToTheBlockAndWarpThatAreChosen) {
  gui::Options options;
  options.lesson = "coalescing";
  options.variant = "stride";
  test::Learner learner(options);
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    s.compare(std::ranges::find(s.selection.lesson().variants, "packed4", &lesson::Variant::id) -
              s.selection.lesson().variants.begin());
    learner.wait(ui);
    const CompareView& view = learner.app().window().comparison();
    ASSERT_NE(view.result(true), nullptr);
    ASSERT_NE(view.result(false), nullptr);
    const std::string before = view.picture(true).title + view.picture(true).subtitle;
    const auto first_bytes = [&](bool of_a) { return view.picture(of_a).tags.at(0).first_byte; };
    const std::uint64_t a = first_bytes(true), b = first_bytes(false);
    ui.ItemClick("**/both warp/up");
    learner.wait(ui);
    EXPECT_EQ(view.place(s).warp, 1u);
    EXPECT_NE(first_bytes(true), a) << "another warp reads elsewhere";
    EXPECT_NE(first_bytes(false), b);
    ui.ItemClick("**/both block/up");
    learner.wait(ui);
    EXPECT_EQ(view.place(s).block, 1u);
    EXPECT_EQ(s.place.position().block, 1u) << "it is the window's place as well";

    // `packed4` has a quarter of the blocks.
    const auto blocks = [&](bool of_a) { return view.result(of_a)->outcome.first().trace.launch.grid.count(); };
    ASSERT_GT(blocks(true), blocks(false));
    learner.app().window().comparison().go_to_warp(s, static_cast<std::uint32_t>(blocks(true)) - 1, 0);
    learner.wait(ui);
    EXPECT_EQ(view.block(true), blocks(true) - 1);
    EXPECT_EQ(view.block(false), blocks(false) - 1);
    // With the sides exchanged, blocks that only B has can be reached too.
    s.choose_variant(static_cast<std::size_t>(*s.selection.compared()));
    s.compare(0);
    learner.wait(ui);
    learner.app().window().comparison().go_to_warp(s, static_cast<std::uint32_t>(blocks(false)) - 1, 0);
    learner.wait(ui);
    EXPECT_EQ(view.block(false), blocks(false) - 1);
    EXPECT_EQ(view.block(true), blocks(true) - 1);

    // A side without such a step lists the steps that it has; a click goes there.
    const auto found = std::ranges::find(s.selection.lessons(), "shared_memory_copy", &lesson::Lesson::id);
    s.choose_lesson(static_cast<std::size_t>(found - s.selection.lessons().begin()));
    learner.wait(ui);
    s.compare(std::ranges::find(s.selection.lesson().variants, "copy_register", &lesson::Variant::id) -
              s.selection.lesson().variants.begin());
    learner.wait(ui);
    CompareView& steps = learner.app().window().comparison();
    steps.go_to(2);
    learner.wait(ui);
    ASSERT_TRUE(steps.steps().at(2).a && !steps.steps().at(2).b) << "copy_row loads a second time";
    ui.ItemClick("**/$$1/go to");
    learner.wait(ui);
    EXPECT_EQ(view.step(), 1u);
  });
}

// Both sides step by pairs, or one side alone, with the keys and with each side's arrows.
// 64 blocks beside 16 that do the same work.
TEST(CompareView, TheTotalsBeginWithTheLaunchWhereBlocksDoDifferentShares) {
  gui::Options options;
  options.lesson = "coalescing";
  options.variant = "stride";
  test::Learner learner(options);
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    s.compare(std::ranges::find(s.selection.lesson().variants, "packed4", &lesson::Variant::id) -
              s.selection.lesson().variants.begin());
    learner.wait(ui);
    EXPECT_TRUE(learner.says(ui, "524,288 B")) << "moved by the loads of all 64 blocks";
    ui.ItemClick("**/which totals/so far");
    ui.Yield(3);
    EXPECT_FALSE(learner.says(ui, "524,288 B"));
    ui.ItemClick("**/which totals/launch");
    ui.Yield(3);
    EXPECT_TRUE(learner.says(ui, "524,288 B"));
  });
}

TEST(CompareView, EitherSideStepsAlone) {
  gui::Options options;
  options.lesson = "transpose";
  options.variant = "row_reads";
  test::Learner learner(options);
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    s.compare(std::ranges::find(s.selection.lesson().variants, "padded", &lesson::Variant::id) -
              s.selection.lesson().variants.begin());
    learner.wait(ui);
    const CompareView& view = learner.app().window().comparison();
    const auto shown = [&](bool of_a) {
      const trace::Trace& t = view.result(of_a)->outcome.first().trace;
      const trace::WarpEvent& event = t.warp(view.block(of_a), 0)[view.event(of_a).value()];
      return std::string(to_string(event.space)) + " " + to_string(t.sites[event.site].operation);
    };
    ui.KeyPress(ImGuiKey_End);
    learner.wait(ui);
    EXPECT_EQ(shown(true), "global store");
    EXPECT_EQ(shown(false), "global store");
    ui.KeyPress(ImGuiMod_Alt | ImGuiKey_LeftArrow);
    learner.wait(ui);
    EXPECT_EQ(shown(true), "global store");
    EXPECT_EQ(shown(false), "shared load");
    ui.ItemClick("**/b alone/next");
    learner.wait(ui);
    EXPECT_EQ(shown(false), "global store");
    ui.KeyPress(ImGuiMod_Shift | ImGuiKey_LeftArrow);
    learner.wait(ui);
    EXPECT_EQ(shown(true), "global load");
    EXPECT_EQ(shown(false), "global store");
    ui.ItemClick("**/a alone/next");
    learner.wait(ui);
    EXPECT_EQ(shown(true), "global store");
    // Within the joint step: what B does before it stores.
    ui.KeyPress(ImGuiKey_UpArrow);
    learner.wait(ui);
    EXPECT_EQ(shown(false), "shared load");
    ui.KeyPress(ImGuiKey_DownArrow);
    learner.wait(ui);
    EXPECT_EQ(shown(false), "global store");
    EXPECT_EQ(view.step(), 1u);
  });
}

// A loop whose turns are passes: pairing them takes longer than a frame, and until it is done nothing of another warp
// or run is shown.
TEST(CompareView, LongWarpsArePairedOffTheFrame) {
  gui::Options options;
  options.lesson = "coalescing";
  options.variant = "stride";
  test::Learner learner(options);
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    std::string text = s.selection.source();
    text.insert(text.find('{', text.find("__global__")) + 1, R"(
  float long_sum = 0;
  #pragma unroll 1
  for (int turn = 0; turn < 6000 && blockIdx.x == 0 && threadIdx.x < 32; ++turn) {
    // @phase turn
    long_sum += *(volatile const float*)(in + (turn > 5500 ? stride : 1) * (threadIdx.x % 32));
  }
  if (long_sum == 12345.5f) out[0] = long_sum;
)");
    s.selection.set_source(text);
    s.runs.run();
    learner.wait(ui);
    ASSERT_TRUE(s.runs.problems().empty()) << s.runs.problems().front().message;
    s.compare_with({s.selection.variant_index(), {{"stride", 1}}, false});
    CompareView& view = learner.app().window().comparison();
    ASSERT_TRUE(learner.wait_for(
        ui, [&] { return view.result(false) != nullptr; }, 60));
    if (view.steps().empty()) {
      const bool said = learner.says(ui, "The steps of both are being paired.");
      EXPECT_TRUE(said || !view.steps().empty()) << "it may have ended meanwhile";
    }
    learner.wait(ui);
    ASSERT_GE(view.steps().size(), 6'000u) << "one for each turn";
    ASSERT_TRUE(view.parting()) << "the last turns have another stride";
    EXPECT_GT(*view.parting(), 5'400u);
    view.go_to(*view.parting());
    ui.Yield(2);
    EXPECT_TRUE(view.event(true));
    EXPECT_TRUE(view.event(false));
    learner.saves(ui, "compare_long");
  });
}

// One sample of 159 ms beside three of 59 ms: "cannot be told apart: the 95 % intervals overlap" was said of them.
TEST(CompareView, TimesOfTooFewSamplesAreNotSaidToOverlap) {
  Options options;
  options.lesson = "half_atomics";
  options.width = 1920, options.height = 1080;
  test::Learner learner(options);
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ASSERT_TRUE(learner.wait_for(ui, [&] { return s.recordings.recording() != nullptr; }));
    const auto& variants = s.selection.lesson().variants;
    const auto other = std::ranges::find(variants, "half2_packed", &lesson::Variant::id);
    s.compare(static_cast<std::size_t>(other - variants.begin()));
    learner.state().totals = TotalsTab::launch;
    learner.wait(ui);
    EXPECT_TRUE(learner.says(ui, "≈ 0.37 ×"));
    EXPECT_FALSE(learner.says(ui, "cannot be told apart"));
    learner.saves(ui, "compare_few_samples");
  });
}

TEST(CompareView, ASizeThatBothShareIsNamedOnce) {
  Options options;
  options.lesson = "shuffle_reduce";
  options.width = 1920, options.height = 1080;
  test::Learner learner(options);
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    const auto& variants = learner.session().selection.lesson().variants;
    const auto packed = std::ranges::find(variants, "packed", &lesson::Variant::id);
    learner.session().compare(static_cast<std::size_t>(packed - variants.begin()));
    learner.state().totals = TotalsTab::launch;
    learner.wait(ui);
    EXPECT_TRUE(learner.says(ui, "elements = 32 Mi · B: blocks = 1,056"));
    EXPECT_TRUE(learner.says(ui, "16 sectors"));
  });
}

// What a line costs on average has a word, not a sign that English does not use.
TEST(CompareView, AnAverageIsCalledSo) {
  test::Learner learner;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    learner.session().choose_variant(2);  // two loads
    learner.session().compare(3);
    learner.wait(ui);
    EXPECT_TRUE(learner.says(ui, "avg 8 sectors"));
  });
}

// All warps of the block where there is room for them, not two of them above an empty half.
TEST(CompareView, ShowsAsManyWarpsOfTheBlockAsFit) {
  Options options;
  options.lesson = "divergence";
  options.width = 1280, options.height = 720;
  test::Learner learner(options);
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    learner.session().compare(1);
    learner.wait(ui);
    EXPECT_FALSE(learner.says(ui, "6 more warps"));
    learner.saves(ui, "compare_block");
  });
}

}  // namespace
}  // namespace lanescope::gui
