#pragma once
// Parses NVRTC's log into entries. The log is text for people; each entry looks like
//     FILE(LINE): error: MESSAGE
//       the source line
//             ^
//               detected during instantiation of "…" at line N of FILE

#include <string>
#include <vector>

#include "core/diagnostic.h"

namespace lanescope::compile {

// The file name that the log gives to errors in name expressions.
inline constexpr const char* name_map = "__nv_name_map";

struct LogEntry {
  Severity severity = Severity::error;
  SourcePlace place;    // the file as NVRTC names it; column counts bytes, from the caret; 0 = unknown
  bool at_end = false;  // "At end of source": the place is unknown
  std::string message;  // without the number of a warning; details follow after "; ", or after a sentence
  int number = 0;       // of a warning: 177 for "#177-D"; 0 = none
  std::vector<SourcePlace> instantiated_at;  // where templates were instantiated, outermost last
};

std::vector<LogEntry> parse_compiler_log(const std::string& log);

// Places in the file `from` are then in `to`.
void rename_file(std::vector<LogEntry>& log, const std::string& from, const std::string& to);

}  // namespace lanescope::compile
