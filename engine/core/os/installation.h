#pragma once
// How this program came onto this machine: built in a source tree, installed from a wheel (by pip, pipx or uv), or
// unpacked from an archive, which is a wheel's environment without Python. Says where what came along lies, whether it
// is still whole, and how to get a package back.

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/worded.h"

namespace lanescope {

// A row of third_party/pins.txt.
struct PinnedPackage {
  std::string_view group, name, version;  // "cuda", "nvidia-cuda-nvrtc", "13.0.88"
};
std::span<const PinnedPackage> pinned_packages();

struct Installation {
  std::filesystem::path program;  // this file
  std::filesystem::path data;     // PREFIX/share/lanescope: lessons, recordings, fonts; empty when there is none
  // Of a wheel: where the Python environment begins (PREFIX/bin, PREFIX/lib; on Windows PREFIX/Scripts, PREFIX/Lib),
  // the folder of its packages that knows this program, and all the folders that its packages may depend on, that one
  // first. Empty otherwise; `prefix` is also an archive's.
  std::filesystem::path prefix, site_packages;
  std::vector<std::filesystem::path> all_site_packages;
  // The version that site_packages names: not this program's when another was installed over it.
  std::string version_there;
  // What it was unpacked from: "lanescope-0.1.0-linux-x86_64.tar.gz"; empty when it was not. The one for Windows has no
  // Python packages.
  std::string archive;

  // The file was moved or copied without its parts. Not so in a build folder.
  bool is_alone = false;

  bool is_wheel() const { return !site_packages.empty(); }
};

// `version` is the program's own. A program is a wheel's when the environment it lies in says so; where several
// versions of Python share the environment, the one that names `version` comes first.
Installation installation_of(const std::filesystem::path& program, std::string_view version);
// This process's.
const Installation& installation();

// What became of a package that a wheel depends on.
struct PackageState {
  std::string name, wanted;
  std::string found;        // its version here; empty when it is not installed
  std::size_t missing = 0;  // of its files; `example` is one of them
  std::string example;

  bool whole() const { return found == wanted && missing == 0; }
};
// The packages of a group of pins.txt, each file of theirs looked for.
std::vector<PackageState> packages_of(const Installation& installation, std::string_view group);

// The package that should have a file of this name and lacks it: "nvidia-cuda-runtime" for "cuda_fp16.h". Empty when
// none does.
std::string package_that_lacks(const Installation& installation, std::string_view file);

// What to type so that these packages ("nvidia-cuda-nvrtc") are there again in the pinned version; "lanescope" is this
// program's own, from where it came the first time. Empty unless an installer of Python's put it here.
std::string command_to_install(const Installation& installation, std::span<const std::string_view> packages);

// The same as a cure: that command, or to unpack the archive again. Empty for a source tree.
Wording how_to_install(const Installation& installation, std::span<const std::string_view> packages);

}  // namespace lanescope
