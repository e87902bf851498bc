#pragma once
// Detects a second window on the same state folder: the two would overwrite each other's edits.

#include <string>

#include "core/os/descriptor.h"

namespace lanescope::gui {

class StateLock {
 public:
  // Takes the folder of a StateStore until this object goes, or the process ends in whatever way. An empty folder, and
  // one that cannot be written, is everybody's.
  explicit StateLock(const std::string& folder);
  bool taken_by_another() const { return taken_; }

 private:
  Descriptor file_;
  bool taken_ = false;
};

}  // namespace lanescope::gui
