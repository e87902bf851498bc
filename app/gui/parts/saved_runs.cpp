#include "gui/parts/saved_runs.h"

namespace lanescope::gui {

void open_saved_run(Session& session, WindowState& window, const std::string& path) {
  constexpr std::size_t most_recent = 8;
  if (!session.open(path)) return;
  const std::string& opened = session.selection.run()->file->path();
  std::erase(window.recent_runs, opened);
  window.recent_runs.insert(window.recent_runs.begin(), opened);
  if (window.recent_runs.size() > most_recent) window.recent_runs.resize(most_recent);
}

}  // namespace lanescope::gui
