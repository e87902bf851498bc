#include "gui/kit/display.h"

#include <GLFW/glfw3.h>
#include <glad/gl.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "core/os/environment.h"
#include "core/worded.h"
#include "gui/window.h"
#include "imgui.h"
#include "imgui_impl_glfw.h"
#include "imgui_impl_opengl3.h"
#include "imgui_internal.h"
#include "implot.h"

namespace lanescope::gui {
namespace {

Wording last_error() {
  const char* text = nullptr;
  glfwGetError(&text);
  return text == nullptr ? Wording("no reason given") : Wording(std::string(text));
}

Diagnostic no_display(const Wording& reason) {
  return {Severity::error,
          "window.no_display",
          {},
          worded("There is no display to open a window on ({}).", reason),
          how_to_get_a_display()};
}

// Limits the size to the screen's free area: without a window manager, parts outside it cannot be reached.
void fit_on_screen(int& width, int& height) {
  GLFWmonitor* monitor = glfwGetPrimaryMonitor();
  if (monitor == nullptr) return;
  int x = 0, y = 0, free_width = 0, free_height = 0;
  float scale_x = 1, scale_y = 1;
  glfwGetMonitorWorkarea(monitor, &x, &y, &free_width, &free_height);
  glfwGetMonitorContentScale(monitor, &scale_x, &scale_y);
  if (free_width > 0 && scale_x > 0)
    width = std::min(width, static_cast<int>(static_cast<float>(free_width) / scale_x));
  if (free_height > 0 && scale_y > 0)
    height = std::min(height, static_cast<int>(static_cast<float>(free_height) / scale_y));
}

// The picture of assets/lanescope.svg: lanes of a warp, three active and one waiting.
void set_icon(GLFWwindow* window) {
  constexpr int size = 64;
  std::vector<unsigned char> pixels(size * size * 4);
  const auto paint = [&](int x0, int y0, int x1, int y1, std::uint32_t rgb) {
    for (int y = y0; y < y1; ++y)
      for (int x = x0; x < x1; ++x) {
        unsigned char* at = &pixels[static_cast<std::size_t>(y * size + x) * 4];
        at[0] = static_cast<unsigned char>(rgb >> 16), at[1] = static_cast<unsigned char>(rgb >> 8);
        at[2] = static_cast<unsigned char>(rgb), at[3] = 255;
      }
  };
  paint(0, 0, size, size, 0x191D24);
  for (int lane = 0; lane < 4; ++lane) paint(12 + 11 * lane, 14, 20 + 11 * lane, 50, lane == 2 ? 0x2E5269 : 0x56B4E9);
  const GLFWimage image{size, size, pixels.data()};
  glfwSetWindowIcon(window, 1, &image);
}

// An image to draw into, now bound; false if OpenGL cannot have one of this size.
bool make_image(int width, int height, unsigned& framebuffer, unsigned& renderbuffer) {
  glGenFramebuffers(1, &framebuffer);
  glGenRenderbuffers(1, &renderbuffer);
  glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
  glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, width, height);
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, renderbuffer);
  return glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

}  // namespace

bool display_available() {
  if (display_name().empty() || glfwInit() != GLFW_TRUE) return false;
  glfwTerminate();
  return true;
}

Result<std::unique_ptr<Display>> Display::open(int width, int height, bool visible) {
  if (display_name().empty()) return no_display("neither DISPLAY nor WAYLAND_DISPLAY is set");
  if (glfwInit() != GLFW_TRUE) return no_display(last_error());
  std::unique_ptr<Display> display(new Display);
  display->visible_ = visible;
  if (visible) fit_on_screen(width, height);
  display->width_ = width, display->height_ = height;
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
  glfwWindowHint(GLFW_VISIBLE, visible ? GLFW_TRUE : GLFW_FALSE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, visible ? GLFW_TRUE : GLFW_FALSE);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "lanescope");
  display->window_ = glfwCreateWindow(visible ? width : 64, visible ? height : 64, "Lanescope", nullptr, nullptr);
  if (display->window_ == nullptr)
    return Diagnostic{Severity::error,
                      "window.no_opengl",
                      {},
                      worded("The display does not support OpenGL 3.3 ({}).", last_error()),
                      how_to_get_opengl()};
  glfwMakeContextCurrent(display->window_);
  if (gladLoadGL(glfwGetProcAddress) == 0)
    return Diagnostic{
        Severity::error, "window.no_opengl", {}, "OpenGL's functions could not be loaded.", how_to_get_opengl()};
  glfwSwapInterval(visible ? 1 : 0);
  if (visible) set_icon(display->window_);
  glfwSetWindowSizeLimits(display->window_, 640, 400, GLFW_DONT_CARE, GLFW_DONT_CARE);
  glfwSetWindowUserPointer(display->window_, display.get());
  const auto exposed = [](GLFWwindow* w) { static_cast<Display*>(glfwGetWindowUserPointer(w))->exposed_ = true; };
  glfwSetWindowRefreshCallback(display->window_, exposed);
  glfwSetDropCallback(display->window_, [](GLFWwindow* w, int count, const char** paths) {
    auto* to = static_cast<Display*>(glfwGetWindowUserPointer(w));
    to->dropped_.insert(to->dropped_.end(), paths, paths + count);
    to->exposed_ = true;
  });
  glfwSetFramebufferSizeCallback(display->window_, [](GLFWwindow* w, int, int) {
    static_cast<Display*>(glfwGetWindowUserPointer(w))->exposed_ = true;
  });
  if (!visible && !make_image(width, height, display->framebuffer_, display->renderbuffer_))
    return Diagnostic{Severity::error,
                      "window.no_opengl",
                      {},
                      "OpenGL cannot draw an image of this size.",
                      "Ask for a smaller --size."};

  IMGUI_CHECKVERSION();
  ImGui::CreateContext();
  ImPlot::CreateContext();
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.LogFilename = nullptr;
  io.ConfigInputTextCursorBlink = false;  // a blinking cursor would make an idle window redraw
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  ImGui_ImplGlfw_InitForOpenGL(display->window_, visible);
  if (visible)
    glfwSetCursorPosCallback(display->window_, [](GLFWwindow* w, double x, double y) {
      const ImVec2 at = static_cast<Display*>(glfwGetWindowUserPointer(w))->canvas_.offset();
      ImGui_ImplGlfw_CursorPosCallback(w, x + static_cast<double>(at.x), y + static_cast<double>(at.y));
    });
  ImGui_ImplOpenGL3_Init("#version 330 core");  // cannot fail: it calls the functions that glad has loaded
  display->imgui_ready_ = true;
  return display;
}

Display::~Display() {
  if (imgui_ready_) {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui_ImplGlfw_Shutdown();
    ImPlot::DestroyContext();
    ImGui::DestroyContext();
  }
  if (framebuffer_ != 0) {
    glDeleteFramebuffers(1, &framebuffer_);
    glDeleteRenderbuffers(1, &renderbuffer_);
  }
  if (window_ != nullptr) glfwDestroyWindow(window_);
  glfwTerminate();
}

float Display::content_scale() const {
  if (!visible_) return 1;
  float x = 1, y = 1;
  glfwGetWindowContentScale(window_, &x, &y);
  return std::clamp(std::max(x, y), 0.5f, 4.0f);
}

bool Display::should_close() const {
  return glfwWindowShouldClose(window_) == GLFW_TRUE;
}

std::vector<std::string> Display::take_dropped() {
  return std::exchange(dropped_, {});
}

bool Display::wait(double seconds) {
  exposed_ = false;
  if (seconds < 0)
    glfwWaitEvents();
  else if (seconds == 0)
    glfwPollEvents();
  else
    glfwWaitEventsTimeout(seconds);
  return exposed_ || !ImGui::GetCurrentContext()->InputEventsQueue.empty();
}

ImVec2 Display::room() const {
  int width = width_, height = height_;
  if (visible_) glfwGetWindowSize(window_, &width, &height);
  return {static_cast<float>(width), static_cast<float>(height)};
}

void Display::begin_frame(ImVec2 least) {
  ImGui_ImplOpenGL3_NewFrame();
  ImGuiIO& io = ImGui::GetIO();
  if (visible_) {
    ImGui_ImplGlfw_NewFrame();
  } else {  // an invisible window has no resizing and no mouse, so the display server is not polled
    io.DisplaySize = room();
    io.DisplayFramebufferScale = {1, 1};
    io.DeltaTime = 1.0f / 60;
  }
  canvas_.fit(io.DisplaySize, least);
  io.DisplaySize = canvas_.size();
  if (visible_ && canvas_.is_larger()) tell_pointer();
  chords_.new_frame();
}

// Where the pointer is in the frame, which moves below it. Dear ImGui's own report is the place in the window.
void Display::tell_pointer() {
  double x = 0, y = 0;
  glfwGetCursorPos(window_, &x, &y);
  const ImVec2 at = canvas_.offset();
  const bool inside = glfwGetWindowAttrib(window_, GLFW_HOVERED) == GLFW_TRUE;
  if (inside || ImGui::IsAnyMouseDown())
    ImGui::GetIO().AddMousePosEvent(static_cast<float>(x) + at.x, static_cast<float>(y) + at.y);
  else
    ImGui::GetIO().AddMousePosEvent(-FLT_MAX, -FLT_MAX);
}

void Display::end_frame(const Look& look) {
  painted_ = canvas_.offset();
  canvas_.draw(look);
  ImGui::Render();
  background_ = look.colours().window;
  if (!visible_) {  // nobody sees it, and software painting takes most of a frame's time
    // New glyphs are still uploaded: Dear ImGui relies on it.
    for (ImTextureData* texture : ImGui::GetPlatformIO().Textures)
      if (texture->Status != ImTextureStatus_OK) ImGui_ImplOpenGL3_UpdateTexture(texture);
    return;
  }
  int width = 0, height = 0;
  glfwGetFramebufferSize(window_, &width, &height);
  paint(framebuffer_, width, height, painted_, room());
  glfwSwapBuffers(window_);
}

// Paints a part of the frame: from its corner `from`, as large as `size`.
void Display::paint(unsigned framebuffer, int width, int height, ImVec2 from, ImVec2 size) const {
  glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
  glViewport(0, 0, width, height);
  const auto channel = [&](int shift) { return static_cast<float>((background_ >> shift) & 255) / 255; };
  glClearColor(channel(IM_COL32_R_SHIFT), channel(IM_COL32_G_SHIFT), channel(IM_COL32_B_SHIFT), 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImDrawData* drawn = ImGui::GetDrawData();
  drawn->DisplayPos = from, drawn->DisplaySize = size;
  ImGui_ImplOpenGL3_RenderDrawData(drawn);
}

namespace {

// The lines of OpenGL's image from the top, as other programs have them.
std::vector<std::uint8_t> read_pixels(int width, int height) {
  const auto row = static_cast<std::size_t>(width) * 4;
  std::vector<std::uint8_t> upside_down(row * static_cast<std::size_t>(height)), image(upside_down.size());
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, upside_down.data());
  for (std::size_t y = 0; y < static_cast<std::size_t>(height); ++y)
    std::memcpy(&image[y * row], &upside_down[upside_down.size() - (y + 1) * row], row);
  return image;
}

}  // namespace

std::vector<std::uint8_t> Display::pixels() const {
  int width = width_, height = height_;
  if (visible_) glfwGetFramebufferSize(window_, &width, &height);
  // The back buffer is undefined after a swap, so the frame is painted again.
  if (imgui_ready_ && ImGui::GetDrawData() != nullptr) paint(framebuffer_, width, height, painted_, room());
  return read_pixels(width, height);
}

Display::Picture Display::whole_frame() const {
  const ImGuiIO& io = ImGui::GetIO();
  Picture picture{static_cast<int>(io.DisplaySize.x * io.DisplayFramebufferScale.x),
                  static_cast<int>(io.DisplaySize.y * io.DisplayFramebufferScale.y),
                  {}};
  unsigned framebuffer = 0, renderbuffer = 0;
  if (make_image(picture.width, picture.height, framebuffer, renderbuffer)) {
    paint(framebuffer, picture.width, picture.height, {0, 0}, io.DisplaySize);
    picture.rgba = read_pixels(picture.width, picture.height);
  } else {
    picture.width = picture.height = 0;
  }
  glDeleteFramebuffers(1, &framebuffer);
  glDeleteRenderbuffers(1, &renderbuffer);
  return picture;
}

void Display::wake() {
  glfwPostEmptyEvent();
}

}  // namespace lanescope::gui
