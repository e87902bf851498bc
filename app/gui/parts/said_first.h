#pragma once
// What is shown first for the run on screen: the lesson's point as a sentence, its heat, and whether the result is
// wrong.

#include <cstdint>
#include <string>

#include "gui/parts/ui.h"
#include "lesson/text.h"

namespace lanescope::gui {

// The heat beside the lines before the learner chooses one.
Heat heat_of_point(const lesson::Lesson& lesson, const lesson::Variant& variant);

// The lesson's point as one sentence with the numbers of the run on screen.
class PointSentence {
 public:
  // Empty if the lesson has none, while a question asks for it, if its numbers do not belong to what is shown, or if
  // all of them are 0: the variant does nothing of what the sentence is about.
  const std::string& of(const Ui& ui);
  // The same with the numbers of `launch` of a whole run of the lesson, for comparing; null = no run.
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

// "The whole launch: …". Beside a sentence about a step it may say the opposite: the launch wastes bytes at one step
// and none at another. Empty for an empty point.
std::string of_launch(const Ui& ui, const std::string& point);

// For views without the code and its messages: draws that the variant's result is wrong, in one line at `y` (pixels)
// between x0 and x1, with the full text as a tooltip. `wrong_result` returns null if the result is right or not known,
// or if it belongs to another text or other values.
const job::WrongResult* wrong_result(const Session& session, std::size_t variant);
const job::WrongResult* wrong_result(const RunResult* run, bool stale);
void draw_wrong_result(const Ui& ui, const job::WrongResult& wrong, TypeStyle style, float x0, float x1, float y);

}  // namespace lanescope::gui
