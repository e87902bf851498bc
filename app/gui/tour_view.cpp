#include "gui/tour_view.h"

#include <algorithm>
#include <filesystem>

#include "core/os/replace_file.h"
#include "core/worded.h"

namespace lanescope::gui {
namespace {

struct TourStop {
  PanelRect panel;
  Wording title, text;
};

TourStop tour_stop(int stop, const Layout& l) {
  switch (stop) {
    case 0:
      return {l.lesson, worded("A lesson asks a question"),
              worded("Read it, predict the answer, run the kernel, then see and explain. A lesson has six pages.")};
    case 1:
      return {
          l.code, worded("The kernel is yours to change"),
          worded("Edit the code or move a slider, then press Run. Pictures and numbers are always those of a run.")};
    case 2:
      return {l.warp, worded("One warp instruction"),
              worded("See which lanes run and which bytes move. Click a cell to pin it.")};
    case 3:
      return {
          l.steps, worded("All steps of the warp"),
          worded("Click a step, or go on with the arrow keys. D, W and L find the next branch, request or access.")};
    default:
      return {l.time, worded("Times come from a real GPU"),
              worded("The interpreter counts and never invents a time. F1 lists the keys, Ctrl + P all commands.")};
  }
}

std::string tour_file(const std::string& folder) {
  return folder + "/tour";
}

// Beside the panel if there is room, else over it; always inside the window.
ImVec2 card_place(const PanelRect& panel, ImVec2 size, float gap) {
  const ImGuiViewport* view = ImGui::GetMainViewport();
  const ImVec2 end{view->Pos.x + view->Size.x - gap, view->Pos.y + view->Size.y - gap};
  ImVec2 at{panel.x + panel.width + gap, panel.y + gap};
  if (at.x + size.x > end.x) at.x = panel.x - gap - size.x;
  if (at.x < view->Pos.x + gap) at.x = panel.x + (panel.width - size.x) / 2;
  return {std::clamp(at.x, view->Pos.x + gap, std::max(view->Pos.x + gap, end.x - size.x)),
          std::clamp(at.y, view->Pos.y + gap, std::max(view->Pos.y + gap, end.y - size.y))};
}

// A click where "Next" was is the next one.
bool pressed_again(Tour& tour) {
  const ImVec2 a{tour.pressed.x0, tour.pressed.y0}, b{tour.pressed.x1, tour.pressed.y1};
  if (b.x <= a.x || !ImGui::IsMouseHoveringRect(a, b, /*clip=*/false)) {
    tour.pressed = {};
    return false;
  }
  ImGui::SetNextWindowPos(a);
  ImGui::SetNextWindowSize({b.x - a.x, b.y - a.y});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::Begin("tour again", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoDocking | ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoNav);
  const bool again = ImGui::InvisibleButton("again", {b.x - a.x, b.y - a.y});
  ImGui::End();
  ImGui::PopStyleVar();
  return again;
}

}  // namespace

void draw_tour(const Ui& ui, const Layout& layout) {
  Tour& tour = *ui.window.tour;
  if (!tour.running()) return;
  const TourStop at = tour_stop(tour.stop, layout);
  const Palette& p = ui.colours();
  const float width = ui.px(320), pad = ui.px(16), inner = width - 2 * pad;
  const std::string title = ui.told(at.title), text = ui.told(at.text);
  const bool last = tour.stop + 1 == Tour::stops;
  const float height = pad + ui.look.measure(type::question, title, inner).y + ui.px(8) +
                       ui.look.measure(type::body, text, inner).y + ui.px(16) + ui.px(34) + pad;
  ImDrawList* list = ImGui::GetForegroundDrawList();
  const float edge = ui.px(3);
  list->AddRect({at.panel.x - edge, at.panel.y - edge},
                {at.panel.x + at.panel.width + edge, at.panel.y + at.panel.height + edge}, p.accent, ui.px(10),
                ui.px(2));
  ImGui::SetNextWindowPos(card_place(at.panel, {width, height}, ui.px(16)));
  ImGui::SetNextWindowSize({width, height});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(pad, pad));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, ui.px(8));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, std::max(1.0f, ui.px(1)));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::PushStyleColor(ImGuiCol_WindowBg, p.raised);
  ImGui::PushStyleColor(ImGuiCol_Border, p.accent);
  ImGui::Begin("tour", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoDocking);
  paragraph(ui.look, type::question, p.text, title, inner);
  ImGui::Dummy({0, ui.px(8)});
  paragraph(ui.look, type::body, p.text, text, inner);
  const ImVec2 foot{ImGui::GetWindowPos().x + pad, ImGui::GetWindowPos().y + height - pad - ui.px(34)};
  draw_text(ImGui::GetWindowDrawList(), ui.look, type::small, p.dim, {foot.x, foot.y + ui.px(17)},
            ui.told(worded("{} of {}", tour.stop + 1, Tour::stops)));
  const std::string next = ui.told(last ? worded("Done") : worded("Next")), skip = ui.told(worded("Skip the tour"));
  float x = foot.x + inner - button_width(ui.look, next, {}, /*icon=*/true);
  ImGui::SetCursorScreenPos({x, foot.y});
  // Enter goes on, unless it presses the control that has the keyboard's focus.
  const bool enter = !ui.window.typing && !ImGui::GetIO().NavVisible && !ImGui::GetIO().KeyCtrl &&
                     (ImGui::IsKeyPressed(ImGuiKey_Enter, false) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter, false));
  const bool clicked = button(ui.look, "tour next", next, ButtonKind::primary);
  const ImVec2 next_from = ImGui::GetItemRectMin(), next_to = ImGui::GetItemRectMax();
  bool off = false;
  if (!last) {
    x -= button_width(ui.look, skip, {}, false) + ui.px(8);
    ImGui::SetCursorScreenPos({x, foot.y});
    off = button(ui.look, "tour skip", skip, ButtonKind::quiet);
  }
  ImGui::End();
  ImGui::PopStyleColor(2);
  ImGui::PopStyleVar(4);
  const bool again = pressed_again(tour), on = clicked || enter || again;
  if (clicked && ImGui::IsMouseHoveringRect(next_from, next_to, /*clip=*/false))
    tour.pressed = {next_from.x, next_from.y, next_to.x, next_to.y};
  if (on && !last) ++tour.stop;
  if (off || (on && last)) tour.end();
  if (on || off) ui.window.moving = true;
}

bool tour_was_seen(const std::string& folder) {
  std::error_code failed;
  return folder.empty() || std::filesystem::exists(tour_file(folder), failed);
}

// A disk error is reported when an edit is saved; the tour is then shown again.
void remember_tour(const std::string& folder) {
  if (folder.empty()) return;
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  (void)replace_file(tour_file(folder), "seen\n");
}

}  // namespace lanescope::gui
