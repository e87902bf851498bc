// Every memory fault: its code, and that the message names the thread, the place and the distance.

#include "sim/launcher.h"

#include <map>

namespace lanescope::sim {
namespace {

using test::kernel;
using test::Launcher;
using testing::HasSubstr;

// [out + base + tid * stride] = tid, by `instruction`.
std::string access(const std::string& instruction, int stride, int base = 0, const std::string& before = "") {
  return kernel(".param .u64 out", R"(
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mov.u32 %r9, %ctaid.x;
    mad.lo.s32 %r9, %r9, 32, %r1;
    mul.wide.u32 %rd2, %r9, )" + std::to_string(stride) +
                                       R"(;
    add.s64 %rd3, %rd1, %rd2;
    add.s64 %rd3, %rd3, )" + std::to_string(base) +
                                       ";\n" + before + "\n" + instruction + "\nret;\n");
}

TEST(MemoryFault, PastTheEndOfABuffer) {
  Launcher k(access("st.global.u32 [%rd3], %r1;", 4));
  k.grid = {2, 1, 1};
  const int out = k.add_buffer(std::vector<int>(40, -1));
  k.request.kernel_source_name = "fill";
  const LaunchResult result = k.run_anyway();
  ASSERT_EQ(result.diagnostics.size(), 1u);
  const Diagnostic& error = result.diagnostics[0];
  EXPECT_EQ(error.code, "memory.out_of_bounds");
  EXPECT_THAT(error.message, HasSubstr("kernel fill, thread (8, 0, 0) of block (1, 0, 0)"));
  EXPECT_THAT(error.message, HasSubstr("a write of 4 bytes"));
  EXPECT_THAT(error.message, HasSubstr("just past the end of arg 0 (i32[40])"));
  EXPECT_FALSE(error.cure.empty());
  // The first block's stores are there; the faulting request stored nothing.
  const auto values = k.values<int>(result, out);
  for (int i = 0; i < 40; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)], i < 32 ? i : -1);
}

TEST(MemoryFault, DistanceToTheNearestBuffer) {
  Launcher k(access("ld.global.u32 %r2, [%rd3];", 0, 4096 + 12));
  k.add_buffer(std::vector<int>(1024, 1));
  EXPECT_THAT(k.fault("memory.out_of_bounds").message, HasSubstr("12 bytes past the end of arg 0 (i32[1024])"));
  Launcher before(access("ld.global.u32 %r2, [%rd3];", 0, -8));
  before.add_buffer(std::vector<int>(4, 1));
  EXPECT_THAT(before.fault("memory.out_of_bounds").message, HasSubstr("8 bytes before the start of arg 0 (i32[4])"));
  Launcher across(access("ld.global.v2.u32 {%r2, %r3}, [%rd3];", 8));
  across.add_buffer(std::vector<int>(33, 1));
  EXPECT_THAT(across.fault("memory.out_of_bounds").message,
              HasSubstr("its last 4 bytes lie past the end of arg 0 (i32[33])"));
}

// The buffer is the one that the address was computed from, also where another one is nearer.
TEST(MemoryFault, FarFromTheBufferOfTheParameter) {
  const std::string far = R"(
    ld.param.u64 %rd1, [out];
    ld.param.u64 %rd2, [next];
    mov.u64 %rd3, 0x2000000;
    add.s64 %rd4, %rd1, %rd3;
    ld.global.u32 %r2, [%rd4+4];
    st.global.u32 [%rd2], %r2;
    ret;
)";
  Launcher k(kernel(".param .u64 out, .param .u64 next", far));
  k.add_buffer(std::vector<int>(1024, 1));
  k.add_buffer(std::vector<int>(1024, 1));
  EXPECT_THAT(k.fault("memory.out_of_bounds").message, HasSubstr("33550340 bytes past the end of arg 0 (i32[1024])"));
}

TEST(MemoryFault, OneLaneAmongMany) {
  // Only lane 7 is out of bounds.
  Launcher k(
      access("st.global.u32 [%rd3], %r1;", 4, 0, "setp.eq.s32 %p1, %r1, 7;\n@%p1 add.s64 %rd3, %rd3, 0x1000000;"));
  k.add_buffer(std::vector<int>(32));
  EXPECT_THAT(k.fault("memory.out_of_bounds").message, HasSubstr("thread (7, 0, 0)"));
}

TEST(MemoryFault, Misaligned) {
  Launcher k(access("ld.global.u32 %r2, [%rd3];", 4, 2));
  k.add_buffer(std::vector<int>(64, 1));
  const Diagnostic error = k.fault("memory.misaligned");
  EXPECT_THAT(error.message, HasSubstr("thread (0, 0, 0)"));
  EXPECT_THAT(error.message, HasSubstr("not a multiple of 4"));
  // Only even lanes: a stride of 2 is correct for them.
  Launcher even(access("@%p1 ld.global.u32 %r2, [%rd3];", 2, 0, "and.b32 %r5, %r1, 1;\nsetp.eq.s32 %p1, %r5, 0;"));
  even.add_buffer(std::vector<int>(64, 1));
  even.run();
  Launcher wide(access("ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%rd3];", 16, 8));
  wide.add_buffer(std::vector<int>(256, 1));
  EXPECT_THAT(wide.fault("memory.misaligned").message, HasSubstr("not a multiple of 16"));
}

TEST(MemoryFault, NullPointer) {
  Launcher k(access("ld.global.u32 %r2, [%rd3];", 4));
  k.add_scalar<std::uint64_t>(0);
  EXPECT_THAT(k.fault("memory.null").message, HasSubstr("null pointer"));
}

TEST(MemoryFault, NeverWrittenGlobalMemory) {
  Launcher k(access("ld.global.u32 %r2, [%rd3];", 4));
  k.add_buffer(std::vector<int>(32, 1));
  k.request.arguments[0].uninitialised_from = 80;
  EXPECT_THAT(k.fault("memory.uninitialised").message, HasSubstr("thread (20, 0, 0)"));
  // Written first, then read.
  Launcher good(access("st.global.u32 [%rd3], %r1;\nld.global.u32 %r2, [%rd3];", 4));
  good.add_buffer(std::vector<int>(32, 1));
  good.request.arguments[0].uninitialised_from = 0;
  good.run();
  // One written byte of four is enough.
  Launcher partly(access("st.global.u8 [%rd3+2], %r1;\nld.global.u32 %r2, [%rd3];", 4));
  partly.add_buffer(std::vector<int>(32, 1));
  partly.request.arguments[0].uninitialised_from = 0;
  partly.run();
}

std::string shared_access(const std::string& body) {
  return kernel("",
                ".shared .align 4 .b8 tile[256];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, tile;\n"
                "shl.b32 %r3, %r1, 2;\nadd.s32 %r4, %r2, %r3;\n" +
                    body + "\nret;");
}

TEST(MemoryFault, SharedMemory) {
  Launcher past(shared_access("st.shared.u32 [%r4+132], %r1;"));
  const Diagnostic error = past.fault("memory.out_of_bounds");
  EXPECT_THAT(error.message, HasSubstr("thread (31, 0, 0)"));
  EXPECT_THAT(error.message, HasSubstr("just past the end of the 256 bytes of shared memory"));
  Launcher far(shared_access("st.shared.u32 [%r4+1000], %r1;"));
  EXPECT_THAT(far.fault("memory.out_of_bounds").message,
              HasSubstr("744 bytes past the end of the 256 bytes of shared memory"));
  Launcher before(shared_access("st.shared.u32 [%r4-8], %r1;"));
  EXPECT_THAT(before.fault("memory.out_of_bounds").message,
              HasSubstr("8 bytes before the start of the 256 bytes of shared memory"));
  Launcher crooked(shared_access("st.shared.u32 [%r4+2], %r1;"));
  crooked.fault("memory.misaligned");
  Launcher unwritten(
      shared_access("setp.lt.s32 %p1, %r1, 30;\n@%p1 st.shared.u32 [%r4], %r1;\n"
                    "ld.shared.u32 %r5, [%r4];"));
  EXPECT_THAT(unwritten.fault("memory.uninitialised").message,
              AllOf(HasSubstr("thread (30, 0, 0)"), HasSubstr("120 bytes into `tile` (256 bytes of shared memory)")));
  // Nothing is left of the block before.
  Launcher next(
      shared_access("mov.u32 %r6, %ctaid.x;\nsetp.eq.s32 %p1, %r6, 0;\n"
                    "@%p1 st.shared.u32 [%r4], %r1;\nld.shared.u32 %r5, [%r4];"));
  next.grid = {2, 1, 1};
  EXPECT_THAT(next.fault("memory.uninitialised").message, HasSubstr("block (1, 0, 0)"));
}

TEST(MemoryFault, LocalMemory) {
  const auto local = [](const std::string& body) {
    return kernel("",
                  ".local .align 4 .b8 depot[64];\nmov.u32 %r1, %tid.x;\nmov.u64 %rd1, depot;\n"
                  "mul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\n" +
                      body + "\nret;");
  };
  Launcher past(local("st.local.u32 [%rd3], %r1;"));
  EXPECT_THAT(past.fault("memory.out_of_bounds").message, HasSubstr("thread (16, 0, 0)"));
  Launcher before(local("st.local.u32 [%rd1-4], %r1;"));
  EXPECT_THAT(before.fault("memory.out_of_bounds").message,
              HasSubstr("4 bytes before the start of the 64 bytes of local memory"));
  Launcher unwritten(local("st.local.u32 [%rd1], %r1;\nld.local.u32 %r2, [%rd1+4];"));
  unwritten.fault("memory.uninitialised_local");
  Launcher good(local("st.local.u32 [%rd1+8], %r1;\nld.local.u32 %r2, [%rd1+8];"));
  good.run();
}

TEST(MemoryFault, WriteToConstantMemory) {
  Launcher k(kernel("", "mov.u64 %rd1, table;\nmov.u32 %r1, 1;\nst.global.u32 [%rd1], %r1;\nret;",
                    ".const .align 4 .u32 table[4] = {1, 2, 3, 4};"));
  k.fault("memory.write_to_constant");
}

TEST(MemoryFault, SayTheCudaLine) {
  Launcher k(kernel(".param .u64 out", R"(
    .loc 1 7 5
    ld.param.u64 %rd1, [out];
    .loc 1 9 12
    st.global.u32 [%rd1+400], %r1;
    ret;
  )") + "\n.file 1 \"k.cu\"\n");
  k.add_buffer(std::vector<int>(4));
  const Diagnostic error = k.fault("memory.out_of_bounds");
  EXPECT_EQ(error.place, (SourcePlace{"k.cu", 9, 12}));
}

// How often each store and barrier was executed, in code order.
std::vector<std::uint64_t> executions(const trace::Trace& trace) {
  std::map<std::int32_t, std::uint64_t> by_instruction;
  for (const trace::Site& site : trace.sites)
    if (site.operation == trace::Operation::store || site.kind == trace::EventKind::barrier)
      by_instruction[site.instruction] = trace.totals.sites[site.id].executions;
  std::vector<std::uint64_t> counts;
  for (const auto& [instruction, count] : by_instruction) counts.push_back(count);
  return counts;
}

TEST(MemoryFault, WhatComesAfterItIsNotCounted) {
  // Warp 0 stores and waits at the barrier; warp 1 faults at the same store. One basic block of nine instructions.
  Launcher two(kernel(".param .u64 out", R"(
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r1;
    bar.sync 0;
    add.u32 %r2, %r1, 1;
    st.global.u32 [%rd3], %r2;
    ret;
  )"));
  two.block = {64, 1, 1};
  two.add_buffer(std::vector<int>(40, -1));
  const LaunchResult result = two.run_anyway();
  ASSERT_EQ(result.diagnostics.size(), 1u);
  EXPECT_EQ(result.diagnostics[0].code, "memory.out_of_bounds");
  // The first store by both warps, the barrier by one, the second store by none.
  EXPECT_THAT(executions(result.trace), testing::ElementsAre(2, 1, 0));
  EXPECT_EQ(result.trace.totals.warp_instructions, 6u + 5u);
  EXPECT_EQ(result.trace.totals.lane_instructions, 32u * (6 + 5));
  EXPECT_EQ(result.lane_instructions, 32u * (6 + 5));
}

TEST(MemoryFault, WhatPartedLanesDidNotComeToIsNotCounted) {
  // Lanes below 16 run first and fault. The others never run, so no lane reaches the last store.
  Launcher k(kernel(".param .u64 out", R"(
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    setp.ge.u32 %p1, %r1, 16;
    @%p1 bra OTHER;
    st.global.u32 [%rd1+4096], %r1;
    st.global.u32 [%rd1], %r1;
    bra JOIN;
  OTHER:
    st.global.u32 [%rd1+4], %r1;
  JOIN:
    st.global.u32 [%rd1+8], %r1;
    ret;
  )"));
  k.add_buffer(std::vector<int>(4, 0));
  const LaunchResult result = k.run_anyway();
  ASSERT_EQ(result.diagnostics.size(), 1u);
  EXPECT_THAT(executions(result.trace), testing::ElementsAre(1, 0, 0, 0));
  EXPECT_EQ(result.trace.totals.warp_instructions, 4u + 1u);
  EXPECT_EQ(result.trace.totals.lane_instructions, 32u * 4 + 16u);
}

TEST(StepBudget, WhatIsNotComeToIsNotCounted) {
  Launcher k(kernel("", "mov.u32 %r1, 0;\nAGAIN:\nadd.u32 %r1, %r1, 1;\nadd.u32 %r1, %r1, 2;\nbra AGAIN;\nret;"));
  k.request.max_steps = 1000;
  const LaunchResult result = k.run_anyway();
  ASSERT_EQ(result.diagnostics.size(), 1u);
  const std::uint64_t steps = result.trace.totals.warp_instructions;
  EXPECT_LE(steps, 1000u + 3u);
  EXPECT_EQ(steps % 3, 1u) << "the first, and whole rounds";
  EXPECT_EQ(result.lane_instructions, 32 * steps);
}

// Compilers give joined or moved code line 0. A neighbouring line tells where to look; a PTX line would not.
TEST(MemoryFault, OfAnInstructionThatComesFromNoLine) {
  const auto place = [](const char* before, const char* behind) {
    Launcher k(kernel("",
                      std::string(".shared .align 4 .b8 tile[64];\n.loc 1 3 5\nmov.u32 %r1, tile;\n") + before +
                          "\n.loc 1 0 5\nst.shared.u32 [%r1+64], %r1;\n" + behind + "\nret;",
                      ".file 1 \"k.cu\""));
    return k.fault("memory.out_of_bounds").place;
  };
  EXPECT_EQ(place("", ".loc 1 7 9"), (SourcePlace{"k.cu", 7, 9}));
  EXPECT_EQ(place(".loc 1 6 2\nadd.u32 %r1, %r1, 0;", ""), (SourcePlace{"k.cu", 6, 2}));
}

// Blocks 0 to 3 load whole warps from contiguous words of one buffer, block 4 uses the same instruction on another
// buffer. The analysis of the first buffer must not be reused.
TEST(MemoryFault, AnInstructionThatComesToAnotherBuffer) {
  const auto from_another = [](int words, int offset, std::uint64_t uninitialised_from) {
    Launcher k(kernel(".param .u64 in, .param .u64 other, .param .u64 out", R"(
      ld.param.u64 %rd1, [in];
      ld.param.u64 %rd2, [other];
      ld.param.u64 %rd3, [out];
      add.s64 %rd2, %rd2, )" + std::to_string(offset) +
                                                                                R"(;
      mov.u32 %r1, %tid.x;
      mov.u32 %r2, %ctaid.x;
      setp.eq.u32 %p1, %r2, 4;
      selp.b64 %rd4, %rd2, %rd1, %p1;
      mul.wide.u32 %rd5, %r1, 4;
      add.s64 %rd4, %rd4, %rd5;
      ld.global.u32 %r3, [%rd4];
      mad.lo.u32 %r4, %r2, 32, %r1;
      mul.wide.u32 %rd6, %r4, 4;
      add.s64 %rd6, %rd3, %rd6;
      st.global.u32 [%rd6], %r3;
      ret;
    )"));
    k.grid = {5, 1, 1};
    k.add_buffer(std::vector<int>(32, 7));
    k.add_buffer(std::vector<int>(static_cast<std::size_t>(words), 8));
    k.add_buffer(std::vector<int>(160, -1));
    k.request.arguments[1].uninitialised_from = uninitialised_from;
    return k;
  };
  Launcher good = from_another(32, 0, 128);
  const auto values = good.values<int>(good.run(), 2);
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ(values[i], i < 128 ? 7 : 8);
  EXPECT_THAT(from_another(32, 0, 80).fault("memory.uninitialised").message,
              HasSubstr("thread (20, 0, 0) of block (4, 0, 0)"));
  EXPECT_THAT(from_another(16, 0, 64).fault("memory.out_of_bounds").message, HasSubstr("arg 1 (i32[16])"));
  EXPECT_THAT(from_another(64, 2, 256).fault("memory.misaligned").message, HasSubstr("block (4, 0, 0)"));
}

}  // namespace
}  // namespace lanescope::sim
