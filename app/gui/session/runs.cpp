#include "gui/session/runs.h"

#include <algorithm>

namespace lanescope::gui {
namespace {

constexpr double drag_limit = 0.12;  // seconds; a run this fast is repeated while dragging

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
  if (v.gpu_only || is_unbuilt()) return;
  RunKey key = selection_.key_of(v);
  running_keys_[slot] = key;
  runner_.post(slot, [this, &lesson = selection_.lesson(), run = selection_.run(), file = selection_.kernel_file(),
                      key](sim::Progress& progress) {
    auto result = run != nullptr    ? make_result(*run, key, progress)
                  : file != nullptr ? make_result(*file, key, progress)
                                    : make_result(lesson, key, progress);
    return [this, result] { arrived(result); };
  });
  if (const KernelFile* file = selection_.kernel_file())
    gpus_.prepare([file, key] { return request_of(*file, key); });
  else if (selection_.is_lesson())
    gpus_.prepare([&lesson = selection_.lesson(), &v, key] { return request_of(lesson, v, key); });
  changes_.mark();
}

void Runs::start_if_needed(const char* slot, std::size_t index) {
  const lesson::Variant& v = selection_.lesson().variants[index];
  const RunKey key = selection_.key_of(v);
  const bool under_way = runner_.status(slot).busy && running_keys_[slot] == key;
  const auto failed = problems_.find(selection_.id(index));
  const bool known_to_fail = failed != problems_.end() && failed->second.key == key;
  // A saved run's launch is not what became of an edited text; only the program itself is.
  if (shown(index) != nullptr && (!stale(index) || selection_.run() != nullptr))
    runner_.cancel(slot);
  else if (!under_way && !known_to_fail)
    start(slot, index);
}

void Runs::start_own() {
  const lesson::Lesson& lesson = selection_.lesson();
  if (lesson.variants[*selection_.compared()].gpu_only || is_unbuilt()) return;
  RunKey key = selection_.compared_key();
  if (no_launch_to_compare(key)) return;
  running_keys_["run b"] = key;
  runner_.post("run b", [this, &lesson, run = selection_.run_before(), file = selection_.kernel_file(),
                         key](sim::Progress& progress) {
    auto result = run != nullptr    ? make_result(*run, key, progress)
                  : file != nullptr ? make_result(*file, key, progress)
                                    : make_result(lesson, key, progress);
    return [this, result] { own_arrived(result); };
  });
  changes_.mark();
}

// The version of a program that is compared may not have the launch on screen.
bool Runs::no_launch_to_compare(const RunKey& key) {
  if (!key.variant.empty()) return false;
  const std::size_t launch = *selection_.compared();
  runner_.cancel("run b");
  own_problem_ = {
      key, {no_such_launch(*selection_.run(), launch, selection_.versions(launch)->before, *selection_.run_before())}};
  changes_.mark();
  return true;
}

void Runs::start_own_if_needed() {
  const RunKey key = selection_.compared_key();
  if (no_launch_to_compare(key)) return;
  const bool under_way = runner_.status("run b").busy && running_keys_["run b"] == key;
  const bool known_to_fail = own_problem_ && own_problem_->key == key;
  if (compared_run() != nullptr && !compared_stale())
    runner_.cancel("run b");
  else if (!under_way && !known_to_fail)
    start_own();
}

void Runs::own_arrived(std::shared_ptr<const RunResult> result) {
  changes_.mark();
  last_run_seconds_ = result->seconds;
  own_problem_.reset();
  if (!result->outcome.completed) own_problem_ = {result->key, result->outcome.diagnostics};
  if (result->outcome.completed || result->faulty_launch() > 0) own_result_ = std::move(result);
}

void Runs::run() {
  gpu_again_ = true;
  start("run", selection_.variant_index());
  if (compares_own())
    start_own();
  else if (const auto other = second())
    start("run b", *other);
}

void Runs::run_if_needed() {
  start_if_needed("run", selection_.variant_index());
  if (compares_own())
    start_own_if_needed();
  else if (const auto other = second())
    start_if_needed("run b", *other);
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
  const bool on_screen = of == selection_.id(), completed = result->outcome.completed;
  const int faulty = result->faulty_launch();
  if (completed)
    problems_.erase(of);
  else
    problems_[of] = {result->key, result->outcome.diagnostics};
  if (!completed && faulty == 0) return;
  const auto take = [&] {
    results_[of] = result;
    if (faulty > 0) {
      const auto chosen = launches_.find(of);
      before_fault_.try_emplace(of, chosen == launches_.end() ? 0 : chosen->second);
      launches_[of] = faulty;
    } else if (const auto before = before_fault_.extract(of); !before.empty()) {
      if (before.mapped() == 0)
        launches_.erase(of);
      else
        launches_[of] = before.mapped();
    }
  };
  if (on_screen)
    change(take);
  else
    take();
  if (result->outcome.request.kept != nullptr) keep_few_launches(of);
  if (!completed) return run_on_gpu_if_needed();
  if (of.first != selection_.lesson().id) return;
  if (std::exchange(gpu_again_, !on_screen && gpu_again_))
    gpus_.start(on_screen ? "gpu" : "gpu b", selection_.lesson(), std::move(result));
  else
    run_on_gpu_if_needed();
}

// Each result keeps the memory of its launch, and a program may have thousands of launches.
void Runs::keep_few_launches(const VariantId& newest) {
  constexpr std::size_t most = 4;
  std::erase(saved_launches_, newest);
  saved_launches_.push_back(newest);
  for (std::size_t i = 0; i < saved_launches_.size() && saved_launches_.size() > most;) {
    const VariantId& one = saved_launches_[i];
    const bool on_screen =
        one == selection_.id() || (selection_.compared() && one == selection_.id(*selection_.compared()));
    if (on_screen) {
      ++i;
      continue;
    }
    results_.erase(one);
    saved_launches_.erase(saved_launches_.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

// ---- what is shown of the runs

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

std::shared_ptr<const RunResult> Runs::keep(std::size_t index) const {
  const auto found = results_.find(selection_.id(index));
  return found == results_.end() ? nullptr : found->second;
}

std::shared_ptr<const RunResult> Runs::compared_run() const {
  const std::size_t variant = *selection_.compared();
  if (compares_recording()) {
    const GpuResult* of_gpu = gpu(variant);
    const GpuLaunch* one = of_gpu == nullptr ? nullptr : of_gpu->launch(launch());
    return one == nullptr ? nullptr : one->recorded;
  }
  if (!compares_own()) return keep(variant);
  if (own_result_ == nullptr) return nullptr;
  const RunKey wanted = selection_.compared_key(), &has = own_result_->key;
  // What is shown as a version is never another one.
  const bool of_it = has.lesson == wanted.lesson && has.variant == wanted.variant &&
                     (!selection_.comparison()->before || has.source == wanted.source);
  return of_it ? own_result_ : nullptr;
}

bool Runs::compared_stale() const {
  if (!compares_own() && !compares_recording()) return stale(*selection_.compared());
  const auto run = compared_run();
  return run != nullptr && run->key != selection_.compared_key();
}

const Diagnostics& Runs::compared_problems() const {
  if (compares_recording()) {
    const GpuResult* of_gpu = gpu(*selection_.compared());
    return of_gpu == nullptr ? gpus_.missing() : of_gpu->problems;
  }
  if (!compares_own()) return problems(*selection_.compared());
  static const Diagnostics none;
  if (!own_problem_) return none;
  const RunKey wanted = selection_.compared_key(), &of = own_problem_->key;
  return of.lesson == wanted.lesson && of.variant == wanted.variant ? own_problem_->diagnostics : none;
}

bool Runs::stale(std::size_t index) const {
  return shown(index) != nullptr && !selection_.is_key_of(shown(index)->key, selection_.lesson().variants[index]);
}

const Diagnostics& Runs::problems(std::size_t index) const {
  static const Diagnostics none;
  const auto found = problems_.find(selection_.id(index));
  if (found == problems_.end()) return none;
  // The learner took the faulty change back: the run on screen is of this text, and it completed.
  const bool taken_back = selection_.run() == nullptr && shown(index) != nullptr && !stale(index) &&
                          !selection_.is_key_of(found->second.key, selection_.lesson().variants[index]);
  return taken_back ? none : found->second.diagnostics;
}

const Diagnostics& Runs::remarks() const {
  const RunResult* run = shown(selection_.variant_index());
  return problems().empty() && run != nullptr && !stale() ? run->remarks : problems();
}

void Runs::refuse_text(Diagnostics problems) {
  RunKey key = selection_.wanted();
  key.source = selection_.source();
  problems_[selection_.id()] = {std::move(key), std::move(problems)};
  changes_.mark();
}

bool Runs::problems_outdated() const {
  const auto found = problems_.find(selection_.id());
  if (found == problems_.end()) return false;
  return selection_.run() != nullptr ? found->second.key.source != selection_.source()
                                     : found->second.key != selection_.wanted();
}

// ---- the chosen launch

int Runs::launch_count(std::size_t index) const {
  const RunResult* whole = shown(index);
  return whole == nullptr ? 1 : whole->launch_count();
}

int Runs::launch_of(const RunResult* whole, std::size_t index, const std::map<VariantId, int>& choices) const {
  const auto chosen = choices.find(selection_.id(index));
  const int wanted = chosen == choices.end() ? selection_.lesson().variants[index].look.launch : chosen->second;
  return whole == nullptr || whole->of_launch(wanted) == nullptr ? 1 : wanted;
}

namespace {

// `wanted`, or the next launch in that direction that ran at least once; `from` if there is none.
int next_launch(const RunResult* whole, int from, int wanted) {
  if (whole == nullptr) return from;
  const int count = whole->launch_count();
  wanted = std::clamp(wanted, 1, count);
  const int step = wanted >= from ? 1 : -1;
  while (wanted >= 1 && wanted <= count && whole->of_launch(wanted) == nullptr) wanted += step;
  return wanted < 1 || wanted > count ? from : wanted;
}

}  // namespace

void Runs::set_launch(int wanted) {
  const int before = launch(), next = next_launch(shown(selection_.variant_index()), before, wanted);
  if (next == before) return;
  before_fault_.erase(selection_.id());  // it was chosen since
  change([&] { launches_[selection_.id()] = next; });
  run_on_gpu_if_needed();
}

int Runs::compared_launch() const {
  if (compares_recording()) return 1;  // a recording has one launch
  return launch_of(compared_run().get(), *selection_.compared(), compared_launches_);
}

void Runs::set_compared_launch(int wanted) {
  if (compares_recording()) return;
  compared_launches_[selection_.id(*selection_.compared())] =
      next_launch(compared_run().get(), compared_launch(), wanted);
  changes_.mark();
}

}  // namespace lanescope::gui
