#include "device/log_observer.h"

#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include "core/launch_extent.h"
#include "core/text.h"
#include "core/worded.h"
#include "device/kept_launch.h"

namespace lanescope::device {
namespace {

void to_standard_error(const std::string& line) {
  std::fputs((line + "\n").c_str(), stderr);
}

// A program built without -lineinfo has PTX lines only.
Wording line_of(const trace::Site& site) {
  return site.line != 0 ? worded("line {}", site.line) : worded("PTX line {}", site.ptx_line);
}

Wording cure_of(const sim::Race& race) {
  if (race.in_one_step)
    return "No barrier orders the two, because both threads run this write in the same step. Use an atomic, such as "
           "atomicAdd(), let one thread write, or give each thread an element of its own.";
  if (race.cure == sim::RaceCure::grid)
    return "No barrier of a block orders two blocks: launch a second kernel between the two, use an atomic, or pass a "
           "flag with __threadfence() before it is set and after it is seen. A cooperative launch has grid.sync().";
  return worded("Put an order between the two: {}.", sim::name_of(race.cure));
}

Diagnostic of_race(const sim::Race& race, const trace::Trace& trace) {
  const trace::Site &first = trace.sites.at(race.first.site), &second = trace.sites.at(race.second.site);
  return {
      Severity::warning, "race.found",
      second.line != 0 ? SourcePlace{second.file, second.line, second.column}
                       : SourcePlace{"PTX of the program", second.ptx_line, 0},
      worded("Data race in {} memory: thread {} of block {} ({}) and thread {} of block {} ({}) touch the same bytes, "
             "and nothing orders them",
             trace::to_string(race.space), race.first.thread, race.first.block, line_of(first), race.second.thread,
             race.second.block, line_of(second)),
      cure_of(race)};
}

}  // namespace

LogObserver::LogObserver(ExecOptions options)
    : options_(std::move(options)),
      log_(options_.log),
      saved_(options_.save, options_.save_limit, options_.event_budget) {
  try {
    kernels_ = std::regex(options_.kernels);
  } catch (const std::regex_error&) {
    options_.kernels.clear();  // the command refuses it; here it selects all kernels
  }
}

bool LogObserver::is_wanted(const std::string& kernel) {
  if (options_.kernels.empty()) return true;
  const auto [known, is_new] = wanted_.try_emplace(kernel, false);
  if (is_new) known->second = std::regex_search(kernel, kernels_);
  return known->second;
}

bool LogObserver::counts(const std::string& kernel) {
  counted_ = names_launch(options_.launches, ++launches_) && is_wanted(kernel);
  return counted_;
}

void LogObserver::launching(Kernel& kernel, const sim::LaunchRequest& request) {
  if (options_.save_once && !saved_shapes_.insert(shape_key(kernel.function->name, request.launch)).second) return;
  for (const Diagnostic& one : saved_.add(launches_, kernel, request)) said(one);
}

void LogObserver::launched(const LaunchReport& report) {
  const sim::LaunchResult& result = *report.result;
  LaunchRow row;
  if (counted_) row = row_of(result.trace);
  row.kernel = report.kernel;
  row.source_file = report.source_file;
  row.launch = report.launch;
  row.launch.static_shared_bytes = result.trace.launch.static_shared_bytes;
  row.completed = result.completed;
  row.counted = counted_;
  row.seconds = result.seconds;
  row.diagnostics = result.diagnostics;
  row.looked_for_races = result.races.looked && !result.races.stopped;
  for (const sim::Race& race : result.races.races)
    if (sim::accuses(race.kind)) {
      ++row.races;
      row.diagnostics.push_back(of_race(race, result.trace));
    }
  row.races += result.races.more_pairs;
  if (options_.verbose)
    to_standard_error(
        worded("lanescope: launch {}: {}<<<{}, {}>>>{}, {:.3g} ms in the interpreter{}", launches_, row.kernel,
               launch_extent(row.launch.grid), launch_extent(row.launch.block),
               row.counted ? worded(": {} warp instructions", grouped(row.totals.warp_instructions)) : Wording(),
               row.seconds * 1e3, row.completed ? Wording() : Wording(", did not run to its end")));
  log_.add(row);
  if (!log_.is_open())
    for (const Diagnostic& one : row.diagnostics) tell_once(one);
}

void LogObserver::refused(const LaunchReport& report, const Diagnostics& why) {
  LaunchRow row;
  row.kernel = report.kernel;
  row.source_file = report.source_file;
  row.launch = report.launch;
  row.refused = why.front().code;
  row.diagnostics = why;
  if (options_.verbose)
    to_standard_error(worded("lanescope: {}<<<{}, {}>>> was not launched", row.kernel, launch_extent(row.launch.grid),
                             launch_extent(row.launch.block)));
  log_.add(row);
  has_errors_ = true;
  if (!log_.is_open())
    for (const Diagnostic& one : why) tell_once(one);
}

// Programs ask after each launch; only what follows an error is written.
void LogObserver::error_fetched() {
  if (std::exchange(has_errors_, false)) log_.add_fetched();
}

void LogObserver::copied(CopyDirection direction, std::uint64_t bytes) {
  log_.add(CopyRow{direction, bytes, 1});
}

void LogObserver::missing(const std::string& name, std::uint64_t calls) {
  log_.add(MissingCall{name, calls});
  if (!log_.is_open() && calls == 1) to_standard_error(worded("lanescope: {}: not there", name));
}

void LogObserver::said(const Diagnostic& diagnostic) {
  log_.add(diagnostic);
  if (diagnostic.severity == Severity::error) has_errors_ = true;
  if (!log_.is_open()) tell_once(diagnostic);
}

void LogObserver::tell_once(const Diagnostic& diagnostic) {
  if (const std::string text = format(diagnostic); told_.insert(text).second) to_standard_error(text);
}

}  // namespace lanescope::device
