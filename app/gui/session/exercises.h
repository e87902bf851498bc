#pragma once
// Questions and tasks of the lesson on screen: answers and edited kernels held to what a run gives, off the frame.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gui/session/recordings.h"
#include "job/lesson/questions.h"
#include "job/run/schedules.h"

namespace lanescope::gui {

class Exercises {
 public:
  // `background` runs one piece of work at a time; it is the session's, and outlived by this.
  Exercises(const Selection& selection, const Runs& runs, Recordings& recordings, Changes& changes, Worker& background)
      : selection_(selection), runs_(runs), recordings_(recordings), changes_(changes), background_(background) {}

  // What became of an answer to a question of the lesson. It belongs to the run in `key`.
  struct Verdict {
    RunKey key;
    bool known = false;  // false: being worked out
    bool right = false;
    job::Answer given, correct;
    const lesson::Misunderstanding* why = nullptr;  // of a wrong answer; null: it has no name
    std::optional<Diagnostic> cannot;               // why it cannot be asked of this run
    bool nothing = false;                           // nothing of the kind happens in this run
    // Of a question about time: the numbers that decide it, with the label to show.
    struct Time {
      std::string option;
      metrics::Interval seconds;
      Wording label;
    };
    std::vector<Time> times;
  };
  // Questions about time can be asked only where somebody measured every option, of the lesson's own text.
  enum class Askable : std::uint8_t { yes, not_measured, edited };
  Askable askable(const lesson::Question& question);
  void answer(const lesson::Question& question, const job::Answer& given);
  const Verdict* verdict(const lesson::Question& question) const;  // null: not answered
  // The variant that a choice is about: the one that was chosen, or the right one. None before the verdict is known.
  std::optional<std::size_t> chosen_in(const lesson::Question& question) const;
  // Whether Session::go_to() has a place to go to.
  bool shows_place(const lesson::Question& question) const;

  // Tasks: the code on screen, held to a task's rules.
  struct Grade {
    RunKey key;
    bool known = false, passed = false;
    std::vector<job::CheckResult> checks;
    std::vector<job::RaceText> races, races_chinese;  // that accuse: what is right by luck does not pass
    Diagnostics problems;                             // when the code did not compile or run to its end
  };
  std::string start_of(const lesson::Task& task) const;  // the text that it begins with
  // `most_steps`: warp instructions that its run may take; 0 = as many as any run of a lesson.
  void grade(const lesson::Task& task, std::uint64_t most_steps = 0);
  const Grade* grade_of(const lesson::Task& task) const;  // null: not asked for

  void lesson_left();

 private:
  const Selection& selection_;
  const Runs& runs_;
  Recordings& recordings_;
  Changes& changes_;
  Worker& background_;
  std::map<std::string, Verdict> verdicts_;  // by question, as the grades by task: of this lesson
  std::map<std::string, Grade> grades_;
};

}  // namespace lanescope::gui
