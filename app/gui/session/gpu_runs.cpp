#include "gui/session/gpu_runs.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/worded.h"

namespace lanescope::gui {
namespace {

using job::GpuStage;

constexpr double first_time_seconds = 0.02, refined_seconds = 1.0, sweep_seconds = 0.25;

// Takes the parts of a report that the window shows, without the buffers' contents.
void take(GpuResult& into, const job::GpuSoFar& so_far) {
  const job::GpuRun& run = so_far.report.run;
  into.stage = so_far.stage;
  if (so_far.stage == GpuStage::running) return;
  into.ran = true;
  into.first().attributes = run.attributes;
  into.same_result = run.same_result;
  into.repeatable = run.repeatable;
  into.first_difference = run.first_difference;
  if (so_far.has_agreement) into.first().agreement = so_far.report.first().agreement;
  if (!run.timing) return;
  into.problems.clear();
  if (!run.timing->samples.empty())
    into.timing = run.timing;
  else if (run.timing->discarded > 0)
    into.problems = {job::all_discarded(*run.timing)};
}

double bytes_of(const lesson::Variant& variant, const RunKey& key) {
  if (variant.bytes.text.empty()) return 0;
  const auto bytes = lesson::evaluate(variant.bytes, key.controls);
  return bytes ? static_cast<double>(*bytes) : 0;
}

}  // namespace

const GpuLaunch* GpuResult::launch(int number) const {
  const auto index = static_cast<std::size_t>(number) - 1;
  return index < launches.size() && launches[index] ? &*launches[index] : nullptr;
}

const job::Agreement* GpuResult::agreement_of(int number) const {
  const GpuLaunch* one = launch(number);
  return one && one->agreement ? &*one->agreement : nullptr;
}

const RunResult* GpuResult::recording_of(int number) const {
  const GpuLaunch* one = launch(number);
  return one ? one->recorded.get() : nullptr;
}

const gpu::KernelAttributes* GpuResult::attributes_of(int number) const {
  const GpuLaunch* one = launch(number);
  return one && one->attributes ? &*one->attributes : nullptr;
}

Wording label_of(const gpu::Device& device) {
  return worded("{}, driver {}", device.name_and_place(),
                device.kernel_driver_version.empty() ? "CUDA " + device.driver_version : device.kernel_driver_version);
}

GpuRuns::GpuRuns(std::shared_ptr<GpuBackend> backend, std::function<void()> wake)
    : backend_(std::move(backend)), worker_(std::move(wake)) {
  if (backend_) look_for_devices();
}

GpuRuns::~GpuRuns() {
  if (backend_) backend_->close();
}

std::string GpuRuns::name(const gpu::Device& device) {
  return fmt::format("{} #{}", device.name_and_place(), device.index);
}

void GpuRuns::look_for_devices() {
  looking_ = true;
  worker_.post("devices", [this](sim::Progress&) -> Worker::Completion {
    auto found = std::make_shared<Result<std::vector<gpu::Device>>>(backend_->devices());
    return [this, found] {
      looking_ = false;
      if (before_change) before_change();
      if (found->ok())
        devices_ = std::move(found->value());
      else
        missing_ = found->take_errors();
      if (const gpu::Device* device = chosen())
        worker_.post("warm up", [this, wanted = *device](sim::Progress&) -> Worker::Completion {
          backend_->warm_up(wanted);
          return {};
        });
      if (after_change) after_change();
    };
  });
}

void GpuRuns::look_elsewhere(const std::string& place) {
  if (!backend_ || place.empty()) return;
  worker_.cancel("elsewhere");
  place_ = place;
  heard_.clear();
  unreachable_.clear();
  looking_elsewhere_ = true;
  worker_.post_in_parts("elsewhere", [this, place](sim::Progress& progress, const Worker::Send& send) {
    const auto tell = [&](const std::string& text) { send([this, text] { heard_ = text; }); };
    auto found = std::make_shared<Result<std::vector<gpu::Device>>>(
        backend_->devices_at(place, tell, [&progress] { return !progress.cancel; }));
    return [this, place, found] {
      if (place != place_) return;
      looking_elsewhere_ = false;
      if (before_change) before_change();
      if (found->ok() && !found->value().empty()) {
        std::erase_if(devices_, [&](const gpu::Device& one) { return one.where == place; });
        devices_.insert(devices_.end(), found->value().begin(), found->value().end());
        wish_ = name(found->value().front());
      } else {
        unreachable_ = found->ok() ? Diagnostics{} : found->take_errors();
      }
      if (after_change) after_change();
    };
  });
}

const gpu::Device* GpuRuns::chosen() const {
  if (wish_ == "cpu" || devices_.empty()) return nullptr;
  const auto named = std::ranges::find(devices_, wish_, &GpuRuns::name);
  return named == devices_.end() ? &devices_.front() : &*named;
}

bool GpuRuns::fits(const GpuResult& result, const RunKey& key) const {
  const gpu::Device* device = chosen();
  return device != nullptr && result.key == key && result.cache == cache_ && name(result.device) == name(*device);
}

const GpuResult* GpuRuns::result(const std::string& lesson, const std::string& variant) const {
  const auto found = results_.find({lesson, variant});
  return found == results_.end() ? nullptr : found->second.get();
}

void GpuRuns::arrived(const std::string& slot, std::uint64_t ticket, std::shared_ptr<const GpuResult> result) {
  const auto request = under_way_.find(slot);
  if (request == under_way_.end() || request->second.ticket != ticket) return;
  const bool last = result->stage == GpuStage::done;
  std::shared_ptr<const GpuResult>& there = results_[{result->key.lesson, result->key.variant}];
  // An earlier run's result stays visible, labelled, until this run has a time of its own.
  const bool too_early = !last && !result->timing && there && there->timing &&
                         name(there->device) == name(result->device) && there->cache == result->cache;
  if (before_change) before_change();
  if (!too_early) there = std::move(result);
  if (last) under_way_.erase(request);
  if (after_change) after_change();
}

void GpuRuns::arrived(const std::string& slot, std::uint64_t ticket, const RunKey& key, int launch, GpuLaunch said) {
  const auto request = under_way_.find(slot);
  if (request == under_way_.end() || request->second.ticket != ticket) return;
  const auto there = results_.find({key.lesson, key.variant});
  if (there == results_.end() || there->second->key != key) return;
  const bool last = said.done;
  auto more = std::make_shared<GpuResult>(*there->second);
  const auto index = static_cast<std::size_t>(launch) - 1;
  if (more->launches.size() <= index) more->launches.resize(index + 1);
  more->launches[index] = std::move(said);
  if (before_change) before_change();
  there->second = std::move(more);
  if (last) under_way_.erase(request);
  if (after_change) after_change();
}

int GpuRuns::launch_under_way(const std::string& slot) const {
  const auto request = under_way_.find(slot);
  return request == under_way_.end() ? 0 : request->second.wanted.launch;
}

void GpuRuns::cancel(const std::string& slot) {
  worker_.cancel(slot);
  under_way_.erase(slot);
}

void GpuRuns::prepare(std::function<Result<job::Request>()> make_request) {
  const gpu::Device* device = chosen();
  if (device == nullptr) return;
  worker_.post("prepare", [make_request = std::move(make_request), arch = device->arch()](sim::Progress&) {
    if (const auto request = make_request()) job::prepare_for_gpu(*request, arch);
    return Worker::Completion();
  });
}

void GpuRuns::start(const std::string& slot, const lesson::Lesson& lesson,
                    std::shared_ptr<const RunResult> interpreted) {
  const gpu::Device* device = chosen();
  const lesson::Variant* variant = lesson.find_variant(interpreted->key.variant);
  if (device == nullptr || variant == nullptr || !interpreted->outcome.completed) return;
  const std::uint64_t ticket = ++tickets_;
  under_way_[slot] = {{interpreted->key, name(*device), cache_}, ticket};
  job::GpuStageOptions options;
  options.timing.cache = cache_;
  options.timing.time_limit_seconds = refined_seconds;
  options.first_time_seconds = first_time_seconds;
  worker_.post_in_parts(slot, [this, slot, ticket, interpreted, variant, options, device = *device](
                                  sim::Progress& progress, const Worker::Send& send) {
    GpuResult now{.key = interpreted->key, .device = device, .cache = options.timing.cache};
    now.bytes = bytes_of(*variant, now.key);
    progress.blocks_total = static_cast<std::uint64_t>(GpuStage::done);
    bool checked = false;
    const auto tell = [&](const job::GpuSoFar& so_far) {
      take(now, so_far);
      progress.blocks_done = static_cast<std::uint64_t>(so_far.stage);
      const bool first_recording = so_far.report.first().recorded && !now.first().recorded;
      if (now.ran && (!checked || first_recording)) {
        checked = true;
        job::Outcome outcome = job::on_gpu(interpreted->outcome, so_far.report, variant);
        now.checks = outcome.checks;
        if (first_recording) now.first().recorded = result_of(std::move(outcome), now.key);
      }
      // The final report also arrives as the completion.
      if (so_far.stage != GpuStage::done)
        send([=, this, made = std::make_shared<const GpuResult>(now)] { arrived(slot, ticket, made); });
    };
    const auto keep_going = [&] { return !progress.cancel; };
    auto report = backend_->run(interpreted->outcome, device, options, tell, keep_going);
    now.stage = GpuStage::done;
    now.stopped = progress.cancel;
    if (!report && !now.stopped) now.problems = report.take_errors();
    return [=, this, made = std::make_shared<const GpuResult>(std::move(now))] { arrived(slot, ticket, made); };
  });
}

void GpuRuns::start_launch(const std::string& slot, const std::shared_ptr<const RunResult>& interpreted,
                           const GpuResult& whole, int launch) {
  const std::uint64_t ticket = ++tickets_;
  under_way_[slot] = {{interpreted->key, name(whole.device), whole.cache, launch}, ticket};
  worker_.post_in_parts(slot, [this, slot, ticket, interpreted, launch, device = whole.device, checks = whole.checks](
                                  sim::Progress& progress, const Worker::Send& send) {
    GpuLaunch now;
    const auto take = [&](const job::LaunchReport& report) {
      now.attributes = report.run.attributes;
      now.agreement = report.witness.agreement;
      if (!report.witness.recorded || now.recorded) return;
      job::Outcome outcome = report.one.outcome;
      outcome.first().trace = *report.witness.recorded;
      outcome.checks = checks;
      now.recorded = result_of_launch(std::move(outcome), interpreted->key, report.one.which);
    };
    const auto tell = [&](const job::LaunchReport& report) {
      take(report);
      send([=, this, said = now] { arrived(slot, ticket, interpreted->key, launch, said); });
    };
    auto report = backend_->run_launch(interpreted->outcome, job::first_execution(interpreted->outcome, launch), device,
                                       tell, [&] { return !progress.cancel; });
    now.done = true;
    now.stopped = progress.cancel;
    if (report)
      take(*report);
    else if (!now.stopped)
      now.problems = report.take_errors();
    return [=, this, said = std::move(now)] { arrived(slot, ticket, interpreted->key, launch, said); };
  });
}

void GpuRuns::start_if_needed(const std::string& slot, const lesson::Lesson& lesson,
                              const std::shared_ptr<const RunResult>& interpreted, int launch) {
  const gpu::Device* device = chosen();
  if (device == nullptr) return cancel(slot);
  const GpuResult* there = result(interpreted->key.lesson, interpreted->key.variant);
  const bool whole = there != nullptr && there->stage == GpuStage::done && fits(*there, interpreted->key);
  if (const auto request = under_way_.find(slot); request != under_way_.end()) {
    const Wanted& now = request->second.wanted;
    // The run as a whole comes first. A launch that is no longer on screen finishes unless another one is requested.
    if (now == Wanted{interpreted->key, name(*device), cache_, now.launch} &&
        (now.launch == 1 || launch == 1 || now.launch == launch))
      return;
  }
  if (!whole) return start(slot, lesson, interpreted);
  const GpuLaunch* known = there->launch(launch);
  const bool asks = launch > 1 && there->first().agreement && !there->stopped && (known == nullptr || !known->done);
  if (asks)
    start_launch(slot, interpreted, *there, launch);
  else
    cancel(slot);
}

void GpuRuns::stop() {
  for (const auto& [slot, request] : under_way_) worker_.stop(slot);
  stop_sweep();
}

// ---- sweeps

bool GpuRuns::fits(const GpuSweep& sweep, const RunKey& key, const std::string& control) const {
  RunKey base = key;
  base.controls.erase(control);
  const gpu::Device* device = chosen();
  return device != nullptr && sweep.control == control && sweep.base == base && sweep.cache == cache_ &&
         name(sweep.device) == name(*device);
}

void GpuRuns::sweep(const lesson::Lesson& lesson, RunKey base, const std::string& control,
                    std::vector<std::int64_t> values) {
  const gpu::Device* device = chosen();
  if (device == nullptr) return;
  base.controls.erase(control);
  sweep_ = {std::move(base), control, *device, cache_, {}, values.size(), 0, true, {}};
  sweep_point(lesson, 0, std::move(values));
}

void GpuRuns::sweep_point(const lesson::Lesson& lesson, std::size_t index, std::vector<std::int64_t> values) {
  if (index >= values.size()) {
    sweep_.running = false;
    return;
  }
  RunKey key = sweep_.base;
  key.controls[sweep_.control] = values[index];
  job::GpuStageOptions options;
  options.timing.cache = sweep_.cache;
  options.timing.time_limit_seconds = options.first_time_seconds = sweep_seconds;
  options.witnesses = false;
  worker_.post("sweep",
               [this, index, values, key, options, &lesson,
                device = sweep_.device](sim::Progress& progress) -> Worker::Completion {
                 const auto interpreted = make_result(lesson, key, progress, RunFor::totals);
                 auto report = std::make_shared<Result<job::GpuReport>>(
                     interpreted->outcome.completed ? backend_->run(
                                                          interpreted->outcome, device, options,
                                                          [](const job::GpuSoFar&) {}, [&] { return !progress.cancel; })
                                                    : Result<job::GpuReport>(interpreted->outcome.diagnostics));
                 const bool stopped = progress.cancel;
                 return [this, index, values, &lesson, report, stopped] {
                   sweep_.done = index + 1;
                   if (stopped) {
                     sweep_.running = false;
                     return;
                   }
                   if (!report->ok()) {
                     sweep_.problems = report->errors();
                     sweep_.running = false;
                     return;
                   }
                   if (const auto& timing = report->value().run.timing; timing && !timing->samples.empty())
                     sweep_.points.push_back({values[index], *timing});
                   sweep_point(lesson, index + 1, values);
                 };
               });
}

void GpuRuns::stop_sweep() {
  if (!sweep_.running) return;
  worker_.cancel("sweep");
  sweep_.running = false;
}

bool GpuRuns::drain() {
  return worker_.drain();
}

}  // namespace lanescope::gui
