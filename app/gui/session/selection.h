#pragma once
// What the learner has chosen: lesson and variant, the compared variant, the kernel's text, the values of controls.
// Edits are saved a moment after they were made. Nothing runs here; Session changes lesson and variant, because that
// also changes what is shown.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gui/forms/launch_forms.h"
#include "gui/programs/open_run.h"
#include "gui/programs/program_versions.h"
#include "gui/session/changes.h"
#include "gui/session/run_result.h"
#include "gui/session/text_versions.h"
#include "gui/state/state_store.h"
#include "lesson/lesson.h"

namespace lanescope::gui {

// What is compared with the variant on screen: the same or another variant, and its own changes.
struct Compared {
  std::size_t variant = 0;
  lesson::ControlValues controls;  // replace the values on screen
  bool original = false;           // use the lesson's text instead of the edited one
  // For the variant on screen: the learner's GPU's recording instead of the interpreter's run.
  bool recorded = false;
  std::string launch = {};  // of a kernel file: another launch of the kernel, by job::text_of(); empty: the form's
  bool before = false;      // the version that ran before the last one (Selection::versions()), as it ran
  bool has_own() const { return original || recorded || before || !controls.empty() || !launch.empty(); }
  friend bool operator==(const Compared&, const Compared&) = default;
};

inline Compared version_before(std::size_t variant) {
  Compared before{variant, {}, false};
  before.before = true;
  return before;
}

class Selection {
 public:
  // Loads the saved edits.
  Selection(std::vector<lesson::Lesson> lessons, StateStore store, Changes& changes);

  // They stay at their addresses while this object lives: work off the frame may refer to them.
  const std::vector<lesson::Lesson>& lessons() const { return lessons_; }
  const lesson::Lesson& lesson() const {
    return run_ != nullptr ? run_->lesson : kernel_file_ != nullptr ? kernel_file_->lesson : lessons_[lesson_];
  }
  bool is_lesson() const { return run_ == nullptr && kernel_file_ == nullptr; }
  const lesson::Variant& variant() const { return lesson().variants[variant_]; }
  std::size_t lesson_index() const { return lesson_; }  // while a saved run is open: the lesson before it
  // The open saved run, which replaces the lessons; null: none. It stays at its address until forget_runs().
  const OpenRun* run() const { return run_; }
  // The open CUDA file without main(), which replaces the lessons; null: none. Another object takes its place when its
  // kernels change; each stays at its address while this object lives.
  const KernelFile* kernel_file() const { return kernel_file_; }
  const LaunchForms& forms() const { return forms_; }
  // The form of the kernel on screen. A kernel file must be open.
  const job::LaunchForm& form() const { return forms_.form(id()); }
  const std::string& form_text() const { return forms_.text(id()); }
  void set_form(job::LaunchForm form);  // saved a moment later
  const job::LaunchForm& first_form() const { return forms_.first(id()); }
  void settle_form(job::LaunchForm first);  // LaunchForms::settle()
  void note_run(const RunResult& ran);      // of the variant on screen
  // The file has other kernels now. The kernel on screen stays if there is one of its name.
  void take_kernels(std::shared_ptr<const KernelFile> next);
  // Where the edited text of the open file is kept; empty if it is not edited or not kept.
  std::string path_of_edit() const;
  std::size_t variant_index() const { return variant_; }
  VariantId id() const { return id(variant_); }
  VariantId id(std::size_t variant) const { return {lesson().id, lesson().variants[variant].id}; }
  // A second variant for comparing; comparison() is null without one.
  std::optional<std::size_t> compared() const { return compared_ ? std::optional(compared_->variant) : std::nullopt; }
  const Compared* comparison() const { return compared_ ? &*compared_ : nullptr; }
  // The key of a run of the compared variant now. There must be a comparison. Its variant is empty if the compared
  // version of a program has no such launch.
  RunKey compared_key() const;

  // The versions of the program, or of the text of this variant, that ran last and before that, and their arguments;
  // nullopt: only one ran.
  struct Versions {
    int before = 1, now = 2;
    std::string arguments_before, arguments_now;
  };
  std::optional<Versions> versions(std::size_t variant) const;
  // The run of the program before the last version; null: there is none, or no program is on screen.
  std::shared_ptr<const OpenRun> run_before() const;

  // The kernel's text: the lesson's own until it is edited.
  const std::string& source() const { return source_of(variant()); }
  const std::string& original_source() const { return original_of(variant()); }
  bool edited() const { return source() != original_source(); }
  bool edited(const lesson::Variant& variant) const;
  // Text or launch of the variant are not the lesson's own: nothing that was recorded is of it.
  bool differs(const lesson::Variant& variant) const;
  // The task whose launch the variant on screen runs with; null: it runs with its own. Choosing a variant ends this.
  const lesson::Task* task() const;
  bool has_own_launch(const lesson::Task& task) const;
  // Saved a moment later. Does nothing if the text cannot be edited.
  void set_source(const std::string& text);
  // In a saved run only the text of the program that the window ran can be, if it is built from a .cu file; its edits
  // belong to that file. Another saved run's code is what ran.
  bool can_edit() const { return run_ == nullptr || run_->can_build(variant().file); }
  // The edited text of such a file, from this window or an earlier one.
  std::optional<std::string> edit_of_program(const std::string& file);

  // ---- what is opened from the disk
  // The file whose text is on screen and can be edited; empty: none.
  std::string file_on_screen() const;
  // Its text on the disk has become this, which is the original text from now on. An edit stays.
  void take_original(std::string text);
  std::uint64_t original_revision() const { return original_revision_; }  // increases with each such change
  // The file was changed after its text on screen was edited here.
  bool edit_outdated() const;
  void keep_edit();  // it counts as an edit of the file's present text
  // The text of the file of which the edit on screen was made, and what the edit is kept under.
  const std::string& base_of_edit() const;
  VariantId edit_on_screen() const { return edit_id(variant()); }
  // The file now has this text; an edit that is the same is none any more.
  void take_saved(const VariantId& edit, std::string text);
  // Writes a copy of the edit, which is about to be replaced, beside where edits are kept; returns its path. Empty: it
  // is not kept, or that failed.
  std::string copy_edit();
  // The file in which the edit on screen is kept; empty: there is no edit, or nothing is kept.
  std::string file_of_edit() const;

  std::vector<const lesson::Control*> controls() const;  // those of the variant
  std::int64_t control(const std::string& name) const;
  void set_control(const std::string& name, std::int64_t value);
  // The values set in this lesson, for all its variants.
  const lesson::ControlValues& controls_set() const;

  // The key of a run of this variant now.
  RunKey wanted() const { return key_of(variant()); }
  RunKey key_of(const lesson::Variant& variant) const;
  // True if `key` equals key_of(), which is not built: this is called many times per frame.
  bool is_key_of(const RunKey& key, const lesson::Variant& variant) const;

  void save_in_time();                  // saves edits that have waited long enough
  double seconds_to_next_save() const;  // < 0: nothing to save
  void flush();                         // saves at once
  StateStore& store() { return store_; }

 private:
  friend class Session;
  // Also restores the variant that was last chosen there.
  void set_lesson(std::size_t index);
  void set_run(std::shared_ptr<const OpenRun> run);
  void set_kernel_file(std::shared_ptr<const KernelFile> file);
  // Drops the runs before the last two, with their files. Nothing may refer to them any more: call it when all work off
  // the frame has ended.
  void forget_runs();
  void set_variant(std::size_t index);
  void set_task(const std::string& id) { task_ = id; }
  const std::string& task_of(const lesson::Variant& variant) const;
  void set_compared(std::optional<Compared> compared) { compared_ = std::move(compared); }
  void take_original(const VariantId& edit, std::string text);
  Result<std::monostate> save_base(const VariantId& edit) const;
  void load_edit(const VariantId& id);  // and its base, of a file that was just opened
  RunKey key_before(const lesson::Variant& variant) const;
  // What the edits of a variant are kept under: the kernels of a file share its text.
  VariantId edit_id(const lesson::Variant& variant) const;
  const std::string& original_of(const lesson::Variant& variant) const;
  const std::string& source_of(const lesson::Variant& variant) const;

  std::vector<lesson::Lesson> lessons_;
  StateStore store_;
  Changes& changes_;
  std::vector<std::shared_ptr<const OpenRun>> runs_;  // runs that were opened
  const OpenRun* run_ = nullptr;
  ProgramVersions programs_;
  TextVersions texts_;
  std::uint64_t noted_ = 0;                                      // the last result of note_run()
  std::vector<std::shared_ptr<const KernelFile>> kernel_files_;  // that were opened, and what became of them
  const KernelFile* kernel_file_ = nullptr;
  LaunchForms forms_;
  std::size_t lesson_ = 0, variant_ = 0;
  std::string task_;  // its id
  std::optional<Compared> compared_;
  std::map<std::string, std::size_t> last_variant_;  // by lesson
  std::map<VariantId, std::string> edits_;           // by edit_id(), like the two below
  // For files: their texts of which the edits were made, and those that have changed on the disk since they were
  // opened.
  std::map<VariantId, std::string> bases_, originals_;
  std::uint64_t original_revision_ = 0;
  std::map<VariantId, double> unsaved_;                    // since when
  std::map<std::string, lesson::ControlValues> controls_;  // by lesson
};

}  // namespace lanescope::gui
