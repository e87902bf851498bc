// What is highlighted together: a lane and its bytes; a CUDA line, its PTX and its SASS.

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "diagram/views.h"
#include "driver.h"
#include "gui/code/code_panel.h"
#include "gui/kit/scene_painter.h"
#include "gui/warp/warp_panel.h"
#include "job/lesson/lesson_request.h"
#include "lesson/lesson.h"
#include "test_paths.h"

namespace lanescope::gui {
namespace {

job::Outcome outcome_of(const std::string& lesson, const std::string& variant,
                        const lesson::ControlValues& controls = {}) {
  const auto l = lesson::load_one(LANESCOPE_SOURCE_DIR "/lessons", lesson);
  if (!l) return {};
  auto request = job::from_lesson(*l, *l->find_variant(variant), controls);
  request->record.events = true;
  return job::run(*request);
}

HoverLink link_of(const diagram::Tag& tag) {
  return {tag.lane, tag.first_byte, tag.bytes};
}

Ui ui_of(test::Learner& learner) {
  return {learner.app().look(), learner.session(), learner.state()};
}

bool overlap(std::uint64_t a, std::uint64_t bytes_a, std::uint64_t b, std::uint64_t bytes_b) {
  return bytes_a > 0 && bytes_b > 0 && a < b + bytes_b && b < a + bytes_a;
}

// Both directions, compared with the addresses themselves.
void expect_linked(const trace::Trace& trace, const trace::WarpEvent& event) {
  const diagram::Scene lanes = diagram::lanes(trace, event, {});
  const diagram::Scene map =
      event.space == trace::MemorySpace::shared ? diagram::banks(trace, event, {}) : diagram::sectors(trace, event, {});
  const std::uint64_t width = trace.sites[event.site].width;
  for (const diagram::Tag& lane : lanes.tags) {
    if (!event.executed.test(lane.lane)) continue;
    std::set<std::uint64_t> lit;
    for (const diagram::Tag& cell : map.tags) {
      if (!lights_up(cell, link_of(lane))) continue;
      EXPECT_TRUE(overlap(cell.first_byte, cell.bytes, trace.address(event, lane.lane), width));
      for (std::uint64_t i = 0; i < cell.bytes; ++i) lit.insert(cell.first_byte + i);
    }
    for (std::uint64_t i = 0; i < width; ++i)
      EXPECT_TRUE(lit.contains(trace.address(event, lane.lane) + i)) << "lane " << lane.lane;
  }
  for (const diagram::Tag& cell : map.tags) {
    for (const diagram::Tag& lane : lanes.tags) {
      const bool uses = event.executed.test(lane.lane) &&
                        overlap(cell.first_byte, cell.bytes, trace.address(event, lane.lane), width);
      EXPECT_EQ(lights_up(lane, link_of(cell)), uses) << cell.text << " and " << lane.text;
    }
  }
}

TEST(Hover, ALaneLightsItsBytesAndTheReverseInEveryLesson) {
  const std::pair<const char*, const char*> variants[] = {
      {"coalescing", "stride"},         {"coalescing", "packed4"},
      {"coalescing", "gather"},         {"coalescing", "array_of_structs"},
      {"divergence", "reduce_strided"}, {"shared_memory_copy", "copy_double2"},
      {"half_atomics", "half_native"},  {"transpose", "tiled"}};
  for (const auto& [lesson, variant] : variants) {
    SCOPED_TRACE(std::string(lesson) + "/" + variant);
    const job::Outcome outcome = outcome_of(lesson, variant);
    ASSERT_TRUE(outcome.completed);
    const trace::Trace& trace = outcome.first().trace;
    int checked = 0;
    for (const trace::WarpEvent& event : trace.warp(0, 0)) {
      const bool pictured = event.kind == trace::EventKind::memory &&
                            (event.space == trace::MemorySpace::shared || event.space == trace::MemorySpace::global) &&
                            !event.executed.empty();
      if (pictured && checked < 12) expect_linked(trace, event), ++checked;
    }
    EXPECT_GT(checked, 0);
  }
}

// Two warps whose lanes look alike: the picture is the same, what stands behind it is not.
TEST(Hover, TheTooltipIsOfTheStepOnScreen) {
  gui::Options options;
  options.lesson = "coalescing";
  options.variant = "stride";
  test::Learner learner(options);
  learner.does([&](ImGuiTestContext& ui) {
    ASSERT_TRUE(learner.wait_for(ui, [&] { return learner.session().runs.shown() != nullptr; }));
    learner.wait(ui);
    Place& place = learner.session().place;
    for (const std::uint32_t warp : {0u, 1u}) {
      const std::size_t step = place.position().step;
      place.set_warp(warp);
      place.set_step(step);
      const trace::WarpEvent& event = *place.event();
      ASSERT_EQ(event.warp, warp);
      ui.Yield(2);
      const ImGuiTestItemInfo lanes = ui.ItemInfo("**/lanes");
      ui.MouseMoveToPos({lanes.RectFull.Min.x + 6, lanes.RectFull.Min.y + 6});
      ui.SleepNoSkip(0.6f, 0.1f);
      EXPECT_TRUE(learner.says(ui, fmt::format("thread ({}, 0, 0)", 32 * warp))) << "warp " << warp;
      EXPECT_EQ(learner.app().window().warp().hover().shown.first_byte,
                learner.session().runs.shown()->outcome.first().trace.address(event, 0));
    }
  });
}

TEST(Hover, InTheWindow) {
  gui::Options options;
  options.lesson = "coalescing";
  options.variant = "stride";
  test::Learner learner(options);
  learner.does([&](ImGuiTestContext& ui) {
    ASSERT_TRUE(learner.wait_for(ui, [&] { return learner.session().runs.shown() != nullptr; }));
    learner.wait(ui);
    const WarpPanel& warp = learner.app().window().warp();
    // Over the middle of the row of lanes: two rows of sixteen, or one of 32.
    const ImGuiTestItemInfo lanes = ui.ItemInfo("**/lanes");
    ui.MouseMoveToPos({lanes.RectFull.Min.x + 6, lanes.RectFull.Min.y + 6});
    ui.Yield(3);
    const HoverLink lane = warp.hover().shown;
    EXPECT_EQ(lane.lane, 0);
    EXPECT_EQ(lane.bytes, 4u);
    const auto lit =
        std::ranges::count_if(warp.scene().tags, [&](const diagram::Tag& tag) { return lights_up(tag, lane); });
    EXPECT_EQ(lit, 1) << "at stride 8 a lane has one word to itself";

    // The other way: the cell of lane 3 among the sectors.
    const ImGuiTestItemInfo view = ui.ItemInfo("**/view");
    const diagram::Scene& scene = warp.scene();
    const auto cell = std::ranges::find_if(
        scene.rects, [&](const diagram::Rect& rect) { return rect.tag != 0 && scene.tags[rect.tag - 1].lane == 3; });
    ASSERT_NE(cell, scene.rects.end());
    const float k = view.RectFull.GetWidth() / scene.width;
    ui.MouseMoveToPos({view.RectFull.Min.x + (cell->x + cell->width / 2) * k,
                       view.RectFull.Min.y + (cell->y + cell->height / 2) * k});
    ui.Yield(3);
    EXPECT_EQ(warp.hover().shown.lane, 3);
  });
}

TEST(Hover, ACudaLineItsPtxAndItsSassLightUpTogether) {
  gui::Options options;
  options.lesson = "coalescing";
  options.variant = "stride";
  test::Learner learner(options);
  learner.does([&](ImGuiTestContext& ui) {
    Session& s = learner.session();
    ASSERT_TRUE(learner.wait_for(ui, [&] { return s.runs.shown() != nullptr; }));
    learner.wait(ui);
    const trace::Site* site = s.place.site();
    ASSERT_NE(site, nullptr);
    const std::string& file = s.runs.shown()->outcome.request.source.name;
    int of_line = 0, own = 0;
    for (const PtxLine& line : s.runs.shown()->ptx) {
      of_line += comes_from(line, *site, file);
      own += comes_from(line, *site, file) && line.number == site->ptx_line;
    }
    EXPECT_EQ(own, 1) << "the step's own instruction is among them";
    EXPECT_GE(of_line, 2) << "with the arithmetic of its address";

    trace::Site elsewhere = *site;
    elsewhere.file = "another.h";
    EXPECT_EQ(std::ranges::count_if(s.runs.shown()->ptx,
                                    [&](const PtxLine& line) { return comes_from(line, elsewhere, file); }),
              0)
        << "a line of the same number in another file is another line";

    ui.ItemClick("**/code tabs/sass");
    ASSERT_TRUE(learner.wait_for(ui, [&] { return s.details.sass() != nullptr; }));
    if (!s.details.sass()->ok()) {  // no nvJitLink here
      EXPECT_FALSE(s.details.sass()->errors().front().cure.empty());
      return;
    }
    const auto& instructions = s.details.sass()->value().instructions;
    const auto loads = std::ranges::count_if(instructions, [&](const auto& instruction) {
      return comes_from(instruction, *site, file) && instruction.text.starts_with("LDG");
    });
    EXPECT_EQ(loads, 1) << "the load of the line on screen";

    // The picture has a row for each instruction. Those of the step's line are marked, and hovering over a row
    // highlights its line.
    learner.wait(ui);
    CodePanel& code = learner.app().window().code();
    const diagram::Scene& scene = code.sass_scene();
    const auto marked = std::ranges::count(scene.rects, diagram::Role::selected, &diagram::Rect::role);
    EXPECT_EQ(marked, std::ranges::count_if(instructions, [&](const auto& in) { return comes_from(in, *site, file); }));
    const auto step_row =
        std::ranges::find_if(scene.tags, [](const diagram::Tag& tag) { return tag.text.starts_with("LDG"); });
    ASSERT_NE(step_row, scene.tags.end());
    EXPECT_EQ(step_row->line, site->line);
    EXPECT_NE(step_row->text.find("in[i * stride]"), std::string::npos) << "it tells the source: " << step_row->text;
    const auto tag = static_cast<std::uint32_t>(step_row - scene.tags.begin()) + 1;
    const auto row = std::ranges::find(scene.rects, tag, &diagram::Rect::tag);
    const ImGuiTestItemInfo picture = ui.ItemInfo("**/machine code");
    const float k = picture.RectFull.GetWidth() / scene.width;
    const ImVec2 at{picture.RectFull.Min.x + 60 * k, picture.RectFull.Min.y + (row->y + row->height / 2) * k};
    EXPECT_TRUE(picture.RectClipped.Contains(at)) << "the step's instruction is in view";
    ui.MouseMoveToPos(at);
    ui.Yield(3);
    EXPECT_EQ(code.sass_hover().shown.line, site->line);
    const auto lit = std::ranges::count_if(
        scene.tags, [&](const diagram::Tag& one) { return lights_up(one, code.sass_hover().shown); });
    EXPECT_EQ(lit, marked);
  });
}

TEST(Hover, CudaPtxAndSassSideBySideLightUpTogether) {
  gui::Options options;
  options.lesson = "coalescing";
  options.variant = "stride";
  test::Learner learner(options);
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    learner.state().uncovered = true;
    ui.ItemClick("**/code tabs/linked");
    ASSERT_EQ(learner.state().code_tab, CodeTab::linked);
    learner.wait(ui);
    if (s.details.sass() == nullptr || !s.details.sass()->ok()) GTEST_SKIP() << "no nvdisasm";
    LinkedView& linked = learner.app().window().code().linked();
    const RunResult& run = *s.runs.shown();
    const trace::Site& site = *s.place.site();
    const std::vector<compile::SassInstruction>& sass = s.details.sass()->value().instructions;
    const auto load = std::ranges::find_if(sass, [&](const compile::SassInstruction& one) {
      return one.ptx_line == site.ptx_line && one.text.starts_with("LDG");
    });
    ASSERT_NE(load, sass.end());
    const std::string load_row = "**/sass-" + fmt::format("{:04x}", load->address);
    const std::string ptx_row = "**/ptx-" + std::to_string(site.ptx_line);
    const std::string cuda_row = "**/cuda-" + std::to_string(site.line);

    // A CUDA line highlights everything that it became.
    ui.MouseMove(cuda_row.c_str());
    ui.Yield(3);
    EXPECT_EQ(linked.lit(), (CodeLink{site.line, 0, -1}));
    std::string told = linked.told(ui_of(learner), linked.lit());
    int parts = 0;
    for (const PtxLine& line : run.ptx) {
      if (line.cuda_line != site.line || ++parts > 6) continue;
      EXPECT_NE(told.find(std::to_string(line.number)), std::string::npos) << told;
    }
    EXPECT_GT(parts, 0);
    EXPECT_NE(told.find(fmt::format("{:04x}", load->address)), std::string::npos) << told;
    learner.saves(ui, "linked");

    // An instruction leads back to its PTX and its CUDA line.
    ui.MouseMove(load_row.c_str());
    ui.Yield(3);
    EXPECT_EQ(linked.lit(), (CodeLink{site.line, site.ptx_line, static_cast<int>(load - sass.begin())}));

    // A click pins it; the other lists scroll to it.
    ui.ItemClick(ptx_row.c_str());
    ui.MouseMove("**/menu");
    ui.Yield(3);
    EXPECT_EQ(linked.pinned(), (CodeLink{site.line, site.ptx_line, -1}));
    EXPECT_EQ(linked.lit(), linked.pinned());
    EXPECT_TRUE(ui.ItemExists(load_row.c_str()));
    learner.saves(ui, "linked pinned");
    s.place.set_step(0);
    ui.Yield(2);
    EXPECT_EQ(linked.pinned().ptx_line, site.ptx_line) << "another step moves nothing that is kept";
    ui.ItemClick("**/linked step");
    ui.Yield(2);
    EXPECT_EQ(s.place.site()->line, site.line);

    ui.KeyPress(ImGuiKey_Escape);
    EXPECT_FALSE(linked.pinned().any());
    EXPECT_EQ(learner.state().code_tab, CodeTab::linked);
    ui.KeyPress(ImGuiKey_Escape);
    ui.Yield(2);
    EXPECT_EQ(learner.state().code_tab, CodeTab::cuda) << "the second leaves";
    EXPECT_TRUE(ui.ItemExists("**/lanes"));
  });
}

TEST(Hover, SideBySideWhatPtxasDidStandsAtItsLine) {
  for (const char* language : {"en", "zh-CN"}) {
    gui::Options options;
    options.lesson = "divergence";
    options.variant = "reduce_modulo";
    options.language = language;
    options.theme = std::string(language) == "en" ? "dark" : "light";
    test::Learner learner(options);
    learner.does([&](ImGuiTestContext& ui) {
      learner.wait(ui);
      learner.state().uncovered = true;
      learner.state().code_tab = CodeTab::linked;
      learner.wait(ui);
      const Result<compile::Sass>* sass = learner.session().details.sass();
      if (sass == nullptr || !sass->ok()) GTEST_SKIP() << "no nvdisasm";
      ASSERT_FALSE(learner.session().details.ptxas_notes().empty());
      ui.Yield(2);
      for (const job::PtxasNote& note : learner.session().details.ptxas_notes())
        EXPECT_TRUE(learner.says(ui, ui_of(learner).told(note.said))) << note.said;
      // An open question about registers keeps them hidden.
      learner.saves(ui, std::string("linked notes ") + language);
    });
  }
}

}  // namespace
}  // namespace lanescope::gui
