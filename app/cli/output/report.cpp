#include "cli/output/report.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "cli/output/cures.h"
#include "cli/output/output.h"
#include "cli/output/table.h"
#include "core/text.h"
#include "job/run/race_text.h"
#include "job/run/wrong_result.h"
#include "metrics/report.h"
#include "metrics/site_requests.h"

namespace lanescope::cli {

namespace {

std::string extent(const Dim3& value) {
  return fmt::format("{} × {} × {}", value.x, value.y, value.z);
}

std::string ratio(std::uint64_t part, std::uint64_t whole) {
  return whole ? number(static_cast<double>(part) / static_cast<double>(whole)) : "–";
}
std::string count_or_dash(std::uint64_t value, bool applies) {
  return applies ? with_separators(value) : "–";
}

// Numbers of a class are shown if it had a request.
bool worth_showing(const metrics::Measurement& measurement, const trace::Totals& totals) {
  return measurement.applicable && (!measurement.memory_class || totals.of(*measurement.memory_class).requests > 0);
}

std::vector<std::string> source_lines(const std::string& source) {
  std::vector<std::string> lines;
  std::size_t begin = 0;
  while (begin < source.size()) {
    const std::size_t end = std::min(source.find('\n', begin), source.size());
    lines.push_back(source.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

bool worth_showing(const trace::Site& site, const trace::SiteTotals& totals) {
  if (site.kind == trace::EventKind::block_entry || site.kind == trace::EventKind::guarded) return false;
  const bool quiet = site.space == trace::MemorySpace::param || site.space == trace::MemorySpace::constant;
  return totals.executions > 0 && !(site.kind == trace::EventKind::memory && quiet);
}

void add_site(Table& table, const trace::Site& site, const trace::SiteTotals& totals) {
  const trace::MemoryTotals& memory = totals.memory;
  const bool copies = site.operation == trace::Operation::async_copy;
  const trace::MemoryTotals& shared = copies ? totals.memory_shared_part : memory;
  const bool banks = shared.wavefronts > 0, sectors = memory.sectors > 0;
  const bool each = sectors && metrics::requests_are_alike(memory);
  const bool branch = site.kind == trace::EventKind::branch, atomic = memory.serial_depth > 0;
  // wmma.load and wmma.store make several requests of up to 32 lanes each time.
  const bool several = totals.executed_lanes > totals.executions * MemoryModel::lanes && memory.requests > 0;
  table.row({"", "  " + site.opcode, with_separators(totals.executions),
             branch ? "–" : ratio(totals.executed_lanes, several ? memory.requests : totals.executions),
             count_or_dash(memory.requests, sectors || banks), count_or_dash(memory.sectors, sectors),
             each ? ratio(memory.sectors, memory.requests) : "–",
             each ? ratio(memory.ideal_sectors, memory.requests) : "–", count_or_dash(shared.wavefronts, banks),
             count_or_dash(shared.bank_conflicts(), banks), atomic ? ratio(memory.serial_depth, memory.requests) : "–",
             count_or_dash(totals.divergent, branch)});
}

}  // namespace

std::string heading(const trace::Trace& trace) {
  std::string out =
      fmt::format("{} · grid {} · block {}", trace.kernel, extent(trace.launch.grid), extent(trace.launch.block));
  const std::uint64_t shared = std::uint64_t{trace.launch.static_shared_bytes} + trace.launch.dynamic_shared_bytes;
  if (shared) out += fmt::format(" · {} B shared", with_separators(shared));
  if (trace.launch.cluster.count() > 1) out += fmt::format(" · clusters of {}", extent(trace.launch.cluster));
  if (trace.launch.cooperative) out += " · cooperative";
  out += fmt::format(" · {}", trace.arch);
  if (!trace.compiler_version.empty()) out += fmt::format(", {} {}", trace.compiler_name, trace.compiler_version);
  return out + fmt::format(" · {}\n", trace::to_string(trace.origin));
}

std::string numbers_table(const trace::Trace& trace, bool nsight) {
  Table table;
  table.column("NUMBER", Align::left);
  table.column("VALUE");
  table.column("IDEAL");
  table.column("UNIT", Align::left);
  if (nsight) table.column("NSIGHT COMPUTE", Align::left);
  for (const metrics::Measurement& measurement : metrics::report(trace)) {
    if (!worth_showing(measurement, trace.totals)) continue;
    const std::string name =
        measurement.nsight_name.empty() ? "–  " + told(measurement.nsight_note) : measurement.nsight_name;
    table.row({told(measurement.label), number(measurement.value),
               measurement.ideal < 0 ? "–" : number(measurement.ideal), measurement.unit, nsight ? name : ""});
  }
  return table.text();
}

std::string sites_table(const trace::Trace& trace, const std::string& name, const std::string& source) {
  const std::vector<std::string> lines = source_lines(source);
  std::map<std::pair<std::string, int>, std::vector<std::uint32_t>> by_line;
  for (const trace::Site& site : trace.sites)
    if (site.id < trace.totals.sites.size() && worth_showing(site, trace.totals.sites[site.id]))
      by_line[{site.file, site.line}].push_back(site.id);
  if (by_line.empty()) return {};
  Table table;
  table.column("LINE");
  table.column("INSTRUCTION", Align::left);
  for (const char* title : {"EXECUTED", "LANES EACH", "REQUESTS", "SECTORS", "SECTORS EACH", "IDEAL", "WAVEFRONTS",
                            "CONFLICTS", "DEPTH EACH", "DIVERGENT"})
    table.column(title);
  for (const auto& [place, sites] : by_line) {
    const auto line = static_cast<std::size_t>(place.second);
    const bool is_shown = line >= 1 && line <= lines.size() && place.first == name;
    if (line == 0)
      table.line("   –  of no source line");
    else
      table.line(fmt::format("{:>4}  {}", line, is_shown ? trimmed(lines[line - 1]) : place.first));
    for (const std::uint32_t id : sites) add_site(table, trace.sites[id], trace.totals.sites[id]);
  }
  return table.text();
}

std::string buffers_table(const std::vector<job::BufferSummary>& buffers) {
  if (buffers.empty()) return {};
  Table table;
  table.column("ARGUMENT", Align::left);
  table.column("TYPE", Align::left);
  table.column("ELEMENTS");
  table.column("SUM");
  table.column("HASH", Align::left);
  const bool holes = std::ranges::any_of(buffers, [](const job::BufferSummary& one) { return one.never_written > 0; });
  if (holes) table.column("NEVER WRITTEN");
  for (const job::BufferSummary& buffer : buffers)
    table.row({fmt::format("{}{}{}", buffer.argument, buffer.name.empty() ? "" : " ", buffer.name), buffer.type,
               with_separators(buffer.count), buffer.type == "pointers" ? "–" : fmt::format("{}", buffer.sum),
               buffer.hash, holes ? with_separators(buffer.never_written) : ""});
  return table.text();
}

std::string checks_list(const std::vector<job::CheckResult>& checks) {
  std::string out;
  for (const job::CheckResult& check : checks) {
    out += fmt::format("{} {}", check.holds ? "holds:" : "FAILS:", check.description);
    out += check.holds ? "\n" : fmt::format("\n       {}\n", check.detail);
  }
  return out;
}

// Describes wrong results and the threads that wrote them; empty if there are none.
std::string wrong_results_text(const job::Outcome& outcome) {
  std::string out;
  for (const job::WrongResult& wrong : job::wrong_results(outcome))
    out += fmt::format("\nWRONG RESULT: {}\n    {}\n", wrong.said.message, wrong.said.cure);
  return out;
}

std::string events_line(const trace::Trace& trace) {
  std::string out = fmt::format("{} events kept", with_separators(trace.events.size()));
  if (trace.events_dropped)
    out += fmt::format(", {} dropped because they did not fit (the numbers above count everything)",
                       with_separators(trace.events_dropped));
  if (trace.blocks_not_chosen)
    out += fmt::format("; {} blocks were not selected", with_separators(trace.blocks_not_chosen));
  return out + "\n";
}

namespace {

std::string later_launch(const job::Outcome& outcome, int number, bool nsight) {
  const job::LaunchOutcome& launch = *outcome.launch(number);
  if (launch.repeats == 0) return {};
  const std::string times = launch.repeats > 1 ? fmt::format(", {} times (summed)", launch.repeats) : "";
  const std::string sites = sites_table(launch.trace, outcome.request.source.name, outcome.request.source.text);
  return fmt::format("\nLaunch {}{}: {}\n{}{}{}", number, times, heading(launch.trace),
                     numbers_table(launch.trace, nsight), sites.empty() ? "" : "\n", sites);
}

std::string races_of_launch(const job::Outcome& outcome, int launch) {
  const sim::RaceReport& report = outcome.launch(launch)->races;
  std::string out;
  int number = 0;
  for (const sim::Race& race : report.races) {
    const job::RaceText text = job::race_text(race, *outcome.trace_of(launch), outcome.request, launch);
    out += fmt::format("{} {}: {}\n", sim::accuses(race.kind) ? "race" : "note", ++number, text.title);
    out += fmt::format("    {}\n    {}\n", text.first, text.second);
    out +=
        fmt::format("    {}; met {} {}\n", text.where, with_separators(race.count), race.count == 1 ? "time" : "times");
    if (!text.cure.empty()) out += fmt::format("    {}\n", text.cure);
  }
  if (report.races.empty())
    out = report.complete()
              ? "races: none. Every two accesses to a common byte were ordered, were both atomic, or only read.\n"
          : report.ended ? "races: none found.\n"
                         : "races: none until the run stopped; what would have come after is not known.\n";
  if (report.more_pairs)
    out += fmt::format("{} more pairs of instructions race.\n", with_separators(report.more_pairs));
  if (report.unwatched || report.undecided)
    out += fmt::format(
        "Not every access was checked: memory ran out for {} accesses, and {} later ones could not be judged.\n",
        with_separators(report.unwatched), with_separators(report.undecided));
  return out;
}

}  // namespace

std::string races_text(const job::Outcome& outcome) {
  if (!outcome.first().races.looked) return {};
  std::string out = races_of_launch(outcome, 1);
  for (int launch = 2; launch <= outcome.launch_count(); ++launch)
    if (outcome.launch(launch)->races.looked)
      out += fmt::format("launch {}: ", launch) + races_of_launch(outcome, launch);
  return out;
}

namespace {

std::string spread_text(const job::BufferSpread& spread) {
  const std::string name =
      spread.name.empty() ? fmt::format("argument {}", spread.argument) : fmt::format("`{}`", spread.name);
  const char* what = spread.count == 1 ? "value" : "sum";
  if (spread.distinct <= 1) return fmt::format("{}: always the same, {} {}", name, what, spread.lowest);
  std::string text = fmt::format("{}: {} different contents", name, spread.distinct);
  text += spread.lowest == spread.highest ? fmt::format(", all of {} {}", what, spread.lowest)
                                          : fmt::format(", {} from {} to {}", what, spread.lowest, spread.highest);
  if (spread.reference)
    text += fmt::format("; for comparison, `{}` added up in double gives {}", spread.reference_name, *spread.reference);
  return text;
}

const char* verdict_text(const job::ScheduleReport& report) {
  switch (report.verdict()) {
    case job::ScheduleVerdict::ordered:
      return "Every order gave the same result, and no run had two unordered accesses.";
    case job::ScheduleVerdict::atomics:
      return "No run had two unordered accesses: the results differ only by the order of atomics (or volatile "
             "accesses).";
    case job::ScheduleVerdict::lucky:
      return "Every order tried gave the same result, but nothing makes it so: there is a race.";
    case job::ScheduleVerdict::racing:
      return "What comes out depends on an order that nothing lays down: there is a race.";
    case job::ScheduleVerdict::failing:
      return "No race was found; some order did not come to its end.";
    case job::ScheduleVerdict::unwatched:
      return "No race was found, but memory ran out before everything was watched: that proves nothing.";
    case job::ScheduleVerdict::nothing:
      return "Nothing ran.";
  }
  return "";
}

}  // namespace

std::string schedules_text(const job::ScheduleReport& report) {
  const std::string seeds =
      report.done == 1 ? "1 other (seed 1)" : fmt::format("{} others (seeds 1 to {})", report.done, report.done);
  std::string out = fmt::format("\nschedules: the standard order and {}: {} {}\n", seeds, report.results.size(),
                                report.results.size() == 1 ? "result" : "different results");
  constexpr std::size_t most_shown = 12;
  for (std::size_t i = 0; i < std::min(report.results.size(), most_shown); ++i) {
    const job::ScheduleResult& result = report.results[i];
    out += fmt::format("  {} of {}, first with {}", result.runs, report.done + 1,
                       result.first_seed == 0 ? "the standard order" : fmt::format("seed {}", result.first_seed));
    if (result.error) {
      const Diagnostic said = with_options({*result.error}).front();
      const std::string line = said.place.line > 0 ? fmt::format("{}:{}: ", said.place.file, said.place.line) : "";
      out += fmt::format(": the run failed, {}{}\n", line, said.message);
      if (!said.cure.empty()) out += fmt::format("    cure: {}\n", said.cure);
      continue;
    }
    for (const job::BufferSpread& spread : report.spreads)
      for (const job::BufferSummary& buffer : result.buffers)
        if (buffer.argument == spread.argument)
          out += fmt::format(" · {} {} {}, hash {}",
                             spread.name.empty() ? fmt::format("argument {}", spread.argument) : spread.name,
                             spread.count == 1 ? "=" : "sum", buffer.sum, buffer.hash);
    out += "\n";
  }
  if (report.results.size() > most_shown)
    out += fmt::format("  and {} more (--json has all)\n", report.results.size() - most_shown);
  for (const job::BufferSpread& spread : report.spreads) out += "  " + spread_text(spread) + "\n";
  for (const job::ScheduleRace& one : report.races) {
    out += fmt::format("{}: {} Found in {} of {} runs, first with {}.\n", sim::accuses(one.race.kind) ? "race" : "note",
                       one.text.title, one.runs, report.done + 1,
                       one.seed == 0 ? "the standard order" : fmt::format("seed {}", one.seed));
    if (one.seed == 0) continue;  // already reported
    out +=
        fmt::format("    {}\n    {}\n    {}\n    {}\n", one.text.first, one.text.second, one.text.where, one.text.cure);
  }
  return out + verdict_text(report) + "\n";
}

std::string report(const job::Outcome& outcome, bool nsight) {
  const trace::Trace& trace = outcome.first().trace;
  std::string out = heading(trace);
  if (!outcome.completed) out += "The run failed. What follows is what happened before that.\n";
  out += wrong_results_text(outcome);
  out += "\n" + numbers_table(trace, nsight);
  const std::string sites = sites_table(trace, outcome.request.source.name, outcome.request.source.text);
  if (!sites.empty()) out += "\n" + sites;
  for (int launch = 2; launch <= outcome.launch_count(); ++launch) out += later_launch(outcome, launch, nsight);
  for (const std::string& part : {buffers_table(outcome.buffers), checks_list(outcome.checks)})
    if (!part.empty()) out += "\n" + part;
  if (outcome.first().races.looked) out += "\n" + races_text(outcome);
  if (!outcome.printf_output.empty()) out += "\nprintf:\n" + outcome.printf_output;
  return out + "\n" + events_line(trace);
}

}  // namespace lanescope::cli
