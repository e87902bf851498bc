// Integer and bit instructions that are rare in loops.
#include <algorithm>
#include <limits>
#include <type_traits>

#include "sim/alu/alu_scalar.h"

namespace lanescope::sim {

namespace {

using ptx::Type;
using O = const Operation&;
using U8 = std::uint8_t;
using U16 = std::uint16_t;
using U32 = std::uint32_t;
using U64 = std::uint64_t;
using S8 = std::int8_t;
using S16 = std::int16_t;
using S32 = std::int32_t;
using S64 = std::int64_t;
__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 s128;

template <class T>
using Double = std::conditional_t<sizeof(T) == 8, std::conditional_t<std::is_signed_v<T>, s128, u128>,
                                  std::conditional_t<std::is_signed_v<T>, S64, U64>>;

template <class T>
T clamped(S64 x) {
  return static_cast<T>(std::clamp<S64>(x, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}
template <class T>
T high_product(T a, T b) {
  return static_cast<T>((static_cast<Double<T>>(a) * static_cast<Double<T>>(b)) >> (8 * sizeof(T)));
}
template <class T>
T low_product(T a, T b) {
  return static_cast<T>(static_cast<U64>(a) * static_cast<U64>(b));
}

// ---- arithmetic ----

template <class T>
void division_rows(AluTable& t, Type type) {
  row_of_two<T, T, T>(t, form("div", type), [](O, T a, T b) -> T {
    if (b == 0) return static_cast<T>(-1);
    if (std::is_signed_v<T> && b == static_cast<T>(-1)) return static_cast<T>(U64{0} - static_cast<U64>(a));
    return static_cast<T>(a / b);
  });
  row_of_two<T, T, T>(t, form("rem", type), [](O, T a, T b) -> T {
    if (b == 0) return static_cast<T>(-1);
    if (std::is_signed_v<T> && b == static_cast<T>(-1)) return 0;
    return static_cast<T>(a % b);
  });
  row_of_three<T, T, T, T>(t, form("sad", type), [](O, T a, T b, T c) {
    const U64 difference =
        a < b ? static_cast<U64>(b) - static_cast<U64>(a) : static_cast<U64>(a) - static_cast<U64>(b);
    return static_cast<T>(static_cast<U64>(c) + difference);
  });
}

void add_saturating_rows(AluTable& t) {
  row_of_two<S32, S32, S32>(t, form("add", Type::s32, alu_sat),
                            [](O, S32 a, S32 b) { return clamped<S32>(S64{a} + b); });
  row_of_two<S32, S32, S32>(t, form("sub", Type::s32, alu_sat),
                            [](O, S32 a, S32 b) { return clamped<S32>(S64{a} - b); });
  row_of_three<S32, S32, S32, S32>(t, form("mad", Type::s32, alu_hi | alu_sat),
                                   [](O, S32 a, S32 b, S32 c) { return clamped<S32>(S64{high_product(a, b)} + c); });
}

template <class T>
void long_product_rows(AluTable& t, Type type) {
  row_of_two<T, T, T>(t, form("mul", type, alu_hi), [](O, T a, T b) { return high_product(a, b); });
  row_of_three<T, T, T, T>(t, form("mad", type, alu_hi), [](O, T a, T b, T c) {
    return static_cast<T>(static_cast<U64>(high_product(a, b)) + static_cast<U64>(c));
  });
}

// Products of the low 24 bits. `hi` selects bits 47 to 16 of the product.
S64 low24(S32 x) {
  return static_cast<S32>(static_cast<U32>(x) << 8) >> 8;
}
S64 low24(U32 x) {
  return x & 0xffffffu;
}
template <class T>
void product24_rows(AluTable& t, Type type) {
  row_of_two<T, T, T>(t, form("mul24", type, alu_lo), [](O, T a, T b) { return static_cast<T>(low24(a) * low24(b)); });
  row_of_two<T, T, T>(t, form("mul24", type, alu_hi),
                      [](O, T a, T b) { return static_cast<T>((low24(a) * low24(b)) >> 16); });
  row_of_three<T, T, T, T>(t, form("mad24", type, alu_lo), [](O, T a, T b, T c) {
    return static_cast<T>(static_cast<U32>(low24(a) * low24(b)) + static_cast<U32>(c));
  });
  row_of_three<T, T, T, T>(t, form("mad24", type, alu_hi), [](O, T a, T b, T c) {
    return static_cast<T>(static_cast<U32>((low24(a) * low24(b)) >> 16) + static_cast<U32>(c));
  });
}

// ---- carry chains: the carry flag is a mask; Operation::d is its slot ----

// CC.CF is the adder's carry for subtractions too: a - b is a + ~b + 1, so the flag is clear after a borrow. This is
// visible only if a chain mixes additions and subtractions. The 128-bit division that NVIDIA's compiler calls does: it
// reads a subtraction's flag with addc. On an H200 (driver 580.159.04), addc gave 1 after 5 - 3 and 0 after 3 - 5;
// after an add.cc without a carry, subc subtracted a borrow of 1.

template <class T, bool subtract, bool carry_in>
void add_with_carry(std::byte* r, const Operation& o, U32 mask) {
  const U32 carries = carry_in ? load_mask(r, o.d) : subtract ? ~0u : 0;
  U32 out = 0;
  each_lane(mask, [&](int i) {
    const T a = load_lane<T>(r, o.a, i), b = load_lane<T>(r, o.b, i);
    const u128 wide = u128{a} + (subtract ? static_cast<T>(~b) : b) + ((carries >> i) & 1);
    store_lane(r, o.dst, i, static_cast<T>(wide));
    out |= (static_cast<U32>(wide >> (8 * sizeof(T))) & 1u) << i;
  });
  if (o.flags != 0) store_mask(r, o.d, out, mask);
}
template <class T, bool high, bool carry_in>
void multiply_add_with_carry(std::byte* r, const Operation& o, U32 mask) {
  using U = std::make_unsigned_t<T>;
  const U32 carries = carry_in ? load_mask(r, o.d) : 0;
  U32 out = 0;
  each_lane(mask, [&](int i) {
    const T a = load_lane<T>(r, o.a, i), b = load_lane<T>(r, o.b, i);
    const U part = static_cast<U>(high ? high_product(a, b) : low_product(a, b));
    const u128 wide = u128{part} + load_lane<U>(r, o.c, i) + ((carries >> i) & 1);
    store_lane(r, o.dst, i, static_cast<U>(wide));
    out |= (static_cast<U32>(wide >> (8 * sizeof(T))) & 1u) << i;
  });
  if (o.flags != 0) store_mask(r, o.d, out, mask);
}
template <class T>
void carry_rows(AluTable& t, Type type) {
  using U = std::make_unsigned_t<T>;
  add_scalar<add_with_carry<U, false, false>>(t, form("add", type, alu_carry_out));
  add_scalar<add_with_carry<U, true, false>>(t, form("sub", type, alu_carry_out));
  add_scalar<multiply_add_with_carry<T, false, false>>(t, form("mad", type, alu_lo | alu_carry_out));
  add_scalar<multiply_add_with_carry<T, true, false>>(t, form("mad", type, alu_hi | alu_carry_out));
  for (U32 out : {0u, static_cast<U32>(alu_carry_out)}) {
    add_scalar<add_with_carry<U, false, true>>(t, form("addc", type, out));
    add_scalar<add_with_carry<U, true, true>>(t, form("subc", type, out));
    add_scalar<multiply_add_with_carry<T, false, true>>(t, form("madc", type, alu_lo | out));
    add_scalar<multiply_add_with_carry<T, true, true>>(t, form("madc", type, alu_hi | out));
  }
}

// ---- pairs of 16-bit integers ----

template <class T, class F>
U32 by_halves(U32 a, U32 b, F f) {
  const auto low = static_cast<U16>(f(static_cast<T>(a), static_cast<T>(b)));
  const auto high = static_cast<U16>(f(static_cast<T>(a >> 16), static_cast<T>(b >> 16)));
  return low | static_cast<U32>(high) << 16;
}
template <class T>
void pair_rows(AluTable& t, Type type) {
  row_of_two<U32, U32, U32>(t, form("add", type),
                            [](O, U32 a, U32 b) { return by_halves<T>(a, b, [](int x, int y) { return x + y; }); });
  row_of_two<U32, U32, U32>(t, form("min", type), [](O, U32 a, U32 b) {
    return by_halves<T>(a, b, [](int x, int y) { return std::min(x, y); });
  });
  row_of_two<U32, U32, U32>(t, form("max", type), [](O, U32 a, U32 b) {
    return by_halves<T>(a, b, [](int x, int y) { return std::max(x, y); });
  });
}
void pair_relu_rows(AluTable& t) {
  row_of_two<U32, U32, U32>(t, form("min", Type::s16x2, alu_relu), [](O, U32 a, U32 b) {
    return by_halves<S16>(a, b, [](int x, int y) { return std::max(std::min(x, y), 0); });
  });
  row_of_two<U32, U32, U32>(t, form("max", Type::s16x2, alu_relu), [](O, U32 a, U32 b) {
    return by_halves<S16>(a, b, [](int x, int y) { return std::max(std::max(x, y), 0); });
  });
}

// ---- dot products ----

template <class A, class B>
void dot_rows(AluTable& t, Type a_type, Type b_type) {
  AluForm f = form("dp4a", a_type);
  f.source = b_type;
  row_of_three<U32, U32, U32, U32>(t, f, [](O, U32 a, U32 b, U32 c) {
    for (int k = 0; k < 4; ++k) c += static_cast<U32>(static_cast<A>(a >> (8 * k)) * static_cast<B>(b >> (8 * k)));
    return c;
  });
  using A16 = std::conditional_t<std::is_signed_v<A>, S16, U16>;
  f.opcode = row_opcode("dp2a");
  f.flags = alu_lo;
  row_of_three<U32, U32, U32, U32>(t, f, [](O, U32 a, U32 b, U32 c) {
    for (int k = 0; k < 2; ++k) c += static_cast<U32>(static_cast<A16>(a >> (16 * k)) * static_cast<B>(b >> (8 * k)));
    return c;
  });
  f.flags = alu_hi;
  row_of_three<U32, U32, U32, U32>(t, f, [](O, U32 a, U32 b, U32 c) {
    for (int k = 0; k < 2; ++k)
      c += static_cast<U32>(static_cast<A16>(a >> (16 * k)) * static_cast<B>(b >> (16 + 8 * k)));
    return c;
  });
}

// ---- bits ----

template <class T>
U32 top_non_sign_bit(T a) {
  using U = std::make_unsigned_t<T>;
  const U bits = a < 0 ? static_cast<U>(~static_cast<U>(a)) : static_cast<U>(a);
  return bits == 0 ? 0xffffffffu : static_cast<U32>(std::bit_width(bits) - 1);
}
template <class T>
void bfind_rows(AluTable& t, Type type) {
  row_of_one<U32, T>(t, form("bfind", type), [](O, T a) { return top_non_sign_bit(a); });
  row_of_one<U32, T>(t, form("bfind", type, alu_shiftamt), [](O, T a) {
    const U32 at = top_non_sign_bit(a);
    return at == 0xffffffffu ? at : static_cast<U32>(8 * sizeof(T) - 1) - at;
  });
}

// Exchanges neighbouring bits, then pairs, then groups of four, then bytes.
U32 reversed(U32 x) {
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  return __builtin_bswap32(x);
}
U64 reversed(U64 x) {
  return U64{reversed(static_cast<U32>(x))} << 32 | reversed(static_cast<U32>(x >> 32));
}

U32 nth_set_bit(U32 mask, U32 base, S32 offset) {
  if (base > 31) return 0xffffffffu;
  if (offset == 0) return (mask >> base) & 1 ? base : 0xffffffffu;
  const int step = offset > 0 ? 1 : -1;
  S64 wanted = offset > 0 ? S64{offset} : -S64{offset};
  for (int place = static_cast<int>(base); place >= 0 && place < 32; place += step)
    if (((mask >> place) & 1) != 0 && --wanted == 0) return static_cast<U32>(place);
  return 0xffffffffu;
}

// With .clamp, b above 31 keeps all of a. With .wrap, b counts modulo 32.
template <bool is_signed, bool clamp>
U32 extended(U32 a, U32 b) {
  if (clamp && b >= 32) return a;
  const U32 n = b & 31;
  if (n == 0) return 0;
  const U32 up = a << (32 - n);
  return is_signed ? static_cast<U32>(static_cast<S32>(up) >> (32 - n)) : up >> (32 - n);
}
template <bool clamp>
U32 bit_mask(U32 a, U32 b) {
  if (clamp && a >= 32) return 0;
  const U32 width = clamp ? std::min(b, 32u) : b & 31;
  return static_cast<U32>(((U64{1} << width) - 1) << (a & 31));
}

// prmt with a mode: `source` gives the source byte of each destination byte, from the two low bits of c.
template <class F>
U32 permuted(U32 a, U32 b, F source) {
  const U64 bytes = U64{b} << 32 | a;
  U32 result = 0;
  for (U32 k = 0; k < 4; ++k) result |= (static_cast<U32>(bytes >> (8 * (source(k) & 7))) & 0xffu) << (8 * k);
  return result;
}
void prmt_rows(AluTable& t) {
  const auto row = [&](U32 flag, auto f) { row_of_three<U32, U32, U32, U32>(t, form("prmt", Type::b32, flag), f); };
  row(alu_f4e, [](O, U32 a, U32 b, U32 c) { return permuted(a, b, [c](U32 k) { return (c & 3) + k; }); });
  row(alu_b4e, [](O, U32 a, U32 b, U32 c) { return permuted(a, b, [c](U32 k) { return (c & 3) - k; }); });
  row(alu_rc8, [](O, U32 a, U32 b, U32 c) { return permuted(a, b, [c](U32) { return c & 3; }); });
  row(alu_ecl, [](O, U32 a, U32 b, U32 c) { return permuted(a, b, [c](U32 k) { return std::max(c & 3, k); }); });
  row(alu_ecr, [](O, U32 a, U32 b, U32 c) { return permuted(a, b, [c](U32 k) { return std::min(c & 3, k); }); });
  row(alu_rc16, [](O, U32 a, U32 b, U32 c) { return permuted(a, b, [c](U32 k) { return (c & 1) * 2 + (k & 1); }); });
}

// slct: a if c >= 0, else b. A NaN in c selects b.
template <class T>
void slct_rows(AluTable& t, std::initializer_list<Type> types) {
  for (Type type : types) {
    AluForm f = form("slct", type);
    f.source = Type::s32;
    row_of_three<T, T, T, S32>(t, f, [](O, T a, T b, S32 c) { return c >= 0 ? a : b; });
    f.source = Type::f32;
    row_of_three<T, T, T, float>(t, f, [](O, T a, T b, float c) { return c >= 0 ? a : b; });
    f.flags = alu_ftz;
    row_of_three<T, T, T, U32>(
        t, f, [](O, T a, T b, U32 c) { return (c & 0x7f800000u) == 0 || std::bit_cast<float>(c) >= 0 ? a : b; });
  }
}

// ---- predicates ----

template <class F>
void predicate_row(AluTable& t, Mnemonic opcode, F) {
  add_scalar(t, form(opcode, Type::pred), [](std::byte* r, const Operation& o, U32 mask) {
    store_mask(r, o.dst, F()(load_mask(r, o.a), load_mask(r, o.b)), mask);
  });
}
void lop3_predicate(std::byte* r, const Operation& o, U32 mask) {
  U32 not_zero = 0;
  each_lane(mask, [&](int i) {
    const U32 a = load_lane<U32>(r, o.a, i), b = load_lane<U32>(r, o.b, i), c = load_lane<U32>(r, o.c, i);
    U32 d = 0;
    for (int k = 0; k < 8; ++k)
      if (((o.immediate >> k) & 1) != 0) d |= (k & 4 ? a : ~a) & (k & 2 ? b : ~b) & (k & 1 ? c : ~c);
    store_lane(r, o.dst, i, d);
    if (d != 0) not_zero |= 1u << i;
  });
  U32 q = load_mask(r, o.d);
  if ((o.flags & compare_negate_c) != 0) q = ~q;
  store_mask(r, o.dst2, (o.flags & compare_and) != 0 ? not_zero & q : not_zero | q, mask);
}

}  // namespace

void add_scalar_integer_rows(AluTable& t) {
  division_rows<U16>(t, Type::u16);
  division_rows<S16>(t, Type::s16);
  division_rows<U64>(t, Type::u64);
  division_rows<S64>(t, Type::s64);
  add_saturating_rows(t);
  long_product_rows<U64>(t, Type::u64);
  long_product_rows<S64>(t, Type::s64);
  product24_rows<U32>(t, Type::u32);
  product24_rows<S32>(t, Type::s32);
  row_of_three<S32, S32, S32, S32>(t, form("mad24", Type::s32, alu_hi | alu_sat), [](O, S32 a, S32 b, S32 c) {
    return clamped<S32>(((low24(a) * low24(b)) >> 16) + c);
  });
  carry_rows<U32>(t, Type::u32);
  carry_rows<S32>(t, Type::s32);
  carry_rows<U64>(t, Type::u64);
  carry_rows<S64>(t, Type::s64);
  pair_rows<U16>(t, Type::u16x2);
  pair_rows<S16>(t, Type::s16x2);
  pair_relu_rows(t);
  dot_rows<U8, U8>(t, Type::u32, Type::u32);
  dot_rows<U8, S8>(t, Type::u32, Type::s32);
  dot_rows<S8, U8>(t, Type::s32, Type::u32);
  dot_rows<S8, S8>(t, Type::s32, Type::s32);

  bfind_rows<U32>(t, Type::u32);
  bfind_rows<S32>(t, Type::s32);
  bfind_rows<U64>(t, Type::u64);
  bfind_rows<S64>(t, Type::s64);
  row_of_one<U32, U32>(t, form("brev", Type::b32), [](O, U32 a) { return reversed(a); });
  row_of_one<U64, U64>(t, form("brev", Type::b64), [](O, U64 a) { return reversed(a); });
  row_of_three<U32, U32, U32, S32>(t, form("fns", Type::b32),
                                   [](O, U32 a, U32 b, S32 c) { return nth_set_bit(a, b, c); });
  row_of_two<U32, U32, U32>(t, form("szext", Type::u32, alu_clamp),
                            [](O, U32 a, U32 b) { return extended<false, true>(a, b); });
  row_of_two<U32, U32, U32>(t, form("szext", Type::u32, alu_wrap),
                            [](O, U32 a, U32 b) { return extended<false, false>(a, b); });
  row_of_two<U32, U32, U32>(t, form("szext", Type::s32, alu_clamp),
                            [](O, U32 a, U32 b) { return extended<true, true>(a, b); });
  row_of_two<U32, U32, U32>(t, form("szext", Type::s32, alu_wrap),
                            [](O, U32 a, U32 b) { return extended<true, false>(a, b); });
  row_of_two<U32, U32, U32>(t, form("bmsk", Type::b32, alu_clamp),
                            [](O, U32 a, U32 b) { return bit_mask<true>(a, b); });
  row_of_two<U32, U32, U32>(t, form("bmsk", Type::b32, alu_wrap),
                            [](O, U32 a, U32 b) { return bit_mask<false>(a, b); });
  prmt_rows(t);
  slct_rows<U16>(t, {Type::b16, Type::u16, Type::s16});
  slct_rows<U32>(t, {Type::b32, Type::u32, Type::s32, Type::f32});
  slct_rows<U64>(t, {Type::b64, Type::u64, Type::s64, Type::f64});

  predicate_row(t, "and", [](U32 a, U32 b) { return a & b; });
  predicate_row(t, "or", [](U32 a, U32 b) { return a | b; });
  predicate_row(t, "xor", [](U32 a, U32 b) { return a ^ b; });
  predicate_row(t, "not", [](U32 a, U32) { return ~a; });
  predicate_row(t, "mov", [](U32 a, U32) { return a; });
  add_scalar<lop3_predicate>(t, form("lop3", Type::b32, alu_predicate));
}

}  // namespace lanescope::sim
