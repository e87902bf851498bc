// The approximate instructions bit by bit: sums over their results for 2^20 arguments against those of an H200
// (tests/cases/sfu/h200.txt). The functions of the special function unit by themselves were compared there for all 2^32
// arguments.

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "alu_cases.h"
#include "test_paths.h"

namespace lanescope::sim {
namespace {

using U32 = std::uint32_t;
using U64 = std::uint64_t;

// The finaliser of SplitMix64.
U64 mixed(U64 z) {
  z += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

// Arguments of every exponent; the divisors are others. An f64 has an argument of f32 as its upper word.
std::vector<Sources> arguments(const std::string& form) {
  std::vector<Sources> made;
  const bool of_16_bits = form.ends_with("f16");
  for (U32 k = 0; k < (of_16_bits ? 1u << 16 : 1u << 20); ++k) {
    Sources s{.a = of_16_bits ? k : k * 4093u, .b = k * 2654435761u};
    if (form.ends_with("f64")) s.a = s.a << 32 | 0x12345678u;
    made.push_back(s);
  }
  return made;
}

U64 sum_over_results(const std::string& form, Isa isa) {
  const bool wide = form.ends_with("f64");
  const char* operands = form.starts_with("div") ? "%r0, %r1, %r2"
                         : wide                  ? "%d0, %d1"
                         : form.ends_with("f16") ? "%h0, %h1"
                                                 : "%r0, %r1";
  const std::vector<Sources> inputs = arguments(form);
  const std::vector<U64> results = alu_results(form, operands, inputs, isa);
  U64 sum = 0;
  for (std::size_t i = 0; i < results.size(); ++i) {
    const U64 argument = wide ? inputs[i].a >> 32 : inputs[i].a;
    sum += mixed(argument << 32 | (wide ? results[i] >> 32 : results[i])) + (wide ? results[i] & 0xffffffffu : 0);
  }
  return sum;
}

TEST(AluSfu, EachFormGivesTheBitsOfAnH200) {
  std::ifstream file(LANESCOPE_SOURCE_DIR "/tests/cases/sfu/h200.txt");
  int forms = 0;
  for (std::string form, sum; file >> form;) {
    if (form == "#") {
      std::getline(file, form);
      continue;
    }
    file >> sum;
    for (const Isa isa : available_isas())
      EXPECT_EQ(sum_over_results(form, isa), std::stoull(sum, nullptr, 16))
          << form << ", instruction set " << static_cast<int>(isa);
    ++forms;
  }
  EXPECT_EQ(forms, 25);
}

}  // namespace
}  // namespace lanescope::sim
