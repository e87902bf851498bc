#pragma once
// How well a name answers to what was typed.

#include <string_view>

namespace lanescope::gui {

// Every word of `typed` must occur in `name`, its letters in their order but not necessarily together; case does not
// count. The higher the better: letters together, at the beginning of a word, early. < 0: it does not answer.
int fuzzy_score(std::string_view typed, std::string_view name);

}  // namespace lanescope::gui
