#include "core/os/bulk_vector.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "core/os/bulk_memory.h"

namespace lanescope {
namespace {

constexpr std::size_t MiB = std::size_t{1} << 20;

#if defined(__SANITIZE_ADDRESS__)
constexpr bool keeps = false;
#else
constexpr bool keeps = true;
#endif

struct GiveBack {
  void operator()(void* memory) const { bulk_memory::give_back(memory); }
};
using Piece = std::unique_ptr<void, GiveBack>;
Piece take(std::size_t bytes) {
  return Piece(bulk_memory::take(bytes));
}

TEST(BulkMemory, WhatIsGivenBackIsTakenAgain) {
  if (!keeps) GTEST_SKIP() << "AddressSanitizer watches memory that was given back; none is kept";
  Piece first = take(5 * MiB);
  void* const was = first.get();
  first.reset();
  EXPECT_GE(bulk_memory::kept(), 5 * MiB);
  EXPECT_EQ(take(5 * MiB).get(), was);
}

TEST(BulkMemory, NobodyGetsAPieceFarTooLarge) {
  Piece large = take(64 * MiB);
  void* const was = large.get();
  large.reset();
  EXPECT_NE(take(4 * MiB).get(), was);
}

TEST(BulkMemory, KeepsNoMoreThanItSays) {
  std::vector<Piece> pieces;
  for (int i = 0; i < 6; ++i) pieces.push_back(take(60 * MiB));  // never touched: they use no memory
  pieces.clear();
  EXPECT_LE(bulk_memory::kept(), bulk_memory::most_kept);
  take(2 * bulk_memory::most_kept).reset();
  EXPECT_LE(bulk_memory::kept(), bulk_memory::most_kept);
}

TEST(BulkMemory, KeptAndFreshTogetherAreNoMoreThanMayBeKeptOrIsAskedFor) {
  {
    std::vector<Piece> pieces;
    for (int i = 0; i < 3; ++i) pieces.push_back(take(70 * MiB));
  }
  const Piece fresh = take(200 * MiB);
  EXPECT_LE(bulk_memory::kept() + 200 * MiB, bulk_memory::most_kept);
}

TEST(BulkMemory, ThreadsTakeAndGiveBackAtTheSameTime) {
  const auto work = [](unsigned char mark) {
    for (int i = 0; i < 200; ++i) {
      BulkVector<unsigned char> bytes(bulk_memory::smallest * (1 + static_cast<std::size_t>(i) % 5));
      std::memset(bytes.data(), mark, bytes.size());
      for (std::size_t at = 0; at < bytes.size(); at += 4096) ASSERT_EQ(bytes[at], mark);
    }
  };
  std::thread other(work, static_cast<unsigned char>(1));
  work(2);
  other.join();
}

TEST(BulkVector, GrowsAcrossTheBorderToLargeMemory) {
  BulkVector<int> numbers;
  for (int i = 0; i < 300'000; ++i) numbers.push_back(i);
  for (int i = 0; i < 300'000; ++i) ASSERT_EQ(numbers[static_cast<std::size_t>(i)], i);
  numbers.resize(10);
  numbers.shrink_to_fit();
  EXPECT_EQ(numbers[9], 9);
}

}  // namespace
}  // namespace lanescope
