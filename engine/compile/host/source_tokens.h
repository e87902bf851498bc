#pragma once
// CUDA C++ as tokens: names, numbers, literals and marks.

#include <cstddef>
#include <string_view>
#include <vector>

namespace lanescope::compile {

struct Token {
  enum class Kind { name, number, literal, mark } kind = Kind::mark;
  std::string_view text;
  std::size_t offset = 0, end = 0;  // in the source; for a macro's token, of the call
};

// `code` must have no comments (blank_non_code()). A mark is one character, except "::". The texts point into `code`.
std::vector<Token> tokenise(std::string_view code);

}  // namespace lanescope::compile
