#include "compile/library_file.h"

#include <filesystem>

#include "core/os/files.h"
#include "core/os/library_file.h"
#include "core/os/library_names.h"
#include "core/os/program_name.h"
#include "core/os/system_error.h"
#include "core/worded.h"

namespace lanescope::compile {

Wording why_unfit(const std::string& path) {
  if (!is_path(path)) return {};
  FileFacts about;
  Descriptor file;
  if (const int reason = facts_of(path, about)) return worded("{}: {}", path, system_error(reason));
  if (!about.regular) return worded("{} is not a regular file", path);
  if (about.bytes == 0) return worded("{} is empty", path);
  if (const int reason = open_to_read(path, file)) return worded("{}: {}", path, system_error(reason));
  const LibraryShape shape = shape_of_library(file.get());
  if (shape.reason != 0) return worded("{}: {}", path, system_error(shape.reason));
  if (!shape.is_library) return worded("{} is not a shared library", path);
  if (about.bytes < shape.least_bytes)
    return worded("{} is truncated: it has {} of at least {} bytes", path, about.bytes, shape.least_bytes);
  return {};
}

Wording why_unfit_with_builtins(const std::string& nvrtc_path) {
  if (Wording why = why_unfit(nvrtc_path); !why.empty() || !is_path(nvrtc_path)) return why;
  std::error_code ignored;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(nvrtc_path).parent_path(), ignored))
    if (version_of_library(entry.path().filename().generic_string(), "nvrtc-builtins"))
      if (Wording why = why_unfit(entry.path().generic_string()); !why.empty()) return why;
  return {};
}

}  // namespace lanescope::compile
