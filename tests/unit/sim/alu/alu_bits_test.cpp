// Bits, logic, shifts and predicates, bit by bit, as the manual describes them.
#include "alu_integer_cases.h"

namespace lanescope::sim::alu_bits {
namespace {

U64 reversed(U64 x, int width) {
  U64 result = 0;
  for (int i = 0; i < width; ++i)
    if (bit(x, static_cast<U64>(i))) result |= U64{1} << (width - 1 - i);
  return result;
}
U64 found(U64 a, const std::string& type, bool shift_amount) {
  const int width = width_of(type);
  if (is_signed_type(type) && bit(a, static_cast<U64>(width - 1))) a = low(~a, width);
  for (int i = width - 1; i >= 0; --i)
    if (bit(a, static_cast<U64>(i))) return static_cast<U64>(shift_amount ? width - 1 - i : i);
  return 0xffffffffu;
}
// The manual's own loops.
U64 extracted(U64 a, U64 b, U64 c, const std::string& type) {
  const U64 msb = static_cast<U64>(width_of(type)) - 1, position = b & 0xff, length = c & 0xff;
  const bool sign = is_signed_type(type) && length != 0 && bit(a, std::min(position + length - 1, msb));
  U64 d = 0;
  for (U64 i = 0; i <= msb; ++i)
    if (i < length && position + i <= msb ? bit(a, position + i) : sign) d |= U64{1} << i;
  return d;
}
U64 inserted(U64 a, U64 b, U64 c, U64 d, int width) {
  const U64 position = c & 0xff, length = d & 0xff;
  for (U64 i = 0; i < length && position + i < static_cast<U64>(width); ++i)
    b = (b & ~(U64{1} << (position + i))) | (U64{bit(a, i)} << (position + i));
  return b;
}
U64 nth_set(U64 mask, U64 base, U64 offset_bits) {
  const auto offset = static_cast<std::int32_t>(offset_bits);
  if (base > 31) return 0xffffffffu;
  if (offset == 0) return bit(mask, base) ? base : 0xffffffffu;
  std::int64_t count = (offset > 0 ? std::int64_t{offset} : -std::int64_t{offset}) - 1;
  for (std::int64_t at = static_cast<std::int64_t>(base); at >= 0 && at<32; at += offset> 0 ? 1 : -1)
    if (bit(mask, static_cast<U64>(at)) && count-- == 0) return static_cast<U64>(at);
  return 0xffffffffu;
}
U64 bit_mask(U64 a, U64 b, bool clamp) {
  U64 result = 0;
  if (!clamp) a &= 31, b &= 31;
  for (U64 i = 0; i < 32; ++i)
    if (i >= a && i - a < b) result |= U64{1} << i;
  return result;
}
U64 extended(U64 a, U64 b, bool clamp, bool is_signed) {
  if (clamp && b >= 32) return a;
  const U64 n = b & 31;
  U64 result = 0;
  for (U64 i = 0; i < 32; ++i)
    if (i < n ? bit(a, i) : is_signed && n > 0 && bit(a, n - 1)) result |= U64{1} << i;
  return result;
}

// prmt: the selectors of the manual's table, most significant byte first.
struct PermuteMode {
  const char* name;
  const char* rows[4];
};
constexpr PermuteMode permute_modes[] = {
    {".f4e", {"3210", "4321", "5432", "6543"}}, {".b4e", {"5670", "6701", "7012", "0123"}},
    {".rc8", {"0000", "1111", "2222", "3333"}}, {".ecl", {"3210", "3211", "3222", "3333"}},
    {".ecr", {"0000", "1110", "2210", "3210"}}, {".rc16", {"1010", "3232", "1010", "3232"}}};

U64 permuted(U64 a, U64 b, U64 selectors, bool may_replicate) {
  const U64 source = b << 32 | a;
  U64 result = 0;
  for (U64 k = 0; k < 4; ++k) {
    const U64 selector = selectors >> (4 * k);
    U64 byte = source >> (8 * (selector & 7)) & 0xff;
    if (may_replicate && bit(selector, 3)) byte = bit(byte, 7) ? 0xff : 0;
    result |= byte << (8 * k);
  }
  return result;
}

Inputs with_fourth(const Inputs& inputs, const std::string& type) {
  return inputs.then([=](std::vector<Sources>& values) {
    const auto fourth = values_of(type, 40);
    for (std::size_t i = 0; i < values.size(); ++i) values[i].d = fourth[(i * 5 + i / 7) % fourth.size()];
  });
}

void bits(Cases& cases) {
  for (const std::string type : {"b32", "b64"}) {
    const int width = width_of(type);
    one(cases, "popc", type, "u32", [=](U64 a) {
      U64 count = 0;
      for (int i = 0; i < width; ++i) count += bit(a, static_cast<U64>(i));
      return count;
    });
    one(cases, "clz", type, "u32", [=](U64 a) {
      int count = 0;
      while (count < width && !bit(a, static_cast<U64>(width - 1 - count))) ++count;
      return static_cast<U64>(count);
    });
    one(cases, "brev", type, type, [=](U64 a) { return reversed(a, width); });
    cases.push_back({"bfi." + type,
                     registers({type, type, type}) + ", %r5, %r6",
                     with_fourth(triples_of(type, type, "amount", 1500), "amount"),
                     [=](const Sources& in) { return inserted(in.a, in.b, in.c, in.d, width); },
                     {}});
  }
  for (const std::string type : {"u32", "s32", "u64", "s64"}) {
    one(cases, "bfind", type, "u32", [=](U64 a) { return found(a, type, false); });
    one(cases, "bfind.shiftamt", type, "u32", [=](U64 a) { return found(a, type, true); });
    cases.push_back({"bfe." + type,
                     registers({type, type}) + ", %r5, %r6",
                     triples_of(type, "amount", "amount", 1500),
                     [=](const Sources& in) { return extracted(in.a, in.b, in.c, type); },
                     {}});
  }
  std::vector<Sources> searches;
  for (U64 mask : values_of("b32", 40))
    for (U64 base : {0u, 1u, 3u, 15u, 16u, 30u, 31u, 32u})
      for (std::int32_t offset : {0, 1, -1, 2, -2, 5, -5, 31, -31, 33})
        searches.push_back({.a = mask, .b = base, .c = static_cast<U32>(offset)});
  searches.push_back({.a = 0xaaaaaaaau, .b = 3, .c = 0x80000000u});
  cases.push_back(
      {"fns.b32", "%r0, %r1, %r2, %r3", searches, [](const Sources& in) { return nth_set(in.a, in.b, in.c); }, {}});
  for (const bool clamp : {false, true}) {
    const std::string mode = clamp ? ".clamp" : ".wrap";
    cases.push_back({"bmsk" + mode + ".b32",
                     "%r0, %r1, %r2",
                     pairs_of("amount", "amount", 500),
                     [=](const Sources& in) { return bit_mask(in.a, in.b, clamp); },
                     {}});
    for (const std::string type : {"u32", "s32"})
      cases.push_back({"szext" + mode + "." + type,
                       "%r0, %r1, %r2",
                       pairs_of(type, "amount", 500),
                       [=](const Sources& in) { return extended(in.a, in.b, clamp, type == "s32"); },
                       {}});
  }
  cases.push_back({"prmt.b32",
                   "%r0, %r1, %r2, %r3",
                   triples_of("b32", "b32", "b32", 2000),
                   [](const Sources& in) { return permuted(in.a, in.b, in.c, true); },
                   {}});
  for (const PermuteMode& mode : permute_modes)
    cases.push_back({std::string("prmt.b32") + mode.name,
                     "%r0, %r1, %r2, %r3",
                     triples_of("b32", "b32", "b32", 500),
                     [=](const Sources& in) {
                       const char* row = mode.rows[in.c & 3];
                       U64 selectors = 0;
                       for (int k = 0; k < 4; ++k) selectors = selectors << 4 | static_cast<U64>(row[k] - '0');
                       return permuted(in.a, in.b, selectors, false);
                     },
                     {}});
}

// ---- logic and shifts ----

void logic(Cases& cases) {
  for (const std::string type : {"b16", "b32", "b64"}) {
    const int width = width_of(type);
    two(cases, "and", type, [](Int128 a, Int128 b) { return a & b; });
    two(cases, "or", type, [](Int128 a, Int128 b) { return a | b; });
    two(cases, "xor", type, [](Int128 a, Int128 b) { return a ^ b; });
    one(cases, "not", type, type, [](U64 a) { return ~a; });
    one(cases, "cnot", type, type, [](U64 a) { return U64{a == 0}; });
    cases.push_back({"shl." + type,
                     registers({type, type}) + ", %r5",
                     pairs_of(type, "amount", 500),
                     [=](const Sources& in) { return in.b >= static_cast<U64>(width) ? 0 : in.a << in.b; },
                     {}});
    for (const char sign : {'b', 'u', 's'}) {
      const std::string signed_type = sign + std::to_string(width);
      cases.push_back({"shr." + signed_type,
                       registers({type, type}) + ", %r5",
                       pairs_of(signed_type, "amount", 500),
                       [=](const Sources& in) {
                         const Int128 a = as_integer(in.a, signed_type);
                         return word(a >> std::min<U64>(in.b, 64));
                       },
                       {}});
    }
  }
  for (const std::string direction : {"l", "r"})
    for (const std::string mode : {"clamp", "wrap"})
      cases.push_back({"shf." + direction + "." + mode + ".b32",
                       "%r0, %r1, %r2, %r3",
                       triples_of("b32", "b32", "amount", 500),
                       [=](const Sources& in) {
                         const U64 n = mode == "clamp" ? std::min<U64>(in.c, 32) : in.c & 31;
                         const UInt128 both = in.b << 32 | in.a;
                         return direction == "l" ? static_cast<U64>((both << n) >> 32) & 0xffffffffu
                                                 : static_cast<U64>(both >> n);
                       },
                       {}});
  const auto table = [](const Sources& in, U64 lut) {
    U64 d = 0;
    for (U64 i = 0; i < 32; ++i)
      d |= U64{bit(lut, U64{bit(in.a, i)} << 2 | U64{bit(in.b, i)} << 1 | U64{bit(in.c, i)})} << i;
    return d;
  };
  for (U64 lut = 0; lut < 256; ++lut)
    cases.push_back({"lop3.b32",
                     "%r0, %r1, %r2, %r3, " + std::to_string(lut),
                     triples_of("b32", "b32", "b32", 30),
                     [=](const Sources& in) { return table(in, lut); },
                     {}});
  for (const U64 lut : {0x00, 0x3f, 0x80, 0x96, 0xfe, 0xff})
    for (const bool is_or : {false, true}) {
      // The fourth source is the predicate: %p2.
      const auto inputs = triples_of("b32", "b32", "b32", 100).then([](std::vector<Sources>& values) {
        for (std::size_t i = 0; i < values.size(); ++i) values[i].d = i & 1;
      });
      const std::string mnemonic = is_or ? "lop3.or.b32" : "lop3.and.b32";
      for (const bool negated : {false, true})
        cases.push_back({mnemonic,
                         "%r0|%p1, %r1, %r2, %r3, " + std::to_string(lut) + (negated ? ", !%p2" : ", %p2"),
                         inputs,
                         [=](const Sources& in) {
                           const U64 d = table(in, lut), q = negated ? 1 - in.d : in.d;
                           return Results(d, is_or ? U64{d != 0} | q : U64{d != 0} & q);
                         },
                         {}});
    }
  const auto predicates = pairs_of("pred", "pred", 60);
  cases.push_back({"and.pred", "%p0, %p1, %p2", predicates, [](const Sources& in) { return in.a & in.b; }, {}});
  cases.push_back({"or.pred", "%p0, %p1, %p2", predicates, [](const Sources& in) { return in.a | in.b; }, {}});
  cases.push_back({"xor.pred", "%p0, %p1, %p2", predicates, [](const Sources& in) { return in.a ^ in.b; }, {}});
  cases.push_back({"not.pred", "%p0, %p1", predicates, [](const Sources& in) { return 1 - in.a; }, {}});
}

const bool added = add_alu_cases(bits) && add_alu_cases(logic);

}  // namespace
}  // namespace lanescope::sim::alu_bits
