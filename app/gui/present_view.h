#pragma once
// One picture over the whole window, for presenting to a class.

#include <string>

#include "gui/kit/scene_painter.h"
#include "gui/lesson/exercises.h"
#include "gui/parts/block_picture.h"
#include "gui/parts/said_first.h"
#include "gui/parts/ui.h"

namespace lanescope::gui {

class TimePanel;

class PresentView {
 public:
  // `times`: the window's own panel, so that what was chosen there stays.
  void draw(const Ui& ui, const PanelRect& rect, TimePanel& times);
  // The scale of the times: they are laid out for a panel, and a large window enlarges them. 1 in a small window.
  static float scale_of_times(ImVec2 window, float pixels);

 private:
  void whole_block(const Ui& ui, float x, float y, float width, float room, float zoom);
  void questions(const Ui& ui, const PanelRect& rect);
  void step_on_screen(const Ui& ui, const PanelRect& rect);

  SceneView lanes_, view_;
  BlockPicture block_;  // belongs to block_shown_
  std::string block_shown_;
  Hover hover_;
  PointSentence point_;
  QuestionCards questions_;
};

}  // namespace lanescope::gui
