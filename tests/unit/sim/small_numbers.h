#pragma once
// Small integers in the element types of tensor cores, by PTX type name.

#include <bit>
#include <cstdint>
#include <random>
#include <string>

namespace lanescope::sim::test {

// The encoding of a small integer in a type.
inline std::uint64_t encoded(const std::string& type, int value) {
  if (type == "f64") return std::bit_cast<std::uint64_t>(static_cast<double>(value));
  const std::uint32_t f32 = std::bit_cast<std::uint32_t>(static_cast<float>(value));
  if (type == "f32" || type == "tf32") return f32;
  if (type == "bf16") return f32 >> 16;
  if (type == "s32") return static_cast<std::uint32_t>(value);
  if (type == "f16") {
    const std::uint32_t sign = f32 >> 16 & 0x8000;
    return value == 0 ? sign : sign | (((f32 >> 23 & 255) - 127 + 15) << 10 | (f32 >> 13 & 1023));
  }
  if (type == "e5m2") return encoded("f16", value) >> 8;
  if (type == "e4m3")
    return value == 0 ? 0 : (f32 >> 24 & 0x80) | (((f32 >> 23 & 255) - 127 + 7) << 3 | (f32 >> 20 & 7));
  return static_cast<std::uint64_t>(value) & (type == "b1" ? 1 : type[1] == '4' ? 15 : 255);
}
inline int bits_of_type(const std::string& type) {
  if (type == "b1") return 1;
  if (type == "s4" || type == "u4") return 4;
  if (type == "s8" || type == "u8" || type == "e4m3" || type == "e5m2") return 8;
  if (type == "f16" || type == "bf16") return 16;
  return type == "f64" ? 64 : 32;
}
// Numbers that every type can hold exactly, and so can every sum of them.
inline int small_number(const std::string& type, std::mt19937& random) {
  const int range = type == "b1" ? 2 : 4;
  const int value = static_cast<int>(random() % static_cast<unsigned>(range));
  return type == "b1" || type[0] == 'u' ? value : value - 2;
}

}  // namespace lanescope::sim::test
