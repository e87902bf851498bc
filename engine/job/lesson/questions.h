#pragma once
// Questions of a lesson, answered by a run: right answers come from the live trace, so they also hold for edited
// kernels and moved sliders. And which misunderstanding a wrong answer shows.

#include <optional>
#include <string>
#include <vector>

#include "core/lane_mask.h"
#include "job/lesson/lesson_numbers.h"
#include "job/run/numbers.h"

namespace lanescope::job {

// What a question is asked of: the run on screen, with its variant. Block 0's events must be among those kept.
struct Live {
  const lesson::Variant& variant;
  const Outcome& outcome;
  LessonNumbers& others;  // of other variants, other controls, and times
};

struct Answer {
  lesson::Question::Kind kind{};
  double number = 0;                 // number
  LaneMask lanes;                    // lanes
  std::vector<std::string> options;  // choice: the one given; of a right answer all that are equally right
};
// "8", "lanes 0-15 (16)", "reduce_modulo".
std::string to_string(const Answer& answer);
std::string lanes_text(LaneMask lanes);  // "0-15, 20"

// nullopt: not to be asked now, since a time is not known or nothing of the kind happens.
// Errors: lesson.unknown_name, lesson.bad_mark, lesson.arithmetic, and those of the runs of other variants.
Result<std::optional<Answer>> right_answer(const lesson::Question& question, const Live& live);

// Whole numbers exactly, others within 1 %; lanes all; choices one of the right ones.
bool is_right(const Answer& given, const Answer& right);

// Of an answer that is not right: the first misunderstanding that fits; nullptr when none does.
Result<const lesson::Misunderstanding*> misunderstanding_of(const lesson::Question& question, const Live& live,
                                                            const Answer& given, const Answer& right);

// Wrong answers that somebody may give: to find out whether a misunderstanding can ever be met.
std::vector<Answer> wrong_answers(const lesson::Question& question, const Live& live, const Answer& right);

}  // namespace lanescope::job
