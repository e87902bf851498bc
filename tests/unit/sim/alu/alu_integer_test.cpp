// Integer arithmetic, computed in 128 bits.
#include <random>

#include "alu_integer_cases.h"

namespace lanescope::sim::alu_integer {
namespace {

constexpr const char* integer_types[] = {"u16", "s16", "u32", "s32", "u64", "s64"};

std::string wider(const std::string& type) {
  return type[0] + std::to_string(2 * width_of(type));
}

void arithmetic(Cases& cases) {
  for (const std::string type : integer_types) {
    const int width = width_of(type);
    two(cases, "add", type, [](Int128 a, Int128 b) { return a + b; });
    two(cases, "sub", type, [](Int128 a, Int128 b) { return a - b; });
    two(cases, "mul.lo", type,
        [](Int128 a, Int128 b) { return static_cast<Int128>(static_cast<UInt128>(a) * static_cast<UInt128>(b)); });
    // The unsigned |a·b| can need 128 bits, so 64-bit high products are computed from halves below.
    if (width < 64) {
      two(cases, "mul.hi", type, [=](Int128 a, Int128 b) { return (a * b) >> width; });
      three(cases, "mad.hi", type, [=](Int128 a, Int128 b, Int128 c) { return ((a * b) >> width) + c; });
      cases.push_back({"mul.wide." + type,
                       registers({wider(type), type, type}),
                       pairs_of(type, type, 500),
                       [=](const Sources& in) { return word(as_integer(in.a, type) * as_integer(in.b, type)); },
                       {}});
      cases.push_back({"mad.wide." + type,
                       registers({wider(type), type, type, wider(type)}),
                       triples_of(type, type, wider(type), 500),
                       [=](const Sources& in) {
                         return word(
                             static_cast<Int128>(static_cast<UInt128>(as_integer(in.a, type) * as_integer(in.b, type)) +
                                                 static_cast<UInt128>(as_integer(in.c, wider(type)))));
                       },
                       {}});
    }
    three(cases, "mad.lo", type, [](Int128 a, Int128 b, Int128 c) {
      return static_cast<Int128>(static_cast<UInt128>(a) * static_cast<UInt128>(b) + static_cast<UInt128>(c));
    });
    three(cases, "sad", type, [](Int128 a, Int128 b, Int128 c) { return c + (a < b ? b - a : a - b); });
    two(cases, "min", type, [](Int128 a, Int128 b) { return a < b ? a : b; });
    two(cases, "max", type, [](Int128 a, Int128 b) { return a > b ? a : b; });
    // Division by zero: as alu_rows.h defines what PTX leaves open.
    two(cases, "div", type, [](Int128 a, Int128 b) { return b == 0 ? Int128{-1} : a / b; });
    two(cases, "rem", type, [](Int128 a, Int128 b) { return b == 0 ? Int128{-1} : a % b; });
    if (is_signed_type(type)) {
      one(cases, "abs", type, type,
          [=](U64 a) { return word(as_integer(a, type) < 0 ? -as_integer(a, type) : as_integer(a, type)); });
      one(cases, "neg", type, type, [=](U64 a) { return word(-as_integer(a, type)); });
    }
  }
  constexpr Int128 least = -2147483648LL, most = 2147483647LL;
  two(cases, "add.sat", "s32", [=](Int128 a, Int128 b) { return held(a + b, least, most); });
  two(cases, "sub.sat", "s32", [=](Int128 a, Int128 b) { return held(a - b, least, most); });
  three(cases, "mad.hi.sat", "s32",
        [=](Int128 a, Int128 b, Int128 c) { return held(((a * b) >> 32) + c, least, most); });
  two(cases, "min.relu", "s32", [](Int128 a, Int128 b) { return std::max<Int128>(0, std::min(a, b)); });
  two(cases, "max.relu", "s32", [](Int128 a, Int128 b) { return std::max<Int128>(0, std::max(a, b)); });
}

// All lanes of a warp divide by one power of two, which takes a separate path: 32 dividends for each.
void divisions_by_one_power(Cases& cases) {
  for (const std::string type : {"u32", "s32"}) {
    const Inputs inputs([type] {
      std::vector<Sources> lanes;
      std::mt19937_64 random(7);
      for (int power = 0; power < 32; ++power)
        for (int lane = 0; lane < 32; ++lane) {
          const U64 near = (U64{1} << power) * static_cast<U64>(lane - 12) + static_cast<U64>(lane % 3) - 1;
          lanes.push_back({.a = (lane < 24 ? near : random()) & 0xffffffffu, .b = U64{1} << power});
        }
      return lanes;
    });
    const auto number = [type](U64 bits) { return as_integer(bits, type); };
    cases.push_back({"div." + type,
                     registers({type, type, type}),
                     inputs,
                     [=](const Sources& in) { return word(number(in.a) / number(in.b)); },
                     {}});
    cases.push_back({"rem." + type,
                     registers({type, type, type}),
                     inputs,
                     [=](const Sources& in) { return word(number(in.a) % number(in.b)); },
                     {}});
  }
}

// The upper 64 bits of a product of 64-bit numbers, from products of their 32-bit halves.
U64 high_product(U64 a, U64 b, bool is_signed) {
  const U64 al = a & 0xffffffffu, ah = a >> 32, bl = b & 0xffffffffu, bh = b >> 32;
  const U64 middle = (al * bl >> 32) + (ah * bl & 0xffffffffu) + (al * bh & 0xffffffffu);
  U64 high = ah * bh + (ah * bl >> 32) + (al * bh >> 32) + (middle >> 32);
  if (is_signed) high -= (bit(a, 63) ? b : 0) + (bit(b, 63) ? a : 0);
  return high;
}
void long_products(Cases& cases) {
  for (const std::string type : {"u64", "s64"}) {
    const bool is_signed = is_signed_type(type);
    cases.push_back({"mul.hi." + type,
                     registers({type, type, type}),
                     pairs_of(type, type, 500),
                     [=](const Sources& in) { return high_product(in.a, in.b, is_signed); },
                     {}});
    cases.push_back({"mad.hi." + type,
                     registers({type, type, type, type}),
                     triples_of(type, type, type, 500),
                     [=](const Sources& in) { return high_product(in.a, in.b, is_signed) + in.c; },
                     {}});
  }
  for (const std::string type : {"u32", "s32"}) {
    const auto low24 = [type](Int128 x) { return as_integer(static_cast<U64>(x) << 8 & 0xffffffffu, type) >> 8; };
    two(cases, "mul24.lo", type, [=](Int128 a, Int128 b) { return low24(a) * low24(b); });
    two(cases, "mul24.hi", type, [=](Int128 a, Int128 b) { return (low24(a) * low24(b)) >> 16; });
    three(cases, "mad24.lo", type, [=](Int128 a, Int128 b, Int128 c) { return low24(a) * low24(b) + c; });
    three(cases, "mad24.hi", type, [=](Int128 a, Int128 b, Int128 c) { return ((low24(a) * low24(b)) >> 16) + c; });
    if (type == "s32")
      three(cases, "mad24.hi.sat", type, [=](Int128 a, Int128 b, Int128 c) {
        return held(((low24(a) * low24(b)) >> 16) + c, -2147483648LL, 2147483647LL);
      });
  }
}

// ---- carry chains ----

Results with_carry(Int128 wide, int width) {
  Results results(word(wide));
  results.carry = ((wide >> width) & 1) != 0;
  return results;
}
Inputs with_carry_in(const Inputs& inputs) {
  return inputs.then([](std::vector<Sources>& values) {
    for (std::size_t i = 0; i < values.size(); ++i) values[i].carry = i % 3 == 0;
  });
}
void carries(Cases& cases) {
  for (const std::string type : {"u32", "s32", "u64", "s64"}) {
    const int width = width_of(type);
    const std::string bits = "u" + std::to_string(width);
    const auto add = [&](const std::string& mnemonic, bool takes_carry, int sign) {
      cases.push_back({mnemonic + "." + type,
                       registers({type, type, type}),
                       with_carry_in(pairs_of(type, type, 500)),
                       [=](const Sources& in) {
                         const Int128 a = as_integer(in.a, bits), b = as_integer(in.b, bits);
                         if (sign > 0) return with_carry(a + b + (takes_carry && in.carry ? 1 : 0), width);
                         const Int128 difference = a - b - (takes_carry && !in.carry ? 1 : 0);
                         Results results(word(difference));
                         results.carry = difference >= 0;  // nothing borrowed
                         return results;
                       },
                       {}});
    };
    add("add.cc", false, 1);
    add("addc", true, 1);
    add("addc.cc", true, 1);
    add("sub.cc", false, -1);
    add("subc", true, -1);
    add("subc.cc", true, -1);
    for (const bool high : {false, true}) {
      const auto multiply = [&](const std::string& mnemonic, bool takes_carry) {
        cases.push_back(
            {mnemonic + "." + type,
             registers({type, type, type, type}),
             with_carry_in(triples_of(type, type, type, 500)),
             [=](const Sources& in) {
               U64 part = low(in.a * in.b, width);
               if (high)
                 part = width == 64 ? high_product(in.a, in.b, is_signed_type(type))
                                    : low(word((as_integer(in.a, type) * as_integer(in.b, type)) >> 32), 32);
               return with_carry(Int128{part} + as_integer(in.c, bits) + (takes_carry && in.carry ? 1 : 0), width);
             },
             {}});
      };
      const std::string part = high ? ".hi" : ".lo";
      multiply("mad" + part + ".cc", false);
      multiply("madc" + part, true);
      multiply("madc" + part + ".cc", true);
    }
  }
}

// ---- packed integers ----

template <class F>
U64 by_fields(int width, bool is_signed, U64 a, U64 b, F f) {
  U64 result = 0;
  const std::string type = (is_signed ? "s" : "u") + std::to_string(width);
  for (int at = 0; at < 32; at += width)
    result |= low(word(f(as_integer(a >> at, type), as_integer(b >> at, type))), width) << at;
  return result;
}
void pairs(Cases& cases) {
  for (const std::string type : {"u16x2", "s16x2"}) {
    const bool is_signed = is_signed_type(type);
    const auto add = [&](const std::string& mnemonic, Binary f) {
      cases.push_back({mnemonic + "." + type,
                       "%r0, %r1, %r2",
                       pairs_of("u32", "u32", 1000),
                       [=](const Sources& in) { return by_fields(16, is_signed, in.a, in.b, f); },
                       {}});
    };
    add("add", [](Int128 a, Int128 b) { return a + b; });
    add("min", [](Int128 a, Int128 b) { return std::min(a, b); });
    add("max", [](Int128 a, Int128 b) { return std::max(a, b); });
    if (!is_signed) continue;
    add("min.relu", [](Int128 a, Int128 b) { return std::max<Int128>(0, std::min(a, b)); });
    add("max.relu", [](Int128 a, Int128 b) { return std::max<Int128>(0, std::max(a, b)); });
  }
  for (const std::string a_type : {"u32", "s32"})
    for (const std::string b_type : {"u32", "s32"}) {
      const std::string a8 = a_type[0] + std::string("8"), b8 = b_type[0] + std::string("8"),
                        a16 = a_type[0] + std::string("16");
      const std::string types = "." + a_type + "." + b_type;
      cases.push_back({"dp4a" + types,
                       "%r0, %r1, %r2, %r3",
                       triples_of("u32", "u32", "u32", 500),
                       [=](const Sources& in) {
                         Int128 sum = in.c;
                         for (int k = 0; k < 4; ++k)
                           sum += as_integer(in.a >> (8 * k), a8) * as_integer(in.b >> (8 * k), b8);
                         return word(sum);
                       },
                       {}});
      for (int high : {0, 1})
        cases.push_back({std::string("dp2a.") + (high ? "hi" : "lo") + types,
                         "%r0, %r1, %r2, %r3",
                         triples_of("u32", "u32", "u32", 500),
                         [=](const Sources& in) {
                           Int128 sum = in.c;
                           for (int k = 0; k < 2; ++k)
                             sum += as_integer(in.a >> (16 * k), a16) * as_integer(in.b >> (8 * (k + 2 * high)), b8);
                           return word(sum);
                         },
                         {}});
    }
}

const bool added = add_alu_cases(arithmetic) && add_alu_cases(divisions_by_one_power) && add_alu_cases(long_products) &&
                   add_alu_cases(carries) && add_alu_cases(pairs);

}  // namespace
}  // namespace lanescope::sim::alu_integer
