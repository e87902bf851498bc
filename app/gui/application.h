#pragma once
// The program behind the window: display, look, session and their loop. run_window() and take_shot() use it.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "gui/kit/display.h"
#include "gui/main_window.h"
#include "gui/state/state_store.h"
#include "gui/window.h"

namespace lanescope::gui {

// Four bytes per pixel, rows from the top; alpha is ignored. png_of() is empty if the picture cannot be encoded.
// Diagnostic: shot.io.
std::vector<std::uint8_t> png_of(int width, int height, std::span<const std::uint8_t> rgba);
Result<std::monostate> save_png(const std::string& path, int width, int height, std::span<const std::uint8_t> rgba);

class Application {
 public:
  // Loads the lessons, opens the display and starts the first run. Diagnostics: window.*, lesson.*.
  static Result<std::unique_ptr<Application>> start(const Options& options, bool visible);
  ~Application();

  void loop();           // until the window is closed
  void frame();          // one frame, without waiting
  bool settled() const;  // nothing runs, waits or is animated

  Session& session() { return *session_; }
  WindowState& state() { return state_; }
  MainWindow& window() { return *window_; }
  Display& display() { return *display_; }
  const Look& look() const { return look_; }
  double first_frame_seconds() const { return first_frame_seconds_; }  // from start() to the first frame on screen

 private:
  Application() = default;
  void apply_look();
  SavedSettings settings_now() const;
  void open_dropped();
  void save_settings();  // if they differ from the saved ones
  void save_settings_in_time();
  double wait_limit(double since_input) const;

  Options options_;
  std::unique_ptr<StateLock> state_lock_;  // for a visible window
  std::unique_ptr<Display> display_;
  Look look_;
  WindowState state_;
  std::unique_ptr<Session> session_;
  std::unique_ptr<MainWindow> window_;
  SavedSettings saved_;
  double settings_changed_at_ = -1;  // < 0: no unsaved change
  float applied_scale_ = 0;
  Theme applied_theme_ = Theme::dark;
  double started_at_ = 0, first_frame_seconds_ = 0;
};

}  // namespace lanescope::gui
