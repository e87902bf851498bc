#pragma once
// The parts of the window. Each paints itself into a rectangle (pixels) of the current ImGui window
// and turns clicks into calls of the session; what it keeps between frames is only what painting
// needs.

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "diagram/views.h"
#include "gui/exercises.h"
#include "gui/scene_painter.h"
#include "gui/schedules_panel.h"
#include "gui/time_sizes.h"
#include "gui/ui.h"

class TextEditor;

namespace lanescope::gui {

void draw_top_bar(const Ui& ui, const PanelRect& rect);

class LessonPanel {
 public:
  LessonPanel();
  ~LessonPanel();
  void draw(const Ui& ui, const PanelRect& rect);

 private:
  struct Cache;
  void page(const Ui& ui);
  void follow(const Ui& ui, const std::string& link);
  void arrive(const Ui& ui);
  std::unique_ptr<Cache> cache_;
  QuestionCards questions_;
  TaskCards tasks_;
};

// A row of the numbers table, as it is printed.
struct NumberRow {
  std::string name;  // dotted
  std::string label, value, ideal, ratio;
  bool worse = false;  // more than the ideal
  std::string nsight, note;
  bool of_point = true;  // of what the lesson is about; others are folded
};
// `always`: listed at zero too.
std::vector<NumberRow> number_rows(const RunResult& result, const std::vector<std::string>& always = {});
// Those of the lesson's point first, in its order.
std::vector<NumberRow> by_point(std::vector<NumberRow> rows, const lesson::Point& point);
// With the row that folds and unfolds the others, where there are any.
std::size_t rows_on_screen(const std::vector<NumberRow>& rows, bool unfolded);
// What stands beside the lines until the learner chooses.
Heat heat_of_point(const lesson::Lesson& lesson, const lesson::Variant& variant);

// What the lesson is about, in one sentence with the numbers of the run on screen.
class PointSentence {
 public:
  // Empty where the lesson says none, while a question asks for it, and for what its numbers are not of.
  const std::string& of(const Ui& ui);

 private:
  struct Shown {
    std::string lesson, variant;
    std::uint64_t revision = 0;
    Language language{};
    friend bool operator==(const Shown&, const Shown&) = default;
  };
  Shown shown_;
  std::string said_;
};

// CUDA (an editor), PTX and SASS; below them the controls and the numbers of the run.
class CodePanel {
 public:
  CodePanel();
  ~CodePanel();
  void draw(const Ui& ui, const PanelRect& rect);
  // The editor of the variant on screen; made when it is first shown.
  TextEditor& editor(const Session& session);
  void reset_to_lesson(const Ui& ui);  // can be undone in the editor
  void replace_text(const Ui& ui, const std::string& text);  // likewise; runs it
  // For tests: the machine code on screen, and what is hovered there.
  const diagram::Scene& sass_scene() const { return sass_scene_; }
  const Hover& sass_hover() const { return sass_hover_; }

 private:
  struct Buffer;
  void cuda(const Ui& ui, float height);
  void gutter(const Ui& ui, const Buffer& buffer, float x0, float x1);
  void ptx(const Ui& ui, float height);
  void sass(const Ui& ui, float height);
  void problems(const Ui& ui);
  Buffer& buffer(const Session& session);
  std::map<std::string, std::unique_ptr<Buffer>> buffers_;
  float problem_height_ = 0;
  const std::vector<NumberRow>& rows(const Ui& ui);
  std::vector<NumberRow> rows_;  // of rows_of_
  std::uint64_t rows_of_ = 0;
  // What the machine code's picture was made for.
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
  std::string listing_shown_;  // variant and place that the PTX or SASS listing was scrolled to
  SassShown sass_shown_;
  diagram::MachineCode sass_code_;
  diagram::Scene sass_scene_;
  SceneView sass_view_;
  Hover sass_hover_;
};

// "Line 3: …", in the language chosen; "header.h:3: …" where the place is not in the code of a variant of the lesson.
std::string problem_text(const Ui& ui, const Diagnostic& problem);
// The line of the code that it is about; 0: none, or of another file.
int line_in_code(const Ui& ui, const Diagnostic& problem);
// The two texts where no code is set apart: in hints, for a class. Without backticks.
struct ProblemTexts {
  std::string what, cure;
};
ProblemTexts plain_texts(const Ui& ui, const Diagnostic& problem);
// Where and what happened, and below it, smaller, what to do about it. A click on it shows the line.
void draw_problem(const Ui& ui, const Diagnostic& problem, ImU32 colour, TypeStyle style = type::small);

// Whether a line of the PTX, or an instruction of the SASS, comes from the CUDA line of a step. `file`:
// the learner's own.
bool comes_from(const PtxLine& line, const trace::Site& step, const std::string& file);
bool comes_from(const compile::SassInstruction& instruction, const trace::Site& step,
                const std::string& file);
// Whether an instruction of the SASS accesses memory as an event of the step does: of all that an atomic on a half became,
// the compare-and-swap.
bool accesses_like(const compile::SassInstruction& instruction, const trace::Site& step, const trace::WarpEvent& event);

// `low`: rows stand closer. Heights in device-independent pixels.
void draw_controls(const Ui& ui, bool low);
void draw_numbers(const Ui& ui, const std::vector<NumberRow>& numbers, bool low);  // `numbers`: of what is shown
float controls_height(const Ui& ui, bool low);
float number_rows_height(bool low, int count);  // with their heading

class WarpPanel {
 public:
  void draw(const Ui& ui, const PanelRect& rect);
  // Chooses the picture that the lesson names for a variant, once when it comes on screen. Whoever shows it then.
  void open_view(const Ui& ui);
  const Hover& hover() const { return hover_; }          // of all its pictures
  const diagram::Scene& scene() const { return scene_; }  // the one below the lanes

 private:
  // What the picture was last laid out for.
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
  void whole_block(const Ui& ui, const PanelRect& rect);
  void picture(const Ui& ui, const PanelRect& body);
  void fit(const Ui& ui, WarpTab tab, const Spacing& spacing, float width, float height);
  SceneView lanes_, view_;
  Hover hover_;
  Fit fit_;
  diagram::Scene scene_;
  float zoom_ = 1;
  std::string opened_;  // lesson/variant
  PointSentence point_;
  SceneView block_;
  BlockShown block_shown_;
  diagram::Scene block_scene_;
};

// The film of one warp's steps; behind another tab the schedules.
class StepsPanel {
 public:
  void draw(const Ui& ui, const PanelRect& rect);

 private:
  // What the film was last made for.
  struct Shown {
    std::uint64_t result = 0;
    std::uint32_t block = 0, warp = 0;
    std::size_t step = 0;
    float width = 0, height = 0;
    Language language{};
    friend bool operator==(const Shown&, const Shown&) = default;
  };
  SceneView film_;
  Hover hover_;
  Shown shown_;
  diagram::Scene scene_;
  SchedulesPanel schedules_;
};

// What clocks and witnesses say: times with their plot, and the three witnesses side by side.
class TimePanel {
 public:
  void draw(const Ui& ui, const PanelRect& rect);

 private:
  void body(const Ui& ui, bool tight, bool low);
  void times(const Ui& ui, bool tight, bool low);
  void head(const Ui& ui);                     // whose size, and over what
  void plot_with_legend(const Ui& ui, bool tight);
  void variants(const Ui& ui);                 // side by side
  bool elsewhere(const Ui& ui);                // which sizes are recorded where these are not; false: nothing to go to
  TimeSize size(const Ui& ui) const;           // as chosen, where the variant has two
  std::string& over(const Ui& ui);             // the control that the plot is over; empty: the variants side by side

  std::map<std::string, std::string> chosen_;  // lesson/variant → control
  TimeSize size_ = TimeSize::measure;
};

// Where the code, and what is said under it, are not in sight: that the variant's result is wrong, in one line at `y` (pixels)
// between x0 and x1, the whole of it as a hint. `wrong_result` is null where it is right, not known, or of another text or values.
const job::WrongResult* wrong_result(const Session& session, std::size_t variant);
void draw_wrong_result(const Ui& ui, const job::WrongResult& wrong, TypeStyle style, float x0, float x1, float y);

// The three witnesses of the run on screen, number by number, in the current window.
void draw_agreement(const Ui& ui);

class PresentView {
 public:
  void draw(const Ui& ui, const PanelRect& rect);

 private:
  void whole_block(const Ui& ui, float x, float y, float width, float room, float zoom);
  void questions(const Ui& ui, const PanelRect& rect);

  SceneView lanes_, view_, block_;
  diagram::Scene block_scene_;           // of block_shown_
  std::string block_shown_;
  Hover hover_;
};

void draw_help(const Ui& ui);

}  // namespace lanescope::gui
