#pragma once
// A buffer or a block's shared memory as a grid of elements at the step on screen and, for one element, who wrote it
// and who reads it next.

#include <array>
#include <cstdint>
#include <string>

#include "gui/kit/scene_painter.h"
#include "gui/parts/ui.h"

namespace lanescope::gui {

class MemoryView {
 public:
  void draw(const Ui& ui, const PanelRect& rect);
  // The chosen element, drawn at the cursor.
  void element(const Ui& ui);

 private:
  void controls(const Ui& ui, const PanelRect& rect, float& bottom);
  void go_to_field(const Ui& ui, float width);
  void go_to(const Ui& ui, const std::string& text);
  void follow_step(const Ui& ui, const job::MemoryWindow& window);
  void grid(const Ui& ui, const job::MemoryWindow& window, const PanelRect& rect);
  void cells(const Ui& ui, const job::MemoryWindow& window);
  void cell(const Ui& ui, const job::MemoryWindow& window, std::int64_t index, ImVec2 at, ImVec2 end);
  void heads(const Ui& ui, const job::MemoryWindow& window) const;
  void want(const Ui& ui, std::int64_t first_row, std::int64_t rows);
  void keys(const Ui& ui, std::int64_t index);
  void legend(const Ui& ui, const job::MemoryWindow& window, float x, float centre, float room) const;
  std::string text_of(const Ui& ui, const job::MemoryWindow& window, std::int64_t index) const;
  void measure(const Ui& ui, const job::MemoryWindow& window);

  // About the memory on screen.
  std::int64_t columns_ = 32, rows_ = 0;
  float cell_width_ = 0, cell_height_ = 0, gutter_ = 0;  // pixels
  double least_ = 0, most_ = 0;                          // range of the heat in the window
  bool has_holes_ = false;                               // some element of the window was never written
  struct Measured {
    std::uint64_t run = 0;
    std::string name;
    job::Base base{};
    Memory::Heat heat{};
    float scale = 0;
    friend bool operator==(const Measured&, const Measured&) = default;
  } measured_;
  struct Range {  // the part of the memory whose texts were measured
    int launch = 0;
    sim::Step step;
    std::int64_t first = 0, end = 0;
    bool after = false;
    friend bool operator==(const Range&, const Range&) = default;
  } range_;
  std::int64_t show_ = -1;  // element to scroll to
  sim::Step shown_step_;    // the step that the grid has scrolled to
  std::string shown_name_;
  bool focus_ = false;  // move the keyboard focus to the chosen element
  std::array<char, 48> asked_{};
  SceneView lanes_;
  Hover hover_;
  std::int64_t first_on_screen_ = 0;
};

}  // namespace lanescope::gui
