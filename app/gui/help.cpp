#include "gui/help.h"

// The keys, on top of everything; any key or click closes the page.

#include <algorithm>
#include <string>

#include "core/worded.h"

namespace lanescope::gui {

void draw_help(const Ui& ui) {
  if (!ui.window.help) return;
  struct Row {
    const char* keys;
    std::string what;
  };
  const Row rows[] = {
      {ui.tr(Label::space_key), ui.tr(Label::key_run)},
      {"Ctrl + Enter", ui.tr(Label::key_run_editor)},
      {"←  →", ui.tr(Label::key_step)},
      {"Home  End", ui.tr(Label::key_ends)},
      {"D  W  L", ui.tr(Label::key_seek)},
      {"+  −  0", ui.tr(Label::key_film)},
      {"Shift + ←  →", ui.tr(Label::key_film_scroll)},
      {"↑  ↓", ui.tr(Label::key_warp)},
      {"Page ↑  Page ↓", ui.tr(Label::key_page)},
      {"A  B", ui.tr(Label::key_variant)},
      {"1 … 9", ui.tr(Label::key_variant_number)},
      {"Shift + ←  →", ui.tr(Label::key_a_alone)},
      {"Alt + ←  →", ui.tr(Label::key_b_alone)},
      {"C", ui.tr(Label::key_compare_code)},
      {"Tab   Shift + Tab",
       ui.told(worded("next, previous control; Enter presses it, ← → move a slider or border, or go along a plot"))},
      {"F6   Shift + F6", ui.told(worded("next, previous panel"))},
      {"Ctrl + ↑  ↓", ui.told(worded("scroll the panel that has the focus, else the lesson"))},
      {"Ctrl + ←  →", ui.told(worded("in a window too small for its contents: move the part that is seen, as ↑ ↓ do"))},
      {"Ctrl + P", ui.told(worded("find a command by a few letters"))},
      {"Ctrl + O", ui.told(worded("open a program, a .cu, a .py or a saved run"))},
      {"Ctrl + S", ui.told(worded("save your file; in a lesson: where your edit is kept"))},
      {"Ctrl + Z   Ctrl + Y", ui.told(worded("in code and fields: undo, also a reset; redo"))},
      {"Ctrl + F   F3   Shift + F3", ui.told(worded("find in text and code; next, previous match"))},
      {"G", ui.told(worded("only the panel with the focus or under the pointer; again: all"))},
      {"F5", ui.tr(Label::key_present)},
      {"Esc", ui.tr(Label::key_escape)},
      {"Ctrl + =   Ctrl + −   Ctrl + 0", ui.tr(Label::key_zoom)},
      {"F1  ?", ui.tr(Label::key_help)}};
  const ImGuiViewport* view = ImGui::GetMainViewport();
  ImDrawList* list = ImGui::GetForegroundDrawList();
  const Palette& p = ui.colours();
  list->AddRectFilled(view->Pos, {view->Pos.x + view->Size.x, view->Pos.y + view->Size.y}, to_im(0x000000, 0.5f));
  float keys = 0, widest = ui.px(246);
  for (const Row& row : rows) {
    keys = std::max(keys, ui.look.measure(type::number_strong, row.keys).x);
    widest = std::max(widest, ui.look.measure(type::small, row.what).x);
  }
  const float said_at = ui.px(24) + keys + ui.px(24);
  const float width = std::min(said_at + widest + ui.px(24), view->Size.x - ui.px(32));
  const float pitch = std::min(ui.px(34), (view->Size.y - ui.px(112)) / static_cast<float>(std::size(rows)));
  const float height = ui.px(64) + pitch * static_cast<float>(std::size(rows)) + ui.px(16);
  const ImVec2 a{view->Pos.x + (view->Size.x - width) / 2, view->Pos.y + (view->Size.y - height) / 2};
  const ImVec2 b{a.x + width, a.y + height};
  list->AddRectFilled(a, b, p.panel, ui.px(8));
  list->AddRect(a, b, p.line, ui.px(8), std::max(1.0f, ui.px(1)));
  draw_text(list, ui.look, type::question, p.text, {a.x + ui.px(24), a.y + ui.px(34)}, ui.tr(Label::keys));
  float y = a.y + ui.px(64) + ui.px(17);
  for (const Row& row : rows) {
    draw_text(list, ui.look, type::number_strong, p.text, {a.x + ui.px(24), y}, row.keys);
    draw_text(list, ui.look, type::small, p.dim, {a.x + said_at, y}, row.what, HAlign::left,
              width - said_at - ui.px(16));
    y += pitch;
  }
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) ui.window.help = false;
}

}  // namespace lanescope::gui
