#include "job/run/small_races.h"

#include <algorithm>
#include <utility>

#include "core/text.h"
#include "core/worded.h"
#include "job/run/race_text.h"

namespace lanescope::job {

namespace {

constexpr std::size_t most_said = 8;

std::uint64_t accesses(const trace::Trace& trace) {
  using Space = trace::MemorySpace;
  std::uint64_t sum = 0;
  for (const trace::Site& site : trace.sites) {
    const bool watched = site.space == Space::global || site.space == Space::shared || site.space == Space::none;
    if (site.kind == trace::EventKind::memory && watched && site.id < trace.totals.sites.size())
      sum += trace.totals.sites[site.id].executed_lanes;
  }
  return sum;
}

Wording in_both(const std::string& english, const std::string& chinese) {
  return english.empty() ? Wording("") : Wording::bilingual(english, chinese);
}

Diagnostic said(const sim::Race& race, const Outcome& outcome, int launch) {
  const trace::Trace& trace = *outcome.trace_of(launch);
  const RaceText en = race_text(race, trace, outcome.request, launch),
                 zh = race_text(race, trace, outcome.request, launch, "zh-CN");
  const int line = en.second_place.line != 0 ? en.second_place.line : en.first_place.line;
  return {Severity::warning,
          "race.found",
          {outcome.request.source.name, line, 0},
          Wording::bilingual(en.title + " " + en.both, zh.title + " " + zh.both),
          in_both(en.cure, zh.cure)};
}

void say_what_races(Outcome& outcome) {
  std::size_t count = 0;
  bool in_shared = false;
  for (int launch = 1; launch <= outcome.launch_count(); ++launch)
    for (const sim::Race& race : outcome.launch(launch)->races.races) {
      if (!sim::accuses(race.kind)) continue;
      in_shared |= race.space != trace::MemorySpace::global;
      if (count++ < most_said) outcome.diagnostics.push_back(said(race, outcome, launch));
    }
  // In this order of the warps the read found what no thread had written, in another order it would not: beside a race
  // in shared memory, "no change is needed" is wrong.
  if (in_shared)
    std::erase_if(outcome.diagnostics, [](const Diagnostic& one) { return one.code == "memory.unwritten_shared"; });
}

// `why` tells why not all was watched.
void keep_what_was_seen(Outcome& outcome, Wording why) {
  say_what_races(outcome);
  for (LaunchOutcome& launch : outcome.launches)
    if (!launch.races.accuses()) launch.races = {};
  outcome.diagnostics.push_back({Severity::note,
                                 "race.not_looked_for",
                                 {},
                                 std::move(why),
                                 "Turn on the race check to look for them; the run then takes longer."});
}

// The run itself watched the first blocks of its launches, unless their blocks run side by side.
void keep_what_the_first_blocks_showed(Outcome& outcome, std::uint64_t sum) {
  bool watched = true;
  for (int launch = 1; launch <= outcome.launch_count(); ++launch) watched &= outcome.launch(launch)->races.looked;
  keep_what_was_seen(
      outcome,
      watched ? worded("Only the first two blocks were checked for races: with {} memory accesses, the others are not "
                       "checked by default.",
                       grouped(sum))
              : worded("Races were not checked: with {} memory accesses, the check does not run by default.",
                       grouped(sum)));
}

}  // namespace

void watch_first_blocks(const Request& request, sim::LaunchRequest& launch) {
  launch.races = request.races;
  launch.races_up_to = request.races_up_to;
  if (request.races || !request.races_if_small || !request.record.totals) return;
  launch.races = true;
  launch.races_in_first_blocks = 2;
  launch.races_up_to = most_checked_accesses;
}

void look_for_races_if_small(Outcome& outcome, const std::function<Outcome(const Request&)>& run_again) {
  if (!outcome.request.races_if_small || outcome.request.races || !outcome.request.record.totals) return;
  if (!outcome.completed) {
    for (LaunchOutcome& launch : outcome.launches) launch.races = {};
    return;
  }
  std::uint64_t sum = 0;
  for (int launch = 1; launch <= outcome.launch_count(); ++launch) sum += accesses(*outcome.trace_of(launch));
  if (sum > most_checked_accesses) return keep_what_the_first_blocks_showed(outcome, sum);
  const auto watched_whole = [](const LaunchOutcome& launch) { return launch.races.complete(); };
  if (std::ranges::all_of(outcome.launches, watched_whole)) return say_what_races(outcome);
  Request request = outcome.request;
  request.races = true;
  request.races_up_to = most_race_effort;
  request.results = false;
  request.record.events = false;
  Outcome watched = run_again(request);
  for (std::size_t i = 0; i < std::min(outcome.launches.size(), watched.launches.size()); ++i)
    outcome.launches[i].races = std::move(watched.launches[i].races);
  if (std::ranges::any_of(outcome.launches, [](const LaunchOutcome& launch) { return launch.races.stopped; }))
    return keep_what_was_seen(outcome,
                              worded("The check for races was stopped before the end: many threads change and read the "
                                     "same address, and each access is compared with those of all other threads."));
  say_what_races(outcome);
}

}  // namespace lanescope::job
