#include "sim/replay_run.h"

#include "core/worded.h"
#include "sim/launch_check.h"
#include "sim/memory/address_space.h"

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
  const trace::Launch launch = whole_launch(program, request);
  clusters_ = {launch.grid, launch.cluster};
  problems_ = check_launch(*program.kernel, request, launch);
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

WatchedMemory::WatchedMemory(const WatchedBytes& bytes, const Clusters& clusters) : bytes_(bytes), clusters_(clusters) {
  if (bytes.space != trace::MemorySpace::distributed) return;
  const auto rank = static_cast<std::uint32_t>(address_space::rank_of(bytes.address));
  bytes_.space = trace::MemorySpace::shared;
  bytes_.block = clusters.block(clusters.cluster(bytes.block), rank);
  bytes_.address = address_space::within_block(bytes.address);
}

std::optional<std::uint64_t> WatchedMemory::base_of(const Recorder::Heard& event) const {
  if (event.space == trace::MemorySpace::distributed && bytes_.space == trace::MemorySpace::shared) {
    if (clusters_.cluster(event.block) != clusters_.cluster(bytes_.block)) return std::nullopt;
    return std::uint64_t{clusters_.rank(bytes_.block)} << address_space::rank_shift;
  }
  if (event.space != bytes_.space || event.space == trace::MemorySpace::none) return std::nullopt;
  const bool own = event.space != trace::MemorySpace::shared || event.block == bytes_.block;
  return own ? std::optional<std::uint64_t>(0) : std::nullopt;
}

bool writes_memory(const trace::Site& site, trace::MemorySpace space) {
  using trace::Operation;
  return site.operation == Operation::store || trace::is_atomic(site.operation) ||
         (site.operation == Operation::async_copy && space == trace::MemorySpace::shared);
}

}  // namespace lanescope::sim
