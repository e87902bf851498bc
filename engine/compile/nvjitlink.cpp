#include "compile/nvjitlink.h"

#include <map>
#include <memory>
#include <mutex>

namespace lanescope::compile {
namespace {

bool find_functions(NvJitLink& linker, std::string& missing) {
  auto take = [&](const char* name, auto*& function) {
    if (linker.library.find(name, function)) return true;
    // Libraries before version 13 export their functions under names with a version suffix.
    for (const char* version :
         {"_13_0", "_12_9", "_12_8", "_12_6", "_12_5", "_12_4", "_12_3", "_12_2", "_12_1", "_12_0"})
      if (linker.library.find(("__" + std::string(name) + version).c_str(), function)) return true;
    missing = name;
    return false;
  };
  return take("nvJitLinkCreate", linker.create) && take("nvJitLinkDestroy", linker.destroy) &&
         take("nvJitLinkAddData", linker.add_data) && take("nvJitLinkComplete", linker.complete) &&
         take("nvJitLinkGetLinkedCubinSize", linker.cubin_size) && take("nvJitLinkGetLinkedCubin", linker.cubin) &&
         take("nvJitLinkGetErrorLogSize", linker.error_log_size) && take("nvJitLinkGetErrorLog", linker.error_log) &&
         take("nvJitLinkGetInfoLogSize", linker.info_log_size) && take("nvJitLinkGetInfoLog", linker.info_log);
}

}  // namespace

const NvJitLink* NvJitLink::load(const std::string& path, std::string& reason) {
  static std::mutex guard;
  static std::map<std::string, std::unique_ptr<NvJitLink>> loaded;
  const std::lock_guard lock(guard);
  std::unique_ptr<NvJitLink>& linker = loaded[path];
  if (linker) return linker.get();
  auto fresh = std::make_unique<NvJitLink>();
  fresh->library = DynamicLibrary::open(path);
  std::string missing;
  if (!fresh->library) {
    reason = fresh->library.error();
  } else if (!find_functions(*fresh, missing)) {
    reason = path + " lacks " + missing;
  } else {
    linker = std::move(fresh);
  }
  return linker.get();
}

}  // namespace lanescope::compile
