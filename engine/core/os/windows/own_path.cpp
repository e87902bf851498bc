#include "core/os/own_path.h"

#include <windows.h>

#include "core/os/windows/system_text.h"

namespace lanescope {

std::filesystem::path own_path() {
  std::wstring path(1024, L'\0');
  for (;;) {
    const DWORD length = ::GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size()));
    if (length == 0) return {};
    if (length < path.size()) return as_path({path.data(), length});
    path.resize(path.size() * 2);
  }
}

std::string own_program() {
  return own_path().generic_string();
}

}  // namespace lanescope
