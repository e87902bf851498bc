#include "compile/nvrtc_run.h"

#include <pthread.h>

#include <functional>

namespace lanescope::compile {
namespace {

void call_on_deep_stack(const std::function<void()>& work) {
  // Reserved, not used: pages are only touched as deep as the recursion goes.
  for (std::size_t mebibytes = 1024; mebibytes >= 64; mebibytes /= 4) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, mebibytes << 20);
    pthread_t thread;
    const int failed = pthread_create(
        &thread, &attributes,
        [](void* argument) -> void* {
          (*static_cast<const std::function<void()>*>(argument))();
          return nullptr;
        },
        const_cast<std::function<void()>*>(&work));
    pthread_attr_destroy(&attributes);
    if (failed != 0) continue;
    pthread_join(thread, nullptr);
    return;
  }
  work();
}

int should_stop(void* cancel, void*) {
  return static_cast<const std::atomic<bool>*>(cancel)->load(std::memory_order_relaxed) ? 1 : 0;
}

std::string text_of(const Nvrtc& nvrtc, Nvrtc::Program program,
                    Nvrtc::Code (*size_of)(Nvrtc::Program, std::size_t*),
                    Nvrtc::Code (*get)(Nvrtc::Program, char*)) {
  std::size_t size = 0;
  if (size_of(program, &size) != nvrtc.success || size <= 1) return "";
  std::string text(size, '\0');
  if (get(program, text.data()) != nvrtc.success) return "";
  text.resize(size - 1);
  return text;
}

void compile_here(const Nvrtc& nvrtc, const NvrtcJob& job, NvrtcOutcome& outcome) {
  std::vector<const char*> names, contents, options;
  for (const HostHeader& header : host_headers(job.library)) {
    names.push_back(header.name);
    contents.push_back(header.text);
  }
  for (const std::string& name : job.empty_headers) {
    names.push_back(name.c_str());
    contents.push_back("");
  }
  for (const std::string& option : job.options) options.push_back(option.c_str());

  Nvrtc::Program program = nullptr;
  auto failed = [&](Nvrtc::Code code) {
    outcome.code = code;
    if (code == Nvrtc::success) return false;
    outcome.error = nvrtc.error_string(code);
    return true;
  };
  if (failed(nvrtc.create_program(&program, job.text.c_str(), job.name.c_str(),
                                  static_cast<int>(names.size()), contents.data(), names.data())))
    return;
  if (job.cancel != nullptr && nvrtc.set_flow_callback != nullptr)
    nvrtc.set_flow_callback(program, should_stop, const_cast<std::atomic<bool>*>(job.cancel));
  bool stopped = false;
  for (const std::string& expression : job.name_expressions)
    stopped = stopped || failed(nvrtc.add_name_expression(program, expression.c_str()));
  if (!stopped) {
    const bool bad =
        failed(nvrtc.compile_program(program, static_cast<int>(options.size()), options.data()));
    outcome.log = text_of(nvrtc, program, nvrtc.log_size, nvrtc.log);
    if (!bad) {
      outcome.ptx = text_of(nvrtc, program, nvrtc.ptx_size, nvrtc.ptx);
      for (const std::string& expression : job.name_expressions) {
        const char* lowered = nullptr;
        if (nvrtc.lowered_name(program, expression.c_str(), &lowered) == Nvrtc::success &&
            lowered != nullptr)
          outcome.mangled[expression] = lowered;
      }
    }
  }
  nvrtc.destroy_program(&program);
}

}  // namespace

NvrtcOutcome run_nvrtc(const Nvrtc& nvrtc, const NvrtcJob& job) {
  NvrtcOutcome outcome;
  call_on_deep_stack([&] { compile_here(nvrtc, job, outcome); });
  return outcome;
}

}  // namespace lanescope::compile
