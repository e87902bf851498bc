#pragma once
// A GLFW window with an OpenGL 3.3 core context and Dear ImGui. Only this file uses GLFW and OpenGL.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/result.h"

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
  void begin_frame();
  void end_frame(std::uint32_t background_rgba);  // draws and shows the frame
  void size(int& width, int& height) const;       // of the window, in screen coordinates
  // The last frame as RGBA, top row first. Call between end_frame() and begin_frame().
  std::vector<std::uint8_t> pixels() const;
  static void wake();  // ends wait(); callable from any thread
  // The files dropped onto the window since the last call.
  std::vector<std::string> take_dropped();

 private:
  Display() = default;
  bool make_image();
  void paint(int width, int height) const;
  GLFWwindow* window_ = nullptr;
  bool visible_ = true, exposed_ = false;
  int width_ = 0, height_ = 0;  // of the image if not visible
  unsigned framebuffer_ = 0, renderbuffer_ = 0;
  bool imgui_ready_ = false;
  std::uint32_t background_ = 0;
  std::vector<std::string> dropped_;
};

}  // namespace lanescope::gui
