#pragma once
// The Chinese words that docs/glossary.md forbids, from the third column of its table.

#include <fstream>
#include <string>
#include <vector>

#include "test_paths.h"

namespace lanescope::test {

inline std::vector<std::string> words_ruled_out() {
  std::ifstream in(LANESCOPE_SOURCE_DIR "/docs/glossary.md");
  std::vector<std::string> words;
  bool table = false;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("| English | 中文 | not |")) table = true;
    if (!table || !line.starts_with("| ") || !line.ends_with(" |")) continue;
    line.resize(line.size() - 2);
    std::string cell = line.substr(line.rfind('|') + 1);
    cell.erase(0, cell.find_first_not_of(' '));  // empty in a row without forbidden words
    for (std::size_t at; !cell.empty(); cell = at == std::string::npos ? "" : cell.substr(at + 3)) {
      at = cell.find("、");
      if (const std::string word = cell.substr(0, at); word != "not") words.push_back(word);
    }
  }
  return words;
}

// The first of those words in a text; empty if there is none.
inline std::string ruled_out_in(std::string text, const std::vector<std::string>& words) {
  const std::string basic_block = "基本块";  // correct, although it contains a forbidden word
  for (std::size_t at; (at = text.find(basic_block)) != std::string::npos;) text.erase(at, basic_block.size());
  for (const std::string& word : words)
    if (text.find(word) != std::string::npos) return word;
  return "";
}

}  // namespace lanescope::test
