#include "gpu/worker.h"

#include <algorithm>
#include <chrono>
#include <memory>

#include <fmt/format.h>

#include "core/json_fields.h"
#include "core/os/child_process.h"
#include "core/os/clock.h"
#include "core/os/files.h"
#include "core/os/own_path.h"
#include "core/os/read_file.h"
#include "core/os/subprocess.h"
#include "core/os/system_error.h"
#include "core/os/worker_role.h"
#include "core/os/write_all.h"
#include "core/text.h"
#include "core/worded.h"
#include "gpu/library_file.h"
#include "gpu/message.h"
#include "gpu/results.h"
#include "gpu/worker_process.h"

namespace lanescope::gpu {
namespace {

// What the worker reports as wrong. Throws Message::exception.
Diagnostics errors_in(const Parcel& answer) {
  if (!answer.head.contains("errors")) return {};
  Diagnostics errors = diagnostics_from(answer.head.at("errors"));
  if (!has_error(errors)) throw Message::out_of_range::create(401, "errors", &answer.head);
  return errors;
}

std::vector<Device> devices_in(const Parcel& answer, const Where& where) {
  std::vector<Device> found;
  for (const Message& device : answer.head.at("devices")) {
    found.push_back(device_from(device));
    found.back().where = where.text();
  }
  return found;
}

// The most bytes that the answer to a run may name or make by a rule: what the buffers hold. Other answers have none.
std::uint64_t bytes_of(const std::vector<Argument>& arguments) {
  std::uint64_t bytes = 0;
  for (const Argument& one : arguments) bytes += std::max<std::uint64_t>(one.bytes.size(), one.zero_bytes);
  return bytes;
}

class SessionInWorker final : public Session {
 public:
  // `counts_apart`: the worker counts instructions in a process of its own.
  SessionInWorker(std::unique_ptr<WorkerProcess> worker, int device_index, bool counts_apart = true)
      : worker_(std::move(worker)), device_index_(device_index), counts_apart_(counts_apart) {}

  Diagnostics start() {
    if (is_open_ && worker_->running()) return {};
    if (!worker_->running())
      if (Diagnostics errors = worker_->start(); !errors.empty()) return errors;
    is_open_ = loaded_in_worker_ = false;
    Parcel answer;
    Diagnostics errors = ask({{"do", "open"}, {"device", device_index_}}, {}, answer, patience_seconds);
    if (!errors.empty()) return answer.head.contains("errors") ? told_by(worker_->where(), std::move(errors)) : errors;
    Result<Device> device = checked<Device>([&] { return device_from(answer.head.at("device")); });
    if (!device) return device.take_errors();
    device_ = std::move(device).value();
    device_.where = worker_->where().text();
    is_open_ = true;
    return {};
  }

  const Device& device() const override { return device_; }
  bool lost() const override { return false; }

  Result<KernelAttributes> load(std::span<const std::uint8_t> cubin, const std::vector<Launch>& launches) override {
    loaded_ = {{"do", "load"}, {"launches", to_message(launches)}};
    const std::span<const std::byte> code = std::as_bytes(cubin);
    cubin_.assign(code.begin(), code.end());
    loaded_in_worker_ = false;
    Parcel answer;
    if (Diagnostics errors = load_again(answer); !errors.empty()) return errors;
    return checked<KernelAttributes>([&] { return attributes_from(answer.head.at("attributes")); });
  }

  Result<Completed> run(std::vector<Argument> arguments, double watchdog_seconds) override {
    Parcel answer;
    if (Diagnostics errors = load_again(answer); !errors.empty()) return errors;
    Outgoing bytes;
    const Message list = to_message(arguments, bytes);
    const std::vector<Bytes> expected = expected_hashes(arguments);
    bytes.insert(bytes.end(), expected.begin(), expected.end());
    Diagnostics errors = ask({{"do", "run"}, {"arguments", list}, {"watchdog", watchdog_seconds}}, bytes, answer,
                             watchdog_seconds + patience_seconds, {}, bytes_of(arguments));
    if (!errors.empty()) return errors;
    return checked<Completed>([&]() -> Result<Completed> {
      return Completed{results_from(answer.head.at("results"), answer.bytes, std::move(arguments), worker_->wire())};
    });
  }

  Result<Timing> time(const std::vector<Argument>& arguments, const TimingOptions& options,
                      const std::function<bool()>& keep_going) override {
    Parcel answer;
    if (Diagnostics errors = load_again(answer); !errors.empty()) return errors;
    Outgoing bytes;
    const Message list = to_message(arguments, bytes);
    Diagnostics errors = ask({{"do", "time"}, {"arguments", list}, {"options", to_message(options)}}, bytes, answer,
                             options.time_limit_seconds + patience_seconds, keep_going);
    if (!errors.empty()) return errors;
    return timing_in(answer);
  }

  Result<Counted> count(const std::vector<Argument>& arguments, const std::vector<std::string>& metrics) override {
    Parcel answer;
    if (Diagnostics errors = load_again(answer); !errors.empty()) return errors;
    Outgoing bytes;
    const Message list = to_message(arguments, bytes);
    Diagnostics errors =
        ask({{"do", "count"}, {"arguments", list}, {"metrics", metrics}}, bytes, answer, patience_seconds);
    if (!errors.empty()) return errors;
    return checked<Counted>([&]() -> Result<Counted> {
      Counted counted{.names = metrics, .values = {}, .passes = 0};
      answer.head.at("values").get_to(counted.values);
      read_integer(answer.head.at("passes"), counted.passes);
      if (counted.values.size() != metrics.size()) return lose(worker_->damage());
      return counted;
    });
  }

  Result<CountedInstructions> count_instructions(const std::vector<Argument>& arguments,
                                                 const std::vector<std::string>& metrics) override {
    Parcel answer;
    if (Diagnostics errors = load_again(answer); !errors.empty()) return errors;
    Outgoing bytes;
    const Message list = to_message(arguments, bytes);
    const Message request{
        {"do", "count_instructions"}, {"arguments", list}, {"metrics", metrics}, {"apart", counts_apart_}};
    Diagnostics errors = ask(request, bytes, answer, 2 * patience_seconds);
    if (!errors.empty()) return errors;
    return checked<CountedInstructions>([&]() -> Result<CountedInstructions> {
      CountedInstructions counted = counted_instructions_from(answer.head.at("instructions"));
      counted.names = metrics;
      for (const CountedInstructions::Instruction& one : counted.instructions)
        if (one.values.size() != metrics.size()) return lose(worker_->damage());
      return counted;
    });
  }

  Result<Timing> time_copy(std::uint64_t bytes, const TimingOptions& options) override {
    if (Diagnostics errors = start(); !errors.empty()) return errors;
    Parcel answer;
    Diagnostics errors = ask({{"do", "time_copy"}, {"bytes", bytes}, {"options", to_message(options)}}, {}, answer,
                             options.time_limit_seconds + patience_seconds);
    if (!errors.empty()) return errors;
    return timing_in(answer);
  }

  Result<Timing> time_library(const std::string& shared_library, std::uint64_t count,
                              const TimingOptions& options) override {
    if (Diagnostics errors = start(); !errors.empty()) return errors;
    Parcel answer;
    Message request{
        {"do", "time_library"}, {"library", shared_library}, {"count", count}, {"options", to_message(options)}};
    Outgoing bytes;
    std::string file;
    if (!worker_->where().is_here()) {  // the other machine does not have this file
      if (const int failed = read_file(shared_library, file); failed != 0)
        return Diagnostic{.code = "gpu.library",
                          .place = {shared_library},
                          .message = worded("The library cannot be read: {}.", system_error(failed)),
                          .cure = "Build it again."};
      request["library"] = "";
      bytes.emplace_back(std::as_bytes(std::span(file)));
    }
    Diagnostics errors = ask(request, bytes, answer, options.time_limit_seconds + patience_seconds);
    if (!errors.empty()) return errors;
    return timing_in(answer);
  }

 private:
  // Time in seconds that a request may exceed its own limit before the worker counts as hung.
  static constexpr double patience_seconds = 30;
  // Time in seconds to wait for the answer to a cancelled request. Starting another worker takes about as long.
  static constexpr double grace_seconds = 1;

  // Loads the launches again after a new worker was started.
  Diagnostics load_again(Parcel& answer) {
    if (Diagnostics errors = start(); !errors.empty()) return errors;
    if (loaded_in_worker_) return {};
    Diagnostics errors = ask(loaded_, {cubin_}, answer, patience_seconds);
    loaded_in_worker_ = errors.empty();
    return errors;
  }

  // Reads an answer. One that lacks something or has it of another type is damaged.
  template <typename T, typename Read>
  Result<T> checked(const Read& read) {
    try {
      return read();
    } catch (const Message::exception&) {
      return lose(worker_->damage());
    }
  }
  Result<Timing> timing_in(const Parcel& answer) {
    return checked<Timing>([&] { return timing_from(answer.head.at("timing")); });
  }

  Diagnostics ask(const Message& request, const Outgoing& bytes, Parcel& answer, double limit_seconds,
                  const std::function<bool()>& keep_going = {}, std::uint64_t most_made = 0) {
    if (!worker_->wire().send(request, bytes)) return lose(worker_->loss());
    bool told_to_stop = false;
    const auto begin = std::chrono::steady_clock::now();
    std::optional<std::chrono::steady_clock::time_point> unwanted_since;
    while (!worker_->wire().readable(20)) {
      const Wish wish = worker_->wish();
      if (wish != Wish::go_on && !unwanted_since) unwanted_since = std::chrono::steady_clock::now();
      if (wish == Wish::end_now || (unwanted_since && seconds_since(*unwanted_since) > grace_seconds))
        return lose(cancelled());
      if (!told_to_stop && (unwanted_since || (keep_going && !keep_going())))
        told_to_stop = worker_->wire().send({{"do", "stop"}});
      if (seconds_since(begin) > limit_seconds)
        return lose({.code = "gpu.hang",
                     .message = worded("The GPU did not answer within {:g} s.", limit_seconds),
                     .cure =
                         "The worker was replaced. Run the launch in the interpreter: it reports the line where the "
                         "kernel loops."});
    }
    std::optional<Parcel> got = worker_->wire().receive(most_made);
    if (!got) return lose(worker_->loss());
    answer = std::move(*got);
    try {
      Diagnostics errors = errors_in(answer);
      if (!errors.empty() && answer.head.value("lost", false)) worker_->stop();
      return errors;
    } catch (const Message::exception&) {
      return lose(worker_->damage());
    }
  }

  Diagnostics lose(Diagnostic why) {
    worker_->stop();
    loaded_in_worker_ = false;
    return {std::move(why)};
  }

  std::unique_ptr<WorkerProcess> worker_;
  int device_index_;
  bool counts_apart_;
  Device device_;
  Message loaded_;
  Bytes cubin_;
  bool is_open_ = false, loaded_in_worker_ = false;  // in the running worker
};

// The worker's side: one session, one answer per request.
class Server {
 public:
  explicit Server(Wire& wire) : wire_(wire) {}

  // To be called when the answer was sent.
  void sent() {
    if (results_) results_->remember(wire_);
    forget();
  }
  void forget() { results_.reset(); }
  // The byte blocks that the answer refers to stay alive until the next request.
  Message answer(Parcel& parcel, Outgoing& bytes) {
    const Message& request = parcel.head;
    const std::string what = request.value("do", "");
    if (what == "open") return open(request);
    if (what == "devices") {
      auto found = devices();
      if (!found) return fail(found.errors());
      Message list = Message::array();
      for (const Device& device : *found) list.push_back(to_message(device));
      return {{"devices", list}};
    }
    if (!session_)
      return fail({{.code = "gpu.cuda_error", .message = "No GPU was opened in this worker.", .cure = ""}});
    if (what == "load") {
      cubin_ = std::move(parcel.bytes.at(0));
      launches_ = launches_from(request.at("launches"));
      auto attributes = session_->load(cubin(), launches_);
      return attributes ? Message{{"attributes", to_message(*attributes)}} : fail(attributes.errors());
    }
    if (what == "run") {
      std::vector<Argument> arguments = arguments_from(request.at("arguments"), parcel.bytes);
      const std::size_t own = std::min(arguments.size(), parcel.bytes.size());  // hashes follow the arguments' blocks
      results_.emplace(std::span(parcel.bytes).last(own), arguments);
      auto done = session_->run(std::move(arguments), request.at("watchdog"));
      if (!done) return fail(done.errors());
      after_ = std::move(done->arguments);
      return {{"results", results_->to_message(after_, bytes)}};
    }
    if (what == "time") {
      auto timing = session_->time(arguments_from(request.at("arguments"), parcel.bytes),
                                   timing_options_from(request.at("options")), [this] { return !wire_.readable(0); });
      return timing ? Message{{"timing", to_message(*timing)}} : fail(timing.errors());
    }
    if (what == "count") {
      auto counted = session_->count(arguments_from(request.at("arguments"), parcel.bytes),
                                     request.at("metrics").get<std::vector<std::string>>());
      return counted ? Message{{"values", counted->values}, {"passes", counted->passes}} : fail(counted.errors());
    }
    if (what == "count_instructions") {
      auto counted = count_instructions(request, arguments_from(request.at("arguments"), parcel.bytes));
      return counted ? Message{{"instructions", to_message(*counted)}} : fail(counted.errors());
    }
    if (what == "time_copy") {
      auto timing = session_->time_copy(request.at("bytes"), timing_options_from(request.at("options")));
      return timing ? Message{{"timing", to_message(*timing)}} : fail(timing.errors());
    }
    if (what == "time_library") {
      const LibraryFile library(request.at("library"), parcel.bytes);
      auto timing =
          session_->time_library(library.path(), request.at("count"), timing_options_from(request.at("options")));
      return timing ? Message{{"timing", to_message(*timing)}} : fail(timing.errors());
    }
    return fail({{.code = "gpu.cuda_error",
                  .message = worded("The GPU worker does not know the request {}.", what),
                  .cure = ""}});
  }

 private:
  Message open(const Message& request) {
    auto session = Session::open(request.at("device"));
    if (!session) return fail(session.errors());
    session_ = std::move(session).value();
    return {{"device", to_message(session_->device())}};
  }
  // CUPTI does this once in a process, and then that process counts nothing else.
  Result<CountedInstructions> count_instructions(const Message& request, const std::vector<Argument>& arguments) {
    const auto metrics = request.at("metrics").get<std::vector<std::string>>();
    if (!request.at("apart").get<bool>()) return session_->count_instructions(arguments, metrics);
    SessionInWorker child(std::make_unique<WorkerProcess>(own_worker_command(), std::function<Wish()>()),
                          session_->device().index, false);
    if (Diagnostics errors = child.start(); !errors.empty()) return errors;
    if (auto loaded = child.load(cubin(), launches_); !loaded) return loaded.take_errors();
    return child.count_instructions(arguments, metrics);
  }
  std::span<const std::uint8_t> cubin() const {
    return {reinterpret_cast<const std::uint8_t*>(cubin_.data()), cubin_.size()};
  }
  Message fail(const Diagnostics& errors) {
    return {{"errors", to_message(errors)}, {"lost", session_ && session_->lost()}};
  }

  Wire& wire_;
  std::unique_ptr<Session> session_;
  Bytes cubin_;  // of the last load
  std::vector<Launch> launches_;
  std::vector<Argument> after_;
  std::optional<Results> results_;
};

Result<std::vector<Device>> devices_of(WorkerProcess& worker) {
  if (Diagnostics errors = worker.start(); !errors.empty()) return errors;
  if (!worker.wire().send({{"do", "devices"}})) return worker.loss();
  constexpr double patience_seconds = 30;  // waking a sleeping GPU can take the driver this long
  const auto begin = std::chrono::steady_clock::now();
  while (!worker.wire().readable(20)) {
    if (worker.wish() != Wish::go_on) return cancelled();
    if (seconds_since(begin) > patience_seconds) return worker.loss();
  }
  const std::optional<Parcel> answer = worker.wire().receive(0);
  if (!answer) return worker.loss();
  try {
    if (Diagnostics errors = errors_in(*answer); !errors.empty()) return told_by(worker.where(), std::move(errors));
    return devices_in(*answer, worker.where());
  } catch (const Message::exception&) {
    return worker.damage();
  }
}

Result<std::unique_ptr<Session>> opened(std::unique_ptr<SessionInWorker> session) {
  if (Diagnostics errors = session->start(); !errors.empty()) return errors;
  return std::unique_ptr<Session>(std::move(session));
}

}  // namespace

std::vector<std::string> own_worker_command() {
  return worker_command({});
}

Result<std::vector<Device>> devices_in_worker(std::vector<std::string> command, std::function<Wish()> wish) {
  WorkerProcess worker(std::move(command), std::move(wish));
  return devices_of(worker);
}

Reached::Reached(std::unique_ptr<WorkerProcess> worker, std::vector<Device> devices)
    : worker_(std::move(worker)), devices_(std::move(devices)) {}
Reached::Reached(Reached&&) noexcept = default;
Reached& Reached::operator=(Reached&&) noexcept = default;
Reached::~Reached() = default;

Result<Reached> Reached::reach(const Where& where, std::function<void(const std::string&)> tell,
                               std::function<Wish()> wish) {
  auto worker = std::make_unique<WorkerProcess>(where, std::move(tell), std::move(wish));
  Result<std::vector<Device>> found = devices_of(*worker);
  if (!found) return found.take_errors();
  return Reached(std::move(worker), std::move(*found));
}

Result<std::unique_ptr<Session>> Reached::open(int device_index) && {
  return opened(std::make_unique<SessionInWorker>(std::move(worker_), device_index));
}

Result<std::vector<Device>> devices_elsewhere(const Where& where, std::function<void(const std::string&)> tell,
                                              std::function<Wish()> wish) {
  const Result<Reached> reached = Reached::reach(where, std::move(tell), std::move(wish));
  if (!reached) return reached.errors();
  return reached->devices();
}

Result<std::unique_ptr<Session>> open_in_worker(std::vector<std::string> command, int device_index,
                                                std::function<Wish()> wish) {
  return opened(std::make_unique<SessionInWorker>(std::make_unique<WorkerProcess>(std::move(command), std::move(wish)),
                                                  device_index));
}

Result<std::unique_ptr<Session>> open_elsewhere(const Where& where, int device_index,
                                                std::function<void(const std::string&)> tell,
                                                std::function<Wish()> wish) {
  return opened(std::make_unique<SessionInWorker>(
      std::make_unique<WorkerProcess>(where, std::move(tell), std::move(wish)), device_index));
}

Result<std::monostate> install_elsewhere(const Where& where) {
  std::vector<std::string> words{"-c", "file=$1; shift; exec \"$@\" <\"$file\"", "sh", own_path().generic_string()};
  for (std::string& word : install_command(where)) words.push_back(std::move(word));
  const ProgramOutcome copied = run_program("/bin/sh", words, {}, std::chrono::minutes(10));
  if (copied.exit_status == 0) return std::monostate{};
  return unreachable(where, std::string(trimmed(copied.errors)));
}

namespace {

int serve_keeping(std::uint64_t most_kept, int input, int output) {
  ignore_broken_pipes();
  // A kernel's printf comes out on the standard output of its process.
  Wire wire(input, apart_from_standard_output(output));
  wire.keep_at_most(most_kept);
  Server server(wire);
  while (std::optional<Parcel> request = wire.receive()) {
    // A "stop" that arrived after the work it should stop had finished.
    if (request->head.value("do", "") == "stop") continue;
    Message answer;
    Outgoing bytes;
    try {
      answer = server.answer(*request, bytes);
    } catch (const std::exception& error) {  // a malformed request, or out of memory
      server.forget();
      bytes.clear();
      answer = {{"errors", to_message(Diagnostics{{.code = "gpu.worker_lost",
                                                   .message = error.what(),
                                                   .cure = "Run again with smaller buffers."}})}};
    }
    if (!wire.send(answer, bytes)) return 1;
    server.sent();
  }
  return 0;
}

}  // namespace

int serve(int input, int output) {
  return serve_keeping(Wire::most_kept_here, input, output);
}

int serve_elsewhere(int input, int output) {
  const std::string line = fmt::format("{} {} {}\n", greeting, protocol, LANESCOPE_VERSION);
  return write_all(output, line.data(), line.size()) == 0 ? serve_keeping(Wire::most_kept_elsewhere, input, output) : 1;
}

}  // namespace lanescope::gpu
