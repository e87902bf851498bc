#pragma once
// Checks everything that a lesson says: runs its variants and recomputes the numbers of its text.

#include "core/result.h"
#include "job/lesson/measured.h"
#include "lesson/lesson.h"

namespace lanescope::job {

// Of a lesson that loaded. Runs each variant with the controls' defaults and with each control of few values at its two
// ends; its checks must hold. Every question must have an answer, and some wrong answer show each of its
// misunderstandings; every task's start must fail, and its solution pass. Every number that a text refers to must
// exist, every number it states must be right, and every text must ask for the same numbers. With the defaults no
// variant and no solution may have a data race; one that is broken on purpose must have one, or fail otherwise. Codes:
// lesson.check_failed, lesson.race, lesson.not_broken, lesson.wrong_number, lesson.languages_differ, and those of the
// runs (placed at the variant in lesson.toml). What a text says of times is held against `measured`; where that knows
// nothing, it is not checked. Questions for the clock are not answered: on another GPU another option is right.
Diagnostics check_lesson(const lesson::Lesson& lesson, MeasuredSource measured = {});

}  // namespace lanescope::job
