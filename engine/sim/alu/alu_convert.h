#pragma once
// cvt between any two types, and the contents of Operation::immediate for it.

#include <cstdint>

#include "sim/alu/operation.h"

namespace lanescope::sim {

struct ConvertTypes {
  ptx::Type to{}, from{};
  int destination_bytes = 0, source_bytes = 0;  // per lane, of the slots
};
constexpr std::uint64_t pack_types(const ConvertTypes& types) {
  return static_cast<std::uint64_t>(types.to) | static_cast<std::uint64_t>(types.from) << 8 |
         static_cast<std::uint64_t>(types.destination_bytes) << 16 |
         static_cast<std::uint64_t>(types.source_bytes) << 24;
}
constexpr ConvertTypes unpack_types(std::uint64_t packed) {
  return {.to = static_cast<ptx::Type>(packed & 0xff),
          .from = static_cast<ptx::Type>(packed >> 8 & 0xff),
          .destination_bytes = static_cast<int>(packed >> 16 & 0xff),
          .source_bytes = static_cast<int>(packed >> 24 & 0xff)};
}

// Operation::extra is the rounding, Operation::flags are AluFlags.
void convert_any(std::byte* registers, const Operation& operation, std::uint32_t mask);
void convert_any_masked(std::byte* registers, const Operation& operation, std::uint32_t mask);

}  // namespace lanescope::sim
