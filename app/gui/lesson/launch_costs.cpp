#include "gui/lesson/launch_costs.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "core/os/clock.h"
#include "metrics/report.h"

namespace lanescope::gui {
namespace {

constexpr double most_seconds = 20;                    // for all launches of a run
constexpr std::size_t most_launches = 1000;            // more are not looked at
constexpr std::uint64_t most_cost_steps = 20'000'000;  // of one launch, in warp instructions

}  // namespace

std::optional<LaunchCost> launch_cost_of(const trace::Trace& trace) {
  std::optional<LaunchCost> most;
  const std::vector<metrics::Measurement> all = metrics::report(trace);
  for (const metrics::Measurement& one : all) {
    const bool of_sectors = one.name.ends_with(".sectors_per_request");
    const bool counts = one.applicable && one.ideal > 0 && one.memory_class &&
                        (of_sectors || one.name.ends_with(".wavefronts_per_request"));
    if (!counts) continue;
    const trace::MemoryTotals& memory = trace.totals.of(*one.memory_class);
    const std::uint64_t excess =
        of_sectors ? memory.sectors - memory.ideal_sectors : memory.wavefronts - memory.ideal_wavefronts;
    if (!most || excess > most->excess) most = LaunchCost{one.label, one.value, one.ideal, of_sectors, excess};
  }
  return most;
}

namespace {

std::pair<std::optional<LaunchCost>, double> run_for_cost(const OpenRun& run, std::size_t launch,
                                                          sim::Progress& progress) {
  const double start = seconds_now();
  auto request = request_of(run, run.lesson.variants[launch]);
  if (!request) return {};
  request->record.events = false;
  request->results = false;
  request->threads = 1;
  if (request->max_steps == 0 || request->max_steps > most_cost_steps) request->max_steps = most_cost_steps;
  const job::Outcome outcome = job::run(*request, nullptr, &progress);
  std::optional<LaunchCost> cost;
  if (outcome.completed) cost = launch_cost_of(outcome.first().trace);
  return {std::move(cost), seconds_now() - start};  // with the time to read the launch's memory
}

}  // namespace

void LaunchCosts::update(Session& session) {
  const OpenRun& run = *session.selection.run();
  if (run.lesson.id != found_->of) {
    found_ = std::make_shared<Found>();
    found_->of = run.lesson.id;
    next_ = 0;
  }
  // What is on screen has run, and needs no second run.
  const std::size_t here = session.selection.variant_index();
  if (const RunResult* shown = session.runs.shown(here);
      shown != nullptr && shown->outcome.completed && !found_->costs.contains(here))
    found_->costs[here] = launch_cost_of(shown->outcome.first().trace);
  const std::size_t all = std::min(run.lesson.variants.size(), most_launches);
  while (found_->costs.contains(next_) || (next_ < all && !run.had_ended(next_))) ++next_;
  if (next_ >= all || found_->seconds >= most_seconds || found_->working || !session.runs.idle()) return;
  found_->working = true;
  session.off_frame("cost", [found = found_, &run, launch = next_](sim::Progress& progress, const Worker::Send&) {
    const auto cost = run_for_cost(run, launch, progress);
    return [found, launch, cost] {
      found->working = false;
      found->costs[launch] = cost.first;
      found->seconds += cost.second;
    };
  });
}

const LaunchCost* LaunchCosts::cost(std::size_t launch) const {
  const auto known = found_->costs.find(launch);
  return known == found_->costs.end() || !known->second ? nullptr : &*known->second;
}

bool LaunchCosts::is_worst(std::size_t launch) const {
  const LaunchCost* mine = cost(launch);
  if (mine == nullptr || mine->excess == 0 || found_->costs.size() < 2) return false;
  return std::ranges::none_of(found_->costs, [&](const auto& other) {
    const auto& [number, of] = other;
    return of && of->of_sectors == mine->of_sectors &&
           (of->excess > mine->excess || (of->excess == mine->excess && number < launch));
  });
}

}  // namespace lanescope::gui
