#pragma once
// The window's own texts in both languages: one row of labels.def per label. The language can change at run time.

#include <cstdint>

#include "words/language.h"

namespace lanescope::gui {

using diagram::code_of;
using diagram::Language;
using diagram::language_of;

enum class Label : std::uint16_t {
#define LABEL(name, english, chinese) name,
#include "gui/kit/labels.def"
  count_
};

const char* label_text(Label label, Language language);

}  // namespace lanescope::gui
