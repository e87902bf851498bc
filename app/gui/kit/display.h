#pragma once
// A GLFW window with an OpenGL 3.3 core context and Dear ImGui on it. The only file that speaks to them.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/result.h"

struct GLFWwindow;

namespace lanescope::gui {

class Display {
 public:
  // `visible` false: nothing appears on screen; frames are laid out for an image of exactly this size (pixels), and the
  // last is drawn into it when pixels() asks. Diagnostics window.no_display, window.no_opengl.
  static Result<std::unique_ptr<Display>> open(int width, int height, bool visible);
  ~Display();
  Display(const Display&) = delete;
  Display& operator=(const Display&) = delete;

  // Pixels a device-independent pixel, as the desktop wants it.
  float content_scale() const;
  bool should_close() const;
  // Waits for an event, at most so many seconds (< 0: without limit; 0: only looks). True when the user did something.
  bool wait(double seconds);
  void begin_frame();
  void end_frame(std::uint32_t background_rgba);  // draws and shows it
  void size(int& width, int& height) const;       // of the window, in screen coordinates
  // The last frame, RGBA, top row first. Between end_frame() and begin_frame().
  std::vector<std::uint8_t> pixels() const;
  static void wake();  // ends wait(); from any thread
  // The files that were dropped onto the window since it was asked last.
  std::vector<std::string> take_dropped();

 private:
  Display() = default;
  bool make_image();
  void paint(int width, int height) const;
  GLFWwindow* window_ = nullptr;
  bool visible_ = true, exposed_ = false;
  int width_ = 0, height_ = 0;  // of the image when not visible
  unsigned framebuffer_ = 0, renderbuffer_ = 0;
  bool imgui_ready_ = false;
  std::uint32_t background_ = 0;
  std::vector<std::string> dropped_;
};

}  // namespace lanescope::gui
