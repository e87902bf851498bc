// What is worked out beside the run on screen: sweeps, recordings, machine code, shuffle values, numbers that texts
// quote.

#include <algorithm>

#include "core/architecture.h"
#include "gui/session/session.h"
#include "job/lesson/lesson_request.h"
#include "job/run/machine.h"

namespace lanescope::gui {

const Sweep& Session::sweep(const std::string& control) {
  RunKey base = shown()->key;
  base.controls.erase(control);
  if (sweep_.base == base && sweep_.control == control && sweep_.launch == launch()) return sweep_;
  sweep_ = {base, control, launch(), {}, 0};
  std::vector<std::int64_t> values = sweep_values(control);
  sweep_.wanted = values.size();
  post_sweep_point(0, std::move(values));
  return sweep_;
}

std::vector<std::int64_t> Session::sweep_values(const std::string& control) const {
  const auto found = std::ranges::find(lesson().controls, control, &lesson::Control::name);
  if (found == lesson().controls.end()) return {};
  std::vector<std::int64_t> values = found->choices;
  if (values.empty() && found->logarithmic && found->min > 0)
    for (std::int64_t v = found->min; v <= found->max; v *= 2)
      if (found->allows(v)) values.push_back(v);
  // What would take long, or much memory, is left out: a plot is not worth it.
  const auto too_large = [&](std::int64_t value) {
    lesson::ControlValues with = shown()->key.controls;
    with[control] = value;
    const auto request = job::from_lesson(lesson(), variant(), with);
    return !request ||
           request->first().shape.grid.count() * request->first().shape.block.count() > imitated_gpu::resident_threads;
  };
  if (values.empty()) {
    constexpr std::int64_t most = 33;
    const std::int64_t step = std::max<std::int64_t>(found->step, 1);
    std::int64_t last = found->max;
    while (last > found->min + most * step && too_large(last))
      last = found->min + (last - found->min) / 2 / step * step;
    const std::int64_t count = (last - found->min) / step + 1;
    const std::int64_t stride = step * std::max<std::int64_t>(1, (count + most - 1) / most);
    for (std::int64_t v = found->min; v <= last; v += stride) values.push_back(v);
  }
  std::erase_if(values, too_large);
  return values;
}

void Session::post_sweep_point(std::size_t index, std::vector<std::int64_t> values) {
  if (index >= values.size()) return;
  RunKey key = sweep_.base;
  key.controls[sweep_.control] = values[index];
  background_.post("sweep", [this, index, &lesson = lesson(), key, values](sim::Progress& progress) {
    auto result = make_result(lesson, key, progress, RunFor::totals);
    return [this, index, values, result] {
      const trace::Trace* of = result->outcome.trace_of(sweep_.launch);
      sweep_.points.push_back(
          {values[index], result->outcome.completed && of != nullptr, of == nullptr ? trace::Totals{} : of->totals});
      changed_ = true;
      // A kernel may be out of bounds at some values alone; one that keeps failing is left in peace.
      constexpr std::ptrdiff_t most_failures = 3;
      if (std::ranges::count(sweep_.points, false, &Sweep::Point::ok) < most_failures)
        post_sweep_point(index + 1, values);
    };
  });
}

const job::LessonRecording* Session::recording() const {
  const auto found = std::ranges::find(recordings_, lesson().id, &job::LessonRecording::lesson);
  return found == recordings_.end() ? nullptr : &*found;
}

const job::RecordedRun* Session::recorded_run(std::size_t index) const {
  const job::LessonRecording* all = recording();
  if (all == nullptr || shown(index) == nullptr) return nullptr;
  const RunKey& key = shown(index)->key;
  return all->find(key.variant, key.controls, key.source);
}

const std::vector<job::AgreementRow>& Session::recorded_agreement() {
  const RunResult* result = shown();
  const job::RecordedRun* run = recorded_run();
  const std::uint64_t serial = result == nullptr ? 0 : result->serial;
  if (counted_.result == serial && counted_.run == run) return counted_.rows;
  counted_ = {serial, run, {}};
  if (result != nullptr && run != nullptr && !run->counters.empty())
    counted_.rows =
        job::agree_with_counters(result->outcome.first().trace, run->counters, recording()->machine_code(run->variant));
  return counted_.rows;
}

const Result<compile::Sass>* Session::sass() {
  const RunResult* result = shown();
  if (result == nullptr) return nullptr;
  // Launches of different kernels may come from one text.
  if (sass_.ptx == result->outcome.first().ptx && sass_.mangled == result->outcome.first().mangled_kernel)
    return sass_.result ? &*sass_.result : nullptr;
  sass_ = {result->outcome.first().ptx, result->outcome.first().mangled_kernel, std::nullopt};
  background_.post(
      "sass", [this, ptx = result->outcome.first().ptx, mangled = result->outcome.first().mangled_kernel,
               kernel = result->outcome.first().trace.kernel, request = result->outcome.request](sim::Progress&) {
        auto made = std::make_shared<Result<compile::Sass>>(job::machine_code(request, kernel, ptx, mangled));
        return [this, made] {
          sass_.result = std::move(*made);
          changed_ = true;
        };
      });
  return nullptr;
}

const job::ShuffleValues* Session::shuffle_values() {
  const trace::WarpEvent* at = event();
  if (at == nullptr || shows_recorded()) return nullptr;
  return shuffle_values("values", variant_, launch(), *at);
}

const job::ShuffleValues* Session::shuffle_values(const std::string& slot, std::size_t variant, int launch,
                                                  const trace::WarpEvent& event) {
  const RunResult* of = shown(variant, launch);
  if (of == nullptr || event.kind != trace::EventKind::shuffle) return nullptr;
  ShuffleSlot& kept = shuffles_[slot];
  if (kept.result == of->serial && kept.event == &event) return kept.values ? &*kept.values : nullptr;
  kept = {of->serial, &event, std::nullopt};
  background_.post(slot, [this, slot, result = results_.at({lesson().id, lesson().variants[variant].id}), event,
                          launch](sim::Progress&) {
    auto made = std::make_shared<Result<job::ShuffleValues>>(job::shuffle_values(result->outcome, event, launch));
    return [this, slot, made] {
      if (!made->ok()) return;
      shuffles_[slot].values = std::move(made->value());
      changed_ = true;
    };
  });
  return nullptr;
}

const Result<job::StepValues>* Session::step_values() {
  const trace::WarpEvent* at = event();
  if (at == nullptr || shows_recorded()) return nullptr;
  return replays_.values(results_.at(id()), launch(), {at->block, at->warp, at->sequence});
}

const Result<job::Origins>* Session::step_origins() {
  const trace::WarpEvent* at = event();
  if (at == nullptr || shows_recorded() || replays_.lane < 0) return nullptr;
  return replays_.origins(results_.at(id()), launch(), {at->block, at->warp, at->sequence}, replays_.lane);
}

const RunResult* Session::quoted(RunKey key) {
  const auto found = std::ranges::find(quotes_, key, &Quote::key);
  if (found != quotes_.end()) return found->result.get();
  constexpr std::size_t most_quotes = 256;
  if (quotes_.size() >= most_quotes) quotes_.clear();
  quotes_.push_back({key, nullptr});
  // One slot a key: none of them replaces another.
  background_.post("quote " + std::to_string(++quote_number_),
                   [this, &lesson = lesson(), key](sim::Progress& progress) {
                     auto result = make_result(lesson, key, progress, RunFor::quotes);
                     return [this, key, result] {
                       if (const auto at = std::ranges::find(quotes_, key, &Quote::key); at != quotes_.end())
                         at->result = result;
                       changed_ = true;
                     };
                   });
  return nullptr;
}

job::LessonNumbers& Session::measured_numbers() {
  std::unique_ptr<job::LessonNumbers>& numbers = measured_[lesson().id];
  if (!numbers) numbers = std::make_unique<job::LessonNumbers>(lesson(), job::measured_in(lesson(), recordings_));
  return *numbers;
}

Wording Session::label_of(const lesson::NumberReference& reference) {
  const auto found = measured_numbers().measured(reference, variant().id, controls_[lesson().id]);
  return found ? found->label : "";
}

std::optional<double> Session::number(const lesson::NumberReference& reference) {
  if (lesson::is_measured(reference)) {
    // What was measured is the lesson's own text, not the learner's.
    const bool own = reference.variant.empty() || reference.variant == "current";
    if (own && edited()) return std::nullopt;
    const auto value = measured_numbers().value(reference, variant().id, controls_[lesson().id]);
    return value ? *value : std::nullopt;
  }
  const bool current = reference.variant.empty() || reference.variant == "current" || reference.variant == variant().id;
  const RunResult* from = nullptr;
  if (current && reference.controls.empty()) {
    from = shown(variant_);  // a text has no room to say that a number was recorded
  } else {
    const lesson::Variant* of = current ? &variant() : lesson().find_variant(reference.variant);
    if (of == nullptr || of->gpu_only) return std::nullopt;
    RunKey key = key_of(lesson(), *of);
    if (const auto own = lesson().sources.find(of->file); own != lesson().sources.end()) key.source = own->second;
    for (const auto& [name, value] : reference.controls) key.controls[name] = value;
    from = quoted(std::move(key));
  }
  if (from == nullptr || !from->outcome.completed) return std::nullopt;
  return quoted_number(*from, reference);
}

}  // namespace lanescope::gui
