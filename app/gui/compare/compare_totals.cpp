// Below the two variants: what they add up to.

#include "gui/compare/compare_parts.h"
#include "gui/compare/compare_view.h"
#include "gui/time/time_lines.h"
#include "gui/time/time_sizes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace lanescope::gui {
namespace {

// A row of the table: a number of A and of B, and what their ratio says.
struct TotalRow {
  std::string id, a, b, ratio;
  std::vector<std::string> labels;  // the longest that fits is taken
  ImU32 verdict;
  std::string title, hint;
};

struct TotalColumns {
  float a = 0, b = 0, ratio = 0;  // widths, pixels
  float gap = 0;
  float label(float width) const { return width - a - b - ratio - 3 * gap; }
};

TotalColumns total_columns(const Ui& ui, const std::vector<TotalRow>& rows) {
  TotalColumns columns{ui.px(16), ui.px(16), ui.look.measure(type::number_strong, "B ÷ A").x, ui.px(12)};
  for (const TotalRow& row : rows) {
    columns.a = std::max(columns.a, ui.look.measure(type::number, row.a).x);
    columns.b = std::max(columns.b, ui.look.measure(type::number, row.b).x);
    columns.ratio = std::max(columns.ratio, ui.look.measure(type::number_strong, row.ratio).x);
  }
  return columns;
}

void draw_cells(const Ui& ui, const TotalRow& row, const TotalColumns& columns, float height, ImU32 of_a, ImU32 of_b) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetWindowWidth() - ui.px(32), y = at.y + height / 2;
  const float x_ratio = at.x + width, x_b = x_ratio - columns.ratio - columns.gap, x_a = x_b - columns.b - columns.gap;
  ImDrawList* list = ImGui::GetWindowDrawList();
  draw_text(list, ui.look, type::number_strong, row.verdict, {x_ratio, y}, row.ratio, HAlign::right);
  draw_text(list, ui.look, type::number, of_b, {x_b, y}, row.b, HAlign::right);
  draw_text(list, ui.look, type::number, of_a, {x_a, y}, row.a, HAlign::right);
  const float room = columns.label(width);
  const std::string& label = longest_fitting(ui.look, type::small, row.labels, room);
  const TypeStyle style = ui.look.measure(type::small, label).x > room ? type::caption : type::small;
  // What is long goes on below its line.
  const float more =
      ui.look.line_pitch(style) * static_cast<float>(ui.look.lines(style, label, std::max(1.0f, room)).size() - 1);
  draw_paragraph(list, ui.look, style, ui.colours().text, {at.x, y - ui.look.size(style) / 2}, label,
                 std::max(1.0f, room));
  height += more;
  ImGui::PushID(row.id.c_str());
  ImGui::InvisibleButton("total", {width, height});
  ImGui::PopID();
  hint(ui.look, row.hint, row.title);
}

TotalRow total_row(const Ui& ui, const CompareRow& row) {
  const Palette& p = ui.colours();
  const Ratio ratio = ratio_of(row.a, row.b);
  TotalRow made;
  made.id = row.a.name;
  made.a = number_text(row.a), made.b = number_text(row.b);
  made.ratio = ratio.only == Ratio::Only::a   ? ui.tr(Label::only_in_a)
               : ratio.only == Ratio::Only::b ? ui.tr(Label::only_in_b)
                                              : ratio.text;
  made.verdict = ratio.verdict == Ratio::Verdict::better  ? p.better
                 : ratio.verdict == Ratio::Verdict::worse ? p.conflict
                                                          : p.dim;
  made.title = ui.told(row.a.label);
  made.labels = {made.title};
  const std::string &nsight = row.a.nsight_name, note = ui.told(row.a.nsight_note);
  made.hint = nsight.empty() ? note : "Nsight Compute: " + nsight + (note.empty() ? "" : "\n" + note);
  return made;
}

// The times of both, from the learner's GPU or else from the recording; nothing unless both were measured the same way.
struct BothTimes {
  const gpu::Timing *a = nullptr, *b = nullptr;
  std::string device;
  Wording label;
  bool recorded = false;
  std::string size;  // that they belong to
};
// "elements = 32 Mi · B: blocks = 1,056": what both share once.
std::string sizes_of_both(const std::vector<std::string>& of_a, const std::vector<std::string>& of_b) {
  std::vector<std::string> both, only_a, only_b;
  const auto joined = [](const std::vector<std::string>& texts) { return fmt::format("{}", fmt::join(texts, " · ")); };
  for (const std::string& one : of_a) (std::ranges::count(of_b, one) ? both : only_a).push_back(one);
  for (const std::string& one : of_b)
    if (!std::ranges::count(of_a, one)) only_b.push_back(one);
  if (!only_a.empty()) both.push_back("A: " + joined(only_a));
  if (!only_b.empty()) both.push_back("B: " + joined(only_b));
  return joined(both);
}

// Recorded times are those of the size that the lesson measures, where the launch itself is not most of them.
std::optional<BothTimes> times_of_both(const Ui& ui, std::size_t b) {
  Session& s = ui.session;
  const auto sizes = [&](const lesson::ControlValues& of_a, const lesson::ControlValues& of_b) {
    return sizes_of_both(size_texts(ui, s.selection.variant(), of_a),
                         size_texts(ui, s.selection.lesson().variants[b], of_b));
  };
  const bool b_has_own = s.selection.comparison()->has_own();  // then no GPU here was asked for it
  const GpuResult *own_a = s.runs.gpu_stale() ? nullptr : s.runs.gpu(),
                  *own_b = b_has_own || s.runs.gpu_stale(b) ? nullptr : s.runs.gpu(b);
  BothTimes both;
  if (own_a && own_b && own_a->timing && own_b->timing) {
    both = {&*own_a->timing,         &*own_b->timing, own_a->device.name,
            label_of(own_a->device), false,           sizes(own_a->key.controls, own_b->key.controls)};
  } else if (s.runs.gpus().chosen() == nullptr) {
    const auto [run_a, run_b] = recorded_of_both(s);
    if (!run_a || !run_b || !run_a->timing || !run_b->timing) return std::nullopt;
    both = {&*run_a->timing,
            &*run_b->timing,
            s.recordings.recording()->device.name,
            s.recordings.recording()->label(),
            true,
            sizes(run_a->controls, run_b->controls)};
  }
  if (both.a == nullptr || both.a->cache != both.b->cache) return std::nullopt;
  return both;
}

TotalRow time_row(const Ui& ui, const BothTimes& times, bool with_spread) {
  const Palette& p = ui.colours();
  const metrics::Comparison both = metrics::compare(times.a->seconds, times.b->seconds);
  const bool apart = both.verdict != metrics::Verdict::cannot_be_told_apart;
  const auto cell = [&](const gpu::Timing& timing) {
    return with_spread ? time_with_spread(timing.seconds) : time_text(timing.seconds.median);
  };
  const auto interval = [&](const char* letter, const gpu::Timing& timing) {
    return fmt::format("{}: {}, {}", letter, time_range(timing.seconds.low, timing.seconds.high),
                       fill_in(ui.tr(Label::time_kept), grouped(timing.seconds.samples), grouped(timing.discarded)));
  };
  TotalRow row;
  row.id = "time of both";
  row.a = cell(*times.a), row.b = cell(*times.b);
  // The samples are too few for intervals, so no side is called faster, but their ranges do not overlap.
  const bool few = !apart && metrics::ranges_apart(times.a->seconds, times.b->seconds);
  row.ratio = apart ? ratio_text(both.ratio) : few ? "≈ " + ratio_text(both.ratio) : "–";
  row.verdict = !apart ? p.dim : both.verdict == metrics::Verdict::b_faster ? p.better : p.conflict;
  const std::string& size = times.size;
  const auto sized = [&](const std::string& label) {
    return size.empty() ? label : fill_in(ui.tr(Label::time_at), label, size);
  };
  if (!apart) row.labels.push_back(sized(ui.tr(few ? Label::time_of_few : Label::time_unclear)));
  row.labels.push_back(sized(ui.tr(Label::time_short)));
  row.title = ui.told(times.label);
  const std::string verdict = apart ? ui.tr(Label::times_apart)
                              : few ? fill_in(ui.tr(Label::times_of_few), grouped(both.samples_needed))
                              : both.samples_needed == 0
                                  ? ui.tr(Label::times_together)
                                  : fill_in(ui.tr(Label::times_until), grouped(both.samples_needed));
  row.hint =
      (size.empty() ? "" : size + "\n") + verdict + "\n" + interval("A", *times.a) + "\n" + interval("B", *times.b);
  return row;
}

}  // namespace

// A block of the one says little beside one of the other where the launches have different shapes.
bool CompareView::blocks_do_the_same_share() const {
  if (!both()) return true;
  const trace::Launch &a = a_.result->outcome.first().trace.launch, &b = b_.result->outcome.first().trace.launch;
  return a.grid.count() == b.grid.count() && a.block.count() == b.block.count();
}

void CompareView::totals(const Ui& ui, const PanelRect& rect) {
  begin_panel(ui.look, "totals", rect);
  const Palette& p = ui.colours();
  const Strip strip = panel_strip(ui.look);
  const std::string a_block = std::to_string((a_.result != nullptr ? a_ : b_).block),
                    b_block = std::to_string((b_.result != nullptr ? b_ : a_).block);
  const std::string so_far = a_block == b_block ? fill_in(ui.tr(Label::totals_so_far), a_block)
                                                : fill_in(ui.tr(Label::totals_so_far_two), a_block, b_block);
  const bool several = several_launches();
  const TabItem tabs[] = {{"so far", so_far, true},
                          {"launch", ui.tr(several ? Label::totals_this : Label::totals), true},
                          {"all launches", ui.tr(Label::totals_all), true}};
  TotalsTab tab = ui.window.totals;
  if (!several && tab == TotalsTab::all) tab = TotalsTab::launch;
  if (!totals_chosen_ && tab == TotalsTab::block && !blocks_do_the_same_share()) tab = TotalsTab::launch;
  const TotalsTab before = tab;
  ImGui::SetCursorScreenPos({strip.x0, strip.y0});
  const std::size_t count = several ? std::size(tabs) : std::size(tabs) - 1;
  tab = static_cast<TotalsTab>(tab_strip(ui.look, "which totals", {tabs, count}, static_cast<int>(tab), 42, strip.x1));
  if (tab != before) ui.window.totals = tab, totals_chosen_ = true;
  if (a_.result == nullptr && b_.result == nullptr) return end_panel();
  ImGui::SetCursorScreenPos({rect.x, strip.y1});
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(ui.px(16), ui.px(6)));
  ImGui::BeginChild("rows", {rect.width - ui.px(1), rect.y + rect.height - strip.y1 - ui.px(2)},
                    ImGuiChildFlags_AlwaysUseWindowPadding | ImGuiChildFlags_NavFlattened);
  const auto of = [&](const Side& side) -> const std::vector<metrics::Measurement>& {
    return tab == TotalsTab::block ? side.so_far : tab == TotalsTab::launch ? side.of_launch : side.of_all;
  };
  std::vector<TotalRow> rows;
  // A time is that of everything a variant launches.
  const bool whole = tab == (several ? TotalsTab::all : TotalsTab::launch);
  const auto times = whole && both() && ui.session.selection.compared()
                         ? times_of_both(ui, *ui.session.selection.compared())
                         : std::nullopt;
  if (times) rows.push_back(time_row(ui, *times, true));
  std::vector<metrics::Measurement> of_neither = of(a_.result != nullptr ? a_ : b_);  // for the side without a result
  for (metrics::Measurement& one : of_neither) one.applicable = false;
  for (const CompareRow& row :
       compare_rows(a_.result != nullptr ? of(a_) : of_neither, b_.result != nullptr ? of(b_) : of_neither))
    rows.push_back(total_row(ui, row));
  TotalColumns columns = total_columns(ui, rows);
  const float room = ImGui::GetWindowWidth() - ui.px(32);
  if (times && columns.label(room) < ui.px(150)) {
    rows.front() = time_row(ui, *times, false);
    columns = total_columns(ui, rows);
  }
  const float alpha_a = a_.stale ? 0.5f : 1.0f, alpha_b = b_.stale ? 0.5f : 1.0f;
  const ImU32 of_a = with_alpha(ui.look.role(Role::variant_a), alpha_a),
              of_b = with_alpha(ui.look.role(Role::variant_b), alpha_b);
  const bool recorded = ui.session.selection.comparison() != nullptr && ui.session.selection.comparison()->recorded;
  const std::string origin =
      recorded ? std::string("A ") + ui.tr(Label::witness_interpreted) + " · B " + ui.tr(Label::witness_recorded)
               : ui.tr(Label::interpreted);
  const float head = ui.px(20);
  const auto caption = [&](const std::string& said) {
    draw_text(ImGui::GetWindowDrawList(), ui.look, type::caption, p.dim,
              {ImGui::GetCursorScreenPos().x, ImGui::GetCursorScreenPos().y + head / 2}, said, HAlign::left,
              columns.label(room));
  };
  // Each part of the table has its origin above it.
  caption(times ? fill_in(ui.tr(times->recorded ? Label::recorded_on : Label::timed_on), times->device) : origin);
  draw_cells(ui, {"head", "A", "B", "B ÷ A", {""}, p.dim, "", ""}, columns, head, of_a, of_b);
  for (const TotalRow& row : rows) {
    draw_cells(ui, row, columns, ui.px(rect.height < ui.px(200) ? 22.0f : 26.0f), of_a, of_b);
    if (times && &row == &rows.front()) {
      caption(origin);
      ImGui::Dummy({room, head});
    }
  }
  ImGui::EndChild();
  ImGui::PopStyleVar(2);
  end_panel();
}

}  // namespace lanescope::gui
