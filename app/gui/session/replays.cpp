#include "gui/session/replays.h"

#include <fmt/format.h>

#include "core/worded.h"
#include "job/replay/names.h"

namespace lanescope::gui {
namespace {

Wording not_kept(const sim::Step& step) {
  return worded("The run did not keep step {} of block {}, warp {}.", std::uint64_t{step.sequence} + 1, step.block,
                step.warp);
}

}  // namespace

Replays::Replays(const Selection& selection, const Runs& runs, Place& place, Changes& changes,
                 const std::function<void()>& wake)
    : selection_(selection), runs_(runs), place_(place), changes_(changes), worker_(wake) {}

std::optional<sim::Step> Replays::step() const {
  const trace::WarpEvent* at = place_.event();
  if (at == nullptr || runs_.shows_recorded()) return std::nullopt;
  return sim::Step{at->block, at->warp, at->sequence};
}

std::optional<Replays::Asked> Replays::here() const {
  const trace::WarpEvent* at = place_.event();
  if (at == nullptr || runs_.shown() == nullptr) return std::nullopt;
  return Asked{runs_.shown()->serial, runs_.launch(), {at->block, at->warp, at->sequence}};
}

const Replays::Pin* Replays::pinned() const {
  return pinned_at_ && pinned_at_ == here() ? &pin_ : nullptr;
}

void Replays::pin(int of_lane, std::uint64_t first_byte, std::uint64_t bytes, const std::string& text) {
  pin_ = {of_lane, first_byte, bytes, text};
  pinned_at_ = here();
  if (of_lane >= 0) lane = of_lane;
}

bool Replays::unpin() {
  const bool was = pinned() != nullptr;
  pinned_at_.reset();
  return was;
}

void Replays::forget_earlier_run() {
  if (!step()) return;
  const std::uint64_t serial = whole_run()->serial;
  if (serial == asked_.run) return;
  trail.clear();
  said = {};
  asked_ = {};  // no step is asked for
  asked_.run = serial;
  values_.reset();
}

const Result<job::StepValues>* Replays::values() {
  const auto at = step();
  if (!at) return nullptr;
  const std::shared_ptr<const RunResult> run = whole_run();
  const Asked asked{run->serial, runs_.launch(), *at};
  if (asked == asked_) return values_ ? &*values_ : nullptr;
  forget_earlier_run();
  asked_ = asked;
  values_.reset();
  worker_.post("values", [this, run, asked](sim::Progress& progress) {
    auto made =
        std::make_shared<Result<job::StepValues>>(job::step_values(run->outcome, asked.launch, asked.step, &progress));
    return [this, made] { values_ = std::move(*made); };  // completions of replaced requests never run
  });
  return nullptr;
}

const Result<job::Origins>* Replays::origins() {
  const auto at = step();
  if (!at || lane < 0) return nullptr;
  const std::shared_ptr<const RunResult> run = whole_run();
  const Asked asked{run->serial, runs_.launch(), *at};
  if (asked == asked_origins_ && lane == asked_lane_) return origins_ ? &*origins_ : nullptr;
  asked_origins_ = asked, asked_lane_ = lane;
  origins_.reset();
  worker_.post("origins", [this, run, asked, of_lane = lane](sim::Progress& progress) {
    auto made = std::make_shared<Result<job::Origins>>(
        job::origins(run->outcome, asked.launch, asked.step, of_lane, &progress));
    return [this, made] { origins_ = std::move(*made); };
  });
  return nullptr;
}

bool Replays::go_to_writer(std::size_t index) {
  const RunResult* run = runs_.shown(selection_.variant_index());
  if (run == nullptr || &runs_.remarks() != &run->remarks || index >= run->wrong.size()) return false;
  const job::WrongResult& wrong = run->wrong[index];
  if (wrong.writes.complete && wrong.writes.count == 0) return false;
  find_writer(wrong.element.argument, wrong.element.index,
              fmt::format("{}[{}]", wrong.element.buffer, wrong.element.index));
  return true;
}

void Replays::go_to_writer_of(const std::string& element) {
  const RunResult* run = runs_.shown(selection_.variant_index());
  if (run == nullptr) return;
  const Result<job::NamedElement> named = job::find_element(run->outcome, element);
  if (named) return find_writer(named->argument, named->index, element);
  const Diagnostic& problem = named.errors().front();
  said = worded("{} {}", problem.message, problem.cure);
}

void Replays::find_writer(int argument, std::int64_t index, const std::string& element) {
  said = {};
  worker_.post("writer", [this, run = whole_run(), argument, index, element](sim::Progress& progress) {
    auto found = std::make_shared<Result<std::optional<job::Writer>>>(
        job::last_writer(run->outcome, argument, index, &progress));
    return [this, found, element, serial = run->serial] {
      const RunResult* now = runs_.shown(selection_.variant_index());
      if (now != nullptr && now->serial == serial) writer_found(*found, element);
    };
  });
}

void Replays::writer_found(const Result<std::optional<job::Writer>>& found, const std::string& element) {
  changes_.mark();
  open = true;
  forget_earlier_run();
  if (!found) {
    said = found.errors().front().message;
  } else if (!*found) {
    said = job::in_words(*found, element);
  } else if (const job::Writer& writer = **found; writer.last_repeat) {
    said = worded("{} That was in a later repeat of launch {}, whose steps are not kept.",
                  job::in_words(*found, element), writer.launch);
  } else {
    trail.clear();
    said = job::in_words(*found, element);
    if (place_.go_to_step(writer.launch, writer.values.step)) {
      lane = writer.lane;
      trail.push_back({writer.launch, writer.values.step, writer.lane});
    } else {
      said = worded("{} {}", said, not_kept(writer.values.step));
    }
  }
}

void Replays::follow(int to_launch, const sim::Step& to, int to_lane) {
  if (const trace::WarpEvent* at = place_.event()) {
    const Visit here{runs_.launch(), {at->block, at->warp, at->sequence}, lane};
    if (trail.empty() || trail.back() != here) trail.assign(1, here);
  }
  if (!place_.go_to_step(to_launch, to)) {
    said = not_kept(to);
    return;
  }
  said = {};
  lane = to_lane;
  trail.push_back({to_launch, to, to_lane});
}

void Replays::go_back_to(std::size_t visit) {
  const Visit to = trail.at(visit);
  trail.resize(visit + 1);
  said = {};
  lane = to.lane;
  place_.go_to_step(to.launch, to.step);
}

}  // namespace lanescope::gui
