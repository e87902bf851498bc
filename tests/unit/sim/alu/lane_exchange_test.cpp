// Shuffles among lanes that are all there, against the pseudocode of shfl.sync in the PTX ISA.

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <random>

#include "sim/alu/lane_exchange.h"

namespace lanescope::sim {
namespace {

using ptx::ShuffleMode;
using Lanes = std::array<std::uint32_t, 32>;

// As the manual has it: j, and whether it is in range.
std::pair<int, bool> by_the_manual(ShuffleMode mode, int lane, std::uint32_t b, std::uint32_t c) {
  const int bval = static_cast<int>(b % 32), cval = static_cast<int>(c % 32), segmask = static_cast<int>(c / 256 % 32);
  const int max_lane = (lane & segmask) | (cval & (31 - segmask)), min_lane = lane & segmask;
  switch (mode) {
    case ShuffleMode::up:
      return {lane - bval, lane - bval >= max_lane};
    case ShuffleMode::down:
      return {lane + bval, lane + bval <= max_lane};
    case ShuffleMode::bfly:
      return {lane ^ bval, (lane ^ bval) <= max_lane};
    default:
      return {min_lane | (bval & (31 - segmask)), (min_lane | (bval & (31 - segmask))) <= max_lane};
  }
}

TEST(LaneExchange, AShuffleReadsTheLaneOfTheManual) {
  constexpr std::uint32_t value = 128, other = 256, control = 384, result = 512, in_range = 640, untouched = 0xabcdef01;
  std::array<std::byte, 768> file;
  std::mt19937 random(7);
  int done = 0, refused = 0;
  for (const ShuffleMode mode : {ShuffleMode::up, ShuffleMode::down, ShuffleMode::bfly, ShuffleMode::idx})
    for (int round = 0; round < 400; ++round) {
      const std::uint32_t width = 1u << random() % 6, clamp = mode == ShuffleMode::up ? 0 : 31,
                          mine = static_cast<std::uint32_t>(random());
      const std::uint32_t lanes = round % 2 == 0 ? ~0u : mine | mine << 16 | 1;
      Lanes a, b, c, d;
      for (std::size_t l = 0; l < 32; ++l) {
        a[l] = static_cast<std::uint32_t>(random());
        b[l] = round % 4 < 2 ? mine % 32 : static_cast<std::uint32_t>(random());
        c[l] = (32 - width) << 8 | clamp;
        d[l] = untouched;
      }
      std::memcpy(file.data() + value, a.data(), sizeof a);
      std::memcpy(file.data() + other, b.data(), sizeof b);
      std::memcpy(file.data() + control, c.data(), sizeof c);
      std::memcpy(file.data() + result, d.data(), sizeof d);
      const std::uint32_t before = 0x0f0f0f0f;
      std::memcpy(file.data() + in_range, &before, sizeof before);
      const Lanes nothing = d;
      Lanes expected = d;
      std::uint32_t predicate = before;
      bool all_there = true;
      for (int lane = 0; lane < 32; ++lane) {
        const auto l = static_cast<std::size_t>(lane);
        if ((lanes >> lane & 1) == 0) continue;
        const auto [j, pval] = by_the_manual(mode, lane, b[l], c[l]);
        const int from = pval ? j : lane;
        all_there = all_there && (lanes >> from & 1) != 0;
        expected[l] = a[static_cast<std::size_t>(from)];
        predicate = (predicate & ~(1u << lane)) | static_cast<std::uint32_t>(pval) << lane;
      }
      ASSERT_EQ(shuffle_among(mode, {result, in_range, value, other, control}, file.data(), lanes), all_there);
      std::memcpy(d.data(), file.data() + result, sizeof d);
      std::uint32_t after;
      std::memcpy(&after, file.data() + in_range, sizeof after);
      EXPECT_EQ(d, all_there ? expected : nothing);
      EXPECT_EQ(after, all_there ? predicate : before);
      ++(all_there ? done : refused);
    }
  EXPECT_GT(done, 800);
  EXPECT_GT(refused, 100);
}

TEST(LaneExchange, AMaskIsTheSameInLanesWhoseRegistersAgree) {
  Lanes mask;
  mask.fill(0xffff0000);
  mask[3] = 1;
  std::array<std::byte, 128> file;
  std::memcpy(file.data(), mask.data(), sizeof mask);
  EXPECT_FALSE(is_in_all(file.data(), 0, ~0u, 0xffff0000));
  EXPECT_TRUE(is_in_all(file.data(), 0, ~8u, 0xffff0000));
  EXPECT_TRUE(is_in_all(file.data(), 0, 8, 1));
  EXPECT_FALSE(is_in_all(file.data(), 0, 24, 1));
}

}  // namespace
}  // namespace lanescope::sim
