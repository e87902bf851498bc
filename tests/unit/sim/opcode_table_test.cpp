// Every row of opcodes.def either has a semantic test or is refused by name. Arithmetic rows have their cases in
// alu_*_test.cpp. All others have one here: a kernel of two warps that ends with a value in each thread, and the same
// value computed on the host. Other tests of this folder go deeper; this one makes sure that no row is left out.

#include <bit>
#include <functional>
#include <map>

#include "ptx/named_opcodes.h"
#include "ptx/opcode_table.h"
#include "sim/alu/alu_cases.h"
#include "sim/launcher.h"
#include "sim/tensor/own_features.h"

namespace lanescope::sim {
namespace {

using ptx::Opcode;
using test::kernel;
using test::Launcher;
using U32 = std::uint32_t;

constexpr U32 threads = 64;

// The values of thread t's %r2 and %r3.
U32 a_of(U32 t) {
  return 1000 + 7 * t;
}
U32 b_of(U32 t) {
  return t * t + 3;
}
U32 lane_of(U32 t) {
  return t % 32;
}
U32 warp_of(U32 t) {
  return t / 32;
}
// The sum of f over the lanes of t's warp.
U32 sum_of_warp(U32 t, const std::function<U32(U32)>& f) {
  U32 sum = 0;
  for (U32 i = 32 * warp_of(t); i < 32 * warp_of(t) + 32; ++i) sum += f(i);
  return sum;
}

struct OpcodeCase {
  std::string body;                  // leaves its result in %r10, which starts as 0
  std::function<U32(U32)> expected;  // of thread t
  std::string before = "";           // the text before the kernel
  int tile = 256;                    // bytes
};

// A target that has the instructions of the case.
const char* target_of(const OpcodeCase& test) {
  const auto has = [&](const char* word) { return test.body.find(word) != std::string::npos; };
  if (has("wgmma") || has("setmaxnreg")) return "sm_90a";
  return has("shfl.down") || has("vote.ballot") ? "sm_60" : "sm_100a";
}

// The kernel around a body: %r1 thread, %rd4 address of its a, %rd5 of its result, %r20 of its own word in the shared
// tile and %r21 of the word of thread 63 - t, %p1: t is divisible by 3.
std::string whole(const OpcodeCase& test) {
  return test::for_target(target_of(test), kernel(".param .u64 in, .param .u64 out",
                                                  R"(
    .shared .align 16 .b8 tile[)" + std::to_string(test.tile) +
                                                      R"(];
    ld.param.u64 %rd1, [in];
    ld.param.u64 %rd2, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd3, %r1, 4;
    add.s64 %rd4, %rd1, %rd3;
    add.s64 %rd5, %rd2, %rd3;
    ld.global.u32 %r2, [%rd4];
    ld.global.u32 %r3, [%rd4+256];
    mov.u32 %r22, tile;
    shl.b32 %r23, %r1, 2;
    add.u32 %r20, %r22, %r23;
    sub.u32 %r21, %r22, %r23;
    add.u32 %r21, %r21, 252;
    rem.u32 %r4, %r1, 3;
    setp.eq.u32 %p1, %r4, 0;
    mov.u32 %r10, 0;
  )" + test.body + "\nst.global.u32 [%rd5], %r10;\nret;\n",
                                                  test.before));
}

// A value goes through shared memory to thread 63 - t, with `between` in the middle.
OpcodeCase exchanged(const std::string& between) {
  return {"st.shared.u32 [%r20], %r2;\n" + between + "\nld.shared.u32 %r10, [%r21];",
          [](U32 t) { return a_of(63 - t); }};
}
// The same between lanes of a warp.
OpcodeCase exchanged_in_warp(const std::string& between) {
  return {"st.shared.u32 [%r20], %r2;\nxor.b32 %r21, %r23, 124;\nadd.u32 %r21, %r21, %r22;\n" + between +
              "\nld.shared.u32 %r10, [%r21];",
          [](U32 t) { return a_of(t ^ 31); }};
}
// An instruction that does not affect values.
OpcodeCase ignored(const std::string& instruction) {
  return {instruction + "\nadd.u32 %r10, %r2, %r3;", [](U32 t) { return a_of(t) + b_of(t); }};
}
// Warp 0 fills the tile and continues; warp 1 waits for it and reads.
OpcodeCase produced(const std::string& arrive, const std::string& wait) {
  return {
      "mov.u32 %r10, %r2;\nsetp.ge.u32 %p2, %r1, 32;\n@%p2 bra READ;\nst.shared.u32 [%r20], "
      "%r2;\n" +
          arrive + "\nbra DONE;\nREAD:\n" + wait + "\nld.shared.u32 %r10, [%r20+-128];\nDONE:",
      [](U32 t) { return a_of(lane_of(t)); }};
}

const std::map<std::string, OpcodeCase>& cases() {
  static const std::map<std::string, OpcodeCase> all = [] {
    std::map<std::string, OpcodeCase> c;

    // ---- memory ----
    c["ld"] = {"ld.global.u32 %r10, [%rd4+4];", [](U32 t) { return t < 63 ? a_of(t + 1) : b_of(0); }};
    c["ldu"] = {"ldu.global.u32 %r10, [%rd1+8];", [](U32) { return a_of(2); }};
    c["st"] = exchanged("bar.sync 0;");
    c["atom"] = {
        "atom.global.exch.b32 %r11, [%rd4], %r3;\nld.global.u32 %r12, [%rd4];\n"
        "mad.lo.u32 %r10, %r11, 10000, %r12;",
        [](U32 t) { return a_of(t) * 10000 + b_of(t); }};
    c["red"] = {"red.global.add.u32 [%rd1], %r3;\nbar.sync 0;\nld.global.u32 %r10, [%rd1];",
                [](U32 t) { return a_of(0) + sum_of_warp(t, b_of) + sum_of_warp(t ^ 32, b_of); }};
    c["prefetch"] = ignored("prefetch.global.L1 [%rd4];");
    c["prefetchu"] = ignored("prefetchu.L1 [%rd4];");
    c["discard"] = ignored("discard.global.L2 [%rd2], 128;");
    c["applypriority"] = ignored("applypriority.global.L2::evict_normal [%rd2], 128;");
    c["createpolicy"] = {
        "createpolicy.fractional.L2::evict_last.b64 %rd10, 1.0;\n"
        "ld.global.L2::cache_hint.u32 %r10, [%rd4], %rd10;",
        a_of};
    const std::string to_word = "cvt.u64.u32 %rd10, %r20;\ncvta.shared.u64 %rd11, %rd10;\n";
    c["cvta"] = {to_word +
                     "st.u32 [%rd11], %r2;\ncvta.to.shared.u64 %rd12, %rd11;\n"
                     "ld.shared.u32 %r10, [%rd12];",
                 a_of};
    c["isspacep"] = {to_word +
                         "isspacep.shared %p2, %rd11;\n@%p2 add.u32 %r10, %r10, 1;\n"
                         "isspacep.global %p3, %rd11;\n@%p3 add.u32 %r10, %r10, 2;\n"
                         "isspacep.global %p4, %rd4;\n@%p4 add.u32 %r10, %r10, 4;\n"
                         "isspacep.local %p5, %rd4;\n@%p5 add.u32 %r10, %r10, 8;",
                     [](U32) { return 5u; }};
    // Without clusters, a block is a cluster of its own.
    c["mapa"] = {"mapa.shared::cluster.u32 %r11, %r20, 0;\nsub.u32 %r10, %r11, %r22;", [](U32 t) { return 4 * t; }};
    c["getctarank"] = {"mov.u32 %r10, 77;\ngetctarank.shared::cluster.u32 %r10, %r20;", [](U32) { return 0u; }};
    const std::string copy = "cp.async.ca.shared.global [%r20], [%rd4], 4;\n";
    c["cp.async"] = {copy + "cp.async.wait_all;\nbar.sync 0;\nld.shared.u32 %r10, [%r21];",
                     [](U32 t) { return a_of(63 - t); }};
    c["cp.async.wait_all"] = c["cp.async"];
    c["cp.async.commit_group"] = {copy + "cp.async.commit_group;\ncp.async.wait_group 0;\nld.shared.u32 %r10, [%r20];",
                                  a_of};
    c["cp.async.wait_group"] = c["cp.async.commit_group"];

    // ---- tensor cores ----
    c["mma"] = {
        "mov.u32 %r5, 0x01010101;\nmma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r10, %r11}, {%r5}, {%r5}, {%r2, "
        "%r3};",
        [](U32 t) { return a_of(t) + 16; }};
    c["wmma.mma"] = {
        "mov.u32 %r5, 0x11111111;\nwmma.mma.sync.aligned.row.col.m8n8k32.s32.u4.u4.s32 {%r11, %r10}, {%r5}, {%r5}, "
        "{%r2, %r3};",
        [](U32 t) { return b_of(t) + 32; }};
    c["wmma.load"] = {"wmma.load.a.sync.aligned.row.m8n8k32.global.u4 {%r10}, [%rd1], 32;",
                      [](U32 t) { return a_of(lane_of(t)); }};
    const std::string first_warp = "setp.ge.u32 %p2, %r1, 32;\n@%p2 bra SKIP;\n";
    const std::string skipped = "\nSKIP:\nbar.sync 0;\nld.shared.u32 %r10, [%r20];";
    c["wmma.store"] = {first_warp + "wmma.store.d.sync.aligned.row.m8n8k32.shared.s32 [%r22], {%r2, %r3}, 8;" + skipped,
                       [](U32 t) { return t % 2 == 0 ? a_of(t / 2) : b_of(t / 2); }};
    const std::string rows = "and.b32 %r5, %r1, 7;\nshl.b32 %r5, %r5, 4;\nadd.u32 %r5, %r5, %r22;\n";
    c["ldmatrix"] = {
        rows + "st.shared.u32 [%r20], %r2;\nbar.sync 0;\nldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r10}, [%r5];",
        [](U32 t) { return a_of(lane_of(t)); }};
    c["stmatrix"] = {rows + "st.shared.u32 [%r20], %r3;\nbar.sync 0;\n" + first_warp +
                         "stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r5], {%r2};" + skipped,
                     [](U32 t) { return t < 32 ? a_of(t) : b_of(t); }};
    c["movmatrix"] = {"movmatrix.sync.aligned.m8n8.trans.b16 %r10, %r3;", [](U32 t) {
                        const auto element = [&](U32 row, U32 column) {
                          return b_of(32 * warp_of(t) + row * 4 + column / 2) >> (column % 2 * 16) & 0xffffu;
                        };
                        const U32 row = lane_of(t) / 4, pair = lane_of(t) % 4 * 2;
                        return element(pair, row) | element(pair + 1, row) << 16;
                      }};

    // ---- barriers and fences ----
    c["bar.sync"] = exchanged("bar.sync 0;");
    c["barrier.sync"] = exchanged("barrier.sync 3;");
    c["bar.arrive"] = produced("bar.arrive 1, 64;", "bar.sync 1, 64;");
    c["barrier.arrive"] = produced("barrier.arrive 1, 64;", "barrier.sync 1, 64;");
    c["bar.red"] = {"bar.red.popc.u32 %r10, 0, %p1;", [](U32) { return 22u; }};
    c["barrier.red"] = {"barrier.red.popc.u32 %r10, 0, !%p1;", [](U32) { return 42u; }};
    c["bar.warp.sync"] = exchanged_in_warp("bar.warp.sync 0xffffffff;");
    c["membar"] = exchanged_in_warp("membar.cta;\nbar.warp.sync 0xffffffff;");
    c["fence"] = exchanged_in_warp("fence.acq_rel.gpu;\nbar.warp.sync 0xffffffff;");

    // ---- mbarrier objects and bulk copies ----
    // Thread 0 initialises the object in the tile's first 8 bytes for 64 arrivals.
    const auto with_object = [](const std::string& body) {
      return "setp.eq.u32 %p2, %r1, 0;\n@%p2 mbarrier.init.shared.b64 [tile], 64;\nbar.sync 0;\n" + body;
    };
    const std::string await = "\nWAIT:\nmbarrier.try_wait.parity.shared.b64 %p3, [tile], 0;\n@!%p3 bra WAIT;\n";
    const std::string is_over = "\nmbarrier.test_wait.parity.shared.b64 %p3, [tile], 0;\n@%p3 add.u32 %r10, %r10, 1;\n";
    c["mbarrier.init"] = {with_object(is_over), [](U32) { return 0u; }};
    c["mbarrier.arrive"] = {with_object("mbarrier.arrive.shared.b64 %rd10, [tile];\nbar.sync 0;" + is_over),
                            [](U32) { return 1u; }};
    c["mbarrier.arrive_drop"] = {with_object("mbarrier.arrive_drop.shared.b64 %rd10, [tile];\nbar.sync 0;" + is_over),
                                 [](U32) { return 1u; }};
    c["mbarrier.try_wait"] = {with_object("mbarrier.arrive.shared.b64 _, [tile];" + await + "mov.u32 %r10, %r2;"),
                              a_of};
    c["mbarrier.test_wait"] = {with_object("mbarrier.arrive.shared.b64 %rd10, [tile];\nWAIT:\n"
                                           "mbarrier.test_wait.shared.b64 %p3, [tile], %rd10;\n@!%p3 bra WAIT;\n"
                                           "mov.u32 %r10, %r2;"),
                               a_of};
    c["mbarrier.inval"] = {with_object("@%p2 mbarrier.inval.shared.b64 [tile];\nbar.sync 0;\nst.shared.u32 [%r20], "
                                       "%r2;\nld.shared.u32 %r10, [%r20];"),
                           a_of};
    const auto with_bytes = [&](const std::string& completes) {
      return with_object(
          "@%p2 mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [tile], 16;\n"
          "mbarrier.arrive.shared.b64 _, [tile];\nbar.sync 0;" +
          is_over + "bar.sync 0;\n" + completes + "\nbar.sync 0;" + is_over);
    };
    c["mbarrier.expect_tx"] = {with_bytes(""), [](U32) { return 0u; }};
    c["mbarrier.complete_tx"] = {with_bytes("@%p2 mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [tile], 16;"),
                                 [](U32) { return 1u; }};
    c["mbarrier.pending_count"] = {with_object("@%p2 mbarrier.arrive.noComplete.shared.b64 %rd10, [tile], 3;\n"
                                               "@%p2 mbarrier.arrive.noComplete.shared.b64 %rd10, [tile], 5;\n"
                                               "@%p2 mbarrier.pending_count.b64 %r10, %rd10;"),
                                   [](U32 t) { return t == 0 ? 61u : 0u; }};
    c["cp.async.mbarrier.arrive"] = {with_object("mov.u32 %r11, %r21;\ncp.async.ca.shared.global [%r20+8], [%rd4], 4;\n"
                                                 "cp.async.mbarrier.arrive.noinc.shared.b64 [tile];" +
                                                 await + "ld.shared.u32 %r10, [%r21+8];"),
                                     [](U32 t) { return a_of(63 - t); }, "", 264};
    c["cp.async.bulk"] = {with_object("@%p2 mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [tile], 256;\n"
                                      "add.u32 %r11, %r22, 16;\n"
                                      "@%p2 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r11], "
                                      "[%rd1], 256, [%r22];\nmbarrier.arrive.shared.b64 _, [tile];" +
                                      await + "ld.shared.u32 %r10, [%r21+16];"),
                          [](U32 t) { return a_of(63 - t); }, "", 272};
    c["barrier.cluster.arrive"] = exchanged("barrier.cluster.arrive;\nbarrier.cluster.wait;");
    c["barrier.cluster.wait"] = c["barrier.cluster.arrive"];

    // ---- among the lanes of a warp ----
    c["shfl.sync"] = {"shfl.sync.bfly.b32 %r10, %r2, 5, 31, 0xffffffff;", [](U32 t) { return a_of(t ^ 5); }};
    c["shfl"] = {"shfl.down.b32 %r10, %r2, 3, 31;", [](U32 t) { return a_of(lane_of(t) < 29 ? t + 3 : t); }};
    const auto ballot = [](U32 t) {
      return sum_of_warp(t, [](U32 i) { return (i % 3 == 0 ? 1u : 0u) << lane_of(i); });
    };
    c["vote.sync"] = {"vote.sync.ballot.b32 %r10, %p1, 0xffffffff;", ballot};
    c["vote"] = {"vote.ballot.b32 %r10, %p1;", ballot};
    c["match"] = {"match.any.sync.b32 %r10, %r4, 0xffffffff;", [](U32 t) {
                    return sum_of_warp(t, [t](U32 i) { return (i % 3 == t % 3 ? 1u : 0u) << lane_of(i); });
                  }};
    c["redux"] = {"redux.sync.add.u32 %r10, %r3, 0xffffffff;", [](U32 t) { return sum_of_warp(t, b_of); }};
    c["activemask"] = {"@!%p1 bra DONE;\nactivemask.b32 %r10;\nDONE:",
                       [=](U32 t) { return t % 3 == 0 ? ballot(t) : 0; }};
    // The hardware chooses the lane: one of the mask, the same for all lanes, and the one whose predicate is true.
    c["elect"] = {
        "elect.sync %r11|%p2, 0xffffffff;\nvote.sync.ballot.b32 %r12, %p2, 0xffffffff;\n"
        "shl.b32 %r13, 1, %r11;\nxor.b32 %r14, %r12, %r13;\nshr.u32 %r15, %r11, 5;\nadd.u32 %r15, %r15, 1;\n"
        "mad.lo.u32 %r10, %r14, 10, %r15;",
        [](U32) { return 1u; }};

    // ---- control flow ----
    c["bra"] = {
        "rem.u32 %r11, %r1, 5;\nAGAIN:\nadd.u32 %r10, %r10, %r2;\nsetp.ne.u32 %p2, %r11, 0;\n"
        "sub.u32 %r11, %r11, 1;\n@%p2 bra AGAIN;",
        [](U32 t) { return a_of(t) * (t % 5 + 1); }};
    c["brx.idx"] = {
        "list: .branchtargets ONE, TWO, DONE;\nbrx.idx %r4, list;\nONE:\nadd.u32 %r10, %r10, 100;\n"
        "TWO:\nadd.u32 %r10, %r10, %r2;\nDONE:",
        [](U32 t) { return t % 3 == 0   ? 100 + a_of(t)
                           : t % 3 == 1 ? a_of(t)
                                        : 0; }};
    c["call"] = {
        "{\n.param .b32 argument;\n.param .b32 result;\nst.param.b32 [argument], %r2;\n"
        "call.uni (result), triple, (argument);\nld.param.b32 %r10, [result];\n}",
        [](U32 t) { return 3 * a_of(t); },
        ".func (.param .b32 r) triple(.param .b32 x)\n{\n.reg .b32 %a<3>;\nld.param.b32 %a1, [x];\n"
        "mul.lo.u32 %a2, %a1, 3;\nst.param.b32 [r], %a2;\nret;\n}\n"};
    c["ret"] = {"mov.u32 %r10, %r2;\n@%p1 ret;", [](U32 t) { return t % 3 == 0 ? 0 : a_of(t); }};
    c["exit"] = {"mov.u32 %r10, %r2;\n@%p1 exit;", [](U32 t) { return t % 3 == 0 ? 0 : a_of(t); }};
    c["trap"] = {"setp.gt.u32 %p2, %r1, 100;\n@%p2 trap;\nmov.u32 %r10, %r2;", a_of};  // taken: Call.Trap
    c["alloca"] = {"alloca.u64 %rd10, 16;\nst.local.u32 [%rd10+12], %r2;\nld.local.u32 %r10, [%rd10+12];", a_of};
    // What is allocated after the stack pointer was restored is in the same place again.
    c["stacksave"] = c["stackrestore"] = {
        "stacksave.u64 %rd10;\nalloca.u64 %rd11, 32;\nstackrestore.u64 %rd10;\nalloca.u64 %rd12, 32;\n"
        "sub.s64 %rd12, %rd12, %rd11;\ncvt.u32.u64 %r10, %rd12;\nadd.u32 %r10, %r10, %r2;",
        a_of};
    c["brkpt"] = ignored("brkpt;");
    c["nanosleep"] = ignored("nanosleep.u32 20;");
    c["pmevent"] = ignored("pmevent 3;");
    c["griddepcontrol"] = ignored("griddepcontrol.wait;");
    c["wgmma.fence"] = ignored("wgmma.fence.sync.aligned;");
    c["wgmma.commit_group"] = ignored("wgmma.commit_group.sync.aligned;");
    c["wgmma.wait_group"] = ignored("wgmma.wait_group.sync.aligned 0;");
    c["setmaxnreg"] = ignored("setmaxnreg.inc.sync.aligned.u32 64;");
    return c;
  }();
  return all;
}

// One instruction for every row that the interpreter does not execute, or not in this form.
const std::map<std::string, std::string>& refused() {
  static const std::map<std::string, std::string> all = {
      {"cp.reduce.async.bulk", "cp.reduce.async.bulk.global.shared::cta.bulk_group.min.f32 [%rd1], [%r20], 16;"},
      {"st.async", "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r20], %r2, [%r21];"},
      {"red.async",
       "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r20], "
       "%r2, [%r21];"},
      {"st.bulk", "st.bulk.weak.shared::cta [%rd1], 16, 0;"},
      {"wgmma.mma_async",
       ".reg .b32 %d<4>;\nwgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 {%d0, %d1, %d2, %d3}, %rd1, %rd2, 1;"},
      {"tcgen05", "tcgen05.fence::before_thread_sync;"},
      {"tex", "tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%r2}];"},
      {"tld4", "tld4.r.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%rd1, {%f5, %f6}];"},
      {"txq", "txq.width.b32 %r11, [%rd1];"},
      {"istypep", "istypep.texref %p2, %rd1;"},
      {"suld", "suld.b.1d.b32.trap {%r11}, [%rd1, {%r2}];"},
      {"sust", "sust.b.1d.b32.trap [%rd1, {%r2}], {%r3};"},
      {"sured", "sured.b.add.1d.u32.trap [%rd1, {%r2}], %r3;"},
      {"suq", "suq.width.b32 %r11, [%rd1];"},
      {"multimem", "multimem.red.release.sys.global.add.u32 [%rd1], %r2;"},
      {"tensormap", "tensormap.replace.tile.swizzle_atomicity.global.b1024.b32 [%rd1], 0;"},
      {"clusterlaunchcontrol", "clusterlaunchcontrol.try_cancel.async [%r20], [%r21];"},
  };
  return all;
}

bool uses_opcode(const ptx::Module& module, Opcode opcode) {
  for (const ptx::Function& function : module.functions)
    for (const ptx::Instruction& instruction : function.instructions)
      if (instruction.opcode == opcode) return true;
  return false;
}

void run_case(Opcode opcode, const OpcodeCase& test) {
  const std::string text = whole(test);
  const auto module = ptx::parse(text, "test.ptx");
  ASSERT_TRUE(module.ok()) << format(module.errors().front());
  ASSERT_TRUE(uses_opcode(*module, opcode)) << "the case does not use its instruction:\n" << text;
  Launcher k(text);
  k.block = {threads, 1, 1};
  std::vector<U32> in;
  for (U32 t = 0; t < threads; ++t) in.push_back(a_of(t));
  for (U32 t = 0; t < threads; ++t) in.push_back(b_of(t));
  k.add_buffer(in);
  const int out = k.add_buffer(std::vector<U32>(threads));
  const LaunchResult result = k.run_anyway();
  EXPECT_TRUE(result.completed);
  for (const Diagnostic& diagnostic : result.diagnostics)
    EXPECT_EQ(diagnostic.severity, Severity::note) << format(diagnostic);
  const auto values = Launcher::values<U32>(result, out);
  for (U32 t = 0; t < threads; ++t) EXPECT_EQ(values[t], test.expected(t)) << "thread " << t;
}

// Their results are tested in texture_test.cpp. Here the handle is not a texture object.
bool needs_texture(Opcode opcode) {
  const std::string name = ptx::name_of(opcode);
  return name == "tex" || name == "tld4" || name == "txq" || name == "suld" || name == "sust" || name == "suq";
}

// If executed, it ends the run at its line; if it is only present, the run completes.
void expect_refusal(Opcode opcode, const std::string& instruction) {
  const std::string text = whole({"\n" + instruction, {}});
  const auto module = ptx::parse(text, "test.ptx");
  ASSERT_TRUE(module.ok()) << format(module.errors().front());
  ASSERT_TRUE(uses_opcode(*module, opcode)) << instruction;
  const auto launched = [](const std::string& ptx) {
    Launcher k(ptx);
    k.block = {threads, 1, 1};
    k.add_buffer(std::vector<U32>(2 * threads));
    k.add_buffer(std::vector<U32>(threads));
    return k.run_anyway();
  };
  const LaunchResult result = launched(text);
  ASSERT_FALSE(result.completed) << "is executed, and has no case: " << instruction;
  ASSERT_EQ(result.diagnostics.size(), 1u);
  const Diagnostic& error = result.diagnostics.front();
  if (needs_texture(opcode)) {
    EXPECT_EQ(error.code, "texture.no_object");
  } else if (opcode == ptx::opcodes::wgmma) {  // a block of two warps; its results are tested in warpgroup_test.cpp
    EXPECT_EQ(error.code, "tensor.incomplete_warpgroup");
  } else if (opcode == ptx::opcodes::st_async || opcode == ptx::opcodes::red_async) {  // results: cluster_copy_test.cpp
    EXPECT_EQ(error.code, "memory.out_of_bounds");                                     // there is no mbarrier object
  } else {
    EXPECT_EQ(error.code, "run.unsupported_instruction");
    EXPECT_THAT(error.message, testing::HasSubstr(ptx::name_of(opcode)));
  }
  const std::size_t at = text.find(instruction) + instruction.rfind('\n') + 1;
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<long>(at), '\n');
  EXPECT_EQ(error.place.line, line);
  EXPECT_FALSE(error.cure.empty());
  const LaunchResult passed_by =
      launched(whole({"setp.gt.u32 %p2, %r1, 100;\n@!%p2 bra PAST;\n" + instruction + "\nPAST:", {}}));
  EXPECT_TRUE(passed_by.completed) << instruction;
}

// The rows whose cases are in alu_*_test.cpp.
bool is_arithmetic(Opcode opcode) {
  for (const AluCase& test : alu_cases()) {
    const std::string name = ptx::name_of(opcode);
    if (test.mnemonic.starts_with(name + ".") && !test.mnemonic.starts_with(name + ".pack")) return true;
  }
  return false;
}

class OpcodeRow : public testing::TestWithParam<int> {};

TEST_P(OpcodeRow, IsTestedOrRefused) {
  const auto opcode = static_cast<Opcode>(GetParam());
  const std::string name = ptx::name_of(opcode);
  const auto tested = cases().find(name);
  const auto refusal = refused().find(name);
  const int lists =
      (tested != cases().end() ? 1 : 0) + (refusal != refused().end() ? 1 : 0) + (is_arithmetic(opcode) ? 1 : 0);
  ASSERT_EQ(lists, 1) << "'" << name << "' needs a semantic test: here, or in alu_*_test.cpp if it is arithmetic";
  if (tested != cases().end()) run_case(opcode, tested->second);
  if (refusal != refused().end()) expect_refusal(opcode, refusal->second);
}
INSTANTIATE_TEST_SUITE_P(All, OpcodeRow, testing::Range(0, ptx::opcode_count), [](const auto& parameter) {
  return std::string(ptx::info(static_cast<Opcode>(parameter.param)).enumerator);
});

}  // namespace
}  // namespace lanescope::sim
