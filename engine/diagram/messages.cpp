#include "diagram/messages.h"

#include <string_view>
#include <unordered_map>
#include <vector>

namespace lanescope::diagram {
namespace {

constexpr Bilingual message_rows[] = {
#define MESSAGE(english, chinese) {english, chinese},
#include "diagram/messages.def"
};

const char* chinese_of(const std::string& pattern) {
  static const auto known = [] {
    std::unordered_map<std::string_view, const char*> all;
    for (const Bilingual& row : message_rows) all.emplace(row.english, row.chinese);
    return all;
  }();
  const auto found = known.find(pattern);
  return found == known.end() ? nullptr : found->second;
}

}  // namespace

std::span<const Bilingual> messages() { return message_rows; }

std::string translated(const Wording& wording, Language language) {
  if (language == Language::chinese && wording.pattern().empty() && !wording.values().empty()) return wording.values().front();
  const char* chinese = language == Language::chinese && !wording.pattern().empty() ? chinese_of(wording.pattern()) : nullptr;
  if (chinese == nullptr) return wording;
  if (wording.values().empty()) return chinese;
  std::vector<std::string> values;
  for (const Wording& value : wording.values()) values.push_back(translated(value, language));
  return with_values(chinese, values);
}

}  // namespace lanescope::diagram
