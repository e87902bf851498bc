// Accesses of one basic block through one address register reuse the address analysis (MemoryOp::kept_at). Random code
// in which registers change, guards mask lanes, warps alternate and blocks repeat. The test follows what each thread
// reads, thread by thread.

#include <functional>
#include <random>

#include <fmt/format.h>

#include "sim/launcher.h"

namespace lanescope::sim {
namespace {

using test::kernel;
using test::Launcher;

constexpr int threads_in_block = 80;  // the third warp is half full
constexpr int words_of_memory = 1024;

std::uint32_t content(std::uint32_t word) {
  return word * 2654435761u + 12345u;
}

// A random program and its result: each step as PTX, and as arithmetic on each thread's words.
class RandomAccesses {
 public:
  explicit RandomAccesses(std::uint32_t seed) : random_(seed) {
    for (std::uint32_t thread = 0; thread < threads_in_block; ++thread) {
      for (std::uint32_t k = 0; k < places; ++k) word_[k][thread] = 300 + thread * (k + 1) % 64;
      odd_[thread] = thread % 3 == 1;
    }
    for (int step = 0; step < 60; ++step) (this->*steps[below(std::size(steps))])();
    for (round_ = 0; round_ < 3; ++round_)
      for (const auto& act : acts_) act();
  }

  std::string ptx() const {
    std::string start;
    for (std::uint32_t k = 0; k < places; ++k)
      start += fmt::format(
          "mul.lo.u32 %r20, %r1, {0};\nrem.u32 %r20, %r20, 64;\nadd.u32 %r20, %r20, 300;\nshl.b32 %r{1}, %r20, 2;\n"
          "cvt.u64.u32 %rd20, %r{1};\nadd.s64 %rd{1}, %rd1, %rd20;\n",
          k + 1, 10 + k);
    return kernel(".param .u64 in, .param .u64 out", R"(
      .shared .align 16 .b32 tile[1024];
      ld.param.u64 %rd1, [in];
      ld.param.u64 %rd2, [out];
      mov.u32 %r1, %tid.x;
      mov.u32 %r2, %r1;
      mov.u32 %r3, tile;  // at 0
    fill:
      mul.wide.u32 %rd3, %r2, 4;
      add.s64 %rd4, %rd1, %rd3;
      ld.global.u32 %r3, [%rd4];
      shl.b32 %r4, %r2, 2;
      st.shared.u32 [%r4], %r3;
      add.u32 %r2, %r2, )" + std::to_string(threads_in_block) +
                                                         R"(;
      setp.lt.u32 %p1, %r2, 1024;
      @%p1 bra fill;
      bar.sync 0;
      rem.u32 %r5, %r1, 3;
      setp.eq.u32 %p2, %r5, 1;
      mov.u32 %r6, 0;
      mov.u32 %r9, 0;
    )" + start + R"(
    again:
      setp.eq.u32 %p3, %r9, 1;
    )" + body_ + R"(
      add.u32 %r9, %r9, 1;
      setp.lt.u32 %p1, %r9, 3;
      @%p1 bra again;
      mul.wide.u32 %rd3, %r1, 4;
      add.s64 %rd4, %rd2, %rd3;
      st.global.u32 [%rd4], %r6;
      ret;
    )");
  }
  std::vector<std::uint32_t> results() const { return {result_, result_ + threads_in_block}; }

 private:
  static constexpr std::uint32_t places = 6;  // more than a worker keeps

  std::uint32_t below(std::size_t count) { return static_cast<std::uint32_t>(random_() % count); }
  // %p2: one thread in three. %p3: all threads, in the middle one of three rounds.
  enum class Guard { none, odd, even, middle, outer };
  static const char* text(Guard guard) {
    static constexpr const char* texts[] = {"", "@%p2 ", "@!%p2 ", "@%p3 ", "@!%p3 "};
    return texts[static_cast<int>(guard)];
  }
  bool lets(Guard guard, std::uint32_t thread) const {
    if (guard == Guard::odd || guard == Guard::even) return odd_[thread] == (guard == Guard::odd);
    return guard == Guard::none || (round_ == 1) == (guard == Guard::middle);
  }
  Guard guard() {
    static constexpr Guard guards[] = {Guard::none, Guard::none,   Guard::none, Guard::odd,
                                       Guard::even, Guard::middle, Guard::outer};
    return guards[below(std::size(guards))];
  }
  template <typename Act>
  void each(Guard guard, const Act& act) {
    acts_.push_back([=, this] {
      for (std::uint32_t thread = 0; thread < threads_in_block; ++thread)
        if (lets(guard, thread)) act(thread);
    });
  }

  void access() {
    const std::uint32_t k = below(places);
    const int offset = static_cast<int>(below(200)) - 100;
    const bool shared = below(2) == 0;
    const Guard g = guard();
    body_ += fmt::format("{0}ld.{1} %r7, [%r{2}{3}{4:+}];\n{0}mad.lo.u32 %r6, %r6, 31, %r7;\n", text(g),
                         shared ? "shared.u32" : "global.u32", shared ? "" : "d", 10 + k, offset * 4);
    each(g, [=, this](std::uint32_t thread) {
      result_[thread] = result_[thread] * 31 + content(word_[k][thread] + static_cast<std::uint32_t>(offset));
    });
  }
  // Changes each thread's word, by the same amount for all or not.
  void change() {
    const std::uint32_t k = below(places), by = below(4), own = below(3);
    const Guard g = guard();
    body_ += fmt::format(
        "{0}rem.u32 %r8, %r1, 5;\n{0}mul.lo.u32 %r8, %r8, {3};\n{0}add.u32 %r8, %r8, {2};\n{0}mul.wide.u32 %rd8, %r8, "
        "4;\n{0}shl.b32 %r8, %r8, 2;\n"
        "{0}add.u32 %r{1}, %r{1}, %r8;\n{0}add.s64 %rd{1}, %rd{1}, %rd8;\n",
        text(g), 10 + k, by, own);
    each(g, [=, this](std::uint32_t thread) { word_[k][thread] += by + thread % 5 * own; });
  }
  void wait() { body_ += "bar.sync 0;\n"; }
  // The lanes diverge, and one path also reads.
  void part() {
    const int label = label_++;
    const bool by_thread = below(2) == 0;
    const std::uint32_t k = below(places);
    body_ += fmt::format(
        "@%p{2} bra over{1};\nld.shared.u32 %r7, [%r{0}];\nld.shared.u32 %r24, [%r{0}+8];\nadd.u32 %r6, %r6, "
        "%r7;\nxor.b32 %r6, %r6, %r24;\n"
        "over{1}:\n",
        10 + k, label, by_thread ? 2 : 3);
    each(by_thread ? Guard::even : Guard::outer, [=, this](std::uint32_t thread) {
      result_[thread] = (result_[thread] + content(word_[k][thread])) ^ content(word_[k][thread] + 2);
    });
  }

  static constexpr void (RandomAccesses::*steps[])() = {
      &RandomAccesses::access, &RandomAccesses::access, &RandomAccesses::access,
      &RandomAccesses::access, &RandomAccesses::access, &RandomAccesses::access,
      &RandomAccesses::change, &RandomAccesses::wait,   &RandomAccesses::part};
  std::mt19937 random_;
  std::string body_;
  std::vector<std::function<void()>> acts_;
  int label_ = 0, round_ = 0;
  std::uint32_t word_[places][threads_in_block], result_[threads_in_block] = {};
  bool odd_[threads_in_block];
};

TEST(KeptPattern, ReadsAsEachThreadWould) {
  std::vector<std::uint32_t> in(words_of_memory);
  for (std::uint32_t word = 0; word < words_of_memory; ++word) in[word] = content(word);
  for (std::uint32_t seed = 1; seed <= 24; ++seed) {
    const RandomAccesses accesses(seed);
    Launcher k(accesses.ptx());
    k.block = {threads_in_block, 1, 1};
    k.add_buffer(in);
    const int out = k.add_buffer(std::vector<std::uint32_t>(threads_in_block));
    const LaunchResult result = k.run();
    ASSERT_TRUE(result.completed) << seed << "\n" << format(result.diagnostics.front());
    ASSERT_EQ(k.values<std::uint32_t>(result, out), accesses.results()) << "seed " << seed << "\n" << accesses.ptx();
  }
}

// A 32-bit address below zero wraps, whether it is computed from the register or derived from an earlier access.
TEST(KeptPattern, AnAddressThatWrapsIsNamedAsItIs) {
  const auto fault_of = [](const std::string& first) {
    Launcher k(
        kernel("", ".shared .align 4 .b32 tile[64];\nmov.u32 %r2, %tid.x;\nshl.b32 %r1, %r2, 2;\nmov.u32 %r3, tile;\n" +
                       first + "ld.shared.u32 %r4, [%r1+-64];\nret;\n"));
    return std::string(k.fault("memory.out_of_bounds").message);
  };
  const std::string alone = fault_of("");
  EXPECT_THAT(alone, testing::HasSubstr("0xffffffc0"));
  EXPECT_EQ(fault_of("st.shared.u32 [%r1], %r2;\n"), alone);
}

}  // namespace
}  // namespace lanescope::sim
