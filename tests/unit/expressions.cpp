#include "expressions.h"

#include <map>
#include <regex>

namespace lanescope::test {

namespace {

const std::regex& compiled(const char* expression) {
  static std::map<std::string, std::regex> all;
  const auto known = all.find(expression);
  return known != all.end() ? known->second : all.emplace(expression, std::regex(expression)).first->second;
}

}  // namespace

std::vector<std::vector<std::string>> all_found(const std::string& text, const char* expression) {
  std::vector<std::vector<std::string>> found;
  for (std::sregex_iterator at(text.begin(), text.end(), compiled(expression)), end; at != end; ++at)
    found.emplace_back(at->begin(), at->end());
  return found;
}

std::vector<std::string> all_words(const std::string& text, const char* expression) {
  std::vector<std::string> words;
  for (auto& found : all_found(text, expression)) words.push_back(std::move(found[0]));
  return words;
}

bool is_found(const std::string& text, const char* expression) {
  return std::regex_search(text, compiled(expression));
}

std::string all_replaced(const std::string& text, const char* expression, const char* by) {
  return std::regex_replace(text, compiled(expression), by);
}

}  // namespace lanescope::test
