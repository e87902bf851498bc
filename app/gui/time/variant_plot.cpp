// The variants of a lesson side by side: every sample of each, its median and interval, how far it is from the fastest
// and from the memory's peak; and the lines that all are held against.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/worded.h"
#include "gui/time/time_evidence.h"
#include "gui/time/time_lines.h"
#include "gui/time/time_panel.h"
#include "gui/time/time_scale.h"
#include "gui/time/time_sizes.h"

namespace lanescope::gui {
namespace {

// The scale, between two places on screen.
struct BarScale : TimeScale {
  float x0 = 0, x1 = 1;  // pixels
  float at(double seconds) const { return x0 + static_cast<float>(part(seconds)) * (x1 - x0); }
};

const VariantTime* fastest_of(const std::vector<VariantTime>& variants) {
  const VariantTime* best = nullptr;
  for (const VariantTime& one : variants)
    if (one.timed() && (best == nullptr || one.run->timing->seconds.median < best->run->timing->seconds.median))
      best = &one;
  return best;
}

// What stands right of a row, from the right: the time always, the ratio and the bandwidth where there is room.
struct TimeColumns {
  float name = 0, ratio = 0, time = 0, rate = 0, share = 0;
  bool says_bandwidth = false;  // the share's name, where the bandwidth itself has no room
};

struct TimeCells {
  std::string name, ratio, time, rate, share;
};

// What the columns are called. `alone`: the share of the peak stands without the bandwidth.
TimeCells column_names(const Ui& ui, bool alone) {
  return {.ratio = ui.told(worded("vs fastest")),
          .time = ui.told(worded("median")),
          .rate = ui.told(worded("bandwidth")),
          .share = ui.told(alone ? worded("of peak bandwidth") : worded("of peak"))};
}

// What a column's name means; `name` is one of `names`.
std::string column_hint(const Ui& ui, const std::string& name, const TimeCells& names) {
  if (&name == &names.ratio)
    return ui.told(
        worded("The median divided by that of the fastest variant. ≈ 1 ×: the two cannot be told apart. Any "
               "other ≈: too few samples for an interval."));
  if (&name == &names.time)
    return ui.told(worded("The median of the samples, which are the dots. An orange line is its 95 % interval."));
  return ui.told(
      worded("Effective bandwidth: the bytes that must move, divided by the median. Bytes that move for "
             "nothing do not count."));
}

// Of medians. Too few samples have no interval that could tell two apart, but their ranges may lie apart all the same.
struct Slower {
  double ratio = 1;
  bool alike = false, few = false;
};
Slower slower(const VariantTime& one, const VariantTime& fastest) {
  const metrics::Interval &a = fastest.run->timing->seconds, &b = one.run->timing->seconds;
  const metrics::Comparison both = metrics::compare(a, b);
  if (both.verdict != metrics::Verdict::cannot_be_told_apart) return {both.ratio};
  const bool few = metrics::ranges_apart(a, b);
  return {b.median / a.median, !few, few};
}

TimeCells time_cells(const Ui& ui, const VariantTime& one, const VariantTime* fastest) {
  const Session& s = ui.session;
  const lesson::Variant& variant = s.selection.lesson().variants[one.variant];
  TimeCells cells{.name = ui.say_plain(variant.title)};
  if (const std::string hidden = hidden_values_text(ui, variant, true); !hidden.empty()) cells.name += " · " + hidden;
  if (!one.timed()) {
    const bool text = s.selection.edited(variant);
    cells.time = one.edited && !text ? ui.told(worded("other launch"))
                                     : ui.tr(one.edited ? Label::variant_edited : Label::variant_not_recorded);
    return cells;
  }
  const metrics::Interval& seconds = one.run->timing->seconds;
  cells.time = time_text(seconds.median);
  if (fastest != nullptr && fastest != &one) {
    const Slower by = slower(one, *fastest);
    cells.ratio = by.alike ? "≈ 1 ×"
                           : fmt::format("{}{:.{}f} ×", by.few ? "≈ " : "", by.ratio,
                                         by.ratio < 1.995  ? 2
                                         : by.ratio < 99.5 ? 1
                                                           : 0);
  }
  if (const double rate = one.bandwidth(); rate > 0) {
    cells.rate = rate_text(rate);
    if (const double peak = s.recordings.recording()->device.peak_bandwidth(); peak > 0)
      cells.share = share_text(rate / peak);
  }
  return cells;
}

TimeColumns time_columns(const Ui& ui, const std::vector<TimeCells>& rows, float width) {
  TimeColumns columns;
  const auto wide = [&](TypeStyle style, const std::string& text) {
    return text.empty() ? 0 : ui.look.measure(style, text).x + ui.px(12);
  };
  for (const TimeCells& row : rows) {
    columns.name = std::max(columns.name, ui.look.measure(type::caption, row.name).x + ui.px(10));
    columns.time = std::max(columns.time, wide(type::number, row.time));
    columns.ratio = std::max(columns.ratio, wide(type::number, row.ratio));
    columns.rate = std::max(columns.rate, wide(type::number, row.rate));
    columns.share = std::max(columns.share, wide(type::number, row.share));
  }
  const TimeCells names = column_names(ui, false);
  const auto named = [&](float& column, const std::string& name) {
    if (column > 0) column = std::max(column, wide(type::caption, name));
  };
  named(columns.time, names.time), named(columns.ratio, names.ratio);
  named(columns.rate, names.rate), named(columns.share, names.share);
  columns.name = std::min(columns.name, width * 0.3f);
  const float least_plot = ui.px(110);
  const auto plot = [&] { return width - columns.name - columns.time - columns.ratio - columns.rate - columns.share; };
  if (plot() < least_plot) {
    columns.rate = 0;
    const float share = columns.share;
    named(columns.share, column_names(ui, true).share);
    columns.says_bandwidth = plot() >= least_plot;
    if (!columns.says_bandwidth) columns.share = share;
  }
  if (plot() < least_plot) columns.share = 0;
  if (plot() < least_plot) columns.ratio = 0;
  return columns;
}

std::string particulars_of(const Ui& ui, const VariantTime& one, const TimeCells& cells,
                           const std::vector<VariantTime>& all, const VariantTime* fastest) {
  const Session& s = ui.session;
  const lesson::Variant& variant = s.selection.lesson().variants[one.variant];
  std::string said = size_text(ui, variant, one.run->controls);
  const auto add = [&](const std::string& text, const char* between = "\n") {
    said += (said.empty() ? "" : between) + text;
  };
  if (const std::string hidden = hidden_values_text(ui, variant, false); !hidden.empty()) add(hidden, " · ");
  const metrics::Interval& seconds = one.run->timing->seconds;
  add(fill_in(ui.tr(seconds.samples >= metrics::least_samples ? Label::time_here : Label::time_range_here),
              time_range(seconds.low, seconds.high),
              fill_in(ui.tr(Label::time_kept), grouped(seconds.samples), grouped(one.run->timing->discarded))));
  if (one.bytes > 0 && !cells.rate.empty())
    add(fill_in(ui.tr(Label::variant_moves), grouped(static_cast<std::int64_t>(one.bytes)) + " B",
                cells.rate + (cells.share.empty() ? "" : " · " + cells.share)));
  if (all.size() < 2 || fastest == nullptr) return said;
  const std::string best = ui.say_plain(s.selection.lesson().variants[fastest->variant].title);
  if (fastest == &one)
    add(ui.tr(Label::variant_fastest));
  else if (const Slower by = slower(one, *fastest); by.alike)
    add(fill_in(ui.tr(Label::variant_like_fastest), best));
  else
    add(fill_in(ui.tr(by.few ? Label::variant_slower_few : Label::variant_slower), fmt::format("{:.2f}", by.ratio),
                best));
  return said;
}

// Samples lie above and below the middle of the row, always in the same places.
void paint_samples(const Ui& ui, const gpu::Timing& timing, const BarScale& scale, float centre, float half,
                   ImU32 colour, KeptShapes& kept) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float r = std::max(0.75f, ui.px(1.0f));
  std::vector<double> what = timing.samples;
  what.insert(what.end(), {scale.low, scale.high, scale.logarithmic ? 1.0 : 0.0, scale.x0, scale.x1, centre, half, r,
                           static_cast<double>(colour)});
  kept.draw(list, std::move(what), [&] {
    for (std::size_t i = 0; i < timing.samples.size(); ++i) {
      const float x = scale.at(timing.samples[i]), y = centre + half * sample_offset(i);
      list->AddRectFilled({x - r, y - r}, {x + r, y + r}, colour);
    }
  });
}

void paint_time(const Ui& ui, const VariantTime& one, const BarScale& scale, float top, float height, bool chosen,
                KeptShapes& samples) {
  const Palette& p = ui.colours();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float centre = top + height / 2, half = std::min(height * 0.36f, ui.px(20));
  const metrics::Interval& seconds = one.run->timing->seconds;
  const float x = scale.at(seconds.median);
  if (!scale.logarithmic)
    list->AddRectFilled({scale.x0, centre - half}, {x, centre + half}, with_alpha(p.executed, chosen ? 0.55f : 0.25f),
                        ui.px(2));
  paint_samples(ui, *one.run->timing, scale, centre, half * 0.8f, with_alpha(p.text, 0.28f), samples);
  const float low = scale.at(seconds.low), high = scale.at(seconds.high);
  if (high - low > ui.px(3)) list->AddRectFilled({low, centre - ui.px(1.5f)}, {high, centre + ui.px(1.5f)}, p.wasted);
  list->AddRectFilled({x - ui.px(1), centre - half - ui.px(1)}, {x + ui.px(1), centre + half + ui.px(1)}, p.text);
}

// `x0`: where the rows' names begin.
void paint_axis(const Ui& ui, const BarScale& scale, float y, float x0) {
  const Palette& p = ui.colours();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const auto ticks = scale.ticks();
  std::vector<TickName> names;
  for (const auto& [seconds, name] : ticks)
    names.push_back({scale.at(seconds), ui.look.measure(type::caption, name).x});
  const NamedTicks named = ticks_with_room(names, scale.x0 - ui.px(20), scale.x1 + ui.px(8), ui.px(8));
  for (std::size_t i = 0; i < ticks.size(); ++i) {
    const float x = names[i].at;
    list->AddLine({x, y - ui.px(9)}, {x, y - ui.px(6)}, p.faint, 1);
    if (i < named.first || (i - named.first) % named.every != 0) continue;
    if (x + names[i].width / 2 > scale.x1 + ui.px(8)) continue;
    draw_text(list, ui.look, type::caption, p.dim, {x, y}, ticks[i].second, HAlign::centre);
  }
  if (scale.logarithmic)
    draw_text(list, ui.look, type::caption, p.dim, {x0, y}, ui.tr(Label::time_axis_log), HAlign::left,
              scale.x0 - x0 - ui.px(4));
}

// Each column's cell right of a row, from the right.
template <typename Draw>
void for_cells(const TimeCells& cells, const TimeColumns& columns, float right, const Draw& draw) {
  const auto cell = [&](const std::string& text, float wide) {
    if (wide > 0 && !text.empty()) draw(text, right, wide, &text == &cells.time);
    right -= wide;
  };
  cell(cells.share, columns.share);
  cell(cells.rate, columns.rate);
  cell(cells.ratio, columns.ratio);
  cell(cells.time, columns.time);
}

void draw_variant(const Ui& ui, const VariantTime& one, const TimeCells& cells, const TimeColumns& columns, ImVec2 at,
                  float width, float height) {
  const Palette& p = ui.colours();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const bool chosen = one.variant == ui.session.selection.variant_index();
  const float y = at.y + height / 2;
  const TypeStyle name = chosen ? type::caption_strong : type::caption;
  draw_text(list, ui.look, name, chosen ? p.text : p.dim, {at.x, y}, cells.name, HAlign::left, columns.name - ui.px(6));
  for_cells(cells, columns, at.x + width, [&](const std::string& text, float right, float wide, bool is_time) {
    const ImU32 colour = !is_time ? p.dim : one.timed() ? p.text : p.faint;
    draw_text(list, ui.look, type::number, colour, {right, y}, text, HAlign::right, wide);
  });
}

// Once for each choice: what the learner scrolls to after it stays.
void scroll_to_chosen(const Session& s, const std::vector<VariantTime>& all, float pitch, float whole) {
  int& scrolled_to = *ImGui::GetStateStorage()->GetIntRef(ImGui::GetID("scrolled to"));
  const ImGuiID now = ImGui::GetID((s.selection.lesson().id + "/" + s.selection.variant().id).c_str());
  if (std::exchange(scrolled_to, static_cast<int>(now)) == static_cast<int>(now)) return;
  const auto chosen = std::ranges::find(all, s.selection.variant_index(), &VariantTime::variant);
  if (chosen == all.end()) return;
  const float top = pitch * static_cast<float>(chosen - all.begin()), at = ImGui::GetScrollY();
  if (const float fits = std::clamp(at, top + pitch - whole, top); fits != at) ImGui::SetScrollY(fits);
}

// What the interpreter counted of the variant on screen and of the fastest, with the values on screen.
std::optional<InterpretedCounts> interpreted_counts(const Ui& ui, const lesson::Variant& fastest) {
  Session& s = ui.session;
  const RunResult* shown = s.runs.shown();
  if (shown == nullptr || s.runs.shows_recorded() || s.runs.stale() || fastest.gpu_only) return InterpretedCounts();
  InterpretedCounts found{size_text(ui, s.selection.variant(), shown->key.controls), {}};
  for (const char* name : {"warp_instructions", "shared_load.wavefronts", "shared_store.wavefronts", "barriers",
                           "shuffles", "global_load.requests", "global_store.requests"}) {
    const auto of = [&](const std::string& variant) {
      lesson::NumberReference number;
      number.variant = variant, number.number = name, number.launch = 0;
      return s.details.number(number);
    };
    const auto one = of(s.selection.variant().id), other = of(fastest.id);
    if (!one || !other) return std::nullopt;
    found.counts.push_back({metrics::find(shown->outcome.first().trace, name).label, *one, *other});
  }
  return found;
}

// Of the variant on screen beside the fastest; empty where its time follows its sectors.
std::string evidence_text(const Ui& ui, const std::vector<VariantTime>& all, const VariantTime& fastest) {
  Session& s = ui.session;
  const auto name_of = [&](const VariantTime& one) {
    return ui.say_plain(s.selection.lesson().variants[one.variant].title);
  };
  const auto one = std::ranges::find(all, s.selection.variant_index(), &VariantTime::variant);
  if (one == all.end() || !one->timed() || &*one == &fastest) return {};
  std::string text;
  const auto& launch = s.recordings.recording()->empty_launch;
  const auto interpreted = [&] { return interpreted_counts(ui, s.selection.lesson().variants[fastest.variant]); };
  for (const Wording& sentence : time_evidence({*one->run, name_of(*one)}, {*fastest.run, name_of(fastest)},
                                               launch ? launch->seconds.median : 0, interpreted))
    text += (text.empty() ? "" : " ") + ui.told(sentence);
  return text;
}

// False where no variant comes near the memory's peak at the size to measure at: arithmetic or atomics take the time,
// and a bandwidth beside it would read as a verdict. It is still in the tooltip.
bool memory_may_decide(const Session& s) {
  constexpr double near = 0.1;
  const double peak = s.recordings.recording()->device.peak_bandwidth();
  return peak <= 0 || std::ranges::any_of(variants_beside(s, TimeSize::measure), [&](const VariantTime& one) {
           return one.timed() && one.bandwidth() >= near * peak;
         });
}

}  // namespace

void TimePanel::variants(const Ui& ui) {
  Session& s = ui.session;
  const TimeSize at_size = size(ui);
  const std::vector<VariantTime> all = variants_beside(s, at_size);
  const VariantTime* fastest = fastest_of(all);
  if (fastest == nullptr) {
    elsewhere(ui);
    return;
  }
  const std::vector<TimeLine> lines = lines_beside(s, at_size, all);
  const auto count = static_cast<float>(all.size());
  std::vector<TimeCells> rows;
  for (const VariantTime& one : all) rows.push_back(time_cells(ui, one, fastest));
  std::vector<TimeCells> in_columns = rows;
  if (!memory_may_decide(s))
    for (TimeCells& one : in_columns) one.rate.clear(), one.share.clear();
  const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
  // Where the panel is low the rows come first, which say each time in figures; a line without its name would say
  // nothing.
  const float rows_height = ui.px(14) * static_cast<float>(std::min<std::size_t>(all.size(), 6));
  const float foot = room.y - ui.px(16) >= rows_height ? ui.px(16) : 0;
  const float legend = !lines.empty() && room.y - foot - ui.px(16) >= rows_height ? ui.px(16) : 0;
  // Where there is no room for it, it stands in the tooltip of the variant's row.
  const std::string evidence = evidence_text(ui, all, *fastest);
  float said = evidence.empty() ? 0 : ui.look.measure(type::caption, evidence, room.x).y + ui.px(6);
  if (room.y - foot - legend - said < ui.px(14) * count) said = 0;
  const float list_height = std::max(room.y - foot - legend - said, ui.px(14));
  // In a large panel the rows grow, so that the samples can be told apart.
  const float pitch = std::clamp(list_height / count, ui.px(14), std::clamp(room.y / 7, ui.px(28), ui.px(64)));
  const bool scrolls = pitch * count > list_height + 1;
  const float whole =
      scrolls ? std::max(1.0f, std::floor(list_height / pitch)) * pitch : pitch * count;  // no row in part
  const float width = room.x - (scrolls ? ui.px(12) : 0);
  const TimeColumns columns = time_columns(ui, in_columns, width);
  samples_.resize(all.size());
  BarScale scale{scale_for(all, lines)};
  scale.x0 = at.x + columns.name;
  scale.x1 = at.x + width - columns.time - columns.ratio - columns.rate - columns.share - ui.px(6);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  // Letters such as g reach below a low row.
  ImGui::BeginChild("variants", {room.x, whole + ui.px(2)}, ImGuiChildFlags_NavFlattened,
                    scrolls ? ImGuiWindowFlags_None : ImGuiWindowFlags_NoScrollbar);
  if (scrolls) scroll_to_chosen(s, all, pitch, whole);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const ImVec2 from = ImGui::GetCursorScreenPos();
    ImGui::PushID(s.selection.lesson().variants[all[i].variant].id.c_str());
    const bool clicked = pressable("variant time", {width, pitch});
    ImGui::PopID();
    if (ImGui::IsItemHovered()) {
      ImGui::GetWindowDrawList()->AddRectFilled({from.x - ui.px(4), from.y}, {from.x + width, from.y + pitch},
                                                ui.colours().hover, ui.px(4));
      ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    }
    const bool below = from.y > at.y + whole - 1;  // only its edge would show
    if (all[i].timed() && !below) {
      const bool on_screen = all[i].variant == s.selection.variant_index();
      paint_time(ui, all[i], scale, from.y, pitch, on_screen, samples_[i]);
      if (ImGui::IsItemHovered())
        hint(
            ui.look,
            particulars_of(ui, all[i], rows[i], all, fastest) + (on_screen && !evidence.empty() ? "\n" + evidence : ""),
            rows[i].name + "  " + rows[i].time);
    }
    if (!below) draw_variant(ui, all[i], in_columns[i], columns, from, width, pitch);
    if (const std::size_t chosen = all[i].variant; clicked && chosen != s.selection.variant_index())
      ui.window.afterwards([&s, chosen] { s.choose_variant(chosen); });
  }
  const float bottom = at.y + whole;
  const std::vector<NamedLine> named = legend > 0 ? named_lines(ui, lines, room.x) : std::vector<NamedLine>();
  for (const auto& [line, name] : named)
    if (const float x = scale.at(line.seconds); line.seconds >= scale.low)
      paint_line(ui, line.kind, {x, at.y}, {x, bottom});
  ImGui::EndChild();
  ImGui::PopStyleVar();
  if (foot > 0) {
    const float y = bottom + ui.px(9);
    paint_axis(ui, scale, y, at.x);
    const TimeCells names = column_names(ui, columns.says_bandwidth);
    for_cells(names, columns, at.x + width, [&](const std::string& text, float right, float wide, bool) {
      const float used = draw_text(ImGui::GetWindowDrawList(), ui.look, type::caption, ui.colours().dim, {right, y},
                                   text, HAlign::right, wide);
      if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect({right - used, y - ui.px(8)}, {right, y + ui.px(8)}))
        show_hint(ui.look, column_hint(ui, text, names), text);
    });
  }
  if (legend > 0) lines_legend(ui, at.x, bottom + foot + ui.px(8), named);
  if (said > 0)
    draw_paragraph(ImGui::GetWindowDrawList(), ui.look, type::caption, ui.colours().text,
                   {at.x, bottom + foot + legend + ui.px(6)}, evidence, room.x);
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({room.x, whole + foot + legend + said});
}

}  // namespace lanescope::gui
