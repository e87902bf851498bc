// Many schedules of the code on screen, and the launches of a variant with several.

#include <algorithm>
#include <utility>

#include "driver.h"
#include "gui/warp/schedules_panel.h"
#include "job/lesson/lesson_request.h"
#include "job/run/numbers.h"
#include "ptx/instruction.h"

namespace lanescope::test {
namespace {

using gui::Session;
using job::ScheduleVerdict;

gui::Options options_of(const std::string& lesson, const std::string& variant) {
  gui::Options options;
  options.lesson = lesson;
  options.variant = variant;
  return options;
}

std::string with_barrier(std::string source) {
  const std::string add = "partial[t] += partial[t + half];";
  const std::size_t line_end = source.find('\n', source.find(add));
  const std::size_t brace = source.find('}', line_end);
  return source.insert(brace + 1, "\n    __syncthreads();");
}

TEST(ScheduleTab, FindsTheMissingBarrierAndGoesToBothAccesses) {
  Learner learner(options_of("divergence", "reduce_missing_barrier"));
  Session& s = learner.session();
  learner.state().page = gui::Page::try_;  // a page with few numbers, since each of them is a run
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    EXPECT_EQ(s.schedules.orders(), nullptr);
    ui.ItemClick("**/steps tabs/schedules");
    ui.ItemClick("**/how many");
    ui.ItemClick("//$FOCUSED/8 schedules");
    ui.ItemClick("**/run schedules");
    learner.wait(ui);
    ASSERT_NE(s.schedules.orders(), nullptr);
    ASSERT_TRUE(s.schedules.orders()->known);
    const job::ScheduleReport& report = *s.schedules.orders()->report;
    EXPECT_EQ(report.done, 8u);
    EXPECT_EQ(report.verdict(), ScheduleVerdict::racing);
    std::uint32_t runs = 0;
    for (const job::ScheduleResult& result : report.results) runs += result.runs;
    EXPECT_EQ(runs, 9u) << "every schedule gave one of the results";

    ASSERT_FALSE(report.races.empty());
    const job::RaceText text = report.races.front().text;
    for (const auto& [id, place] :
         {std::pair{"**/$$0/first", text.first_place}, {"**/$$0/second", text.second_place}}) {
      ui.ItemClick(id);
      ui.Yield(2);
      EXPECT_EQ(s.place.position().block, place.block);
      EXPECT_EQ(s.place.position().warp, place.thread / 32);
      ASSERT_NE(s.place.site(), nullptr);
      EXPECT_EQ(s.place.site()->line, place.line);
      EXPECT_TRUE(s.place.event()->executed.test(static_cast<int>(place.thread % 32)));
    }

    // The cure that it names.
    EXPECT_NE(text.cure.find("__syncthreads()"), std::string::npos) << text.cure;
    learner.types_over_everything(ui, with_barrier(s.selection.source()));
    EXPECT_TRUE(s.schedules.stale()) << "they are of the code before";
    ui.ItemClick("**/run schedules");
    learner.wait(ui);
    EXPECT_FALSE(s.schedules.stale());
    EXPECT_EQ(s.schedules.orders()->report->verdict(), ScheduleVerdict::ordered);
    EXPECT_EQ(s.schedules.orders()->report->results.size(), 1u);
  });
}

TEST(ScheduleTab, StopsAndKeepsWhatItHas) {
  Learner learner(options_of("shuffle_reduce", "end_atomic"));
  Session& s = learner.session();
  learner.state().page = gui::Page::try_;  // a page with few numbers, since each of them is a run
  learner.state().steps_tab = gui::StepsTab::schedules;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    s.schedules.run(100'000);
    ASSERT_TRUE(learner.wait_for(ui, [&] { return s.schedules.orders()->done->load() >= 2; }));
    EXPECT_TRUE(s.schedules.running());
    ui.ItemClick("**/run schedules");  // meanwhile, this button stops the run
    learner.wait(ui);
    ASSERT_TRUE(s.schedules.orders()->known);
    EXPECT_LT(s.schedules.orders()->report->done, 100'000u);
    EXPECT_GE(s.schedules.orders()->report->done, 2u);
    EXPECT_FALSE(s.schedules.orders()->report->results.empty());
  });
}

TEST(ScheduleTab, TellsWhyCodeDoesNotRun) {
  Learner learner(options_of("divergence", "reduce_modulo"));
  Session& s = learner.session();
  learner.state().page = gui::Page::try_;  // a page with few numbers, since each of them is a run
  learner.state().steps_tab = gui::StepsTab::schedules;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    s.selection.set_source("this is no kernel");
    ui.ItemClick("**/run schedules");
    learner.wait(ui);
    ASSERT_TRUE(s.schedules.orders()->known);
    EXPECT_TRUE(s.schedules.orders()->report->results.empty());
    EXPECT_FALSE(s.schedules.orders()->report->problems.empty());
    EXPECT_EQ(s.selection.source(), "this is no kernel");
  });
}

// The standard order may be the wrong one, so it is no yardstick.
TEST(ScheduleTab, ARightResultIsNotMeasuredByAWrongOne) {
  Learner learner(options_of("divergence", "reduce_missing_barrier"));
  Session& s = learner.session();
  learner.state().page = gui::Page::try_;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ASSERT_FALSE(s.runs.shown()->wrong.empty());
    const job::WrongElement& wrong = s.runs.shown()->wrong.front().element;
    s.schedules.run(1);  // a report of the code on screen
    learner.wait(ui);
    job::ScheduleReport report = *s.schedules.orders()->report;
    report.results.resize(2);
    job::ScheduleResult& other = report.results[1];
    other.first_seed = 1, report.results[0].first_seed = 0, report.results[0].differences.clear();
    const auto index = static_cast<std::uint64_t>(wrong.index);
    other.differences = {{wrong.argument, wrong.buffer, 1, index, std::stod(wrong.expected), std::stod(wrong.got)}};
    const gui::Ui here{learner.app().look(), s, learner.state()};
    const std::string element = wrong.buffer + "[" + std::to_string(wrong.index) + "]";
    EXPECT_EQ(gui::result_text(here, report, other),
              element + " = " + wrong.expected + ", as expected; in the standard order " + wrong.got);
    EXPECT_NE(gui::result_text(here, report, report.results[0])
                  .find("the standard order, whose " + element + " is wrong: expected " + wrong.expected),
              std::string::npos);
    other.differences[0].value = 1;
    EXPECT_EQ(gui::result_text(here, report, other), element + " = 1; in the standard order " + wrong.got);
  });
}

// In both languages, with numbers, and never the same words for luck and for order.
TEST(ScheduleTab, SaysWhatTheRunsSay) {
  Learner learner(options_of("divergence", "reduce_modulo"));
  job::ScheduleReport report;
  report.done = 8;
  report.results.resize(1);
  const auto said = [&](gui::Language language) {
    gui::WindowState state;
    state.settings.language = language;
    const gui::Look look;
    return gui::verdict_text({look, learner.session(), state}, report);
  };
  const std::string ordered = said(gui::Language::english), ordered_chinese = said(gui::Language::chinese);
  report.races.resize(1);
  report.races[0].race.kind = sim::RaceKind::read_write;
  const std::string lucky = said(gui::Language::english), lucky_chinese = said(gui::Language::chinese);
  EXPECT_EQ(ordered, "9 runs, one result. There is no race.");
  EXPECT_EQ(lucky, "9 runs, one result, but there is a race: nothing guarantees this result.");
  EXPECT_NE(ordered_chinese, lucky_chinese);
  EXPECT_NE(ordered_chinese.find("9"), std::string::npos);
}

TEST(LaunchChoice, ShowsEachLaunchWithItsOwnStepsAndNumbers) {
  Learner learner(options_of("cooperative_groups", "full_multi_launch"));
  Session& s = learner.session();
  learner.state().page = gui::Page::try_;  // a page with few numbers, since each of them is a run
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    EXPECT_EQ(s.runs.launch(), 1);
    EXPECT_EQ(s.runs.launch_count(), 3);
    // The numbers of each launch, from a run outside the window.
    const auto request = job::from_lesson(s.selection.lesson(), s.selection.variant(), s.selection.wanted().controls);
    ASSERT_TRUE(request);
    const job::Outcome outcome = job::run(*request, &s.selection.variant());
    ASSERT_TRUE(outcome.completed);
    lesson::NumberReference requests;
    requests.variant = "current";
    requests.number = "global_load.requests";
    const auto of_the_first = s.details.number(requests);
    for (int launch = 1; launch <= 3; ++launch) {
      EXPECT_EQ(s.runs.launch(), launch);
      const trace::Trace& direct = *outcome.trace_of(launch);
      const std::vector<gui::NumberRow> rows = gui::number_rows(*s.runs.shown());
      EXPECT_GE(rows.size(), 4u);
      for (const gui::NumberRow& row : rows)
        EXPECT_EQ(row.value, gui::number_text(metrics::find(direct, row.name)))
            << "launch " << launch << ": " << row.name;
      EXPECT_EQ(s.runs.shown()->outcome.first().trace.launch.grid.count(), direct.launch.grid.count());
      ASSERT_NE(s.place.event(), nullptr) << "launch " << launch;
      EXPECT_EQ(s.place.step_count(), direct.warp(0, s.place.position().warp).size());
      EXPECT_FALSE(s.runs.stale());
      EXPECT_EQ(s.details.number(requests), of_the_first) << "a text's numbers without a prefix are those of launch 1";
      s.place.set_step(static_cast<std::size_t>(launch));
      if (launch < 3) ui.ItemClick("**/launch/up");
      learner.wait(ui);
    }
    ui.ItemClick("**/launch/down");
    ui.ItemClick("**/launch/down");
    EXPECT_EQ(s.runs.launch(), 1);
    EXPECT_EQ(s.place.position().step, 1u) << "each launch keeps its place";
    s.selection.set_control("batches", 2);
    s.runs.run();
    learner.wait(ui);
    EXPECT_EQ(s.runs.launch_count(), 3);
  });
}

// Each side of a comparison has its own launch, even if both show the same variant.
TEST(LaunchChoice, EachSideOfAComparisonHasItsOwn) {
  Learner learner(options_of("cooperative_groups", "full_multi_launch"));
  Session& s = learner.session();
  learner.state().page = gui::Page::try_;
  learner.does([&](ImGuiTestContext& ui) {
    s.compare(s.selection.variant_index());
    ASSERT_TRUE(learner.wait_for(
        ui, [&] { return s.runs.shown() != nullptr; }, 60));
    ui.Yield(3);
    gui::CompareView& view = learner.app().window().comparison();
    const auto blocks_of = [&](bool of_a) { return view.result(of_a)->outcome.first().trace.launch.grid.count(); };
    const std::uint64_t first = blocks_of(true);
    ASSERT_GT(first, 1u);
    EXPECT_FALSE(view.parting()) << "the same launch on both sides";
    ui.ItemClick("**/launch b/launch/up");
    ui.ItemClick("**/launch b/launch/up");
    EXPECT_EQ(s.runs.launch(), 1);
    EXPECT_EQ(s.runs.compared_launch(), 3);
    EXPECT_EQ(blocks_of(true), first);
    EXPECT_EQ(blocks_of(false),
              s.runs.shown(s.selection.variant_index(), 3)->outcome.first().trace.launch.grid.count());
    EXPECT_NE(view.result(true)->numbers.front().value, view.result(false)->numbers.front().value);
    ASSERT_TRUE(view.parting()) << "the last launch adds up a few sums";
    ui.ItemClick("**/launch a/launch/up");
    EXPECT_EQ(s.runs.launch(), 2);
    EXPECT_EQ(s.runs.compared_launch(), 3);
    // A launch with fewer blocks shows its last one, and says which.
    s.runs.set_launch(1);
    s.place.set_block(static_cast<std::uint32_t>(first) - 1);
    ui.Yield(3);
    EXPECT_FALSE(view.steps().empty());
    EXPECT_TRUE(view.steps()[view.step()].b);
    // Summed over all launches, both sides are equal.
    ui.ItemClick("**/which totals/all launches");
    EXPECT_EQ(learner.state().totals, gui::TotalsTab::all);
  });
}

TEST(LaunchChoice, ComparedShufflesShowTheirValues) {
  Learner learner(options_of("shuffle_reduce", "end_second"));
  Session& s = learner.session();
  learner.state().page = gui::Page::try_;
  learner.does([&](ImGuiTestContext& ui) {
    s.compare(s.selection.variant_index());
    ASSERT_TRUE(learner.wait_for(
        ui, [&] { return s.runs.shown() != nullptr; }, 60));
    s.runs.set_compared_launch(2);
    ui.Yield(3);
    gui::CompareView& view = learner.app().window().comparison();
    const auto reduce =
        std::ranges::find_if(view.steps(), [](const gui::JointStep& step) { return step.name == "reduce"; });
    ASSERT_NE(reduce, view.steps().end());
    view.go_to(static_cast<std::size_t>(reduce - view.steps().begin()));
    // The lanes' values before the first exchange, from running the launch again outside the window.
    for (const bool of_a : {true, false}) {
      const auto event =
          std::ranges::find_if(view.result(of_a)->outcome.first().trace.warp(0, 0),
                               [](const trace::WarpEvent& e) { return e.kind == trace::EventKind::shuffle; });
      const auto values = job::shuffle_values(s.runs.shown(s.selection.variant_index())->outcome, *event, of_a ? 1 : 2);
      ASSERT_TRUE(values);
      const std::string own = values->before[0];
      EXPECT_TRUE(learner.wait_for(
          ui,
          [&] {
            return std::ranges::any_of(view.picture(of_a).labels,
                                       [&](const diagram::Label& label) { return label.text == own; });
          },
          60))
          << (of_a ? "A" : "B") << ": " << own;
    }
  });
}

TEST(LaunchChoice, IsNotThereWhereThereIsOneLaunch) {
  Learner learner(options_of("transpose", "tiled"));
  learner.state().page = gui::Page::try_;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    EXPECT_EQ(learner.session().runs.launch_count(), 1);
    EXPECT_FALSE(ui.ItemExists("**/launch/up"));
  });
}

TEST(LaunchChoice, ShufflesOfALaterLaunchShowTheirValues) {
  Learner learner(options_of("shuffle_reduce", "end_second"));
  Session& s = learner.session();
  learner.state().page = gui::Page::try_;
  learner.does([&](ImGuiTestContext& ui) {
    // Does not wait for the sweep behind the plot, which takes long.
    ASSERT_TRUE(learner.wait_for(
        ui, [&] { return s.runs.shown() != nullptr && s.runs.launch_count() == 2; }, 60));
    s.runs.set_launch(2);
    ASSERT_EQ(s.runs.launch(), 2);
    const auto events = s.runs.shown()->outcome.first().trace.warp(0, 0);
    std::size_t shuffle = 0;
    while (shuffle < events.size() && events[shuffle].kind != trace::EventKind::shuffle) ++shuffle;
    ASSERT_LT(shuffle, events.size());
    s.place.set_step(shuffle);
    ASSERT_TRUE(learner.wait_for(
        ui, [&] { return s.details.shuffle_values() != nullptr; }, 100));
    EXPECT_EQ(s.details.shuffle_values()->type, ptx::Type::f32);
  });
}

}  // namespace
}  // namespace lanescope::test
