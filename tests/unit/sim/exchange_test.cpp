// Shuffles, votes, matches and warp-wide reductions against their definitions, computed here lane by lane.

#include <bit>
#include <random>

#include "sim/launcher.h"

namespace lanescope::sim {
namespace {

using test::kernel;
using test::Launcher;

// Loads a (in[tid]) and b (in[32 + tid]); `body` leaves its result in %r10, which is stored. %p10 adds 1000000 if it is
// true.
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
Outcome run_exchange(const std::string& body, const std::vector<std::uint32_t>& in, std::uint32_t threads = 32) {
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
  std::uint32_t c;  // segment mask and clamp
};
class Shuffle : public testing::TestWithParam<ShuffleCase> {};

// "PTX ISA", shfl.sync: the pseudocode of its semantics.
TEST_P(Shuffle, AsInTheManual) {
  const auto [mode, c] = GetParam();
  const std::string name = mode;
  const auto in = random_words(7, 32);
  const Outcome outcome =
      run_exchange("shfl.sync." + name + ".b32 %r10|%p10, %r2, %r3, " + std::to_string(c) + ", 0xffffffff;", in);
  std::vector<int> sources;
  for (int lane = 0; lane < 32; ++lane) {
    const auto i = static_cast<std::size_t>(lane);
    const int b = static_cast<int>(in[32 + i] & 0x1f);
    const int cval = static_cast<int>(c & 0x1f), mask = static_cast<int>(c >> 8 & 0x1f);
    const int max_lane = (lane & mask) | (cval & ~mask);
    const int min_lane = lane & mask;
    int j = 0;
    bool holds = false;
    if (name == "up") {
      j = lane - b;
      holds = j >= max_lane;
    }
    if (name == "down") {
      j = lane + b;
      holds = j <= max_lane;
    }
    if (name == "bfly") {
      j = lane ^ b;
      holds = j <= max_lane;
    }
    if (name == "idx") {
      j = min_lane | (b & ~mask);
      holds = j <= max_lane;
    }
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
                                         ShuffleCase{"idx", 31}, ShuffleCase{"up", 0x1800}, ShuffleCase{"down", 0x181f},
                                         ShuffleCase{"bfly", 0x1c1f}, ShuffleCase{"idx", 0x101f},
                                         ShuffleCase{"idx", 0x0f}));

TEST(Exchange, ShuffleInPlaceReadsTheOldValues) {
  const auto in = random_words(3, 1000);
  const Outcome outcome = run_exchange("mov.u32 %r10, %r2;\nshfl.sync.down.b32 %r10, %r10, 1, 31, -1;", in);
  for (std::size_t i = 0; i < 31; ++i) EXPECT_EQ(outcome.value[i], in[i + 1]);
}

TEST(Exchange, ShuffleAmongTheLanesOfAPartialWarp) {
  const auto in = random_words(5, 1000);
  const Outcome outcome = run_exchange("shfl.sync.down.b32 %r10, %r2, 4, 19, -1;", in, 20);
  for (std::size_t i = 0; i < 16; ++i) EXPECT_EQ(outcome.value[i], in[i + 4]);
}

TEST(Exchange, Votes) {
  const auto in = random_words(11, 2);
  std::uint32_t ballot = 0;
  for (int i = 0; i < 32; ++i) ballot |= in[static_cast<std::size_t>(i)] << i;
  const auto vote = [&](const std::string& mode, const std::vector<std::uint32_t>& words) {
    return run_exchange("vote.sync." + mode + ".pred %p10, %p1, -1;\nmov.u32 %r10, 0;", words).predicate[9];
  };
  const std::vector<std::uint32_t> all(64, 1), none(64, 0);
  EXPECT_EQ(vote("all", in), 0u);
  EXPECT_EQ(vote("any", in), 1u);
  EXPECT_EQ(vote("uni", in), 0u);
  EXPECT_EQ(vote("all", all), 1u);
  EXPECT_EQ(vote("any", none), 0u);
  EXPECT_EQ(vote("uni", none), 1u);
  EXPECT_EQ(vote("uni", all), 1u);
  EXPECT_EQ(run_exchange("vote.sync.ballot.b32 %r10, %p1, -1;", in).value, std::vector<std::uint32_t>(32, ballot));
  EXPECT_EQ(run_exchange("vote.sync.ballot.b32 %r10, !%p1, -1;", in).value, std::vector<std::uint32_t>(32, ~ballot));
}

TEST(Exchange, VoteOfTheActiveLanesOnly) {
  const Outcome outcome = run_exchange(R"(
    mov.u32 %r10, 0;
    setp.ge.s32 %p2, %r1, 12;
    @%p2 bra SKIP;
    vote.sync.ballot.b32 %r10, %p1, 0xfff;
    activemask.b32 %r12;
    add.s32 %r10, %r10, %r12;
  SKIP:
  )",
                                       std::vector<std::uint32_t>(64, 1));
  for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(outcome.value[i], i < 12 ? 0xfffu * 2 : 0u);
  EXPECT_EQ(outcome.result.trace.totals.votes, 2u);
}

TEST(Exchange, Match) {
  const auto in = random_words(13, 5);
  const Outcome any = run_exchange("match.any.sync.b32 %r10, %r2, -1;", in);
  for (std::size_t i = 0; i < 32; ++i) {
    std::uint32_t equal = 0;
    for (std::size_t j = 0; j < 32; ++j) equal |= (in[j] == in[i] ? 1u : 0u) << j;
    EXPECT_EQ(any.value[i], equal);
  }
  const Outcome differ = run_exchange("match.all.sync.b32 %r10|%p10, %r2, -1;", in);
  EXPECT_EQ(differ.value, std::vector<std::uint32_t>(32, 0));
  EXPECT_EQ(differ.predicate[0], 0u);
  const Outcome same = run_exchange("match.all.sync.b32 %r10|%p10, %r2, -1;", std::vector<std::uint32_t>(64, 4));
  EXPECT_EQ(same.value, std::vector<std::uint32_t>(32, ~0u));
  EXPECT_EQ(same.predicate[31], 1u);
  // 64 bits: equal low halves are not enough.
  const Outcome wide = run_exchange("mov.b64 %rd7, {%r3, %r2};\nmatch.any.sync.b64 %r10, %rd7, -1;", in);
  for (std::size_t i = 0; i < 32; ++i) {
    std::uint32_t equal = 0;
    for (std::size_t j = 0; j < 32; ++j) equal |= (in[j] == in[i] && in[32 + j] == in[32 + i] ? 1u : 0u) << j;
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
    return run_exchange("redux.sync." + op + " %r10, %r2, -1;", in).value[20];
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
  const Outcome outcome =
      run_exchange("mov.u32 %r10, 0;\nsetp.ge.u32 %p2, %r1, 8;\n@%p2 elect.sync %r10|%p10, 0xffffff00;",
                   std::vector<std::uint32_t>(64, 1));
  for (std::size_t i = 0; i < 32; ++i) {
    EXPECT_EQ(outcome.value[i], i < 8 ? 0u : 8u);
    EXPECT_EQ(outcome.predicate[i], i == 8 ? 1u : 0u);
  }
}

TEST(Exchange, LanesOnBothSidesOfABranchExchange) {
  // The two halves call the same shuffle from different places; the mask names all lanes.
  const auto in = random_words(19, 1000);
  const Outcome outcome = run_exchange(R"(
    setp.ge.s32 %p2, %r1, 16;
    @%p2 bra HIGH;
    shfl.sync.bfly.b32 %r10, %r2, 16, 31, -1;
    bra.uni JOIN;
  HIGH:
    add.s32 %r4, %r2, 5000;
    shfl.sync.bfly.b32 %r10, %r4, 16, 31, -1;
  JOIN:
  )",
                                       in);
  for (std::size_t i = 0; i < 16; ++i) {
    EXPECT_EQ(outcome.value[i], in[i + 16] + 5000);
    EXPECT_EQ(outcome.value[i + 16], in[i]);
  }
}

TEST(Exchange, SyncwarpInBothBranches) {
  const Outcome outcome = run_exchange(R"(
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
  )",
                                       std::vector<std::uint32_t>(64, 1));
  for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(outcome.value[i], i < 16 ? 2u : 3u);
  EXPECT_EQ(outcome.result.trace.totals.barriers, 3u);
}

// On each path, only the lanes whose guard is true arrive. The others neither vote nor get a result.
TEST(Exchange, PathsMeetWithTheLanesWhoseGuardIsTrue) {
  const Outcome outcome = run_exchange(R"(
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
  )",
                                       std::vector<std::uint32_t>(64, 1));
  for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(outcome.value[i], i % 2 == 0 ? 0x55555555u : 7u) << i;
}

// ---- lanes of one instruction with different member masks ----
// %r6: the lane's mask. Three groups of interleaved lanes.

std::uint32_t group_of(int lane) {
  std::uint32_t members = 0;
  for (int other = 0; other < 32; ++other)
    if (other % 3 == lane % 3) members |= 1u << other;
  return members;
}
const char* const by_thirds = R"(
    rem.u32 %r5, %r1, 3;
    mov.u32 %r6, 0x49249249;
    shl.b32 %r6, %r6, %r5;
)";

TEST(Exchange, LanesWithDifferentMasksVoteInGroups) {
  const auto in = random_words(29, 2);
  const auto ballot = [&](int lane) {
    std::uint32_t votes = 0;
    for (int other = 0; other < 32; ++other)
      if (in[static_cast<std::size_t>(other)] != 0) votes |= 1u << other;
    return votes & group_of(lane);
  };
  const Outcome votes = run_exchange(std::string(by_thirds) + "vote.sync.ballot.b32 %r10, %p1, %r6;", in);
  for (int lane = 0; lane < 32; ++lane) EXPECT_EQ(votes.value[static_cast<std::size_t>(lane)], ballot(lane)) << lane;
  EXPECT_EQ(votes.result.trace.totals.votes, 1u);
  // One group all ones, one all zeros, one mixed.
  std::vector<std::uint32_t> words(64);
  for (std::size_t i = 0; i < 32; ++i) words[i] = i % 3 == 0 || (i % 3 == 2 && i < 9) ? 1 : 0;
  const auto vote = [&](const std::string& mode) {
    const auto all =
        run_exchange(std::string(by_thirds) + "mov.u32 %r10, 0;\nvote.sync." + mode + ".pred %p10, %p1, %r6;", words)
            .predicate;
    return std::vector<std::uint32_t>(all.begin(), all.begin() + 3);
  };
  EXPECT_EQ(vote("all"), (std::vector<std::uint32_t>{1, 0, 0}));
  EXPECT_EQ(vote("any"), (std::vector<std::uint32_t>{1, 0, 1}));
  EXPECT_EQ(vote("uni"), (std::vector<std::uint32_t>{1, 1, 0}));
}

TEST(Exchange, LanesWithDifferentMasksMatchAndReduceInGroups) {
  const auto in = random_words(31, 4);
  const Outcome match = run_exchange(std::string(by_thirds) + "match.any.sync.b32 %r10, %r2, %r6;", in);
  const Outcome sum = run_exchange(std::string(by_thirds) + "redux.sync.add.u32 %r10, %r2, %r6;", in);
  const Outcome lane_max = run_exchange(std::string(by_thirds) + "redux.sync.max.u32 %r10, %r1, %r6;", in);
  for (int lane = 0; lane < 32; ++lane) {
    const auto i = static_cast<std::size_t>(lane);
    std::uint32_t equal = 0, added = 0, most = 0;
    for (int other = lane % 3; other < 32; other += 3) {
      const auto o = static_cast<std::size_t>(other);
      equal |= (in[o] == in[i] ? 1u : 0u) << other;
      added += in[o];
      most = static_cast<std::uint32_t>(other);
    }
    EXPECT_EQ(match.value[i], equal) << lane;
    EXPECT_EQ(sum.value[i], added) << lane;
    EXPECT_EQ(lane_max.value[i], most) << lane;
  }
  // One group agrees, the others do not.
  std::vector<std::uint32_t> words(64);
  for (std::size_t i = 0; i < 32; ++i) words[i] = i % 3 == 1 ? 5u : static_cast<std::uint32_t>(i);
  const Outcome all = run_exchange(std::string(by_thirds) + "match.all.sync.b32 %r10|%p10, %r2, %r6;", words);
  for (int lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(all.value[static_cast<std::size_t>(lane)], lane % 3 == 1 ? group_of(1) : 0u) << lane;
    EXPECT_EQ(all.predicate[static_cast<std::size_t>(lane)], lane % 3 == 1 ? 1u : 0u) << lane;
  }
}

TEST(Exchange, LanesWithDifferentMasksElectOneEach) {
  const Outcome outcome =
      run_exchange(std::string(by_thirds) + "elect.sync %r10|%p10, %r6;", std::vector<std::uint32_t>(64, 1));
  for (std::size_t i = 0; i < 32; ++i) {
    EXPECT_EQ(outcome.value[i], i % 3) << i;
    EXPECT_EQ(outcome.predicate[i], i < 3 ? 1u : 0u) << i;
  }
}

// One group has half of its lanes in the other branch. The group that is complete here does not wait for them.
TEST(Exchange, GroupsMeetAcrossABranch) {
  const auto in = random_words(37, 1000);
  const Outcome outcome = run_exchange(R"(
    setp.lt.s32 %p3, %r1, 8;
    selp.b32 %r6, 0xff, 0xffffff00, %p3;
    setp.ge.s32 %p2, %r1, 16;
    @%p2 bra HIGH;
    redux.sync.add.u32 %r10, %r2, %r6;
    bra.uni JOIN;
  HIGH:
    redux.sync.add.u32 %r10, %r2, %r6;
    add.u32 %r10, %r10, 1;
  JOIN:
  )",
                                       in);
  std::uint32_t low = 0, high = 0;
  for (std::size_t i = 0; i < 32; ++i) (i < 8 ? low : high) += in[i];
  for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(outcome.value[i], i < 8 ? low : i < 16 ? high : high + 1) << i;
  EXPECT_EQ(outcome.result.trace.totals.votes, 2u);
}

// A barrier of a group does not wait for the other lanes: they spin until this group has passed it.
TEST(Exchange, ABarrierOfSomeLanesWaitsForThoseAlone) {
  const Outcome outcome = run_exchange(R"(
    .shared .align 4 .u32 flag;
    mov.u32 %r4, 0;
    st.shared.u32 [flag], %r4;
    bar.warp.sync -1;
    mov.u32 %r10, 7;
    setp.ge.s32 %p2, %r1, 16;
    selp.b32 %r6, 0xffff0000, 0xffff, %p2;
    @%p2 bra WAIT;
    bar.warp.sync %r6;
    mov.u32 %r4, 1;
    st.volatile.shared.u32 [flag], %r4;
    bra.uni JOIN;
  WAIT:
    ld.volatile.shared.u32 %r4, [flag];
    setp.eq.u32 %p3, %r4, 0;
    @%p3 bra WAIT;
    bar.warp.sync %r6;
    mov.u32 %r10, 9;
  JOIN:
  )",
                                       std::vector<std::uint32_t>(64, 1));
  for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(outcome.value[i], i < 16 ? 7u : 9u) << i;
}

// ---- undefined behaviour ----

Launcher undefined(const std::string& body) {
  Launcher k(exchange(".loc 1 3 5\nmov.u32 %r10, 0;\n.loc 1 7 9\n" + body) + ".file 1 \"k.cu\"\n");
  k.add_buffer(std::vector<std::uint32_t>(64, 5));
  k.add_buffer(std::vector<std::uint32_t>(64));
  return k;
}

const std::string in_lanes_0_to_15 = "setp.ge.s32 %p2, %r1, 16;\n@%p2 bra OTHER;\n";

// On an H100 the kernel ends with an illegal instruction.
TEST(Exchange, AMaskWithoutItsOwnLaneWhereTheWarpHasDiverged) {
  for (const char* body : {"shfl.sync.idx.b32 %r10, %r2, 3, 31, 0;", "vote.sync.any.pred %p10, %p1, 0xfffffff0;",
                           "match.any.sync.b32 %r10, %r2, 0xfffffff0;", "redux.sync.add.u32 %r10, %r2, 0xfffffff0;",
                           "bar.warp.sync 0xffff0000;", "elect.sync %r10|%p10, 0xfffffff0;"}) {
    const Diagnostic error = undefined(in_lanes_0_to_15 + body + "\nOTHER:\n").fault("warp.not_in_mask");
    EXPECT_THAT(error.message, testing::HasSubstr("lane 0 ")) << body;
    EXPECT_THAT(error.message, testing::HasSubstr("0x")) << body;
    EXPECT_EQ(error.place, (SourcePlace{"k.cu", 7, 9})) << body;
  }
  for (const char* body : {"bar.warp.sync 0xffff0000;", "elect.sync %r10|%p10, 0xfffffff0;"})
    undefined(body).fault("warp.not_in_mask");
}

// What an H100 gives (driver 580.159.04) where the whole warp executes the instruction: the mask counts for nothing.
TEST(Exchange, AMaskWithoutItsOwnLaneWhereTheWholeWarpExecutesIt) {
  const auto value = [](const std::string& body) {
    Launcher k = undefined("add.u32 %r2, %r1, 100;\nand.b32 %r3, %r1, 1;\nsetp.eq.u32 %p3, %r1, 20;\n" + body);
    const LaunchResult result = k.run_anyway();
    EXPECT_TRUE(result.completed) << body;
    EXPECT_EQ(result.diagnostics.size(), 1u) << body;
    for (const Diagnostic& one : result.diagnostics) {
      EXPECT_EQ(one.code, "warp.not_in_mask") << body;
      EXPECT_EQ(one.severity, Severity::warning) << body;
      EXPECT_THAT(one.message, testing::HasSubstr("lane 16 ")) << body;
      EXPECT_THAT(one.message, testing::HasSubstr("0x0000ffff")) << body;
    }
    return Launcher::values<std::uint32_t>(result, 1);
  };
  const auto up = value("shfl.sync.up.b32 %r10, %r2, 16, 0, 0xffff;");
  const auto ballot = value("vote.sync.ballot.b32 %r10, %p3, 0xffff;");
  const auto any = value("vote.sync.any.pred %p10, %p3, 0xffff;\nselp.u32 %r10, 1, 0, %p10;");
  const auto match = value("match.any.sync.b32 %r10, %r3, 0xffff;");
  const auto sum = value("mov.u32 %r4, 1;\nredux.sync.add.u32 %r10, %r4, 0xffff;");
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    EXPECT_EQ(up[lane], 100 + lane % 16);
    EXPECT_EQ(ballot[lane], 1u << 20);
    EXPECT_EQ(any[lane], 1u);
    EXPECT_EQ(match[lane], lane % 2 == 0 ? 0x55555555u : 0xaaaaaaaau);
    EXPECT_EQ(sum[lane], 32u);
  }
}

// Undefined in CUDA: "all non-exited threads named in mask must execute the same intrinsic with the same mask".
TEST(Exchange, ALaneThatIsNamedByAMaskButUsesAnother) {
  Launcher k = undefined(
      "setp.lt.u32 %p3, %r1, 16;\nselp.b32 %r6, 0xffff, 0xffff8000, %p3;\nredux.sync.add.u32 %r10, %r2, %r6;");
  k.block = {32, 1, 1};
  const LaunchResult result = k.run_anyway();
  EXPECT_TRUE(result.completed);
  ASSERT_EQ(result.diagnostics.size(), 1u);
  const Diagnostic& one = result.diagnostics.front();
  EXPECT_EQ(one.code, "warp.other_mask");
  EXPECT_EQ(one.severity, Severity::warning);
  EXPECT_THAT(one.message, testing::HasSubstr("lane 16 calls this warp-wide operation with the mask 0xffff8000, which "
                                              "includes lane 15, but that lane calls it with 0x0000ffff"));
}

TEST(Exchange, AMaskWithoutTheOwnLaneOfSomeNamesTheFirst) {
  const Diagnostic error =
      undefined("setp.eq.u32 %p3, %r1, 9;\nselp.b32 %r6, 0xff, -1, %p3;\nvote.sync.any.pred %p10, %p1, %r6;")
          .fault("warp.not_in_mask");
  EXPECT_THAT(error.message, testing::HasSubstr("lane 9 "));
  EXPECT_THAT(error.message, testing::HasSubstr("0x000000ff"));
}

// The run continues with a warning, once per place, however often it happens.
TEST(Exchange, AShuffleFromALaneThatTakesNoPart) {
  Launcher k =
      undefined("setp.ge.s32 %p2, %r1, 16;\n@%p2 bra OTHER;\nshfl.sync.idx.b32 %r10, %r2, 20, 31, 0xffff;\nOTHER:\n");
  const LaunchResult result = k.run_anyway();
  EXPECT_TRUE(result.completed);
  ASSERT_EQ(result.diagnostics.size(), 1u);
  EXPECT_EQ(result.diagnostics[0].code, "warp.absent_source");
  EXPECT_EQ(result.diagnostics[0].severity, Severity::warning);
  EXPECT_THAT(result.diagnostics[0].message,
              testing::HasSubstr("lane 0 reads from lane 20, which the mask 0x0000ffff does not include"));
}

TEST(Exchange, WhoIsReadOutsideOfTheGroupGivesWhatTheHardwareGives) {
  Launcher k(exchange(
      "setp.ge.s32 %p2, %r1, 16;\nselp.b32 %r6, 0xffff0000, 0xffff, %p2;\nshfl.sync.bfly.b32 %r10, %r2, 16, 31, %r6;"));
  const auto in = random_words(41, 1000);
  k.add_buffer(in);
  const int out = k.add_buffer(std::vector<std::uint32_t>(64));
  const LaunchResult result = k.run_anyway();
  ASSERT_TRUE(result.completed);
  ASSERT_EQ(result.diagnostics.size(), 1u);
  EXPECT_EQ(result.diagnostics[0].code, "warp.absent_source");
  const auto values = k.values<std::uint32_t>(result, out);
  for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(values[i], in[i ^ 16]);
}

// The same message for any number of threads: the first block's.
TEST(Exchange, ARemarkIsOfTheFirstBlock) {
  std::vector<std::string> messages;
  for (const int threads : {1, 2}) {
    Launcher k(
        kernel("",
               "mov.u32 %r1, %ctaid.x;\nsetp.lt.u32 %p1, %r1, 37;\n@%p1 bra DONE;\nmov.u32 %r9, 0;\nMORE:\nadd.u32 "
               "%r9, %r9, 1;\n"
               "setp.lt.u32 %p2, %r9, 500;\n@%p2 bra MORE;\nshfl.sync.down.b32 %r2, %r1, 8, 31, 0xffff;\nDONE:\nret;"));
    k.grid = {400, 1, 1};
    k.block = {16, 1, 1};
    k.request.threads = threads;
    const LaunchResult result = k.run_anyway();
    EXPECT_TRUE(result.completed);
    ASSERT_EQ(result.diagnostics.size(), 1u);
    messages.push_back(result.diagnostics[0].message);
    EXPECT_THAT(messages.back(), testing::HasSubstr("block (37, 0, 0)"));
  }
  EXPECT_EQ(messages[0], messages[1]);
}

TEST(Exchange, LanesThatHaveExitedAreNotWaitedFor) {
  const Outcome outcome = run_exchange(R"(
    setp.ge.s32 %p2, %r1, 24;
    @%p2 exit;
    shfl.sync.idx.b32 %r10, %r2, 3, 31, -1;
  )",
                                       random_words(23, 100));
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
