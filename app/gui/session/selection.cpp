#include "gui/session/selection.h"

#include <algorithm>

#include <fmt/format.h>

#include "core/fnv.h"
#include "core/os/clock.h"

namespace lanescope::gui {
namespace {

constexpr double save_delay = 0.4;  // seconds after the first unsaved key
constexpr double retry_delay = 5;   // seconds after a failed save

// As the variants of a kernel file: its text, and its forms.
constexpr const char* whole_file = "file";
constexpr const char* forms_of_file = "launches.json";
// Beside an edit of a file: the file's text of which it was made, and the last edit that the file's text replaced.
VariantId base_of(const VariantId& edit) {
  return {edit.first, edit.second + ".base"};
}
VariantId replaced_of(const VariantId& edit) {
  return {edit.first, edit.second + ".replaced"};
}
// As a lesson and a variant, whose names are those of a folder and a file. Two files with the same hash share an edit,
// which is then seen in the editor.
VariantId edit_of_file(const std::string& file) {
  return {"programs", fmt::format("{:016x}", fnv1a(file))};
}

// A kernel that the file launches, or has a `// run:` line for, is ready to run; one that it does not launch may be a
// part of it that needs more.
std::size_t first_launched(const KernelFile& file) {
  const auto is_launched = [](const job::FormKernel& one) { return one.origin.kind != job::FormOrigin::Kind::guessed; };
  const auto found = std::ranges::find_if(file.kernels, is_launched);
  return found == file.kernels.end() ? 0 : static_cast<std::size_t>(found - file.kernels.begin());
}

}  // namespace

Selection::Selection(std::vector<lesson::Lesson> lessons, StateStore store, Changes& changes)
    : lessons_(std::move(lessons)), store_(std::move(store)), changes_(changes) {
  for (const lesson::Lesson& lesson : lessons_)
    for (const lesson::Variant& variant : lesson.variants)
      if (auto edit = store_.edit(lesson.id, variant.id)) edits_[{lesson.id, variant.id}] = std::move(*edit);
}

void Selection::set_lesson(std::size_t index) {
  run_ = nullptr, kernel_file_ = nullptr, task_.clear();
  lesson_ = index;
  variant_ = last_variant_[lesson().id];
}

void Selection::set_run(std::shared_ptr<const OpenRun> run) {
  kernel_file_ = nullptr, task_.clear();
  if (run->program != nullptr) programs_.note(run), originals_.erase(edit_of_file(run->program->program.file));
  run_ = runs_.emplace_back(std::move(run)).get();
  variant_ = std::min(last_variant_[lesson().id], lesson().variants.size() - 1);
}

void Selection::set_kernel_file(std::shared_ptr<const KernelFile> file) {
  run_ = nullptr, task_.clear();
  kernel_file_ = kernel_files_.emplace_back(std::move(file)).get();
  const std::string& id = lesson().id;
  const VariantId edit = kernel_file_->of_program ? edit_of_file(kernel_file_->path) : VariantId{id, whole_file};
  originals_.erase(edit);
  load_edit(edit);
  forms_.take(*kernel_file_, store_.launches(id));
  const auto last = last_variant_.try_emplace(id, first_launched(*kernel_file_)).first;
  variant_ = std::min(last->second, lesson().variants.size() - 1);
}

void Selection::take_kernels(std::shared_ptr<const KernelFile> next) {
  const auto place_of = [&](const std::string& kernel) {
    const auto found = std::ranges::find(next->lesson.variants, kernel, &lesson::Variant::id);
    return found == next->lesson.variants.end() ? std::nullopt
                                                : std::optional<std::size_t>(found - next->lesson.variants.begin());
  };
  const std::optional<std::size_t> shown = place_of(variant().id);
  if (compared_) {
    const auto other = place_of(lesson().variants[compared_->variant].id);
    if (other)
      compared_->variant = *other;
    else
      compared_.reset();
  }
  const std::size_t last = next->lesson.variants.size() - 1;
  kernel_file_ = kernel_files_.emplace_back(std::move(next)).get();
  forms_.take(*kernel_file_);
  set_variant(shown.value_or(std::min(variant_, last)));
}

void Selection::set_form(job::LaunchForm form) {
  if (!forms_.set(id(), std::move(form))) return;
  unsaved_.try_emplace({lesson().id, forms_of_file}, seconds_now());
  changes_.mark();
}

void Selection::settle_form(job::LaunchForm first) {
  forms_.settle(id(), std::move(first));
  changes_.mark();
}

void Selection::note_run(const RunResult& ran) {
  if (run_ != nullptr || ran.serial == noted_ || !ran.outcome.completed) return;
  noted_ = ran.serial;
  texts_.note(ran.key);
  if (kernel_file_ != nullptr && forms_.note_run(id(), ran.key.launch))
    unsaved_.try_emplace({lesson().id, forms_of_file}, seconds_now());
}

std::optional<Selection::Versions> Selection::versions(std::size_t variant) const {
  if (run_ != nullptr) {
    const ProgramVersions::Version *now = programs_.now(run_), *before = programs_.before(run_);
    if (before == nullptr) return std::nullopt;
    return Versions{before->number, now->number, before->run->program->program.arguments,
                    now->run->program->program.arguments};
  }
  const TextVersions::Version *now = texts_.now(id(variant)), *before = texts_.before(id(variant));
  if (before == nullptr) return std::nullopt;
  return Versions{before->number, now->number, {}, {}};
}

std::shared_ptr<const OpenRun> Selection::run_before() const {
  const ProgramVersions::Version* before = programs_.before(run_);
  return before == nullptr ? nullptr : before->run;
}

RunKey Selection::key_before(const lesson::Variant& variant) const {
  if (const std::shared_ptr<const OpenRun> run = run_before(); run != nullptr) {
    const auto index = static_cast<std::size_t>(&variant - lesson().variants.data());
    const auto launch = launch_alike(*run_, index, *run);
    if (!launch) return {run->lesson.id, {}, {}, {}, {}};
    const lesson::Variant& there = run->lesson.variants[*launch];
    return {run->lesson.id, there.id, run->text_that_ran(there.file), {}, {}};
  }
  RunKey key = key_of(variant);
  if (const TextVersions::Version* before = texts_.before({lesson().id, variant.id}); before != nullptr)
    key.source = before->ran.source, key.launch = before->ran.launch;
  return key;
}

std::string Selection::path_of_edit() const {
  return kernel_file_ != nullptr && edited() && store_.keeps() ? store_.edit_path(lesson().id, whole_file) : "";
}

void Selection::forget_runs() {
  constexpr std::size_t kept = 2;
  for (std::size_t i = 0; runs_.size() > kept && i < runs_.size() - kept;)
    if (runs_[i].get() == run_)
      ++i;
    else
      runs_.erase(runs_.begin() + static_cast<std::ptrdiff_t>(i));
}

void Selection::set_variant(std::size_t index) {
  variant_ = index, task_.clear();
  last_variant_[lesson().id] = index;
}

const std::string& Selection::source_of(const lesson::Variant& variant) const {
  const auto edit = edits_.find(edit_id(variant));
  return edit == edits_.end() ? original_of(variant) : edit->second;
}

VariantId Selection::edit_id(const lesson::Variant& variant) const {
  if (run_ != nullptr && run_->can_build(variant.file)) return edit_of_file(variant.file);
  if (kernel_file_ != nullptr && kernel_file_->of_program) return edit_of_file(kernel_file_->path);
  return {lesson().id, kernel_file_ != nullptr ? whole_file : variant.id};
}

std::optional<std::string> Selection::edit_of_program(const std::string& file) {
  const VariantId id = edit_of_file(file);
  load_edit(id);
  const auto known = edits_.find(id);
  return known == edits_.end() ? std::nullopt : std::optional(known->second);
}

void Selection::load_edit(const VariantId& id) {
  if (edits_.contains(id) || unsaved_.contains(id)) return;  // or it was taken back, and is not yet removed
  auto kept = store_.edit(id.first, id.second);
  if (!kept) return;
  edits_[id] = std::move(*kept);
  const VariantId base = base_of(id);
  if (auto text = store_.edit(base.first, base.second)) bases_[id] = std::move(*text);
}

std::string Selection::file_on_screen() const {
  if (kernel_file_ != nullptr) return kernel_file_->path;
  return run_ != nullptr && run_->can_build(variant().file) ? variant().file : "";
}

void Selection::take_original(std::string text) {
  take_original(edit_id(variant()), std::move(text));
}

const std::string& Selection::base_of_edit() const {
  const auto base = bases_.find(edit_id(variant()));
  return base == bases_.end() ? original_source() : base->second;
}

void Selection::take_saved(const VariantId& id, std::string text) {
  // The editor has another text than the file where the lines of the file end in \r\n.
  std::string edited = text;
  std::erase(edited, '\r');
  if (const auto edit = edits_.find(id); edit != edits_.end()) {
    if (edit->second == edited) edit->second = text;
    bases_[id] = text;  // of what was typed since
    unsaved_.try_emplace(id, seconds_now());
  }
  take_original(id, std::move(text));
}

void Selection::take_original(const VariantId& id, std::string text) {
  if (const auto edit = edits_.find(id); edit != edits_.end() && edit->second == text) {
    edits_.erase(edit), bases_.erase(id);
    unsaved_.try_emplace(id, seconds_now());
  }
  originals_[id] = std::move(text);
  ++original_revision_;
  changes_.mark();
}

bool Selection::edit_outdated() const {
  if (is_lesson()) return false;
  const VariantId id = edit_id(variant());
  const auto base = bases_.find(id);
  return edits_.contains(id) && base != bases_.end() && base->second != original_source();
}

void Selection::keep_edit() {
  const VariantId id = edit_id(variant());
  bases_[id] = original_source();
  unsaved_.try_emplace(id, seconds_now());
  changes_.mark();
}

std::string Selection::file_of_edit() const {
  const VariantId id = edit_id(variant());
  return edited() && store_.keeps() ? store_.edit_path(id.first, id.second) : "";
}

std::string Selection::copy_edit() {
  const VariantId copy = replaced_of(edit_id(variant()));
  if (!store_.keeps() || !store_.save_edit(copy.first, copy.second, source())) return {};
  return store_.edit_path(copy.first, copy.second);
}

const std::string& Selection::original_of(const lesson::Variant& variant) const {
  static const std::string nothing;
  if (!originals_.empty() && !is_lesson())
    if (const auto newer = originals_.find(edit_id(variant)); newer != originals_.end()) return newer->second;
  const auto file = lesson().sources.find(variant.file);
  return file == lesson().sources.end() ? nothing : file->second;
}

bool Selection::edited(const lesson::Variant& variant) const {
  return edits_.contains(edit_id(variant));
}

bool Selection::differs(const lesson::Variant& variant) const {
  return edited(variant) || !task_of(variant).empty();
}

const lesson::Task* Selection::task() const {
  const auto found = std::ranges::find(lesson().tasks, task_, &lesson::Task::id);
  return task_.empty() || found == lesson().tasks.end() ? nullptr : &*found;
}

bool Selection::has_own_launch(const lesson::Task& task) const {
  const lesson::Variant* of = lesson().find_variant(task.variant);
  if (of == nullptr) return false;
  const lesson::Launch &own = task.launch, &usual = of->first().shape;
  using lesson::Launch;
  constexpr lesson::Expression Launch::*parts[] = {&Launch::grid_x,      &Launch::grid_y,  &Launch::grid_z,
                                                   &Launch::block_x,     &Launch::block_y, &Launch::block_z,
                                                   &Launch::shared_bytes};
  return std::ranges::any_of(parts, [&](auto part) { return (own.*part).text != (usual.*part).text; });
}

const std::string& Selection::task_of(const lesson::Variant& variant) const {
  static const std::string none;
  return &variant == &this->variant() ? task_ : none;
}

void Selection::set_source(const std::string& text) {
  if (!can_edit() || text == source()) return;
  const VariantId edit = edit_id(variant());
  if (text == original_source()) {
    edits_.erase(edit), bases_.erase(edit);
  } else {
    if (!is_lesson() && !edits_.contains(edit)) bases_[edit] = original_source();
    edits_[edit] = text;
  }
  unsaved_.try_emplace(edit, seconds_now());  // keeps the first time, so that continuous typing is saved too
  changes_.mark();
}

std::vector<const lesson::Control*> Selection::controls() const {
  std::vector<const lesson::Control*> list;
  for (const std::string& name : variant().controls)
    if (const auto found = std::ranges::find(lesson().controls, name, &lesson::Control::name);
        found != lesson().controls.end())
      list.push_back(&*found);
  return list;
}

std::int64_t Selection::control(const std::string& name) const {
  if (const auto set = controls_set().find(name); set != controls_set().end()) return set->second;
  const auto found = std::ranges::find(lesson().controls, name, &lesson::Control::name);
  return found == lesson().controls.end() ? 0 : found->value;
}

void Selection::set_control(const std::string& name, std::int64_t value) {
  controls_[lesson().id][name] = value;
  changes_.mark();
}

const lesson::ControlValues& Selection::controls_set() const {
  static const lesson::ControlValues none;
  const auto of_lesson = controls_.find(lesson().id);
  return of_lesson == controls_.end() ? none : of_lesson->second;
}

RunKey Selection::key_of(const lesson::Variant& variant) const {
  // A launch of a saved run runs with the code that ran, whatever the editor has by now.
  RunKey key{lesson().id, variant.id, run_ != nullptr ? run_->text_that_ran(variant.file) : source_of(variant), {}};
  for (const std::string& name : variant.controls) key.controls[name] = control(name);
  key.launch = kernel_file_ != nullptr ? forms_.text({lesson().id, variant.id}) : task_of(variant);
  return key;
}

RunKey Selection::compared_key() const {
  const lesson::Variant& variant = lesson().variants[compared_->variant];
  RunKey key = compared_->before ? key_before(variant) : key_of(variant);
  for (auto& [name, value] : key.controls)
    if (const auto own = compared_->controls.find(name); own != compared_->controls.end()) value = own->second;
  if (compared_->original) key.source = original_of(variant);
  if (!compared_->launch.empty()) key.launch = compared_->launch;
  return key;
}

bool Selection::is_key_of(const RunKey& key, const lesson::Variant& variant) const {
  return key.lesson == lesson().id && key.variant == variant.id && key.source == source_of(variant) &&
         key.launch == (kernel_file_ == nullptr ? task_of(variant) : forms_.text({lesson().id, variant.id})) &&
         std::ranges::all_of(variant.controls, [&](const std::string& name) { return key.controls.contains(name); }) &&
         std::ranges::all_of(key.controls, [&](const auto& set) {
           return std::ranges::find(variant.controls, set.first) != variant.controls.end() &&
                  set.second == control(set.first);
         });
}

Result<std::monostate> Selection::save_base(const VariantId& edit) const {
  const auto base = bases_.find(edit);
  const VariantId beside = base_of(edit);
  if (base != bases_.end()) return store_.save_edit(beside.first, beside.second, base->second);
  store_.remove_edit(beside.first, beside.second);
  return std::monostate{};
}

double Selection::seconds_to_next_save() const {
  double soonest = -1;
  for (const auto& [where, since] : unsaved_) {
    const double left = std::max(0.0, since + save_delay - seconds_now());
    soonest = soonest < 0 ? left : std::min(soonest, left);
  }
  return soonest;
}

void Selection::save_in_time() {
  for (auto entry = unsaved_.begin(); entry != unsaved_.end();) {
    auto& [where, since] = *entry;
    if (seconds_now() < since + save_delay) {
      ++entry;
      continue;
    }
    const auto edit = edits_.find(where);
    Result<std::monostate> saved = std::monostate{};
    if (where.second == forms_of_file)
      saved = store_.save_launches(where.first, forms_.as_text(where.first));
    else if (edit == edits_.end())
      store_.remove_edit(where.first, where.second);
    else
      saved = store_.save_edit(where.first, where.second, edit->second);
    if (saved && where.second != forms_of_file) saved = save_base(where);
    if (saved) {
      entry = unsaved_.erase(entry);
      continue;
    }
    changes_.notices = saved.take_errors();
    changes_.mark();
    since = seconds_now() + retry_delay;
    ++entry;
  }
}

void Selection::flush() {
  for (auto& [where, since] : unsaved_) since = -1e9;
  save_in_time();
}

}  // namespace lanescope::gui
