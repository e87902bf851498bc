#include "gui/present_view.h"

// Present mode: one question, one picture, readable from the last row. Everything grows with the window, because a
// projector's picture has the same size at any resolution.

#include <fmt/format.h>

#include <algorithm>

#include "core/source_line.h"
#include "core/worded.h"
#include "diagram/views.h"
#include "gui/numbers/numbers.h"
#include "gui/parts/covers.h"
#include "gui/parts/launch_choice.h"
#include "gui/parts/presenting.h"
#include "gui/parts/problems.h"
#include "gui/parts/said_first.h"
#include "gui/parts/tabs.h"
#include "gui/parts/views.h"
#include "gui/time/time_panel.h"
#include "gui/warp/fault_mark.h"
#include "gui/warp/film_view.h"
#include "metrics/request_cost.h"

namespace lanescope::gui {
namespace {

// The largest style in which the text takes at most two lines.
TypeStyle fitting_style(const Ui& ui, const std::string& text, float room) {
  TypeStyle style = type::present_medium;
  if (ui.look.lines(style, text, room).size() > 1) style = type::present_strong;
  if (ui.look.lines(style, text, room).size() > 2) style = type::body_strong;
  return style;
}

// The cost of the step's request in three numbers; false if it has no sectors.
bool costs_in_numbers(const Ui& ui, float x, float y, float room) {
  const RunResult& run = *ui.session.runs.shown();
  if (is_failed_access(run, *ui.session.place.event())) return false;
  const metrics::RequestCost cost = metrics::cost(run.outcome.first().trace, *ui.session.place.event());
  if (cost.sectors == 0) return false;
  const Palette& p = ui.colours();
  const bool waste = cost.sectors > cost.ideal_sectors;
  const std::string parts[] = {
      fill_in(ui.tr(Label::bytes_asked), grouped(std::uint64_t{cost.bytes_requested})),
      fill_in(ui.tr(Label::bytes_moved), grouped(std::uint64_t{cost.bytes_moved()})),
      fill_in(ui.tr(Label::share_used), number_text(100.0 * cost.bytes_requested / cost.bytes_moved(), "%"))};
  float total = ui.px(80);
  for (const std::string& part : parts) total += ui.look.measure(type::present_medium, part).x;
  const TypeStyle style = total > room ? type::present_strong : type::present_medium;
  for (int i = 0; i < 3; ++i)
    x += draw_text(ImGui::GetWindowDrawList(), ui.look, style, i == 1 && waste ? p.wasted_text : p.text, {x, y},
                   parts[i]) +
         ui.px(40);
  return true;
}

// The text under the picture: the picture's sentence about the step, above the lesson's point about the whole launch.
// Without a point: the cost of the sectors in three numbers, or the picture's sentence.
void said_of_step(const Ui& ui, ImVec2 a, ImVec2 b, bool sectors, const std::string& point, const std::string& step) {
  const Palette& p = ui.colours();
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(a, b, p.panel, ui.px(8));
  list->AddRect(a, b, p.line, ui.px(8), std::max(1.0f, ui.px(1)));
  const float centre = (a.y + b.y) / 2, x = a.x + ui.px(28), room = b.x - a.x - ui.px(56);
  if (point.empty()) {
    if (sectors && costs_in_numbers(ui, x, centre, room)) return;
    const TypeStyle style = fitting_style(ui, step, room);
    draw_paragraph(list, ui.look, style, p.text, {x, centre - ui.look.measure(style, step, room).y / 2}, step, room);
    return;
  }
  TypeStyle first = type::present_medium, second = type::present_small;
  if (ui.look.lines(first, step, room).size() > 1) first = type::present_strong;
  if (ui.look.lines(first, step, room).size() > 1) first = type::body_strong;
  if (ui.look.lines(second, point, room).size() > 1) second = type::body;
  const float above = ui.look.measure(first, step, room).y, below = ui.look.measure(second, point, room).y;
  const float top = centre - (above + ui.px(4) + below) / 2;
  draw_paragraph(list, ui.look, first, p.text, {x, top}, step, room);
  draw_paragraph(list, ui.look, second, p.dim, {x, top + above + ui.px(4)}, point, room);
}

// The source line of the step, which the class needs beside the picture.
void code_of_step(const Ui& ui, float x, float centre, float room) {
  const Session& s = ui.session;
  const trace::Site* site = s.place.site();
  if (room < ui.px(120) || site == nullptr || site->line <= 0 ||
      site->file != s.runs.shown()->outcome.request.source.name)
    return;
  std::string code = source_line(s.runs.shown()->key.source, site->line);
  code = code.substr(0, code.find("// @"));  // a mark is not part of the code
  const std::string number = fill_in(ui.tr(Label::line_number), std::to_string(site->line));
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float before =
      draw_text(list, ui.look, type::present_small, ui.colours().dim, {x, centre}, number, HAlign::left, room) +
      ui.px(16);
  draw_text(list, ui.look, {Face::mono, 18}, ui.colours().text, {x + before, centre}, code, HAlign::left,
            room - before);
}

// "Sectors   8 lines · 32 sectors", and at the right, where there is room, what the colours mean.
void picture_heading(const Ui& ui, const char* title, const std::string& said,
                     const std::vector<diagram::LegendItem>& legend, ImVec2 at, float width) {
  const Palette& p = ui.colours();
  ImDrawList* list = ImGui::GetWindowDrawList();
  float x = at.x + draw_text(list, ui.look, type::present_strong, p.dim, at, title) + ui.px(28);
  x += draw_text(list, ui.look, type::present_small, p.dim, {x, at.y}, said, HAlign::left, at.x + width - x);
  const float size = ui.px(16), gap = ui.px(8), apart = ui.px(24);
  const auto width_of = [&](const diagram::LegendItem& item) {
    return size + gap + ui.look.measure(type::present_small, item.text).x + apart;
  };
  float needed = 0;
  for (const diagram::LegendItem& item : legend) needed += width_of(item);
  float from = at.x + width - needed + apart;
  if (from < x + apart) return;
  for (const diagram::LegendItem& item : legend) {
    paint_cell(list, ui.look, item.role, item.pattern, {from, at.y - size / 2}, {from + size, at.y + size / 2},
               ui.px(3));
    draw_text(list, ui.look, type::present_small, p.dim, {from + size + gap, at.y}, item.text);
    from += width_of(item);
  }
}

Presenting::Place place_of(const Session& s) {
  const Position at = s.place.position();
  return {s.selection.variant().id, at.block, at.warp, at.step};
}

// Drawn instead of the numbers until they are requested.
void veil(const Ui& ui, ImVec2 a, ImVec2 b) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled(a, b, ui.colours().panel, ui.px(8));
  list->AddRect(a, b, ui.colours().line, ui.px(8), std::max(1.0f, ui.px(1)));
  draw_text(list, ui.look, type::present_strong, ui.colours().dim, {(a.x + b.x) / 2, (a.y + b.y) / 2},
            ui.told(worded("R shows the numbers")), HAlign::centre, b.x - a.x - ui.px(32));
}

// Texts that a panel has in small print, in the size of the rest of present mode.
constexpr float as_in_the_last_row = 1.4f;

// The lesson's controls in a strip below the picture, which none of them covers.
constexpr int controls_across = 2;
float strip_height(const Ui& ui) {
  const Look large = ui.look.enlarged(as_in_the_last_row);
  return large.px(controls_in_columns_height(ui, controls_across)) + ui.px(16);
}
void controls_strip(const Ui& ui, const PanelRect& rect) {
  const Look large = ui.look.enlarged(as_in_the_last_row);
  ImGui::SetCursorScreenPos({rect.x, rect.y});
  ImGui::PushStyleColor(ImGuiCol_ChildBg, ui.colours().raised);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(24), ui.px(8)));
  ImGui::PushStyleVar(ImGuiStyleVar_ChildRounding, ui.px(8));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::BeginChild("present controls", {rect.width, rect.height},
                    ImGuiChildFlags_AlwaysUseWindowPadding | ImGuiChildFlags_Borders | ImGuiChildFlags_NavFlattened,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  draw_controls_in_columns({large, ui.session, ui.window}, controls_across);
  ImGui::EndChild();
  ImGui::PopStyleVar(3);
  ImGui::PopStyleColor();
}

// The step has another picture than the one on screen.
bool has_other_picture(const Ui& ui) {
  const trace::WarpEvent* event = ui.session.place.event();
  if (event == nullptr) return false;
  int count = 0;
  for (int i = 0; i < static_cast<int>(WarpTab::count_); ++i)
    count += tab_applies(static_cast<WarpTab>(i), *ui.session.runs.shown(), *event) ? 1 : 0;
  return count > 1;
}

// The keys of present mode, as many as the room allows. `pictures`: the step has more than one.
std::string present_keys(const Ui& ui, float room, bool pictures, bool timed) {
  // Those that a teacher needs least go first.
  std::vector<std::pair<int, std::string>> keys{{5, ui.told(worded("F film"))},    {6, ui.told(worded("V controls"))},
                                                {3, ui.told(worded("G large"))},   {4, ui.told(worded("R numbers"))},
                                                {1, ui.told(worded("P pointer"))}, {2, ui.told(worded("W worst"))}};
  if (timed) keys.insert(keys.begin(), {7, ui.told(worded("M times"))});
  if (pictures) keys.insert(keys.begin() + 2, {8, ui.told(worded("T picture"))});
  const auto joined = [&] {
    std::string text;
    for (const auto& [rank, key] : keys) text += key + "     ";
    return text + ui.tr(Label::present_keys);
  };
  while (!keys.empty() && ui.look.measure(type::body, joined()).x > room) keys.erase(std::ranges::min_element(keys));
  return joined();
}

}  // namespace

// All warps of the block at this step, if the picture leaves room. `width` and `room` in the picture's units.
void PresentView::whole_block(const Ui& ui, float x, float y, float width, float room, float zoom) {
  const Session& s = ui.session;
  const trace::Trace& t = s.runs.shown()->outcome.first().trace;
  constexpr float head = 16, least = 60;
  if (room < head + least || t.launch.warps_per_block() < 2) return;
  const Position at = s.place.position();
  std::string wanted = fmt::format("{} {} {} {} {} {} {}", s.runs.shown()->serial, at.block, at.warp, at.step, width,
                                   room, static_cast<int>(ui.window.settings.language));
  if (wanted != block_shown_) {
    block_shown_ = std::move(wanted);
    block_.make(t, at.block, ui.session.summaries.block_steps(*s.runs.shown(), at.block).across(t, at.warp, at.step),
                ui.picture(width, room - head));
  }
  if (block_.scene().height > room - head) return;
  ImDrawList* list = ImGui::GetWindowDrawList();
  draw_text(list, ui.look, type::present_small, ui.colours().dim, {x, y},
            block_.scene().title + " · " + block_.scene().subtitle, HAlign::left, width * zoom * ui.look.scale());
  ImGui::SetCursorScreenPos({x, y + ui.px(22)});
  block_.show(ui, "block", hover_, zoom, picture_alpha(ui));
}

// The questions for the class, instead of the picture that would reveal the answer. They are answered here; what is
// said about the answer stays until the picture is asked for.
void PresentView::questions(const Ui& ui, const PanelRect& rect) {
  draw_cover(ui, "covered picture", rect, nullptr);
  const float aside = std::max(ui.px(16), (rect.width - ui.px(900)) / 2);
  ImGui::SetCursorScreenPos({rect.x + aside, rect.y + ui.px(10)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(16), ui.px(8)));
  ImGui::BeginChild("asked", {rect.width - 2 * aside, rect.height - ui.px(20)},
                    ImGuiChildFlags_AlwaysUseWindowPadding | ImGuiChildFlags_NavFlattened);
  begin_card(ui.look, "why covered", ui.colours().raised, ui.px(16));
  if (covers(ui).picture) {
    paragraph(ui.look, type::present_small, ui.colours().dim, ui.tr(Label::cover_why_elsewhere));
    ImGui::Dummy({0, ui.px(8)});
    uncover_button(ui);
  } else if (button(ui.look, "show picture", ui.tr(Label::cover_picture_of_class), ButtonKind::primary)) {
    ui.window.presenting->asked.clear();
  }
  end_card(ui.look);
  const Look large = ui.look.enlarged(as_in_the_last_row);
  questions_.draw({large, ui.session, ui.window}, 0);
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

// Lanes, the picture of the step, film or block, and the numbers.
void PresentView::step_on_screen(const Ui& ui, const PanelRect& rect) {
  Session& s = ui.session;
  Presenting& shown = *ui.window.presenting;
  const Palette& p = ui.colours();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const bool hidden = shown.hides(place_of(s)), alone = shown.large;
  const float x0 = rect.x, x1 = rect.x + rect.width;
  float y = rect.y;
  hover_.begin_frame();
  const trace::WarpEvent& event = *s.place.event();
  const trace::Trace& t = s.runs.shown()->outcome.first().trace;
  // Pictures are laid out for a smaller width and enlarged, so that cells and text grow too.
  const float zoom = std::clamp(rect.width / ui.px(680), 1.0f, 2.2f);
  const float width = rect.width / ui.look.scale() / zoom;
  const diagram::Scene lanes = diagram::lanes(t, event, ui.picture(width));
  bool any = false;
  const WarpTab tab = effective_tab(ui.window.warp_tab, *s.runs.shown(), event, any);
  if (!alone || !any) {
    const float named = draw_text(list, ui.look, type::present_strong, p.dim, {x0, y}, ui.tr(Label::lanes)) + ui.px(28);
    const float counted = draw_text(list, ui.look, type::present_small, p.dim, {x1, y}, hidden ? "" : lanes.subtitle,
                                    HAlign::right, rect.width * 0.4f);
    code_of_step(ui, x0 + named, y, rect.width - named - counted - ui.px(28));
    y += ui.px(20);
    ImGui::SetCursorScreenPos({x0, y});
    lanes_.show(lanes, ui.look, "lanes", hover_, ui.motion(), zoom, picture_alpha(ui));
    cross_faulty_lanes(ui, lanes, {x0, y}, zoom);
    y += lanes.height * zoom * ui.look.scale() + ui.px(30);
  }
  const float bar = alone ? 0 : ui.px(84), end = rect.y + rect.height, bar_y = end - bar;
  // In a low window the picture comes first, as long as the film keeps its rows and their names.
  // A row of the film has 2 at least, its names 26, and the panel's margins 20.
  const float least_film = ui.px((2 * 32 + 26 + 20) * as_in_the_last_row), gaps = ui.px(20 + 20);
  float film_height = std::clamp(bar_y - y - gaps - ui.px(100), least_film, std::max(least_film, ui.px(170)));
  if (!shown.film || alone || bar_y - y - gaps - film_height < ui.px(60)) film_height = 0;
  std::string caption = lanes.caption;
  if (any) {
    const float room = std::max(ui.px(60), bar_y - ui.px(20) - y - ui.px(20) - film_height);
    const float largest = alone ? zoom * 2 : zoom;  // a single picture may grow as far as there is room
    const diagram::Scene scene = scene_of(tab, *s.runs.shown(), event, s.details.shuffle_values(),
                                          ui.picture(width, std::max(40.0f, room / ui.look.scale() / zoom)));
    picture_heading(ui, tab_title(ui, tab, event), hidden ? "" : scene.subtitle, scene.legend, {x0, y}, rect.width);
    y += ui.px(22);
    const float k = ui.look.scale();
    const float fit = std::min({largest, room / k / std::max(scene.height, 1.0f),
                                std::max(zoom, rect.width / k / std::max(scene.width, 1.0f))});
    ImGui::SetCursorScreenPos({x0, y});
    view_.show(scene, ui.look, "picture", hover_, ui.motion(), fit, picture_alpha(ui));
    caption = scene.caption;
    y += scene.height * fit * k + ui.px(28);
  }
  if (alone) return;
  if (const std::string fault = fault_sentence(ui); !fault.empty()) caption = fault + "\n" + caption;
  if (film_height > 0) {
    if (shown.film_view == nullptr) shown.film_view = std::make_shared<FilmView>();
    const Look large = ui.look.enlarged(as_in_the_last_row);
    shown.film_view->draw({large, s, ui.window},
                          {x0 - ui.px(16), bar_y - ui.px(10) - film_height, rect.width + ui.px(32), film_height});
  } else if (!hidden) {
    whole_block(ui, x0, y, width, (bar_y - ui.px(20) - y) / ui.look.scale() / zoom, zoom);
  }
  if (hidden)
    veil(ui, {x0, bar_y}, {x1, bar_y + bar});
  else
    said_of_step(ui, {x0, bar_y}, {x1, bar_y + bar}, any && tab == WarpTab::sectors, of_launch(ui, point_.of(ui)),
                 caption);
}

float PresentView::scale_of_times(ImVec2 window, float pixels) {
  constexpr float least_width = 853, least_height = 533, most = 1.5f;  // what the panel needs
  return std::clamp(std::min(window.x / (least_width * pixels), window.y / (least_height * pixels)), 1.0f, most);
}

void PresentView::draw(const Ui& ui, const PanelRect& rect, TimePanel& times) {
  Session& s = ui.session;
  const Palette& p = ui.colours();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float margin = rect.width > ui.px(1200) ? ui.px(64) : ui.px(32);
  const float x0 = rect.x + margin, x1 = rect.x + rect.width - margin;
  const bool low = rect.height < ui.px(760);
  float y = rect.y + (low ? ui.px(36) : ui.px(72));
  std::string where = ui.say(s.selection.lesson().title) + "  ·  " + ui.say(s.selection.variant().title);
  for (const lesson::Control* control : s.selection.controls())
    where += fmt::format("  ·  {} {}", ui.name_of(*control), grouped(s.selection.control(control->name)));
  if (const std::string launch = launch_text(ui); !launch.empty()) where += "  ·  " + launch;
  const bool many = ui.look.measure(type::present_small, where).x > x1 - x0;  // number of controls
  draw_text(list, ui.look, many ? type::body : type::present_small, p.dim, {x0, y}, where, HAlign::left, x1 - x0);
  y += low ? ui.px(38) : ui.px(50);
  TypeStyle title = type::present_title;
  if (low || ui.look.measure(title, ui.say(s.selection.lesson().question)).x > x1 - x0) title = type::present_medium;
  draw_text(list, ui.look, title, p.text, {x0, y}, ui.say(s.selection.lesson().question), HAlign::left, x1 - x0);
  y += low ? ui.px(44) : ui.px(72);
  if (const job::WrongResult* wrong = wrong_result(s, s.selection.variant_index())) {
    draw_wrong_result(ui, *wrong, low ? type::body_strong : type::present_strong, x0, x1, y);
    y += low ? ui.px(28) : ui.px(40);
  }
  const float foot = rect.y + rect.height - ui.px(26);
  PanelRect content{x0, y, x1 - x0, foot - ui.px(28) - y};
  if (ui.window.presenting->controls && !s.selection.controls().empty()) {
    const float height = strip_height(ui);
    content.height -= height + ui.px(12);
    controls_strip(ui, {x0, content.y + content.height + ui.px(12), x1 - x0, height});
    list = ImGui::GetWindowDrawList();
  }
  std::string& asked = ui.window.presenting->asked;
  const std::string here = s.selection.lesson().id + "/" + s.selection.variant().id;
  if (covers(ui).picture)
    asked = here;
  else if (asked != here || ui.window.uncovered)
    asked.clear();
  if (const float badge = stale_badge(ui, x1, rect.y + ui.px(28)); badge > 0) list = ImGui::GetWindowDrawList();

  if (ui.window.presenting->times && (s.selection.is_lesson() || s.runs.gpus().chosen() != nullptr)) {
    const PanelRect place{x0, y - ui.px(14), x1 - x0, content.height + ui.px(14)};
    if (ui.window.presenting->hides(place_of(s)))
      veil(ui, {place.x, place.y}, {place.x + place.width, place.y + place.height});
    else
      times.draw(ui, place);
    list = ImGui::GetWindowDrawList();
  } else if (!asked.empty()) {
    questions(ui, content);
  } else if (s.place.event() == nullptr) {
    // The code and its messages are not visible here.
    ImGui::SetCursorScreenPos({x0, y});
    if (const Diagnostics& problems = s.runs.problems(); problems.empty() || s.runs.running().busy) {
      paragraph(ui.look, type::present_small, p.dim, why_nothing(ui), x1 - x0);
    } else {
      const ProblemTexts said = plain_texts(ui, problems.front());
      paragraph(ui.look, type::present_small, p.text, said.what, x1 - x0);
      ImGui::SetCursorScreenPos({x0, ImGui::GetCursorScreenPos().y + ui.px(8)});
      paragraph(ui.look, type::body, p.dim, said.cure, x1 - x0);
    }
  } else {
    step_on_screen(ui, content);
    ui.window.moving |= lanes_.moving() || view_.moving() || block_.moving();
    list = ImGui::GetWindowDrawList();
    draw_text(list, ui.look, type::body, p.dim, {x0, foot},
              fill_in("{} / {}", grouped(std::uint64_t{s.place.position().step + 1}),
                      grouped(std::uint64_t{s.place.step_count()})) +
                  "  ·  " + ui.tr(s.runs.shows_recorded() ? Label::witness_recorded : Label::interpreted));
  }
  const float keys_room = x1 - x0 - ui.px(220);
  const bool timed = s.selection.is_lesson() || s.runs.gpus().chosen() != nullptr;
  draw_text(list, ui.look, type::body, p.dim, {x1, foot}, present_keys(ui, keys_room, has_other_picture(ui), timed),
            HAlign::right, keys_room);
}

}  // namespace lanescope::gui
