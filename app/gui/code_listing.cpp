// The PTX and SASS tabs: read-only listings; what belongs to the current CUDA line is marked.

#include <fmt/format.h>

#include <algorithm>

#include "gui/panels.h"
#include "metrics/occupancy.h"

namespace lanescope::gui {
namespace {

struct Row {
  std::string number, text;
  bool marked = false;   // belongs to the step's CUDA line
  bool current = false;  // is the step's own instruction
  bool label = false;
  int line = 0;  // the CUDA line it comes from; 0 = none
};

// A line of the text that was run, without its indentation.
std::string source_line(const RunResult& result, int line) {
  const std::string& text = result.key.source;
  std::size_t at = 0;
  for (int n = 1; n < line && at != std::string::npos; ++n) {
    at = text.find('\n', at);
    if (at != std::string::npos) ++at;
  }
  if (at == std::string::npos) return {};
  const std::string found = text.substr(at, text.find('\n', at) - at);
  return found.substr(std::min(found.find_first_not_of(' '), found.size()));
}

// Opcode in the text colour, operands dim, labels and directives faint.
void draw_row(const Ui& ui, const Row& row, ImVec2 at, float width, float height,
              float number_width) {
  const Palette& p = ui.colours();
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (row.marked) list->AddRectFilled(at, {at.x + width, at.y + height}, p.accent_soft);
  if (row.current) list->AddRectFilled(at, {at.x + ui.px(3), at.y + height}, p.accent);
  const float y = at.y + height / 2;
  draw_text(list, ui.look, type::number, row.current ? p.dim : p.faint,
            {at.x + ui.px(16) + number_width, y}, row.number, HAlign::right);
  float x = at.x + ui.px(32) + number_width;
  const std::size_t start = row.text.find_first_not_of(' ');
  if (start == std::string::npos) return;
  std::size_t end = start;
  if (row.text[start] == '@')
    end = std::min(row.text.find(' ', start), row.text.size() - 1) + 1;  // a guard
  end = std::min(row.text.find(' ', end), row.text.size());
  x += ui.look.measure(type::code, std::string(std::min<std::size_t>(start, 4), ' ')).x;
  if (row.label) {
    draw_text(list, ui.look, type::code, mix(p.faint, p.dim, 0.7f), {x, y},
              std::string_view(row.text).substr(start));
    return;
  }
  x += draw_text(list, ui.look, type::code, row.marked ? p.text : mix(p.dim, p.text, 0.55f), {x, y},
                 std::string_view(row.text).substr(start, end - start));
  draw_text(list, ui.look, type::code, row.marked ? mix(p.dim, p.text, 0.5f) : p.dim, {x, y},
            std::string_view(row.text).substr(end));
  if (row.line > 0)
    draw_text(list, ui.look, type::number, row.marked ? p.text : p.faint,
              {ImGui::GetWindowPos().x + ImGui::GetWindowWidth() - ui.px(16), y},
              std::to_string(row.line), HAlign::right);
}

// `row_at` makes the row of an index; `scroll_to` ≥ 0 brings that row into view. A row under the
// pointer tells the CUDA line that it comes from.
template <typename RowAt>
void listing(const Ui& ui, const RunResult& result, const char* id, std::size_t count, std::size_t widest, float height,
             int scroll_to, RowAt&& row_at) {
  ImGui::BeginChild(id, {ImGui::GetWindowWidth() - ui.px(1), height}, ImGuiChildFlags_None,
                    ImGuiWindowFlags_HorizontalScrollbar);
  const float row_height = ui.px(22);
  const float number_width = ui.look.measure(type::number, "00000").x;
  const float letter = ui.look.measure(type::code, "0").x;
  const float width = std::max(ImGui::GetWindowWidth(),
                               number_width + ui.px(48) + letter * static_cast<float>(widest));
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
    if (row.line > 0 && ImGui::IsWindowHovered() &&
        ImGui::IsMouseHoveringRect(at, {at.x + width, at.y + row_height}))
      show_hint(ui.look, source_line(result, row.line),
                fill_in(ui.tr(Label::line_number), std::to_string(row.line)));
  }
  ImGui::EndChild();
}

void message(const Ui& ui, float height, const std::string& title, const std::string& text) {
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(16), ui.px(10)));
  ImGui::BeginChild("message", {ImGui::GetWindowWidth(), height},
                    ImGuiChildFlags_AlwaysUseWindowPadding);
  paragraph(ui.look, type::small_medium, ui.colours().text, title);
  if (!text.empty()) paragraph(ui.look, type::small, ui.colours().dim, text);
  ImGui::EndChild();
  ImGui::PopStyleVar();
}

// From registers and shared memory, without a GPU; empty where the architecture is not known.
std::string occupancy_text(const Ui& ui, const compile::Sass& sass, const trace::Launch& launch) {
  using Limit = metrics::Occupancy::Limit;
  const auto found = metrics::occupancy(
      sass.arch, sass.registers_per_thread,
      std::uint64_t{sass.shared_bytes} + launch.dynamic_shared_bytes,
      static_cast<std::uint32_t>(launch.block.count()));
  if (!found) return {};
  const Label limit = found->limit == Limit::warps       ? Label::limit_warps
                      : found->limit == Limit::blocks    ? Label::limit_blocks
                      : found->limit == Limit::registers ? Label::limit_registers
                                                         : Label::limit_shared;
  return fill_in(ui.tr(Label::sass_occupancy), number_text(found->fraction * 100, "%"),
                 std::to_string(found->blocks), ui.tr(limit));
}

std::string place_key(const Session& s, const char* what) {
  const trace::Site* site = s.site();
  return fmt::format("{}/{}/{}/{}/{}", what, s.lesson().id, s.variant().id,
                     s.shown() == nullptr ? 0 : s.shown()->serial,
                     site == nullptr ? -1 : static_cast<int>(site->id));
}

}  // namespace

bool comes_from(const PtxLine& line, const trace::Site& step, const std::string& file) {
  return line.cuda_line > 0 && line.cuda_line == step.line && step.file == file;
}

bool comes_from(const compile::SassInstruction& instruction, const trace::Site& step,
                const std::string& file) {
  return instruction.line > 0 && instruction.line == step.line && step.file == file &&
         instruction.file == file;
}

bool accesses_like(const compile::SassInstruction& instruction, const trace::Site& step,
                   const trace::WarpEvent& event) {
  if (event.kind != trace::EventKind::memory) return false;
  const std::string_view text = instruction.text;
  switch (step.operation) {
    case trace::Operation::atomic:
    case trace::Operation::reduction:
      return event.space == trace::MemorySpace::shared
                 ? text.starts_with("ATOMS")
                 : (text.starts_with("ATOM") && !text.starts_with("ATOMS")) || text.starts_with("RED");
    case trace::Operation::store:
      return text.starts_with("ST");
    default:
      return text.starts_with("LD");
  }
}

void CodePanel::ptx(const Ui& ui, float height) {
  const RunResult* result = ui.session.shown();
  if (result == nullptr) return message(ui, height, ui.tr(Label::no_run_yet), {});
  const trace::Site* site = ui.session.site();
  const std::vector<PtxLine>& lines = result->ptx;
  std::size_t widest = 0;
  int first_marked = -1;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    widest = std::max(widest, lines[i].text.size());
    if (site != nullptr && lines[i].number == site->ptx_line) first_marked = static_cast<int>(i);
  }
  const std::string key = place_key(ui.session, "ptx");
  const int scroll_to = key != listing_shown_ ? first_marked : -1;
  listing_shown_ = key;
  const std::string& file = result->outcome.request.source.name;
  listing(ui, *result, "ptx text", lines.size(), widest, height, scroll_to, [&](std::size_t i) {
    const PtxLine& line = lines[i];
    const std::size_t word = line.text.find_first_not_of(' ');
    const bool instruction = line.cuda_line > 0 || line.text.ends_with(';');
    const bool directive =
        word != std::string::npos && (line.text[word] == '.' || line.text[word] == '/');
    return Row{std::to_string(line.number), line.text,
               site != nullptr && comes_from(line, *site, file),
               site != nullptr && line.number == site->ptx_line, !instruction || directive,
               line.cuda_line};
  });
}

void CodePanel::sass(const Ui& ui, float height) {
  const RunResult* result = ui.session.shown();
  if (result == nullptr) return message(ui, height, ui.tr(Label::no_run_yet), {});
  const Result<compile::Sass>* made = ui.session.sass();
  if (made == nullptr) return message(ui, height, ui.tr(Label::making_sass), {});
  if (!made->ok()) {
    const Diagnostic& why = made->errors().front();
    return message(ui, height, ui.told(why.message), ui.told(why.cure));
  }
  const compile::Sass& sass = made->value();
  const trace::Site* site = ui.session.site();
  const std::string& file = result->outcome.request.source.name;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float head = ui.px(44);
  const std::string lines[] = {
      fill_in(ui.tr(Label::sass_summary), sass.arch, std::to_string(sass.registers_per_thread),
              grouped(std::uint64_t{sass.shared_bytes})),
      occupancy_text(ui, sass, result->outcome.trace.launch)};
  for (int i = 0; i < 2; ++i) {
    bool cut = false;
    draw_text(ImGui::GetWindowDrawList(), ui.look, type::caption, ui.colours().dim,
              {at.x + ui.px(16), at.y + head * (i == 0 ? 0.25f : 0.7f)}, lines[i], HAlign::left,
              ImGui::GetWindowWidth() - ui.px(32), &cut);
    const float top = at.y + head * (i == 0 ? 0.0f : 0.5f);
    if (cut && ImGui::IsWindowHovered() &&
        ImGui::IsMouseHoveringRect({at.x, top},
                                   {at.x + ImGui::GetWindowWidth(), top + head / 2}))
      show_hint(ui.look, lines[i]);
  }
  ImGui::SetCursorScreenPos({at.x, at.y + head});
  const auto belongs = [&](const compile::SassInstruction& i) {
    return site != nullptr && comes_from(i, *site, file);
  };
  // Of the step's own PTX instruction.
  const auto own = [&](const compile::SassInstruction& i) {
    return belongs(i) && i.ptx_line > 0 && i.ptx_line == site->ptx_line;
  };
  // A row for each instruction, and one for a label before it: where a loop goes back to.
  struct Place {
    std::size_t instruction = 0;
    bool label = false;
  };
  std::vector<Place> rows;
  std::size_t widest = 0;
  // Where the step is: the instruction that accesses memory as it does, else the first that its PTX became, else the
  // first of its line.
  int access = -1, first_own = -1, first_marked = -1;
  for (std::size_t i = 0; i < sass.instructions.size(); ++i) {
    const compile::SassInstruction& in = sass.instructions[i];
    widest = std::max(widest, in.text.size() + in.predicate.size() + 1);
    if (!in.label.empty()) rows.push_back({i, true});
    const int here = static_cast<int>(rows.size());
    if (first_marked < 0 && belongs(in)) first_marked = here;
    if (first_own < 0 && own(in)) first_own = here;
    if (access < 0 && own(in) && accesses_like(in, *site, *ui.session.event())) access = here;
    rows.push_back({i, false});
  }
  const int at_step = access >= 0 ? access : first_own >= 0 ? first_own : first_marked;
  const std::string key = place_key(ui.session, "sass");
  const int scroll_to = key != listing_shown_ ? at_step : -1;
  listing_shown_ = key;
  listing(ui, *result, "sass text", rows.size(), widest, height - head, scroll_to,
          [&](std::size_t row) {
            const compile::SassInstruction& in = sass.instructions[rows[row].instruction];
            if (rows[row].label) return Row{{}, in.label + ":", false, false, true, 0};
            return Row{fmt::format("{:04x}", in.address),
                       in.predicate.empty() ? in.text : in.predicate + " " + in.text, belongs(in),
                       own(in), false, in.file == file ? in.line : 0};
          });
}

}  // namespace lanescope::gui
