#pragma once
// Addresses in the shared memory of a cluster (.shared::cluster). They identify the block: the memory of the block with
// rank r begins at r << rank_shift. The block's own addresses (.shared::cta) are in the same range, so its pointers
// stay valid in other blocks. An H200 does the same: its machine code adds the block's rank, shifted by 24, to the
// address of each shared variable.

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
