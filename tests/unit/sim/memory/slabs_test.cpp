#include "sim/memory/slabs.h"

#include <gtest/gtest.h>

#include <cstring>

namespace lanescope::sim {
namespace {

TEST(Slabs, PiecesAreAlignedAndKeepWhatIsWrittenToThem) {
  Slabs slabs;
  std::vector<std::pair<std::byte*, std::size_t>> pieces;
  std::size_t asked = 0;
  // More than several slabs hold; some pieces are larger than a slab.
  for (std::size_t i = 0; i < 3000; ++i) {
    const std::size_t bytes = i % 500 == 499 ? std::size_t{5} << 20 : 1 + i * 37 % 9000;
    pieces.emplace_back(slabs.take(bytes), bytes);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(pieces.back().first) % 64, 0u);
    std::memset(pieces.back().first, static_cast<int>(i % 251), bytes);
    asked += bytes;
  }
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const auto& [piece, bytes] = pieces[i];
    const auto expected = static_cast<std::byte>(i % 251);
    ASSERT_TRUE(piece[0] == expected && piece[bytes / 2] == expected && piece[bytes - 1] == expected) << i;
  }
  EXPECT_GE(slabs.bytes(), asked);
  EXPECT_LT(slabs.bytes(), 2 * asked);
  slabs.clear();
  EXPECT_EQ(slabs.bytes(), 0u);
  EXPECT_NE(slabs.take(64), nullptr);
}

}  // namespace
}  // namespace lanescope::sim
