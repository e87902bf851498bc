#pragma once
// The form that launches a kernel of an open CUDA file; replaces a lesson's text.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "gui/forms/guess_doubt.h"
#include "gui/lesson/form_history.h"
#include "gui/parts/ui.h"
#include "job/request/launch_form.h"

namespace lanescope::gui {

class LaunchFormPanel {
 public:
  // A kernel file must be open.
  void draw(const Ui& ui, const PanelRect& rect);

 private:
  void head(const Ui& ui, const Strip& strip);
  void kernels(const Ui& ui);
  void take_doubt(const Ui& ui, const job::LaunchForm& form);
  void shape(const Ui& ui, job::LaunchForm& form);
  void more(const Ui& ui, job::LaunchForm& form);
  void templates(const Ui& ui, job::LaunchForm& form);
  void arguments(const Ui& ui, job::LaunchForm& form);
  void argument(const Ui& ui, job::LaunchForm& form, std::size_t index);
  void contents_menu(const Ui& ui, job::LaunchForm& form, std::size_t index);
  void command(const Ui& ui);
  void earlier(const Ui& ui);
  void foot(const Ui& ui, const PanelRect& rect);
  // A field at the cursor. Returns true if its text changed.
  // `doubted`: it is likely to be blamed for a run that failed.
  bool field(const Ui& ui, const char* id, std::string& text, float width, bool wrong, const char* empty = "",
             bool doubted = false);
  // A field below its caption, and in `problems` what is wrong with it.
  bool captioned(const Ui& ui, const char* id, const char* caption, std::string& text, float width,
                 const Diagnostics& problems, const char* empty = "", bool doubted = false);
  // The same for several values in one line.
  struct ListField {
    const char* id;
    Label caption, hint;
    const char* empty;  // shown in its place
    char separator;
  };
  void list(const Ui& ui, const ListField& field, std::vector<std::string>& values, float width);

  // Takes the form of the kernel on screen back, or on again, if the keys for that were pressed.
  void undo(const Ui& ui, job::LaunchForm& form);
  // The form that replaces the one on screen; can be undone.
  void replace_form(Session& session, const job::LaunchForm& form);
  FormHistory& history(const Session& session) { return histories_[session.selection.id()]; }

  std::map<KernelId, FormHistory> histories_;
  std::optional<GuessDoubt> doubt_;  // of the run of the form on screen
  bool replaced_ = false;            // in this frame the fields have other texts than a field that is edited knows
  bool entered_ = false;             // Enter was pressed in a field in this frame
  bool copied_ = false;              // the command on screen is in the clipboard
  std::string copied_command_;
};

}  // namespace lanescope::gui
