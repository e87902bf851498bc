#include "gpu/worker_process.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <optional>

#include "core/os/clock.h"
#include "core/os/files.h"
#include "core/os/pipes.h"
#include "core/os/program_name.h"
#include "core/text.h"
#include "core/worded.h"

namespace lanescope::gpu {
namespace {

// Slurm's reason why a job was ended. Lines about what that did follow it.
constexpr std::string_view ended_by_slurm = "CANCELLED";

struct Greeting {
  int protocol = 0;
  std::string version;
};

std::optional<Greeting> greeting_in(std::string_view line) {
  const std::vector<std::string_view> words = split(trimmed(line), ' ');
  Greeting found;
  if (words.size() != 3 || words[0] != greeting) return std::nullopt;
  if (std::from_chars(words[1].data(), words[1].data() + words[1].size(), found.protocol).ec != std::errc{})
    return std::nullopt;
  found.version = words[2];
  return found;
}

// Removes a terminal's control characters from text that goes into a message.
std::string printable(std::string_view text) {
  std::string clean;
  for (const char c : text)
    if (static_cast<unsigned char>(c) >= ' ' && c != 127) clean += c;
  return clean;
}

}  // namespace

Diagnostics told_by(const Where& where, Diagnostics errors) {
  if (where.is_here()) return errors;
  for (Diagnostic& error : errors) error.message = worded("On {}: {}", where.text(), error.message);
  return errors;
}

Diagnostic lost_diagnostic() {
  return {.code = "gpu.worker_lost",
          .message = "The GPU worker process ended in the middle of this run.",
          .cure = worded("Run again: a new worker starts by itself. If it happens again, run `{} doctor` to see what "
                         "the GPU and its driver report.",
                         program_name())};
}

Diagnostic cancelled() {
  return {.code = "gpu.cancelled", .message = "The work on the GPU was stopped.", .cure = "Run again."};
}

WorkerProcess::~WorkerProcess() {
  stop();
}

Diagnostics WorkerProcess::start() {
  if (where_.is_here()) {
    if (child_.start(command_) == 0) return {};
    return {{.code = "gpu.worker_lost",
             .message = "The GPU worker process could not be started.",
             .cure = "Check that the program file is executable and that memory is free."}};
  }
  make_nameless_file(said_);
  constexpr int standard_errors = 2;
  if (child_.start_to_end_with_us(command_, said_ ? said_.get() : standard_errors) != 0)
    return {unreachable(where_, "")};
  child_.wire().keep_at_most(Wire::most_kept_elsewhere);
  Diagnostics errors = await_greeting();
  if (!errors.empty()) stop();
  return errors;
}

void WorkerProcess::stop() {
  where_.is_here() ? child_.stop() : child_.stop_gently();
}

Diagnostic WorkerProcess::loss() const {
  return where_.is_here() ? lost_diagnostic() : connection_lost(where_, last_words());
}

Diagnostic WorkerProcess::damage() const {
  if (where_.is_here())
    return {.code = "gpu.bad_answer",
            .message = "The answer of the GPU worker process is damaged; nothing of it is used.",
            .cure = lost_diagnostic().cure};
  return {.code = "gpu.bad_answer",
          .message = worded("The answer of the worker on {} is damaged; nothing of it is used.", where_.text()),
          .cure = "Run again: a new worker is started there. If it happens again, install the same version there."};
}

Diagnostics WorkerProcess::await_greeting() {
  constexpr std::size_t most_before = 64 << 10;  // longer than any message of the day
  constexpr double patience_seconds = 60;  // ssh gives up after a quarter of this time; a Slurm queue is not limited
  const auto begin = std::chrono::steady_clock::now();
  std::string line, told;
  for (std::size_t bytes = 0; bytes < most_before;) {
    if (!readable(child_.from_child(), 50)) {
      if (wish() != Wish::go_on) return {cancelled()};
      if (where_.kind == Where::Kind::ssh && seconds_since(begin) > patience_seconds)
        return {unreachable(where_, last_words())};
      if (std::string now = last_words(); tell_ && now != told) tell_(told = std::move(now));
      continue;
    }
    char c = 0;
    if (read_some(child_.from_child(), &c, 1) != 1) break;
    ++bytes;
    if (c != '\n') {
      line += c;
      continue;
    }
    if (const std::optional<Greeting> found = greeting_in(line))
      return found->protocol == protocol ? Diagnostics{}
                                         : Diagnostics{other_version(where_, found->version, found->protocol)};
    line.clear();
  }
  return {unreachable(where_, last_words())};
}

std::string WorkerProcess::last_words() const {
  std::array<char, 2048> text{};
  FileFacts facts;
  if (!said_ || facts_of(said_.get(), facts) != 0) return "";
  const std::uint64_t begin = facts.bytes - std::min<std::uint64_t>(facts.bytes, text.size());
  const std::ptrdiff_t got = read_some_at(said_.get(), begin, text.data(), text.size());
  if (got <= 0) return "";
  std::string last;
  for (const std::string_view line : split(std::string_view(text.data(), static_cast<std::size_t>(got)), '\n'))
    if (std::string clean = printable(trimmed(line)); !clean.empty() && !contains(last, ended_by_slurm))
      last = std::move(clean);
  constexpr std::size_t most = 300;
  return last.substr(0, most);
}

}  // namespace lanescope::gpu
