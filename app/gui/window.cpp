#include "gui/window.h"

#include "gui/application.h"

namespace lanescope::gui {

Result<std::monostate> run_window(const Options& options) {
  auto app = Application::start(options, /*visible=*/true);
  if (!app) return app.take_errors();
  (*app)->loop();
  return std::monostate{};
}

}  // namespace lanescope::gui
