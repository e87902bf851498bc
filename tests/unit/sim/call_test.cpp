// Functions that were not inlined, function pointers, printf, assert and trap.

#include <fmt/format.h>

#include "sim/launcher.h"
#include "sim/tensor/own_features.h"
#include "sim/warp/device_printf.h"
#include "sim/warp/warp.h"

namespace lanescope::sim {
namespace {

using test::kernel;
using test::Launcher;
using testing::AllOf;
using testing::HasSubstr;

// Recursive, with a local array in each activation.
const char* const factorial = R"(
.func (.param .b32 fact_result) fact(.param .b32 fact_n)
{
  .local .align 4 .b8 depot[8];
  .reg .pred %p<4>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<4>;
  ld.param.u32 %r1, [fact_n];
  mov.u64 %rd1, depot;
  st.local.u32 [%rd1+4], %r1;
  mov.u32 %r4, 1;
  setp.lt.s32 %p1, %r1, 2;
  @%p1 bra DONE;
  add.s32 %r2, %r1, -1;
  {
  .param .b32 param0;
  st.param.b32 [param0+0], %r2;
  .param .b32 retval0;
  call.uni (retval0), fact, (param0);
  ld.param.b32 %r3, [retval0+0];
  }
  ld.local.u32 %r5, [%rd1+4];
  mul.lo.s32 %r4, %r3, %r5;
DONE:
  st.param.b32 [fact_result+0], %r4;
  ret;
}
)";

TEST(Call, RecursionToDifferentDepths) {
  Launcher k(kernel(".param .u64 out", R"(
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    and.b32 %r2, %r1, 7;
    {
    .param .b32 param0;
    st.param.b32 [param0+0], %r2;
    .param .b32 retval0;
    call.uni (retval0), fact, (param0);
    ld.param.b32 %r3, [retval0+0];
    }
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r3;
    ret;
  )",
                    factorial));
  k.block = {48, 1, 1};
  const int out = k.add_buffer(std::vector<int>(48));
  const LaunchResult result = k.run();
  const auto values = k.values<int>(result, out);
  const int factorials[] = {1, 1, 2, 6, 24, 120, 720, 5040};
  for (int i = 0; i < 48; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)], factorials[i % 8]);
  EXPECT_EQ(result.trace.functions, (std::vector<std::string>{"k", "fact"}));
}

// The local variables of a called function have the alignment that they ask for, whatever its callers have.
TEST(Call, LocalVariablesAreAligned) {
  Launcher k(kernel(".param .u64 out", R"(
    .local .align 4 .b8 five[5];
    ld.param.u64 %rd1, [out];
    {
    .param .b64 retval0;
    call.uni (retval0), place, ();
    ld.param.b64 %rd2, [retval0+0];
    }
    st.global.u64 [%rd1], %rd2;
    ret;
  )",
                    R"(
.func (.param .b64 r) place()
{
  .local .align 128 .b8 depot[8];
  .reg .b64 %rd<3>;
  mov.u64 %rd1, depot;
  cvta.local.u64 %rd2, %rd1;
  st.param.b64 [r+0], %rd2;
  ret;
}
)"));
  const int out = k.add_buffer(std::vector<std::uint64_t>(1));
  EXPECT_EQ(k.values<std::uint64_t>(k.run(), out)[0] % 128, 0u);
}

// cudaLimitStackSize can be 512 KiB per thread, which is room for this.
TEST(Call, DeepRecursionEnds) {
  Launcher k(kernel(".param .u64 out", R"(
    ld.param.u64 %rd1, [out];
    mov.u32 %r2, 20000;
    {
    .param .b32 param0; .param .b32 retval0;
    st.param.b32 [param0+0], %r2;
    call.uni (retval0), fact, (param0);
    ld.param.b32 %r3, [retval0+0]; }
    st.global.u32 [%rd1], %r3;
    ret;)",
                    factorial));
  const int out = k.add_buffer(std::vector<int>(1, -1));
  EXPECT_EQ(k.values<int>(k.run_anyway(), out)[0], 0);  // 20000! has more than 32 factors of 2
}

TEST(Call, EndlessRecursion) {
  Launcher k(kernel("", "call.uni again;\nret;", ".func again()\n{\ncall.uni again;\nret;\n}\n"));
  k.fault("run.stack_overflow");
}

const char* const two_functions = R"(
.func (.param .b32 r) twice(.param .b32 a)
{
  .reg .b32 %r<3>;
  ld.param.u32 %r1, [a];
  shl.b32 %r2, %r1, 1;
  st.param.b32 [r+0], %r2;
  ret;
}
.func (.param .b32 r) minus(.param .b32 a)
{
  .reg .b32 %r<3>;
  ld.param.u32 %r1, [a];
  neg.s32 %r2, %r1;
  st.param.b32 [r+0], %r2;
  ret;
}
.global .align 8 .u64 table[2] = {twice, minus};
)";

TEST(Call, ThroughATableOfPointersThatLanesDisagreeOn) {
  Launcher k(kernel(".param .u64 out", R"(
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    and.b32 %r2, %r1, 1;
    mul.wide.u32 %rd4, %r2, 8;
    mov.u64 %rd5, table;
    add.s64 %rd6, %rd5, %rd4;
    ld.global.u64 %rd7, [%rd6];
    {
    .param .b32 param0;
    st.param.b32 [param0+0], %r1;
    .param .b32 retval0;
    prototype_0 : .callprototype (.param .b32 _) _ (.param .b32 _);
    call (retval0), %rd7, (param0), prototype_0;
    ld.param.b32 %r3, [retval0+0];
    }
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r3;
    ret;
  )",
                    two_functions));
  const int out = k.add_buffer(std::vector<int>(32));
  const auto values = k.values<int>(k.run(), out);
  for (int i = 0; i < 32; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)], i % 2 == 0 ? 2 * i : -i);
}

TEST(Call, ThroughANullPointer) {
  Launcher k(kernel("", R"(
    mov.u64 %rd7, 0;
    {
    prototype_0 : .callprototype () _ ();
    call %rd7, (), prototype_0;
    }
    ret;
  )"));
  k.fault("memory.null");
}

TEST(Call, AStructByValueThereAndBack) {
  Launcher k(kernel(".param .align 8 .b8 pair[16], .param .u64 out", R"(
    ld.param.u64 %rd1, [out];
    ld.param.u32 %r1, [pair];
    ld.param.f64 %fd1, [pair+8];
    {
    .param .align 8 .b8 param0[16];
    st.param.b32 [param0+0], %r1;
    st.param.f64 [param0+8], %fd1;
    .param .align 8 .b8 retval0[16];
    call.uni (retval0), grow, (param0);
    ld.param.b32 %r2, [retval0+0];
    ld.param.f64 %fd2, [retval0+8];
    }
    mov.u32 %r3, %tid.x;
    setp.ne.u32 %p1, %r3, 0;
    @%p1 ret;
    cvt.rn.f64.s32 %fd3, %r2;
    st.global.f64 [%rd1], %fd3;
    st.global.f64 [%rd1+8], %fd2;
    ret;
  )",
                    R"(
.func (.param .align 8 .b8 r[16]) grow(.param .align 8 .b8 a[16])
{
  .reg .b32 %r<3>;
  .reg .f64 %fd<3>;
  ld.param.u32 %r1, [a+0];
  ld.param.f64 %fd1, [a+8];
  add.s32 %r2, %r1, 1;
  add.f64 %fd2, %fd1, %fd1;
  st.param.b32 [r+0], %r2;
  st.param.f64 [r+8], %fd2;
  ret;
}
)"));
  Argument pair;
  pair.raw_parameter.resize(16);
  const int whole = 41;
  const double fraction = 1.25;
  std::memcpy(pair.raw_parameter.data(), &whole, 4);
  std::memcpy(pair.raw_parameter.data() + 8, &fraction, 8);
  k.request.arguments.push_back(pair);
  const int out = k.add_buffer(std::vector<double>(2));
  EXPECT_EQ(k.values<double>(k.run(), out), (std::vector<double>{42, 2.5}));
}

// printf(format, …) as the compiler calls it: the arguments are in local memory.
std::string print(const std::string& format, const std::string& stores) {
  std::string bytes;
  for (const char c : format) bytes += std::to_string(static_cast<int>(c)) + ", ";
  std::string depot = ".local .align 8 .b8 depot[128];\n";
  return kernel("", depot + R"(
    mov.u64 %rd1, depot;
    cvta.local.u64 %rd2, %rd1;
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, %ctaid.x;
  )" + stores + R"(
    mov.u64 %rd3, text;
    cvta.global.u64 %rd4, %rd3;
    {
    .param .b64 param0;
    st.param.b64 [param0+0], %rd4;
    .param .b64 param1;
    st.param.b64 [param1+0], %rd2;
    .param .b32 retval0;
    call.uni (retval0), vprintf, (param0, param1);
    ld.param.b32 %r9, [retval0+0];
    }
    ret;
  )",
                ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n.global .align 1 .b8 text[" +
                    std::to_string(format.size() + 1) + "] = {" + bytes +
                    "0};\n"
                    ".global .align 1 .b8 word[4] = {104, 101, 121, 0};\n");
}

TEST(Print, InTheOrderOfBlocksAndLanes) {
  Launcher k(print("%d:%d ", "st.local.u32 [%rd1], %r2;\nst.local.u32 [%rd1+4], %r1;"));
  k.grid = {3, 1, 1};
  k.block = {2, 1, 1};
  EXPECT_EQ(k.run().printf_output, "0:0 0:1 1:0 1:1 2:0 2:1 ");
}

// The same generic address of local memory is another place for each lane.
TEST(Print, AFormatInLocalMemoryIsEachLanesOwn) {
  std::string text = print("", R"(
    st.local.u32 [%rd1], %r1;
    add.u32 %r3, %r1, 0x20642561;  // "a%d ", "b%d ", …
    st.local.u32 [%rd1+64], %r3;
    mov.u32 %r4, 0;
    st.local.u32 [%rd1+68], %r4;
  )");
  const std::string address = "cvta.global.u64 %rd4, %rd3;";
  text.replace(text.find(address), address.size(), "add.u64 %rd4, %rd2, 64;");
  Launcher k(text);
  k.block = {3, 1, 1};
  EXPECT_EQ(k.run().printf_output, "a0 b1 c2 ");
}

TEST(Print, Conversions) {
  Launcher k(print("%5d|%-4u|%x|%c|%s|%.2f|%e|%g|%lld|%%|%08llx\n", R"(
    mov.u32 %r3, -7;
    st.local.u32 [%rd1], %r3;
    mov.u32 %r3, 7;
    st.local.u32 [%rd1+4], %r3;
    mov.u32 %r3, 255;
    st.local.u32 [%rd1+8], %r3;
    mov.u32 %r3, 65;
    st.local.u32 [%rd1+12], %r3;
    mov.u64 %rd5, word;
    cvta.global.u64 %rd5, %rd5;
    st.local.u64 [%rd1+16], %rd5;
    mov.f64 %fd1, 0d400921FB54442D18;
    st.local.f64 [%rd1+24], %fd1;
    st.local.f64 [%rd1+32], %fd1;
    st.local.f64 [%rd1+40], %fd1;
    mov.u64 %rd6, -5000000000;
    st.local.u64 [%rd1+48], %rd6;
    mov.u64 %rd6, 0xabcdef;
    st.local.u64 [%rd1+56], %rd6;
  )"));
  k.block = {1, 1, 1};
  EXPECT_EQ(k.run().printf_output, "   -7|7   |ff|A|hey|3.14|3.141593e+00|3.14159|-5000000000|%|00abcdef\n");
}

// The same on every system: pointers and NaN as glibc prints them.
TEST(Print, PointersAndNumbersThatAreNone) {
  Launcher k(print("%p|%p|%20p|%-8p|%f|%f|%+f|% e|%8.2f|%-8G|%08f\n", R"(
    mov.u64 %rd6, 0x7f00abcd;
    st.local.u64 [%rd1], %rd6;
    mov.u64 %rd6, 0;
    st.local.u64 [%rd1+8], %rd6;
    mov.u64 %rd6, 0x7f00abcd;
    st.local.u64 [%rd1+16], %rd6;
    mov.u64 %rd6, 0x1f;
    st.local.u64 [%rd1+24], %rd6;
    mov.f64 %fd1, 0d7FF8000000000000;
    st.local.f64 [%rd1+32], %fd1;
    st.local.f64 [%rd1+48], %fd1;
    st.local.f64 [%rd1+56], %fd1;
    st.local.f64 [%rd1+64], %fd1;
    mov.f64 %fd1, 0dFFF8000000000000;
    st.local.f64 [%rd1+40], %fd1;
    st.local.f64 [%rd1+72], %fd1;
    mov.f64 %fd1, 0dFFF0000000000000;
    st.local.f64 [%rd1+80], %fd1;
  )"));
  k.block = {1, 1, 1};
  EXPECT_EQ(k.run().printf_output,
            "0x7f00abcd|(nil)|          0x7f00abcd|0x1f    |nan|-nan|+nan| nan|     nan|-NAN    |    -inf\n");
}

// The same on one thread and on several: the launch's first output is kept, and a note says that some is missing.
TEST(Print, StopsWhereTheBufferIsFull) {
  std::string expected;
  while (expected.size() < printf_buffer_bytes)
    for (int lane = 0; lane < 32; ++lane) expected += fmt::format("{:>1000}\n", lane);
  expected.resize(printf_buffer_bytes / 1001 * 1001);
  for (const int threads : {1, 3}) {
    Launcher k(print("%1000d\n", "st.local.u32 [%rd1], %r1;"));
    k.grid = {200, 1, 1};
    k.request.threads = threads;
    const LaunchResult result = k.run_anyway();
    EXPECT_TRUE(result.completed);
    EXPECT_EQ(result.printf_output.size(), expected.size());
    EXPECT_TRUE(result.printf_output == expected) << threads;
    ASSERT_EQ(result.diagnostics.size(), 1u);
    EXPECT_EQ(result.diagnostics[0].code, "run.printf_full");
  }
}

TEST(Print, AWidthWithoutEndTakesNoMemory) {
  for (const char* format : {"%999999999d", "%.999999999d", "%9999999999999999999999d"}) {
    Launcher k(print(std::string("before\n") + format + "after\n", "st.local.u32 [%rd1], %r1;"));
    const LaunchResult result = k.run_anyway();
    EXPECT_TRUE(result.completed) << format;
    EXPECT_EQ(result.printf_output, "") << format << ": the whole text is one, and does not fit";
    ASSERT_EQ(result.diagnostics.size(), 1u) << format;
    EXPECT_EQ(result.diagnostics[0].code, "run.printf_full");
  }
}

// Each level of a recursion reserves some more.
TEST(LocalMemory, GrowsWithoutBeingCopiedEachTime) {
  LocalMemory local;
  std::size_t moves = 0;
  const std::byte* at = nullptr;
  for (std::uint64_t bytes = 16; bytes <= 128 * 1024; bytes += 16) {
    local.reserve(bytes);
    EXPECT_EQ(local.lane_bytes, bytes);
    moves += std::exchange(at, local.bytes.data()) != local.bytes.data();
    local.written.mark((bytes - 16) * 32, 1);
  }
  EXPECT_LE(moves, 16u);
  for (std::uint64_t bytes = 16; bytes <= 128 * 1024; bytes += 16)
    ASSERT_TRUE(local.written.all((bytes - 16) * 32, 1)) << bytes;
}

TEST(Print, TheArgumentsMustBeThere) {
  Launcher k(print("%s\n", "mov.u64 %rd5, 64;\nst.local.u64 [%rd1], %rd5;"));
  k.fault("memory.out_of_bounds");
}

TEST(Call, AnAssertionSaysItsExpression) {
  const auto text = [](const std::string& name, const std::string& value) {
    std::string bytes;
    for (const char c : value) bytes += std::to_string(static_cast<int>(c)) + ", ";
    return ".global .align 1 .b8 " + name + "[" + std::to_string(value.size() + 1) + "] = {" + bytes + "0};\n";
  };
  Launcher k(kernel(
      "", R"(
    mov.u32 %r1, %tid.x;
    setp.lt.u32 %p1, %r1, 30;
    @%p1 bra FINE;
    mov.u64 %rd1, expression;
    mov.u64 %rd2, file;
    mov.u64 %rd3, function;
    {
    .param .b64 param0;
    st.param.b64 [param0+0], %rd1;
    .param .b64 param1;
    st.param.b64 [param1+0], %rd2;
    .param .b32 param2;
    st.param.b32 [param2+0], 18;
    .param .b64 param3;
    st.param.b64 [param3+0], %rd3;
    .param .b64 param4;
    st.param.b64 [param4+0], 1;
    call.uni __assertfail, (param0, param1, param2, param3, param4);
    }
  FINE:
    ret;
  )",
      ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);\n" +
          text("expression", "i < n") + text("file", "k.cu") + text("function", "void k()")));
  const Diagnostic error = k.fault("run.assertion_failed");
  EXPECT_THAT(error.message, HasSubstr("\"i < n\""));
  EXPECT_THAT(error.message, HasSubstr("k.cu:18"));
  EXPECT_THAT(error.message, HasSubstr("thread (30, 0, 0)"));
  EXPECT_THAT(error.message, HasSubstr("lanes 30–31"));
}

TEST(Call, Trap) {
  Launcher k(kernel("", "mov.u32 %r1, %tid.x;\nsetp.ne.u32 %p1, %r1, 3;\n@%p1 ret;\ntrap;\nret;"));
  EXPECT_THAT(k.fault("run.trap").message, HasSubstr("thread (3, 0, 0)"));
}

TEST(Call, AFunctionOfTheModuleIsNotTheDriversOfItsName) {
  Launcher k(kernel(".param .u64 out", R"(
    ld.param.u64 %rd1, [out];
    {
    .param .b64 param0;
    st.param.b64 [param0+0], 64;
    .param .b64 retval0;
    call.uni (retval0), malloc, (param0);
    ld.param.b64 %rd2, [retval0+0];
    }
    st.global.u64 [%rd1], %rd2;
    ret;)",
                    R"(.func (.param .b64 r) malloc(.param .b64 a) {
    .reg .b64 %rd<2>;
    ld.param.b64 %rd1, [a];
    add.s64 %rd1, %rd1, 1;
    st.param.b64 [r], %rd1;
    ret;
    }
)"));
  const int out = k.add_buffer(std::vector<std::uint64_t>(1));
  const LaunchResult result = k.run();
  ASSERT_TRUE(result.completed) << (k.errors.empty() ? "" : format(k.errors.front()));
  EXPECT_EQ(k.values<std::uint64_t>(result, out), (std::vector<std::uint64_t>{65}));
}

TEST(Prepare, SaysWhatItCannotRun) {
  Launcher unknown(
      test::for_target("sm_100a", kernel("", ".reg .b32 %a<8>;\ntcgen05.fence::before_thread_sync;\nret;")));
  EXPECT_THAT(unknown.fault("run.unsupported_instruction").message, HasSubstr("tcgen05"));
  // The line of the kernel's own file from which it was inlined.
  const auto inlined = [](const std::string& first) {
    Launcher k(test::for_target(
        "sm_100a", kernel("",
                          ".reg .b32 %a<8>;\n.loc 1 7 3\n.loc 2 50 5, function_name $name, inlined_at 1 7 3\n" + first +
                              "\n.loc 1 9 3\ntex.2d.v4.f32.f32;\nret;",
                          ".file 1 \"own.cu\"\n.file 2 \"cuda/mma.h\"\n")));
    return k.fault("run.unsupported_instruction");
  };
  EXPECT_EQ(inlined("tcgen05.fence::before_thread_sync;").place, (SourcePlace{"own.cu", 7, 3}));
  EXPECT_THAT(inlined("tcgen05.fence::before_thread_sync;").message, HasSubstr("tensor core"));
  EXPECT_EQ(inlined("").place, (SourcePlace{"own.cu", 9, 3}));
  EXPECT_THAT(inlined("").message, HasSubstr("texture"));
  Launcher elsewhere(kernel("", "call.uni gone;\nret;", ".extern .func gone();\n"));
  ASSERT_EQ(elsewhere.errors.size(), 1u);
  EXPECT_EQ(elsewhere.errors[0].code, "run.unresolved_function");
  Launcher launches(
      kernel("", "call.uni __cudaCDP2LaunchDeviceV2;\nret;", ".extern .func __cudaCDP2LaunchDeviceV2();\n"));
  ASSERT_EQ(launches.errors.size(), 1u);
  EXPECT_THAT(launches.errors[0].cure, HasSubstr("cannot launch others"));
  Launcher mangled(kernel("", "call.uni _Z1fi;\nret;", ".extern .func _Z1fi();\n"));
  ASSERT_EQ(mangled.errors.size(), 1u);
  EXPECT_THAT(mangled.errors[0].message, HasSubstr("\"f\" is declared"));
  const std::string heap = ".extern .func free(.param .b64 a);\n";
  for (const Launcher& address : {Launcher(kernel("", "mov.u64 %rd1, free;\nret;", heap)),
                                  Launcher(kernel("", "ld.global.u64 %rd1, [table];\nret;",
                                                  heap + ".global .align 8 .u64 table[1] = {free};\n"))}) {
    ASSERT_EQ(address.errors.size(), 1u) << "the driver's functions have no address here";
    EXPECT_THAT(address.errors[0].message, HasSubstr("\"free\" is declared"));
  }
  Launcher name(kernel("", "ret;"), "other");
  ASSERT_EQ(name.errors.size(), 1u);
  EXPECT_EQ(name.errors[0].code, "launch.no_such_kernel");
  EXPECT_THAT(name.errors[0].cure, HasSubstr("k"));
}

}  // namespace
}  // namespace lanescope::sim
