// Which bytes count as written, in a map and in the workers' overlays, against one bool per byte.

#include "sim/memory/written_overlay.h"

#include <gtest/gtest.h>

#include <random>

namespace lanescope::sim {
namespace {

constexpr std::uint64_t page = 512 * 64, folder = 256 * page;

struct Range {
  std::uint64_t first, count;
};

class WrittenOverlayTest : public testing::Test {
 protected:
  std::mt19937_64 random_{7};
  // Usually short, often across a page boundary, sometimes several pages long.
  Range range(std::uint64_t bytes) {
    const std::uint64_t edge = random_() % (bytes / page + 1) * page;
    std::uint64_t first =
        random_() % 2 == 0 ? random_() % bytes : std::min(bytes - 1, edge - std::min(edge, random_() % 80));
    const std::uint64_t most = random_() % 8 == 0 ? 3 * page : 200;
    return {first, 1 + random_() % std::min(most, bytes - first)};
  }
  static void mark(std::vector<bool>& plain, const Range& range) {
    std::fill_n(plain.begin() + static_cast<std::ptrdiff_t>(range.first), range.count, true);
  }
  void expect_same(const WrittenOverlay& overlay, const std::vector<bool>& plain) {
    const auto count = static_cast<std::uint64_t>(std::count(plain.begin(), plain.end(), true));
    ASSERT_EQ(overlay.complete(), count == plain.size());
    if (overlay.complete()) return;  // nobody asks about those
    for (int i = 0; i < 300; ++i) {
      const Range asked = range(plain.size());
      const auto from = plain.begin() + static_cast<std::ptrdiff_t>(asked.first);
      const auto to = from + static_cast<std::ptrdiff_t>(asked.count);
      ASSERT_EQ(overlay.any(asked.first, asked.count), std::find(from, to, true) != to) << asked.first;
      ASSERT_EQ(overlay.all(asked.first, asked.count), std::find(from, to, false) == to) << asked.first;
    }
    std::vector<std::uint64_t> words;
    overlay.add_to(words);
    ASSERT_EQ(words.size(), (plain.size() + 63) / 64);
    for (std::size_t i = 0; i < plain.size(); ++i) ASSERT_EQ(words[i / 64] >> i % 64 & 1, plain[i] ? 1u : 0u) << i;
  }
};

TEST_F(WrittenOverlayTest, TwoWorkersSeeWhatWasThereAndTheirOwn) {
  for (const std::uint64_t bytes : {std::uint64_t{1}, std::uint64_t{100}, page, 2 * page + 17, folder + page + 1}) {
    WrittenMap before(bytes, bytes / 3);
    std::vector<bool> plain(bytes);
    std::fill_n(plain.begin(), bytes / 3, true);
    WrittenOverlay first(before);
    std::vector<bool> by_first = plain;
    for (int i = 0; i < 20; ++i) {
      const Range marked = range(bytes);
      first.mark(marked.first, marked.count);
      mark(by_first, marked);
    }
    WrittenOverlay second = first;  // begins with the contents of the first
    std::vector<bool> by_second = by_first;
    for (int i = 0; i < 20; ++i) {
      const Range marked = range(bytes);
      second.mark(marked.first, marked.count);
      mark(by_second, marked);
    }
    expect_same(first, by_first);
    expect_same(second, by_second);
    expect_same(WrittenOverlay(before), plain);
    first.add_to(before);
    second.add_to(before);
    expect_same(WrittenOverlay(before), by_second);
    EXPECT_EQ(before.unwritten(), static_cast<std::uint64_t>(std::count(by_second.begin(), by_second.end(), false)));
  }
}

TEST_F(WrittenOverlayTest, AllThatIsMarkedIsComplete) {
  WrittenOverlay fresh(2 * page + 5);
  EXPECT_FALSE(fresh.any(0, 2 * page + 5));
  fresh.mark(1, 2 * page + 4);
  EXPECT_FALSE(fresh.complete());
  EXPECT_FALSE(fresh.any(0, 1));
  fresh.mark(0, 2);
  EXPECT_TRUE(fresh.complete());
  EXPECT_TRUE(WrittenOverlay().complete());
  EXPECT_TRUE(WrittenOverlay(WrittenMap(64, 64)).complete());
}

}  // namespace
}  // namespace lanescope::sim
