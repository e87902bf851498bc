#include "gui/time/time_panel.h"

// Time: measured on a GPU or not shown at all. The learner's own GPU is shown beside the shipped recordings, each with
// its conditions. "Faster" is said only if the intervals do not overlap.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/worded.h"
#include "diagram/words.h"
#include "gui/parts/covers.h"
#include "gui/parts/exports.h"
#include "gui/parts/problems.h"
#include "gui/time/gpu_agreement.h"
#include "gui/time/nearest_recording.h"
#include "gui/time/time_lines.h"
#include "gui/time/time_sizes.h"

namespace lanescope::gui {
namespace {

std::string l2_text(const Ui& ui, gpu::CacheState cache) {
  return ui.tr(cache == gpu::CacheState::warm          ? Label::time_l2_warm
               : cache == gpu::CacheState::overwritten ? Label::time_l2_overwritten
                                                       : Label::time_l2_flushed);
}

std::string clock_text(const Ui& ui, const gpu::Timing& timing) {
  const std::int64_t low = timing.sm_clock_khz_low / 1000, high = timing.sm_clock_khz_high / 1000;
  if (high == 0) return {};
  return low == high ? fill_in(ui.tr(Label::time_clock), grouped(high))
                     : fill_in(ui.tr(Label::time_clock_range), grouped(low), grouped(high));
}

std::string ending_text(const Ui& ui, const gpu::Timing& timing) {
  const std::pair<const char*, Label> known[] = {{"interval narrow enough", Label::ends_narrow},
                                                 {"time limit", Label::ends_time},
                                                 {"sample limit", Label::ends_samples},
                                                 {"stopped", Label::ends_stopped}};
  for (const auto& [reason, label] : known)
    if (timing.stop_reason == reason) return fill_in(ui.tr(Label::time_ended), ui.tr(label));
  return {};
}

// Interval, samples, L2 and clock, without which a time means nothing. The longest version first, then shorter ones.
std::vector<std::string> particulars(const Ui& ui, const gpu::Timing& timing) {
  const std::string range = time_range(timing.seconds.low, timing.seconds.high);
  const std::string kept = fill_in(ui.tr(Label::time_kept), grouped(timing.seconds.samples), grouped(timing.discarded));
  const std::string samples = fill_in(ui.tr(Label::time_samples), grouped(timing.seconds.samples));
  std::string launches, rest = " · " + l2_text(ui, timing.cache);
  if (const int count = ui.session.runs.launch_count(); count > 1)
    launches = fill_in(ui.tr(Label::time_of_launches), std::to_string(count)) + " · ";
  const std::string l2 = rest;
  if (const std::string clock = clock_text(ui, timing); !clock.empty()) rest += " · " + clock;
  const Label said = timing.seconds.samples >= metrics::least_samples ? Label::time_here : Label::time_range_here;
  const auto interval = [&](const std::string& of) { return launches + fill_in(ui.tr(said), range, of); };
  const std::string brief = ui.told(timing.seconds.samples >= metrics::least_samples ? worded("95 % interval {}", range)
                                                                                     : worded("range {}", range));
  return {interval(kept) + rest, interval(samples) + rest, interval(samples) + l2, interval(samples), brief};
}

// A time and its mark as in the plot; returns the width.
float marked_time(const Ui& ui, const gpu::Timing& timing, bool own, ImVec2 at, float alpha) {
  const Palette& p = ui.colours();
  const float r = ui.px(4.5f);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 corners[4] = {{at.x + r, at.y - r}, {at.x + 2 * r, at.y}, {at.x + r, at.y + r}, {at.x, at.y}};
  if (own)
    list->AddConvexPolyFilled(corners, 4, with_alpha(p.text, alpha));
  else
    list->AddPolyline(corners, 4, with_alpha(p.dim, alpha), ImDrawFlags_Closed, std::max(1.0f, ui.px(1.5f)));
  return 2 * r + ui.px(8) +
         std::max(ui.px(64), draw_text(list, ui.look, own ? type::body_strong : type::body_medium,
                                       with_alpha(own ? p.text : p.dim, alpha), {at.x + 2 * r + ui.px(8), at.y},
                                       time_text(timing.seconds.median)));
}

// A mark, the median, and its conditions; the tooltip has everything.
void time_row(const Ui& ui, const char* id, const gpu::Timing& timing, bool own, const std::string& lead,
              const std::string& label, const std::string& more, float alpha) {
  const Palette& p = ui.colours();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, y = at.y + ui.px(10);
  const float x = at.x + marked_time(ui, timing, own, {at.x, y}, alpha) + ui.px(12);
  std::vector<std::string> texts = particulars(ui, timing);
  const std::string said = texts.front();
  if (!lead.empty())
    for (std::string& text : texts) text.insert(0, lead + " · ");
  const float room = std::max(1.0f, at.x + width - x);
  draw_text(ImGui::GetWindowDrawList(), ui.look, type::caption, with_alpha(p.dim, alpha), {x, y},
            longest_fitting(ui.look, type::caption, texts, room), HAlign::left, room);
  ImGui::PushID(id);
  ImGui::InvisibleButton("time row", {width, ui.px(20)});
  ImGui::PopID();
  const std::string ending = ending_text(ui, timing);
  hint(ui.look, said + (ending.empty() ? "" : "\n" + ending) + (more.empty() ? "" : "\n" + more), label);
}

// Says whether the two differ, judged only by their intervals.
std::string verdict(const Ui& ui, const gpu::Timing& own, const gpu::Timing& recorded) {
  if (own.cache != recorded.cache) return ui.tr(Label::other_l2_recording);
  const metrics::Comparison both = metrics::compare(own.seconds, recorded.seconds);
  constexpr double worth_naming = 0.01;  // a real difference, too small to matter
  if (both.verdict != metrics::Verdict::cannot_be_told_apart && std::abs(both.ratio - 1) < worth_naming)
    return fill_in(ui.tr(Label::close_to_recording), "1 %");
  if (both.verdict != metrics::Verdict::cannot_be_told_apart)
    return fill_in(ui.tr(Label::faster_than_recording), fmt::format("{:.2f}", both.ratio));
  if (both.samples_needed == 0) return ui.tr(Label::same_as_recording);
  return fill_in(ui.tr(Label::same_as_recording_until), grouped(both.samples_needed));
}

// Both in one row if the panel is low: their conditions are in tooltips.
void both_times(const Ui& ui, const GpuResult& own, const gpu::Timing& recorded, const std::string& label,
                const std::string& more, float own_alpha, float alpha) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, y = at.y + ui.px(10), height = ui.px(20);
  const auto part = [&](const char* id, float x, float wide, const std::string& said, const std::string& title) {
    ImGui::SetCursorScreenPos({x, at.y});
    ImGui::PushID(id);
    ImGui::InvisibleButton("time row", {wide, height});
    ImGui::PopID();
    hint(ui.look, said, title);
  };
  const float own_width = marked_time(ui, *own.timing, true, {at.x, y}, own_alpha) + ui.px(10);
  const std::vector<std::string> of_own = particulars(ui, *own.timing);
  part("own", at.x, own_width, of_own.front() + (more.empty() ? "" : "\n" + more), ui.told(label_of(own.device)));
  const float x = at.x + own_width, recorded_width = marked_time(ui, recorded, false, {x, y}, alpha) + ui.px(10);
  part("recorded", x, recorded_width, particulars(ui, recorded).front(), label);
  const float rest = x + recorded_width;
  const std::string told = verdict(ui, *own.timing, recorded);
  std::vector<std::string> texts = of_own;
  for (std::string& text : texts) text.insert(0, told + " · ");
  const float room = std::max(1.0f, at.x + width - rest);
  draw_text(ImGui::GetWindowDrawList(), ui.look, type::caption, with_alpha(ui.colours().dim, own_alpha), {rest, y},
            longest_fitting(ui.look, type::caption, texts, room), HAlign::left, room);
  part("verdict", rest, room, of_own.front(), told);
  ImGui::SetCursorScreenPos({at.x, at.y + height});
  ImGui::Dummy({width, 0});
}

// Bandwidth against the peak, occupancy, registers.
std::string facts(const Ui& ui, const GpuResult& said) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : " · ") + part; };
  if (said.timing && said.bytes > 0 && said.timing->seconds.median > 0) {
    const double rate = said.bytes / said.timing->seconds.median, peak = said.device.peak_bandwidth();
    add(peak > 0 ? fill_in(ui.tr(Label::bandwidth_peak), rate_text(rate), fmt::format("{:.1f} %", 100 * rate / peak),
                           rate_text(peak))
                 : fill_in(ui.tr(Label::bandwidth_alone), rate_text(rate)));
  }
  // For the kernel of the launch on screen, never for another one.
  const gpu::KernelAttributes* attributes = said.attributes_of(ui.session.runs.launch());
  if (attributes == nullptr) return text;
  if (attributes->occupancy > 0)
    add(fill_in(ui.tr(Label::occupancy_driver), fmt::format("{:.0f} %", attributes->occupancy * 100)));
  if (attributes->registers > 0) add(fill_in(ui.tr(Label::registers_each), std::to_string(attributes->registers)));
  return text;
}

const char* stage_text(const Ui& ui, const GpuResult* said, bool running_now) {
  if (said == nullptr || said->stage == job::GpuStage::done)
    return ui.tr(running_now ? Label::stage_running : Label::stage_waiting);
  switch (said->stage) {
    case job::GpuStage::timing:
      return ui.tr(Label::stage_timing);
    case job::GpuStage::recording:
      return ui.tr(Label::stage_recording);
    case job::GpuStage::refining:
      return ui.tr(Label::stage_refining);
    case job::GpuStage::counting:
      return ui.tr(Label::stage_counting);
    default:
      return ui.tr(Label::stage_running);
  }
}

// The GPU's current work, and ■ to stop it; its right edge is at `right`. Returns the width.
float progress(const Ui& ui, float right, float centre) {
  Session& s = ui.session;
  const Worker::Status status = s.runs.gpu_running();
  if (!status.busy) return 0;
  const float size = ui.px(24);
  ImGui::SetCursorScreenPos({right - size, centre - size / 2});
  if (icon_button(ui.look, "stop gpu", Icon::stop, ui.tr(Label::stop_gpu), true, 24)) s.runs.stop_gpu();
  const GpuResult* said = s.runs.gpu_stale() ? nullptr : s.runs.gpu();
  const int launch = s.runs.gpu_launch_under_way();
  const std::string at_work = launch > 1 ? fill_in(ui.tr(Label::stage_launch), std::to_string(launch))
                                         : stage_text(ui, said, status.blocks_done == 0);
  return size + ui.px(6) +
         draw_text(ImGui::GetWindowDrawList(), ui.look, type::caption, ui.colours().dim,
                   {right - size - ui.px(6), centre}, at_work, HAlign::right);
}

// Why the GPU has nothing (more) to report.
void problems(const Ui& ui, const GpuResult& said) {
  const Palette& p = ui.colours();
  for (const Diagnostic& d : said.problems) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImGui::GetWindowDrawList()->AddCircleFilled({at.x + ui.px(4), at.y + ui.px(9)}, ui.px(4),
                                                d.severity == Severity::error ? p.conflict : p.wasted);
    ImGui::Indent(ui.px(18));
    draw_problem(ui, d, p.text, type::small_medium);
    ImGui::Unindent(ui.px(18));
  }
}

std::string with_dot(const std::string& a, const std::string& b) {
  return a.empty() ? b : b.empty() ? a : a + " · " + b;
}

std::string over_text(const Ui& ui, const std::string& over) {
  const lesson::Control* control = ui.session.selection.lesson().find_control(over);
  return control == nullptr ? ui.tr(Label::over_variants) : fill_in(ui.tr(Label::over_control), ui.name_of(*control));
}

float over_width(const Ui& ui, const std::string& over) {
  return ui.look.measure(type::caption, over_text(ui, over)).x + ui.px(16);
}

// "over stride ▾"; its right edge is at `right`.
void over_picker(const Ui& ui, std::string& over, float right, float centre) {
  const Palette& p = ui.colours();
  const auto controls = ui.session.selection.controls();
  const std::string said = over_text(ui, over);
  const float width = over_width(ui, over);
  ImGui::SetCursorScreenPos({right - width - ui.px(5), centre - ui.px(9)});  // no letter touches the focus's ring
  if (pressable("over", {width + ui.px(10), ui.px(18)})) ImGui::OpenPopup("over list");
  const bool hovered = ImGui::IsItemHovered();
  if (hovered) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  ImDrawList* list = ImGui::GetWindowDrawList();
  draw_text(list, ui.look, type::caption, hovered ? p.text : p.dim, {right - width, centre}, said);
  draw_icon(list, ui.look, Icon::down, {right - ui.px(5), centre}, p.dim, 6);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(8), ui.px(8)));
  if (ImGui::BeginPopup("over list")) {
    const auto row = [&](const std::string& id, const std::string& name) {
      ImGui::PushID(id.c_str());
      if (ImGui::Selectable(name.c_str(), id == over, 0, {ui.px(170), ui.px(22)})) over = id;
      ImGui::PopID();
    };
    row({}, ui.tr(Label::over_variants));
    for (const lesson::Control* control : controls) row(control->name, over_text(ui, control->name));
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
}

struct Link {
  std::string text;
  int id;
};

// A row of text followed by links, as many as fit. Returns the index of the link that was clicked; -1: none.
int links_after(const Ui& ui, const std::string& said, const std::vector<Link>& links) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, height = ui.px(18), y = at.y + height / 2;
  ImDrawList* list = ImGui::GetWindowDrawList();
  float x =
      at.x + draw_text(list, ui.look, type::caption, ui.colours().dim, {at.x, y}, said, HAlign::left, width) + ui.px(8);
  int clicked = -1;
  ImGui::PushID("elsewhere");
  for (std::size_t i = 0; i < links.size(); ++i) {
    const float wide = ui.look.measure(type::caption_strong, links[i].text).x + ui.px(8);
    if (x + wide > at.x + width) break;
    ImGui::SetCursorScreenPos({x, at.y});
    ImGui::PushID(links[i].id);
    if (pressable("recorded value", {wide, height})) clicked = static_cast<int>(i);
    ImGui::PopID();
    if (ImGui::IsItemHovered()) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    draw_text(list, ui.look, type::caption_strong, ui.colours().accent, {x + ui.px(4), y}, links[i].text);
    x += wide;
  }
  ImGui::PopID();
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({width, height});
  return clicked;
}

}  // namespace

TimeSize TimePanel::size(const Ui& ui) const {
  return sizes_of(ui.session.selection.lesson(), ui.session.selection.variant()).empty() ? TimeSize::look : size_;
}

std::string& TimePanel::over(const Ui& ui) {
  const Session& s = ui.session;
  std::string& chosen = chosen_[s.selection.lesson().id + "/" + s.selection.variant().id];
  if (std::ranges::none_of(s.selection.controls(), [&](const auto* control) { return control->name == chosen; }))
    chosen.clear();
  return chosen;
}

namespace {

// What the lesson asks: the variant on screen not beside the fastest of all, but beside its own fastest value. Where it
// does not fit, the plot over the control has it.
void own_fastest(const Ui& ui, TimeSize size, float x, float centre, float limit) {
  const Session& s = ui.session;
  const job::RecordedRun* run = recorded_at(s, s.selection.variant_index(), size);
  if (run == nullptr || s.recordings.recording() == nullptr) return;
  const BesideFastest said = beside_fastest(ui, s.selection.lesson().time_control(s.selection.variant()), *run);
  const auto fits = [&](const std::string& text) { return x + ui.look.measure(type::caption, text).x <= limit; };
  if (said.whole.empty() || !fits(said.brief)) return;
  const std::string& shown = fits(said.whole) ? said.whole : said.brief;
  const float used =
      draw_text(ImGui::GetWindowDrawList(), ui.look, type::caption, ui.colours().text, {x, centre}, shown);
  if (shown != said.whole && ImGui::IsMouseHoveringRect({x, centre - ui.px(8)}, {x + used, centre + ui.px(8)}))
    show_hint(ui.look, said.whole);
}

}  // namespace

void TimePanel::head(const Ui& ui) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float y = at.y + ui.px(9), right = at.x + ImGui::GetContentRegionAvail().x;
  // Between the two, the buttons that come with the pointer.
  const float buttons = right - over_width(ui, over(ui)) - ui.px(48);
  const float sizes = size_switch(ui, at.x, y, buttons - ui.px(4) - at.x, size_);
  if (over(ui).empty()) own_fastest(ui, size(ui), at.x + sizes + ui.px(12), y, buttons - ui.px(8));
  ui.window.exports->beside_times = {buttons, y};
  over_picker(ui, over(ui), right, y);
  ImGui::SetCursorScreenPos(at);
  ImGui::Dummy({right - at.x, ui.px(18)});
}

bool TimePanel::elsewhere(const Ui& ui) {
  Session& s = ui.session;
  const lesson::Lesson& lesson = s.selection.lesson();
  const lesson::ControlValues values = values_at(s, s.selection.variant(), size(ui));
  const auto text = [&](const std::string& name, std::int64_t value) {
    const lesson::Control* control = lesson.find_control(name);
    return fill_in(ui.tr(Label::size_one), control == nullptr ? name : ui.name_of(*control), short_number(value));
  };
  const auto go_to = [&](const std::string& name, std::int64_t value) {
    const lesson::Control* control = lesson.find_control(name);
    const bool of_size = control != nullptr && control->is_size();
    if (of_size) size_ = value == control->full_value ? TimeSize::measure : TimeSize::look;
    if (!of_size || size_ == TimeSize::look) s.selection.set_control(name, value);
  };
  const RecordedElsewhere there = recorded_elsewhere(s, size(ui));
  if (const lesson::Control* control = lesson.find_control(there.control)) {
    std::vector<Link> links;
    for (const std::int64_t value : there.values) links.push_back({short_number(value), static_cast<int>(value)});
    const std::string said =
        fill_in(ui.tr(Label::recorded_elsewhere), text(there.control, values.at(there.control)), ui.name_of(*control));
    if (const int clicked = links_after(ui, said, links); clicked >= 0) {
      go_to(there.control, there.values[static_cast<std::size_t>(clicked)]);
      s.runs.run_if_needed();
    }
    return true;
  }
  const lesson::ControlValues nearest = nearest_recording(s, size(ui));
  if (nearest.empty()) return false;
  std::string here, to;
  for (const auto& [name, value] : nearest) {
    here += (here.empty() ? "" : " · ") + text(name, values.at(name));
    to += (to.empty() ? "" : " · ") + text(name, value);
  }
  // If both do not fit, the link has the room: it says where the recording is.
  const std::string whole = ui.told(worded("Not recorded at {}. The nearest recording:", here));
  const auto wide = [&](const std::string& one) { return ui.look.measure(type::caption_strong, one).x; };
  const bool fits = wide(whole) + wide(to) + ui.px(20) <= ImGui::GetContentRegionAvail().x;
  if (links_after(ui, fits ? whole : ui.told(worded("The nearest recording:")), {{to, 0}}) < 0) return true;
  for (const auto& [name, value] : nearest) go_to(name, value);
  s.runs.run_if_needed();
  return true;
}

// In the view of variants side by side, the recorded times are in their rows, and the learner's own GPU is above them.
void TimePanel::body(const Ui& ui, bool tight, bool low) {
  const bool nothing = ui.session.recordings.recording() == nullptr && ui.session.runs.gpu() == nullptr &&
                       ui.session.runs.shown() == nullptr;
  if (nothing) return times(ui, tight, low);
  if (!ui.session.selection.is_lesson()) return times(ui, false, low);  // there is nothing to plot below them
  head(ui);
  const bool side_by_side = over(ui).empty() && ui.session.recordings.recording() != nullptr;
  if (!side_by_side || ui.session.runs.gpu() != nullptr) times(ui, tight, low);
  if (side_by_side)
    variants(ui);
  else
    plot_with_legend(ui, low);
}

void TimePanel::times(const Ui& ui, bool tight, bool low) {
  Session& s = ui.session;
  const Palette& p = ui.colours();
  const GpuResult* own = s.runs.gpu();
  const job::RecordedRun* run = recorded_at(s, s.selection.variant_index(), size(ui));
  const gpu::Timing* recorded = run != nullptr && run->timing ? &*run->timing : nullptr;
  // Only times for equal control values may be called faster. Others are shown with their size.
  const bool alike = own != nullptr && run != nullptr && own->key.controls == run->controls;
  const lesson::Control* plotted = s.selection.lesson().find_control(over(ui));
  const bool over_sizes = plotted != nullptr && plotted->is_size();
  const auto sized = [&](const lesson::ControlValues& values) {
    return (own == nullptr || alike) && !over_sizes ? std::string() : size_text(ui, values);
  };
  const float alpha = picture_alpha(ui);
  // If a GPU is chosen, the strip names it, so the row of the recording must say whose time it is.
  const std::string whose = recorded == nullptr || s.runs.gpus().chosen() == nullptr
                                ? std::string()
                                : fill_in(ui.tr(Label::time_recorded_on), s.recordings.recording()->device.name,
                                          s.recordings.recording()->date);
  if (own != nullptr && own->timing) {
    const float own_alpha = s.runs.gpu_stale() ? 0.5f : alpha;
    const std::string more = facts(ui, *own);
    const bool one_row = recorded != nullptr && alike && !s.runs.gpu_stale() && low;
    if (one_row) both_times(ui, *own, *recorded, ui.told(s.recordings.recording()->label()), more, own_alpha, alpha);
    if (!one_row)
      time_row(ui, "own", *own->timing, true, sized(own->key.controls), ui.told(label_of(own->device)), more,
               own_alpha);
    if (recorded != nullptr && !one_row)
      time_row(ui, "recorded", *recorded, false,
               s.runs.gpu_stale() || !alike ? with_dot(sized(run->controls), whose)
                                            : verdict(ui, *own->timing, *recorded) + " · " + whose,
               ui.told(s.recordings.recording()->label()), {}, alpha);
    if (!tight && !more.empty()) line_of_text(ui.look, type::caption, with_alpha(p.dim, own_alpha), more, 0, 18);
    if (own->stopped) line_of_text(ui.look, type::caption, p.dim, ui.tr(Label::gpu_stopped), 0, 16);
  } else if (recorded != nullptr) {
    const std::string times = beside_fastest(ui, s.selection.lesson().find_control(over(ui)), *run).whole;
    time_row(ui, "recorded", *recorded, false, with_dot(times, with_dot(sized(run->controls), whose)),
             ui.told(s.recordings.recording()->label()), {}, alpha);
  } else if ((own == nullptr || own->problems.empty()) && !elsewhere(ui)) {
    const char* why = ui.tr(s.runs.gpus().chosen() != nullptr
                                ? (s.runs.gpu_running().busy ? Label::stage_waiting : Label::gpu_not_yet)
                            : s.recordings.recording() != nullptr ? Label::no_time_recorded
                                                                  : Label::no_time);
    if (tight) {
      const bool fits = ui.look.measure(type::caption, why).x <= ImGui::GetContentRegionAvail().x;
      line_of_text(ui.look, type::caption, p.dim, fits ? why : ui.tr(Label::no_time_short), 0, 14);
      if (!fits) hint(ui.look, why);
    } else {
      paragraph(ui.look, type::caption, p.dim, why);
    }
  }
  if (own != nullptr && !s.runs.gpu_stale()) problems(ui, *own);
}

void TimePanel::draw(const Ui& ui, const PanelRect& rect) {
  if (const auto asked = std::exchange(ui.window.plot_over, std::nullopt)) over(ui) = *asked;
  begin_panel(ui.look, "time", rect);
  ui.window.exports->beside_times.reset();
  Session& s = ui.session;
  const Palette& p = ui.colours();
  const bool tight = rect.height < ui.px(200);
  const Strip strip = panel_strip(ui.look, tight ? 36 : 42);
  const TabItem tabs[] = {{"results time", ui.tr(Label::results_time)},
                          {"results agreement", ui.tr(Label::results_agreement)}};
  ImGui::SetCursorScreenPos({strip.x0, strip.y0});
  float tabs_end = strip.x0 + ui.px(20);
  for (const TabItem& tab : tabs) tabs_end += ui.look.measure(type::small_strong, tab.label).x;
  ResultsTab& tab = ui.window.results;
  tab = static_cast<ResultsTab>(
      tab_strip(ui.look, "results", tabs, static_cast<int>(tab), tight ? 36 : 42, tabs_end + ui.px(4)));
  float right = strip.x1;
  if (const float used = progress(ui, right, strip.centre); used > 0) right -= used + ui.px(8);
  // What is measured here is the lesson's own code, whatever became of the run on screen.
  if (s.runs.stale())
    if (const float badge = stale_badge(ui, right, strip.centre, s.selection.variant_index()); badge > 0)
      right -= badge + ui.px(10);
  const job::LessonRecording* recording = s.recordings.recording();
  const gpu::Device* device = s.runs.gpus().chosen();
  std::vector<std::string> origins{device != nullptr ? ui.told(label_of(*device)) : ui.tr(Label::nothing_measured)};
  if (device == nullptr && recording != nullptr) {
    origins.clear();
    for (const Wording& origin : short_labels(*recording))
      origins.push_back(fill_in(ui.tr(Label::recorded_on), ui.told(origin)));
  }
  const float room = right - tabs_end - ui.px(20);
  if (room > ui.px(40)) {
    const float used = draw_text(ImGui::GetWindowDrawList(), ui.look, type::caption, p.dim, {right, strip.centre},
                                 longest_fitting(ui.look, type::caption, origins, room), HAlign::right, room);
    if (ImGui::IsMouseHoveringRect({right - used, strip.y0}, {right, strip.y1})) show_hint(ui.look, origins.front());
  }
  if (const Covers covered = covers(ui); covered.results()) {
    // The other covers have the button if there are any.
    draw_cover(ui, "covered results", {rect.x, strip.y1, rect.width, rect.y + rect.height - strip.y1 - ui.px(2)},
               nullptr, ui.tr(Label::cover_results), !covered.picture && !covered.counts);
    end_panel();
    return;
  }
  ImGui::SetCursorScreenPos({rect.x, strip.y1});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(16), ui.px(tight ? 4.0f : 8.0f)));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, ui.px(tight ? 1.0f : 2.0f)));
  const bool plots = tab == ResultsTab::time;
  ImGui::BeginChild(plots ? "body" : "agreement", {rect.width - ui.px(1), rect.y + rect.height - strip.y1 - ui.px(2)},
                    ImGuiChildFlags_AlwaysUseWindowPadding | ImGuiChildFlags_NavFlattened,
                    plots ? ImGuiWindowFlags_NoScrollbar : ImGuiWindowFlags_None);
  if (plots) {
    body(ui, rect.height < ui.px(240), tight);
  } else {
    draw_agreement(ui);
  }
  ImGui::EndChild();
  ImGui::PopStyleVar(2);
  end_panel();
}

}  // namespace lanescope::gui
