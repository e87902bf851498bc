#include "sim/alu/operation.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <cstdlib>
#include <string_view>

namespace lanescope::sim {

namespace {

#if defined(__x86_64__)
// A bit that cpuid leaves in ecx. clang 14 has no name for these features.
bool has_ecx_bit(unsigned leaf, unsigned bit) {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid(leaf, &a, &b, &c, &d) != 0 && (c >> bit & 1u) != 0;
}
#endif

Isa best_of_machine() {
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && has_ecx_bit(1, 29) &&
                    __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") && has_ecx_bit(0x80000001, 5) &&
                    __builtin_cpu_supports("popcnt");
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
