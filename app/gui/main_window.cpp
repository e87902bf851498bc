#include "gui/main_window.h"

#include <algorithm>
#include <span>
#include <utility>

#include "gui/exporting.h"
#include "gui/help.h"
#include "gui/parts/covers.h"
#include "gui/parts/presenting.h"
#include "gui/parts/views.h"
#include "gui/program_strip.h"
#include "gui/top_bar.h"
#include "gui/tour_view.h"
#include "imgui_internal.h"

namespace lanescope::gui {

MainWindow::MainWindow(const Look& look, Session& session, WindowState& state)
    : look_(look),
      session_(session),
      state_(state),
      borders_(session.selection.store().keeps() ? StateStore::default_folder() : std::string()) {
  state_.exports = std::make_shared<Exports>();
  state_.presenting = std::make_shared<Presenting>();
  state_.tour = std::make_shared<Tour>();
}

namespace {

// Keys that belong to the window while nothing is typed and no menu is open; Dear ImGui would use them for navigation.
constexpr ImGuiKey window_keys[] = {ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_UpArrow,
                                    ImGuiKey_DownArrow, ImGuiKey_PageUp,     ImGuiKey_PageDown,
                                    ImGuiKey_Home,      ImGuiKey_End,        ImGuiKey_Space};

ImGuiID owner_of_keys() {
  static const ImGuiID owner = ImHashStr("window_keys");
  return owner;
}

bool pressed(ImGuiKeyChord chord, bool repeat = false) {
  return ImGui::Shortcut(chord, ImGuiInputFlags_RouteAlways | (repeat ? ImGuiInputFlags_Repeat : ImGuiInputFlags_None),
                         owner_of_keys());
}

bool popup_is_open() {
  return ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

bool holds(const PanelRect& rect, ImVec2 at) {
  return at.x >= rect.x && at.x <= rect.x + rect.width && at.y >= rect.y && at.y <= rect.y + rect.height;
}

// Tab in a field of one line leads on to any control; its other keys are the field's.
bool tabs_on() {
  const ImGuiInputTextState* typed = ImGui::GetInputTextState(ImGui::GetActiveID());
  return ImGui::IsKeyDown(ImGuiKey_Tab) && typed != nullptr && (typed->Flags & ImGuiInputTextFlags_Multiline) == 0;
}

}  // namespace

// Tab moves between controls and Enter presses one. Dear ImGui's other navigation keys only work in menus. The focused
// item may have taken keys for itself.
void MainWindow::own_keys() {
  ImGuiContext& g = *ImGui::GetCurrentContext();
  if (state_.typing) {
    g.IO.ConfigFlags &= ~ImGuiConfigFlags_NavEnableKeyboard;
    return;
  }
  g.IO.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
  g.IO.ConfigNavCaptureKeyboard = false;
  g.ConfigNavWindowingKeyNext = g.ConfigNavWindowingKeyPrev = 0;  // there is only one window
  const auto own = [&](ImGuiKey key) {
    if (ImGui::GetKeyOwnerData(&g, key)->OwnerNext == ImGuiKeyOwner_NoOwner) ImGui::SetKeyOwner(key, owner_of_keys());
  };
  own(ImGuiKey_Escape);
  if (g.IO.KeyCtrl) own(ImGuiKey_Enter), own(ImGuiKey_KeypadEnter);  // only runs the kernel and presses no control
  if (!popup_is_open())
    for (const ImGuiKey key : window_keys) own(key);
  if (g.NavWindow == nullptr) ImGui::FocusWindow(ImGui::GetCurrentWindow());
}

// Shortcuts for searching and navigation; they also work in the editor.
void MainWindow::tools() {
  const bool panels = !state_.present && !session_.selection.compared();
  if (pressed(ImGuiMod_Ctrl | ImGuiKey_P)) palette_.open();
  if (pressed(ImGuiMod_Ctrl | ImGuiKey_O)) state_.open_asked = true;
  if (pressed(ImGuiMod_Ctrl | ImGuiKey_S)) session_.save_edit();
  if (pressed(ImGuiMod_Ctrl | ImGuiKey_F) && panels) state_.find.asked = true;
  if (state_.find.asked) state_.presenting->grown.reset();  // it searches two panels
  if (pressed(ImGuiKey_F6) && panels) to_panel_ = 1;
  if (pressed(ImGuiMod_Shift | ImGuiKey_F6) && panels) to_panel_ = -1;
  const Ui ui{look_, session_, state_};
  if (pressed(ImGuiKey_F3, true)) find_.step(ui, 1);
  if (pressed(ImGuiMod_Shift | ImGuiKey_F3, true)) find_.step(ui, -1);
  if (state_.typing) return;
  for (const auto& [key, way] : {std::pair{ImGuiKey_UpArrow, -1}, {ImGuiKey_DownArrow, 1}})
    if (pressed(ImGuiMod_Ctrl | key, true)) scroll_panel(ui, way);
  for (const auto& [key, way] : {std::pair{ImGuiKey_LeftArrow, -1.0f}, {ImGuiKey_RightArrow, 1.0f}})
    if (pressed(ImGuiMod_Ctrl | key, true)) state_.move_part.x += way;
}

// Scrolls the focused panel, or else the lesson's page. Where neither can be scrolled: the frame, if the window shows
// only a part of it.
void MainWindow::scroll_panel(const Ui& ui, int way) {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  ImGuiWindow* scrolled = g.NavCursorVisible ? g.NavWindow : nullptr;
  while (scrolled != nullptr && scrolled->ScrollMax.y <= 0) scrolled = scrolled->ParentWindow;
  const bool has_lesson = !state_.present && !session_.selection.compared() && session_.selection.is_lesson();
  if (ImGuiWindow* page = lesson_.page_window();
      scrolled == nullptr && has_lesson && page != nullptr && page->WasActive)
    scrolled = page;
  if (scrolled == nullptr || scrolled->ScrollMax.y <= 0) {
    state_.move_part.y += static_cast<float>(way);
    return;
  }
  ImGui::SetScrollY(scrolled,
                    std::clamp(scrolled->Scroll.y + static_cast<float>(way) * ui.px(48), 0.0f, scrolled->ScrollMax.y));
}

// Removes a selection that was made by a click in a picture or in memory. False: there was none.
bool MainWindow::unpin() {
  if (state_.code_tab == CodeTab::linked) {  // a line, then the view itself
    if (!code_.linked().unpin()) state_.code_tab = CodeTab::cuda;
    return true;
  }
  const bool of_step = session_.replays.unpin(), of_film = steps_.unpin(), of_plot = time_.unpin();
  if (of_step || of_film || of_plot) return true;
  const bool chosen = session_.replays.open && session_.memory.open && session_.memory.element >= 0;
  if (chosen) session_.memory.element = -1;
  return chosen;
}

namespace {

// The keys of present mode. With two variants side by side only the pointer is available.
void present_keys_do(Session& session, WindowState& state, bool comparing) {
  Presenting& shown = *state.presenting;
  if (pressed(ImGuiKey_P)) shown.pointer = !shown.pointer;
  if (comparing) return;
  if (pressed(ImGuiKey_F)) shown.film = !shown.film;
  if (pressed(ImGuiKey_V)) shown.controls = !shown.controls;
  if (pressed(ImGuiKey_G)) shown.large = !shown.large;
  const bool has_times = session.selection.is_lesson() || session.runs.gpus().chosen() != nullptr;
  if (pressed(ImGuiKey_M)) shown.times = !shown.times && has_times;
  if (pressed(ImGuiMod_Shift | ImGuiKey_R)) shown.veil = false;
  if (pressed(ImGuiKey_R)) {
    const Position at = session.place.position();
    shown.reveal({session.selection.variant().id, at.block, at.warp, at.step});
  }
  const RunResult* run = session.runs.shown();
  const trace::WarpEvent* event = session.place.event();
  if (event == nullptr || !pressed(ImGuiKey_T)) return;
  bool any = false;
  const int now = static_cast<int>(effective_tab(state.warp_tab, *run, *event, any));
  constexpr int count = static_cast<int>(WarpTab::count_);
  for (int i = 1; i < count; ++i)
    if (const auto next = static_cast<WarpTab>((now + i) % count); tab_applies(next, *run, *event)) {
      state.warp_tab = next;
      return;
    }
}

// A dot at the mouse, large enough to be seen from the last row.
void draw_pointer(const Look& look) {
  const ImVec2 at = ImGui::GetIO().MousePos;
  if (!ImGui::IsMousePosValid(&at)) return;
  ImDrawList* list = ImGui::GetForegroundDrawList();
  list->AddCircleFilled(at, look.px(22), with_alpha(look.colours().conflict, 0.45f));
  list->AddCircle(at, look.px(22), look.colours().conflict, 0, look.px(2));
}

}  // namespace

void MainWindow::keys() {
  if (pressed(ImGuiMod_Ctrl | ImGuiKey_Equal, true) || pressed(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_Equal, true) ||
      pressed(ImGuiMod_Ctrl | ImGuiKey_KeypadAdd, true))
    zoom_by(state_, 1.1f);
  if (pressed(ImGuiMod_Ctrl | ImGuiKey_Minus, true) || pressed(ImGuiMod_Ctrl | ImGuiKey_KeypadSubtract, true))
    zoom_by(state_, 1 / 1.1f);
  if (pressed(ImGuiMod_Ctrl | ImGuiKey_0)) usual_size(state_);
  if (pressed(ImGuiKey_F5)) state_.present = !state_.present;
  // Takes precedence over the focused editor, which would insert a new line.
  constexpr ImGuiInputFlags over_editor = ImGuiInputFlags_RouteGlobal | ImGuiInputFlags_RouteOverFocused;
  if (ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiKey_Enter, over_editor) ||
      ImGui::Shortcut(ImGuiMod_Ctrl | ImGuiKey_KeypadEnter, over_editor))
    session_.run();
  tools();
  const bool help_was_open = state_.help;
  if (pressed(ImGuiKey_F1)) state_.help = !state_.help;
  const bool popup = popup_is_open();
  // A text field uses Escape itself; these views have text fields.
  const bool from_field =
      (state_.find.open || palette_.is_open() || open_.is_open()) && ImGui::IsKeyPressed(ImGuiKey_Escape, false);
  if (pressed(ImGuiKey_Escape) || from_field) leave_topmost();
  if (state_.typing || popup) return;
  if (pressed(ImGuiMod_Shift | ImGuiKey_Slash) || (!help_was_open && pressed(ImGuiKey_Slash)))
    state_.help = !help_was_open;
  if (pressed(ImGuiKey_Space)) {
    if (session_.program.busy() || (session_.runs.running().busy && session_.runs.running().seconds > 0.25))
      session_.stop();
    else
      session_.run();
  }
  const bool comparing = session_.selection.compared().has_value();
  const auto step = [&](std::ptrdiff_t delta) {
    if (comparing)
      compare_.step_by(delta);
    else
      session_.place.step_by(delta);
  };
  constexpr std::ptrdiff_t to_the_end = 1'000'000'000;
  if (!comparing && !state_.present && pressed(ImGuiKey_G)) state_.presenting->grow_asked = true;
  if (!comparing) film_keys();
  if (state_.present) present_keys_do(session_, state_, comparing);
  if (pressed(ImGuiKey_LeftArrow, true)) step(-1);
  if (pressed(ImGuiKey_RightArrow, true)) step(1);
  if (!state_.present) state_.presenting->asked.clear();
  if (comparing) {
    if (pressed(ImGuiKey_C)) state_.compare_code = !state_.compare_code;
    if (pressed(ImGuiKey_UpArrow, true)) compare_.access_by(-1);
    if (pressed(ImGuiKey_DownArrow, true)) compare_.access_by(1);
    // Delayed until the sides show current results: a run may have arrived since they were painted.
    const auto alone = [&](ImGuiKeyChord chord, bool a, std::ptrdiff_t delta) {
      if (pressed(chord, true)) state_.afterwards([this, a, delta] { compare_.step_alone(a, delta); });
    };
    alone(ImGuiMod_Shift | ImGuiKey_LeftArrow, true, -1);
    alone(ImGuiMod_Shift | ImGuiKey_RightArrow, true, 1);
    alone(ImGuiMod_Alt | ImGuiKey_LeftArrow, false, -1);
    alone(ImGuiMod_Alt | ImGuiKey_RightArrow, false, 1);
  }
  places(
      comparing, [&](ImGuiKeyChord chord, bool repeat) { return pressed(chord, repeat); }, step);
  if (pressed(ImGuiKey_Home)) step(-to_the_end);
  if (pressed(ImGuiKey_End)) step(to_the_end);
  if (pressed(ImGuiKey_A)) turn_variant(/*of_a=*/true, comparing);
  if (pressed(ImGuiKey_B)) turn_variant(/*of_a=*/false, comparing);
}

void MainWindow::leave_topmost() {
  if (popup_is_open())
    ImGui::ClosePopupToLevel(ImGui::GetCurrentContext()->OpenPopupStack.Size - 1,
                             /*restore_focus_to_window_under_popup=*/true);
  else if (state_.help)
    state_.help = false;
  else if (state_.tour->running())
    state_.tour->end();
  else if (state_.find.open)
    find_.close({look_, session_, state_});
  else if (state_.typing)
    ImGui::SetWindowFocus(nullptr);
  else if (!told_.empty() || !session_.notices().empty() || !state_.exports->problems.empty())
    told_.clear(), session_.dismiss_notices(), state_.exports->problems.clear();
  else if (state_.present)
    state_.present = false;
  else if (session_.selection.compared())
    session_.compare(std::nullopt);
  else if (!unpin())
    state_.presenting->grown.reset();
}

// Keys to search the steps, and to zoom and scroll the film.
void MainWindow::film_keys() {
  for (const auto& [key, what] : {std::pair{ImGuiKey_D, Sought::divergent_branch},
                                  {ImGuiKey_W, Sought::worst_request},
                                  {ImGuiKey_L, Sought::access_of_line}}) {
    if (pressed(key, true)) session_.summaries.go_to(what, 1);
    if (pressed(ImGuiMod_Shift | key, true)) session_.summaries.go_to(what, -1);
  }
  if (state_.present && !state_.presenting->film) return;  // no film to zoom
  if (pressed(ImGuiKey_Equal, true) || pressed(ImGuiMod_Shift | ImGuiKey_Equal, true) ||
      pressed(ImGuiKey_KeypadAdd, true))
    ++state_.film.zoom;
  if (pressed(ImGuiKey_Minus, true) || pressed(ImGuiKey_KeypadSubtract, true)) --state_.film.zoom;
  if (pressed(ImGuiKey_0)) state_.film.whole = true;
  if (pressed(ImGuiMod_Shift | ImGuiKey_LeftArrow, true)) --state_.film.scroll;
  if (pressed(ImGuiMod_Shift | ImGuiKey_RightArrow, true)) ++state_.film.scroll;
}

// Keys for a page of the lesson, a warp, and a variant by number.
void MainWindow::places(bool comparing, const std::function<bool(ImGuiKeyChord, bool repeat)>& pressed,
                        const std::function<void(std::ptrdiff_t)>& step) {
  for (const auto& [key, way] : {std::pair{ImGuiKey_PageUp, -1}, {ImGuiKey_PageDown, 1}}) {
    if (!pressed(key, true)) continue;
    const int page = static_cast<int>(state_.page) + way;
    if (state_.present)  // the keys of a presenter's remote control
      step(way);
    else if (!comparing && page >= 0 && page < static_cast<int>(Page::count_))
      state_.page = static_cast<Page>(page);
  }
  for (const auto& [key, way] : {std::pair{ImGuiKey_UpArrow, -1}, {ImGuiKey_DownArrow, 1}}) {
    if (comparing || !pressed(key, true) || session_.runs.shown() == nullptr) continue;
    const std::int64_t warp = std::int64_t{session_.place.position().warp} + way;
    if (warp >= 0 && warp < session_.runs.shown()->outcome.first().trace.launch.warps_per_block())
      session_.place.set_warp(static_cast<std::uint32_t>(warp));
  }
  // A number typed beside a question's field is an answer that missed it.
  const bool asked = state_.page == Page::predict && !comparing && !state_.present && session_.selection.is_lesson();
  const auto& variants = session_.selection.lesson().variants;
  for (std::size_t i = 0; i < std::min<std::size_t>(variants.size(), 9) && !asked; ++i)
    if (pressed(static_cast<ImGuiKey>(ImGuiKey_1 + static_cast<int>(i)), false) && !(comparing && variants[i].gpu_only))
      session_.choose_variant(i);
}

// With one variant, A and B select the previous and the next variant; side by side, each changes its own side.
void MainWindow::turn_variant(bool of_a, bool comparing) {
  const auto& variants = session_.selection.lesson().variants;
  const std::size_t count = variants.size();
  if (!comparing) {
    session_.choose_variant((session_.selection.variant_index() + (of_a ? count - 1 : 1)) % count);
    return;
  }
  const std::size_t a = session_.selection.variant_index(), b = *session_.selection.compared();
  for (std::size_t i = 1; i < count; ++i) {
    const std::size_t next = ((of_a ? a : b) + i) % count;
    if (variants[next].gpu_only || next == (of_a ? b : a)) continue;
    if (of_a)
      session_.choose_variant(next);
    else
      session_.compare_with({next, session_.selection.comparison()->controls, false});
    return;
  }
}

// Problems of the window itself, on top of everything until they are clicked away.
void MainWindow::notices(const Ui& ui) {
  Diagnostics all = told_;
  all.insert(all.end(), session_.notices().begin(), session_.notices().end());
  all.insert(all.end(), state_.exports->problems.begin(), state_.exports->problems.end());
  if (all.empty()) return;
  const Palette& p = ui.colours();
  ImDrawList* list = ImGui::GetForegroundDrawList();
  std::string said;
  for (const Diagnostic& d : all) {
    const std::string line = d.place.line > 0 ? ":" + std::to_string(d.place.line) : "";
    said += (said.empty() ? "" : "\n") + d.place.file + line + (d.place.file.empty() ? "" : ": ") + ui.told(d, "\n");
  }
  std::erase(said, '`');
  const PanelRect part = part_on_screen();
  const float wide = std::min(ui.px(560), part.width - ui.px(32)), pad = ui.px(16);
  const ImVec2 size = ui.look.measure(type::small, said, wide - 2 * pad);
  const ImVec2 a{centred_on_screen(wide), part.y + ui.px(64)}, b{a.x + wide, a.y + size.y + 2 * pad};
  const bool notes = std::ranges::all_of(all, [](const Diagnostic& d) { return d.severity == Severity::note; });
  const ImU32 colour = notes ? p.accent : p.conflict;
  list->AddRectFilled(a, b, mix(p.panel, colour, 0.2f), ui.px(8));
  list->AddRect(a, b, colour, ui.px(8), std::max(1.0f, ui.px(1)));
  draw_paragraph(list, ui.look, type::small, p.text, {a.x + pad, a.y + pad}, said, wide - 2 * pad);
  if (ImGui::IsMouseHoveringRect(a, b, false) && ImGui::IsMouseClicked(ImGuiMouseButton_Left))
    told_.clear(), session_.dismiss_notices(), state_.exports->problems.clear();
}

// F6 moves between the first controls of all panels, starting from the focused panel.
void MainWindow::choose_panel(int way, const Layout& l) {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  const PanelRect every[] = {l.top, l.lesson, l.code, l.warp, l.steps, l.time};
  const std::span<const PanelRect> all(every, l.time.height > 0 ? std::size(every) : std::size(every) - 1);
  int now = way > 0 ? -1 : 0;
  const auto count = static_cast<int>(all.size());
  if (g.NavWindow != nullptr && g.NavId != 0 && g.NavCursorVisible) {
    const ImVec2 at = ImGui::WindowRectRelToAbs(g.NavWindow, g.NavWindow->NavRectRel[0]).GetCenter();
    for (std::size_t i = 0; i < all.size(); ++i)
      if (holds(all[i], at)) now = static_cast<int>(i);
  }
  to_panel_ = 0;
  do panel_ = now = (now + way + count) % count;
  while (all[static_cast<std::size_t>(now)].height <= 0);  // side by side there is no lesson and no warp
  show_ring_ = 2;
}

namespace {

// The panel that is to be alone gets the place of all. `all`: none may be.
void grow(Layout& l, Presenting& shown, bool all) {
  PanelRect* const rects[] = {&l.lesson, &l.code, &l.warp, &l.steps, &l.time};
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  if (std::exchange(shown.grow_asked, false)) {
    const bool ring = g.NavWindow != nullptr && g.NavId != 0 && g.NavCursorVisible;
    const ImVec2 at =
        ring ? ImGui::WindowRectRelToAbs(g.NavWindow, g.NavWindow->NavRectRel[0]).GetCenter() : g.IO.MousePos;
    std::optional<Panel> asked;
    for (std::size_t i = 0; i < std::size(rects); ++i)
      if (rects[i]->height > 0 && holds(*rects[i], at)) asked = static_cast<Panel>(i);
    shown.grown = shown.grown ? std::nullopt : std::optional(asked.value_or(Panel::warp));
  }
  if (all || (shown.grown && rects[static_cast<std::size_t>(*shown.grown)]->height <= 0)) shown.grown.reset();
  if (!shown.grown) return;
  float x0 = l.code.x, y0 = l.code.y, x1 = 0, y1 = 0;
  for (const PanelRect* rect : rects) {
    if (rect->height <= 0) continue;
    x0 = std::min(x0, rect->x), y0 = std::min(y0, rect->y);
    x1 = std::max(x1, rect->x + rect->width), y1 = std::max(y1, rect->y + rect->height);
  }
  for (std::size_t i = 0; i < std::size(rects); ++i)
    *rects[i] = static_cast<Panel>(i) == *shown.grown ? PanelRect{x0, y0, x1 - x0, y1 - y0} : PanelRect{};
}

}  // namespace

void MainWindow::panels(const Ui& ui, const PanelRect& all) {
  const bool schedules =
      state_.steps_tab == StepsTab::schedules && session_.schedules.orders() != nullptr && !covers(ui).counts;
  if (std::exchange(state_.borders_back, false)) borders_.put_back();
  const float find = state_.find.open ? FindBar::height : 0, program = program_strip_height(session_);
  const bool lesson = session_.selection.is_lesson();
  Layout l = borders_.layout(all.width, all.height, look_, schedules, find + program);
  if (!lesson && session_.runs.gpus().chosen() == nullptr) {  // nothing was measured of saved runs and files
    l.warp.height = l.time.y + l.time.height - l.warp.y;
    l.time = {};
  }
  if (state_.tour->running() && state_.code_tab == CodeTab::linked) state_.code_tab = CodeTab::cuda;
  const bool linked = state_.code_tab == CodeTab::linked;
  if (linked) give_code_the_room(l);
  grow(l, *state_.presenting, state_.tour->running());
  if (to_panel_ != 0) choose_panel(to_panel_, l);
  const int chosen = std::exchange(panel_, -1);
  const auto part = [&](int index, const PanelRect& rect, const auto& draw) {
    if (rect.height <= 0) return;
    if (index == chosen) focus_next_item();
    draw();
  };
  part(0, l.top, [&] { draw_top_bar(ui, l.top); });
  const float below = l.top.y + l.top.height;
  if (program > 0) draw_program_strip(ui, {l.top.x, below, l.top.width, ui.px(program)});
  if (find > 0) find_.draw(ui, {l.top.x, below + ui.px(program), l.top.width, ui.px(find)});
  part(1, l.lesson, [&] {
    if (session_.selection.run() != nullptr)
      launches_.draw(ui, l.lesson);
    else if (session_.selection.kernel_file() != nullptr)
      form_.draw(ui, l.lesson);
    else
      lesson_.draw(ui, l.lesson);
  });
  part(2, l.code, [&] { code_.draw(ui, l.code); });
  code_rect_ = l.code;
  part(3, l.warp, [&] { warp_.draw(ui, l.warp); });
  part(4, l.steps, [&] { steps_.draw(ui, l.steps); });
  part(5, l.time, [&] { time_.draw(ui, l.time); });
  if (!linked && !state_.presenting->grown) borders_.draw(ui, l, all, schedules);
  draw_export_menus(ui, l);
  fulfil_export(ui, steps_.film(), time_, l, /*panels=*/true);
  if (lesson) draw_tour(ui, l);
  if (show_ring_ == 0) return;
  if (--show_ring_ == 0) ImGui::SetNavCursorVisible(true);
  state_.moving = true;
}

bool MainWindow::is_code(ImVec2 at) const {
  return !session_.selection.compared() && !state_.present && holds(code_rect_, at);
}

void MainWindow::frame() {
  const Ui ui{look_, session_, state_};
  const ImGuiViewport* view = ImGui::GetMainViewport();
  ImGui::SetNextWindowPos(view->Pos);
  ImGui::SetNextWindowSize(view->Size);
  ImGui::Begin("Lanescope", nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse |
                   ImGuiWindowFlags_NoDocking);
  if (tabs_on()) ImGui::GetIO().ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
  keys();
  state_.moving = false;
  state_.linked_line.shown = std::exchange(state_.linked_line.next, 0);
  warp_.open_view(ui);
  tell_where_it_went(ui, lesson_.arriving());
  find_.update(ui, lesson_, code_, !state_.present && !session_.selection.compared());
  const PanelRect all{view->Pos.x, view->Pos.y, view->Size.x, view->Size.y};
  if (session_.selection.compared()) {
    const Layout l = layout_of(view->Size.x, view->Size.y, look_);
    const float top = state_.present ? 0 : l.top.y + l.top.height;
    if (!state_.present) draw_top_bar(ui, l.top);
    fulfil_export(ui, steps_.film(), time_, l, /*panels=*/false);
    compare_.draw(ui, {all.x, top, all.width, all.height - top});
  } else if (state_.present) {
    fulfil_export(ui, steps_.film(), time_, {}, /*panels=*/false);
    present_.draw(ui, all, time_);
  } else {
    panels(ui, all);
  }
  if (state_.present && state_.presenting->pointer) draw_pointer(look_);
  draw_export_told(ui);
  notices(ui);
  palette_.draw(ui);
  open_.draw(ui);
  draw_help(ui);
  state_.typing = ImGui::GetIO().WantTextInput;
  state_.moving |= state_.linked_line.shown != state_.linked_line.next;
  own_keys();
  ImGui::End();
  while (!state_.changes.empty()) {
    state_.moving = true;  // they appear in the next frame
    for (const auto& change : std::exchange(state_.changes, {})) change();
  }
}

}  // namespace lanescope::gui
