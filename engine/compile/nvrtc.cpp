#include "compile/nvrtc.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>

#include <fmt/format.h>

#include "core/os/library_names.h"
#include "core/os/program_name.h"

namespace lanescope::compile {
namespace {

// NVRTC opens its builtins library by bare name. Loading the one beside NVRTC first makes the loader use it.
void load_builtins_beside(const std::string& nvrtc_path) {
  const auto folder = std::filesystem::path(nvrtc_path).parent_path();
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(folder, ignored))
    if (version_of_library(entry.path().filename().generic_string(), "nvrtc-builtins"))
      DynamicLibrary::open(entry.path().generic_string());
}

bool find_nvrtc_functions(Nvrtc& nvrtc, std::string& missing) {
  const DynamicLibrary& from = nvrtc.library;
  auto take = [&](const char* name, auto*& function) {
    if (from.find(name, function)) return true;
    missing = name;
    return false;
  };
  from.find("nvrtcSetFlowCallback", nvrtc.set_flow_callback);
  from.find("nvrtcGetCUBINSize", nvrtc.cubin_size);
  from.find("nvrtcGetCUBIN", nvrtc.cubin);
  return take("nvrtcVersion", nvrtc.version) && take("nvrtcGetNumSupportedArchs", nvrtc.supported_arch_count) &&
         take("nvrtcGetSupportedArchs", nvrtc.supported_archs) && take("nvrtcCreateProgram", nvrtc.create_program) &&
         take("nvrtcDestroyProgram", nvrtc.destroy_program) &&
         take("nvrtcAddNameExpression", nvrtc.add_name_expression) &&
         take("nvrtcCompileProgram", nvrtc.compile_program) && take("nvrtcGetLoweredName", nvrtc.lowered_name) &&
         take("nvrtcGetProgramLogSize", nvrtc.log_size) && take("nvrtcGetProgramLog", nvrtc.log) &&
         take("nvrtcGetPTXSize", nvrtc.ptx_size) && take("nvrtcGetPTX", nvrtc.ptx) &&
         take("nvrtcGetErrorString", nvrtc.error_string);
}

std::unique_ptr<Nvrtc> open_nvrtc(const std::string& path, std::string& reason) {
  if (is_path(path)) load_builtins_beside(path);
  auto nvrtc = std::make_unique<Nvrtc>();
  nvrtc->library = DynamicLibrary::open(path);
  if (!nvrtc->library) {
    reason = nvrtc->library.error();
    return nullptr;
  }
  std::string missing;
  if (!find_nvrtc_functions(*nvrtc, missing)) {
    reason = fmt::format("{} lacks {}", path, missing);
    return nullptr;
  }
  int count = 0;
  if (nvrtc->version(&nvrtc->major, &nvrtc->minor) != Nvrtc::success ||
      nvrtc->supported_arch_count(&count) != Nvrtc::success || count <= 0) {
    reason = path + " does not answer";
    return nullptr;
  }
  nvrtc->architectures.resize(static_cast<std::size_t>(count));
  nvrtc->supported_archs(nvrtc->architectures.data());
  std::sort(nvrtc->architectures.begin(), nvrtc->architectures.end());
  return nvrtc;
}

}  // namespace

const Nvrtc* Nvrtc::load(const std::string& path, std::string& reason) {
  struct Loaded {
    std::unique_ptr<Nvrtc> nvrtc;
    std::string reason;
  };
  static std::mutex guard;
  static std::map<std::string, Loaded> loaded;
  const std::lock_guard lock(guard);
  const auto [entry, fresh] = loaded.try_emplace(path);
  // A failure is not cached: the library may be installed while the program runs.
  if (fresh || !entry->second.nvrtc) entry->second.nvrtc = open_nvrtc(path, entry->second.reason);
  reason = entry->second.reason;
  return entry->second.nvrtc.get();
}

}  // namespace lanescope::compile
