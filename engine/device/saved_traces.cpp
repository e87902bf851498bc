#include "device/saved_traces.h"

#include <algorithm>
#include <cctype>
#include <filesystem>

#include <fmt/format.h>

#include "core/worded.h"

namespace lanescope::device {
namespace fs = std::filesystem;

std::string saved_name(std::uint64_t launch, const std::string& kernel) {
  constexpr std::size_t longest = 100;
  std::string name = kernel.substr(0, longest);
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  return fmt::format("{:04}-{}.trace", launch, name);
}

std::uint64_t SavedTraces::room() const {
  return folder_.empty() || ended_ ? 0 : most_of_one;
}

Diagnostics SavedTraces::add(std::uint64_t launch, const std::string& kernel, const trace::Trace& trace) {
  if (room() == 0) return {};
  const fs::path file = fs::path(folder_) / saved_name(launch, kernel);
  if (Result<std::monostate> saved = trace::save(trace, file.string()); !saved) {
    ended_ = true;
    return saved.take_errors();
  }
  std::error_code ignored;
  bytes_ += fs::file_size(file, ignored);
  if (bytes_ < most_bytes_) return {};
  ended_ = true;
  return {{Severity::warning,
           "program.saved_enough",
           {folder_},
           worded("Launches after number {} are not saved: the folder has {} MiB.", launch, bytes_ >> 20),
           "Choose fewer launches."}};
}

}  // namespace lanescope::device
