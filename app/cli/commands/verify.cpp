// lanescope verify LESSON | FILE.cu | FILE.lanescope | --calibrate

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/commands/gpu_session.h"
#include "cli/commands/runner.h"
#include "cli/input/lessons.h"
#include "cli/output/gpu_tables.h"
#include "cli/output/output.h"
#include "compile/source.h"
#include "core/worded.h"
#include "device/saved_run_reader.h"
#include "job/lesson/lesson_request.h"
#include "job/report/json.h"
#include "job/request/directives.h"
#include "job/run/kept.h"
#include "job/witness/gpu_report.h"

namespace lanescope::cli {

namespace {

struct Target {
  std::string group, title;  // "coalescing", "stride"
  job::Request request;
  // For a saved run: the launch, which is read when it is needed.
  std::shared_ptr<const device::SavedRun> saved;
  std::size_t launch = 0;
};

Result<std::vector<Target>> lesson_targets(const std::string& id) {
  Result<lesson::Lesson> lesson = find_lesson(id);
  if (!lesson) return lesson.take_errors();
  std::vector<Target> targets;
  for (const lesson::Variant& variant : lesson->variants) {
    if (variant.gpu_only || variant.broken_on_purpose) continue;
    Result<job::Request> request = job::from_lesson(*lesson, variant, {});
    if (!request) return request.take_errors();
    targets.push_back({lesson->id, variant.id, std::move(*request), nullptr});
  }
  return targets;
}

Result<std::vector<Target>> file_targets(const std::string& path, const VerifyOptions& options) {
  Result<std::string> text = read_text_file(path);
  if (!text) return text.take_errors();
  const std::filesystem::path file(path);
  Result<std::vector<job::DirectedRun>> runs =
      job::directed_runs(job::source_of_file(path, std::move(*text), options.include_paths, options.defines));
  if (!runs) return runs.take_errors();
  std::vector<Target> targets;
  for (job::DirectedRun& run : *runs) {
    run.request.races_if_small = true;  // they explain a result that differs
    targets.push_back({file.stem().generic_string(), run.request.first().kernel, std::move(run.request), nullptr});
  }
  return targets;
}

// The first launch of each kernel and shape.
Result<std::vector<Target>> saved_targets(const std::string& path) {
  Result<std::shared_ptr<const device::SavedRun>> run = device::SavedRun::open(path);
  if (!run) return run.take_errors();
  std::vector<Target> targets;
  const std::vector<device::LaunchEntry>& launches = (*run)->launches();
  for (const std::size_t i : (*run)->first_of_each_shape()) {
    Target& target = targets.emplace_back();
    target.group = std::filesystem::path(path).stem().generic_string();
    target.title = fmt::format("launch {}, {}", launches[i].number, launches[i].kernel);
    target.saved = *run;
    target.launch = i;
  }
  return targets;
}

Result<std::vector<Target>> targets_of(const std::string& name, const VerifyOptions& options) {
  if (name.ends_with(".cu")) return file_targets(name, options);
  if (device::is_saved_run(name)) return saved_targets(name);
  return lesson_targets(name);
}

Result<std::vector<Target>> all_targets(const VerifyOptions& options) {
  std::vector<std::string> names = options.targets;
  if (options.calibrate) {
    const std::filesystem::path folder =
        std::filesystem::path(lessons_folder()).parent_path() / "kernels" / "calibration";
    std::error_code ignored;
    std::vector<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
      if (entry.path().extension() == ".cu") files.push_back(entry.path().generic_string());
    std::sort(files.begin(), files.end());
    names.insert(names.end(), files.begin(), files.end());
  }
  std::vector<Target> targets;
  for (const std::string& name : names) {
    Result<std::vector<Target>> some = targets_of(name, options);
    if (!some) return some.take_errors();
    for (Target& target : *some) targets.push_back(std::move(target));
  }
  return targets;
}

Result<job::Request> request_of(const Target& target) {
  if (target.saved == nullptr) return target.request;
  Result<std::shared_ptr<const device::KeptLaunch>> launch = target.saved->launch(target.launch);
  if (!launch) return launch.take_errors();
  job::Request request = job::request_of(std::move(*launch));
  request.record.events = true;
  request.races_if_small = true;
  return request;
}

Result<std::vector<job::Agreement>> agreements_of(const Target& target, gpu::Session& session, bool lines) {
  Result<job::Request> request = request_of(target);
  if (!request) return request.take_errors();
  const job::Outcome interpreted = job::run(*request);
  if (!interpreted.completed) return interpreted.diagnostics;
  job::VerifyOptions how;
  how.lines = lines;
  return job::verify(interpreted, session, how);
}

nlohmann::ordered_json json_of(const Target& target, const job::Agreement& agreement) {
  nlohmann::ordered_json json{{"group", target.group}, {"kernel", target.title}};
  json.update(job::agreement_json(agreement));
  json["registers"] = agreement.attributes.registers;
  json["occupancy"] = agreement.attributes.occupancy;
  return json;
}

// A reason why a witness gives no value is reported once, or per kernel if it lies in the kernel.
void remark(Diagnostics& silent, const Target& target, const job::Agreement& agreement) {
  for (Diagnostic one : agreement.diagnostics) {
    const bool of_kernel = cure_of_events_not_kept(one) || one.severity == Severity::error;
    const auto is_same = [&](const Diagnostic& said) { return said.code == one.code && said.message == one.message; };
    if (!of_kernel && std::ranges::any_of(silent, is_same)) continue;
    if (of_kernel) {
      one.place.file = target.saved != nullptr ? target.saved->path() : target.request.source.name;
      one.message = worded("{}: {}", target.title, one.message);
    }
    silent.push_back(std::move(one));
  }
}

}  // namespace

int verify(const VerifyOptions& options) {
  Result<std::vector<Target>> targets = all_targets(options);
  if (!targets) return refuse(targets.errors(), options.json);
  if (targets->empty())
    return refuse({{Severity::error,
                    "command.usage",
                    {},
                    "There is nothing to verify.",
                    "Name a lesson or a .cu file, or use --calibrate."}},
                  options.json);
  Result<std::unique_ptr<gpu::Session>> session = open_gpu(options.device, options.gpu);
  if (!session) return refuse(session.errors(), options.json);

  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  int rows = 0, equal = 0, explained = 0, unexplained = 0, failed = 0;
  Diagnostics silent, problems;
  for (const Target& target : *targets) {
    Result<std::vector<job::Agreement>> agreements = agreements_of(target, **session, options.lines);
    if (!agreements) {
      ++failed;
      if (!options.json && !print(fmt::format("\n{}: {}\n", target.group, target.title))) return 1;
      Diagnostics errors = agreements.take_errors();
      if (options.json)  // which has no title above them
        for (Diagnostic& one : errors) one.message = worded("{}: {}", target.title, one.message);
      print_diagnostics(errors);
      problems.insert(problems.end(), errors.begin(), errors.end());
      continue;
    }
    std::string text = fmt::format("\n{}: {}\n", target.group, target.title);
    if (const std::size_t launched = target.request.launches.size(); agreements->size() < launched)
      text +=
          fmt::format("Of {} launches {} are compared: the first, the first of each kernel and shape, and the last.\n",
                      launched, agreements->size());
    for (const job::Agreement& agreement : *agreements) {
      for (const job::AgreementRow& row : agreement.rows) {
        ++rows;
        equal += row.agreed == job::Agreed::equal;
        explained += row.agreed == job::Agreed::explained;
        unexplained += row.agreed == job::Agreed::unexplained;
      }
      remark(silent, target, agreement);
      if (options.json) json.push_back(json_of(target, agreement));
      text += agreement_table(agreement);
    }
    if (!options.json && !print(text)) return 1;
  }
  const gpu::Device& device = (*session)->device();
  if (options.json) {
    problems.insert(problems.end(), silent.begin(), silent.end());
    nlohmann::ordered_json whole = job::document_head();
    whole.update({{"device", device.name},
                  {"driver", device.kernel_driver_version},
                  {"kernels", json},
                  {"numbers", rows},
                  {"equal", equal},
                  {"explained", explained},
                  {"unexplained", unexplained},
                  {"failed", failed}});
    whole["diagnostics"] = job::diagnostics_json(problems);
    if (!print(job::dumped(whole, true) + "\n")) return 1;
  } else if (!print(
                 fmt::format("\n{}, driver {}: {} numbers, {} equal, {} explained, {} unexplained; {} kernels failed\n",
                             device.name, device.kernel_driver_version, rows, equal, explained, unexplained, failed))) {
    return 1;
  }
  print_diagnostics(silent);
  return unexplained > 0 || failed > 0 ? 1 : 0;
}

}  // namespace lanescope::cli
