#include "sim/alu/operation.h"

#include <cstdlib>
#include <string_view>

namespace lanescope::sim {

namespace {

Isa best_of_machine() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("f16c") &&
                    __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") &&
                    __builtin_cpu_supports("lzcnt") && __builtin_cpu_supports("popcnt");
  if (!avx2) return Isa::baseline;
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
                      __builtin_cpu_supports("avx512cd");
  return avx512 ? Isa::avx512 : Isa::avx2;
#else
  return Isa::baseline;
#endif
}

Isa choose() {
  const Isa best = best_of_machine();
  const char* asked = std::getenv("LANESCOPE_ISA");
  if (asked == nullptr) return best;
  for (Isa isa : {Isa::baseline, Isa::avx2})
    if (std::string_view(asked) == name_of(isa) && isa < best) return isa;
  return best;
}

}  // namespace

Isa isa() {
  static const Isa chosen = choose();
  return chosen;
}

const char* name_of(Isa isa) {
  switch (isa) {
    case Isa::baseline:
      return "baseline";
    case Isa::avx2:
      return "avx2";
    case Isa::avx512:
      return "avx512";
  }
  return "";
}

}  // namespace lanescope::sim
