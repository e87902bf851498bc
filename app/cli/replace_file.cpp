#include "cli/replace_file.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/worded.h"

namespace lanescope::cli {

namespace {

namespace fs = std::filesystem;

Diagnostic cannot_write(const std::string& path, int reason) {
  return {Severity::error, "io.cannot_write", {path}, worded("It cannot be written: {}.", std::string(std::strerror(reason))),
          "Make room, or choose another place."};
}

// 0 or the reason.
int write(const fs::path& path, std::string_view contents) {
  errno = 0;
  std::ofstream out(path, std::ios::binary | std::ios::trunc);
  out.write(contents.data(), static_cast<std::streamsize>(contents.size()));
  out.close();
  return out ? 0 : errno ? errno : EIO;
}

}  // namespace

Result<std::monostate> replace_file(const std::string& path, std::string_view contents) {
  std::error_code failed;
  if (fs::exists(path, failed) && !fs::is_regular_file(path, failed)) {  // a device or a pipe: nothing to replace
    if (const int reason = write(path, contents)) return cannot_write(path, reason);
    return std::monostate{};
  }
  const fs::path part = path + ".part";
  int reason = write(part, contents);
  if (reason == 0) {
    fs::rename(part, path, failed);
    reason = failed.value();
  }
  if (reason == 0) return std::monostate{};
  fs::remove(part, failed);
  return cannot_write(path, reason);
}

}  // namespace lanescope::cli
