// lanescope trace FILE.cu

#include <algorithm>
#include <iterator>

#include "cli/commands/commands.h"
#include "cli/commands/open_kernels.h"
#include "cli/commands/runner.h"
#include "cli/output/output.h"
#include "compile/source.h"

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

}  // namespace

int trace(const TraceOptions& options) {
  Diagnostics notes;
  Result<job::Request> request = request_from(options, notes);
  if (!request) {
    Diagnostics problems = request.take_errors();
    for (Diagnostic& one : command_to_begin_with(options, problems)) problems.push_back(std::move(one));
    return refuse(problems, options.runner.json);
  }
  if (const Diagnostics problems = apply(options.runner, *request); !problems.empty())
    return refuse(problems, options.runner.json, *request);
  Addition addition;
  addition.notes = std::move(notes);
  return run_and_print(*request, nullptr, options.runner, false, "", addition);
}

}  // namespace lanescope::cli
