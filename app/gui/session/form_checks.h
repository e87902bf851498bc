#pragma once
// What is wrong with the form on screen, and which kernels the edited text has. Reading the text and compiling happen
// off the frame.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "gui/session/changes.h"
#include "gui/session/selection.h"
#include "gui/session/worker.h"

namespace lanescope::gui {

class FormChecks {
 public:
  FormChecks(Selection& selection, Changes& changes, const std::function<void()>& wake);

  // Once per frame: starts what is out of date.
  void update();
  bool drain() { return worker_.drain(); }
  bool idle() const { return worker_.idle(); }
  // The form on screen was checked as it is.
  bool done() const;

  // One entry per field of the form on screen. A kernel file must be open.
  const job::FormProblems& problems() const { return problems_; }

 private:
  std::string key_of_form() const;
  void read_text();
  void check();
  Worker::Completion take_folders(const KernelFile& file, const std::string& text,
                                  const std::vector<std::string>& folders);

  Selection& selection_;
  Changes& changes_;
  struct Read {
    std::string file, text;                                     // the file's lesson id
    std::map<std::string, std::vector<std::string>> arguments;  // of templates, by kernel
  };
  // What the last reading and the last check were for. The text is compared in each frame, and never joined to a key.
  Read read_;
  std::string checked_for_;
  job::FormProblems problems_;
  Worker worker_;  // declared last, so that its thread ends before what its completions use
};

}  // namespace lanescope::gui
