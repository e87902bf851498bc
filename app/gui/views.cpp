#include "gui/views.h"

namespace lanescope::gui {
namespace {

using trace::EventKind;
using trace::MemorySpace;
using trace::Operation;

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
                        const job::ShuffleValues* values, const diagram::Options& options) {
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
      return diagram::groups(
          diagram::group_rows(trace, event, values == nullptr ? 0 : values->width), options);
    case WarpTab::atomics:
      return diagram::atomics(trace, event, options);
    case WarpTab::phases:
      return diagram::phases(
          result.phase_work,
          {options.width, options.max_height > 0 ? options.max_height : 260, options.language});
    case WarpTab::running:
      return diagram::running_sum(result.running_sum, options);
    case WarpTab::count_:
      break;
  }
  return {};
}

}  // namespace lanescope::gui
