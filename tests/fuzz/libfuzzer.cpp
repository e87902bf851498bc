// libFuzzer's entry point: runs the target that LANESCOPE_FUZZ names.

#include <cstdio>
#include <cstdlib>

#include "fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const lanescope::fuzz::Target* const target = [] {
    const char* name = std::getenv("LANESCOPE_FUZZ");
    const lanescope::fuzz::Target* found = name == nullptr ? nullptr : lanescope::fuzz::find_target(name);
    if (found == nullptr) {
      std::fprintf(stderr, "LANESCOPE_FUZZ must name a target:");
      for (const auto& one : lanescope::fuzz::targets()) std::fprintf(stderr, " %s", one.name);
      std::fprintf(stderr, "\n");
      std::_Exit(2);
    }
    return found;
  }();
  target->run({data, size});
  return 0;
}
