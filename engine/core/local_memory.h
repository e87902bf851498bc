#pragma once
// The hardware interleaves local memory: the lanes' pieces of an access, at least a word each, are adjacent. So 32
// lanes that read the same 4-byte variable access four sectors.

#include <algorithm>
#include <cstdint>

namespace lanescope {

// Where an access of `width` bytes, a power of 2, at `offset` in the local memory of `lane` counts. Bytes.
constexpr std::uint64_t interleaved_in_local(std::uint64_t offset, std::uint64_t width, int lane) {
  const std::uint64_t piece = std::max<std::uint64_t>(width, 4), within = offset & (piece - 1);
  return (offset - within) * 32 + static_cast<std::uint64_t>(lane) * piece + within;
}

}  // namespace lanescope
