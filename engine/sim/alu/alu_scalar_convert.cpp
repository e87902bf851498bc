// The general cvt: any two types, any rounding, registers that are wider than the types. The frequent cases have their
// own rows (alu_convert.inl, alu_half.inl), which replace these.
#include "sim/alu/alu_convert.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <iterator>

#include "sim/alu/alu_scalar.h"
#include "sim/alu/alu_soft_float.h"
#include "sim/alu/half.h"

namespace lanescope::sim {

namespace {

using ptx::Rounding;
using ptx::Type;
using Kind = ExactNumber::Kind;
using U32 = std::uint32_t;
using U64 = std::uint64_t;

bool is_half(Type type) {
  return type == Type::f16 || type == Type::bf16;
}
bool is_number(Type type) {
  return is_half(type) || type == Type::f32 || type == Type::f64;
}
int bits_of(Type type) {
  return 8 * ptx::bytes_of(type);
}

U64 low_bits(U64 x, int count) {
  return count >= 64 ? x : x & ((U64{1} << count) - 1);
}
U64 sign_extended(U64 x, int count) {
  const int up = 64 - count;
  return up == 0 ? x : static_cast<U64>(static_cast<std::int64_t>(x << up) >> up);
}

// An integer of this type in 64 bits.
U64 in_64_bits(U64 x, Type type) {
  return ptx::is_signed(type) ? sign_extended(x, bits_of(type)) : low_bits(x, bits_of(type));
}

ExactNumber number_of(U64 bits, Type type) {
  if (is_number(type)) return unpack(low_bits(bits, bits_of(type)), format_of(type));
  if (!ptx::is_signed(type)) return exact_integer(false, in_64_bits(bits, type));
  const auto value = static_cast<std::int64_t>(in_64_bits(bits, type));
  return exact_integer(value < 0, value < 0 ? U64{0} - static_cast<U64>(value) : static_cast<U64>(value));
}

// An integral number clamped to the range of `type`, in two's complement.
U64 held_integer(const ExactNumber& number, Type type) {
  const int bits = bits_of(type);
  const bool is_signed = ptx::is_signed(type);
  const U64 most = is_signed ? (U64{1} << (bits - 1)) - 1 : low_bits(~U64{0}, bits);
  const U64 least = is_signed ? most + 1 : 0;  // as a magnitude
  if (number.kind == Kind::zero) return 0;
  const U64 limit = number.negative ? least : most;
  U64 magnitude = limit;
  if (number.kind == Kind::finite && number.exponent < 64) {
    const Unsigned128 value = number.exponent >= 0 ? number.significand << number.exponent : number.significand;
    if (value < limit) magnitude = static_cast<U64>(value);
  }
  return number.negative ? U64{0} - magnitude : magnitude;
}

U64 to_integer(const ExactNumber& number, Type to, Type from, Rounding rounding) {
  if (number.kind == Kind::nan) {
    const bool zero = from != Type::f64 && to != Type::s64 && to != Type::u64;
    return zero ? 0 : U64{1} << (bits_of(to) - 1);
  }
  return held_integer(round_to_integral(number, rounding), to);
}

struct Modifiers {
  bool ftz = false, sat = false, relu = false, satfinite = false;
};
Modifiers modifiers_of(const Operation& o) {
  return {.ftz = (o.flags & alu_ftz) != 0,
          .sat = (o.flags & alu_sat) != 0,
          .relu = (o.flags & alu_relu) != 0,
          .satfinite = (o.flags & alu_satfinite) != 0};
}

// Whether an f32 result, rounded with an unlimited exponent, is below 2^-126.
bool is_tiny32(const ExactNumber& number, Rounding rounding) {
  constexpr FloatFormat wide{11, 23};  // f32's precision, f64's exponents
  const U64 magnitude = low_bits(round_to(number, wide, rounding), wide.width() - 1);
  return magnitude < static_cast<U64>(wide.bias() - 126) << wide.fraction_bits;
}

// The encoding of `number` after rounding, .ftz, .sat, .relu and .satfinite.
U64 to_float(const ExactNumber& number, FloatFormat format, Rounding rounding, Modifiers modifiers) {
  if (number.kind == Kind::nan) return modifiers.sat ? 0 : round_to(number, format, rounding);
  const U64 sign = U64{1} << (format.width() - 1);
  const U64 infinite = round_to({.kind = Kind::infinity}, format, rounding);
  const U64 one = round_to(exact_integer(false, 1), format, rounding);
  U64 bits = round_to(number, format, rounding);
  if (modifiers.satfinite && (bits & ~sign) >= infinite) bits = (bits & sign) | (infinite - 1);
  if (modifiers.ftz && is_tiny32(number, rounding)) bits &= sign;  // only f32 has .ftz
  if ((modifiers.sat || modifiers.relu) && (bits & sign) != 0) bits = 0;
  if (modifiers.sat && bits > one) bits = one;
  return bits;
}

// A NaN of one format in another: its sign and as much of its payload as there is room for, made quiet.
U64 moved_nan(U64 source, FloatFormat from, FloatFormat to) {
  const U64 sign = source >> (from.width() - 1) & 1;
  const U64 fraction = low_bits(source, from.fraction_bits);
  const int narrower = from.fraction_bits - to.fraction_bits;
  const U64 exponent = low_bits(~U64{0}, to.exponent_bits) << to.fraction_bits;
  return sign << (to.width() - 1) | exponent | U64{1} << (to.fraction_bits - 1) |
         (narrower > 0 ? fraction >> narrower : fraction << -narrower);
}

// The value of a number, which f64 holds exactly. A NaN becomes a NaN.
double double_of(U64 bits, Type type) {
  switch (type) {
    case Type::f16:
      return half_to_float(static_cast<std::uint16_t>(bits));
    case Type::bf16:
      return bfloat_to_float(static_cast<std::uint16_t>(bits));
    case Type::f32:
      return std::bit_cast<float>(static_cast<U32>(bits));
    default:
      return std::bit_cast<double>(bits);
  }
}

// |x| < 2^62, so every step is exact.
std::int64_t rounded_integer(double x, Rounding rounding) {
  const auto whole = static_cast<std::int64_t>(x);
  const double rest = x - static_cast<double>(whole);
  switch (rounding) {
    case Rounding::rmi:
      return whole - (rest < 0);
    case Rounding::rpi:
      return whole + (rest > 0);
    case Rounding::rni: {
      const double size = std::fabs(rest);
      const bool away = size > 0.5 || (size == 0.5 && (whole & 1) != 0);
      return whole + (away ? (rest < 0 ? -1 : 1) : 0);
    }
    default:
      return whole;
  }
}

U64 clamped(std::int64_t x, Type type) {
  const int bits = bits_of(type);
  if (!ptx::is_signed(type)) return x < 0 ? 0 : std::min(static_cast<U64>(x), low_bits(~U64{0}, bits));
  const std::int64_t most = static_cast<std::int64_t>((U64{1} << (bits - 1)) - 1);
  return static_cast<U64>(std::clamp(x, -most - 1, most));
}

// An integer as a number, if its magnitude is so small that f32 holds it exactly and the last rounding is to nearest,
// or that no rounding is needed.
bool of_small_integer(std::int64_t x, Type to, Rounding rounding, U64& result) {
  const U64 exact = U64{1} << (to == Type::f16 ? 11 : to == Type::bf16 ? 8 : 24);
  const U64 magnitude = x < 0 ? U64{0} - static_cast<U64>(x) : static_cast<U64>(x);
  if (magnitude > exact && !(rounding == Rounding::rn && magnitude <= U64{1} << 24)) return false;
  const auto number = static_cast<float>(x);
  result = to == Type::f16    ? float_to_half(number)
           : to == Type::bf16 ? float_to_bfloat(number)
           : to == Type::f32  ? std::bit_cast<U32>(number)
                              : std::bit_cast<U64>(static_cast<double>(number));
  return true;
}

U64 convert(U64 source, Type to, Type from, Rounding rounding, Modifiers modifiers) {
  if (modifiers.ftz && from == Type::f32 && (source & 0x7f800000u) == 0) source &= 0x80000000u;
  if (from == Type::bf16 && to == Type::f32 && !modifiers.ftz) return source << 16;
  if (is_number(from) && !is_number(to)) {
    const double value = double_of(source, from);
    if (std::fabs(value) < 0x1p62) return clamped(rounded_integer(value, rounding), to);
  }
  if (!is_number(from) && is_number(to) && !modifiers.sat && (from != Type::u64 || source >> 63 == 0)) {
    U64 result = 0;
    if (of_small_integer(static_cast<std::int64_t>(in_64_bits(source, from)), to, rounding, result)) return result;
  }
  const ExactNumber number = number_of(source, from);
  if (!is_number(to)) {
    if (is_number(from)) return to_integer(number, to, from, rounding);
    return modifiers.sat ? held_integer(number, to) : in_64_bits(source, from);
  }
  if (number.kind == Kind::nan && (to == Type::f64 || from == Type::f64) && !modifiers.sat)
    return moved_nan(source, format_of(from), format_of(to));
  const bool integral =
      rounding == Rounding::rni || rounding == Rounding::rzi || rounding == Rounding::rmi || rounding == Rounding::rpi;
  modifiers.ftz = modifiers.ftz && to == Type::f32;
  return to_float(integral ? round_to_integral(number, rounding) : number, format_of(to), rounding, modifiers);
}

U64 load_slot(const std::byte* r, U32 offset, int lane, int bytes) {
  switch (bytes) {
    case 2:
      return load_lane<std::uint16_t>(r, offset, lane);
    case 4:
      return load_lane<U32>(r, offset, lane);
    default:
      return load_lane<U64>(r, offset, lane);
  }
}
void store_slot(std::byte* r, U32 offset, int lane, int bytes, U64 value) {
  switch (bytes) {
    case 2:
      store_lane(r, offset, lane, static_cast<std::uint16_t>(value));
      break;
    case 4:
      store_lane(r, offset, lane, static_cast<U32>(value));
      break;
    default:
      store_lane(r, offset, lane, value);
  }
}

void convert_lanes(std::byte* r, const Operation& o, U32 mask) {
  const ConvertTypes types = unpack_types(o.immediate);
  const auto rounding = static_cast<Rounding>(o.extra & 0xff);
  each_lane(mask, [&](int i) {
    U64 value = convert(load_slot(r, o.a, i, types.source_bytes), types.to, types.from, rounding, modifiers_of(o));
    value = ptx::is_signed(types.to) && !ptx::is_float(types.to) ? sign_extended(value, bits_of(types.to))
                                                                 : low_bits(value, bits_of(types.to));
    store_slot(r, o.dst, i, types.destination_bytes, value);
  });
}

// The conversions of all numbers of a format, to nearest. `count`: of its encodings.
template <class Result, std::size_t count>
std::array<Result, count> all_conversions(FloatFormat to, FloatFormat from, Modifiers modifiers) {
  std::array<Result, count> results;
  for (std::size_t x = 0; x < count; ++x)
    results[x] = static_cast<Result>(to_float(unpack(x, from), to, Rounding::rn, modifiers));
  return results;
}

// Elements of the 8-bit formats. A conversion to one always is .satfinite. The tables are made when they are first
// used.
constexpr std::size_t all_bytes = 0x100, all_halves = 0x10000;
template <Type to, bool relu>
U32 byte_of_half(U32 half) {
  static const auto bytes =
      all_conversions<std::uint8_t, all_halves>(format_of(to), format_f16, {.relu = relu, .satfinite = true});
  return bytes[half];
}
// The upper half of an f32 suffices, its last bit set if the lower half is not zero: that is a bf16 rounded to odd,
// which has more than two bits more than the result.
template <Type to, bool relu>
U32 byte_of_float(U32 bits) {
  static const auto bytes =
      all_conversions<std::uint8_t, all_halves>(format_of(to), format_bf16, {.relu = relu, .satfinite = true});
  return bytes[bits >> 16 | static_cast<U32>((bits & 0xffff) != 0)];
}
template <Type from, bool relu>
U32 half_of_byte(U32 byte) {
  static const auto halves = all_conversions<std::uint16_t, all_bytes>(format_f16, format_of(from), {.relu = relu});
  return halves[byte];
}

// Converts a to the upper half of d and b to the lower half.
template <Type to>
void convert_pair(std::byte* r, const Operation& o, U32 mask) {
  const auto rounding = static_cast<Rounding>(o.extra & 0xff);
  const auto element = [&](U32 x) {
    return static_cast<U32>(to_float(unpack(x, format_f32), format_of(to), rounding, modifiers_of(o)));
  };
  each_lane(mask, [&](int i) {
    store_lane(r, o.dst, i, element(load_lane<U32>(r, o.a, i)) << 16 | element(load_lane<U32>(r, o.b, i)));
  });
}
template <Type to, bool relu>
void convert_pair_to_bytes(std::byte* r, const Operation& o, U32 mask) {
  each_lane(mask, [&](int i) {
    const U32 high = byte_of_float<to, relu>(load_lane<U32>(r, o.a, i));
    const U32 low = byte_of_float<to, relu>(load_lane<U32>(r, o.b, i));
    store_lane(r, o.dst, i, static_cast<std::uint16_t>(high << 8 | low));
  });
}
template <Type to, bool relu>
void convert_halves_to_bytes(std::byte* r, const Operation& o, U32 mask) {
  each_lane(mask, [&](int i) {
    const U32 a = load_lane<U32>(r, o.a, i);
    const U32 high = byte_of_half<to, relu>(a >> 16), low = byte_of_half<to, relu>(a & 0xffff);
    store_lane(r, o.dst, i, static_cast<std::uint16_t>(high << 8 | low));
  });
}
template <Type from, bool relu>
void convert_bytes_to_halves(std::byte* r, const Operation& o, U32 mask) {
  each_lane(mask, [&](int i) {
    const U32 a = load_lane<std::uint16_t>(r, o.a, i);
    store_lane(r, o.dst, i, half_of_byte<from, relu>(a >> 8) << 16 | half_of_byte<from, relu>(a & 0xff));
  });
}

// An f32 whose 13 low bits are zero. Rounding its bits as an integer rounds the number, up to infinity.
U32 to_tf32(U32 x, Rounding rounding, Modifiers modifiers) {
  constexpr U32 infinite = 0x7f800000u, unit = 0x2000u;
  const U32 sign = x & 0x80000000u, magnitude = x ^ sign;
  if (magnitude > infinite) return 0x7fffe000u;
  const U32 nearest = unit / 2 - 1 + (magnitude / unit & 1);  // ties to even
  const U32 added = rounding == Rounding::rz ? 0 : rounding == Rounding::rna ? unit / 2 : nearest;
  U32 rounded = (magnitude + added) & ~(unit - 1);
  if (modifiers.satfinite && rounded == infinite) rounded -= unit;
  return modifiers.relu && sign != 0 ? 0 : sign | rounded;
}
void convert_tf32(std::byte* r, const Operation& o, U32 mask) {
  const auto rounding = static_cast<Rounding>(o.extra & 0xff);
  const Modifiers modifiers = modifiers_of(o);
  each_lane(mask, [&](int i) { store_lane(r, o.dst, i, to_tf32(load_lane<U32>(r, o.a, i), rounding, modifiers)); });
}

// cvt.pack: a in the higher bits, b in the lower ones, c above both.
template <int width, bool is_signed, bool appended>
void pack(std::byte* r, const Operation& o, U32 mask) {
  constexpr int least = is_signed ? -(1 << (width - 1)) : 0;
  constexpr int most = is_signed ? (1 << (width - 1)) - 1 : (1 << width) - 1;
  constexpr U32 field = (1u << width) - 1;
  each_lane(mask, [&](int i) {
    const U32 a = static_cast<U32>(std::clamp(load_lane<std::int32_t>(r, o.a, i), least, most)) & field;
    const U32 b = static_cast<U32>(std::clamp(load_lane<std::int32_t>(r, o.b, i), least, most)) & field;
    U32 d = a << width | b;
    if constexpr (appended) d |= load_lane<U32>(r, o.c, i) << (2 * width);
    store_lane(r, o.dst, i, d);
  });
}

AluForm converting(Type to, Type from, Rounding rounding, U32 flags) {
  return {.opcode = row_opcode("cvt"), .type = to, .source = from, .rounding = rounding, .flags = flags};
}

constexpr Type integers[] = {Type::u8, Type::s8, Type::u16, Type::s16, Type::u32, Type::s32, Type::u64, Type::s64};
constexpr Type numbers[] = {Type::f16, Type::bf16, Type::f32, Type::f64};
constexpr Rounding integral_roundings[] = {Rounding::rni, Rounding::rzi, Rounding::rmi, Rounding::rpi};
constexpr Rounding roundings[] = {Rounding::rn, Rounding::rz, Rounding::rm, Rounding::rp};

// Adds rows with .ftz and .sat where PTX allows them.
void with_modifiers(AluTable& t, Type to, Type from, Rounding rounding) {
  const bool may_flush = to == Type::f32 || from == Type::f32;
  const bool may_saturate = to != Type::bf16 && from != Type::bf16;
  for (U32 ftz : {0u, static_cast<U32>(alu_ftz)})
    for (U32 sat : {0u, static_cast<U32>(alu_sat)})
      if ((ftz == 0 || may_flush) && (sat == 0 || may_saturate))
        add_scalar<convert_lanes>(t, converting(to, from, rounding, ftz | sat));
}

// Whether type `to` holds all values of `from`. Then .sat is not allowed.
bool holds_all(Type to, Type from) {
  const int width = bits_of(to), source = bits_of(from);
  if (ptx::is_signed(to) == ptx::is_signed(from)) return width >= source;
  return ptx::is_signed(to) && width > source;
}

template <Type to>
void pair_rows(AluTable& t, std::initializer_list<U32> modifiers) {
  for (Rounding rounding : {Rounding::rn, Rounding::rz})
    for (U32 flags : modifiers) add_scalar<convert_pair<to>>(t, converting(to, Type::f32, rounding, flags));
}

template <Type bytes, bool relu>
void byte_rows(AluTable& t) {
  const U32 flags = relu ? alu_relu : 0u;
  add_scalar<convert_pair_to_bytes<bytes, relu>>(t, converting(bytes, Type::f32, Rounding::rn, alu_satfinite | flags));
  add_scalar<convert_halves_to_bytes<bytes, relu>>(t,
                                                   converting(bytes, Type::f16x2, Rounding::rn, alu_satfinite | flags));
  add_scalar<convert_bytes_to_halves<bytes, relu>>(t, converting(Type::f16x2, bytes, Rounding::rn, flags));
}

template <int width, bool is_signed>
void pack_row(AluTable& t, Type type, U32 flags = 0) {
  AluForm f{.opcode = row_opcode("cvt.pack"), .type = type, .source = Type::s32, .flags = alu_sat | flags};
  add_scalar<pack<width, is_signed, width != 16>>(t, f);
}

}  // namespace

void convert_any(std::byte* registers, const Operation& operation, std::uint32_t) {
  convert_lanes(registers, operation, 0xffffffffu);
}
void convert_any_masked(std::byte* registers, const Operation& operation, std::uint32_t mask) {
  convert_lanes(registers, operation, mask);
}

void add_scalar_convert_rows(AluTable& t) {
  for (Type to : integers) {
    for (Type from : integers) {
      add_scalar<convert_lanes>(t, converting(to, from, Rounding::none, 0));
      if (!holds_all(to, from)) add_scalar<convert_lanes>(t, converting(to, from, Rounding::none, alu_sat));
    }
    for (Type from : numbers) {
      for (Rounding rounding : integral_roundings) with_modifiers(t, to, from, rounding);
      for (Rounding rounding : roundings) with_modifiers(t, from, to, rounding);
    }
  }
  for (Type to : numbers)
    for (Type from : numbers) {
      const bool lossless = ptx::bytes_of(to) > ptx::bytes_of(from) || to == from;
      if (lossless) with_modifiers(t, to, from, Rounding::none);
      if (!lossless || (from == Type::bf16 && to != Type::bf16))  // PTX has these roundings although nothing is lost
        for (Rounding rounding : roundings) with_modifiers(t, to, from, rounding);
      if (to == from)
        for (Rounding rounding : integral_roundings) with_modifiers(t, to, from, rounding);
    }

  const std::initializer_list<U32> modifiers = {0, alu_relu, alu_satfinite, alu_relu | alu_satfinite};
  for (U32 flags : modifiers) {
    for (Rounding rounding : {Rounding::rn, Rounding::rz}) {
      add_scalar<convert_lanes>(t, converting(Type::f16, Type::f32, rounding, flags));
      add_scalar<convert_lanes>(t, converting(Type::bf16, Type::f32, rounding, flags));
      add_scalar<convert_tf32>(t, converting(Type::tf32, Type::f32, rounding, flags));
    }
  }
  add_scalar<convert_tf32>(t, converting(Type::tf32, Type::f32, Rounding::rna, 0));
  add_scalar<convert_tf32>(t, converting(Type::tf32, Type::f32, Rounding::rna, alu_satfinite));
  pair_rows<Type::f16x2>(t, modifiers);
  pair_rows<Type::bf16x2>(t, modifiers);
  byte_rows<Type::e4m3x2, false>(t);
  byte_rows<Type::e4m3x2, true>(t);
  byte_rows<Type::e5m2x2, false>(t);
  byte_rows<Type::e5m2x2, true>(t);

  pack_row<16, false>(t, Type::u16);
  pack_row<16, true>(t, Type::s16);
  pack_row<8, false>(t, Type::u8);
  pack_row<8, true>(t, Type::s8);
  pack_row<4, false>(t, Type::other, alu_pack_u4);
  pack_row<4, true>(t, Type::other, alu_pack_s4);
  pack_row<2, false>(t, Type::other, alu_pack_u2);
  pack_row<2, true>(t, Type::other, alu_pack_s2);
}

}  // namespace lanescope::sim
