#include "core/os/environment.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <string_view>

#include "core/os/dynamic_library.h"
#include "core/os/program_name.h"
#include "core/text.h"
#include "core/worded.h"

namespace lanescope {
namespace {

std::string named_or_in_home(const char* variable, const char* below_home) {
  const char* named = std::getenv(variable);
  if (named != nullptr && *named == '/') return named;
  const std::string home = home_folder();
  return home.starts_with('/') ? home + "/" + below_home : std::string();
}

}  // namespace

std::optional<std::string> value_of_variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? std::optional<std::string>(value) : std::nullopt;
}

void set_variable(const char* name, const std::string& value) {
  ::setenv(name, value.c_str(), 1);
}

void unset_variable(const char* name) {
  ::unsetenv(name);
}

std::vector<std::string> folders_of_programs() {
  const char* path = std::getenv("PATH");
  std::vector<std::string> folders;
  for (const std::string_view folder : split(path != nullptr ? path : "", ':'))
    if (!folder.empty()) folders.emplace_back(folder);
  return folders;
}

std::string program_file(const std::string& name) {
  return name;
}

std::vector<std::string> environments_of_copied_programs(const std::string&) {
  return {};
}

bool is_program(const std::string& path) {
  struct stat found {};
  return ::stat(path.c_str(), &found) == 0 && S_ISREG(found.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

std::string home_folder() {
  const char* home = std::getenv("HOME");
  return home != nullptr ? home : "";
}

// According to the XDG Base Directory Specification, a relative path must be ignored.
std::string state_folder() {
  const std::string folder = named_or_in_home("XDG_STATE_HOME", ".local/state");
  return folder.empty() ? folder : folder + "/lanescope";
}

std::string cache_folder() {
  const std::string folder = named_or_in_home("XDG_CACHE_HOME", ".cache");
  return folder.empty() ? folder : folder + "/lanescope";
}

std::string desktop_data_folder() {
  return named_or_in_home("XDG_DATA_HOME", ".local/share");
}

std::vector<std::string> font_folders() {
  std::vector<std::string> folders{"/usr/share/fonts", "/usr/local/share/fonts"};
  if (const std::string home = home_folder(); !home.empty()) folders.push_back(home + "/.local/share/fonts");
  return folders;
}

std::string display_name() {
  for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY"})
    if (const char* value = std::getenv(name); value != nullptr && *value != '\0')
      return std::string(name) + "=" + value;
  return {};
}

Wording how_to_get_a_display() {
  if (!display_name().empty() && !DynamicLibrary::open("libX11.so.6"))
    return "Install the libraries of X11: apt install libx11-6 libxcursor1 libxi6 libxinerama1 libxrandr2.";
  if (display_name().starts_with("WAYLAND_DISPLAY="))
    return "The window needs X11. Install XWayland (apt install xwayland), and set DISPLAY if the desktop does not.";
  return worded("Start it from a graphical session, set DISPLAY, or use the command line: `{} run LESSON`.",
                program_name());
}

Wording how_to_get_opengl() {
  return "Install the graphics driver, or Mesa's software renderer: apt install libgl1 libgl1-mesa-dri.";
}

std::string language_of_user() {
  for (const char* name : {"LC_ALL", "LC_MESSAGES", "LANG"})
    if (const char* value = std::getenv(name); value != nullptr && *value != '\0') return value;
  return {};
}

bool errors_go_to_a_terminal() {
  return ::isatty(STDERR_FILENO) != 0;
}

}  // namespace lanescope
