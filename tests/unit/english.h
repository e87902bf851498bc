#pragma once
// Finds English left in a text that should be Chinese.

#include <string>

namespace lanescope::test {

// The first two consecutive English words that should not be there; "" if there are none. Text in backticks or
// quotation marks, calls such as grid.sync(), and the word after "kernel" count as names.
std::string english_in(const std::string& text);

}  // namespace lanescope::test
