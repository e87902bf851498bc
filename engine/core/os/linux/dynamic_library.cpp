#include "core/os/dynamic_library.h"

#include <dlfcn.h>
#include <link.h>

namespace lanescope {

DynamicLibrary DynamicLibrary::open(const std::string& path, Symbols symbols) {
  DynamicLibrary library;
  library.path_ = path;
  library.handle_ = dlopen(path.c_str(), RTLD_NOW | (symbols == Symbols::global ? RTLD_GLOBAL : RTLD_LOCAL));
  if (library.handle_ == nullptr) {
    const char* reason = dlerror();
    library.error_ = reason != nullptr ? reason : "cannot be loaded";
    return library;
  }
  link_map* map = nullptr;
  if (dlinfo(library.handle_, RTLD_DI_LINKMAP, &map) == 0 && map != nullptr && map->l_name[0] != 0)
    library.path_ = map->l_name;
  return library;
}

DynamicLibrary DynamicLibrary::opened_elsewhere(const std::string& path) {
  DynamicLibrary library;
  library.path_ = path;
  library.handle_ = dlopen(path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (library.handle_ != nullptr)
    dlclose(library.handle_);  // undoes the increment: the handle stays valid while the other code has the library open
  else
    library.error_ = "is not open";
  return library;
}

void* DynamicLibrary::symbol(const char* name) const {
  return handle_ != nullptr ? dlsym(handle_, name) : nullptr;
}

}  // namespace lanescope
