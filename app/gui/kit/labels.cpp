#include "gui/kit/labels.h"

namespace lanescope::gui {
namespace {

constexpr diagram::Bilingual rows[] = {
#define LABEL(name, english, chinese) {english, chinese},
#include "gui/kit/labels.def"
};

struct Named {
  std::string_view name, chinese;
};
constexpr Named metric_classes[] = {
#define METRIC_CLASS(name, chinese) {#name, chinese},
#include "gui/kit/labels.def"
};
constexpr Named metric_names[] = {
#define METRIC(name, chinese) {#name, chinese},
#include "gui/kit/labels.def"
};

static_assert(sizeof rows / sizeof rows[0] == static_cast<std::size_t>(Label::count_));

}  // namespace

const char* label_text(Label label, Language language) {
  return rows[static_cast<std::size_t>(label)].in(language);
}

std::string metric_label(const std::string& name, const std::string& english, Language language) {
  if (language == Language::english) return english;
  const std::size_t dot = name.find('.');
  const std::string of = dot == std::string::npos ? "" : name.substr(0, dot);
  const std::string number = dot == std::string::npos ? name : name.substr(dot + 1);
  const auto find = [](const auto& table, std::string_view wanted) {
    for (const Named& row : table)
      if (row.name == wanted) return std::string(row.chinese);
    return std::string();
  };
  std::string label = find(metric_names, number);
  if (label.empty()) return english;
  if (const std::size_t place = label.find("{}"); place != std::string::npos)
    label.replace(place, 2, find(metric_classes, of));
  return label;
}

}  // namespace lanescope::gui
