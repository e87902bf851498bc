#include "program.h"

#include <sys/wait.h>

#include <cstdlib>

namespace lanescope::test {

bool installed() {
  return std::getenv("LANESCOPE_TESTED") != nullptr;
}

bool on_posix() {
  return true;
}

std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

Ran lanescope(const std::vector<std::string>& arguments, const Setting& setting) {
  TempFolder folder;
  const std::string out = (folder / "out").string(), err = (folder / "err").string();
  const std::string in = setting.folder.empty() ? case_path("cli").string() : setting.folder;
  // An installed program finds its own lessons and compiler.
  const std::string parts =
      installed() ? "-u LANESCOPE_DEPS " : std::string("LANESCOPE_ROOT=") + quoted(LANESCOPE_SOURCE_DIR) + " ";
  std::string command = "cd " + quoted(in) + " && " + (setting.before.empty() ? "" : setting.before + "; ") +
                        "exec env -u DISPLAY -u WAYLAND_DISPLAY " + parts + "LANESCOPE_CALLED_AS=lanescope " +
                        setting.environment + " " + quoted(LANESCOPE_BINARY);
  for (const std::string& argument : arguments) command += " " + quoted(argument);
  command += " > " + quoted(setting.output.empty() ? out : setting.output) + " 2> " + quoted(err) + " < /dev/null";
  const int status = std::system(("(" + command + ")").c_str());
  Ran ran;
  ran.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (setting.output.empty()) ran.out = read_file(out);
  ran.err = read_file(err);
  return ran;
}

}  // namespace lanescope::test
