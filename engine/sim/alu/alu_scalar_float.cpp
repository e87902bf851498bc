// f32 and f64 instructions that are rare in loops: directed roundings, f64 approximations, pairs of f32, mixed
// precision.
#include <cmath>
#include <limits>

#include "sim/alu/alu_directed.h"
#include "sim/alu/alu_scalar.h"
#include "sim/alu/alu_soft_float.h"

namespace lanescope::sim {

namespace {

using ptx::Rounding;
using ptx::Type;
using O = const Operation&;
using U16 = std::uint16_t;
using U32 = std::uint32_t;
using U64 = std::uint64_t;

constexpr U64 sign64 = U64{1} << 63;

enum class Arithmetic { add, sub, mul, fma, div, rcp, sqrt };

ExactNumber exact(Arithmetic what, const ExactNumber& a, const ExactNumber& b, const ExactNumber& c,
                  Rounding rounding) {
  const ExactNumber one = exact_integer(false, 1);
  switch (what) {
    case Arithmetic::add:
      return exact_fma(a, one, b, rounding);
    case Arithmetic::sub: {
      ExactNumber negated = b;
      negated.negative = !b.negative;
      return exact_fma(a, one, negated, rounding);
    }
    // The summand is a zero with the product's sign, so that a zero product keeps its sign.
    case Arithmetic::mul:
      return exact_fma(a, b, {.negative = a.negative != b.negative}, rounding);
    case Arithmetic::fma:
      return exact_fma(a, b, c, rounding);
    case Arithmetic::div:
      return exact_quotient(a, b);
    case Arithmetic::rcp:
      return exact_quotient(one, a);
    case Arithmetic::sqrt:
      return exact_root(a);
  }
  return {};
}

bool is_nan64(U64 x) {
  return (x & ~sign64) > 0x7ff0000000000000u;
}

// The reference implementation, for processors without directed roundings.
template <Arithmetic what>
U64 exactly64(Rounding rounding, U64 a, U64 b, U64 c) {
  return round_to(exact(what, unpack(a, format_f64), unpack(b, format_f64), unpack(c, format_f64), rounding),
                  format_f64, rounding);
}

// Each lane gets result_of(…). If an operand is a NaN, it gets that operand, made quiet: of several that of b, then of
// c, then of a; of div that of a first.
template <Arithmetic what, class Result>
void each_of_64(std::byte* r, const Operation& o, U32 mask, Result&& result_of) {
  constexpr bool two = what != Arithmetic::rcp && what != Arithmetic::sqrt, three = what == Arithmetic::fma;
  each_lane(mask, [&](int i) {
    const U64 a = load_lane<U64>(r, o.a, i);
    const U64 b = two ? load_lane<U64>(r, o.b, i) : 0, c = three ? load_lane<U64>(r, o.c, i) : 0;
    const bool first = what == Arithmetic::div && is_nan64(a);
    const U64 nan = first ? a : is_nan64(b) ? b : is_nan64(c) ? c : is_nan64(a) ? a : 0;
    store_lane<U64>(r, o.dst, i, nan != 0 ? nan | 0x0008000000000000u : result_of(a, b, c));
  });
}

#if defined(__x86_64__)
template <Arithmetic what>
double by_processor(const DirectedMode& mode, double a, double b, double c) {
  if constexpr (what == Arithmetic::add) return mode.add(a, b);
  if constexpr (what == Arithmetic::sub) return mode.sub(a, b);
  if constexpr (what == Arithmetic::mul) return mode.mul(a, b);
  if constexpr (what == Arithmetic::fma) return mode.fma(a, b, c);
  if constexpr (what == Arithmetic::div) return mode.div(a, b);
  if constexpr (what == Arithmetic::rcp) return mode.div(1.0, a);
  return mode.sqrt(a);
}
#endif

template <Arithmetic what>
void arithmetic64(std::byte* r, const Operation& o, U32 mask) {
  const auto rounding = static_cast<Rounding>(o.extra & 0xff);
#if defined(__x86_64__)
  if (what != Arithmetic::fma || isa() != Isa::baseline) {
    const DirectedMode mode(rounding);
    const auto number = [](U64 bits) { return std::bit_cast<double>(bits); };
    return each_of_64<what>(r, o, mask, [&](U64 a, U64 b, U64 c) {
      return std::bit_cast<U64>(by_processor<what>(mode, number(a), number(b), number(c)));
    });
  }
#endif
  each_of_64<what>(r, o, mask, [&](U64 a, U64 b, U64 c) { return exactly64<what>(rounding, a, b, c); });
}

U32 flushed(U32 x, bool ftz) {
  return ftz && (x & 0x7f800000u) == 0 ? x & 0x80000000u : x;
}

U32 finished32(O o, U32 r) {
  r = flushed(r, (o.flags & alu_ftz) != 0);
  if ((o.flags & alu_sat) == 0) return r;
  const auto value = std::bit_cast<float>(r);
  return value > 0 ? std::min(r, 0x3f800000u) : 0;  // also turns a NaN into 0
}
U32 arithmetic32(O o, Arithmetic what, U32 a, U32 b, U32 c) {
  const bool ftz = (o.flags & alu_ftz) != 0;
  const auto rounding = static_cast<Rounding>(o.extra & 0xff);
  const auto number = [&](U32 x) { return unpack(flushed(x, ftz), format_f32); };
  return finished32(
      o, static_cast<U32>(round_to(exact(what, number(a), number(b), number(c), rounding), format_f32, rounding)));
}

constexpr Rounding directed[] = {Rounding::rz, Rounding::rm, Rounding::rp};

AluForm rounded(Mnemonic opcode, Type type, Rounding rounding, U32 flags = 0) {
  AluForm f = form(opcode, type, flags);
  f.rounding = rounding;
  return f;
}

template <Arithmetic what>
void rows64(AluTable& t, Mnemonic opcode) {
  for (Rounding r : directed) add_scalar<arithmetic64<what>>(t, rounded(opcode, Type::f64, r));
}
template <Arithmetic what>
void rows_of_one(AluTable& t, Mnemonic opcode) {
  rows64<what>(t, opcode);
  for (Rounding r : directed)
    for (U32 ftz : {0u, static_cast<U32>(alu_ftz)})
      row_of_one<U32, U32>(t, rounded(opcode, Type::f32, r, ftz),
                           [](O o, U32 a) { return arithmetic32(o, what, a, 0, 0); });
}

// Two f32 in 64 bits (sm_100 and later).
template <Arithmetic what>
U64 pairwise(O o, U64 a, U64 b, U64 c = 0) {
  const U64 low = arithmetic32(o, what, static_cast<U32>(a), static_cast<U32>(b), static_cast<U32>(c));
  const U64 high =
      arithmetic32(o, what, static_cast<U32>(a >> 32), static_cast<U32>(b >> 32), static_cast<U32>(c >> 32));
  return low | high << 32;
}
template <Arithmetic what>
void f32x2_rows(AluTable& t, Mnemonic opcode) {
  for (Rounding r : {Rounding::rn, Rounding::rz, Rounding::rm, Rounding::rp})
    for (U32 ftz : {0u, static_cast<U32>(alu_ftz)}) {
      if constexpr (what == Arithmetic::fma)
        row_of_three<U64, U64, U64, U64>(t, rounded(opcode, Type::f32x2, r, ftz),
                                         [](O o, U64 a, U64 b, U64 c) { return pairwise<what>(o, a, b, c); });
      else
        row_of_two<U64, U64, U64>(t, rounded(opcode, Type::f32x2, r, ftz),
                                  [](O o, U64 a, U64 b) { return pairwise<what>(o, a, b); });
    }
}

// f16 or bf16 factors, f32 summand and f32 result (sm_100 and later).
template <Type half>
U32 widened(U16 x) {
  return static_cast<U32>(round_to(unpack(x, format_of(half)), format_f32, Rounding::rn));
}
template <Type half>
void mixed_rows(AluTable& t) {
  for (Rounding r : {Rounding::rn, Rounding::rz, Rounding::rm, Rounding::rp})
    for (U32 sat : {0u, static_cast<U32>(alu_sat)}) {
      AluForm f = rounded("add", Type::f32, r, sat);
      f.source = half;
      row_of_two<U32, U16, U32>(
          t, f, [](O o, U16 a, U32 b) { return arithmetic32(o, Arithmetic::add, widened<half>(a), b, 0); });
      f.opcode = row_opcode("sub");
      row_of_two<U32, U16, U32>(
          t, f, [](O o, U16 a, U32 b) { return arithmetic32(o, Arithmetic::sub, widened<half>(a), b, 0); });
      f.opcode = row_opcode("fma");
      row_of_three<U32, U16, U16, U32>(t, f, [](O o, U16 a, U16 b, U32 c) {
        return arithmetic32(o, Arithmetic::fma, widened<half>(a), widened<half>(b), c);
      });
    }
}

// ---- min and max of three f32 (sm_100 and later) ----

// Orders numbers as their values, with -0 below +0.
U32 rank32(U32 bits) {
  return (bits & 0x80000000u) != 0 ? ~bits : bits | 0x80000000u;
}

template <bool largest>
U32 extreme_of_three(O o, U32 a, U32 b, U32 c) {
  constexpr U32 nan = 0x7fffffffu, sign = 0x80000000u, infinite = 0x7f800000u;
  U32 found = nan;
  for (U32 x : {a, b, c}) {
    if ((o.flags & alu_abs) != 0) x &= ~sign;
    if ((o.flags & alu_ftz) != 0 && (x & infinite) == 0) x &= sign;
    if ((x & ~sign) > infinite) {
      if ((o.flags & alu_nan) != 0) return nan;
      continue;
    }
    if (found == nan || (largest ? rank32(x) > rank32(found) : rank32(x) < rank32(found))) found = x;
  }
  return found;
}

template <bool largest>
void rows_of_extreme(AluTable& t, Mnemonic mnemonic) {
  for (U32 ftz : {0u, static_cast<U32>(alu_ftz)})
    for (U32 nan : {0u, static_cast<U32>(alu_nan)})
      for (U32 absolute : {0u, static_cast<U32>(alu_abs)})
        row_of_three<U32, U32, U32, U32>(
            t, form(mnemonic, Type::f32, alu_of_three | ftz | nan | absolute),
            [](O o, U32 a, U32 b, U32 c) { return extreme_of_three<largest>(o, a, b, c); });
}

// ---- f64 approximations ----

// Nearly correctly rounded: an f64 estimate and one Newton step with fma.
U64 rsqrt64(U64 bits) {
  if (is_nan64(bits)) return bits | 0x0008000000000000u;
  const auto x = std::bit_cast<double>(bits);
  const double y = 1.0 / std::sqrt(x);
  if (x < 0) return 0xfff8000000000000u;
  if (!(x > 0) || !(y > 0)) return std::bit_cast<U64>(y);  // zero, infinity
  // 1 - x y². `product` is x y as a double, and `lacking` its rounding error.
  const double product = x * y, lacking = std::fma(x, y, -product);
  const double error = std::fma(-product, y, 1.0) - lacking * y;
  return std::bit_cast<U64>(std::fma(y * 0.5, error, y));
}

// Uses only bits 63 to 32 of the operand, and gives only those of the result.
U64 gross(U64 a, double (*f)(double)) {
  U64 upper = a & 0xffffffff00000000u;
  if (is_nan64(upper)) return 0x7fffffff00000000u;
  if ((upper & 0x7ff0000000000000u) == 0) upper &= sign64;
  U64 result = std::bit_cast<U64>(f(std::bit_cast<double>(upper)));
  if (is_nan64(result)) return 0x7fffffff00000000u;
  if ((result & 0x7ff0000000000000u) == 0) return result & sign64;
  return result & 0xffffffff00000000u;
}

template <class T, int exponent_bits>
std::uint32_t kind_flags(T x) {
  constexpr int fraction_bits = 8 * sizeof(T) - 1 - exponent_bits;
  const T fraction = x & ((T{1} << fraction_bits) - 1);
  const T exponent = (x >> fraction_bits) & ((T{1} << exponent_bits) - 1);
  const bool special = exponent == (T{1} << exponent_bits) - 1;
  const bool is_nan = special && fraction != 0, is_infinite = special && fraction == 0;
  const bool is_subnormal = exponent == 0 && fraction != 0;
  return (special ? 0u : static_cast<U32>(alu_finite)) | (is_infinite ? static_cast<U32>(alu_infinite) : 0u) |
         (is_nan ? static_cast<U32>(alu_notanumber) : static_cast<U32>(alu_number)) |
         (is_subnormal ? static_cast<U32>(alu_subnormal)
          : special    ? 0u
                       : static_cast<U32>(alu_normal));
}
template <class T, int exponent_bits, U32 kind>
void testp(std::byte* r, const Operation& o, U32 mask) {
  U32 bits = 0;
  each_lane(mask, [&](int i) {
    if ((kind_flags<T, exponent_bits>(load_lane<T>(r, o.a, i)) & kind) != 0) bits |= 1u << i;
  });
  store_mask(r, o.dst, bits, mask);
}
template <U32 kind>
void testp_rows(AluTable& t) {
  add_scalar<testp<U32, 8, kind>>(t, form("testp", Type::f32, kind));
  add_scalar<testp<U64, 11, kind>>(t, form("testp", Type::f64, kind));
}

}  // namespace

void add_scalar_float_rows(AluTable& t) {
  rows64<Arithmetic::add>(t, "add");
  rows64<Arithmetic::sub>(t, "sub");
  rows64<Arithmetic::mul>(t, "mul");
  rows64<Arithmetic::div>(t, "div");
  rows64<Arithmetic::fma>(t, "fma");
  rows64<Arithmetic::fma>(t, "mad");
  for (Rounding r : directed)
    for (U32 ftz : {0u, static_cast<U32>(alu_ftz)})
      row_of_two<U32, U32, U32>(t, rounded("div", Type::f32, r, ftz),
                                [](O o, U32 a, U32 b) { return arithmetic32(o, Arithmetic::div, a, b, 0); });
  rows_of_one<Arithmetic::rcp>(t, "rcp");
  rows_of_one<Arithmetic::sqrt>(t, "sqrt");
  f32x2_rows<Arithmetic::add>(t, "add");
  f32x2_rows<Arithmetic::sub>(t, "sub");
  f32x2_rows<Arithmetic::mul>(t, "mul");
  f32x2_rows<Arithmetic::fma>(t, "fma");
  mixed_rows<Type::f16>(t);
  mixed_rows<Type::bf16>(t);
  rows_of_extreme<false>(t, "min");
  rows_of_extreme<true>(t, "max");

  row_of_one<U64, U64>(t, rounded("rsqrt", Type::f64, Rounding::approx), [](O, U64 a) { return rsqrt64(a); });
  row_of_one<U64, U64>(t, rounded("rsqrt", Type::f64, Rounding::approx, alu_ftz),
                       [](O, U64 a) { return gross(a, [](double x) { return 1.0 / std::sqrt(x); }); });
  row_of_one<U64, U64>(t, rounded("rcp", Type::f64, Rounding::approx, alu_ftz),
                       [](O, U64 a) { return gross(a, [](double x) { return 1.0 / x; }); });
  testp_rows<alu_finite>(t);
  testp_rows<alu_infinite>(t);
  testp_rows<alu_number>(t);
  testp_rows<alu_notanumber>(t);
  testp_rows<alu_normal>(t);
  testp_rows<alu_subnormal>(t);
}

}  // namespace lanescope::sim
