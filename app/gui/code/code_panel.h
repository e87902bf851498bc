#pragma once
// The code panel: CUDA, PTX and SASS of the kernel on screen.

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "diagram/views.h"
#include "gui/code/linked_view.h"
#include "gui/kit/scene_painter.h"
#include "gui/numbers/numbers.h"
#include "gui/parts/ui.h"

class TextEditor;

namespace lanescope::gui {

// CUDA (an editor), PTX and SASS; below them the controls and the numbers of the run.
class CodePanel {
 public:
  CodePanel();
  ~CodePanel();
  void draw(const Ui& ui, const PanelRect& rect);
  // The editor of the variant on screen; made when it is first shown.
  TextEditor& editor(const Session& session);
  void reset_to_lesson(const Ui& ui);                        // can be undone in the editor
  void replace_text(const Ui& ui, const std::string& text);  // the same, and runs it
  // Appends the matches of a text in the code on screen. FoundText::unit is the index of the line or instruction.
  void find(const Ui& ui, std::string_view wanted, std::vector<FoundText>& into);
  // For tests: the machine code on screen, and what is hovered in it.
  const diagram::Scene& sass_scene() const { return sass_scene_; }
  const Hover& sass_hover() const { return sass_hover_; }
  LinkedView& linked() { return linked_; }

 private:
  struct Buffer;
  void take_orders(const Ui& ui);  // what other views have asked for
  void tabs(const Ui& ui, const Strip& strip);
  // What the text and its problems get of `room`; the controls and numbers below it get the rest.
  float text_height(const Ui& ui, float room, float width, bool low);
  void text(const Ui& ui, const PanelRect& rect);
  void cuda(const Ui& ui, float height);
  // Sets b.line_now: where the lines of the run's text are now.
  void map_lines(const Ui& ui, Buffer& b);
  void mark(const Ui& ui, Buffer& b);
  void edit(const Ui& ui, Buffer& b, float width, float height);
  // Scrolls to the line that is followed, if it is outside of the text's rectangle.
  void follow(const Ui& ui, Buffer& b, float top, float height);
  void mark_found(const Ui& ui, Buffer& buffer, ImVec2 from, ImVec2 to);
  void mark_found(const Ui& ui, ImVec2 origin, float width);  // in the machine code
  // `numbers`: the width of the widest number.
  void gutter(const Ui& ui, const Buffer& buffer, float x0, float x1, float numbers);
  void ptx(const Ui& ui, float height);
  void sass(const Ui& ui, float height);
  void problems(const Ui& ui);
  Buffer& buffer(const Session& session);
  std::map<std::string, std::unique_ptr<Buffer>> buffers_;
  float problem_height_ = 0;
  const std::vector<NumberRow>& rows(const Ui& ui);
  std::vector<NumberRow> rows_;  // of rows_of_
  std::uint64_t rows_of_ = 0;
  // The inputs from which the machine code's picture was made.
  struct SassShown {
    const compile::Sass* sass = nullptr;
    std::uint64_t result = 0;
    int line = 0, ptx_line = 0;
    float width = 0;
    bool head = false;
    Language language{};
    friend bool operator==(const SassShown&, const SassShown&) = default;
  };
  void make_sass_scene(const Ui& ui, const SassShown& wanted);
  std::string listing_shown_;  // variant and place to which the PTX or SASS listing was scrolled
  SassShown sass_shown_;
  diagram::MachineCode sass_code_;
  diagram::Scene sass_scene_;
  SceneView sass_view_;
  Hover sass_hover_;
  LinkedView linked_;
};

// True if a PTX line, or a SASS instruction, comes from the CUDA line of a step. `file`: the learner's own.
bool comes_from(const PtxLine& line, const trace::Site& step, const std::string& file);
bool comes_from(const compile::SassInstruction& instruction, const trace::Site& step, const std::string& file);
// True if a SASS instruction makes the memory access of a step's event. Of the instructions of an atomic on a half,
// this is the compare-and-swap.
bool accesses_like(const compile::SassInstruction& instruction, const trace::Site& step, const trace::WarpEvent& event);

}  // namespace lanescope::gui
