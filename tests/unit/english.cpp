#include "english.h"

#include <set>

#include "expressions.h"

namespace lanescope::test {

namespace {

// Technical terms, options, and names of programs and types stay as they are.
bool is_kept_in_english(const std::string& word) {
  static const std::set<std::string> words{
      "kernel", "block",   "grid", "warp",   "lane",      "shuffle", "bank",       "sector", "half", "trap",
      "switch", "default", "void", "float",  "double",    "int",     "unsigned",   "long",   "char", "const",
      "extern", "nvidia",  "smi",  "device", "third",     "party",   "fetch",      "cuda",   "cpu",  "iota",
      "random", "file",    "sync", "doctor", "lanescope", "printf",  "permutation"};
  return words.contains(word);
}

}  // namespace

std::string english_in(const std::string& text) {
  const std::string said =
      all_replaced(text, "`[^`]*`|\"[^\"]*\"|'[^']*'|“[^”]*”|<[^>]*>|[A-Za-z_.]+\\(|kernel [A-Za-z0-9_]+", "`");
  for (const std::string& found : all_words(said, "[a-z]{2,}( [a-z]{2,})+"))
    for (const std::string& word : all_words(found, "[a-z]{2,}"))
      if (!is_kept_in_english(word)) return found;
  return "";
}

}  // namespace lanescope::test
