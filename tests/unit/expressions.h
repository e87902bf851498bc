#pragma once
// Regular expressions (ECMAScript) for tests. Behind a function: <regex> is two seconds of every batch of files that
// takes it in.

#include <string>
#include <vector>

namespace lanescope::test {

// Everything that an expression finds, one after the other: [i][0] the whole, [i][k] its group k ("" when that took no
// part).
std::vector<std::vector<std::string>> all_found(const std::string& text, const char* expression);
// The same without groups.
std::vector<std::string> all_words(const std::string& text, const char* expression);
bool is_found(const std::string& text, const char* expression);
std::string all_replaced(const std::string& text, const char* expression, const char* by);

}  // namespace lanescope::test
