#include "job/lesson/lesson_check.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "core/worded.h"
#include "job/lesson/lesson_numbers.h"
#include "job/lesson/lesson_request.h"

#include "job/lesson/questions.h"
#include "job/run/race_text.h"
#include "lesson/nearest.h"
#include "metrics/report.h"

namespace lanescope::job {

namespace {

// Controls with more values than this (sizes) keep their default, because runs at the ends of their range can take
// long.
constexpr std::int64_t few_values = 64;

class LessonChecker {
 public:
  LessonChecker(const lesson::Lesson& lesson, MeasuredSource measured)
      : lesson_(lesson), numbers_(lesson, std::move(measured)) {}

  Diagnostics check() {
    for (const lesson::Variant& variant : lesson_.variants) check_variant(variant);
    report_questions();
    for (const lesson::Task& task : lesson_.tasks) check_task(task);
    check_point();
    for (const auto& [language, markdown] : lesson_.text) check_text(language);
    compare_languages();
    return std::move(problems_);
  }

 private:
  void problem(const char* code, const SourcePlace& place, Wording message, Wording cure) {
    problems_.push_back({Severity::error, code, place, std::move(message), std::move(cure)});
  }

  void check_variant(const lesson::Variant& variant) {
    if (variant.gpu_only) return;
    const Wording where = worded("Variant `{}`", variant.id);
    const std::optional<Outcome> outcome = run(variant, where, {});
    if (!outcome) {
      failed_.insert(variant.id);  // reported once; its numbers are not looked up
      return;
    }
    if (outcome->completed)
      for (const lesson::Question& question : lesson_.questions)
        if (question.applies_to(variant.id)) check_question(question, variant, *outcome);
    check_ends(variant, where);
  }

  // Runs the variant with each control of few values at both ends of its range.
  void check_ends(const lesson::Variant& variant, const Wording& where) {
    for (const std::string& name : variant.controls) {
      const lesson::Control* control = lesson_.find_control(name);
      if (!control) continue;
      const std::int64_t values = control->choices.empty() ? (control->max - control->min) / control->step + 1
                                                           : static_cast<std::int64_t>(control->choices.size());
      if (values > few_values || values == 1) continue;
      const std::int64_t highest = control->min + (control->max - control->min) / control->step * control->step;
      for (const std::int64_t end : {control->min, control->choices.empty() ? highest : control->max})
        if (end != control->value) run(variant, where, {{name, end}});
    }
  }

  // nullopt: the run should have completed but did not; this is reported.
  std::optional<Outcome> run(const lesson::Variant& variant, Wording where, const lesson::ControlValues& controls) {
    for (const auto& [name, value] : controls) where = worded("{} with {} = {}", where, name, value);
    Result<Request> request = from_lesson(lesson_, variant, controls);
    if (!request) {
      take(variant, where, request.take_errors());
      return std::nullopt;
    }
    request->record.blocks = {0};
    request->races = controls.empty();
    Outcome outcome = job::run(*request, &variant);
    if (variant.broken_on_purpose) {
      if (outcome.completed && outcome.checks_hold() && request->races && !outcome.race_found())
        problem(
            "lesson.not_broken", variant.place,
            worded("{} is said to be broken on purpose, but it runs to its end, its checks hold, and it has no race.",
                   where),
            "Remove `broken_on_purpose`, or break the kernel.");
      return outcome;
    }
    if (!outcome.completed) {
      take(variant, where, outcome.diagnostics);
      return std::nullopt;
    }
    for (std::size_t i = 0; i < outcome.checks.size(); ++i)
      if (!outcome.checks[i].holds)
        problem("lesson.check_failed", variant.checks[i].place,
                worded("{}: the check `{}` does not hold. {}", where, outcome.checks[i].description,
                       outcome.checks[i].detail),
                "Correct the kernel, or the check.");
    for (int launch = 1; launch <= outcome.launch_count(); ++launch) report_races(variant, where, outcome, launch);
    return outcome;
  }

  // ---- the point

  void check_point() {
    const std::vector<std::string> known = metrics::names();
    std::set<std::string> named;
    for (const std::string& name : lesson_.point.numbers) {
      if (std::ranges::find(known, name) == known.end())
        problem("lesson.unknown_name", lesson_.point.place, worded("There is no number `{}` (in `point`).", name),
                lesson::did_you_mean(name, known));
      if (!named.insert(name).second)
        problem("lesson.duplicate_id", lesson_.point.place, worded("`point` names the number `{}` twice.", name),
                "Remove one of them.");
    }
    std::vector<std::string> first;
    for (const char* language : {"en", "zh-CN"}) {
      const Result<lesson::Section> sentence = lesson::parse_sentence(lesson_, language);
      if (!sentence) continue;  // the text did not load
      std::vector<std::string> said;
      for (const lesson::Piece& piece : sentence->pieces)
        if (piece.kind == lesson::Piece::Kind::number) check_piece(piece), said.push_back(claim(piece));
      std::ranges::sort(said);
      if (language == std::string_view("en"))
        first = said;
      else if (said != first)
        problem("lesson.languages_differ", lesson_.point.sentence_place,
                "The sentence of `point` has other numbers in Chinese.", "Say the same in every language.");
    }
  }

  // ---- questions

  struct Asked {
    bool answered = false;      // in some variant
    bool reported = false;      // an error was reported
    std::set<std::size_t> met;  // misunderstandings that some wrong answer shows
  };

  void check_question(const lesson::Question& question, const lesson::Variant& variant, const Outcome& outcome) {
    if (question.asks_for_time()) return;
    const Live live{variant, outcome, numbers_};
    const Result<std::optional<Answer>> right = right_answer(question, live);
    if (!right) {
      take_question(question.place, question, variant, right.errors());
      return;
    }
    if (!*right) return;
    Asked& asked = asked_[question.id];
    asked.answered = true;
    if ((*right)->options.size() > 1)
      problem("lesson.check_failed", question.place,
              worded("Question `{}`: {} are equally right.", question.id, lesson::joined((*right)->options)),
              "Ask for something where the options differ.");
    for (const Answer& wrong : wrong_answers(question, live, **right)) {
      const Result<const lesson::Misunderstanding*> met = misunderstanding_of(question, live, wrong, **right);
      if (!met) {
        take_question(question.place, question, variant, met.errors());
        return;
      }
      if (*met) asked.met.insert(static_cast<std::size_t>(*met - question.misunderstandings.data()));
    }
  }

  void take_question(const SourcePlace& place, const lesson::Question& question, const lesson::Variant& variant,
                     const Diagnostics& errors) {
    Asked& asked = asked_[question.id];
    if (std::exchange(asked.reported, true)) return;
    asked.answered = true;
    for (std::size_t i = 0; i < question.misunderstandings.size(); ++i) asked.met.insert(i);
    for (Diagnostic error : errors) {
      if (!error.place.file.starts_with(lesson_.folder)) error.place = place;
      error.message = worded("Question `{}` of variant `{}`: {}", question.id, variant.id, error.message);
      problems_.push_back(std::move(error));
    }
  }

  void report_questions() {
    for (const lesson::Question& question : lesson_.questions) {
      const Asked& asked = asked_[question.id];
      if (!asked.answered) {
        // A failed variant has already been reported.
        if (!question.asks_for_time() && failed_.empty())
          problem("lesson.check_failed", question.place,
                  worded("Question `{}` has no answer: the run has no such event.", question.id),
                  "Ask for a number that the variant has.");
        continue;
      }
      for (std::size_t i = 0; i < question.misunderstandings.size(); ++i)
        if (!asked.met.contains(i))
          problem(
              "lesson.check_failed", question.misunderstandings[i].place,
              worded("Question `{}`: no wrong answer shows the misunderstanding \"{}\".", question.id,
                     question.misunderstandings[i].name.en),
              "Its `when` matches only the right answer, nothing, or answers that an earlier misunderstanding already "
              "matches: correct it, or change the order.");
    }
  }

  // ---- tasks

  void check_task(const lesson::Task& task) {
    if (failed_.contains(task.variant)) return;  // already reported
    lesson::Variant variant = lesson_.variant_of(task);
    variant.place = task.place;
    start_must_fail(task, variant);
    variant.file = task.solution;
    const Wording where = worded("The solution of task `{}` ({})", task.id, task.solution);
    const std::size_t before = problems_.size();
    run(variant, where, {});
    if (problems_.size() == before) check_ends(variant, where);
  }

  void start_must_fail(const lesson::Task& task, const lesson::Variant& variant) {
    const Wording where = worded("The start of task `{}` ({})", task.id, task.start);
    Result<Request> request = from_lesson(lesson_, variant, {});
    if (!request) {
      take(variant, where, request.take_errors());
      return;
    }
    request->record.blocks = {0};
    request->races = true;
    const Outcome outcome = job::run(*request, &variant);
    const bool compiled = !outcome.first().ptx.empty();
    if (!compiled)
      take(variant, where, outcome.diagnostics);
    else if (outcome.completed && outcome.checks_hold() && !outcome.race_found())
      problem("lesson.check_failed", task.place, worded("{} passes already: there is nothing to do.", where),
              "Break the start code, or add a check that it fails.");
  }

  void report_races(const lesson::Variant& variant, const Wording& where, const Outcome& outcome, int launch) {
    const trace::Trace& trace = *outcome.trace_of(launch);
    for (const sim::Race& race : outcome.launch(launch)->races.races) {
      if (!sim::accuses(race.kind)) continue;
      const RaceText english = race_text(race, trace, outcome.request, launch);
      const RaceText chinese = race_text(race, trace, outcome.request, launch, "zh-CN");
      const auto said = [&](std::string RaceText::*part) { return Wording::bilingual(english.*part, chinese.*part); };
      const trace::Site& site = trace.sites[race.first.site];
      SourcePlace place =
          site.file == variant.file ? SourcePlace{lesson_.folder + "/" + variant.file, site.line} : variant.place;
      problem("lesson.race", place,
              worded("{}: {} {} {}.", where, said(&RaceText::title), said(&RaceText::both), said(&RaceText::where)),
              said(&RaceText::cure));
    }
  }

  // A lesson's own mistakes already have a place. A compiler error is at a line of the kernel.
  void take(const lesson::Variant& variant, const Wording& where, const Diagnostics& errors) {
    for (Diagnostic error : errors) {
      if (error.severity != Severity::error) continue;
      // The kernel's name and arguments are given in lesson.toml.
      const bool of_lesson = error.code == "compile.no_such_kernel" || error.code.starts_with("argument.");
      if (error.place.file.empty() || of_lesson)
        error.place = variant.place;
      else if (error.place.file == variant.file)
        error.place.file = lesson_.folder + "/" + variant.file;
      error.message = worded("{}: {}", where, error.message);
      problems_.push_back(std::move(error));
    }
  }

  void check_text(const std::string& language) {
    const Result<lesson::Text> text = lesson::parse_text(lesson_, language);
    if (!text) {
      for (const Diagnostic& error : text.errors()) problems_.push_back(error);
      return;
    }
    for (const lesson::Section& section : text->sections)
      for (const lesson::Piece& piece : section.pieces)
        if (piece.kind != lesson::Piece::Kind::markdown) {
          pin_times(piece);
          check_piece(piece);
        }
  }

  // A statement about a time was checked for certain values of the controls. So the time must not change with the
  // controls on screen.
  void pin_times(const lesson::Piece& piece) {
    for (const lesson::NumberReference& reference : piece.formula.references()) {
      if (!lesson::is_measured(reference)) continue;
      for (const std::string& control : controls_of(reference.variant))
        if (!reference.controls.contains(control)) {
          problem("lesson.wrong_number", piece.place,
                  worded("`{}` follows the control `{}` on screen.", reference.text(), control),
                  "Give every control, as in `copy(n=64,stride=8).time`: a statement about a time holds only for these "
                  "values.");
          break;
        }
    }
  }

  std::vector<std::string> controls_of(const std::string& variant) const {
    if (const lesson::Yardstick* yardstick = lesson_.find_yardstick(variant)) return yardstick->controls;
    std::vector<std::string> all;
    for (const lesson::Variant& one : lesson_.variants) {
      if (one.id == variant) return one.controls;
      all.insert(all.end(), one.controls.begin(), one.controls.end());
    }
    return all;  // "current" may be any of them
  }

  void check_piece(const lesson::Piece& piece) {
    const lesson::Variant& shown = lesson_.variants.front();
    lesson::ControlValues controls;
    for (const lesson::Control& control : lesson_.controls) controls[control.name] = control.value;
    bool known = true;
    const auto source = [&](const lesson::NumberReference& reference) -> std::optional<double> {
      Result<std::optional<double>> value = numbers_.value(reference, shown.id, controls);
      if (value && *value) return **value;
      known = false;
      if (!failed_.contains(reference.variant == "current" ? shown.id : reference.variant))
        report(piece, reference, value);
      return std::nullopt;
    };
    Result<std::optional<double>> value = lesson::value_of(piece.formula, source, controls);
    if (!value) {
      for (Diagnostic& error : value.take_errors()) problems_.push_back(std::move(error));
      return;
    }
    if (!known || !*value) return;
    if (piece.kind == lesson::Piece::Kind::stated && !lesson::agrees(piece, **value))
      problem("lesson.wrong_number", piece.place,
              worded("The text states {}, but `{}` is {}.", piece.markdown, piece.formula.text(),
                     lesson::format_number(**value, **value == std::floor(**value) ? "plain" : "6")),
              "Correct the number, or what it is compared with.");
    if (piece.kind == lesson::Piece::Kind::check && **value == 0)
      problem("lesson.wrong_number", piece.place, worded("The check `{}` does not hold.", piece.formula.text()),
              "Correct the text, or the check.");
  }

  void report(const lesson::Piece& piece, const lesson::NumberReference& reference,
              const Result<std::optional<double>>& value) {
    if (value && lesson::is_measured(reference)) return;  // the learner then reads "not measured"
    if (value) {
      problem("lesson.wrong_number", piece.place,
              worded("`{}` has no value: the run has no such event.", reference.text()),
              "Refer to a number that this variant has.");
      return;
    }
    for (Diagnostic error : value.errors()) {
      if (error.place.file.empty()) error.place = piece.place;
      problems_.push_back(std::move(error));
    }
  }

  // The claims of a text in a normal form, in which equal claims are equal strings, and the places of each.
  using Claims = std::map<std::string, std::vector<SourcePlace>>;
  static Claims claims(const lesson::Text& text) {
    Claims found;
    for (const lesson::Section& section : text.sections)
      for (const lesson::Piece& piece : section.pieces)
        if (piece.kind != lesson::Piece::Kind::markdown) found[claim(piece)].push_back(piece.place);
    return found;
  }

  static std::string claim(const lesson::Piece& piece) {
    std::string formula = piece.formula.text();
    std::erase(formula, ' ');
    switch (piece.kind) {
      case lesson::Piece::Kind::stated:
        return fmt::format("[[{} = {}]]", piece.markdown, formula);
      case lesson::Piece::Kind::check:
        return fmt::format("<!-- check: {} -->", formula);
      default:
        return fmt::format("{{{{{}}}}}", formula);
    }
  }

  // Each claim must occur equally often in every language. A claim that one language lacks is reported at its own line.
  void compare_languages() {
    const Result<lesson::Text> first =
        lesson_.text.contains("en") ? lesson::parse_text(lesson_, "en") : Result<lesson::Text>(Diagnostic{});
    if (!first) return;
    const Claims wanted = claims(*first);
    for (const auto& [language, markdown] : lesson_.text) {
      const Result<lesson::Text> other = lesson::parse_text(lesson_, language);
      if (!other || language == "en") continue;
      const Claims given = claims(*other);
      only_in(wanted, given, other->file);
      only_in(given, wanted, first->file);
    }
    if (lesson_.text.contains("zh-CN"))
      problems_.insert(problems_.end(), lesson_.untranslated.begin(), lesson_.untranslated.end());
  }

  void only_in(const Claims& one, const Claims& other, const std::string& other_path) {
    const std::string other_file = other_path.substr(other_path.rfind('/') + 1);
    for (const auto& [claim, places] : one) {
      const auto found = other.find(claim);
      const std::size_t there = found == other.end() ? 0 : found->second.size();
      for (std::size_t i = there; i < places.size(); ++i)
        problem("lesson.languages_differ", places[i],
                worded("`{}` appears here{}.", claim,
                       there ? worded(" more often than in {}", other_file) : worded(", but not in {}", other_file)),
                "Make the texts say the same in every language.");
    }
  }

  const lesson::Lesson& lesson_;
  LessonNumbers numbers_;
  std::set<std::string> failed_;  // variants that did not run
  std::map<std::string, Asked> asked_;
  Diagnostics problems_;
};

}  // namespace

Diagnostics check_lesson(const lesson::Lesson& lesson, MeasuredSource measured) {
  return LessonChecker(lesson, std::move(measured)).check();
}

}  // namespace lanescope::job
