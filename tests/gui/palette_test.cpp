// Ctrl + P: every command by a few letters.

#include "gui/palette/fuzzy.h"

#include <algorithm>
#include <string>

#include "driver.h"
#include "gui/palette/commands.h"
#include "imgui_internal.h"

namespace lanescope::test {
namespace {

using gui::fuzzy_score;

TEST(Fuzzy, FindsLettersInTheirOrderInAnyCase) {
  EXPECT_GE(fuzzy_score("", "Bank conflicts"), 0);
  EXPECT_GE(fuzzy_score("bc", "Bank conflicts"), 0);
  EXPECT_GE(fuzzy_score("BANK", "Bank conflicts"), 0);
  EXPECT_GE(fuzzy_score("conf bank", "Bank conflicts"), 0) << "words in any order";
  EXPECT_LT(fuzzy_score("cb ", "Bank"), 0);
  EXPECT_LT(fuzzy_score("kb", "Bank"), 0) << "not in this order";
  EXPECT_LT(fuzzy_score("a", ""), 0);
  EXPECT_LT(fuzzy_score("bankk", "Bank"), 0);
  EXPECT_GE(fuzzy_score("浅色", "浅色主题"), 0);
  EXPECT_GE(fuzzy_score("cmpr", "Compare"), 0) << "letters left out of a word";
  EXPECT_GE(fuzzy_score("flict", "Bank conflicts"), 0) << "inside of a word";
  EXPECT_GE(fuzzy_score("baco", "Bank conflicts"), 0) << "the starts of two words";
  EXPECT_LT(fuzzy_score("restore", "Tiling and tensor cores"), 0) << "letters scattered over words";
  EXPECT_LT(fuzzy_score("nfl", "Bank of lakes"), 0);
}

TEST(Fuzzy, PrefersBeginningsOfWordsLettersTogetherAndShortNames) {
  EXPECT_GT(fuzzy_score("co", "Coalescing"), fuzzy_score("co", "Atomic operations"));
  EXPECT_GT(fuzzy_score("bc", "Bank conflicts"), fuzzy_score("bc", "Subcase"));
  EXPECT_GT(fuzzy_score("sec", "Sectors"), fuzzy_score("sec", "Size of each"));
  EXPECT_GT(fuzzy_score("run", "Run"), fuzzy_score("run", "Run on the CPU"));
}

// Opens the palette, types, and presses Enter.
void commands(ImGuiTestContext& ui, Learner& learner, const char* typed) {
  ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_P);
  ui.Yield(3);
  ASSERT_FALSE(ImGui::GetCurrentContext()->OpenPopupStack.empty()) << typed;
  ui.KeyChars(typed);
  ui.Yield(2);
  ui.KeyPress(ImGuiKey_Enter);
  ui.Yield(3);
  EXPECT_TRUE(ImGui::GetCurrentContext()->OpenPopupStack.empty()) << typed;
  learner.wait(ui);
}

TEST(CommandPalette, DoesWhatMenusAndButtonsDo) {
  Learner learner;
  gui::WindowState& state = learner.state();
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    commands(ui, learner, "light th");
    EXPECT_EQ(state.settings.theme, gui::Theme::light);
    commands(ui, learner, "larger");
    EXPECT_GT(state.settings.zoom, 1.05f);
    commands(ui, learner, "usual size");
    EXPECT_FLOAT_EQ(state.settings.zoom, 1);
    commands(ui, learner, "ptx");
    EXPECT_EQ(state.code_tab, gui::CodeTab::ptx);
    commands(ui, learner, "over stride");
    learner.wait(ui);
    EXPECT_TRUE(learner.says(ui, "the time of stride = 1 · 95 % interval"));
    commands(ui, learner, "times side");
    EXPECT_TRUE(learner.says(ui, "vs fastest"));
    commands(ui, learner, "page explain");
    EXPECT_EQ(state.page, gui::Page::explain);
    commands(ui, learner, "matrix mul");
    EXPECT_EQ(s.selection.lesson().id, "matrix_multiply") << "its title does not say matrix";
    commands(ui, learner, "lesson coalescing");
    ASSERT_EQ(s.selection.lesson().id, "coalescing");
    commands(ui, learner, "variant offset");
    EXPECT_EQ(s.selection.variant().id, "offset");
    commands(ui, learner, "offset 3");
    EXPECT_EQ(s.selection.control("offset"), 3);
    EXPECT_EQ(s.runs.shown()->key.controls.at("offset"), 3) << "and it ran";
    commands(ui, learner, "stride 4");
    EXPECT_EQ(s.selection.variant().id, "stride") << "which has the control";
    EXPECT_EQ(s.runs.shown()->key.controls.at("stride"), 4);
    commands(ui, learner, "variant offset");
    commands(ui, learner, "first step");
    EXPECT_EQ(s.place.position().step, 0u);
    commands(ui, learner, "next warp");
    EXPECT_EQ(s.place.position().warp, 1u);
    commands(ui, learner, "executions");
    EXPECT_EQ(state.heat, gui::Heat::executions);
    commands(ui, learner, "schedules");
    EXPECT_EQ(state.steps_tab, gui::StepsTab::schedules);
    commands(ui, learner, "agreement");
    EXPECT_EQ(state.results, gui::ResultsTab::agreement);
    commands(ui, learner, "compare gather");
    ASSERT_TRUE(s.selection.compared().has_value());
    EXPECT_EQ(s.selection.lesson().variants[*s.selection.compared()].id, "gather");
    commands(ui, learner, "end comparing");
    EXPECT_FALSE(s.selection.compared().has_value());
    commands(ui, learner, "present");
    EXPECT_TRUE(state.present);
    commands(ui, learner, "lesson divergence");
    EXPECT_EQ(s.selection.lesson().id, "divergence");
    commands(ui, learner, "transpose padded");
    EXPECT_EQ(s.selection.variant().id, "padded") << "of another lesson";
    commands(ui, learner, "sequential");
    EXPECT_EQ(s.selection.lesson().id, "divergence");
    EXPECT_EQ(s.selection.variant().id, "reduce_sequential");
    commands(ui, learner, "page see");
    EXPECT_FALSE(state.present) << "a page is not on screen there";
    const std::uint64_t before = s.runs.shown()->serial;
    commands(ui, learner, "run");
    EXPECT_NE(s.runs.shown()->serial, before);
    commands(ui, learner, "chinese");
    EXPECT_EQ(state.settings.language, gui::Language::chinese);
    commands(ui, learner, "dark theme");
    EXPECT_EQ(state.settings.theme, gui::Theme::dark) << "English names are answered to as well";
  });
}

// Whoever knows the field, but not yet the window.
TEST(CommandPalette, FindsByTheWordsOfTheField) {
  Learner learner;
  Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    const gui::Ui here{learner.app().look(), s, learner.state()};
    const auto first_with = [&](const std::string& words) {
      for (const gui::Command& one : gui::commands_of(here, words))
        if (gui::fuzzy_score(words, one.name + " " + one.group + " " + one.also) >= 0) return true;
      return false;
    };
    for (const char* words : {"bank", "conflict", "bank conflict", "coalesced", "divergence", "lanes", "tensor cores",
                              "atomics", "barriers", "冲突"})
      EXPECT_TRUE(first_with(words)) << words;
    commands(ui, learner, "bank conflict");
    EXPECT_EQ(learner.state().heat, gui::Heat::wavefronts_per_request);
  });
}

TEST(CommandPalette, ResetsTheCodeWhileComparing) {
  Learner learner;
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    s.selection.set_source(s.selection.source() + "\n// mine\n");
    s.runs.run();
    learner.wait(ui);
    ASSERT_TRUE(s.selection.edited());
    commands(ui, learner, "compare gather");
    ASSERT_TRUE(s.selection.compared().has_value());
    commands(ui, learner, "reset lesson code");
    EXPECT_FALSE(s.selection.edited());
    EXPECT_FALSE(s.selection.compared().has_value()) << "the editor is in sight, where it can be undone";
    ASSERT_NE(s.runs.shown(), nullptr);
    EXPECT_EQ(s.runs.shown()->key.source, s.selection.original_source());
  });
}

TEST(CommandPalette, IsMovedThroughAndLeftByKeys) {
  Learner learner;
  gui::Session& s = learner.session();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    const std::size_t step = s.place.position().step;
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_P);
    ui.Yield(3);
    ui.KeyChars("variant");
    ui.Yield(2);
    learner.saves(ui, "palette");
    ui.KeyPress(ImGuiKey_DownArrow, 2);
    ui.KeyPress(ImGuiKey_UpArrow);
    ui.KeyPress(ImGuiKey_Enter);
    ui.Yield(3);
    EXPECT_EQ(s.selection.variant_index(), 1u) << "the second of those found";
    EXPECT_EQ(s.place.position().warp, 0u);
    learner.wait(ui);
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_P);
    ui.Yield(3);
    ui.KeyChars("lesson");
    ui.KeyPress(ImGuiKey_Escape);  // leaves the field
    ui.Yield(3);
    EXPECT_TRUE(ImGui::GetCurrentContext()->OpenPopupStack.empty());
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_P);
    ui.Yield(3);
    ui.KeyChars("zzzz");
    ui.KeyPress(ImGuiKey_Enter);
    ui.Yield(2);
    EXPECT_FALSE(ImGui::GetCurrentContext()->OpenPopupStack.empty()) << "nothing to run";
    EXPECT_TRUE(learner.says(ui, "No command matches."));
    EXPECT_TRUE(learner.state().typing) << "what was typed can be mended at once";
    ui.KeyPress(ImGuiKey_Escape);
    ui.Yield(3);
    EXPECT_TRUE(ImGui::GetCurrentContext()->OpenPopupStack.empty());
    ui.KeyPress(ImGuiKey_RightArrow);
    EXPECT_NE(s.place.position().step, step) << "the keys are the window's again";
  });
}

// Each command has its own name in both languages, and can be run.
TEST(CommandPalette, NamesEveryCommandOnceInBothLanguages) {
  Learner learner;
  learner.does([&](ImGuiTestContext& ui) { learner.wait(ui); });
  for (const gui::Language language : {gui::Language::english, gui::Language::chinese}) {
    learner.state().settings.language = language;
    const gui::Ui ui{learner.app().look(), learner.session(), learner.state()};
    std::vector<std::string> names;
    for (const gui::Command& command : gui::commands_of(ui, "a")) {
      EXPECT_FALSE(command.name.empty());
      EXPECT_FALSE(command.group.empty());
      EXPECT_TRUE(static_cast<bool>(command.run)) << command.name;
      names.push_back(command.group + ": " + command.name);
    }
    EXPECT_GT(names.size(), 40u);
    std::ranges::sort(names);
    const auto twice = std::ranges::adjacent_find(names);
    EXPECT_EQ(twice, names.end()) << *twice;
  }
}

}  // namespace
}  // namespace lanescope::test
