#pragma once
// Parses the patterns of worded() in the same way as fmt.

#include <string>
#include <vector>

namespace lanescope {

// Text between places ("{{" is a brace), or a place with the index of its value: "{}" is the next one, "{1}" and
// "{1:x}" the second.
struct PatternPiece {
  std::string text;
  std::string form;  // ":x"
  int value = -1;    // -1: text
};
std::vector<PatternPiece> pieces_of(const std::string& pattern);

}  // namespace lanescope
