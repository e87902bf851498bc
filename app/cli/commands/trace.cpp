// lanescope trace FILE.cu

#include <filesystem>

#include "cli/commands/commands.h"
#include "cli/commands/runner.h"
#include "cli/input/extents.h"
#include "cli/output/output.h"
#include "compile/host/definitions.h"
#include "core/worded.h"
#include "job/request/launch_text.h"

namespace lanescope::cli {

namespace {

// "filter=f32[64]=iota".
Result<job::RequestedArgument> symbol_from(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals != std::string::npos && equals > 0)
    return job::RequestedArgument{text.substr(equals + 1), text.substr(0, equals)};
  return Diagnostic{Severity::error,
                    "command.bad_symbol",
                    {},
                    worded("`--symbol {}` is not understood.", text),
                    "Write it like --symbol filter=f32[64]=iota."};
}

Result<job::GivenLaunch> take_shape(const TraceOptions& options, trace::Launch& launch) {
  job::GivenLaunch given;
  const std::pair<const std::string*, std::pair<const char*, Dim3*>> extents[] = {
      {&options.grid, {"--grid", &launch.grid}},
      {&options.block, {"--block", &launch.block}},
      {&options.cluster, {"--cluster", &launch.cluster}}};
  for (const auto& [text, into] : extents) {
    if (text->empty()) continue;
    Result<Dim3> extent = parse_extent(*text, into.first);
    if (!extent) return extent.take_errors();
    *into.second = *extent;
  }
  given.grid = !options.grid.empty();
  given.block = !options.block.empty();
  given.shared = options.shared_bytes.has_value();
  launch.dynamic_shared_bytes = options.shared_bytes.value_or(0);
  launch.cooperative = options.cooperative;
  return given;
}

// Adds notes about what was taken from the source to `notes`.
Result<job::Request> request_from(const TraceOptions& options, Diagnostics& notes) {
  for (const std::string& define : options.defines)
    if (std::optional<Diagnostic> wrong = compile::wrong_definition(define)) return *wrong;
  Result<std::string> text = read_text_file(options.file);
  if (!text) return text.take_errors();
  job::Request request;
  request.source = {options.file, std::move(*text), options.include_paths, options.defines};
  // #include "beside.h" searches the file's own folder first, as every compiler does.
  const std::string folder = std::filesystem::path(options.file).parent_path().generic_string();
  request.source.include_paths.insert(request.source.include_paths.begin(), folder.empty() ? "." : folder);
  request.first().kernel = options.kernel;
  request.arch = options.arch;
  request.races_if_small = true;
  const Result<job::GivenLaunch> given = take_shape(options, request.first().shape);
  if (!given) return given.errors();
  for (const std::string& argument : options.arguments) request.arguments.push_back({argument, ""});
  for (const std::string& one : options.symbols) {
    Result<job::RequestedArgument> symbol = symbol_from(one);
    if (!symbol) return symbol.take_errors();
    request.symbols.push_back(std::move(*symbol));
  }
  request.first().cluster_given = !options.cluster.empty();
  notes = job::complete_from_source(request, *given);
  if (has_error(notes)) return notes;
  for (const std::string& launch : options.then)
    if (Diagnostics problems = job::add_launch(request, launch); has_error(problems)) return problems;
  return request;
}

}  // namespace

int trace(const TraceOptions& options) {
  Diagnostics notes;
  Result<job::Request> request = request_from(options, notes);
  if (!request) return refuse(request.errors(), options.runner.json);
  if (const Diagnostics problems = apply(options.runner, *request); !problems.empty())
    return refuse(problems, options.runner.json, *request);
  Addition addition;
  addition.notes = std::move(notes);
  return run_and_print(*request, nullptr, options.runner, false, "", addition);
}

}  // namespace lanescope::cli
