// The learner's own GPU: which one, what it said of what is on screen, and when it is asked.

#include "gui/session/session.h"

namespace lanescope::gui {

void Session::choose_device(const std::string& wish) {
  if (shown() != nullptr) remember_place();
  gpus_.choose(wish);
  changed_ = true;
  if (shown() != nullptr) settle_place();
  run_on_gpu_if_needed();
}

void Session::choose_cache(gpu::CacheState cache) {
  if (shown() != nullptr) remember_place();
  gpus_.set_cache(cache);
  changed_ = true;
  if (shown() != nullptr) settle_place();
  run_on_gpu_if_needed();
}

const GpuResult* Session::gpu(std::size_t index) const {
  const GpuResult* found = gpus_.result(lesson().id, lesson().variants[index].id);
  return found != nullptr && gpus_.fits(*found, found->key) ? found : nullptr;
}

bool Session::gpu_stale(std::size_t index) const {
  const GpuResult* found = gpu(index);
  return found != nullptr && (shown(index) == nullptr || found->key != shown(index)->key);
}

const job::Agreement* Session::agreement() const {
  const GpuResult* found = gpu();
  return found == nullptr ? nullptr : found->agreement_of(launch());
}

const RunResult* Session::gpu_recording() const {
  const GpuResult* found = gpu();
  return found == nullptr ? nullptr : found->recording_of(launch());
}

const RunResult* Session::recorded() const {
  return recorded_wanted_ && !gpu_stale() ? gpu_recording() : nullptr;
}

bool Session::shows_recorded() const {
  return recorded() != nullptr;
}

void Session::show_recorded(bool wanted) {
  if (shown() != nullptr) remember_place();
  recorded_wanted_ = wanted;
  changed_ = true;
  if (shown() != nullptr) settle_place();
}

Worker::Status Session::gpu_running() const {
  const Worker::Status first = gpus_.status("gpu");
  return first.busy ? first : gpus_.status("gpu b");
}

// What is on screen and up to date goes to the GPU, where that has not answered yet.
void Session::run_on_gpu_if_needed() {
  const auto of = [&](const char* slot, std::size_t index, int launch) {
    const auto there = results_.find({lesson().id, lesson().variants[index].id});
    if (there == results_.end())
      gpus_.cancel(slot);
    else if (!stale(index))  // else what is under way belongs to what is still shown
      gpus_.start_if_needed(slot, lesson(), there->second, launch);
  };
  of("gpu", variant_, launch());
  if (compared_)
    of("gpu b", *compared_, 1);  // of the second variant only the time is shown
  else
    gpus_.cancel("gpu b");
}

void Session::measure_sweep(const std::string& control) {
  if (shown() != nullptr) gpus_.sweep(lesson(), shown()->key, control, sweep_values(control));
  changed_ = true;
}

const GpuSweep* Session::gpu_sweep(const std::string& control) const {
  if (shown() == nullptr || !gpus_.fits(gpus_.sweep(), shown()->key, control)) return nullptr;
  return &gpus_.sweep();
}

}  // namespace lanescope::gui
