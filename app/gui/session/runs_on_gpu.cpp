// The learner's GPU: which one, its results for what is on screen, and when it runs.

#include "gui/session/runs.h"
#include "gui/session/sweep.h"

namespace lanescope::gui {

void Runs::choose_device(const std::string& wish) {
  change([&] { gpus_.choose(wish); });
  run_on_gpu_if_needed();
}

void Runs::look_elsewhere(const std::string& place) {
  gpus_.look_elsewhere(place);
}

void Runs::choose_cache(gpu::CacheState cache) {
  change([&] { gpus_.set_cache(cache); });
  run_on_gpu_if_needed();
}

const GpuResult* Runs::gpu(std::size_t index) const {
  const GpuResult* found = gpus_.result(selection_.lesson().id, selection_.lesson().variants[index].id);
  return found != nullptr && gpus_.fits(*found, found->key) ? found : nullptr;
}

bool Runs::gpu_stale(std::size_t index) const {
  const GpuResult* found = gpu(index);
  return found != nullptr && (shown(index) == nullptr || found->key != shown(index)->key);
}

const job::Agreement* Runs::agreement() const {
  const GpuResult* found = gpu();
  return found == nullptr ? nullptr : found->agreement_of(launch());
}

const RunResult* Runs::gpu_recording() const {
  const GpuResult* found = gpu();
  return found == nullptr ? nullptr : found->recording_of(launch());
}

const RunResult* Runs::recorded() const {
  return recorded_wanted_ && !gpu_stale() ? gpu_recording() : nullptr;
}

void Runs::show_recorded(bool wanted) {
  change([&] { recorded_wanted_ = wanted; });
}

Worker::Status Runs::gpu_running() const {
  const Worker::Status first = gpus_.status("gpu");
  return first.busy ? first : gpus_.status("gpu b");
}

// Runs what is on screen and up to date on the GPU, unless a result exists.
void Runs::run_on_gpu_if_needed() {
  const auto of = [&](const char* slot, std::size_t index, int launch) {
    const auto there = results_.find(selection_.id(index));
    if (there == results_.end() || (!there->second->outcome.completed && !stale(index)))
      gpus_.cancel(slot);
    else if (!stale(index))  // otherwise current work still belongs to what is shown
      gpus_.start_if_needed(slot, selection_.lesson(), there->second, launch);
  };
  of("gpu", selection_.variant_index(), launch());
  if (const auto other = second())
    of("gpu b", *other, 1);  // only the time of the second variant is shown
  else
    gpus_.cancel("gpu b");
}

void Runs::measure_sweep(const std::string& control) {
  if (const RunResult* result = shown())
    gpus_.sweep(selection_.lesson(), result->key, control,
                values_to_sweep(selection_.lesson(), selection_.variant(), result->key.controls, control));
  changes_.mark();
}

const GpuSweep* Runs::gpu_sweep(const std::string& control) const {
  if (shown() == nullptr || !gpus_.fits(gpus_.sweep(), shown()->key, control)) return nullptr;
  return &gpus_.sweep();
}

}  // namespace lanescope::gui
