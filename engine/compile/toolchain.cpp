#include "compile/toolchain.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>

#include <fmt/format.h>

#include "compile/compiler_process.h"
#include "core/architecture.h"
#include "core/os/environment.h"
#include "core/os/library_names.h"
#include "core/os/own_path.h"
#include "core/os/program_name.h"
#include "core/worded.h"

namespace lanescope::compile {
namespace fs = std::filesystem;
namespace {

constexpr int oldest_major = 12;

std::string variable(const char* name) {
  return value_of_variable(name).value_or("");
}

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

std::vector<fs::path> matching(const fs::path& folder, const std::function<bool(const std::string& file)>& fits) {
  std::vector<fs::path> found;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (fits(entry.path().filename().generic_string())) found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

// Folders of a root that contain libraries: a toolkit's, our fetched ones, and those of pip's wheels.
std::vector<fs::path> library_folders(const fs::path& root) {
  return {root / "lib64", root / "lib", root / "cuda/lib", root / "targets/x86_64-linux/lib", root / "nvidia/cu13/lib",
          root / "nvidia/cuda_nvrtc/lib", root / "nvidia/nvjitlink/lib",
          // On Windows:
          root / "bin/x86_64", root / "bin/x64", root / "bin", root / "nvidia/cu13/bin/x86_64",
          root / "nvidia/cuda_nvrtc/bin", root / "nvidia/nvjitlink/bin", root};
}

// Wheels of CUDA 13 and of earlier versions may be installed side by side.
std::vector<fs::path> include_folders(const fs::path& root, int major) {
  std::vector<fs::path> folders{root / "include", root / "cuda/include", root / "targets/x86_64-linux/include"};
  std::vector<fs::path> of_wheels{root / "nvidia/cu13/include", root / "nvidia/cuda_runtime/include",
                                  root / "nvidia/cuda_cccl/include"};
  if (major < 13) std::rotate(of_wheels.begin(), of_wheels.begin() + 1, of_wheels.end());
  folders.insert(folders.end(), of_wheels.begin(), of_wheels.end());
  return folders;
}

std::vector<fs::path> program_folders(const fs::path& root) {
  return {root / "bin", root / "cuda/bin", root / "nvidia/cu13/bin", root / "nvidia/cuda_nvdisasm/bin"};
}

struct Found {
  std::string path;
  int major = 0;
};

// The newest libNAME.so.N of a root that is new enough (and of version `major` if given).
std::optional<Found> find_library(const fs::path& root, const std::string& name, int major,
                                  std::string* too_old = nullptr) {
  for (const fs::path& folder : library_folders(root)) {
    std::optional<Found> best;
    const auto fits = [&](const std::string& file) { return version_of_library(file, name).has_value(); };
    for (const fs::path& file : matching(folder, fits)) {
      const int version = version_of_library(file.filename().generic_string(), name).value_or(0);
      if (major != 0 && version != major) continue;
      if (version < oldest_major) {
        if (too_old != nullptr) *too_old = file.generic_string();
        continue;
      }
      if (!best || version > best->major) best = Found{file.generic_string(), version};
    }
    if (best) return best;
  }
  return std::nullopt;
}

void add_root(std::vector<std::string>& roots, const fs::path& path) {
  if (path.empty() || !is_there(path)) return;
  const std::string root = path.lexically_normal().generic_string();
  if (std::find(roots.begin(), roots.end(), root) == roots.end()) roots.push_back(root);
}

void add_site_packages(std::vector<std::string>& roots, const fs::path& prefix) {
  const auto is_python = [](const std::string& file) { return file.starts_with("python3"); };
  for (const fs::path& python : matching(prefix / "lib", is_python))
    for (const char* leaf : {"site-packages", "dist-packages"})
      if (is_there(python / leaf / "nvidia")) add_root(roots, python / leaf);
}

// Adds the executable's folder and its parents: the executable is in build/PRESET/ of its source tree, or in
// PREFIX/bin.
void add_beside_executable(std::vector<std::string>& roots) {
  fs::path folder = own_path().parent_path();
  if (folder.empty()) return;
  for (int up = 0; up < 5 && folder != folder.root_path(); ++up, folder = folder.parent_path()) {
    add_root(roots, folder / "share/lanescope/cuda");
    add_root(roots, folder / "third_party/.fetched/cuda");
  }
}

Diagnostic no_nvrtc(const Wording& reason) {
  Diagnostic diagnostic;
  diagnostic.code = "toolchain.no_nvrtc";
  diagnostic.message = reason.empty()
                           ? "NVRTC, the library that compiles CUDA at run time, was not found."
                           : worded("NVRTC, the library that compiles CUDA at run time, cannot be used: {}.", reason);
  const std::string only = variable("LANESCOPE_CUDA");  // what is installed elsewhere would not be found
  diagnostic.cure =
      only.empty()
          ? how_to_get({"nvidia-cuda-nvrtc"},
                       "Run third_party/fetch cuda (it needs no GPU), install the CUDA Toolkit 12 or newer, or set "
                       "LANESCOPE_CUDA to a "
                       "folder that has lib/libnvrtc.so and include/.")
          : worded(
                "LANESCOPE_CUDA is {}, so only that folder is searched. Unset it, or set it to a folder that has "
                "NVRTC and its headers.",
                only);
  return diagnostic;
}

// The NVRTC of the first root that has one that loads; of version `major` if given.
Result<LocatedToolchain> locate_nvrtc(const SearchPlaces& places, int major = 0) {
  LocatedToolchain located;
  std::string too_old;
  std::optional<Diagnostic> no_worker;
  Wording reason;  // of the best one that exists but does not load
  auto take = [&](const std::string& path) {
    const Result<const NvrtcLibrary*> told = nvrtc_at(path);
    if (!told) {
      const Diagnostic& why = told.errors().front();
      if (why.code == "toolchain.no_worker")
        no_worker = why;
      else if (reason.empty() && is_path(path))
        reason = why.message;
      return no_worker.has_value();
    }
    located.nvrtc = *told;
    if (located.nvrtc->major < oldest_major || (major != 0 && located.nvrtc->major != major)) {
      too_old = path;
      located.nvrtc = nullptr;
      return false;
    }
    located.parts.nvrtc_path = located.nvrtc->path;
    located.parts.nvrtc_version = fmt::format("{}.{}", located.nvrtc->major, located.nvrtc->minor);
    return true;
  };
  const auto found_one = [&]() -> Result<LocatedToolchain> {
    if (no_worker) return *no_worker;
    return located;
  };
  for (const std::string& root : places.roots)
    if (const auto found = find_library(root, "nvrtc", major, &too_old))
      if (take(found->path)) return found_one();
  if (places.loader_path)
    for (const std::string& name : names_of_library("nvrtc", {13, 12}))
      if (take(name)) return found_one();
  if (!too_old.empty()) return no_nvrtc(worded("{} is older than version {}", too_old, oldest_major));
  return no_nvrtc(reason);
}

void locate_headers(LocatedToolchain& located, const std::vector<std::string>& roots) {
  std::vector<std::string>& paths = located.parts.include_paths;
  auto add = [&](const fs::path& folder) {
    const std::string path = folder.lexically_normal().generic_string();
    if (is_there(folder) && std::find(paths.begin(), paths.end(), path) == paths.end()) paths.push_back(path);
  };
  // A root may have the runtime's and libcu++'s headers in one folder or, in wheels, in two.
  for (const std::string& root : roots) {
    bool runtime = false, library = false;
    for (const fs::path& folder : include_folders(root, located.nvrtc->major)) {
      const bool has_runtime = is_there(folder / "cuda_fp16.h");
      const bool has_library = is_there(folder / "nv/target") || is_there(folder / "cccl/nv/target");
      if ((!has_runtime || runtime) && (!has_library || library)) continue;
      runtime = runtime || has_runtime;
      library = library || has_library;
      add(folder);
      add(folder / "cccl");
    }
  }
}

std::string locate_tool(const std::vector<std::string>& roots, const char* name, bool in_path) {
  const std::string file = program_file(name);
  std::vector<fs::path> folders;
  for (const std::string& root : roots)
    for (const fs::path& folder : program_folders(root)) folders.push_back(folder);
  if (in_path) {
    const std::vector<std::string> of_shell = folders_of_programs();
    folders.insert(folders.end(), of_shell.begin(), of_shell.end());
  }
  for (const fs::path& folder : folders)
    if (is_there(folder / file)) return (folder / file).lexically_normal().generic_string();
  return "";
}

}  // namespace

std::string locate_program(const SearchPlaces& places, const char* name) {
  return locate_tool(places.roots, name, places.loader_path);
}

SearchPlaces SearchPlaces::of_this_process() {
  SearchPlaces places;
  if (const std::string only = variable("LANESCOPE_CUDA"); !only.empty()) {
    places.roots = {only};
    places.loader_path = false;
    return places;
  }
  std::vector<std::string>& roots = places.roots;
  if (const std::string deps = variable("LANESCOPE_DEPS"); !deps.empty()) add_root(roots, fs::path(deps) / "cuda");
  add_beside_executable(roots);
  for (const fs::path& site : installation().all_site_packages)
    if (is_there(site / "nvidia")) add_root(roots, site);
  add_root(roots, variable("CUDA_HOME"));
  add_root(roots, variable("CUDA_PATH"));
  add_root(roots, "/usr/local/cuda");
  for (const char* prefix : {"VIRTUAL_ENV", "CONDA_PREFIX"})
    if (const std::string folder = variable(prefix); !folder.empty()) {
      add_site_packages(roots, folder);
      add_root(roots, folder);
    }
  if (const std::string home = home_folder(); !home.empty()) add_site_packages(roots, fs::path(home) / ".local");
  add_site_packages(roots, "/usr/local");
  add_site_packages(roots, "/usr");
  return places;
}

namespace {

// Adds the parts that belong to this NVRTC.
Result<LocatedToolchain> complete(Result<LocatedToolchain> located, const SearchPlaces& places) {
  if (!located) return located;
  // Headers and libraries that belong together come from NVRTC's own root first, then from the others.
  std::vector<std::string> roots = places.roots;
  std::stable_partition(roots.begin(), roots.end(),
                        [&](const std::string& root) { return located->parts.nvrtc_path.starts_with(root + "/"); });
  locate_headers(*located, roots);
  for (const std::string& root : roots)
    if (const auto found = find_library(root, "nvJitLink", located->nvrtc->major)) {
      located->parts.sass_compiler_path = found->path;
      break;
    }
  // nvdisasm drops old GPUs later than NVRTC does (13.2: those below sm_75), so a toolkit of the same major version
  // comes first.
  std::stable_partition(roots.begin(), roots.end(), [&](const std::string& root) {
    return find_library(root, "nvrtc", located->nvrtc->major).has_value();
  });
  located->parts.disassembler_path = locate_tool(roots, "nvdisasm", places.loader_path);
  return located;
}

Diagnostic no_nvrtc_12(const std::string& arch, const LocatedToolchain& newest) {
  Diagnostic diagnostic;
  diagnostic.code = "toolchain.no_nvrtc_12";
  diagnostic.message =
      worded("NVRTC {} no longer compiles for {}: that needs the NVRTC of CUDA 12, which was not found.",
             newest.parts.nvrtc_version, arch);
  diagnostic.cure = how_to_get(
      {"nvidia-cuda-nvrtc-cu12", "nvidia-cuda-runtime-cu12", "nvidia-cuda-cccl-cu12", "nvidia-nvjitlink-cu12"},
      "Run third_party/fetch cuda12 (it needs no GPU), or install the CUDA Toolkit 12.9.");
  return diagnostic;
}

}  // namespace

int architecture_number(const std::string& arch) {
  const std::string digits(parts_of_architecture(arch).digits);
  return !digits.empty() && digits.size() < 5 ? std::stoi(digits) : 0;
}

Result<LocatedToolchain> locate_toolchain(const SearchPlaces& places) {
  return complete(locate_nvrtc(places), places);
}

Result<LocatedToolchain> locate_toolchain_for(const std::string& arch, const SearchPlaces& places) {
  auto newest = locate_toolchain(places);
  const int number = architecture_number(arch);
  if (!newest || number < oldest_of_cuda_12 || number >= oldest_of_cuda_13) return newest;
  const auto& known = newest->nvrtc->architectures;
  if (newest->nvrtc->major == 12 || std::find(known.begin(), known.end(), number) != known.end()) return newest;
  // Each `cuda` folder may have a `cuda12` beside it.
  SearchPlaces older = places;
  older.loader_path = false;
  for (const std::string& root : places.roots) {
    const fs::path beside = fs::path(root).parent_path() / "cuda12";
    if (fs::path(root).filename() == "cuda" && is_there(beside))
      older.roots.insert(older.roots.begin(), beside.generic_string());
  }
  auto located = locate_nvrtc(older, 12);
  if (!located) return no_nvrtc_12(arch, *newest);
  return complete(std::move(located), older);
}

Result<LocatedToolchain> locate_toolchain_for(const std::string& arch) {
  return locate_toolchain_for(arch, SearchPlaces::of_this_process());
}

Result<LocatedToolchain> locate_toolchain() {
  return locate_toolchain(SearchPlaces::of_this_process());
}

Wording how_to_get(const Installation& installation, std::initializer_list<std::string_view> packages,
                   const Wording& otherwise) {
  if (installation.is_alone)
    return worded(
        "Start the program in the folder where it was installed or unpacked: without its other files it does not work "
        "in {}.",
        installation.program.parent_path().generic_string());
  if (!installation.is_wheel() && installation.archive.empty()) return otherwise;
  std::vector<std::string_view> all(packages);
  // After `pip install --no-deps` or an interrupted one several are missing: one command brings all.
  const std::vector<PackageState> needed =
      installation.archive.empty() ? packages_of(installation, "cuda") : std::vector<PackageState>();
  for (const PackageState& one : needed)
    if (!one.whole() && std::ranges::find(all, one.name) == all.end()) all.push_back(one.name);
  return how_to_install(installation, all);
}

Wording how_to_get(std::initializer_list<std::string_view> packages, const Wording& otherwise) {
  return how_to_get(installation(), packages, otherwise);
}

Wording how_to_mend(std::initializer_list<std::string_view> packages) {
  if (const std::string& archive = installation().archive; !archive.empty())
    return worded("See `{} doctor`; unpacking {} again may help.", program_name(), archive);
  if (installation().is_wheel())
    return worded("See `{} doctor`; `{}` may help.", program_name(),
                  command_to_install(installation(), {packages.begin(), packages.end()}));
  return worded("See `{} doctor`; fetching the compiler again (third_party/fetch cuda) may help.", program_name());
}

std::string version_in_ptx(const std::string& ptx) {
  const std::size_t at = ptx.find(", V");
  if (at == std::string::npos || at > 1000) return "";
  const std::size_t end = ptx.find_first_not_of("0123456789.", at + 3);
  return ptx.substr(at + 3, end - at - 3);
}

Result<Toolchain> find_toolchain() {
  auto located = locate_toolchain();
  if (!located) return located.take_errors();
  static std::mutex guard;
  static std::map<std::string, std::string> versions;  // by library path
  const std::lock_guard lock(guard);
  std::string& version = versions[located->parts.nvrtc_path];
  if (version.empty()) {
    const auto ptx = compile({"version.cu", "", {}}, {});
    version = ptx ? ptx->compiler_version : located->parts.nvrtc_version;
  }
  located->parts.nvrtc_version = version;
  return std::move(located->parts);
}

}  // namespace lanescope::compile
