#include "core/os/write_all.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace lanescope {

int write_all(int descriptor, const void* data, std::size_t bytes) {
  const char* at = static_cast<const char*>(data);
  while (bytes > 0) {
    const ssize_t written = ::write(descriptor, at, std::min<std::size_t>(bytes, 1u << 30));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno;
    if (written == 0) return EIO;
    at += written;
    bytes -= static_cast<std::size_t>(written);
  }
  return 0;
}

}  // namespace lanescope
