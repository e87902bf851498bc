#include "core/os/own_path.h"

namespace lanescope {

std::filesystem::path own_path() {
  std::error_code failed;
  return std::filesystem::read_symlink("/proc/self/exe", failed);
}

std::string own_program() {
  return "/proc/self/exe";
}

}  // namespace lanescope
