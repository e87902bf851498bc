#include "core/os/pipes.h"

#include <io.h>
#include <windows.h>

namespace lanescope {

// Windows cannot wait for data in a pipe, so this polls.
bool readable(int descriptor, int milliseconds) {
  const auto handle = reinterpret_cast<HANDLE>(::_get_osfhandle(descriptor));
  if (::GetFileType(handle) != FILE_TYPE_PIPE)
    return ::WaitForSingleObject(handle, static_cast<DWORD>(milliseconds)) == WAIT_OBJECT_0;
  const ULONGLONG end = ::GetTickCount64() + static_cast<ULONGLONG>(milliseconds);
  for (;;) {
    DWORD there = 0;
    if (::PeekNamedPipe(handle, nullptr, 0, nullptr, &there, nullptr) == 0 || there > 0) return true;
    if (::GetTickCount64() >= end) return false;
    ::Sleep(1);
  }
}

std::ptrdiff_t read_arrived(int descriptor, void* to, std::size_t bytes) {
  return ::_read(descriptor, to, static_cast<unsigned>(bytes));
}

// No effect: open_pipe() already chooses the size.
void make_roomy(int) {}

// On Windows a broken pipe only gives an error.
struct BrokenPipesAreErrors::Before {};
BrokenPipesAreErrors::BrokenPipesAreErrors() = default;
BrokenPipesAreErrors::~BrokenPipesAreErrors() = default;

}  // namespace lanescope
