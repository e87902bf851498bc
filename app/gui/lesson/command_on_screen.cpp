#include "gui/lesson/command_on_screen.h"

#include "gui/session/session.h"

namespace lanescope::gui {

std::string command_on_screen(const Session& session) {
  const Selection& selection = session.selection;
  const KernelFile& file = *selection.kernel_file();
  const std::string edited = selection.path_of_edit();
  const std::size_t slash = file.path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : file.path.substr(0, slash);
  job::LaunchForm form = job::with_whole_folders(selection.form(), folder);
  if (edited.empty()) return job::command_of(form, file.path);
  form.include_paths.insert(form.include_paths.begin(), folder);  // the edit is in another one
  return job::command_of(form, edited);
}

}  // namespace lanescope::gui
