// What workers touched and which notes of it were kept, against plain sets of bytes.

#include "sim/warp/access_sets.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <bitset>
#include <cstring>
#include <random>
#include <thread>

namespace lanescope::sim {
namespace {

struct Memory {
  explicit Memory(std::size_t bytes) : contents(bytes) {
    for (std::size_t i = 0; i < bytes; ++i) contents[i] = static_cast<std::byte>(i * 7 + i / 256);
    Region region;
    region.address = 0x10000;
    region.bytes = region.written = bytes;
    region.data = contents.data();
    memory.add(std::move(region));
    memory.sort();
  }
  const Region& region() const { return memory.regions()[0]; }
  std::vector<std::byte> contents;
  GlobalMemory memory;
};

AddressPattern affine(std::uint64_t first, std::int64_t stride, std::uint32_t mask) {
  AddressPattern pattern;
  pattern.affine = true;
  pattern.first = pattern.low = first;
  pattern.stride = stride;
  pattern.high =
      first + static_cast<std::uint64_t>(stride) * (31u - static_cast<std::uint32_t>(std::countl_zero(mask)) -
                                                    static_cast<std::uint32_t>(std::countr_zero(mask)));
  return pattern;
}

constexpr std::size_t region_bytes = 100'000;        // several pages of notes, the last one partial
using TouchedWords = std::bitset<region_bytes / 4>;  // touched or not

// A worker's notes, and the same accesses word by word.
struct Noted {
  Noted(const Memory& memory, const WriteWatch& writes) : sets(memory.memory, writes) {}
  void mark(std::uint32_t site, AccessSets::Use use, const Region& region, const AddressPattern& pattern,
            std::uint32_t mask, std::uint64_t width) {
    const bool gapless = mask == ~0u && pattern.stride == static_cast<std::int64_t>(width);
    if (!reaches[site].covers(pattern.low, pattern.high, width, gapless))
      sets.mark(reaches[site], use, region, pattern, mask, width);
    const auto lowest = static_cast<std::uint32_t>(std::countr_zero(mask));
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
      if ((mask >> lane & 1u) == 0) continue;
      const std::uint64_t at =
          pattern.first + static_cast<std::uint64_t>(pattern.stride) * (lane - lowest) - region.address;
      for (std::uint64_t byte = at; byte < at + width; ++byte) words[static_cast<int>(use)][byte / 4] = true;
    }
  }
  void finish() {
    for (Reach& reach : reaches) sets.finish(reach);
  }
  AccessSets sets;
  std::array<Reach, 8> reaches;
  TouchedWords words[3];
};

bool meet(const TouchedWords& a, const TouchedWords& b) {
  return (a & b).any();
}

bool conflict_by_words(const Noted& a, const Noted& b) {
  const auto& [ra, wa, da] = a.words;
  const auto& [rb, wb, db] = b.words;
  bool any = meet(wa, wb) || meet(wa, rb) || meet(wb, ra);
  for (const TouchedWords* reduced : {&da, &db})
    for (const TouchedWords* plain : {&ra, &wa, &rb, &wb}) any |= meet(*reduced, *plain);
  return any;
}

TEST(AccessSets, FindWhatPlainSetsOfWordsFind) {
  const Memory memory(region_bytes);
  WriteWatch writes;
  writes.begin(memory.memory, false);
  writes.note_write(memory.region());
  std::mt19937 random(7);
  const auto below = [&](std::uint32_t bound) { return static_cast<std::uint32_t>(random()) % bound; };
  int conflicts = 0;
  constexpr int rounds = 600;
  for (int round = 0; round < rounds; ++round) {
    Noted a(memory, writes), b(memory, writes);
    for (Noted* worker : {&a, &b}) {
      // Each worker in its own part; the parts overlap by a few words or not at all.
      const std::uint64_t from = worker == &a ? 0 : 50'000 - below(2) * below(160),
                          to = worker == &a ? 50'000 : 100'000;
      // Sometimes a long range that contains whole pages, from a site of its own.
      if (below(4) == 0) {
        const auto use = static_cast<AccessSets::Use>(below(3));
        for (std::uint64_t at = from / 4 * 4 + 128 * below(100); at + 128 <= to; at += 128)
          worker->mark(7, use, memory.region(), affine(memory.region().address + at, 4, ~0u), ~0u, 4);
      }
      // Sometimes adjacent tiles: rows of half a warp, one matrix row apart, with a row left out now and then.
      if (below(4) == 0) {
        const auto use = static_cast<AccessSets::Use>(below(3));
        const std::uint64_t pitch = 4 * (16 * 8 + below(2)), begin = from / 4 * 4 + 4 * below(64);
        for (std::uint64_t tile = 0; tile < 8; ++tile)
          for (std::uint64_t row = 0; row < 40; ++row)
            if (const std::uint64_t at = begin + row * pitch + tile * 64; below(50) != 0 && at + 64 <= to)
              worker->mark(7, use, memory.region(), affine(memory.region().address + at, 4, 0xffff), 0xffff, 4);
      }
      std::uint64_t next[8];
      for (std::uint64_t& start : next) start = from + below(40) * 128;
      for (int access = 0; access < 20; ++access) {
        const std::uint32_t site = below(7);
        const auto use = static_cast<AccessSets::Use>(site == 4 && round % 4 == 0 ? 2 : site % 2);
        const std::uint64_t width = std::uint64_t{1} << site % 4;  // an instruction has one width
        const std::uint32_t mask = below(3) != 0 ? ~0u : (1u << below(32)) | static_cast<std::uint32_t>(random());
        const auto stride = static_cast<std::int64_t>(below(3) != 0 ? width : width * below(4));
        // Usually after the site's last access, sometimes at the boundary to the other part.
        std::uint64_t at = below(30) == 0 ? (worker == &a ? to - 160 : from) + below(8) * width : next[site];
        const std::uint64_t bytes = 31 * static_cast<std::uint64_t>(stride) + width;
        at = std::min(at / width * width, (to - bytes) / width * width);
        worker->mark(site, use, memory.region(), affine(memory.region().address + at, stride, mask), mask, width);
        next[site] = at + bytes;
      }
      worker->finish();
    }
    const bool expected = conflict_by_words(a, b);
    conflicts += expected;
    ASSERT_EQ(AccessSets::conflict({&a.sets, &b.sets}), expected) << "round " << round;
    ASSERT_EQ(AccessSets::conflict({&b.sets, &a.sets}), expected) << "round " << round;
  }
  EXPECT_GT(conflicts, rounds / 10);
  EXPECT_LT(conflicts, rounds * 9 / 10);
}

TEST(AccessSets, NeighboursDoNotMeet) {
  const Memory memory(region_bytes);
  WriteWatch writes;
  writes.begin(memory.memory, false);
  writes.note_write(memory.region());
  // Each writes every other word. `b` also reads, from the last word of `a` on or from behind all words.
  for (const std::uint64_t shared : {0, 1}) {
    Noted a(memory, writes), b(memory, writes);
    for (std::uint64_t word = 0; word < 200; ++word) {
      const std::uint64_t at = memory.region().address + 4 * word;
      (word % 2 == 0 ? a : b).mark(0, AccessSets::Use::write, memory.region(), affine(at, 0, 1), 1, 4);
    }
    b.mark(1, AccessSets::Use::read, memory.region(), affine(memory.region().address + 4 * (200 - 2 * shared), 4, ~0u),
           ~0u, 4);
    a.finish(), b.finish();
    EXPECT_EQ(AccessSets::conflict({&a.sets, &b.sets}), shared == 1);
    EXPECT_EQ(AccessSets::conflict({&b.sets, &a.sets}), shared == 1);
  }
}

// One worker's ranges are too many and become pages; the other's are still ranges.
TEST(AccessSets, RangesMeetPages) {
  const Memory memory(region_bytes);
  WriteWatch writes;
  writes.begin(memory.memory, false);
  writes.note_write(memory.region());
  constexpr std::uint64_t step = 7, count = region_bytes / 4 / step;
  static_assert(count > AccessSets::most_ranges);
  for (const std::uint64_t shared : {0, 1}) {
    Noted a(memory, writes), b(memory, writes);
    const auto one_word = [&](Noted& worker, AccessSets::Use use, std::uint64_t word) {
      worker.mark(0, use, memory.region(), affine(memory.region().address + 4 * word, 0, 1), 1, 4);
    };
    for (std::uint64_t i = 0; i < count; ++i) one_word(a, AccessSets::Use::write, i * step);
    one_word(b, AccessSets::Use::read, 1000 * step + 1 - shared);
    one_word(b, AccessSets::Use::read, (count - 1) * step - 1);
    a.finish(), b.finish();
    EXPECT_EQ(AccessSets::conflict({&a.sets, &b.sets}), shared == 1);
    EXPECT_EQ(AccessSets::conflict({&b.sets, &a.sets}), shared == 1);
  }
}

TEST(AccessSets, AWriteToWhatNobodyWatchesIsUnforeseen) {
  const Memory memory(4096);
  WriteWatch writes;
  writes.begin(memory.memory, false);
  Noted noted(memory, writes);
  noted.mark(0, AccessSets::Use::read, memory.region(), affine(memory.region().address, 4, ~0u), ~0u, 4);
  EXPECT_FALSE(noted.sets.unforeseen());
  noted.mark(1, AccessSets::Use::write, memory.region(), affine(memory.region().address, 4, ~0u), ~0u, 4);
  EXPECT_TRUE(noted.sets.unforeseen());
}

TEST(WriteWatch, PutsBackWhatThreadsOverwrote) {
  Memory memory(400 * WriteWatch::piece_bytes + 100);  // the last piece is short
  const std::vector<std::byte> before = memory.contents;
  const Region& region = memory.region();
  for (int round = 0; round < 10; ++round) {
    WriteWatch writes;
    writes.begin(memory.memory, true);
    // Every thread writes 4 of each 16 bytes, the last bytes of a piece first. So all threads reach every piece at
    // about the same time, and a copy that starts too late, or is not waited for, contains another thread's write.
    // (Not by std::barrier, whose waits under mingw-w64 and wine may never end.)
    std::atomic<std::uint64_t> arrived = 0;
    const auto write = [&](std::uint64_t first) {
      std::uint64_t meetings = 0;
      for (std::uint64_t from = 0; from < region.bytes; from += WriteWatch::piece_bytes) {
        ++arrived, ++meetings;
        while (arrived < 4 * meetings) std::this_thread::yield();
        for (std::uint64_t back = WriteWatch::piece_bytes; back != 0; back -= 16) {
          const std::uint64_t at = from + back - 16 + first;
          if (at + 4 > region.bytes) continue;
          writes.before_write(region, region.address + at, 4);
          std::memset(region.data + at, 0xee, 4);
        }
      }
    };
    std::vector<std::thread> threads;
    for (std::uint64_t i = 0; i < 4; ++i) threads.emplace_back(write, i * 4);
    for (std::thread& thread : threads) thread.join();
    ASSERT_TRUE(memory.contents == std::vector<std::byte>(region.bytes, std::byte{0xee}));
    writes.restore(memory.memory);
    ASSERT_TRUE(memory.contents == before) << "round " << round;
  }
}

TEST(WriteWatch, KeepsAcrossAPiecesEdgeAndNothingElse) {
  Memory memory(4 * WriteWatch::piece_bytes);
  const std::vector<std::byte> before = memory.contents;
  WriteWatch writes;
  writes.begin(memory.memory, true);
  const Region& region = memory.region();
  EXPECT_FALSE(writes.written(region));
  writes.before_write(region, region.address + 2 * WriteWatch::piece_bytes - 4, 8);
  EXPECT_TRUE(writes.written(region));
  std::fill(memory.contents.begin(), memory.contents.end(), std::byte{0});
  writes.restore(memory.memory);
  const auto piece = static_cast<std::ptrdiff_t>(WriteWatch::piece_bytes);
  EXPECT_TRUE(std::equal(before.begin() + piece, before.begin() + 3 * piece, memory.contents.begin() + piece));
  EXPECT_EQ(memory.contents[WriteWatch::piece_bytes - 1], std::byte{0});  // not announced, so not kept
  EXPECT_EQ(memory.contents[3 * WriteWatch::piece_bytes], std::byte{0});
}

}  // namespace
}  // namespace lanescope::sim
