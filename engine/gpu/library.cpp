#include "gpu/library.h"

#include <chrono>
#include <filesystem>
#include <vector>

#include "core/os/dynamic_library.h"
#include "core/os/environment.h"
#include "core/os/subprocess.h"
#include "core/worded.h"

namespace lanescope::gpu {
namespace fs = std::filesystem;
namespace {

constexpr std::chrono::hours no_limit{24};  // the user can press Ctrl+C while nvcc runs

// Path of nvcc: from CUDA_HOME, CUDA_PATH, /usr/local/cuda or PATH; empty if there is none.
std::string find_nvcc() {
  std::vector<fs::path> folders;
  for (const char* name : {"CUDA_HOME", "CUDA_PATH"})
    if (const auto value = value_of_variable(name)) folders.push_back(fs::path(*value) / "bin");
  folders.emplace_back("/usr/local/cuda/bin");
  for (const std::string& folder : folders_of_programs()) folders.emplace_back(folder);
  std::error_code ignored;
  for (const fs::path& folder : folders)
    if (fs::exists(folder / program_file("nvcc"), ignored)) return (folder / program_file("nvcc")).generic_string();
  return {};
}

Diagnostic failure(Wording message, Wording cure) {
  return {.code = "gpu.library", .message = std::move(message), .cure = std::move(cure)};
}

}  // namespace

Result<std::string> build_library(const std::string& source, const std::string& arch, const std::string& folder) {
  const std::string nvcc = find_nvcc();
  if (nvcc.empty())
    return Diagnostic{.code = "gpu.no_nvcc",
                      .message =
                          "nvcc, which builds the libraries to compare with, is not on this "
                          "machine.",
                      .cure = "Install the CUDA Toolkit, or set CUDA_HOME to it. Everything else works without it."};
  std::error_code ignored;
  fs::create_directories(folder, ignored);
  const std::string stem = fs::path(source).stem().generic_string();
  const std::string made = (fs::path(folder) / (stem + "_" + arch + ".so")).generic_string();
  const ProgramOutcome built =
      run_program(nvcc, {"-O3", "-arch=" + arch, "-shared", "-Xcompiler", "-fPIC", source, "-o", made}, {}, no_limit);
  if (built.exit_status == 0) return made;
  return failure(worded("nvcc did not build {}: {}", source, built.output + built.errors),
                 "Check that the CUDA Toolkit supports the C++ compiler.");
}

Result<Library> load_library(const std::string& path) {
  const DynamicLibrary file = DynamicLibrary::open(path);
  if (!file) return failure(file.error(), "Build it again.");
  Library library;
  const char* (*name)() = nullptr;
  if (!file.find("lanescope_library_run", library.run) || !file.find("lanescope_library_name", name))
    return failure(worded("{} does not export the functions that a library to compare with needs.", path),
                   "Build it again.");
  file.find("lanescope_library_prepare", library.prepare);
  library.name = name();
  return library;
}

}  // namespace lanescope::gpu
