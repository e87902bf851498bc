#include "gui/programs/program_run.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <utility>

#include "core/os/clock.h"
#include "core/os/files.h"
#include "core/os/message_codec.h"
#include "core/os/pipes.h"
#include "core/os/program_name.h"
#include "core/os/read_file.h"
#include "core/os/replace_file.h"
#include "core/os/spawn.h"
#include "core/os/system_error.h"
#include "core/worded.h"
#include "gui/programs/program_words.h"

namespace lanescope::gui {
namespace fs = std::filesystem;
namespace {

constexpr double grace = 2;            // seconds between asking it to end and ending it
constexpr int look_milliseconds = 30;  // at most this long until a stop is seen

Diagnostic run_error(const Program& program, Wording message, Wording cure) {
  return {Severity::error, "program.not_run", {program.file}, std::move(message), std::move(cure)};
}

}  // namespace

struct ProgramRun::Running {
  EndedProgram result;
  double started = seconds_now();
  std::atomic<bool> stop{false}, done{false};
  std::mutex guard;
  PrintedLines printed;
};

ProgramRun::ProgramRun(std::vector<std::string> lanescope, std::function<void()> wake)
    : lanescope_(std::move(lanescope)), wake_(std::move(wake)) {}

ProgramRun::~ProgramRun() {
  stop();
  if (thread_.joinable()) thread_.join();
}

void ProgramRun::start(Program program) {
  if (running_ == nullptr) return begin(std::move(program));
  running_->stop = true;
  next_ = std::move(program);
}

void ProgramRun::begin(Program program) {
  running_ = std::make_shared<Running>();
  running_->result.program = std::move(program);
  thread_ = std::thread([this, running = running_] {
    run(running);
    running->done = true;
    wake_();
  });
}

void ProgramRun::stop() {
  next_.reset();
  if (running_ != nullptr) running_->stop = true;
}

ProgramRun::Status ProgramRun::status() const {
  if (running_ == nullptr) return {};
  const std::lock_guard lock(running_->guard);
  return {true,
          running_->stop,
          running_->result.program,
          seconds_now() - running_->started,
          running_->printed.launches(),
          running_->printed.last()};
}

std::optional<EndedProgram> ProgramRun::take() {
  if (running_ == nullptr || !running_->done) return std::nullopt;
  thread_.join();
  EndedProgram result = std::move(running_->result);
  running_.reset();
  if (!next_) return result;
  begin(std::move(*next_));
  next_.reset();
  return std::nullopt;
}

namespace {

// The edited text under its file's name, in a folder that is not searched for anything else.
int write_text(const fs::path& folder, EndedProgram& of) {
  std::error_code failed;
  fs::create_directory(folder / "text", failed);
  of.built_file = (folder / "text" / fs::path(of.program.file).filename()).generic_string();
  return failed ? reason_of(failed) : replace_file(of.built_file, *of.program.text);
}

std::vector<std::string> command_of(std::vector<std::string> command, const EndedProgram& of, const std::string& said) {
  const Program& program = of.program;
  const std::string file = of.built_file.empty() ? program.file : of.built_file;
  command.insert(command.end(), {"exec", "--verbose", "--said", said, "--save", of.saved_run});
  if (!of.built_file.empty())
    command.insert(command.end(), {"-I", fs::path(program.file).parent_path().generic_string()});
  for (const std::string& folder : program.preprocessor.include_paths) command.insert(command.end(), {"-I", folder});
  for (const std::string& macro : program.preprocessor.defines) command.insert(command.end(), {"-D", macro});
  const bool python = file.ends_with(".py");
  if (python) command.insert(command.end(), {"python3", "-u"});  // so that lines arrive at once
  command.push_back(file);
  if (!python) command.push_back("--");
  for (std::string& word : words_of(program.arguments)) command.push_back(std::move(word));
  return command;
}

Diagnostics read_said(const std::string& file, const EndedProgram& of) {
  std::string text;
  if (read_file(file, text) != 0) return {};
  const Message message = Message::parse(text, nullptr, /*allow_exceptions=*/false);
  Diagnostics said;
  if (!message.is_object() || !message.contains("said")) return said;
  for (const Message& one : message.at("said")) {
    said.push_back(from_message<Diagnostic>(one));
    if (!of.built_file.empty() && said.back().place.file == of.built_file) said.back().place.file = of.program.file;
  }
  return said;
}

}  // namespace

// Until it has ended; what a process that it left behind prints later is not read.
void ProgramRun::follow(Running& running, int pid, int output) const {
  std::array<char, 1 << 14> buffer{};
  bool open = true, ended = false, asked = false;
  double asked_at = 0;
  while (!ended || (open && readable(output, 0))) {
    if (running.stop && !std::exchange(asked, true)) ask_to_end(pid), asked_at = seconds_now();
    if (asked && !ended && seconds_now() > asked_at + grace) kill_group(pid);
    if (open && readable(output, ended ? 0 : look_milliseconds)) {
      const std::ptrdiff_t got = read_arrived(output, buffer.data(), buffer.size());
      open = got > 0;
      const std::lock_guard lock(running.guard);
      if (open) running.printed.add({buffer.data(), static_cast<std::size_t>(got)});
    } else if (!open && !ended) {
      std::this_thread::sleep_for(std::chrono::milliseconds(look_milliseconds));
    }
    if (!ended) ended = life_of(pid, running.result.end) != Life::goes_on;
  }
  if (asked) kill_group(pid);
  const std::lock_guard lock(running.guard);
  running.printed.end();
}

void ProgramRun::run(const std::shared_ptr<Running>& running) const {
  EndedProgram& result = running->result;
  const Program& program = result.program;
  auto folder = std::make_shared<compile::ScratchFolder>();
  const auto fail = [&](int reason) {
    result.said.push_back(run_error(program, worded("The program cannot be started: {}.", system_error(reason)),
                                    "Free some space in the folder for temporary files, and see that the program's own "
                                    "folder is there; then run it again."));
  };
  if (folder->path().empty()) return fail(ENOSPC);
  if (program.text)
    if (const int reason = write_text(folder->path(), result); reason != 0) return fail(reason);
  const std::string said = (folder->path() / "said.json").generic_string();
  result.saved_run = (folder->path() / fs::path(program.file).filename()).generic_string();
  result.folder = std::move(folder);

  Descriptor output, of_child, nothing;
  int pid = -1, reason = open_pipe(output, of_child);
  make_nameless_file(nothing);  // its standard input ends at once
  if (reason == 0)
    reason = spawn_not_to_outlive_us(
        command_of(lanescope_, result, said),
        {.descriptors = {{nothing.get(), 0}, {of_child.get(), 1}, {of_child.get(), 2}},
         .group = ProcessGroup::own,
         .folder = program.folder.empty() ? fs::path(program.file).parent_path().generic_string() : program.folder},
        pid);
  if (reason != 0) return result.saved_run.clear(), fail(reason);
  of_child.close();
  follow(*running, pid, output.get());

  result.stopped = running->stop;
  result.printed = running->printed.text();
  result.launches = running->printed.launches();
  result.said = read_said(said, result);
  std::error_code failed;
  if (!fs::exists(result.saved_run, failed) || fs::is_empty(result.saved_run, failed)) result.saved_run.clear();
  if (result.said.empty() && result.saved_run.empty() && !result.stopped)
    result.said.push_back(run_error(
        program, worded("The program ended before it launched a kernel (exit code {}).", result.end.exit_status),
        worded("Run `{} exec {}` in a terminal to see what it says.", program_name(), as_typed(program.file))));
}

}  // namespace lanescope::gui
