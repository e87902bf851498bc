#pragma once
// A shared library that is opened at run time. Never closed, because NVRTC and nvJitLink keep threads and caches.

#include <cstdint>
#include <string>

namespace lanescope {

// Who sees a library's symbols: only this program, or also libraries that are opened later.
enum class Symbols : std::uint8_t { local, global };

class DynamicLibrary {
 public:
  // `path` may be a bare name, which the loader looks up. If the library cannot be loaded, the result is not open, and
  // error() has the reason.
  static DynamicLibrary open(const std::string& path, Symbols symbols = Symbols::local);
  // The library, if other code has it open. That code must keep it open while this object is used. Loads nothing.
  static DynamicLibrary opened_elsewhere(const std::string& path);

  explicit operator bool() const { return handle_ != nullptr; }
  // The file from which it was loaded, even if it was opened by a bare name.
  const std::string& path() const { return path_; }
  const std::string& error() const { return error_; }

  // Sets `function` to the symbol. False if the library does not have it.
  template <typename Function>
  bool find(const char* name, Function*& function) const {
    function = reinterpret_cast<Function*>(symbol(name));
    return function != nullptr;
  }

 private:
  void* symbol(const char* name) const;

  void* handle_ = nullptr;
  std::string path_, error_;
};

}  // namespace lanescope
