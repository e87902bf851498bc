// Shuffles, votes, matches and warp-wide reductions against their definitions, worked out here lane by lane.

#include <bit>
#include <random>

#include "sim/launcher.h"

namespace lanescope::sim {
namespace {

using test::kernel;
using test::Launcher;

// Loads a (in[tid]), b (in[32 + tid]); `body` leaves its result in %r10; stores it. %p10 adds 1000000 where it holds.
std::string exchange(const std::string& body) {
  return kernel(".param .u64 in, .param .u64 out", R"(
    ld.param.u64 %rd1, [in];
    ld.param.u64 %rd2, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd3, %r1, 4;
    add.s64 %rd4, %rd1, %rd3;
    add.s64 %rd5, %rd2, %rd3;
    ld.global.u32 %r2, [%rd4];
    ld.global.u32 %r3, [%rd4+128];
    setp.ne.u32 %p1, %r2, 0;
    setp.ne.u32 %p10, 0, 0;
  )" + body + R"(
    st.global.u32 [%rd5], %r10;
    selp.u32 %r11, 1, 0, %p10;
    st.global.u32 [%rd5+128], %r11;
    ret;
  )");
}

struct Outcome {
  std::vector<std::uint32_t> value, predicate;
  LaunchResult result;
};
Outcome run(const std::string& body, const std::vector<std::uint32_t>& in, std::uint32_t threads = 32) {
  Launcher k(exchange(body));
  k.block = {threads, 1, 1};
  k.add_buffer(in);
  const int out = k.add_buffer(std::vector<std::uint32_t>(64));
  Outcome outcome;
  outcome.result = k.run();
  const auto values = k.values<std::uint32_t>(outcome.result, out);
  outcome.value.assign(values.begin(), values.begin() + 32);
  outcome.predicate.assign(values.begin() + 32, values.end());
  return outcome;
}

std::vector<std::uint32_t> random_words(unsigned seed, std::uint32_t below) {
  std::mt19937 random(seed);
  std::vector<std::uint32_t> words(64);
  for (auto& word : words) word = static_cast<std::uint32_t>(random()) % below;
  return words;
}

struct ShuffleCase {
  const char* mode;
  std::uint32_t c;   // segment mask and clamp
};
class Shuffle : public testing::TestWithParam<ShuffleCase> {};

// "PTX ISA", shfl.sync: the pseudo-code of its semantics.
TEST_P(Shuffle, AsInTheManual) {
  const auto [mode, c] = GetParam();
  const std::string name = mode;
  const auto in = random_words(7, 32);
  const Outcome outcome = run("shfl.sync." + name + ".b32 %r10|%p10, %r2, %r3, " + std::to_string(c) +
                                  ", 0xffffffff;", in);
  std::vector<int> sources;
  for (int lane = 0; lane < 32; ++lane) {
    const auto i = static_cast<std::size_t>(lane);
    const int b = static_cast<int>(in[32 + i] & 0x1f);
    const int cval = static_cast<int>(c & 0x1f), mask = static_cast<int>(c >> 8 & 0x1f);
    const int max_lane = (lane & mask) | (cval & ~mask);
    const int min_lane = lane & mask;
    int j = 0;
    bool holds = false;
    if (name == "up") { j = lane - b; holds = j >= max_lane; }
    if (name == "down") { j = lane + b; holds = j <= max_lane; }
    if (name == "bfly") { j = lane ^ b; holds = j <= max_lane; }
    if (name == "idx") { j = min_lane | (b & ~mask); holds = j <= max_lane; }
    if (!holds) j = lane;
    EXPECT_EQ(outcome.value[i], in[static_cast<std::size_t>(j)]) << lane;
    EXPECT_EQ(outcome.predicate[i], holds ? 1u : 0u) << lane;
    sources.push_back(holds ? j : 0xff);
  }
  for (const auto& event : outcome.result.trace.events) {
    if (event.kind != trace::EventKind::shuffle) continue;
    for (std::size_t lane = 0; lane < 32; ++lane)
      EXPECT_EQ(outcome.result.trace.source_lanes[event.side + lane], sources[lane]);
  }
  EXPECT_EQ(outcome.result.trace.totals.shuffles, 1u);
}
INSTANTIATE_TEST_SUITE_P(Modes, Shuffle,
                         testing::Values(ShuffleCase{"up", 0}, ShuffleCase{"down", 31}, ShuffleCase{"bfly", 31},
                                         ShuffleCase{"idx", 31}, ShuffleCase{"up", 0x1800},
                                         ShuffleCase{"down", 0x181f}, ShuffleCase{"bfly", 0x1c1f},
                                         ShuffleCase{"idx", 0x101f}, ShuffleCase{"idx", 0x0f}));

TEST(Exchange, ShuffleInPlaceReadsTheOldValues) {
  const auto in = random_words(3, 1000);
  const Outcome outcome =
      run("mov.u32 %r10, %r2;\nshfl.sync.down.b32 %r10, %r10, 1, 31, -1;", in);
  for (std::size_t i = 0; i < 31; ++i) EXPECT_EQ(outcome.value[i], in[i + 1]);
}

TEST(Exchange, ShuffleAmongTheLanesOfAPartialWarp) {
  const auto in = random_words(5, 1000);
  const Outcome outcome = run("shfl.sync.down.b32 %r10, %r2, 4, 31, -1;", in, 20);
  for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(outcome.value[i], in[i + 4]);
}

TEST(Exchange, Votes) {
  const auto in = random_words(11, 2);
  std::uint32_t ballot = 0;
  for (int i = 0; i < 32; ++i) ballot |= in[static_cast<std::size_t>(i)] << i;
  const auto vote = [&](const std::string& mode, const std::vector<std::uint32_t>& words) {
    return run("vote.sync." + mode + ".pred %p10, %p1, -1;\nmov.u32 %r10, 0;", words).predicate[9];
  };
  const std::vector<std::uint32_t> all(64, 1), none(64, 0);
  EXPECT_EQ(vote("all", in), 0u);
  EXPECT_EQ(vote("any", in), 1u);
  EXPECT_EQ(vote("uni", in), 0u);
  EXPECT_EQ(vote("all", all), 1u);
  EXPECT_EQ(vote("any", none), 0u);
  EXPECT_EQ(vote("uni", none), 1u);
  EXPECT_EQ(vote("uni", all), 1u);
  EXPECT_EQ(run("vote.sync.ballot.b32 %r10, %p1, -1;", in).value, std::vector<std::uint32_t>(32, ballot));
  EXPECT_EQ(run("vote.sync.ballot.b32 %r10, !%p1, -1;", in).value,
            std::vector<std::uint32_t>(32, ~ballot));
}

TEST(Exchange, VoteOfTheActiveLanesOnly) {
  const Outcome outcome = run(R"(
    mov.u32 %r10, 0;
    setp.ge.s32 %p2, %r1, 12;
    @%p2 bra SKIP;
    vote.sync.ballot.b32 %r10, %p1, 0xfff;
    activemask.b32 %r12;
    add.s32 %r10, %r10, %r12;
  SKIP:
  )", std::vector<std::uint32_t>(64, 1));
  for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(outcome.value[i], i < 12 ? 0xfffu * 2 : 0u);
  EXPECT_EQ(outcome.result.trace.totals.votes, 2u);
}

TEST(Exchange, Match) {
  const auto in = random_words(13, 5);
  const Outcome any = run("match.any.sync.b32 %r10, %r2, -1;", in);
  for (std::size_t i = 0; i < 32; ++i) {
    std::uint32_t equal = 0;
    for (std::size_t j = 0; j < 32; ++j) equal |= (in[j] == in[i] ? 1u : 0u) << j;
    EXPECT_EQ(any.value[i], equal);
  }
  const Outcome differ = run("match.all.sync.b32 %r10|%p10, %r2, -1;", in);
  EXPECT_EQ(differ.value, std::vector<std::uint32_t>(32, 0));
  EXPECT_EQ(differ.predicate[0], 0u);
  const Outcome same = run("match.all.sync.b32 %r10|%p10, %r2, -1;", std::vector<std::uint32_t>(64, 4));
  EXPECT_EQ(same.value, std::vector<std::uint32_t>(32, ~0u));
  EXPECT_EQ(same.predicate[31], 1u);
  // 64 bits: equal low halves are not enough.
  const Outcome wide = run("mov.b64 %rd7, {%r3, %r2};\nmatch.any.sync.b64 %r10, %rd7, -1;", in);
  for (std::size_t i = 0; i < 32; ++i) {
    std::uint32_t equal = 0;
    for (std::size_t j = 0; j < 32; ++j)
      equal |= (in[j] == in[i] && in[32 + j] == in[32 + i] ? 1u : 0u) << j;
    EXPECT_EQ(wide.value[i], equal);
  }
}

TEST(Exchange, Redux) {
  const auto in = random_words(17, 0xffffffff);
  std::uint32_t sum = 0, least = ~0u, largest = 0, both = ~0u, either = 0, odd = 0;
  std::int32_t smallest = INT32_MAX;
  for (std::size_t i = 0; i < 32; ++i) {
    sum += in[i];
    least = std::min(least, in[i]);
    largest = std::max(largest, in[i]);
    smallest = std::min(smallest, std::bit_cast<std::int32_t>(in[i]));
    both &= in[i];
    either |= in[i];
    odd ^= in[i];
  }
  const auto redux = [&](const std::string& op) {
    return run("redux.sync." + op + " %r10, %r2, -1;", in).value[20];
  };
  EXPECT_EQ(redux("add.u32"), sum);
  EXPECT_EQ(redux("min.u32"), least);
  EXPECT_EQ(redux("max.u32"), largest);
  EXPECT_EQ(redux("min.s32"), std::bit_cast<std::uint32_t>(smallest));
  EXPECT_EQ(redux("and.b32"), both);
  EXPECT_EQ(redux("or.b32"), either);
  EXPECT_EQ(redux("xor.b32"), odd);
}

TEST(Exchange, ElectChoosesOneLane) {
  const Outcome outcome = run("elect.sync %r10|%p10, 0xffffff00;", std::vector<std::uint32_t>(64, 1));
  EXPECT_EQ(outcome.value, std::vector<std::uint32_t>(32, 8));
  for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(outcome.predicate[i], i == 8 ? 1u : 0u);
}

TEST(Exchange, LanesOnBothSidesOfABranchExchange) {
  // The two halves call the same shuffle from different places; the mask names all.
  const auto in = random_words(19, 1000);
  const Outcome outcome = run(R"(
    setp.ge.s32 %p2, %r1, 16;
    @%p2 bra HIGH;
    shfl.sync.bfly.b32 %r10, %r2, 16, 31, -1;
    bra.uni JOIN;
  HIGH:
    add.s32 %r4, %r2, 5000;
    shfl.sync.bfly.b32 %r10, %r4, 16, 31, -1;
  JOIN:
  )", in);
  for (std::size_t i = 0; i < 16; ++i) {
    EXPECT_EQ(outcome.value[i], in[i + 16] + 5000);
    EXPECT_EQ(outcome.value[i + 16], in[i]);
  }
}

TEST(Exchange, SyncwarpInBothBranches) {
  const Outcome outcome = run(R"(
    mov.u32 %r10, 1;
    setp.ge.s32 %p2, %r1, 16;
    @%p2 bra HIGH;
    bar.warp.sync -1;
    mov.u32 %r10, 2;
    bra.uni JOIN;
  HIGH:
    bar.warp.sync -1;
    mov.u32 %r10, 3;
  JOIN:
    bar.warp.sync -1;
  )", std::vector<std::uint32_t>(64, 1));
  for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(outcome.value[i], i < 16 ? 2u : 3u);
  EXPECT_EQ(outcome.result.trace.totals.barriers, 3u);
}

// Each path comes with the lanes whose guard is true; the others of a path neither vote nor get a result.
TEST(Exchange, PathsMeetWithTheLanesWhoseGuardIsTrue) {
  const Outcome outcome = run(R"(
    mov.u32 %r10, 7;
    and.b32 %r11, %r1, 1;
    setp.eq.u32 %p3, %r11, 0;
    setp.ge.s32 %p1, %r1, 0;
    setp.ge.s32 %p2, %r1, 16;
    @%p2 bra HIGH;
    @%p3 vote.sync.ballot.b32 %r10, %p1, 0x55555555;
    bra.uni JOIN;
  HIGH:
    @%p3 vote.sync.ballot.b32 %r10, %p1, 0x55555555;
  JOIN:
  )", std::vector<std::uint32_t>(64, 1));
  for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(outcome.value[i], i % 2 == 0 ? 0x55555555u : 7u) << i;
}

TEST(Exchange, LanesThatHaveExitedAreNotWaitedFor) {
  const Outcome outcome = run(R"(
    setp.ge.s32 %p2, %r1, 24;
    @%p2 exit;
    shfl.sync.idx.b32 %r10, %r2, 3, 31, -1;
  )", random_words(23, 100));
  const auto in = random_words(23, 100);
  for (std::size_t i = 0; i < 24; ++i) EXPECT_EQ(outcome.value[i], in[3]);
}

TEST(Exchange, AMaskThatNamesLanesWhichNeverCome) {
  Launcher k(exchange(R"(
    mov.u32 %r10, 0;
    setp.ge.s32 %p2, %r1, 16;
    @%p2 bra OTHER;
    shfl.sync.idx.b32 %r10, %r2, 3, 31, -1;
    bra.uni JOIN;
  OTHER:
    vote.sync.ballot.b32 %r10, %p1, -1;
  JOIN:
  )"));
  k.add_buffer(random_words(1, 10));
  k.add_buffer(std::vector<std::uint32_t>(64));
  EXPECT_THAT(k.fault("warp.mask_not_reached").message, testing::HasSubstr("lanes "));
}

}  // namespace
}  // namespace lanescope::sim
