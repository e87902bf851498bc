#pragma once
// Runs a program for the window, as `lanescope exec --save` does, in a process of its own: the window goes on, and
// whatever the program does, only that process ends.

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "compile/nvcc/nvcc.h"
#include "compile/source.h"
#include "core/diagnostic.h"
#include "core/os/process_end.h"
#include "gui/programs/printed_lines.h"

namespace lanescope::gui {

// What to run.
struct Program {
  std::string file;       // a .cu with main(), a .py or an executable file; absolute
  std::string arguments;  // as typed (program_words.h)
  // Where it runs, and finds relative names in its arguments; empty: in its file's folder.
  std::string folder = {};
  // For a .cu: the text to build instead of the file's, which is not changed.
  std::optional<std::string> text = std::nullopt;
  compile::Preprocessor preprocessor = {};  // of a .cu

  // With its file's own text.
  Program unedited() const {
    Program own = *this;
    own.text.reset();
    return own;
  }
};

// What came of it.
struct EndedProgram {
  Program program;
  // The launches up to its end; empty if none was saved. It is in `folder`, which is removed with its last owner.
  std::string saved_run;
  std::shared_ptr<const compile::ScratchFolder> folder;
  // Where the text that was built instead of the file's is; empty if there was none.
  std::string built_file;
  Diagnostics said;  // as `exec` tells them; places in built_file are in program.file
  ProcessEnd end;    // exec's, whose exit status is the program's
  bool stopped = false;
  std::uint64_t launches = 0;  // that had ended
  std::string printed;         // the last lines
};

class ProgramRun {
 public:
  // `lanescope`: the command that starts this program itself; `exec` and its options follow. `wake` is called on
  // another thread when there is something to take.
  ProgramRun(std::vector<std::string> lanescope, std::function<void()> wake);
  ~ProgramRun();  // stops it
  ProgramRun(const ProgramRun&) = delete;
  ProgramRun& operator=(const ProgramRun&) = delete;

  void set_command(std::vector<std::string> lanescope) { lanescope_ = std::move(lanescope); }
  // False without a command: programs do not run on this operating system.
  bool available() const { return !lanescope_.empty(); }
  // One that runs is stopped first, and its results are dropped. Never waits.
  void start(Program program);
  // Asks it to end, and ends it with all that it started two seconds later. What it did up to there is a result.
  void stop();

  struct Status {
    bool busy = false;
    bool stopping = false;
    Program program;
    double seconds = 0;
    std::uint64_t launches = 0;  // that have ended
    std::string last_line;       // the last that it printed
  };
  Status status() const;
  bool busy() const { return running_ != nullptr; }
  // What has ended since the last call.
  std::optional<EndedProgram> take();

 private:
  struct Running;
  void run(const std::shared_ptr<Running>& running) const;
  void follow(Running& running, int pid, int output) const;
  void begin(Program program);

  std::vector<std::string> lanescope_;
  std::function<void()> wake_;
  std::shared_ptr<Running> running_;
  std::optional<Program> next_;  // when the one that runs has ended
  std::thread thread_;
};

}  // namespace lanescope::gui
