#include "gui/end_of_process.h"

#include <cstdlib>
#include <thread>

#include "core/os/dynamic_library.h"
#include "gui/kit/display.h"

namespace lanescope::gui {
namespace {

std::thread::id owner;
std::function<void()> save_all;

using IoErrorHandler = int (*)(void* display);
IoErrorHandler handler_before = nullptr;

// Sets Xlib's handler and returns the former one. GLFW loads Xlib at run time; returns nullptr if it did not.
IoErrorHandler set_io_error_handler(IoErrorHandler handler) {
  IoErrorHandler (*set)(IoErrorHandler) = nullptr;
  return DynamicLibrary::opened_elsewhere("libX11.so.6").find("XSetIOErrorHandler", set) ? set(handler) : nullptr;
}

int display_is_gone(void*) {
  if (std::this_thread::get_id() == owner) save_all();
  std::_Exit(1);
}

}  // namespace

EndOfProcess::EndOfProcess(std::function<void()> save) : asked_([] { Display::wake(); }) {
  save_all = std::move(save);
  owner = std::this_thread::get_id();
  handler_before = set_io_error_handler(display_is_gone);
}

EndOfProcess::~EndOfProcess() {
  set_io_error_handler(handler_before);
}

bool EndOfProcess::asked() const {
  return asked_.asked();
}

}  // namespace lanescope::gui
