#pragma once
// The files that a source includes, found by our own scan of #include lines. The cache needs them to see every change,
// and diagnostics to name the line of the user's file that included a header with an error.

#include <optional>
#include <string>
#include <vector>

#include "compile/source.h"
#include "core/diagnostic.h"

namespace lanescope::compile {

struct IncludedFile {
  std::string path;
  std::string content;
  int line = 0;                    // of the source's own #include that leads to it
  std::vector<std::string> names;  // its names in the #include lines that reach it
};

struct IncludeTree {
  std::vector<IncludedFile> files;  // each file once
  // False if an #include names a macro, so that any file may be included, or a file cannot be read or is too large.
  bool complete = true;
  std::string endless;   // a pipe or a device that is included; a compiler might read it forever
  int endless_line = 0;  // of the source's own #include that leads to it
};

// Files that the source reaches through #include, except those in `system_paths` (the CUDA headers).
IncludeTree user_includes(const Source& source, const std::vector<std::string>& system_paths);

// compile.not_a_file if the source includes a pipe or a device.
std::optional<Diagnostic> refuse_includes(const Source& source, const IncludeTree& included);

// The line of the source's own #include that leads to `header`, which may be a CUDA header; 0 = not found.
int line_including(const Source& source, const std::vector<std::string>& system_paths, const std::string& header);

// The name by which one of the user's files includes the CUDA header that leads to `header`, ignoring the names in
// `left_out`; empty if there is none.
std::string system_include(const Source& source, const std::vector<std::string>& system_paths,
                           const std::vector<std::string>& left_out, const std::string& header);

bool same_file(const std::string& one, const std::string& other);

bool lies_in(const std::string& path, const std::vector<std::string>& folders);

// The declaration of a __device__ or __constant__ variable.
struct DeviceVariable {
  std::string before_name;  // "__constant__ float "
  std::string from_name;    // "table[4] = {1, 2}"
};

// In the source or a header of it; `name` may have namespaces. With the source's definitions. nullopt in PTX.
std::optional<DeviceVariable> find_device_variable(const Source& source, const std::string& name);

}  // namespace lanescope::compile
