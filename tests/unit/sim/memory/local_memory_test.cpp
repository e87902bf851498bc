// Local memory: each thread's own bytes, in accesses of each shape, and how they are counted.

#include <fmt/format.h>

#include "sim/launcher.h"

namespace lanescope::sim {
namespace {

using test::kernel;
using test::Launcher;
using trace::MemoryClass;

// Sixteen elements per thread, of `elements` values of `bytes` bytes each. The lanes store at indices of their own, in
// two masks, and load at one index in all lanes and at indices of their own.
struct LocalShape {
  const char* type;
  int elements, bytes;
};

std::string local_accesses(const LocalShape& shape) {
  const auto list = [&](const std::string& prefix, int first) {
    std::string text;
    for (int e = 0; e < shape.elements; ++e) text += (e == 0 ? "" : ", ") + prefix + std::to_string(first + e);
    return shape.elements == 1 ? text : "{" + text + "}";
  };
  const std::string registers = shape.bytes == 8 ? "%rd" : shape.bytes == 4 ? "%r" : "%h";
  const std::string type =
      (shape.elements == 1 ? "" : "v" + std::to_string(shape.elements) + ".") + std::string(shape.type);
  const std::string own_index = "mad.lo.u32 %r3, %r1, {}, %r2;\nand.b32 %r3, %r3, 15;\n";
  const std::string address = fmt::format(
      "mul.lo.u32 %r4, %r3, {};\ncvt.u64.u32 %rd3, %r4;\nadd.u64 %rd3, %rd2, %rd3;\n", shape.elements * shape.bytes);
  std::string store = fmt::format(fmt::runtime(own_index), 5) + address;
  std::string load = address + fmt::format("ld.local.{} {}, [%rd3];\n", type, list(registers, 40));
  for (int e = 0; e < shape.elements; ++e) {
    store += fmt::format("mad.lo.u32 %r5, %r1, 1000, {};\nmad.lo.u32 %r5, %r3, 7, %r5;\n", e);
    store += registers == "%r"
                 ? fmt::format("mov.u32 %r{}, %r5;\n", 40 + e)
                 : fmt::format("cvt.u{}.u32 {}{}, %r5;\n", registers == "%h" ? 16 : 64, registers, 40 + e);
    load += registers == "%r" ? fmt::format("mov.u32 %r5, %r{};\n", 40 + e)
                              : fmt::format("cvt.u32.u{} %r5, {}{};\n", registers == "%h" ? 16 : 64, registers, 40 + e);
    load += "mad.lo.u32 %r7, %r7, 31, %r5;\n";
  }
  for (const char* guard : {"@%p1 ", "@!%p1 "})
    store += fmt::format("{}st.local.{} [%rd3], {};\n", guard, type, list(registers, 40));
  return kernel(".param .u64 out", R"(
    .local .align 16 .b8 array[256];
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mov.u64 %rd2, array;
    rem.u32 %r6, %r1, 3;
    setp.ne.u32 %p1, %r6, 1;
    mov.u32 %r7, 0;
    mov.u32 %r2, 0;
  FILL:
)" + store + R"(
    add.u32 %r2, %r2, 1;
    setp.lt.u32 %p2, %r2, 16;
    @%p2 bra FILL;
    mov.u32 %r2, 0;
  SUM:
    mov.u32 %r3, %r2;
)" + load + fmt::format(fmt::runtime(own_index), 3) +
                                       load + R"(
    add.u32 %r2, %r2, 1;
    setp.lt.u32 %p2, %r2, 16;
    @%p2 bra SUM;
    mul.wide.u32 %rd4, %r1, 4;
    add.u64 %rd4, %rd1, %rd4;
    st.global.u32 [%rd4], %r7;
    ret;
)");
}

TEST(LocalMemory, AccessesOfEachShapeReachTheThreadsOwnBytes) {
  for (const LocalShape& shape : {LocalShape{"u8", 1, 1},
                                  {"u8", 2, 1},
                                  {"u8", 4, 1},
                                  {"u16", 1, 2},
                                  {"u16", 2, 2},
                                  {"u16", 4, 2},
                                  {"u32", 1, 4},
                                  {"u32", 2, 4},
                                  {"u32", 4, 4},
                                  {"u64", 1, 8},
                                  {"u64", 2, 8}}) {
    Launcher k(local_accesses(shape));
    k.block = {40, 1, 1};  // the second warp has eight lanes
    const int out = k.add_buffer(std::vector<std::uint32_t>(40));
    const LaunchResult result = k.run();
    const auto values = k.values<std::uint32_t>(result, out);
    for (std::uint32_t t = 0; t < 40; ++t) {
      std::uint32_t sum = 0;
      const auto add = [&](std::uint32_t index) {
        for (std::uint32_t e = 0; e < static_cast<std::uint32_t>(shape.elements); ++e) {
          const std::uint32_t value = t * 1000 + e + index * 7;
          sum = sum * 31 + (shape.bytes == 1 ? value & 0xff : shape.bytes == 2 ? value & 0xffff : value);
        }
      };
      for (std::uint32_t i = 0; i < 16; ++i) add(i), add((t * 3 + i) % 16);
      ASSERT_EQ(values[t], sum) << "thread " << t << " with " << shape.elements << " × " << shape.type;
    }
    const auto& loads = result.trace.totals.of(MemoryClass::local_load);
    EXPECT_EQ(loads.bytes_requested, 2u * 16u * 40u * static_cast<unsigned>(shape.elements * shape.bytes));
  }
}

TEST(LocalMemory, ArraysAreEachThreadsOwn) {
  // a[i] = tid × 100 + i; sum of all through a varying index.
  Launcher k(kernel(".param .u64 out", R"(
    .local .align 8 .b8 depot[64];
    ld.param.u64 %rd1, [out];
    mov.u32 %r1, %tid.x;
    mov.u64 %rd2, depot;
    cvta.local.u64 %rd3, %rd2;
    mov.u32 %r2, 0;
  FILL:
    mul.wide.u32 %rd4, %r2, 4;
    add.s64 %rd5, %rd2, %rd4;
    mad.lo.s32 %r3, %r1, 100, %r2;
    st.local.u32 [%rd5], %r3;
    add.s32 %r2, %r2, 1;
    setp.lt.u32 %p1, %r2, 16;
    @%p1 bra FILL;
    and.b32 %r4, %r1, 15;
    mul.wide.u32 %rd6, %r4, 4;
    add.s64 %rd7, %rd3, %rd6;
    ld.u32 %r5, [%rd7];
    ld.local.v2.u32 {%r6, %r7}, [%rd2+8];
    add.s32 %r5, %r5, %r6;
    add.s32 %r5, %r5, %r7;
    ld.local.u8 %r8, [%rd2+4];
    add.s32 %r5, %r5, %r8;
    mul.wide.u32 %rd8, %r1, 4;
    add.s64 %rd9, %rd1, %rd8;
    st.global.u32 [%rd9], %r5;
    ret;
  )"));
  k.block = {64, 1, 1};
  const int out = k.add_buffer(std::vector<int>(64));
  const LaunchResult result = k.run();
  const auto values = k.values<int>(result, out);
  for (int t = 0; t < 64; ++t)
    EXPECT_EQ(values[static_cast<std::size_t>(t)], t * 100 + t % 16 + t * 200 + 2 + 3 + ((t * 100 + 1) & 0xff));
  // All lanes at one offset: their words are contiguous, four sectors; eight sectors for 8 bytes per lane.
  const auto& stores = result.trace.totals.of(MemoryClass::local_store);
  EXPECT_EQ(stores.requests, 32u);
  EXPECT_EQ(stores.sectors, 32u * 4u);
  EXPECT_EQ(result.trace.totals.of(MemoryClass::local_load).requests, 6u);
}

}  // namespace
}  // namespace lanescope::sim
