#pragma once
// What is left in English of a text that should be Chinese.

#include <regex>
#include <set>
#include <string>

namespace lanescope::test {

// Words of the field, options, names of programs and types stay as they are.
inline bool stays_english(const std::string& word) {
  static const std::set<std::string> words{"kernel",  "block",  "grid",   "warp",  "lane",    "shuffle",  "bank",   "sector", "half",   "trap",
                                           "switch",  "default", "void",  "float", "double",  "int",      "unsigned", "long", "char",   "const",
                                           "extern",  "nvidia", "smi",    "device", "third",  "party",    "fetch",  "cuda",   "cpu",    "iota",
                                           "random",  "file",   "sync",   "doctor", "lanescope", "printf", "permutation"};
  return words.contains(word);
}

// The first two English words in a row that should not be there; what stands in backticks or quotation marks, calls such as
// grid.sync(), and the word after "kernel" are names. "" where there are none.
inline std::string english_in(std::string text) {
  static const std::regex quoted("`[^`]*`|\"[^\"]*\"|'[^']*'|“[^”]*”|<[^>]*>|[A-Za-z_.]+\\(|kernel [A-Za-z0-9_]+"), words("[a-z]{2,}( [a-z]{2,})+"), word("[a-z]{2,}");
  text = std::regex_replace(text, quoted, "`");
  for (std::sregex_iterator at(text.begin(), text.end(), words), end; at != end; ++at) {
    const std::string found = at->str();
    for (std::sregex_iterator one(found.begin(), found.end(), word), last; one != last; ++one)
      if (!stays_english(one->str())) return found;
  }
  return "";
}

}  // namespace lanescope::test
