// lanescope trace FILE.cu

#include <filesystem>

#include "cli/commands.h"
#include "cli/extents.h"
#include "cli/output.h"
#include "cli/runner.h"

namespace lanescope::cli {

namespace {

Result<job::Request> request_from(const TraceOptions& options) {
  Result<std::string> text = read_text_file(options.file);
  if (!text) return text.take_errors();
  Result<Dim3> grid = parse_extent(options.grid, "--grid");
  if (!grid) return grid.take_errors();
  Result<Dim3> block = parse_extent(options.block, "--block");
  if (!block) return block.take_errors();
  job::Request request;
  request.source = {options.file, std::move(*text), options.include_paths};
  // #include "beside.h" looks beside the file first, as every compiler does.
  const std::string folder = std::filesystem::path(options.file).parent_path().string();
  request.source.include_paths.insert(request.source.include_paths.begin(), folder.empty() ? "." : folder);
  request.kernel = options.kernel;
  request.launch.grid = *grid;
  request.launch.block = *block;
  request.launch.dynamic_shared_bytes = options.shared_bytes;
  request.launch.cooperative = options.cooperative;
  for (const std::string& argument : options.arguments) request.arguments.push_back({argument, ""});
  request.arch = options.arch;
  return request;
}

}  // namespace

int trace(const TraceOptions& options) {
  Result<job::Request> request = request_from(options);
  if (!request) return refuse(request.errors(), options.runner.json);
  if (const Diagnostics problems = apply(options.runner, *request); !problems.empty())
    return refuse(problems, options.runner.json, *request);
  return run_and_print(*request, nullptr, options.runner, false, "");
}

}  // namespace lanescope::cli
