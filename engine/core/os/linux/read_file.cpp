#include "core/os/read_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>

#include "core/os/descriptor.h"
#include "core/os/spawn.h"

namespace lanescope {

namespace {

// A shell's pipe, <(…) or |, is in no folder, and somebody has its other end open. Opening a named pipe might wait for
// a writer forever.
bool has_no_name(const struct stat& file) {
  Descriptor reading, writing;
  if (open_pipe(reading, writing) != 0) return false;
  struct stat own {};
  return ::fstat(reading.get(), &own) == 0 && own.st_dev == file.st_dev;
}

// 0, or the reason why this file cannot be read to its end. `size`: of a regular file.
int not_readable(int file, std::size_t most, std::size_t& size) {
  struct stat found {};
  if (::fstat(file, &found) != 0) return errno;
  if (S_ISDIR(found.st_mode)) return EISDIR;
  if (S_ISFIFO(found.st_mode)) return has_no_name(found) ? 0 : ESPIPE;
  if (!S_ISREG(found.st_mode)) return ESPIPE;
  size = static_cast<std::size_t>(found.st_size);
  return static_cast<std::uint64_t>(found.st_size) > most ? EFBIG : 0;
}

}  // namespace

int read_file(const std::string& path, std::string& contents, std::size_t most) {
  contents.clear();
  // Without O_NONBLOCK, opening a pipe would already wait.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) return errno;
  std::size_t size = 0;  // some regular files, such as those of /proc, say 0
  if (const int reason = not_readable(file.get(), most, size)) return reason;
  ::fcntl(file.get(), F_SETFL, O_RDONLY);
  constexpr std::size_t least = std::size_t{1} << 16;
  std::string found;
  for (;;) {
    // One byte more than there should be: reading it finds the end.
    const std::size_t have = found.size(), piece = size > 0 && have <= size ? size + 1 - have : std::max(have, least);
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
