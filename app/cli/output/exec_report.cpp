#include "cli/output/exec_report.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/output/output.h"
#include "cli/output/table.h"
#include "compile/host/launch_scan.h"
#include "core/source_name.h"
#include "core/worded.h"
#include "job/report/json.h"
#include "metrics/report.h"

namespace lanescope::cli {
namespace {

using trace::MemoryClass;

constexpr const char* direction_names[] = {"host to device", "device to host", "device to device", "host to host"};
constexpr const char* direction_keys[] = {"host_to_device", "device_to_host", "device_to_device", "host_to_host"};

void add_launch(ProgramReport& report, const device::LaunchRow& row) {
  const auto is_same = [&](const KernelRow& one) {
    return one.kernel == row.kernel && one.launch.grid == row.launch.grid && one.launch.block == row.launch.block &&
           one.launch.dynamic_shared_bytes == row.launch.dynamic_shared_bytes &&
           one.launch.cooperative == row.launch.cooperative && one.launch.cluster == row.launch.cluster;
  };
  auto known = std::find_if(report.kernels.begin(), report.kernels.end(), is_same);
  if (known == report.kernels.end()) {
    known = report.kernels.insert(known, KernelRow{});
    known->kernel = row.kernel;
    known->launch = row.launch;
  }
  if (!row.refused.empty()) {
    known->refused[row.refused] += row.times;
    return;
  }
  report.launches += row.times;
  known->launches += row.times;
  if (!row.completed) known->incomplete += row.times;
  if (row.looked_for_races) known->looked_for_races += row.times;
  known->races += row.times * row.races;
  known->seconds += row.seconds;
  if (!row.counted) return;
  known->counted += row.times;
  for (std::uint64_t i = 0; i < row.times; ++i) known->totals += row.totals;
  if (row.costliest.line > 0) known->lines[{row.costliest.file, row.costliest.line}] += row.times;
}

// A loop that reads past the end of its input says so in many blocks and launches: one line of the source is told once.
bool is_such(const Diagnostic& one, const Diagnostic& other) {
  if (one.code != other.code || one.severity != other.severity || one.place != other.place) return false;
  if (one.message == other.message) return one.cure == other.cure;
  return one.place.line > 0 && !one.message.pattern().empty() && one.message.pattern() == other.message.pattern() &&
         one.cure.pattern() == other.cure.pattern();
}

void add_said(ProgramReport& report, const Diagnostic& diagnostic, std::uint64_t times = 1,
              const std::string& refused = "") {
  for (ProgramReport::Said& one : report.said) {
    if (!is_such(one.diagnostic, diagnostic)) continue;
    one.times += times;
    one.differ |= one.diagnostic.message != diagnostic.message;
    return;
  }
  report.said.push_back({diagnostic, times, false, refused});
}

// In each process the last row of a name counts; the processes are added.
void add_missing(ProgramReport& report, const std::vector<device::LogRow>& rows) {
  std::map<std::pair<std::string, std::int64_t>, std::uint64_t> last;
  for (const device::LogRow& row : rows)
    if (const auto* one = std::get_if<device::MissingCall>(&row)) last[{one->name, one->process}] = one->calls;
  for (const auto& [key, calls] : last) {
    if (report.missing.empty() || report.missing.back().name != key.first) report.missing.push_back({key.first, 0, 0});
    report.missing.back().calls += calls;
  }
}

std::uint64_t refused_launches(const KernelRow& row) {
  std::uint64_t sum = 0;
  for (const auto& [code, launches] : row.refused) sum += launches;
  return sum;
}

double value_of(const KernelRow& row, const char* name) {
  const metrics::Measurement found = metrics::find(row.totals, trace::Origin::interpreted, name);
  return found.applicable ? found.value : std::nan("");
}

std::uint64_t bank_conflicts(const KernelRow& row) {
  std::uint64_t sum = 0;
  for (const MemoryClass one : {MemoryClass::shared_load, MemoryClass::shared_store, MemoryClass::shared_atomic})
    sum += row.totals.of(one).bank_conflicts();
  return sum;
}

std::string extent_text(const Dim3& size) {
  if (size.z != 1) return fmt::format("{}×{}×{}", size.x, size.y, size.z);
  if (size.y != 1) return fmt::format("{}×{}", size.x, size.y);
  return std::to_string(size.x);
}

std::pair<std::string, int> costliest(const KernelRow& row) {
  const auto most = std::max_element(row.lines.begin(), row.lines.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == row.lines.end() ? std::pair<std::string, int>{} : most->first;
}

// A short title, in both languages here: as messages these words would be translated elsewhere too.
struct Head {
  const char *english, *chinese;
  Wording wording() const { return Wording::bilingual(english, chinese); }
};
// The ratios and their columns.
constexpr std::pair<Head, const char*> ratios[] = {
    {{"SIMT %", "SIMT %"}, "simt_efficiency"},
    {{"ld sect/req", "读取 sector/请求"}, "global_load.sectors_per_request"},
    {{"ld eff %", "读取利用率 %"}, "global_load.efficiency"},
    {{"st sect/req", "写入 sector/请求"}, "global_store.sectors_per_request"},
    {{"st eff %", "写入利用率 %"}, "global_store.efficiency"}};
constexpr Head before_ratios[] = {{"grid", "grid"},         {"block", "block"},          {"shared", "共享内存"},
                                  {"launches", "启动次数"}, {"warp instr", "warp 指令"}, {"lane instr", "lane 指令"}};
constexpr Head after_ratios[] = {
    {"bank confl", "bank 冲突"}, {"diverg", "分歧"}, {"races", "竞争"}, {"interp ms", "解释执行 ms"}};

std::string kernels_text(const ProgramReport& report) {
  Table table;
  table.column("kernel", Align::left);
  for (const Head& head : before_ratios) table.column(head.wording());
  for (const auto& [head, name] : ratios) table.column(head.wording());
  for (const Head& head : after_ratios) table.column(head.wording());
  table.column(Wording::bilingual("most traffic", "搬得最多的行"), Align::left);
  std::vector<std::string> names;
  for (const KernelRow& row : report.kernels) names.push_back(row.kernel);
  names = short_names(names, 72);
  for (std::size_t i = 0; i < names.size(); ++i) {
    const KernelRow& row = report.kernels[i];
    const bool counted = row.counted > 0;
    std::string launches = with_separators(row.launches);
    if (counted && row.counted < row.launches) launches = with_separators(row.counted) + " of " + launches;
    if (const std::uint64_t refused = refused_launches(row); refused != 0)
      launches = fmt::format("{}{} refused", row.launches == 0 ? "" : launches + ", ", with_separators(refused));
    std::vector<std::string> cells{
        names[i],
        extent_text(row.launch.grid),
        extent_text(row.launch.block),
        row.launch.dynamic_shared_bytes == 0 ? "" : with_separators(row.launch.dynamic_shared_bytes),
        launches,
        counted ? with_separators(row.totals.warp_instructions) : "–",
        counted ? with_separators(row.totals.lane_instructions) : "–"};
    for (const auto& [head, name] : ratios) {
      const double value = counted ? value_of(row, name) : std::nan("");
      cells.push_back(std::isnan(value) ? "–" : number(value));
    }
    cells.push_back(counted ? with_separators(bank_conflicts(row)) : "–");
    cells.push_back(counted ? with_separators(row.totals.divergent_branches) : "–");
    cells.push_back(row.races == 0 ? "" : with_separators(row.races));
    cells.push_back(row.launches == 0 ? "–" : number(row.seconds * 1e3));
    const auto [file, line] = costliest(row);
    cells.push_back(line == 0 ? "–"
                              : fmt::format("{}:{}", std::filesystem::path(file).filename().generic_string(), line));
    table.row(std::move(cells));
  }
  return table.text();
}

std::string copies_text(const ProgramReport& report) {
  Table table;
  table.column(Wording::bilingual("copies", "拷贝"), Align::left);
  table.column(Wording::bilingual("count", "次数"));
  table.column(Wording::bilingual("bytes", "字节"));
  for (const device::CopyRow& row : report.copies)
    table.row({direction_names[static_cast<std::size_t>(row.direction)], with_separators(row.count),
               with_separators(row.bytes)});
  return table.text();
}

nlohmann::ordered_json json_of(const KernelRow& row) {
  nlohmann::ordered_json json{{"kernel", row.kernel},
                              {"grid", {row.launch.grid.x, row.launch.grid.y, row.launch.grid.z}},
                              {"block", {row.launch.block.x, row.launch.block.y, row.launch.block.z}},
                              {"dynamic_shared_bytes", row.launch.dynamic_shared_bytes},
                              {"cooperative", row.launch.cooperative},
                              {"launches", row.launches},
                              {"launches_counted", row.counted},
                              {"launches_not_completed", row.incomplete},
                              {"launches_checked_for_races", row.looked_for_races},
                              {"races", row.races},
                              {"interpreter_seconds", row.seconds}};
  if (const Dim3 cluster = row.launch.cluster; cluster.count() > 1) json["cluster"] = {cluster.x, cluster.y, cluster.z};
  json["launches_refused"] = nlohmann::ordered_json::array();
  for (const auto& [code, launches] : row.refused)
    json["launches_refused"].push_back({{"code", code}, {"launches", launches}});
  if (row.counted == 0) return json;
  nlohmann::ordered_json& numbers = json["numbers"] = nlohmann::ordered_json::object();
  for (const metrics::Measurement& one : metrics::report(row.totals, trace::Origin::interpreted))
    if (one.applicable) numbers[one.name] = one.value;
  if (const auto [file, line] = costliest(row); line > 0) json["most_traffic"] = {{"file", file}, {"line", line}};
  return json;
}

}  // namespace

ProgramReport report_of(const std::vector<device::LogRow>& rows) {
  ProgramReport report;
  std::map<device::CopyDirection, device::CopyRow> copies;
  for (const device::LogRow& row : rows) {
    if (const auto* launch = std::get_if<device::LaunchRow>(&row)) {
      add_launch(report, *launch);
      for (const Diagnostic& one : launch->diagnostics)
        add_said(report, one, launch->times, launch->refused.empty() ? "" : launch->kernel);
    } else if (const auto* copy = std::get_if<device::CopyRow>(&row)) {
      device::CopyRow& sum = copies.try_emplace(copy->direction, device::CopyRow{copy->direction, 0, 0}).first->second;
      sum.bytes += copy->bytes;
      sum.count += copy->count;
    } else if (const auto* said = std::get_if<Diagnostic>(&row)) {
      add_said(report, *said);
    }
  }
  for (const auto& [direction, sum] : copies)
    if (static_cast<std::size_t>(direction) < std::size(direction_names)) report.copies.push_back(sum);
  add_missing(report, rows);
  return report;
}

void place_refused_launches(ProgramReport& report, const std::string& file, const std::string& text) {
  const std::vector<compile::ScannedLaunch> launches = compile::scan_launches(text);
  for (ProgramReport::Said& said : report.said) {
    if (said.refused.empty()) continue;
    const auto is_of_kernel = [&](const compile::ScannedLaunch& one) {
      return kernel_base_name(one.kernel) == kernel_base_name(said.refused);
    };
    const auto first = std::ranges::find_if(launches, is_of_kernel);
    if (first == launches.end() || std::any_of(std::next(first), launches.end(), is_of_kernel)) continue;
    said.diagnostic.place = {file, first->line};
  }
}

std::string program_table(const ProgramReport& report) {
  std::string out;
  if (!report.kernels.empty()) out += kernels_text(report);
  if (!report.copies.empty()) out += "\n" + copies_text(report);
  if (!report.missing.empty()) out += "\n";
  for (const device::MissingCall& one : report.missing)
    out += fmt::format("{}: not there; {} call{}\n", one.name, with_separators(one.calls), one.calls == 1 ? "" : "s");
  return out;
}

Diagnostics said_of(const ProgramReport& report) {
  Diagnostics said;
  for (const ProgramReport::Said& one : report.said) {
    said.push_back(one.diagnostic);
    if (one.times > 1)
      said.back().message = one.differ ? worded("{} (the first of {} at this line)", one.diagnostic.message, one.times)
                                       : worded("{} ({} times)", one.diagnostic.message, one.times);
  }
  return said;
}

Diagnostics about_races(const ProgramReport& report) {
  std::map<std::string, bool> looked;  // by kernel
  for (const KernelRow& row : report.kernels)
    if (row.counted != 0) looked[row.kernel] |= row.looked_for_races != 0;
  const auto not_looked = std::ranges::count_if(looked, [](const auto& one) { return !one.second; });
  if (not_looked == 0) return {};
  return {
      {Severity::note,
       "race.not_looked_for",
       {},
       worded("Races: no launch of {} of {} kernels was checked to its end. Unasked, only the beginning of a kernel's "
              "first launch is checked: of a large one the first two blocks.",
              not_looked, looked.size()),
       "Add --races to check every launch. The run then takes longer."}};
}

nlohmann::ordered_json program_json(const ProgramReport& report) {
  nlohmann::ordered_json json = job::document_head();
  json["launches"] = report.launches;
  json["kernels"] = nlohmann::ordered_json::array();
  for (const KernelRow& row : report.kernels) json["kernels"].push_back(json_of(row));
  json["copies"] = nlohmann::ordered_json::array();
  for (const device::CopyRow& row : report.copies)
    json["copies"].push_back({{"direction", direction_keys[static_cast<std::size_t>(row.direction)]},
                              {"count", row.count},
                              {"bytes", row.bytes}});
  json["not_there"] = nlohmann::ordered_json::array();
  for (const device::MissingCall& one : report.missing)
    json["not_there"].push_back({{"name", one.name}, {"calls", one.calls}});
  json["diagnostics"] = job::diagnostics_json(said_of(report));
  return json;
}

}  // namespace lanescope::cli
