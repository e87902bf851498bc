#pragma once
// A GLFW window with an OpenGL 3.3 core context and Dear ImGui. Only this file uses GLFW and OpenGL.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/result.h"
#include "gui/kit/canvas.h"
#include "gui/kit/chords.h"

struct GLFWwindow;

namespace lanescope::gui {

class Display {
 public:
  // With `visible` false nothing appears on screen: frames are laid out for an image of exactly this size in pixels,
  // and pixels() draws the last one into it. Diagnostics: window.no_display, window.no_opengl.
  static Result<std::unique_ptr<Display>> open(int width, int height, bool visible);
  ~Display();
  Display(const Display&) = delete;
  Display& operator=(const Display&) = delete;

  // Pixels per device-independent pixel, from the desktop's settings.
  float content_scale() const;
  bool should_close() const;
  // Waits for an event, at most this many seconds (< 0: without limit; 0: only polls). Returns true if there was user
  // input.
  bool wait(double seconds);
  // The window's size, in the units of the frame.
  ImVec2 room() const;
  // The frame is as large as the window, but at least this size; the window then shows a part of it (canvas.h).
  void begin_frame(ImVec2 least);
  void end_frame(const Look& look);  // draws and shows the frame
  // Moves the part of the frame that the window shows, in steps of the wheel; call it between the two.
  void move_by(const Look& look, ImVec2 steps) { canvas_.move_by(look, steps); }
  struct Picture {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgba;  // top row first
  };
  // The window's contents after the last frame, as RGBA, top row first, and all of the frame (0 × 0 if OpenGL cannot
  // have an image of its size). Call between end_frame() and begin_frame().
  std::vector<std::uint8_t> pixels() const;
  Picture whole_frame() const;
  ImVec2 offset() const { return painted_; }  // of the window in the last frame
  static void wake();                         // ends wait(); callable from any thread
  // The files dropped onto the window since the last call.
  std::vector<std::string> take_dropped();

 private:
  Display() = default;
  void tell_pointer();
  void paint(unsigned framebuffer, int width, int height, ImVec2 from, ImVec2 size) const;
  GLFWwindow* window_ = nullptr;
  bool visible_ = true, exposed_ = false;
  int width_ = 0, height_ = 0;  // of the image if not visible
  unsigned framebuffer_ = 0, renderbuffer_ = 0;
  bool imgui_ready_ = false;
  Canvas canvas_;
  Chords chords_;
  ImVec2 painted_;  // the canvas's offset in the frame that was drawn last
  std::uint32_t background_ = 0;
  std::vector<std::string> dropped_;
};

}  // namespace lanescope::gui
