#pragma once
// The whole window: the positions of its parts, and its keys. Paints one frame into the current ImGui context.

#include <functional>

#include "gui/borders.h"
#include "gui/code/code_panel.h"
#include "gui/compare/compare_view.h"
#include "gui/find/find_bar.h"
#include "gui/lesson/launches_panel.h"
#include "gui/lesson/lesson_panel.h"
#include "gui/open_overlay.h"
#include "gui/palette/command_palette.h"
#include "gui/present_view.h"
#include "gui/time/time_panel.h"
#include "gui/warp/steps_panel.h"
#include "gui/warp/warp_panel.h"

namespace lanescope::gui {

class MainWindow {
 public:
  MainWindow(const Look& look, Session& session, WindowState& state);
  void frame();  // between ImGui::NewFrame() and ImGui::Render()
  // Adds a notice about the program itself; it is shown with the session's notices until it is clicked away.
  void tell(Diagnostics notices) { told_.insert(told_.end(), notices.begin(), notices.end()); }
  const Diagnostics& told() const { return told_; }
  CodePanel& code() { return code_; }
  CompareView& comparison() { return compare_; }
  const OpenOverlay& open_overlay() const { return open_; }
  const WarpPanel& warp() const { return warp_; }
  const FilmView& film() const { return steps_.film(); }
  const TimePanel& time() const { return time_; }

 private:
  void keys();
  void leave_topmost();  // Escape
  bool unpin();
  void places(bool comparing, const std::function<bool(ImGuiKeyChord, bool repeat)>& pressed,
              const std::function<void(std::ptrdiff_t)>& step);
  void tools();
  void panels(const Ui& ui, const PanelRect& all);
  void choose_panel(int way, const Layout& layout);
  void scroll_panel(const Ui& ui, int way);
  void own_keys();
  void film_keys();
  void turn_variant(bool of_a, bool comparing);
  void notices(const Ui& ui);

  const Look& look_;
  Session& session_;
  WindowState& state_;
  Diagnostics told_;
  LessonPanel lesson_;
  LaunchesPanel launches_;
  CodePanel code_;
  WarpPanel warp_;
  StepsPanel steps_;
  TimePanel time_;
  PresentView present_;
  CompareView compare_;
  Borders borders_;
  FindBar find_;
  CommandPalette palette_;
  OpenOverlay open_;
  int panel_ = -1;     // the panel whose first control gets the focus now
  int to_panel_ = 0;   // F6: to the next panel (1) or the previous one (−1)
  int show_ring_ = 0;  // frames until the panel chosen by F6 shows its ring
};

}  // namespace lanescope::gui
