#include "gui/kit/labels.h"

namespace lanescope::gui {
namespace {

constexpr diagram::Bilingual rows[] = {
#define LABEL(name, english, chinese) {english, chinese},
#include "gui/kit/labels.def"
};

static_assert(sizeof rows / sizeof rows[0] == static_cast<std::size_t>(Label::count_));

}  // namespace

const char* label_text(Label label, Language language) {
  return rows[static_cast<std::size_t>(label)].in(language);
}

}  // namespace lanescope::gui
