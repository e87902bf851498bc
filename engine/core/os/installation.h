#pragma once
// How this program was installed: built in a source tree, installed from a wheel (by pip, pipx or uv), or unpacked from
// an archive, which is a wheel's environment without Python. Tells where the other files are, whether the installation
// is complete, and how to get a package back.

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
  std::filesystem::path data;     // PREFIX/share/lanescope: lessons, recordings, fonts; empty if there is none
  // For a wheel: the root of the Python environment (PREFIX/bin, PREFIX/lib; on Windows PREFIX/Scripts, PREFIX/Lib),
  // the folder of packages that lists this program, and all folders that its packages may depend on, that folder first.
  // Empty otherwise; an archive also has a `prefix`.
  std::filesystem::path prefix, site_packages;
  std::vector<std::filesystem::path> all_site_packages;
  // The version that site_packages lists. It differs from this program's if another version was installed over it.
  std::string version_there;
  // The archive: "lanescope-0.1.0-linux-x86_64.tar.gz"; empty if it was not unpacked from one. The archive for Windows
  // has no Python packages.
  std::string archive;

  // The program was moved or copied without its other files, and is not in a build folder.
  bool is_alone = false;

  bool is_wheel() const { return !site_packages.empty(); }
};

// `version` is the program's own. A program belongs to a wheel if the environment that it is in says so. If several
// versions of Python share the environment, the one that lists `version` is preferred.
Installation installation_of(const std::filesystem::path& program, std::string_view version);
// That of this process.
const Installation& installation();

// The state of a package on which a wheel depends.
struct PackageState {
  std::string name, wanted;
  std::string found;        // its version here; empty if it is not installed
  std::size_t missing = 0;  // number of its missing files; `example` is one of them
  std::string example;

  bool whole() const { return found == wanted && missing == 0; }
};
// The packages of a group of pins.txt. Checks that each of their files exists.
std::vector<PackageState> packages_of(const Installation& installation, std::string_view group);

// The files below `data` that the installer recorded and that are missing, relative to it:
// "lessons/01_coalescing/lesson.toml".
std::vector<std::string> missing_data(const Installation& installation);

// The package that should have a file with this name but lacks it: "nvidia-cuda-runtime" for "cuda_fp16.h". Empty if
// there is none.
std::string package_that_lacks(const Installation& installation, std::string_view file);

// The command that installs these packages ("nvidia-cuda-nvrtc") again, in the pinned versions. "lanescope" is this
// program's own package, from its original source. Empty unless a Python installer was used.
std::string command_to_install(const Installation& installation, std::span<const std::string_view> packages);

// The same as a cure: that command, or to unpack the archive again. Empty for a source tree.
Wording how_to_install(const Installation& installation, std::span<const std::string_view> packages);

// A document of Lanescope as messages name it: its whole path where Lanescope was installed, and "docs/security.md"
// as it is in a source tree. packaging/wheel has the list of those that are installed.
std::string document_of(const Installation& installation, std::string_view name);
// That of this process.
std::string document(std::string_view name);

}  // namespace lanescope
