#pragma once
// Drives the real window with simulated mouse and keyboard (Dear ImGui's test engine), on a virtual display.

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>

#include "gui/application.h"
#include "imgui_te_context.h"

namespace lanescope::test {

// A learner at the window. Has a state folder of its own, so that tests do not affect each other.
class Learner {
 public:
  explicit Learner(gui::Options options = {});
  ~Learner();
  Learner(const Learner&) = delete;
  Learner& operator=(const Learner&) = delete;

  // Runs `script` while the window paints. Fails the test if an item that the script names does not exist.
  void does(const std::function<void(ImGuiTestContext&)>& script);
  // Closes the window and opens it again.
  void restarts();
  void closes();  // without opening it again

  gui::Application& app() { return *app_; }
  gui::Session& session() { return app_->session(); }
  gui::WindowState& state() { return app_->state(); }

  // For scripts: waits until nothing runs or moves.
  void wait(ImGuiTestContext& ui);
  // For scripts: waits until the first run has put a picture on screen, or `seconds` have passed.
  bool wait_for(ImGuiTestContext& ui, const std::function<bool()>& condition, double seconds = 30);
  // For scripts: puts the cursor into the editor at the start of a line (from 1).
  void clicks_into_line(ImGuiTestContext& ui, int line);
  // For scripts: replaces the whole text as if typed.
  void types_over_everything(ImGuiTestContext& ui, const std::string& text);

  // For scripts: runs the lesson's own code with `right` replaced by `changed`. False: the code does not contain
  // `right`.
  bool runs_changed(ImGuiTestContext& ui, const std::string& right, const std::string& changed);

  // For scripts: saves the window's contents to the folder in LANESCOPE_SHOTS, if set, for people to look at.
  void saves(ImGuiTestContext& ui, const std::string& name);

  // For scripts: true if the window shows this text now, or would after scrolling; line breaks are ignored.
  bool says(ImGuiTestContext& ui, const std::string& text);

  // For scripts: opens the time panel's plot over a control (by name) at the size on screen, where it can be measured.
  void plots_over(ImGuiTestContext& ui, const std::string& control);

  const std::string& state_folder() const { return folder_; }

 private:
  void open();
  void close();
  void save_picture();
  std::string picture_;  // to save after the next frame: scripts run on a thread without OpenGL
  gui::Options options_;
  std::string folder_;
  std::unique_ptr<gui::Application> app_;
  ImGuiTestEngine* engine_ = nullptr;
};

// For scripts: scrolls the lesson's page until an item of a card is visible, because invisible items take no clicks.
bool bring(ImGuiTestContext& ui, const std::string& item);

}  // namespace lanescope::test
