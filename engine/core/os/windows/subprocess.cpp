#include "core/os/subprocess.h"

#include <fcntl.h>
#include <io.h>

#include <array>
#include <filesystem>
#include <thread>
#include <utility>

#include "core/os/files.h"
#include "core/os/spawn.h"
#include "core/os/write_all.h"

namespace lanescope {
namespace {

// Reads a pipe until its other end is closed.
std::string read_all_of(const Descriptor& pipe) {
  std::string text;
  std::array<char, 1 << 16> buffer{};
  for (int got = 0; (got = ::_read(pipe.get(), buffer.data(), static_cast<unsigned>(buffer.size()))) > 0;)
    text.append(buffer.data(), static_cast<std::size_t>(got));
  return text;
}

// A file with the input in a folder of its own. Removes both when it is destroyed.
class InputFile {
 public:
  explicit InputFile(std::span<const std::uint8_t> input) : folder_(make_scratch_folder("lanescope")) {
    if (folder_.empty()) return;
    Descriptor file;
    if (open_to_write(path(), file) == 0) whole_ = write_all(file.get(), input.data(), input.size()) == 0;
  }
  ~InputFile() {
    std::error_code ignored;
    if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
  }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;
  bool is_whole() const { return whole_; }
  std::string path() const { return folder_ + "/input"; }

 private:
  std::string folder_;
  bool whole_ = false;
};

}  // namespace

ProgramOutcome run_program(const std::string& path, std::vector<std::string> arguments,
                           std::span<const std::uint8_t> input, std::chrono::seconds limit,
                           const std::function<bool()>& stop) {
  ProgramOutcome outcome;
  const InputFile file(input);
  Descriptor out, out_of_child, err, err_of_child;
  const Descriptor nothing(::_open("NUL", _O_RDONLY | _O_BINARY | _O_NOINHERIT));
  if (!file.is_whole() || !nothing || open_pipe(out, out_of_child) != 0 || open_pipe(err, err_of_child) != 0)
    return outcome;
  std::vector<std::string> command{path};
  for (std::string& argument : arguments) command.push_back(argument == "{input}" ? file.path() : std::move(argument));
  int child = -1;
  const int failed = spawn(command, {{nothing.get(), 0}, {out_of_child.get(), 1}, {err_of_child.get(), 2}}, child);
  out_of_child.close();
  err_of_child.close();
  if (failed != 0) return outcome;
  outcome.started = true;
  std::thread output([&] { outcome.output = read_all_of(out); }), errors([&] { outcome.errors = read_all_of(err); });
  const auto deadline = std::chrono::steady_clock::now() + limit;
  ProcessEnd end;
  Life life = Life::goes_on;
  while ((life = life_of(child, end)) == Life::goes_on) {
    if (!outcome.timed_out && !outcome.stopped) {
      outcome.timed_out = std::chrono::steady_clock::now() > deadline;
      outcome.stopped = stop && stop();
      if (outcome.timed_out || outcome.stopped) kill_process(child);
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  output.join();
  errors.join();
  if (life == Life::ended && end.signal == 0 && !outcome.timed_out && !outcome.stopped)
    outcome.exit_status = end.exit_status;
  return outcome;
}

}  // namespace lanescope
