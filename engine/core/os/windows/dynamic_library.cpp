#include "core/os/dynamic_library.h"

#include <windows.h>

#include <filesystem>

#include "core/os/program_name.h"
#include "core/os/windows/system_text.h"

namespace lanescope {
namespace {

std::string path_of_module(HMODULE module) {
  wchar_t path[4096];
  const DWORD length = ::GetModuleFileNameW(module, path, static_cast<DWORD>(std::size(path)));
  return as_path({path, length});
}

}  // namespace

// `symbols` has no effect: on Windows every library has its own namespace.
DynamicLibrary DynamicLibrary::open(const std::string& path, Symbols) {
  DynamicLibrary library;
  library.path_ = path;
  // The library's own dependencies are searched next to it, which needs an absolute path.
  const DWORD beside = is_path(path) ? LOAD_LIBRARY_SEARCH_DLL_LOAD_DIR : 0;
  const std::wstring wanted = is_path(path) ? std::filesystem::absolute(wide(path)).wstring() : wide(path);
  const HMODULE module =
      ::LoadLibraryExW(native_path(narrow(wanted)).c_str(), nullptr, LOAD_LIBRARY_SEARCH_DEFAULT_DIRS | beside);
  if (module == nullptr) {
    library.error_ = path + ": " + words_of_error(::GetLastError());
    return library;
  }
  library.handle_ = reinterpret_cast<void*>(module);
  library.path_ = path_of_module(module);
  return library;
}

DynamicLibrary DynamicLibrary::opened_elsewhere(const std::string& path) {
  DynamicLibrary library;
  library.path_ = path;
  library.handle_ = reinterpret_cast<void*>(::GetModuleHandleW(native_path(path).c_str()));
  if (library.handle_ == nullptr) library.error_ = "is not open";
  return library;
}

void* DynamicLibrary::symbol(const char* name) const {
  if (handle_ == nullptr) return nullptr;
  return reinterpret_cast<void*>(::GetProcAddress(reinterpret_cast<HMODULE>(handle_), name));
}

}  // namespace lanescope
