// The JSON of an outcome: schema 1. New keys may be added; none may be removed or renamed.

#include "job/report/json.h"

#include <cmath>

#include <nlohmann/json.hpp>

#include "job/run/race_text.h"
#include "job/run/wrong_result.h"
#include "metrics/report.h"

namespace lanescope::job {

using Json = nlohmann::ordered_json;

namespace {

Json dimensions(const Dim3& extent) {
  return Json::array({extent.x, extent.y, extent.z});
}

// null: a ratio of 0 to 0.
Json ratio(double part, double whole) {
  return whole > 0 ? Json(part / whole) : Json(nullptr);
}

Json sectors_group(const trace::MemoryTotals& totals) {
  return {{"requests", totals.requests},
          {"sectors", totals.sectors},
          {"ideal_sectors", totals.ideal_sectors},
          {"bytes_requested", totals.bytes_requested},
          {"bytes_moved", totals.bytes_moved()},
          {"efficiency", ratio(static_cast<double>(totals.bytes_requested), static_cast<double>(totals.bytes_moved()))},
          {"executed_lanes", totals.executed_lanes},
          {"serial_depth", totals.serial_depth}};
}

Json banks_group(const trace::MemoryTotals& totals) {
  return {{"requests", totals.requests},
          {"wavefronts", totals.wavefronts},
          {"ideal_wavefronts", totals.ideal_wavefronts},
          {"bank_conflicts", totals.bank_conflicts()},
          {"bytes_requested", totals.bytes_requested},
          {"executed_lanes", totals.executed_lanes},
          {"serial_depth", totals.serial_depth}};
}

Json totals_json(const trace::Totals& totals) {
  Json json = {{"warp_instructions", totals.warp_instructions},
               {"lane_instructions", totals.lane_instructions},
               {"simt_efficiency", totals.warp_instructions ? Json(totals.simt_efficiency()) : Json(nullptr)},
               {"branches", totals.branches},
               {"divergent_branches", totals.divergent_branches},
               {"barriers", totals.barriers},
               {"shuffles", totals.shuffles},
               {"votes", totals.votes}};
  using trace::MemoryClass;
  for (int i = 0; i < static_cast<int>(MemoryClass::count_); ++i) {
    const auto memory_class = static_cast<MemoryClass>(i);
    const bool shared = memory_class == MemoryClass::shared_load || memory_class == MemoryClass::shared_store ||
                        memory_class == MemoryClass::shared_atomic;
    const bool moves_sectors = memory_class <= MemoryClass::local_store;
    const trace::MemoryTotals& of_class = totals.of(memory_class);
    if (memory_class >= MemoryClass::distributed_load && of_class.requests == 0) continue;
    json[trace::name_of(memory_class)] =
        shared          ? banks_group(of_class)
        : moves_sectors ? sectors_group(of_class)
                        : Json{{"requests", of_class.requests}, {"bytes_requested", of_class.bytes_requested}};
  }
  return json;
}

const char* name_of(trace::EventKind kind) {
  switch (kind) {
    case trace::EventKind::block_entry:
      return "block_entry";
    case trace::EventKind::memory:
      return "memory";
    case trace::EventKind::guarded:
      return "guarded";
    case trace::EventKind::shuffle:
      return "shuffle";
    case trace::EventKind::vote:
      return "vote";
    case trace::EventKind::barrier:
      return "barrier";
    case trace::EventKind::branch:
      return "branch";
    case trace::EventKind::matrix:
      return "matrix";
  }
  return "";
}

Json site_json(const trace::Site& site, const trace::SiteTotals& totals) {
  const trace::MemoryTotals& memory = totals.memory;
  return {{"id", site.id},
          {"file", site.file},
          {"line", site.line},
          {"ptx_line", site.ptx_line},
          {"op", site.opcode},
          {"executions", totals.executions},
          {"executed_lanes", totals.executed_lanes},
          {"requests", memory.requests},
          {"sectors", memory.sectors},
          {"wavefronts", memory.wavefronts + totals.memory_shared_part.wavefronts},
          {"bank_conflicts", memory.bank_conflicts() + totals.memory_shared_part.bank_conflicts()},
          {"kind", name_of(site.kind)},
          {"space", site.kind == trace::EventKind::memory ? trace::to_string(site.space) : ""},
          {"width", site.width},
          {"ideal_sectors", memory.ideal_sectors},
          {"ideal_wavefronts", memory.ideal_wavefronts + totals.memory_shared_part.ideal_wavefronts},
          {"bytes_requested", memory.bytes_requested},
          {"divergent", totals.divergent},
          {"inlined_from", site.inlined_from}};
}

Json sites_json(const trace::Trace& trace) {
  Json sites = Json::array();
  for (std::size_t i = 0; i < trace.sites.size(); ++i)
    sites.push_back(
        site_json(trace.sites[i], i < trace.totals.sites.size() ? trace.totals.sites[i] : trace::SiteTotals{}));
  return sites;
}

Json number_or_null(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json buffers_json(const std::vector<BufferSummary>& buffers) {
  Json json = Json::array();
  for (const BufferSummary& buffer : buffers)
    json.push_back({{"arg", buffer.argument},
                    {"type", buffer.type},
                    {"count", buffer.count},
                    {"sum", number_or_null(buffer.sum)},
                    {"hash", buffer.hash},
                    {"name", buffer.name},
                    {"never_written", buffer.never_written}});
  return json;
}

Json launch_json(const trace::Launch& launch) {
  Json json = {{"grid", dimensions(launch.grid)},
               {"block", dimensions(launch.block)},
               {"shared_bytes", launch.dynamic_shared_bytes},
               {"cooperative", launch.cooperative},
               {"static_shared_bytes", launch.static_shared_bytes}};
  if (launch.cluster.count() > 1) json["cluster"] = dimensions(launch.cluster);
  return json;
}

Json numbers_json(const std::vector<metrics::Measurement>& measurements) {
  Json json = Json::array();
  for (const metrics::Measurement& measurement : measurements)
    json.push_back({{"name", measurement.name},
                    {"value", measurement.applicable ? number_or_null(measurement.value) : Json(nullptr)},
                    {"unit", measurement.unit},
                    {"ideal", measurement.ideal < 0 ? Json(nullptr) : number_or_null(measurement.ideal)},
                    {"nsight", measurement.nsight_name}});
  return json;
}

// One object per launch, including the first. Repeats of a launch share one.
Json launches_json(const Outcome& outcome) {
  Json json = Json::array();
  for (const LaunchOutcome& launch : outcome.launches)
    json.push_back({{"kernel", launch.trace.kernel},
                    {"repeats", launch.repeats},
                    {"launch", launch_json(launch.trace.launch)},
                    {"totals", totals_json(launch.trace.totals)},
                    {"numbers", numbers_json(metrics::report(launch.trace))},
                    {"mangled_kernel", launch.mangled_kernel},
                    {"origin", trace::to_string(launch.trace.origin)}});
  return json;
}

Json race_access_json(const sim::RaceAccess& access, const trace::Trace& trace) {
  const trace::Site& site = trace.sites[access.site];
  return {{"site", access.site},     {"file", site.file},       {"line", site.line},       {"block", access.block},
          {"thread", access.thread}, {"writes", access.writes}, {"atomic", access.atomic}, {"strong", access.strong}};
}

Json race_json(const sim::Race& race, const Outcome& outcome, int launch) {
  const trace::Trace& trace = *outcome.trace_of(launch);
  const RaceText text = race_text(race, trace, outcome.request, launch);
  return {
      {"kind", sim::name_of(race.kind)},
      {"accuses", sim::accuses(race.kind)},
      {"launch", launch},
      {"space", trace::to_string(race.space)},
      {"buffer", race.buffer < 0 ? Json(nullptr) : Json(trace.buffers[static_cast<std::size_t>(race.buffer)].argument)},
      {"offset", race.offset},
      {"bytes", race.bytes},
      {"count", race.count},
      {"first", race_access_json(race.first, trace)},
      {"second", race_access_json(race.second, trace)},
      {"orders", sim::name_of(race.cure)},
      {"text",
       {{"title", text.title},
        {"first", text.first},
        {"second", text.second},
        {"where", text.where},
        {"cure", text.cure}}}};
}

}  // namespace

Json races_json(const Outcome& outcome) {
  bool complete = true;
  Json found = Json::array();
  for (int launch = 1; launch <= outcome.launch_count(); ++launch) {
    complete &= outcome.launch(launch)->races.complete();
    for (const sim::Race& race : outcome.launch(launch)->races.races) found.push_back(race_json(race, outcome, launch));
  }
  return {{"looked", outcome.first().races.looked},
          {"complete", complete},
          {"accused", outcome.race_found()},
          {"found", std::move(found)}};
}

Json schedules_json(const ScheduleReport& report) {
  Json results = Json::array(), spreads = Json::array(), races = Json::array();
  const auto differences = [](const ScheduleResult& result) {
    Json all = Json::array();
    for (const ScheduleDifference& one : result.differences)
      all.push_back({{"arg", one.argument},
                     {"name", one.name},
                     {"elements", one.elements},
                     {"first", one.first},
                     {"value", number_or_null(one.value)},
                     {"standard", number_or_null(one.standard)}});
    return all;
  };
  for (const ScheduleResult& result : report.results)
    results.push_back({{"runs", result.runs},
                       {"first_seed", result.first_seed},
                       {"completed", !result.error},
                       {"error", result.error ? Json(result.error->code) : Json(nullptr)},
                       {"buffers", buffers_json(result.buffers)},
                       {"differences", differences(result)}});
  for (const BufferSpread& spread : report.spreads)
    spreads.push_back({{"arg", spread.argument},
                       {"name", spread.name},
                       {"distinct", spread.distinct},
                       {"lowest_sum", number_or_null(spread.lowest)},
                       {"highest_sum", number_or_null(spread.highest)},
                       {"reference", spread.reference ? number_or_null(*spread.reference) : Json(nullptr)},
                       {"reference_name", spread.reference_name}});
  for (const ScheduleRace& one : report.races)
    races.push_back({{"kind", sim::name_of(one.race.kind)},
                     {"accuses", sim::accuses(one.race.kind)},
                     {"launch", one.launch},
                     {"first_seed", one.seed},
                     {"runs", one.runs},
                     {"orders", sim::name_of(one.race.cure)},
                     {"text",
                      {{"title", one.text.title},
                       {"first", one.text.first},
                       {"second", one.text.second},
                       {"where", one.text.where},
                       {"cure", one.text.cure}}}});
  return {{"asked", report.asked},
          {"done", report.done},
          {"complete", report.complete},
          {"accused", report.race_found()},
          {"results", results},
          {"spreads", spreads},
          {"races", races}};
}

Json document_head() {
  return {{"lanescope", {{"version", LANESCOPE_VERSION}, {"schema", 1}}}};
}

Json diagnostics_json(const Diagnostics& diagnostics) {
  Json json = Json::array();
  for (const Diagnostic& diagnostic : diagnostics)
    json.push_back({{"severity", to_string(diagnostic.severity)},
                    {"code", diagnostic.code},
                    {"file", diagnostic.place.file},
                    {"line", diagnostic.place.line},
                    {"column", diagnostic.place.column},
                    {"message", diagnostic.message},
                    {"cure", diagnostic.cure}});
  return json;
}

namespace {

// null if the rule holds or does not concern elements.
Json wrong_json(const Outcome& outcome, const CheckResult& check) {
  if (!check.wrong) return nullptr;
  const WrongElement& wrong = *check.wrong;
  const ElementWrites writes = writes_of(outcome, wrong.argument, wrong.index);
  Json json{
      {"buffer", wrong.buffer},
      {"index", wrong.index},
      {"got", wrong.never_written ? Json(nullptr) : Json(std::string(wrong.got))},
      {"expected", wrong.expected},
      {"wrong_elements", wrong.wrong},
      {"covered_elements", wrong.covered},
      {"writes", {{"complete", writes.complete}, {"count", writes.count}, {"lines", writes.lines}, {"last", nullptr}}}};
  if (writes.last)
    json["writes"]["last"] = {{"launch", writes.last->launch},
                              {"block", writes.last->place.block},
                              {"thread", writes.last->place.thread},
                              {"line", writes.last->place.line}};
  return json;
}

}  // namespace

Json outcome_json(const Outcome& outcome) {
  const trace::Trace& trace = outcome.first().trace;
  Json json = document_head();
  json["kernel"] = trace.kernel;
  json["origin"] = trace::to_string(trace.origin);
  json["compiler"] = {{"name", trace.compiler_name}, {"version", trace.compiler_version}, {"arch", trace.arch}};
  json["launch"] = launch_json(trace.launch);
  json["totals"] = totals_json(trace.totals);
  json["sites"] = sites_json(trace);
  json["buffers"] = buffers_json(outcome.buffers);
  json["events"] = {
      {"kept", trace.events.size()}, {"dropped", trace.events_dropped}, {"blocks_not_chosen", trace.blocks_not_chosen}};
  json["diagnostics"] = diagnostics_json(outcome.diagnostics);
  json["completed"] = outcome.completed;
  json["numbers"] = numbers_json(metrics::report(trace));
  json["launches"] = launches_json(outcome);
  json["lesson"] = outcome.request.lesson;
  json["variant"] = outcome.request.variant;
  json["controls"] = outcome.request.controls;
  json["checks"] = Json::array();
  for (const CheckResult& check : outcome.checks)
    json["checks"].push_back({{"rule", check.description},
                              {"holds", check.holds},
                              {"detail", check.detail},
                              {"wrong", wrong_json(outcome, check)}});
  json["races"] = races_json(outcome);
  json["printf"] = outcome.printf_output;
  json["mangled_kernel"] = outcome.first().mangled_kernel;
  json["device"] = trace.device;
  // Wall time of this program. No kernel time is among these numbers.
  json["host"] = {{"compile_seconds", outcome.compile_seconds}, {"run_seconds", outcome.run_seconds}};
  return json;
}

std::string dumped(const Json& json, bool pretty) {
  return json.dump(pretty ? 2 : -1, ' ', false, Json::error_handler_t::replace);
}

Json parsed_json(std::string_view text) {
  return Json::parse(text, nullptr, false);
}

std::string to_json(const Outcome& outcome, bool pretty) {
  return dumped(outcome_json(outcome), pretty);
}

}  // namespace lanescope::job
