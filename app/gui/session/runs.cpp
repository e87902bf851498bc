#include "gui/session/runs.h"

#include <algorithm>

namespace lanescope::gui {
namespace {

constexpr double drag_limit = 0.12;  // a run this quick follows the hand

}  // namespace

Runs::Runs(const Selection& selection, Changes& changes, const std::function<void()>& wake,
           std::shared_ptr<GpuBackend> gpus)
    : selection_(selection), changes_(changes), runner_(wake), gpus_(std::move(gpus), wake) {
  gpus_.before_change = [this] { before_change(); };
  gpus_.after_change = [this] {
    changes_.mark();
    after_change();
    run_on_gpu_if_needed();
  };
}

void Runs::drain() {
  runner_.drain();
  gpus_.drain();
}

// ---- when something runs

void Runs::start(const char* slot, std::size_t index) {
  const lesson::Variant& v = selection_.lesson().variants[index];
  if (v.gpu_only) return;
  RunKey key = selection_.key_of(v);
  running_keys_[slot] = key;
  runner_.post(slot, [this, &lesson = selection_.lesson(), key](sim::Progress& progress) {
    auto result = make_result(lesson, key, progress);
    return [this, result] { arrived(result); };
  });
  gpus_.prepare(selection_.lesson(), key);
  changes_.mark();
}

void Runs::start_if_needed(const char* slot, std::size_t index) {
  const lesson::Variant& v = selection_.lesson().variants[index];
  const RunKey key = selection_.key_of(v);
  const bool under_way = runner_.status(slot).busy && running_keys_[slot] == key;
  const auto failed = problems_.find(selection_.id(index));
  const bool known_to_fail = failed != problems_.end() && failed->second.key == key;
  if (shown(index) != nullptr && !stale(index))
    runner_.cancel(slot);
  else if (!under_way && !known_to_fail)
    start(slot, index);
}

void Runs::run() {
  gpu_again_ = true;
  start("run", selection_.variant_index());
  if (selection_.compared()) start("run b", *selection_.compared());
}

void Runs::run_if_needed() {
  start_if_needed("run", selection_.variant_index());
  if (selection_.compared())
    start_if_needed("run b", *selection_.compared());
  else
    runner_.cancel("run b");
  run_on_gpu_if_needed();
}

Worker::Status Runs::running() const {
  const Worker::Status first = runner_.status("run");
  return first.busy ? first : runner_.status("run b");
}

void Runs::stop() {
  runner_.stop("run");
  gpus_.stop();
}

bool Runs::fast() const {
  return last_run_seconds_ < drag_limit;
}

void Runs::arrived(std::shared_ptr<const RunResult> result) {
  changes_.mark();
  last_run_seconds_ = result->seconds;
  const VariantId of{result->key.lesson, result->key.variant};
  if (!result->outcome.completed) {
    problems_[of] = {result->key, result->outcome.diagnostics};
    return;
  }
  problems_.erase(of);
  const bool on_screen = of == selection_.id();
  if (on_screen)
    change([&] { results_[of] = result; });
  else
    results_[of] = result;
  if (of.first != selection_.lesson().id) return;
  if (std::exchange(gpu_again_, !on_screen && gpu_again_))
    gpus_.start(on_screen ? "gpu" : "gpu b", selection_.lesson(), std::move(result));
  else
    run_on_gpu_if_needed();
}

// ---- what is shown of them

const RunResult* Runs::shown(std::size_t index) const {
  const auto found = results_.find(selection_.id(index));
  return found == results_.end() ? nullptr : found->second.get();
}

const RunResult* Runs::shown() const {
  const RunResult* of_gpu = recorded();
  return of_gpu != nullptr ? of_gpu : shown(selection_.variant_index(), launch());
}

const RunResult* Runs::shown(std::size_t index, int launch) const {
  const RunResult* whole = shown(index);
  return whole == nullptr ? nullptr : whole->of_launch(launch);
}

bool Runs::stale(std::size_t index) const {
  return shown(index) != nullptr && !selection_.is_key_of(shown(index)->key, selection_.lesson().variants[index]);
}

const Diagnostics& Runs::problems(std::size_t index) const {
  static const Diagnostics none;
  const auto found = problems_.find(selection_.id(index));
  return found == problems_.end() ? none : found->second.diagnostics;
}

const Diagnostics& Runs::remarks() const {
  const RunResult* run = shown(selection_.variant_index());
  return problems().empty() && run != nullptr && !stale() ? run->remarks : problems();
}

bool Runs::problems_outdated() const {
  const auto found = problems_.find(selection_.id());
  return found != problems_.end() && found->second.key != selection_.wanted();
}

// ---- which launch of it

int Runs::launch_count(std::size_t index) const {
  const RunResult* whole = shown(index);
  return whole == nullptr ? 1 : whole->launch_count();
}

int Runs::launch_of(std::size_t index, const std::map<VariantId, int>& choices) const {
  const auto chosen = choices.find(selection_.id(index));
  const int wanted = chosen == choices.end() ? selection_.lesson().variants[index].look.launch : chosen->second;
  return shown(index, wanted) == nullptr ? 1 : wanted;
}

// `wanted`, or the next one in its direction that was launched at all; `from` where there is none.
int Runs::next_launch(std::size_t index, int from, int wanted) const {
  const int count = launch_count(index);
  wanted = std::clamp(wanted, 1, count);
  const int step = wanted >= from ? 1 : -1;
  while (wanted >= 1 && wanted <= count && shown(index, wanted) == nullptr) wanted += step;
  return wanted < 1 || wanted > count ? from : wanted;
}

void Runs::set_launch(int wanted) {
  const int before = launch(), next = next_launch(selection_.variant_index(), before, wanted);
  if (next == before) return;
  change([&] { launches_[selection_.id()] = next; });
  run_on_gpu_if_needed();
}

void Runs::set_compared_launch(int wanted) {
  const std::size_t compared = *selection_.compared();
  compared_launches_[selection_.id(compared)] = next_launch(compared, compared_launch(), wanted);
  changes_.mark();
}

}  // namespace lanescope::gui
