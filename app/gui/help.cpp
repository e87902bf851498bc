#include "gui/help.h"

// The keys, over everything; any key or click closes it.

#include <algorithm>

namespace lanescope::gui {

void draw_help(const Ui& ui) {
  if (!ui.window.help) return;
  struct Row {
    const char* keys;
    Label what;
  };
  const Row rows[] = {{ui.tr(Label::space_key), Label::key_run},
                      {"Ctrl + Enter", Label::key_run_editor},
                      {"←  →", Label::key_step},
                      {"Home  End", Label::key_ends},
                      {"↑  ↓", Label::key_warp},
                      {"Page ↑  Page ↓", Label::key_page},
                      {"A  B", Label::key_variant},
                      {"1 … 9", Label::key_variant_number},
                      {"Shift + ←  →", Label::key_a_alone},
                      {"Alt + ←  →", Label::key_b_alone},
                      {"F5", Label::key_present},
                      {"Esc", Label::key_escape},
                      {"Ctrl + =   Ctrl + −   Ctrl + 0", Label::key_zoom},
                      {"F1  ?", Label::key_help}};
  const ImGuiViewport* view = ImGui::GetMainViewport();
  ImDrawList* list = ImGui::GetForegroundDrawList();
  const Palette& p = ui.colours();
  list->AddRectFilled(view->Pos, {view->Pos.x + view->Size.x, view->Pos.y + view->Size.y}, to_im(0x000000, 0.5f));
  float keys = 0, widest = ui.px(246);
  for (const Row& row : rows) {
    keys = std::max(keys, ui.look.measure(type::number_strong, row.keys).x);
    widest = std::max(widest, ui.look.measure(type::small, ui.tr(row.what)).x);
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
    draw_text(list, ui.look, type::small, p.dim, {a.x + said_at, y}, ui.tr(row.what), HAlign::left,
              width - said_at - ui.px(16));
    y += pitch;
  }
  if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) ui.window.help = false;
}

}  // namespace lanescope::gui
