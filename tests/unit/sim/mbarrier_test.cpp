// mbarrier objects: phases, counts, transaction bytes, waits, and the messages for misuse. Expectations follow "PTX
// ISA", mbarrier.

#include "sim/warp/mbarrier.h"

#include <map>

#include "metrics/recompute.h"
#include "sim/launcher.h"

namespace lanescope::sim {
namespace {

using test::kernel;
using test::Launcher;
using testing::HasSubstr;
using U32 = std::uint32_t;

// Thread t has %r1 = t and %rd5 = the address of its result word, to which its %r10 is stored. Thread 0 initialises
// `object` for `arrivals`; then all threads meet.
std::string with_object(const std::string& arrivals, const std::string& body) {
  return kernel(".param .u64 out", R"(
    .shared .align 8 .b64 object;
    .shared .align 16 .b8 tile[512];
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd4, %r1, 4;
    add.s64 %rd5, %rd1, %rd4;
    mov.u32 %r2, tile;
    shl.b32 %r3, %r1, 2;
    add.u32 %r3, %r2, %r3;
    mov.u32 %r10, 0;
    setp.eq.u32 %p1, %r1, 0;
    @%p1 mbarrier.init.shared.b64 [object], )" +
                                       arrivals + ";\nbar.sync 0;\n" + body + "\nst.global.u32 [%rd5], %r10;\nret;\n");
}

std::vector<U32> result_of(const std::string& text, U32 threads, U32 seed = 0) {
  Launcher k(text);
  k.block = {threads, 1, 1};
  k.request.schedule_seed = seed;
  const int out = k.add_buffer(std::vector<U32>(threads));
  return Launcher::values<U32>(k.run(), out);
}

Diagnostic mbarrier_fault(const std::string& text, const std::string& code, U32 threads = 32) {
  Launcher k(text);
  k.block = {threads, 1, 1};
  k.add_buffer(std::vector<U32>(threads));
  return k.fault(code);
}

// The line of the text that contains `part`.
int line_of(const std::string& text, const std::string& part) {
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<long>(text.find(part)), '\n'));
}

TEST(Mbarrier, ItsWordKeepsWhatItHolds) {
  for (const std::int64_t transaction :
       {std::int64_t{0}, std::int64_t{1}, std::int64_t{-1}, std::int64_t{1048575}, std::int64_t{-1048575}})
    for (const U32 phase : {0u, 1u, 3u}) {
      const MbarrierState state{77, MbarrierState::most, transaction, phase};
      const MbarrierState again = MbarrierState::of(state.word());
      EXPECT_EQ(again.pending, 77u);
      EXPECT_EQ(again.expected, MbarrierState::most);
      EXPECT_EQ(again.transaction, transaction);
      EXPECT_EQ(again.phase, phase);
      EXPECT_NE(state.word() & MbarrierState::mark, 0u);
    }
}

// Each thread writes, arrives, waits, and reads what the opposite thread wrote; twice, with the token and by parity.
TEST(Mbarrier, OrdersAcrossWarpsInTwoPhases) {
  const std::string text = with_object("128", R"(
    st.shared.u32 [%r3], %r1;
    mbarrier.arrive.shared.b64 %rd7, [object];
  FIRST:
    mbarrier.test_wait.shared.b64 %p2, [object], %rd7;
    @!%p2 bra FIRST;
    sub.u32 %r4, 127, %r1;
    shl.b32 %r4, %r4, 2;
    add.u32 %r4, %r2, %r4;
    ld.shared.u32 %r5, [%r4];
    mbarrier.arrive.release.cta.shared::cta.b64 _, [object];
  SECOND:
    mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %p2, [object], 1, 1000;
    @!%p2 bra SECOND;
    mad.lo.u32 %r6, %r5, 3, 1;
    st.shared.u32 [%r3], %r6;
    mbarrier.arrive.shared.b64 %rd7, [object];
  THIRD:
    mbarrier.try_wait.shared.b64 %p2, [object], %rd7;
    @!%p2 bra THIRD;
    ld.shared.u32 %r10, [%r4];
  )");
  std::vector<U32> expected;
  for (U32 t = 0; t < 128; ++t) expected.push_back(3 * t + 1);  // the opposite of the opposite thread
  for (const U32 seed : {0u, 1u, 2u, 3u, 4u}) EXPECT_EQ(result_of(text, 128, seed), expected) << "seed " << seed;
}

// A warp whose lanes wait for lanes of the same warp that have not arrived yet.
TEST(Mbarrier, LanesThatWaitLetTheOthersOfTheirWarpGoOn) {
  for (const std::string wait : {"mbarrier.try_wait.parity", "mbarrier.test_wait.parity"}) {
    const std::string text = with_object("1", R"(
    setp.ge.u32 %p2, %r1, 5;
    @%p2 bra WAIT;
    setp.ne.u32 %p3, %r1, 3;
    @%p3 bra WAIT;
    mov.u32 %r10, 40;
    mbarrier.arrive.shared.b64 _, [object];
    bra DONE;
  WAIT:
    )" + wait + R"(.shared.b64 %p4, [object], 0;
    @!%p4 bra WAIT;
    mov.u32 %r10, 50;
  DONE:
    )");
    std::vector<U32> expected(32, 50);
    expected[3] = 40;
    EXPECT_EQ(result_of(text, 32), expected) << wait;
  }
}

// "test_wait … returns true when the phase has completed": before phase 0 ends, the phase of parity 1 counts as
// completed.
TEST(Mbarrier, ParityAsksForTheLastPhaseOfThatParity) {
  EXPECT_EQ(result_of(with_object("1", R"(
    mbarrier.test_wait.parity.shared.b64 %p2, [object], 0;
    @%p2 add.u32 %r10, %r10, 1;
    mbarrier.test_wait.parity.shared.b64 %p2, [object], 1;
    @%p2 add.u32 %r10, %r10, 10;
    bar.sync 0;
    @%p1 mbarrier.arrive.shared.b64 _, [object];
    bar.sync 0;
    mbarrier.test_wait.parity.shared.b64 %p2, [object], 0;
    @%p2 add.u32 %r10, %r10, 100;
    mbarrier.test_wait.parity.shared.b64 %p2, [object], 1;
    @%p2 add.u32 %r10, %r10, 1000;
  )"),
                      64),
            std::vector<U32>(64, 110));
}

// A token shows the count before its arrival; .noComplete leaves the phase open.
TEST(Mbarrier, PendingCountIsThatBeforeTheArrival) {
  const std::vector<U32> got = result_of(with_object("10", R"(
    @!%p1 bra DONE;
    mbarrier.arrive.noComplete.shared.b64 %rd7, [object], 3;
    mbarrier.arrive.noComplete.shared.b64 %rd8, [object], 2;
    mbarrier.arrive_drop.noComplete.shared.b64 %rd9, [object], 1;
    mbarrier.pending_count.b64 %r5, %rd7;
    mbarrier.pending_count.b64 %r6, %rd8;
    mbarrier.pending_count.b64 %r7, %rd9;
    mad.lo.u32 %r10, %r5, 100, %r6;
    mad.lo.u32 %r10, %r10, 100, %r7;
  DONE:
  )"),
                                         32);
  EXPECT_EQ(got[0], 100705u);
}

// After a drop of 3, the next phase expects 5 − 3 arrivals.
TEST(Mbarrier, ADropLowersLaterPhases) {
  EXPECT_EQ(result_of(with_object("5", R"(
    @!%p1 bra DONE;
    mbarrier.arrive_drop.shared.b64 _, [object], 3;
    mbarrier.arrive.shared.b64 %rd7, [object], 2;
    mbarrier.test_wait.shared.b64 %p2, [object], %rd7;
    @%p2 add.u32 %r10, %r10, 1;
    mbarrier.arrive.shared.b64 _, [object];
    mbarrier.test_wait.parity.shared.b64 %p2, [object], 1;
    @%p2 add.u32 %r10, %r10, 10;
    mbarrier.arrive.shared.b64 _, [object];
    mbarrier.test_wait.parity.shared.b64 %p2, [object], 1;
    @%p2 add.u32 %r10, %r10, 100;
  DONE:
  )"),
                      32)[0],
            101u);
}

// A phase completes when neither arrivals nor bytes are missing, in either order.
TEST(Mbarrier, TransactionBytesHoldAPhaseOpen) {
  EXPECT_EQ(result_of(with_object("2", R"(
    @!%p1 bra DONE;
    mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [object], 16;
    mbarrier.arrive.expect_tx.shared.b64 _, [object], 48;
    mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [object], 4;
    mbarrier.arrive.shared.b64 _, [object];
    mbarrier.test_wait.parity.shared.b64 %p2, [object], 0;
    @%p2 add.u32 %r10, %r10, 1;
    mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [object], 32;
    mbarrier.test_wait.parity.shared.b64 %p2, [object], 0;
    @%p2 add.u32 %r10, %r10, 10;
    mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [object], 4;
    mbarrier.test_wait.parity.shared.b64 %p2, [object], 0;
    @%p2 add.u32 %r10, %r10, 100;
  DONE:
  )"),
                      32)[0],
            100u);
}

// A generic address, and one from mapa; after inval the object can be initialised again.
TEST(Mbarrier, IsFoundByAnyAddressOfIt) {
  EXPECT_EQ(result_of(with_object("64", R"(
    mov.u32 %r4, object;
    mapa.shared::cluster.u32 %r5, %r4, 0;
    cvt.u64.u32 %rd8, %r4;
    cvta.shared.u64 %rd8, %rd8;
    mbarrier.arrive.b64 %rd7, [%rd8];
  AGAIN:
    mbarrier.try_wait.b64 %p2, [%rd8], %rd7;
    @!%p2 bra AGAIN;
    bar.sync 0;
    @%p1 mbarrier.inval.shared.b64 [object];
    @%p1 mbarrier.init.b64 [%rd8], 63;
    bar.sync 0;
    @!%p1 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r5];
  MORE:
    mbarrier.try_wait.parity.shared.b64 %p2, [object], 0;
    @!%p2 bra MORE;
    mov.u32 %r10, 7;
  )"),
                      64),
            std::vector<U32>(64, 7));
}

// A pipeline of libcu++ ends its objects when its last thread quits, and their destructors end them again.
TEST(Mbarrier, EndingAnObjectTwiceIsAWarning) {
  Launcher k(with_object("1", R"(
    mbarrier.inval.shared.b64 [object];
    mbarrier.inval.shared.b64 [object];
    mov.u32 %r10, 7;
  )"));
  k.block = {1, 1, 1};
  const int out = k.add_buffer(std::vector<U32>(1));
  const LaunchResult result = k.run_anyway();
  ASSERT_TRUE(result.completed);
  ASSERT_EQ(result.diagnostics.size(), 1u);
  EXPECT_EQ(result.diagnostics[0].code, "mbarrier.ended_again");
  EXPECT_EQ(result.diagnostics[0].severity, Severity::warning);
  EXPECT_EQ(k.values<U32>(result, out)[0], 7u);
}

// cp.async.mbarrier.arrive adds the arrival that it makes later; .noinc makes one that was already expected.
TEST(Mbarrier, AsynchronousCopiesArrive) {
  const std::string copies = R"(
    ld.param.u64 %rd1, [out];
    mad.wide.u32 %rd9, %r1, 4, %rd1;
    cp.async.ca.shared.global [%r3], [%rd9], 4;
  )";
  const std::string read = R"(
  AGAIN:
    mbarrier.try_wait.parity.shared.b64 %p2, [object], 0;
    @!%p2 bra AGAIN;
    sub.u32 %r4, 63, %r1;
    shl.b32 %r4, %r4, 2;
    add.u32 %r4, %r2, %r4;
    ld.shared.u32 %r10, [%r4];
    bar.sync 0;
  )";
  for (const std::string arrive :
       {"cp.async.mbarrier.arrive.shared.b64 [object];\nmbarrier.arrive.shared.b64 _, [object];\n",
        "cp.async.mbarrier.arrive.noinc.shared.b64 [object];\n"}) {
    Launcher k(with_object("64", copies + arrive + read));
    k.block = {64, 1, 1};
    k.request.races = true;
    std::vector<U32> in, expected;
    for (U32 t = 0; t < 64; ++t) in.push_back(t * t), expected.push_back((63 - t) * (63 - t));
    const int out = k.add_buffer(in);
    const LaunchResult result = k.run();
    EXPECT_EQ(Launcher::values<U32>(result, out), expected) << arrive;
    EXPECT_TRUE(result.races.complete());
    EXPECT_FALSE(result.races.accuses()) << arrive;
  }
}

TEST(Mbarrier, MisuseIsToldAtItsLine) {
  EXPECT_THAT(mbarrier_fault(with_object("2097152", ""), "mbarrier.bad_count").message, HasSubstr("2097152 arrivals"));
  mbarrier_fault(with_object("0", ""), "mbarrier.bad_count");
  mbarrier_fault(with_object("4", "mov.u32 %r9, 0;\n@%p1 mbarrier.arrive.shared.b64 _, [object], %r9;"),
                 "mbarrier.bad_count");
  const std::string five = with_object("4", "@%p1 mbarrier.arrive.shared.b64 _, [object], 5;");
  const Diagnostic over = mbarrier_fault(five, "mbarrier.too_many_arrivals");
  EXPECT_THAT(over.message, HasSubstr("gets 5 more arrivals, but this phase lacks only 4 of 4 arrivals"));
  EXPECT_EQ(over.place.line, line_of(five, "[object], 5"));
  // The second arrival while bytes are missing.
  EXPECT_THAT(mbarrier_fault(with_object("1",
                                         "@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [object], 64;\n"
                                         "@%p1 mbarrier.arrive.shared.b64 _, [object];"),
                             "mbarrier.too_many_arrivals")
                  .message,
              HasSubstr("0 of 1 arrivals and 64 bytes"));
  mbarrier_fault(with_object("4", "@%p1 mbarrier.arrive.noComplete.shared.b64 _, [object], 4;"),
                 "mbarrier.completed_by_no_complete");
  mbarrier_fault(with_object("4", "@%p1 mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [object], 1048576;"),
                 "mbarrier.too_many_bytes");
  mbarrier_fault(with_object("4", "mov.u32 %r4, tile;\nmbarrier.arrive.shared.b64 _, [%r4];"),
                 "mbarrier.not_initialised");
  mbarrier_fault(
      with_object("4", "@%p1 mbarrier.inval.shared.b64 [object];\n@%p1 mbarrier.arrive.shared.b64 _, [object];"),
      "mbarrier.not_initialised");
  mbarrier_fault(with_object("4", "@%p1 st.shared.u32 [object], %r1;\nmbarrier.arrive.shared.b64 _, [object];"),
                 "mbarrier.overwritten");
  mbarrier_fault(with_object("4", "mov.u32 %r4, tile;\nmbarrier.init.shared.b64 [%r4+4], 1;"), "memory.misaligned");
  mbarrier_fault(with_object("4", "mbarrier.init.b64 [%rd5], 1;"), "mbarrier.not_in_shared_memory");
  mbarrier_fault(with_object("4", "mbarrier.test_wait.parity.shared.b64 %p2, [object], 2;"), "mbarrier.bad_phase");
  mbarrier_fault(with_object("4", "mov.u64 %rd7, 5;\nmbarrier.test_wait.shared.b64 %p2, [object], %rd7;"),
                 "mbarrier.bad_phase");
  // A token of the phase before the last one.
  mbarrier_fault(with_object("1",
                             "@!%p1 ret;\nmbarrier.arrive.shared.b64 %rd7, [object];\n"
                             "mbarrier.arrive.shared.b64 _, [object];\n"
                             "mbarrier.test_wait.shared.b64 %p2, [object], %rd7;"),
                 "mbarrier.bad_phase");
}

TEST(Mbarrier, InitialisedAgainIsRemarkedOn) {
  Launcher k(with_object("4", "@%p1 mbarrier.init.shared.b64 [object], 8;"));
  k.add_buffer(std::vector<U32>(32));
  const LaunchResult result = k.run_anyway();
  EXPECT_TRUE(result.completed);
  ASSERT_EQ(result.diagnostics.size(), 1u);
  EXPECT_EQ(result.diagnostics[0].code, "mbarrier.initialised_again");
}

// One arrival is missing: the message says who waits where.
TEST(Mbarrier, AWaitThatNeverEndsIsADeadlock) {
  for (const std::string wait : {"try_wait", "test_wait"}) {
    const std::string text = with_object("65", R"(
    setp.ge.u32 %p2, %r1, 64;
    @%p2 bra MEET;
    mbarrier.arrive.shared.b64 %rd7, [object];
  AGAIN:
    mbarrier.)" + wait + R"(.shared.b64 %p3, [object], %rd7;
    @!%p3 bra AGAIN;
  MEET:
    bar.sync 0;
    )");
    const Diagnostic error = mbarrier_fault(text, "run.deadlock", 96);
    const int line = line_of(text, wait);
    EXPECT_EQ(error.place.line, line);
    EXPECT_THAT(error.message, HasSubstr("64 of 96 threads wait for a phase of the mbarrier at shared address 0x0"));
    EXPECT_THAT(error.message, HasSubstr("it lacks 1 of 65 arrivals (0 threads exited)"));
    EXPECT_THAT(error.message,
                HasSubstr("warps 0–1 lanes 0–31 wait at the mbarrier at 0x0 (line " + std::to_string(line) + ")"));
    EXPECT_THAT(error.message,
                HasSubstr("warp 2 lanes 0–31 wait at barrier 0 (line " + std::to_string(line + 3) + ")"));
  }
}

// Lanes of one warp wait for two objects, and neither gets its arrivals.
TEST(Mbarrier, LanesThatWaitInTurnsAreADeadlockToo) {
  for (const std::string wait : {"mbarrier.try_wait.parity", "mbarrier.test_wait.parity"}) {
    const Diagnostic error = mbarrier_fault(with_object("1", R"(
    @%p1 mbarrier.init.shared.b64 [tile], 1;
    bar.sync 0;
    setp.ge.u32 %p2, %r1, 16;
    @%p2 bra OTHER;
  ONE:
    )" + wait + R"(.shared.b64 %p3, [object], 0;
    @!%p3 bra ONE;
    bra DONE;
  OTHER:
    )" + wait + R"(.shared.b64 %p3, [tile], 0;
    @!%p3 bra OTHER;
  DONE:
    )"),
                                            "run.deadlock");
    EXPECT_THAT(error.message, HasSubstr("lacks 1 of 1 arrivals"));
  }
}

// Counts do not depend on how long a warp waits: a successful try_wait is one instruction.
TEST(Mbarrier, ATryWaitIsOneInstruction) {
  Launcher k(with_object("64", R"(
    mbarrier.arrive.shared.b64 %rd7, [object];
  AGAIN:
    mbarrier.try_wait.shared.b64 %p2, [object], %rd7;
    @!%p2 bra AGAIN;
  )"));
  k.block = {64, 1, 1};
  k.add_buffer(std::vector<U32>(64));
  const LaunchResult result = k.run();
  EXPECT_EQ(result.trace.totals.branches, 2u);
}

// ---- races ------------------------------------------------------------------------------------------

RaceReport races_of(const std::string& text, U32 threads) {
  Launcher k(text);
  k.block = {threads, 1, 1};
  k.request.races = true;
  k.add_buffer(std::vector<U32>(threads));
  const LaunchResult result = k.run();
  EXPECT_TRUE(result.races.complete());
  return result.races;
}

std::string exchange_through(const std::string& arrive, const std::string& wait) {
  return with_object("64", "st.shared.u32 [%r3], %r1;\n" + arrive + "\nAGAIN:\n" + wait + R"(
    @!%p2 bra AGAIN;
    sub.u32 %r4, 63, %r1;
    shl.b32 %r4, %r4, 2;
    add.u32 %r4, %r2, %r4;
    ld.shared.u32 %r10, [%r4];
  )");
}

TEST(Mbarrier, ArrivalsHappenBeforeASuccessfulWait) {
  EXPECT_FALSE(races_of(exchange_through("mbarrier.arrive.shared.b64 %rd7, [object];",
                                         "mbarrier.try_wait.shared.b64 %p2, [object], %rd7;"),
                        64)
                   .accuses());
  // A relaxed arrival publishes nothing and a relaxed wait acquires nothing, unless there are fences.
  const std::string relaxed = "mbarrier.arrive.relaxed.cta.shared.b64 %rd7, [object];";
  const std::string wait = "mbarrier.try_wait.shared.b64 %p2, [object], %rd7;";
  const std::string relaxed_wait = "mbarrier.try_wait.relaxed.cta.shared.b64 %p2, [object], %rd7;";
  EXPECT_TRUE(races_of(exchange_through(relaxed, wait), 64).accuses());
  EXPECT_FALSE(races_of(exchange_through("fence.acq_rel.cta;\n" + relaxed, wait), 64).accuses());
  EXPECT_TRUE(races_of(exchange_through("mbarrier.arrive.shared.b64 %rd7, [object];", relaxed_wait), 64).accuses());
}

TEST(Mbarrier, AnArrivalWithoutAWaitOrdersNothing) {
  const RaceReport report = races_of(with_object("64", R"(
    st.shared.u32 [%r3], %r1;
    bar.sync 0;
    mbarrier.arrive.shared.b64 %rd7, [object];
    sub.u32 %r4, 63, %r1;
    shl.b32 %r4, %r4, 2;
    add.u32 %r4, %r2, %r4;
    st.shared.u32 [%r4], %r4;
  )"),
                                     64);
  EXPECT_FALSE(report.accuses()) << "each word has one writer behind the barrier";
  EXPECT_TRUE(races_of(with_object("64", R"(
    st.shared.u32 [%r3], %r1;
    mbarrier.arrive.shared.b64 %rd7, [object];
    sub.u32 %r4, 63, %r1;
    shl.b32 %r4, %r4, 2;
    add.u32 %r4, %r2, %r4;
    st.shared.u32 [%r4], %r4;
  )"),
                       64)
                  .accuses());
}

// An object that threads use before they know that it is initialised.
TEST(Mbarrier, InitMustBeOrderedBeforeTheFirstUse) {
  const std::string late = kernel(".param .u64 out", R"(
    .shared .align 8 .b64 object;
    mov.u32 %r1, %tid.x;
    setp.eq.u32 %p1, %r1, 0;
    @%p1 mbarrier.init.shared.b64 [object], 32;
    mbarrier.arrive.shared.b64 _, [object];
    ret;
  )");
  EXPECT_TRUE(races_of(late, 32).accuses());
}

// An operation without a guard is no step of the film; its lanes count all the same.
TEST(Mbarrier, ItsLanesAreCounted) {
  Launcher k(with_object("96", R"(
    mbarrier.arrive.shared.b64 %rd6, [object];
    @%p1 mbarrier.pending_count.b64 %r11, %rd6;
  WAIT:
    mbarrier.test_wait.shared.b64 %p2, [object], %rd6;
    @!%p2 bra WAIT;)"));
  k.block = {96, 1, 1};
  k.add_buffer(std::vector<U32>(96));
  const LaunchResult result = k.run();
  const trace::Totals again = metrics::recompute_totals(result.trace);
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> seen;  // executions, executed lanes
  for (const trace::Site& site : result.trace.sites) {
    if (site.kind != trace::EventKind::guarded) continue;
    const trace::SiteTotals& totals = result.trace.totals.sites[site.id];
    seen[site.opcode] = {totals.executions, totals.executed_lanes};
    EXPECT_EQ(again.sites[site.id].executed_lanes, totals.executed_lanes) << site.opcode;
  }
  EXPECT_EQ(seen.at("mbarrier.init.shared.b64"), std::pair(std::uint64_t{3}, std::uint64_t{1}));
  EXPECT_EQ(seen.at("mbarrier.arrive.shared.b64"), std::pair(std::uint64_t{3}, std::uint64_t{96}));
}

}  // namespace
}  // namespace lanescope::sim
