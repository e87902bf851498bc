#include "core/os/files.h"

#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>
#include <windows.h>

#include <algorithm>
#include <atomic>
#include <cerrno>

#include "core/os/windows/system_text.h"

namespace lanescope {
namespace {

HANDLE handle_of(int file) {
  return reinterpret_cast<HANDLE>(::_get_osfhandle(file));
}

int open_as(const std::string& path, int how, Descriptor& file) {
  file.reset(::_wopen(wide(path).c_str(), how | _O_BINARY | _O_NOINHERIT, _S_IREAD | _S_IWRITE));
  if (file) return 0;
  const int reason = errno;
  FileFacts facts;
  return facts_of(path, facts) == 0 && facts.folder ? EISDIR : reason;
}

std::uint64_t joined(DWORD high, DWORD low) {
  return (std::uint64_t{high} << 32) | low;
}

constexpr std::size_t most_at_once = std::size_t{1} << 30;

}  // namespace

int open_to_read(const std::string& path, Descriptor& file) {
  return open_as(path, _O_RDONLY, file);
}

int open_to_write(const std::string& path, Descriptor& file) {
  return open_as(path, _O_WRONLY | _O_CREAT | _O_TRUNC, file);
}

int create_new(const std::string& path, Descriptor& file) {
  return open_as(path, _O_WRONLY | _O_CREAT | _O_EXCL, file);
}

// `Readers` has no effect: on Windows, files in the user's folders are private to the user.
int open_to_append(const std::string& path, Readers, Descriptor& file) {
  return open_as(path, _O_RDWR | _O_APPEND | _O_CREAT, file);
}

int facts_of(int file, FileFacts& facts) {
  facts = {};
  LARGE_INTEGER size{};
  if (::GetFileType(handle_of(file)) != FILE_TYPE_DISK) return 0;
  if (::GetFileSizeEx(handle_of(file), &size) == 0) return reason_of_last_error();
  facts = {true, false, static_cast<std::uint64_t>(size.QuadPart)};
  return 0;
}

int facts_of(const std::string& path, FileFacts& facts) {
  WIN32_FILE_ATTRIBUTE_DATA found{};
  if (::GetFileAttributesExW(wide(path).c_str(), GetFileExInfoStandard, &found) == 0) return reason_of_last_error();
  const bool folder = (found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0;
  const bool device = (found.dwFileAttributes & FILE_ATTRIBUTE_DEVICE) != 0;
  facts = {!folder && !device, folder, joined(found.nFileSizeHigh, found.nFileSizeLow)};
  return 0;
}

FileIdentity identity_of(int) {
  return {};
}

std::ptrdiff_t read_some(int file, void* to, std::size_t bytes) {
  std::size_t done = 0;
  while (done < bytes) {
    const auto piece = static_cast<unsigned>(std::min(bytes - done, most_at_once));
    const int got = ::_read(file, static_cast<char*>(to) + done, piece);
    if (got < 0) return -1;
    if (got == 0) break;
    done += static_cast<std::size_t>(got);
  }
  return static_cast<std::ptrdiff_t>(done);
}

std::ptrdiff_t read_some_at(int file, std::uint64_t offset, void* to, std::size_t bytes) {
  std::size_t done = 0;
  while (done < bytes) {
    const std::uint64_t at = offset + done;
    OVERLAPPED from{};
    from.Offset = static_cast<DWORD>(at);
    from.OffsetHigh = static_cast<DWORD>(at >> 32);
    DWORD got = 0;
    const auto piece = static_cast<DWORD>(std::min(bytes - done, most_at_once));
    if (::ReadFile(handle_of(file), static_cast<char*>(to) + done, piece, &got, &from) == 0) {
      if (::GetLastError() == ERROR_HANDLE_EOF) break;
      errno = reason_of_last_error();
      return -1;
    }
    if (got == 0) break;
    done += got;
  }
  return static_cast<std::ptrdiff_t>(done);
}

std::int64_t position_in(int file) {
  return ::_lseeki64(file, 0, SEEK_CUR);
}

int cut_file(int file, std::uint64_t bytes) {
  return ::_chsize_s(file, static_cast<long long>(bytes));
}

// On Windows others cannot read a locked byte either. So the lock is on a byte beyond the end of any file.
Lock lock_file(int file) {
  OVERLAPPED where{};
  where.OffsetHigh = 0x7fffffff;
  if (::LockFileEx(handle_of(file), LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &where) != 0)
    return Lock::taken;
  const DWORD why = ::GetLastError();
  return why == ERROR_LOCK_VIOLATION || why == ERROR_IO_PENDING ? Lock::held_by_another : Lock::impossible;
}

void make_nameless_file(Descriptor& file) {
  wchar_t folder[MAX_PATH + 1], path[MAX_PATH + 1];
  if (::GetTempPathW(MAX_PATH + 1, folder) == 0 || ::GetTempFileNameW(folder, L"lan", 0, path) == 0)
    return file.reset(-1);
  open_as(as_path(path), _O_RDWR | _O_APPEND | _O_TEMPORARY, file);
}

std::string path_of_nameless_file(int file) {
  wchar_t path[4096];
  const DWORD length = ::GetFinalPathNameByHandleW(handle_of(file), path, static_cast<DWORD>(std::size(path)), 0);
  return as_path({path, length});
}

std::string make_scratch_folder(const std::string& name) {
  static std::atomic<unsigned> made = 0;
  wchar_t folder[MAX_PATH + 1];
  if (::GetTempPathW(MAX_PATH + 1, folder) == 0) return {};
  for (int tries = 0; tries < 100; ++tries) {
    const std::wstring path = folder + wide(name) + L"-" + std::to_wstring(::GetCurrentProcessId()) + L"-" +
                              std::to_wstring(::GetTickCount64() % 100000) + L"-" + std::to_wstring(made++);
    if (::CreateDirectoryW(path.c_str(), nullptr) != 0) return as_path(path);
    if (::GetLastError() != ERROR_ALREADY_EXISTS) return {};
  }
  return {};
}

}  // namespace lanescope
