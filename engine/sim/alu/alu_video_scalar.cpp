// The steps and their names are those of the PTX ISA, "Scalar Video Instructions": select and extend a and b, compute
// in more than 32 bits, saturate to the destination's part, combine with c, merge into c.
#include "sim/alu/alu_video_scalar.h"

#include <algorithm>

#include "ptx/opcode.h"
#include "ptx/register_part.h"
#include "sim/alu/alu_scalar.h"

namespace lanescope::sim {
namespace {

using ptx::Compare;
using ptx::Opcode;
using ptx::RegisterPart;
using U32 = std::uint32_t;
__extension__ typedef __int128 Wide;

struct VideoFields {
  RegisterPart a{}, b{}, d{};
  bool a_signed = false, b_signed = false, d_signed = false;
  bool sat = false, clamp = false;
  bool product_negated = false, c_negated = false, plus_one = false;
  std::uint8_t scale = 0;
  enum class Second : std::uint8_t { none, add, min, max } second{};
  Compare compare{};
};

std::uint64_t packed(const VideoFields& f) {
  std::uint64_t bits = 0;
  int place = 0;
  const auto put = [&](std::uint64_t value, int width) {
    bits |= value << place;
    place += width;
  };
  for (RegisterPart part : {f.a, f.b, f.d}) put(static_cast<std::uint64_t>(part), 3);
  for (bool flag : {f.a_signed, f.b_signed, f.d_signed, f.sat, f.clamp, f.product_negated, f.c_negated, f.plus_one})
    put(flag, 1);
  put(f.scale, 5);
  put(static_cast<std::uint64_t>(f.second), 2);
  put(static_cast<std::uint64_t>(f.compare), 5);
  return bits;
}

VideoFields unpacked(std::uint64_t bits) {
  VideoFields f;
  const auto take = [&](int width) {
    const std::uint64_t value = bits & ((1u << width) - 1);
    bits >>= width;
    return value;
  };
  for (RegisterPart* part : {&f.a, &f.b, &f.d}) *part = static_cast<RegisterPart>(take(3));
  for (bool* flag :
       {&f.a_signed, &f.b_signed, &f.d_signed, &f.sat, &f.clamp, &f.product_negated, &f.c_negated, &f.plus_one})
    *flag = take(1) != 0;
  f.scale = static_cast<std::uint8_t>(take(5));
  f.second = static_cast<VideoFields::Second>(take(2));
  f.compare = static_cast<Compare>(take(5));
  return f;
}

Wide extended(U32 x, RegisterPart part, bool is_signed) {
  const int width = bits_of(part), up = 32 - width - place_of(part);
  const U32 high = x << up;
  return is_signed ? Wide{static_cast<std::int32_t>(high) >> (32 - width)} : Wide{high >> (32 - width)};
}

Wide saturated(Wide x, bool is_signed, int width) {
  const Wide most = (Wide{1} << (is_signed ? width - 1 : width)) - 1;
  return std::clamp(x, is_signed ? -most - 1 : Wide{0}, most);
}

bool holds(Compare compare, Wide a, Wide b) {
  switch (compare) {
    case Compare::eq:
      return a == b;
    case Compare::ne:
      return a != b;
    case Compare::lt:
      return a < b;
    case Compare::le:
      return a <= b;
    case Compare::gt:
      return a > b;
    default:
      return a >= b;
  }
}

template <Opcode opcode>
Wide primary(const VideoFields& f, Wide a, Wide b) {
  if constexpr (opcode == Opcode::vadd) return a + b;
  if constexpr (opcode == Opcode::vsub) return a - b;
  if constexpr (opcode == Opcode::vabsdiff) return a < b ? b - a : a - b;
  if constexpr (opcode == Opcode::vmin) return std::min(a, b);
  if constexpr (opcode == Opcode::vmax) return std::max(a, b);
  if constexpr (opcode == Opcode::vset) return holds(f.compare, a, b) ? 1 : 0;
  const int count = static_cast<int>(f.clamp ? std::min(b, Wide{32}) : b & 31);
  if constexpr (opcode == Opcode::vshl) return a * (Wide{1} << count);
  if constexpr (opcode == Opcode::vshr) return a >> count;
  return 0;
}

template <Opcode opcode>
U32 video_result(const VideoFields& f, U32 a, U32 b, U32 c) {
  Wide t = primary<opcode>(f, extended(a, f.a, f.a_signed), extended(b, f.b, f.b_signed));
  if (f.sat) t = saturated(t, f.d_signed, bits_of(f.d));
  const Wide third = extended(c, RegisterPart::whole, f.d_signed);
  switch (f.second) {
    case VideoFields::Second::add:
      return static_cast<U32>(t) + c;
    case VideoFields::Second::min:
      return static_cast<U32>(std::min(t, third));
    case VideoFields::Second::max:
      return static_cast<U32>(std::max(t, third));
    default:
      break;
  }
  if (f.d == RegisterPart::whole) return static_cast<U32>(t);
  const U32 field = ((U32{1} << bits_of(f.d)) - 1) << place_of(f.d);
  return (c & ~field) | ((static_cast<U32>(t) << place_of(f.d)) & field);
}

template <>
U32 video_result<Opcode::vmad>(const VideoFields& f, U32 a, U32 b, U32 c) {
  const bool is_signed = f.a_signed || f.b_signed || f.product_negated || f.c_negated;
  Wide t = extended(a, f.a, f.a_signed) * extended(b, f.b, f.b_signed);
  if (f.product_negated) t = ~t;
  if (f.c_negated) c = ~c;
  t += extended(c, RegisterPart::whole, is_signed);
  if (f.plus_one || f.product_negated || f.c_negated) t += 1;
  t >>= f.scale;
  return static_cast<U32>(f.sat ? saturated(t, is_signed, 32) : t);
}

template <Opcode opcode>
void scalar_video_row(AluTable& table) {
  const AluForm form{.opcode = opcode, .type = ptx::Type::u32, .source = ptx::Type::u32};
  add_scalar(table, form, [](std::byte* r, const Operation& o, U32 mask) {
    const VideoFields f = unpacked(o.immediate);
    const bool has_c = o.extra != 0;
    each_lane(mask, [&](int i) {
      const U32 a = load_lane<U32>(r, o.a, i), b = load_lane<U32>(r, o.b, i);
      store_lane(r, o.dst, i, video_result<opcode>(f, a, b, has_c ? load_lane<U32>(r, o.c, i) : 0));
    });
  });
}

}  // namespace

std::optional<std::uint64_t> scalar_video_fields(const ptx::Instruction& i) {
  if (i.operands.size() < 3) return std::nullopt;
  VideoFields f;
  // vset has no destination type; the destination is unsigned. For vmad it is the type of the result.
  bool* const signs[] = {&f.d_signed, &f.a_signed, &f.b_signed};
  std::size_t next = i.opcode == Opcode::vset ? 1 : 0;
  for (const std::string& word : i.modifiers)
    if (const ptx::Type type = ptx::type_named(word); type != ptx::Type::none) {
      if (next == 3) return std::nullopt;
      *signs[next++] = ptx::is_signed(type);
    }
  const bool shifts = i.opcode == Opcode::vshl || i.opcode == Opcode::vshr;
  if (next != 3 || i.compare > Compare::ge || (shifts && f.b_signed)) return std::nullopt;
  f.a = part_of(i.operands[1]);
  f.b = part_of(i.operands[2]);
  f.d = part_of(i.operands[0]);
  f.sat = i.sat;
  f.clamp = i.has("clamp");
  f.compare = i.compare;
  f.plus_one = i.has("po");
  f.scale = i.has("shr7") ? 7 : i.has("shr15") ? 15 : 0;
  f.second = i.has("add")   ? VideoFields::Second::add
             : i.has("min") ? VideoFields::Second::min
             : i.has("max") ? VideoFields::Second::max
                            : VideoFields::Second::none;
  const bool has_c = i.operands.size() == 4;
  if (i.opcode == Opcode::vmad) {
    f.product_negated = i.operands[1].negated != i.operands[2].negated;
    f.c_negated = has_c && i.operands[3].negated;
    if (!has_c || f.d != RegisterPart::whole || part_of(i.operands[3]) != RegisterPart::whole) return std::nullopt;
    if (f.plus_one && (i.operands[1].negated || i.operands[2].negated || f.c_negated)) return std::nullopt;
    return packed(f);
  }
  const bool merges = f.d != RegisterPart::whole, combines = f.second != VideoFields::Second::none;
  if ((merges && combines) || has_c != (merges || combines)) return std::nullopt;
  if (has_c && part_of(i.operands[3]) != RegisterPart::whole) return std::nullopt;
  return packed(f);
}

void add_scalar_video_rows(AluTable& t) {
  scalar_video_row<Opcode::vadd>(t);
  scalar_video_row<Opcode::vsub>(t);
  scalar_video_row<Opcode::vabsdiff>(t);
  scalar_video_row<Opcode::vmin>(t);
  scalar_video_row<Opcode::vmax>(t);
  scalar_video_row<Opcode::vshl>(t);
  scalar_video_row<Opcode::vshr>(t);
  scalar_video_row<Opcode::vmad>(t);
  scalar_video_row<Opcode::vset>(t);
}

}  // namespace lanescope::sim
