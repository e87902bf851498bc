#pragma once
// A program's arguments as a person types them.

#include <string>
#include <string_view>
#include <vector>

namespace lanescope::gui {

// The words, as a shell separates them: at blanks, except inside '…' and "…"; a backslash takes the next character as
// it is, except inside '…'. Nothing else has a meaning: no variables, no patterns. An open quotation ends with the
// text.
std::vector<std::string> words_of(std::string_view typed);

}  // namespace lanescope::gui
