#pragma once
// State that is kept between sessions: the learner's edits, one file per variant, and the settings. Below
// $XDG_STATE_HOME/lanescope (default ~/.local/state/lanescope). Files are replaced as a whole, so that a crash or a
// full disk leaves the old one.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/os/descriptor.h"
#include "core/result.h"

namespace lanescope::gui {

// How a program was started.
struct KeptProgram {
  std::string arguments;  // as typed
  std::string folder;     // where it ran, and finds relative names; empty: its own
  std::vector<std::string> include_paths, defines;
  friend bool operator==(const KeptProgram&, const KeptProgram&) = default;
};

struct SavedSettings {
  std::string theme, language, lesson;
  std::string device;          // GpuRuns::wish()
  std::string place;           // GpuRuns::place(), for a device elsewhere
  std::string l2 = "flushed";  // state of L2 before each sample of a GPU time, by gpu::CacheState's name
  std::map<std::string, std::string> variant_of;  // lesson → variant that was last shown
  std::vector<std::string> recent_runs;           // paths of saved runs and programs, latest first
  std::map<std::string, KeptProgram> programs;    // those of them, by path
  std::map<std::string, std::string> answers;     // WindowState::answers
  std::vector<std::string> passed;                // WindowState::passed
  float zoom = 1;
  bool reduce_motion = false;
  int width = 0, height = 0;
  friend bool operator==(const SavedSettings&, const SavedSettings&) = default;
};

class StateStore {
 public:
  // An empty folder: nothing is stored.
  explicit StateStore(std::string folder) : folder_(std::move(folder)) {}
  static std::string default_folder();  // empty if there is no home folder
  bool keeps() const { return !folder_.empty(); }

  // The forms of an opened CUDA file, as text; its edits have the same `file` as their lesson.
  Result<std::monostate> save_launches(const std::string& file, const std::string& text) const;
  std::string launches(const std::string& file) const;  // empty if there are none

  // Diagnostic state.io names the file and the reason.
  Result<std::monostate> save_edit(const std::string& lesson, const std::string& variant,
                                   const std::string& text) const;
  void remove_edit(const std::string& lesson, const std::string& variant) const;
  std::optional<std::string> edit(const std::string& lesson, const std::string& variant) const;
  std::string edit_path(const std::string& lesson, const std::string& variant) const;

  Result<std::monostate> save(const SavedSettings& settings) const;
  SavedSettings settings() const;  // defaults if the file is missing or damaged

 private:
  std::string launches_path(const std::string& file) const;
  std::string folder_;
};

// Detects a second window on the same state folder: the two would overwrite each other's edits.
class StateLock {
 public:
  // Locks the folder of a StateStore until this object is destroyed or the process ends in any way. An empty folder, or
  // one that cannot be written, is not locked.
  explicit StateLock(const std::string& folder);
  bool taken_by_another() const { return taken_; }

 private:
  Descriptor file_;
  bool taken_ = false;
};

}  // namespace lanescope::gui
