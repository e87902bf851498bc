#pragma once
// A shared library opened at run time. Never closed: NVRTC and nvJitLink keep threads and caches of their own.

#include <cstdint>
#include <string>

namespace lanescope {

// Who sees a library's symbols: the program alone, or also the libraries that are opened after it.
enum class Symbols : std::uint8_t { local, global };

class DynamicLibrary {
 public:
  // `path` may be a bare name, which the loader looks up. Not open when it cannot be loaded; error() then says why.
  static DynamicLibrary open(const std::string& path, Symbols symbols = Symbols::local);
  // The library if some other code has it open, which must keep it open for as long as this is used. Loads nothing.
  static DynamicLibrary opened_elsewhere(const std::string& path);

  explicit operator bool() const { return handle_ != nullptr; }
  // The file it was loaded from, also when it was opened by a bare name.
  const std::string& path() const { return path_; }
  const std::string& error() const { return error_; }

  // Sets `function` to the symbol; false when the library does not have it.
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
