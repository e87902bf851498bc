#pragma once
// One call of nvcc, and what it is given because the code needs it. Internal to compile/nvcc.

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "compile/nvcc/nvcc.h"
#include "core/os/subprocess.h"

namespace lanescope::compile {

// What code needs that nvcc does not build as it stands.
struct Needed {
  std::vector<std::string> options;
  bool names_of_cuda_12 = false;
  std::string architecture;  // "sm_90a": the one with the features of its own; empty: that which was asked for
};

// Starts nvcc with `options(own)`, and again while something helps that the code needs, which is added to `needed` and
// to `own`, the user's further options. `folder`: for files of its own. `options` reads needed.architecture itself.
ProgramOutcome run_nvcc(const LocatedNvcc& nvcc, const std::filesystem::path& folder,
                        const std::function<std::vector<std::string>(const std::vector<std::string>& own)>& options,
                        std::vector<std::string> own, std::chrono::seconds limit, const std::function<bool()>& stop,
                        Needed& needed);

// "sm_90a" if ptxas refused, for sm_90, instructions of features that only one architecture has. Later architectures
// likewise. Else empty.
std::string architecture_of_own(const std::string& log);

// A note for each thing that the code needed.
Diagnostics notes_of(const Needed& needed, const std::string& file);

}  // namespace lanescope::compile
