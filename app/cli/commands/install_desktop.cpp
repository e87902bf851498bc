// lanescope install-desktop: adds an entry to the desktop's menu, below the user's own folder, according to
// freedesktop.org's Desktop Entry and Icon Theme specifications.

#include <filesystem>

#include <fmt/format.h>

#include "cli/commands/commands.h"
#include "cli/input/lessons.h"
#include "cli/output/output.h"
#include "core/os/abilities.h"
#include "core/os/environment.h"
#include "core/os/own_path.h"
#include "core/os/replace_file.h"
#include "core/os/system_error.h"
#include "core/worded.h"

namespace lanescope::cli {
namespace fs = std::filesystem;
namespace {

// Quotes an argument of Exec: in double quotes, with a backslash before characters that a shell interprets there.
// Backslashes are doubled, because the value is a string. % begins a field code, so it is doubled too.
std::string exec_argument(const std::string& word) {
  std::string text = "\"";
  for (const char c : word) {
    if (c == '"' || c == '`' || c == '$' || c == '\\') text += "\\\\";
    if (c == '%') text += '%';
    text += c == '\\' ? "\\\\" : std::string(1, c);
  }
  return text + "\"";
}

std::string entry() {
  return fmt::format(
      "[Desktop Entry]\n"
      "Type=Application\n"
      "Name=Lanescope\n"
      "Comment=See what a CUDA kernel does, warp by warp\n"
      "Comment[zh_CN]=逐个 warp 地看 CUDA kernel 做了什么\n"
      "Exec={}\n"
      "Icon=lanescope\n"
      "StartupWMClass=lanescope\n"
      "Terminal=false\n"
      "Categories=Education;Development;\n"
      "Keywords=CUDA;GPU;warp;kernel;\n",
      exec_argument(own_path().generic_string()));
}

int refused(const Diagnostic& why) {
  print_diagnostics({why});
  return exit_code({why});
}

int remove_all(std::initializer_list<fs::path> files) {
  for (const fs::path& file : files) {
    std::error_code failed;
    fs::remove(file, failed);
    if (failed) return refused(cannot_write(file.generic_string(), reason_of(failed)));
  }
  return 0;
}

}  // namespace

int install_desktop(const DesktopOptions& options) {
  if (!has_desktop_entries())
    return refused({Severity::error,
                    "io.no_home",
                    {},
                    "This operating system has no such menu of programs.",
                    "Make a shortcut to the program instead."});
  const fs::path home = desktop_data_folder();
  if (home.empty())
    return refused({Severity::error,
                    "io.no_home",
                    {},
                    "There is no home folder to install into.",
                    "Set HOME, or XDG_DATA_HOME, to the folder's full path."});
  const fs::path in_menu = home / "applications/lanescope.desktop";
  const fs::path icon = home / "icons/hicolor/scalable/apps/lanescope.svg";
  if (options.remove) return remove_all({in_menu, icon});
  Result<std::string> picture = read_text_file(data_folder("assets") + "/lanescope.svg");
  if (!picture) return refused(picture.errors().front());
  for (const auto& [file, text] : {std::pair{icon, *picture}, {in_menu, entry()}}) {
    std::error_code failed;
    fs::create_directories(file.parent_path(), failed);
    if (failed) return refused(cannot_write(file.parent_path().generic_string(), reason_of(failed)));
    if (const int reason = replace_file(file.generic_string(), text); reason != 0)
      return refused(cannot_write(file.generic_string(), reason));
  }
  return print(told(worded("{} is in the menu of programs: {}", "Lanescope", in_menu.generic_string())) + "\n") ? 0 : 1;
}

}  // namespace lanescope::cli
