#pragma once
// What is left in English of a text that should be Chinese.

#include <string>

namespace lanescope::test {

// The first two English words in a row that should not be there; what stands in backticks or quotation marks, calls
// such as grid.sync(), and the word after "kernel" are names. "" where there are none.
std::string english_in(const std::string& text);

}  // namespace lanescope::test
