#include "cli/commands/runner.h"

#include <algorithm>
#include <charconv>
#include <future>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands/replays.h"
#include "cli/input/extents.h"
#include "cli/output/cures.h"
#include "cli/output/gpu_tables.h"
#include "cli/output/output.h"
#include "cli/output/pictures.h"
#include "cli/output/report.h"
#include "cli/output/waiting.h"
#include "core/os/program_name.h"
#include "core/os/replace_file.h"
#include "core/worded.h"
#include "job/report/json.h"
#include "job/run/schedules.h"
#include "job/witness/gpu_report.h"
#include "job/witness/gpu_stages.h"
#include "trace/trace.h"

namespace lanescope::cli {

namespace {

void append(Diagnostics& to, Diagnostics from) {
  for (Diagnostic& diagnostic : from) to.push_back(std::move(diagnostic));
}

// "1=result.bin": the argument's index from 0, and the file. Error: command.bad_write.
struct WriteBuffer {
  std::size_t argument = 0;
  std::string file;
};
Result<WriteBuffer> parse_write(const std::string& text) {
  WriteBuffer made;
  const std::size_t equals = text.find('=');
  const char* end = text.data() + std::min(equals, text.size());
  const auto parsed = std::from_chars(text.data(), end, made.argument);
  if (equals == std::string::npos || equals + 1 == text.size() || parsed.ec != std::errc{} || parsed.ptr != end)
    return Diagnostic{Severity::error,
                      "command.bad_write",
                      {},
                      worded("`--write {}` is not understood.", text),
                      "Write it like --write 1=result.bin. Arguments are numbered from 0."};
  made.file = text.substr(equals + 1);
  return made;
}

Diagnostics write_buffer(const job::Outcome& outcome, const WriteBuffer& wanted) {
  const bool there = wanted.argument < outcome.arguments.size() && outcome.arguments[wanted.argument].is_buffer;
  if (!there) {
    std::vector<Wording> buffers;
    for (std::size_t i = 0; i < outcome.arguments.size(); ++i)
      if (outcome.arguments[i].is_buffer) buffers.emplace_back(std::to_string(i));
    return {{Severity::error,
             "command.bad_write",
             {},
             worded("Argument {} is not a buffer.", wanted.argument),
             buffers.empty() ? Wording("None is. Arguments are numbered from 0.")
                             : worded("These are: {}. Arguments are numbered from 0, first those of the first launch.",
                                      joined(buffers, "{}, {}"))}};
  }
  const std::vector<std::byte>& bytes = outcome.arguments[wanted.argument].contents;
  if (const int reason = replace_file(wanted.file, {bytes})) return {cannot_write(wanted.file, reason)};
  return {};
}

// Saves and draws what the options request. A failure is added to the outcome's diagnostics. Returns messages for the
// user.
std::string write_files(job::Outcome& outcome, const trace::Trace& pictured, const RunnerOptions& options,
                        std::vector<std::string>& pictures) {
  std::string told;
  if (!options.save_file.empty()) {
    if (Result<std::monostate> saved = trace::save(outcome.first().trace, options.save_file); saved)
      told += fmt::format("trace: {} ({} show {})\n", options.save_file, program_name(), as_typed(options.save_file));
    else
      append(outcome.diagnostics, saved.take_errors());
  }
  for (const std::string& text : options.write_buffers) {
    const Result<WriteBuffer> wanted = parse_write(text);
    Diagnostics problems = wanted ? write_buffer(outcome, *wanted) : wanted.errors();
    if (problems.empty()) told += fmt::format("argument {}: {}\n", wanted->argument, wanted->file);
    append(outcome.diagnostics, std::move(problems));
  }
  if (!options.svg_folder.empty()) {
    Result<std::vector<std::string>> written =
        write_pictures(pictured, &pictured == &outcome.first().trace ? &outcome : nullptr, options.svg_folder,
                       diagram::language_of(options.language), options.sass ? &outcome : nullptr);
    if (!written)
      append(outcome.diagnostics, written.take_errors());
    else {
      pictures = std::move(*written);
      told += pictures_line(pictured, pictures.size(), options.svg_folder);
    }
  }
  return told;
}

}  // namespace

Diagnostics apply(const RunnerOptions& options, job::Request& request) {
  const bool sampled = options.blocks == "all" && !request.record.blocks.empty();
  if (!sampled) {  // a lesson at full size has already chosen its blocks
    Result<sim::Record> record = parse_blocks(options.blocks, request.first().shape.grid.count());
    if (!record) return record.take_errors();
    record->event_budget_bytes = request.record.event_budget_bytes;
    request.record = std::move(*record);
  }
  for (const std::string& text : options.write_buffers)
    if (Result<WriteBuffer> wanted = parse_write(text); !wanted) return wanted.take_errors();
  if (Diagnostics problems = check_replays(options); !problems.empty()) return problems;
  if (options.event_megabytes) request.record.event_budget_bytes = *options.event_megabytes << 20;
  if (options.max_steps != 0) request.max_steps = options.max_steps;  // a lesson has its own limit
  request.heap_bytes = options.heap_megabytes << 20;
  request.threads = options.threads;
  request.races = options.races || options.schedules != 0;
  return {};
}

namespace {

// No future where no architecture is known.
template <typename Work>
std::future<void> in_background(const std::string& arch, Work work) {
  return arch.empty() ? std::future<void>() : std::async(std::launch::async, std::move(work), arch);
}
void wait_until_ready(const std::future<void>& work) {
  if (work.valid()) work.wait();
}

}  // namespace

DeviceRun run_on_device(const job::Request& request, const lesson::Variant* variant, const RunnerOptions& options,
                        OpeningGpu& gpu) {
  sim::Progress progress;
  const auto interpreted = [&] {
    const Waiting waiting([&] {
      return progress.blocks_total == 0
                 ? worded("Compiling {}. Ctrl+C stops it.", request.source.name)
                 : worded("Interpreting {}. Ctrl+C stops it; --max-steps sets a limit.", request.first().kernel);
    });
    return job::run(request, variant, &progress);
  };
  // Kernels are compiled while the GPU is connected, if its architecture is known.
  const std::future<void> plain =
      in_background(gpu.likely_arch(), [&](const std::string& arch) { job::prepare_for_gpu(request, arch); });
  DeviceRun run{.outcome = interpreted(), .interpreted = {}, .gpu = {}};
  if (options.device == "cpu" || !run.outcome.completed) return run;
  wait_until_ready(plain);
  const std::future<void> witnesses =
      in_background(gpu.likely_arch(), [&](const std::string& arch) { job::prepare_witnesses(run.outcome, arch); });
  const Result<gpu::Session*> session = gpu.session();
  wait_until_ready(witnesses);
  job::GpuReportOptions how;
  how.run.timing.cache = *gpu::cache_state_from(options.l2);
  how.witnesses.lines = options.lines;
  Result<job::GpuReport> report =
      session ? job::run_with_witnesses(run.outcome, **session, how) : Result<job::GpuReport>(session.errors());
  if (!report) {
    run.outcome.completed = false;
    append(run.outcome.diagnostics, report.take_errors());
    return run;
  }
  job::Outcome on_gpu = job::on_gpu(run.outcome, *report, variant);
  run.interpreted = std::move(run.outcome.first().trace);
  run.outcome = std::move(on_gpu);
  run.gpu = std::move(*report);
  return run;
}

int refuse(const Diagnostics& problems, bool json, const job::Request& request) {
  print_diagnostics(problems, {{request.source.name, request.source.text}});
  if (json) {
    job::Outcome outcome;
    outcome.request = request;
    outcome.first().trace.kernel = request.first().kernel;
    outcome.first().trace.arch = request.arch;
    outcome.first().trace.compiler_name = "nvrtc";
    outcome.first().trace.launch = request.first().shape;
    outcome.diagnostics = with_options(problems);
    print(job::to_json(outcome) + "\n");
  }
  return exit_code(problems);
}

int run_and_print(const job::Request& request, const lesson::Variant* variant, const RunnerOptions& options, bool check,
                  const std::string& title, const Addition& addition) {
  // Checked before long work: a machine without a GPU reports it at once.
  if (const Diagnostics none = no_gpu(options.device); !none.empty()) return refuse(none, options.json, request);
  OpeningGpu gpu(options.device, options.gpu);
  DeviceRun run = run_on_device(request, variant, options, gpu);
  job::Outcome& outcome = run.outcome;
  outcome.diagnostics.insert(outcome.diagnostics.begin(), addition.notes.begin(), addition.notes.end());
  outcome.diagnostics = with_options(std::move(outcome.diagnostics));
  std::string told;
  std::vector<std::string> pictures;
  const bool something_ran = !outcome.first().trace.sites.empty();
  Replays replays;
  if (something_ran) replays = replay(outcome, options);
  if (something_ran) told = write_files(outcome, run.pictured(), options, pictures);
  print_diagnostics(outcome.diagnostics, texts_of(outcome));
  std::optional<job::ScheduleReport> schedules;
  if (options.schedules != 0 && something_ran) schedules = job::run_schedules(request, variant, options.schedules);
  bool printed = true;
  if (options.json) {
    nlohmann::ordered_json json = job::outcome_json(outcome);
    if (schedules) json["schedules"] = job::schedules_json(*schedules);
    json["pictures"] = {{"folder", options.svg_folder}, {"files", pictures}};
    if (run.gpu) json["gpu"] = job::gpu_json(*run.gpu);
    if (addition.json) addition.json(outcome, json);
    if (!replays.json.is_null()) json.update(replays.json);
    printed = print(job::dumped(json, true) + "\n");
  } else if (something_ran) {
    printed = print(title + report(outcome, options.nsight) + (addition.text ? addition.text(outcome) : "") +
                    (run.gpu ? "\n" + gpu_section(*run.gpu) : "") + (schedules ? schedules_text(*schedules) : "") +
                    replays.text + told);
  }
  if (const int code = exit_code(outcome.diagnostics)) return code;
  if (!printed) return 1;
  if (outcome.race_found() || (schedules && schedules->race_found())) return 1;
  return check && !outcome.checks_hold() ? 1 : 0;
}

}  // namespace lanescope::cli
