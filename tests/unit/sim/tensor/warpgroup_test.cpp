// wgmma against products computed on the host. Positions in registers and shared memory follow the figures of "PTX
// ISA", "Asynchronous Warpgroup Level Matrix Instructions": rows of 128, 64, 32 or 16 bytes, whose 16-byte pieces are
// swizzled by the row.

#include <bit>
#include <random>

#include "sim/alu/half.h"
#include "sim/launcher.h"
#include "sim/small_numbers.h"
#include "sim/tensor/own_features.h"

namespace lanescope::sim {
namespace {

using test::bits_of_type;
using test::encoded;
using test::for_sm_90a;
using test::kernel;
using test::Launcher;
using test::small_number;
using testing::HasSubstr;
using U8 = std::uint8_t;
using U32 = std::uint32_t;
using U64 = std::uint64_t;

constexpr int matrix_bytes = 32 * 1024;  // A, and the same size for B

// The layout of a matrix in shared memory: bytes per row of the swizzle pattern (16: none), the direction, and the two
// distances.
struct Way {
  int row = 16;
  bool by_line = false;  // M- or N-major
  int start = 0, leading = 0, stride = 0;

  U64 swizzle() const { return row == 128 ? 1 : row == 64 ? 2 : row == 32 ? 3 : 0; }
  U64 descriptor(int at) const {
    const auto field = [](int bytes) { return static_cast<U64>(bytes) >> 4; };
    return field(at + start) | field(leading) << 16 | field(stride) << 32 | swizzle() << 62;
  }
  // The pattern's rows are contiguous; 16-byte pieces are swizzled by the row.
  int in_pattern(int number, int byte) const {
    const int pieces = row / 16, piece = byte / 16;
    return number * row + (piece ^ (number * row / 128 % pieces)) * 16 + byte % 16;
  }
  // Offset of element `byte` (in k) of a line; K-major. `start` may point into a row.
  int along_k(int line, int byte) const {
    if (row == 16) return line / 8 * stride + byte / 16 * leading + line % 8 * 16 + byte % 16;
    return line / 8 * stride + in_pattern(line % 8, start + byte);
  }
  // For 16-bit elements.
  int along_lines(int line, int k) const {
    if (row == 16) return line / 8 * stride + k / 8 * leading + k % 8 * 16 + line % 8 * 2;
    const int lines = row / 2;
    return line / lines * leading + k / 8 * stride + in_pattern(k % 8, line % lines * 2);
  }
};

struct Case {
  std::string sum, a, b;
  int n = 8;
  Way way_a, way_b;
  bool registers = false;  // A
  std::string adds = "1";
  int sign_a = 1, sign_b = 1;
  bool saturate = false;
};
int k_of(const Case& c) {
  return 256 / bits_of_type(c.a);
}

// Registers of a lane; column and row of sum i.
int sum_registers(const Case& c) {
  return c.n / 2 * bits_of_type(c.sum) / 32;
}
std::string list(const std::string& prefix, int count) {
  std::string text = "{";
  for (int i = 0; i < count; ++i) text += (i == 0 ? "" : ", ") + prefix + std::to_string(i);
  return text + "}";
}

std::string text_of(const Case& c, const std::string& before = "wgmma.fence.sync.aligned;",
                    const std::string& after = "") {
  const int count = sum_registers(c);
  std::string body = R"(
    .reg .b32 %d<130>;
    .reg .b32 %a<4>;
    ld.param.u64 %rd1, [image];
    ld.param.u64 %rd2, [of_a];
    ld.param.u64 %rd3, [sums];
    ld.param.u64 %rd10, [da];
    ld.param.u64 %rd11, [db];
    ld.param.u32 %r20, [adds];
    mov.u32 %r1, %tid.x;
    mov.u32 %r2, matrices;
    mov.u32 %r3, %r1;
  COPY:
    mul.wide.u32 %rd4, %r3, 4;
    add.s64 %rd4, %rd1, %rd4;
    ld.global.u32 %r4, [%rd4];
    shl.b32 %r5, %r3, 2;
    add.u32 %r5, %r5, %r2;
    st.shared.u32 [%r5], %r4;
    add.u32 %r3, %r3, 128;
    setp.lt.u32 %p1, %r3, 16384;
    @%p1 bra COPY;
    mul.wide.u32 %rd5, %r1, 16;
    add.s64 %rd5, %rd2, %rd5;
    ld.global.v4.u32 {%a0, %a1, %a2, %a3}, [%rd5];
    mul.wide.u32 %rd6, %r1, )" +
                     std::to_string(count * 4) + R"(;
    add.s64 %rd6, %rd3, %rd6;
    setp.ne.u32 %p2, %r20, 0;
)";
  for (int i = 0; i < count; ++i)
    body += "    ld.global.u32 %d" + std::to_string(i) + ", [%rd6+" + std::to_string(i * 4) + "];\n";
  body += "    fence.proxy.async.shared::cta;\n    bar.sync 0;\n    " + before +
          "\n    wgmma.mma_async.sync.aligned.m64n" + std::to_string(c.n) + "k" + std::to_string(k_of(c)) + "." +
          c.sum + "." + c.a + "." + c.b + (c.saturate ? ".satfinite" : "") + (c.a == "b1" ? ".and.popc" : "") + " " +
          list("%d", count) + ", " + (c.registers ? "{%a0, %a1, %a2, %a3}" : "%rd10") + ", %rd11, " + c.adds;
  if (c.sum != "s32") body += ", " + std::to_string(c.sign_a) + ", " + std::to_string(c.sign_b);
  if (bits_of_type(c.a) == 16)
    body += (c.registers ? "" : c.way_a.by_line ? ", 1" : ", 0") + std::string(c.way_b.by_line ? ", 1" : ", 0");
  body += ";\n    wgmma.commit_group.sync.aligned;\n    wgmma.wait_group.sync.aligned 0;\n" + after;
  for (int i = 0; i < count; ++i)
    body += "    st.global.u32 [%rd6+" + std::to_string(i * 4) + "], %d" + std::to_string(i) + ";\n";
  return for_sm_90a(
      kernel(".param .u64 image, .param .u64 of_a, .param .u64 sums, .param .u64 da, .param .u64 db, .param .u32 adds",
             body + "    ret;", ".extern .shared .align 1024 .b8 matrices[];\n"));
}

struct Matrices {
  std::vector<int> a, b, c;                 // by rows; b by columns
  std::vector<U32> image, of_a, registers;  // as the kernel takes them
};

void put(std::vector<U32>& words, int byte, int bit, int bits, U32 value) {
  const int at = byte * 8 + bit;
  words[static_cast<std::size_t>(at / 32)] |= value << at % 32 & (bits == 32 ? ~0u : ((1u << bits) - 1) << at % 32);
}

Matrices matrices_of(const Case& c, std::mt19937& random) {
  const int k = k_of(c), bits = bits_of_type(c.a), sum_bits = bits_of_type(c.sum);
  Matrices m;
  m.image.resize(2 * matrix_bytes / 4);
  m.of_a.resize(128 * 4);
  m.registers.resize(static_cast<std::size_t>(128 * sum_registers(c)));
  const auto place = [&](const Way& way, int line, int i) {
    return way.by_line ? way.along_lines(line, i) : way.along_k(line, i * bits / 8);
  };
  for (int row = 0; row < 64; ++row)
    for (int i = 0; i < k; ++i) {
      m.a.push_back(small_number(c.a, random));
      const U32 value = static_cast<U32>(encoded(c.a, m.a.back()));
      if (!c.registers) put(m.image, place(c.way_a, row, i), i * bits % 8, bits, value);
      // Of a warp's 16 rows, a lane has row lane ÷ 4 and the one eight below; in k, it has 4 bytes and the 4 bytes 16
      // bytes on.
      const int byte = i * bits / 8, lane = row % 8 * 4 + byte % 16 / 4;
      put(m.of_a, ((row / 16 * 32 + lane) * 4 + row % 16 / 8 + byte / 16 * 2) * 4 + byte % 4, i * bits % 8, bits,
          value);
    }
  for (int column = 0; column < c.n; ++column)
    for (int i = 0; i < k; ++i) {
      m.b.push_back(small_number(c.b, random));
      put(m.image, matrix_bytes + place(c.way_b, column, i), i * bits % 8, bits,
          static_cast<U32>(encoded(c.b, m.b.back())));
    }
  for (int row = 0; row < 64; ++row)
    for (int column = 0; column < c.n; ++column) {
      m.c.push_back(small_number(c.sum, random));
      const int lane = row % 8 * 4 + column % 8 / 2;
      const int element = column / 8 * 4 + row % 16 / 8 * 2 + column % 2;
      const int word = (row / 16 * 32 + lane) * sum_registers(c) * 4;
      put(m.registers, word + element * sum_bits / 8, 0, sum_bits, static_cast<U32>(encoded(c.sum, m.c.back())));
    }
  return m;
}

// The expected registers.
std::vector<U32> expected(const Case& c, const Matrices& m, bool adds) {
  const int k = k_of(c), sum_bits = bits_of_type(c.sum);
  std::vector<U32> registers(m.registers.size());
  for (int row = 0; row < 64; ++row)
    for (int column = 0; column < c.n; ++column) {
      int sum = adds ? m.c[static_cast<std::size_t>(row * c.n + column)] : 0;
      for (int i = 0; i < k; ++i)
        sum += c.sign_a * c.sign_b * m.a[static_cast<std::size_t>(row * k + i)] *
               m.b[static_cast<std::size_t>(column * k + i)];
      const int lane = row % 8 * 4 + column % 8 / 2;
      const int element = column / 8 * 4 + row % 16 / 8 * 2 + column % 2;
      const int word = (row / 16 * 32 + lane) * sum_registers(c) * 4;
      put(registers, word + element * sum_bits / 8, 0, sum_bits, static_cast<U32>(encoded(c.sum, sum)));
    }
  return registers;
}

void prepare_launch(Launcher& k, const Case& c, const Matrices& m, bool adds) {
  k.block = {128, 1, 1};
  k.shared_bytes = 2 * matrix_bytes;
  k.add_buffer(m.image);
  k.add_buffer(m.of_a);
  k.add_buffer(m.registers);
  k.add_scalar(c.way_a.descriptor(0));
  k.add_scalar(c.way_b.descriptor(matrix_bytes));
  k.add_scalar(adds ? 1u : 0u);
}

// The only message about a correct product.
void expect_only_a_note(const LaunchResult& result) {
  EXPECT_TRUE(result.completed);
  for (const Diagnostic& diagnostic : result.diagnostics)
    EXPECT_EQ(diagnostic.code, "count.wgmma") << format(diagnostic);
}

void check(const Case& c, bool adds = true, bool races = false) {
  SCOPED_TRACE(c.sum + " " + c.a + " " + c.b + " n" + std::to_string(c.n) + " rows of " + std::to_string(c.way_a.row) +
               (c.way_a.by_line ? " by line, " : ", ") + std::to_string(c.way_b.row) +
               (c.way_b.by_line ? " by line" : ""));
  std::mt19937 random(7);
  const Matrices m = matrices_of(c, random);
  Launcher k(text_of(c));
  prepare_launch(k, c, m, adds);
  k.request.races = races;
  const LaunchResult result = k.run_anyway();
  expect_only_a_note(result);
  if (!result.completed) return;
  EXPECT_FALSE(result.races.accuses());
  EXPECT_EQ(Launcher::values<U32>(result, 2), expected(c, m, adds));
}

const Way plain{16, false, 0, 128, 256};

TEST(Warpgroup, MultipliesEveryType) {
  const std::string float_sums[] = {"f32", "f16"};
  for (const bool registers : {false, true}) {
    for (const std::string& sum : float_sums) {
      check({sum, "f16", "f16", 16, plain, plain, registers});
      for (const char* const a : {"e4m3", "e5m2"})
        for (const char* const b : {"e4m3", "e5m2"}) check({sum, a, b, 8, plain, plain, registers});
    }
    check({"f32", "bf16", "bf16", 24, plain, plain, registers});
    check({"f32", "tf32", "tf32", 32, plain, plain, registers});
    for (const char* const a : {"s8", "u8"})
      for (const char* const b : {"s8", "u8"}) check({"s32", a, b, 16, plain, plain, registers});
    check({"s32", "b1", "b1", 8, plain, plain, registers});
  }
}

TEST(Warpgroup, HasEveryWidth) {
  for (int n = 8; n <= 256; n += 8) {
    check({"f32", "f16", "f16", n, plain, plain});
    if (n % 48 == 0) check({"f16", "f16", "f16", n, plain, plain});
    if (n <= 32 || n % 64 == 0) check({"s32", "s8", "u8", n, plain, plain});
  }
}

TEST(Warpgroup, ReadsEveryLayout) {
  for (const int row : {32, 64, 128})
    for (const int start : {0, row - 32}) {
      const Way along_k{row, false, start, 16, row * 8};
      check({"f32", "f16", "f16", 64, along_k, along_k});
      check({"f32", "tf32", "tf32", 16, along_k, along_k});
      check({"s32", "s8", "s8", 32, along_k, along_k});
      const Way apart{row, false, start, 16, row * 16};
      check({"f32", "bf16", "bf16", 40, apart, along_k});
    }
  for (const int row : {16, 32, 64, 128}) {
    // One pattern for eight k; patterns along k, then along lines; and the other way round.
    const Way first_k = row == 16 ? Way{row, true, 0, 128, 256} : Way{row, true, 0, row * 16, row * 8};
    const Way first_lines = row == 16 ? Way{row, true, 0, 4096, 128} : Way{row, true, 0, row * 64, row * 8};
    check({"f32", "f16", "f16", 128, first_k, first_lines});
    check({"f32", "bf16", "bf16", 256, first_lines, first_k});
    check({"f16", "f16", "f16", 72, plain, first_k});
    check({"f32", "f16", "f16", 8, plain, first_k, true});
  }
}

TEST(Warpgroup, AddsAndNegatesAsItIsTold) {
  Case c{"f32", "f16", "f16", 16, plain, plain};
  c.adds = "%p2";
  check(c, true);
  check(c, false);
  c.adds = "0";
  check(c, false);
  c.adds = "1";
  for (const bool registers : {false, true})
    for (const int sign_a : {1, -1})
      for (const int sign_b : {1, -1}) {
        c.registers = registers;
        c.sign_a = sign_a;
        c.sign_b = sign_b;
        check(c);
      }
}

// The largest products of bytes, added to sums near the end of the range.
TEST(Warpgroup, SaturatesIntegers) {
  Case c{"s32", "u8", "u8", 8, plain, plain};
  for (const bool saturate : {false, true}) {
    c.saturate = saturate;
    std::mt19937 random(1);
    Matrices m = matrices_of(c, random);
    for (U32& word : m.image) word = ~0u;
    for (U32& word : m.registers) word = 0x7fffff00u;
    Launcher k(text_of(c));
    prepare_launch(k, c, m, true);
    const LaunchResult result = k.run_anyway();
    expect_only_a_note(result);
    const U32 sum = saturate ? 0x7fffffffu : 0x7fffff00u + 32 * 255 * 255;
    EXPECT_EQ(Launcher::values<U32>(result, 2), std::vector<U32>(m.registers.size(), sum));
  }
}

TEST(Warpgroup, CountsAsMatrixInstructionsOfTheWarps) {
  const Case c{"f32", "f16", "f16", 8, plain, plain};
  std::mt19937 random(1);
  const Matrices m = matrices_of(c, random);
  Launcher k(text_of(c));
  prepare_launch(k, c, m, true);
  const LaunchResult result = k.run_anyway();
  expect_only_a_note(result);
  EXPECT_EQ(result.trace.totals.of(trace::MemoryClass::shared_load).requests, 0u);
}

// The four warps carry out a product together. So after its wait, a warp may overwrite what the others read. (So it was
// on an H200: CUTLASS's example 50 does it.)
TEST(Warpgroup, IsReadByAllWarpsWhenOneHasWaited) {
  const std::string overwrite = R"(
    setp.lt.u32 %p5, %r1, 32;
    shl.b32 %r30, %r1, 3;
    add.u32 %r30, %r30, %r2;
    mov.u64 %rd20, -1;
    @%p5 st.shared.u64 [%r30+32768], %rd20;
)";
  const Case c{"f32", "f16", "f16", 8, plain, plain};
  std::mt19937 random(7);
  const Matrices m = matrices_of(c, random);
  for (const bool races : {false, true}) {
    Launcher k(text_of(c, "wgmma.fence.sync.aligned;", overwrite));
    prepare_launch(k, c, m, true);
    k.request.races = races;
    for (const U32 seed : {0u, 1u, 2u}) {
      k.request.schedule_seed = seed;
      const LaunchResult result = k.run_anyway();
      expect_only_a_note(result);
      EXPECT_EQ(Launcher::values<U32>(result, 2), expected(c, m, true)) << seed;
      EXPECT_FALSE(result.races.accuses());
    }
  }
  // Before the wait, others may still read.
  std::string early = text_of(c, "wgmma.fence.sync.aligned;", overwrite);
  const std::string wait = "wgmma.wait_group.sync.aligned 0;\n";
  early.replace(early.find(wait), wait.size(), "");
  Launcher k(early);
  prepare_launch(k, c, m, true);
  k.request.races = true;
  EXPECT_TRUE(k.run_anyway().races.accuses());
}

// ---- undefined behaviour ----

Diagnostic fault_of(const std::string& text, const Case& c, const std::string& code, U32 threads = 128) {
  std::mt19937 random(1);
  const Matrices m = matrices_of(c, random);
  Launcher k(text);
  prepare_launch(k, c, m, true);
  k.block = {threads, 1, 1};
  const LaunchResult result = k.run_anyway();
  EXPECT_FALSE(result.completed);
  for (const Diagnostic& diagnostic : result.diagnostics)  // the note on counts may stand beside it
    if (diagnostic.code == code) return diagnostic;
  ADD_FAILURE() << code << " is not among " << result.diagnostics.size();
  return {};
}

TEST(Warpgroup, RefusesDescriptorsThatNameNoMatrix) {
  const Case c{"f32", "f16", "f16", 8, plain, plain};
  const std::string far = "wgmma.fence.sync.aligned;\nor.b64 %rd10, %rd10, 0x3ff00000000;";  // the stride of A
  EXPECT_THAT(fault_of(text_of(c, far), c, "memory.out_of_bounds").message, HasSubstr("matrix A"));
  const std::string text = text_of(c, "wgmma.fence.sync.aligned;\nor.b64 %rd11, %rd11, 16384;");
  EXPECT_THAT(fault_of(text, c, "tensor.bad_descriptor").message, HasSubstr("must be zero"));
}

TEST(Warpgroup, NeedsFourWarpsTogether) {
  const Case c{"f32", "f16", "f16", 8, plain, plain};
  EXPECT_THAT(fault_of(text_of(c), c, "tensor.incomplete_warpgroup", 96).message, HasSubstr("block ends"));
  const std::string third_leaves =
      "shr.u32 %r30, %r1, 5;\nsetp.eq.u32 %p5, %r30, 2;\n@%p5 ret;\nwgmma.fence.sync.aligned;";
  EXPECT_THAT(fault_of(text_of(c, third_leaves), c, "tensor.incomplete_warpgroup").message, HasSubstr("warp 2"));
  const std::string other_descriptor =
      "wgmma.fence.sync.aligned;\nshr.u32 %r30, %r1, 5;\nsetp.eq.u32 %p5, %r30, 1;\n@%p5 add.s64 %rd10, %rd10, "
      "0x1000000;";
  EXPECT_THAT(fault_of(text_of(c, other_descriptor), c, "tensor.incomplete_warpgroup").message,
              HasSubstr("other matrix descriptors"));
  const std::string other_lane = "wgmma.fence.sync.aligned;\nsetp.eq.u32 %p5, %r1, 1;\n@%p5 add.s64 %rd10, %rd10, 16;";
  fault_of(text_of(c, other_lane), c, "tensor.lanes_differ");
}

TEST(Warpgroup, WaitsForeverForAWarpThatDoesNotCome) {
  const Case c{"f32", "f16", "f16", 8, plain, plain};
  const std::string third_waits =
      "shr.u32 %r30, %r1, 5;\nsetp.eq.u32 %p5, %r30, 2;\n@%p5 bar.sync 1, 64;\nwgmma.fence.sync.aligned;";
  const Diagnostic fault = fault_of(text_of(c, third_waits), c, "tensor.incomplete_warpgroup");
  EXPECT_THAT(fault.message, HasSubstr("96 threads wait for a wgmma that other warps of their warpgroup never reach"));
  EXPECT_THAT(fault.message, HasSubstr("warp 2"));
}

TEST(Warpgroup, WarnsOfAMissingFence) {
  const Case c{"f32", "f16", "f16", 8, plain, plain};
  std::mt19937 random(1);
  const Matrices m = matrices_of(c, random);
  Launcher k(text_of(c, ""));
  prepare_launch(k, c, m, true);
  const LaunchResult result = k.run_anyway();
  EXPECT_TRUE(result.completed);
  ASSERT_EQ(result.diagnostics.size(), 1u);
  EXPECT_EQ(result.diagnostics[0].code, "tensor.not_fenced");
  EXPECT_EQ(result.diagnostics[0].severity, Severity::warning);
}

// An H200 takes the row of the pattern from the address minus the base offset.
TEST(Warpgroup, FindsThePatternByTheBaseOffset) {
  for (const U64 base : {0u, 1u}) {
    Case c{"f32", "f16", "f16", 8, {128, false, 0, 16, 1024}, plain};
    std::mt19937 random(1);
    Matrices m = matrices_of(c, random);
    // One row of 128 bytes further on. With the base offset the pattern moves along; without it the pieces are swizzled
    // differently.
    std::vector<U32> image = m.image;
    const int rows = 64;
    for (int row = 0; row < rows; ++row)
      for (int piece = 0; piece < 8; ++piece)
        for (int word = 0; word < 4; ++word) {
          const int from = row * 32 + (piece ^ row % 8) * 4 + word;
          const int to_row = row + 1, key = base == 1 ? row % 8 : to_row % 8;
          image[static_cast<std::size_t>(to_row * 32 + (piece ^ key) * 4 + word)] =
              m.image[static_cast<std::size_t>(from)];
        }
    m.image = image;
    Launcher k(text_of(c));
    k.block = {128, 1, 1};
    k.shared_bytes = 2 * matrix_bytes;
    k.add_buffer(m.image);
    k.add_buffer(m.of_a);
    k.add_buffer(m.registers);
    k.add_scalar(c.way_a.descriptor(128) | base << 49);
    k.add_scalar(c.way_b.descriptor(matrix_bytes));
    k.add_scalar(1u);
    const LaunchResult result = k.run_anyway();
    EXPECT_TRUE(result.completed);
    ASSERT_EQ(result.diagnostics.size(), 1u);
    EXPECT_EQ(result.diagnostics[0].code, base == 1 ? "count.wgmma" : "tensor.descriptor_alignment");
    EXPECT_EQ(Launcher::values<U32>(result, 2), expected(c, m, true));
  }
}

TEST(Warpgroup, RefusesFormsByName) {
  for (const char* form : {"m64n8k32.f32.f16.f16 {%d0, %d1, %d2, %d3}, %rd10, %rd11, 1, 1, 1, 0, 0",
                           "m64n12k16.f32.f16.f16 {%d0, %d1, %d2, %d3, %d4, %d5}, %rd10, %rd11, 1, 1, 1, 0, 0",
                           "m64n40k32.s32.s8.s8 {%d0, %d1, %d2, %d3}, %rd10, %rd11, 1",
                           "m64n8k8.f32.tf32.tf32 {%d0, %d1, %d2, %d3}, %rd10, %rd11, 1, 1, 1, 0, 0"}) {
    Launcher k(
        for_sm_90a(kernel("", std::string(".reg .b32 %d<8>;\nwgmma.mma_async.sync.aligned.") + form + ";\nret;")));
    k.block = {128, 1, 1};
    EXPECT_THAT(k.fault("run.unsupported_instruction").message, HasSubstr("wgmma")) << form;
  }
}

}  // namespace
}  // namespace lanescope::sim
