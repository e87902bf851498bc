#pragma once
// What the operands of the step on screen hold, a row for each lane, before and after; or what memory holds, element by
// element. Below it where one lane's values came from, step by step backwards, or who wrote and who reads an element.

#include <array>
#include <string>
#include <vector>

#include "gui/parts/ui.h"
#include "gui/warp/memory_view.h"

namespace lanescope::gui {

class ValuesView {
 public:
  // Between the panel's strip and its tabs.
  void draw(const Ui& ui, const PanelRect& body);

 private:
  struct Column {
    std::string title, note;         // the note is the source's name, or what memory it is
    std::vector<std::string> cells;  // by lane; empty: the lane takes no part
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

  // What the columns were laid out for.
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
  float below_ = 0;          // how high what stands below the table wants to be, pixels
  bool focus_lane_ = false;  // the keyboard goes on to the lane that it chose
  int seen_lane_ = -1;       // that the table has scrolled to
  sim::Step seen_step_;
  float seen_height_ = 0;
  std::array<char, 64> element_{};  // whose writer is asked for
  // What stands there as an example, and of which run.
  std::string example_;
  std::uint64_t example_of_ = 0;
};

}  // namespace lanescope::gui
