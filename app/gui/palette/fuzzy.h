#pragma once
// Scores how well a name matches the typed text.

#include <string_view>

namespace lanescope::gui {

// Every word of `typed` must occur in `name`: its letters in order, case is ignored. Letters may be skipped up to the
// start of another word ("bc": Bank conflicts), and inside of a word that is matched from its start ("cmpr": Compare);
// letters scattered over words are no match. Higher is better: adjacent letters, at the start of a word, early. < 0: no
// match.
int fuzzy_score(std::string_view typed, std::string_view name);

}  // namespace lanescope::gui
