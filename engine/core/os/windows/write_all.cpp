#include "core/os/write_all.h"

#include <io.h>

#include <algorithm>
#include <cerrno>

namespace lanescope {

int write_all(int descriptor, const void* data, std::size_t bytes) {
  const char* at = static_cast<const char*>(data);
  while (bytes > 0) {
    const int written = ::_write(descriptor, at, static_cast<unsigned>(std::min<std::size_t>(bytes, 1u << 26)));
    if (written < 0) return errno == EINVAL ? EPIPE : errno;  // EINVAL here means a pipe without a reader
    if (written == 0) return EIO;
    at += written;
    bytes -= static_cast<std::size_t>(written);
  }
  return 0;
}

}  // namespace lanescope
