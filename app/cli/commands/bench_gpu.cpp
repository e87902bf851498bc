// lanescope bench --gpu: the cost of recording on this machine's GPU.

#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/input/lessons.h"
#include "cli/output/output.h"
#include "cli/output/table.h"
#include "gpu/gpu.h"
#include "job/report/json.h"
#include "job/request/directives.h"
#include "job/witness/gpu_report.h"

namespace lanescope::cli {

namespace {

// Number of blocks that a picture needs.
constexpr std::uint32_t chosen_blocks = 16;

struct Measured {
  std::string kernel;
  std::uint64_t grid = 0;
  job::RecordingCost cost;
};

std::string microseconds(const gpu::Timing& timing) {
  return fmt::format("{:.2f}", timing.seconds.median * 1e6);
}

std::string as_text(const gpu::Device& device, const std::vector<Measured>& all) {
  Table table;
  table.column("KERNEL", Align::left);
  table.column("RECORDED", Align::left);
  for (const char* title : {"BLOCKS", "RECORDS", "µs", "OF PLAIN"}) table.column(title);
  for (const Measured& one : all) {
    table.row({one.kernel, "nothing", with_separators(one.grid), "–", microseconds(one.cost.plain), "1 ×"});
    for (const job::RecordingCost::Row& row : one.cost.rows)
      table.row({"", to_string(row.pass), with_separators(row.blocks), with_separators(row.records),
                 microseconds(row.timing), number(row.timing.seconds.median / one.cost.plain.seconds.median) + " ×"});
  }
  return fmt::format("{}, driver {}; medians, L2 flushed\n", device.name, device.kernel_driver_version) + table.text();
}

std::string as_json(const gpu::Device& device, const std::vector<Measured>& all) {
  nlohmann::ordered_json json = job::document_head();
  json["device"] = device.name;
  json["driver"] = device.kernel_driver_version;
  json["recording"] = nlohmann::ordered_json::array();
  for (const Measured& one : all)
    for (const job::RecordingCost::Row& row : one.cost.rows)
      json["recording"].push_back({{"kernel", one.kernel},
                                   {"pass", to_string(row.pass)},
                                   {"grid", one.grid},
                                   {"blocks", row.blocks},
                                   {"records", row.records},
                                   {"plain", job::timing_json(one.cost.plain)},
                                   {"recording", job::timing_json(row.timing)},
                                   {"ratio", row.timing.seconds.median / one.cost.plain.seconds.median}});
  json["diagnostics"] = nlohmann::ordered_json::array();
  return job::dumped(json, true) + "\n";
}

}  // namespace

int bench_gpu(const BenchOptions& options) {
  const auto fail = [&](const Diagnostics& problems) {
    print_diagnostics(problems);
    nlohmann::ordered_json json = job::document_head();
    json["diagnostics"] = job::diagnostics_json(problems);
    if (options.json) print(job::dumped(json, true) + "\n");
    return exit_code(problems);
  };
  Result<std::unique_ptr<gpu::Session>> session = gpu::Session::open(0);
  if (!session) return fail(session.errors());
  const std::string path = (std::filesystem::path(data_folder("bench")) / "gpu" / "recording.cu").string();
  Result<std::string> text = read_text_file(path);
  if (!text) return fail(text.errors());
  Result<std::vector<job::DirectedRun>> runs = job::directed_runs("recording.cu", *text);
  if (!runs) return fail(runs.errors());
  std::vector<Measured> all;
  gpu::TimingOptions timing;
  timing.time_limit_seconds = options.seconds;
  for (job::DirectedRun& run : *runs) {
    run.request.record.events = true;
    run.request.record.event_budget_bytes = 2ull << 30;  // the interpreter's events determine the size of the regions
    const job::Outcome interpreted = job::run(run.request);
    if (!interpreted.completed) return fail(interpreted.diagnostics);
    Result<job::RecordingCost> cost = job::measure_recording(interpreted, **session, timing, chosen_blocks);
    if (!cost) return fail(cost.errors());
    all.push_back({run.request.first().kernel, run.request.first().shape.grid.count(), std::move(*cost)});
  }
  const gpu::Device& device = (*session)->device();
  return print(options.json ? as_json(device, all) : as_text(device, all)) ? 0 : 1;
}

}  // namespace lanescope::cli
