#include "job/request/launch_options.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "compile/host/definitions.h"
#include "compile/host/source_scan.h"
#include "core/architecture.h"
#include "core/kernel_name.h"
#include "core/text.h"
#include "core/worded.h"
#include "job/request/directives.h"
#include "job/request/launch_text.h"
#include "job/request/pointed_buffers.h"
#include "job/run/job.h"
#include "ptx/requirements.h"

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

// Of the only kernel that such lines name, if `kernel` is empty.
const RunLine* run_line_of_one(const RunLines& lines, const std::string& kernel) {
  if (!kernel.empty()) return run_line_of(lines, kernel);
  const RunLine* found = nullptr;
  for (const RunLine& one : lines.lines) {
    if (one.options.kernel.empty()) continue;
    if (found != nullptr && !may_be_same_kernel(one.options.kernel, found->options.kernel)) return nullptr;
    if (found == nullptr) found = &one;
  }
  return found;
}

// Whether the source declares the variable as a pointer: "__device__ float* table;".
bool is_pointer_variable(const compile::Source& source, const std::string& name) {
  if (source.name.ends_with(".ptx")) return false;
  for (const compile::ScannedDeclaration& one : compile::scan_declarations(source.text)) {
    if (!one.is_device || one.kind != compile::ScannedDeclaration::Kind::variable || one.name != name) continue;
    const std::string_view text = source.text;
    const std::string_view behind = trimmed(text.substr(one.name_offset + name.size()));
    return contains(text.substr(one.begin, one.name_offset - one.begin), "*") && !behind.starts_with('[');
  }
  return false;
}

// A pointer among the symbols that is given a buffer points to a further buffer of the request.
void place_buffers_of_symbols(Request& request) {
  for (RequestedArgument& symbol : request.symbols) {
    const Result<Recipe>& recipe = symbol.recipe();
    const bool buffer = recipe && recipe->buffer() != nullptr && recipe->texture == nullptr;
    if (!buffer || !is_pointer_variable(request.source, symbol.name())) continue;
    const std::size_t place = request.arguments.size() + request.buffers.size();
    request.buffers.push_back(symbol);
    symbol = RequestedArgument(fmt::format("same:{}", place), symbol.name());
  }
}

// The architecture of the imitated GPU. NVRTC knows which ones it compiles for.
Result<std::string> architecture_for(const compile::Source& source, const std::string& asked) {
  const std::string real = real_architecture(asked);
  if (!source.name.ends_with(".ptx")) return asked.empty() ? imitated_gpu::arch : real.empty() ? asked : real;
  const std::string target = ptx::target_named_in(source.text);
  if (asked.empty()) return ptx::loads(imitated_gpu::arch, target) ? imitated_gpu::arch : target;
  const auto wrong = [&](const char* code, Wording message, Wording cure) {
    return Diagnostic{Severity::error, code, {source.name, 0, 0}, std::move(message), std::move(cure)};
  };
  if (real.empty())
    return wrong("compile.unknown_arch", worded("`{}` is not an architecture of a GPU", asked), "Write it like sm_90.");
  if (ptx::loads(real, target)) return real;
  return wrong("ptx.for_another_gpu", worded("A GPU of {} does not load this PTX: it is for {}", real, target),
               worded("Choose the architecture {}, or compile the source for {}.", target, real));
}

}  // namespace

std::string extent_text(const Dim3& extent) {
  if (extent.z != 1) return fmt::format("{},{},{}", extent.x, extent.y, extent.z);
  return extent.y != 1 ? fmt::format("{},{}", extent.x, extent.y) : std::to_string(extent.x);
}

Result<Dim3> parse_extent(const std::string& text, const char* option) {
  const std::vector<std::string_view> parts = split(text, ',');
  std::uint32_t values[3] = {1, 1, 1};
  bool good = parts.size() <= 3, too_large = false;
  for (std::size_t i = 0; good && i < parts.size(); ++i) {
    const char* const end = parts[i].data() + parts[i].size();
    const auto [behind, status] = std::from_chars(parts[i].data(), end, values[i]);
    good = status == std::errc{} && behind == end;
    too_large = status == std::errc::result_out_of_range && behind == end;
  }
  if (good) return Dim3{values[0], values[1], values[2]};
  if (too_large)
    return Diagnostic{Severity::error,
                      "command.bad_extent",
                      {},
                      worded("`{} {}` is too large.", std::string_view(option), text),
                      "A grid has at most 2147483647 × 65535 × 65535 blocks, and a block 1024 threads."};
  return Diagnostic{Severity::error,
                    "command.bad_extent",
                    {},
                    worded("`{} {}` is not a size.", std::string_view(option), text),
                    worded("Write it like {0} 64 or {0} 8,8,1.", std::string_view(option))};
}

Result<std::uint32_t> parse_shared(const std::string& text) {
  std::uint32_t bytes = 0;
  const char* const end = text.data() + text.size();
  const auto [behind, status] = std::from_chars(text.data(), end, bytes);
  if (status == std::errc{} && behind == end) return bytes;
  return Diagnostic{Severity::error,
                    "command.bad_shared",
                    {},
                    worded("`--shared {}` is not a number of bytes.", text),
                    "Write it like 4096."};
}

compile::Source source_of_file(const std::string& file, std::string text, std::vector<std::string> include_paths,
                               std::vector<std::string> defines) {
  const std::string folder = std::filesystem::path(file).parent_path().generic_string();
  include_paths.insert(include_paths.begin(), folder.empty() ? "." : folder);
  return {file, std::move(text), std::move(include_paths), std::move(defines)};
}

Diagnostics take_run_line(LaunchOptions& options, compile::Source& source) {
  options.kernel = with_cast(options.kernel);
  const RunLines lines = read_run_lines(source.name, source.text);
  const RunLine* const line = run_line_of_one(lines, options.kernel);
  if (line == nullptr) return {};
  if (!line->problems.empty()) return not_used(*line);
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
  request.first().kernel = with_cast(options.kernel);
  Result<std::string> arch = architecture_for(request.source, options.arch);
  if (!arch) return arch.take_errors();
  request.arch = std::move(*arch);
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
  request.first().declared = declared_types(request, request.first().kernel);
  place_buffers_of_symbols(request);
  if (Diagnostics problems = place_pointed_buffers(request); !problems.empty()) return problems;
  for (const std::string& launch : options.then)
    if (Diagnostics problems = add_launch(request, launch); has_error(problems)) return problems;
  return request;
}

}  // namespace lanescope::job
