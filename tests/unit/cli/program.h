#pragma once
// Runs the program as a shell would.

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

// The text as one word of a shell.
std::string quoted(const std::string& text);

// How to start it: environment, shell commands before it, where its output goes.
struct Setting {
  std::string environment;  // "NAME=value NAME=value"
  std::string before;       // "ulimit -f 1"
  std::string folder;       // the current folder; empty = tests/cases/cli
  std::string output;       // replaces capturing standard output: "/dev/full"
};

// The program is not the one that was built: ./test --installed.
bool installed();

// False on Windows: there is no such shell, so `before` and `output` have no meaning, and file names lack some
// characters.
bool on_posix();
#define NEEDS_POSIX() \
  if (!::lanescope::test::on_posix()) GTEST_SKIP() << "Windows has no shell, limits of a process or such file names"

Ran lanescope(const std::vector<std::string>& arguments, const Setting& setting = {});

}  // namespace lanescope::test
