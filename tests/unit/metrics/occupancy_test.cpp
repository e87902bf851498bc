// Occupancy against cases worked out by hand from the programming guide's table, and against an H200.

#include "metrics/occupancy.h"

#include <gtest/gtest.h>

namespace lanescope::metrics {
namespace {

using Limit = Occupancy::Limit;

struct Case {
  const char* arch;
  int registers;
  std::uint64_t shared;
  std::uint32_t threads;
  int blocks;
  double fraction;
  Limit limit;
};

TEST(Occupancy, CasesWorkedOutByHand) {
  for (const Case& c : {
           // 64 warps ÷ 8 warps per block.
           Case{"sm_90", 16, 0, 256, 8, 1.0, Limit::warps},
           // 32 blocks of one warp: half of 64.
           Case{"sm_90", 16, 0, 32, 32, 0.5, Limit::blocks},
           // 64 × 32 = 2,048 registers per warp: 65,536 ÷ 2,048 = 32 warps, 4 blocks of 8.
           Case{"sm_90", 64, 0, 256, 4, 0.5, Limit::registers},
           // 65 registers are allocated as 72 × 32 = 2,304: 16,384 ÷ 2,304 = 7 warps per partition, 28 in all.
           Case{"sm_90", 65, 0, 128, 7, 28.0 / 64, Limit::registers},
           // (48 + 1) KiB: 228 ÷ 49 = 4.
           Case{"sm_90", 32, 48 * 1024, 128, 4, 16.0 / 64, Limit::shared_memory},
           // 33 threads count as two warps.
           Case{"sm_90", 16, 0, 33, 32, 1.0, Limit::warps},
           // 16 blocks of at most 48 warps on sm_86.
           Case{"sm_86", 32, 0, 64, 16, 32.0 / 48, Limit::blocks},
           // 24 warps of 42 → 48 × 32 = 1,536 registers: 10 per partition, 40 ÷ 24 = 1.
           Case{"sm_86", 42, 0, 768, 1, 0.5, Limit::registers},
           // More shared memory than there is.
           Case{"sm_75", 32, 65 * 1024, 128, 0, 0.0, Limit::shared_memory},
           // Like sm_86, and 24 blocks with the shared memory of sm_100.
           Case{"sm_88", 32, 0, 64, 16, 32.0 / 48, Limit::blocks},
           Case{"sm_110", 32, 48 * 1024, 64, 4, 8.0 / 48, Limit::shared_memory},
           Case{"sm_110", 32, 0, 32, 24, 24.0 / 48, Limit::blocks},
       }) {
    const auto found = occupancy(c.arch, {c.registers, c.shared, c.threads});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->blocks, c.blocks) << c.arch << ", " << c.registers << " registers, " << c.threads;
    EXPECT_DOUBLE_EQ(found->fraction, c.fraction) << c.registers;
    EXPECT_EQ(found->limit, c.limit) << c.registers << " registers, " << c.threads;
  }
}

// Blocks of 64 threads with `bar.sync NUMBER, 64`: what cuOccupancyMaxActiveBlocksPerMultiprocessor answered on an H200
// (driver 580.159.04), and as many were seen at once on each multiprocessor.
TEST(Occupancy, BarriersLimitItAsOnAnH200) {
  for (const auto& [number, blocks] : {std::pair{0, 32}, {1, 32}, {2, 21}, {4, 12}, {15, 4}}) {
    const auto found = occupancy("sm_90", {16, 0, 64, number + 1});
    EXPECT_EQ(found->blocks, blocks) << "barrier " << number;
    EXPECT_EQ(found->limit, blocks < 32 ? Limit::barriers : Limit::warps) << "barrier " << number;
  }
  EXPECT_EQ(occupancy("sm_90", {16, 0, 64, 0})->blocks, 32);
  // CUDA's calculation counts barriers from sm_90 on; where 24 blocks fit there are 24.
  EXPECT_EQ(occupancy("sm_80", {16, 0, 64, 16})->blocks, 32);
  EXPECT_EQ(occupancy("sm_100", {16, 0, 64, 16})->blocks, 4);
  EXPECT_EQ(occupancy("sm_120", {16, 0, 64, 16})->blocks, 1);
  EXPECT_EQ(occupancy("sm_110", {16, 0, 64, 5})->blocks, 4);
}

TEST(Occupancy, IsNotKnownOfUnknownArchitectures) {
  EXPECT_FALSE(occupancy("sm_20", {16, 0, 256}));
  EXPECT_FALSE(occupancy("compute_90", {16, 0, 256}));
  EXPECT_FALSE(occupancy("sm_90", {16, 0, 0}));
  EXPECT_TRUE(occupancy("sm_90a", {16, 0, 256}));
}

}  // namespace
}  // namespace lanescope::metrics
