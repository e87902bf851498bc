// What a launch that is run again up to a step reports about it, against host arithmetic.

#include "sim/replay.h"

#include <bit>

#include "sim/launcher.h"

namespace lanescope::sim {
namespace {

using test::kernel;
using test::Launcher;

const RegisterValues& of(const std::vector<RegisterValues>& values, const std::string& name) {
  for (const RegisterValues& value : values)
    if (value.name == name) return value;
  ADD_FAILURE() << name;
  return values.front();
}

std::uint32_t word_of(const StepState::Bytes& bytes) {
  std::uint32_t value = 0;
  std::memcpy(&value, bytes.data(), 4);
  return value;
}

// in[i] = 10 i. A lane loads its own element, adds in place, and takes its neighbour's by a shuffle. Lanes below 8
// store.
const char* const steps = R"(
    ld.param.u64 %rd1, [in];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    ld.global.u32 %r2, [%rd3];
    atom.global.add.u32 %r3, [%rd3], 5;
    shfl.sync.down.b32 %r4, %r2, 1, 31, -1;
    setp.lt.u32 %p1, %r1, 8;
    @%p1 add.u32 %r2, %r2, %r4;
    @%p1 st.global.u32 [%rd3], %r2;
    st.global.u32 [%rd3+128], %r3;
    ret;
  )";

class Replayed : public testing::Test {
 protected:
  Replayed() : k(kernel(".param .u64 in", steps)) {
    k.block = {32, 1, 1};
    std::vector<int> tens(64);
    for (int i = 0; i < 32; ++i) tens[static_cast<std::size_t>(i)] = 10 * i;
    in = k.add_buffer(tens);
    result = k.run();
  }
  StepState at(std::uint32_t sequence) {
    const auto state = state_at(k.program(), k.request, {0, 0, sequence});
    if (!state) ADD_FAILURE() << format(state.errors()[0]);
    return state ? *state : StepState{};
  }
  Launcher k;
  int in = 0;
  LaunchResult result;
};

// Events: entry, ld.param, ld, atom, shfl, guarded add, st, entry …
TEST_F(Replayed, LoadAtomicShuffleAndGuardedSteps) {
  const StepState load = at(2), atomic = at(3), shuffle = at(4), add = at(5), store = at(6);
  EXPECT_EQ(load.space, trace::MemorySpace::global);
  EXPECT_TRUE(load.done && atomic.done && shuffle.done && add.done && store.done);
  EXPECT_TRUE(load.memory_known);
  EXPECT_EQ(add.executed.bits, 0xffu);
  for (std::uint32_t lane = 0; lane < 32; ++lane) {
    const std::uint64_t neighbour = 10 * (lane < 31 ? lane + 1 : 31);
    EXPECT_EQ(load.addresses[lane], load.addresses[0] + 4 * lane);
    EXPECT_EQ(word_of(load.memory_before[lane]), 10 * lane);
    EXPECT_EQ(of(load.after, "%r2").lanes[lane], 10 * lane);
    EXPECT_EQ(word_of(atomic.memory_before[lane]), 10 * lane);
    EXPECT_EQ(word_of(atomic.memory_after[lane]), 10 * lane + 5);
    EXPECT_EQ(of(atomic.after, "%r3").lanes[lane], 10 * lane);
    EXPECT_EQ(of(shuffle.before, "%r2").lanes[lane], 10 * lane);
    EXPECT_EQ(of(shuffle.after, "%r4").lanes[lane], neighbour);
    EXPECT_EQ(of(add.before, "%r2").lanes[lane], 10 * lane);
    EXPECT_EQ(of(add.after, "%r2").lanes[lane], 10 * lane + (lane < 8 ? neighbour : 0));
    if (lane >= 8) continue;
    EXPECT_EQ(word_of(store.memory_before[lane]), 10 * lane + 5);
    EXPECT_EQ(word_of(store.memory_after[lane]), 10 * lane + neighbour);
  }
}

TEST_F(Replayed, OtherStepsHaveRegistersAlone) {
  const StepState entry = at(0);
  EXPECT_FALSE(entry.memory_known);
  EXPECT_TRUE(entry.done);
  const auto beyond = state_at(k.program(), k.request, {0, 0, 99});
  ASSERT_FALSE(beyond);
  EXPECT_EQ(beyond.errors()[0].code, "run.no_such_event");
  EXPECT_FALSE(state_at(k.program(), k.request, {1, 0, 0}));
}

TEST_F(Replayed, LastWriteOfAnElement) {
  const std::uint64_t base = result.trace.buffers[0].address;
  const auto writes = [&](std::uint64_t element, std::optional<Step> before = {}) {
    return *writes_to(k.program(), k.request, {trace::MemorySpace::global, 0, base + 4 * element, 4}, before);
  };
  const Writes stored = writes(5);
  EXPECT_EQ(stored.count, 2u);
  ASSERT_TRUE(stored.last);
  EXPECT_EQ(stored.last->step, (Step{0, 0, 6}));
  EXPECT_EQ(stored.last->lane, 5);
  EXPECT_TRUE(stored.by_one_thread);
  EXPECT_EQ(writes(20).last->step, (Step{0, 0, 3}));
  EXPECT_EQ(writes(5, Step{0, 0, 6}).last->step, (Step{0, 0, 3}));
  EXPECT_FALSE(writes(5, Step{0, 0, 3}).last);
}

// A store into the neighbour's element: lane 31's comes last, and block 1's after block 0's.
TEST(Replay, WritersOfOneElementInTheInterpretersOrder) {
  Launcher k(kernel(".param .u64 out", R"(
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    st.global.u32 [%rd1], %r1;
    ret;
  )"));
  k.grid = {2, 1, 1};
  k.block = {64, 1, 1};
  const int out = k.add_buffer(std::vector<int>(1));
  k.request.threads = 2;
  const LaunchResult result = k.run();
  const auto writes =
      writes_to(k.program(), k.request, {trace::MemorySpace::global, 0, result.trace.buffers[0].address, 4});
  ASSERT_TRUE(writes);
  EXPECT_EQ(writes->count, 128u);
  EXPECT_FALSE(writes->by_one_thread);
  ASSERT_TRUE(writes->last);
  EXPECT_EQ(writes->last->step.block, 1u);
  EXPECT_EQ(writes->last->step.warp, 1u);
  EXPECT_EQ(writes->last->lane, 31);
  EXPECT_EQ(k.values<int>(result, out)[0], 63);  // what that lane wrote
}

TEST(Replay, SharedMemoryOfOneBlock) {
  Launcher k(kernel(".param .u64 out", R"(
    .shared .align 4 .b32 tile[64];
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, tile;
    shl.b32 %r3, %r1, 2;
    add.u32 %r2, %r2, %r3;
    st.shared.u32 [%r2], %r1;
    bar.sync 0;
    ld.shared.u32 %r4, [%r2];
    st.global.u32 [%rd1], %r4;
    ret;
  )"));
  k.grid = {2, 1, 1};
  k.block = {64, 1, 1};
  k.add_buffer(std::vector<int>(1));
  k.run();
  const auto writes = writes_to(k.program(), k.request, {trace::MemorySpace::shared, 1, 4 * 40, 4});
  ASSERT_TRUE(writes);
  EXPECT_EQ(writes->count, 1u);
  ASSERT_TRUE(writes->last);
  EXPECT_EQ(writes->last->step.block, 1u);
  EXPECT_EQ(writes->last->step.warp, 1u);
  EXPECT_EQ(writes->last->lane, 8);
  const auto load = state_at(k.program(), k.request, {1, 1, writes->last->step.sequence + 2});
  ASSERT_TRUE(load);
  EXPECT_EQ(load->space, trace::MemorySpace::shared);
  for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(word_of(load->memory_before[lane]), 32 + lane);
}

// A barrier that others have not reached yet has no "after". A launch in another order has its steps too.
TEST(Replay, WaitingAndScheduledSteps) {
  Launcher k(kernel(".param .u64 out", R"(
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    setp.eq.u32 %p1, %r1, 0;
    bar.red.popc.u32 %r2, 0, %p1;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r2;
    ret;
  )"));
  k.block = {64, 1, 1};
  k.add_buffer(std::vector<int>(64));
  k.run();
  const auto waiting = state_at(k.program(), k.request, {0, 0, 2});
  ASSERT_TRUE(waiting);
  EXPECT_FALSE(waiting->done);
  for (const std::uint32_t seed : {0u, 1u, 2u, 3u}) {
    k.request.schedule_seed = seed;
    const auto store = state_at(k.program(), k.request, {0, 1, 3});
    ASSERT_TRUE(store);
    EXPECT_TRUE(store->done);
    for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(word_of(store->memory_after[lane]), 1u);
  }
}

// Element 40 of 40 is the first that is not there: lanes 8 to 31 of warp 1 of block 0 fail. The fault's step has the
// access and the values that led to it, and the store that failed wrote nothing.
TEST(Replay, TheStepThatFails) {
  Launcher k(kernel(".param .u64 out", R"(
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r1;
    ret;
  )"));
  k.block = {64, 1, 1};
  k.add_buffer(std::vector<int>(40));
  k.request.record.events = true;
  const LaunchResult result = k.run_anyway();
  EXPECT_FALSE(result.completed);
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->block, 0u);
  EXPECT_EQ(result.fault->warp, 1u);
  EXPECT_EQ(result.fault->lanes.bits, 0xffffff00u);
  EXPECT_TRUE(result.fault->is_event);
  ASSERT_TRUE(result.fault->sequence);
  const auto events = result.trace.warp(0, 1);
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events.back().sequence, *result.fault->sequence);
  EXPECT_EQ(events.back().kind, trace::EventKind::memory);
  EXPECT_EQ(result.trace.address(events.back(), 8), result.trace.buffers[0].address + 4 * 40);
  EXPECT_EQ(result.trace.totals.of(trace::MemoryClass::global_store).requests, 1u);  // warp 0's
  const auto failed = state_at(k.program(), k.request, {0, 1, *result.fault->sequence});
  ASSERT_TRUE(failed);
  EXPECT_FALSE(failed->done);
  EXPECT_EQ(of(failed->before, "%r1").lanes[9], 41u);
  const auto writes =
      writes_to(k.program(), k.request, {trace::MemorySpace::global, 0, result.trace.buffers[0].address + 4 * 35, 4});
  ASSERT_TRUE(writes);
  EXPECT_EQ(writes->count, 0u);
}

// What is no access has no event of its own: the fault follows the last one of its warp.
TEST(Replay, AFaultThatIsNoAccessFollowsTheLastStep) {
  Launcher k(kernel(".param .u64 out", R"(
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    setp.eq.u32 %p1, %r1, 37;
    st.global.u32 [%rd1], %r1;
    @%p1 trap;
    ret;
  )"));
  k.block = {64, 1, 1};
  k.add_buffer(std::vector<int>(1));
  k.request.record.events = true;
  const LaunchResult result = k.run_anyway();
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->warp, 1u);
  EXPECT_EQ(result.fault->lanes.bits, 1u << 5);
  EXPECT_FALSE(result.fault->is_event);
  EXPECT_EQ(result.trace.warp(0, 1).back().sequence, *result.fault->sequence);
}

TEST(Replay, CanBeCancelled) {
  Launcher k(kernel(".param .u64 out", "ld.param.u64 %rd1, [out];\nst.global.u32 [%rd1], 1;\nret;\n"));
  k.add_buffer(std::vector<int>(1));
  k.run();
  Progress progress;
  progress.cancel = true;
  k.request.progress = &progress;
  const auto state = state_at(k.program(), k.request, {0, 0, 0});
  ASSERT_FALSE(state);
  EXPECT_EQ(state.errors()[0].code, "run.cancelled");
  EXPECT_FALSE(writes_to(k.program(), k.request, {}));
}

}  // namespace
}  // namespace lanescope::sim
