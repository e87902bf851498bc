#pragma once
// What the learner has chosen: lesson and variant, the one compared with it, the kernel's text, the values of controls.
// Edits are saved a moment after they were made. Nothing runs here: Session changes lesson and variant, for then what
// is shown changes too.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gui/session/changes.h"
#include "gui/session/open_run.h"
#include "gui/session/run_result.h"
#include "gui/state/state_store.h"
#include "lesson/lesson.h"

namespace lanescope::gui {

// What is compared with the variant on screen: a variant, the same one or another, and what it has of its own.
struct Compared {
  std::size_t variant = 0;
  lesson::ControlValues controls;  // values in place of those on screen
  bool original = false;           // the lesson's text in place of the edited one
  bool recorded =
      false;  // of the variant on screen: what the learner's GPU recorded, in place of the interpreter's run
  bool has_own() const { return original || recorded || !controls.empty(); }
  friend bool operator==(const Compared&, const Compared&) = default;
};

class Selection {
 public:
  // Takes up the edits that the store has.
  Selection(std::vector<lesson::Lesson> lessons, StateStore store, Changes& changes);

  // They stay where they are as long as this lives: work off the frame may refer to them.
  const std::vector<lesson::Lesson>& lessons() const { return lessons_; }
  const lesson::Lesson& lesson() const { return run_ != nullptr ? run_->lesson : lessons_[lesson_]; }
  const lesson::Variant& variant() const { return lesson().variants[variant_]; }
  std::size_t lesson_index() const { return lesson_; }  // while a saved run is open: of the lesson before it
  // The saved run that is open in the lessons' place; null: none. It stays where it is as long as this lives.
  const OpenRun* run() const { return run_; }
  std::size_t variant_index() const { return variant_; }
  VariantId id() const { return id(variant_); }
  VariantId id(std::size_t variant) const { return {lesson().id, lesson().variants[variant].id}; }
  // A second variant beside the first, for comparing; comparison() is null without one.
  std::optional<std::size_t> compared() const { return compared_ ? std::optional(compared_->variant) : std::nullopt; }
  const Compared* comparison() const { return compared_ ? &*compared_ : nullptr; }
  // What a run of it now would run. There must be one.
  RunKey compared_key() const;

  // The kernel's text: the lesson's own until it is edited.
  const std::string& source() const { return source_of(variant()); }
  const std::string& original_source() const { return original_of(variant()); }
  bool edited() const { return source() != original_source(); }
  bool edited(const lesson::Variant& variant) const;
  // Saved a moment later; nothing while a saved run is open, whose code is what ran.
  void set_source(const std::string& text);

  std::vector<const lesson::Control*> controls() const;  // those of the variant
  std::int64_t control(const std::string& name) const;
  void set_control(const std::string& name, std::int64_t value);
  // Those of the lesson that were set, of all its variants.
  const lesson::ControlValues& controls_set() const;

  // What a run of this variant now would run.
  RunKey wanted() const { return key_of(variant()); }
  RunKey key_of(const lesson::Variant& variant) const;
  // Whether it equals key_of(), which is not made for it: this is asked many times a frame.
  bool is_key_of(const RunKey& key, const lesson::Variant& variant) const;

  void save_in_time();                  // edits that have waited long enough
  double seconds_to_next_save() const;  // < 0: nothing to save
  void flush();                         // saves at once
  StateStore& store() { return store_; }

 private:
  friend class Session;
  // With the variant that was last chosen there.
  void set_lesson(std::size_t index);
  void set_run(std::shared_ptr<const OpenRun> run);
  void set_variant(std::size_t index);
  void set_compared(std::optional<Compared> compared) { compared_ = std::move(compared); }
  const std::string& original_of(const lesson::Variant& variant) const;
  const std::string& source_of(const lesson::Variant& variant) const;

  std::vector<lesson::Lesson> lessons_;
  StateStore store_;
  Changes& changes_;
  std::vector<std::shared_ptr<const OpenRun>> runs_;  // that were opened
  const OpenRun* run_ = nullptr;
  std::size_t lesson_ = 0, variant_ = 0;
  std::optional<Compared> compared_;
  std::map<std::string, std::size_t> last_variant_;  // by lesson
  std::map<VariantId, std::string> edits_;
  std::map<VariantId, double> unsaved_;                    // since when
  std::map<std::string, lesson::ControlValues> controls_;  // by lesson
};

}  // namespace lanescope::gui
