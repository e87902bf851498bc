#pragma once
// The operands of the step on screen, a row per lane, before and after; or the contents of memory, per element. Below
// it: where one lane's values came from, step by step backwards, or who wrote and who reads an element.

#include <array>
#include <string>
#include <vector>

#include "gui/parts/ui.h"
#include "gui/warp/memory_view.h"

namespace lanescope::gui {

class ValuesView {
 public:
  // Drawn between the panel's strip and its tabs.
  void draw(const Ui& ui, const PanelRect& body);

 private:
  struct Column {
    std::string title, note;         // note: the source's name, or the kind of memory
    std::vector<std::string> cells;  // per lane; empty: the lane takes no part
    bool left = false, changed = false;
    float width = 0;  // pixels
  };
  void lay_out(const Ui& ui, const job::StepValues& values);
  void bases(const Ui& ui, float right, float centre);
  void table(const Ui& ui, const job::StepValues& values);
  void lanes(const Ui& ui, const job::StepValues& values, float width);
  void step(const Ui& ui, const PanelRect& rect);
  // ---- values_origins.cpp
  void origins(const Ui& ui, const PanelRect& rect);
  void writer_entry(const Ui& ui, float centre);
  void trail(const Ui& ui, float left, float centre);

  // The inputs of the columns' layout.
  struct Fit {
    const void* values = nullptr;
    sim::Step step;
    job::Base base{};
    float scale = 0;
    Language language{};
    std::uint64_t run = 0;
    friend bool operator==(const Fit&, const Fit&) = default;
  } fit_;
  std::vector<Column> columns_;
  MemoryView memory_;
  float below_ = 0;          // the wanted height below the table, pixels
  bool focus_lane_ = false;  // move the keyboard focus to the chosen lane
  int seen_lane_ = -1;       // the lane that the table has scrolled to
  sim::Step seen_step_;
  float seen_height_ = 0;
  std::array<char, 64> element_{};  // the element whose writer is requested
  std::string element_of_;          // the variant, the language and the chosen element for which it was typed
  // The example in the field, and the run that it comes from.
  std::string example_;
  std::uint64_t example_of_ = 0;
};

}  // namespace lanescope::gui
