#pragma once
// The learner's activity and its results: parts that each know only those before them, and the few commands that
// concern several. Independent of painting. Runs happen off the frame; update() fetches their results.

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gui/programs/program_run.h"
#include "gui/session/changes.h"
#include "gui/session/details.h"
#include "gui/session/exercises.h"
#include "gui/session/file_watch.h"
#include "gui/session/form_checks.h"
#include "gui/session/memory.h"
#include "gui/session/place.h"
#include "gui/session/recordings.h"
#include "gui/session/replays.h"
#include "gui/session/runs.h"
#include "gui/session/schedules.h"
#include "gui/session/selection.h"
#include "gui/session/summaries.h"

namespace lanescope::gui {

class Session {
 private:
  Changes changes_;  // declared first, because the parts share it

 public:
  // GPU recordings of a lesson are read in the background when it is first chosen; the folder need not exist. Without
  // `gpus` there is only the interpreter.
  Session(std::vector<lesson::Lesson> lessons, StateStore store, const std::function<void()>& wake,
          const std::string& recordings_folder = {}, const std::shared_ptr<GpuBackend>& gpus = nullptr);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  Selection selection;
  Schedules schedules;
  Runs runs;
  Place place;
  Summaries summaries;
  Replays replays;
  Memory memory;
  Recordings recordings;
  Details details;
  Exercises exercises;
  FormChecks form_checks;
  FileWatch file_watch;
  FileSave file_save;
  ProgramRun program;  // that the window runs now

  // Both keep edits and controls, show the variant's last result, and run it if that is out of date.
  void choose_lesson(std::size_t index);
  void choose_variant(std::size_t index);
  // A saved run replaces the lessons until a lesson is chosen. Errors in the file become notices; then nothing changes,
  // and it returns false.
  bool open(const std::string& path);
  // The same for a CUDA file without main(). Its first kernel runs once its form is checked and nothing is wrong. A
  // file without a kernel opens too: what is wrong with it is a problem of the code on screen.
  bool open_kernels(const std::string& path, const compile::Preprocessor& given = {});
  // Runs the program, with its edited text if it has one. When it has ended, its launches replace what is on screen;
  // if they did before, the same launch and place stay there. Whatever is wrong becomes a notice, or a problem of the
  // code on screen.
  void run_program(Program what);
  // The program whose launches, or whose text because it was not built, are on screen; null: none, or the window did
  // not run it.
  const Program* program_on_screen() const;
  bool launch_was_left_out() const;
  // The file's text takes the place of its edit (Selection::edit_outdated()): returns it for the editor, where the edit
  // can be brought back; a copy is kept too, and a notice says where.
  std::string take_file();
  // Runs what is on screen again: the program, which may have changed, or else the kernel.
  void run();
  void stop();
  // By name, with these values of the lesson's controls. Names and values must exist (empty variant = the first).
  void choose(const std::string& lesson, const std::string& variant, const lesson::ControlValues& controls);
  // Sets a second variant, which runs whenever the first does; nullopt ends comparing.
  void compare(std::optional<std::size_t> variant);
  // The same with changes of its own. `run_now`: false while a slider is dragged.
  void compare_with(Compared compared, bool run_now = true);

  // Goes to the place of a question, at the exact execution whose number or lanes it asks for. A choice among variants
  // without a place shows the chosen variant, so that the learner sees what the misunderstanding leads to.
  void go_to(const lesson::Question& question);
  // Shows the variant and the values of controls that a text's number refers to; runs it if it was not shown yet.
  void show_run_of(const lesson::NumberReference& number);
  void open_task(const lesson::Task& task);  // with its launch, if it has one of its own
  void leave_task();                         // back to the variant's own launch

  // For Ctrl + S: writes the text on screen into the learner's file (see FileSave). The edit of a lesson has no such
  // file: saves it at once and tells where.
  void save_edit();
  const Diagnostics& notices() const { return changes_.notices; }  // about the window itself
  void tell(const Diagnostics& more) {
    changes_.notices.insert(changes_.notices.end(), more.begin(), more.end());
    changes_.mark();
  }
  void dismiss_notices() { changes_.notices.clear(); }
  // Increases whenever something on screen may have changed.
  std::uint64_t revision() const { return changes_.revision(); }

  // Work of a view, off the frame. A new request with the same name replaces the one before; completions run in
  // update().
  void off_frame(const std::string& name, Worker::WorkInParts work) { views_.post_in_parts(name, std::move(work)); }

  // Fetches results and saves edits. Returns true if something changed. Call once per frame.
  bool update();
  bool busy() const;

 private:
  void leave_variant();  // before another variant or lesson comes on screen; then call enter_variant()
  void leave_lesson();   // and what belongs to it
  void enter_variant();
  void program_ended(EndedProgram ended);
  bool program_failed(const EndedProgram& ended, bool again, const Diagnostics& told);
  bool builds_with_headers(const EndedProgram& ended);
  bool open_unbuilt(const Program& what, Diagnostics said);
  std::optional<Compared> compared_again(const OpenRun& now) const;
  void show(std::shared_ptr<const OpenRun> run);
  void run_checked_form();
  void set_task(const std::string& id);
  void tell_held();

  bool run_when_checked_ = false;  // the kernel on screen, once its form is
  // What a program's run said about a launch that is on screen; it becomes a notice unless that launch tells it too.
  Diagnostics held_;
  std::optional<Program> unbuilt_;  // whose text was opened because it could not be built
  Diagnostics refused_;  // why an edited text did not become a program; told in the editor once its file has run

  // Declared last, so that their threads end before the members that their work and completions use.
  Worker background_, views_;
};

}  // namespace lanescope::gui
