#include "gui/exporting.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>

#include "core/os/abilities.h"
#include "core/os/files.h"
#include "core/os/replace_file.h"
#include "core/os/system_error.h"
#include "core/worded.h"
#include "gui/code/code_drawing.h"
#include "gui/export_tables.h"
#include "gui/parts/covers.h"
#include "gui/parts/presenting.h"
#include "gui/parts/views.h"
#include "gui/time/time_sizes.h"

namespace lanescope::gui {
namespace {

namespace fs = std::filesystem;

constexpr double told_seconds = 8;
constexpr int frames_to_picture = 3;  // enough for menus and hints to disappear
constexpr const char* part_codes[] = {"warp", "steps", "numbers", "time", "window"};
constexpr const char* form_codes[] = {"png", "svg", "csv", "copy_picture", "copy_svg", "copy_table"};

Diagnostic cannot_export(const std::string& path, const Wording& reason) {
  return {Severity::error,
          "export.io",
          {path, 0, 0},
          worded("The file could not be saved: {}.", reason),
          worded("Start Lanescope in a folder that you may write to, or free some space.")};
}

// Creates a file with an unused name, so that no other process takes it. Existing files are never overwritten.
Result<std::string> new_file(const Exports& exports, const std::string& stem, const std::string& ending) {
  std::error_code error;
  fs::create_directories(exports.folder, error);
  if (error) return cannot_export(exports.folder, system_error(reason_of(error)));
  for (int number = 1;; ++number) {
    const std::string name = stem + (number == 1 ? "" : "-" + std::to_string(number)) + "." + ending;
    const std::string path = (fs::absolute(exports.folder) / name).lexically_normal().generic_string();
    Descriptor file;
    const int reason = create_new(path, file);
    if (reason == 0) return path;
    if (reason != EEXIST) return cannot_export(path, system_error(reason));
  }
}

// A kernel may be named `scale<float, 3>`.
std::string file_name_of(std::string text) {
  for (char& c : text)
    if (std::string_view("/\\:*?\"<>| ").find(c) != std::string_view::npos) c = '_';
  return text;
}

// Of a lesson its id, of a program or a file its name.
std::string stem_of(const Ui& ui, ExportPart part) {
  const Selection& selection = ui.session.selection;
  const lesson::Lesson& lesson = selection.lesson();
  return file_name_of((selection.is_lesson() ? lesson.id : lesson.title.en) + "-" + selection.variant().id) + "-" +
         part_codes[static_cast<std::size_t>(part)] +
         (part == ExportPart::time || part == ExportPart::window ? "" : limits_of_run(ui.session));
}

void save_text(const Ui& ui, ExportPart part, const char* ending, const std::string& text) {
  Exports& exports = *ui.window.exports;
  auto path = new_file(exports, stem_of(ui, part), ending);
  if (!path) {
    exports.problems = path.take_errors();
    return;
  }
  if (const int reason = replace_file(*path, text)) {
    std::error_code ignored;
    fs::remove(*path, ignored);
    exports.problems = {cannot_export(*path, system_error(reason))};
    return;
  }
  exports.last_path = *path;
  exports.tell(worded("Saved: {}", *path), ImGui::GetTime());
}

// As large as a page needs it, independent of the panel's size.
diagram::Scene drawing_of(const Ui& ui, ExportPart part, const FilmView& film, TimePanel& time) {
  const Session& s = ui.session;
  if (part == ExportPart::time) return time.drawing(ui);
  if (part == ExportPart::numbers) return code_drawing(ui);
  const trace::Trace& trace = s.runs.shown()->outcome.first().trace;
  const trace::WarpEvent& event = *s.place.event();
  if (part == ExportPart::steps) {
    const Position at = s.place.position();
    return diagram::film(trace, at.block, at.warp, at.step, ui.picture(exported_film_width),
                         film.part(ui, exported_film_width));
  }
  bool any = false;
  const WarpTab tab = effective_tab(ui.window.warp_tab, *s.runs.shown(), event, any);
  if (!any) return diagram::lanes(trace, event, ui.picture(720));
  return scene_of(tab, *s.runs.shown(), event, ui.session.details.shuffle_values(), ui.picture(720));
}

PanelRect rect_of(ExportPart part, const Layout& layout, bool panels) {
  const ImGuiViewport* view = ImGui::GetMainViewport();
  const PanelRect all{view->Pos.x, view->Pos.y, view->Size.x, view->Size.y};
  if (!panels) return all;
  switch (part) {
    case ExportPart::warp:
      return layout.warp;
    case ExportPart::steps:
      return layout.steps;
    case ExportPart::numbers:
      return layout.code;
    case ExportPart::time:
      return layout.time;
    case ExportPart::window:
    case ExportPart::count_:
      break;
  }
  return all;
}

// A picture that the clipboard does not take is not offered; the menu says what is missing.
void export_rows(const Ui& ui, ExportPart part) {
  float wide = 0;
  for (int i = 0; i < static_cast<int>(ExportForm::count_); ++i)
    wide = std::max(wide, button_width(ui.look, ui.told(export_name(static_cast<ExportForm>(i))), {}, false));
  if (ImGui::IsWindowAppearing()) ui.window.exports->clipboard_lacks = what_the_clipboard_lacks();
  const Wording& lacks = ui.window.exports->clipboard_lacks;
  for (int i = 0; i < static_cast<int>(ExportForm::count_); ++i) {
    const auto form = static_cast<ExportForm>(i);
    if (!can_export(ui, part, form)) continue;
    if (form == ExportForm::copy_picture && !lacks.empty()) {
      const std::string said = ui.told(worded("Pictures cannot be copied: {}.", lacks));
      line_of_text(ui.look, type::caption, ui.colours().dim, "  " + said,
                   std::max(wide, ui.look.measure(type::caption, "  " + said).x + ui.px(8)), 22);
      hint(ui.look, ui.told(how_to_copy_pictures()), said);
      continue;
    }
    if (button(ui.look, form_codes[i], ui.told(export_name(form)), ButtonKind::quiet, {}, -1, wide)) {
      ui.window.exports->wish = Exports::Wish{part, form};
      ui.window.moving = true;
      ImGui::CloseCurrentPopup();
    }
  }
}

}  // namespace

Wording export_name(ExportPart part) {
  switch (part) {
    case ExportPart::warp:
      return worded("Warp instruction");
    case ExportPart::steps:
      return worded("Film of steps");
    case ExportPart::numbers:
      return worded("Code and numbers");
    case ExportPart::time:
      return worded("Times and agreement");
    case ExportPart::window:
    case ExportPart::count_:
      break;
  }
  return worded("Whole window");
}

Wording export_name(ExportForm form) {
  switch (form) {
    case ExportForm::png:
      return worded("Save as PNG");
    case ExportForm::svg:
      return worded("Save the drawing as SVG");
    case ExportForm::csv:
      return worded("Save the table as CSV");
    case ExportForm::copy_picture:
      return worded("Copy the picture");
    case ExportForm::copy_svg:
      return worded("Copy the drawing as SVG text");
    case ExportForm::copy_table:
    case ExportForm::count_:
      break;
  }
  return worded("Copy the table");
}

bool can_export(const Ui& ui, ExportPart part, ExportForm form) {
  if (form == ExportForm::png || form == ExportForm::copy_picture) return true;
  const bool drawing = form == ExportForm::svg || form == ExportForm::copy_svg;
  const Session& s = ui.session;
  if (part == ExportPart::window || s.selection.compared() || ui.window.present || s.runs.shown() == nullptr)
    return false;
  const Covers covered = covers(ui);
  switch (part) {
    case ExportPart::warp:
    case ExportPart::steps:
      return s.place.event() != nullptr && !covered.picture;
    case ExportPart::numbers:
      return !covered.counts && (!drawing || !s.runs.shown()->key.source.empty());
    case ExportPart::time:
      if (!s.selection.is_lesson()) return false;
      if (ui.window.results == ResultsTab::agreement)
        return !drawing && s.runs.agreement() != nullptr && !covered.counts;
      return !covered.times && std::ranges::any_of(variants_beside(s, TimeSize::measure), &VariantTime::timed);
    case ExportPart::window:
    case ExportPart::count_:
      break;
  }
  return false;
}

namespace {

// The corners of a frame, turned outwards or inwards.
void paint_corners(const Ui& ui, ImVec2 centre, bool inwards, bool hovered) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float at = ui.px(inwards ? 2.0f : 5.0f), end = ui.px(inwards ? 6.0f : 1.5f);
  for (const float x : {-1.0f, 1.0f})
    for (const float y : {-1.0f, 1.0f}) {
      list->PathLineTo({centre.x + x * end, centre.y + y * at});
      list->PathLineTo({centre.x + x * at, centre.y + y * at});
      list->PathLineTo({centre.x + x * at, centre.y + y * end});
      list->PathStroke(hovered ? ui.colours().text : ui.colours().dim, 0, std::max(1.0f, ui.px(1.5f)));
    }
}

// Beside the menu: fills the window with the panel, or goes back to all of them. `menu`: the menu's corner.
void grow_button(const Ui& ui, ExportPart part, ImVec2 menu, float size) {
  if (part == ExportPart::numbers) return;  // its figures leave no room: G and the palette do it
  const bool is_warp = part == ExportPart::warp, grown = ui.window.presenting->grown.has_value();
  const Panel panel = is_warp ? Panel::warp : part == ExportPart::steps ? Panel::steps : Panel::time;
  // The warp's picture has more room above the menu than beside it.
  ImGui::SetCursorScreenPos({is_warp ? menu.x : menu.x - size, is_warp ? menu.y - size : menu.y});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::BeginChild("grow corner", {size, size}, ImGuiChildFlags_None,
                    ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + size, at.y + size}, ui.colours().raised, ui.px(6));
  if (pressable("grow", {size, size}))
    ui.window.afterwards(
        [&shown = *ui.window.presenting, panel, grown] { shown.grown = grown ? std::nullopt : std::optional(panel); });
  if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  paint_corners(ui, {at.x + size / 2, at.y + size / 2}, grown, ImGui::IsItemHovered());
  hint(ui.look, ui.told(grown ? worded("All panels (Esc)") : worded("Alone in the window (G)")));
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

}  // namespace

void draw_export_menus(const Ui& ui, const Layout& layout) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const bool popup_open = ImGui::IsPopupOpen(nullptr, ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
  for (const ExportPart part : {ExportPart::numbers, ExportPart::warp, ExportPart::steps, ExportPart::time}) {
    const PanelRect rect = rect_of(part, layout, true);
    const bool inside =
        mouse.x >= rect.x && mouse.x < rect.x + rect.width && mouse.y >= rect.y && mouse.y < rect.y + rect.height;
    const auto& times = ui.window.exports->beside_times;
    const bool in_row = part == ExportPart::time && times;
    const float size = ui.px(in_row ? 20.0f : 24.0f);
    const char* code = part_codes[static_cast<std::size_t>(part)];
    ImGui::PushID(code);
    if (rect.height > 0 && (inside || ImGui::IsPopupOpen("export")) && !ui.window.exports->picture) {
      ImVec2 corner{rect.x + rect.width - size - ui.px(6), rect.y + rect.height - size - ui.px(6)};
      if (const auto& beside = ui.window.exports->beside_numbers; part == ExportPart::numbers && beside)
        corner = {beside->x, beside->y - size / 2};
      if (in_row) corner = {times->x + size, times->y - size / 2};
      if (part == ExportPart::warp) corner.y -= ui.px(40);  // above the tabs
      ImGui::SetCursorScreenPos(corner);
      ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
      ImGui::BeginChild("export corner", {size, size}, ImGuiChildFlags_None,
                        ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
      const ImVec2 at = ImGui::GetCursorScreenPos();
      ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + size, at.y + size}, ui.colours().raised, ui.px(6));
      const bool pressed =
          icon_button(ui.look, "save", Icon::menu, ui.told(worded("Save or copy")), true, in_row ? 20 : 24);
      ImGui::EndChild();
      ImGui::PopStyleVar();
      if (pressed) ImGui::OpenPopup("export");
      grow_button(ui, part, corner, size);
    }
    if (inside && !popup_open && !ui.window.typing && ImGui::IsMouseReleased(ImGuiMouseButton_Right))
      ImGui::OpenPopup("export");
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(8), ui.px(8)));
    if (ImGui::BeginPopup("export", ImGuiWindowFlags_NoMove)) {
      export_rows(ui, part);
      ImGui::EndPopup();
    }
    ImGui::PopStyleVar();
    ImGui::PopID();
  }
}

namespace {

Diagnostic nothing_there(const Wording& part) {
  return {Severity::error,
          "export.nothing",
          {},
          worded("{}: there is nothing of this kind on screen now.", part),
          "Answer the question that covers it, end comparing, or save the picture as PNG."};
}

void want_picture(const Ui& ui, const Exports::Wish& wish, const PanelRect& rect, bool panels) {
  Exports& exports = *ui.window.exports;
  std::string to;
  if (wish.form == ExportForm::png) {
    auto path = new_file(exports, stem_of(ui, panels ? wish.part : ExportPart::window), "png");
    if (!path) {
      exports.problems = path.take_errors();
      return;
    }
    to = *path;
  }
  exports.picture = Exports::Picture{rect, to, frames_to_picture};
  ui.window.moving = true;
}

void give_table(const Ui& ui, const Exports::Wish& wish, const ExportTable& table) {
  Exports& exports = *ui.window.exports;
  if (table.rows.empty()) {
    exports.problems = {{Severity::error,
                         "export.too_many",
                         {},
                         worded("The film in sight has more than {} steps.", most_exported_steps),
                         worded("Zoom in until it shows fewer.")}};
  } else if (wish.form == ExportForm::csv) {
    save_text(ui, wish.part, "csv", csv_of(table));
  } else {
    ImGui::SetClipboardText(text_of(table).c_str());
    exports.tell(worded("Copied to the clipboard: {} row{}", table.rows.size(), table.rows.size() == 1 ? "" : "s"),
                 ImGui::GetTime());
  }
}

}  // namespace

void fulfil_export(const Ui& ui, const FilmView& film, TimePanel& time, const Layout& layout, bool panels) {
  Exports& exports = *ui.window.exports;
  if (exports.picture) ui.window.moving = true;
  if (!exports.wish) return;
  const Exports::Wish wish = *exports.wish;
  exports.wish.reset();
  exports.problems.clear();
  exports.told = {};
  if (!can_export(ui, wish.part, wish.form)) {
    exports.problems = {nothing_there(export_name(wish.part))};
  } else if (wish.form == ExportForm::png || wish.form == ExportForm::copy_picture) {
    want_picture(ui, wish, rect_of(wish.part, layout, panels), panels);
  } else if (wish.form == ExportForm::svg || wish.form == ExportForm::copy_svg) {
    const std::string svg = diagram::to_svg(drawing_of(ui, wish.part, film, time), ui.window.settings.theme);
    if (wish.form == ExportForm::svg) return save_text(ui, wish.part, "svg", svg);
    ImGui::SetClipboardText(svg.c_str());
    exports.tell(worded("Copied to the clipboard as text: the SVG file"), ImGui::GetTime());
  } else {
    give_table(ui, wish, table_of(ui, wish.part, film, time));
  }
}

void draw_export_told(const Ui& ui) {
  Exports& exports = *ui.window.exports;
  if (exports.told.empty()) return;
  if (ImGui::GetTime() - exports.told_at > told_seconds) {
    exports.told = {};
    return;
  }
  const Palette& p = ui.colours();
  const PanelRect part = part_on_screen();
  const std::string said = ui.told(exports.told);
  const float pad = ui.px(16), wide = std::min(part.width - ui.px(32), ui.px(720));
  const ImVec2 size = ui.look.measure(type::small, said, wide - 2 * pad - ui.px(24));
  const float width = std::min(wide, size.x + 2 * pad + ui.px(24));
  const ImVec2 a{centred_on_screen(width), part.y + ui.px(64)};
  const ImVec2 b{a.x + width, a.y + size.y + ui.px(20)};
  ImDrawList* list = ImGui::GetForegroundDrawList();
  list->AddRectFilled(a, b, p.raised, ui.px(8));
  list->AddRect(a, b, p.better, ui.px(8), std::max(1.0f, ui.px(1)));
  draw_icon(list, ui.look, Icon::check, {a.x + pad + ui.px(4), (a.y + b.y) / 2}, p.better, 9);
  draw_paragraph(list, ui.look, type::small, p.text, {a.x + pad + ui.px(20), a.y + ui.px(10)}, said,
                 width - 2 * pad - ui.px(20));
  if (ImGui::IsMouseHoveringRect(a, b, false) && ImGui::IsMouseClicked(ImGuiMouseButton_Left)) exports.told = {};
}

}  // namespace lanescope::gui
