// lanescope open FILE: shows the launches of a program that `exec --save` saved, or runs a program and shows its.

#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands/commands.h"
#include "cli/commands/exec.h"
#include "cli/commands/open_kernels.h"
#include "cli/commands/runner.h"
#include "cli/input/lessons.h"
#include "cli/output/output.h"
#include "cli/output/table.h"
#include "compile/host/source_scan.h"
#include "compile/nvcc/nvcc.h"
#include "core/absolute_path.h"
#include "core/os/abilities.h"
#include "core/os/environment.h"
#include "core/os/own_path.h"
#include "core/os/program_name.h"
#include "core/worded.h"
#include "device/program_file.h"
#include "device/saved_run_reader.h"
#include "gpu/worker.h"
#include "job/report/json.h"
#include "job/run/kept.h"

namespace lanescope::cli {
namespace {

using device::LaunchEntry;
using device::SavedRun;

std::string shape_text(const Dim3& size) {
  if (size.z != 1) return fmt::format("{}×{}×{}", size.x, size.y, size.z);
  if (size.y != 1) return fmt::format("{}×{}", size.x, size.y);
  return std::to_string(size.x);
}

std::string place_text(const LaunchEntry& entry) {
  if (entry.line == 0) return {};
  return fmt::format("{}:{}", std::filesystem::path(entry.source_file).filename().generic_string(), entry.line);
}

std::string table_of(const SavedRun& run) {
  Table table;
  table.column("LAUNCH");
  table.column("KERNEL", Align::left);
  for (const char* title : {"GRID", "BLOCK", "SHARED"}) table.column(title);
  table.column("LINE", Align::left);
  for (const LaunchEntry& one : run.launches()) {
    const std::uint32_t shared = one.launch.dynamic_shared_bytes;
    table.row({std::to_string(one.number), one.kernel, shape_text(one.launch.grid), shape_text(one.launch.block),
               shared == 0 ? "" : std::to_string(shared), place_text(one)});
  }
  return table.empty() ? "" : table.text();
}

std::string json_of(const SavedRun& run) {
  nlohmann::ordered_json json = job::document_head();
  json["file"] = run.path();
  json["launches"] = nlohmann::ordered_json::array();
  for (const LaunchEntry& one : run.launches())
    json["launches"].push_back({{"number", one.number},
                                {"kernel", one.kernel},
                                {"grid", {one.launch.grid.x, one.launch.grid.y, one.launch.grid.z}},
                                {"block", {one.launch.block.x, one.launch.block.y, one.launch.block.z}},
                                {"dynamic_shared_bytes", one.launch.dynamic_shared_bytes},
                                {"cooperative", one.launch.cooperative},
                                {"file", one.source_file},
                                {"line", one.line}});
  json["diagnostics"] = job::diagnostics_json(run.remarks());
  return job::dumped(json, true) + "\n";
}

int list_launches(const SavedRun& run, bool json) {
  print_diagnostics(run.remarks());
  return print(json ? json_of(run) : table_of(run)) ? 0 : 1;
}

Diagnostics no_such_launch(const SavedRun& run, std::uint64_t number) {
  return {{Severity::error,
           "saved_run.no_such_launch",
           {run.path()},
           worded("The saved run has no launch {}.", number),
           run.launches().empty() ? Wording("Run the program again; --launches and --kernels choose what is saved.")
                                  : worded("Choose one that `{} open {}` lists; the first is {}.", program_name(),
                                           as_typed(run.path()), run.launches().front().number)}};
}

int show_launch(const SavedRun& run, const OpenOptions& options) {
  const bool json = options.runner.json;
  const std::optional<std::size_t> index = run.find(*options.launch);
  if (!index) return refuse(no_such_launch(run, *options.launch), json);
  Result<std::shared_ptr<const device::KeptLaunch>> launch = run.launch(*index);
  if (!launch) return refuse(launch.errors(), json);
  job::Request request = job::request_of(std::move(*launch));
  request.races_if_small = true;
  if (const Diagnostics problems = apply(options.runner, request); !problems.empty())
    return refuse(problems, json, request);
  Addition addition;
  addition.notes = run.remarks();
  return run_and_print(request, nullptr, options.runner, false, "", addition);
}

bool runs_as_program(const std::string& file) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored) || device::is_saved_run(file)) return false;
  if (file.ends_with(".cu") || file.ends_with(".py")) return true;
  const Result<device::ProgramFile> found = device::look_at_program(file);
  return found.ok() && (found->is_elf || found->is_script);
}

// Runs the program and saves its launches in `file`. Returns its exit code.
int open_program(const OpenOptions& options, const std::string& file) {
  ProgramOptions program;
  program.command = {options.file};
  if (options.file.ends_with(".py")) program.command.insert(program.command.begin(), "python3");
  program.command.insert(program.command.end(), options.arguments.begin(), options.arguments.end());
  program.include_paths = options.include_paths;
  program.defines = options.defines;
  program.save_file = file;
  program.tell_of_saved = false;
  return exec(program);
}

// For a program that was not run: its kernels can be run without it.
void list_kernels_of_program(const OpenOptions& options) {
  const Result<std::string> text = read_text_file(options.file);
  if (!options.list || !options.file.ends_with(".cu") || !text || compile::scan_kernels(*text).empty()) return;
  print_diagnostics({{Severity::note,
                      "command.kernels_alone",
                      {options.file},
                      "The program was not run. Each of its kernels can be run alone, by the command below.",
                      ""}});
  list_kernels(options);
}

// What a program prints would stand between the lines of the JSON.
Diagnostic saved_first(const std::string& file) {
  return {Severity::error,
          "command.not_saved",
          {file},
          "Launches are listed as JSON from a saved run, and this is a program.",
          worded("`{} exec --save FILE {}`, then `{} open FILE --list --json`.", program_name(), as_typed(file),
                 program_name())};
}

// Opens the window on a file that replaces the lessons, and returns the exit code; nullopt if there is no display. A
// program runs in the current folder, as in a terminal.
#if LANESCOPE_HAS_GUI
// As the window takes a program's arguments.
std::string typed_arguments(const std::vector<std::string>& arguments) {
  std::string typed;
  for (const std::string& one : arguments) typed += (typed.empty() ? "" : " ") + as_typed(one);
  return typed;
}

std::optional<int> show_window(const OpenOptions& options) {
  if (display_name().empty()) return std::nullopt;
  if (const Diagnostics missing = missing_lessons(); !missing.empty()) return refuse(missing, false);
  gui::Options window;
  window.lessons_folder = lessons_folder();
  window.gpus = gui::gpus_in_worker(gpu::own_worker_command());
  if (can_stand_in_for_cuda()) window.own_program = own_program();
  window.run = options.file;
  window.run_arguments = typed_arguments(options.arguments);
  for (const std::string& folder : options.include_paths) window.include_paths.push_back(absolute_path(folder));
  window.defines = options.defines;
  std::error_code failed;
  window.run_folder = std::filesystem::current_path(failed).generic_string();
  const Result<std::monostate> shown = gui::run_window(window);
  if (shown) return 0;
  if (shown.errors().front().code != "window.no_display") return refuse(shown.errors(), false);
  print_diagnostics(shown.errors());
  return std::nullopt;
}
#else
std::optional<int> show_window(const OpenOptions&) {
  return std::nullopt;
}
#endif

}  // namespace

int open(const OpenOptions& options) {
  const bool window = !options.list && !options.runner.json;
  if (!options.launch && is_kernel_file(options.file)) {
    const std::optional<int> shown = window ? show_window(options) : std::nullopt;
    return shown ? *shown : list_kernels(options);
  }
  std::string file = options.file;
  std::unique_ptr<compile::ScratchFolder> folder;  // of a run that is kept for as long as it is listed
  if (!options.launch && !options.runner.json && runs_as_program(file)) {
    if (const std::optional<int> shown = window ? show_window(options) : std::nullopt) return *shown;
    folder = std::make_unique<compile::ScratchFolder>();
    file = (folder->path() / std::filesystem::path(file).filename()).generic_string();
    const int code = open_program(options, file);
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored)) {  // `exec` has said why
      list_kernels_of_program(options);
      return code != 0 ? code : 1;
    }
  }
  if (!options.launch && options.runner.json && runs_as_program(file)) return refuse({saved_first(file)}, true);
  const Result<std::shared_ptr<const SavedRun>> run = SavedRun::open(file);
  if (!run) return refuse(run.errors(), options.runner.json);
  if (options.launch) return show_launch(**run, options);
  if (const std::optional<int> shown = window && folder == nullptr ? show_window(options) : std::nullopt) return *shown;
  return list_launches(**run, options.runner.json);
}

}  // namespace lanescope::cli
