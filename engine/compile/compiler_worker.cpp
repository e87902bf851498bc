// The compiler's process: serve() of worker.h.

#include <atomic>
#include <cstdlib>
#include <filesystem>

#include "compile/nvjitlink_run.h"
#include "compile/nvrtc_run.h"
#include "compile/worker.h"
#include "core/os/child_process.h"
#include "core/os/deep_thread.h"
#include "core/os/environment.h"
#include "core/os/worker_role.h"

namespace lanescope::compile {
namespace {

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
  std::error_code ignored;
  if (!folder.empty()) std::filesystem::current_path(folder, ignored);
  // NVRTC takes the folder's name from here: through a link, its names of files would not be those of current_path().
  set_variable("PWD", std::filesystem::current_path(ignored).generic_string());
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

}  // namespace

int serve(int input, int output) {
  become_a_worker();
  // With a driver, nvJitLink takes code that it has linked before from CUDA's cache, and gives no report of registers
  // and spills then.
  set_variable("CUDA_CACHE_DISABLE", "1");
  Wire wire(input, apart_from_standard_output(output));
  while (const std::optional<Parcel> request = wire.receive()) {
    // A "stop" that arrived after the work it should stop had finished.
    if (request->head.value("do", "") == "stop") continue;
    WorkerAnswer answer;
    std::atomic<bool> stop{false};
    {
      const DeepThread thread([&] { answer = answer_to(*request, stop); });
      while (!thread.done_before_readable(input)) {
        // A stop request or the parent's end. In the latter case nobody needs the result.
        if (!wire.receive()) std::_Exit(0);
        stop = true;
      }
    }
    Outgoing bytes;
    for (const std::string& text : answer.texts) bytes.emplace_back(std::as_bytes(std::span(text)), true);
    if (!wire.send(answer.head, bytes)) break;
  }
  std::_Exit(0);
}

}  // namespace lanescope::compile
