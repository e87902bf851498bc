#include "trace/checksum.h"

#include <bit>
#include <cstring>

namespace lanescope::trace {

// For a given word each step is a bijection of the state, and for a given state one of the word.
std::uint64_t checksum(std::span<const std::byte> bytes) {
  std::uint64_t state = 0x6c616e6573636f70ull ^ bytes.size();
  const auto mix = [&](std::uint64_t word) { state = std::rotl(state ^ word, 29) * 0x9e3779b97f4a7c15ull; };
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, bytes.data() + at, 8);
    if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
    mix(word);
  }
  std::uint64_t rest = 0;
  for (int shift = 0; at < bytes.size(); ++at, shift += 8)
    rest |= std::uint64_t{std::to_integer<std::uint8_t>(bytes[at])} << shift;
  mix(rest);
  return state ^ (state >> 32);
}

}  // namespace lanescope::trace
