// alloca, stacksave and stackrestore. Expectations follow "PTX ISA", Stack Manipulation Instructions.

#include "sim/launcher.h"

namespace lanescope::sim {
namespace {

using test::kernel;
using test::Launcher;
using testing::HasSubstr;
using U32 = std::uint32_t;

// %r1 thread, %rd2 address of its result; the body leaves it in %r10.
std::string with_result(const std::string& body, const std::string& before = "") {
  return kernel(".param .u64 out", R"(
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd2, %rd1, %rd2;
)" + body + "\nst.global.u32 [%rd2], %r10;\nret;\n",
                before);
}

std::vector<U32> results_of(const std::string& text, U32 blocks = 1) {
  Launcher k(text);
  k.grid = {blocks, 1, 1};
  const int out = k.add_buffer(std::vector<U32>(32));
  return Launcher::values<U32>(k.run(), out);
}

// Each lane fills as many words as its number says, plus one, and adds them up again.
TEST(Stack, LanesAllocateAsMuchAsTheyWant) {
  const std::vector<U32> out = results_of(with_result(R"(
    add.u32 %r2, %r1, 1;
    mul.wide.u32 %rd3, %r2, 4;
    alloca.u64 %rd4, %rd3, 16;
    mov.u32 %r3, 0;
  FILL:
    mul.wide.u32 %rd5, %r3, 4;
    add.s64 %rd5, %rd5, %rd4;
    st.local.u32 [%rd5], %r3;
    add.u32 %r3, %r3, 1;
    setp.lt.u32 %p1, %r3, %r2;
    @%p1 bra FILL;
    mov.u32 %r3, 0;
    mov.u32 %r10, 0;
  SUM:
    mul.wide.u32 %rd5, %r3, 4;
    add.s64 %rd5, %rd5, %rd4;
    ld.local.u32 %r4, [%rd5];
    add.u32 %r10, %r10, %r4;
    add.u32 %r3, %r3, 1;
    setp.lt.u32 %p1, %r3, %r2;
    @%p1 bra SUM;
)"));
  for (U32 t = 0; t < 32; ++t) EXPECT_EQ(out[t], t * (t + 1) / 2);
}

// A function that allocates and calls itself: what each activation holds survives the calls that it makes.
TEST(Stack, EachActivationHasItsOwn) {
  const std::string recursive = R"(
.func (.param .b32 r) down(.param .b32 x)
{
    .reg .pred %p<2>;
    .reg .b32 %a<6>;
    .reg .b64 %l<4>;
    ld.param.b32 %a1, [x];
    alloca.u64 %l1, 24;
    st.local.u32 [%l1+20], %a1;
    setp.eq.u32 %p1, %a1, 0;
    mov.u32 %a3, 0;
    @%p1 bra DONE;
    sub.u32 %a2, %a1, 1;
    {
      .param .b32 to;
      .param .b32 from;
      st.param.b32 [to], %a2;
      call.uni (from), down, (to);
      ld.param.b32 %a3, [from];
    }
  DONE:
    ld.local.u32 %a4, [%l1+20];
    add.u32 %a3, %a3, %a4;
    st.param.b32 [r], %a3;
    ret;
}
)";
  const std::vector<U32> out = results_of(with_result(R"(
    and.b32 %r2, %r1, 7;
    {
      .param .b32 to;
      .param .b32 from;
      st.param.b32 [to], %r2;
      call (from), down, (to);
      ld.param.b32 %r10, [from];
    }
)",
                                                      recursive));
  for (U32 t = 0; t < 32; ++t) EXPECT_EQ(out[t], (t % 8) * (t % 8 + 1) / 2);
}

// A loop that restores the stack pointer takes no more room however often it runs, and in every block anew.
TEST(Stack, IsGivenBackByRestoring) {
  const std::vector<U32> out = results_of(with_result(R"(
    mov.u32 %r3, 0;
    mov.u32 %r10, 0;
  AGAIN:
    stacksave.u64 %rd3;
    alloca.u64 %rd4, 1024;
    st.local.u32 [%rd4+1020], %r3;
    ld.local.u32 %r10, [%rd4+1020];
    stackrestore.u64 %rd3;
    add.u32 %r3, %r3, 1;
    setp.lt.u32 %p1, %r3, 600;
    @%p1 bra AGAIN;
)"),
                                          3);
  for (const U32 one : out) EXPECT_EQ(one, 599u);
}

TEST(Stack, IsAligned) {
  const std::vector<U32> out = results_of(with_result(R"(
    alloca.u64 %rd3, 1;
    alloca.u64 %rd4, 1, 64;
    cvt.u32.u64 %r10, %rd4;
    and.b32 %r10, %r10, 63;
)"));
  for (const U32 one : out) EXPECT_EQ(one, 0u);
}

TEST(Stack, MistakesAreTold) {
  const auto fault_of = [](const std::string& body, const std::string& code) {
    Launcher k(with_result(body));
    k.add_buffer(std::vector<U32>(32));
    return k.fault(code);
  };
  EXPECT_THAT(fault_of("alloca.u64 %rd3, 600000;", "run.stack_overflow").message, HasSubstr("600000 bytes"));
  fault_of("AGAIN: alloca.u64 %rd3, 4096;\nbra AGAIN;", "run.stack_overflow");
  fault_of("mov.u64 %rd3, 4096;\nstackrestore.u64 %rd3;", "run.bad_stack_pointer");
  fault_of("alloca.u64 %rd3, 16;\nld.local.u32 %r10, [%rd3];", "memory.uninitialised_local");
}

// The stack that recursion uses, which a GPU limits and the interpreter does not.
TEST(Stack, OfRecursionIsMeasured) {
  const char* const deep = R"(
.func deep(.param .b32 n)
{
  .local .align 8 .b8 depot[96];
  .reg .pred %p<2>;
  .reg .b32 %r<3>;
  ld.param.u32 %r1, [n];
  setp.eq.u32 %p1, %r1, 0;
  @%p1 ret;
  add.u32 %r2, %r1, -1;
  {
  .param .b32 param0;
  st.param.b32 [param0+0], %r2;
  call.uni deep, (param0);
  }
  ret;
}
)";
  const auto calls_of = [&](const char* body) {
    Launcher k(kernel("", std::string(body) + "ret;", deep));
    k.grid = {64, 1, 1};
    return k.run();
  };
  const auto deep_with = [](const char* n) {
    return "{\n.param .b32 param0;\nst.param.b32 [param0+0], " + std::string(n) + ";\ncall.uni deep, (param0);\n}\n";
  };
  const StackUse ten = calls_of(("mov.u32 %r1, 9;\n" + deep_with("%r1")).c_str()).stack;
  EXPECT_EQ(ten.depth, 10u);
  EXPECT_EQ(ten.bytes, 960u);
  EXPECT_TRUE(ten.open_ended);
  EXPECT_FALSE(beyond_the_stack(ten, 2048));
  const std::optional<Diagnostic> beyond = beyond_the_stack(ten, 1024);
  ASSERT_TRUE(beyond);
  EXPECT_EQ(beyond->code, "run.stack_over_limit");
  EXPECT_THAT(std::string(beyond->message), testing::HasSubstr("nested 10 deep here and use at least 1120 bytes"));
  EXPECT_THAT(std::string(beyond->cure), testing::HasSubstr("cudaDeviceSetLimit(cudaLimitStackSize, 16384)"));
  // A GPU's largest is 512 KiB for a thread.
  const StackUse just{.bytes = 480 << 10, .depth = 1000, .open_ended = true, .place = {}};
  EXPECT_THAT(std::string(beyond_the_stack(just, 1024)->cure), testing::HasSubstr("LimitStackSize, 524288)"));
  const StackUse too_many{.bytes = 480 << 10, .depth = 3000, .open_ended = true, .place = {}};
  EXPECT_EQ(beyond_the_stack(too_many, 1024)->cure, "Nest fewer calls: a GPU provides at most 524288 bytes.");
  // Each block has its own depth: the result is the largest.
  EXPECT_EQ(calls_of(("mov.u32 %r1, %ctaid.x;\n" + deep_with("%r1")).c_str()).stack.depth, 64u);
  const StackUse one = calls_of(("mov.u32 %r1, 0;\n" + deep_with("%r1")).c_str()).stack;
  EXPECT_EQ(one.depth, 1u);
  EXPECT_FALSE(one.open_ended) << "the compiler knows the need of a call that is not recursive";
}

}  // namespace
}  // namespace lanescope::sim
