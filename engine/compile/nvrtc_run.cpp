#include "compile/nvrtc_run.h"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>

namespace lanescope::compile {
namespace {

// One compilation on its own thread. Shared by that thread and the one that waits, as either may
// leave first.
struct Call {
  const Nvrtc& nvrtc;
  NvrtcJob job;
  NvrtcOutcome outcome;
  std::atomic<bool> stop{false};
  std::mutex guard;
  std::condition_variable changed;
  bool done = false;

  Call(const Nvrtc& library, const NvrtcJob& of) : nvrtc(library), job(of) {}
  void run();
  // Waits at most this long; true when the compilation is over.
  bool wait(std::chrono::milliseconds at_most) {
    std::unique_lock lock(guard);
    return changed.wait_for(lock, at_most, [this] { return done; });
  }
};

int should_stop(void* call, void*) {
  return static_cast<Call*>(call)->stop.load() ? 1 : 0;
}

std::string text_of(Nvrtc::Program program, Nvrtc::Code (*size_of)(Nvrtc::Program, std::size_t*),
                    Nvrtc::Code (*get)(Nvrtc::Program, char*)) {
  std::size_t size = 0;
  if (size_of(program, &size) != Nvrtc::success || size <= 1) return "";
  std::string text(size, '\0');
  if (get(program, text.data()) != Nvrtc::success) return "";
  text.resize(size - 1);
  return text;
}

void Call::run() {
  std::vector<const char*> names, contents, options;
  for (const HostHeader& header : host_headers(job.library)) {
    if (std::find(job.empty_headers.begin(), job.empty_headers.end(), header.name) !=
        job.empty_headers.end())
      continue;
    names.push_back(header.name);
    contents.push_back(header.text);
  }
  for (const std::string& name : job.empty_headers) {
    names.push_back(name.c_str());
    contents.push_back("");
  }
  for (const auto& [name, text] : job.headers) {
    names.push_back(name.c_str());
    contents.push_back(text.c_str());
  }
  for (const std::string& option : job.options) options.push_back(option.c_str());

  const auto failed = [this](Nvrtc::Code code) {
    outcome.code = code;
    if (code == Nvrtc::success) return false;
    outcome.error = nvrtc.error_string(code);
    return true;
  };
  Nvrtc::Program program = nullptr;
  if (failed(nvrtc.create_program(&program, job.text.c_str(), job.name.c_str(),
                                  static_cast<int>(names.size()), contents.data(), names.data())))
    return;
  if (nvrtc.set_flow_callback != nullptr) nvrtc.set_flow_callback(program, should_stop, this);
  bool refused = false;
  for (const std::string& expression : job.name_expressions)
    refused = refused || failed(nvrtc.add_name_expression(program, expression.c_str()));
  if (!refused &&
      !failed(nvrtc.compile_program(program, static_cast<int>(options.size()), options.data()))) {
    outcome.ptx = text_of(program, nvrtc.ptx_size, nvrtc.ptx);
    std::size_t cubin_bytes = 0;
    if (nvrtc.cubin != nullptr && nvrtc.cubin_size != nullptr &&
        nvrtc.cubin_size(program, &cubin_bytes) == Nvrtc::success && cubin_bytes > 0) {
      outcome.cubin.resize(cubin_bytes);
      nvrtc.cubin(program, reinterpret_cast<char*>(outcome.cubin.data()));
    }
    for (const std::string& expression : job.name_expressions) {
      const char* lowered = nullptr;
      if (nvrtc.lowered_name(program, expression.c_str(), &lowered) == Nvrtc::success &&
          lowered != nullptr)
        outcome.mangled[expression] = lowered;
    }
  }
  outcome.log = text_of(program, nvrtc.log_size, nvrtc.log);
  nvrtc.destroy_program(&program);
}

void* thread_body(void* argument) {
  const std::unique_ptr<std::shared_ptr<Call>> call(static_cast<std::shared_ptr<Call>*>(argument));
  (*call)->run();
  const std::lock_guard lock((*call)->guard);
  (*call)->done = true;
  (*call)->changed.notify_all();
  return nullptr;
}

// Stacks are reserved, not used: pages are only touched as deep as the recursion goes.
bool start_on_deep_stack(const std::shared_ptr<Call>& call) {
  for (std::size_t mebibytes = 1024; mebibytes >= 16; mebibytes /= 4) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, mebibytes << 20);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    auto* argument = new std::shared_ptr<Call>(call);
    pthread_t thread;
    const int failed = pthread_create(&thread, &attributes, thread_body, argument);
    pthread_attr_destroy(&attributes);
    if (failed == 0) return true;
    delete argument;
  }
  return false;
}

// Compilations that nobody waits for any more. NVRTC must not be torn down under them when the
// process exits.
class Abandoned {
 public:
  void add(const std::shared_ptr<Call>& call) {
    const std::lock_guard lock(guard_);
    if (calls_.empty())
      ::on_exit([](int status, void* self) { static_cast<Abandoned*>(self)->leave(status); }, this);
    calls_.push_back(call);
  }

 private:
  void leave(int status) {
    const std::lock_guard lock(guard_);
    for (const auto& call : calls_) {
      if (call->wait(std::chrono::milliseconds(0))) continue;
      std::fflush(nullptr);
      ::_exit(status);
    }
  }
  std::mutex guard_;
  std::vector<std::shared_ptr<Call>> calls_;
};

}  // namespace

NvrtcOutcome run_nvrtc(const Nvrtc& nvrtc, const NvrtcJob& job) {
  static auto* abandoned = new Abandoned;
  const auto call = std::make_shared<Call>(nvrtc, job);
  if (!start_on_deep_stack(call)) {
    NvrtcOutcome outcome;
    outcome.code = Nvrtc::out_of_memory;
    outcome.error = "no thread could be started";
    return outcome;
  }
  while (!call->wait(std::chrono::milliseconds(20))) {
    const bool cancelled = job.cancel != nullptr && job.cancel->load();
    if (!cancelled && std::chrono::steady_clock::now() < job.deadline) continue;
    // NVRTC asks for the flag between its phases; a long optimisation may go on for many seconds
    // without asking.
    call->stop = true;
    if (!call->wait(std::chrono::milliseconds(100))) abandoned->add(call);
    else if (call->outcome.code == Nvrtc::success) break;
    NvrtcOutcome outcome;
    outcome.code = cancelled ? Nvrtc::cancelled : Nvrtc::too_slow;
    outcome.error = "cancelled";
    return outcome;
  }
  return std::move(call->outcome);
}

}  // namespace lanescope::compile
