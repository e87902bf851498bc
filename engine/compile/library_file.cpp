#include "compile/library_file.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "core/os/descriptor.h"
#include "core/os/system_error.h"
#include "core/worded.h"

namespace lanescope::compile {

Wording why_unfit(const std::string& path) {
  if (path.find('/') == std::string::npos) return {};
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0) return worded("{}: {}", path, system_error(errno));
  if (!S_ISREG(about.st_mode)) return worded("{} is not a regular file", path);
  if (about.st_size == 0) return worded("{} is empty", path);
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file) return worded("{}: {}", path, system_error(errno));
  Elf64_Ehdr head{};
  const ssize_t got = ::pread(file.get(), &head, sizeof head, 0);
  if (got < 0) return worded("{}: {}", path, system_error(errno));
  if (static_cast<std::size_t>(got) < sizeof head || std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
      head.e_ident[EI_CLASS] != ELFCLASS64)
    return worded("{} is not a shared library", path);
  // Linkers write the section table last.
  const std::uint64_t least = head.e_shoff + static_cast<std::uint64_t>(head.e_shnum) * head.e_shentsize;
  if (static_cast<std::uint64_t>(about.st_size) < least)
    return worded("{} is truncated: it has {} of at least {} bytes", path, about.st_size, least);
  return {};
}

Wording why_unfit_with_builtins(const std::string& nvrtc_path) {
  if (Wording why = why_unfit(nvrtc_path); !why.empty() || nvrtc_path.find('/') == std::string::npos) return why;
  std::error_code ignored;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::filesystem::path(nvrtc_path).parent_path(), ignored))
    if (entry.path().filename().string().starts_with("libnvrtc-builtins.so."))
      if (Wording why = why_unfit(entry.path().string()); !why.empty()) return why;
  return {};
}

}  // namespace lanescope::compile
