#include "gui/labels.h"

namespace lanescope::gui {
namespace {

struct Row {
  const char* english;
  const char* chinese;
};
constexpr Row rows[] = {
#define LABEL(name, english, chinese) {english, chinese},
#include "gui/labels.def"
#undef LABEL
};
static_assert(sizeof rows / sizeof rows[0] == static_cast<std::size_t>(Label::count_));

}  // namespace

const char* label_text(Label label, Language language) {
  const Row& row = rows[static_cast<std::size_t>(label)];
  return language == Language::chinese ? row.chinese : row.english;
}

const char* code_of(Language language) {
  return language == Language::chinese ? "zh-CN" : "en";
}

Language language_of(std::string_view code) {
  return code.starts_with("zh") ? Language::chinese : Language::english;
}

}  // namespace lanescope::gui
