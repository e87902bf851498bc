// cvt: every form of alu_forms.txt, evaluated from its name in exact arithmetic (alu_exact.h), and registers wider than
// the types, which the manual allows for integers.
#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "alu_cases.h"
#include "alu_exact.h"
#include "alu_values.h"
#include "test_paths.h"

namespace lanescope::sim::alu_convert {
namespace {

using U64 = std::uint64_t;
using Cases = std::vector<AluCase>;

struct Conversion {
  std::string to, from, rounding = "rn";
  bool ftz = false, sat = false, relu = false, satfinite = false;
  bool integral() const { return rounding.size() == 3 && rounding[2] == 'i'; }
};

Conversion conversion_of(const std::string& mnemonic) {
  Conversion c;
  std::stringstream in(mnemonic);
  std::vector<std::string> words;
  for (std::string word; std::getline(in, word, '.');) words.push_back(word);
  c.from = words.back();
  c.to = words[words.size() - 2];
  for (const std::string& word : words) {
    if (word == "ftz")
      c.ftz = true;
    else if (word == "sat")
      c.sat = true;
    else if (word == "relu")
      c.relu = true;
    else if (word == "satfinite")
      c.satfinite = true;
    else if (word[0] == 'r')
      c.rounding = word;
  }
  return c;
}

U64 integer_of_float(const Conversion& c, U64 bits) {
  const int width = width_of(c.to);
  if (is_nan(bits, c.from)) {
    const bool zero = c.from != "f64" && c.to != "s64" && c.to != "u64";
    return zero ? 0 : U64{1} << (width - 1);
  }
  if (is_infinite(bits, c.from)) {
    const bool negative = (bits & kind_of(c.from).sign()) != 0;
    const U64 most = low(~U64{0}, is_signed_type(c.to) ? width - 1 : width);
    return negative ? (is_signed_type(c.to) ? most + 1 : 0) : most;
  }
  return exact_to_integer(exact_of(bits, c.from), c.to, c.rounding);
}
U64 integer_of_integer(const Conversion& c, U64 bits) {
  const int width = width_of(c.to);
  const Int128 value = as_integer(bits, c.from);
  if (!c.sat) return low(static_cast<U64>(value), width);
  const Int128 most = (Int128{1} << (is_signed_type(c.to) ? width - 1 : width)) - 1,
               least = is_signed_type(c.to) ? -most - 1 : 0;
  return low(static_cast<U64>(std::clamp(value, least, most)), width);
}

U64 float_of_anything(const Conversion& c, U64 bits) {
  const FloatKind kind = kind_of(c.to);
  const bool from_float = is_float_type(c.from);
  if (from_float && is_nan(bits, c.from)) {
    if (c.sat) return 0;
    if (c.to == "f32" && c.from == "bf16" && !c.ftz) return bits << 16;
    if (c.to == "f64" && c.from == "f32")
      return (bits & 0x80000000u) << 32 | 0x7ff8000000000000u | (bits & 0x3fffffu) << 29;
    if (c.to == "f64" && c.from == "f16") return (bits & 0x8000u) << 48 | 0x7ff8000000000000u | (bits & 0x3ffu) << 42;
    if (c.to == "f64" && c.from == "bf16") return (bits & 0x8000u) << 48 | 0x7ff8000000000000u | (bits & 0x7fu) << 45;
    const U64 upper = bits | U64{1} << 51;  // of an f64: what there is room for
    if (c.to == "f64") return upper;
    if (c.from == "f64" && c.to == "f32") return (upper >> 32 & 0x80000000u) | 0x7f800000u | (upper >> 29 & 0x7fffffu);
    if (c.from == "f64" && c.to == "f16") return (upper >> 48 & 0x8000u) | 0x7c00u | (upper >> 42 & 0x3ffu);
    if (c.from == "f64" && c.to == "bf16") return (upper >> 48 & 0x8000u) | 0x7f80u | (upper >> 45 & 0x7fu);
    return canonical_nan(c.to);
  }
  const bool negative = from_float && (bits & kind_of(c.from).sign()) != 0;
  U64 result;
  if (from_float && is_infinite(bits, c.from)) {
    result = (negative ? kind.sign() : 0) | kind.infinity();
    if (c.to == "e4m3") result = (negative ? kind.sign() : 0) | 0x7f;  // .satfinite changes it back
  } else {
    const Exact x = exact_of(bits, c.from);
    const Exact value = c.integral() ? exact_integral(x, c.rounding) : x;
    const std::string rounding = c.integral() ? "rn" : c.rounding;
    result = exact_to_float(value, c.to, rounding, negative);
    // PTX does not say how a subnormal result is recognised; this is what an H200 does.
    if (c.ftz && c.to == "f32" && exact_is_tiny(value, c.to, rounding)) result &= kind.sign();
  }
  const U64 magnitude = result & (kind.sign() - 1);
  if (c.satfinite && magnitude > kind.largest) result = (result & kind.sign()) | kind.largest;
  if ((c.sat || c.relu) && (result & kind.sign()) != 0) return 0;
  return c.sat ? std::min(result, exact_to_float(exact_of(1, "u32"), c.to, "rn")) : result;
}

// The low bits of the source, converted to the width of the destination's type.
U64 converted(const Conversion& c, U64 source) {
  U64 bits = low(source, width_of(c.from));
  if (c.ftz && c.from == "f32" && is_subnormal(bits, "f32")) bits &= 0x80000000u;
  if (is_float_type(c.to)) return float_of_anything(c, bits);
  return is_float_type(c.from) ? integer_of_float(c, bits) : integer_of_integer(c, bits);
}

std::string element_of(const std::string& pair) {
  return pair.substr(0, pair.size() - 2);
}
bool is_pair(const std::string& type) {
  return type.ends_with("x2");
}

Results converted_pair(const Conversion& whole, const Sources& in) {
  Conversion c = whole;
  c.to = element_of(whole.to);
  const int width = width_of(whole.to) / 2;
  if (!is_pair(whole.from)) return low(converted(c, in.b), width) | converted(c, in.a) << width;
  c.from = element_of(whole.from);
  const int source = width_of(whole.from) / 2;
  return low(converted(c, in.a & ((U64{1} << source) - 1)), width) | converted(c, in.a >> source) << width;
}

// The limits of the destination's range in the source's type, and their neighbours.
void add_limits(std::vector<Sources>& inputs, const Conversion& c) {
  if (!is_float_type(c.from) || c.from[0] == 'e' || is_pair(c.from)) return;
  std::vector<Exact> limits;
  if (is_float_type(c.to)) {
    const std::string to = is_pair(c.to) ? element_of(c.to) : c.to;
    const FloatKind kind = kind_of(to);
    for (U64 x : {kind.largest, kind.largest - 1, U64{1}, U64{2}, U64{3}, U64{1} << kind.fraction_bits,
                  (U64{1} << kind.fraction_bits) - 1})
      limits.push_back(exact_of(x, to));
    limits.push_back(exact_sum(limits[0], limits[0]));
    // Halfway between neighbours.
    limits.push_back(exact_of(bits_of(1.0 + 0x1p-11), "f64"));
    limits.push_back(exact_of(bits_of(1.0 + 0x1p-8), "f64"));
    limits.push_back(exact_of(bits_of(1.0 + 0x1p-24), "f64"));
    limits.push_back(exact_of(bits_of(65520.0), "f64"));
    limits.push_back(exact_of(bits_of(0x1p-25), "f64"));
  } else {
    for (int power : {7, 8, 15, 16, 31, 32, 63, 64}) limits.push_back(exact_of(bits_of(std::ldexp(1.0, power)), "f64"));
    for (double x : {0.5, 1.5, 2.5, 126.5, 127.5, 254.5, 255.5, 32766.5, 32767.5, 65534.5, 65535.5, 2147483646.5,
                     2147483647.5, 4294967294.5, 4294967295.5})
      limits.push_back(exact_of(bits_of(x), "f64"));
  }
  const U64 sign = kind_of(c.from).sign();
  for (const Exact& limit : limits)
    for (int step : {-2, -1, 0, 1, 2}) {
      const U64 x = exact_to_float(limit, c.from, "rz") + static_cast<U64>(step);
      for (U64 s : {U64{0}, sign}) inputs.push_back({.a = (x & (sign - 1)) | s, .b = (x & (sign - 1)) ^ 1});
    }
}

void forms_of_the_manual(Cases& cases) {
  std::ifstream file(LANESCOPE_SOURCE_DIR "/tests/cases/sim/alu_forms.txt");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("cvt.") || line.starts_with("cvt.pack")) continue;
    const std::string mnemonic = line.substr(0, line.find(' '));
    std::string operands = line.substr(line.find(' ') + 1);
    operands.pop_back();
    const Conversion c = conversion_of(mnemonic);
    Inputs inputs = is_pair(c.to) && !is_pair(c.from) ? pairs_of(c.from, c.from, 500) : singles_of(c.from, 300);
    // The most used conversions of 16-bit types: all values.
    const bool frequent = c.to == "f32" || c.to == "f64" || c.to == "s32" || c.to == "bf16" || c.to == "f16";
    if (width_of(c.from) == 16 && is_float_type(c.from) && frequent && !c.ftz && !c.sat &&
        (c.rounding == "rn" || c.rounding == "rzi"))
      inputs = all16();
    inputs = inputs.then([=](std::vector<Sources>& values) { add_limits(values, c); });
    cases.push_back({mnemonic,
                     operands,
                     inputs,
                     [=](const Sources& in) -> Results {
                       if (is_pair(c.to)) return converted_pair(c, in);
                       U64 result = converted(c, in.a);
                       if (c.to == "tf32") return is_nan(low(in.a, 32), "f32") ? 0x7fffe000u : result << 13;
                       // An 8-bit result is sign-extended into a slot of 16 bits.
                       if (c.to == "s8") result = static_cast<U64>(as_integer(result, "s8"));
                       return result;
                     },
                     {}});
  }
}

// Registers wider than the types: the source's low bits; the result is extended by the destination type's signedness.
void wide_registers(Cases& cases) {
  const auto add = [&](const Conversion& c, const std::string& mnemonic, char d, char a) {
    const std::string from = a == 'h' ? "u16" : a == 'r' ? "u32" : "u64";
    cases.push_back({mnemonic,
                     std::string("%") + d + "0, %" + a + "1",
                     singles_of(from, 100),
                     [=](const Sources& in) {
                       const U64 result = converted(c, in.a);
                       return is_float_type(c.to) ? result : static_cast<U64>(as_integer(result, c.to));
                     },
                     {}});
  };
  const auto fits = [](char letter, const std::string& type) {
    return width_of(type) <= (letter == 'h' ? 16 : letter == 'r' ? 32 : 64);
  };
  const char* integers[] = {"u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"};
  for (const std::string to : integers)
    for (const std::string from : integers)
      for (const char d : {'h', 'r', 'd'})
        for (const char a : {'h', 'r', 'd'})
          if (fits(d, to) && fits(a, from)) {
            add({.to = to, .from = from}, "cvt." + to + "." + from, d, a);
            if (to == "u8" && from == "s16") add({.to = to, .from = from, .sat = true}, "cvt.sat.u8.s16", d, a);
          }
  for (const char wide : {'r', 'd'}) {
    add({.to = "f32", .from = "u8"}, "cvt.rn.f32.u8", 'r', wide);
    add({.to = "f32", .from = "s8"}, "cvt.rn.f32.s8", 'r', wide);
    add({.to = "f64", .from = "s16"}, "cvt.rn.f64.s16", 'd', wide);
    for (const std::string to : {"u8", "s8", "u16", "s16"}) {
      const Conversion c{.to = to, .from = "f32", .rounding = "rzi"};
      cases.push_back({"cvt.rzi." + to + ".f32",
                       std::string("%") + wide + "0, %r1",
                       singles_of("f32", 300),
                       [=](const Sources& in) { return static_cast<U64>(as_integer(converted(c, in.a), c.to)); },
                       {}});
    }
  }
}

// a in the upper half, then b; c above both.
void packs(Cases& cases) {
  for (const std::string type : {"u16", "s16", "u8", "s8", "u4", "s4", "u2", "s2"}) {
    const int width = std::stoi(type.substr(1));
    const bool appends = width < 16;
    cases.push_back({"cvt.pack.sat." + type + ".s32" + (appends ? ".b32" : ""),
                     appends ? "%r0, %r1, %r2, %r3" : "%r0, %r1, %r2",
                     triples_of("s32", "s32", "b32", 1000),
                     [=](const Sources& in) {
                       const auto held = [&](U64 x) {
                         const Int128 most = (Int128{1} << (type[0] == 's' ? width - 1 : width)) - 1,
                                      least = type[0] == 's' ? -most - 1 : 0;
                         return low(static_cast<U64>(std::clamp(as_integer(x, "s32"), least, most)), width);
                       };
                       return low(held(in.a) << width | held(in.b) | (appends ? in.c << (2 * width) : 0), 32);
                     },
                     {}});
  }
}

const bool added = add_alu_cases(forms_of_the_manual) && add_alu_cases(wide_registers) && add_alu_cases(packs);

}  // namespace
}  // namespace lanescope::sim::alu_convert
