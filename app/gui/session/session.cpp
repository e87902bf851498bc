#include "gui/session/session.h"

#include <algorithm>

#include "core/worded.h"

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
  runs.run_if_needed();
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
  program.start(std::move(what));
  changes_.mark();
}

const Program* Session::program_on_screen() const {
  const OpenRun* run = selection.run();
  return run == nullptr || run->program == nullptr ? nullptr : &run->program->program;
}

void Session::run() {
  const Program* again = program_on_screen();
  if (again == nullptr) return runs.run();
  run_program({again->file, again->arguments, std::nullopt});
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

void Session::program_ended(EndedProgram ended) {
  changes_.mark();
  const Program* before = program_on_screen();
  const bool again = before != nullptr && before->file == ended.program.file;
  const Diagnostics told = worth_telling(ended);
  if (ended.saved_run.empty()) {
    const bool of_text = again && selection.can_edit() && std::ranges::any_of(told, [&](const Diagnostic& one) {
                           return one.place.file == ended.program.file;
                         });
    if (of_text) return runs.refuse_text(told);
    changes_.notices = told;
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
  changes_.notices = told;
  const OpenRun& now = **run;
  const VariantId was = selection.id();
  const std::size_t launch = again                     ? same_launch(*selection.run(), selection.variant_index(), now)
                             : has_fault(*now.program) ? now.lesson.variants.size() - 1
                                                       : 0;
  show(std::move(*run));
  selection.set_variant(launch);
  if (again) place.take_over(was);
  enter_variant();
}

void Session::choose_lesson(std::size_t index) {
  if (index >= selection.lessons().size()) return;
  leave_variant();
  if (index != selection.lesson_index() || selection.run() != nullptr) leave_lesson();
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
  // A recording stays that of what is on screen.
  if (selection.comparison() != nullptr && selection.comparison()->recorded)
    selection.set_compared(Compared{index, {}, false, true});
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
  if (variant) return compare_with({*variant, {}, false});
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
  if (found != variants.end()) choose_variant(static_cast<std::size_t>(found - variants.begin()));
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
  if (!busy()) selection.forget_runs();
  selection.save_in_time();
  return changes_.take();
}

bool Session::busy() const {
  return !runs.idle() || !background_.idle() || !views_.idle() || !schedules.idle() || !recordings.idle() ||
         !replays.idle() || !memory.idle() || !summaries.idle() || program.busy();
}

}  // namespace lanescope::gui
