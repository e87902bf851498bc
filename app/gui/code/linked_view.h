#pragma once
// CUDA, PTX and SASS beside each other: what is under the pointer, or was clicked, is lit in all three.

#include <cstdint>
#include <string>
#include <vector>

#include "gui/parts/ui.h"

namespace lanescope::gui {

// A line of one of the three, with what it comes from.
struct CodeLink {
  int line = 0;          // of the learner's file; 0: none
  int ptx_line = 0;      // 0: of a CUDA line as a whole
  int instruction = -1;  // of the machine code; −1: of a line of CUDA or PTX
  bool any() const { return line > 0 || ptx_line > 0 || instruction >= 0; }
  friend bool operator==(const CodeLink&, const CodeLink&) = default;
};

class LinkedView {
 public:
  // In the current window. There must be a run to show.
  void draw(const Ui& ui, const PanelRect& rect);
  bool unpin();  // false: nothing was pinned

  // What is lit: the line under the pointer, else the pinned one.
  const CodeLink& lit() const { return hovered_.any() ? hovered_ : pinned_; }
  const CodeLink& pinned() const { return pinned_; }
  // What the three show of a line, for the foot and for tests: "line 7 · PTX 61, 62 · SASS 0x0070".
  std::string told(const Ui& ui, const CodeLink& link) const;

 private:
  enum class Column : std::uint8_t { cuda, ptx, sass };
  // A row of a column, as it is drawn.
  struct Row {
    CodeLink link;
    std::string number, text;
    int line = 0;                    // shown at the right of PTX and SASS
    bool step = false;               // of the step on screen
    bool quiet = false;              // a label or directive
    std::vector<std::string> notes;  // what the compilers did, below it
  };
  void update(const Ui& ui);
  void make_rows(const Ui& ui);
  void column(const Ui& ui, Column which, const std::vector<Row>& rows, const PanelRect& rect);
  void row(const Ui& ui, Column which, const Row& row, ImVec2 at, float width, float height);
  void foot(const Ui& ui, const PanelRect& rect);
  bool is_lit(Column which, const Row& row) const;
  // Whether the row is what the link names in that column: the very instruction or PTX line, else all of the line.
  static bool is_of(const CodeLink& link, Column which, const Row& row);

  CodeLink pinned_, hovered_, next_;
  int scrolling_ = 0;           // frames in which the other columns come to what was pinned
  CodeLink shown_;              // that the columns were scrolled to
  Column from_ = Column::cuda;  // that it was clicked in
  std::vector<Row> cuda_, ptx_, sass_;
  // What the rows were made of.
  std::uint64_t result_ = 0;
  const compile::Sass* machine_ = nullptr;
  Language language_ = Language::english;
  std::uint32_t site_ = 0;
  bool has_site_ = false;
};

}  // namespace lanescope::gui
