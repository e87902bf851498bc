#include "sim/alu/operation.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <cstdint>
#include <optional>
#include <string>

#include "core/os/environment.h"

namespace lanescope::sim {

namespace {

#if defined(__x86_64__)
// What the processor and the system support, read with cpuid. __builtin_cpu_supports() needs the compiler's run-time
// library, and not every one implements it.
struct Processor {
  unsigned ecx1 = 0, ebx7 = 0, ecx_extended = 0;
  std::uint64_t saved = 0;  // registers that the system saves for a thread (XCR0)

  Processor() {
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (__get_cpuid(1, &a, &b, &c, &d) != 0) ecx1 = c;
    if (__get_cpuid_count(7, 0, &a, &b, &c, &d) != 0) ebx7 = b;
    if (__get_cpuid(0x80000001, &a, &b, &c, &d) != 0) ecx_extended = c;
    constexpr unsigned osxsave = 1u << 27;
    if ((ecx1 & osxsave) == 0) return;
    unsigned low = 0, high = 0;
    __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    saved = std::uint64_t{high} << 32 | low;
  }

  bool has_avx2() const {
    constexpr unsigned fma = 1u << 12, popcnt = 1u << 23, f16c = 1u << 29;
    constexpr unsigned bmi = 1u << 3, avx2 = 1u << 5, bmi2 = 1u << 8, lzcnt = 1u << 5;
    return all(ecx1, fma | popcnt | f16c) && all(ebx7, bmi | avx2 | bmi2) && all(ecx_extended, lzcnt) &&
           all(saved, 0x6u);  // xmm, ymm
  }
  bool has_avx512() const {
    constexpr unsigned f = 1u << 16, dq = 1u << 17, cd = 1u << 28, bw = 1u << 30, vl = 1u << 31;
    return all(ebx7, f | dq | cd | bw | vl) && all(saved, 0xe6u);  // also the mask registers and zmm
  }

 private:
  static bool all(std::uint64_t word, std::uint64_t bits) { return (word & bits) == bits; }
};
#endif

Isa best_of_machine() {
#if defined(__x86_64__)
  const Processor processor;
  if (!processor.has_avx2()) return Isa::baseline;
  return processor.has_avx512() ? Isa::avx512 : Isa::avx2;
#else
  return Isa::baseline;
#endif
}

Isa choose() {
  const Isa best = best_of_machine();
  const std::optional<std::string> asked = value_of_variable("LANESCOPE_ISA");
  for (Isa isa : {Isa::baseline, Isa::avx2})
    if (asked == name_of(isa) && isa < best) return isa;
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
