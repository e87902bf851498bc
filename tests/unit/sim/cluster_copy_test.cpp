// What threads send to other blocks of their cluster and what completes there: remote arrivals, st.async, red.async,
// bulk copies between blocks and to several blocks. Expectations follow "PTX ISA".

#include "sim/launcher.h"

namespace lanescope::sim {
namespace {

using test::kernel;
using test::Launcher;
using testing::HasSubstr;
using U32 = std::uint32_t;

// %rd1 in (256 words), %rd2 out, %r1 thread, %r2 rank, %r3 block, %r4 tile of 1024 bytes, %r5 this thread's word in it,
// %r6 the mbarrier "object", %p1 thread 0, %r7 the rank of the other block of two. out[block * threads + thread] =
// %r10.
std::string with_cluster_object(const std::string& arrivals, const std::string& body,
                                const std::string& meet = "barrier.cluster.arrive;\nbarrier.cluster.wait;") {
  return kernel(".param .u64 in, .param .u64 out", R"(
    .shared .align 8 .b64 object;
    .shared .align 16 .b8 tile[1024];
    ld.param.u64 %rd1, [in];
    ld.param.u64 %rd2, [out];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %cluster_ctarank;
    mov.u32 %r3, %ctaid.x;
    mov.u32 %r4, tile;
    shl.b32 %r40, %r1, 2;
    add.u32 %r5, %r4, %r40;
    mov.u32 %r6, object;
    xor.b32 %r7, %r2, 1;
    setp.eq.u32 %p1, %r1, 0;
    @%p1 mbarrier.init.shared.b64 [object], )" + arrivals +
                                                       ";\n" + meet +
                                                       R"(
    mov.u32 %r10, 0;
)" + body + R"(
    barrier.cluster.arrive;
    barrier.cluster.wait;
    mov.u32 %r41, %ntid.x;
    mad.lo.u32 %r42, %r3, %r41, %r1;
    mul.wide.u32 %rd40, %r42, 4;
    add.s64 %rd41, %rd2, %rd40;
    st.global.u32 [%rd41], %r10;
    ret;
)");
}

const std::string wait_for_phase = R"(
  AGAIN:
    mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p2, [object], 0;
    @!%p2 bra AGAIN;
)";
const std::string map_other = R"(
    mapa.shared::cluster.u32 %r11, %r5, %r7;
    mapa.shared::cluster.u32 %r12, %r6, %r7;
)";

Launcher copy_launcher(const std::string& text, U32 blocks, U32 cluster, U32 threads = 64) {
  Launcher k(text);
  k.grid = {blocks, 1, 1};
  k.block = {threads, 1, 1};
  k.request.launch.cluster = {cluster, 1, 1};
  k.request.max_steps = 10'000'000;
  std::vector<U32> in(256);
  for (U32 i = 0; i < 256; ++i) in[i] = i * 7 + 1;
  k.add_buffer(in);
  k.add_buffer(std::vector<U32>(std::size_t{blocks} * threads));
  return k;
}

struct CopiesRan {
  std::vector<U32> out;
  RaceReport races;
};
CopiesRan run_copies(const std::string& text, U32 blocks, U32 cluster, U32 threads = 64) {
  Launcher k = copy_launcher(text, blocks, cluster, threads);
  k.request.races = true;
  const LaunchResult result = k.run_anyway();
  for (const Diagnostic& one : result.diagnostics)
    if (one.severity != Severity::note) ADD_FAILURE() << format(one);
  EXPECT_TRUE(result.completed);
  for (const U32 seed : {1u, 2u, 3u}) {
    Launcher other = copy_launcher(text, blocks, cluster, threads);
    other.request.schedule_seed = seed;
    EXPECT_EQ(Launcher::values<U32>(other.run_anyway(), 1), Launcher::values<U32>(result, 1)) << "seed " << seed;
  }
  return {Launcher::values<U32>(result, 1), result.races};
}

Diagnostic copy_fault(const std::string& text, const std::string& code) {
  const LaunchResult result = copy_launcher(text, 2, 2).run_anyway();
  EXPECT_FALSE(result.completed);
  if (result.diagnostics.empty()) return {};
  EXPECT_EQ(result.diagnostics.back().code, code) << format(result.diagnostics.back());
  return result.diagnostics.back();
}

TEST(ClusterObjects, ArrivalsComeFromOtherBlocks) {
  // Each thread writes its word in the other block, and arrives there.
  const CopiesRan ran = run_copies(
      with_cluster_object("64", map_other + R"(
    mad.lo.u32 %r13, %r3, 1000, %r1;
    st.shared::cluster.u32 [%r11], %r13;
    mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r12];
)" + wait_for_phase +
                                    "sub.u32 %r14, 63, %r1;\nshl.b32 %r14, %r14, 2;\nadd.u32 %r14, %r14, %r4;\n"
                                    "ld.shared.u32 %r10, [%r14];\n"),
      4, 2);
  EXPECT_FALSE(ran.races.accuses());
  for (U32 i = 0; i < ran.out.size(); ++i) EXPECT_EQ(ran.out[i], (i / 64 ^ 1) * 1000 + 63 - i % 64);
  // A relaxed arrival does not publish writes.
  EXPECT_TRUE(run_copies(with_cluster_object("64", map_other + R"(
    st.shared::cluster.u32 [%r11], %r1;
    mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [%r12];
)" + wait_for_phase + "ld.shared.u32 %r10, [%r5];\n"),
                         2, 2)
                  .races.accuses());
}

// CUTLASS begins its objects so.
TEST(ClusterObjects, AreBegunByAFenceOfTheirOwn) {
  const std::string meet = "barrier.cluster.arrive.relaxed;\nbarrier.cluster.wait.acquire;\n";
  const auto begun_by = [&](const std::string& fence) {
    const std::string arrive = "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r12];\n";
    return run_copies(with_cluster_object("64", map_other + arrive + wait_for_phase, fence + meet), 4, 2)
        .races.accuses();
  };
  EXPECT_FALSE(begun_by("fence.mbarrier_init.release.cluster;\n"));
  EXPECT_TRUE(begun_by(""));
}

TEST(ClusterObjects, AnotherBlocksObjectIsNotForWaiting) {
  copy_fault(with_cluster_object("1", map_other + "cvt.u64.u32 %rd5, %r12;\ncvta.shared.u64 %rd5, %rd5;\n"
                                                  "mbarrier.test_wait.parity.b64 %p2, [%rd5], 0;\n"),
             "cluster.own_block_only");
  copy_fault(with_cluster_object("1", map_other + "cvt.u64.u32 %rd5, %r12;\ncvta.shared.u64 %rd5, %rd5;\n"
                                                  "mbarrier.init.b64 [%rd5], 1;\n"),
             "cluster.own_block_only");
}

TEST(ClusterObjects, AsynchronousStoresComplete) {
  for (const std::string form : {"u32", "v2.b32", "v4.u32"}) {
    const U32 words = form == "u32" ? 1 : form == "v2.b32" ? 2 : 4;
    const std::string values = words == 1 ? "%r13" : words == 2 ? "{%r13, %r14}" : "{%r13, %r14, %r15, %r16}";
    const std::string bytes = std::to_string(64 * 4 * words);
    const CopiesRan ran = run_copies(with_cluster_object("1", map_other + R"(
    mul.lo.u32 %r20, %r1, )" + std::to_string(4 * words) +
                                                                  R"(;
    add.u32 %r20, %r20, %r4;
    mapa.shared::cluster.u32 %r20, %r20, %r7;
    mad.lo.u32 %r13, %r3, 1000, %r1;
    add.u32 %r14, %r13, 100;
    add.u32 %r15, %r13, 200;
    add.u32 %r16, %r13, 300;
    @%p1 mbarrier.arrive.expect_tx.shared::cta.b64 %rd10, [object], )" +
                                                                  bytes + R"(;
    st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.)" +
                                                                  form + " [%r20], " + values + ", [%r12];\n" +
                                                                  wait_for_phase + "ld.shared.u32 %r10, [%r5];\n"),
                                     4, 2);
    EXPECT_FALSE(ran.races.accuses()) << form;
    for (U32 i = 0; i < ran.out.size(); ++i)
      EXPECT_EQ(ran.out[i], (i / 64 ^ 1) * 1000 + i % 64 / words + i % 64 % words * 100) << form << " " << i;
  }
}

TEST(ClusterObjects, AsynchronousReductionsComplete) {
  const CopiesRan ran = run_copies(with_cluster_object("1", map_other + R"(
    st.shared.u32 [%r5], 5;
    barrier.cluster.arrive;
    barrier.cluster.wait;
    mapa.shared::cluster.u32 %r20, %r4, %r7;
    @%p1 mbarrier.arrive.expect_tx.shared::cta.b64 %rd10, [object], 256;
    red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r20], %r1, [%r12];
)" + wait_for_phase + "ld.shared.u32 %r10, [%r4];\n"),
                                   2, 2);
  EXPECT_THAT(ran.out, testing::Each(5u + 63 * 64 / 2));
  EXPECT_FALSE(ran.races.accuses());
}

// The word is there only after the phase has completed.
TEST(ClusterObjects, AnAsynchronousStoreMustBeAwaited) {
  const CopiesRan ran = run_copies(with_cluster_object("1", map_other + R"(
    st.shared.u32 [%r5], 0;
    barrier.cluster.arrive;
    barrier.cluster.wait;
    @%p1 mbarrier.arrive.expect_tx.shared::cta.b64 %rd10, [object], 256;
    st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r11], %r1, [%r12];
    barrier.cluster.arrive;
    barrier.cluster.wait;
    ld.shared.u32 %r10, [%r5];
)"),
                                   2, 2);
  ASSERT_TRUE(ran.races.accuses());
  EXPECT_EQ(ran.races.races[0].kind, RaceKind::copy_not_awaited);
}

const std::string fill_tile = "mad.lo.u32 %r13, %r3, 1000, %r1;\nst.shared.u32 [%r5], %r13;\nbar.sync 0;\n";

TEST(ClusterCopies, GoFromBlockToBlock) {
  const std::string copy = R"(
    add.u32 %r20, %r4, 512;
    mapa.shared::cluster.u32 %r21, %r20, %r7;
    @%p1 mbarrier.arrive.expect_tx.shared::cta.b64 %rd10, [object], 256;
    fence.proxy.async;
    @%p1 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r21], [%r4], 256, [%r12];
)";
  const CopiesRan ran = run_copies(
      with_cluster_object("1", map_other + fill_tile + copy + wait_for_phase + "ld.shared.u32 %r10, [%r5+512];\n"), 4,
      2);
  EXPECT_FALSE(ran.races.accuses());
  for (U32 i = 0; i < ran.out.size(); ++i) EXPECT_EQ(ran.out[i], (i / 64 ^ 1) * 1000 + i % 64);
  const CopiesRan early = run_copies(with_cluster_object("1", map_other + fill_tile +
                                                                  "st.shared.u32 [%r5+512], 0;\n"
                                                                  "barrier.cluster.arrive;\nbarrier.cluster.wait;\n" +
                                                                  copy +
                                                                  "barrier.cluster.arrive;\nbarrier.cluster.wait;\n"
                                                                  "ld.shared.u32 %r10, [%r5+512];\n"),
                                     2, 2);
  EXPECT_TRUE(early.races.accuses());
}

TEST(ClusterCopies, GoToSeveralBlocks) {
  // The block of rank 1 sends 64 words to the blocks in the mask, to the same place in each.
  const auto sent = [](const std::string& mask, const std::string& receives) {
    return run_copies(with_cluster_object("1", R"(
    st.shared.u32 [%r5], 77;
    bar.sync 0;
    setp.eq.u32 %p3, %r2, 1;
    and.pred %p4, %p1, %p3;
    mov.u16 %h1, )" + mask + R"(;
    mov.u32 %r20, 1;
    shl.b32 %r20, %r20, %r2;
    and.b32 %r20, %r20, )" + receives +
                                                   R"(;
    setp.ne.u32 %p5, %r20, 0;
    and.pred %p6, %p1, %p5;
    @%p6 mbarrier.arrive.expect_tx.shared::cta.b64 %rd10, [object], 256;
    barrier.cluster.arrive;
    barrier.cluster.wait;
    @%p4 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r4], [%rd1], 256, [%r6], %h1;
    @!%p5 bra READ;
)" + wait_for_phase + "READ:\nld.shared.u32 %r10, [%r5];\n"),
                      8, 4);
  };
  for (const U32 mask : {0b0010u, 0b1101u, 0b1111u}) {
    const CopiesRan ran = sent(std::to_string(mask), std::to_string(mask));
    EXPECT_FALSE(ran.races.accuses()) << mask;
    for (U32 i = 0; i < ran.out.size(); ++i)
      EXPECT_EQ(ran.out[i], (mask >> (i / 64 % 4) & 1u) != 0 ? i % 64 * 7 + 1 : 77u) << mask << " " << i;
  }
}

TEST(ClusterCopies, RulesAreHeld) {
  const std::string copy =
      "@%p1 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r11], [%r4], 256, [%r6];\n";
  EXPECT_THAT(copy_fault(with_cluster_object("1", map_other + fill_tile + copy), "mbarrier.of_another_block").message,
              HasSubstr("shared memory of block 0 of the cluster, and completes on an mbarrier of block 1"));
  copy_fault(
      with_cluster_object(
          "1", map_other + "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r11], %r1, [%r6];\n"),
      "mbarrier.of_another_block");
  const std::string multicast =
      "mov.u16 %h1, 6;\n@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster "
      "[%r4], [%rd1], 256, [%r6], %h1;\n";
  EXPECT_THAT(copy_fault(with_cluster_object("1", multicast), "cluster.no_such_block").message, HasSubstr("mask 0x6"));
}

}  // namespace
}  // namespace lanescope::sim
