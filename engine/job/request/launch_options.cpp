#include "job/request/launch_options.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "compile/host/definitions.h"
#include "core/kernel_name.h"
#include "core/text.h"
#include "core/worded.h"
#include "job/request/directives.h"
#include "job/request/launch_text.h"
#include "job/request/pointed_buffers.h"
#include "job/run/job.h"

namespace lanescope::job {

namespace {

// "filter=f32[64]=iota".
Result<RequestedArgument> symbol_from(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals != std::string::npos && equals > 0)
    return RequestedArgument{text.substr(equals + 1), text.substr(0, equals)};
  return Diagnostic{Severity::error,
                    "command.bad_symbol",
                    {},
                    worded("`--symbol {}` is not understood.", text),
                    "Write it like filter=f32[64]=iota."};
}

Result<GivenLaunch> take_shape(const LaunchOptions& options, trace::Launch& launch) {
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
  launch.dynamic_shared_bytes = options.shared_bytes.value_or(0);
  launch.cooperative = options.cooperative;
  GivenLaunch given;
  given.grid = !options.grid.empty();
  given.block = !options.block.empty();
  given.shared = options.shared_bytes.has_value();
  return given;
}

// The first `// run:` line of the kernel. A comment that is not written for this program gives none.
std::optional<DirectedRun> run_line_of(const compile::Source& source, const std::string& kernel) {
  Result<std::vector<DirectedRun>> runs = directed_runs(source.name, source.text);
  if (!runs) return {};
  const auto is_of_kernel = [&](const DirectedRun& one) {
    return may_be_same_kernel(one.request.first().kernel,
                              kernel.empty() ? runs->front().request.first().kernel : kernel);
  };
  if (kernel.empty() && !std::ranges::all_of(*runs, is_of_kernel)) return {};
  const auto found = std::ranges::find_if(*runs, is_of_kernel);
  return found == runs->end() ? std::optional<DirectedRun>() : std::move(*found);
}

}  // namespace

std::string extent_text(const Dim3& extent) {
  if (extent.z != 1) return fmt::format("{},{},{}", extent.x, extent.y, extent.z);
  return extent.y != 1 ? fmt::format("{},{}", extent.x, extent.y) : std::to_string(extent.x);
}

Result<Dim3> parse_extent(const std::string& text, const char* option) {
  const std::vector<std::string_view> parts = split(text, ',');
  std::uint32_t values[3] = {1, 1, 1};
  bool good = parts.size() <= 3;
  for (std::size_t i = 0; good && i < parts.size(); ++i) {
    const char* const end = parts[i].data() + parts[i].size();
    const auto [behind, status] = std::from_chars(parts[i].data(), end, values[i]);
    good = status == std::errc{} && behind == end;
  }
  if (good) return Dim3{values[0], values[1], values[2]};
  return Diagnostic{Severity::error,
                    "command.bad_extent",
                    {},
                    worded("`{} {}` is not a size.", std::string_view(option), text),
                    worded("Write it like {0} 64 or {0} 8,8,1.", std::string_view(option))};
}

compile::Source source_of_file(const std::string& file, std::string text, std::vector<std::string> include_paths,
                               std::vector<std::string> defines) {
  const std::string folder = std::filesystem::path(file).parent_path().generic_string();
  include_paths.insert(include_paths.begin(), folder.empty() ? "." : folder);
  return {file, std::move(text), std::move(include_paths), std::move(defines)};
}

Diagnostics take_run_line(LaunchOptions& options, compile::Source& source) {
  const std::optional<DirectedRun> line = run_line_of(source, options.kernel);
  if (!line) return {};
  const RequestedLaunch& launch = line->request.first();
  std::vector<Wording> taken;
  const auto take_extent = [&](std::string& into, const Dim3& extent, const char* what) {
    if (!into.empty()) return;
    into = extent_text(extent);
    taken.push_back(worded("{} {}", Wording(what), into));
  };
  if (options.kernel.empty() || options.kernel.find('<') == std::string::npos) options.kernel = launch.kernel;
  take_extent(options.grid, launch.shape.grid, "grid");
  take_extent(options.block, launch.shape.block, "block");
  if (launch.cluster_given) take_extent(options.cluster, launch.shape.cluster, "cluster");
  if (!options.shared_bytes && launch.shape.dynamic_shared_bytes > 0) {
    options.shared_bytes = launch.shape.dynamic_shared_bytes;
    taken.push_back(worded("{} bytes of shared memory", *options.shared_bytes));
  }
  options.cooperative = options.cooperative || launch.shape.cooperative;
  if (options.arguments.empty() && !line->request.arguments.empty()) {
    for (const RequestedArgument& one : line->request.arguments) options.arguments.push_back(one.text());
    taken.push_back(worded("{} argument{}", options.arguments.size(), options.arguments.size() == 1 ? "" : "s"));
  }
  if (source.defines.empty()) source.defines = line->request.source.defines;
  if (taken.empty()) return {};
  return {{Severity::note,
           "launch.from_source",
           {source.name, line->line, 0},
           worded("taken from this `// run:` line: {}", joined(taken, "{}, {}")),
           ""}};
}

Result<Request> request_from(compile::Source source, const LaunchOptions& options, Diagnostics& notes) {
  for (const std::string& define : source.defines)
    if (std::optional<Diagnostic> wrong = compile::wrong_definition(define)) return *wrong;
  Request request;
  request.source = std::move(source);
  request.first().kernel = options.kernel;
  request.arch = options.arch;
  request.races_if_small = true;
  const Result<GivenLaunch> given = take_shape(options, request.first().shape);
  if (!given) return given.errors();
  for (const std::string& argument : options.arguments) request.arguments.push_back({argument, ""});
  for (const std::string& one : options.symbols) {
    Result<RequestedArgument> symbol = symbol_from(one);
    if (!symbol) return symbol.take_errors();
    request.symbols.push_back(std::move(*symbol));
  }
  request.first().cluster_given = !options.cluster.empty();
  notes = complete_from_source(request, *given);
  if (has_error(notes)) return notes;
  if (Diagnostics problems = place_pointed_buffers(request); !problems.empty()) return problems;
  for (const std::string& launch : options.then)
    if (Diagnostics problems = add_launch(request, launch); has_error(problems)) return problems;
  return request;
}

}  // namespace lanescope::job
