#include "core/launch_extent.h"

#include <fmt/format.h>

namespace lanescope {

std::string launch_extent(const Dim3& size) {
  if (size.z != 1) return fmt::format("({}, {}, {})", size.x, size.y, size.z);
  if (size.y != 1) return fmt::format("({}, {})", size.x, size.y);
  return std::to_string(size.x);
}

}  // namespace lanescope
