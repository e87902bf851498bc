#include "core/os/replace_file.h"

#include <fcntl.h>
#include <io.h>
#include <windows.h>

#include <cerrno>
#include <filesystem>

#include "core/os/files.h"
#include "core/os/windows/system_text.h"
#include "core/os/write_all.h"

namespace lanescope {
namespace {

using Pieces = std::initializer_list<std::span<const std::byte>>;

int write_and_close(Descriptor& file, Pieces pieces, Flush flush) {
  for (const std::span<const std::byte> piece : pieces)
    if (const int reason = write_all(file.get(), piece.data(), piece.size())) return reason;
  if (flush == Flush::to_disk && ::_commit(file.get()) != 0) return errno;
  return file.close();
}

// The file at the end of a chain of links.
std::string resolved(const std::string& path) {
  std::error_code failed;
  const auto real = std::filesystem::canonical(path, failed);
  return failed ? path : real.generic_string();
}

// Windows replaces no file that another process has open. Most readers, virus scanners among them, are done soon.
int rename_over(const std::string& from, const std::string& to) {
  constexpr int most_tries = 30;
  constexpr DWORD between_tries_ms = 10;
  int reason = 0;
  for (int tries = 0; tries < most_tries; ++tries) {
    if (::MoveFileExW(wide(from).c_str(), wide(to).c_str(), MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH) != 0)
      return 0;
    reason = reason_of_last_error();
    if (reason != EACCES) break;
    ::Sleep(between_tries_ms);
  }
  return reason;
}

}  // namespace

int replace_file(const std::string& requested, Pieces pieces, Flush flush) {
  const std::string path = resolved(requested);
  FileFacts existing;
  const bool exists = facts_of(path, existing) == 0;
  if (exists && existing.folder) return EISDIR;
  Descriptor file;
  if (exists && !existing.regular) {
    const int reason = open_to_append(path, Readers::all, file);
    return reason == 0 ? write_and_close(file, pieces, Flush::later) : reason;
  }
  if (exists && (::GetFileAttributesW(wide(path).c_str()) & FILE_ATTRIBUTE_READONLY) != 0) return EACCES;

  const std::string beside = path + "." + std::to_string(::GetCurrentProcessId()) + ".part";
  if (const int reason = open_to_write(beside, file)) return reason;
  int reason = write_and_close(file, pieces, flush);
  if (reason == 0) reason = rename_over(beside, path);
  file.close();
  if (reason != 0) ::DeleteFileW(wide(beside).c_str());
  return reason;
}

int replace_file(const std::string& path, std::string_view contents) {
  return replace_file(path, {std::as_bytes(std::span(contents))});
}

}  // namespace lanescope
