#include "core/os/abilities.h"

#include <fcntl.h>
#include <io.h>
#include <stdlib.h>
#include <windows.h>
// This needs windows.h first:
#include <shellapi.h>

#include <array>

#include "core/os/windows/system_text.h"

namespace lanescope {

bool can_use_a_gpu() {
  return false;
}
bool can_reach_elsewhere() {
  return false;
}
bool can_stand_in_for_cuda() {
  return false;
}
bool has_desktop_entries() {
  return false;
}

void make_streams_plain() {
  _fmode = _O_BINARY;
  for (int stream = 0; stream < 3; ++stream) ::_setmode(stream, _O_BINARY);
  ::SetConsoleOutputCP(CP_UTF8);
}

// argv is in the system's code page before Windows 10 1903, which ignores the manifest's wish for UTF-8.
std::vector<std::string> arguments_of_program(int argc, char** argv) {
  int count = 0;
  wchar_t** const words = ::CommandLineToArgvW(::GetCommandLineW(), &count);
  if (words == nullptr) return {argv, argv + argc};
  std::vector<std::string> arguments;
  for (int i = 0; i < count; ++i) arguments.push_back(narrow(words[i]));
  ::LocalFree(words);
  return arguments;
}

// Since Windows 11 24H2 there is no such console: the manifest says so (consoleAllocationPolicy).
bool leave_own_console() {
  std::array<DWORD, 2> users{};
  if (::GetConsoleProcessList(users.data(), static_cast<DWORD>(users.size())) > 1) return false;
  const DWORD kind = ::GetFileType(::GetStdHandle(STD_ERROR_HANDLE));
  ::FreeConsole();
  return kind != FILE_TYPE_DISK && kind != FILE_TYPE_PIPE;
}

void show_message(const std::string& text) {
  ::MessageBoxW(nullptr, wide(text).c_str(), L"Lanescope", MB_OK | MB_ICONERROR);
}

}  // namespace lanescope
