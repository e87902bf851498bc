// No text lies over another one or is cut, in every view, at each interface scale.

#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "driver.h"
#include "gui/kit/text_fit.h"
#include "gui/parts/presenting.h"
#include "gui/parts/tour.h"
#include "imgui_internal.h"

namespace lanescope::test {
namespace {

using gui::Page;
using gui::Session;
using gui::TextFit;
using gui::WindowState;

// What is drawn in a frame: texts that lie over each other, or are cut by a part that does not scroll.
class TextsOnScreen {
 public:
  TextsOnScreen() {
    gui::text_listener() = [this](const TextFit& fit) { hear(fit); };
  }
  ~TextsOnScreen() { gui::text_listener() = nullptr; }
  TextsOnScreen(const TextsOnScreen&) = delete;
  TextsOnScreen& operator=(const TextsOnScreen&) = delete;

  // Looks at the frame drawn last.
  void look_at(const std::string& view) {
    looked_at_ += last_.size();
    for (std::size_t i = 0; i < last_.size(); ++i) {
      if (last_[i].cut) found_.emplace("\"" + last_[i].text + "\" is cut", view);
      for (std::size_t k = i + 1; k < last_.size(); ++k) {
        if (last_[i].layer != last_[k].layer) continue;
        ImRect both = last_[i].ink;
        both.ClipWith(last_[k].ink);
        if (both.GetWidth() > 1.5f && both.GetHeight() > 1.5f)
          found_.emplace("\"" + last_[i].text + "\" and \"" + last_[k].text + "\"", view);
      }
    }
  }
  std::size_t looked_at() const { return looked_at_; }
  std::string all() const {
    std::string lines;
    for (const auto& [what, where] : found_) lines += what + ": " + where + "\n";
    return lines;
  }

 private:
  struct Text {
    std::string text;
    ImRect ink;  // about the height of its letters; only the visible part
    const void* layer = nullptr;
    bool cut = false;
  };
  void hear(const TextFit& fit) {
    if (const int frame = ImGui::GetFrameCount(); frame != frame_) {
      last_ = std::move(now_);
      now_.clear();
      frame_ = frame;
    }
    const ImGuiWindow* window = ImGui::GetCurrentContext()->CurrentWindow;
    if (window == nullptr || window->Hidden || window->RootWindow->Hidden) return;
    const float space = fit.text.ends_with(' ') ? fit.size * 0.3f : 0;  // that stands before another text
    ImRect ink{fit.left, fit.centre - fit.size * 0.33f, fit.right - space, fit.centre + fit.size * 0.33f};
    const ImRect whole = ink;
    ink.ClipWithFull(ImRect(fit.clip));
    if (ink.GetWidth() <= 1 || ink.GetHeight() <= 1) return;
    // Numbers beside code scroll with it, and are cut above and below.
    bool scrolls = false;
    for (const ImGuiWindow* one = window; one != nullptr; one = one->ParentWindow) scrolls |= one->ScrollMax.x > 0;
    const bool cut = !scrolls && whole.GetWidth() > ink.GetWidth() + 1.5f;
    const bool over_all = fit.list == ImGui::GetForegroundDrawList();
    now_.push_back(
        {std::string(fit.text), ink, over_all ? static_cast<const void*>(fit.list) : window->RootWindow, cut});
  }
  std::vector<Text> now_, last_;
  std::map<std::string, std::string> found_;
  int frame_ = -1;
  std::size_t looked_at_ = 0;
};

// Texts have the room that they need, whatever the learner makes larger.
struct Scaled {
  int width, height;
  float zoom;
  const char *language, *theme;
};
class TextsAtScale : public testing::TestWithParam<Scaled> {};

TEST_P(TextsAtScale, LieBesideEachOther) {
  const Scaled& at = GetParam();
  gui::Options options;
  options.width = at.width, options.height = at.height;
  options.language = at.language, options.theme = at.theme;
  Learner learner(options);
  Session& s = learner.session();
  WindowState& state = learner.state();
  TextsOnScreen texts;
  learner.does([&](ImGuiTestContext& ui) {
    state.settings.zoom = at.zoom;
    state.settings.reduce_motion = true;
    const auto look_at = [&](const std::string& view) {
      learner.wait(ui);
      ui.Yield(4);
      texts.look_at(view);
      learner.saves(ui, std::to_string(at.width) + "-" + std::to_string(static_cast<int>(at.zoom * 100)) + "-" +
                            at.language + "-" + view);
    };
    const auto opened = [&](const char* item, const std::string& view) {
      if (!ui.ItemExists(item)) return;
      ui.ItemClick(item);
      ui.MouseMoveToPos({2, 2});
      look_at(view);
      ui.KeyPress(ImGuiKey_Escape);
      ui.Yield(2);
    };
    ASSERT_TRUE(learner.wait_for(ui, [&] { return s.recordings.recording() != nullptr; }));
    look_at("first view");
    for (const char* item : {"**/menu", "**/lessons", "**/device", "**/heat", "**/over", "**/more"})
      opened(item, std::string("list ") + (item + 3));
    for (std::size_t i = 1; i < s.selection.lessons().size(); ++i) {
      s.choose_lesson(i);
      look_at("lesson " + s.selection.lesson().id);
    }
    s.choose_lesson(0);
    for (int page = 0; page < static_cast<int>(Page::count_); ++page) {
      state.page = static_cast<Page>(page);
      look_at(std::string("page ") + gui::code_of(state.page));
    }
    state.uncovered = true;
    learner.plots_over(ui, "stride");
    look_at("plot over stride");
    state.results = gui::ResultsTab::agreement;
    look_at("agreement");
    state.results = gui::ResultsTab::time;
    for (const gui::CodeTab tab : {gui::CodeTab::ptx, gui::CodeTab::sass, gui::CodeTab::linked, gui::CodeTab::cuda}) {
      state.code_tab = tab;
      look_at(std::string("code ") + gui::code_of(tab));
    }
    s.replays.open = true, s.replays.lane = 3;
    look_at("values");
    s.memory.open = true;
    look_at("memory");
    s.memory.open = s.replays.open = false;
    state.steps_tab = gui::StepsTab::schedules;
    look_at("schedules");
    state.steps_tab = gui::StepsTab::steps;
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_P);
    ui.Yield(3);
    ui.KeyChars("stride");
    look_at("palette");
    ui.KeyPress(ImGuiKey_Escape);
    ui.KeyPress(ImGuiMod_Ctrl | ImGuiKey_F);
    ui.Yield(3);
    ui.KeyChars("in");
    look_at("search");
    ui.KeyPress(ImGuiKey_Escape);
    state.presenting->grown = gui::Panel::time;
    look_at("times alone");
    state.presenting->grown.reset();
    s.compare(1);
    look_at("compare");
    state.compare_code = true;
    look_at("compare the code");
    state.compare_code = false;
    s.compare(std::nullopt);
    state.present = true;
    look_at("present");
    state.presenting->film = state.presenting->controls = true;
    look_at("present with film and controls");
    state.presenting->film = state.presenting->controls = false;
    state.presenting->times = true;
    look_at("present the times");
    state.presenting->times = false;
    state.uncovered = false;
    state.page = Page::predict;
    look_at("present the questions");
    state.uncovered = true;
    state.page = Page::see;
    state.present = false;
    state.tour->start();
    look_at("tour");
    state.tour->end();
    state.help = true;
    look_at("help");
    state.help = false;
    EXPECT_TRUE(learner.runs_changed(ui, "out[i] = value", "if (i != 37) out[i] = value"));
    look_at("wrong result");
    state.page = Page::try_;
    s.choose("transpose", "padded", {});
    s.open_task(s.selection.lesson().tasks.back());
    look_at("task with its own launch");
    s.choose_lesson(0);
    state.page = Page::see;
    EXPECT_TRUE(learner.runs_changed(ui, "[i * stride]", "[i * stride + 100000000]"));
    look_at("fault");
  });
  EXPECT_GT(texts.looked_at(), 1000u) << "it listens";
  EXPECT_EQ(texts.all(), "");
}
// With LANESCOPE_EVERY_SCALE=1 every scale at every size, in both languages and themes: some minutes. Else those at
// which the panels' room differs most.
std::vector<Scaled> scales() {
  if (std::getenv("LANESCOPE_EVERY_SCALE") == nullptr)
    return {{1024, 640, 1, "en", "dark"},      {1024, 640, 1, "zh-CN", "light"},    {1024, 640, 2, "en", "light"},
            {640, 400, 1, "en", "dark"},       {1280, 800, 1.25f, "zh-CN", "dark"}, {1280, 800, 1.5f, "en", "dark"},
            {1920, 1080, 1, "en", "light"},    {1920, 1080, 1.5f, "zh-CN", "dark"}, {1920, 1080, 2, "en", "dark"},
            {2560, 1440, 1, "zh-CN", "light"}, {2560, 1440, 2, "en", "light"}};
  std::vector<Scaled> made;
  for (const auto& [width, height] : {std::pair{1024, 640}, {1280, 800}, {1920, 1080}, {2560, 1440}})
    for (const float zoom : {1.0f, 1.25f, 1.5f, 1.75f, 2.0f})
      for (const char* language : {"en", "zh-CN"})
        for (const char* theme : {"dark", "light"}) made.push_back({width, height, zoom, language, theme});
  return made;
}
INSTANTIATE_TEST_SUITE_P(Scales, TextsAtScale, testing::ValuesIn(scales()),
                         [](const testing::TestParamInfo<Scaled>& one) {
                           const Scaled& at = one.param;
                           return std::to_string(at.width) + "x" + std::to_string(at.height) + "at" +
                                  std::to_string(static_cast<int>(at.zoom * 100)) +
                                  (std::string(at.language) == "en" ? "en" : "zh") + at.theme;
                         });

TEST(TextsOnScreenTest, WhatLiesOverSomethingOrIsCutIsHeard) {
  Learner learner;
  TextsOnScreen texts;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    learner.state().afterwards([&] {
      ImDrawList* list = ImGui::GetForegroundDrawList();
      for (const float x : {50.0f, 80.0f, -20.0f})
        gui::draw_text(list, learner.app().look(), gui::type::body, 0, {x, x < 0 ? 90.0f : 50.0f}, "a sentence");
    });
    ui.Yield(1);
    for (int frame = 0; frame < 4; ++frame) ui.Yield(1), texts.look_at("here");
    EXPECT_NE(texts.all().find("\"a sentence\" and \"a sentence\""), std::string::npos) << texts.all();
    EXPECT_NE(texts.all().find("\"a sentence\" is cut"), std::string::npos) << texts.all();
  });
}

}  // namespace
}  // namespace lanescope::test
