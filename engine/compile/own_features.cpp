#include "compile/own_features.h"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "compile/toolchain.h"

namespace lanescope::compile {

namespace {

// The instructions of sm_90a, and the macros that indicate them.
bool needs_own_features(std::string_view text) {
  static constexpr std::string_view marks[] = {"wgmma.", "setmaxnreg", "tensormap.replace", "__CUDA_ARCH_FEAT_SM90_ALL",
                                               "CUTLASS_ARCH_MMA_SM90"};
  return std::any_of(std::begin(marks), std::end(marks),
                     [&](std::string_view mark) { return text.find(mark) != std::string_view::npos; });
}

}  // namespace

std::string with_own_features(const std::string& arch, const Source& source, const IncludeTree& included) {
  if (architecture_number(arch) != 90 || !arch.ends_with("90")) return arch;
  if (needs_own_features(source.text)) return arch + "a";
  const bool one_does = std::any_of(included.files.begin(), included.files.end(),
                                    [](const IncludedFile& file) { return needs_own_features(file.content); });
  return one_does ? arch + "a" : arch;
}

}  // namespace lanescope::compile
