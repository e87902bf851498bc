#include "core/os/abilities.h"

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <thread>
#include <vector>

#include "core/os/environment.h"
#include "core/os/files.h"
#include "core/os/spawn.h"
#include "core/os/system_error.h"
#include "core/os/write_all.h"
#include "core/worded.h"

namespace lanescope {
namespace {

using namespace std::chrono_literals;

// Both read the picture from standard input, leave a process behind that serves it, and then end.
constexpr auto limit = 3s;

bool is_set(const char* name) {
  return !value_of_variable(name).value_or("").empty();
}

// Empty if none is installed for this session. A Wayland session with XWayland passes on what xclip copies.
std::vector<std::string> command() {
  if (is_set("WAYLAND_DISPLAY"))
    if (const std::string path = path_of_program("wl-copy"); !path.empty()) return {path, "--type", "image/png"};
  if (is_set("DISPLAY"))
    if (const std::string path = path_of_program("xclip"); !path.empty())
      return {path, "-selection", "clipboard", "-t", "image/png", "-i"};
  return {};
}

Diagnostic cannot_copy(Wording reason) {
  return {Severity::error,
          "clipboard.picture",
          {},
          worded("The picture could not be copied: {}.", std::move(reason)),
          how_to_copy_pictures()};
}

}  // namespace

bool clipboard_takes_pictures() {
  return !command().empty();
}

Wording what_the_clipboard_lacks() {
  if (clipboard_takes_pictures()) return {};
  return is_set("WAYLAND_DISPLAY") ? worded("{} is not installed", "wl-copy") : worded("{} is not installed", "xclip");
}

Wording how_to_copy_pictures() {
  return is_set("WAYLAND_DISPLAY") ? worded("Install {}, or save the picture as PNG.", "wl-clipboard")
                                   : worded("Install {}, or save the picture as PNG.", "xclip");
}

Result<std::monostate> copy_picture(const ClipboardPicture& picture) {
  const std::vector<std::string> words = command();
  if (words.empty()) return cannot_copy(what_the_clipboard_lacks());
  Descriptor file, input;
  make_nameless_file(file);
  if (!file) return cannot_copy(system_error(errno));
  if (const int reason = write_all(file.get(), picture.png.data(), picture.png.size()))
    return cannot_copy(system_error(reason));
  if (const int reason = open_to_read(path_of_nameless_file(file.get()), input))
    return cannot_copy(system_error(reason));
  const Descriptor nothing(::open("/dev/null", O_WRONLY | O_CLOEXEC));
  int pid = -1;
  // The process that stays must not end with this program's terminal.
  const int failed =
      spawn(words, {{input.get(), STDIN_FILENO}, {nothing.get(), STDOUT_FILENO}, {nothing.get(), STDERR_FILENO}}, pid,
            ProcessGroup::own);
  if (failed != 0) return cannot_copy(system_error(failed));
  const auto deadline = std::chrono::steady_clock::now() + limit;
  for (;;) {
    ProcessEnd end;
    const Life life = life_of(pid, end);
    if (life == Life::gone || (life == Life::ended && end.signal == 0 && end.exit_status == 0)) return std::monostate{};
    if (life == Life::ended) return cannot_copy(worded("{} failed", words.front()));
    if (std::chrono::steady_clock::now() > deadline) break;
    std::this_thread::sleep_for(2ms);
  }
  kill_process(pid);
  ProcessEnd end;
  while (life_of(pid, end) == Life::goes_on) std::this_thread::sleep_for(2ms);
  return cannot_copy(worded("{} did not answer", words.front()));
}

}  // namespace lanescope
