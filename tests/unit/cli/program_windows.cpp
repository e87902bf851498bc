#include "program.h"

#include <chrono>
#include <cstdlib>
#include <memory>
#include <thread>
#include <utility>

#include "core/os/environment.h"
#include "core/os/files.h"
#include "core/os/spawn.h"

namespace lanescope::test {
namespace {

// "A=1 B='two words'" as pairs.
std::vector<std::pair<std::string, std::string>> variables_in(const std::string& text) {
  std::vector<std::string> words(1);
  bool in_quotes = false;
  for (const char c : text) {
    if (c == '\'')
      in_quotes = !in_quotes;
    else if (c == ' ' && !in_quotes)
      words.emplace_back();
    else
      words.back() += c;
  }
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const std::string& word : words)
    if (const std::size_t equals = word.find('='); equals != std::string::npos)
      pairs.emplace_back(word.substr(0, equals), word.substr(equals + 1));
  return pairs;
}

class CurrentFolder {
 public:
  explicit CurrentFolder(const std::string& folder) : before_(std::filesystem::current_path()) {
    std::filesystem::current_path(folder);
  }
  ~CurrentFolder() { std::filesystem::current_path(before_); }
  CurrentFolder(const CurrentFolder&) = delete;
  CurrentFolder& operator=(const CurrentFolder&) = delete;

 private:
  std::filesystem::path before_;
};

}  // namespace

bool installed() {
  return std::getenv("LANESCOPE_TESTED") != nullptr;
}

bool on_posix() {
  return false;
}

std::string quoted(const std::string& text) {
  return "'" + text + "'";
}

Ran lanescope(const std::vector<std::string>& arguments, const Setting& setting) {
  Ran ran;
  if (!setting.before.empty() || !setting.output.empty()) {
    ADD_FAILURE() << "needs a POSIX shell";
    return ran;
  }
  const TempFolder folder;
  const std::string out = (folder / "out").generic_string(), err = (folder / "err").generic_string();
  std::vector<std::pair<std::string, std::string>> variables = variables_in(setting.environment);
  variables.insert(variables.begin(), {{"LANESCOPE_CALLED_AS", "lanescope"}, {"LANESCOPE_ROOT", LANESCOPE_SOURCE_DIR}});
  std::vector<std::unique_ptr<ScopedVariable>> set;
  for (const auto& pair : variables) set.push_back(std::make_unique<ScopedVariable>(pair.first, pair.second));
  const CurrentFolder in(setting.folder.empty() ? case_path("cli").string() : setting.folder);
  std::vector<std::string> command{LANESCOPE_BINARY};
  command.insert(command.end(), arguments.begin(), arguments.end());
  {
    Descriptor nothing, output, errors;
    EXPECT_EQ(open_to_read("NUL", nothing), 0);
    EXPECT_EQ(open_to_write(out, output), 0);
    EXPECT_EQ(open_to_write(err, errors), 0);
    int process = -1;
    EXPECT_EQ(spawn(command, {{nothing.get(), 0}, {output.get(), 1}, {errors.get(), 2}}, process), 0);
    ProcessEnd end;
    while (life_of(process, end) == Life::goes_on) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    ran.code = end.signal != 0 ? 128 : end.exit_status;
  }
  ran.out = read_file(out);
  ran.err = read_file(err);
  // The last to be set is restored first.
  while (!set.empty()) set.pop_back();
  return ran;
}

}  // namespace lanescope::test
