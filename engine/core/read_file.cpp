#include "core/read_file.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>

#include "core/descriptor.h"

namespace lanescope {

int read_file(const std::string& path, std::string& contents, std::size_t most) {
  contents.clear();
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file) return errno;
  std::string found;
  for (;;) {
    const std::size_t have = found.size(), piece = std::max<std::size_t>(have, 1u << 16);
    found.resize(have + piece);
    const ssize_t got = ::read(file.get(), found.data() + have, piece);
    const int reason = got < 0 ? errno : 0;
    found.resize(have + static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
    if (reason == EINTR) continue;
    if (reason != 0) return reason;
    if (found.size() > most) return EFBIG;
    if (got == 0) break;
  }
  contents = std::move(found);
  return 0;
}

}  // namespace lanescope
