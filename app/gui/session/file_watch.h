#pragma once
// The file whose text is on screen for editing: another program may change it, and Ctrl + S writes it.

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "gui/session/changes.h"
#include "gui/session/selection.h"
#include "gui/session/worker.h"
#include "gui/state/own_file.h"

namespace lanescope::gui {

class FileWatch {
 public:
  FileWatch(Selection& selection, Changes& changes, const std::function<void()>& wake);
  // Call once per frame. Looks at most once a second, off the frame; a text that differs becomes the original one.
  void update();
  // Until the next look; < 0: there is no file to look at, or it is being looked at.
  double seconds_to_next_look() const;
  // Whether a look has ended since the last call; one that found something is also news.
  bool take_looked() { return std::exchange(looked_, false); }

 private:
  struct Stamp {
    long long time = 0;
    std::uintmax_t bytes = 0;
    friend bool operator==(const Stamp&, const Stamp&) = default;
  };
  void found(const std::string& file, const Stamp& stamp, std::string text);

  Selection& selection_;
  Changes& changes_;
  std::string file_;      // that was looked at last
  Stamp stamp_;           // of it, when it was last read
  double looked_at_ = 0;  // seconds
  bool looked_ = false;
  Worker worker_;  // declared last, so that its thread ends before what its completions use
};

// Ctrl + S: writes the edited text of a file of the learner's into the file, off the frame.
class FileSave {
 public:
  FileSave(Selection& selection, Changes& changes, const std::function<void()>& wake);

  // Writes the text on screen into its file, which is replaced as a whole and keeps its permissions. The edit is then
  // no longer one. A notice tells what was done. Refuses if the file is not what the edit was made of: it has changed,
  // or is gone; asked again, while the file is still as it was found then, it writes over it. Refuses a file that is
  // read-only. On any failure the file stays as it is, and so does the edit.
  void save();
  void drain();
  // Until the notice that a file was saved goes away by itself; < 0: there is none.
  double seconds_of_note() const;
  bool idle() const { return worker_.idle(); }

 private:
  void done(const std::string& file, const VariantId& edit, const std::string& text, OwnFileWritten made);
  void tell(const std::string& file, const char* code, Severity severity, Wording message, Wording cure);

  Selection& selection_;
  Changes& changes_;
  double told_at_ = -1;  // when the last notice that goes away by itself was shown
  // The file that was not written last, and what was found there: the next request writes over that.
  std::string refused_;
  OnDisk found_;
  Worker worker_;  // declared last, so that its thread ends before what its completions use
};

}  // namespace lanescope::gui
