// Links PTX texts to one text.

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "device/api/image.h"
#include "ptx/lexer.h"

namespace lanescope::device::api {

namespace {

// Adds `by` to the number after this word, if the line has the word.
void move_number(std::string& line, std::string_view word, std::size_t by) {
  const std::size_t found = line.find(word);
  if (found == std::string::npos) return;
  const std::size_t begin = line.find_first_of("0123456789", found + word.size());
  if (begin == std::string::npos) return;
  const std::size_t end = std::min(line.find_first_not_of("0123456789", begin), line.size());
  const std::size_t number = std::strtoull(line.c_str() + begin, nullptr, 10);
  line.replace(begin, end - begin, std::to_string(number + by));
}

// The word with which the line begins, behind blanks.
std::string_view first_word(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return line.substr(0, line.find_first_of(" \t"));
}

// With labels of its own for the names of inlined functions: each text numbers them from 0.
std::string with_own_labels(std::string text, std::size_t number) {
  constexpr std::string_view label = "$L__info_string";
  const std::string own = "$L__of" + std::to_string(number) + "_info_string";
  if (number == 0) return text;
  for (std::size_t at = text.find(label); at != std::string::npos; at = text.find(label, at + own.size()))
    text.replace(at, label.size(), own);
  return text;
}

// The highest number that the text gives to a file.
std::size_t highest_file(std::string_view text) {
  std::size_t highest = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string line(text, at, end - at);
    if (first_word(line) == ".file")
      highest = std::max<std::size_t>(highest, std::strtoull(line.c_str() + line.find(".file") + 5, nullptr, 10));
    at = end + 1;
  }
  return highest;
}

// A function, kernel or variable of a module.
struct Definition {
  std::size_t begin, end;  // in the text
  std::string_view name;
  bool weak, local;        // `.weak`; without `.visible` too
  bool external_function;  // `.extern .func`: only declared, for another text
};

bool in_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '%';
}

// Where the text goes on behind blanks and comments.
std::size_t skip_blanks(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    if (std::isspace(static_cast<unsigned char>(text[at])) != 0)
      ++at;
    else if (text.substr(at, 2) == "//")
      at = std::min(text.find('\n', at), text.size());
    else if (text.substr(at, 2) == "/*")
      at = std::min(text.find("*/", at + 2), text.size() - 2) + 2;
    else
      break;
  }
  return at;
}

// The last name in it, and "" if there is none: `.global .align 1 .b8 $str` has $str.
std::string_view last_name(std::string_view text) {
  std::size_t end = text.size();
  while (end > 0 && !in_name(text[end - 1])) --end;
  std::size_t begin = end;
  while (begin > 0 && in_name(text[begin - 1])) --begin;
  return text.substr(begin, end - begin);
}

// The definitions of a text, and its `.extern .func`; other declarations are left out.
std::vector<Definition> definitions_in(std::string_view text) {
  std::vector<Definition> all;
  for (std::size_t at = skip_blanks(text, 0); at < text.size(); at = skip_blanks(text, at)) {
    const std::size_t begin = at;
    const std::string_view line = text.substr(at, text.find('\n', at) - at);
    const bool function = line.find(".func") != line.npos || line.find(".entry") != line.npos;
    const bool variable = !function && !line.starts_with(".file") &&
                          std::ranges::any_of(std::initializer_list<std::string_view>{".global", ".const", ".shared"},
                                              [&](std::string_view space) { return line.find(space) != line.npos; });
    if (!function && !variable) {  // a directive of one line, or a section
      at += line.starts_with(".section") ? ptx::end_of_function(text.substr(at)) : line.size();
      continue;
    }
    const std::size_t stop = std::min(text.find_first_of(function ? "{;" : ";", at), text.size());
    at = function ? at + ptx::end_of_function(text.substr(at)) : std::min(stop + 1, text.size());
    const bool declared = function && stop < text.size() && text[stop] == ';';
    const bool external = line.starts_with(".extern");
    if (external ? !declared : declared) continue;
    std::string_view head = text.substr(begin, stop - begin);
    if (function) {
      // `.func (RESULT) NAME(…)`, `.entry NAME(…)`
      const std::size_t word = std::min(head.find(".func"), head.find(".entry"));
      std::size_t after = skip_blanks(head, std::min(head.find_first_of(" \t\n(", word), head.size()));
      if (after < head.size() && head[after] == '(') after = head.find(')', after);
      const std::size_t open = after < head.size() ? head.find('(', after) : head.npos;
      head = head.substr(0, open);
    } else {
      head = head.substr(0, head.find_first_of("[="));
    }
    const bool weak = line.starts_with(".weak");
    all.push_back({begin, at, last_name(head), weak, !weak && !line.starts_with(".visible"), external});
  }
  return all;
}

// The text with other names for some of its own.
std::string renamed(std::string_view text, const std::map<std::string, std::string, std::less<>>& names) {
  std::string made;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && in_name(text[end])) ++end;
    if (end == at) {
      made += text[at++];
      continue;
    }
    const auto other = names.find(text.substr(at, end - at));
    made += other == names.end() ? text.substr(at, end - at) : std::string_view(other->second);
    at = end;
  }
  return made;
}

// ".visible" or ".weak" for each function that some text defines for the others.
using Linkages = std::map<std::string, std::string, std::less<>>;
Linkages linkages_of(const std::vector<std::string>& texts) {
  Linkages all;
  for (const std::string& text : texts)
    for (const Definition& one : definitions_in(text))
      if (!one.local && !one.external_function) all.try_emplace(std::string(one.name), one.weak ? ".weak" : ".visible");
  return all;
}

// The text as it is appended to others that define the names in `defined`. Weak definitions of these names (templates
// and inline functions) are left out, and its own names that clash ($str, the text of a printf) get a suffix.
// ptxas refuses `.extern .func` in a text that also defines the function: there, the declaration comes first and has
// the definition's linkage.
std::string beside_others(const std::string& text, std::size_t number, const Linkages& linkages,
                          std::set<std::string, std::less<>>& defined) {
  std::string kept;
  std::map<std::string, std::string, std::less<>> names;
  std::size_t copied = 0;
  for (const Definition& one : definitions_in(text)) {
    const bool known = defined.contains(one.name);
    if (one.external_function) {
      const auto linkage = linkages.find(one.name);
      if (linkage == linkages.end()) continue;
      kept.append(text, copied, one.begin - copied);
      copied = known ? one.end : one.begin + std::string_view(".extern").size();
      if (!known) kept.append(linkage->second);
      continue;
    }
    if (known && one.weak) {
      kept.append(text, copied, one.begin - copied);
      copied = one.end;
    } else if (known && one.local) {
      names[std::string(one.name)] = std::string(one.name) + "$of" + std::to_string(number);
    } else {
      defined.insert(std::string(one.name));
    }
  }
  kept.append(text, copied);
  return names.empty() ? kept : renamed(kept, names);
}

}  // namespace

std::string linked(const std::vector<std::string>& texts) {
  std::string all;
  std::set<std::string, std::less<>> defined;
  const Linkages linkages = linkages_of(texts);
  // Each text numbers its files from 1, and the parser takes only 16 bits: there is no room for a range for each text.
  std::size_t files = 0;
  bool first = true;
  for (const std::string& original : texts) {
    // The same text may have been added several times.
    const auto here = texts.begin() + (&original - texts.data());
    if (std::find(texts.begin(), here, original) != here) continue;
    const auto number = static_cast<std::size_t>(&original - texts.data());
    const std::string text = with_own_labels(beside_others(original, number, linkages, defined), number);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      std::string line(text, at, end - at);
      const bool header =
          line.starts_with(".version") || line.starts_with(".target") || line.starts_with(".address_size");
      if (const std::string word(first_word(line)); files != 0 && (word == ".file" || word == ".loc")) {
        move_number(line, word, files);
        move_number(line, "inlined_at", files);
      }
      if (!header || first) all.append(line).push_back('\n');
      at = end + 1;
    }
    files += highest_file(text);
    first = false;
  }
  return all;
}

}  // namespace lanescope::device::api
