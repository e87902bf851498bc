#pragma once
// A frame that may be larger than the window. Panels keep the room that their texts need: where the window has less,
// it shows a part of the frame, with bars that move this part.

#include "gui/kit/widgets.h"

namespace lanescope::gui {

class Canvas {
 public:
  // Before the frame: the window's size and the least size of the frame, in pixels.
  void fit(ImVec2 window, ImVec2 least);
  ImVec2 size() const { return size_; }      // of the frame
  ImVec2 offset() const { return offset_; }  // of the window's corner in the frame
  bool is_larger() const { return size_.x > window_.x || size_.y > window_.y; }
  // At the end of the frame: draws the bars, and moves the part so that the keyboard's place is in it: the focused
  // control, the text cursor, a menu that opened. The mouse wheel moves it where nothing below the pointer scrolls.
  void draw(const Look& look);
  // Moves the part by this many steps of the wheel, to the right and down.
  void move_by(const Look& look, ImVec2 steps);

 private:
  void reveal(const PanelRect& rect);
  void follow_keyboard(float margin);
  void follow_wheel(const Look& look);
  bool bar(const Look& look, int axis, float thick);

  ImVec2 window_, size_, offset_;
  unsigned nav_id_ = 0, top_window_ = 0;
  int settling_ = 0;  // frames until the top window has its size
  ImVec2 cursor_;
};

// The part of the frame that the window shows, in pixels: for what must be seen at once, such as a message.
PanelRect part_on_screen();
// Where something of this width begins so that it lies in the middle of that part.
float centred_on_screen(float width);
// Before a tooltip of this size: in a frame that is larger than the window, it lies in the part on screen, `away` from
// the pointer. Otherwise Dear ImGui's place serves.
void keep_next_hint_on_screen(ImVec2 size, float away);

}  // namespace lanescope::gui
