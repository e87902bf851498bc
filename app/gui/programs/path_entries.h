#pragma once
// Completes the path of a file that the window can open.

#include <string>
#include <string_view>
#include <vector>

#include "gui/programs/file_kind.h"

namespace lanescope::gui {

struct PathEntry {
  std::string name;  // in its folder
  std::string path;  // in the form of the typed one, with ~ where that has it; with '/'; a folder's ends with that
  bool folder = false;
  FileKind kind = FileKind::other;
};

// "~" and "~/…" with the home folder in place of ~.
std::string without_tilde(const std::string& typed);

// The folders and the files that can be opened whose names begin with what is typed after the last '/', first those
// that do in this case too; hidden ones only if the dot is typed. Folders come first, each group by name. At most 200,
// of the first 5,000 names of the folder. Reads the folder and the beginnings of files: call it off the frame.
std::vector<PathEntry> path_entries(const std::string& typed);

// What Tab makes of the typed path: the longest beginning that all these entries share; the typed one if they share no
// more than that.
std::string completed(const std::string& typed, const std::vector<PathEntry>& entries);

// What counts of a path that was typed or pasted behind the folder in the field: "/home/a//tmp/b" is "/tmp/b", and
// "/home/a/~/b" is "~/b".
std::string_view from_last_root(std::string_view typed);

}  // namespace lanescope::gui
