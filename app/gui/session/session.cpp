#include "gui/session/session.h"

#include <algorithm>

#include "core/os/clock.h"

namespace lanescope::gui {
namespace {

constexpr double save_delay = 0.4;   // seconds after the first key that is not saved
constexpr double retry_delay = 5;    // after a save that failed
constexpr double drag_limit = 0.12;  // a run this quick follows the hand

}  // namespace

Session::Session(std::vector<lesson::Lesson> lessons, StateStore store, std::function<void()> wake,
                 const std::string& recordings_folder, std::shared_ptr<GpuBackend> gpus)
    : lessons_(std::move(lessons)),
      store_(std::move(store)),
      recordings_folder_(recordings_folder),
      background_(wake),
      runner_(wake),
      orders_worker_(wake),
      reader_(wake),
      replays_(wake),
      gpus_(std::move(gpus), wake) {
  gpus_.before_change = [this] {
    if (shown() != nullptr) remember_place();
  };
  gpus_.after_change = [this] {
    changed_ = true;
    if (shown() != nullptr) settle_place();
    run_on_gpu_if_needed();
  };
  for (const lesson::Lesson& lesson : lessons_)
    for (const lesson::Variant& variant : lesson.variants)
      if (auto edit = store_.edit(lesson.id, variant.id)) edits_[{lesson.id, variant.id}] = std::move(*edit);
}

// Beside everything else: it must not wait for a sweep, for until then the window says that nothing was measured.
void Session::read_recordings() {
  if (recordings_folder_.empty() || !recordings_asked_.insert(lesson().id).second) return;
  reader_.post("recordings of " + lesson().id, [this, folder = recordings_folder_, id = lesson().id](sim::Progress&) {
    auto problems = std::make_shared<Diagnostics>();
    auto read = std::make_shared<std::vector<job::LessonRecording>>(job::open_recordings_of(id, folder, *problems));
    return [this, id, read, problems] {
      for (job::LessonRecording& recording : *read)
        if (recording.lesson == id) recordings_.push_back(std::move(recording));
      // What was asked before knew of no times.
      measured_.clear();
      other_numbers_.reset();
      for (const Diagnostic& problem : *problems)  // a damaged file may be of any lesson, and is told of once
        if (recordings_reported_.insert(problem.place.file).second) notices_.push_back(problem);
      changed_ = true;
    };
  });
}

void Session::choose_lesson(std::size_t index) {
  if (index >= lessons_.size()) return;
  leave_variant();
  if (index != lesson_) {
    quotes_.clear();
    compared_.reset();
    verdicts_.clear();
    grades_.clear();
    other_numbers_.reset();
    gpus_.stop_sweep();
  }
  lesson_ = index;
  read_recordings();
  enter_variant(last_variant_[lesson().id]);
}

void Session::choose_variant(std::size_t index) {
  if (index >= lesson().variants.size()) return;
  if (compared_ == index) compared_ = variant_;  // they change places
  leave_variant();
  enter_variant(index);
}

void Session::choose(const std::string& lesson_id, const std::string& variant_id,
                     const lesson::ControlValues& controls) {
  const auto found = std::ranges::find(lessons_, lesson_id, &lesson::Lesson::id);
  if (found == lessons_.end()) return;
  leave_variant();
  lesson_ = static_cast<std::size_t>(found - lessons_.begin());
  read_recordings();
  for (const auto& [name, value] : controls) controls_[lesson_id][name] = value;
  const auto variant = std::ranges::find(found->variants, variant_id, &lesson::Variant::id);
  enter_variant(variant == found->variants.end() ? 0 : static_cast<std::size_t>(variant - found->variants.begin()));
}

const std::string& Session::source_of(const lesson::Lesson& lesson, const lesson::Variant& variant) const {
  static const std::string nothing;
  if (const auto edit = edits_.find({lesson.id, variant.id}); edit != edits_.end()) return edit->second;
  const auto file = lesson.sources.find(variant.file);
  return file == lesson.sources.end() ? nothing : file->second;
}

const std::string& Session::source() const {
  return source_of(lesson(), variant());
}

const std::string& Session::original_source() const {
  static const std::string nothing;
  const auto file = lesson().sources.find(variant().file);
  return file == lesson().sources.end() ? nothing : file->second;
}

bool Session::edited(const lesson::Variant& variant) const {
  return edits_.contains({lesson().id, variant.id});
}

void Session::set_source(const std::string& text) {
  if (text == source()) return;
  if (text == original_source())
    edits_.erase(id());
  else
    edits_[id()] = text;
  unsaved_.try_emplace(id(), seconds_now());  // not anew with each key: who never pauses is saved too
  changed_ = true;
}

std::vector<const lesson::Control*> Session::controls() const {
  std::vector<const lesson::Control*> list;
  for (const std::string& name : variant().controls)
    if (const auto found = std::ranges::find(lesson().controls, name, &lesson::Control::name);
        found != lesson().controls.end())
      list.push_back(&*found);
  return list;
}

std::int64_t Session::control(const std::string& name) const {
  return control_of(lesson(), name);
}

std::int64_t Session::control_of(const lesson::Lesson& l, const std::string& name) const {
  if (const auto of_lesson = controls_.find(l.id); of_lesson != controls_.end())
    if (const auto set = of_lesson->second.find(name); set != of_lesson->second.end()) return set->second;
  const auto found = std::ranges::find(l.controls, name, &lesson::Control::name);
  return found == l.controls.end() ? 0 : found->value;
}

void Session::set_control(const std::string& name, std::int64_t value) {
  controls_[lesson().id][name] = value;
  changed_ = true;
}

RunKey Session::key_of(const lesson::Lesson& l, const lesson::Variant& v) const {
  RunKey key{l.id, v.id, source_of(l, v), {}};
  for (const std::string& name : v.controls) key.controls[name] = control_of(l, name);
  return key;
}

// Whether it equals key_of(), which is not made for it: this is asked many times a frame.
bool Session::is_key_of(const RunKey& key, const lesson::Lesson& l, const lesson::Variant& v) const {
  return key.lesson == l.id && key.variant == v.id && key.source == source_of(l, v) &&
         std::ranges::all_of(v.controls, [&](const std::string& name) { return key.controls.contains(name); }) &&
         std::ranges::all_of(key.controls, [&](const auto& control) {
           return std::ranges::find(v.controls, control.first) != v.controls.end() &&
                  control.second == control_of(l, control.first);
         });
}

RunKey Session::wanted() const {
  return key_of(lesson(), variant());
}

void Session::compare(std::optional<std::size_t> variant) {
  if (variant && *variant >= lesson().variants.size()) return;
  compared_ = variant;
  changed_ = true;
  run_if_needed();
}

void Session::start(const char* slot, std::size_t index) {
  const lesson::Variant& v = lesson().variants[index];
  if (v.gpu_only) return;
  RunKey key = key_of(lesson(), v);
  running_keys_[slot] = key;
  runner_.post(slot, [this, &lesson = lesson(), key](sim::Progress& progress) {
    auto result = make_result(lesson, key, progress);
    return [this, result] { arrived(result); };
  });
  gpus_.prepare(lesson(), key);
  changed_ = true;
}

void Session::start_if_needed(const char* slot, std::size_t index) {
  const lesson::Variant& v = lesson().variants[index];
  const RunKey key = key_of(lesson(), v);
  const bool under_way = runner_.status(slot).busy && running_keys_[slot] == key;
  const auto failed = problems_.find({lesson().id, v.id});
  const bool known_to_fail = failed != problems_.end() && failed->second.key == key;
  if (shown(index) != nullptr && !stale(index))
    runner_.cancel(slot);
  else if (!under_way && !known_to_fail)
    start(slot, index);
}

void Session::run() {
  gpu_again_ = true;
  start("run", variant_);
  if (compared_) start("run b", *compared_);
}

void Session::run_if_needed() {
  start_if_needed("run", variant_);
  if (compared_)
    start_if_needed("run b", *compared_);
  else
    runner_.cancel("run b");
  run_on_gpu_if_needed();
}

Worker::Status Session::running() const {
  const Worker::Status first = runner_.status("run");
  return first.busy ? first : runner_.status("run b");
}

void Session::stop() {
  runner_.stop("run");
  gpus_.stop();
}

bool Session::fast() const {
  return last_run_seconds_ < drag_limit;
}

void Session::arrived(std::shared_ptr<const RunResult> result) {
  changed_ = true;
  last_run_seconds_ = result->seconds;
  const VariantId of{result->key.lesson, result->key.variant};
  if (!result->outcome.completed) {
    problems_[of] = {result->key, result->outcome.diagnostics};
    return;
  }
  problems_.erase(of);
  if (of == id()) remember_place();
  results_[of] = result;
  if (of == id()) settle_place();
  if (of.first != lesson().id) return;
  const bool is_b = of != id();
  if (std::exchange(gpu_again_, is_b && gpu_again_))
    gpus_.start(is_b ? "gpu b" : "gpu", lesson(), std::move(result));
  else
    run_on_gpu_if_needed();
}

const RunResult* Session::shown(std::size_t index) const {
  const auto found = results_.find({lesson().id, lesson().variants[index].id});
  return found == results_.end() ? nullptr : found->second.get();
}

bool Session::stale(std::size_t index) const {
  return shown(index) != nullptr && !is_key_of(shown(index)->key, lesson(), lesson().variants[index]);
}

const Diagnostics& Session::problems(std::size_t index) const {
  static const Diagnostics none;
  const auto found = problems_.find({lesson().id, lesson().variants[index].id});
  return found == problems_.end() ? none : found->second.diagnostics;
}

const RunResult* Session::shown() const {
  const RunResult* of_gpu = recorded();
  return of_gpu != nullptr ? of_gpu : shown(variant_, launch());
}

const RunResult* Session::shown(std::size_t index, int launch) const {
  const RunResult* whole = shown(index);
  return whole == nullptr ? nullptr : whole->of_launch(launch);
}
bool Session::stale() const {
  return stale(variant_);
}
const Diagnostics& Session::problems() const {
  return problems(variant_);
}

const Diagnostics& Session::remarks() const {
  const RunResult* run = shown(variant_);
  return problems().empty() && run != nullptr && !stale() ? run->remarks : problems();
}

bool Session::problems_outdated() const {
  const auto found = problems_.find(id());
  return found != problems_.end() && found->second.key != wanted();
}

bool Session::update() {
  runner_.drain();
  background_.drain();
  gpus_.drain();
  orders_worker_.drain();
  reader_.drain();
  changed_ |= replays_.drain();
  save_pending();
  if (changed_) ++revision_;
  return std::exchange(changed_, false);
}

double Session::seconds_to_next_save() const {
  double soonest = -1;
  for (const auto& [where, since] : unsaved_) {
    const double left = std::max(0.0, since + save_delay - seconds_now());
    soonest = soonest < 0 ? left : std::min(soonest, left);
  }
  return soonest;
}

void Session::save_pending() {
  for (auto entry = unsaved_.begin(); entry != unsaved_.end();) {
    auto& [where, since] = *entry;
    if (seconds_now() < since + save_delay) {
      ++entry;
      continue;
    }
    const auto edit = edits_.find(where);
    Result<std::monostate> saved = std::monostate{};
    if (edit == edits_.end())
      store_.remove_edit(where.first, where.second);
    else
      saved = store_.save_edit(where.first, where.second, edit->second);
    if (saved) {
      entry = unsaved_.erase(entry);
      continue;
    }
    notices_ = saved.take_errors();
    changed_ = true;
    since = seconds_now() + retry_delay;
    ++entry;
  }
}

void Session::flush() {
  for (auto& [where, since] : unsaved_) since = -1e9;
  save_pending();
}

}  // namespace lanescope::gui
