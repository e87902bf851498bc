#pragma once
// Finding the CUDA compiler's parts on this machine. No part is fixed at build time.

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "compile/compiler.h"
#include "compile/nvrtc_job.h"
#include "core/os/installation.h"

namespace lanescope::compile {

// The inputs of the search, given explicitly so that a test can describe a machine that has nothing.
struct SearchPlaces {
  // Folders that may hold a toolkit, our fetched dependencies or pip's wheels, best first.
  std::vector<std::string> roots;
  // Also ask the loader for libnvrtc.so by name, and PATH for nvdisasm.
  bool loader_path = true;

  // LANESCOPE_CUDA alone when it is set. Otherwise, in order: LANESCOPE_DEPS, folders beside the executable and above
  // it (an installed or a built tree), the packages that this program's wheel depends on, CUDA_HOME, CUDA_PATH,
  // /usr/local/cuda, site-packages, the loader's path.
  static SearchPlaces of_this_process();
};

// The path of one of the toolkit's programs ("nvcc"), PATH last; empty when there is none.
std::string locate_program(const SearchPlaces& places, const char* name);

struct LocatedToolchain {
  Toolchain parts;  // nvrtc_version is "13.0": the full one takes a compilation to learn
  const NvrtcLibrary* nvrtc = nullptr;
};
Result<LocatedToolchain> locate_toolchain(const SearchPlaces& places);
Result<LocatedToolchain> locate_toolchain();
// The one for an architecture ("sm_70"). CUDA 13 no longer compiles for compute capabilities below 7.5: for those it is
// a CUDA 12 of the same places, or of a folder `cuda12` in LANESCOPE_DEPS or beside `cuda`. toolchain.no_nvrtc_12 when
// there is none.
Result<LocatedToolchain> locate_toolchain_for(const std::string& arch, const SearchPlaces& places);
Result<LocatedToolchain> locate_toolchain_for(const std::string& arch);
// 70 for "sm_70", "compute_70" and "70"; 0 when it is none of these.
int architecture_number(const std::string& arch);

// What to do about a part that is missing: the command that installs these packages of pins.txt where this program came
// as a wheel, else `otherwise`.
Wording how_to_get(const Installation& installation, std::initializer_list<std::string_view> packages,
                   const Wording& otherwise);
Wording how_to_get(std::initializer_list<std::string_view> packages, const Wording& otherwise);
// The same, of a part that is there and does not work.
Wording how_to_mend(std::initializer_list<std::string_view> packages);

// "13.0.88" from the comment at the head of NVRTC's PTX; empty when there is none.
std::string version_in_ptx(const std::string& ptx);

}  // namespace lanescope::compile
