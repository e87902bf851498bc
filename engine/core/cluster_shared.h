#pragma once
// Addresses in the shared memory of a cluster (.shared::cluster) tell the block: the memory of the block of rank r
// begins at r << rank_shift, and its own addresses (.shared::cta) lie there too, so its pointers stay valid in the
// others. So it is on an H200, whose machine code adds the block's rank, shifted by 24, to the address of each shared
// variable.

#include <cstdint>

namespace lanescope::cluster_shared {

inline constexpr int rank_shift = 24;
inline constexpr std::uint64_t block_bytes = 1ull << rank_shift;
constexpr std::uint64_t rank_of(std::uint64_t address) {
  return address >> rank_shift;
}
constexpr std::uint64_t within_block(std::uint64_t address) {
  return address & (block_bytes - 1);
}

}  // namespace lanescope::cluster_shared
