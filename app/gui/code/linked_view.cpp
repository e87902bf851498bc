#include "gui/code/linked_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "core/text.h"
#include "gui/code/code_panel.h"
#include "gui/parts/covers.h"

namespace lanescope::gui {

namespace {

constexpr float linked_row_height = 20, heading_height = 30, foot_height = 34, number_room = 44, line_room = 34;
constexpr int frames_to_scroll = 3;  // heights of notes and columns are known after the first frame

float note_height(const Ui& ui, const std::string& note, float width) {
  return ui.look.measure(type::caption, note, width).y + ui.px(4);
}

float note_room(const Ui& ui, float width) {
  return width - ui.px(number_room + 22);
}

// Several instructions of a line may give the same note; it is shown once.
void add_once(std::vector<std::string>& notes, std::string said) {
  std::erase(said, '`');
  if (std::ranges::find(notes, said) == notes.end()) notes.push_back(std::move(said));
}

}  // namespace

bool LinkedView::unpin() {
  const bool was = pinned_.any();
  pinned_ = {};
  return was;
}

// A CUDA line highlights everything that it became. A PTX line or an instruction highlights its origin and what was
// made of it.
bool LinkedView::is_lit(Column which, const Row& row) const {
  const CodeLink& link = lit();
  return is_of(link, which, row) || (link.line > 0 && row.link.line == link.line);
}

bool LinkedView::is_of(const CodeLink& link, Column which, const Row& row) {
  if (link.instruction >= 0 && which == Column::sass) return row.link.instruction == link.instruction;
  if (link.ptx_line > 0 && which != Column::cuda) return row.link.ptx_line == link.ptx_line;
  return link.line > 0 && row.link.line == link.line;
}

void LinkedView::make_rows(const Ui& ui) {
  const RunResult& result = *ui.session.runs.shown();
  const std::string& file = result.outcome.request.source.name;
  const trace::Site* site = ui.session.place.site();
  cuda_.clear(), ptx_.clear(), sass_.clear();
  std::map<int, std::vector<std::string>> notes;
  if (!covers(ui).occupancy)
    for (const job::PtxasNote& note : ui.session.details.ptxas_notes()) add_once(notes[note.line], ui.told(note.said));
  int number = 0;
  for (const std::string_view line : split(result.key.source, '\n')) {
    ++number;
    Row row{{number, 0, -1}, std::to_string(number), std::string(line), 0, false, false, {}};
    row.step = site != nullptr && site->line == number && site->file == file;
    if (const auto found = notes.find(number); found != notes.end()) row.notes = std::move(found->second);
    cuda_.push_back(std::move(row));
  }
  for (const PtxLine& line : result.ptx) {
    Row row{
        {line.cuda_line, line.number, -1}, std::to_string(line.number), line.text, line.cuda_line, false, false, {}};
    row.step = site != nullptr && site->ptx_line == line.number;
    const std::size_t word = line.text.find_first_not_of(' ');
    row.quiet = !contains(line.text, ";") || (word != std::string::npos && line.text[word] == '.');
    row.text.erase(0, std::min(word, row.text.size()));
    ptx_.push_back(std::move(row));
  }
  if (machine_ == nullptr) return;
  std::size_t count = machine_->instructions.size();
  while (count > 0 && machine_->instructions[count - 1].text.starts_with("NOP")) --count;
  for (std::size_t i = 0; i < count; ++i) {
    const compile::SassInstruction& one = machine_->instructions[i];
    const int line = one.file == file ? one.line : 0;
    if (!one.label.empty()) sass_.push_back({{}, "", one.label + ":", 0, false, true, {}});
    const std::string guard = one.predicate.empty() ? "" : one.predicate + " ";
    Row row{{line, one.ptx_line, static_cast<int>(i)},
            fmt::format("{:04x}", one.address),
            guard + one.text,
            line,
            false,
            false,
            {}};
    row.step = site != nullptr && one.ptx_line > 0 && one.ptx_line == site->ptx_line;
    sass_.push_back(std::move(row));
  }
}

// Rows are made again if the run, the machine code, the step or the language has changed.
void LinkedView::update(const Ui& ui) {
  const RunResult& result = *ui.session.runs.shown();
  const Result<compile::Sass>* made = ui.session.details.sass();
  const compile::Sass* machine = made != nullptr && made->ok() ? &made->value() : nullptr;
  const trace::Site* site = ui.session.place.site();
  const bool other_run = result_ != result.serial;
  if (other_run || machine_ != machine || language_ != ui.window.settings.language || has_site_ != (site != nullptr) ||
      (site != nullptr && site_ != site->id)) {
    if (other_run) pinned_ = hovered_ = next_ = {};
    result_ = result.serial, machine_ = machine, language_ = ui.window.settings.language;
    has_site_ = site != nullptr, site_ = site == nullptr ? 0 : site->id;
    make_rows(ui);
    if (site != nullptr && !pinned_.any()) {
      shown_ = {site->line, site->ptx_line, -1};
      from_ = Column::cuda;
      scrolling_ = frames_to_scroll;
    }
  }
  hovered_ = next_;
  next_ = {};
}

std::string LinkedView::told(const Ui& ui, const CodeLink& link) const {
  std::string said;
  const auto part = [&](const std::string& text) { said += (said.empty() ? "" : "  ·  ") + text; };
  const auto listed = [](const std::vector<std::string>& all) {
    constexpr std::size_t most = 6;
    std::string list;
    for (std::size_t i = 0; i < std::min(all.size(), most); ++i) list += (i == 0 ? "" : ", ") + all[i];
    return all.size() > most ? list + fmt::format(", … ({})", all.size()) : list;
  };
  if (link.line > 0) part(fill_in(ui.tr(Label::line_number), std::to_string(link.line)));
  std::vector<std::string> ptx, sass;
  for (const Row& row : ptx_)
    if (is_of(link, Column::ptx, row)) ptx.push_back(row.number);
  for (const Row& row : sass_)
    if (is_of(link, Column::sass, row)) sass.push_back(row.number);
  part(ptx.empty() ? ui.tr(Label::linked_no_ptx) : "PTX " + listed(ptx));
  if (machine_ != nullptr) part(sass.empty() ? ui.tr(Label::linked_no_sass) : "SASS " + listed(sass));
  return said;
}

void LinkedView::row(const Ui& ui, Column which, const Row& row, ImVec2 at, float width, float height) {
  const Palette& p = ui.colours();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float line = ui.px(linked_row_height), y = at.y + line / 2;
  const bool lit_here = is_lit(which, row), exact = is_of(lit(), which, row);
  if (lit_here) list->AddRectFilled(at, {at.x + width, at.y + line}, with_alpha(p.accent, exact ? 0.26f : 0.1f));
  if (row.step) list->AddRectFilled({at.x + ui.px(1), at.y}, {at.x + ui.px(4), at.y + line}, p.accent);
  ImGui::SetCursorScreenPos(at);
  const bool linked = row.link.any() && !(which == Column::cuda && row.text.empty());
  if (linked) {
    static constexpr const char* columns[] = {"cuda", "ptx", "sass"};
    const std::string id = fmt::format("{}-{}", columns[static_cast<std::size_t>(which)], row.number);
    if (pressable(id.c_str(), {width, height})) {
      pinned_ = pinned_ == row.link ? CodeLink{} : row.link;
      shown_ = pinned_, from_ = which, scrolling_ = pinned_.any() ? frames_to_scroll : 0;
      ui.window.moving = true;
    }
    const bool keyboard = ImGui::IsItemFocused() && ImGui::GetIO().NavVisible;
    if (ImGui::IsItemHovered() || keyboard) {
      next_ = row.link;
      if (hovered_ != row.link) ui.window.moving = true;
      ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    }
  }
  const float text_x = at.x + ui.px(number_room + 8);
  draw_text(list, ui.look, type::number, exact || row.step ? p.dim : p.faint, {text_x - ui.px(8), y}, row.number,
            HAlign::right);
  const float right = which == Column::cuda ? ui.px(6) : ui.px(line_room);
  bool cut = false;
  const ImU32 ink = row.quiet ? mix(p.faint, p.dim, 0.7f) : lit_here || row.step ? p.text : mix(p.dim, p.text, 0.6f);
  draw_text(list, ui.look, type::number, ink, {text_x, y}, row.text, HAlign::left, at.x + width - right - text_x, &cut);
  if (row.line > 0)
    draw_text(list, ui.look, type::number, exact ? p.text : p.faint, {at.x + width - ui.px(8), y},
              std::to_string(row.line), HAlign::right);
  if (cut && linked && ImGui::IsItemHovered()) show_hint(ui.look, row.text);
  float below = at.y + line;
  for (const std::string& note : row.notes) {
    list->AddRectFilled({text_x, below + ui.px(1)},
                        {text_x + ui.px(2), below + note_height(ui, note, note_room(ui, width)) - ui.px(3)}, p.accent);
    below +=
        draw_paragraph(list, ui.look, type::caption, p.dim, {text_x + ui.px(8), below}, note, note_room(ui, width)) +
        ui.px(4);
  }
}

void LinkedView::column(const Ui& ui, Column which, const std::vector<Row>& rows, const PanelRect& rect) {
  static constexpr const char* names[] = {"linked cuda", "linked ptx", "linked sass"};
  ImGui::SetCursorScreenPos({rect.x, rect.y});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::BeginChild(names[static_cast<std::size_t>(which)], {rect.width, rect.height}, ImGuiChildFlags_NavFlattened);
  const float width = ImGui::GetContentRegionAvail().x, line = ui.px(linked_row_height);
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  const float view = ImGui::GetWindowHeight(), scrolled = ImGui::GetScrollY();
  const CodeLink now = lit();
  float y = 0;
  std::optional<float> wanted;
  int above = 0, below = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const Row& one = rows[i];
    float height = line;
    for (const std::string& note : one.notes) height += note_height(ui, note, note_room(ui, width));
    const bool of_shown = which == Column::cuda || shown_.ptx_line == 0
                              ? shown_.line > 0 && one.link.line == shown_.line
                              : one.link.ptx_line == shown_.ptx_line;
    if (of_shown && shown_.any() && !wanted) wanted = y;
    if (is_of(now, which, one)) above += y + line <= scrolled + 1, below += y >= scrolled + view - 1;
    // One more row on either side, so that the keyboard can go there.
    if (y + height + line >= scrolled && y - line <= scrolled + view)
      row(ui, which, one, {origin.x, origin.y + y}, width, height);
    y += height;
  }
  ImGui::SetCursorScreenPos(origin);
  ImGui::Dummy({width, y});
  const bool scroll = scrolling_ > 0 && wanted && !(pinned_.any() && which == from_);
  if (scroll && (*wanted < scrolled || *wanted + 2 * line > scrolled + view))
    ImGui::SetScrollY(std::max(0.0f, *wanted - view / 3));
  ImGui::EndChild();
  ImGui::PopStyleVar(2);
  // The number of highlighted rows that are out of view.
  const auto mark = [&](int count, const char* arrow, float at_y) {
    if (count == 0) return;
    const std::string said = fmt::format("{} {}", arrow, count);
    const float wide = ui.look.measure(type::caption_strong, said).x + ui.px(14);
    const ImVec2 b{rect.x + rect.width - ui.px(18), at_y + ui.px(9)}, a{b.x - wide, at_y - ui.px(9)};
    ImDrawList* list = ImGui::GetWindowDrawList();
    list->AddRectFilled(a, b, ui.colours().accent, ui.px(9));
    draw_text(list, ui.look, type::caption_strong, ui.colours().accent_ink, {(a.x + b.x) / 2, at_y}, said,
              HAlign::centre);
  };
  mark(above, "↑", rect.y + ui.px(12));
  mark(below, "↓", rect.y + rect.height - ui.px(12));
}

void LinkedView::foot(const Ui& ui, const PanelRect& rect) {
  const Palette& p = ui.colours();
  ImDrawList* list = ImGui::GetWindowDrawList();
  list->AddRectFilled({rect.x, rect.y}, {rect.x + rect.width, rect.y + ui.px(1)}, p.line);
  const CodeLink now = lit();
  const float centre = rect.y + rect.height / 2, x = rect.x + ui.px(16);
  float right = rect.x + rect.width - ui.px(40);  // the panel's menu is in the corner
  if (pinned_.any()) {
    ImGui::SetCursorScreenPos({right - ui.px(26), centre - ui.px(13)});
    if (icon_button(ui.look, "linked unpin", Icon::close, ui.tr(Label::pin_close))) pinned_ = {};
    right -= ui.px(34);
  }
  const RunResult& result = *ui.session.runs.shown();
  if (now.line > 0 && result.line(now.line) != nullptr && pinned_.any()) {
    const char* said = ui.tr(Label::linked_to_step);
    const float wide = button_width(ui.look, said, {}, false);
    ImGui::SetCursorScreenPos({right - wide, centre - ui.px(16)});
    if (button(ui.look, "linked step", said, ButtonKind::quiet, {}, -1, wide))
      ui.window.afterwards([&place = ui.session.place, line = pinned_.line] { place.go_to_line(line); });
    right -= wide + ui.px(8);
  }
  draw_text(list, ui.look, now.any() ? type::number : type::caption, now.any() ? p.text : p.dim, {x, centre},
            now.any() ? told(ui, now) : ui.tr(Label::linked_hint), HAlign::left, right - x);
}

void LinkedView::draw(const Ui& ui, const PanelRect& rect) {
  update(ui);
  const Palette& p = ui.colours();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float heading = ui.px(heading_height), low = ui.px(foot_height);
  const float width = std::floor(rect.width / 3);
  const PanelRect inner{rect.x, rect.y + heading, width, rect.height - heading - low};
  const Result<compile::Sass>* made = ui.session.details.sass();
  const bool covered = covers(ui).occupancy;
  const bool python = ui.session.selection.run() != nullptr && ui.session.selection.variant().file.ends_with(".py");
  std::size_t instructions = 0;
  for (const Row& one : sass_) instructions += one.link.instruction >= 0;
  std::size_t ptx_instructions = 0;
  for (const Row& one : ptx_) ptx_instructions += !one.quiet;
  const std::string titles[] = {
      python ? "Python" : "CUDA",
      "PTX  ·  " + fill_in(ui.tr(Label::linked_instructions), grouped(std::uint64_t{ptx_instructions})),
      machine_ == nullptr || covered
          ? std::string("SASS")
          : "SASS  ·  " + machine_->arch + "  ·  " +
                fill_in(ui.tr(Label::linked_instructions), grouped(std::uint64_t{instructions}))};
  for (int i = 0; i < 3; ++i) {
    const float x = rect.x + width * static_cast<float>(i);
    draw_text(list, ui.look, type::caption_strong, p.dim, {x + ui.px(16), rect.y + heading / 2},
              titles[static_cast<std::size_t>(i)], HAlign::left, width - ui.px(24));
    if (i > 0) list->AddRectFilled({x, rect.y}, {x + ui.px(1), rect.y + rect.height - low}, p.line);
  }
  const auto at = [&](int i) {
    return PanelRect{inner.x + width * static_cast<float>(i) + ui.px(1), inner.y, width - ui.px(2), inner.height};
  };
  column(ui, Column::cuda, cuda_, at(0));
  column(ui, Column::ptx, ptx_, at(1));
  if (covered) {
    draw_cover(ui, "covered machine code", at(2), ui.tr(Label::cover_why));
  } else if (machine_ != nullptr) {
    column(ui, Column::sass, sass_, at(2));
  } else {
    ImGui::SetCursorScreenPos({at(2).x + ui.px(16), at(2).y + ui.px(8)});
    ImGui::BeginGroup();
    const float room = width - ui.px(32);
    if (made == nullptr) {
      paragraph(ui.look, type::small, p.dim, ui.tr(Label::making_sass), room);
    } else {
      const Diagnostic& why = made->errors().front();
      paragraph(ui.look, type::small_medium, p.text, ui.told(why.message), room);
      paragraph(ui.look, type::small, p.dim, ui.told(why.cure), room);
    }
    ImGui::EndGroup();
  }
  if (scrolling_ > 0) --scrolling_, ui.window.moving = true;
  foot(ui, {rect.x, rect.y + rect.height - low, rect.width, low});
}

}  // namespace lanescope::gui
