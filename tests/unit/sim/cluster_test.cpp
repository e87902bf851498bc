// Clusters of several blocks: who is where, their barrier, and the shared memory of one another. Expectations follow
// "PTX ISA" (barrier.cluster, mapa, st.async, mbarrier) and "CUDA C++ Programming Guide" (thread block clusters), with
// results by arithmetic on the host.

#include <functional>

#include "core/clusters.h"
#include "sim/launcher.h"
#include "sim/replay_memory.h"

namespace lanescope::sim {
namespace {

using test::event_order_fault;
using test::kernel;
using test::Launcher;
using test::naive_totals;
using testing::HasSubstr;
using U32 = std::uint32_t;

struct Shape {
  Dim3 grid, cluster;
  U32 threads = 32;
};

// %rd1 out, %r1 thread, %r2 rank in the cluster, %r3 linear index of the block, %r4 "tile", an array of a word per
// thread, %r5 this thread's word in it. The result %r10 of each thread goes to out[block * threads + thread].
std::string with_shared(const std::string& body) {
  return kernel(".param .u64 out", R"(
    .shared .align 8 .b64 object;
    .shared .align 16 .b8 tile[1024];
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %cluster_ctarank;
    mov.u32 %r40, %ctaid.x;
    mov.u32 %r41, %ctaid.y;
    mov.u32 %r42, %ctaid.z;
    mov.u32 %r43, %nctaid.x;
    mov.u32 %r44, %nctaid.y;
    mad.lo.u32 %r3, %r42, %r44, %r41;
    mad.lo.u32 %r3, %r3, %r43, %r40;
    mov.u32 %r4, tile;
    shl.b32 %r5, %r1, 2;
    add.u32 %r5, %r4, %r5;
    mov.u32 %r45, %ntid.x;
    mad.lo.u32 %r46, %r3, %r45, %r1;
    mul.wide.u32 %rd2, %r46, 4;
    add.s64 %rd2, %rd1, %rd2;
)" + body + "\nst.global.u32 [%rd2], %r10;\nret;\n");
}

const std::string sync_cluster = "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n";

Launcher launcher(const std::string& text, const Shape& shape) {
  Launcher k(text);
  k.grid = shape.grid;
  k.block = {shape.threads, 1, 1};
  k.request.launch.cluster = shape.cluster;
  k.request.max_steps = 10'000'000;
  k.add_buffer(std::vector<U32>(shape.grid.count() * shape.threads));
  return k;
}

struct Ran {
  LaunchResult result;
  std::vector<U32> out;
  bool races() const { return result.races.accuses(); }
};
// Notes of what is counted apart do not matter.
Ran run(Launcher k, bool races = true) {
  k.request.races = races;
  k.request.record.events = true;
  Ran ran{k.run_anyway(), {}};
  for (const Diagnostic& one : ran.result.diagnostics)
    if (one.severity != Severity::note) ADD_FAILURE() << format(one);
  EXPECT_TRUE(ran.result.completed);
  EXPECT_TRUE(naive_totals(ran.result.trace) == ran.result.trace.totals);
  EXPECT_EQ(event_order_fault(ran.result.trace), "");
  ran.out = Launcher::values<U32>(ran.result, 0);
  return ran;
}
Ran run(const std::string& body, const Shape& shape) {
  return run(launcher(with_shared(body), shape));
}

// Each thread's result by the host's own arithmetic.
void expect_values(const Ran& ran, const Shape& shape, const std::function<U32(U32 block, U32 thread)>& expected) {
  for (U32 i = 0; i < ran.out.size(); ++i)
    ASSERT_EQ(ran.out[i], expected(i / shape.threads, i % shape.threads)) << "thread " << i;
}

const Shape shapes[] = {{{4, 1, 1}, {2, 1, 1}},     {{8, 1, 1}, {8, 1, 1}, 64}, {{2, 4, 1}, {1, 2, 1}},
                        {{4, 4, 2}, {2, 2, 2}, 40}, {{6, 2, 3}, {3, 1, 1}},     {{16, 1, 1}, {16, 1, 1}}};

// ---- who is where -----------------------------------------------------------------------------------

TEST(Clusters, DivideTheGrid) {
  const Clusters clusters{{4, 6, 2}, {2, 3, 1}};
  EXPECT_EQ(clusters.count(), 8u);
  EXPECT_EQ(clusters.blocks(), 6u);
  for (U32 block = 0; block < 48; ++block) {
    const U32 x = block % 4, y = block / 4 % 6, z = block / 24;
    EXPECT_EQ(clusters.rank(block), x % 2 + 2 * (y % 3));
    EXPECT_EQ(clusters.cluster(block), x / 2 + 2 * (y / 3) + 4 * z);
    EXPECT_EQ(clusters.block(clusters.cluster(block), clusters.rank(block)), block);
  }
}

TEST(Clusters, SpecialRegisters) {
  struct Register {
    const char* name;
    std::function<U32(Dim3 at, Dim3 grid, Dim3 size)> value;
  };
  const Register registers[] = {
      {"%cluster_ctaid.x", [](Dim3 at, Dim3, Dim3 size) { return at.x % size.x; }},
      {"%cluster_ctaid.y", [](Dim3 at, Dim3, Dim3 size) { return at.y % size.y; }},
      {"%cluster_ctaid.z", [](Dim3 at, Dim3, Dim3 size) { return at.z % size.z; }},
      {"%cluster_nctaid.x", [](Dim3, Dim3, Dim3 size) { return size.x; }},
      {"%cluster_nctaid.y", [](Dim3, Dim3, Dim3 size) { return size.y; }},
      {"%cluster_nctaid.z", [](Dim3, Dim3, Dim3 size) { return size.z; }},
      {"%clusterid.x", [](Dim3 at, Dim3, Dim3 size) { return at.x / size.x; }},
      {"%clusterid.y", [](Dim3 at, Dim3, Dim3 size) { return at.y / size.y; }},
      {"%clusterid.z", [](Dim3 at, Dim3, Dim3 size) { return at.z / size.z; }},
      {"%nclusterid.x", [](Dim3, Dim3 grid, Dim3 size) { return grid.x / size.x; }},
      {"%nclusterid.y", [](Dim3, Dim3 grid, Dim3 size) { return grid.y / size.y; }},
      {"%nclusterid.z", [](Dim3, Dim3 grid, Dim3 size) { return grid.z / size.z; }},
      {"%cluster_ctarank",
       [](Dim3 at, Dim3, Dim3 size) { return at.x % size.x + size.x * (at.y % size.y + size.y * (at.z % size.z)); }},
      {"%cluster_nctarank", [](Dim3, Dim3, Dim3 size) { return size.x * size.y * size.z; }}};
  for (const Shape& shape : shapes)
    for (const Register& one : registers) {
      SCOPED_TRACE(one.name);
      const Ran ran = run("mov.u32 %r10, " + std::string(one.name) + ";", shape);
      expect_values(ran, shape,
                    [&](U32 block, U32) { return one.value(shape.grid.at(block), shape.grid, shape.cluster); });
    }
}

TEST(Clusters, ExplicitOnesSaySo) {
  const std::string ask = "mov.pred %p1, %is_explicit_cluster;\nselp.u32 %r10, 7, 5, %p1;";
  EXPECT_EQ(run(ask, {{4, 1, 1}, {2, 1, 1}}).out[0], 7u);
  EXPECT_EQ(run(ask, {{4, 1, 1}, {1, 1, 1}}).out[0], 5u);
}

std::string declared(std::string text, const std::string& size) {
  const std::string before = "\n{\n";
  text.insert(text.find(before), "\n.explicitcluster\n.reqnctapercluster " + size);
  return text;
}

TEST(Clusters, TheKernelMayDeclareThem) {
  const std::string text = declared(with_shared("mov.u32 %r10, %cluster_nctarank;"), "2, 2, 1");
  const Ran ran = run(launcher(text, {{4, 2, 1}, {1, 1, 1}}));
  EXPECT_THAT(ran.out, testing::Each(4u));
  EXPECT_EQ(ran.result.trace.launch.cluster, (Dim3{2, 2, 1}));
  EXPECT_EQ(run(launcher(text, {{4, 2, 1}, {2, 2, 1}})).out[0], 4u);
}

TEST(Clusters, WhatCudaRefuses) {
  const std::string text = with_shared("mov.u32 %r10, %cluster_nctarank;");
  const auto refused = [](const std::string& of, Dim3 grid, Dim3 cluster, const std::string& code) {
    return launcher(of, {grid, cluster}).fault(code).message;
  };
  EXPECT_THAT(refused(text, {6, 1, 1}, {4, 1, 1}, "launch.cluster_does_not_divide"),
              HasSubstr("6 × 1 × 1 blocks does not divide into clusters of 4 × 1 × 1"));
  refused(text, {6, 3, 1}, {2, 2, 1}, "launch.cluster_does_not_divide");
  refused(text, {6, 3, 2}, {2, 1, 4}, "launch.cluster_does_not_divide");
  EXPECT_THAT(refused(text, {32, 1, 1}, {32, 1, 1}, "launch.cluster_too_large"), HasSubstr("limit is 16"));
  refused(text, {2, 1, 1}, {0, 1, 1}, "launch.empty");
  refused(declared(text, "2, 1, 1"), {4, 1, 1}, {4, 1, 1}, "launch.cluster_not_as_declared");
  refused(declared(text, "2, 1, 1"), {3, 1, 1}, {1, 1, 1}, "launch.cluster_does_not_divide");
  std::string grid_of_clusters = text;
  grid_of_clusters.insert(grid_of_clusters.find("\n{\n"), "\n.reqntid 32\n.reqnctapercluster 2\n.blocksareclusters");
  refused(grid_of_clusters, {4, 1, 1}, {1, 1, 1}, "launch.blocks_are_clusters");
}

// ---- the barrier ------------------------------------------------------------------------------------

// Every block adds to a word in global memory; after the barrier each of the cluster has.
const std::string add_and_meet = R"(
    setp.ne.u32 %p1, %r1, 0;
    mov.u32 %r6, %clusterid.x;
    mul.wide.u32 %rd3, %r6, 4;
    mov.u64 %rd4, counts;
    add.s64 %rd3, %rd4, %rd3;
    @!%p1 red.global.add.u32 [%rd3], 1;
    barrier.cluster.arrive.release;
    barrier.cluster.wait.acquire;
    ld.global.u32 %r10, [%rd3];
)";
std::string with_counts(const std::string& body) {
  std::string text = with_shared(body);
  text.insert(text.find(".visible .entry"), ".global .u32 counts[64];\n.global .u64 pointers[128];\n");
  return text;
}

TEST(ClusterBarrier, WaitsForAllBlocks) {
  const Shape shape{{16, 1, 1}, {4, 1, 1}, 96};
  const Ran ran = run(launcher(with_counts(add_and_meet), shape));
  EXPECT_THAT(ran.out, testing::Each(4u));
  EXPECT_FALSE(ran.races());
  EXPECT_EQ(ran.result.trace.totals.barriers, 16u * 3 * 2) << "each once, however long it waits";
  for (const U32 seed : {1u, 2u, 3u, 4u}) {
    Launcher k = launcher(with_counts(add_and_meet), shape);
    k.request.schedule_seed = seed;
    EXPECT_THAT(run(std::move(k)).out, testing::Each(4u)) << seed;
  }
  Launcher cooperative = launcher(with_counts(add_and_meet), shape);
  cooperative.cooperative = true;
  EXPECT_THAT(run(std::move(cooperative)).out, testing::Each(4u));
}

// .relaxed hands nothing over.
TEST(ClusterBarrier, OrdersUnlessItIsRelaxed) {
  const auto write_and_read = [](const std::string& arrive) {
    return R"(
    mul.wide.u32 %rd3, %r3, 4;
    mov.u64 %rd4, counts;
    add.s64 %rd3, %rd4, %rd3;
    xor.b32 %r6, %r3, 1;
    mul.wide.u32 %rd5, %r6, 4;
    add.s64 %rd5, %rd4, %rd5;
    setp.ne.u32 %p1, %r1, 0;
    @!%p1 st.global.u32 [%rd3], %r3;
    )" + arrive +
           "\nbarrier.cluster.wait;\nld.global.u32 %r10, [%rd5];\n";
  };
  const Shape shape{{4, 1, 1}, {2, 1, 1}};
  const Ran ordered = run(launcher(with_counts(write_and_read("barrier.cluster.arrive;")), shape));
  EXPECT_FALSE(ordered.races());
  expect_values(ordered, shape, [](U32 block, U32) { return block ^ 1; });
  const Ran relaxed = run(launcher(with_counts(write_and_read("barrier.cluster.arrive.relaxed;")), shape));
  ASSERT_TRUE(relaxed.races());
  EXPECT_EQ(relaxed.result.races.races[0].cure, RaceCure::cluster);
  EXPECT_FALSE(
      run(launcher(with_counts(write_and_read("fence.acq_rel.cluster;\nbarrier.cluster.arrive.relaxed;")), shape))
          .races());
}

TEST(ClusterBarrier, ExitedThreadsDoNotCount) {
  const Ran ran = run("setp.eq.u32 %p1, %r2, 1;\nmov.u32 %r10, 3;\n@%p1 bra END;\n" + sync_cluster + sync_cluster +
                          "mov.u32 %r10, 9;\nEND:",
                      {{4, 1, 1}, {2, 1, 1}});
  expect_values(ran, {{4, 1, 1}, {2, 1, 1}}, [](U32 block, U32) { return block % 2 == 1 ? 3u : 9u; });
}

TEST(ClusterBarrier, ADeadlockIsTold) {
  const Diagnostic stuck =
      launcher(with_shared("setp.eq.u32 %p1, %r2, 1;\nmov.u32 %r10, 0;\n@%p1 bra AWAIT;\n" + sync_cluster + R"(
    bra END;
  AWAIT:
    setp.eq.u32 %p2, %r1, 0;
    @%p2 mbarrier.init.shared.b64 [object], 1;
    bar.sync 0;
  AGAIN:
    mbarrier.try_wait.parity.shared.b64 %p3, [object], 0;
    @!%p3 bra AGAIN;
  END:)"),
               {{2, 1, 1}, {2, 1, 1}})
          .fault("barrier.not_reached_by_all");
  EXPECT_THAT(stuck.message, HasSubstr("32 threads wait at the barrier of the cluster"));
  EXPECT_THAT(stuck.message, HasSubstr("block (1, 0, 0): warp 0 lanes 0–31 wait at the mbarrier"));
}

// ---- distributed shared memory ----------------------------------------------------------------------

// Each thread writes its own word, then reads that of the same thread in the next block of the cluster.
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
U32 word_of_next(const Shape& shape, U32 block, U32 thread) {
  const Clusters clusters{shape.grid, shape.cluster};
  const U32 next = (clusters.rank(block) + 1) % clusters.blocks();
  return clusters.block(clusters.cluster(block), next) * 1000 + thread;
}

TEST(DistributedShared, IsReadThroughMappedAddresses) {
  for (const Shape& shape : shapes)
    for (const std::string& how : {by_mapa, by_generic}) {
      const Ran ran = run(read_next(how), shape);
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
  const Shape shape{{4, 4, 1}, {2, 2, 1}, 64};
  for (U32 seed = 1; seed <= 12; ++seed) {
    Launcher k = launcher(with_shared(read_next(by_mapa)), shape);
    k.request.schedule_seed = seed;
    expect_values(run(std::move(k)), shape, [&](U32 block, U32 thread) { return word_of_next(shape, block, thread); });
  }
}

// Lanes of one instruction in several blocks, the own one among them: a request in each.
TEST(DistributedShared, LanesMayGoToDifferentBlocks) {
  const Shape shape{{4, 1, 1}, {4, 1, 1}};
  const Ran ran = run(read_next("and.b32 %r8, %r1, 3;\n" + by_generic), shape);
  expect_values(ran, shape, [](U32, U32 thread) { return thread % 4 * 1000 + thread; });
  const trace::Totals& totals = ran.result.trace.totals;
  EXPECT_EQ(totals.of(trace::MemoryClass::distributed_load).requests, 4u * 3);
  EXPECT_EQ(totals.of(trace::MemoryClass::shared_load).requests, 4u);
  EXPECT_EQ(totals.of(trace::MemoryClass::shared_load).executed_lanes, 4u * 8);
}

TEST(DistributedShared, StoresAndAtomics) {
  const Shape shape{{8, 1, 1}, {4, 1, 1}, 64};
  // All add to word 0 of the block of rank 2, and store into the word of the next block.
  const Ran ran = run("mov.u32 %r6, 0;\nst.shared.u32 [%r5], %r6;\n" + sync_cluster + R"(
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

  const Ran stored = run("mov.u32 %r6, 0;\nst.shared.u32 [%r5], %r6;\n" + sync_cluster + R"(
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
  const Shape shape{{4, 1, 1}, {2, 1, 1}};
  // The own address is the one that mapa gives for the own rank, and may be handed to others.
  EXPECT_THAT(run("mapa.shared::cluster.u32 %r9, %r5, %r2;\nsub.u32 %r10, %r9, %r5;", shape).out, testing::Each(0u));
  const Ran ranks = run(R"(
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
  const Ran spaces = run(R"(
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

// A block hands its own pointer to another one, which reads through it.
TEST(DistributedShared, APlainPointerStaysItsOwners) {
  const Shape shape{{4, 1, 1}, {2, 1, 1}};
  const Ran ran = run(launcher(with_counts(R"(
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

Diagnostic fault_of(const std::string& body, const std::string& code, const Shape& shape = {{2, 1, 1}, {2, 1, 1}}) {
  return launcher(with_shared(body), shape).fault(code);
}

TEST(DistributedShared, RulesAreHeld) {
  EXPECT_THAT(fault_of("mapa.shared::cluster.u32 %r9, %r5, 2;", "cluster.no_such_block").message,
              HasSubstr("block 2 of its cluster, which has 2 blocks"));
  EXPECT_THAT(fault_of("mapa.u64 %rd6, %rd1, 0;", "cluster.not_shared").message, HasSubstr("not an address in shared"));
  // ld.shared is ld.shared::cta.
  const std::string other = "xor.b32 %r8, %r2, 1;\nmapa.shared::cluster.u32 %r9, %r5, %r8;\n";
  EXPECT_THAT(fault_of(other + "ld.shared.u32 %r10, [%r9];", "cluster.own_block_only").message,
              HasSubstr("shared memory of block (1, 0, 0)"));
  EXPECT_THAT(fault_of(other + "ld.shared::cluster.u32 %r10, [%r9+4096];", "memory.out_of_bounds").message,
              HasSubstr("of block (1, 0, 0) is out of bounds"));
  fault_of(other + "ld.shared::cluster.u32 %r10, [%r9+2];", "memory.misaligned");
  EXPECT_THAT(fault_of(other + "ld.shared::cluster.u32 %r10, [%r9];", "memory.uninitialised").cure,
              HasSubstr("cluster.sync()"));
  const Diagnostic gone = fault_of("setp.eq.u32 %p1, %r2, 0;\nmov.u32 %r10, 0;\n@%p1 bra END;\n" + other +
                                       "mov.u32 %r11, 200;\nLOOP:\nsub.u32 %r11, %r11, 1;\nsetp.ne.u32 %p2, %r11, 0;\n"
                                       "@%p2 bra LOOP;\nst.shared::cluster.u32 [%r9], %r1;\nEND:",
                                   "cluster.block_exited");
  EXPECT_THAT(gone.message, HasSubstr("block (0, 0, 0), which has exited"));
}

// ---- replays ----------------------------------------------------------------------------------------

// Who wrote a block's shared memory last, and what a step finds there, where it was another block.
TEST(DistributedShared, ReplaysFollowOtherBlocks) {
  const Shape shape{{4, 2, 1}, {2, 2, 1}};
  Launcher k = launcher(with_shared("mov.u32 %r6, 7;\nst.shared.u32 [%r5], %r6;\n" + sync_cluster + R"(
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

RaceKind first_race(const std::string& body, const Shape& shape = {{2, 1, 1}, {2, 1, 1}}) {
  const Ran ran = run(body, shape);
  if (!ran.races()) {
    ADD_FAILURE() << "no race";
    return {};
  }
  EXPECT_EQ(ran.result.races.races[0].space, trace::MemorySpace::distributed);
  EXPECT_EQ(ran.result.races.races[0].cure, RaceCure::cluster);
  return ran.result.races.races[0].kind;
}

TEST(DistributedShared, RacesAcrossBlocks) {
  // Written by its owner, read by another block, with __syncthreads() alone between.
  const std::string begin = "mov.u32 %r6, 0;\nst.shared.u32 [%r5], %r6;\n" + sync_cluster +
                            "xor.b32 %r8, %r2, 1;\nmapa.shared::cluster.u32 %r9, %r5, %r8;\n";
  EXPECT_EQ(first_race(begin + "st.shared.u32 [%r5], %r1;\nbar.sync 0;\nld.shared::cluster.u32 %r10, [%r9];\n" +
                       sync_cluster),
            RaceKind::read_write);
  EXPECT_FALSE(
      run(begin + "st.shared.u32 [%r5], %r1;\n" + sync_cluster + "ld.shared::cluster.u32 %r10, [%r9];\n" + sync_cluster,
          {{2, 1, 1}, {2, 1, 1}})
          .races());
  EXPECT_EQ(
      first_race(begin +
                 "st.shared::cluster.u32 [%r9], %r1;\nbar.sync 0;\nadd.u32 %r6, %r1, 5000;\nst.shared.u32 [%r5], %r6;\n"
                 "mov.u32 %r10, 0;\n" +
                 sync_cluster),
      RaceKind::write_write);
  // Atomics do not race with one another.
  EXPECT_FALSE(run(begin +
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
  EXPECT_EQ(first_race(body), RaceKind::not_begun);
  EXPECT_FALSE(run(sync_cluster + body, {{2, 1, 1}, {2, 1, 1}}).races());
}

TEST(DistributedShared, ABlockMustNotEndBefore) {
  // The block of rank 1, the last at the barrier, reads before the other one happens to exit here.
  const Ran ran = run(read_next("setp.eq.u32 %p1, %r2, 0;\nmov.u32 %r10, 0;\n@%p1 bra END;\n" + by_mapa + "END:", ""),
                      {{2, 1, 1}, {2, 1, 1}});
  ASSERT_TRUE(ran.races());
  const Race& race = ran.result.races.races[0];
  EXPECT_EQ(race.kind, RaceKind::may_have_ended);
  EXPECT_EQ(race.first.block, 1u);
  EXPECT_EQ(race.owner, 0u);
  EXPECT_FALSE(run(read_next(by_mapa), {{2, 1, 1}, {2, 1, 1}}).races());
}

}  // namespace
}  // namespace lanescope::sim
