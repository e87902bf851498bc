#include "job/witness/empty_launch.h"

#include "compile/compiler.h"
#include "job/witness/gpu_run.h"

namespace lanescope::job {

Result<gpu::Timing> time_empty_launch(gpu::Session& session, const gpu::TimingOptions& options) {
  constexpr unsigned warp = 32;
  Outcome empty;
  empty.request.source = {"empty.cu", "__global__ void empty() {}\n", {}};
  empty.request.first().kernel = "empty";
  empty.request.first().shape.block = {warp, 1, 1};
  compile::Options how;
  how.arch = empty.request.arch;
  how.name_expressions = {empty.request.first().kernel};
  Result<compile::Ptx> ptx = compile::compile(empty.request.source, how);
  if (!ptx) return ptx.take_errors();
  empty.first().ptx = std::move(ptx->text);
  empty.first().mangled_kernel = ptx->mangled[empty.request.first().kernel];
  Result<GpuRun> run = run_on_gpu(empty, session, {.timing = options, .twice = false, .disassemble = false});
  if (!run) return run.take_errors();
  return std::move(run->timing).value_or(gpu::Timing{});
}

}  // namespace lanescope::job
