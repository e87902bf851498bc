#pragma once
// What is said first of the run on screen: the lesson's point as a sentence, its heat, and that a result is wrong.

#include <cstdint>
#include <string>

#include "gui/parts/ui.h"
#include "lesson/text.h"

namespace lanescope::gui {

// What stands beside the lines until the learner chooses.
Heat heat_of_point(const lesson::Lesson& lesson, const lesson::Variant& variant);

// What the lesson is about, in one sentence with the numbers of the run on screen.
class PointSentence {
 public:
  // Empty where the lesson says none, while a question asks for it, and for what its numbers are not of.
  const std::string& of(const Ui& ui);
  // The same with the numbers of `launch` of a whole run of the lesson, one of those that are compared; null = no run.
  const std::string& of(const Ui& ui, const RunResult* run, int launch);

 private:
  struct Shown;
  const std::string& say(const Ui& ui, const Shown& wanted, const lesson::ControlValues& controls,
                         const lesson::NumberSource& numbers);
  struct Shown {
    std::string lesson, variant;
    std::uint64_t revision = 0;
    Language language{};
    friend bool operator==(const Shown&, const Shown&) = default;
  };
  Shown shown_;
  std::string said_;
};

// Where the code, and what is said under it, are not in sight: that the variant's result is wrong, in one line at `y`
// (pixels) between x0 and x1, the whole of it as a hint. `wrong_result` is null where it is right, not known, or of
// another text or values.
const job::WrongResult* wrong_result(const Session& session, std::size_t variant);
const job::WrongResult* wrong_result(const RunResult* run, bool stale);
void draw_wrong_result(const Ui& ui, const job::WrongResult& wrong, TypeStyle style, float x0, float x1, float y);

}  // namespace lanescope::gui
