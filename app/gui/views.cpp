#include "gui/views.h"

#include <algorithm>
#include <map>

#include "job/numbers.h"
#include "lesson/marks.h"

namespace lanescope::gui {
namespace {

using trace::EventKind;
using trace::MemorySpace;
using trace::Operation;

const sim::Argument* buffer(const job::Outcome& outcome, std::string_view name) {
  for (const job::BufferSummary& summary : outcome.buffers) {
    const auto index = static_cast<std::size_t>(summary.argument);
    if (summary.name == name && index < outcome.arguments.size() &&
        !outcome.arguments[index].contents.empty())
      return &outcome.arguments[index];
  }
  return nullptr;
}

// A stretch of one phase in one warp's run, and the warp instructions of the kernel's own file in it.
struct Part {
  std::string name;
  std::uint32_t first_site = 0;
  std::uint64_t work = 0;
};

// Fewer own instructions than this make no phase of work: a sync's call.
constexpr std::uint64_t least_work = 8;

// A part ends where another phase begins; a sync also where it begins once more itself, since a
// block may have nothing to do between two of them.
std::vector<Part> parts_of(const trace::Trace& trace, const std::vector<lesson::Phase>& phases,
                           std::uint32_t block, std::uint32_t warp) {
  std::vector<Part> parts;
  for (const trace::WarpEvent& event : trace.warp(block, warp)) {
    if (event.kind != EventKind::block_entry) continue;
    const trace::Site& site = trace.sites[event.site];
    if (site.line <= 0) continue;
    const std::string name = lesson::phase_of(phases, site.line);
    // A function's lines belong to the phase that calls it.
    if (name.empty() && parts.empty()) continue;
    if (!name.empty() && (parts.empty() || parts.back().name != name ||
                          (parts.back().first_site == event.site && parts.back().work < least_work)))
      parts.push_back({name, event.site, 0});
    // What headers do, such as spinning until the others come, is no work of the kernel.
    if (site.inlined_from.empty())
      parts.back().work += static_cast<std::uint64_t>(site.instruction_count);
  }
  return parts;
}

// Adds the work of a warp to the parts of the same names, in their order; a warp may leave some out.
bool add(const std::vector<Part>& parts, const std::vector<Part>& all,
         std::vector<std::uint64_t>& work) {
  std::size_t at = 0;
  for (const Part& part : parts) {
    while (at < all.size() && all[at].name != part.name) ++at;
    if (at == all.size() && (at == 0 || all.back().name != part.name)) return false;
    at = std::min(at, all.size() - 1);
    work[at++] += part.work;
  }
  return true;
}

}  // namespace

bool tab_listed(WarpTab tab, const RunResult& result) {
  if (tab == WarpTab::phases) return !result.phase_work.blocks.empty();
  if (tab == WarpTab::running) return !result.running_sum.values.empty();
  return true;
}

bool tab_applies(WarpTab tab, const RunResult& result, const trace::WarpEvent& event) {
  const bool memory = event.kind == EventKind::memory;
  const trace::Site& site = result.outcome.trace.sites[event.site];
  switch (tab) {
    case WarpTab::sectors:
      return memory && (event.space == MemorySpace::global || event.space == MemorySpace::local);
    case WarpTab::banks:
      return memory && event.space == MemorySpace::shared;
    case WarpTab::shuffle:
      return event.kind == EventKind::shuffle;
    case WarpTab::groups:
      return event.kind == EventKind::shuffle || event.kind == EventKind::vote;
    case WarpTab::atomics:
      return memory &&
             (site.operation == Operation::atomic || site.operation == Operation::reduction);
    case WarpTab::phases:
    case WarpTab::running:
      return tab_listed(tab, result);
    case WarpTab::count_:
      break;
  }
  return false;
}

WarpTab effective_tab(WarpTab wanted, const RunResult& result, const trace::WarpEvent& event,
                      bool& any) {
  any = true;
  if (tab_applies(wanted, result, event)) return wanted;
  for (int i = 0; i < static_cast<int>(WarpTab::phases); ++i)
    if (tab_applies(static_cast<WarpTab>(i), result, event)) return static_cast<WarpTab>(i);
  any = false;
  return wanted;
}

diagram::Scene scene_of(WarpTab tab, const RunResult& result, const trace::WarpEvent& event,
                        const job::ShuffleValues* values, float width, float max_height) {
  const diagram::Options options{width, max_height};
  const trace::Trace& trace = result.outcome.trace;
  switch (tab) {
    case WarpTab::sectors:
      return diagram::sectors(trace, event, options);
    case WarpTab::banks:
      return diagram::banks(trace, event, options);
    case WarpTab::shuffle:
      if (values != nullptr && values->type != ptx::Type::none)
        return diagram::shuffle(trace, event, {values->before.begin(), values->before.end()},
                                {values->after.begin(), values->after.end()}, options);
      return diagram::shuffle(trace, event, {}, {}, options);
    case WarpTab::groups:
      return diagram::groups(group_rows(event.executed, values == nullptr ? 32 : values->width),
                             options);
    case WarpTab::atomics:
      return diagram::atomics(trace, event, options);
    case WarpTab::phases:
      return diagram::phases(result.phase_work, {width, max_height > 0 ? max_height : 260});
    case WarpTab::running:
      return diagram::running_sum(result.running_sum, options);
    case WarpTab::count_:
      break;
  }
  return {};
}

std::vector<diagram::GroupRow> group_rows(LaneMask executed, int width) {
  std::vector<diagram::GroupRow> rows = diagram::tile_rows(width);
  std::erase_if(rows, [](const diagram::GroupRow& row) { return row.groups.size() > 16; });
  for (diagram::GroupRow& row : rows)
    if (row.chosen) {
      for (LaneMask& group : row.groups) group = group & executed;
      std::erase_if(row.groups, [](LaneMask group) { return group.bits == 0; });
    }
  return rows;
}

diagram::PhaseWork phase_work(const trace::Trace& trace, const std::string& source) {
  diagram::PhaseWork work;
  const std::vector<lesson::Phase> phases = lesson::phases(source);
  if (!trace.launch.cooperative || phases.empty() || trace.events_dropped > 0) return work;
  const auto blocks = static_cast<std::uint32_t>(trace.launch.grid.count());
  const std::uint32_t warps = trace.launch.warps_per_block();
  std::vector<Part> all;  // of the warp that goes through most
  for (std::uint32_t block = 0; block < blocks; ++block)
    for (std::uint32_t warp = 0; warp < warps; ++warp)
      if (auto parts = parts_of(trace, phases, block, warp); parts.size() > all.size())
        all = std::move(parts);
  std::vector<std::vector<std::uint64_t>> done(blocks, std::vector<std::uint64_t>(all.size()));
  for (std::uint32_t block = 0; block < blocks; ++block)
    for (std::uint32_t warp = 0; warp < warps; ++warp)
      if (!add(parts_of(trace, phases, block, warp), all, done[block])) return {};

  // A sync by itself is no phase of work: hardly anything of it is in the kernel's own file.
  std::map<std::string, int> rounds, seen;
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::uint64_t most = 0;
    for (const auto& of_block : done) most = std::max(most, of_block[i]);
    if (most < least_work * (i + 1 < all.size() ? warps : 1)) continue;
    kept.push_back(i);
    ++rounds[all[i].name];
  }
  if (kept.size() < 2) return {};
  for (const std::size_t i : kept)
    work.phases.push_back(rounds[all[i].name] > 1
                              ? all[i].name + " " + std::to_string(++seen[all[i].name])
                              : all[i].name);
  for (std::uint32_t block = 0; block < blocks; ++block) {
    work.blocks.push_back({block, {}});
    for (const std::size_t i : kept) work.blocks.back().work.push_back(done[block][i]);
  }
  return work;
}

diagram::RunningSum running_sum(const job::Outcome& outcome) {
  diagram::RunningSum sum;
  const sim::Argument* running = buffer(outcome, "running");
  const sim::Argument* in = buffer(outcome, "in");
  if (running == nullptr || in == nullptr || running->count() != in->count()) return sum;
  sum.name = sim::name_of(running->type);
  double exact = 0;
  for (std::uint64_t i = 0; i < in->count(); ++i) {
    const auto value = job::element_of(*running, static_cast<std::int64_t>(i));
    const auto term = job::element_of(*in, static_cast<std::int64_t>(i));
    if (!value || !term) return {};
    exact += *term;
    sum.values.push_back(*value);
    sum.exact.push_back(exact);
  }
  return sum;
}

Label label_of(Role role) {
  switch (role) {
    case Role::used_word:
      return Label::role_used_word;
    case Role::executed:
      return Label::role_executed;
    case Role::guarded_off:
      return Label::role_guarded_off;
    case Role::inactive:
      return Label::role_inactive;
    case Role::exited:
      return Label::role_exited;
    case Role::wasted:
      return Label::role_wasted;
    case Role::conflict:
      return Label::role_conflict;
    case Role::broadcast:
      return Label::role_broadcast;
    default:
      return Label::role_used_word;
  }
}

}  // namespace lanescope::gui
