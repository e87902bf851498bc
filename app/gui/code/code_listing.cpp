// The PTX and SASS tabs: a listing and a picture. Lines that belong to the current CUDA line are marked.

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "compile/machine_code/sass_instruction.h"
#include "core/source_line.h"
#include "gui/code/code_panel.h"
#include "gui/parts/covers.h"
#include "gui/parts/views.h"
#include "job/run/machine.h"
#include "metrics/occupancy.h"

namespace lanescope::gui {

namespace {

struct Row {
  std::string number, text;
  bool marked = false;   // belongs to the step's CUDA line
  bool current = false;  // is the step's own instruction
  bool label = false;
  int line = 0;  // the CUDA line it comes from; 0 = none
  std::size_t index = 0;
};

// Position of the CUDA line numbers, at the right edge.
float line_column(const Ui& ui) {
  return ui.look.measure(type::number, "0000").x + ui.px(16 + 12);
}

// Smaller in a narrow panel, so that an instruction shows its operands.
TypeStyle listing_type(const Ui& ui) {
  return ImGui::GetWindowWidth() < ui.px(400) ? type::number : type::code;
}

// Opcode in the text colour, operands dim, labels and directives faint. Returns where the text ends.
float row_text(const Ui& ui, const Row& row, ImVec2 at) {
  const TypeStyle style = listing_type(ui);
  const Palette& p = ui.colours();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const std::size_t start = row.text.find_first_not_of(' ');
  if (start == std::string::npos) return at.x;
  std::size_t end = start;
  if (row.text[start] == '@') end = std::min(row.text.find(' ', start), row.text.size() - 1) + 1;  // a guard
  end = std::min(row.text.find(' ', end), row.text.size());
  at.x += ui.look.measure(style, std::string(std::min<std::size_t>(start, 4), ' ')).x;
  if (row.label)
    return at.x +
           draw_text(list, ui.look, style, mix(p.faint, p.dim, 0.7f), at, std::string_view(row.text).substr(start));
  at.x += draw_text(list, ui.look, style, row.marked ? p.text : mix(p.dim, p.text, 0.55f), at,
                    std::string_view(row.text).substr(start, end - start));
  return at.x + draw_text(list, ui.look, style, row.marked ? mix(p.dim, p.text, 0.5f) : p.dim, at,
                          std::string_view(row.text).substr(end));
}

// When scrolled, the text passes under the row numbers on the left and the CUDA line numbers on the right.
void draw_row(const Ui& ui, const Row& row, ImVec2 at, float width, float height, float number_width) {
  const Palette& p = ui.colours();
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (row.marked) list->AddRectFilled(at, {at.x + width, at.y + height}, p.accent_soft);
  const float left = ImGui::GetWindowPos().x, right = left + ImGui::GetWindowWidth(), y = at.y + height / 2;
  const float text = left + ui.px(32) + number_width;
  if (row.current) list->AddRectFilled({left, at.y}, {left + ui.px(3), at.y + height}, p.accent);
  draw_text(list, ui.look, type::number, row.current ? p.dim : p.faint, {left + ui.px(16) + number_width, y},
            row.number, HAlign::right);
  if (row.line > 0)
    draw_text(list, ui.look, type::number, row.marked ? p.text : p.faint, {right - ui.px(16), y},
              std::to_string(row.line), HAlign::right);
  const float end = right - line_column(ui), fade = ui.px(28);
  list->PushClipRect({text - ui.px(4), at.y}, {end, at.y + height}, true);
  const float letter = ui.look.measure(listing_type(ui), "0").x;
  const std::size_t start = std::min(row.text.find_first_not_of(' '), row.text.size());
  ui.window.find.of(-1, row.index, [&](const FoundText& found, bool current) {
    const auto x_of = [&](std::size_t byte) {
      return at.x + ui.px(32) + number_width +
             letter * static_cast<float>(std::min<std::size_t>(start, 4) + std::max(byte, start) - start);
    };
    draw_found(ui, list, {x_of(found.begin), at.y + ui.px(1)}, {x_of(found.end), at.y + height - ui.px(1)}, current);
  });
  const float drawn = row_text(ui, row, {at.x + ui.px(32) + number_width, y});
  // A truncated row fades out: half a register name would read as another register.
  if (drawn > end) {
    const ImU32 ground = row.marked ? p.accent_soft : p.panel, clear = ground & ~IM_COL32_A_MASK;
    list->AddRectFilledMultiColor({end - fade, at.y}, {end, at.y + height}, clear, ground, ground, clear);
  }
  list->PopClipRect();
}

// `row_at` makes the row of an index; `scroll_to` ≥ 0 brings that row into view. Hovering over a row shows its CUDA
// line.
template <typename RowAt>
void listing(const Ui& ui, const RunResult& result, const char* id, std::size_t count, std::size_t widest, float height,
             int scroll_to, RowAt&& row_at) {
  ImGui::BeginChild(id, {ImGui::GetWindowWidth() - ui.px(1), height}, ImGuiChildFlags_NavFlattened,
                    ImGuiWindowFlags_HorizontalScrollbar);
  const float row_height = ui.px(22);
  const float number_width = ui.look.measure(type::number, "00000").x;
  const float letter = ui.look.measure(listing_type(ui), "0").x;
  const float width = std::max(ImGui::GetWindowWidth(),
                               number_width + ui.px(36) + letter * static_cast<float>(widest) + line_column(ui));
  const ImVec2 origin = ImGui::GetCursorScreenPos();
  ImGui::Dummy({width, row_height * static_cast<float>(count)});
  if (scroll_to >= 0) {
    const float y = row_height * static_cast<float>(scroll_to), view = ImGui::GetWindowHeight();
    if (y < ImGui::GetScrollY() || y + 3 * row_height > ImGui::GetScrollY() + view)
      ImGui::SetScrollY(std::max(0.0f, y - view / 3));
  }
  const auto first = static_cast<std::size_t>(std::max(0.0f, ImGui::GetScrollY() / row_height));
  const auto shown = static_cast<std::size_t>(ImGui::GetWindowHeight() / row_height) + 2;
  for (std::size_t i = first; i < std::min(count, first + shown); ++i) {
    const Row row = row_at(i);
    const ImVec2 at{origin.x, origin.y + row_height * static_cast<float>(i)};
    draw_row(ui, row, at, width, row_height, number_width);
    if (row.line > 0 && ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(at, {at.x + width, at.y + row_height}))
      show_hint(ui.look, source_line(result.key.source, row.line),
                fill_in(ui.tr(Label::line_number), std::to_string(row.line)));
  }
  ImGui::EndChild();
}

void message(const Ui& ui, float height, const std::string& title, const std::string& text) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(16), ui.px(10)));
  ImGui::BeginChild("message", {ImGui::GetWindowWidth(), height},
                    ImGuiChildFlags_AlwaysUseWindowPadding | ImGuiChildFlags_NavFlattened);
  paragraph(ui.look, type::small_medium, ui.colours().text, title);
  if (!text.empty()) paragraph(ui.look, type::small, ui.colours().dim, text);
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

// From registers, shared memory and barriers, without a GPU; empty if the architecture is unknown.
std::string occupancy_text(const Ui& ui, const compile::Sass& sass, const trace::Launch& launch) {
  using Limit = metrics::Occupancy::Limit;
  const auto found = metrics::occupancy(
      sass.arch, {sass.registers_per_thread, std::uint64_t{launch.static_shared_bytes} + launch.dynamic_shared_bytes,
                  static_cast<std::uint32_t>(launch.block.count()), sass.barriers});
  if (!found) return {};
  const Label limit = found->limit == Limit::warps       ? Label::limit_warps
                      : found->limit == Limit::blocks    ? Label::limit_blocks
                      : found->limit == Limit::registers ? Label::limit_registers
                      : found->limit == Limit::barriers  ? Label::limit_barriers
                                                         : Label::limit_shared;
  return fill_in(ui.tr(Label::sass_occupancy), number_text(found->fraction * 100, "%"), std::to_string(found->blocks),
                 ui.tr(limit));
}

// The kernel's registers, shared memory and occupancy as text from `at` on; returns the text's height.
float sass_summary(const Ui& ui, const compile::Sass& sass, const trace::Launch& launch, ImVec2 at, float width) {
  const float pad = ui.px(6);
  float y = at.y + pad;
  for (const std::string& said :
       {fill_in(ui.tr(Label::sass_summary), sass.arch, std::to_string(sass.registers_per_thread),
                grouped(std::uint64_t{launch.static_shared_bytes})),
        occupancy_text(ui, sass, launch)})
    if (!said.empty())
      y += draw_paragraph(ImGui::GetWindowDrawList(), ui.look, type::caption, ui.colours().dim, {at.x + ui.px(16), y},
                          said, width - ui.px(32)) +
           ui.px(7);
  return y + ui.px(1) - at.y;
}

// The row of the step: the instruction that makes the step's access; otherwise the first that its PTX became, or the
// first of its line.
std::optional<std::size_t> row_of_step(const compile::Sass& sass, const trace::Site* site,
                                       const trace::WarpEvent* event, const std::string& file) {
  if (site == nullptr) return std::nullopt;
  std::optional<std::size_t> own, of_line;
  for (std::size_t i = 0; i < sass.instructions.size(); ++i) {
    const compile::SassInstruction& in = sass.instructions[i];
    if (!comes_from(in, *site, file)) continue;
    if (!of_line) of_line = i;
    if (in.ptx_line <= 0 || in.ptx_line != site->ptx_line) continue;
    if (event != nullptr && accesses_like(in, *site, *event)) return i;
    if (!own) own = i;
  }
  return own ? own : of_line;
}

std::string place_key(const Session& s, const char* what) {
  const trace::Site* site = s.place.site();
  return fmt::format("{}/{}/{}/{}/{}", what, s.selection.lesson().id, s.selection.variant().id,
                     s.runs.shown() == nullptr ? 0 : s.runs.shown()->serial,
                     site == nullptr ? -1 : static_cast<int>(site->id));
}

}  // namespace

bool comes_from(const PtxLine& line, const trace::Site& step, const std::string& file) {
  return line.cuda_line > 0 && line.cuda_line == step.line && step.file == file;
}

bool comes_from(const compile::SassInstruction& instruction, const trace::Site& step, const std::string& file) {
  return instruction.line > 0 && instruction.line == step.line && step.file == file && instruction.file == file;
}

bool accesses_like(const compile::SassInstruction& instruction, const trace::Site& step,
                   const trace::WarpEvent& event) {
  if (event.kind != trace::EventKind::memory) return false;
  const std::string_view opcode = compile::sass_opcode(instruction.text);
  switch (step.operation) {
    case trace::Operation::atomic:
    case trace::Operation::reduction:
      return event.space == trace::MemorySpace::shared
                 ? opcode == "ATOMS"
                 : opcode == "ATOM" || opcode == "ATOMG" || opcode.starts_with("RED");
    case trace::Operation::store:
      return opcode.starts_with("ST");
    default:
      return opcode.starts_with("LD");
  }
}

void CodePanel::ptx(const Ui& ui, float height) {
  const RunResult* result = ui.session.runs.shown();
  if (result == nullptr) return message(ui, height, ui.tr(Label::no_run_yet), {});
  const trace::Site* site = ui.session.place.site();
  const std::vector<PtxLine>& lines = result->ptx;
  std::size_t widest = 0;
  int first_marked = -1;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    widest = std::max(widest, lines[i].text.size());
    if (site != nullptr && lines[i].number == site->ptx_line) first_marked = static_cast<int>(i);
  }
  const std::string key = place_key(ui.session, "ptx");
  int scroll_to = key != listing_shown_ ? first_marked : -1;
  listing_shown_ = key;
  if (const FoundText* found = ui.window.find.chosen(); found != nullptr && found->page < 0 && ui.window.find.show > 0)
    scroll_to = static_cast<int>(found->unit);
  const std::string& file = result->outcome.request.source.name;
  listing(ui, *result, "ptx text", lines.size(), widest, height, scroll_to, [&](std::size_t i) {
    const PtxLine& line = lines[i];
    const std::size_t word = line.text.find_first_not_of(' ');
    const bool instruction = line.cuda_line > 0 || line.text.ends_with(';');
    const bool directive = word != std::string::npos && (line.text[word] == '.' || line.text[word] == '/');
    return Row{std::to_string(line.number),
               line.text,
               site != nullptr && comes_from(line, *site, file),
               site != nullptr && line.number == site->ptx_line,
               !instruction || directive,
               line.cuda_line,
               i};
  });
}

void CodePanel::sass(const Ui& ui, float height) {
  const RunResult* result = ui.session.runs.shown();
  if (result == nullptr) return message(ui, height, ui.tr(Label::no_run_yet), {});
  if (covers(ui).occupancy) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    return draw_cover(ui, "covered machine code", {at.x, at.y, ImGui::GetWindowWidth(), height},
                      ui.tr(Label::cover_why));
  }
  const Result<compile::Sass>* made = ui.session.details.sass();
  if (made == nullptr) return message(ui, height, ui.tr(Label::making_sass), {});
  if (!made->ok()) {
    const Diagnostic& why = made->errors().front();
    return message(ui, height, ui.told(why.message), ui.told(why.cure));
  }
  const compile::Sass& sass = made->value();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetWindowWidth(), pad = ui.px(16);
  // The kernel's resources are drawn if there is room, otherwise given as text.
  const bool head = height > ui.px(420);
  const float told = head ? 0 : sass_summary(ui, sass, result->outcome.first().trace.launch, at, width);

  const std::string& file = result->outcome.request.source.name;
  const trace::Site* site = ui.session.place.site();
  const bool of_file = site != nullptr && site->file == file;
  make_sass_scene(ui, {&sass, result->serial, of_file ? site->line : 0, of_file ? site->ptx_line : 0,
                       (width - 2 * pad - ui.px(8)) / ui.look.scale(), head, ui.window.settings.language});
  ImGui::SetCursorScreenPos({at.x, at.y + told});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(pad, ui.px(4)));
  ImGui::BeginChild("sass text", {width - ui.px(1), height - told},
                    ImGuiChildFlags_AlwaysUseWindowPadding | ImGuiChildFlags_NavFlattened);
  const std::string key = place_key(ui.session, "sass");
  if (key != listing_shown_) {
    listing_shown_ = key;
    if (const auto step = row_of_step(sass, site, ui.session.place.event(), file)) {
      const float y = diagram::machine_code_row(sass_code_, *step, ui.picture(sass_shown_.width)) * ui.look.scale();
      const float view = ImGui::GetWindowHeight();
      if (y < ImGui::GetScrollY() || y + ui.px(54) > ImGui::GetScrollY() + view)
        ImGui::SetScrollY(std::max(0.0f, y - view / 3));
    }
  }
  const ImVec2 drawn_at = ImGui::GetCursorScreenPos();
  sass_hover_.begin_frame();
  sass_view_.show(sass_scene_, ui.look, "machine code", sass_hover_, ui.motion(), 1, picture_alpha(ui));
  mark_found(ui, drawn_at, width - 2 * pad - ui.px(8));  // over the rows, which have grounds of their own
  ImGui::Dummy({0, ui.px(10)});
  begin_card(ui.look, "sass answer", ui.colours().raised, ui.px(10));
  paragraph(ui.look, type::small_medium, ui.colours().text, sass_scene_.caption);
  end_card(ui.look);
  ImGui::Dummy({0, ui.px(6)});
  draw_legend(ui, sass_scene_, width - 2 * pad - ui.px(8), true);
  ImGui::Dummy({0, ui.px(4)});
  ImGui::EndChild();
  ImGui::PopStyleVar();
  ui.window.moving |= sass_view_.moving();
}

void CodePanel::make_sass_scene(const Ui& ui, const SassShown& wanted) {
  if (wanted == sass_shown_) return;
  const job::Outcome& outcome = ui.session.runs.shown()->outcome;
  if (wanted.sass != sass_shown_.sass || wanted.result != sass_shown_.result)
    sass_code_ = job::picture_of(*wanted.sass, outcome.request.source, outcome.first().trace.launch);
  sass_shown_ = wanted;
  sass_code_.step_line = wanted.line, sass_code_.step_ptx_line = wanted.ptx_line;
  sass_code_.head = wanted.head;
  sass_scene_ = diagram::machine_code(sass_code_, ui.picture(wanted.width));
}

}  // namespace lanescope::gui
