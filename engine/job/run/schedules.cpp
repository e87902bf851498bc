#include "job/run/schedules.h"

#include <algorithm>
#include <cstring>
#include <tuple>

#include "job/run/numbers.h"
#include "lesson/lesson.h"

namespace lanescope::job {

namespace {

class Runs {
 public:
  explicit Runs(ScheduleReport& report) : report_(report) {}

  // Returns false if nothing can run at all.
  bool add(const Outcome& outcome, std::uint32_t seed) {
    const auto error = std::find_if(outcome.diagnostics.begin(), outcome.diagnostics.end(),
                                    [](const Diagnostic& one) { return one.severity == Severity::error; });
    if (seed == 0 && outcome.first().trace.sites.empty()) {
      report_.problems = outcome.diagnostics;
      return false;
    }
    ScheduleResult result{1, seed, outcome.buffers, {}, {}};
    if (!outcome.completed && error != outcome.diagnostics.end()) result.error = *error;
    if (seed == 0 && outcome.completed) keep_standard(outcome);
    const auto known = std::find_if(report_.results.begin(), report_.results.end(),
                                    [&](const ScheduleResult& other) { return same(result, other); });
    if (known == report_.results.end()) {
      if (seed != 0 && !result.error) add_differences(outcome, result);
      report_.results.push_back(std::move(result));
    } else {
      ++known->runs;
    }
    for (int launch = 1; launch <= outcome.launch_count(); ++launch) add_races(outcome, launch, seed);
    return true;
  }

 private:
  static bool same(const ScheduleResult& a, const ScheduleResult& b) {
    if (a.error.has_value() != b.error.has_value()) return false;
    if (a.error) return a.error->code == b.error->code && a.error->place == b.error->place;
    return std::equal(a.buffers.begin(), a.buffers.end(), b.buffers.begin(), b.buffers.end(),
                      [](const BufferSummary& x, const BufferSummary& y) { return x.hash == y.hash; });
  }

  void keep_standard(const Outcome& outcome) {
    std::uint64_t bytes = 0;
    for (const sim::Argument& argument : outcome.arguments) bytes += argument.contents.size();
    if (bytes <= largest_kept_bytes) standard_ = outcome.arguments;
  }

  void add_differences(const Outcome& outcome, ScheduleResult& result) const {
    if (standard_.size() != outcome.arguments.size()) return;
    for (const BufferSummary& buffer : outcome.buffers) {
      const auto index = static_cast<std::size_t>(buffer.argument);
      const sim::Argument &before = standard_[index], &after = outcome.arguments[index];
      const auto width = static_cast<std::size_t>(sim::bytes_of(after.type));
      ScheduleDifference found{buffer.argument, buffer.name, 0, 0, 0, 0};
      for (std::uint64_t i = 0; i < std::min(before.count(), after.count()); ++i) {
        if (std::memcmp(before.contents.data() + i * width, after.contents.data() + i * width, width) == 0) continue;
        if (found.elements++ == 0) found.first = i;
      }
      if (found.elements == 0) continue;
      found.value = element_of(after, static_cast<std::int64_t>(found.first)).value_or(0);
      found.standard = element_of(before, static_cast<std::int64_t>(found.first)).value_or(0);
      result.differences.push_back(std::move(found));
    }
  }

  void add_races(const Outcome& outcome, int launch, std::uint32_t seed) {
    const sim::RaceReport& found = outcome.launch(launch)->races;
    const trace::Trace& trace = *outcome.trace_of(launch);
    if (!found.looked) return;
    report_.complete &= found.complete();
    for (const sim::Race& race : found.races) {
      const auto lines = [&](const sim::Race& one) {
        const int a = trace.sites[one.first.site].line, b = trace.sites[one.second.site].line;
        return std::tuple(one.kind, one.space, std::min(a, b), std::max(a, b));
      };
      const auto known = std::find_if(report_.races.begin(), report_.races.end(), [&](const ScheduleRace& other) {
        return other.launch == launch && lines(other.race) == lines(race);
      });
      if (known != report_.races.end())
        ++known->runs;
      else
        report_.races.push_back({race, launch, seed, 1, race_text(race, trace, outcome.request, launch),
                                 race_text(race, trace, outcome.request, launch, "zh-CN")});
    }
  }

  ScheduleReport& report_;
  std::vector<sim::Argument> standard_;  // contents after the standard order
};

// Adds the sums before the run, for the buffers that some run changed.
void add_spreads(const Request& request, ScheduleReport& report) {
  const Result<std::vector<sim::Argument>> before = make_arguments({&request.arguments, &request.buffers});
  if (!before) return;
  const std::vector<BufferSummary> start = summaries(request, *before);
  std::vector<const BufferSummary*> only_read;
  for (std::size_t i = 0; i < start.size(); ++i) {
    BufferSpread spread{start[i].argument, start[i].name, start[i].count, 0, 0, 0, {}, {}};
    bool changed = false;
    std::vector<std::string> hashes;
    for (const ScheduleResult& result : report.results) {
      if (result.error || i >= result.buffers.size()) continue;
      const BufferSummary& after = result.buffers[i];
      changed |= after.hash != start[i].hash;
      spread.lowest = hashes.empty() ? after.sum : std::min(spread.lowest, after.sum);
      spread.highest = hashes.empty() ? after.sum : std::max(spread.highest, after.sum);
      if (std::find(hashes.begin(), hashes.end(), after.hash) == hashes.end()) hashes.push_back(after.hash);
    }
    spread.distinct = static_cast<std::uint32_t>(hashes.size());
    if (changed)
      report.spreads.push_back(std::move(spread));
    else if (lesson::is_real_type(start[i].type) && start[i].count > 1)
      only_read.push_back(&start[i]);
  }
  if (only_read.size() != 1) return;
  for (BufferSpread& spread : report.spreads) {
    const auto own = std::find_if(start.begin(), start.end(),
                                  [&](const BufferSummary& one) { return one.argument == spread.argument; });
    if (spread.count != 1 || !lesson::is_real_type(own->type)) continue;
    spread.reference = only_read[0]->sum;
    spread.reference_name = only_read[0]->name;
  }
}

}  // namespace

bool ScheduleReport::race_found() const {
  return std::any_of(races.begin(), races.end(), [](const ScheduleRace& one) { return sim::accuses(one.race.kind); });
}

ScheduleVerdict ScheduleReport::verdict() const {
  const bool same = results.size() == 1 && !results.front().error;
  const bool failed =
      std::any_of(results.begin(), results.end(), [](const ScheduleResult& one) { return one.error.has_value(); });
  if (results.empty()) return ScheduleVerdict::nothing;
  if (race_found()) return same ? ScheduleVerdict::lucky : ScheduleVerdict::racing;
  if (failed) return ScheduleVerdict::failing;
  if (!complete) return ScheduleVerdict::unwatched;
  return same ? ScheduleVerdict::ordered : ScheduleVerdict::atomics;
}

ScheduleReport run_schedules(Request request, const lesson::Variant* variant, std::uint32_t schedules,
                             sim::Progress* progress, const std::function<void(std::uint32_t)>& after_each) {
  ScheduleReport report;
  report.asked = schedules;
  request.races = true;
  request.record.totals = request.record.events = false;
  // Checks belong to the standard run; here only buffers are compared.
  const lesson::Variant* const gate = variant != nullptr && variant->gpu_only ? variant : nullptr;
  Runs runs(report);
  for (std::uint32_t seed = 0; seed <= schedules; ++seed) {
    request.schedule_seed = seed;
    const Outcome outcome = run(request, gate, progress);
    if (progress != nullptr && progress->cancel.load()) break;
    if (!runs.add(outcome, seed)) return report;
    report.done = seed;
    if (after_each) after_each(seed);
  }
  std::stable_sort(report.results.begin(), report.results.end(),
                   [](const ScheduleResult& a, const ScheduleResult& b) { return a.runs > b.runs; });
  add_spreads(request, report);
  return report;
}

}  // namespace lanescope::job
