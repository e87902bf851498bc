#include "gui/code/code_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/worded.h"
#include "gui/code/code_heat.h"
#include "gui/code/editor_buffer.h"
#include "gui/code/editor_style.h"
#include "gui/code/file_changed.h"
#include "gui/numbers/numbers.h"
#include "gui/parts/covers.h"
#include "gui/parts/exports.h"
#include "gui/parts/markdown.h"
#include "gui/parts/problems.h"

namespace lanescope::gui {

namespace {

constexpr float tabs_width = 190;
// The text is wrapped in the first, the problems take their room in the next.
constexpr int frames_to_follow = 6;
constexpr int frames_until_typing_ends = 3;  // after a click beside the editor

int step_line(const Session& s) {
  const trace::Site* site = s.place.site();
  if (site == nullptr || site->file != s.runs.shown()->outcome.request.source.name) return 0;
  return site->line;
}

// The line that wrote a wrong element need not be to blame: it is gone to on a click only.
bool is_wrong_result(const Diagnostic& problem) {
  return problem.code == "result.wrong";
}

// Where there is little room.
Wording short_heat(Heat heat) {
  switch (heat) {
    case Heat::sectors_per_request:
      return worded("sectors/request");
    case Heat::wavefronts_per_request:
      return worded("wavefronts/request");
    case Heat::lanes:
      return worded("lanes");
    case Heat::executions:
      return worded("warp executions, max");
  }
  return worded("sectors/request");
}

// Returns how much of `room` it takes.
float heat_picker(const Ui& ui, float right, float centre, float room) {
  const std::string names[] = {ui.tr(heat_label(ui.window.heat)), ui.told(short_heat(ui.window.heat))};
  const std::string& said = longest_fitting(ui.look, type::caption, names, room - ui.px(18));
  const float width = std::min(ui.look.measure(type::caption, said).x + ui.px(18), room), h = ui.px(26);
  ImGui::SetCursorScreenPos({right - width, centre - h / 2});
  if (pressable("heat", {width, h})) ImGui::OpenPopup("heat list");
  const bool hovered = ImGui::IsItemHovered();
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  ImDrawList* list = ImGui::GetWindowDrawList();
  draw_text(list, ui.look, type::caption, hovered ? ui.colours().text : ui.colours().dim, {right - width, centre}, said,
            HAlign::left, width - ui.px(14));
  draw_icon(list, ui.look, Icon::down, {right - ui.px(5), centre}, ui.colours().dim, 6);
  hint(ui.look, ui.tr(ui.window.heat == Heat::executions ? Label::heat_executions_hint : Label::heat_hint), names[0]);
  constexpr float list_width = 290;
  ImGui::SetNextWindowPos({right - ui.px(list_width + 16), centre + ui.px(16)});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(8), ui.px(8)));
  if (ImGui::BeginPopup("heat list")) {
    for (const Heat heat : {Heat::sectors_per_request, Heat::wavefronts_per_request, Heat::lanes, Heat::executions})
      if (ImGui::Selectable(ui.tr(heat_label(heat)), heat == ui.window.heat, 0, {ui.px(list_width), ui.px(22)}))
        ui.window.heat = heat, ui.window.heat_chosen = true;
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
  return width;
}

// Of a number: to the right edge, and to the bar at its left.
constexpr float heat_margin = 12, heat_bar_gap = 8;

// In steps: the code beside it shall not wrap anew at each number of another width.
float widest_heat_number(const Ui& ui) {
  const float step = ui.px(26);
  float widest = 0;
  if (const RunResult* result = ui.session.runs.shown())
    for (const LineCost& cost : result->lines)
      if (const HeatValue value = heat_of(cost, ui.window.heat); value.any)
        widest = std::max(widest, ui.look.measure(type::number, heat_text(ui.window.heat, value)).x);
  return std::max(1.0f, std::ceil(widest / step)) * step;
}

}  // namespace

CodePanel::CodePanel() = default;
CodePanel::~CodePanel() = default;

CodePanel::Buffer& CodePanel::buffer(const Session& s) {
  // The launches of a saved run share the text of their file, and so do the kernels of an open one.
  const lesson::Variant& variant = s.selection.variant();
  const bool saved_run = s.selection.run() != nullptr;
  // A program's text stays in the same editor when it runs again.
  const KernelFile* file = s.selection.kernel_file();
  const bool of_program = saved_run ? s.selection.can_edit() : file != nullptr && file->of_program;
  const std::string& lesson = s.selection.lesson().id;
  auto& slot =
      buffers_[(of_program ? "program" : lesson) + "/" + (s.selection.is_lesson() ? variant.id : variant.file)];
  if (!slot) {
    slot = std::make_unique<Buffer>();
    configure_editor(slot->editor);
    slot->editor.SetReadOnlyEnabled(saved_run && !of_program);
  }
  // A file has another text when it is opened again, or when it has changed on the disk.
  const std::tuple now_of(lesson, &s.selection.original_source(), s.selection.original_revision());
  if (slot->text_of == now_of) return *slot;
  slot->text_of = now_of;
  slot->untouched = as_edited(s.selection.original_source());
  const std::string now = s.selection.edited() ? as_edited(s.selection.source()) : slot->untouched;
  if (slot->editor.GetText() != now) slot->editor.SetText(now);  // else its undo and its cursor stay
  return *slot;
}

TextEditor& CodePanel::editor(const Session& session) {
  return buffer(session).editor;
}

void CodePanel::reset_to_lesson(const Ui& ui) {
  replace_text(ui, ui.session.selection.original_source());
  editor(ui.session).SetFocus();  // Ctrl + Z takes it back at once
}

void CodePanel::replace_text(const Ui& ui, const std::string& text) {
  TextEditor& editor = buffer(ui.session).editor;
  const std::size_t last = editor.GetLineCount() - 1;
  editor.ReplaceSectionText({0, 0}, {last, editor.GetLineText(last).size()}, text);
  ui.session.selection.set_source(text);
  ui.session.run();
}

// The lines' own numbers travel with them as user data, so that heat and marks stay beside their line while it moves.
void CodePanel::map_lines(const Ui& ui, Buffer& b) {
  const Session& s = ui.session;
  const std::uint64_t serial = s.runs.shown() == nullptr ? 0 : s.runs.shown()->serial;
  if (serial != 0 && b.mapped != serial && !s.runs.stale()) {
    for (std::size_t i = 0; i < b.editor.GetLineCount(); ++i)
      b.editor.SetUserData(i, reinterpret_cast<void*>(static_cast<std::intptr_t>(i + 1)));
    b.mapped = serial;
  }
  b.line_now.clear();
  b.editor.IterateUserData([&](std::size_t line, void* data) {
    if (data != nullptr)
      b.line_now.emplace(static_cast<int>(reinterpret_cast<std::intptr_t>(data)), static_cast<int>(line) + 1);
  });
}

// Marks the problems' lines, and follows the step's line and the first problem's.
void CodePanel::mark(const Ui& ui, Buffer& b) {
  const Session& s = ui.session;
  const std::uint64_t serial = s.runs.shown() == nullptr ? 0 : s.runs.shown()->serial;
  const auto found = b.line_now.find(step_line(s));
  const int line = found == b.line_now.end() ? 0 : found->second;
  const Diagnostics& problems = s.runs.remarks();
  const Diagnostic* first_problem = problems.empty() ? nullptr : problems.data();
  const int theme = static_cast<int>(ui.look.theme());
  if (b.marked_theme != theme) b.editor.SetPalette(editor_palette(ui.colours()));
  const Language language = ui.window.settings.language;
  if (b.marked_line != line) b.new_line_frames = line > 0 ? frames_until_typing_ends : 0;
  if (b.new_line_frames > 0) {
    --b.new_line_frames, ui.window.moving = true;
    if (!ui.window.typing) b.followed_line = line, b.follow_frames = frames_to_follow, b.new_line_frames = 0;
  }
  if (b.marked_theme == theme && b.marked_language == language && b.marked_line == line &&
      b.marked_problem == first_problem && b.marked_result == serial)
    return;
  b.editor.ClearMarkers();
  for (const Diagnostic& d : problems)
    if (line_in_code(ui, d) > 0 && d.severity == Severity::error && !is_wrong_result(d))
      b.editor.AddMarker(static_cast<std::size_t>(d.place.line) - 1, with_alpha(ui.colours().conflict, problem_ground),
                         with_alpha(ui.colours().conflict, problem_ground), "", "");  // the message is below the code
  if (first_problem != nullptr && b.marked_problem != first_problem && line_in_code(ui, *first_problem) > 0 &&
      !is_wrong_result(*first_problem))
    b.followed_line = first_problem->place.line, b.follow_frames = frames_to_follow;
  b.marked_line = line, b.marked_problem = first_problem, b.marked_theme = theme, b.marked_language = language,
  b.marked_result = serial;
}

void CodePanel::edit(const Ui& ui, Buffer& b, float width, float height) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  if ((b.width != width || b.height != height) && b.followed_line > 0 && !ui.window.typing)
    b.follow_frames = frames_to_follow;
  b.width = width, b.height = height;
  // Tab stops before the editor, where it would be a letter: Enter goes in, Escape out.
  if (pressable("into editor", {width, height})) b.editor.SetFocus();
  ImGui::SetCursorScreenPos(at);
  const UseFont font(ui.look, type::code);
  ImGui::PushItemFlag(ImGuiItemFlags_NoNav, true);
  // Without a scrollbar below: the text is wrapped.
  if (b.editor.Render("editor", {width, height}, 0, ImGuiWindowFlags_NoMove)) {
    std::string text = b.editor.GetText();
    Selection& selection = ui.session.selection;
    selection.set_source(text == b.untouched ? selection.original_source() : text);
  }
  ImGui::PopItemFlag();
}

namespace {

// Puts the cursor before this column (both from 1) and brings the line into view.
void put_cursor(TextEditor& text, int line, int column) {
  const std::size_t index = std::min<std::size_t>(static_cast<std::size_t>(line), text.GetLineCount()) - 1;
  text.SetCursor({index, static_cast<std::size_t>(std::max(column, 1)) - 1});
  text.ScrollToLine(index, TextEditor::Scroll::alignMiddle);
}

}  // namespace

void CodePanel::follow(const Ui& ui, Buffer& b, float top, float height) {
  if (b.follow_frames == 0) return;
  --b.follow_frames;
  ui.window.moving = true;
  const std::size_t index =
      std::min<std::size_t>(static_cast<std::size_t>(b.followed_line), b.editor.GetLineCount()) - 1;
  const float above = b.editor.DocPos2ScreenPos({index, 0}).y,
              below =
                  b.editor.DocPos2ScreenPos({index, b.editor.GetLineText(index).size()}).y + b.editor.GetLineHeight();
  // In the middle is a wrapped line's first row: the others may then be below the pane.
  if (above < top || below > top + height)
    b.editor.ScrollToLine(index,
                          below - above > height / 2 ? TextEditor::Scroll::alignTop : TextEditor::Scroll::alignMiddle);
}

void CodePanel::cuda(const Ui& ui, float height) {
  const Session& s = ui.session;
  if (s.selection.run() != nullptr && s.selection.original_source().empty()) {
    ImGui::SetCursorScreenPos({ImGui::GetCursorScreenPos().x + ui.px(16), ImGui::GetCursorScreenPos().y + ui.px(8)});
    const bool without_lines = s.selection.run()->entry(s.selection.variant_index()).in_ptx;
    paragraph(ui.look, type::small, ui.colours().dim,
              ui.tr(without_lines ? Label::saved_no_lines : Label::saved_no_source),
              ImGui::GetWindowWidth() - ui.px(32));
    return;
  }
  Buffer& b = buffer(ui.session);
  map_lines(ui, b);
  mark(ui, b);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetWindowWidth();
  // One width for all numbers: else the bars of two lines would begin at different places.
  const float numbers = widest_heat_number(ui), bars = ui.px(width < ui.px(620) ? 14.0f : 50.0f);
  const float text_width = width - (ui.px(heat_bar_gap) + numbers + ui.px(heat_margin) + bars);
  edit(ui, b, text_width, height);
  follow(ui, b, at.y, height);
  const ImVec2 text_from = ImGui::GetItemRectMin(), text_to = ImGui::GetItemRectMax();
  gutter(ui, b, at.x + text_width, at.x + width, numbers);
  mark_found(ui, b, text_from, text_to);  // over the ground of the step's line
}

void CodePanel::gutter(const Ui& ui, const Buffer& b, float x0, float x1, float numbers) {
  const RunResult* result = ui.session.runs.shown();
  if (result == nullptr) return;
  const Palette& p = ui.colours();
  const Heat heat = ui.window.heat;
  const float row = b.editor.GetLineHeight();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 top = ImGui::GetItemRectMin(), bottom = ImGui::GetItemRectMax();
  list->PushClipRect(top, {x1, bottom.y}, true);
  const float alpha = picture_alpha(ui);
  double most = 0;
  for (const LineCost& cost : result->lines) most = std::max(most, heat_of(cost, heat).value);
  const bool covered = covers(ui).counts;
  for (const auto& [was, line] : b.line_now) {
    const TextEditor::DocPos pos{static_cast<std::size_t>(line) - 1, 0};
    if (!b.editor.IsDocPosVisible(pos)) continue;
    const float y = b.editor.DocPos2ScreenPos(pos).y;
    if (line == b.marked_line) {              // below the editor's text, whose ground is clear
      const std::size_t next = pos.line + 1;  // a wrapped line is several rows tall
      const float end = next < b.editor.GetLineCount() ? b.editor.DocPos2ScreenPos({next, 0}).y : y + row;
      list->AddRectFilled({top.x + ui.px(1), y}, {x1 - ui.px(1), end}, p.accent_soft);
      list->AddRectFilled({top.x + ui.px(1), y}, {top.x + ui.px(4), end}, p.accent);
    }
    if (was == ui.window.linked_line.shown)
      list->AddRect({top.x + ui.px(1), y}, {x1 - ui.px(1), y + row}, p.accent, ui.px(3), std::max(1.0f, ui.px(1)));
    const LineCost* cost = result->line(was);
    const HeatValue value = cost == nullptr ? HeatValue{} : heat_of(*cost, heat);
    if (!value.any || covered) continue;
    const bool worse = is_worse(heat, value);
    const float right = x1 - ui.px(heat_margin), centre = y + row / 2;
    draw_text(list, ui.look, type::number, with_alpha(worse ? p.wasted_text : p.dim, alpha), {right, centre},
              heat_text(heat, value), HAlign::right);
    const float bar_right = right - numbers - ui.px(heat_bar_gap);
    const double share = heat == Heat::lanes ? value.value : most > 0 ? value.value / most : 0;
    const float length = std::max(ui.px(3), (bar_right - x0) * static_cast<float>(share));
    const ImVec2 a{bar_right - length, centre - ui.px(4)}, e{bar_right, centre + ui.px(4)};
    if (worse) paint_cell(list, ui.look, Role::wasted, diagram::Pattern::hatched, a, e, ui.px(2), alpha);
    list->AddRectFilled(a, e, with_alpha(worse ? p.wasted : p.executed, alpha * (worse ? 0.75f : 0.6f)), ui.px(2));
    if (!ImGui::IsMouseHoveringRect({x0, y}, {x1, y + row}) || !ImGui::IsWindowHovered()) continue;
    heat_hint(ui, *cost);
    ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (ImGui::IsMouseClicked(ImGuiMouseButton_Left))
      ui.window.afterwards([&place = ui.session.place, line = was] { place.go_to_line(line); });
  }
  list->PopClipRect();
}

void CodePanel::problems(const Ui& ui) {
  const Diagnostics& problems = ui.session.runs.remarks();
  if (problems.empty()) return;
  const Palette& p = ui.colours();
  ImGui::PushStyleColor(ImGuiCol_ChildBg, mix(p.panel, has_error(problems) ? p.conflict : p.wasted, 0.12f));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(16), ui.px(10)));
  ImGui::PushStyleVar(ImGuiStyleVar_ChildRounding, 0.0f);
  // In a low window two rows of code are to be left above them; above what is no error, more.
  const bool low = ImGui::GetIO().DisplaySize.y < ui.px(720);
  const float least = ui.px(!low ? 136.0f : has_error(problems) ? 128.0f : 76.0f);
  ImGui::SetNextWindowSizeConstraints({0, 0}, {3e4f, low ? least : std::max(least, ImGui::GetIO().DisplaySize.y / 5)});
  ImGui::BeginChild(
      "problems", {ImGui::GetWindowWidth() - ui.px(2), 0},
      ImGuiChildFlags_AutoResizeY | ImGuiChildFlags_AlwaysUseWindowPadding | ImGuiChildFlags_NavFlattened);
  const RunResult* shown = ui.session.runs.shown(ui.session.selection.variant_index());
  const bool faulty = shown != nullptr && shown->faulty_launch() > 0 && !ui.session.runs.stale();
  for (std::size_t i = 0; i < problems.size(); ++i) {
    const Diagnostic& d = problems[i];
    const bool wrong = is_wrong_result(d), of_fault = faulty && d.severity == Severity::error;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::GetWindowDrawList()->AddCircleFilled({at.x + ui.px(4), at.y + ui.px(9)}, ui.px(4),
                                                d.severity == Severity::error ? p.conflict : p.wasted);
    ImGui::Indent(ui.px(18));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, ui.px(2)));
    // An element that is wrong is named before the line that may have nothing to do with it; a click goes to its last
    // write.
    paragraph_with_code(ui, type::small_medium, p.text, wrong ? ui.told(d.message) : problem_text(ui, d));
    if (wrong) {
      if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
      if (ImGui::IsItemClicked())
        ui.window.afterwards([&s = ui.session, &window = ui.window, i, line = line_in_code(ui, d)] {
          if (!s.replays.go_to_writer(i) && line > 0) window.show_line = line;
        });
    } else if (line_in_code(ui, d) > 0 && ImGui::IsItemClicked()) {
      put_cursor(editor(ui.session), d.place.line, d.place.column);
      editor(ui.session).SetFocus();
      ui.window.code_tab = CodeTab::cuda;
      // The step where the run failed; of what ran to its end, such as a race, its step, too.
      if (of_fault)
        ui.session.place.go_to_fault();
      else if (!has_error(problems))
        ui.session.place.go_to_line(d.place.line);
    }
    if (of_fault && ImGui::IsItemHovered()) {
      ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
      show_hint(ui.look, ui.tr(shown->stopped ? Label::stop_go : Label::fault_go));
    }
    if (!d.cure.empty()) paragraph_with_code(ui, type::caption, p.dim, ui.told(d.cure));
    ImGui::PopStyleVar();
    ImGui::Dummy({0, ui.px(4)});
    ImGui::Unindent(ui.px(18));
  }
  if (ui.session.runs.problems_outdated()) paragraph(ui.look, type::caption, p.faint, ui.tr(Label::problems_outdated));
  ImGui::EndChild();
  ImGui::PopStyleVar(2);
  ImGui::PopStyleColor();
}

// A result is never changed, and its serial is its own.
const std::vector<NumberRow>& CodePanel::rows(const Ui& ui) {
  const RunResult* result = ui.session.runs.shown();
  const std::uint64_t serial = result == nullptr ? 0 : result->serial;
  if (serial == rows_of_) return rows_;
  const lesson::Point& point = ui.session.selection.lesson().point;
  rows_ = result == nullptr ? std::vector<NumberRow>() : by_point(number_rows(*result, point.numbers), point);
  rows_of_ = serial;
  return rows_;
}

void CodePanel::take_orders(const Ui& ui) {
  if (!ui.window.load_code.empty()) {
    replace_text(ui, ui.window.load_code);
    ui.window.load_code.clear();
    ui.window.code_tab = CodeTab::cuda;
  }
  if (const int line = std::exchange(ui.window.show_line, 0); line > 0) {
    put_cursor(editor(ui.session), line, 1);
    ui.window.code_tab = CodeTab::cuda;
  }
}

void CodePanel::tabs(const Ui& ui, const Strip& strip) {
  const Selection& selection = ui.session.selection;
  const bool python = selection.run() != nullptr && selection.variant().file.ends_with(".py");
  const TabItem tabs[] = {
      {"cuda", python ? "Python" : "CUDA"}, {"ptx", "PTX"}, {"sass", "SASS"}, {"linked", ui.tr(Label::code_all)}};
  ImGui::SetCursorScreenPos({strip.x0, strip.y0});
  CodeTab& tab = ui.window.code_tab;
  tab = static_cast<CodeTab>(
      tab_strip(ui.look, "code tabs", tabs, static_cast<int>(tab), 42, strip.x0 + ui.px(tabs_width)));
  if (tab != CodeTab::cuda) return;
  const float tabs_end = strip.x0 + ui.px(tabs_width), reset = selection.edited() ? ui.px(34) : 0;
  const float right =
      strip.x1 - (heat_picker(ui, strip.x1, strip.centre, std::max(strip.x1 - tabs_end - reset, ui.px(24))) + ui.px(8));
  if (!selection.edited()) return;
  ImGui::SetCursorScreenPos({right - ui.px(26), strip.centre - ui.px(13)});
  if (icon_button(ui.look, "reset", Icon::reset,
                  ui.tr(selection.is_lesson() ? Label::reset_to_lesson : Label::reset_to_file)))
    reset_to_lesson(ui);
}

// The numbers get what the text leaves, but never less than a few rows and never more than they need.
float CodePanel::text_height(const Ui& ui, float room, float width, bool low) {
  const Runs& runs = ui.session.runs;
  const CodeTab tab = ui.window.code_tab;
  if (tab == CodeTab::linked) return room;  // it has the room of four panels
  const bool failed = !runs.remarks().empty();
  TextEditor& text = editor(ui.session);
  const std::size_t text_rows = text.DocPos2VisPos({text.GetLineCount() - 1, 0}).row + 2;
  // The machine code has its head above and its answer below.
  const float code_needs =
      tab == CodeTab::sass ? ui.px(sass_scene_.height + 200) : ui.px(22.5f) * static_cast<float>(text_rows);
  const float text_needs = code_needs + (failed ? problem_height_ : 0) + ui.px(6);
  const auto rows = runs.shown() == nullptr ? rows_of_nothing(ui, width, low)
                                            : static_cast<int>(rows_on_screen(this->rows(ui), ui.window.all_numbers) +
                                                               runs.shown()->outcome.checks.size());
  const float around = ui.px(controls_height(ui, low) + 10);
  const float least = around + ui.px(number_rows_height(low, std::min(rows, failed && runs.shown() != nullptr ? 1
                                                                            : low                             ? 2
                                                                                                              : 4)));
  const float most = around + ui.px(number_rows_height(low, rows));
  // A text that does not compile is about to be changed: it keeps its room. Another one may leave more than half of it.
  const float left = room - text_needs;
  const float below = std::max(std::min(std::clamp(left, least, std::max(least, most)), room * (failed ? 0.4f : 0.5f)),
                               failed ? 0.0f : std::min(left, most));
  if (failed) return room - whole_number_rows(ui, below, around, below, low, rows);
  // A row that half fits gets the rest of its room.
  const float rounded = below >= room * 0.5f - 1 ? std::max(below, std::min(most, room * 0.54f)) : below;
  return room - whole_number_rows(ui, rounded, around, room * 0.65f, low, rows);
}

void CodePanel::text(const Ui& ui, const PanelRect& rect) {
  const Session& s = ui.session;
  const bool failed = !s.runs.remarks().empty();
  const float problem_height = failed ? problem_height_ : 0;
  ImGui::SetCursorScreenPos({rect.x, rect.y});
  ImGui::BeginChild("text", {rect.width, rect.height}, ImGuiChildFlags_NavFlattened,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  // The problems take their room from the text above them.
  ImGui::SetCursorScreenPos({rect.x, rect.y + ui.px(6)});
  const float height = rect.height - problem_height - ui.px(6);
  const CodeTab tab = ui.window.code_tab;
  if (tab == CodeTab::cuda)
    cuda(ui, height);
  else if (tab == CodeTab::ptx)
    ptx(ui, height);
  else if (tab == CodeTab::sass)
    sass(ui, height);
  else if (s.runs.shown() != nullptr)
    linked_.draw(ui, {rect.x, rect.y, rect.width, height});
  else
    paragraph(ui.look, type::small, ui.colours().dim, why_nothing(ui));
  if (!s.runs.remarks().empty()) {
    ImGui::SetCursorScreenPos({rect.x + ui.px(1), rect.y + rect.height - problem_height});
    problems(ui);
    if (const float now = ImGui::GetItemRectSize().y; now != problem_height_) {
      problem_height_ = now;
      ui.window.moving = true;
    }
  }
  ImGui::EndChild();
}

void CodePanel::draw(const Ui& ui, const PanelRect& rect) {
  begin_panel(ui.look, "code", rect);
  take_orders(ui);
  const Strip strip = panel_strip(ui.look);
  tabs(ui, strip);
  const float top = strip.y1 + draw_file_changed(ui, rect, strip.y1), bottom = rect.y + rect.height;
  const bool low = rect.height < ui.px(560);
  const float code_height = text_height(ui, bottom - top, rect.width, low);
  text(ui, {rect.x, top, rect.width, code_height});
  if (ui.window.code_tab == CodeTab::linked) {
    ui.window.exports->beside_numbers.reset();
    return end_panel();
  }
  const float y = top + code_height;
  ImGui::GetWindowDrawList()->AddRectFilled({rect.x + ui.px(1), y}, {rect.x + rect.width - ui.px(1), y + ui.px(1)},
                                            ui.colours().line);
  ImGui::SetCursorScreenPos({rect.x, y + ui.px(1)});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(16), ui.px(4)));
  ImGui::BeginChild("below", {rect.width - ui.px(1), bottom - y - ui.px(4)},
                    ImGuiChildFlags_AlwaysUseWindowPadding | ImGuiChildFlags_NavFlattened);
  ImGui::PopStyleVar();
  draw_controls(ui, low);
  draw_numbers(ui, this->rows(ui), low);
  ImGui::EndChild();
  ImGui::PopStyleVar();
  end_panel();
}

}  // namespace lanescope::gui
