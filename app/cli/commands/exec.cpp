// lanescope exec: runs a CUDA program with the libraries of engine/device in place of NVIDIA's, and reports what it
// did.

#include <algorithm>
#include <deque>
#include <filesystem>
#include <fstream>
#include <optional>
#include <regex>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands/exec.h"
#include "cli/commands/exec_on_gpu.h"
#include "cli/commands/gpu_session.h"
#include "cli/commands/open_kernels.h"
#include "cli/output/exec_report.h"
#include "cli/output/long_launches.h"
#include "cli/output/output.h"
#include "compile/nvcc/nvcc.h"
#include "core/architecture.h"
#include "core/os/abilities.h"
#include "core/os/environment.h"
#include "core/os/files.h"
#include "core/os/foreground.h"
#include "core/os/message_codec.h"
#include "core/os/own_path.h"
#include "core/os/program_name.h"
#include "core/os/replace_file.h"
#include "core/os/system_error.h"
#include "core/text.h"
#include "core/worded.h"
#include "device/exec_options.h"
#include "device/program_file.h"
#include "device/saved_run_reader.h"
#include "job/report/json.h"
#include "job/request/launch_completion.h"

namespace lanescope::cli {
namespace fs = std::filesystem;
namespace {

Diagnostic exec_error(std::string code, SourcePlace place, Wording message, Wording cure) {
  return {Severity::error, std::move(code), std::move(place), std::move(message), std::move(cure)};
}

// The libraries are beside this program in a build, and below ../lib in an installation.
Result<fs::path> libraries_folder() {
  if (!can_stand_in_for_cuda())
    return exec_error("toolchain.no_device", {}, "Whole programs do not run here on this operating system.",
                      "Use Lanescope on Linux or in WSL2 for that; `trace` runs a kernel of your own.");
  const fs::path beside = own_path().parent_path();
  std::error_code ignored;
  for (const fs::path& folder : {beside / "exec", beside / "../lib/lanescope/exec"})
    if (fs::exists(folder / "libcudart.so.13", ignored)) return fs::canonical(folder, ignored);
  return exec_error("toolchain.no_device", {}, "The libraries that programs run on here are not beside this program.",
                    compile::how_to_get({"lanescope"}, "Build them: ninja lanescope_exec in the build folder."));
}

// Finds a program as a shell does, and also in the current folder.
std::string program_path(const std::string& name) {
  std::error_code ignored;
  if (is_path(name)) return name;
  if (const std::string file = path_of_program(name); !file.empty()) return file;
  return fs::exists(name, ignored) ? "./" + name : name;
}

Result<ProcessEnd> start_and_wait(const std::vector<std::string>& command) {
  ProcessEnd end;
  if (const int failed = run_in_foreground(command, end); failed != 0)
    return exec_error("program.cannot_start", {command.front()},
                      worded("The program cannot be started: {}.", system_error(failed)),
                      "Name a program, or a script that begins with #! and its interpreter.");
  return end;
}

// As a shell tells it.
int exit_code_of(const ProcessEnd& end) {
  return end.signal != 0 ? 128 + end.signal : end.exit_status;
}

Diagnostic ended_while_built(int signal, const std::string& file) {
  return exec_error("program.not_started", {file},
                    worded("Signal {} ({}) came while nvcc built the program, so the program was not started.", signal,
                           described_signal(signal)),
                    "Start it again.");
}

Diagnostics wrong_options(const ProgramOptions& options) {
  Diagnostics wrong;
  try {
    const std::regex kernels(options.kernels);
  } catch (const std::regex_error&) {
    wrong.push_back(exec_error("command.bad_kernels", {},
                               worded("`--kernels {}` is not a regular expression.", options.kernels),
                               "Write it like --kernels 'add|mul'; put a backslash before ( ) [ ] * + ?."));
  }
  if (!device::is_launch_list(options.launches))
    wrong.push_back(exec_error("command.bad_launches", {},
                               worded("`--launches {}` is not understood.", options.launches),
                               "Write it like --launches 3-5 or --launches 1,4-; the first launch is 1."));
  if (compile::architecture_number(options.arch) < oldest_of_cuda_13)
    wrong.push_back(exec_error("command.bad_arch", {},
                               worded("`--arch {}` is not an architecture that CUDA 13 builds for.", options.arch),
                               "Write it like --arch sm_90; sm_75 is the oldest."));
  if (options.command.empty() || options.command.front().starts_with('-'))
    wrong.push_back(exec_error("command.usage", {},
                               options.command.empty() ? Wording("A program is missing.")
                                                       : worded("There is no option `{}`.", options.command.front()),
                               "Write it like `exec FILE.cu` or `exec PROGRAM ARGUMENT…`, options of exec first."));
  return wrong;
}

// The value of `variable`, a list of paths, with `folder` ahead.
std::string with_folder_ahead(const char* variable, const fs::path& folder) {
  const std::string others = value_of_variable(variable).value_or("");
  return folder.generic_string() + (others.empty() ? "" : ":" + others);
}

// While this object lives, started programs find the imitated device's libraries first and, if there is an nvcc, one
// that makes PTX instead of machine code (nvcc.sh).
class ProgramEnvironment {
 public:
  ProgramEnvironment(const fs::path& libraries, const device::ExecOptions& options)
      : libraries_("LD_LIBRARY_PATH", with_folder_ahead("LD_LIBRARY_PATH", libraries)) {
    set_variable(device::exec_variable, device::to_environment(options));
    std::error_code ignored;
    // For programs that contain NVIDIA's runtime (device/api/inside/redirect.cpp).
    if (const fs::path inside = libraries / "liblanescope-inside.so"; fs::exists(inside, ignored))
      inside_.emplace("LD_AUDIT", with_folder_ahead("LD_AUDIT", inside));
    // CuPy and Triton compile to machine code unless they are told this.
    set_unless_set("CUPY_COMPILE_WITH_PTX", "1");
    if (const fs::path ptxas = libraries / "triton/ptxas"; fs::exists(ptxas, ignored))
      for (const char* name : {"TRITON_PTXAS_PATH", "TRITON_PTXAS_BLACKWELL_PATH"})
        set_unless_set(name, ptxas.generic_string());
    // A program under `exec` may start `exec`: the nvcc that is ahead by then is ours.
    const std::optional<std::string> known = value_of_variable(nvcc_variable);
    const std::string nvcc = known ? *known : compile::locate_program(compile::SearchPlaces::of_this_process(), "nvcc");
    if (nvcc.empty()) return;
    set_variable(nvcc_variable, nvcc);
    programs_.emplace("PATH", with_folder_ahead("PATH", libraries / "bin"));
  }
  ~ProgramEnvironment() {
    unset_variable(device::exec_variable);
    unset_variable(nvcc_variable);
  }
  ProgramEnvironment(const ProgramEnvironment&) = delete;
  ProgramEnvironment& operator=(const ProgramEnvironment&) = delete;

 private:
  void set_unless_set(const char* name, const std::string& value) {
    if (!value_of_variable(name)) of_packages_.emplace_back(name, value);
  }

  static constexpr const char* nvcc_variable = "LANESCOPE_NVCC";
  ScopedVariable libraries_;
  std::optional<ScopedVariable> inside_;
  std::deque<ScopedVariable> of_packages_;
  std::optional<ScopedVariable> programs_;
};

Diagnostics about_the_end(const ProcessEnd& ended, const ProgramReport& report, const device::ProgramFile& file,
                          const std::string& path) {
  Diagnostics said;
  if (ended.signal != 0)
    said.push_back({is_asked_for(ended.signal) ? Severity::note : Severity::error,
                    "program.ended_by_signal",
                    {path},
                    worded("The program was ended by signal {} ({}); what it did up to there is told here",
                           ended.signal, Wording(described_signal(ended.signal))),
                    is_asked_for(ended.signal) ? Wording()
                    : comes_from_outside(ended.signal)
                        ? Wording("A user ended it, or the system by a limit or for lack of memory (see `dmesg`).")
                        : Wording("Look for the mistake in the code of the host, with a debugger.")});
  else if (report.launches == 0 && report.said.empty())
    said.push_back(device::why_nothing_was_launched(file, path));
  return said;
}

// Creates an empty file. Refuses to replace an existing file that is not an earlier saved run.
Diagnostics make_save_file(const std::string& file) {
  std::error_code failed;
  if (fs::exists(file, failed) && !(fs::is_regular_file(file, failed) && fs::is_empty(file, failed)) &&
      !device::is_saved_run(file))
    return {exec_error("program.file_is_used", {file}, "The file to save launches in exists, and is not a saved run.",
                       "Name a new file.")};
  Descriptor made;
  if (const int reason = open_to_write(file, made)) return {cannot_write(file, reason)};
  return {};
}

// The name after --json may be the program's, where somebody took --json for an option without a value: a file that
// holds something else is not replaced.
Diagnostics check_json_file(const std::string& file) {
  std::error_code failed;
  if (file.empty() || !fs::is_regular_file(file, failed) || fs::is_empty(file, failed)) return {};
  char first = 0;
  std::ifstream(file) >> first;
  if (first == '{') return {};
  return {exec_error("program.file_is_used", {file}, "The file to write JSON into exists, and is not JSON.",
                     "Name a new file after --json, and the program after that: --json report.json PROGRAM.")};
}

// Removes a file without launches; false if it has some.
bool remove_if_empty(const std::string& file) {
  std::error_code ignored;
  const bool empty = fs::is_empty(file, ignored);
  if (empty) fs::remove(file, ignored);
  return empty;
}

// Tells how many launches the file has and how to look at them.
void tell_of_saved(const std::string& file) {
  const Result<std::shared_ptr<const device::SavedRun>> run = device::SavedRun::open(file);
  if (!run) return print_diagnostics(run.errors());
  fmt::print(stderr, "\n{}\n",
             told(worded("Launches saved in {}: {}. To look at them: `{} open {}`", file, (*run)->launches().size(),
                         program_name(), as_typed(file))));
}

void add_all(Diagnostics& to, const Diagnostics& more) {
  to.insert(to.end(), more.begin(), more.end());
}

// A file without main() may have kernels, which run without it.
Diagnostics with_command_of_kernel(Diagnostics errors, const std::string& file) {
  const auto no_main = std::ranges::find(errors, "compile.no_main", &Diagnostic::code);
  if (no_main != errors.end()) no_main->cure = how_to_run_kernels(file);
  return errors;
}

// Prints them, unless the window shows them. Returns the exit code.
int refuse_program(const Diagnostics& errors, const compile::ProgramSource& source, const ProgramOptions& options,
                   Diagnostics& all) {
  add_all(all, errors);
  if (!options.said_file.empty()) return exit_code(errors);
  std::string text;
  if (Result<std::string> read = read_text_file(source.file); read.ok() && source.file.ends_with(".cu")) text = *read;
  print_diagnostics(errors, {{source.file, text}});
  return exit_code(errors);
}

// Prints the report to standard error, unless the window shows it, and writes the --json file. `code`: the program's
// exit code. Returns that of `exec`: the same, or 1 if that is 0 although there is an error.
int tell(const ProgramOptions& options, const ProgramReport& report, const SavedOnGpu& on_gpu, const Diagnostics& end,
         int code, Diagnostics& all) {
  Diagnostics said = said_of(report);
  for (const Diagnostics& more : {on_gpu.said, about_races(report), end}) add_all(said, more);
  add_all(all, said);
  if (options.said_file.empty()) {
    if (const std::string table = program_table(report); !table.empty()) fmt::print(stderr, "\n{}", table);
    if (!on_gpu.text.empty()) fmt::print(stderr, "\n{}", on_gpu.text);
    if (!said.empty()) fmt::print(stderr, "\n");
    print_diagnostics(said);
  }
  const int own = code == 0 && has_error(said) ? 1 : code;
  if (options.json_file.empty()) return own;
  nlohmann::ordered_json json = program_json(report);
  json["exit_code"] = code;
  if (!on_gpu.json.is_null()) json["gpu"] = on_gpu.json;
  json["diagnostics"] = job::diagnostics_json(said);
  if (const int failed = replace_file(options.json_file, job::dumped(json, true) + "\n"); failed != 0) {
    print_diagnostics({cannot_write(options.json_file, failed)});
    return own != 0 ? own : 1;
  }
  return own;
}

// `all`: everything that is told, printed or not.
int run_and_tell(const ProgramOptions& options, Diagnostics& all) {
  compile::ProgramSource source;
  const auto refuse = [&](const Diagnostics& errors) { return refuse_program(errors, source, options, all); };
  if (const Diagnostics wrong = wrong_options(options); !wrong.empty()) return refuse(wrong);
  const Result<fs::path> libraries = libraries_folder();
  if (!libraries) return refuse(libraries.errors());
  hand_signals_on();
  std::vector<std::string> command = options.command;
  if (command.size() > 1 && command[1] == "--") command.erase(command.begin() + 1);
  if (!options.behind_file.empty())
    refuse({{Severity::warning,
             "command.option_behind_file",
             {},
             worded("`{}` stands behind `{}`, so the program gets it.", fmt::join(options.behind_file, " "),
                    options.command.front()),
             "Put it before the file. If it is for the program, put -- between the file and its arguments."}});

  source = {.file = command.front(),
            .arch = options.arch,
            .include_paths = options.include_paths,
            .defines = options.defines,
            .standard = options.standard,
            .further = options.nvcc_options,
            .runtime_folder = libraries->string(),
            .stop = [] { return signal_that_came() != 0; }};
  std::unique_ptr<compile::ScratchFolder> folder;
  if (command.front().ends_with(".cu")) {
    Result<compile::BuiltProgram> built = compile::build_program(source);
    // The window looks for the folders itself: it keeps them.
    if (!built && options.said_file.empty()) {
      const auto built_with = [&](const std::vector<std::string>& found) {
        if (!found.empty()) {
          source.include_paths.push_back(found.back());
          built = compile::build_program(source);
        }
        return built ? Diagnostics() : built.errors();
      };
      for (const std::string& found : job::folders_of_headers(source.file, source.include_paths, built_with))
        refuse({job::note_of_headers(source.file, found)});
    }
    if (const int signal = signal_that_came(); signal != 0) {
      if (options.said_file.empty()) refuse({ended_while_built(signal, source.file)});  // the window tells of a stop
      return exit_code_of({0, signal});
    }
    if (!built) return refuse(with_command_of_kernel(built.take_errors(), source.file));
    refuse(built->warnings);
    command.front() = built->path;
    folder = std::move(built->folder);
  } else {
    command.front() = program_path(command.front());
    folder = std::make_unique<compile::ScratchFolder>();
  }
  const Result<device::ProgramFile> file = device::look_at_program(command.front());
  if (!file) return refuse(file.errors());

  device::ExecOptions passed;
  passed.log = folder->path().empty() ? "" : (folder->path() / "run.log").generic_string();
  passed.verbose = options.verbose;
  passed.races = options.races;
  passed.max_steps = options.max_steps;
  passed.kernels = options.kernels;
  passed.launches = options.launches;
  passed.arch = options.arch;
  passed.threads = options.threads;
  passed.ptxas = compile::locate_program(compile::SearchPlaces::of_this_process(), "ptxas");
  if (options.device != "cpu") {
    if (const Diagnostics none = no_gpu(options.device); !none.empty()) return refuse(none);
    passed.save = (folder->path() / "run.lanescope").generic_string();
    passed.save_limit = options.save_megabytes << 20;
    passed.save_once = options.save_file.empty();
  }
  if (const Diagnostics wrong = check_json_file(options.json_file); !wrong.empty()) return refuse(wrong);
  if (!options.save_file.empty()) {
    if (const Diagnostics wrong = make_save_file(options.save_file); !wrong.empty()) return refuse(wrong);
    passed.save = fs::absolute(options.save_file).generic_string();
    passed.save_limit = options.save_megabytes << 20;
    passed.event_budget = options.event_megabytes << 20;
  }
  device::RunLog make_it(passed.log);  // so that the file exists even if nothing is written
  const Result<ProcessEnd> ended = [&] {
    const ProgramEnvironment environment(*libraries, passed);
    const LongLaunches long_launches(options.said_file.empty() ? passed.log : "");
    return start_and_wait(command);
  }();
  if (!ended) return refuse(ended.errors());
  const Result<std::vector<device::LogRow>> rows = device::read_run_log(passed.log);
  if (!rows) return refuse(rows.errors());
  ProgramReport report = report_of(*rows);
  if (report.has_refused() && source.file.ends_with(".cu"))
    if (const Result<std::string> text = read_text_file(source.file))
      place_refused_launches(report, source.file, *text);
  if (!options.save_file.empty() && !remove_if_empty(options.save_file) && options.tell_of_saved &&
      options.said_file.empty())
    tell_of_saved(options.save_file);
  SavedOnGpu on_gpu;
  if (options.device != "cpu") on_gpu = run_saved_on_gpu(passed.save, options.device, options.gpu);
  return tell(options, report, on_gpu, about_the_end(*ended, report, *file, options.command.front()),
              exit_code_of(*ended), all);
}

// {"said": […]}, for the window.
int write_said(const std::string& file, const Diagnostics& all) {
  Message message{{"said", Message::array()}};
  for (const Diagnostic& one : all) message["said"].push_back(as_message(one));
  return replace_file(file, message.dump(-1, ' ', false, Message::error_handler_t::replace));
}

}  // namespace

int exec(const ProgramOptions& options) {
  Diagnostics all;
  const int code = run_and_tell(options, all);
  if (options.said_file.empty()) return code;
  const int failed = write_said(options.said_file, all);
  if (failed != 0) print_diagnostics({cannot_write(options.said_file, failed)});
  return failed != 0 && code == 0 ? 1 : code;
}

}  // namespace lanescope::cli
