#pragma once
// Drives the real window with simulated mouse and keyboard (Dear ImGui's test engine), on a virtual display.

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>

#include "gui/application.h"
#include "imgui_te_context.h"

namespace lanescope::test {

// A learner in front of the window. Keeps its state in a folder of its own, so that tests neither see nor spoil one
// another's edits.
class Learner {
 public:
  explicit Learner(gui::Options options = {});
  ~Learner();
  Learner(const Learner&) = delete;
  Learner& operator=(const Learner&) = delete;

  // Runs `script` while the window paints; fails the test when an item that it names is not there.
  void does(const std::function<void(ImGuiTestContext&)>& script);
  // Closes the window and opens it again.
  void restarts();
  void closes();  // and nothing after it

  gui::Application& app() { return *app_; }
  gui::Session& session() { return app_->session(); }
  gui::WindowState& state() { return app_->state(); }

  // For scripts: until nothing runs or moves.
  void wait(ImGuiTestContext& ui);
  // For scripts: until the first run has put a picture on screen, or `seconds` have passed.
  bool wait_for(ImGuiTestContext& ui, const std::function<bool()>& condition, double seconds = 30);
  // For scripts: puts the cursor into the editor, at the beginning of a line (from 1).
  void clicks_into_line(ImGuiTestContext& ui, int line);
  // Replaces the whole text as typing it would.
  void types_over_everything(ImGuiTestContext& ui, const std::string& text);

  // For scripts: runs the lesson's own code with `right` replaced by `changed`. False: it has no such text.
  bool runs_changed(ImGuiTestContext& ui, const std::string& right, const std::string& changed);

  // For scripts: into the folder that LANESCOPE_SHOTS names, if any, what the window shows now, for people to look at.
  void saves(ImGuiTestContext& ui, const std::string& name);

  // For scripts: whether the window shows this text now, or would where it scrolls; in lines however it likes.
  bool says(ImGuiTestContext& ui, const std::string& text);

  // For scripts: the time panel's plot over a control (by its name), at the size on screen, where it can be measured.
  void plots_over(ImGuiTestContext& ui, const std::string& control);

  const std::string& state_folder() const { return folder_; }

 private:
  void open();
  void close();
  void save_picture();
  std::string picture_;  // to be saved after the next frame: scripts run on a thread without OpenGL
  gui::Options options_;
  std::string folder_;
  std::unique_ptr<gui::Application> app_;
  ImGuiTestEngine* engine_ = nullptr;
};

// For scripts: scrolls the lesson's page until an item of a card is there, for what lies outside takes no clicks.
bool bring(ImGuiTestContext& ui, const std::string& item);

}  // namespace lanescope::test
