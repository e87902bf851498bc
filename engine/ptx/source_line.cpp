#include "ptx/source_line.h"

#include <algorithm>

namespace lanescope::ptx {

int line_in(const Module& module, SourceLocation place, std::string_view file) {
  constexpr int deepest = 64;
  for (int depth = 0; depth < deepest; ++depth) {
    const auto index = static_cast<std::size_t>(std::max(place.file, 0));
    if (place.file > 0 && index < module.files.size() && module.files[index] == file) return place.line;
    if (place.inlined_at < 0 || static_cast<std::size_t>(place.inlined_at) >= module.inlined_locations.size()) break;
    place = module.inlined_locations[static_cast<std::size_t>(place.inlined_at)];
  }
  return 0;
}

bool is_header(std::string_view file, std::string_view header) {
  return file == header || (file.ends_with(header) && file[file.size() - header.size() - 1] == '/');
}

}  // namespace lanescope::ptx
