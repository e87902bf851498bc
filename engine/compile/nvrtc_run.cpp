#include "compile/nvrtc_run.h"

#include <algorithm>

namespace lanescope::compile {
namespace {

int should_stop(void* stop, void*) {
  return static_cast<std::atomic<bool>*>(stop)->load() ? 1 : 0;
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

}  // namespace

NvrtcOutcome run_nvrtc(const Nvrtc& nvrtc, const NvrtcJob& job, std::atomic<bool>& stop) {
  NvrtcOutcome outcome;
  std::vector<const char*> names, contents, options;
  for (const HostHeader& header : host_headers(job.library)) {
    if (std::find(job.empty_headers.begin(), job.empty_headers.end(), header.name) != job.empty_headers.end()) continue;
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

  const auto failed = [&](Nvrtc::Code code) {
    outcome.code = code;
    if (code == Nvrtc::success) return false;
    outcome.error = Wording(std::string(nvrtc.error_string(code)));
    return true;
  };
  Nvrtc::Program program = nullptr;
  if (failed(nvrtc.create_program(&program, job.text.c_str(), job.name.c_str(), static_cast<int>(names.size()),
                                  contents.data(), names.data())))
    return outcome;
  if (nvrtc.set_flow_callback != nullptr) nvrtc.set_flow_callback(program, should_stop, &stop);
  bool refused = false;
  for (const std::string& expression : job.name_expressions)
    refused = refused || failed(nvrtc.add_name_expression(program, expression.c_str()));
  if (!refused && !failed(nvrtc.compile_program(program, static_cast<int>(options.size()), options.data()))) {
    outcome.ptx = text_of(program, nvrtc.ptx_size, nvrtc.ptx);
    std::size_t cubin_bytes = 0;
    if (nvrtc.cubin != nullptr && nvrtc.cubin_size != nullptr &&
        nvrtc.cubin_size(program, &cubin_bytes) == Nvrtc::success && cubin_bytes > 0) {
      outcome.cubin.resize(cubin_bytes);
      nvrtc.cubin(program, reinterpret_cast<char*>(outcome.cubin.data()));
    }
    for (const std::string& expression : job.name_expressions) {
      const char* lowered = nullptr;
      if (nvrtc.lowered_name(program, expression.c_str(), &lowered) == Nvrtc::success && lowered != nullptr)
        outcome.mangled[expression] = lowered;
    }
  }
  outcome.log = text_of(program, nvrtc.log_size, nvrtc.log);
  nvrtc.destroy_program(&program);
  return outcome;
}

}  // namespace lanescope::compile
