#pragma once
// FNV-1a with 64 bits, for names and keys that stay the same from one version to the next.

#include <cstdint>
#include <string_view>

namespace lanescope {

constexpr std::uint64_t fnv1a_of_nothing = 0xcbf29ce484222325;
// Goes on from `hash`, which texts before this one gave.
constexpr std::uint64_t fnv1a(std::string_view text, std::uint64_t hash = fnv1a_of_nothing) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

}  // namespace lanescope
