// The shared memory of the other blocks of a cluster: addresses, accesses, rules, races, replays. Expectations follow
// "PTX ISA" (mapa, getctarank, isspacep) and "CUDA C++ Programming Guide" (distributed shared memory), with results by
// arithmetic on the host.

#include "sim/clusters.h"
#include "sim/replay_memory.h"

namespace lanescope::sim {
namespace {

using namespace test;
using testing::HasSubstr;

// ---- distributed shared memory ----------------------------------------------------------------------

// Each thread writes its own word, then reads the same thread's word in the next block of the cluster.
std::string read_next(const std::string& how, const std::string& end = sync_cluster) {
  return "mad.lo.u32 %r6, %r3, 1000, %r1;\nst.shared.u32 [%r5], %r6;\n" + sync_cluster + R"(
    mov.u32 %r7, %cluster_nctarank;
    add.u32 %r8, %r2, 1;
    rem.u32 %r8, %r8, %r7;
)" + how +
         end;
}
const std::string by_mapa = "mapa.shared::cluster.u32 %r9, %r5, %r8;\nld.shared::cluster.u32 %r10, [%r9];\n";
const std::string by_generic = R"(
    cvt.u64.u32 %rd5, %r5;
    cvta.shared.u64 %rd5, %rd5;
    mapa.u64 %rd6, %rd5, %r8;
    ld.u32 %r10, [%rd6];
)";
U32 word_of_next(const ClusterShape& shape, U32 block, U32 thread) {
  const Clusters clusters{shape.grid, shape.cluster};
  const U32 next = (clusters.rank(block) + 1) % clusters.blocks();
  return clusters.block(clusters.cluster(block), next) * 1000 + thread;
}

TEST(DistributedShared, IsReadThroughMappedAddresses) {
  for (const ClusterShape& shape : cluster_shapes)
    for (const std::string& how : {by_mapa, by_generic}) {
      const ClusterRan ran = run_clusters(read_next(how), shape);
      expect_values(ran, shape, [&](U32 block, U32 thread) { return word_of_next(shape, block, thread); });
      EXPECT_FALSE(ran.races());
      const trace::MemoryTotals& reads = ran.result.trace.totals.of(trace::MemoryClass::distributed_load);
      EXPECT_EQ(reads.executed_lanes, shape.grid.count() * shape.threads);
      EXPECT_EQ(reads.bytes_requested, 4 * reads.executed_lanes);
      EXPECT_EQ(reads.wavefronts, 0u) << "nobody knows";
      EXPECT_EQ(ran.result.trace.totals.of(trace::MemoryClass::shared_load).requests, 0u);
    }
}

TEST(DistributedShared, OtherOrdersGiveTheSame) {
  const ClusterShape shape{{4, 4, 1}, {2, 2, 1}, 64};
  for (U32 seed = 1; seed <= 12; ++seed) {
    Launcher k = cluster_launcher(with_shared(read_next(by_mapa)), shape);
    k.request.schedule_seed = seed;
    expect_values(run_clusters(std::move(k)), shape,
                  [&](U32 block, U32 thread) { return word_of_next(shape, block, thread); });
  }
}

// Lanes of one instruction access several blocks, including their own: one request per block.
TEST(DistributedShared, LanesMayGoToDifferentBlocks) {
  const ClusterShape shape{{4, 1, 1}, {4, 1, 1}};
  const ClusterRan ran = run_clusters(read_next("and.b32 %r8, %r1, 3;\n" + by_generic), shape);
  expect_values(ran, shape, [](U32, U32 thread) { return thread % 4 * 1000 + thread; });
  const trace::Totals& totals = ran.result.trace.totals;
  EXPECT_EQ(totals.of(trace::MemoryClass::distributed_load).requests, 4u * 3);
  EXPECT_EQ(totals.of(trace::MemoryClass::shared_load).requests, 4u);
  EXPECT_EQ(totals.of(trace::MemoryClass::shared_load).executed_lanes, 4u * 8);
}

TEST(DistributedShared, StoresAndAtomics) {
  const ClusterShape shape{{8, 1, 1}, {4, 1, 1}, 64};
  // All add to word 0 of the block of rank 2, and store into the word of the next block.
  const ClusterRan ran = run_clusters("mov.u32 %r6, 0;\nst.shared.u32 [%r5], %r6;\n" + sync_cluster + R"(
    mapa.shared::cluster.u32 %r9, %r4, 2;
    atom.relaxed.cluster.shared::cluster.add.u32 %r11, [%r9], %r1;
    red.relaxed.cluster.shared::cluster.max.u32 [%r9+4], %r3;
)" + sync_cluster + R"(
    ld.shared.u32 %r10, [%r4];
    ld.shared.u32 %r12, [%r4+4];
    mad.lo.u32 %r10, %r12, 10000, %r10;
)" + sync_cluster,
                                      shape);
  expect_values(ran, shape,
                [](U32 block, U32) { return block % 4 == 2 ? 4u * 2016 + (block / 4 * 4 + 3) * 10000 : 0u; });
  EXPECT_FALSE(ran.races());
  EXPECT_EQ(ran.result.trace.totals.of(trace::MemoryClass::distributed_atomic).requests, 6u * 2 * 2);

  const ClusterRan stored = run_clusters("mov.u32 %r6, 0;\nst.shared.u32 [%r5], %r6;\n" + sync_cluster + R"(
    xor.b32 %r8, %r2, 1;
    mapa.shared::cluster.u32 %r9, %r5, %r8;
    mad.lo.u32 %r6, %r3, 1000, %r1;
    st.shared::cluster.u32 [%r9], %r6;
)" + sync_cluster + "ld.shared.u32 %r10, [%r5];\n",
                                         shape);
  expect_values(stored, shape, [](U32 block, U32 thread) { return (block ^ 1) * 1000 + thread; });
  EXPECT_FALSE(stored.races());
}

// "PTX ISA": the window of a block's own shared memory is contained in that of its cluster.
TEST(DistributedShared, AddressesSayWhose) {
  const ClusterShape shape{{4, 1, 1}, {2, 1, 1}};
  // A block's own address is what mapa gives for its own rank, and other blocks may use it.
  EXPECT_THAT(run_clusters("mapa.shared::cluster.u32 %r9, %r5, %r2;\nsub.u32 %r10, %r9, %r5;", shape).out,
              testing::Each(0u));
  const ClusterRan ranks = run_clusters(R"(
    xor.b32 %r8, %r2, 1;
    mapa.shared::cluster.u32 %r9, %r5, %r8;
    getctarank.shared::cluster.u32 %r10, %r9;
    getctarank.shared::cluster.u32 %r11, %r5;
    cvt.u64.u32 %rd5, %r5;
    cvta.shared.u64 %rd5, %rd5;
    mapa.u64 %rd6, %rd5, %r8;
    getctarank.u64 %r12, %rd6;
    mad.lo.u32 %r10, %r10, 10, %r11;
    mad.lo.u32 %r10, %r10, 10, %r12;
)",
                                        shape);
  expect_values(ranks, shape, [](U32 block, U32) { return block % 2 == 0 ? 101u : 10u; });
  const ClusterRan spaces = run_clusters(R"(
    cvt.u64.u32 %rd5, %r5;
    cvta.shared.u64 %rd5, %rd5;
    xor.b32 %r8, %r2, 1;
    mapa.u64 %rd6, %rd5, %r8;
    isspacep.shared::cta %p1, %rd5;
    isspacep.shared::cluster %p2, %rd5;
    isspacep.shared::cta %p3, %rd6;
    isspacep.shared::cluster %p4, %rd6;
    isspacep.global %p5, %rd6;
    selp.u32 %r10, 1, 0, %p1;
    @%p2 add.u32 %r10, %r10, 10;
    @%p3 add.u32 %r10, %r10, 100;
    @%p4 add.u32 %r10, %r10, 1000;
    @%p5 add.u32 %r10, %r10, 10000;
)",
                                         shape);
  EXPECT_THAT(spaces.out, testing::Each(1011u));
}

// A block passes its own pointer to another block, which reads through it.
TEST(DistributedShared, APlainPointerStaysItsOwners) {
  const ClusterShape shape{{4, 1, 1}, {2, 1, 1}};
  const ClusterRan ran = run_clusters(cluster_launcher(with_counts(R"(
    add.u32 %r6, %r3, 50;
    st.shared.u32 [%r5], %r6;
    cvt.u64.u32 %rd5, %r5;
    cvta.shared.u64 %rd5, %rd5;
    mul.wide.u32 %rd7, %r46, 8;
    mov.u64 %rd8, pointers;
    add.s64 %rd9, %rd8, %rd7;
    st.global.u64 [%rd9], %rd5;
)" + sync_cluster + R"(
    xor.b64 %rd7, %rd7, 256;
    add.s64 %rd9, %rd8, %rd7;
    ld.global.u64 %rd6, [%rd9];
    ld.u32 %r10, [%rd6];
)" + sync_cluster),
                                                       shape));
  expect_values(ran, shape, [](U32 block, U32) { return (block ^ 1) + 50; });
}

Diagnostic cluster_fault(const std::string& body, const std::string& code,
                         const ClusterShape& shape = {{2, 1, 1}, {2, 1, 1}}) {
  return cluster_launcher(with_shared(body), shape).fault(code);
}

TEST(DistributedShared, RulesAreHeld) {
  EXPECT_THAT(cluster_fault("mapa.shared::cluster.u32 %r9, %r5, 2;", "cluster.no_such_block").message,
              HasSubstr("block 2 of its cluster, which has 2 blocks"));
  EXPECT_THAT(cluster_fault("mapa.u64 %rd6, %rd1, 0;", "cluster.not_shared").message,
              HasSubstr("not an address in shared"));
  // ld.shared is ld.shared::cta.
  const std::string other = "xor.b32 %r8, %r2, 1;\nmapa.shared::cluster.u32 %r9, %r5, %r8;\n";
  EXPECT_THAT(cluster_fault(other + "ld.shared.u32 %r10, [%r9];", "cluster.own_block_only").message,
              HasSubstr("shared memory of block (1, 0, 0)"));
  EXPECT_THAT(cluster_fault(other + "ld.shared::cluster.u32 %r10, [%r9+4096];", "memory.out_of_bounds").message,
              HasSubstr("of block (1, 0, 0) is out of bounds"));
  cluster_fault(other + "ld.shared::cluster.u32 %r10, [%r9+2];", "memory.misaligned");
  EXPECT_THAT(cluster_fault(other + "ld.shared::cluster.u32 %r10, [%r9];", "memory.uninitialised").cure,
              HasSubstr("cluster.sync()"));
  const Diagnostic gone =
      cluster_fault("setp.eq.u32 %p1, %r2, 0;\nmov.u32 %r10, 0;\n@%p1 bra END;\n" + other +
                        "mov.u32 %r11, 200;\nLOOP:\nsub.u32 %r11, %r11, 1;\nsetp.ne.u32 %p2, %r11, 0;\n"
                        "@%p2 bra LOOP;\nst.shared::cluster.u32 [%r9], %r1;\nEND:",
                    "cluster.block_exited");
  EXPECT_THAT(gone.message, HasSubstr("block (0, 0, 0), which has exited"));
}

// ---- replays ----------------------------------------------------------------------------------------

// Who wrote a block's shared memory last, and what a step finds there, if the writer was another block.
TEST(DistributedShared, ReplaysFollowOtherBlocks) {
  const ClusterShape shape{{4, 2, 1}, {2, 2, 1}};
  Launcher k = cluster_launcher(with_shared("mov.u32 %r6, 7;\nst.shared.u32 [%r5], %r6;\n" + sync_cluster + R"(
    xor.b32 %r8, %r2, 3;
    mapa.shared::cluster.u32 %r9, %r5, %r8;
    add.u32 %r6, %r3, 100;
    st.shared::cluster.u32 [%r9], %r6;
)" + sync_cluster + "ld.shared.u32 %r10, [%r5];\n"),
                                shape);
  k.request.record.events = true;
  const LaunchResult result = k.run_anyway();
  ASSERT_TRUE(result.completed);
  const Clusters clusters{shape.grid, shape.cluster};
  const auto opposite = [&](U32 block) { return clusters.block(clusters.cluster(block), clusters.rank(block) ^ 3); };
  for (U32 block = 0; block < 8; ++block) {
    const Result<Writes> writes = writes_to(k.program(), k.request, {trace::MemorySpace::shared, block, 4 * 5, 4});
    ASSERT_TRUE(writes.ok());
    EXPECT_EQ(writes->count, 2u);
    ASSERT_TRUE(writes->last.has_value());
    EXPECT_EQ(writes->last->step.block, opposite(block));
    EXPECT_EQ(writes->last->lane, 5);
  }
  for (const trace::WarpEvent& event : result.trace.events) {
    if (event.space != trace::MemorySpace::distributed) continue;
    const Step step{event.block, event.warp, event.sequence};
    const Result<StepState> state = state_at(k.program(), k.request, step);
    ASSERT_TRUE(state.ok());
    ASSERT_TRUE(state->memory_known);
    U32 before = 0, after = 0;
    std::memcpy(&before, state->memory_before[9].data(), 4);
    std::memcpy(&after, state->memory_after[9].data(), 4);
    EXPECT_EQ(before, 7u);
    EXPECT_EQ(after, event.block + 100);
    const std::uint64_t address = result.trace.address(event, 0);
    EXPECT_EQ(address >> 24, clusters.rank(event.block) ^ 3);
    const Result<MemoryState> memory =
        memory_at(k.program(), k.request, step, {trace::MemorySpace::distributed, 0, address, 128}, 4);
    ASSERT_TRUE(memory.ok());
    EXPECT_TRUE(memory->known);
    EXPECT_EQ(memory->elements[9].writes, 1u) << "the first store, by the block whose it is";
    EXPECT_EQ(memory->elements[9].block, opposite(event.block));
    EXPECT_EQ(memory->elements[9].written, LaneMask{1u << 9});
  }
}

// ---- races ------------------------------------------------------------------------------------------

RaceKind first_cluster_race(const std::string& body, const ClusterShape& shape = {{2, 1, 1}, {2, 1, 1}}) {
  const ClusterRan ran = run_clusters(body, shape);
  if (!ran.races()) {
    ADD_FAILURE() << "no race";
    return {};
  }
  EXPECT_EQ(ran.result.races.races[0].space, trace::MemorySpace::distributed);
  EXPECT_EQ(ran.result.races.races[0].cure, RaceCure::cluster);
  return ran.result.races.races[0].kind;
}

TEST(DistributedShared, RacesAcrossBlocks) {
  // The owner writes, another block reads, with only __syncthreads() between.
  const std::string begin = "mov.u32 %r6, 0;\nst.shared.u32 [%r5], %r6;\n" + sync_cluster +
                            "xor.b32 %r8, %r2, 1;\nmapa.shared::cluster.u32 %r9, %r5, %r8;\n";
  EXPECT_EQ(first_cluster_race(begin + "st.shared.u32 [%r5], %r1;\nbar.sync 0;\nld.shared::cluster.u32 %r10, [%r9];\n" +
                               sync_cluster),
            RaceKind::read_write);
  EXPECT_FALSE(run_clusters(begin + "st.shared.u32 [%r5], %r1;\n" + sync_cluster +
                                "ld.shared::cluster.u32 %r10, [%r9];\n" + sync_cluster,
                            {{2, 1, 1}, {2, 1, 1}})
                   .races());
  EXPECT_EQ(first_cluster_race(
                begin +
                "st.shared::cluster.u32 [%r9], %r1;\nbar.sync 0;\nadd.u32 %r6, %r1, 5000;\nst.shared.u32 [%r5], %r6;\n"
                "mov.u32 %r10, 0;\n" +
                sync_cluster),
            RaceKind::write_write);
  // Atomics do not race with each other.
  EXPECT_FALSE(run_clusters(begin +
                                "red.relaxed.cluster.shared::cluster.add.u32 [%r9], 1;\n"
                                "red.relaxed.cluster.shared::cta.add.u32 [%r5], 1;\nmov.u32 %r10, 0;\n" +
                                sync_cluster,
                            {{2, 1, 1}, {2, 1, 1}})
                   .races());
}

TEST(DistributedShared, ABlockMustHaveBegun) {
  const std::string body =
      "xor.b32 %r8, %r2, 1;\nmapa.shared::cluster.u32 %r9, %r5, %r8;\n"
      "st.shared::cluster.u32 [%r9], %r1;\nmov.u32 %r10, 0;\n" +
      sync_cluster;
  EXPECT_EQ(first_cluster_race(body), RaceKind::not_begun);
  EXPECT_FALSE(run_clusters(sync_cluster + body, {{2, 1, 1}, {2, 1, 1}}).races());
}

TEST(DistributedShared, ABlockMustNotEndBefore) {
  // The block of rank 1 is the last at the barrier, so here it reads before the other block exits.
  const ClusterRan ran =
      run_clusters(read_next("setp.eq.u32 %p1, %r2, 0;\nmov.u32 %r10, 0;\n@%p1 bra END;\n" + by_mapa + "END:", ""),
                   {{2, 1, 1}, {2, 1, 1}});
  ASSERT_TRUE(ran.races());
  const Race& race = ran.result.races.races[0];
  EXPECT_EQ(race.kind, RaceKind::may_have_ended);
  EXPECT_EQ(race.first.block, 1u);
  EXPECT_EQ(race.owner, 0u);
  EXPECT_FALSE(run_clusters(read_next(by_mapa), {{2, 1, 1}, {2, 1, 1}}).races());
}

}  // namespace
}  // namespace lanescope::sim
