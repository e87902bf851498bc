#include "gui/warp/memory_view.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "core/worded.h"
#include "diagram/views.h"
#include "gui/kit/widgets.h"
#include "gui/warp/values_rows.h"

namespace lanescope::gui {

namespace {

using Shade = Memory::Heat;

constexpr float cell_high = 20, head_high = 18;

float picker_width(const Ui& ui, const std::string& said) {
  return ui.look.measure(type::caption, said).x + ui.px(18);
}

// "row 32 ▾", which opens a list. Returns the chosen index, or −1.
int picker(const Ui& ui, const char* id, const std::string& said, const std::vector<std::string>& options, int current,
           const char* why) {
  const float width = picker_width(ui, said), high = ui.px(26);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::PushID(id);
  if (pressable("open", {width, high})) ImGui::OpenPopup("list");
  const bool hovered = ImGui::IsItemHovered();
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (why != nullptr) hint(ui.look, why, said);
  ImDrawList* list = ImGui::GetWindowDrawList();
  draw_text(list, ui.look, type::caption, hovered ? ui.colours().text : ui.colours().dim, {at.x, at.y + high / 2},
            said);
  draw_icon(list, ui.look, Icon::down, {at.x + width - ui.px(7), at.y + high / 2}, ui.colours().dim, 6);
  int chosen = -1;
  ImGui::SetNextWindowPos({at.x, at.y + high});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(8), ui.px(8)));
  if (ImGui::BeginPopup("list")) {
    float wide = ui.px(120);
    for (const std::string& one : options) wide = std::max(wide, ui.look.measure(type::small, one).x + ui.px(16));
    for (std::size_t i = 0; i < options.size(); ++i)
      if (ImGui::Selectable(options[i].c_str(), static_cast<int>(i) == current, 0, {wide, ui.px(22)}))
        chosen = static_cast<int>(i);
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
  ImGui::PopID();
  return chosen;
}

Label heat_name(Shade heat) {
  constexpr Label labels[] = {Label::memory_heat_value, Label::memory_heat_touches, Label::memory_heat_warp};
  return labels[static_cast<std::size_t>(heat)];
}

// The number for the heat by value; nullopt for bits that are not a number.
std::optional<double> number_of_bits(std::uint64_t bits, ptx::Type type) {
  const std::string text = job::value_text(bits, type);
  double value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  if (parsed.ec != std::errc{} || parsed.ptr != text.data() + text.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

// The mark of an element that was never written; the legend names it.
constexpr const char* no_contents = "–";

// The number for the heat by value, if the element has one.
std::optional<double> number_at(const job::MemoryWindow& window, std::int64_t index, bool after) {
  if (!window.has_contents(index, after)) return std::nullopt;
  return number_of_bits(window.bits(index, after), window.memory().type);
}

std::uint64_t touches(const sim::MemoryState::Element& element) {
  return std::uint64_t{element.reads} + element.writes;
}

}  // namespace

std::string MemoryView::text_of(const Ui& ui, const job::MemoryWindow& window, std::int64_t index) const {
  const Memory& memory = ui.session.memory;
  const auto& element = window.element(index);
  if (memory.heat == Shade::value && !window.has_contents(index, memory.after)) return no_contents;
  if (memory.heat == Shade::value)
    return job::value_text(window.bits(index, memory.after), window.memory().type, ui.session.replays.base);
  if (!element.touched()) return "–";
  if (memory.heat == Shade::touches) return grouped(touches(element));
  return fmt::format("{}·{}", element.block, element.warp);
}

// Computes the cell width, which only grows for one memory, and the range of the heat.
void MemoryView::measure(const Ui& ui, const job::MemoryWindow& window) {
  const Memory& memory = ui.session.memory;
  const Measured wanted{ui.session.runs.shown()->serial, window.memory().name, ui.session.replays.base, memory.heat,
                        ui.look.scale()};
  const Range range{ui.session.runs.launch(), window.step, window.first, window.end(), memory.after};
  if (wanted == measured_ && range == range_) return;
  if (wanted != measured_) cell_width_ = ui.px(26);
  measured_ = wanted, range_ = range;
  bool any = false;
  least_ = most_ = 0;
  has_holes_ = false;
  for (std::int64_t i = window.first; i < window.end(); ++i) {
    has_holes_ |= window.state.known && !window.has_contents(i, memory.after);
    std::optional<double> heat;
    if (memory.heat == Shade::value) heat = number_at(window, i, memory.after);
    if (memory.heat == Shade::touches) heat = static_cast<double>(touches(window.element(i)));
    if (!heat) continue;
    least_ = any ? std::min(least_, *heat) : *heat;
    most_ = any ? std::max(most_, *heat) : *heat;
    any = true;
  }
  if (memory.heat == Shade::touches) least_ = 0;
  const float widest = ui.px(ui.session.replays.base == job::Base::bits ? 300.0f : 150.0f);
  std::size_t longest = 0;
  for (std::int64_t i = window.first; i < window.end(); ++i) {
    const std::string text = text_of(ui, window, i);
    if (text.size() <= longest) continue;  // all characters have the same width
    longest = text.size();
    cell_width_ = std::clamp(std::ceil(ui.look.measure(type::number, text).x + ui.px(10)), cell_width_, widest);
  }
  cell_height_ = ui.px(cell_high);
  const std::string last = std::to_string(window.memory().count);
  gutter_ = ui.look.measure(type::caption, last).x + ui.px(12);
}

void MemoryView::go_to(const Ui& ui, const std::string& text) {
  Memory& memory = ui.session.memory;
  const Result<job::MemoryWindow>* window = memory.window();
  if (window == nullptr || !*window) return;
  const job::NamedMemory* of = &(*window)->memory();
  std::optional<std::int64_t> index = of->find(text);
  for (const job::NamedMemory& one : (*window)->memories)
    if (!index) of = &one, index = one.find(text);
  if (!index) {
    ui.session.replays.forget_earlier_run();
    ui.session.replays.said = worded("There is no element `{}`.", text);
    return;
  }
  ui.session.replays.said = {};
  if (of->name != (*window)->memory().name) memory.choose(of->name);
  memory.element = show_ = *index;
}

void MemoryView::go_to_field(const Ui& ui, float width) {
  const FieldStyle style(ui.look, ui.colours().panel);
  ImGui::SetNextItemWidth(width);
  if (ImGui::InputTextWithHint("##go to element", ui.tr(Label::memory_go_to), asked_.data(), asked_.size(),
                               ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll))
    ui.window.afterwards(
        [this, &look = ui.look, &session = ui.session, &state = ui.window, text = std::string(asked_.data())] {
          go_to({look, session, state}, text);
        });
}

// Controls for what is shown and how, in as many rows as needed.
void MemoryView::controls(const Ui& ui, const PanelRect& rect, float& bottom) {
  Memory& memory = ui.session.memory;
  const Result<job::MemoryWindow>* found = memory.window();
  const job::MemoryWindow* window = found != nullptr && found->ok() ? &found->value() : nullptr;
  const float pad = ui.px(16), left = rect.x + pad, right = rect.x + rect.width - pad;
  float x = left, y = rect.y + ui.px(6);
  const auto place = [&](float width) {
    if (x > left && x + width > right) x = left, y += ui.px(30);
    ImGui::SetCursorScreenPos({x, y});
    x += width + ui.px(12);
  };
  std::vector<std::string> names{ui.tr(Label::memory_follow)};
  if (window != nullptr)
    for (const job::NamedMemory& one : window->memories) names.push_back(one.name);
  const std::string shown = window != nullptr ? window->memory().name : memory.wanted.name;
  const auto named = std::ranges::find(names, memory.wanted.name);
  place(picker_width(ui, shown));
  const int current = memory.wanted.name.empty() || named == names.end() ? 0 : static_cast<int>(named - names.begin());
  if (const int chosen = picker(ui, "memory-choice", shown, names, current, nullptr); chosen >= 0)
    ui.window.afterwards(
        [&memory, name = chosen == 0 ? "" : names[static_cast<std::size_t>(chosen)]] { memory.choose(name); });
  const float field = ui.px(84);
  place(field);
  go_to_field(ui, field);
  const auto own = static_cast<std::int64_t>(window != nullptr ? window->memory().row : 0);
  std::vector<std::int64_t> lengths{own > 0 ? own : 32};
  for (const std::int64_t one : {4, 8, 16, 32, 64, 128})
    if (one != lengths[0]) lengths.push_back(one);
  if (window != nullptr)
    for (const std::int64_t one : window->memory().row_lengths())
      if (std::ranges::find(lengths, one) == lengths.end()) lengths.push_back(one);
  std::vector<std::string> rows;
  for (const std::int64_t one : lengths) rows.push_back(fill_in(ui.tr(Label::memory_row), std::to_string(one)));
  const std::string row = fill_in(ui.tr(Label::memory_row), std::to_string(columns_));
  place(picker_width(ui, row));
  const auto at = std::ranges::find(lengths, columns_) - lengths.begin();
  if (const int chosen = picker(ui, "row", row, rows, static_cast<int>(at), ui.tr(Label::memory_row_hint)); chosen >= 0)
    memory.row = static_cast<std::uint64_t>(lengths[static_cast<std::size_t>(chosen)]);
  const std::vector<std::string> heats{ui.tr(Label::memory_heat_value), ui.tr(Label::memory_heat_touches),
                                       ui.tr(Label::memory_heat_warp)};
  place(picker_width(ui, ui.tr(heat_name(memory.heat))));
  if (const int chosen = picker(ui, "heat", ui.tr(heat_name(memory.heat)), heats, static_cast<int>(memory.heat),
                                ui.tr(Label::memory_heat_hint));
      chosen >= 0)
    memory.heat = static_cast<Shade>(chosen);
  const std::vector<std::string> times{ui.tr(Label::memory_before), ui.tr(Label::memory_after)};
  place(picker_width(ui, times[memory.after ? 1 : 0]));
  if (const int chosen = picker(ui, "time", times[memory.after ? 1 : 0], times, memory.after ? 1 : 0, nullptr);
      chosen >= 0)
    memory.after = chosen == 1;
  const std::vector<std::string> bases{ui.tr(Label::values_decimal), ui.tr(Label::values_hexadecimal),
                                       ui.tr(Label::values_bits)};
  // Where different types access the elements, there is no decimal.
  const bool typed = window == nullptr || job::has_decimal(window->memory().type);
  const int first = typed ? 0 : 1, base = std::max(static_cast<int>(ui.session.replays.base), first);
  const std::string& said = bases[static_cast<std::size_t>(base)];
  place(picker_width(ui, said));
  if (const int chosen = picker(ui, "base", said, {bases.begin() + first, bases.end()}, base - first,
                                typed ? nullptr : ui.told("Accesses of several types: their bits are shown.").c_str());
      chosen >= 0)
    ui.session.replays.base = static_cast<job::Base>(chosen + first);
  bottom = y + ui.px(30);
}

// Scrolls to the elements that a new step accesses.
void MemoryView::follow_step(const Ui& ui, const job::MemoryWindow& window) {
  const trace::WarpEvent& event = *ui.session.place.event();
  const job::NamedMemory& memory = window.memory();
  if (shown_step_ == window.step && shown_name_ == memory.name) return;
  const bool other = shown_name_ != memory.name;
  shown_step_ = window.step, shown_name_ = memory.name;
  ui.session.memory.wanted.otherwise = memory.name;
  if (other && show_ < 0) show_ = 0;
  if (event.kind != trace::EventKind::memory || event.space != memory.space || event.executed.bits == 0) return;
  const std::uint64_t address = ui.session.runs.shown()->outcome.first().trace.address(event, event.executed.lowest());
  if (address < memory.address || address >= memory.address + memory.count * memory.bytes()) return;
  if (ui.session.memory.element < 0) show_ = static_cast<std::int64_t>((address - memory.address) / memory.bytes());
}

// Requests the visible rows and some around them, in large steps, so that not every scroll movement makes a request.
void MemoryView::want(const Ui& ui, std::int64_t first_row, std::int64_t rows) {
  constexpr std::int64_t most = 1 << 16;  // elements
  const std::int64_t around = std::max<std::int64_t>(rows, 8);
  const std::int64_t from = std::max<std::int64_t>(0, (first_row - around / 2) / around * around);
  job::WantedWindow& wanted = ui.session.memory.wanted;
  wanted.first = from * columns_;
  wanted.count = static_cast<std::uint64_t>(std::min(3 * around * columns_, std::max(most, rows * columns_)));
}

// Arrow keys move from the focused element.
void MemoryView::keys(const Ui& ui, std::int64_t index) {
  const int aside = keys_of_item(ImGuiKey_LeftArrow, ImGuiKey_RightArrow);
  const int down = keys_of_item(ImGuiKey_UpArrow, ImGuiKey_DownArrow);
  if (aside == 0 && down == 0) return;
  const std::int64_t to = index + aside + down * columns_;
  const Result<job::MemoryWindow>* window = ui.session.memory.window();
  if (window == nullptr || !*window || to < 0 || to >= static_cast<std::int64_t>((*window)->memory().count)) return;
  ui.window.afterwards([this, &memory = ui.session.memory, to] {
    memory.element = show_ = to;
    focus_ = true;
  });
}

void MemoryView::cell(const Ui& ui, const job::MemoryWindow& window, std::int64_t index, ImVec2 at, ImVec2 end) {
  const Palette& p = ui.colours();
  Memory& memory = ui.session.memory;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const bool known = window.has(index) && window.state.known, chosen = index == memory.element;
  ImGui::SetCursorScreenPos(at);
  const std::string id = fmt::format("cell-{}", index);
  const bool current = chosen || (memory.element < 0 && index == first_on_screen_);
  if (current && std::exchange(focus_, false)) focus_next_item();
  const ImVec2 size{end.x - at.x, end.y - at.y};
  const bool pressed = current ? pressable(id.c_str(), size) : ImGui::InvisibleButton(id.c_str(), size);
  if (current) keys(ui, index);
  if (pressed) ui.window.afterwards([&memory, index] { memory.element = index; });
  const bool hovered = ImGui::IsItemHovered();
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (!known) return list->AddRectFilled(at, end, p.raised, ui.px(2));

  const auto& element = window.element(index);
  float heat = 0;
  if (memory.heat == Shade::warp) {
    const Position here = ui.session.place.position();
    heat = !element.touched() ? 0 : element.block == here.block && element.warp == here.warp ? 1.0f : 0.25f;
  } else {
    const std::optional<double> value = memory.heat == Shade::touches
                                            ? std::optional(static_cast<double>(touches(element)))
                                            : number_at(window, index, memory.after);
    if (value && most_ > least_) heat = static_cast<float>((*value - least_) / (most_ - least_));
  }
  list->AddRectFilled(at, end, mix(p.raised, p.executed, 0.42f * heat), ui.px(2));
  const LaneMask here{element.read.bits | element.written.bits};
  const job::WrongElements* wrong = memory.wrong();
  const job::WrongOne* bad = wrong == nullptr ? nullptr : wrong->at(index);
  const float thin = std::max(1.0f, ui.px(1));
  if (element.written.bits != 0) list->AddRectFilled({at.x, end.y - ui.px(3)}, end, p.accent);
  if (here.bits != 0) list->AddRect(at, end, p.accent, ui.px(2), 2 * thin);
  if (bad != nullptr) {
    paint_cell(list, ui.look, Role::conflict, diagram::Pattern::hatched, at, end, ui.px(2), 0.8f);
    list->AddTriangleFilled({end.x - ui.px(7), at.y}, {end.x, at.y}, {end.x, at.y + ui.px(7)}, p.conflict);
  }
  bool cut = false;
  draw_text(list, ui.look, type::number, p.text, {end.x - ui.px(5), (at.y + end.y) / 2}, text_of(ui, window, index),
            HAlign::right, size.x - ui.px(7), &cut);
  const bool linked = hover_.shown.lane >= 0 && here.test(hover_.shown.lane);
  if (chosen || linked || hovered)
    list->AddRect({at.x - thin, at.y - thin}, {end.x + thin, end.y + thin}, p.text, ui.px(3), ui.px(2));
  if (!hovered) return;
  if (here.bits != 0) hover_.next.lane = here.lowest();
  const auto value = [&](bool after) {
    return window.has_contents(index, after)
               ? job::value_text(window.bits(index, after), window.memory().type, ui.session.replays.base)
               : ui.told("never written");
  };
  std::string said = value(false) == value(true) ? value(true) : value(false) + " → " + value(true);
  said += "\n" + fill_in(ui.tr(Label::memory_so_far), grouped(std::uint64_t{element.reads}),
                         grouped(std::uint64_t{element.writes}));
  if (element.touched())
    said +=
        "\n" + fill_in(ui.tr(Label::memory_last_touch), std::to_string(element.block), std::to_string(element.warp));
  if (bad != nullptr) said += "\n" + fill_in(ui.tr(Label::memory_expected), ui.told(bad->got), bad->expected);
  show_hint(ui.look, said, window.memory().element(index));
}

// Column numbers at the top and the index of each row's first element on the left; they do not scroll.
void MemoryView::heads(const Ui& ui, const job::MemoryWindow& window) const {
  const Palette& p = ui.colours();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 corner = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  const float head = ui.px(head_high);
  list->AddRectFilled(corner, {corner.x + size.x, corner.y + head}, p.panel);
  list->AddRectFilled({corner.x, corner.y}, {corner.x + gutter_, corner.y + size.y}, p.panel);
  const float x0 = corner.x + gutter_ - ImGui::GetScrollX(), y0 = corner.y + head - ImGui::GetScrollY();
  list->PushClipRect({corner.x + gutter_, corner.y}, {corner.x + size.x, corner.y + head}, true);
  const auto wide = ui.look.measure(type::caption, std::to_string(columns_)).x + ui.px(8);
  const auto each = std::max<std::int64_t>(1, static_cast<std::int64_t>(std::ceil(wide / cell_width_)));
  for (std::int64_t column = 0; column < columns_; column += each) {
    const float x = x0 + static_cast<float>(column + 1) * cell_width_;
    if (x < corner.x || x - cell_width_ > corner.x + size.x) continue;
    draw_text(list, ui.look, type::caption, p.dim, {x - ui.px(5), corner.y + head / 2}, std::to_string(column),
              HAlign::right);
  }
  list->PopClipRect();
  list->PushClipRect({corner.x, corner.y + head}, {corner.x + gutter_, corner.y + size.y}, true);
  const auto first = static_cast<std::int64_t>(ImGui::GetScrollY() / cell_height_);
  for (std::int64_t row = first; row < rows_; ++row) {
    const float y = y0 + (static_cast<float>(row) + 0.5f) * cell_height_;
    if (y - cell_height_ > corner.y + size.y) break;
    const job::NamedMemory& memory = window.memory();
    draw_text(list, ui.look, type::caption, p.dim, {corner.x + gutter_ - ui.px(6), y},
              std::to_string(row * columns_ - (memory.argument >= 0 ? memory.pointer : 0)), HAlign::right);
  }
  list->PopClipRect();
}

void MemoryView::cells(const Ui& ui, const job::MemoryWindow& window) {
  const ImVec2 start = ImGui::GetCursorScreenPos(), corner = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  const float head = ui.px(head_high), gap = std::max(1.0f, ui.px(1));
  const auto first_row = static_cast<std::int64_t>(ImGui::GetScrollY() / cell_height_);
  const auto last_row = std::min(rows_, first_row + static_cast<std::int64_t>((size.y - head) / cell_height_) + 2);
  const auto first_column = static_cast<std::int64_t>(ImGui::GetScrollX() / cell_width_);
  const auto last_column =
      std::min(columns_, first_column + static_cast<std::int64_t>((size.x - gutter_) / cell_width_) + 2);
  want(ui, first_row, last_row - first_row);
  // Only completely visible rows: the keyboard starts at a visible element.
  first_on_screen_ = std::min(first_row + (ImGui::GetScrollY() > 0 ? 1 : 0), last_row - 1) * columns_ + first_column;
  ImGui::PushClipRect({corner.x + gutter_, corner.y + head}, {corner.x + size.x, corner.y + size.y}, true);
  for (std::int64_t row = first_row; row < last_row; ++row)
    for (std::int64_t column = first_column; column < last_column; ++column) {
      const std::int64_t index = row * columns_ + column;
      if (index >= static_cast<std::int64_t>(window.memory().count)) break;
      const ImVec2 at{std::round(start.x + gutter_ + static_cast<float>(column) * cell_width_),
                      std::round(start.y + head + static_cast<float>(row) * cell_height_)};
      cell(ui, window, index, at, {at.x + cell_width_ - gap, at.y + cell_height_ - gap});
    }
  ImGui::PopClipRect();
  heads(ui, window);
  ImGui::SetCursorScreenPos(start);
  ImGui::Dummy({gutter_ + static_cast<float>(columns_) * cell_width_, head + static_cast<float>(rows_) * cell_height_});
}

void MemoryView::grid(const Ui& ui, const job::MemoryWindow& window, const PanelRect& rect) {
  const job::NamedMemory& memory = window.memory();
  const std::uint64_t row = ui.session.memory.row > 0 ? ui.session.memory.row : memory.row > 0 ? memory.row : 32;
  columns_ = static_cast<std::int64_t>(std::min(row, memory.count));
  rows_ = (static_cast<std::int64_t>(memory.count) + columns_ - 1) / columns_;
  measure(ui, window);
  follow_step(ui, window);
  ImGui::SetCursorScreenPos({rect.x, rect.y});
  ImGui::BeginChild("grid", {rect.width, rect.height}, ImGuiChildFlags_NavFlattened,
                    ImGuiWindowFlags_HorizontalScrollbar);
  if (show_ >= 0) {
    const float head = ui.px(head_high), high = ImGui::GetWindowHeight() - head - cell_height_;
    const float wide = ImGui::GetWindowWidth() - gutter_ - cell_width_;
    const float y = static_cast<float>(show_ / columns_) * cell_height_;
    const float x = static_cast<float>(show_ % columns_) * cell_width_;
    if (y < ImGui::GetScrollY() || y > ImGui::GetScrollY() + high) ImGui::SetScrollY(std::max(0.0f, y - high / 3));
    if (x < ImGui::GetScrollX() || x > ImGui::GetScrollX() + wide) ImGui::SetScrollX(std::max(0.0f, x - wide / 2));
    show_ = -1;
    ui.window.moving = true;
  }
  cells(ui, window);
  ImGui::EndChild();
}

void MemoryView::legend(const Ui& ui, const job::MemoryWindow& window, float x, float centre, float room) const {
  const Palette& p = ui.colours();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float box = ui.px(12), end = x + room;
  const auto item = [&](const char* said, const auto& paint) {
    const float needed = box + ui.px(6) + ui.look.measure(type::caption, said).x;
    if (x + needed > end) return;
    paint(ImVec2{x, centre - box / 2}, ImVec2{x + box, centre + box / 2});
    draw_text(list, ui.look, type::caption, p.dim, {x + box + ui.px(6), centre}, said);
    x += needed + ui.px(14);
  };
  const float line = std::max(1.0f, ui.px(1)) * 2;
  item(ui.tr(Label::memory_read_here), [&](ImVec2 a, ImVec2 b) { list->AddRect(a, b, p.accent, ui.px(2), line); });
  item(ui.tr(Label::memory_written_here), [&](ImVec2 a, ImVec2 b) {
    list->AddRectFilled({a.x, b.y - ui.px(4)}, b, p.accent);
    list->AddRect(a, b, p.accent, ui.px(2), line);
  });
  if (ui.session.memory.heat == Shade::value && has_holes_)
    item(ui.told("never written").c_str(), [&](ImVec2 a, ImVec2 b) {
      draw_text(list, ui.look, type::number, p.text, {b.x, (a.y + b.y) / 2}, no_contents, HAlign::right);
    });
  const job::WrongElements* wrong = ui.session.memory.wrong();
  if (wrong != nullptr && !wrong->first.empty() && window.memory().argument >= 0)
    item(ui.tr(Label::memory_wrong), [&](ImVec2 a, ImVec2 b) {
      paint_cell(list, ui.look, Role::conflict, diagram::Pattern::hatched, a, b, ui.px(2));
    });
}

void MemoryView::draw(const Ui& ui, const PanelRect& rect) {
  const float pad = ui.px(16);
  hover_.begin_frame();
  float top = rect.y;
  const auto say = [&](const std::string& text) {
    ImGui::SetCursorScreenPos({rect.x + pad, top + ui.px(8)});
    paragraph(ui.look, type::small, ui.colours().dim, text, rect.width - 2 * pad);
  };
  if (ui.session.runs.shows_recorded()) return say(ui.tr(Label::values_recorded));
  if (ui.session.memory.wanted.count == 0) ui.session.memory.wanted.count = 1024;  // until the grid has been measured
  controls(ui, rect, top);
  const Result<job::MemoryWindow>* found = ui.session.memory.window();
  if (found == nullptr) return say(ui.tr(Label::values_wait));
  if (!found->ok()) return say(ui.told(found->errors().front().message));
  const job::MemoryWindow& window = **found;
  if (!window.state.known) return say(ui.tr(Label::memory_unknown));
  const trace::Trace& t = ui.session.runs.shown()->outcome.first().trace;
  const diagram::Scene lanes =
      diagram::lanes(t, *ui.session.place.event(), ui.picture((rect.width - 2 * pad) / ui.look.scale()));
  const float strip = lanes.height * ui.look.scale() + ui.px(8), foot = ui.px(24);
  if (rect.y + rect.height - top > strip + foot + ui.px(150)) {
    ImGui::SetCursorScreenPos({rect.x + pad, top + ui.px(2)});
    lanes_.show(lanes, ui.look, "memory lanes", hover_, ui.motion(), 1, picture_alpha(ui));
    top += strip;
  }
  grid(ui, window, {rect.x + pad, top, rect.width - 2 * pad, rect.y + rect.height - top - foot});
  legend(ui, window, rect.x + pad, rect.y + rect.height - foot / 2, rect.width - 2 * pad);
  ui.window.moving |= lanes_.moving();
}

}  // namespace lanescope::gui
