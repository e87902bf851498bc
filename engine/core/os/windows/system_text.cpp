#include "core/os/windows/system_text.h"

#include <windows.h>

#include <algorithm>
#include <cerrno>

#include "core/os/system_error.h"

namespace lanescope {

std::wstring wide(std::string_view text) {
  const int length = static_cast<int>(text.size());
  std::wstring out(static_cast<std::size_t>(::MultiByteToWideChar(CP_UTF8, 0, text.data(), length, nullptr, 0)), L'\0');
  ::MultiByteToWideChar(CP_UTF8, 0, text.data(), length, out.data(), static_cast<int>(out.size()));
  return out;
}

std::string narrow(std::wstring_view text) {
  const int length = static_cast<int>(text.size());
  std::string out(
      static_cast<std::size_t>(::WideCharToMultiByte(CP_UTF8, 0, text.data(), length, nullptr, 0, nullptr, nullptr)),
      '\0');
  ::WideCharToMultiByte(CP_UTF8, 0, text.data(), length, out.data(), static_cast<int>(out.size()), nullptr, nullptr);
  return out;
}

std::string as_path(std::wstring_view path) {
  std::string out = narrow(path);
  std::replace(out.begin(), out.end(), '\\', '/');
  return out;
}

std::wstring native_path(std::string_view path) {
  std::wstring out = wide(path);
  std::replace(out.begin(), out.end(), L'/', L'\\');
  return out;
}

int reason_of_last_error() {
  const DWORD error = ::GetLastError();
  switch (error) {
    case ERROR_SUCCESS:
      return 0;
    case ERROR_FILE_NOT_FOUND:
    case ERROR_PATH_NOT_FOUND:
    case ERROR_INVALID_DRIVE:
    case ERROR_BAD_NETPATH:
    case ERROR_INVALID_NAME:
      return ENOENT;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_LOCK_VIOLATION:
      return EACCES;
    case ERROR_WRITE_PROTECT:
      return EROFS;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
      return ENOSPC;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS:
      return EEXIST;
    case ERROR_FILENAME_EXCED_RANGE:
      return ENAMETOOLONG;
    case ERROR_NOT_ENOUGH_MEMORY:
    case ERROR_OUTOFMEMORY:
    case ERROR_COMMITMENT_LIMIT:
      return ENOMEM;
    case ERROR_TOO_MANY_OPEN_FILES:
      return EMFILE;
    case ERROR_BROKEN_PIPE:
    case ERROR_NO_DATA:
      return EPIPE;
    case ERROR_BAD_EXE_FORMAT:
      return ENOEXEC;
    case ERROR_NOT_SAME_DEVICE:
      return EXDEV;
    case ERROR_INVALID_PARAMETER:
      return EINVAL;
    case ERROR_IO_DEVICE:
    case ERROR_CRC:
      return EIO;
    default:
      return beyond_errno + static_cast<int>(error);
  }
}

std::string words_of_error(unsigned long error) {
  wchar_t text[512];
  const DWORD length = ::FormatMessageW(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS, nullptr, error, 0,
                                        text, static_cast<DWORD>(std::size(text)), nullptr);
  std::string words = narrow({text, length});
  while (!words.empty() && static_cast<unsigned char>(words.back()) <= ' ') words.pop_back();
  return words.empty() ? "error " + std::to_string(error) : words;
}

}  // namespace lanescope
