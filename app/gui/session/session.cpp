#include "gui/session/session.h"

#include <algorithm>
#include <utility>

#include "core/worded.h"
#include "job/request/launch_completion.h"

namespace lanescope::gui {

Session::Session(std::vector<lesson::Lesson> lessons, StateStore store, const std::function<void()>& wake,
                 const std::string& recordings_folder, const std::shared_ptr<GpuBackend>& gpus)
    : selection(std::move(lessons), std::move(store), changes_),
      schedules(selection, changes_, wake),
      runs(selection, changes_, wake, gpus),
      place(selection, runs, changes_),
      summaries(selection, runs, place, changes_, wake),
      replays(selection, runs, place, changes_, wake),
      memory(selection, runs, place, wake),
      recordings(selection, runs, changes_, wake, recordings_folder),
      details(selection, runs, place, recordings, changes_, background_),
      exercises(selection, runs, recordings, changes_, background_),
      form_checks(selection, changes_, wake),
      file_watch(selection, changes_, wake),
      file_save(selection, changes_, wake),
      program({}, wake),
      background_(wake),
      views_(wake) {
  runs.before_change = [this] { place.remember(); };
  runs.after_change = [this] { place.settle(); };
}

void Session::leave_variant() {
  place.remember();
}

// The variant may have run since it was last on screen: beside another one, or after another lesson was chosen.
void Session::enter_variant() {
  changes_.mark();
  place.enter();
  const KernelFile* file = selection.kernel_file();
  run_when_checked_ = file != nullptr && !file->of_program;
  if (file == nullptr) runs.run_if_needed();
}

void Session::run_checked_form() {
  if (selection.kernel_file() == nullptr || !run_when_checked_ || !form_checks.done()) return;
  run_when_checked_ = false;
  if (!form_checks.problems().any()) runs.run_if_needed();
}

void Session::leave_lesson() {
  selection.set_compared({});
  details.lesson_left();
  exercises.lesson_left();
  recordings.lesson_left();
  runs.stop_measuring();
}

bool Session::open(const std::string& path) {
  auto run = open_run(path);
  changes_.mark();
  if (!run) {
    for (Diagnostic& why : run.take_errors()) changes_.notices.push_back(std::move(why));
    return false;
  }
  show(std::move(*run));
  enter_variant();
  return true;
}

bool Session::open_kernels(const std::string& path, const compile::Preprocessor& given) {
  auto file = open_kernel_file(path, /*of_program=*/false, given);
  changes_.mark();
  if (!file) {
    for (Diagnostic& why : file.take_errors()) changes_.notices.push_back(std::move(why));
    return false;
  }
  leave_variant();
  leave_lesson();
  selection.set_kernel_file(std::move(*file));
  enter_variant();
  return true;
}

// Then call enter_variant().
void Session::show(std::shared_ptr<const OpenRun> run) {
  leave_variant();
  leave_lesson();
  for (const Diagnostic& remark : run->file->remarks()) changes_.notices.push_back(remark);
  selection.set_run(std::move(run));
}

void Session::run_program(Program what) {
  if (what.file.ends_with(".cu") && !what.text) what.text = selection.edit_of_program(what.file);
  changes_.notices.clear();
  held_.clear(), refused_.clear();
  program.start(std::move(what));
  changes_.mark();
}

const Program* Session::program_on_screen() const {
  if (const KernelFile* file = selection.kernel_file(); file != nullptr)
    return file->of_program && unbuilt_ && unbuilt_->file == file->path ? &*unbuilt_ : nullptr;
  const OpenRun* run = selection.run();
  return run == nullptr || run->program == nullptr ? nullptr : &run->program->program;
}

void Session::run() {
  const Program* again = program_on_screen();
  if (again == nullptr || launch_was_left_out()) return runs.run();
  run_program(again->unedited());  // with the edit as it is now
}

// The program was stopped in the launch on screen.
bool Session::launch_was_left_out() const {
  const OpenRun* run = selection.run();
  return run != nullptr && !run->had_ended(selection.variant_index()) && !selection.edited() &&
         runs.problems().empty() && runs.shown(selection.variant_index()) == nullptr;
}

std::string Session::take_file() {
  if (const std::string copy = selection.copy_edit(); !copy.empty())
    tell({{Severity::note,
           "edit.replaced",
           {selection.file_on_screen()},
           worded("A copy of your edit is kept: {}.", copy),
           "Ctrl + Z in the editor brings it back, too."}});
  return selection.original_source();
}

void Session::save_edit() {
  if (!selection.file_on_screen().empty()) return file_save.save();
  selection.flush();
  const std::string path = selection.file_of_edit();
  changes_.notices.clear();
  if (path.empty())
    tell({{Severity::note, "edit.none", {}, "There is no edit to save.", {}}});
  else
    tell({{Severity::note, "edit.kept", {path}, "Your edit is kept here, also for the next start.", {}}});
}

void Session::stop() {
  if (program.busy())
    program.stop();
  else
    runs.stop();
}

namespace {

// Errors and what else is worth a notice: neither notes nor the compiler's warnings.
Diagnostics worth_telling(const EndedProgram& ended) {
  constexpr std::size_t most = 5;
  Diagnostics told;
  for (const Severity severity : {Severity::error, Severity::warning})
    for (const Diagnostic& one : ended.said)
      if (one.severity == severity && told.size() < most &&
          (severity == Severity::error || !one.code.starts_with("compile.")))
        told.push_back(one);
  return told;
}

bool has_fault(const EndedProgram& ended) {
  return std::ranges::any_of(ended.said, [](const Diagnostic& one) {
    return one.severity == Severity::error && !one.code.starts_with("program.");
  });
}

}  // namespace

// The headers of a project often lie in a folder beside: the program is built again with that as an include path.
bool Session::builds_with_headers(const EndedProgram& ended) {
  const std::string folder =
      job::folder_of_missing_header(ended.program.file, ended.program.preprocessor.include_paths, ended.said);
  if (folder.empty()) return false;
  tell({{Severity::note,
         "program.headers",
         {ended.program.file},
         worded("Headers were found in {}.", folder),
         "The program is built with that folder as an include path."}});
  Program wider = ended.program;
  wider.preprocessor.include_paths.push_back(folder);
  program.start(std::move(wider));
  return true;
}

// A program that saved no launch. True: what is wrong is told where its text is on screen, or will be.
bool Session::program_failed(const EndedProgram& ended, bool again, const Diagnostics& told) {
  const bool of_text = again && selection.can_edit() && std::ranges::any_of(told, [&](const Diagnostic& one) {
                         return one.place.file == ended.program.file;
                       });
  if (of_text) {
    runs.refuse_text(told);
    return true;
  }
  // With nothing on screen nobody could see the edit, nor mend it: its file runs instead.
  if (!again && ended.program.text && !told.empty()) {
    refused_ = told;
    program.start(ended.program.unedited());
    return true;
  }
  const bool of_code = !again && ended.program.file.ends_with(".cu") && std::ranges::any_of(told, [](const auto& one) {
    return one.severity == Severity::error && one.code.starts_with("compile.");
  });
  return of_code && open_unbuilt(ended.program, refused_.empty() ? told : std::exchange(refused_, {}));
}

// Opens the text of a program, so that it can be corrected.
bool Session::open_unbuilt(const Program& what, Diagnostics said) {
  auto file = open_kernel_file(what.file, /*of_program=*/true, what.preprocessor);
  if (!file) return false;
  leave_variant();
  leave_lesson();
  selection.set_kernel_file(std::move(*file));
  unbuilt_ = what.unedited();
  enter_variant();
  runs.refuse_text(std::move(said));
  return true;
}

void Session::program_ended(EndedProgram ended) {
  changes_.mark();
  const Program* before = program_on_screen();
  bool again = before != nullptr && before->file == ended.program.file;
  const Diagnostics told = worth_telling(ended);
  if (ended.saved_run.empty()) {
    if (builds_with_headers(ended) || program_failed(ended, again, told)) return;
    changes_.notices = told;
    changes_.notices.insert(changes_.notices.begin(), refused_.begin(), refused_.end());
    refused_.clear();
    const std::string last = ended.printed.substr(0, ended.printed.find_last_not_of('\n') + 1);
    if (!last.empty())
      changes_.notices.push_back({Severity::note,
                                  "program.printed",
                                  {ended.program.file},
                                  worded("It printed last: {}", last.substr(last.find_last_of('\n') + 1)),
                                  {}});
    return;
  }
  auto run = open_run(std::make_shared<const EndedProgram>(std::move(ended)));
  if (!run) {
    changes_.notices = run.take_errors();
    return;
  }
  const OpenRun& now = **run;
  const VariantId was = selection.id();
  again = again && selection.run() != nullptr;  // and not only its text
  const std::size_t launch = again                     ? same_launch(*selection.run(), selection.variant_index(), now)
                             : has_fault(*now.program) ? now.lesson.variants.size() - 1
                                                       : 0;
  const std::optional<Compared> beside = again ? compared_again(now) : std::nullopt;
  show(std::move(*run));
  selection.set_variant(launch);
  if (again) place.take_over(was);
  if (beside && !beside->before) selection.set_compared(beside);
  if (beside && beside->before && selection.versions(launch)) selection.set_compared(version_before(launch));
  held_ = told;
  if (selection.run()->had_ended(launch)) return enter_variant();
  // Whoever stopped it does not want the rest of it here either.
  held_.push_back({Severity::note,
                   "program.launch_unfinished",
                   {},
                   worded("Launch {} had not ended when the program was stopped, and has not been run here.",
                          selection.run()->entry(launch).number),
                   "Space runs this launch alone; if you stop it, what it did up to there stays on screen."});
  run_when_checked_ = false;
  place.enter();
}

// Once the launch on screen has run. A fault is told once: below the code, where that launch tells it again, or else as
// a notice.
void Session::tell_held() {
  if (!runs.idle() || program.busy()) return;
  if (!refused_.empty() && selection.can_edit()) runs.refuse_text(std::exchange(refused_, {}));
  if (held_.empty()) return;
  Diagnostics below = runs.problems();
  if (const RunResult* shown = runs.shown()) below.insert(below.end(), shown->remarks.begin(), shown->remarks.end());
  std::erase_if(held_, [&](const Diagnostic& one) {
    return std::ranges::any_of(below, [&](const Diagnostic& other) {
      return one.code == other.code && one.place.file == other.place.file && one.place.line == other.place.line;
    });
  });
  tell(std::exchange(held_, {}));
}

// What stays beside the program on screen when its next run replaces it: the launch that corresponds to the one that is
// there now, or the version before.
std::optional<Compared> Session::compared_again(const OpenRun& now) const {
  if (selection.comparison() == nullptr) return std::nullopt;
  Compared other = *selection.comparison();
  other.variant = same_launch(*selection.run(), other.variant, now);
  return other;
}

void Session::choose_lesson(std::size_t index) {
  if (index >= selection.lessons().size()) return;
  leave_variant();
  if (index != selection.lesson_index() || !selection.is_lesson()) leave_lesson();
  selection.set_lesson(index);
  recordings.read();
  enter_variant();
}

void Session::choose_variant(std::size_t index) {
  if (index >= selection.lesson().variants.size()) return;
  leave_variant();
  // Exchanges the two variants, unless the comparison has values or text of its own.
  if (selection.compared() == index && !selection.comparison()->has_own())
    selection.set_compared(Compared{selection.variant_index(), {}, false});
  // A recording and an earlier version stay those of what is on screen.
  if (selection.comparison() != nullptr && selection.comparison()->recorded)
    selection.set_compared(Compared{index, {}, false, true});
  if (selection.comparison() != nullptr && selection.comparison()->before)
    selection.set_compared(selection.versions(index) ? std::optional(version_before(index)) : std::nullopt);
  selection.set_variant(index);
  enter_variant();
}

void Session::choose(const std::string& lesson_id, const std::string& variant_id,
                     const lesson::ControlValues& controls) {
  const auto& lessons = selection.lessons();
  const auto found = std::ranges::find(lessons, lesson_id, &lesson::Lesson::id);
  if (found == lessons.end()) return;
  leave_variant();
  selection.set_lesson(static_cast<std::size_t>(found - lessons.begin()));
  recordings.read();
  for (const auto& [name, value] : controls) selection.set_control(name, value);
  const auto variant = std::ranges::find(found->variants, variant_id, &lesson::Variant::id);
  selection.set_variant(variant == found->variants.end() ? 0
                                                         : static_cast<std::size_t>(variant - found->variants.begin()));
  enter_variant();
}

void Session::compare(std::optional<std::size_t> variant) {
  if (variant) {
    Compared other{*variant, {}, false};
    // A kernel beside itself: as it was launched before.
    if (selection.kernel_file() != nullptr && *variant == selection.variant_index())
      for (const std::string& launch : selection.forms().ran(selection.id()))
        if (launch != selection.form_text()) {
          other.launch = launch;
          break;
        }
    return compare_with(std::move(other));
  }
  selection.set_compared({});
  changes_.mark();
  runs.run_if_needed();
}

void Session::compare_with(Compared compared, bool run_now) {
  if (compared.variant >= selection.lesson().variants.size()) return;
  selection.set_compared(std::move(compared));
  changes_.mark();
  if (run_now) runs.run_if_needed();
}

void Session::go_to(const lesson::Question& question) {
  if (question.look.mark.empty()) {
    if (const auto variant = exercises.chosen_in(question)) {
      choose_variant(*variant);
      place.go_to(selection.variant().look);
    }
    return;
  }
  place.go_to(question.look);
  // The execution that the answer refers to, if it has one.
  const lesson::NumberReference* of = question.kind == lesson::Question::Kind::lanes ? &question.lanes : nullptr;
  if (question.kind == lesson::Question::Kind::number && question.answer.references().size() == 1)
    of = &question.answer.references().front();
  const bool own = of != nullptr && of->step > 0 && of->mark == question.look.mark && of->launch == runs.launch() &&
                   (of->variant.empty() || of->variant == selection.variant().id);
  if (own) place.go_to_execution(*of);
}

void Session::show_run_of(const lesson::NumberReference& number) {
  for (const auto& [name, value] : number.controls) selection.set_control(name, value);
  const auto& variants = selection.lesson().variants;
  const auto of = std::ranges::find(variants, number.variant, &lesson::Variant::id);
  if (of != variants.end() && !of->gpu_only) choose_variant(static_cast<std::size_t>(of - variants.begin()));
  runs.run_if_needed();
}

void Session::open_task(const lesson::Task& task) {
  const auto& variants = selection.lesson().variants;
  const auto found = std::ranges::find(variants, task.variant, &lesson::Variant::id);
  if (found == variants.end()) return;
  choose_variant(static_cast<std::size_t>(found - variants.begin()));
  if (selection.has_own_launch(task)) set_task(task.id);
}

void Session::leave_task() {
  set_task({});
}

void Session::set_task(const std::string& id) {
  selection.set_task(id);
  changes_.mark();
  runs.run_if_needed();
}

bool Session::update() {
  runs.drain();
  background_.drain();
  schedules.drain();
  recordings.drain();
  if (summaries.drain()) changes_.mark();
  if (replays.drain()) changes_.mark();
  if (memory.drain()) changes_.mark();
  if (auto ended = program.take()) program_ended(std::move(*ended));
  if (views_.drain()) changes_.mark();
  form_checks.drain();
  form_checks.update();
  run_checked_form();
  if (const RunResult* ran = runs.shown(selection.variant_index())) selection.note_run(*ran);
  file_save.drain();
  file_watch.update();
  tell_held();
  if (!busy()) selection.forget_runs();
  selection.save_in_time();
  return changes_.take();
}

bool Session::busy() const {
  return !runs.idle() || !background_.idle() || !views_.idle() || !schedules.idle() || !recordings.idle() ||
         !replays.idle() || !memory.idle() || !summaries.idle() || !form_checks.idle() || !file_save.idle() ||
         program.busy();
}

}  // namespace lanescope::gui
