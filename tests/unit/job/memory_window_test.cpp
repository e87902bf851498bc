// Memory as a grid at a step, what the lesson finds wrong in it, and who reads an element next, compared with host
// arithmetic.

#include "job/replay/memory_window.h"

#include <gmock/gmock.h>

#include "job/replay/next_readers.h"
#include "job/replay/value_text.h"
#include "job/replayed.h"

namespace lanescope::job {
namespace {

using test::access;
using test::run_kernel;

constexpr auto global = trace::MemorySpace::global, shared = trace::MemorySpace::shared;
constexpr auto load = trace::Operation::load, store = trace::Operation::store;

// Thread i of 128 reverses a block's 64 elements through shared memory.
const char* const turn =
    "__global__ void k(const int* in, int* out) {\n"
    "  __shared__ int tile[64];\n"
    "  const int i = blockIdx.x * 64 + threadIdx.x;\n"
    "  tile[threadIdx.x] = in[i] * 3;\n"
    "  __syncthreads();\n"
    "  out[i] = tile[63 - threadIdx.x];\n"
    "}\n";

class Turned : public testing::Test {
 protected:
  const Outcome outcome = run_kernel(turn, {2, 1, 1}, {64, 1, 1}, {{"i32[128]=iota", ""}, {"i32[128]=-1", ""}});
};

TEST_F(Turned, ABufferHoldsWhatItHeldAtTheStep) {
  const sim::Step at = access(outcome, store, 1, 0, global);
  const auto window = memory_window(outcome, 1, at, {"out", "", 0, 1000}, nullptr);
  ASSERT_TRUE(window) << format(window.errors()[0]);
  EXPECT_EQ(window->memory().element(70), "out[70]");
  EXPECT_EQ(window->memory().type, ptx::Type::s32);
  ASSERT_EQ(window->state.elements.size(), 128u);
  EXPECT_TRUE(window->state.known && window->state.done);
  for (std::int64_t i = 0; i < 128; ++i) {
    const std::int64_t block = i / 64, turned = block * 64 + 63 - i % 64;
    // Written by block 0, by the other warp of this block if its turn came first, and by this step.
    const bool other = i >= 96, now = i >= 64 && i < 96;
    const bool done = i < 64 || (other && window->element(i).writes > 0);
    EXPECT_EQ(static_cast<std::int32_t>(window->bits(i, false)), done ? 3 * turned : -1) << i;
    EXPECT_EQ(static_cast<std::int32_t>(window->bits(i, true)), done || now ? 3 * turned : -1) << i;
    EXPECT_EQ(window->element(i).writes, done ? 1u : 0u) << i;
    EXPECT_EQ(window->element(i).reads, 0u) << i;
    EXPECT_EQ(window->element(i).written.bits, now ? 1u << (i - 64) : 0u) << i;
    if (done) {
      EXPECT_EQ(window->element(i).warp, i % 64 / 32) << i;
    }
  }
}

TEST_F(Turned, SharedMemoryIsThatOfTheStepsBlock) {
  const sim::Step at = access(outcome, load, 1, 1, shared);
  const auto window = memory_window(outcome, 1, at, {"", "", 0, 64}, nullptr);
  ASSERT_TRUE(window) << format(window.errors()[0]);
  EXPECT_EQ(window->memory().element(1), "tile[1]");
  EXPECT_EQ(window->memory().count, 64u);
  for (std::int64_t i = 0; i < 64; ++i) {
    EXPECT_EQ(window->bits(i, false), static_cast<std::uint64_t>(3 * (64 + i)));
    EXPECT_EQ(window->element(i).writes, 1u);  // by this block only
    EXPECT_EQ(window->element(i).block, 1u);
    EXPECT_EQ(window->element(i).read.bits, i < 32 ? 1u << (31 - i) : 0u);
  }
}

TEST_F(Turned, AWindowIsCutToTheBuffer) {
  const auto window = memory_window(outcome, 1, access(outcome, load, 0, 0, global), {"in", "", 120, 50}, nullptr);
  ASSERT_TRUE(window);
  EXPECT_EQ(window->first, 120);
  EXPECT_EQ(window->end(), 128);
  EXPECT_EQ(window->bits(127, true), 127u);
}

TEST_F(Turned, TheNextReaderOfASharedElementIsInItsBlock) {
  const sim::Step at = access(outcome, store, 1, 0, shared);
  const auto window = memory_window(outcome, 1, at, {"", "", 0, 64}, nullptr);
  ASSERT_TRUE(window);
  const auto next = next_readers(outcome, 1, window->bytes_of(5), -1, 5, at, 8);
  ASSERT_TRUE(next) << format(next.errors()[0]);
  ASSERT_EQ(next->readers.size(), 1u);
  EXPECT_EQ(next->readers[0].block, 1u);
  EXPECT_EQ(next->readers[0].thread, 58u);
  EXPECT_EQ(next->readers[0].line, 6);
  EXPECT_FALSE(next->more || next->overwrite);
}

// Memory that was never written has no contents, although the interpreter's bytes are zero.
TEST(MemoryWindow, AnElementThatWasNeverWrittenHasNoContents) {
  const Outcome outcome = run_kernel(
      "__global__ void k(int* out) {\n"
      "  __shared__ int tile[64];\n"
      "  const int i = threadIdx.x;\n"
      "  if (i % 2 == 0) tile[i] = i;\n"
      "  __syncwarp();\n"
      "  if (i % 4 == 0) out[i] = tile[i];\n"
      "}\n",
      {1, 1, 1}, {32, 1, 1}, {{"i32[40]", ""}});
  const auto of_out = memory_window(outcome, 1, access(outcome, store, 0, 0, global), {"out", "", 0, 40}, nullptr);
  const auto of_tile = memory_window(outcome, 1, access(outcome, store, 0, 0, global), {"tile", "", 0, 64}, nullptr);
  const auto at_first = memory_window(outcome, 1, access(outcome, store, 0, 0, shared), {"tile", "", 0, 64}, nullptr);
  ASSERT_TRUE(of_out && of_tile && at_first);
  for (std::int64_t i = 0; i < 40; ++i) {
    EXPECT_FALSE(of_out->has_contents(i, false)) << i;
    EXPECT_EQ(of_out->has_contents(i, true), i < 32 && i % 4 == 0) << i;
  }
  for (std::int64_t i = 0; i < 64; ++i) {
    EXPECT_EQ(of_tile->has_contents(i, false), i < 32 && i % 2 == 0) << i;
    EXPECT_FALSE(at_first->has_contents(i, false)) << i;
    EXPECT_EQ(at_first->has_contents(i, true), i < 32 && i % 2 == 0) << i;
  }
}

TEST(NextReaders, EndAtTheNextWrite) {
  const Outcome outcome = run_kernel(
      "__global__ void k(volatile int* a, int* out) {\n"
      "  out[threadIdx.x] = a[7];\n"
      "  if (threadIdx.x == 3) a[7] = 1;\n"
      "  out[threadIdx.x] += a[7];\n"
      "}\n",
      {1, 1, 1}, {32, 1, 1}, {{"i32[8]=iota", ""}, {"i32[32]=0", ""}});
  const auto first = outcome.first().trace.warp(0, 0).front().sequence;
  const auto window = memory_window(outcome, 1, {0, 0, first}, {"a", "", 0, 8}, nullptr);
  ASSERT_TRUE(window);
  const auto all = next_readers(outcome, 1, window->bytes_of(7), 0, 7, {0, 0, first}, 40);
  ASSERT_TRUE(all);
  EXPECT_EQ(all->readers.size(), 32u);
  EXPECT_EQ(all->readers[9].lane, 9);
  EXPECT_EQ(all->readers[9].line, 2);
  ASSERT_TRUE(all->overwrite);
  EXPECT_EQ(all->overwrite->thread, 3u);
  EXPECT_EQ(all->overwrite->line, 3);
  const auto some = next_readers(outcome, 1, window->bytes_of(7), 0, 7, {0, 0, first}, 4);
  ASSERT_TRUE(some);
  EXPECT_EQ(some->readers.size(), 4u);
  EXPECT_TRUE(some->more);
  EXPECT_EQ(next_readers(outcome, 1, window->bytes_of(7), 0, 7, all->overwrite->step, 40)->readers.size(), 32u);
  EXPECT_FALSE(next_readers(outcome, 1, window->bytes_of(7), 0, 7, {0, 0, 9999}, 40));
}

}  // namespace
}  // namespace lanescope::job
