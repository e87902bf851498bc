#include "core/os/read_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>

#include "core/os/files.h"

namespace lanescope {

int read_file(const std::string& path, std::string& contents, std::size_t most) {
  contents.clear();
  Descriptor file;
  if (const int reason = open_to_read(path, file)) return reason;
  FileFacts facts;
  if (const int reason = facts_of(file.get(), facts)) return reason;
  if (!facts.regular) return ESPIPE;
  if (facts.bytes > most) return EFBIG;
  std::string found;
  for (;;) {
    const std::size_t have = found.size(), piece = std::max<std::size_t>(have, 1u << 16);
    found.resize(have + piece);
    const std::ptrdiff_t got = read_some(file.get(), found.data() + have, piece);
    const int reason = got < 0 ? errno : 0;
    found.resize(have + static_cast<std::size_t>(std::max<std::ptrdiff_t>(got, 0)));
    if (reason != 0) return reason;
    if (found.size() > most) return EFBIG;
    if (static_cast<std::size_t>(got) < piece) break;
  }
  contents = std::move(found);
  return 0;
}

}  // namespace lanescope
