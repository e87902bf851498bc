#pragma once
// The titles and codes of the tabs. A tab is an enumerator in ui.h and a row in ui.cpp.

#include <string>

#include "gui/parts/ui.h"

namespace lanescope::gui {

Label tab_label(WarpTab tab);
Label tab_label(StepsTab tab);

// All codes of an enum of ui.h, in its order: "cuda ptx sass linked".
template <typename Enum>
std::string codes_of() {
  std::string codes;
  for (int i = 0; i < static_cast<int>(Enum::count_); ++i)
    codes += (i > 0 ? " " : "") + std::string(code_of(static_cast<Enum>(i)));
  return codes;
}

}  // namespace lanescope::gui
