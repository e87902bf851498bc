#pragma once
// One warp instruction: its lanes, and a picture of its effect.

#include <cstdint>
#include <string>

#include "diagram/views.h"
#include "gui/kit/scene_painter.h"
#include "gui/parts/block_picture.h"
#include "gui/parts/said_first.h"
#include "gui/parts/ui.h"
#include "gui/warp/values_view.h"

namespace lanescope::gui {

class WarpPanel {
 public:
  void draw(const Ui& ui, const PanelRect& rect);
  // Selects the lesson's picture for a variant, once when the variant comes on screen.
  void open_view(const Ui& ui);
  const Hover& hover() const { return hover_; }           // shared by all its pictures
  const diagram::Scene& scene() const { return scene_; }  // the picture below the lanes

 private:
  // The inputs of the picture's layout.
  struct Fit {
    std::uint64_t result = 0;
    const trace::WarpEvent* event = nullptr;
    WarpTab tab = WarpTab::count_;
    const job::ShuffleValues* values = nullptr;
    float width = 0, height = 0, scale = 0;
    Language language{};
    std::string point;
    friend bool operator==(const Fit&, const Fit&) = default;
  };
  struct Spacing;
  struct BlockShown {
    std::uint64_t result = 0;
    std::uint32_t block = 0, warp = 0;
    std::size_t step = 0;
    float width = 0, height = 0;
    Language language{};
    friend bool operator==(const BlockShown&, const BlockShown&) = default;
  };
  bool room_for_title(const Ui& ui, const Strip& strip);
  // The strip above the picture: launch, block, warp, instruction.
  void head(const Ui& ui, const Strip& strip);
  void instruction(const Ui& ui, const Strip& strip, float left);
  void tabs(const Ui& ui);  // at the cursor
  void whole_block(const Ui& ui, const PanelRect& rect);
  void picture(const Ui& ui, const PanelRect& body);
  void fit(const Ui& ui, WarpTab tab, const Spacing& spacing, float width, float height);
  SceneView lanes_, view_;
  Hover hover_;
  Fit fit_;
  diagram::Scene scene_;
  float zoom_ = 1;
  std::string opened_;       // lesson/variant
  std::string heat_of_run_;  // the same, once its first run has chosen the number at each line
  PointSentence point_;
  BlockPicture block_;  // belongs to block_shown_
  BlockShown block_shown_;
  ValuesView values_;
};

}  // namespace lanescope::gui
