// f32 and f64 arithmetic against the host's own, in the instruction's rounding mode. NaN results and other details that
// the manual leaves open are as in alu_rows.h.
#include <cfenv>
#include <cmath>
#include <limits>

#include "alu_cases.h"
#include "alu_exact.h"
#include "alu_values.h"

#if defined(__x86_64__)
#include <emmintrin.h>
#endif

namespace lanescope::sim::alu_float {
namespace {

using U32 = std::uint32_t;
using U64 = std::uint64_t;
using Cases = std::vector<AluCase>;

int mode_of(const std::string& rounding) {
  return rounding == "rz"   ? FE_TOWARDZERO
         : rounding == "rm" ? FE_DOWNWARD
         : rounding == "rp" ? FE_UPWARD
                            : FE_TONEAREST;
}

// f(a, b, c) in a rounding mode. The operands are volatile, so nothing is computed before the mode is set.
template <class T, class F>
T in_mode(const std::string& rounding, F f, T a, T b, T c) {
  volatile T x = a, y = b, z = c;
  std::fesetround(mode_of(rounding));
  volatile T result = f(x, y, z);
  std::fesetround(FE_TONEAREST);
  return result;
}

template <class T>
using Function = T (*)(T, T, T);
// mingw-w64's sqrt() for Windows computes with x87's 64 bits and rounds their result again: sqrt(1 - 2^-53) becomes 1.
float root(float a) {
  return std::sqrt(a);  // 64 bits are enough here
}
double root(double a) {
#if defined(__x86_64__)
  return _mm_cvtsd_f64(_mm_sqrt_sd(_mm_setzero_pd(), _mm_set_sd(a)));
#else
  return std::sqrt(a);
#endif
}

template <class T>
struct Operation3 {
  const char* name;
  int operands;
  Function<T> f;
};
template <class T>
constexpr Operation3<T> operations[] = {{"add", 2, [](T a, T b, T) -> T { return a + b; }},
                                        {"sub", 2, [](T a, T b, T) -> T { return a - b; }},
                                        {"mul", 2, [](T a, T b, T) -> T { return a * b; }},
                                        {"div", 2, [](T a, T b, T) -> T { return a / b; }},
                                        {"rcp", 1, [](T a, T, T) -> T { return T(1) / a; }},
                                        {"sqrt", 1, [](T a, T, T) -> T { return root(a); }},
                                        {"fma", 3, [](T a, T b, T c) -> T { return std::fma(a, b, c); }},
                                        {"mad", 3, [](T a, T b, T c) -> T { return std::fma(a, b, c); }}};

float flushed(float x) {
  return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x;
}

U64 finish32(float r, bool ftz, bool sat) {
  if (ftz) r = flushed(r);
  if (sat) return bits_of(std::isnan(r) || r <= 0 ? 0.0f : r >= 1 ? 1.0f : r);
  return std::isnan(r) ? 0x7fffffffu : bits_of(r);
}
U64 reference32(const Operation3<float>& operation, const std::string& rounding, bool ftz, bool sat, U64 a, U64 b,
                U64 c) {
  const auto in = [&](U64 bits) { return ftz ? flushed(f32(bits)) : f32(bits); };
  return finish32(in_mode<float>(rounding, operation.f, in(a), in(b), in(c)), ftz, sat);
}
// Of NaN operands an H200 gives the second, then the third, then the first, made quiet; of a division the first.
U64 reference64(const Operation3<double>& operation, const std::string& rounding, const Sources& in, bool division) {
  const U64 operands[] = {in.b, in.c, in.a};
  if (division && std::isnan(f64(in.a))) return in.a | U64{1} << 51;
  for (int i = operation.operands == 1 ? 2 : 0; i < 3; ++i)
    if ((i != 1 || operation.operands == 3) && std::isnan(f64(operands[i]))) return operands[i] | U64{1} << 51;
  const double r = in_mode<double>(rounding, operation.f, f64(in.a), f64(in.b), f64(in.c));
  return std::isnan(r) ? 0xfff8000000000000u : bits_of(r);
}

Inputs inputs(int operands, const std::string& type, int random) {
  if (operands == 1) return singles_of(type, 4 * random);
  if (operands == 2) return pairs_of(type, type, random);
  return triples_of(type, type, type, random);
}
// Sums that nearly cancel, and products near the ends of the range, where rounding modes differ most.
Inputs hard_triples(const std::string& type, int count) {
  return triples_of(type, type, type, count).then([=](std::vector<Sources>& values) {
    for (std::size_t i = 0; i < values.size(); i += 2) {
      Sources& s = values[i];
      s.c = i % 3 ^ (type == "f32" ? bits_of(-(f32(s.a) * f32(s.b))) : bits_of(-(f64(s.a) * f64(s.b))));
    }
  });
}
std::string operands_of(char letter, int sources) {
  std::string text;
  for (int i = 0; i <= sources; ++i) text += (i ? ", %" : "%") + std::string(1, letter) + std::to_string(i);
  return text;
}

void arithmetic32(Cases& cases) {
  for (const auto& operation : operations<float>) {
    const std::string name = operation.name;
    const bool may_saturate = name != "div" && name != "rcp" && name != "sqrt";
    const bool may_omit = name == "add" || name == "sub" || name == "mul";
    for (const std::string rounding : {"", "rn", "rz", "rm", "rp"})
      for (const bool ftz : {false, true})
        for (const bool sat : {false, true}) {
          if ((sat && !may_saturate) || (rounding.empty() && !may_omit)) continue;
          const std::string mnemonic =
              name + (rounding.empty() ? "" : "." + rounding) + (ftz ? ".ftz" : "") + (sat ? ".sat" : "") + ".f32";
          cases.push_back(
              {mnemonic,
               operands_of('r', operation.operands),
               operation.operands == 3 ? hard_triples("f32", 3000) : inputs(operation.operands, "f32", 2000),
               [=](const Sources& in) { return reference32(operation, rounding, ftz, sat, in.a, in.b, in.c); },
               {}});
        }
  }
}

void arithmetic64(Cases& cases) {
  for (const auto& operation : operations<double>)
    for (const std::string rounding : {"", "rn", "rz", "rm", "rp"}) {
      const std::string name = operation.name;
      if (rounding.empty() && name != "add" && name != "sub" && name != "mul") continue;
      cases.push_back({name + (rounding.empty() ? "" : "." + rounding) + ".f64",
                       operands_of('d', operation.operands),
                       operation.operands == 3 ? hard_triples("f64", 3000) : inputs(operation.operands, "f64", 2000),
                       [=](const Sources& in) { return reference64(operation, rounding, in, name.starts_with("div")); },
                       {}});
    }
}

// Pairs of f32 (sm_100), and f16 or bf16 with f32.
void newer(Cases& cases) {
  for (const auto& operation : operations<float>) {
    const std::string name = operation.name;
    if (name != "add" && name != "sub" && name != "mul" && name != "fma") continue;
    for (const std::string rounding : {"", "rn", "rz", "rm", "rp"}) {
      if (rounding.empty() && name == "fma") continue;
      const std::string start = name + (rounding.empty() ? "" : "." + rounding);
      for (const bool ftz : {false, true})
        cases.push_back(
            {start + (ftz ? ".ftz" : "") + ".f32x2",
             operands_of('d', operation.operands),
             inputs(operation.operands, "f32x2", 500),
             [=](const Sources& in) {
               const U64 lower = reference32(operation, rounding, ftz, false, in.a, in.b, in.c);
               return lower | reference32(operation, rounding, ftz, false, in.a >> 32, in.b >> 32, in.c >> 32) << 32;
             },
             {}});
      if (name == "mul") continue;
      for (const std::string half : {"f16", "bf16"})
        for (const bool sat : {false, true}) {
          const auto widened = [half](U64 x) -> U64 {
            if (is_nan(x, half)) return 0x7fffffffu;
            if (is_infinite(x, half)) return (x & 0x8000) << 16 | 0x7f800000u;
            return exact_to_float(exact_of(x, half), "f32", "rn", (x & 0x8000) != 0);
          };
          const bool fused = name == "fma";
          cases.push_back({start + (sat ? ".sat" : "") + ".f32." + half,
                           fused ? "%r0, %h1, %h2, %r3" : "%r0, %h1, %r2",
                           fused ? triples_of(half, half, "f32", 500) : pairs_of(half, "f32", 500),
                           [=](const Sources& in) {
                             return reference32(operation, rounding, false, sat, widened(in.a),
                                                fused ? widened(in.b) : in.b, in.c);
                           },
                           {}});
        }
    }
  }
}

// ---- sign operations, min and max, as in the manual's pseudocode ----

void signs(Cases& cases) {
  for (const bool ftz : {false, true}) {
    const std::string f = ftz ? ".ftz.f32" : ".f32";
    cases.push_back({"abs" + f,
                     "%r0, %r1",
                     singles_of("f32", 2000),
                     [=](const Sources& in) { return finish32(std::fabs(f32(in.a)), ftz, false); },
                     {}});
    cases.push_back({"neg" + f,
                     "%r0, %r1",
                     singles_of("f32", 2000),
                     [=](const Sources& in) { return finish32(-f32(in.a), ftz, false); },
                     {}});
  }
  cases.push_back(
      {"abs.f64",
       "%d0, %d1",
       singles_of("f64", 2000),
       [](const Sources& in) { return std::isnan(f64(in.a)) ? in.a | U64{1} << 51 : bits_of(std::fabs(f64(in.a))); },
       {}});
  cases.push_back({"neg.f64",
                   "%d0, %d1",
                   singles_of("f64", 2000),
                   [](const Sources& in) { return std::isnan(f64(in.a)) ? in.a | U64{1} << 51 : bits_of(-f64(in.a)); },
                   {}});
  cases.push_back({"copysign.f32",
                   "%r0, %r1, %r2",
                   pairs_of("f32", "f32", 500),
                   [](const Sources& in) { return bits_of(std::copysign(f32(in.b), f32(in.a))); },
                   {}});
  cases.push_back({"copysign.f64",
                   "%d0, %d1, %d2",
                   pairs_of("f64", "f64", 500),
                   [](const Sources& in) { return bits_of(std::copysign(f64(in.b), f64(in.a))); },
                   {}});
}

template <class T>
T better(bool max, T x, T y) {
  if (x == 0 && y == 0) return std::signbit(x) == max ? y : x;  // +0 > -0
  return (max ? x > y : x < y) ? x : y;
}

void min_max(Cases& cases) {
  for (const bool max : {false, true}) {
    const std::string name = max ? "max" : "min";
    for (const bool ftz : {false, true})
      for (const bool nan_wins : {false, true})
        for (const bool xorsign : {false, true}) {
          const std::string mnemonic =
              name + (ftz ? ".ftz" : "") + (nan_wins ? ".NaN" : "") + (xorsign ? ".xorsign.abs" : "") + ".f32";
          cases.push_back({mnemonic,
                           "%r0, %r1, %r2",
                           pairs_of("f32", "f32", 1000),
                           [=](const Sources& in) -> Results {
                             float x = f32(in.a), y = f32(in.b);
                             const bool negative = std::signbit(x) != std::signbit(y);
                             if (xorsign) x = std::fabs(x), y = std::fabs(y);
                             if (ftz) x = flushed(x), y = flushed(y);
                             if ((std::isnan(x) && std::isnan(y)) || (nan_wins && (std::isnan(x) || std::isnan(y))))
                               return 0x7fffffffu;
                             float d = std::isnan(x) ? y : std::isnan(y) ? x : better(max, x, y);
                             if (xorsign) d = std::copysign(d, negative ? -1.0f : 1.0f);
                             return bits_of(d);
                           },
                           {}});
        }
    cases.push_back({name + ".f64",
                     "%d0, %d1, %d2",
                     pairs_of("f64", "f64", 1000),
                     [=](const Sources& in) -> Results {
                       const double x = f64(in.a), y = f64(in.b);
                       if (std::isnan(x) && std::isnan(y)) return in.b | U64{1} << 51;
                       return bits_of(std::isnan(x) ? y : std::isnan(y) ? x : better(max, x, y));
                     },
                     {}});
  }
}

// Three sources (sm_100): a NaN is ignored, with .NaN it wins.
void min_max_of_three(Cases& cases) {
  for (const bool max : {false, true})
    for (const bool ftz : {false, true})
      for (const bool nan_wins : {false, true})
        for (const bool absolute : {false, true})
          cases.push_back({std::string(max ? "max" : "min") + (ftz ? ".ftz" : "") + (nan_wins ? ".NaN" : "") +
                               (absolute ? ".abs" : "") + ".f32",
                           "%r0, %r1, %r2, %r3",
                           triples_of("f32", "f32", "f32", 1000),
                           [=](const Sources& in) -> Results {
                             std::vector<float> numbers;
                             for (float x : {f32(in.a), f32(in.b), f32(in.c)}) {
                               if (absolute) x = std::fabs(x);
                               if (ftz) x = flushed(x);
                               if (!std::isnan(x))
                                 numbers.push_back(x);
                               else if (nan_wins)
                                 return 0x7fffffffu;
                             }
                             if (numbers.empty()) return 0x7fffffffu;
                             float d = numbers[0];
                             for (const float x : numbers) d = better(max, d, x);
                             return bits_of(d);
                           },
                           {}});
}

void kinds(Cases& cases) {
  struct Kind {
    const char* name;
    bool (*test)(double);
    bool (*test32)(float);
  };
  // Zeros count as normal.
  constexpr Kind all[] = {
      {"finite", [](double x) { return std::isfinite(x); }, [](float x) { return std::isfinite(x); }},
      {"infinite", [](double x) { return std::isinf(x); }, [](float x) { return std::isinf(x); }},
      {"number", [](double x) { return !std::isnan(x); }, [](float x) { return !std::isnan(x); }},
      {"notanumber", [](double x) { return std::isnan(x); }, [](float x) { return std::isnan(x); }},
      {"normal", [](double x) { return std::isnormal(x) || x == 0; },
       [](float x) { return std::isnormal(x) || x == 0; }},
      {"subnormal", [](double x) { return std::fpclassify(x) == FP_SUBNORMAL; },
       [](float x) { return std::fpclassify(x) == FP_SUBNORMAL; }}};
  for (const Kind& kind : all) {
    cases.push_back({std::string("testp.") + kind.name + ".f32",
                     "%p0, %r1",
                     singles_of("f32", 500),
                     [=](const Sources& in) { return U64{kind.test32(f32(in.a))}; },
                     {}});
    cases.push_back({std::string("testp.") + kind.name + ".f64",
                     "%p0, %d1",
                     singles_of("f64", 500),
                     [=](const Sources& in) { return U64{kind.test(f64(in.a))}; },
                     {}});
  }
}

const bool added = add_alu_cases(arithmetic32) && add_alu_cases(arithmetic64) && add_alu_cases(newer) &&
                   add_alu_cases(signs) && add_alu_cases(min_max) && add_alu_cases(min_max_of_three) &&
                   add_alu_cases(kinds);

}  // namespace
}  // namespace lanescope::sim::alu_float
