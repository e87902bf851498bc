#pragma once
// Looks at the file whose text is on screen for editing: another program may change it.

#include <cstdint>
#include <functional>
#include <string>

#include "gui/session/changes.h"
#include "gui/session/selection.h"
#include "gui/session/worker.h"

namespace lanescope::gui {

class FileWatch {
 public:
  FileWatch(Selection& selection, Changes& changes, const std::function<void()>& wake);
  // Call once per frame. Looks at most once a second, off the frame; a text that differs becomes the original one.
  void update();

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
  Worker worker_;         // declared last, so that its thread ends before what its completions use
};

}  // namespace lanescope::gui
