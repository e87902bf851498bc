#pragma once
// Which files a source includes, found by reading the #include lines ourselves: for the cache, which must see every
// change, and to say by which line of the user's file a header with an error came in.

#include <string>
#include <vector>

#include "compile/source.h"

namespace lanescope::compile {

struct IncludedFile {
  std::string path;
  std::string content;
  int line = 0;                    // of the source's own #include that it came in by
  std::vector<std::string> names;  // as the #includes that reach it write it
};

struct IncludeTree {
  std::vector<IncludedFile> files;  // each once
  bool complete = true;             // false when an #include names a macro: then anything may be included
};

// Files that the source reaches through #include, other than those in `system_paths` (the CUDA headers).
IncludeTree user_includes(const Source& source, const std::vector<std::string>& system_paths);

// The line of the source's own #include through which `header` comes in, CUDA headers included; 0 = not found.
int line_including(const Source& source, const std::vector<std::string>& system_paths, const std::string& header);

// The name by which one of the user's files includes the CUDA header through which `header` comes in, but for the names
// in `left_out`; empty when none does.
std::string system_include(const Source& source, const std::vector<std::string>& system_paths,
                           const std::vector<std::string>& left_out, const std::string& header);

bool same_file(const std::string& one, const std::string& other);

bool lies_in(const std::string& path, const std::vector<std::string>& folders);

}  // namespace lanescope::compile
