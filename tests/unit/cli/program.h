#pragma once
// Runs the program as a shell would.

#include <sys/wait.h>

#include <cstdlib>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "golden.h"
#include "test_paths.h"

namespace lanescope::test {

// The command line `arguments` followed by `more`.
inline std::vector<std::string> with(std::vector<std::string> arguments, const std::vector<std::string>& more) {
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

struct Ran {
  int code = -1;  // exit code; 128 + signal if a signal ended it
  std::string out, err;
  nlohmann::json json() const {
    nlohmann::json parsed = nlohmann::json::parse(out, nullptr, false);
    EXPECT_FALSE(parsed.is_discarded()) << "no JSON on standard output: " << out.substr(0, 300) << "\n" << err;
    return parsed;
  }
};

inline std::string quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// How to start it: environment, shell commands before it, where its output goes.
struct Setting {
  std::string environment;  // "NAME=value NAME=value"
  std::string before;       // "ulimit -f 1"
  std::string folder;       // the current folder; empty = tests/cases/cli
  std::string output;       // replaces capturing standard output: "/dev/full"
};

inline Ran lanescope(const std::vector<std::string>& arguments, const Setting& setting = {}) {
  TempFolder folder;
  const std::string out = (folder / "out").string(), err = (folder / "err").string();
  const std::string in = setting.folder.empty() ? case_path("cli").string() : setting.folder;
  std::string command = "cd " + quoted(in) + " && " + (setting.before.empty() ? "" : setting.before + "; ") +
                        "exec env -u DISPLAY -u WAYLAND_DISPLAY LANESCOPE_CALLED_AS=lanescope LANESCOPE_ROOT=" +
                        quoted(LANESCOPE_SOURCE_DIR) + " " + setting.environment + " " + quoted(LANESCOPE_BINARY);
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
