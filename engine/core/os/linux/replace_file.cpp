#include "core/os/replace_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "core/os/descriptor.h"
#include "core/os/write_all.h"

namespace lanescope {
namespace {

using Pieces = std::initializer_list<std::span<const std::byte>>;

int write_and_close(Descriptor& file, Pieces pieces, Flush flush) {
  for (const std::span<const std::byte> piece : pieces)
    if (const int reason = write_all(file.get(), piece.data(), piece.size())) return reason;
  if (flush == Flush::to_disk && ::fsync(file.get()) != 0 && errno != EINVAL) return errno;
  return file.close();
}

// The file at the end of a chain of links.
std::string resolved(const std::string& path) {
  char* real = ::realpath(path.c_str(), nullptr);
  if (real == nullptr) return path;
  std::string result = real;
  std::free(real);
  return result;
}

}  // namespace

int replace_file(const std::string& requested, Pieces pieces, Flush flush) {
  const std::string path = resolved(requested);
  struct stat existing {};
  const bool exists = ::stat(path.c_str(), &existing) == 0;
  if (exists && !S_ISREG(existing.st_mode)) {
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    return file ? write_and_close(file, pieces, Flush::later) : errno;
  }
  if (exists && ::access(path.c_str(), W_OK) != 0) return errno;

  const std::string beside = path + "." + std::to_string(::getpid()) + ".part";
  Descriptor file(::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666));
  if (!file) return errno;
  int reason = exists && ::fchmod(file.get(), existing.st_mode & 07777) != 0 ? errno : 0;
  if (reason == 0) reason = write_and_close(file, pieces, flush);
  if (reason == 0 && std::rename(beside.c_str(), path.c_str()) != 0) reason = errno;
  if (reason != 0) ::unlink(beside.c_str());
  return reason;
}

int replace_file(const std::string& path, std::string_view contents) {
  return replace_file(path, {std::as_bytes(std::span(contents))});
}

}  // namespace lanescope
