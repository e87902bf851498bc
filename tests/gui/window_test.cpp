// The window as a learner uses it.

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "driver.h"
#include "imgui_internal.h"
#include "on_screen.h"
#include "test_paths.h"

namespace lanescope::test {
namespace {

using gui::Session;

TEST(Window, TheFirstPictureIsThereBeforeAnyButtonIsPressed) {
  Learner learner;
  learner.does([&](ImGuiTestContext& ui) {
    ASSERT_TRUE(learner.wait_for(ui, [&] { return learner.session().runs.shown() != nullptr; }));
    learner.wait(ui);
    ASSERT_NE(learner.session().place.event(), nullptr);
    EXPECT_EQ(learner.session().place.event()->kind, trace::EventKind::memory);
    EXPECT_TRUE(ui.ItemExists("**/lanes"));
    EXPECT_TRUE(ui.ItemExists("**/view"));
    EXPECT_TRUE(learner.session().runs.problems().empty());
    expect_numbers_equal(learner.session());
  });
}

// A card that got its height from its text of the frame before would cut a longer one.
TEST(Window, ALongerSentenceIsWholeInItsFirstFrame) {
  gui::Options options;
  options.variant = "stride";
  options.width = 1024, options.height = 640;
  Learner learner(options);
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    const std::size_t steps = s.place.step_count();
    float lowest = 1e9f, highest = 0;
    for (std::size_t i = 0; i < 2 * steps; ++i) {
      s.place.set_step(i % 2 == 0 ? 0 : i / 2);
      ui.Yield(1);
      const ImGuiWindow* card = window_of_part("caption");
      ASSERT_NE(card, nullptr);
      EXPECT_LE(card->DC.CursorMaxPos.y + card->WindowPadding.y, card->Pos.y + card->Size.y + 1) << "step " << i;
      lowest = std::min(lowest, card->Size.y), highest = std::max(highest, card->Size.y);
    }
    EXPECT_GT(highest, lowest + 8) << "some need another line";
  });
}

TEST(Window, LessonsAndVariantsArePickedByTheirNames) {
  Learner learner;
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ui.ItemClick("**/offset");
    learner.wait(ui);
    EXPECT_EQ(s.selection.variant().id, "offset");
    expect_numbers_equal(s);
    for (const lesson::Lesson& lesson : s.selection.lessons()) {
      ui.ItemClick("**/lessons");
      ui.ItemClick(("//$FOCUSED/" + lesson.id).c_str());
      EXPECT_EQ(s.selection.lesson().id, lesson.id);
    }
    ui.ItemClick("**/lessons");
    ui.ItemClick("//$FOCUSED/coalescing");
    learner.wait(ui);
    EXPECT_EQ(s.selection.variant().id, "offset") << "each lesson remembers its variant";
  });
}

TEST(Window, TheSliderRunsTheKernelAgain) {
  Learner learner;
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    const std::int64_t before = s.selection.control("stride");
    ui.MouseMove("**/stride/track");
    ui.MouseDown();
    ui.MouseMoveToPos({ImGui::GetMousePos().x - 4000, ImGui::GetMousePos().y});
    ui.MouseUp();
    learner.wait(ui);
    EXPECT_EQ(s.selection.control("stride"), 1);
    EXPECT_NE(before, 1);
    EXPECT_EQ(s.runs.shown()->key.controls.at("stride"), 1);
    EXPECT_DOUBLE_EQ(sectors_per_request(s), 4);
    expect_numbers_equal(s);

    // The value can also be typed.
    ui.ItemClick("**/stride/value");
    ui.Yield(2);
    ui.KeyCharsReplaceEnter("8");
    learner.wait(ui);
    EXPECT_EQ(s.selection.control("stride"), 8);
    EXPECT_DOUBLE_EQ(sectors_per_request(s), 32);
    expect_numbers_equal(s);
  });
}

TEST(Window, WithoutAGpuWhatARecordingCountedStandsBesideTheInterpretersNumbersOfThatRunOnly) {
  Learner learner;
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ui.ItemClick("**/results agreement");
    learner.wait(ui);
    const auto rows = [&] { return ui.ItemExists("**/global_load.sectors/agreement row"); };
    EXPECT_TRUE(rows());
    EXPECT_FALSE(ui.ItemExists("**/shared_load.bank_conflicts/agreement row")) << "nothing to count";
    learner.saves(ui, "agreement of the recording");
    s.selection.set_control("stride", 3);
    s.runs.run();
    learner.wait(ui);
    EXPECT_FALSE(rows()) << "nobody counted at a stride of 3";
    s.selection.set_control("stride", 8);
    s.runs.run();
    learner.wait(ui);
    EXPECT_TRUE(rows());
    std::string edited = s.selection.original_source();
    edited.replace(edited.find("i * stride"), 10, "stride * i");
    s.selection.set_source(edited);
    s.runs.run();
    learner.wait(ui);
    EXPECT_FALSE(rows()) << "nobody counted this text";
  });
}

// A lesson's recordings are read when it is opened. A file that does not open may belong to any lesson.
TEST(Window, ADamagedRecordingIsToldOfOnceAndHidesNoOther) {
  std::string folder = (std::filesystem::temp_directory_path() / "lanescope-recordings-XXXXXX").string();
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  for (const char* lesson : {"coalescing", "transpose"})
    std::filesystem::copy(std::string(LANESCOPE_SOURCE_DIR "/assets/recordings/") + lesson + ".json", folder);
  std::ofstream(folder + "/broken.json") << "{ nothing";
  gui::Options options;
  options.recordings_folder = folder;
  Learner learner(options);
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    for (const char* lesson : {"coalescing", "transpose", "divergence", "coalescing"}) {
      const auto found = std::ranges::find(s.selection.lessons(), lesson, &lesson::Lesson::id);
      s.choose_lesson(static_cast<std::size_t>(found - s.selection.lessons().begin()));
      learner.wait(ui);
      if (std::string(lesson) == "divergence") {
        EXPECT_EQ(s.recordings.recording(), nullptr) << "there is none";
      } else {
        ASSERT_NE(s.recordings.recording(), nullptr) << lesson;
        EXPECT_EQ(s.recordings.recording()->lesson, lesson);
        EXPECT_NE(s.recordings.run(), nullptr) << lesson;
      }
      ASSERT_EQ(s.notices().size(), 1u) << lesson;
      EXPECT_EQ(s.notices().front().code, "recording.syntax");
    }
  });
  std::filesystem::remove_all(folder);
}

TEST(Window, KeysMoveThroughTheStepsAndVariants) {
  Learner learner;
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ASSERT_GT(s.place.step_count(), 3u);
    ui.KeyPress(ImGuiKey_Home);
    EXPECT_EQ(s.place.position().step, 0u);
    ui.KeyPress(ImGuiKey_LeftArrow);
    EXPECT_EQ(s.place.position().step, 0u);
    ui.KeyPress(ImGuiKey_RightArrow, 2);
    EXPECT_EQ(s.place.position().step, 2u);
    ui.KeyPress(ImGuiKey_End);
    EXPECT_EQ(s.place.position().step, s.place.step_count() - 1);
    ui.ItemClick("**/steps/first");
    EXPECT_EQ(s.place.position().step, 0u);
    ui.ItemClick("**/steps/next");
    EXPECT_EQ(s.place.position().step, 1u);
    const std::size_t variant = s.selection.variant_index();
    ui.KeyPress(ImGuiKey_B);
    EXPECT_EQ(s.selection.variant_index(), variant + 1);
    ui.KeyPress(ImGuiKey_A);
    EXPECT_EQ(s.selection.variant_index(), variant);
    learner.wait(ui);
    ui.ItemClick("**/block/up");
    EXPECT_EQ(s.place.position().block, 1u);
    ui.ItemClick("**/warp/up");
    EXPECT_EQ(s.place.position().warp, 1u);
    EXPECT_EQ(s.place.event()->block, 1u);
    EXPECT_EQ(s.place.event()->warp, 1u);
    ui.KeyPress(ImGuiKey_DownArrow);
    EXPECT_EQ(s.place.position().warp, 2u);
    ui.KeyPress(ImGuiKey_UpArrow, 5);
    EXPECT_EQ(s.place.position().warp, 0u);
    ui.KeyPress(ImGuiKey_3);
    EXPECT_EQ(s.selection.variant_index(), 2u);
    learner.state().page = gui::Page::predict;
    ui.KeyPress(ImGuiKey_1);
    EXPECT_EQ(s.selection.variant_index(), 2u) << "a digit beside the field of a question is no command";
    learner.state().page = gui::Page::see;
    const gui::Page page = learner.state().page;
    ui.KeyPress(ImGuiKey_PageDown);
    EXPECT_EQ(static_cast<int>(learner.state().page), static_cast<int>(page) + 1);
    ui.KeyPress(ImGuiKey_PageUp);
    EXPECT_EQ(learner.state().page, page);
    learner.wait(ui);
  });
}

TEST(Window, PresentModeHelpZoomThemeAndLanguage) {
  Learner learner;
  gui::WindowState& state = learner.state();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ui.KeyPress(ImGuiKey_F5);
    ui.Yield(3);
    EXPECT_TRUE(state.present);
    EXPECT_FALSE(ui.ItemExists("**/run kernel"));
    EXPECT_TRUE(ui.ItemExists("**/lanes"));
    const std::size_t step = learner.session().place.position().step;
    ui.KeyPress(ImGuiKey_RightArrow);
    EXPECT_EQ(learner.session().place.position().step, step + 1);
    ui.KeyPress(ImGuiKey_Escape);
    ui.Yield(2);
    EXPECT_FALSE(state.present);
    EXPECT_TRUE(ui.ItemExists("**/run kernel"));

    ui.KeyPress(ImGuiKey_F1);
    EXPECT_TRUE(state.help);
    ui.KeyPress(ImGuiKey_Escape);
    EXPECT_FALSE(state.help);

    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Equal);
    EXPECT_GT(state.settings.zoom, 1.05f);
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Minus, 2);
    EXPECT_LT(state.settings.zoom, 0.95f);
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_0);
    EXPECT_FLOAT_EQ(state.settings.zoom, 1);

    // Escape closes a menu, and nothing else.
    ui.ItemClick("**/menu");
    EXPECT_TRUE(ui.ItemExists("//$FOCUSED/theme"));
    const auto has_chinese = [&] { return learner.app().look().font(gui::Face::regular)->IsGlyphInFont(0x4e2d); };
    const bool named = has_chinese();
    ui.KeyPress(ImGuiKey_Escape);
    ui.Yield(2);
    EXPECT_TRUE(ImGui::GetCurrentContext()->OpenPopupStack.empty());

    ui.ItemClick("**/menu");
    ui.ItemClick("//$FOCUSED/theme");
    EXPECT_EQ(state.settings.theme, gui::Theme::light);
    ui.ItemClick("**/menu");
    ui.ItemClick("//$FOCUSED/language");
    EXPECT_EQ(state.settings.language, gui::Language::chinese);
    learner.wait(ui);
    EXPECT_EQ(named, has_chinese()) << "the menu names the other language in its own script";
  });
  learner.restarts();
  EXPECT_EQ(learner.state().settings.theme, gui::Theme::light) << "settings outlive the program";
}

TEST(Window, PagesTabsAndListings) {
  Learner learner;
  gui::WindowState& state = learner.state();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    for (const char* page : {"read", "predict", "run", "see", "explain", "try"}) {
      ui.ItemClick((std::string("**/pages/") + page).c_str());
      EXPECT_STREQ(gui::code_of(state.page), page);
    }
    ui.ItemClick("**/page back");
    EXPECT_STREQ(gui::code_of(state.page), "explain");
    ui.ItemClick("**/code tabs/ptx");
    ui.Yield(3);
    const auto& ptx = learner.session().runs.shown()->ptx;
    const trace::Site* site = learner.session().place.site();
    EXPECT_TRUE(std::ranges::any_of(ptx, [&](const gui::PtxLine& line) {
      return line.number == site->ptx_line && line.cuda_line == site->line &&
             line.text.find("ld.global") != std::string::npos;
    })) << "the listing holds the step's instruction, on its CUDA line";
    ui.ItemClick("**/code tabs/sass");
    learner.wait(ui);
    const auto* sass = learner.session().details.sass();
    ASSERT_NE(sass, nullptr);
    if (sass->ok())
      EXPECT_FALSE(sass->value().instructions.empty());
    else
      EXPECT_FALSE(sass->errors().front().cure.empty());
  });
}

TEST(Window, TwoVariantsSideBySide) {
  Learner learner;
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ui.ItemClick("**/compare");
    learner.wait(ui);
    ASSERT_TRUE(s.selection.compared());
    const std::size_t a = s.selection.variant_index(), b = *s.selection.compared();
    EXPECT_NE(a, b);
    ASSERT_NE(s.runs.shown(b), nullptr);
    EXPECT_FALSE(s.runs.stale(a));
    EXPECT_FALSE(s.runs.stale(b));
    EXPECT_FALSE(ui.ItemExists("**/lanes")) << "the single view gives way";
    EXPECT_TRUE(part_is_shown("side a"));
    EXPECT_TRUE(part_is_shown("side b"));
    EXPECT_TRUE(part_is_shown("totals"));

    const gui::CompareView& view = learner.app().window().comparison();
    ASSERT_GE(view.steps().size(), 2u);
    ui.KeyPress(ImGuiKey_Home);
    EXPECT_EQ(view.step(), 0u);
    ui.KeyPress(ImGuiKey_RightArrow);
    EXPECT_EQ(view.step(), 1u);
    ui.ItemClick("**/both/first");
    EXPECT_EQ(view.step(), 0u);
    ASSERT_TRUE(view.parting());
    ui.ItemClick("**/both/last");
    ui.ItemClick("**/parting");
    EXPECT_EQ(view.step(), *view.parting());

    ui.KeyPress(ImGuiKey_B);
    learner.wait(ui);
    EXPECT_NE(*s.selection.compared(), b);
    EXPECT_EQ(s.selection.variant_index(), a);
    // Choosing B's variant as A swaps them.
    const std::size_t now_b = *s.selection.compared();
    s.choose_variant(now_b);
    EXPECT_EQ(*s.selection.compared(), a);
    learner.wait(ui);

    ui.KeyPress(ImGuiKey_Escape);
    ui.Yield(3);
    EXPECT_FALSE(s.selection.compared());
    EXPECT_TRUE(ui.ItemExists("**/lanes"));
  });
}

TEST(Window, TheSweepIsOfTheKernelOnScreen) {
  Learner learner;
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    const gui::Sweep& sweep = s.details.sweep("stride");
    // First requested here, unless a plot was drawn before.
    ASSERT_TRUE(learner.wait_for(ui, [&] { return sweep.wanted > 0 && sweep.points.size() == sweep.wanted; }));
    for (const gui::Sweep::Point& point : sweep.points) {
      ASSERT_TRUE(point.ok);
      const trace::MemoryTotals& loads = point.totals.of(trace::MemoryClass::global_load);
      EXPECT_EQ(loads.sectors,
                loads.requests * static_cast<std::uint64_t>(std::min<std::int64_t>(32, 4 * point.value)));
    }
  });
}

// Some values of a control take many seconds. A plot leaves them out.
TEST(Window, ASweepHoldsLegalValuesOfBoundedSize) {
  gui::Options options;
  Learner learner(options);
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    for (const std::size_t lesson : {0u, 1u}) {  // over a stride, and over a size
      s.choose_lesson(lesson);
      learner.wait(ui);
      const lesson::Control& control = *s.selection.controls().front();
      learner.plots_over(ui, control.name);
      const gui::Sweep& sweep = s.details.sweep(control.name);
      EXPECT_GT(sweep.points.size(), 4u) << control.name;
      for (const gui::Sweep::Point& point : sweep.points) {
        EXPECT_TRUE(control.allows(point.value)) << control.name << " = " << point.value;
        EXPECT_LT(point.totals.lane_instructions, 100'000'000u) << control.name << " = " << point.value;
      }
    }
  });
}

}  // namespace
}  // namespace lanescope::test
