#include "gui/parts/saved_runs.h"

#include <algorithm>
#include <string>

#include "core/absolute_path.h"
#include "core/os/program_name.h"
#include "core/os/read_file.h"
#include "core/os/system_error.h"
#include "core/text.h"
#include "core/worded.h"
#include "gui/parts/presenting.h"
#include "gui/programs/file_kind.h"

namespace lanescope::gui {
namespace {

// An editor's text is laid out as a whole in each frame.
constexpr std::size_t most_dropped_bytes = std::size_t{1} << 20;

Diagnostics take_code(Session& session, WindowState& window, const std::string& path) {
  const auto refused = [&](const Wording& message, const Wording& cure) {
    return Diagnostics{{Severity::error, "drop.code", {path, 0, 0}, message, cure}};
  };
  if (session.selection.run() != nullptr)
    return refused("The code of a saved run cannot be replaced.", "Choose a lesson, then drop the file again.");
  if (session.selection.variant().gpu_only)
    return refused("This variant has no code to replace: its work is done by a library.",
                   "Choose another variant, then drop the file again.");
  std::string text;
  if (const int failed = read_file(path, text, most_dropped_bytes); failed != 0)
    return refused(worded("The file could not be read: {}.", system_error(failed)),
                   worded("Drop a CUDA source file of at most {} KiB.", most_dropped_bytes / 1024));
  if (text.empty()) return refused("The file is empty.", "Drop a CUDA source file.");
  if (session.selection.compared()) session.compare(std::nullopt);
  window.present = false;
  if (window.presenting) window.presenting->grown.reset();
  window.load_code = std::move(text);
  return {};
}

void put_first(WindowState& window, const std::string& path) {
  constexpr std::size_t most_recent = 8;
  std::erase(window.recent_runs, path);
  window.recent_runs.insert(window.recent_runs.begin(), path);
  if (window.recent_runs.size() > most_recent) window.recent_runs.resize(most_recent);
  std::erase_if(window.programs, [&](const auto& one) {
    return std::ranges::find(window.recent_runs, one.first) == window.recent_runs.end();
  });
}

}  // namespace

void open_saved_run(Session& session, WindowState& window, const std::string& path) {
  if (session.open(path)) put_first(window, session.selection.run()->file->path());
}

Diagnostics replace_code(Session& session, WindowState& window, const std::string& path) {
  return kind_of_file(path) == FileKind::cuda_code ? take_code(session, window, path)
                                                   : open_file(session, window, path);
}

Diagnostics open_file(Session& session, WindowState& window, const std::string& path, const std::string& arguments,
                      const std::string& folder, const compile::Preprocessor& preprocessor) {
  const FileKind kind = kind_of_file(path);
  if (kind == FileKind::cuda_code) {
    if (session.open_kernels(path, preprocessor)) put_first(window, session.selection.kernel_file()->path);
    return {};
  }
  if (kind == FileKind::other && path.ends_with(".ptx"))
    return {{Severity::error,
             "command.ptx_in_window",
             {path},
             "PTX does not open in the window.",
             worded("Type `{} trace {}` in a terminal; it says what it needs of the launch.", program_name(),
                    as_typed(path))}};
  if (!is_run(kind)) {
    open_saved_run(session, window, path);
    return {};
  }
  if (!session.program.available())
    return {{Severity::error,
             "toolchain.no_device",
             {path},
             "Whole programs do not run here on this operating system.",
             "Run it with Lanescope on Linux or in WSL2: a run that `exec` saves there opens here. So does a CUDA file "
             "without main()."}};
  const std::string file = absolute_path(path);
  put_first(window, file);
  window.programs[file] = {arguments, folder, preprocessor.include_paths, preprocessor.defines};
  session.run_program({file, arguments, folder, std::nullopt, preprocessor});
  return {};
}

Diagnostics open_file_again(Session& session, WindowState& window, const std::string& path) {
  const auto kept = window.programs.find(path);
  if (kept == window.programs.end()) return open_file(session, window, path);
  const KeptProgram program = kept->second;  // opening replaces it
  return open_file(session, window, path, program.arguments, program.folder, {program.include_paths, program.defines});
}

}  // namespace lanescope::gui
