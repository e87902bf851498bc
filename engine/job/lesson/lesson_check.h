#pragma once
// Checks a whole lesson: runs its variants and recomputes the numbers in its text.

#include "core/result.h"
#include "job/lesson/measured.h"
#include "lesson/lesson.h"

namespace lanescope::job {

// `lesson` has loaded without errors. Runs each variant with the default controls, and with each control of few values
// at both ends of its range. Fails unless all of this holds:
// - the checks of every run hold;
// - every question has an answer, and some wrong answer shows each of its misunderstandings;
// - the start of every task fails, and its solution passes;
// - every number that a text refers to exists, every number that it states is right, and the texts of all languages
//   refer to the same numbers;
// - with the defaults no variant and no solution has a data race; a variant that is broken on purpose has one, or fails
//   in another way.
// Codes: lesson.check_failed, lesson.race, lesson.not_broken, lesson.wrong_number, lesson.languages_differ, and those
// of the runs (placed at the variant in lesson.toml). Stated times are compared with `measured` and are not checked
// where it has no time. Questions about times are not answered, because the right option depends on the GPU.
Diagnostics check_lesson(const lesson::Lesson& lesson, MeasuredSource measured = {});

}  // namespace lanescope::job
