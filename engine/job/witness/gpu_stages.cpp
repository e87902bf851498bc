#include "job/witness/gpu_stages.h"

#include <algorithm>
#include <future>

#include "compile/nvcc/nvcc_kernels.h"
#include "job/witness/gpu_fault.h"
#include "ptx/module.h"

namespace lanescope::job {
namespace {

bool good_enough(const gpu::Timing& timing, const gpu::TimingOptions& wanted) {
  return static_cast<int>(timing.samples.size()) >= wanted.min_samples &&
         timing.seconds.relative_half_width() <= wanted.target_relative_half_width;
}

class Stages {
 public:
  Stages(const Outcome& interpreted, gpu::Session& session, const GpuStageOptions& options,
         const std::function<void(const GpuSoFar&)>& tell, const std::function<bool()>& keep_going)
      : interpreted_(interpreted), session_(session), options_(options), tell_(tell), keep_going_(keep_going) {}

  Diagnostics run() {
    begin(GpuStage::running);
    Result<GpuRun> run = run_on_gpu(interpreted_, session_,
                                    {.time = false,
                                     .timing = {},
                                     .twice = options_.witnesses,
                                     .watchdog_seconds = options_.watchdog_seconds,
                                     .disassemble = false},
                                    keep_going_);
    if (!run) return run.take_errors();
    so_far_.report.run = std::move(*run);
    if (!keep_going_()) return {};
    if (options_.witnesses) compile_ahead();
    begin(GpuStage::timing);
    gpu::TimingOptions first = options_.timing;
    first.time_limit_seconds = std::min(first.time_limit_seconds, options_.first_time_seconds);
    first.least_seconds = std::min(first.least_seconds, options_.first_time_seconds / 2);
    if (Diagnostics errors = time(first); !errors.empty() || !keep_going_()) return errors;
    if (options_.witnesses) {
      begin(GpuStage::recording);
      witnesses();
    }
    if (!keep_going_() || refined_) return {};
    return refine();
  }

  GpuSoFar& so_far() { return so_far_; }

 private:
  void begin(GpuStage stage) {
    so_far_.stage = stage;
    tell_(so_far_);
  }

  // run_on_gpu() left the kernel and the launches after it loaded.
  Diagnostics time(const gpu::TimingOptions& how) {
    Result<gpu::Timing> timing = session_.time(so_far_.report.run.given, how, keep_going_);
    if (!timing) return timing.take_errors();
    so_far_.report.run.timing = std::move(*timing);
    return {};
  }

  Diagnostics refine() {
    refined_ = true;
    if (!so_far_.report.run.timing || good_enough(*so_far_.report.run.timing, options_.timing)) return {};
    begin(GpuStage::refining);
    Result<GpuRun> again = run_on_gpu(interpreted_, session_,
                                      {.time = true,
                                       .timing = options_.timing,
                                       .twice = false,
                                       .watchdog_seconds = options_.watchdog_seconds,
                                       .disassemble = false},
                                      keep_going_);
    if (!again) return again.take_errors();
    // A timing that was stopped early may be less precise than the first.
    if (again->timing && again->timing->samples.size() >= so_far_.report.run.timing->samples.size())
      so_far_.report.run.timing = std::move(again->timing);
    return {};
  }

  // Works while the GPU times the kernel: disassembles its instructions, which explain the counters, and compiles the
  // recording kernels, which recording then finds in the cache. The timed kernel runs on the GPU only, so this does not
  // disturb its samples.
  void compile_ahead() {
    const std::string arch = session_.device().arch();
    instructions_ = std::async(std::launch::async, [this, arch, cubin = so_far_.report.run.sass.cubin] {
      return compile::disassemble(cubin, interpreted_.first().mangled_kernel, arch);
    });
    ahead_ = std::async(std::launch::async, [this, arch] { prepare_recording(interpreted_, arch); });
  }

  void witnesses() {
    ahead_.wait();
    VerifyOptions verify = options_.verify;
    verify.keep_going = keep_going_;
    verify.after_recording = [&](const std::optional<trace::Trace>& recorded) {
      so_far_.report.first().recorded = recorded;
      tell_(so_far_);
      if (Result<compile::Sass> sass = instructions_.get(); sass) so_far_.report.run.sass = std::move(*sass);
    };
    Diagnostics refining;
    verify.before_counting = [&](const Agreement& agreement, const std::optional<trace::Trace>& recorded) {
      so_far_.report.first().agreement = agreement;
      so_far_.report.first().recorded = recorded;
      so_far_.has_agreement = true;
      refining = refine();
      if (!keep_going_()) return false;
      begin(GpuStage::counting);
      return true;
    };
    std::optional<trace::Trace> recorded;
    so_far_.report.first().agreement = agree(interpreted_, so_far_.report.run, session_, verify, &recorded);
    so_far_.report.first().recorded = std::move(recorded);
    so_far_.has_agreement = true;
    Diagnostics& silent = so_far_.report.first().agreement.diagnostics;
    for (Diagnostic& one : after_the_interpreter(std::move(refining), interpreted_)) silent.push_back(std::move(one));
  }

  const Outcome& interpreted_;
  gpu::Session& session_;
  const GpuStageOptions& options_;
  const std::function<void(const GpuSoFar&)>& tell_;
  const std::function<bool()>& keep_going_;
  GpuSoFar so_far_;
  bool refined_ = false;
  std::future<Result<compile::Sass>> instructions_;
  std::future<void> ahead_;
};

}  // namespace

void prepare_for_gpu(const Request& request, const std::string& arch) {
  if (request.kept != nullptr || request.source.name.ends_with(".ptx")) return;
  (void)compile::compile_with_either(request.source, options_for_gpu(request, arch));
}

void prepare_recording(const Outcome& interpreted, const std::string& arch) {
  std::vector<std::future<void>> passes;
  for (const auto pass : {instrument::Pass::memory, instrument::Pass::block_entries, instrument::Pass::operations})
    passes.push_back(std::async(std::launch::async, [&interpreted, &arch, pass] {
      const Result<ptx::Module> module = ptx::parse(interpreted.first().ptx, interpreted.request.source.name + ".ptx");
      if (!module) return;
      const Result<instrument::Instrumented> kernel =
          instrument::instrument(*module, interpreted.first().mangled_kernel, pass);
      if (kernel) (void)compile::to_cubin(kernel->ptx, kernel->kernel, arch);
    }));
}

void prepare_witnesses(const Outcome& interpreted, const std::string& arch) {
  const std::future<void> recording = std::async(std::launch::async, [&] { prepare_recording(interpreted, arch); });
  compile_for_gpu(interpreted, arch);
}

Result<GpuReport> run_in_stages(const Outcome& interpreted, gpu::Session& session, const GpuStageOptions& options,
                                const std::function<void(const GpuSoFar&)>& tell,
                                const std::function<bool()>& keep_going) {
  Stages stages(interpreted, session, options, tell, keep_going);
  Diagnostics errors = stages.run();
  if (!errors.empty()) return after_the_interpreter(std::move(errors), interpreted);
  stages.so_far().stage = GpuStage::done;
  tell(stages.so_far());
  return std::move(stages.so_far().report);
}

}  // namespace lanescope::job
