// The compiler's process: serve() of worker.h.

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <functional>

#include "compile/nvjitlink_run.h"
#include "compile/nvrtc_run.h"
#include "compile/worker.h"
#include "core/os/child_process.h"

namespace lanescope::compile {
namespace {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

// The parent handles Ctrl+C and prints messages, so this process ignores the signals. A crash must end the process
// without a core file. If memory runs out, this process is killed first.
void become_a_worker() {
  for (const int signal : {SIGINT, SIGQUIT, SIGPIPE}) ::signal(signal, SIG_IGN);
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGTERM}) ::signal(signal, SIG_DFL);
  const rlimit no_core{1, 1};  // with 0, a program that collects core files would still be started (core(5))
  ::setrlimit(RLIMIT_CORE, &no_core);
  if (const int file = ::open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC); file >= 0) {
    (void)!::write(file, "900", 3);
    ::close(file);
  }
  if (const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC); nowhere >= 0 && !sanitized)
    ::dup2(nowhere, STDERR_FILENO);
#ifdef SYS_close_range
  ::syscall(SYS_close_range, STDERR_FILENO + 1, ~0u, 0);  // closes the parent's open files
#endif
}

struct WorkerAnswer {
  Message head;
  std::vector<std::string> texts;
};

std::string text_of(const Bytes& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

WorkerAnswer tell_of_nvrtc(const Message& request) {
  std::string reason;
  const Nvrtc* nvrtc = Nvrtc::load(request.at("library"), reason);
  if (nvrtc == nullptr) return {{{"reason", reason}}, {}};
  return {{{"path", nvrtc->library.path()},
           {"major", nvrtc->major},
           {"minor", nvrtc->minor},
           {"architectures", nvrtc->architectures}},
          {}};
}

NvrtcJob job_from(const Parcel& parcel) {
  const Message& request = parcel.head;
  NvrtcJob job;
  job.name = request.at("name");
  job.text = text_of(parcel.bytes.at(0));
  job.library = static_cast<HostLibrary>(request.at("host").get<int>());
  job.empty_headers = request.at("empty").get<std::vector<std::string>>();
  job.options = request.at("options").get<std::vector<std::string>>();
  job.name_expressions = request.at("expressions").get<std::vector<std::string>>();
  std::size_t index = 0;
  for (const Message& name : request.at("headers")) job.headers.emplace_back(name, text_of(parcel.bytes.at(++index)));
  return job;
}

WorkerAnswer compile_here(const Parcel& parcel, std::atomic<bool>& stop) {
  const std::string folder = parcel.head.at("folder"), library = parcel.head.at("library");
  if (!folder.empty()) (void)!::chdir(folder.c_str());
  std::string reason;
  const Nvrtc* nvrtc = Nvrtc::load(library, reason);
  if (nvrtc == nullptr)
    return {{{"code", NvrtcOutcome::not_loaded}, {"error", reason}, {"mangled", Message::object()}}, {}};
  NvrtcOutcome outcome = run_nvrtc(*nvrtc, job_from(parcel), stop);
  return {{{"code", outcome.code}, {"error", std::string(outcome.error)}, {"mangled", outcome.mangled}},
          {std::move(outcome.log), std::move(outcome.ptx), std::string(outcome.cubin.begin(), outcome.cubin.end())}};
}

WorkerAnswer link_here(const Parcel& parcel) {
  std::string reason;
  const NvJitLink* linker = NvJitLink::load(parcel.head.at("library"), reason);
  if (linker == nullptr) return {{{"end", static_cast<int>(LinkOutcome::End::not_loaded)}, {"reason", reason}}, {}};
  LinkOutcome outcome = run_nvjitlink(*linker, {"", parcel.head.at("arch"), text_of(parcel.bytes.at(0))});
  return {
      {{"end", static_cast<int>(outcome.end)}, {"code", outcome.code}, {"reason", std::string(outcome.reason)}},
      {std::move(outcome.errors), std::move(outcome.info), std::string(outcome.cubin.begin(), outcome.cubin.end())}};
}

WorkerAnswer answer_to(const Parcel& parcel, std::atomic<bool>& stop) {
  const std::string what = parcel.head.value("do", "");
  if (what == "nvrtc") return tell_of_nvrtc(parcel.head);
  if (what == "compile") return compile_here(parcel, stop);
  return link_here(parcel);
}

// Runs work on a thread with a deep stack; a descriptor signals the end. The stack is only reserved: pages are touched
// as deep as the recursion goes.
class DeepThread {
 public:
  explicit DeepThread(std::function<void()> work) : work_(std::move(work)), done_(::eventfd(0, EFD_CLOEXEC)) {
    for (std::size_t mebibytes = 1024; !started_ && mebibytes >= 16; mebibytes /= 4) {
      pthread_attr_t attributes;
      pthread_attr_init(&attributes);
      pthread_attr_setstacksize(&attributes, mebibytes << 20);
      started_ = pthread_create(&thread_, &attributes, body, this) == 0;
      pthread_attr_destroy(&attributes);
    }
    if (!started_) body(this);
  }
  ~DeepThread() {
    if (started_) pthread_join(thread_, nullptr);
    ::close(done_);
  }
  DeepThread(const DeepThread&) = delete;
  DeepThread& operator=(const DeepThread&) = delete;
  int done() const { return done_; }

 private:
  static void* body(void* self) {
    const auto& thread = *static_cast<DeepThread*>(self);
    thread.work_();
    const std::uint64_t one = 1;
    (void)!::write(thread.done_, &one, sizeof one);
    return nullptr;
  }

  std::function<void()> work_;
  int done_ = -1;
  pthread_t thread_{};
  bool started_ = false;
};

}  // namespace

int serve(int input, int output) {
  become_a_worker();
  Wire wire(input, apart_from_standard_output(output));
  while (const std::optional<Parcel> request = wire.receive()) {
    // A "stop" that arrived after the work it should stop had finished.
    if (request->head.value("do", "") == "stop") continue;
    WorkerAnswer answer;
    std::atomic<bool> stop{false};
    {
      const DeepThread thread([&] { answer = answer_to(*request, stop); });
      pollfd waiting[] = {{input, POLLIN, 0}, {thread.done(), POLLIN, 0}};
      while (::poll(waiting, 2, -1) < 0 || waiting[1].revents == 0) {
        if (waiting[0].revents == 0) continue;
        // A stop request or the parent's end. In the latter case nobody needs the result.
        if (!wire.receive()) ::_exit(0);
        stop = true;
      }
    }
    Outgoing bytes;
    for (const std::string& text : answer.texts) bytes.emplace_back(std::as_bytes(std::span(text)), true);
    if (!wire.send(answer.head, bytes)) break;
  }
  ::_exit(0);
}

}  // namespace lanescope::compile
