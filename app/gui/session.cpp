#include "gui/session.h"

#include <algorithm>
#include <chrono>

#include "core/clock.h"
#include "diagram/views.h"
#include "job/machine.h"
#include "lesson/marks.h"

namespace lanescope::gui {
namespace {

constexpr double save_delay = 0.4;   // seconds after the last key
constexpr double retry_delay = 5;    // after a save that failed
constexpr double drag_limit = 0.12;  // a run this quick follows the hand

}  // namespace

Session::Session(std::vector<lesson::Lesson> lessons, StateStore store, std::function<void()> wake,
                 const std::string& recordings_folder, std::shared_ptr<GpuBackend> gpus)
    : lessons_(std::move(lessons)),
      store_(std::move(store)),
      background_(wake),
      runner_(wake),
      orders_worker_(wake),
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
      if (auto edit = store_.edit(lesson.id, variant.id))
        edits_[{lesson.id, variant.id}] = std::move(*edit);
  if (recordings_folder.empty()) return;
  background_.post("recordings", [this, recordings_folder](sim::Progress&) {
    auto problems = std::make_shared<Diagnostics>();
    auto read = std::make_shared<std::vector<job::LessonRecording>>(
        job::open_recordings(recordings_folder, *problems));
    return [this, read, problems] {
      recordings_ = std::move(*read);
      // What was asked before knew of no times.
      measured_.clear();
      other_numbers_.reset();
      notices_.insert(notices_.end(), problems->begin(), problems->end());
      changed_ = true;
    };
  });
}

void Session::choose_lesson(std::size_t index) {
  if (index >= lessons_.size()) return;
  last_variant_[lesson().id] = variant_;
  if (index != lesson_) {
    quotes_.clear();
    compared_.reset();
    verdicts_.clear();
    grades_.clear();
    other_numbers_.reset();
    gpus_.stop_sweep();
  }
  lesson_ = index;
  choose_variant(last_variant_[lesson().id]);
}

void Session::choose_variant(std::size_t index) {
  if (index >= lesson().variants.size()) return;
  if (compared_ == index) compared_ = variant_;  // they change places
  variant_ = index;
  last_variant_[lesson().id] = index;
  changed_ = true;
  run_if_needed();
}

void Session::choose(const std::string& lesson_id, const std::string& variant_id,
                     const lesson::ControlValues& controls) {
  const auto found = std::ranges::find(lessons_, lesson_id, &lesson::Lesson::id);
  if (found == lessons_.end()) return;
  lesson_ = static_cast<std::size_t>(found - lessons_.begin());
  for (const auto& [name, value] : controls) controls_[lesson_id][name] = value;
  const auto variant = std::ranges::find(found->variants, variant_id, &lesson::Variant::id);
  choose_variant(variant == found->variants.end()
                     ? 0
                     : static_cast<std::size_t>(variant - found->variants.begin()));
}

const std::string& Session::source_of(const lesson::Lesson& lesson,
                                      const lesson::Variant& variant) const {
  static const std::string nothing;
  if (const auto edit = edits_.find({lesson.id, variant.id}); edit != edits_.end())
    return edit->second;
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
  unsaved_[id()] = seconds_now();
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
  if (const auto of_lesson = controls_.find(lesson().id); of_lesson != controls_.end())
    if (const auto set = of_lesson->second.find(name); set != of_lesson->second.end())
      return set->second;
  const auto found = std::ranges::find(lesson().controls, name, &lesson::Control::name);
  return found == lesson().controls.end() ? 0 : found->value;
}

void Session::set_control(const std::string& name, std::int64_t value) {
  controls_[lesson().id][name] = value;
  changed_ = true;
}

RunKey Session::key_of(const lesson::Lesson& l, const lesson::Variant& v) const {
  RunKey key{l.id, v.id, source_of(l, v), {}};
  const auto set = controls_.find(l.id);
  for (const std::string& name : v.controls) {
    const auto control = std::ranges::find(l.controls, name, &lesson::Control::name);
    std::int64_t value = control == l.controls.end() ? 0 : control->value;
    if (set != controls_.end())
      if (const auto found = set->second.find(name); found != set->second.end())
        value = found->second;
    key.controls[name] = value;
  }
  return key;
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
  return shown(index) != nullptr && shown(index)->key != key_of(lesson(), lesson().variants[index]);
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
  if (launch == 1 || whole == nullptr) return whole;
  return launch < 1 || launch > whole->launches() ? nullptr : whole->later[static_cast<std::size_t>(launch) - 2].get();
}
bool Session::stale() const {
  return stale(variant_);
}
const Diagnostics& Session::problems() const {
  return problems(variant_);
}

bool Session::problems_outdated() const {
  const auto found = problems_.find(id());
  return found != problems_.end() && found->second.key != wanted();
}

// ---- where the learner looks
// --------------------------------------------------------------------------------

void Session::remember_place() {
  const trace::Site* at = site();
  if (at == nullptr) return;
  Place& place = places_[place_id()];
  place.opcode = at->opcode;
  place.line = at->line;
  place.occurrence = 0;
  const auto events = shown()->outcome.trace.warp(place.block, place.warp);
  for (std::size_t i = 0; i < place.step && i < events.size(); ++i)
    if (events[i].site == at->id) ++place.occurrence;
}

void Session::settle_place() {
  Place& place = places_[place_id()];
  const trace::Trace& t = shown()->outcome.trace;
  place.block =
      std::min(place.block,
               static_cast<std::uint32_t>(std::max<std::uint64_t>(t.launch.grid.count(), 1) - 1));
  place.warp = std::min(place.warp, std::max(1u, t.launch.warps_per_block()) - 1);
  const auto events = t.warp(place.block, place.warp);
  if (!place.chosen) {
    const auto blocks = std::max<std::uint64_t>(t.launch.grid.count(), 1);
    place.block =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(variant().look.block, blocks - 1));
    place.warp = std::min(variant().look.warp, std::max(1u, t.launch.warps_per_block()) - 1);
    place.step = first_step(t, place.block, place.warp);
    return;
  }
  std::size_t left = place.occurrence;
  for (std::size_t i = 0; i < events.size(); ++i) {
    const trace::Site& site = t.sites[events[i].site];
    if (site.opcode != place.opcode || site.line != place.line) continue;
    if (left-- == 0) {
      place.step = i;
      return;
    }
  }
  clamp_place();
}

// Where the lesson wants the picture to open; without its word, where most moves or waits for
// nothing.
std::size_t Session::first_step(const trace::Trace& trace, std::uint32_t block,
                                std::uint32_t warp) const {
  return first_step_of(variant().look, trace, block, warp);
}

// Of several steps of the marked lines the first that the named picture shows, else the first that accesses memory.
std::size_t Session::first_step_of(const lesson::Look& look, const trace::Trace& trace,
                                   std::uint32_t block, std::uint32_t warp) const {
  if (!look.mark.empty()) {
    const auto marks = lesson::marks(source());
    const auto mark = std::ranges::find(marks, look.mark, &lesson::Mark::name);
    const auto events = trace.warp(block, warp);
    const auto first = [&](const auto& fits) {
      for (std::size_t i = 0; mark != marks.end() && i < events.size(); ++i) {
        const trace::Site& site = trace.sites[events[i].site];
        if (mark->contains(site.line) && fits(site, events[i])) return i;
      }
      return events.size();
    };
    using trace::EventKind;
    for (const std::size_t step :
         {first([&](const auto& site, const auto& event) { return diagram::is_subject(look.view, site, event); }),
          first([](const auto&, const auto& event) { return event.kind == EventKind::memory; }),
          first([](const auto&, const auto& event) { return event.kind != EventKind::block_entry; })})
      if (step < events.size()) return step;
  }
  return most_telling_step(trace, block, warp);
}

void Session::clamp_place() {
  Place& place = places_[place_id()];
  const std::size_t count = step_count();
  place.step = count == 0 ? 0 : std::min(place.step, count - 1);
}

Position Session::position() const {
  const auto found = places_.find(place_id());
  if (found == places_.end()) return {};
  return {found->second.block, found->second.warp, found->second.step};
}

void Session::set_block(std::uint32_t block) {
  remember_place();
  places_[place_id()].block = block;
  places_[place_id()].chosen = true;
  if (shown() != nullptr) settle_place();
}

void Session::set_warp(std::uint32_t warp) {
  remember_place();
  places_[place_id()].warp = warp;
  places_[place_id()].chosen = true;
  if (shown() != nullptr) settle_place();
}

void Session::set_step(std::size_t step) {
  Place& place = places_[place_id()];
  place.step = step;
  place.chosen = true;
  clamp_place();
}

void Session::step_by(std::ptrdiff_t delta) {
  const auto at = static_cast<std::ptrdiff_t>(position().step) + delta;
  set_step(static_cast<std::size_t>(std::max<std::ptrdiff_t>(at, 0)));
}

std::size_t Session::step_count() const {
  const RunResult* result = shown();
  if (result == nullptr) return 0;
  const Position at = position();
  return result->outcome.trace.warp(at.block, at.warp).size();
}

const trace::WarpEvent* Session::event() const {
  const RunResult* result = shown();
  if (result == nullptr) return nullptr;
  const Position at = position();
  const auto events = result->outcome.trace.warp(at.block, at.warp);
  return at.step < events.size() ? &events[at.step] : nullptr;
}

const trace::Site* Session::site() const {
  const trace::WarpEvent* at = event();
  return at == nullptr ? nullptr : &shown()->outcome.trace.sites[at->site];
}

// ---- background: sweeps, SASS, numbers of other variants
// ----------------------------------------------------

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
    constexpr std::uint64_t most_threads = 1u << 18;
    lesson::ControlValues with = shown()->key.controls;
    with[control] = value;
    const auto request = job::from_lesson(lesson(), variant(), with);
    return !request || request->launch.grid.count() * request->launch.block.count() > most_threads;
  };
  if (values.empty()) {
    constexpr std::int64_t most = 33;
    const std::int64_t step = std::max<std::int64_t>(found->step, 1);
    std::int64_t last = found->max;
    while (last > found->min + most * step && too_large(last)) last = found->min + (last - found->min) / 2 / step * step;
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
  background_.post(
      "sweep", [this, index, &lesson = lesson(), key, values](sim::Progress& progress) {
        auto result = make_result(lesson, key, progress, RunFor::totals);
        return [this, index, values, result] {
          const trace::Trace* of = result->outcome.trace_of(sweep_.launch);
          sweep_.points.push_back({values[index], result->outcome.completed && of != nullptr,
                                   of == nullptr ? trace::Totals{} : of->totals});
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
    counted_.rows = job::agree_with_counters(result->outcome.trace, run->counters, recording()->machine_code(run->variant));
  return counted_.rows;
}

const Result<compile::Sass>* Session::sass() {
  const RunResult* result = shown();
  if (result == nullptr) return nullptr;
  // Launches of different kernels may come from one text.
  if (sass_.ptx == result->outcome.ptx && sass_.mangled == result->outcome.mangled_kernel)
    return sass_.result ? &*sass_.result : nullptr;
  sass_ = {result->outcome.ptx, result->outcome.mangled_kernel, std::nullopt};
  background_.post(
      "sass", [this, ptx = result->outcome.ptx, mangled = result->outcome.mangled_kernel,
               kernel = result->outcome.trace.kernel, request = result->outcome.request](sim::Progress&) {
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

const RunResult* Session::quoted(RunKey key) {
  const auto found = std::ranges::find(quotes_, key, &Quote::key);
  if (found != quotes_.end()) return found->result.get();
  constexpr std::size_t most_quotes = 256;
  if (quotes_.size() >= most_quotes) quotes_.clear();
  quotes_.push_back({key, nullptr});
  // One slot a key: none of them replaces another.
  background_.post("quote " + std::to_string(++quote_number_), [this, &lesson = lesson(),
                                                                key](sim::Progress& progress) {
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
  if (!numbers)
    numbers = std::make_unique<job::LessonNumbers>(lesson(), job::measured_in(lesson(), recordings_));
  return *numbers;
}

Wording Session::label_of(const lesson::NumberReference& reference) {
  const auto found =
      measured_numbers().measured(reference, variant().id, controls_[lesson().id]);
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
  const bool current = reference.variant.empty() || reference.variant == "current" ||
                       reference.variant == variant().id;
  const RunResult* from = nullptr;
  if (current && reference.controls.empty()) {
    from = shown(variant_);  // a text has no room to say that a number was recorded
  } else {
    const lesson::Variant* of = current ? &variant() : lesson().find_variant(reference.variant);
    if (of == nullptr || of->gpu_only) return std::nullopt;
    RunKey key = key_of(lesson(), *of);
    if (const auto own = lesson().sources.find(of->file); own != lesson().sources.end())
      key.source = own->second;
    for (const auto& [name, value] : reference.controls) key.controls[name] = value;
    from = quoted(std::move(key));
  }
  if (from == nullptr || !from->outcome.completed) return std::nullopt;
  return quoted_number(*from, reference);
}

// ---- once a frame
// -------------------------------------------------------------------------------------------

bool Session::update() {
  runner_.drain();
  background_.drain();
  gpus_.drain();
  orders_worker_.drain();
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
