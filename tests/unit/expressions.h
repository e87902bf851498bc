#pragma once
// Regular expressions (ECMAScript) for tests. They are behind functions because <regex> costs two seconds per batch of
// files that includes it.

#include <string>
#include <vector>

namespace lanescope::test {

// All matches of an expression in order: [i][0] is the whole match, [i][k] its group k ("" if it did not take part).
std::vector<std::vector<std::string>> all_found(const std::string& text, const char* expression);
// The same without groups.
std::vector<std::string> all_words(const std::string& text, const char* expression);
bool is_found(const std::string& text, const char* expression);
std::string all_replaced(const std::string& text, const char* expression, const char* by);

}  // namespace lanescope::test
