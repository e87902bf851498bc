// Spaces, widths, vectors and address conversion: values, and how each access is counted.

#include <numeric>

#include <fmt/format.h>

#include "sim/launcher.h"
#include "sim/memory/memory.h"

namespace lanescope::sim {
namespace {

using test::kernel;
using test::Launcher;
using trace::MemoryClass;

// %rd3 = in + tid × stride, %rd5 = out + tid × stride.
std::string in_to_out(const std::string& body, int stride, const std::string& before = "") {
  return kernel(".param .u64 in, .param .u64 out",
                R"(
    ld.param.u64 %rd1, [in];
    ld.param.u64 %rd4, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, )" +
                    std::to_string(stride) + R"(;
    add.s64 %rd3, %rd1, %rd2;
    add.s64 %rd5, %rd4, %rd2;
  )" + body + "\nret;\n",
                before);
}

std::vector<std::uint8_t> bytes(std::size_t count) {
  std::vector<std::uint8_t> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<std::uint8_t>(i * 37 + 11);
  return values;
}

struct WidthCase {
  const char* name;
  const char* body;
  int stride;
};
class Width : public testing::TestWithParam<WidthCase> {};

TEST_P(Width, CopiesItsBytes) {
  Launcher k(in_to_out(GetParam().body, GetParam().stride));
  const auto in = bytes(32 * static_cast<std::size_t>(GetParam().stride));
  k.block = {27, 1, 1};
  k.add_buffer(in);
  const int out = k.add_buffer(std::vector<std::uint8_t>(in.size()));
  const auto values = k.values<std::uint8_t>(k.run(), out);
  for (std::size_t i = 0; i < in.size(); ++i)
    EXPECT_EQ(values[i], i < 27 * static_cast<std::size_t>(GetParam().stride) ? in[i] : 0) << i;
}
INSTANTIATE_TEST_SUITE_P(
    All, Width,
    testing::Values(
        WidthCase{"u8", "ld.global.u8 %h1, [%rd3];\nst.global.u8 [%rd5], %h1;", 1},
        WidthCase{"u16", "ld.global.u16 %h1, [%rd3];\nst.global.u16 [%rd5], %h1;", 2},
        WidthCase{"u8_in_32", "ld.global.u8 %r2, [%rd3];\nst.global.u8 [%rd5], %r2;", 1},
        WidthCase{"u16_in_32", "ld.global.u16 %r2, [%rd3];\nst.global.u16 [%rd5], %r2;", 2},
        WidthCase{"u32", "ld.global.u32 %r2, [%rd3];\nst.global.u32 [%rd5], %r2;", 4},
        WidthCase{"u32_in_64", "ld.global.u32 %rd6, [%rd3];\nst.global.u32 [%rd5], %rd6;", 4},
        WidthCase{"f64", "ld.global.f64 %fd2, [%rd3];\nst.global.f64 [%rd5], %fd2;", 8},
        WidthCase{"v2_u8", "ld.global.v2.u8 {%h1, %h2}, [%rd3];\nst.global.v2.u8 [%rd5], {%h1, %h2};", 2},
        WidthCase{"v4_u8",
                  "ld.global.v4.u8 {%h1, %h2, %h3, %h4}, [%rd3];\n"
                  "st.global.v4.u8 [%rd5], {%h1, %h2, %h3, %h4};",
                  4},
        WidthCase{"v2_f32", "ld.global.v2.f32 {%f1, %f2}, [%rd3];\nst.global.v2.f32 [%rd5], {%f1, %f2};", 8},
        WidthCase{"v4_f32",
                  "ld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd3];\n"
                  "st.global.v4.f32 [%rd5], {%f1, %f2, %f3, %f4};",
                  16},
        WidthCase{"v2_f64", "ld.global.v2.f64 {%fd1, %fd2}, [%rd3];\nst.global.v2.f64 [%rd5], {%fd1, %fd2};", 16},
        WidthCase{"nc", "ld.global.nc.u32 %r2, [%rd3];\nst.global.u32 [%rd5], %r2;", 4}),
    [](const auto& c) { return c.param.name; });

// A region ends with its bytes, and distances are measured from its bytes.
TEST(Memory, RegionsBeginAndEndAtTheirBytes) {
  GlobalMemory memory;
  memory.add({.address = 0x2000, .bytes = 16});
  memory.add({.address = 0x1000, .bytes = 4});
  memory.sort();
  const auto start_of = [](const Region* region) { return region == nullptr ? 0 : region->address; };
  EXPECT_EQ(start_of(memory.find(0xfff)), 0u);
  EXPECT_EQ(start_of(memory.find(0x1000)), 0x1000u);
  EXPECT_EQ(start_of(memory.find(0x1003)), 0x1000u);
  EXPECT_EQ(start_of(memory.find(0x1004)), 0u);
  EXPECT_EQ(start_of(memory.find(0x200f)), 0x2000u);
  EXPECT_EQ(start_of(memory.find(0x2010)), 0u);
  EXPECT_EQ(start_of(memory.nearest(0x1800)), 0x1000u);
  EXPECT_EQ(start_of(memory.nearest(0x1804)), 0x2000u);
}

// CUTLASS's top-k declares its pairs so.
TEST(Memory, VectorRegisters) {
  Launcher k(kernel(".param .u64 in, .param .u64 out", R"(
    .reg .v4 .u32 %quad;
    .reg .v2 .u32 pair;
    ld.param.u64 %rd1, [in];
    ld.param.u64 %rd2, [out];
    ld.global.v4.u32 %quad, [%rd1];
    {
      .reg .v2 .u32 pair;
      add.u32 pair.x, %quad.y, %quad.w;
      mov.u32 pair.y, 9;
      mov.b64 %rd3, {pair.x, pair.g};
      st.global.u64 [%rd2], %rd3;
    }
    mul.lo.u32 %quad.r, %quad.x, 10;
    mov.u32 pair.x, 7;
    mov.u32 pair.y, %quad.b;
    st.global.v2.u32 [%rd2+8], pair;
    st.global.v4.u32 [%rd2+16], %quad;
    ret;
)"));
  k.block = {1, 1, 1};
  k.add_buffer(std::vector<int>{1, 2, 3, 4});
  const int out = k.add_buffer(std::vector<int>(8));
  EXPECT_EQ(k.values<int>(k.run(), out), (std::vector<int>{6, 9, 7, 3, 10, 2, 3, 4}));
}

TEST(Memory, LoadsExtendTheSign) {
  Launcher k(kernel(".param .u64 in, .param .u64 out", R"(
    ld.param.u64 %rd1, [in];
    ld.param.u64 %rd2, [out];
    ld.global.s8 %r1, [%rd1];
    ld.global.u8 %r2, [%rd1];
    ld.global.s16 %r3, [%rd1];
    ld.global.s32 %rd3, [%rd1];
    ld.global.u32 %rd4, [%rd1];
    mov.u32 %r4, %tid.x;
    setp.ne.u32 %p1, %r4, 0;
    @%p1 ret;
    cvt.s64.s32 %rd5, %r1;
    st.global.u64 [%rd2], %rd5;
    cvt.s64.s32 %rd5, %r2;
    st.global.u64 [%rd2+8], %rd5;
    cvt.s64.s32 %rd5, %r3;
    st.global.u64 [%rd2+16], %rd5;
    st.global.u64 [%rd2+24], %rd3;
    st.global.u64 [%rd2+32], %rd4;
    ret;
  )"));
  k.add_buffer(std::vector<std::uint32_t>{0xfffefdfc});
  const int out = k.add_buffer(std::vector<std::int64_t>(5));
  EXPECT_EQ(k.values<std::int64_t>(k.run(), out),
            (std::vector<std::int64_t>{-4, 0xfc, static_cast<std::int16_t>(0xfdfc), -66052, 0xfffefdfc}));
}

TEST(Memory, TheHighestLaneWinsWhereStoresCollide) {
  for (const int shift : {0, 3}) {
    Launcher k(kernel(".param .u64 out", "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\nshl.b32 %r2, %r1, " +
                                             std::to_string(shift) +
                                             ";\nand.b32 %r2, %r2, 8;\n"
                                             "cvt.u64.u32 %rd2, %r2;\nadd.s64 %rd3, %rd1, %rd2;\n"
                                             "st.global.u32 [%rd3], %r1;\nret;"));
    const int out = k.add_buffer(std::vector<int>(4, -1));
    const auto values = k.values<int>(k.run(), out);
    EXPECT_EQ(values[0], shift == 0 ? 23 : 30);
    EXPECT_EQ(values[2], 31);
  }
}

TEST(Memory, ScatteredOverTwoBuffers) {
  // Even lanes read one buffer, odd lanes the other.
  Launcher k(kernel(".param .u64 a, .param .u64 b, .param .u64 out", R"(
    ld.param.u64 %rd1, [a];
    ld.param.u64 %rd2, [b];
    ld.param.u64 %rd3, [out];
    mov.u32 %r1, %tid.x;
    and.b32 %r2, %r1, 1;
    setp.eq.u32 %p1, %r2, 0;
    selp.b64 %rd4, %rd1, %rd2, %p1;
    mul.wide.u32 %rd5, %r1, 4;
    add.s64 %rd6, %rd4, %rd5;
    ld.global.u32 %r3, [%rd6];
    add.s64 %rd7, %rd3, %rd5;
    st.global.u32 [%rd7], %r3;
    ret;
  )"));
  std::vector<int> a(32), b(32);
  std::iota(a.begin(), a.end(), 100);
  std::iota(b.begin(), b.end(), 200);
  k.add_buffer(a);
  k.add_buffer(b);
  const int out = k.add_buffer(std::vector<int>(32));
  const LaunchResult result = k.run();
  const auto values = k.values<int>(result, out);
  for (int i = 0; i < 32; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)], (i % 2 == 0 ? 100 : 200) + i);
  EXPECT_EQ(result.trace.totals.of(MemoryClass::global_load).sectors, 8u);
}

TEST(Memory, GenericAddressesFallInTheirSpace) {
  // Lanes 0–15 address shared memory, the others global memory, with one instruction.
  Launcher k(kernel(".param .u64 in, .param .u64 out", R"(
    .shared .align 4 .b8 tile[128];
    ld.param.u64 %rd1, [in];
    ld.param.u64 %rd2, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd3, %r1, 4;
    mov.u64 %rd4, tile;
    cvta.shared.u64 %rd5, %rd4;
    add.s64 %rd6, %rd5, %rd3;
    add.s32 %r2, %r1, 1000;
    st.u32 [%rd6], %r2;
    add.s64 %rd7, %rd1, %rd3;
    setp.lt.u32 %p1, %r1, 16;
    selp.b64 %rd8, %rd6, %rd7, %p1;
    ld.u32 %r3, [%rd8];
    isspacep.shared %p2, %rd8;
    isspacep.global %p3, %rd8;
    isspacep.local %p4, %rd8;
    selp.u32 %r4, 10000, 0, %p2;
    add.s32 %r3, %r3, %r4;
    selp.u32 %r4, 20000, 0, %p3;
    add.s32 %r3, %r3, %r4;
    selp.u32 %r4, 40000, 0, %p4;
    add.s32 %r3, %r3, %r4;
    cvta.to.shared.u64 %rd9, %rd6;
    ld.shared.u32 %r5, [%rd9];
    sub.s32 %r5, %r5, %r2;
    add.s32 %r3, %r3, %r5;
    add.s64 %rd10, %rd2, %rd3;
    st.global.u32 [%rd10], %r3;
    ret;
  )"));
  std::vector<int> in(32);
  std::iota(in.begin(), in.end(), 5);
  k.add_buffer(in);
  const int out = k.add_buffer(std::vector<int>(32));
  const LaunchResult result = k.run();
  const auto values = k.values<int>(result, out);
  for (int i = 0; i < 32; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)], i < 16 ? 11000 + i : 20005 + i);
  const auto& totals = result.trace.totals;
  EXPECT_EQ(totals.of(MemoryClass::shared_load).requests, 2u);
  EXPECT_EQ(totals.of(MemoryClass::global_load).requests, 1u);
  EXPECT_EQ(totals.of(MemoryClass::global_load).sectors, 2u);
  EXPECT_EQ(totals.of(MemoryClass::shared_store).requests, 1u);
}

TEST(Memory, ModuleVariablesStartWithTheirValues) {
  Launcher k(kernel(".param .u64 out", R"(
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    mov.u64 %rd3, table;
    add.s64 %rd4, %rd3, %rd2;
    ld.const.u32 %r2, [%rd4];
    ld.const.u32 %r3, [table+8];
    mov.u64 %rd5, pointer;
    ld.global.u64 %rd6, [%rd5];
    ld.global.u32 %r4, [%rd6];
    ld.global.u32 %r5, [zeros+4];
    add.s32 %r2, %r2, %r3;
    add.s32 %r2, %r2, %r4;
    add.s32 %r2, %r2, %r5;
    add.s64 %rd7, %rd1, %rd2;
    st.global.u32 [%rd7], %r2;
    st.global.u32 [zeros+4], %r1;
    ret;
  )",
                    ".const .align 4 .u32 table[4] = {1, 20, 300, 4000};\n.global .align 4 .u32 value = 50000;\n"
                    ".global .align 8 .u64 pointer = generic(value);\n.global .align 4 .b8 zeros[16];\n"));
  k.block = {4, 1, 1};
  const int out = k.add_buffer(std::vector<int>(4));
  const LaunchResult result = k.run();
  EXPECT_EQ(k.values<int>(result, out), (std::vector<int>{50301, 50320, 50600, 54300}));
  EXPECT_EQ(result.trace.totals.of(MemoryClass::constant_load).requests, 2u);
  // Every launch starts with the original contents.
  EXPECT_EQ(k.values<int>(k.run(), out), (std::vector<int>{50301, 50320, 50600, 54300}));
}

// The addresses that ptxas (13.0.88) gave the variables of such a kernel, read from its SASS. Banks are counted from
// there.
TEST(Memory, SharedVariablesLieAsPtxasPlacesThem) {
  Launcher k(kernel(".param .u64 out", R"(
    .shared .align 4 .b8 a[36];
    .shared .align 4 .b8 b[44];
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, b;
    st.global.u32 [%rd1+12], %r1;
    mov.u32 %r1, g2;
    st.global.u32 [%rd1+4], %r1;
    {
    .param .b64 to;
    st.param.b64 [to], %rd1;
    call f, (to);
    }
    mov.u32 %r1, a;
    st.global.u32 [%rd1+8], %r1;
    mov.u32 %r1, g1;
    st.global.u32 [%rd1], %r1;
    ret;
  )",
                    R"(
.shared .align 4 .b8 g1[12];
.shared .align 4 .b8 g2[28];
.func f(.param .b64 to) {
  .shared .align 4 .b8 inner[20];
  .reg .b32 %r<2>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [to];
  mov.u32 %r1, inner;
  st.global.u32 [%rd1+16], %r1;
  ret;
}
)"));
  const int out = k.add_buffer(std::vector<std::uint32_t>(5));
  std::vector<std::uint32_t> places = k.values<std::uint32_t>(k.run(), out);
  for (std::size_t i = places.size(); i-- > 0;) places[i] -= places[0];
  EXPECT_EQ(places, (std::vector<std::uint32_t>{0, 0xc, 0x28, 0x4c, 0x78}));
}

TEST(Memory, DynamicSharedMemoryFollowsTheStatic) {
  Launcher k(kernel(".param .u64 out", R"(
    .shared .align 4 .b8 fixed[12];
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, more;
    shl.b32 %r3, %r1, 2;
    add.s32 %r4, %r2, %r3;
    st.shared.u32 [%r4], %r1;
    st.shared.u32 [fixed+8], %r1;
    ld.shared.u32 %r5, [%r4];
    mov.u32 %r6, %dynamic_smem_size;
    add.s32 %r5, %r5, %r6;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r5;
    ret;
  )",
                    ".extern .shared .align 16 .b8 more[];\n"));
  k.shared_bytes = 128;
  const int out = k.add_buffer(std::vector<int>(32));
  const auto values = k.values<int>(k.run(), out);
  for (int i = 0; i < 32; ++i) EXPECT_EQ(values[static_cast<std::size_t>(i)], i + 128);
  k.shared_bytes = 124;
  k.fault("memory.out_of_bounds");
}

TEST(Memory, KernelParametersThroughAPointer) {
  Launcher k(kernel(".param .align 4 .b8 list[16], .param .u64 out", R"(
    mov.b64 %rd5, list;
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd2, %r1, 4;
    add.s64 %rd6, %rd5, %rd2;
    ld.param.u32 %r2, [%rd6];
    cvta.param.u64 %rd7, %rd6;
    ld.u32 %r3, [%rd7];
    add.s32 %r2, %r2, %r3;
    add.s64 %rd3, %rd1, %rd2;
    st.global.u32 [%rd3], %r2;
    ret;
  )"));
  k.block = {4, 1, 1};
  Argument list;
  const int values[] = {3, 5, 7, 9};
  list.raw_parameter.resize(16);
  std::memcpy(list.raw_parameter.data(), values, 16);
  k.request.arguments.push_back(list);
  const int out = k.add_buffer(std::vector<int>(4));
  const LaunchResult result = k.run();
  EXPECT_EQ(k.values<int>(result, out), (std::vector<int>{6, 10, 14, 18}));
  EXPECT_EQ(result.trace.totals.of(MemoryClass::param_load).requests, 3u);
  EXPECT_EQ(result.trace.totals.of(MemoryClass::global_load).requests, 0u);
}

TEST(Memory, AnOddBaseOfABuffer) {
  Launcher k(in_to_out("ld.global.u32 %r2, [%rd3];\nst.global.u32 [%rd5], %r2;", 4));
  std::vector<int> in(40);
  std::iota(in.begin(), in.end(), 0);
  k.add_buffer(in);
  k.request.arguments[0].base_offset = 4;
  const int out = k.add_buffer(std::vector<int>(32));
  const LaunchResult result = k.run();
  EXPECT_EQ(k.values<int>(result, out)[0], 1);
  EXPECT_EQ(result.trace.totals.of(MemoryClass::global_load).sectors, 5u);
}

TEST(Memory, AsynchronousCopies) {
  // Each lane copies 16 bytes; the last four lanes read only 8 or none, the rest is zero.
  Launcher k(kernel(".param .u64 in, .param .u64 out", R"(
    .shared .align 16 .b8 tile[512];
    ld.param.u64 %rd1, [in];
    ld.param.u64 %rd2, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %rd3, %r1, 16;
    add.s64 %rd4, %rd1, %rd3;
    mov.u32 %r2, tile;
    shl.b32 %r3, %r1, 4;
    add.s32 %r4, %r2, %r3;
    mov.u32 %r5, 16;
    setp.ge.u32 %p1, %r1, 28;
    @%p1 mov.u32 %r5, 8;
    setp.ge.u32 %p2, %r1, 30;
    @%p2 mov.u32 %r5, 0;
    cp.async.cg.shared.global [%r4], [%rd4], 16, %r5;
    cp.async.commit_group;
    cp.async.wait_group 0;
    bar.sync 0;
    ld.shared.v4.u32 {%r6, %r7, %r8, %r9}, [%r4];
    add.s64 %rd5, %rd2, %rd3;
    st.global.v4.u32 [%rd5], {%r6, %r7, %r8, %r9};
    ret;
  )"));
  std::vector<int> in(28 * 4 + 4 + 2);  // the upper half of lane 29, and lanes 30 and 31, have nothing to read
  std::iota(in.begin(), in.end(), 1);
  k.add_buffer(in);
  const int out = k.add_buffer(std::vector<int>(128, -1));
  const LaunchResult result = k.run();
  const auto values = k.values<int>(result, out);
  for (int i = 0; i < 128; ++i) {
    const int lane = i / 4;
    const bool read = lane < 28 || (lane < 30 && i % 4 < 2);
    EXPECT_EQ(values[static_cast<std::size_t>(i)], read ? i + 1 : 0) << i;
  }
  const auto& totals = result.trace.totals;
  EXPECT_EQ(totals.of(MemoryClass::global_load).requests, 1u);
  EXPECT_EQ(totals.of(MemoryClass::global_load).executed_lanes, 30u);
  EXPECT_EQ(totals.of(MemoryClass::shared_store).requests, 1u);
  EXPECT_EQ(totals.of(MemoryClass::shared_store).wavefronts, 4u);
}

}  // namespace
}  // namespace lanescope::sim
