// cp.async.bulk, and the barrier of a cluster of one block. Expectations follow "PTX ISA", cp.async.bulk and
// barrier.cluster.

#include "sim/launcher.h"
#include "sim/tensor/own_features.h"

namespace lanescope::sim {
namespace {

using test::kernel;
using test::Launcher;
using testing::HasSubstr;
using U32 = std::uint32_t;

// %rd1 in, %rd2 out, %r1 thread, %p1 thread 0, %r2 tile of 1024 bytes, %r3 this thread's word in it.
std::string with_tile(const std::string& body) {
  return kernel(".param .u64 in, .param .u64 out", R"(
    .shared .align 8 .b64 object;
    .shared .align 16 .b8 tile[1024];
    ld.param.u64 %rd1, [in];
    ld.param.u64 %rd2, [out];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, tile;
    shl.b32 %r3, %r1, 2;
    add.u32 %r3, %r2, %r3;
    mov.u32 %r10, 0;
    setp.eq.u32 %p1, %r1, 0;
    @%p1 mbarrier.init.shared.b64 [object], 1;
    bar.sync 0;
)" + body + "\n");
}

const std::string store_word = R"(
    mul.wide.u32 %rd4, %r1, 4;
    add.s64 %rd5, %rd2, %rd4;
    st.global.u32 [%rd5], %r10;
    ret;
)";

const std::string wait_for_it = R"(
  AGAIN:
    mbarrier.try_wait.parity.shared.b64 %p2, [object], 0;
    @!%p2 bra AGAIN;
)";

std::vector<U32> counted(U32 count) {
  std::vector<U32> values;
  for (U32 i = 0; i < count; ++i) values.push_back(i * 7 + 1);
  return values;
}

struct Ran {
  LaunchResult result;
  std::vector<U32> out;
};
Ran run_copy(const std::string& text, U32 threads, U32 in = 256, U32 out = 256, bool races = true) {
  Launcher k(text);
  k.block = {threads, 1, 1};
  k.request.races = races;
  k.add_buffer(counted(in));
  const int to = k.add_buffer(std::vector<U32>(out));
  Ran ran;
  ran.result = k.run_anyway();
  for (const Diagnostic& diagnostic : ran.result.diagnostics)
    EXPECT_EQ(diagnostic.code, "count.bulk_copy") << format(diagnostic);
  EXPECT_TRUE(ran.result.completed);
  ran.out = Launcher::values<U32>(ran.result, to);
  return ran;
}

const std::string to_shared = R"(
    @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [object], 512;
    mov.u32 %r4, object;
    @%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd1], 512, [%r4];
)";

TEST(BulkCopy, BringsItsBytesAndEndsThePhase) {
  const Ran ran = run_copy(with_tile(to_shared + wait_for_it + "ld.shared.u32 %r10, [%r3];" + store_word), 128);
  for (U32 t = 0; t < 128; ++t) EXPECT_EQ(ran.out[t], t * 7 + 1);
  EXPECT_FALSE(ran.result.races.accuses());
  // It is not a request of the warp.
  using trace::MemoryClass;
  EXPECT_EQ(ran.result.trace.totals.of(MemoryClass::global_load).requests, 0u);
  EXPECT_EQ(ran.result.trace.totals.of(MemoryClass::shared_store).requests, 0u);
  ASSERT_EQ(ran.result.diagnostics.size(), 1u);
  EXPECT_EQ(ran.result.diagnostics[0].severity, Severity::note);
}

// Bytes that are expected only after they came, and a second phase into the same place.
TEST(BulkCopy, MayComeBeforeItIsExpected) {
  const Ran ran = run_copy(with_tile(R"(
    mov.u32 %r4, object;
    @%p1 cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r2], [%rd1], 256, [%r4];
    @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [object], 256;
)" + wait_for_it + R"(
    ld.shared.u32 %r10, [%r3];
    bar.sync 0;
    @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [object], 256;
    @%p1 cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r2], [%rd1+256], 256, [%r4];
  MORE:
    mbarrier.try_wait.parity.shared.b64 %p2, [object], 1;
    @!%p2 bra MORE;
    ld.shared.u32 %r11, [%r3];
    add.u32 %r10, %r10, %r11;
)" + store_word),
                           64);
  for (U32 t = 0; t < 64; ++t) EXPECT_EQ(ran.out[t], 2 * (t * 7 + 1) + 64 * 7);
  EXPECT_FALSE(ran.result.races.accuses());
}

const std::string to_global = R"(
    mul.lo.u32 %r10, %r1, 3;
    st.shared.u32 [%r3], %r10;
    fence.proxy.async.shared::cta;
    bar.sync 0;
    @%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r2], 256;
    @%p1 cp.async.bulk.commit_group;
)";

TEST(BulkCopy, WritesGlobalMemoryInAGroup) {
  const Ran ran = run_copy(with_tile(to_global + R"(
    @%p1 cp.async.bulk.wait_group.read 0;
    bar.sync 0;
    st.shared.u32 [%r3], %r1;
    @%p1 cp.async.bulk.wait_group 0;
    ret;
)"),
                           64);
  for (U32 t = 0; t < 64; ++t) EXPECT_EQ(ran.out[t], 3 * t);
  EXPECT_FALSE(ran.result.races.accuses());
}

TEST(BulkCopy, WithinSharedMemoryAndPrefetch) {
  const Ran ran = run_copy(with_tile(R"(
    st.shared.u32 [%r3], %r1;
    fence.proxy.async.shared::cta;
    bar.sync 0;
    mov.u32 %r4, object;
    add.u32 %r5, %r2, 512;
    @%p1 cp.async.bulk.prefetch.L2.global [%rd1], 64;
    @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [object], 256;
    @%p1 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r5], [%r2], 256, [%r4];
)" + wait_for_it + "ld.shared.u32 %r10, [%r3+512];" +
                                     store_word),
                           64);
  for (U32 t = 0; t < 64; ++t) EXPECT_EQ(ran.out[t], t);
  EXPECT_FALSE(ran.result.races.accuses());
}

// The words of `out` are counted(); each thread's word of the tile is 5 times its number.
std::vector<U32> reduced(const std::string& operation) {
  Launcher k(with_tile(R"(
    mul.lo.u32 %r10, %r1, 5;
    st.shared.u32 [%r3], %r10;
    fence.proxy.async.shared::cta;
    bar.sync 0;
    @%p1 cp.reduce.async.bulk.global.shared::cta.bulk_group.)" +
                       operation + R"( [%rd2], [%r2], 256;
    @%p1 cp.async.bulk.commit_group;
    @%p1 cp.async.bulk.wait_group 0;
    ret;
)"));
  k.block = {64, 1, 1};
  k.request.races = true;
  k.add_buffer(counted(4));
  const int out = k.add_buffer(counted(64));
  const LaunchResult result = k.run_anyway();
  EXPECT_TRUE(result.completed) << operation;
  EXPECT_FALSE(result.races.accuses()) << operation;
  return Launcher::values<U32>(result, out);
}

TEST(BulkReduction, CombinesEachElementWithMemory) {
  using Two = U32 (*)(U32, U32);
  const std::pair<const char*, Two> all[] = {
      {"add.u32", [](U32 a, U32 b) { return a + b; }},
      {"add.s32", [](U32 a, U32 b) { return a + b; }},
      {"min.u32", [](U32 a, U32 b) { return a < b ? a : b; }},
      {"max.s32", [](U32 a, U32 b) { return a < b ? b : a; }},
      {"and.b32", [](U32 a, U32 b) { return a & b; }},
      {"or.b32", [](U32 a, U32 b) { return a | b; }},
      {"xor.b32", [](U32 a, U32 b) { return a ^ b; }},
      {"inc.u32", [](U32 a, U32 b) { return a >= b ? 0 : a + 1; }},
      {"dec.u32", [](U32 a, U32 b) { return a == 0 || a > b ? b : a - 1; }},
  };
  for (const auto& [name, expected] : all) {
    const std::vector<U32> out = reduced(name);
    for (U32 i = 0; i < 64; ++i) ASSERT_EQ(out[i], expected(i * 7 + 1, i * 5)) << name << " " << i;
  }
  // Pairs of words as one number: the sum of the low words has no carry here.
  const std::vector<U32> wide = reduced("add.u64");
  for (U32 i = 0; i < 64; ++i) EXPECT_EQ(wide[i], i * 12 + 1);
}

// "PTX ISA": the f32 addition flushes subnormal operands, that of f16 preserves them.
TEST(BulkReduction, OfFloatingPointNumbers) {
  // All words are subnormal f32, so each sum is a zero.
  for (const U32 word : reduced("add.f32")) EXPECT_EQ(word, 0u);
  // The low halves are subnormal f16, whose sum is that of their bits.
  const std::vector<U32> halves = reduced("add.noftz.f16");
  for (U32 i = 0; i < 64; ++i) EXPECT_EQ(halves[i], i * 12 + 1);
}

TEST(BulkReduction, ToSharedMemoryCompletesOnTheObject) {
  const Ran ran = run_copy(with_tile(R"(
    st.shared.u32 [%r3], %r1;
    st.shared.u32 [%r3+512], 100;
    fence.proxy.async.shared::cta;
    bar.sync 0;
    mov.u32 %r4, object;
    add.u32 %r5, %r2, 512;
    @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [object], 256;
    @%p1 cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%r5], [%r2], 256, [%r4];
)" + wait_for_it + "ld.shared.u32 %r10, [%r3+512];" +
                                     store_word),
                           64);
  for (U32 t = 0; t < 64; ++t) EXPECT_EQ(ran.out[t], 100 + t);
  EXPECT_FALSE(ran.result.races.accuses());
}

// Blocks on several threads see other blocks' bulk copies as if the blocks ran one after another.
TEST(BulkCopy, SameResultOnManyThreads) {
  const std::string text = kernel(".param .u64 in, .param .u64 out", R"(
    .shared .align 16 .b8 tile[256];
    ld.param.u64 %rd2, [out];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, tile;
    shl.b32 %r3, %r1, 2;
    add.u32 %r3, %r2, %r3;
    mov.u32 %r4, %ctaid.x;
    st.shared.u32 [%r3], %r4;
    bar.sync 0;
    mul.wide.u32 %rd3, %r4, 256;
    add.s64 %rd3, %rd3, %rd2;
    setp.eq.u32 %p1, %r1, 0;
    @%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd3], [%r2], 256;
    ret;
)");
  for (const int threads : {1, 4}) {
    Launcher k(text);
    k.grid = {4096, 1, 1};
    k.block = {64, 1, 1};
    k.request.threads = threads;
    k.add_buffer(counted(4));
    const int out = k.add_buffer(std::vector<U32>(4096 * 64));
    const LaunchResult result = k.run_anyway();
    ASSERT_TRUE(result.completed);
    const auto values = Launcher::values<U32>(result, out);
    for (U32 i = 0; i < values.size(); ++i) ASSERT_EQ(values[i], i / 64) << threads;
  }
}

Diagnostic fault_of(const std::string& text, const std::string& code) {
  Launcher k(text);
  k.block = {64, 1, 1};
  k.add_buffer(counted(64));
  k.add_buffer(std::vector<U32>(64));
  return k.fault(code);
}
std::string copy_of(const std::string& to, const std::string& from, const std::string& bytes,
                    const std::string& object = "%r4") {
  return with_tile("mov.u32 %r4, object;\n@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [" +
                   to + "], [" + from + "], " + bytes + ", [" + object + "];\nret;");
}

TEST(BulkCopy, RulesAreHeld) {
  EXPECT_THAT(fault_of(copy_of("%r2", "%rd1", "24"), "memory.bulk_copy").message, HasSubstr("24 bytes"));
  EXPECT_THAT(fault_of(copy_of("%r2+8", "%rd1", "16"), "memory.bulk_copy").message, HasSubstr("shared address"));
  EXPECT_THAT(fault_of(copy_of("%r2", "%rd1+4", "16"), "memory.bulk_copy").message, HasSubstr("global address"));
  EXPECT_THAT(fault_of(copy_of("%r2", "%rd1", "272"), "memory.out_of_bounds").message, HasSubstr("272 bytes"));
  fault_of(copy_of("%r2+1008", "%rd1", "32"), "memory.out_of_bounds");
  fault_of(copy_of("%r2", "%rd1", "16", "%r2+512"), "mbarrier.not_initialised");
  fault_of(copy_of("%r2", "%rd1", "16", "%r4+4"), "memory.misaligned");
  fault_of(with_tile("@%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r2], 256;\nret;"),
           "memory.uninitialised");
}

// Many blocks add to the same words.
TEST(BulkReduction, SumsOfManyBlocksAreExact) {
  for (const int threads : {1, 4}) {
    Launcher k(with_tile(R"(
    st.shared.u32 [%r3], %r1;
    fence.proxy.async.shared::cta;
    bar.sync 0;
    @%p1 cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd2], [%r2], 256;
    ret;
)"));
    k.grid = {1000, 1, 1};
    k.block = {64, 1, 1};
    k.request.threads = threads;
    k.add_buffer(counted(4));
    const int out = k.add_buffer(std::vector<U32>(64));
    const LaunchResult result = k.run_anyway();
    ASSERT_TRUE(result.completed);
    const auto values = Launcher::values<U32>(result, out);
    for (U32 i = 0; i < 64; ++i) ASSERT_EQ(values[i], 1000 * i) << threads;
  }
}

// "PTX ISA" has a table of the types of each operation.
TEST(BulkReduction, OtherTypesAreRefused) {
  const std::string in_global = "cp.reduce.async.bulk.global.shared::cta.bulk_group.",
                    in_shared = "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.";
  for (const std::string one : {"and.u32", "inc.s32", "min.f32", "add.f16", "add.s64"})
    fault_of(with_tile(in_global + one + " [%rd2], [%r2], 16;\nret;"), "run.unsupported_instruction");
  for (const std::string one : {"add.f32", "min.u64", "and.b64"})
    fault_of(with_tile(in_shared + one + " [%r2], [%r2], 16, [%r4];\nret;"), "run.unsupported_instruction");
}

// A form that is not interpreted is refused when it is executed.
TEST(BulkCopy, OtherFormsAreRefused) {
  for (const std::string form :
       {"cp.async.bulk.global.shared::cta.bulk_group.cp_mask [%rd2], [%r2], 16, %h1",
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd1], %rd2, [%r4]"})
    fault_of(test::for_target("sm_100a", with_tile(form + ";\nret;")), "run.unsupported_instruction");
}

// ---- races ------------------------------------------------------------------------------------------

TEST(BulkCopy, MustBeAwaitedThroughItsObject) {
  // A block barrier does not wait for the copy.
  const Ran barrier = run_copy(with_tile(to_shared + "bar.sync 0;\nld.shared.u32 %r10, [%r3];" + store_word), 128);
  ASSERT_EQ(barrier.result.races.races.size(), 1u);
  EXPECT_EQ(barrier.result.races.races[0].kind, RaceKind::copy_not_awaited);
  // It is enough that one thread waits and then all meet at a barrier.
  const Ran handed = run_copy(with_tile(to_shared + R"(
    @!%p1 bra MEET;
)" + wait_for_it + "MEET:\nbar.sync 0;\nld.shared.u32 %r10, [%r3];" +
                                        store_word),
                              128);
  EXPECT_FALSE(handed.result.races.accuses());
  // One thread has waited; another thread has no order with it.
  const Ran other = run_copy(with_tile(to_shared + R"(
    bar.sync 0;
    setp.lt.u32 %p3, %r1, 64;
    @!%p3 bra READ;
)" + wait_for_it + "READ:\nld.shared.u32 %r10, [%r3];" +
                                       store_word),
                             128);
  EXPECT_TRUE(other.result.races.accuses());
}

TEST(BulkCopy, ItsSourceMustNotChangeBeforeItIsRead) {
  EXPECT_TRUE(
      run_copy(with_tile(to_global + "bar.sync 0;\nst.shared.u32 [%r3], %r1;\nret;"), 64).result.races.accuses());
  // wait_group.read only means that the copy has read its source; its result is not there yet.
  const std::string read_back = R"(
    bar.sync 0;
    mul.wide.u32 %rd4, %r1, 4;
    add.s64 %rd5, %rd2, %rd4;
    ld.global.u32 %r10, [%rd5];
    st.shared.u32 [%r3+512], %r10;
    ret;
)";
  EXPECT_TRUE(run_copy(with_tile(to_global + "@%p1 cp.async.bulk.wait_group.read 0;\n" + read_back), 64)
                  .result.races.accuses());
  EXPECT_FALSE(
      run_copy(with_tile(to_global + "@%p1 cp.async.bulk.wait_group 0;\n" + read_back), 64).result.races.accuses());
}

// The code of the warning about proxies; empty if there is none.
std::string proxy_warning(const std::string& body) {
  Launcher k(with_tile(body));
  k.block = {64, 1, 1};
  k.request.races = true;
  k.add_buffer(counted(64));
  k.add_buffer(std::vector<U32>(64));
  const LaunchResult result = k.run_anyway();
  EXPECT_TRUE(result.completed);
  EXPECT_FALSE(result.races.accuses());
  for (const Diagnostic& one : result.diagnostics)
    if (one.severity == Severity::warning) return one.code;
  return "";
}

// "CUDA C++ Programming Guide", asynchronous data copies using the tensor memory accelerator: threads that wrote shared
// memory execute fence.proxy.async before a bulk copy reads it.
TEST(BulkCopy, NeedsAProxyFenceAfterPlainWrites) {
  const std::string write = "st.shared.u32 [%r3], %r1;\n", meet = "bar.sync 0;\n",
                    fence = "fence.proxy.async.shared::cta;\n",
                    copy =
                        "@%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd2], [%r2], 256;\n"
                        "@%p1 cp.async.bulk.commit_group;\n@%p1 cp.async.bulk.wait_group 0;\n",
                    end = "ret;\n";
  const char* const missing = "race.proxy_fence";
  EXPECT_EQ(proxy_warning(write + meet + copy + end), missing);
  EXPECT_EQ(proxy_warning(write + fence + meet + copy + end), "");
  EXPECT_EQ(proxy_warning(write + meet + fence + copy + end), "");
  EXPECT_EQ(proxy_warning(write + "fence.proxy.async;\n" + meet + copy + end), "");
  EXPECT_EQ(proxy_warning(write + "fence.proxy.async.global;\n" + meet + copy + end), missing);
  EXPECT_EQ(proxy_warning(write + "fence.proxy.alias;\nmembar.gl;\n" + meet + copy + end), missing);
  // A fence before the write.
  EXPECT_EQ(proxy_warning(fence + write + meet + copy + end), missing);
  // What another copy brought needs none.
  EXPECT_EQ(proxy_warning("@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [object], 256;\nmov.u32 %r4, object;\n"
                          "@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r2], [%rd1], 256, "
                          "[%r4];\n" +
                          wait_for_it + meet + copy + end),
            "");
  // The write of the second turn comes after the fence of the first.
  EXPECT_EQ(proxy_warning(write + fence + meet + copy + meet + write + meet + copy + end), missing);
}

// ---- the barrier of the cluster ---------------------------------------------------------------------

const std::string read_opposite = R"(
    sub.u32 %r4, 63, %r1;
    shl.b32 %r4, %r4, 2;
    add.u32 %r4, %r2, %r4;
    ld.shared.u32 %r10, [%r4];
)";

TEST(ClusterBarrier, OfOneBlockIsABarrierOfItsThreads) {
  const std::string text = with_tile(R"(
    mul.lo.u32 %r5, %r1, 5;
    st.shared.u32 [%r3], %r5;
    barrier.cluster.arrive.release.aligned;
    add.u32 %r6, %r5, %r5;
    barrier.cluster.wait.acquire.aligned;
)" + read_opposite + R"(
    barrier.cluster.arrive;
    barrier.cluster.wait;
    st.shared.u32 [%r3], %r6;
)" + store_word);
  const Ran ran = run_copy(text, 64);
  for (U32 t = 0; t < 64; ++t) EXPECT_EQ(ran.out[t], 5 * (63 - t));
  EXPECT_FALSE(ran.result.races.accuses());
  EXPECT_EQ(ran.result.trace.totals.barriers, 10u);  // for two warps: the first barrier, two arrivals, two waits
  // Without the second pair, or with a relaxed arrival, it races.
  EXPECT_TRUE(run_copy(with_tile("st.shared.u32 [%r3], %r1;\nbarrier.cluster.arrive.relaxed;\nbarrier.cluster.wait;\n" +
                                 read_opposite + store_word),
                       64)
                  .result.races.accuses());
}

TEST(ClusterBarrier, DoesNotWaitForThreadsThatHaveExited) {
  const Ran ran = run_copy(with_tile("setp.ge.u32 %p2, %r1, 40;\n@%p2 ret;\nbarrier.cluster.arrive;\n"
                                     "barrier.cluster.wait;\nmov.u32 %r10, 9;" +
                                     store_word),
                           64);
  for (U32 t = 0; t < 64; ++t) EXPECT_EQ(ran.out[t], t < 40 ? 9u : 0u);
}

TEST(ClusterBarrier, MisuseIsTold) {
  fault_of(with_tile("barrier.cluster.wait;\nret;"), "barrier.cluster_order");
  fault_of(with_tile("barrier.cluster.arrive;\nbarrier.cluster.arrive;\nret;"), "barrier.cluster_order");
  const Diagnostic stuck = fault_of(with_tile("setp.ge.u32 %p2, %r1, 32;\n@%p2 bra MEET;\nbarrier.cluster.arrive;\n"
                                              "barrier.cluster.wait;\nMEET:\nbar.sync 0;\nret;"),
                                    "barrier.not_reached_by_all");
  EXPECT_THAT(stuck.message, HasSubstr("32 threads wait at the barrier of the cluster"));
}

}  // namespace
}  // namespace lanescope::sim
