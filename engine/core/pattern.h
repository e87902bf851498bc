#pragma once
// Parses the patterns of worded() as fmt does.

#include <string>
#include <vector>

namespace lanescope {

// What stands between the places ("{{" is a brace), or a place with the number of its value: "{}" is the next, "{1}"
// and "{1:x}" the second.
struct PatternPiece {
  std::string text;
  std::string form;  // ":x"
  int value = -1;    // -1: text
};
std::vector<PatternPiece> pieces_of(const std::string& pattern);

}  // namespace lanescope
