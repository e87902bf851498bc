#pragma once
// CUDA C++ in pieces: names, numbers, literals and marks.

#include <cstddef>
#include <string_view>
#include <vector>

namespace lanescope::compile {

struct Token {
  enum class Kind { name, number, literal, mark } kind = Kind::mark;
  std::string_view text;
  std::size_t offset = 0;
};

// Of code without comments (blank_non_code()). A mark is one character, but for "::". The texts are parts of `code`.
std::vector<Token> tokenise(std::string_view code);

}  // namespace lanescope::compile
