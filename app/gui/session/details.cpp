#include "gui/session/details.h"

#include <algorithm>

#include "job/run/machine.h"

namespace lanescope::gui {

Details::Details(const Selection& selection, const Runs& runs, const Place& place, Recordings& recordings,
                 Changes& changes, Worker& background)
    : selection_(selection),
      runs_(runs),
      place_(place),
      recordings_(recordings),
      changes_(changes),
      background_(background) {}

const Sweep& Details::sweep(const std::string& control) {
  const lesson::ControlValues& shown = runs_.shown()->key.controls;
  RunKey base = runs_.shown()->key;
  base.controls.erase(control);
  if (sweep_.base == base && sweep_.control == control && sweep_.launch == runs_.launch()) return sweep_;
  sweep_ = {base, control, runs_.launch(), {}, 0};
  std::vector<std::int64_t> values = values_to_sweep(selection_.lesson(), selection_.variant(), shown, control);
  sweep_.wanted = values.size();
  post_sweep_point(0, std::move(values));
  return sweep_;
}

void Details::post_sweep_point(std::size_t index, std::vector<std::int64_t> values) {
  if (index >= values.size()) return;
  RunKey key = sweep_.base;
  key.controls[sweep_.control] = values[index];
  background_.post("sweep", [this, index, &lesson = selection_.lesson(), key, values](sim::Progress& progress) {
    auto result = make_result(lesson, key, progress, RunFor::totals);
    return [this, index, values, result] {
      const trace::Trace* of = result->outcome.trace_of(sweep_.launch);
      const Diagnostics& said = result->outcome.diagnostics;
      const auto error = std::ranges::find(said, Severity::error, &Diagnostic::severity);
      sweep_.points.push_back({values[index], result->outcome.completed && of != nullptr,
                               of == nullptr ? trace::Totals{} : of->totals,
                               error == said.end() ? std::nullopt : std::optional(*error)});
      changes_.mark();
      if (!sweep_.ended_early()) post_sweep_point(index + 1, values);
    };
  });
}

const Result<compile::Sass>* Details::sass() {
  const RunResult* result = runs_.shown();
  if (result == nullptr) return nullptr;
  // Different kernels may come from the same text.
  const job::LaunchOutcome& first = result->outcome.first();
  if (sass_.ptx == first.ptx && sass_.mangled == first.mangled_kernel) return sass_.result ? &*sass_.result : nullptr;
  sass_ = {first.ptx, first.mangled_kernel, std::nullopt, {}};
  background_.post("sass", [this, ptx = first.ptx, mangled = first.mangled_kernel, kernel = first.trace.kernel,
                            request = result->outcome.request](sim::Progress&) {
    auto made = std::make_shared<Result<compile::Sass>>(job::machine_code(request, kernel, ptx, mangled));
    auto notes = std::make_shared<std::vector<job::PtxasNote>>();
    if (made->ok()) *notes = job::ptxas_notes(request.source, ptx, mangled, made->value());
    return [this, made, notes] {
      sass_.result = std::move(*made);
      sass_.notes = std::move(*notes);
      changes_.mark();
    };
  });
  return nullptr;
}

const job::ShuffleValues* Details::shuffle_values() {
  const trace::WarpEvent* at = place_.event();
  if (at == nullptr || runs_.shows_recorded()) return nullptr;
  return shuffle_values("values", runs_.keep(selection_.variant_index()), runs_.launch(), *at);
}

const job::ShuffleValues* Details::shuffle_values(const std::string& slot, const std::shared_ptr<const RunResult>& run,
                                                  int launch, const trace::WarpEvent& event) {
  const RunResult* of = run == nullptr ? nullptr : run->of_launch(launch);
  if (of == nullptr || event.kind != trace::EventKind::shuffle) return nullptr;
  ShuffleSlot& kept = shuffles_[slot];
  if (kept.result == of->serial && kept.event == &event) return kept.values ? &*kept.values : nullptr;
  kept = {of->serial, &event, std::nullopt};
  background_.post(slot, [this, slot, result = run, event, launch](sim::Progress&) {
    auto made = std::make_shared<Result<job::ShuffleValues>>(job::shuffle_values(result->outcome, event, launch));
    return [this, slot, made] {
      if (!made->ok()) return;
      shuffles_[slot].values = std::move(made->value());
      changes_.mark();
    };
  });
  return nullptr;
}

const RunResult* Details::quoted(RunKey key) {
  const auto found = std::ranges::find(quotes_, key, &Quote::key);
  if (found != quotes_.end()) return found->result.get();
  constexpr std::size_t most_quotes = 256;
  if (quotes_.size() >= most_quotes) quotes_.clear();
  quotes_.push_back({key, nullptr});
  // One slot per key, so that requests do not replace each other.
  background_.post("quote " + std::to_string(++quote_number_),
                   [this, &lesson = selection_.lesson(), key](sim::Progress& progress) {
                     auto result = make_result(lesson, key, progress, RunFor::quotes);
                     return [this, key, result] {
                       if (const auto at = std::ranges::find(quotes_, key, &Quote::key); at != quotes_.end())
                         at->result = result;
                       changes_.mark();
                     };
                   });
  return nullptr;
}

std::optional<double> Details::number(const lesson::NumberReference& reference) {
  const lesson::Lesson& lesson = selection_.lesson();
  if (lesson::is_measured(reference)) {
    // Measurements are for the lesson's own text, not the learner's.
    const bool own = reference.variant.empty() || reference.variant == "current";
    return own && selection_.differs(selection_.variant()) ? std::nullopt : recordings_.measured(reference);
  }
  const bool current =
      reference.variant.empty() || reference.variant == "current" || reference.variant == selection_.variant().id;
  const RunResult* from = nullptr;
  if (current && reference.controls.empty()) {
    from = runs_.shown(selection_.variant_index());  // a text cannot tell that a number was recorded
  } else {
    const lesson::Variant* of = current ? &selection_.variant() : lesson.find_variant(reference.variant);
    if (of == nullptr || of->gpu_only) return std::nullopt;
    RunKey key = selection_.key_of(*of);
    if (const auto own = lesson.sources.find(of->file); own != lesson.sources.end()) key.source = own->second;
    key.launch.clear();
    for (const auto& [name, value] : reference.controls) key.controls[name] = value;
    from = quoted(std::move(key));
  }
  if (from == nullptr || !from->outcome.completed) return std::nullopt;
  return quoted_number(*from, reference);
}

}  // namespace lanescope::gui
