#pragma once
// Finds damage in a saved file.

#include <cstddef>
#include <cstdint>
#include <span>

namespace lanescope::trace {

// A 64-bit hash that changes if any single byte changes. Not cryptographic.
std::uint64_t checksum(std::span<const std::byte> bytes);

}  // namespace lanescope::trace
