#pragma once
// Cases of integer instructions; references are functions on 128-bit numbers.

#include <algorithm>

#include "alu_cases.h"
#include "alu_values.h"

namespace lanescope::sim {

using U32 = std::uint32_t;
using U64 = std::uint64_t;
using Cases = std::vector<AluCase>;

// "%r0, %d1": operands of these types, in order.
inline std::string registers(std::initializer_list<std::string> types) {
  std::string text;
  int number = 0;
  for (const std::string& type : types)
    text += (text.empty() ? "%" : ", %") + std::string(1, register_letter(type)) + std::to_string(number++);
  return text;
}
inline Int128 held(Int128 x, Int128 least, Int128 most) {
  return std::clamp(x, least, most);
}
inline U64 word(Int128 x) {
  return static_cast<U64>(x);
}
inline bool bit(U64 x, U64 place) {
  return place < 64 && ((x >> place) & 1) != 0;
}

using Binary = std::function<Int128(Int128, Int128)>;
using Ternary = std::function<Int128(Int128, Int128, Int128)>;

// d = f(a, b) for numbers of this type.
inline void two(Cases& cases, const std::string& mnemonic, const std::string& type, Binary f) {
  cases.push_back({mnemonic + "." + type,
                   registers({type, type, type}),
                   pairs_of(type, type, 500),
                   [=](const Sources& in) { return word(f(as_integer(in.a, type), as_integer(in.b, type))); },
                   {}});
}
inline void three(Cases& cases, const std::string& mnemonic, const std::string& type, Ternary f) {
  cases.push_back({mnemonic + "." + type,
                   registers({type, type, type, type}),
                   triples_of(type, type, type, 500),
                   [=](const Sources& in) {
                     return word(f(as_integer(in.a, type), as_integer(in.b, type), as_integer(in.c, type)));
                   },
                   {}});
}
inline void one(Cases& cases, const std::string& mnemonic, const std::string& type, const std::string& result,
                std::function<U64(U64)> f) {
  cases.push_back({mnemonic + "." + type,
                   registers({result, type}),
                   singles_of(type, 500),
                   [=](const Sources& in) { return f(in.a); },
                   {}});
}

}  // namespace lanescope::sim
