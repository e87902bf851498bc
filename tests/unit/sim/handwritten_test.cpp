// PTX that NVRTC does not write: registers as parameters, vector moves, addresses of parameters, numbers as arguments.
// The expected values follow from the PTX ISA's definitions of these instructions.

#include "sim/launcher.h"

namespace lanescope::sim {
namespace {

using test::kernel;
using test::Launcher;

std::vector<std::uint32_t> run_for_words(const std::string& body, const std::string& before, std::size_t words) {
  Launcher k(kernel(".param .u64 out", "ld.param.u64 %rd1, [out];\n" + body + "\nret;", before));
  k.block = {1, 1, 1};
  const int out = k.add_buffer(std::vector<std::uint32_t>(words));
  return k.values<std::uint32_t>(k.run(), out);
}

using WordList = std::vector<std::uint32_t>;

TEST(Handwritten, RegistersAsParametersAndResults) {
  const char* const divide = R"(
.func (.reg .u32 quotient, .reg .u32 rest, .reg .pred exact) divide(.reg .u32 a, .reg .u32 b)
{
  div.u32 quotient, a, b;
  rem.u32 rest, a, b;
  setp.eq.u32 exact, rest, 0;
  mov.u32 a, 0;
  ret;
}
)";
  EXPECT_EQ(run_for_words(R"(
    mov.u32 %r1, 17;
    call (%r2, %r3, %p1), divide, (%r1, 5);
    selp.u32 %r4, 1, 0, %p1;
    st.global.v4.u32 [%rd1], {%r1, %r2, %r3, %r4};
    call (%r2, _, %p1), divide, (20, 5);
    selp.u32 %r4, 1, 0, %p1;
    st.global.v2.u32 [%rd1+16], {%r2, %r4};
  )",
                          divide, 6),
            (WordList{17, 3, 2, 0, 4, 1}));
}

TEST(Handwritten, AnUnwrittenResultIsZeroInEveryCall) {
  const char* const sometimes = R"(
.func (.reg .u32 r) sometimes(.reg .pred p)
{
  @p mov.u32 r, 7;
  ret;
}
)";
  EXPECT_EQ(run_for_words(R"(
    setp.eq.u32 %p1, 0, 0;
    setp.eq.u32 %p2, 0, 1;
    call (%r1), sometimes, (%p1);
    call (%r2), sometimes, (%p2);
    st.global.v2.u32 [%rd1], {%r1, %r2};
  )",
                          sometimes, 2),
            (WordList{7, 0}));
}

// Each lane has its own values, also where lanes call at different depths.
TEST(Handwritten, RecursionWithRegisters) {
  Launcher k(kernel(".param .u64 out", R"(
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    and.b32 %r2, %r1, 7;
    call (%r3), factorial, (%r2);
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r3;
    ret;
  )",
                    R"(
.func (.reg .u32 result) factorial(.reg .u32 n)
{
  .reg .pred %p<2>;
  .reg .u32 %r<3>;
  mov.u32 result, 1;
  setp.lt.u32 %p1, n, 2;
  @%p1 ret;
  sub.u32 %r1, n, 1;
  call (%r2), factorial, (%r1);
  mul.lo.u32 result, n, %r2;
  ret;
}
)"));
  k.block = {48, 1, 1};
  const int out = k.add_buffer(std::vector<int>(48));
  const auto values = k.values<int>(k.run(), out);
  const int factorials[] = {1, 1, 2, 6, 24, 120, 720, 5040};
  for (int i = 0; i < 48; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)], factorials[i % 8]);
}

TEST(Handwritten, VectorsAsParameters) {
  const char* const swap = R"(
.func (.reg .v2 .u32 r) swap(.reg .v2 .u32 a)
{
  mov.v2.u32 r, {a.y, a.x};
  ret;
}
)";
  EXPECT_EQ(run_for_words(R"(
    .reg .v2 .u32 v;
    mov.v2.u32 v, {3, 4};
    call (v), swap, (v);
    st.global.v2.u32 [%rd1], v;
  )",
                          swap, 2),
            (WordList{4, 3}));
}

// A number is passed as the parameter's type: 1.5 as an .f32 is 0x3fc00000.
TEST(Handwritten, NumbersAsArguments) {
  const char* const store = R"(
.func (.param .b32 r) bits(.param .f32 a)
{
  .reg .b32 %r<2>;
  ld.param.b32 %r1, [a];
  st.param.b32 [r], %r1;
  ret;
}
)";
  EXPECT_EQ(run_for_words(R"(
    call (%r1), bits, (0f3FC00000);
    call (%r2), bits, (1.5);
    st.global.v2.u32 [%rd1], {%r1, %r2};
  )",
                          store, 2),
            (WordList{0x3fc00000, 0x3fc00000}));
}

// PTX ISA, mov: a device function's parameter whose address is taken is copied to the stack, and the address is one of
// local memory. Each activation has its own copy.
TEST(Handwritten, TheAddressOfAParameter) {
  const char* const choose = R"(
.func (.param .b32 r) choose(.param .align 8 .b8 a[12], .param .b32 i)
{
  .reg .pred %p<2>;
  .reg .b32 %r<9>;
  .reg .b64 %rd<6>;
  ld.param.u32 %r1, [i];
  mov.b64 %rd1, a;
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  mov.u32 %r3, 0;
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra DONE;
  {
  .param .align 8 .b8 q[12];
  .param .b32 j, s;
  ld.local.u32 %r4, [%rd1];
  add.u32 %r4, %r4, 100;
  st.param.b32 [q], %r4;
  ld.param.b64 %rd5, [a+0];
  shr.u64 %rd5, %rd5, 32;
  cvt.u32.u64 %r5, %rd5;
  st.param.b32 [q+4], %r5;
  ld.param.b32 %r6, [a+8];
  st.param.b32 [q+8], %r6;
  sub.u32 %r2, %r1, 1;
  st.param.b32 [j], %r2;
  call (s), choose, (q, j);
  ld.param.b32 %r3, [s];
  }
DONE:
  cvta.local.u64 %rd4, %rd3;
  ld.u32 %r7, [%rd4];
  mad.lo.u32 %r8, %r3, 1000, %r7;
  st.param.b32 [r], %r8;
  ret;
}
)";
  // choose(a, i) = 1000 choose({a0 + 100, a1, a2}, i - 1) + a[i]
  EXPECT_EQ(run_for_words(R"(
    .param .align 8 .b8 a[12];
    .param .b32 i, r;
    st.param.b32 [a], 1;
    st.param.b32 [a+4], 2;
    st.param.b32 [a+8], 3;
    st.param.b32 [i], 2;
    call (r), choose, (a, i);
    ld.param.b32 %r1, [r];
    st.global.u32 [%rd1], %r1;
  )",
                          choose, 1),
            (WordList{201002003}));
}

// LLVM reads such a parameter by ld.param with an address in a register.
TEST(Handwritten, AParameterReadThroughItsAddress) {
  const char* const second = R"(
.func (.param .b32 r) second(.param .align 4 .b8 a[8])
{
  .reg .b32 %r<2>;
  .reg .b64 %rd<3>;
  mov.b64 %rd1, a;
  add.s64 %rd2, %rd1, 4;
  ld.param.u32 %r1, [%rd2];
  st.param.b32 [r], %r1;
  ret;
}
)";
  EXPECT_EQ(run_for_words(R"(
    .param .align 4 .b8 a[8];
    .param .b32 r;
    st.param.b32 [a], 6;
    st.param.b32 [a+4], 7;
    call (r), second, (a);
    ld.param.b32 %r1, [r];
    st.global.u32 [%rd1], %r1;
  )",
                          second, 1),
            (WordList{7}));
}

// `{d, a, b, c} = {c, d, a, b}`: all elements are read before any is written.
TEST(Handwritten, VectorMovesExchangeElements) {
  EXPECT_EQ(run_for_words(R"(
    mov.v4.u32 {%r1, %r2, %r3, %r4}, {1, 2, 3, 4};
    mov.v4.u32 {%r4, %r1, %r2, %r3}, {%r3, %r4, %r1, %r2};
    st.global.v4.u32 [%rd1], {%r1, %r2, %r3, %r4};
    setp.ne.u32 %p1, 0, 0;
    @%p1 mov.v2.u32 {%r1, %r2}, {%r2, %r1};
    @!%p1 mov.v2.u32 {%r3, _}, {%r4, %r3};
    st.global.v2.u32 [%rd1+16], {%r1, %r3};
    mov.v4.u32 {%r1, %r2, %r3, %r4}, %ntid;
    st.global.v4.u32 [%rd1+32], {%r1, %r2, %r3, %r4};
  )",
                          "", 12),
            (WordList{4, 1, 2, 3, 4, 3, 0, 0, 1, 1, 1, 0}));
}

TEST(Handwritten, AGuardedVectorMoveIsOneInstruction) {
  Launcher k(kernel("", "setp.eq.u32 %p1, 0, 0;\n@%p1 mov.v4.u32 {%r1, %r2, %r3, %r4}, %tid;\nret;"));
  const LaunchResult result = k.run();
  EXPECT_EQ(result.trace.totals.warp_instructions, 3u);
  std::size_t guarded = 0;
  for (const trace::Site& site : result.trace.sites) guarded += site.kind == trace::EventKind::guarded;
  EXPECT_EQ(guarded, 1u);
}

TEST(Handwritten, ArraysByIndexAndRealExpressions) {
  EXPECT_EQ(run_for_words(R"(
    ld.global.u32 %r1, array[2];
    mov.u64 %rd2, pairs[1];
    ld.global.u32 %r2, [%rd2];
    mov.f32 %f1, 1.0+2.0*.25;
    st.global.v2.u32 [%rd1], {%r1, %r2};
    st.global.f32 [%rd1+8], %f1;
    ld.global.f32 %rd3, [real];
    st.global.u64 [%rd1+16], %rd3;
  )",
                          ".global .u32 array[4] = {5, 6, 7, 8};\n.global .v2 .u32 pairs[2] = {{1, 2}, {3, 4}};\n"
                          ".global .b32 real = 0f3F800000;",
                          6),
            (WordList{7, 3, 0x3fc00000, 0, 0x3f800000, 0}));
}

TEST(Handwritten, GlobalVariablesOfAFunction) {
  EXPECT_EQ(run_for_words(R"(
    .global .align 16 .u32 from[4] = {1, 2, 3, 4};
    .const .u32 fixed = 9;
    .shared .align 16 .u32 to[4];
    cp.async.ca.shared.global [to], [from], 16;
    cp.async.wait_all;
    ld.shared.u32 %r1, [to+8];
    ld.const.u32 %r2, [fixed];
    st.global.v2.u32 [%rd1], {%r1, %r2};
  )",
                          "", 2),
            (WordList{3, 9}));
}

TEST(Handwritten, CallsThroughATableOfFunctions) {
  const char* const functions = R"(
.func (.param .b32 r) one(.param .b32 a) { .reg .b32 %r<2>; ld.param.u32 %r1, [a]; add.u32 %r1, %r1, 1; st.param.b32 [r], %r1; ret; }
.func (.param .b32 r) two(.param .b32 a) { .reg .b32 %r<2>; ld.param.u32 %r1, [a]; add.u32 %r1, %r1, 2; st.param.b32 [r], %r1; ret; }
.global .u64 table[2] = {one, two};
)";
  EXPECT_EQ(run_for_words(R"(
    ld.global.u64 %rd2, table[1];
    call (%r1), %rd2, (40), table;
    st.global.u32 [%rd1], %r1;
  )",
                          functions, 1),
            (WordList{42}));
}

}  // namespace
}  // namespace lanescope::sim
