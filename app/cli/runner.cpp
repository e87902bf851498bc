#include "cli/runner.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/extents.h"
#include "cli/output.h"
#include "cli/pictures.h"
#include "cli/report.h"
#include "job/json.h"
#include "trace/trace.h"

namespace lanescope::cli {

namespace {

void append(Diagnostics& to, Diagnostics from) {
  for (Diagnostic& diagnostic : from) to.push_back(std::move(diagnostic));
}

// Saves and draws what was asked for; a failure joins the outcome's diagnostics. Returns what to tell the user.
std::string write_files(job::Outcome& outcome, const RunnerOptions& options, std::vector<std::string>& pictures) {
  std::string told;
  if (!options.save_file.empty()) {
    if (Result<std::monostate> saved = trace::save(outcome.trace, options.save_file); saved)
      told += fmt::format("trace: {} (lanescope show {})\n", options.save_file, options.save_file);
    else
      append(outcome.diagnostics, saved.take_errors());
  }
  if (!options.svg_folder.empty()) {
    Result<std::vector<std::string>> written = write_pictures(outcome.trace, options.svg_folder);
    if (!written) append(outcome.diagnostics, written.take_errors());
    else {
      pictures = std::move(*written);
      told += fmt::format("pictures: {} SVG files in {}\n", pictures.size(), options.svg_folder);
    }
  }
  return told;
}

}  // namespace

Diagnostics apply(const RunnerOptions& options, job::Request& request) {
  if (options.device == "gpu")
    return {{Severity::error, "gpu.not_built", {}, "This version runs kernels in its interpreter only.",
             "Leave out --device gpu."}};
  const bool sampled = options.blocks == "all" && !request.record.blocks.empty();
  if (!sampled) {  // a lesson at full size has chosen its blocks already
    Result<sim::Record> record = parse_blocks(options.blocks, request.launch.grid.count());
    if (!record) return record.take_errors();
    request.record = std::move(*record);
  }
  request.record.event_budget_bytes = options.event_megabytes << 20;
  request.max_steps = options.max_steps;
  request.threads = options.threads;
  return {};
}

int refuse(const Diagnostics& problems, bool json, const job::Request& request) {
  print_diagnostics(problems, {{request.source.name, request.source.text}});
  if (json) {
    job::Outcome outcome;
    outcome.request = request;
    outcome.trace.kernel = request.kernel;
    outcome.trace.arch = request.arch;
    outcome.trace.compiler_name = "nvrtc";
    outcome.trace.launch = request.launch;
    outcome.diagnostics = problems;
    print(job::to_json(outcome) + "\n");
  }
  return exit_code(problems);
}

int run_and_print(const job::Request& request, const lesson::Variant* variant, const RunnerOptions& options, bool check,
                  const std::string& title) {
  job::Outcome outcome = job::run(request, variant);
  std::string told;
  std::vector<std::string> pictures;
  const bool something_ran = !outcome.trace.sites.empty();
  if (something_ran) told = write_files(outcome, options, pictures);
  print_diagnostics(outcome.diagnostics, texts_of(outcome));
  bool printed = true;
  if (options.json) {
    nlohmann::ordered_json json = job::outcome_json(outcome);
    json["pictures"] = {{"folder", options.svg_folder}, {"files", pictures}};
    printed = print(job::dumped(json, true) + "\n");
  } else if (something_ran) {
    printed = print(title + report(outcome, options.nsight) + told);
  }
  if (const int code = exit_code(outcome.diagnostics)) return code;
  if (!printed) return 1;
  return check && !outcome.checks_hold() ? 1 : 0;
}

}  // namespace lanescope::cli
