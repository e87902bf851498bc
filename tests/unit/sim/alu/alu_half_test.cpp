// f16 and bf16 arithmetic against exact arithmetic rounded once (alu_exact.h): all encodings for operations with one
// operand; edge cases and many random values for two and three.
#include <cmath>

#include "alu_cases.h"
#include "alu_exact.h"
#include "alu_values.h"

namespace lanescope::sim::alu_half {
namespace {

using U64 = std::uint64_t;
using Cases = std::vector<AluCase>;
using Half = std::function<U64(U64 a, U64 b, U64 c)>;

constexpr U64 sign = 0x8000;

U64 flushed(U64 x, const std::string& type) {
  return is_subnormal(x, type) ? x & sign : x;
}
U64 infinity(const std::string& type) {
  return kind_of(type).infinity();
}

// a·b + c, rounded to nearest once. With `ftz`, zero if the result is below the smallest normal number with unlimited
// exponents (PTX does not say how a subnormal result is recognised; this is what an H200 does).
U64 fma(U64 a, U64 b, U64 c, const std::string& type, bool ftz = false) {
  if (is_nan(a, type) || is_nan(b, type) || is_nan(c, type)) return 0x7fff;
  const bool zero_factor = (a & 0x7fff) == 0 || (b & 0x7fff) == 0;
  const U64 product_sign = (a ^ b) & sign;
  if (is_infinite(a, type) || is_infinite(b, type)) {
    if (zero_factor || (is_infinite(c, type) && (c & sign) != product_sign)) return 0x7fff;
    return product_sign | infinity(type);
  }
  if (is_infinite(c, type)) return c;
  const bool both_negative = product_sign != 0 && (c & sign) != 0;  // a zero sum is -0 only if both addends are -0
  const Exact sum = exact_sum(exact_product(a, b, type), exact_of(c, type));
  const U64 result = exact_to_float(sum, type, "rn", both_negative);
  return ftz && exact_is_tiny(sum, type, "rn") ? result & sign : result;
}

U64 modified(U64 r, const std::string& type, bool sat, bool relu) {
  if (is_nan(r, type)) return sat ? 0 : r;
  if ((sat || relu) && (r & sign) != 0) return 0;
  const U64 one = type == "f16" ? 0x3c00 : 0x3f80;
  return sat && r > one ? one : r;
}

// A case of one element, and the same for pairs.
void both(Cases& cases, const std::string& start, const std::string& type, int operands, const Inputs& single,
          const Inputs& paired, Half f) {
  std::string halves = "%h0", words = "%r0";
  for (int i = 1; i <= operands; ++i) halves += ", %h" + std::to_string(i), words += ", %r" + std::to_string(i);
  cases.push_back({start + "." + type, halves, single, [=](const Sources& in) { return f(in.a, in.b, in.c); }, {}});
  cases.push_back({start + "." + type + "x2",
                   words,
                   paired,
                   [=](const Sources& in) {
                     const U64 lower = f(in.a & 0xffff, in.b & 0xffff, in.c & 0xffff);
                     return lower | f(in.a >> 16 & 0xffff, in.b >> 16 & 0xffff, in.c >> 16 & 0xffff) << 16;
                   },
                   {}});
}

// Addends that nearly cancel the product, or are just beside the midpoint of two halves.
Inputs fma_inputs(const std::string& type) {
  return triples_of(type, type, type, 12000).then([=](std::vector<Sources>& values) {
    for (std::size_t i = 0; i < values.size(); i += 3) {
      Sources& s = values[i];
      s.c = fma(s.a, s.b, 0x8000, type) ^ sign ^ (i % 7);
      // Makes the product far smaller than c, so that sums are near c or at a tie between its neighbours.
      if (i % 2 == 0 && type == "f16") {
        s.a = (s.a & 0x83ff) | 0x0400;
        s.b = (s.b & 0x83ff) | (i % 31 << 10);
      }
    }
  });
}

void arithmetic(Cases& cases) {
  for (const std::string type : {"f16", "bf16"}) {
    const U64 one = type == "f16" ? 0x3c00 : 0x3f80;
    const auto two = pairs_of(type, type, 8000), two_paired = pairs_of(type + "x2", type + "x2", 2000);
    const auto three = fma_inputs(type), three_paired = triples_of(type + "x2", type + "x2", type + "x2", 2000);
    struct Modifier {
      const char* text;
      bool ftz, sat, relu;
    };
    for (const Modifier& m : {Modifier{"", false, false, false},
                              {".ftz", true, false, false},
                              {".sat", false, true, false},
                              {".ftz.sat", true, true, false},
                              {".relu", false, false, true},
                              {".ftz.relu", true, false, true}}) {
      if (type == "bf16" && (m.ftz || m.sat)) continue;
      const auto with = [=](Half f) -> Half {
        return [=](U64 a, U64 b, U64 c) {
          if (m.ftz) a = flushed(a, type), b = flushed(b, type), c = flushed(c, type);
          return modified(f(a, b, c), type, m.sat, m.relu);
        };
      };
      both(cases, "fma.rn" + std::string(m.text), type, 3, three, three_paired,
           with([=](U64 a, U64 b, U64 c) { return fma(a, b, c, type, m.ftz); }));
      if (m.relu) continue;
      for (const std::string rounding : {"", ".rn"}) {
        both(cases, "add" + rounding + m.text, type, 2, two, two_paired,
             with([=](U64 a, U64 b, U64) { return fma(a, one, b, type, m.ftz); }));
        both(cases, "sub" + rounding + m.text, type, 2, two, two_paired,
             with([=](U64 a, U64 b, U64) { return is_nan(b, type) ? 0x7fff : fma(a, one, b ^ sign, type, m.ftz); }));
        // A zero addend with the product's sign changes nothing.
        both(cases, "mul" + rounding + m.text, type, 2, two, two_paired,
             with([=](U64 a, U64 b, U64) { return fma(a, b, (a ^ b) & sign, type, m.ftz); }));
      }
    }
  }
}

void signs(Cases& cases) {
  for (const std::string type : {"f16", "bf16"})
    for (const bool ftz : {false, true}) {
      if (ftz && type == "bf16") continue;
      const std::string f = ftz ? ".ftz" : "";
      const auto pairs = singles_of(type + "x2", 1000);
      const auto in = [=](U64 x) { return ftz ? flushed(x, type) : x; };
      both(cases, "abs" + f, type, 1, all16(), pairs,
           [=](U64 a, U64, U64) -> U64 { return is_nan(a, type) ? 0x7fff : in(a)&0x7fff; });
      both(cases, "neg" + f, type, 1, all16(), pairs,
           [=](U64 a, U64, U64) -> U64 { return is_nan(a, type) ? 0x7fff : in(a) ^ sign; });
    }
}

void min_max(Cases& cases) {
  for (const std::string type : {"f16", "bf16"})
    for (const bool max : {false, true})
      for (const bool ftz : {false, true})
        for (const bool nan_wins : {false, true})
          for (const bool xorsign : {false, true}) {
            if (ftz && type == "bf16") continue;
            const std::string start = std::string(max ? "max" : "min") + (ftz ? ".ftz" : "") +
                                      (nan_wins ? ".NaN" : "") + (xorsign ? ".xorsign.abs" : "");
            both(cases, start, type, 2, pairs_of(type, type, 2000), pairs_of(type + "x2", type + "x2", 500),
                 [=](U64 a, U64 b, U64) -> U64 {
                   const bool a_nan = is_nan(a, type), b_nan = is_nan(b, type);
                   const U64 signs_apart = (a ^ b) & sign;
                   if (xorsign) a &= 0x7fff, b &= 0x7fff;
                   if (ftz) a = flushed(a, type), b = flushed(b, type);
                   if ((a_nan && b_nan) || (nan_wins && (a_nan || b_nan))) return 0x7fff;
                   U64 d = 0;
                   if (a_nan || b_nan)
                     d = a_nan ? b : a;
                   else if ((a & 0x7fff) == 0 && (b & 0x7fff) == 0)
                     d = ((a & sign) != 0) == max ? b : a;
                   else
                     d = (max ? number_of(a, type) > number_of(b, type) : number_of(a, type) < number_of(b, type)) ? a
                                                                                                                   : b;
                   return xorsign ? (d & 0x7fff) | signs_apart : d;
                 });
          }
}

const bool added = add_alu_cases(arithmetic) && add_alu_cases(signs) && add_alu_cases(min_max);

}  // namespace
}  // namespace lanescope::sim::alu_half
