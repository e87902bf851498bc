#include "compile/compiler_process.h"

#include <algorithm>
#include <condition_variable>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "compile/library_file.h"
#include "compile/worker.h"
#include "core/os/child_process.h"
#include "core/os/cores.h"
#include "core/os/environment.h"
#include "core/os/machine.h"
#include "core/os/own_path.h"
#include "core/os/system_error.h"
#include "core/worded.h"

namespace lanescope::compile {
namespace {

using Clock = std::chrono::steady_clock;

struct Limits {
  const std::atomic<bool>* cancel = nullptr;
  Clock::time_point deadline;
  std::uint64_t most_memory = 0;

  bool cancelled() const { return cancel != nullptr && cancel->load(std::memory_order_relaxed); }
};

// How a request ended. `how`: the signal of a crash, or the system's reason for a failed start.
enum class End : std::uint8_t { answered, cancelled, too_slow, too_much_memory, crashed, not_started };
struct Answer {
  End end = End::answered;
  Wording how;
  Parcel parcel;
};

Wording ending(const std::optional<ProcessEnd>& end) {
  if (!end) return "it closed its pipe";
  return end->signal != 0 ? name_of_signal(end->signal) : worded("exit status {}", end->exit_status);
}

// The workers of this process. Never destroyed: a worker ends when this process has ended.
class Workers {
 public:
  void set_command(std::vector<std::string> command) {
    const std::lock_guard lock(guard_);
    command_ = std::move(command);
    idle_.clear();
  }

  // Returns null if the limits are reached before a worker is free.
  std::unique_ptr<ChildProcess> take(const Limits& limits, std::vector<std::string>& command) {
    std::unique_lock lock(guard_);
    while (taken_ >= most_) {
      if (limits.cancelled() || Clock::now() > limits.deadline) return nullptr;
      freed_.wait_for(lock, std::chrono::milliseconds(20));
    }
    ++taken_;
    command = command_;
    while (!idle_.empty()) {
      std::unique_ptr<ChildProcess> worker = std::move(idle_.back());
      idle_.pop_back();
      if (!worker->wire().readable(0)) return worker;  // an idle worker that sends something has ended
    }
    return std::make_unique<ChildProcess>();
  }

  void give_back(std::unique_ptr<ChildProcess> worker) {
    const bool warm = worker->running() && resident_bytes(worker->pid()) < most_kept_bytes;
    const std::lock_guard lock(guard_);
    --taken_;
    if (warm && idle_.size() < most_idle) idle_.push_back(std::move(worker));
    freed_.notify_one();
  }

 private:
  static constexpr std::size_t most_idle = 2;
  static constexpr std::uint64_t most_kept_bytes = 1ull << 30;  // NVRTC does not release all memory that it took
  const int most_ = std::clamp(usable_cores(), 2, 8);
  std::mutex guard_;
  std::condition_variable freed_;
  std::vector<std::string> command_;
  std::vector<std::unique_ptr<ChildProcess>> idle_;
  int taken_ = 0;
};

Workers& workers() {
  static auto* all = new Workers;
  return *all;
}

// Borrows a worker for one request.
class Loan {
 public:
  explicit Loan(const Limits& limits) : worker_(workers().take(limits, command_)) {}
  ~Loan() {
    if (worker_) workers().give_back(std::move(worker_));
  }
  Loan(const Loan&) = delete;
  Loan& operator=(const Loan&) = delete;
  explicit operator bool() const { return worker_ != nullptr; }
  ChildProcess& worker() { return *worker_; }
  const std::vector<std::string>& command() const { return command_; }

 private:
  std::vector<std::string> command_;
  std::unique_ptr<ChildProcess> worker_;
};

// Returns why a request must end now, if it must.
std::optional<End> over(const Limits& limits, int worker) {
  if (limits.cancelled()) return End::cancelled;
  if (Clock::now() > limits.deadline) return End::too_slow;
  if (resident_bytes(worker) > limits.most_memory) return End::too_much_memory;
  return std::nullopt;
}

// A worker that stops when told is kept, because its libraries are loaded.
void end_request(ChildProcess& worker, End why) {
  constexpr int patience_ms = 100;
  if (why != End::too_much_memory && worker.wire().send({{"do", "stop"}}) && worker.wire().readable(patience_ms) &&
      worker.wire().receive())
    return;
  worker.stop();
}

// An idle worker may be about to end although its pipe does not show it yet: it then fails soon without an answer.
// `stale` reports this.
Answer ask_one(const Message& head, const Outgoing& bytes, const Limits& limits, bool& stale) {
  constexpr std::chrono::milliseconds soon{100};
  Loan loan(limits);
  if (!loan) return {limits.cancelled() ? End::cancelled : End::too_slow, {}, {}};
  ChildProcess& worker = loan.worker();
  const bool was_idle = worker.running();
  if (!was_idle)
    if (const int reason = worker.start(loan.command())) return {End::not_started, system_error(reason), {}};
  const Clock::time_point begun = Clock::now();
  if (worker.wire().send(head, bytes)) {
    while (!worker.wire().readable(20)) {
      const std::optional<End> why = over(limits, worker.pid());
      if (!why) continue;
      end_request(worker, *why);
      return {*why, {}, {}};
    }
    if (std::optional<Parcel> got = worker.wire().receive()) return {End::answered, {}, std::move(*got)};
  }
  stale = was_idle && Clock::now() - begun < soon;
  return {End::crashed, ending(worker.ended()), {}};
}

Answer ask(const Message& head, const Outgoing& bytes, const Limits& limits) {
  bool stale = false;
  Answer answer = ask_one(head, bytes, limits, stale);
  while (stale) {
    stale = false;
    answer = ask_one(head, bytes, limits, stale);
  }
  return answer;
}

Outgoing once(std::initializer_list<const std::string*> texts) {
  Outgoing bytes;
  for (const std::string* text : texts) bytes.emplace_back(std::as_bytes(std::span(*text)), true);
  return bytes;
}

std::string text_at(const Parcel& parcel, std::size_t index) {
  if (index >= parcel.bytes.size()) return "";
  const Bytes& bytes = parcel.bytes[index];
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::vector<std::uint8_t> binary_at(const Parcel& parcel, std::size_t index) {
  std::vector<std::uint8_t> binary;
  if (index < parcel.bytes.size())
    for (const std::byte one : parcel.bytes[index]) binary.push_back(static_cast<std::uint8_t>(one));
  return binary;
}

std::string current_folder() {
  std::error_code ignored;
  return std::filesystem::current_path(ignored).generic_string();
}

// A library that takes longer than this to load is on a file system that does not respond.
constexpr auto patience_of_loading = std::chrono::seconds(60);

Diagnostic broken(Wording why) {
  return {Severity::error, "toolchain.broken", {}, std::move(why), ""};
}

Result<NvrtcLibrary> ask_nvrtc_at(const std::string& path) {
  if (const Wording unfit = why_unfit_with_builtins(path); !unfit.empty()) return broken(unfit);
  const Answer answer =
      ask({{"do", "nvrtc"}, {"library", path}}, {}, {nullptr, Clock::now() + patience_of_loading, most_memory()});
  switch (answer.end) {
    case End::answered:
      break;
    case End::not_started:
      return worker_not_started(answer.how);
    case End::crashed:
      return broken(worded("loading {} crashed ({})", path, answer.how));
    default:
      return broken(worded("loading {} does not finish", path));
  }
  const Message& told = answer.parcel.head;
  if (told.contains("reason")) return broken(Wording(told.value("reason", std::string())));
  return NvrtcLibrary{told.at("path"), told.at("major"), told.at("minor"),
                      told.at("architectures").get<std::vector<int>>()};
}

// "4 GiB"
std::string memory_words(std::uint64_t bytes) {
  return bytes >= (1ull << 30) ? fmt::format("{:.2g} GiB", static_cast<double>(bytes) / (1ull << 30))
                               : fmt::format("{} MiB", bytes >> 20);
}

NvrtcOutcome ended_without(NvrtcOutcome::Code code, Wording why = {}) {
  NvrtcOutcome outcome;
  outcome.code = code;
  outcome.error = std::move(why);
  return outcome;
}

}  // namespace

void set_worker_command(std::vector<std::string> command) {
  workers().set_command(std::move(command));
}

std::vector<std::string> own_worker_command() {
  return {own_program(), "compile-worker"};
}

std::uint64_t most_memory() {
  double gibibytes = 4;
  if (const auto wanted = value_of_variable("LANESCOPE_COMPILER_GIB"))
    if (const double number = std::atof(wanted->c_str()); number > 0 && number < (1 << 20)) gibibytes = number;
  const auto most = static_cast<std::uint64_t>(gibibytes * (1 << 30));
  const std::uint64_t machine = memory_of_the_machine();
  return machine != 0 ? std::min(most, machine / 4 * 3) : most;
}

Diagnostic worker_not_started(const Wording& reason) {
  return {Severity::error,
          "toolchain.no_worker",
          {},
          worded("The process that runs the CUDA compiler could not be started: {}.", reason),
          "Check that the program file is executable, and that the system has free memory and processes."};
}

Result<const NvrtcLibrary*> nvrtc_at(const std::string& path) {
  static std::mutex guard;
  static std::map<std::string, std::unique_ptr<NvrtcLibrary>> known;
  const std::lock_guard lock(guard);
  std::unique_ptr<NvrtcLibrary>& library = known[path];
  if (library) return library.get();
  // A failure is not cached: the library may be installed while the program runs.
  Result<NvrtcLibrary> told = ask_nvrtc_at(path);
  if (!told) return told.take_errors();
  library = std::make_unique<NvrtcLibrary>(std::move(*told));
  return library.get();
}

NvrtcOutcome compile_in_worker(const NvrtcLibrary& nvrtc, const NvrtcJob& job) {
  std::vector<std::string> header_names;
  Outgoing bytes = once({&job.text});
  for (const auto& [name, text] : job.headers) {
    header_names.push_back(name);
    bytes.emplace_back(std::as_bytes(std::span(text)), true);
  }
  const Limits limits{job.cancel, job.deadline, most_memory()};
  Answer answer = ask({{"do", "compile"},
                       {"library", nvrtc.path},
                       {"folder", current_folder()},
                       {"name", job.name},
                       {"host", static_cast<int>(job.library)},
                       {"empty", job.empty_headers},
                       {"headers", header_names},
                       {"options", job.options},
                       {"expressions", job.name_expressions}},
                      bytes, limits);
  switch (answer.end) {
    case End::answered:
      break;
    case End::cancelled:
      return ended_without(NvrtcOutcome::cancelled);
    case End::too_slow:
      return ended_without(NvrtcOutcome::too_slow);
    case End::too_much_memory:
      return ended_without(NvrtcOutcome::too_much_memory, memory_words(limits.most_memory));
    case End::crashed:
      return ended_without(NvrtcOutcome::crashed, answer.how);
    case End::not_started:
      return ended_without(NvrtcOutcome::not_started, answer.how);
  }
  const Message& told = answer.parcel.head;
  NvrtcOutcome outcome = ended_without(told.at("code"), Wording(told.value("error", std::string())));
  outcome.mangled = told.at("mangled").get<std::map<std::string, std::string>>();
  outcome.log = text_at(answer.parcel, 0);
  outcome.ptx = text_at(answer.parcel, 1);
  outcome.cubin = binary_at(answer.parcel, 2);
  return outcome;
}

LinkOutcome link_ptx(const LinkJob& job) {
  LinkOutcome outcome;
  const auto ended = [&outcome](LinkOutcome::End end, Wording reason = {}) {
    outcome.end = end;
    outcome.reason = std::move(reason);
    return outcome;
  };
  if (const Wording unfit = why_unfit(job.library); !unfit.empty()) return ended(LinkOutcome::End::not_loaded, unfit);
  const Limits limits{nullptr, Clock::now() + std::chrono::seconds(most_link_seconds), most_memory()};
  const Answer answer = ask({{"do", "link"}, {"library", job.library}, {"arch", job.arch}}, once({&job.ptx}), limits);
  switch (answer.end) {
    case End::answered:
      break;
    case End::cancelled:
    case End::too_slow:
      return ended(LinkOutcome::End::too_slow);
    case End::too_much_memory:
      return ended(LinkOutcome::End::too_much_memory, memory_words(limits.most_memory));
    case End::crashed:
      return ended(LinkOutcome::End::crashed, answer.how);
    case End::not_started:
      return ended(LinkOutcome::End::not_started, answer.how);
  }
  const Message& told = answer.parcel.head;
  outcome.end = static_cast<LinkOutcome::End>(told.value("end", 0));
  outcome.code = told.value("code", 0);
  outcome.reason = Wording(told.value("reason", std::string()));
  outcome.errors = text_at(answer.parcel, 0);
  outcome.info = text_at(answer.parcel, 1);
  outcome.cubin = binary_at(answer.parcel, 2);
  return outcome;
}

}  // namespace lanescope::compile
