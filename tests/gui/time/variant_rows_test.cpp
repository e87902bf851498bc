// The rows of the variants side by side, as they are drawn.

#include <algorithm>
#include <map>
#include <string>

#include "driver.h"
#include "gui/kit/text_fit.h"
#include "gui/parts/ui.h"
#include "gui/time/time_sizes.h"
#include "imgui_internal.h"
#include "on_screen.h"

namespace lanescope::test {
namespace {

// The letters themselves, in pixels: a line's box says little about where a font's letters stand in it.
class DrawnLetters {
 public:
  DrawnLetters() {
    gui::text_listener() = [this](const gui::TextFit& fit) {
      if (list_ == fit.list && list_->VtxBuffer.Size >= from_ + 8) {
        float top = list_->VtxBuffer[from_].pos.y, bottom = top;
        for (int i = from_; i < from_ + 8; ++i) {
          top = std::min(top, list_->VtxBuffer[i].pos.y);
          bottom = std::max(bottom, list_->VtxBuffer[i].pos.y);
        }
        middles_[text_] = (top + bottom) / 2;
        beside_[text_] = (top + bottom) / 2 - centre_;
      }
      list_ = fit.list, from_ = fit.list->VtxBuffer.Size, text_ = fit.text, centre_ = fit.centre;
    };
  }
  ~DrawnLetters() { gui::text_listener() = nullptr; }
  DrawnLetters(const DrawnLetters&) = delete;
  DrawnLetters& operator=(const DrawnLetters&) = delete;
  // Between top and bottom of the text's first two letters.
  float middle(const std::string& text) const { return middles_.contains(text) ? middles_.at(text) : -1; }
  // How far that is below the place that the text was given.
  float below(const std::string& text) const { return beside_.contains(text) ? beside_.at(text) : -99; }

 private:
  const ImDrawList* list_ = nullptr;
  int from_ = 0;
  std::string text_;
  float centre_ = 0;
  std::map<std::string, float> middles_, beside_;
};

TEST(VariantRows, NamesAndTimesStandAtTheMiddleOfTheirBars) {
  gui::Options options;
  options.width = 1440, options.height = 900;
  Learner learner(options);
  gui::Session& s = learner.session();
  DrawnLetters letters;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ASSERT_TRUE(learner.wait_for(ui, [&] { return s.recordings.recording() != nullptr; }));
    ui.Yield(3);
    const auto middle_of_row = [&](const char* variant) {
      return ui.ItemInfo((std::string("**/") + variant + "/variant time").c_str()).RectFull.GetCenter().y;
    };
    EXPECT_NEAR(letters.middle("stride"), middle_of_row("stride"), 1);
    for (const gui::VariantTime& one : gui::variants_beside(s, gui::TimeSize::measure)) {
      if (s.selection.lesson().variants[one.variant].id != "stride") continue;
      EXPECT_NEAR(letters.middle(gui::time_text(one.run->timing->seconds.median)), middle_of_row("stride"), 1);
    }
  });
}

// The stride is still that of the slider, which another variant does not show.
TEST(VariantRows, ATimeNamesTheValueThatNoControlShows) {
  gui::Options options;
  options.width = 1440, options.height = 900;
  Learner learner(options);
  gui::Session& s = learner.session();
  DrawnLetters letters;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ASSERT_TRUE(learner.wait_for(ui, [&] { return s.recordings.recording() != nullptr; }));
    s.selection.set_control("stride", 17);
    s.runs.run_if_needed();
    learner.wait(ui);
    EXPECT_EQ(letters.middle("stride · stride = 17"), -1) << "the slider shows it";
    s.choose_variant(2);
    learner.wait(ui);
    ASSERT_EQ(s.selection.variant().id, "pairs_apart");
    EXPECT_NE(letters.middle("stride · stride = 17"), -1);
    learner.saves(ui, "time_of_a_hidden_stride");
    ui.MouseMove("**/stride/variant time");
    ui.SleepNoSkip(1, 0.1f);
    EXPECT_TRUE(learner.says(ui, "elements = 4 Mi · stride = 17"));
    EXPECT_FALSE(learner.says(ui, "offset = ")) << "of another row";
    learner.saves(ui, "time_of_a_hidden_stride_hint");
    s.selection.set_control("stride", 1);
    ui.MouseMove("**/offset/variant time");
    ui.SleepNoSkip(1, 0.1f);
    EXPECT_TRUE(learner.says(ui, "elements = 4 Mi · offset = ")) << "the lesson's own value in the tooltip";
  });
}

// 2 % of the peak would read as a verdict on a kernel whose arithmetic takes the time.
TEST(VariantRows, HaveNoBandwidthWhereMemoryDoesNotDecide) {
  gui::Options options;
  options.lesson = "matrix_multiply";
  options.width = 1920, options.height = 1080;
  Learner learner(options);
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    EXPECT_TRUE(learner.says(ui, "vs fastest"));
    EXPECT_FALSE(learner.says(ui, "of peak"));
    EXPECT_FALSE(learner.says(ui, "GB/s"));
    learner.saves(ui, "time_of_arithmetic");
    ui.MouseMove("**/tensor/variant time");
    ui.SleepNoSkip(1, 0.1f);
    EXPECT_TRUE(learner.says(ui, "GB/s"));
    learner.session().choose("transpose", "tiled", {});
    learner.wait(ui);
    EXPECT_TRUE(learner.says(ui, "of peak"));
  });
}

// Beside a mark or in a cell, letters that stand a pixel low are seen.
TEST(VariantRows, CapitalsStandWhereTheirTextIsPut) {
  Learner learner;
  DrawnLetters letters;
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ui.Yield(3);
    for (const char* text : {"PTX", "31", "32"}) EXPECT_NEAR(letters.below(text), 0, 0.8) << text;
  });
}

// Few rows in much room, as in front of a class, are taller: their samples can be told apart.
TEST(VariantRows, GrowWithTheirPanel) {
  gui::Options options;
  options.width = 1440, options.height = 900, options.lesson = "divergence";
  Learner learner(options);
  learner.does([&](ImGuiTestContext& ui) {
    learner.wait(ui);
    ui.KeyPress(ImGuiKey_F5);
    ui.KeyPress(ImGuiKey_M);
    ui.Yield(4);
    const ImGuiWindow* panel = window_of_part("time");
    ASSERT_NE(panel, nullptr);
    const ImRect first = ui.ItemInfo("**/reduce_modulo/variant time").RectFull,
                 last = ui.ItemInfo("**/reduce_last_warp/variant time").RectFull;
    EXPECT_GT(last.Max.y - first.Min.y, 0.4f * panel->Size.y);
    learner.saves(ui, "present_times_of_four");
  });
}

}  // namespace
}  // namespace lanescope::test
