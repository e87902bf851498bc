// The window without a mouse: Tab reaches every control, Enter presses it, and the step keys keep working.

#include <algorithm>
#include <set>
#include <string>

#include "TextEditor.h"
#include "driver.h"
#include "imgui_internal.h"

namespace lanescope::test {
namespace {

ImGuiContext& context() {
  return *ImGui::GetCurrentContext();
}

ImGuiID ringed() {
  return context().NavCursorVisible ? context().NavId : 0;
}

// Presses Tab until the focus ring is on an item of this name. Returns false if it comes round without finding it.
bool tabs_to(ImGuiTestContext& ui, const char* item, ImGuiKeyChord key = ImGuiKey_Tab) {
  ImGuiID first = 0;
  for (int pressed = 0; pressed < 400; ++pressed) {
    ui.KeyPress(key);
    ui.Yield(2);
    const ImGuiTestItemInfo info = ui.ItemInfo(item, ImGuiTestOpFlags_NoError);
    if (info.ID != 0 && ringed() == info.ID) return true;
    if (pressed > 0 && first != 0 && ringed() == first) return false;
    if (first == 0) first = ringed();
  }
  return false;
}

TEST(Keyboard, TabLeadsToEveryControlWithARing) {
  Learner learner;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    std::set<ImGuiID> met;
    for (int pressed = 0; pressed < 400; ++pressed) {
      ui.KeyPress(ImGuiKey_Tab);
      ui.Yield(2);
      ASSERT_NE(ringed(), 0u) << "after " << pressed << " presses";
      if (!met.insert(ringed()).second) break;  // once round
    }
    for (const char* item :
         {"**/lessons",       "**/device",       "**/run kernel",   "**/compare",        "**/present",
          "**/menu",          "**/pages/try",    "**/page on",      "**/code tabs/sass", "**/heat",
          "**/into editor",   "**/stride/track", "**/stride/value", "**/block/up",       "**/warp/up",
          "**/views/sectors", "**/steps/last",   "**/over",         "**/lesson border",  "**/time border"}) {
      const ImGuiTestItemInfo info = ui.ItemInfo(item, ImGuiTestOpFlags_NoError);
      EXPECT_TRUE(met.contains(info.ID)) << item;
    }
    for (const lesson::Variant& variant : learner.session().selection.lesson().variants)
      if (const ImGuiID chip = ui.ItemInfo(("**/" + variant.id).c_str(), ImGuiTestOpFlags_NoError).ID; chip != 0) {
        EXPECT_TRUE(met.contains(chip)) << variant.id;
      }
  });
}

// Only its other keys are the field's.
TEST(Keyboard, TabLeavesTheFieldOfAQuestion) {
  gui::Options options;
  options.width = 1280, options.height = 720;  // the question's card is out of sight and has no items at first
  Learner learner(options);
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    learner.state().page = gui::Page::predict;
    ui.Yield(3);
    ui.ItemClick("**/to question");
    learner.wait(ui);
    const ImGuiID field = ui.ItemInfo("**/stride_sectors/##number").ID;
    ASSERT_EQ(ImGui::GetActiveID(), field);
    const ImGuiTestItemInfo check = ui.ItemInfo("**/stride_sectors/check answer");
    EXPECT_EQ(check.RectClipped.GetHeight(), check.RectFull.GetHeight()) << "the card is at the top of the page";
    ui.KeyChars("32");
    EXPECT_TRUE(tabs_to(ui, "**/stride_sectors/check answer"));
    ui.KeyPress(ImGuiKey_Enter);
    learner.wait(ui);
    EXPECT_TRUE(learner.says(ui, "Right: 32"));
  });
}

TEST(Keyboard, EnterPressesWhatTheRingIsOn) {
  Learner learner;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ASSERT_TRUE(tabs_to(ui, "**/code tabs/ptx"));
    learner.saves(ui, "ring on a tab");
    ui.KeyPress(ImGuiKey_Enter);
    EXPECT_EQ(learner.state().code_tab, gui::CodeTab::ptx);
    ASSERT_TRUE(tabs_to(ui, "**/menu", ImGuiMod_Shift | ImGuiKey_Tab));
    ui.KeyPress(ImGuiKey_Enter);
    ui.Yield(3);
    ASSERT_FALSE(context().OpenPopupStack.empty());
    const std::uint32_t warp = learner.session().place.position().warp;
    ui.KeyPress(ImGuiKey_DownArrow);
    ui.Yield(2);
    EXPECT_EQ(learner.session().place.position().warp, warp) << "the arrows are the menu's";
    ui.KeyPress(ImGuiKey_Escape);
    ui.Yield(2);
    EXPECT_TRUE(context().OpenPopupStack.empty());
    EXPECT_TRUE(ui.ItemExists("**/run kernel"));
  });
}

TEST(Keyboard, ARowOfAMenuIsChosenWithTheArrows) {
  Learner learner;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ASSERT_TRUE(tabs_to(ui, "**/menu"));
    ui.KeyPress(ImGuiKey_Enter);
    ui.Yield(3);
    const gui::Theme before = learner.state().settings.theme;
    const ImGuiID theme = ui.ItemInfo("//$FOCUSED/theme").ID;
    for (int i = 0; i < 8 && context().NavId != theme; ++i) ui.KeyPress(ImGuiKey_DownArrow), ui.Yield(2);
    ASSERT_EQ(context().NavId, theme);
    ui.KeyPress(ImGuiKey_Enter);
    ui.Yield(3);
    EXPECT_NE(learner.state().settings.theme, before);
    EXPECT_TRUE(context().OpenPopupStack.empty());
  });
}

TEST(Keyboard, TheKeysOfTheStepsStayTheirs) {
  Learner learner;
  const gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ASSERT_TRUE(tabs_to(ui, "**/code tabs/ptx"));
    const ImGuiID ring = ringed();
    ui.KeyPress(ImGuiKey_Home);
    EXPECT_EQ(s.place.position().step, 0u);
    ui.KeyPress(ImGuiKey_RightArrow, 2);
    EXPECT_EQ(s.place.position().step, 2u);
    ui.KeyPress(ImGuiKey_DownArrow);
    EXPECT_EQ(s.place.position().warp, 1u);
    const gui::Page page = learner.state().page;
    ui.KeyPress(ImGuiKey_PageDown);
    EXPECT_EQ(static_cast<int>(learner.state().page), static_cast<int>(page) + 1);
    ui.KeyPress(ImGuiKey_Space);
    EXPECT_EQ(learner.state().code_tab, gui::CodeTab::cuda) << "Space runs and presses nothing";
    EXPECT_EQ(ringed(), ring);
    learner.wait(ui);
  });
}

TEST(Keyboard, SlidersAndBordersMoveWithTheArrows) {
  Learner learner;
  const gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ASSERT_EQ(s.selection.control("stride"), 8);
    const std::size_t step = s.place.position().step;
    ASSERT_TRUE(tabs_to(ui, "**/stride/track"));
    ui.KeyPress(ImGuiKey_RightArrow);
    learner.wait(ui);
    EXPECT_GT(s.selection.control("stride"), 8);
    EXPECT_EQ(s.runs.shown()->key.controls.at("stride"), s.selection.control("stride")) << "and it ran";
    ui.KeyPress(ImGuiKey_LeftArrow);
    learner.wait(ui);
    EXPECT_EQ(s.selection.control("stride"), 8);
    EXPECT_EQ(s.place.position().step, step) << "the keys are the slider's";

    ASSERT_TRUE(tabs_to(ui, "**/lesson border"));
    const auto place = [&] { return ui.ItemInfo("**/lesson border").RectFull.Min.x; };
    const float usual = place();
    ui.KeyPress(ImGuiKey_RightArrow, 2);
    ui.Yield(3);
    EXPECT_GT(place(), usual + 25);
    EXPECT_EQ(s.place.position().step, step);
    ui.KeyPress(ImGuiKey_Enter);
    ui.Yield(3);
    EXPECT_FLOAT_EQ(place(), usual);
    ASSERT_TRUE(tabs_to(ui, "**/time border"));
    const float above = ui.ItemInfo("**/time border").RectFull.Min.y;
    ui.KeyPress(ImGuiKey_UpArrow);
    ui.Yield(3);
    EXPECT_LT(ui.ItemInfo("**/time border").RectFull.Min.y, above - 10);
    ASSERT_TRUE(tabs_to(ui, "**/run kernel"));
    ui.KeyPress(ImGuiKey_RightArrow);
    EXPECT_EQ(s.place.position().step, step + 1) << "and the window's again";
  });
}

// A picture's cells are reached with the arrow keys and pinned with Enter, as by the pointer.
TEST(Keyboard, CellsOfPicturesAreReachedAndPinned) {
  Learner learner;
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    learner.state().uncovered = true;
    const std::size_t step = s.place.position().step;
    const auto lit = [&] { return learner.app().window().warp().hover().shown; };
    ASSERT_TRUE(tabs_to(ui, "**/lanes"));
    ui.KeyPress(ImGuiKey_RightArrow, 3);
    ui.Yield(3);
    EXPECT_EQ(lit().lane, 3);
    ui.KeyPress(ImGuiKey_LeftArrow);
    ui.Yield(3);
    EXPECT_EQ(lit().lane, 2);
    EXPECT_EQ(s.place.position().step, step) << "the arrows are the picture's";
    ui.KeyPress(ImGuiKey_Enter);
    ui.Yield(3);
    ASSERT_NE(s.replays.pinned(), nullptr);
    EXPECT_EQ(s.replays.pinned()->lane, 2);
    ui.KeyPress(ImGuiKey_Escape);
    ui.Yield(3);
    EXPECT_EQ(s.replays.pinned(), nullptr);
    ASSERT_TRUE(tabs_to(ui, "**/view"));
    const std::uint64_t first = lit().first_byte;
    ui.KeyPress(ImGuiKey_DownArrow);
    ui.Yield(3);
    EXPECT_EQ(lit().first_byte, first + 128) << "the line below";
    // The film's arrows step, and Enter pins.
    ASSERT_TRUE(tabs_to(ui, "**/masks"));
    ui.KeyPress(ImGuiKey_LeftArrow);
    EXPECT_EQ(s.place.position().step, step - 1);
    ui.KeyPress(ImGuiKey_Enter);
    ui.Yield(3);
    EXPECT_EQ(learner.app().window().film().pinned(s), step - 1);
  });
}

TEST(Keyboard, TheEditorIsEnteredAndLeft) {
  Learner learner;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ASSERT_TRUE(tabs_to(ui, "**/into editor"));
    ui.KeyPress(ImGuiKey_Enter);
    ui.Yield(3);
    ASSERT_TRUE(learner.state().typing);
    EXPECT_FALSE(learner.session().selection.edited()) << "Enter went in, and wrote nothing";
    ui.KeyPress(ImGuiKey_Tab);
    ui.Yield(3);
    EXPECT_TRUE(learner.session().selection.edited()) << "a tab is a letter there";
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_Z);
    ui.KeyPress(ImGuiKey_Escape);
    ui.Yield(3);
    EXPECT_FALSE(learner.state().typing);
    EXPECT_TRUE(tabs_to(ui, "**/run kernel"));
  });
}

TEST(Keyboard, ALaneOfTheValuesAndItsOriginsAreChosen) {
  Learner learner;
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    for (std::size_t step = 0; step < s.place.step_count(); ++step) {
      s.place.set_step(step);
      if (s.place.site()->operation == trace::Operation::store) break;
    }
    ui.ItemClick("**/values");
    ASSERT_TRUE(learner.wait_for(ui, [&] { return learner.session().replays.values() != nullptr; }));
    const std::uint32_t warp = s.place.position().warp;
    ASSERT_TRUE(tabs_to(ui, "**/lane-0"));
    ui.KeyPress(ImGuiKey_Enter);
    ui.Yield(3);
    EXPECT_EQ(s.replays.lane, 0);
    ui.KeyPress(ImGuiKey_DownArrow);
    ui.Yield(4);
    ui.KeyPress(ImGuiKey_DownArrow);
    ui.Yield(4);
    EXPECT_EQ(s.replays.lane, 2);
    EXPECT_EQ(ringed(), ui.ItemInfo("**/lane-2").ID) << "the ring goes with it";
    ui.KeyPress(ImGuiKey_UpArrow);
    ui.Yield(4);
    EXPECT_EQ(s.replays.lane, 1);
    EXPECT_EQ(s.place.position().warp, warp) << "the arrows are the row's";
    // Only one of the 32 rows is a Tab stop. After it come the steps from which its values come.
    ASSERT_TRUE(learner.wait_for(ui, [&] { return learner.session().replays.origins() != nullptr; }));
    const sim::Step before{s.place.event()->block, s.place.event()->warp, s.place.event()->sequence};
    const Result<job::Origins>& origins = *learner.session().replays.origins();
    ASSERT_TRUE(origins);
    std::string row;
    for (const job::OperandOrigins& operand : origins->operands)
      for (const job::Origin& origin : operand.from)
        if (row.empty() && origin.parameter.empty()) row = "**/from-" + std::to_string(origin.step.sequence);
    ASSERT_FALSE(row.empty()) << "what it stores was loaded by a step before";
    ASSERT_TRUE(tabs_to(ui, row.c_str()));
    ui.KeyPress(ImGuiKey_Enter);
    learner.wait(ui);
    const sim::Step now{s.place.event()->block, s.place.event()->warp, s.place.event()->sequence};
    EXPECT_LT(now.sequence, before.sequence);
  });
}

TEST(Keyboard, F6GoesFromPanelToPanel) {
  Learner learner;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    const auto goes = [&](ImGuiKeyChord key) {
      ui.KeyPress(key);
      ui.Yield(4);
      return ringed();
    };
    EXPECT_EQ(goes(ImGuiKey_F6), ui.ItemInfo("**/lessons").ID);
    EXPECT_EQ(goes(ImGuiKey_F6), ui.ItemInfo("**/pages/read").ID);
    EXPECT_EQ(goes(ImGuiKey_F6), ui.ItemInfo("**/code tabs/cuda").ID);
    EXPECT_EQ(goes(ImGuiKey_F6), ui.ItemInfo("**/block/up").ID);
    EXPECT_EQ(goes(ImGuiKey_F6), ui.ItemInfo("**/steps tabs/steps").ID);
    EXPECT_EQ(goes(ImGuiKey_F6), ui.ItemInfo("**/results/results time").ID);
    EXPECT_EQ(goes(ImGuiKey_F6), ui.ItemInfo("**/lessons").ID) << "once round";
    EXPECT_EQ(goes(ImGuiMod_Shift | ImGuiKey_F6), ui.ItemInfo("**/results/results time").ID);
    learner.clicks_into_line(ui, 1);
    ui.KeyPress(ImGuiKey_Escape);
    ui.Yield(2);
    EXPECT_EQ(goes(ImGuiKey_F6), ui.ItemInfo("**/lessons").ID);
  });
}

// A plot is one stop of Tab. The arrows go from point to point, which are told as by the pointer; Enter goes there.
TEST(Keyboard, PointsOfAPlotAreReachedAndChosen) {
  Learner learner;
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    learner.state().uncovered = true;
    learner.plots_over(ui, "stride");
    ASSERT_EQ(s.selection.control("stride"), 8);
    ui.MouseMoveToPos({10, 10});
    const std::size_t step = s.place.position().step;
    ASSERT_TRUE(tabs_to(ui, "**/points"));
    EXPECT_TRUE(learner.says(ui, "stride = 8")) << "where the learner stands";
    ui.KeyPress(ImGuiKey_RightArrow);
    ui.Yield(2);
    EXPECT_FALSE(learner.says(ui, "stride = 8"));
    ui.KeyPress(ImGuiKey_Home);
    ui.KeyPress(ImGuiKey_RightArrow);
    ui.Yield(2);
    EXPECT_TRUE(learner.says(ui, "stride = 2"));
    EXPECT_TRUE(
        learner.says(ui, "8  " + std::string(gui::label_text(gui::Label::series_global_load, gui::Language::english))))
        << "what hovering shows: 64 threads' words lie in 8 sectors";
    EXPECT_EQ(s.place.position().step, step) << "the arrows are the plot's";
    EXPECT_EQ(s.selection.control("stride"), 8) << "looking changes nothing";
    learner.saves(ui, "plot_by_keys");
    ui.KeyPress(ImGuiKey_Enter);
    learner.wait(ui);
    EXPECT_EQ(s.selection.control("stride"), 2);
    EXPECT_EQ(s.runs.shown()->key.controls.at("stride"), 2) << "its picture is on screen";
    ASSERT_TRUE(learner.app().window().time().pinned());
    EXPECT_EQ(learner.app().window().time().pinned()->value, 2);
    ui.KeyPress(ImGuiKey_End);
    ui.Yield(2);
    EXPECT_TRUE(learner.says(ui, "stride = 32"));
    learner.saves(ui, "plot_by_keys_end");
    ui.KeyPress(ImGuiKey_LeftArrow);
    ui.Yield(2);
    EXPECT_FALSE(learner.says(ui, "stride = 32"));
  });
}

// The rows of the variants' times likewise, one by one.
TEST(Keyboard, RowsOfTheVariantsTimesAreToldAndChosen) {
  Learner learner;
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    ASSERT_TRUE(learner.wait_for(ui, [&] { return s.recordings.recording() != nullptr; }));
    learner.wait(ui);
    learner.state().uncovered = true;
    ui.MouseMoveToPos({10, 10});
    const std::string other = s.selection.lesson().variants[2].id;
    ASSERT_TRUE(tabs_to(ui, ("**/" + other + "/variant time").c_str()));
    EXPECT_TRUE(learner.wait_for(
        ui, [&] { return learner.says(ui, "samples"); }, 3))
        << "its samples are told";
    learner.saves(ui, "variants_by_keys");
    ui.KeyPress(ImGuiKey_Enter);
    learner.wait(ui);
    EXPECT_EQ(s.selection.variant().id, other);
  });
}

// It lies over all windows.
TEST(Keyboard, TheRingOfTheFocusDoesNotCrossOutAHint) {
  Learner learner;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    const ImRect picker = ui.ItemInfo("**/over").RectFull;
    ui.MouseMoveToPos({2, 2});
    ASSERT_TRUE(tabs_to(ui, "**/over"));
    ui.Yield(3);
    const auto rings = [] { return ImGui::GetForegroundDrawList()->VtxBuffer.Size; };
    ASSERT_GT(rings(), 0);
    ui.MouseMove("**/stride/variant time");
    learner.wait_for(
        ui, [&] { return learner.says(ui, "must move"); }, 5);
    const ImGuiWindow* hint = nullptr;
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
      if ((window->Flags & ImGuiWindowFlags_Tooltip) != 0 && window->Active) hint = window;
    ASSERT_NE(hint, nullptr);
    ui.Yield(2);
    if (hint->Rect().Overlaps(picker)) {
      EXPECT_EQ(rings(), 0);
    }
  });
}

}  // namespace
}  // namespace lanescope::test
