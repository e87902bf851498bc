#pragma once
// Questions and tasks of the lesson on screen: compares answers and edited kernels with a run, off the frame.

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
  // `background` runs one piece of work at a time. It belongs to the session and must outlive this object.
  Exercises(const Selection& selection, const Runs& runs, Recordings& recordings, Changes& changes, Worker& background)
      : selection_(selection), runs_(runs), recordings_(recordings), changes_(changes), background_(background) {}

  // The judgement on an answer to a question of the lesson. It belongs to the run `key`.
  struct Verdict {
    RunKey key;
    bool known = false;  // false: being computed
    bool right = false;
    job::Answer given, correct;
    const lesson::Misunderstanding* why = nullptr;  // for a wrong answer; null: no known misunderstanding
    std::optional<Diagnostic> cannot;               // why the question cannot be asked for this run
    bool nothing = false;                           // the event that it asks about does not occur in this run
    // For a question about time: the numbers that decide it, with the label to show.
    struct Time {
      std::string option;
      metrics::Interval seconds;
      Wording label;
    };
    std::vector<Time> times;
  };
  // A question about time can only be asked if every option was measured with the lesson's own text.
  enum class Askable : std::uint8_t { yes, not_measured, edited };
  Askable askable(const lesson::Question& question);
  void answer(const lesson::Question& question, const job::Answer& given);
  const Verdict* verdict(const lesson::Question& question) const;  // null: not answered
  // The variant that a choice refers to: the chosen one or the right one. nullopt before the verdict is known.
  std::optional<std::size_t> chosen_in(const lesson::Question& question) const;
  // True if Session::go_to() has a place to go to.
  bool shows_place(const lesson::Question& question) const;

  // Tasks: compares the code on screen with a task's rules.
  struct Grade {
    RunKey key;
    bool known = false, passed = false;
    std::vector<job::CheckResult> checks;
    std::vector<job::RaceText> races, races_chinese;  // races that accuse: a result that is right by luck does not pass
    Diagnostics problems;                             // if the code did not compile or complete
  };
  std::string start_of(const lesson::Task& task) const;  // the text to start with
  // `most_steps`: limit of warp instructions for its run; 0 = the default for lessons.
  void grade(const lesson::Task& task, std::uint64_t most_steps = 0);
  bool outdated(const Grade& grade) const;  // text or values on screen are no longer those that were graded
  const Grade* grade_of(const lesson::Task& task) const;  // null: not requested

  void lesson_left();

 private:
  const Selection& selection_;
  const Runs& runs_;
  Recordings& recordings_;
  Changes& changes_;
  Worker& background_;
  std::map<std::string, Verdict> verdicts_;  // by question, and the grades by task; for this lesson
  std::map<std::string, Grade> grades_;
};

}  // namespace lanescope::gui
