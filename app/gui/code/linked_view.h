#pragma once
// CUDA, PTX and SASS beside each other. What is hovered or pinned is highlighted in all three.

#include <cstdint>
#include <string>
#include <vector>

#include "gui/parts/ui.h"

namespace lanescope::gui {

// A line of one of the three, and its origin.
struct CodeLink {
  int line = 0;          // in the learner's file; 0: none
  int ptx_line = 0;      // 0: a CUDA line as a whole
  int instruction = -1;  // index in the machine code; −1: a line of CUDA or PTX
  bool any() const { return line > 0 || ptx_line > 0 || instruction >= 0; }
  friend bool operator==(const CodeLink&, const CodeLink&) = default;
};

class LinkedView {
 public:
  // Draws in the current window. There must be a run to show.
  void draw(const Ui& ui, const PanelRect& rect);
  bool unpin();  // false: nothing was pinned

  // What is highlighted: the hovered line, otherwise the pinned one.
  const CodeLink& lit() const { return hovered_.any() ? hovered_ : pinned_; }
  const CodeLink& pinned() const { return pinned_; }
  // The related lines of all three, for the bottom line and for tests: "line 7 · PTX 61, 62 · SASS 0x0070".
  std::string told(const Ui& ui, const CodeLink& link) const;

 private:
  enum class Column : std::uint8_t { cuda, ptx, sass };
  // A row of a column, as it is drawn.
  struct Row {
    CodeLink link;
    std::string number, text;
    int line = 0;                    // shown at the right of PTX and SASS
    bool step = false;               // belongs to the step on screen
    bool quiet = false;              // a label or directive
    std::vector<std::string> notes;  // notes about what the compilers did, below the row
  };
  void update(const Ui& ui);
  void make_rows(const Ui& ui);
  void column(const Ui& ui, Column which, const std::vector<Row>& rows, const PanelRect& rect);
  void row(const Ui& ui, Column which, const Row& row, ImVec2 at, float width, float height);
  void foot(const Ui& ui, const PanelRect& rect);
  bool is_lit(Column which, const Row& row) const;
  // True if the link names the row in that column: that instruction or PTX line, or any row of the CUDA line.
  static bool is_of(const CodeLink& link, Column which, const Row& row);

  CodeLink pinned_, hovered_, next_;
  int scrolling_ = 0;           // frames in which the other columns scroll to what was pinned
  CodeLink shown_;              // to which the columns were scrolled
  Column from_ = Column::cuda;  // in which it was clicked
  std::vector<Row> cuda_, ptx_, sass_;
  // The inputs from which the rows were made.
  std::uint64_t result_ = 0;
  const compile::Sass* machine_ = nullptr;
  Language language_ = Language::english;
  std::uint32_t site_ = 0;
  bool has_site_ = false;
};

}  // namespace lanescope::gui
