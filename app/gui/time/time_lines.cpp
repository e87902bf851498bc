#include "gui/time/time_lines.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "core/text.h"
#include "core/worded.h"
#include "diagram/words.h"

namespace lanescope::gui {
namespace {

// Of the switch: the sizes alone, "2,048 · 256 Ki". They need not be factors of a whole.
std::string short_sizes(const Ui& ui, const lesson::ControlValues& values) {
  std::string text;
  for (const lesson::Control* control : sizes_of(ui.session.selection.lesson(), ui.session.selection.variant()))
    text += (text.empty() ? "" : " · ") + short_number(values.at(control->name));
  return text;
}

}  // namespace

std::string size_text(const Ui& ui, const lesson::ControlValues& values) {
  return size_text(ui, ui.session.selection.variant(), values);
}

std::string size_text(const Ui& ui, const lesson::Variant& variant, const lesson::ControlValues& values) {
  return fmt::format("{}", fmt::join(size_texts(ui, variant, values), " · "));
}

std::string hidden_values_text(const Ui& ui, const lesson::Variant& variant, bool changed) {
  const Session& s = ui.session;
  const std::vector<std::string>& on_screen = s.selection.variant().controls;
  const lesson::ControlValues own = s.selection.lesson().defaults(variant);
  std::string text;
  for (const std::string& name : variant.controls) {
    const lesson::Control* control = s.selection.lesson().find_control(name);
    if (control == nullptr || control->is_size() || std::ranges::find(on_screen, name) != on_screen.end()) continue;
    const std::int64_t value = s.selection.control(name);
    if (changed && own.at(name) == value) continue;
    text += (text.empty() ? "" : " · ") + fill_in(ui.tr(Label::size_one), ui.name_of(*control), short_number(value));
  }
  return text;
}

std::vector<std::string> size_texts(const Ui& ui, const lesson::Variant& variant, const lesson::ControlValues& values) {
  std::vector<std::string> texts;
  for (const lesson::Control* control : sizes_of(ui.session.selection.lesson(), variant))
    if (const auto value = values.find(control->name); value != values.end())
      texts.push_back(fill_in(ui.tr(Label::size_one), ui.name_of(*control), short_number(value->second)));
  return texts;
}

BesideFastest beside_fastest(const Ui& ui, const lesson::Control* over, const job::RecordedRun& run) {
  const Session& s = ui.session;
  if (over == nullptr || over->is_size() || s.runs.shown() == nullptr || !run.timing) return {};
  const RunKey& key = s.runs.shown()->key;
  const job::RecordedRun* fastest = nullptr;
  for (const job::RecordedRun* one :
       s.recordings.recording()->sweep(key.variant, over->name, run.controls, key.text_to_record()))
    if (one->timing && (fastest == nullptr || one->timing->seconds.median < fastest->timing->seconds.median))
      fastest = one;
  if (fastest == nullptr) return {};
  const metrics::Comparison both = metrics::compare(fastest->timing->seconds, run.timing->seconds);
  if (both.verdict == metrics::Verdict::cannot_be_told_apart || both.ratio <= 1) return {};
  const std::string ratio = diagram::ratio_text(both.ratio), of = ui.name_of(*over),
                    value = short_number(fastest->controls.at(over->name));
  return {ui.told(worded("{} the time of {} = {}", ratio, of, value)),
          ui.told(worded("{} that of {} = {}", ratio, of, value))};
}

float size_switch(const Ui& ui, float x, float centre, float room, TimeSize& size) {
  const Session& s = ui.session;
  if (sizes_of(s.selection.lesson(), s.selection.variant()).empty()) return 0;
  const Palette& p = ui.colours();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float begin = x, height = ui.px(18), gap = ui.px(4);
  struct Choice {
    TimeSize size;
    const char* id;
    Label name, hint;
  };
  constexpr Choice choices[] = {{TimeSize::look, "look size", Label::size_look, Label::size_look_hint},
                                {TimeSize::measure, "measure size", Label::size_measure, Label::size_measure_hint}};
  // Both with their sizes; or the chosen one; or neither.
  int sizes_shown = 2;
  const TimeSize now = size;
  const auto said = [&](const Choice& one) {
    if (sizes_shown == 2 || (sizes_shown == 1 && one.size == now))
      return fill_in(ui.tr(one.name), short_sizes(ui, values_at(s, s.selection.variant(), one.size)));
    return std::string(trimmed(fill_in(ui.tr(one.name), "")));
  };
  const auto width_of = [&](const Choice& one) {
    return ui.look.measure(type::caption_strong, said(one)).x + ui.px(12);
  };
  while (sizes_shown > 0 && width_of(choices[0]) + gap + width_of(choices[1]) > room) --sizes_shown;
  for (const Choice& one : choices) {
    const float width = width_of(one);
    ImGui::SetCursorScreenPos({x, centre - height / 2});
    if (pressable(one.id, {width, height})) size = one.size;
    const bool chosen = now == one.size, hovered = ImGui::IsItemHovered();
    if (chosen || hovered)
      list->AddRectFilled({x, centre - height / 2}, {x + width, centre + height / 2}, chosen ? p.accent_soft : p.hover,
                          ui.px(4));
    draw_text(list, ui.look, chosen ? type::caption_strong : type::caption, chosen ? p.text : p.dim,
              {x + width / 2, centre}, said(one), HAlign::centre, width - ui.px(4));
    if (hovered && !chosen) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    hint(ui.look, fill_in(ui.tr(one.hint), size_text(ui, values_at(s, s.selection.variant(), one.size))));
    x += width + gap;
  }
  return x - begin;
}

std::string rate_text(double bytes_per_second) {
  if (bytes_per_second >= 1e12) return fmt::format("{:.2f} TB/s", bytes_per_second * 1e-12);
  return fmt::format("{:.1f} GB/s", bytes_per_second * 1e-9);
}

void paint_line(const Ui& ui, TimeLine::Kind kind, ImVec2 from, ImVec2 to) {
  const Palette& p = ui.colours();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImU32 colour = kind == TimeLine::Kind::library ? p.better : kind == TimeLine::Kind::peak ? p.accent : p.dim;
  const float thick = std::max(1.0f, ui.px(1.5f));
  if (kind == TimeLine::Kind::empty_launch) return list->AddLine(from, to, colour, thick);
  const float on = kind == TimeLine::Kind::library ? ui.px(5) : ui.px(2), off = ui.px(3);
  const float dx = to.x - from.x, dy = to.y - from.y, length = std::max(std::abs(dx), std::abs(dy));
  if (length <= 0) return;
  for (float at = 0; at < length; at += on + off) {
    const float end = std::min(at + on, length);
    list->AddLine({from.x + dx * at / length, from.y + dy * at / length},
                  {from.x + dx * end / length, from.y + dy * end / length}, colour, thick);
  }
}

namespace {

float legend_mark(const Ui& ui) {
  return ui.px(14);
}

std::string line_title(const Ui& ui, const TimeLine& line) {
  if (line.kind == TimeLine::Kind::empty_launch) return ui.tr(Label::line_empty_launch);
  if (line.kind == TimeLine::Kind::peak) return ui.tr(Label::line_peak);
  const lesson::Yardstick* of = ui.session.selection.lesson().find_yardstick(line.id);
  return of == nullptr ? line.library : ui.say_plain(of->title);
}

std::string line_hint(const Ui& ui, const TimeLine& line) {
  if (line.kind == TimeLine::Kind::empty_launch) return ui.tr(Label::line_empty_launch_hint);
  if (line.kind == TimeLine::Kind::library) return fill_in(ui.tr(Label::line_library_hint), line.library);
  const job::LessonRecording* recording = ui.session.recordings.recording();
  return fill_in(ui.tr(Label::line_peak_hint),
                 rate_text(recording == nullptr ? 0 : recording->device.peak_bandwidth()));
}

}  // namespace

std::vector<NamedLine> named_lines(const Ui& ui, const std::vector<TimeLine>& lines, float room) {
  const float gap = ui.px(14);
  std::vector<NamedLine> named;
  for (const int times : {2, 1, 0}) {  // all; all but the empty launch's; none
    named.clear();
    float x = 0;
    for (const TimeLine& line : lines) {
      const bool timed = times == 2 || (times == 1 && line.kind != TimeLine::Kind::empty_launch);
      const std::string name = line_title(ui, line) + (timed ? " " + time_text(line.seconds) : "");
      x += legend_mark(ui) + ui.look.measure(type::caption, name).x;
      if (x > room) break;
      named.push_back({line, name});
      x += gap;
    }
    if (named.size() == lines.size()) break;
  }
  return named;
}

void lines_legend(const Ui& ui, float x, float centre, const std::vector<NamedLine>& lines) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float mark = legend_mark(ui);
  for (const auto& [line, name] : lines) {
    const float width = ui.look.measure(type::caption, name).x;
    paint_line(ui, line.kind, {x, centre}, {x + mark - ui.px(4), centre});
    draw_text(list, ui.look, type::caption, ui.colours().dim, {x + mark, centre}, name);
    if (ImGui::IsMouseHoveringRect({x, centre - ui.px(8)}, {x + mark + width, centre + ui.px(8)}))
      show_hint(ui.look, line_hint(ui, line), line_title(ui, line) + "  " + time_text(line.seconds));
    x += mark + width + ui.px(14);
  }
}

}  // namespace lanescope::gui
