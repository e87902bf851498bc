// The time panel: the size to which times belong, all variants side by side, and the way to recorded values.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "driver.h"
#include "gui/kit/text_fit.h"
#include "gui/time/nearest_recording.h"
#include "gui/time/sweep_plot.h"
#include "gui/time/time_evidence.h"
#include "gui/time/time_scale.h"
#include "gui/time/time_sizes.h"
#include "imgui_internal.h"

namespace lanescope::test {
namespace {

using gui::TimeSize;

bool timed(const gui::VariantTime& one) {
  return one.timed();
}

TEST(TimePanel, EachLessonOpensOnItsVariantsAtTheSizeThatItMeasures) {
  Learner learner;
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    for (std::size_t lesson = 0; lesson < s.selection.lessons().size(); ++lesson) {
      s.choose_lesson(lesson);
      learner.wait(ui);
      ASSERT_TRUE(learner.wait_for(ui, [&] { return s.recordings.recording() != nullptr; })) << s.selection.lesson().id;
      ui.Yield(3);
      const auto variants = gui::variants_beside(s, TimeSize::measure);
      ASSERT_GE(variants.size(), 4u) << s.selection.lesson().id;
      EXPECT_TRUE(std::ranges::all_of(variants, timed)) << s.selection.lesson().id;
      // A visible effect: the slowest takes more than twice the fastest's time; in the lesson on pipelines 1.5 times,
      // on copies 1.05 times.
      const std::map<std::string, double> smaller = {{"shared_memory_copy", 1.05}, {"pipelines", 1.5}};
      const auto found = smaller.find(s.selection.lesson().id);
      const auto [fastest, slowest] =
          std::ranges::minmax(variants, {}, [](const auto& one) { return one.run->timing->seconds.median; });
      EXPECT_GT(slowest.run->timing->seconds.median,
                (found == smaller.end() ? 2 : found->second) * fastest.run->timing->seconds.median)
          << s.selection.lesson().id;
      EXPECT_TRUE(ui.ItemExists(("**/" + s.selection.variant().id + "/variant time").c_str()))
          << s.selection.lesson().id;
      for (const gui::VariantTime& one : variants)
        for (const lesson::Control* size :
             gui::sizes_of(s.selection.lesson(), s.selection.lesson().variants[one.variant]))
          EXPECT_EQ(one.run->controls.at(size->name), size->full_value) << s.selection.lesson().id;
    }
  });
}

TEST(TimePanel, TheSwitchLeavesPicturesAtTheSizeOnScreen) {
  Learner learner;
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ASSERT_TRUE(learner.wait_for(ui, [&] { return s.recordings.recording() != nullptr; }));
    const std::int64_t n = s.selection.control("n");
    const auto time = [&](TimeSize size) {
      return gui::time_text(gui::recorded_at(s, s.selection.variant_index(), size)->timing->seconds.median);
    };
    const std::string measured = time(TimeSize::measure), looked = time(TimeSize::look);
    EXPECT_TRUE(learner.says(ui, "measure 4 Mi"));
    EXPECT_TRUE(learner.says(ui, measured)) << measured;
    EXPECT_FALSE(learner.says(ui, looked)) << looked;
    ui.ItemClick("**/look size");
    learner.wait(ui);
    EXPECT_FALSE(learner.says(ui, measured)) << measured;
    EXPECT_TRUE(learner.says(ui, looked)) << looked;
    ui.ItemClick("**/measure size");
    learner.wait(ui);
    EXPECT_TRUE(learner.says(ui, measured)) << measured;
    EXPECT_EQ(s.selection.control("n"), n);
  });
}

TEST(TimePanel, WhereNothingIsRecordedOneClickGoesToWhatIs) {
  gui::Options high;  // high enough for the rows of all variants
  high.width = 1920, high.height = 1440;
  Learner learner(high);
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ASSERT_TRUE(learner.wait_for(ui, [&] { return s.recordings.recording() != nullptr; }));
    s.choose_variant(7);  // array_of_structs: its neighbours are not recorded with this block either
    s.selection.set_control("n", 65536 + 64);
    s.runs.run_if_needed();
    learner.wait(ui);
    ui.ItemClick("**/look size");
    learner.wait(ui);
    const gui::RecordedElsewhere there = gui::recorded_elsewhere(s, TimeSize::look);
    EXPECT_EQ(there.control, "n");
    EXPECT_TRUE(std::ranges::find(there.values, 16384) != there.values.end());
    EXPECT_TRUE(std::ranges::find(there.values, 65536 + 64) == there.values.end());
    EXPECT_TRUE(learner.says(ui, "Recorded at elements"));
    ui.ItemClick(("**/elsewhere/$$" + std::to_string(16384) + "/recorded value").c_str());
    learner.wait(ui);
    EXPECT_EQ(s.selection.control("n"), 16384);
    EXPECT_TRUE(ui.ItemExists("**/array_of_structs/variant time"));
    // At the measured size they are shown for any size on screen.
    s.selection.set_control("n", 65536 + 64);
    s.runs.run_if_needed();
    ui.ItemClick("**/measure size");
    learner.wait(ui);
    EXPECT_TRUE(ui.ItemExists("**/array_of_structs/variant time"));
  });
}

// No recording has only one of these three values otherwise.
TEST(TimePanel, WhereSeveralControlsDifferTheNearestRecordingIsOffered) {
  gui::Options options;
  options.variant = "offset";
  Learner learner(options);
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ASSERT_TRUE(learner.wait_for(ui, [&] { return s.recordings.recording() != nullptr; }));
    ui.ItemClick("**/look size");
    s.selection.set_control("n", 32768);
    s.selection.set_control("block", 128);
    s.selection.set_control("offset", 5);
    s.runs.run_if_needed();
    learner.wait(ui);
    EXPECT_EQ(gui::recorded_elsewhere(s, TimeSize::look).control, "");
    EXPECT_EQ(gui::nearest_recording(s, TimeSize::look).size(), 2u);
    EXPECT_FALSE(learner.says(ui, "Recorded at offset"));
    EXPECT_TRUE(learner.says(ui, "nearest recording"));
    ui.ItemClick("**/elsewhere/$$0/recorded value");
    learner.wait(ui);
    // It has the same offset, another block, and the measured size, at which the panel then is.
    EXPECT_EQ(s.selection.control("offset"), 5);
    EXPECT_EQ(s.selection.control("block"), 256);
    EXPECT_NE(gui::recorded_at(s, s.selection.variant_index(), TimeSize::measure), nullptr);
    EXPECT_FALSE(learner.says(ui, "nearest recording")) << "its times are there";
    EXPECT_TRUE(ui.ItemExists("**/offset/variant time"));
  });
}

TEST(TimePanel, TheChosenVariantsRowComesIntoView) {
  gui::Options options;
  options.width = 1280, options.height = 800;
  Learner learner(options);
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ASSERT_TRUE(learner.wait_for(ui, [&] { return s.recordings.recording() != nullptr; }));
    for (const char* id : {"struct_of_arrays", "stride", "packed4"}) {
      const auto& variants = s.selection.lesson().variants;
      const auto at = std::ranges::find(variants, id, &lesson::Variant::id);
      ASSERT_NE(at, variants.end());
      s.choose_variant(static_cast<std::size_t>(at - variants.begin()));
      learner.wait(ui);
      ui.Yield(3);
      const ImGuiTestItemInfo row = ui.ItemInfo(("**/" + std::string(id) + "/variant time").c_str());
      ASSERT_NE(row.ID, 0u) << id;
      EXPECT_GE(row.RectClipped.GetHeight(), row.RectFull.GetHeight() - 0.5f) << id;
    }
  });
}

TEST(TimePanel, ARowOfTheVariantsGoesThere) {
  Learner learner;
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ASSERT_TRUE(learner.wait_for(ui, [&] { return s.recordings.recording() != nullptr; }));
    ui.ItemClick("**/packed4/variant time");
    learner.wait(ui);
    EXPECT_EQ(s.selection.variant().id, "packed4");
    EXPECT_EQ(s.runs.shown()->key.variant, "packed4");
  });
}

// Times over the lesson's own control are for the measured size, with an empty launch's time. Counts stay those on
// screen.
// A kernel of a sixth of a second has one sample, so there is no interval. It must still differ from one of half a
// millisecond.
TEST(TimePanel, TooFewSamplesAreNotCalledAlike) {
  Learner learner;
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    s.choose("half_atomics", "half_native", {});
    learner.wait(ui);
    ASSERT_TRUE(learner.wait_for(ui, [&] { return s.recordings.recording() != nullptr; }));
    const auto variants = gui::variants_beside(s, TimeSize::measure);
    const auto [fastest, slowest] =
        std::ranges::minmax(variants, {}, [](const auto& one) { return one.run->timing->seconds.median; });
    ASSERT_LT(slowest.run->timing->seconds.samples, metrics::least_samples);
    learner.wait(ui);
    EXPECT_FALSE(learner.says(ui, "≈ 1 ×"));
    EXPECT_TRUE(learner.says(
        ui, "≈ " +
                std::to_string(std::lround(slowest.run->timing->seconds.median / fastest.run->timing->seconds.median)) +
                " ×"));
  });
}

// At the looking size these two take 4.13 and 4.13 µs, as if bank conflicts were free, so Compare must not show that
// size.
TEST(TimePanel, CompareShowsTheMeasuredSize) {
  Learner learner;
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    s.choose("divergence", "reduce_strided", {});
    learner.wait(ui);
    ASSERT_TRUE(learner.wait_for(ui, [&] { return s.recordings.recording() != nullptr; }));
    const auto& variants = s.selection.lesson().variants;
    const auto other = std::ranges::find(variants, "reduce_sequential", &lesson::Variant::id);
    s.compare(static_cast<std::size_t>(other - variants.begin()));
    learner.state().totals = gui::TotalsTab::launch;
    learner.wait(ui);
    const auto median = [&](std::size_t variant) {
      return gui::recorded_at(s, variant, TimeSize::measure)->timing->seconds.median;
    };
    const double a = median(s.selection.variant_index()),
                 b = median(static_cast<std::size_t>(other - variants.begin()));
    EXPECT_GT(a, 1.1 * b);
    const auto shown = [](double seconds) { return gui::time_text(seconds).substr(0, 5); };
    EXPECT_TRUE(learner.says(ui, shown(a))) << shown(a);
    EXPECT_TRUE(learner.says(ui, shown(b))) << shown(b);
    EXPECT_TRUE(learner.says(ui, "elements = 4 Mi"));
    EXPECT_TRUE(learner.says(ui, "recorded: " + s.recordings.recording()->device.name)) << "where the times come from";
  });
}

// A line across the bars that nothing names says nothing: its name gives up its time before it is left out.
TEST(TimePanel, EveryLineOfReferenceIsNamed) {
  for (const auto& [width, height] : {std::pair{1280, 800}, std::pair{1440, 900}}) {
    gui::Options options;
    options.lesson = "pipelines";
    options.width = width, options.height = height;
    Learner learner(options);
    gui::Session& s = learner.session();
    learner.does([&](ImGuiTestContext& ui) {
      learner.wait(ui);
      ASSERT_TRUE(learner.wait_for(ui, [&] { return s.recordings.recording() != nullptr; }));
      const auto all = gui::variants_beside(s, TimeSize::measure);
      ASSERT_EQ(gui::lines_beside(s, TimeSize::measure, all).size(), 3u);
      for (const char* name : {"empty launch", "the runtime's copy", "peak bandwidth"})
        EXPECT_TRUE(learner.says(ui, name)) << name;
    });
  }
}

// Three sizes in one switch once ran into the picker beside it.
TEST(TimePanel, TheSwitchOfSizesEndsBeforeThePicker) {
  for (const auto& [width, height] : {std::pair{1024, 640}, std::pair{1280, 800}})
    for (const char* language : {"en", "zh-CN"}) {
      gui::Options options;
      options.lesson = "cooperative_groups", options.variant = "full_grid", options.language = language;
      options.width = width, options.height = height;
      Learner learner(options);
      learner.does([&](ImGuiTestContext& ui) {
        learner.wait(ui);
        const ImRect measured = ui.ItemInfo("**/measure size").RectFull, over = ui.ItemInfo("**/over").RectFull;
        EXPECT_LE(measured.Max.x, over.Min.x) << options.width << " " << language;
      });
    }
}

TEST(TimePanel, ColumnsBesideTheBarsAreNamed) {
  for (const auto& [width, height] : {std::pair{1280, 800}, std::pair{2560, 1440}}) {
    gui::Options options;
    options.width = width, options.height = height;
    Learner learner(options);
    learner.does([&](ImGuiTestContext& ui) {
      learner.wait(ui);
      for (const char* name : {"median", "vs fastest", "of peak"}) EXPECT_TRUE(learner.says(ui, name)) << name;
      EXPECT_EQ(learner.says(ui, "bandwidth"), options.width > 1280) << "the bars need the room more";
      // What "of peak" is of, and what the ratio is to.
      float x = 0, y = 0;
      gui::text_listener() = [&](const gui::TextFit& fit) {
        if (fit.text == "of peak") x = (fit.left + fit.right) / 2, y = fit.centre;
      };
      ui.Yield(2);
      gui::text_listener() = nullptr;
      ui.MouseMoveToPos({x, y});
      ui.Yield(2);
      EXPECT_TRUE(learner.says(ui, "Effective bandwidth: the bytes that must move"));
    });
  }
}

// Runs of a made-up GPU.
job::RecordedRun recorded(double microseconds, std::map<std::string, double> counters) {
  job::RecordedRun run;
  run.timing.emplace();
  run.timing->seconds.median = microseconds * 1e-6;
  run.counters = std::move(counters);
  return run;
}

// An axis that names 0, 10 and 30 cannot be read.
TEST(TimeScale, NamedTicksAreEquallyFarApart) {
  const auto named = [](std::vector<gui::TickName> ticks, float to) {
    const gui::NamedTicks some = gui::ticks_with_room(ticks, 0, to, 8);
    std::vector<float> at;
    for (std::size_t i = some.first; i < ticks.size() && ticks[i].at + ticks[i].width / 2 <= to; i += some.every)
      at.push_back(ticks[i].at);
    return at;
  };
  using At = std::vector<float>;
  EXPECT_EQ(named({{20, 8}, {49, 36}, {78, 36}, {107, 36}}, 140), (At{20, 78})) << "every second";
  EXPECT_EQ(named({{20, 8}, {80, 36}, {140, 36}, {200, 36}}, 230), (At{20, 80, 140, 200}));
  EXPECT_EQ(named({{20, 8}, {80, 36}, {140, 36}, {200, 36}}, 210), (At{20, 80, 140})) << "the last would stick out";
  EXPECT_EQ(named({{5, 36}, {60, 36}, {115, 36}}, 200), (At{60, 115})) << "the first would";
  EXPECT_EQ(named({{20, 8}, {30, 36}, {40, 36}}, 100), (At{20}));
  EXPECT_EQ(named({}, 100), At{});
}

// Bars from 0 as long as the shortest can be seen; a library's time is one of those that must be told apart.
TEST(TimeScale, IsLinearUntilTheShortestBarIsAHair) {
  const auto scale = [](std::initializer_list<double> microseconds, double library = 0) {
    std::vector<job::RecordedRun> runs;
    for (const double time : microseconds) runs.push_back(recorded(time, {}));
    std::vector<gui::VariantTime> variants;
    for (const job::RecordedRun& run : runs) variants.push_back({0, &run, 0, false});
    std::vector<gui::TimeLine> lines{{gui::TimeLine::Kind::empty_launch, "", "", 2.7e-6}};
    if (library > 0) lines.push_back({gui::TimeLine::Kind::library, "", "", library * 1e-6});
    return gui::scale_for(variants, lines).logarithmic;
  };
  EXPECT_FALSE(scale({463, 475, 6046}, 466)) << "cooperative groups: 13 times";
  EXPECT_TRUE(scale({1164, 6819, 26537}, 180)) << "tensor cores: cuBLAS takes 1/147 of the longest";
  EXPECT_TRUE(scale({516, 199268}));
}

// They once lay over the last name of the axis, and over the last row's share.
TEST(TimePanel, TheButtonsOfThePanelLieOverNothing) {
  for (const char* over : {"", "stride"}) {
    gui::Options options;
    options.width = 1024, options.height = 640;
    Learner learner(options);
    learner.does([&](ImGuiTestContext& ui) {
      learner.wait(ui);
      if (*over != 0) learner.plots_over(ui, over);
      const ImRect picker = ui.ItemInfo("**/over").RectFull, sizes = ui.ItemInfo("**/measure size").RectFull;
      ui.MouseMoveToPos({picker.Max.x - 20, picker.Max.y + 60});
      ui.Yield(2);
      for (const char* button : {"**/save", "**/grow"}) {
        const ImRect at = ui.ItemInfo(button).RectFull;
        ASSERT_GT(at.GetWidth(), 10) << button;
        EXPECT_GE(at.Min.x, sizes.Max.x) << button;
        EXPECT_LE(at.Max.x, picker.Min.x) << button;
        EXPECT_LE(at.Max.y, picker.Max.y + 2) << button << ": above the plot";
      }
    });
  }
}

// "Why is stride 8 slow, and by how much?"
TEST(TimePanel, SaysHowMuchMoreTimeThanTheFastestValueTakes) {
  gui::Options options;
  options.width = 1440, options.height = 900;
  Learner learner(options);
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ASSERT_TRUE(learner.wait_for(ui, [&] { return s.recordings.recording() != nullptr; }));
    learner.plots_over(ui, "stride");
    ui.ItemClick("**/measure size");
    learner.wait(ui);
    const auto time = [&](std::int64_t stride) {
      s.selection.set_control("stride", stride);
      return gui::recorded_at(s, s.selection.variant_index(), TimeSize::measure)->timing->seconds.median;
    };
    const double ratio = time(8) / time(1);
    EXPECT_GT(ratio, 2);
    s.selection.set_control("stride", 8);
    s.runs.run_if_needed();
    learner.wait(ui);
    EXPECT_TRUE(learner.says(ui, fmt::format("{:.2f} × the time of stride = 1", ratio)));
    s.selection.set_control("stride", 1);
    s.runs.run_if_needed();
    learner.wait(ui);
    EXPECT_FALSE(learner.says(ui, "× the time of stride = 1")) << "it is the fastest";
    // Twice the elements take twice the time: no fault of a size.
    ui.ItemClick("**/over");
    ui.ItemClick("**/over elements");
    learner.wait(ui);
    EXPECT_FALSE(learner.says(ui, "× the time of elements"));
  });
}

TEST(TimeEvidence, IsWhatTheCountersSaw) {
  const std::string loads = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", l2 = "lts__t_sectors_op_read.sum";
  const std::string conflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum";
  const auto said = [](const job::RecordedRun& one, const job::RecordedRun& fastest, double empty = 0) {
    std::string text;
    for (const Wording& sentence : gui::time_evidence({one, "A"}, {fastest, "B"}, empty)) text += sentence;
    return text;
  };
  const job::RecordedRun fastest = recorded(10, {{loads, 1000}, {l2, 1000}, {conflicts, 5}});
  EXPECT_EQ(said(recorded(20, {{loads, 2500}, {l2, 2000}}), fastest), "") << "they agree, nearly";
  EXPECT_EQ(said(recorded(10.5, {{loads, 2000}, {l2, 990}}), fastest),
            "\"A\" requests 2.00 × the sectors of \"B\", but takes 1.05 × its time."
            "From L2 it reads 0.99 × as many: L1 served the rest.");
  EXPECT_EQ(
      said(recorded(18, {{loads, 1000}, {l2, 1000}, {conflicts, 31000}}), fastest),
      "\"A\" requests as many sectors as \"B\", but takes 1.80 × its time.Counted bank conflicts: 31,000, "
      "against 5. The GPU's counter also counts passes in which accesses wait for other blocks' (arbitration), so "
      "it is not 0 for a kernel without conflicts.");
  EXPECT_EQ(said(recorded(28, {{loads, 1000}, {l2, 1000}, {conflicts, 7}}), fastest),
            "\"A\" requests as many sectors as \"B\", but takes 2.80 × its time."
            "None of the recorded memory counters explains it.");
  // The counter has that many where a kernel has none (docs/agreement-history.md).
  EXPECT_EQ(said(recorded(28, {{loads, 1000}, {l2, 1000}, {conflicts, 50}}), fastest),
            "\"A\" requests as many sectors as \"B\", but takes 2.80 × its time."
            "None of the recorded memory counters explains it.");
  EXPECT_EQ(said(recorded(1000, {{loads, 900}, {l2, 990}}), fastest),
            "\"A\" requests 0.90 × the sectors of \"B\", but takes 100 × its time."
            "None of the recorded memory counters explains it.")
      << "0.99 of the reads from L2 are no reason for 100 times the time";
  EXPECT_EQ(said(recorded(10.5, {{loads, 8000}, {l2, 8000}}), fastest, 7e-6),
            "\"A\" requests 8.00 × the sectors of \"B\", but takes 1.05 × its time."
            "An empty launch takes 7.00 µs, most of the time at this size.");
  EXPECT_EQ(said(recorded(200, {{loads, 47000}, {l2, 5000}}), fastest),
            "\"A\" requests 47.0 × the sectors of \"B\", and takes 20.0 × its time.")
      << "no riddle";
  EXPECT_EQ(said(recorded(30, {}), fastest), "") << "a driver that forbade counters";
}

TEST(TimeEvidence, StandsBelowTheBars) {
  gui::Options options;
  options.lesson = "transpose", options.variant = "column_reads";
  options.width = 1920, options.height = 1080;
  Learner learner(options);
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    EXPECT_TRUE(learner.says(ui, "4.50 × the sectors of \"padded\", but takes 1.43 × its time"));
    EXPECT_TRUE(learner.says(ui, "1.00 × as many: L1 served the rest"));
  });
}

TEST(TimePanel, AClickedPointStaysToldUntilEscape) {
  Learner learner;
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    learner.plots_over(ui, "stride");
    // The plot is what the panel's body has below its two rows.
    const ImRect head = ui.ItemInfo("**/over").RectFull;
    const float bottom = ImGui::GetIO().DisplaySize.y - 60;
    ui.MouseMoveToPos({head.Max.x - 90, (head.Max.y + bottom) / 2});
    ui.MouseClick();
    learner.wait(ui);
    const auto& pinned = learner.app().window().time().pinned();
    ASSERT_TRUE(pinned);
    EXPECT_EQ(pinned->control, "stride");
    EXPECT_EQ(s.selection.control("stride"), pinned->value);
    EXPECT_GT(pinned->value, 16);
    EXPECT_EQ(s.runs.shown()->key.controls.at("stride"), pinned->value) << "its picture is on screen";
    const std::string name = "stride = " + std::to_string(pinned->value) + ":";
    ui.MouseMoveToPos({10, 10});
    // Another run comes on screen, and the numbers of the point stay.
    s.selection.set_control("stride", 2);
    s.runs.run_if_needed();
    learner.wait(ui);
    EXPECT_TRUE(learner.says(ui, name)) << name;
    const auto load = [](gui::Label of) { return "32 " + std::string(gui::label_text(of, gui::Language::english)); };
    EXPECT_TRUE(learner.says(ui, load(gui::Label::series_global_load)) ||
                learner.says(ui, load(gui::Label::series_global_load_short)));
    learner.saves(ui, "time_pinned");
    ui.KeyPress(ImGuiKey_Escape);
    ui.Yield(2);
    EXPECT_FALSE(learner.says(ui, name));
    EXPECT_FALSE(learner.app().window().time().pinned());
  });
}

}  // namespace
}  // namespace lanescope::test
