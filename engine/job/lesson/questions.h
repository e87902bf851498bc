#pragma once
// Answers a lesson's questions from a run. Right answers come from the live trace, so they also hold for edited kernels
// and moved sliders. Also finds the misunderstanding that a wrong answer shows.

#include <optional>
#include <string>
#include <vector>

#include "core/lane_mask.h"
#include "job/lesson/lesson_numbers.h"
#include "job/run/numbers.h"

namespace lanescope::job {

// The run on screen, of which a question is asked, and its variant. The events of block 0 must have been kept.
struct Live {
  const lesson::Variant& variant;
  const Outcome& outcome;
  LessonNumbers& others;  // numbers of other variants and other controls, and times
};

struct Answer {
  lesson::Question::Kind kind{};
  double number = 0;                 // number
  LaneMask lanes;                    // lanes
  std::vector<std::string> options;  // choice: the option given; in a right answer, all options that are right
};
// "8", "lanes 0-15 (16)", "reduce_modulo".
std::string to_string(const Answer& answer);
std::string lanes_text(LaneMask lanes);  // "0-15, 20"

// nullopt: the question cannot be asked now, because a time is not known or the event that it asks about does not
// occur.
// Errors: lesson.unknown_name, lesson.bad_mark, lesson.arithmetic, and those of the runs of other variants.
Result<std::optional<Answer>> right_answer(const lesson::Question& question, const Live& live);

// Whole numbers must match exactly, others within 1 %; lanes must all match; a choice must be one of the right options.
bool is_right(const Answer& given, const Answer& right);

// For a wrong answer: the first misunderstanding that it fits, or nullptr.
Result<const lesson::Misunderstanding*> misunderstanding_of(const lesson::Question& question, const Live& live,
                                                            const Answer& given, const Answer& right);

// Plausible wrong answers; the lesson check uses them to find misunderstandings that no answer can show.
std::vector<Answer> wrong_answers(const lesson::Question& question, const Live& live, const Answer& right);

}  // namespace lanescope::job
