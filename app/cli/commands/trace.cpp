// lanescope trace FILE.cu

#include <algorithm>
#include <iterator>

#include "cli/commands/commands.h"
#include "cli/commands/open_kernels.h"
#include "cli/commands/runner.h"
#include "cli/output/output.h"
#include "cli/output/waiting.h"
#include "compile/source.h"
#include "core/worded.h"
#include "job/request/launch_completion.h"

namespace lanescope::cli {

namespace {

// Adds notes about what was taken from the source to `notes`.
Result<job::Request> request_from(const TraceOptions& options, Diagnostics& notes) {
  Result<std::string> text = read_text_file(options.file);
  if (!text) return text.take_errors();
  compile::Source source = job::source_of_file(options.file, std::move(*text), options.include_paths, options.defines);
  job::LaunchOptions launch = options;
  const Diagnostics of_run_line = job::take_run_line(launch, source);
  Result<job::Request> request = job::request_from(std::move(source), launch, notes);
  notes.insert(notes.begin(), of_run_line.begin(), of_run_line.end());
  if (request) return request;
  Diagnostics problems = request.take_errors();
  std::ranges::copy_if(of_run_line, std::back_inserter(problems),
                       [](const Diagnostic& one) { return one.severity == Severity::warning; });
  return problems;
}

// Folders near the file that have headers which the compiler does not find. A file without a request, because a header
// has the sizes of its launches, is compiled for its first kernel.
std::vector<std::string> folders_of(const TraceOptions& options, const Result<job::Request>& request) {
  if (options.file.ends_with(".ptx")) return {};
  const auto needs_a_header = [](const Diagnostic& one) {
    return one.code == "launch.not_constant" || one.code == "argument.not_constant" ||
           one.code == "command.which_kernel";
  };
  if (!request && std::ranges::none_of(request.errors(), needs_a_header)) return {};
  sim::Progress progress;
  const Waiting waiting([&] { return worded("Compiling {}. Ctrl+C stops it.", options.file); });
  if (request) return job::folders_of_headers(*request, &progress);
  Result<std::string> text = read_text_file(options.file);
  if (!text) return {};
  const compile::Source source =
      job::source_of_file(options.file, std::move(*text), options.include_paths, options.defines);
  const std::vector<job::FormKernel> kernels = job::form_kernels(source);
  return kernels.empty() ? std::vector<std::string>()
                         : job::folders_of_headers(kernels.front().form, source, &progress);
}

}  // namespace

int trace(const TraceOptions& given) {
  TraceOptions options = given;
  Diagnostics notes, of_headers;
  Result<job::Request> request = request_from(options, notes);
  if (const std::vector<std::string> found = folders_of(options, request); !found.empty()) {
    for (const std::string& folder : found) of_headers.push_back(job::note_of_headers(options.file, folder));
    options.include_paths.insert(options.include_paths.end(), found.begin(), found.end());
    notes.clear();
    request = request_from(options, notes);
    notes.insert(notes.begin(), of_headers.begin(), of_headers.end());
  }
  if (!request) {
    Diagnostics problems = request.take_errors();
    for (Diagnostic& one : command_to_begin_with(options, problems)) problems.push_back(std::move(one));
    problems.insert(problems.begin(), of_headers.begin(), of_headers.end());
    return refuse(problems, options.runner.json);
  }
  if (const Diagnostics problems = apply(options.runner, *request); !problems.empty())
    return refuse(problems, options.runner.json, *request);
  Addition addition;
  addition.notes = std::move(notes);
  return run_and_print(*request, nullptr, options.runner, false, "", addition);
}

}  // namespace lanescope::cli
