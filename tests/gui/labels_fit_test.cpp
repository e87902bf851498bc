// Every fixed label has enough room, in both languages, at usual window sizes.

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "driver.h"
#include "gui/kit/text_fit.h"
#include "imgui_internal.h"

namespace lanescope::test {
namespace {

using gui::Label;
using gui::Page;
using gui::Session;
using gui::TextFit;
using gui::WindowState;

// Labels without values in them.
std::set<std::string, std::less<>> fixed_labels(gui::Language language) {
  std::set<std::string, std::less<>> labels;
  for (int i = 0; i < static_cast<int>(Label::count_); ++i) {
    const std::string text = gui::label_text(static_cast<Label>(i), language);
    if (text.find('{') == std::string::npos) labels.insert(text);
  }
  return labels;
}

// Collects labels that do not fit while it lives: each once, with the missing room.
class Misfits {
 public:
  explicit Misfits(gui::Language language) : labels_(fixed_labels(language)) {
    gui::text_listener() = [this](const TextFit& fit) { hear(fit); };
  }
  ~Misfits() { gui::text_listener() = nullptr; }
  Misfits(const Misfits&) = delete;
  Misfits& operator=(const Misfits&) = delete;

  void look_at(const std::string& view) { view_ = view; }
  std::size_t heard() const { return heard_; }
  std::string all() const {
    std::string lines;
    for (const auto& [text, where] : found_) lines += text + ": " + where + "\n";
    return lines;
  }

 private:
  void hear(const TextFit& fit) {
    const ImGuiWindow* window = ImGui::GetCurrentContext()->CurrentWindow;
    const bool hidden = window != nullptr && (window->Hidden || window->RootWindow->Hidden);  // until its size is known
    if (hidden || !labels_.contains(fit.text)) return;
    ++heard_;
    const float lacks = fit.given > 0 ? fit.needed - fit.given : 0;
    const float outside = std::max(fit.clip.x - fit.left, fit.right - fit.clip.z);
    const bool seen = fit.right > fit.clip.x && fit.left < fit.clip.z;  // else scrolled away or in a closed part
    // A wide table can be scrolled.
    const bool scrolls = window != nullptr && (window->Flags & ImGuiWindowFlags_HorizontalScrollbar) != 0;
    if (lacks > 0.5f || (seen && !scrolls && outside > 1))
      found_.emplace(fit.text, view_ + ", lacks " + std::to_string(std::max(lacks, outside)) + " pixels");
  }
  std::set<std::string, std::less<>> labels_;
  std::map<std::string, std::string> found_;
  std::string view_;
  std::size_t heard_ = 0;
};

struct Size {
  int width, height;
};

class LabelsAtSize : public testing::TestWithParam<std::tuple<Size, const char*>> {};

TEST_P(LabelsAtSize, HaveTheRoomThatTheyNeed) {
  gui::Options options;
  const auto& [size, language] = GetParam();
  options.width = size.width, options.height = size.height;
  options.language = language;
  Learner learner(options);
  Misfits misfits(learner.state().settings.language);
  Session& s = learner.session();
  WindowState& state = learner.state();
  learner.does([&](ImGuiTestContext& ui) {
    const auto look_at = [&](const std::string& view) {
      misfits.look_at(view);
      learner.wait(ui);
      ui.Yield(2);
    };
    for (std::size_t i = 0; i < s.selection.lessons().size(); ++i) {
      s.choose_lesson(i);
      for (int page = 0; page < static_cast<int>(Page::count_); ++page) {
        state.page = static_cast<Page>(page);
        look_at(s.selection.lesson().id + ", " + gui::code_of(state.page));
      }
    }
    state.page = Page::see;
    for (const gui::CodeTab tab : {gui::CodeTab::ptx, gui::CodeTab::sass, gui::CodeTab::linked, gui::CodeTab::cuda}) {
      state.code_tab = tab;
      look_at(gui::code_of(tab));
    }
    for (int tab = 0; tab < static_cast<int>(gui::StepsTab::count_); ++tab) {
      state.steps_tab = static_cast<gui::StepsTab>(tab);
      look_at(gui::code_of(state.steps_tab));
    }
    state.steps_tab = gui::StepsTab::steps;
    s.replays.open = true;
    s.replays.lane = 3;
    look_at("values");
    s.replays.open = false;
    state.results = gui::ResultsTab::agreement;
    look_at("agreement");
    state.results = gui::ResultsTab::time;
    s.compare(s.selection.variant_index() == 0 ? 1 : 0);
    look_at("compare");
    state.compare_code = true;
    look_at("compare the code");
    ui.ItemClick("**/choose b");
    look_at("what is compared");
    ui.KeyPress(ImGuiKey_Escape);
    s.compare(std::nullopt);
    state.present = true;
    look_at("present");
    state.present = false;
    state.help = true;
    look_at("help");
  });
  EXPECT_GT(misfits.heard(), 1000u) << "it listens";
  EXPECT_EQ(misfits.all(), "");
}
std::string name_of_case(const testing::TestParamInfo<LabelsAtSize::ParamType>& one) {
  const Size size = std::get<0>(one.param);
  const bool english = std::string(std::get<1>(one.param)) == "en";
  return std::to_string(size.width) + "x" + std::to_string(size.height) + (english ? "en" : "zh");
}
INSTANTIATE_TEST_SUITE_P(Sizes, LabelsAtSize,
                         testing::Combine(testing::Values(Size{1024, 640}, Size{1280, 800}, Size{1920, 1080},
                                                          Size{2560, 1440}),
                                          testing::Values("en", "zh-CN")),
                         name_of_case);

TEST(LabelsFit, WhatLacksRoomIsHeard) {
  Learner learner;
  Misfits misfits(gui::Language::english);
  const char* label = gui::label_text(Label::compare, gui::Language::english);
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    EXPECT_EQ(misfits.all().find(label), std::string::npos);
    learner.state().afterwards([&] {
      gui::draw_text(ImGui::GetForegroundDrawList(), learner.app().look(), gui::type::body, 0, {50, 50}, label,
                     gui::HAlign::left, 10);
    });
    ui.Yield(3);
    EXPECT_NE(misfits.all().find(label), std::string::npos);
  });
}

// Names of numbers and of phases are no fixed labels: these were once cut.
TEST(NamesOfNumbersAndPhases, AreNotCut) {
  struct View {
    const char *lesson, *variant, *compared;
    int width, height;
  };
  for (const View& view :
       {View{"half_atomics", "half_native", "", 1280, 800}, View{"half_atomics", "half_native", "", 1024, 640},
        View{"matrix_multiply", "naive", "tiled", 1920, 1080}, View{"pipelines", "one_tile", "staged", 1280, 800}}) {
    gui::Options options;
    options.lesson = view.lesson, options.variant = view.variant;
    options.width = view.width, options.height = view.height;
    Learner learner(options);
    Session& s = learner.session();
    std::set<std::string> cut;
    gui::text_listener() = [&](const TextFit& fit) {
      const bool is_name = fit.text.find("serial depth") != std::string::npos ||
                           fit.text.find(" × ") != std::string::npos || fit.text.starts_with("multiply") ||
                           fit.text.starts_with("load") || fit.text.starts_with("work");
      if (is_name && fit.given > 0 && fit.needed > fit.given + 0.5f) cut.insert(std::string(fit.text));
    };
    learner.does([&](ImGuiTestContext& ui) {
      learner.wait(ui);
      if (*view.compared != 0) {
        const auto& variants = s.selection.lesson().variants;
        const auto other = std::ranges::find(variants, view.compared, &lesson::Variant::id);
        s.compare(static_cast<std::size_t>(other - variants.begin()));
        learner.wait(ui);
      }
      ui.Yield(3);
    });
    gui::text_listener() = nullptr;
    EXPECT_TRUE(cut.empty()) << view.lesson << ": " << *cut.begin();
  }
}

}  // namespace
}  // namespace lanescope::test
