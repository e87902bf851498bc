// Clusters of several blocks: ranks and their barrier. Expectations follow "PTX ISA" (barrier.cluster) and "CUDA C++
// Programming Guide" (thread block clusters); results are checked by arithmetic on the host.

#include "sim/clusters.h"

namespace lanescope::sim {
namespace {

using namespace test;
using testing::HasSubstr;

// ---- ranks ------------------------------------------------------------------------------------------

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
  for (const ClusterShape& shape : cluster_shapes)
    for (const Register& one : registers) {
      SCOPED_TRACE(one.name);
      const ClusterRan ran = run_clusters("mov.u32 %r10, " + std::string(one.name) + ";", shape);
      expect_values(ran, shape,
                    [&](U32 block, U32) { return one.value(shape.grid.at(block), shape.grid, shape.cluster); });
    }
}

TEST(Clusters, ExplicitOnesSaySo) {
  const std::string ask = "mov.pred %p1, %is_explicit_cluster;\nselp.u32 %r10, 7, 5, %p1;";
  EXPECT_EQ(run_clusters(ask, {{4, 1, 1}, {2, 1, 1}}).out[0], 7u);
  EXPECT_EQ(run_clusters(ask, {{4, 1, 1}, {1, 1, 1}}).out[0], 5u);
}

std::string declared(std::string text, const std::string& size) {
  const std::string before = "\n{\n";
  text.insert(text.find(before), "\n.explicitcluster\n.reqnctapercluster " + size);
  return text;
}

TEST(Clusters, TheKernelMayDeclareThem) {
  const std::string text = declared(with_shared("mov.u32 %r10, %cluster_nctarank;"), "2, 2, 1");
  const ClusterRan ran = run_clusters(cluster_launcher(text, {{4, 2, 1}, {1, 1, 1}}));
  EXPECT_THAT(ran.out, testing::Each(4u));
  EXPECT_EQ(ran.result.trace.launch.cluster, (Dim3{2, 2, 1}));
  EXPECT_EQ(run_clusters(cluster_launcher(text, {{4, 2, 1}, {2, 2, 1}})).out[0], 4u);
}

TEST(Clusters, WhatCudaRefuses) {
  const std::string text = with_shared("mov.u32 %r10, %cluster_nctarank;");
  const auto refused = [](const std::string& of, Dim3 grid, Dim3 cluster, const std::string& code) {
    return cluster_launcher(of, {grid, cluster}).fault(code).message;
  };
  EXPECT_THAT(refused(text, {6, 1, 1}, {4, 1, 1}, "launch.cluster_does_not_divide"),
              HasSubstr("6 × 1 × 1 blocks does not divide into clusters of 4 × 1 × 1"));
  refused(text, {6, 3, 1}, {2, 2, 1}, "launch.cluster_does_not_divide");
  refused(text, {6, 3, 2}, {2, 1, 4}, "launch.cluster_does_not_divide");
  EXPECT_THAT(refused(text, {32, 1, 1}, {32, 1, 1}, "launch.cluster_too_large"), HasSubstr("limit is 16"));
  refused(text, {2, 1, 1}, {0, 1, 1}, "launch.empty_cluster");
  refused(declared(text, "2, 1, 1"), {4, 1, 1}, {4, 1, 1}, "launch.cluster_not_as_declared");
  refused(declared(text, "2, 1, 1"), {3, 1, 1}, {1, 1, 1}, "launch.cluster_does_not_divide");
  std::string grid_of_clusters = text;
  grid_of_clusters.insert(grid_of_clusters.find("\n{\n"), "\n.reqntid 32\n.reqnctapercluster 2\n.blocksareclusters");
  refused(grid_of_clusters, {4, 1, 1}, {1, 1, 1}, "launch.blocks_are_clusters");
}

// ---- the barrier ------------------------------------------------------------------------------------

// Every block adds to a word in global memory. After the barrier, all additions of the cluster are visible.
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
TEST(ClusterBarrier, WaitsForAllBlocks) {
  const ClusterShape shape{{16, 1, 1}, {4, 1, 1}, 96};
  const ClusterRan ran = run_clusters(cluster_launcher(with_counts(add_and_meet), shape));
  EXPECT_THAT(ran.out, testing::Each(4u));
  EXPECT_FALSE(ran.races());
  EXPECT_EQ(ran.result.trace.totals.barriers, 16u * 3 * 2) << "each once, however long it waits";
  for (const U32 seed : {1u, 2u, 3u, 4u}) {
    Launcher k = cluster_launcher(with_counts(add_and_meet), shape);
    k.request.schedule_seed = seed;
    EXPECT_THAT(run_clusters(std::move(k)).out, testing::Each(4u)) << seed;
  }
  Launcher cooperative = cluster_launcher(with_counts(add_and_meet), shape);
  cooperative.cooperative = true;
  EXPECT_THAT(run_clusters(std::move(cooperative)).out, testing::Each(4u));
}

// .relaxed publishes nothing.
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
  const ClusterShape shape{{4, 1, 1}, {2, 1, 1}};
  const ClusterRan ordered =
      run_clusters(cluster_launcher(with_counts(write_and_read("barrier.cluster.arrive;")), shape));
  EXPECT_FALSE(ordered.races());
  expect_values(ordered, shape, [](U32 block, U32) { return block ^ 1; });
  const ClusterRan relaxed =
      run_clusters(cluster_launcher(with_counts(write_and_read("barrier.cluster.arrive.relaxed;")), shape));
  ASSERT_TRUE(relaxed.races());
  EXPECT_EQ(relaxed.result.races.races[0].cure, RaceCure::cluster);
  EXPECT_FALSE(
      run_clusters(cluster_launcher(
                       with_counts(write_and_read("fence.acq_rel.cluster;\nbarrier.cluster.arrive.relaxed;")), shape))
          .races());
}

TEST(ClusterBarrier, ExitedThreadsDoNotCount) {
  const ClusterRan ran = run_clusters("setp.eq.u32 %p1, %r2, 1;\nmov.u32 %r10, 3;\n@%p1 bra END;\n" + sync_cluster +
                                          sync_cluster + "mov.u32 %r10, 9;\nEND:",
                                      {{4, 1, 1}, {2, 1, 1}});
  expect_values(ran, {{4, 1, 1}, {2, 1, 1}}, [](U32 block, U32) { return block % 2 == 1 ? 3u : 9u; });
}

TEST(ClusterBarrier, ADeadlockIsTold) {
  const Diagnostic stuck =
      cluster_launcher(with_shared("setp.eq.u32 %p1, %r2, 1;\nmov.u32 %r10, 0;\n@%p1 bra AWAIT;\n" + sync_cluster + R"(
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

}  // namespace
}  // namespace lanescope::sim
