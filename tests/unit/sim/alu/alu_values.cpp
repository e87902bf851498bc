// Runs millions of lanes, so it is optimised in every build.
#if !defined(__clang__)
#pragma GCC optimize("O2")
#endif

#include "alu_values.h"

#include <bit>
#include <cmath>
#include <random>

namespace lanescope::sim {

int width_of(const std::string& type) {
  const bool two = type.ends_with("x2");
  switch (type[0]) {
    case 'p':
      return 1;  // pred
    case 't':
      return 32;  // tf32
    case 'e':
      return two ? 16 : 8;  // e4m3, e5m2
  }
  if (two) return type == "f32x2" ? 64 : 32;
  int width = 0;
  for (const char c : type)
    if (c >= '0' && c <= '9') width = 10 * width + (c - '0');
  return width;
}
bool is_signed_type(const std::string& type) {
  return type[0] == 's';
}
bool is_float_type(const std::string& type) {
  return type[0] == 'f' || type.starts_with("bf") || type[0] == 't' || type[0] == 'e';
}
char register_letter(const std::string& type) {
  if (type == "pred") return 'p';
  const int width = width_of(type);
  return width <= 16 ? 'h' : width == 32 ? 'r' : width == 64 ? 'd' : 'q';
}

std::uint64_t low(std::uint64_t bits, int width) {
  return width >= 64 ? bits : bits & ((std::uint64_t{1} << width) - 1);
}
Int128 as_integer(std::uint64_t bits, const std::string& type) {
  const int width = width_of(type);
  const std::uint64_t value = low(bits, width);
  const bool negative = is_signed_type(type) && ((value >> (width - 1)) & 1) != 0;
  return negative ? Int128{value} - (Int128{1} << width) : Int128{value};
}
double number_of(std::uint64_t bits, const std::string& type) {
  if (type == "f64") return f64(bits);
  const int fraction_bits = type == "f16" ? 10 : type == "bf16" ? 7 : 23, exponent_bits = type == "f16" ? 5 : 8;
  const int field = static_cast<int>(bits >> fraction_bits) & ((1 << exponent_bits) - 1),
            bias = (1 << (exponent_bits - 1)) - 1;
  const auto fraction = static_cast<double>(low(bits, fraction_bits));
  const double hidden = std::ldexp(1.0, fraction_bits);
  double magnitude =
      std::ldexp(field == 0 ? fraction : fraction + hidden, (field == 0 ? 1 : field) - bias - fraction_bits);
  if (field == (1 << exponent_bits) - 1) magnitude = fraction == 0 ? HUGE_VAL : std::nan("");
  return ((bits >> (fraction_bits + exponent_bits)) & 1) != 0 ? -magnitude : magnitude;
}
float f32(std::uint64_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}
double f64(std::uint64_t bits) {
  return std::bit_cast<double>(bits);
}
std::uint64_t bits_of(float x) {
  return std::bit_cast<std::uint32_t>(x);
}
std::uint64_t bits_of(double x) {
  return std::bit_cast<std::uint64_t>(x);
}

namespace {

using Words = std::vector<std::uint64_t>;

bool is_pair(const std::string& type) {
  return type.ends_with("x2") && type[0] != 'e';
}
std::string element_of(const std::string& pair) {
  return pair.substr(0, pair.size() - 2);
}

// Zero, one, the smallest and largest subnormal and normal numbers and their neighbours, infinity and NaNs, with both
// signs.
Words float_edges(int exponent_bits, int fraction_bits) {
  const std::uint64_t hidden = std::uint64_t{1} << fraction_bits, sign = hidden << exponent_bits;
  const std::uint64_t infinity = sign - hidden, one = ((hidden << (exponent_bits - 1)) - hidden);
  const Words positive = {0,
                          1,
                          2,
                          hidden / 2,
                          hidden - 1,
                          hidden,
                          hidden + 1,
                          2 * hidden,
                          one - hidden,
                          one - 1,
                          one,
                          one + 1,
                          one + hidden / 2,
                          one + hidden,
                          one + hidden + hidden / 2,
                          infinity - hidden,
                          infinity - 2,
                          infinity - 1,
                          infinity,
                          infinity + 1,
                          infinity + hidden / 2,
                          sign - 1};
  Words all = positive;
  for (std::uint64_t x : positive) all.push_back(x | sign);
  return all;
}

Words edges_of(const std::string& type) {
  if (type == "pred") return {0, 1};
  if (type == "amount")
    return {0,  1,  2,  7,  8,  15,  16,  17,  23,    30,          31,         32,
            33, 47, 63, 64, 65, 100, 255, 256, 0x101, 0x80000000u, 0xffffffffu};
  if (type == "f16") return float_edges(5, 10);
  if (type == "bf16") return float_edges(8, 7);
  if (type == "f32" || type == "tf32") return float_edges(8, 23);
  if (type == "f64") return float_edges(11, 52);
  const int width = width_of(type);
  const std::uint64_t top = std::uint64_t{1} << (width - 1), ones = ~std::uint64_t{0};
  Words result = {0,
                  1,
                  2,
                  3,
                  5,
                  7,
                  10,
                  0x7f,
                  0x80,
                  0xff,
                  top >> 1,
                  top - 2,
                  top - 1,
                  top,
                  top + 1,
                  top | (top >> 1),
                  ones - 1,
                  ones,
                  0x5555555555555555u,
                  0xaaaaaaaaaaaaaaaau};
  for (std::uint64_t& x : result) x = low(x, width);
  return result;
}

using Generator = std::mt19937_64;

// The same names give the same values in every run.
Generator seeded(const std::string& names) {
  std::uint64_t seed = 1469598103934665603u;
  for (char c : names) seed = (seed ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return Generator(seed);
}

std::uint64_t random_float(const std::string& type, Generator& generator) {
  const int width = width_of(type);
  const int exponent_bits = type == "f16" ? 5 : type == "f64" ? 11 : 8, fraction_bits = width - 1 - exponent_bits;
  std::uint64_t bits = low(generator(), width);
  // Half of them are of moderate size, so that sums of two differ from both.
  if ((generator() & 1) != 0) {
    const std::uint64_t bias = (std::uint64_t{1} << (exponent_bits - 1)) - 1;
    bits &= ~(((std::uint64_t{1} << exponent_bits) - 1) << fraction_bits);
    bits |= (bias - 8 + generator() % 16) << fraction_bits;
  }
  // Some have short fractions, to hit ties and exact results.
  if (generator() % 4 == 0) bits &= ~((std::uint64_t{1} << (fraction_bits / 2)) - 1);
  return bits;
}

std::uint64_t random_of(const std::string& type, Generator& generator) {
  if (type == "pred") return generator() & 1;
  if (type == "amount") return generator() % 72;
  if (is_pair(type)) {
    const std::uint64_t first = random_of(element_of(type), generator);
    return first | random_of(element_of(type), generator) << (width_of(type) / 2);
  }
  if (is_float_type(type) && type[0] != 'e') return random_float(type, generator);
  const int width = width_of(type);
  const std::uint64_t bits = low(generator(), width);
  return generator() % 4 == 0 ? bits >> (generator() % static_cast<unsigned>(width)) : bits;
}

}  // namespace

std::vector<std::uint64_t> values_of(const std::string& type, int random) {
  Words result;
  if (is_pair(type)) {
    const Words edges = edges_of(element_of(type));
    for (std::size_t i = 0; i < edges.size(); ++i)
      result.push_back(edges[i] | edges[(i * 7 + 3) % edges.size()] << (width_of(type) / 2));
  } else {
    result = edges_of(type[0] == 'e' ? "u16" : type);
  }
  Generator generator = seeded(type);
  for (int i = 0; i < random; ++i) result.push_back(random_of(type, generator));
  return result;
}

Inputs singles_of(const std::string& type, int random) {
  return Inputs([=] {
    std::vector<Sources> result;
    for (std::uint64_t a : values_of(type, random)) result.push_back({.a = a});
    return result;
  });
}

Inputs pairs_of(const std::string& a, const std::string& b, int random) {
  return Inputs([=] {
    std::vector<Sources> result;
    const Words second = values_of(b, 0);
    for (std::uint64_t x : values_of(a, 0))
      for (std::uint64_t y : second) result.push_back({.a = x, .b = y});
    Generator generator = seeded(a + " " + b);
    for (int i = 0; i < random; ++i) {
      const std::uint64_t x = random_of(a, generator);
      result.push_back({.a = x, .b = random_of(b, generator)});
    }
    return result;
  });
}

Inputs triples_of(const std::string& a, const std::string& b, const std::string& c, int random) {
  return Inputs([=] {
    std::vector<Sources> result;
    // Every pair of edge values of a and b, each with a few values of c.
    const Words second = values_of(b, 0), third = values_of(c, 0);
    std::size_t next = 0;
    for (std::uint64_t x : values_of(a, 0))
      for (std::uint64_t y : second)
        for (int k = 0; k < 3; ++k) result.push_back({.a = x, .b = y, .c = third[next++ % third.size()]});
    Generator generator = seeded(a + " " + b + " " + c);
    for (int i = 0; i < random; ++i) {
      const std::uint64_t x = random_of(a, generator), y = random_of(b, generator);
      result.push_back({.a = x, .b = y, .c = random_of(c, generator)});
    }
    return result;
  });
}

Inputs thinned(const Inputs& inputs, std::size_t count) {
  return inputs.then([=](std::vector<Sources>& values) {
    const std::size_t step = values.size() / count + 1;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < values.size(); i += step) values[kept++] = values[i];
    values.resize(kept);
  });
}

Inputs all16() {
  return Inputs([] {
    std::vector<Sources> result;
    for (std::uint64_t a = 0; a < 65536; ++a) result.push_back({.a = a});
    return result;
  });
}

}  // namespace lanescope::sim
