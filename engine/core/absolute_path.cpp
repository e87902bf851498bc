#include "core/absolute_path.h"

#include <filesystem>

namespace lanescope {

std::string absolute_path(const std::string& path) {
  std::error_code failed;
  const std::filesystem::path absolute = std::filesystem::absolute(path, failed);
  return failed ? path : absolute.lexically_normal().generic_string();
}

}  // namespace lanescope
