#include "gui/parts/saved_runs.h"

#include <string>

#include "core/os/read_file.h"
#include "core/os/system_error.h"
#include "core/text.h"
#include "core/worded.h"
#include "gui/parts/presenting.h"

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

}  // namespace

void open_saved_run(Session& session, WindowState& window, const std::string& path) {
  constexpr std::size_t most_recent = 8;
  if (!session.open(path)) return;
  const std::string& opened = session.selection.run()->file->path();
  std::erase(window.recent_runs, opened);
  window.recent_runs.insert(window.recent_runs.begin(), opened);
  if (window.recent_runs.size() > most_recent) window.recent_runs.resize(most_recent);
}

Diagnostics take_dropped_file(Session& session, WindowState& window, const std::string& path, bool on_code) {
  if (path.ends_with(".cu") || path.ends_with(".cuh")) {
    if (on_code) return take_code(session, window, path);
    session.open_kernels(path);
    return {};
  }
  open_saved_run(session, window, path);
  return {};
}

}  // namespace lanescope::gui
