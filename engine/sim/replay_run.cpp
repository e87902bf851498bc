#include "sim/replay_run.h"

#include "core/worded.h"
#include "sim/launch_check.h"

namespace lanescope::sim {

Diagnostic no_such_event(const Step& step) {
  Diagnostic diagnostic;
  diagnostic.code = "run.no_such_event";
  diagnostic.message =
      worded("block {}, warp {} has no step {}", step.block, step.warp, std::uint64_t{step.sequence} + 1);
  diagnostic.cure = "Choose a step of the trace. Steps are numbered from 1.";
  return diagnostic;
}

Replay::Replay(const Program& program, const LaunchRequest& request) : request_(request) {
  result_.arguments = request.arguments;
  problems_ = check_launch(*program.kernel, request, whole_launch(program, request));
  if (has_error(problems_)) return;
  if (!request.device_memory.empty()) {
    memory_.emplace(request.device_memory, request.textures.get());
    request_.device_memory = memory_->memory();
    request_.textures = memory_->textures();
  }
  request_.record = {};
  request_.record.events = true;
  request_.races = false;
  run_.emplace(program, request_, result_);
}

bool Replay::run_to(Recorder::Watch* watch, Recorder::Listener* listener) {
  const Progress* progress = request_.progress;
  return (progress == nullptr || !progress->cancel.load()) && run_->replay(watch, listener);
}

Recorder::Watch watch_of(const Step& step) {
  Recorder::Watch watch;
  watch.block = step.block, watch.warp = step.warp, watch.sequence = step.sequence;
  return watch;
}

Step step_of(const Recorder::Heard& event) {
  return {event.block, event.warp, event.sequence};
}

bool concerns(const Recorder::Heard& event, const WatchedBytes& bytes) {
  return event.pattern != nullptr && event.space == bytes.space &&
         (event.space != trace::MemorySpace::shared || event.block == bytes.block);
}

bool writes_memory(const trace::Site& site, trace::MemorySpace space) {
  using trace::Operation;
  return site.operation == Operation::store || site.operation == Operation::atomic ||
         site.operation == Operation::reduction ||
         (site.operation == Operation::async_copy && space == trace::MemorySpace::shared);
}

}  // namespace lanescope::sim
