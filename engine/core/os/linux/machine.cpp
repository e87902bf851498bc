#include "core/os/machine.h"

#include <unistd.h>

#include <charconv>
#include <fstream>
#include <string>

#include "core/os/read_file.h"

namespace lanescope {

std::uint64_t memory_of_the_machine() {
  const long pages = ::sysconf(_SC_PHYS_PAGES), page = ::sysconf(_SC_PAGESIZE);
  return pages > 0 && page > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page) : 0;
}

std::uint64_t resident_bytes(int process) {
  std::string text;
  if (read_file("/proc/" + std::to_string(process) + "/statm", text, 4096) != 0) return 0;
  const std::size_t blank = text.find(' ');
  std::uint64_t pages = 0;
  if (blank != std::string::npos) std::from_chars(text.data() + blank + 1, text.data() + text.size(), pages);
  return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

int own_process() {
  return ::getpid();
}

bool is_administrator() {
  return ::geteuid() == 0;
}

// The driver's kernel module lists its parameters in /proc.
std::optional<bool> counters_are_restricted() {
  std::ifstream parameters("/proc/driver/nvidia/params");
  if (!parameters) return std::nullopt;
  bool restricted = false;
  for (std::string line; std::getline(parameters, line);)
    if (line.starts_with("RmProfilingAdminOnly")) restricted = line.ends_with('1');
  return restricted;
}

}  // namespace lanescope
