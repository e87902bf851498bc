#pragma once
// Finds the parts of the CUDA compiler on this machine. No path is fixed at build time.

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "compile/compiler.h"
#include "compile/nvrtc_job.h"
#include "core/os/installation.h"

namespace lanescope::compile {

// The inputs of the search. They are explicit so that a test can describe a machine without CUDA.
struct SearchPlaces {
  // Folders that may contain a toolkit, our fetched dependencies or pip's wheels, best first.
  std::vector<std::string> roots;
  // Also ask the loader for libnvrtc.so by name, and PATH for nvdisasm.
  bool loader_path = true;

  // Only LANESCOPE_CUDA if it is set. Otherwise, in order: LANESCOPE_DEPS, folders beside and above the executable (an
  // installed or a build tree), the packages that this program's wheel depends on, CUDA_HOME, CUDA_PATH,
  // /usr/local/cuda, site-packages, the loader's path.
  static SearchPlaces of_this_process();
};

// The path of one of the toolkit's programs ("nvcc"); searches PATH last. Empty if there is none.
std::string locate_program(const SearchPlaces& places, const char* name);

struct LocatedToolchain {
  Toolchain parts;  // nvrtc_version is "13.0": the full version is only known after a compilation
  const NvrtcLibrary* nvrtc = nullptr;
};
Result<LocatedToolchain> locate_toolchain(const SearchPlaces& places);
Result<LocatedToolchain> locate_toolchain();
// The toolchain for an architecture ("sm_70"). CUDA 13 no longer supports compute capabilities below 7.5. For those
// this is a CUDA 12 in the same places, or in a folder `cuda12` in LANESCOPE_DEPS or beside `cuda`.
// toolchain.no_nvrtc_12 if there is none.
Result<LocatedToolchain> locate_toolchain_for(const std::string& arch, const SearchPlaces& places);
Result<LocatedToolchain> locate_toolchain_for(const std::string& arch);
// 70 for "sm_70", "compute_70" and "70"; 0 for any other text.
int architecture_number(const std::string& arch);

// The cure for a missing part: the command that installs these packages of pins.txt if this program was installed as a
// wheel, else `otherwise`.
Wording how_to_get(const Installation& installation, std::initializer_list<std::string_view> packages,
                   const Wording& otherwise);
Wording how_to_get(std::initializer_list<std::string_view> packages, const Wording& otherwise);
// The same for a part that is present but does not work.
Wording how_to_mend(std::initializer_list<std::string_view> packages);

// "13.0.88" from the comment at the head of NVRTC's PTX; empty if there is none.
std::string version_in_ptx(const std::string& ptx);

}  // namespace lanescope::compile
