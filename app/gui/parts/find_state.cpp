#include "gui/parts/find_state.h"

#include <algorithm>

#include "gui/parts/ui.h"

namespace lanescope::gui {
namespace {

char small_letter(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

void find_in(std::string_view text, std::string_view wanted, int page, std::size_t unit, std::vector<FoundText>& into) {
  if (wanted.empty()) return;
  const auto same = [](char a, char b) { return small_letter(a) == small_letter(b); };
  for (auto at = text.begin(); at != text.end();) {
    at = std::search(at, text.end(), wanted.begin(), wanted.end(), same);
    if (at == text.end()) return;
    const auto begin = static_cast<std::size_t>(at - text.begin());
    into.push_back({page, unit, begin, begin + wanted.size()});
    at += static_cast<std::ptrdiff_t>(wanted.size());
  }
}

void draw_found(const Ui& ui, ImDrawList* list, ImVec2 from, ImVec2 to, bool current) {
  const ImU32 accent = ui.colours().accent;
  list->AddRectFilled(from, to, with_alpha(accent, current ? 0.34f : 0.22f), ui.px(3));
  if (current) list->AddRect(from, to, accent, ui.px(3), std::max(1.0f, ui.px(1.5f)));
}

}  // namespace lanescope::gui
