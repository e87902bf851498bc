// lanescope bench: the engine's speed on this machine, and that of another interpreter on the same kernels.

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "bench/engine_bench.h"
#include "cli/commands/commands.h"
#include "cli/commands/peers.h"
#include "cli/input/lessons.h"
#include "cli/output/output.h"
#include "cli/output/table.h"
#include "compile/toolchain.h"
#include "job/report/json.h"
#include "sim/alu/operation.h"

namespace lanescope::cli {

namespace {

using bench::EngineSpeed;

struct PeerSpeed {
  std::string kernel;
  std::uint64_t lane_instructions = 0;  // of the PTX, so the work is the same for both
  double per_second = 0;
};

struct Figures {
  std::vector<EngineSpeed> engine;
  std::vector<bench::StageSpeed> stages;
  std::vector<PeerSpeed> peers;
};

const EngineSpeed* find(const std::vector<EngineSpeed>& speeds, const std::string& kernel, int threads) {
  for (const EngineSpeed& speed : speeds)
    if (speed.kernel == kernel && (threads == 0 || speed.threads == threads)) return &speed;
  return nullptr;
}

Diagnostics measure_peers(Figures& measured) {
  std::vector<std::string> kernels;
  for (const std::string& name : bench::kernel_names())
    if (find(measured.engine, name, 0)) kernels.push_back(name);
  Result<std::vector<PeerTime>> times = run_oclgrind(kernels);
  if (!times) return times.take_errors();
  for (const PeerTime& time : *times) {
    const std::uint64_t lanes = find(measured.engine, time.kernel, 0)->lane_instructions;
    measured.peers.push_back({time.kernel, lanes, static_cast<double>(lanes) / time.seconds});
  }
  return {};
}

Diagnostics measure(const BenchOptions& options, Figures& measured) {
  bench::Options what{data_folder("bench"), options.kernels, {}, options.times, options.seconds};
  if (what.folder.empty())
    return {{Severity::error,
             "io.cannot_read",
             {"bench"},
             "The kernels to measure with were not found.",
             compile::how_to_get({"lanescope"}, "Set LANESCOPE_ROOT to the folder that holds bench/.")}};
  if (options.threads > 0) what.threads = {options.threads};
  auto engine = bench::measure_engine(what);
  if (!engine) return engine.take_errors();
  measured.engine = std::move(*engine);
  auto stages = bench::measure_stages(what);
  if (!stages) return stages.take_errors();
  measured.stages = std::move(*stages);
  return options.peers ? measure_peers(measured) : Diagnostics{};
}

std::string millions(double per_second) {
  return number(per_second / 1e6, per_second < 1e8 ? 1 : 0);
}
std::string times(double ratio) {
  return number(ratio, 2) + " ×";
}

std::string engine_table(const Figures& measured) {
  Table table;
  table.column("KERNEL", Align::left);
  table.column("THREADS");
  table.column("LANE-INSTRUCTIONS");
  table.column("UNTRACED M/s");
  table.column("TRACED M/s");
  table.column("EVENTS");
  table.column("RUNS");
  for (const char* heading : {"UNTRACED VS 1 THREAD", "VS SEPARATE RUNS", "TRACED VS 1 THREAD", "VS SEPARATE RUNS"})
    table.column(heading);
  const auto ratio = [](double speed, double of) { return of > 0 ? times(speed / of) : std::string("–"); };
  for (const EngineSpeed& speed : measured.engine) {
    const EngineSpeed* one = speed.threads == 1 ? nullptr : find(measured.engine, speed.kernel, 1);
    table.row({speed.kernel, fmt::format("{}", speed.threads), with_separators(speed.lane_instructions),
               millions(speed.untraced_per_second), millions(speed.traced_per_second), with_separators(speed.events),
               fmt::format("{}", speed.runs), ratio(speed.untraced_per_second, one ? one->untraced_per_second : 0),
               ratio(speed.untraced_per_second, speed.untraced_apart_per_second),
               ratio(speed.traced_per_second, one ? one->traced_per_second : 0),
               ratio(speed.traced_per_second, speed.traced_apart_per_second)});
  }
  return table.text() +
         "M/s: million lane-instructions (PTX) per second of wall time, median run. Traced: every event recorded.\nVs "
         "separate runs: compared with as many single-threaded runs at the same time, each with its own buffers.\n";
}

std::string stages_table(const Figures& measured) {
  Table table;
  table.column("STAGE", Align::left);
  table.column("SPEED");
  table.column("UNIT", Align::left);
  table.column("OF", Align::left);
  for (const bench::StageSpeed& stage : measured.stages)
    table.row({stage.stage, number(stage.per_second, stage.per_second < 1000 ? 1 : 0), stage.unit, stage.of});
  return table.text();
}

std::string peers_table(const Figures& measured) {
  Table table;
  table.column("PEER", Align::left);
  table.column("KERNEL", Align::left);
  table.column("THREADS");
  table.column("M/s");
  table.column("LANESCOPE, UNTRACED");
  for (const PeerSpeed& peer : measured.peers) {
    const EngineSpeed* one = find(measured.engine, peer.kernel, 1);
    table.row({"oclgrind", peer.kernel, "1", millions(peer.per_second),
               one ? times(one->untraced_per_second / peer.per_second) : "–"});
  }
  return table.text() + "The peer's M/s: the PTX lane-instructions of the same work ÷ its own time for the launch.\n";
}

std::string as_text(const Figures& measured) {
  std::string out = fmt::format("Interpreter, {} code\n", sim::name_of(sim::isa())) + engine_table(measured) + "\n" +
                    stages_table(measured);
  if (!measured.peers.empty()) out += "\n" + peers_table(measured);
  return out;
}

std::string as_json(const Figures& measured, const Diagnostics& problems) {
  nlohmann::ordered_json json = job::document_head();
  json["instruction_set"] = sim::name_of(sim::isa());
  for (const char* key : {"engine", "stages", "peers"}) json[key] = nlohmann::ordered_json::array();
  for (const EngineSpeed& speed : measured.engine)
    json["engine"].push_back({{"kernel", speed.kernel},
                              {"threads", speed.threads},
                              {"lane_instructions", speed.lane_instructions},
                              {"untraced_per_second", speed.untraced_per_second},
                              {"traced_per_second", speed.traced_per_second},
                              {"untraced_apart_per_second", speed.untraced_apart_per_second},
                              {"traced_apart_per_second", speed.traced_apart_per_second},
                              {"events", speed.events},
                              {"runs", speed.runs}});
  for (const bench::StageSpeed& stage : measured.stages)
    json["stages"].push_back(
        {{"stage", stage.stage}, {"of", stage.of}, {"unit", stage.unit}, {"per_second", stage.per_second}});
  for (const PeerSpeed& peer : measured.peers)
    json["peers"].push_back({{"peer", "oclgrind"},
                             {"kernel", peer.kernel},
                             {"threads", 1},
                             {"lane_instructions", peer.lane_instructions},
                             {"per_second", peer.per_second}});
  json["diagnostics"] = job::diagnostics_json(problems);
  return job::dumped(json, true) + "\n";
}

}  // namespace

int bench(const BenchOptions& options) {
  Figures measured;
  const Diagnostics problems = measure(options, measured);
  print_diagnostics(problems);
  // What was measured before a failure is still shown.
  const bool any = options.json || !measured.engine.empty();
  const bool printed = !any || print(options.json ? as_json(measured, problems) : as_text(measured));
  const int code = exit_code(problems);
  return code ? code : printed ? 0 : 1;
}

}  // namespace lanescope::cli
