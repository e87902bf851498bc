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

// The first `// run:` line of the kernel.
std::optional<RunLine> run_line_of(const compile::Source& source, const std::string& kernel) {
  std::vector<RunLine> lines = read_run_lines(source.name, source.text).lines;
  std::erase_if(lines, [](const RunLine& one) { return one.options.kernel.empty(); });
  if (lines.empty()) return {};
  const std::string wanted = kernel.empty() ? lines.front().options.kernel : kernel;
  const auto is_of_kernel = [&](const RunLine& one) { return may_be_same_kernel(one.options.kernel, wanted); };
  if (kernel.empty() && !std::ranges::all_of(lines, is_of_kernel)) return {};
  const auto found = std::ranges::find_if(lines, is_of_kernel);
  return found == lines.end() ? std::optional<RunLine>() : std::move(*found);
}

Diagnostics not_used(Diagnostics problems) {
  for (Diagnostic& one : problems) {
    one.severity = Severity::warning;
    one.message = worded("This `// run:` line is not used: {}", one.message);
  }
  return problems;
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
  const std::optional<RunLine> line = run_line_of(source, options.kernel);
  if (!line) return {};
  if (!line->problems.empty()) return not_used(line->problems);
  const LaunchOptions& told = line->options;
  std::vector<Wording> taken;
  const auto take_text = [&](std::string& into, const std::string& text, const char* what) {
    if (!into.empty() || text.empty()) return;
    into = text;
    taken.push_back(worded("{} {}", Wording(what), into));
  };
  const auto take_list = [](std::vector<std::string>& into, const std::vector<std::string>& list) {
    if (!into.empty() || list.empty()) return false;
    into = list;
    return true;
  };
  if (options.kernel.empty() || options.kernel.find('<') == std::string::npos) options.kernel = told.kernel;
  take_text(options.grid, told.grid, "grid");
  take_text(options.block, told.block, "block");
  take_text(options.cluster, told.cluster, "cluster");
  if (!options.shared_bytes && told.shared_bytes.value_or(0) > 0) {
    options.shared_bytes = told.shared_bytes;
    taken.push_back(worded("{} bytes of shared memory", *options.shared_bytes));
  }
  options.cooperative = options.cooperative || told.cooperative;
  const auto plural = [](const std::vector<std::string>& list, const char* ending) {
    return list.size() == 1 ? "" : ending;
  };
  if (take_list(options.arguments, told.arguments))
    taken.push_back(worded("{} argument{}", told.arguments.size(), plural(told.arguments, "s")));
  if (take_list(options.symbols, told.symbols))
    taken.push_back(worded("{} variable{}", told.symbols.size(), plural(told.symbols, "s")));
  if (take_list(options.then, told.then))
    taken.push_back(worded("{} further launch{}", told.then.size(), plural(told.then, "es")));
  if (source.defines.empty()) source.defines = line->defines;
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
