// Ctrl + F: in the lesson's text and in the code.

#include "gui/parts/find_state.h"

#include <algorithm>
#include <string>

#include "TextEditor.h"
#include "driver.h"
#include "imgui_internal.h"
#include "on_screen.h"

namespace lanescope::test {
namespace {

using gui::FoundText;

TEST(Find, CountsPlacesInEitherCase) {
  std::vector<FoundText> found;
  gui::find_in("Sector, sector and SECTORS", "sector", 2, 7, found);
  EXPECT_EQ(found, (std::vector<FoundText>{{2, 7, 0, 6}, {2, 7, 8, 14}, {2, 7, 19, 25}}));
  found.clear();
  gui::find_in("aaaa", "aa", 0, 0, found);
  EXPECT_EQ(found.size(), 2u) << "none of them twice";
  gui::find_in("text", "", 0, 0, found);
  gui::find_in("", "x", 0, 0, found);
  EXPECT_EQ(found.size(), 2u);
  gui::find_in("一次请求 32 个 sector", "请求", 0, 0, found);
  EXPECT_EQ(found.size(), 3u);
}

// The window that scrolls the lesson's page.
ImGuiWindow* lesson_page() {
  for (ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
    const std::string name = window->Name;
    if (window->WasActive && name.rfind("/page_") != std::string::npos && name.rfind('/') == name.rfind("/page_"))
      return window;
  }
  return nullptr;
}

void looks_for(ImGuiTestContext& ui, const char* wanted) {
  ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_F);
  ui.Yield(3);
  ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_A);
  ui.KeyChars(wanted);
  ui.Yield(8);
}

TEST(Find, GoesFromMatchToMatchInTextAndCode) {
  Learner learner;
  gui::WindowState& state = learner.state();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    const gui::Page page = state.page;
    ui.ItemClick("**/code tabs/cuda");  // so the keyboard focus is elsewhere
    looks_for(ui, "stride");
    learner.wait(ui);
    learner.saves(ui, "find");
    const auto& all = state.find.all;
    // The matches in the code, counted by hand: the comment twice, the kernel's name, its parameter, the access.
    std::string code = learner.session().selection.source();
    std::ranges::transform(code, code.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    std::size_t in_code = 0;
    for (std::size_t at = 0; (at = code.find("stride", at)) != std::string::npos; at += 6) ++in_code;
    EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(all, -1, &FoundText::page)), in_code);
    EXPECT_GT(all.size(), in_code + 3) << "and in the text";
    EXPECT_TRUE(std::ranges::is_sorted(all, {}, [](const FoundText& one) { return one.page < 0 ? 99 : one.page; }));
    EXPECT_TRUE(learner.says(ui, std::to_string(state.find.current + 1) + " of " + std::to_string(all.size())));
    ASSERT_NE(state.find.chosen(), nullptr);
    EXPECT_GE(state.find.chosen()->page, static_cast<int>(page)) << "on the page on screen or after it";

    // Enter moves on, page after page, into the code, and then back to the first match.
    std::size_t pages = 0;
    for (std::size_t i = state.find.current + 1; i < all.size(); ++i) {
      ui.KeyPress(ImGuiKey_Enter);
      ui.Yield(6);
      ASSERT_EQ(state.find.current, i);
      const FoundText at = *state.find.chosen();
      if (at.page >= 0) {
        EXPECT_EQ(static_cast<int>(state.page), at.page);
        ++pages;
        continue;
      }
      const auto selected = learner.app().window().code().editor(learner.session()).GetMainCursorSelection();
      EXPECT_EQ(selected.start.line, at.unit);
      EXPECT_EQ(selected.start.index, at.begin);
      EXPECT_EQ(selected.end.index, at.end);
    }
    EXPECT_GT(pages, 0u);
    ui.KeyPress(ImGuiKey_Enter);
    ui.Yield(3);
    EXPECT_EQ(state.find.current, 0u);
    ui.KeyPress(ImGuiMod_Shift | ImGuiKey_Enter);
    ui.Yield(3);
    EXPECT_EQ(state.find.current, all.size() - 1);
    ui.KeyPress(ImGuiKey_F3);
    ui.Yield(3);
    EXPECT_EQ(state.find.current, 0u);
    ui.ItemClick("**/find before");
    EXPECT_EQ(state.find.current, all.size() - 1);

    ui.KeyPress(ImGuiKey_Escape);  // leaves the field
    ui.Yield(3);
    EXPECT_FALSE(state.find.open);
    EXPECT_FALSE(state.typing);
    EXPECT_TRUE(ui.ItemExists("**/run kernel"));
    looks_for(ui, "nowhere to be found");
    EXPECT_TRUE(all.empty());
    EXPECT_TRUE(learner.says(ui, "not found"));
    ui.KeyPress(ImGuiKey_Enter);
    ui.KeyPress(ImGuiKey_Escape);
    ui.Yield(3);
    EXPECT_FALSE(state.find.open);
    EXPECT_FALSE(ui.ItemExists("**/find next"));
    const std::size_t step = learner.session().place.position().step;
    ui.KeyPress(ImGuiKey_RightArrow);
    EXPECT_EQ(learner.session().place.position().step, step + 1);
  });
}

// The cards below the text: what they ask, and what they offer.
// The share of a rectangle's pixels that have more of the accent's colour than the panel, whose ground is darker.
double share_lit(const std::vector<std::uint8_t>& pixels, int width, const ImRect& at, int more = 22) {
  int lit = 0, all = 0;
  for (int y = static_cast<int>(at.Min.y) + 2; y < static_cast<int>(at.Max.y) - 2; ++y)
    for (int x = static_cast<int>(at.Min.x) + 2; x < static_cast<int>(at.Max.x) - 2; ++x) {
      const std::size_t pixel =
          (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x)) * 4;
      ++all, lit += pixels[pixel + 2] > pixels[pixel] + more;
    }
  return all == 0 ? 0 : static_cast<double>(lit) / all;
}

TEST(Find, HighlightsEveryMatchOfTheCodeInSight) {
  gui::Options options;
  options.width = 1440, options.height = 900;
  Learner learner(options);
  gui::WindowState& state = learner.state();
  std::vector<ImRect> matches, beside;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    looks_for(ui, "int");
    learner.wait(ui);
    const TextEditor& editor = learner.app().window().code().editor(learner.session());
    for (const FoundText& one : state.find.all) {
      const bool of_step = static_cast<int>(one.unit) + 1 == learner.session().place.site()->line;  // it has a ground
      if (one.page >= 0 || of_step || !editor.IsDocPosVisible({one.unit, one.begin})) continue;
      const ImVec2 from = editor.DocPos2ScreenPos({one.unit, one.begin}),
                   to = editor.DocPos2ScreenPos({one.unit, one.end});
      if (to.y != from.y) continue;
      const float row = editor.GetLineHeight(), wide = to.x - from.x;
      matches.push_back({from, {to.x, from.y + row}});
      beside.push_back({{from.x - wide, from.y}, {from.x, from.y + row}});
    }
  });
  ASSERT_GE(matches.size(), 3u);
  learner.app().frame();
  const std::vector<std::uint8_t> pixels = learner.app().display().pixels();
  ASSERT_EQ(pixels.size(), 1440u * 900 * 4);
  for (std::size_t i = 0; i < matches.size(); ++i) {
    EXPECT_GT(share_lit(pixels, 1440, matches[i]), 0.6) << i;
    EXPECT_LT(share_lit(pixels, 1440, beside[i]), 0.4) << i;
  }
}

TEST(Find, LooksIntoTheQuestions) {
  gui::Options options;
  options.width = 1024, options.height = 640;
  Learner learner(options);
  gui::WindowState& state = learner.state();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    const gui::Session& s = learner.session();
    const auto plain = [](const lesson::Phrase& phrase) {
      std::string text = phrase.in("en");
      std::erase(text, '`');
      return text;
    };
    std::size_t asked = 0;
    float first_scroll = 0, last_scroll = 0;
    for (const lesson::Question& question : s.selection.lesson().questions) {
      if (!question.applies_to(s.selection.variant().id)) continue;
      const std::string text = plain(question.ask), wanted = text.substr(0, std::min<std::size_t>(text.size(), 40));
      state.page = gui::Page::read;
      looks_for(ui, wanted.c_str());
      learner.wait(ui);
      ASSERT_FALSE(state.find.all.empty()) << wanted;
      ASSERT_NE(state.find.chosen(), nullptr);
      EXPECT_EQ(state.find.chosen()->page, static_cast<int>(gui::Page::predict)) << wanted;
      EXPECT_EQ(state.page, gui::Page::predict);
      ui.Yield(8);
      ASSERT_NE(lesson_page(), nullptr);
      if (asked++ == 0) first_scroll = lesson_page()->Scroll.y;
      last_scroll = lesson_page()->Scroll.y;
      if (question.kind != lesson::Question::Kind::choice) continue;
      looks_for(ui, plain(question.options.back().say).c_str());
      learner.wait(ui);
      EXPECT_TRUE(std::ranges::any_of(state.find.all, [](const FoundText& one) {
        return one.page == static_cast<int>(gui::Page::predict);
      })) << question.id;
    }
    ASSERT_GT(asked, 1u);
    EXPECT_GT(last_scroll, first_scroll) << "each is brought into sight";
  });
}

// The current match is scrolled into view.
TEST(Find, BringsTheMatchIntoSight) {
  gui::Options options;
  options.width = 1024, options.height = 640;
  Learner learner(options);
  gui::WindowState& state = learner.state();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    looks_for(ui, "the");
    learner.wait(ui);
    // The last match of the longest page is below its first screen.
    std::size_t last = 0;
    for (std::size_t i = 0; i < state.find.all.size(); ++i)
      if (state.find.all[i].page == static_cast<int>(gui::Page::explain)) last = i;
    ASSERT_GT(last, 0u);
    while (state.find.current != last) ui.KeyPress(ImGuiKey_F3), ui.Yield(1);
    ui.Yield(8);
    ASSERT_NE(lesson_page(), nullptr);
    EXPECT_GT(lesson_page()->Scroll.y, 40);
  });
}

// The rows of the machine code have grounds of their own.
TEST(Find, HighlightsTheRowOfTheMachineCode) {
  gui::Options options;
  options.width = 1440, options.height = 900;
  Learner learner(options);
  gui::WindowState& state = learner.state();
  ImRect part;
  bool made = false;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ui.ItemClick("**/code tabs/sass");
    learner.wait(ui);
    const Result<compile::Sass>* sass = learner.session().details.sass();
    made = sass != nullptr && sass->ok();
    if (!made) return;
    looks_for(ui, "NOP");
    learner.wait(ui);
    for (const FoundText& one : state.find.all) EXPECT_GE(one.page, 0) << "the NOPs at the end have no rows";
    looks_for(ui, "STG");
    learner.wait(ui);
    learner.saves(ui, "find in sass");
    part = window_of_part("sass text")->InnerRect;
  });
  if (!made) GTEST_SKIP() << "no machine code on this machine";
  learner.app().frame();
  const std::vector<std::uint8_t> pixels = learner.app().display().pixels();
  int rows = 0;  // whose right part, where no text is, is lit more than the step's rows are
  for (float y = part.Min.y; y + 5 < part.Max.y; ++y)
    rows += share_lit(pixels, 1440, {part.Max.x - 90, y, part.Max.x - 50, y + 5}, 45) > 0.9;
  EXPECT_GE(rows, 10);
}

TEST(Find, LooksIntoPtxAndForgetsWhatIsGone) {
  Learner learner;
  gui::WindowState& state = learner.state();
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ui.ItemClick("**/code tabs/ptx");
    looks_for(ui, "ld.global");
    learner.wait(ui);
    const auto& lines = learner.session().runs.shown()->ptx;
    const auto has = [](const gui::PtxLine& line) { return line.text.find("ld.global") != std::string::npos; };
    std::vector<FoundText> in_code;
    for (const FoundText& one : state.find.all)
      if (one.page < 0) in_code.push_back(one);
    learner.saves(ui, "find in ptx");
    ASSERT_EQ(static_cast<std::ptrdiff_t>(in_code.size()), std::ranges::count_if(lines, has));
    EXPECT_TRUE(has(lines[in_code.front().unit]));
    // Present mode and comparing show neither the text nor the code of one variant.
    ui.KeyPress(ImGuiKey_Escape);
    ui.KeyPress(ImGuiKey_F5);
    ui.Yield(2);
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_F);
    ui.Yield(2);
    EXPECT_FALSE(state.find.open);
    ui.KeyPress(ImGuiKey_Escape);
    ui.Yield(2);
    EXPECT_FALSE(ui.ItemExists("**/find next")) << "what was asked for there does not open later";
  });
}

}  // namespace
}  // namespace lanescope::test
