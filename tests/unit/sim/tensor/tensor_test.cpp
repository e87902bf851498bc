// Matrices that a warp loads and stores, and wmma, against values computed on the host; what the instructions of the
// tensor cores refuse. The positions of a lane's elements follow the tables of "PTX ISA", element by element.

#include <bit>
#include <random>

#include "sim/launcher.h"
#include "sim/small_numbers.h"
#include "sim/tensor/own_features.h"
#include "sim/tensor/shape.h"

namespace lanescope::sim {
namespace {

using test::bits_of_type;
using test::encoded;
using test::kernel;
using test::Launcher;
using test::prefix_of;
using test::Shape;
using test::small_number;
using testing::HasSubstr;
using U32 = std::uint32_t;
using U64 = std::uint64_t;

// ---- matrices in memory ----

// 32 lanes, rows of 16 bytes. `address` leaves the lane's row, as an offset from the start of the tile, in %r5.
std::string with_tile(const std::string& address, const std::string& body) {
  return kernel(
      ".param .u64 in, .param .u64 out",
      ".shared .align 16 .b8 tile[4096];\n"
      "ld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd3, %r1, 4;\n"
      "add.s64 %rd1, %rd1, %rd3;\nadd.s64 %rd2, %rd2, %rd3;\nmov.u32 %r2, tile;\nshl.b32 %r3, %r1, 2;\nadd.u32 %r3, "
      "%r3, %r2;\n"
      "mov.u32 %r4, 0;\nFILL:\nld.global.u32 %r6, [%rd1];\nst.shared.u32 [%r3], %r6;\nadd.s64 %rd1, %rd1, "
      "128;\nadd.u32 %r3, %r3, 128;\n"
      "add.u32 %r4, %r4, 1;\nsetp.lt.u32 %p1, %r4, 32;\n@%p1 bra FILL;\nbar.warp.sync -1;\n" +
          address + "add.u32 %r5, %r5, %r2;\n" + body + "\nret;");
}

std::vector<U32> tile_words() {
  std::vector<U32> words(1024);
  for (U32 i = 0; i < 1024; ++i) words[i] = 2 * i | (2 * i + 1) << 16;  // element e of the tile is e
  return words;
}

TEST(Ldmatrix, GivesEachLaneItsElements) {
  for (const bool transposed : {false, true}) {
    const std::string trans = transposed ? ".trans" : "";
    Launcher k(with_tile("mul.lo.u32 %r5, %r1, 112;\n",
                         "ldmatrix.sync.aligned.m8n8.x4" + trans +
                             ".shared.b16 {%r10, %r11, %r12, %r13}, [%r5+16];\n"
                             "st.global.u32 [%rd2], %r10;\nst.global.u32 [%rd2+128], %r11;\nst.global.u32 [%rd2+256], "
                             "%r12;\nst.global.u32 [%rd2+384], %r13;"));
    ASSERT_TRUE(k.errors.empty());
    k.add_buffer(tile_words());
    const int out = k.add_buffer(std::vector<U32>(128));
    const auto values = Launcher::values<U32>(k.run(), out);
    for (U32 i = 0; i < 4; ++i)
      for (U32 lane = 0; lane < 32; ++lane) {
        const auto element = [&](U32 row, U32 column) { return (8 * i + row) * 56 + 8 + column; };
        const U32 line = lane / 4, pair = lane % 4 * 2;
        const U32 expected = transposed ? element(pair, line) | element(pair + 1, line) << 16
                                        : element(line, pair) | element(line, pair + 1) << 16;
        ASSERT_EQ(values[i * 32 + lane], expected) << "matrix " << i << " lane " << lane;
      }
  }
}

TEST(Stmatrix, IsTheReverse) {
  Launcher k(with_tile(
      "mul.lo.u32 %r5, %r1, 16;\n",
      "shl.b32 %r7, %r1, 1;\nadd.u32 %r8, %r7, 1;\nshl.b32 %r8, %r8, 16;\nor.b32 %r7, %r7, %r8;\n"
      "add.u32 %r9, %r7, 0x400040;\nstmatrix.sync.aligned.m8n8.x2.trans.shared.b16 [%r5], {%r7, %r9};\nbar.warp.sync "
      "-1;\n"
      "shl.b32 %r3, %r1, 2;\nadd.u32 %r3, %r3, %r2;\nld.shared.u32 %r10, [%r3];\nst.global.u32 [%rd2], %r10;\n"
      "ld.shared.u32 %r10, [%r3+128];\nst.global.u32 [%rd2+128], %r10;"));
  ASSERT_TRUE(k.errors.empty());
  k.add_buffer(tile_words());
  const int out = k.add_buffer(std::vector<U32>(64));
  const auto values = Launcher::values<U32>(k.run(), out);
  // Element (r, c) of the lanes' matrix is 8 r + c (64 more in the second); in memory it is at (c, r).
  for (U32 word = 0; word < 64; ++word) {
    const U32 row = word % 32 / 4, column = word % 4 * 2, more = word / 32 * 64;
    ASSERT_EQ(values[word], (8 * column + row + more) | (8 * (column + 1) + row + more) << 16) << word;
  }
}

TEST(Ldmatrix, IsCountedByItsRows) {
  const auto totals = [](const std::string& address, const std::string& form) {
    Launcher k(with_tile(address, "ldmatrix.sync.aligned.m8n8." + form + ", [%r5];"));
    k.add_buffer(tile_words());
    k.add_buffer(std::vector<U32>(32));
    const LaunchResult result = k.run();
    trace::MemoryTotals sum;
    const trace::Trace& trace = result.trace;
    for (std::size_t s = 0; s < trace.sites.size(); ++s)
      if (trace.sites[s].opcode.starts_with("ldmatrix")) {
        sum = trace.totals.sites[s].memory;
        EXPECT_EQ(trace.totals.sites[s].executions, 1u);
      }
    return sum;
  };
  // Contiguous rows: each matrix is one wavefront.
  EXPECT_EQ(totals("shl.b32 %r5, %r1, 4;\n", "x4.shared.b16 {%r10, %r11, %r12, %r13}").wavefronts, 4u);
  // Rows 128 bytes apart: all in the same banks.
  EXPECT_EQ(
      totals("and.b32 %r5, %r1, 31;\nshl.b32 %r5, %r5, 7;\n", "x4.shared.b16 {%r10, %r11, %r12, %r13}").wavefronts,
      32u);
  // One matrix has 8 rows; the addresses of lanes 8 to 31 are ignored, even invalid ones.
  const trace::MemoryTotals one = totals("shl.b32 %r5, %r1, 8;\n", "x1.shared.b16 {%r10}");
  EXPECT_EQ(one.wavefronts, 8u);
  EXPECT_EQ(one.bytes_requested, 128u);
  EXPECT_EQ(one.requests, 1u);
}

// ---- wmma ----

struct WmmaCase {
  Shape shape;
  std::string type, accumulator;
  std::string a_layout, b_layout, c_layout;
  std::string space;
};

int wmma_registers(const WmmaCase& test, char matrix) {
  const auto [m, n, k] = test.shape;
  if (matrix == 'c') return m * n / 32 * bits_of_type(test.accumulator) / (test.accumulator == "f64" ? 64 : 32);
  if (test.type == "f16") return 8;
  return (matrix == 'a' ? m * k : k * n) / 32 * bits_of_type(test.type) / (test.type == "f64" ? 64 : 32);
}
std::string names_of(const std::string& prefix, int first, int count) {
  std::string names;
  for (int i = 0; i < count; ++i) names += (i == 0 ? "{" : ", ") + prefix + std::to_string(first + i);
  return names + "}";
}

class Wmma : public testing::TestWithParam<WmmaCase> {};

// Bytes of a matrix of small numbers; lines are `stride` elements long.
std::vector<std::uint8_t> bytes_of_matrix(const std::vector<int>& values, int rows, int columns, bool by_column,
                                          int stride, const std::string& type) {
  const int bits = bits_of_type(type);
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(stride * (by_column ? columns : rows) * bits / 8));
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c) {
      const U64 value = encoded(type, values[static_cast<std::size_t>(r * columns + c)]);
      const int at = (by_column ? c * stride + r : r * stride + c) * bits;
      if (bits < 8)
        bytes[static_cast<std::size_t>(at / 8)] |= static_cast<std::uint8_t>(value << at % 8);
      else
        std::memcpy(bytes.data() + at / 8, &value, static_cast<std::size_t>(bits / 8));
    }
  return bytes;
}

TEST_P(Wmma, IsTheHostsProduct) {
  const WmmaCase& test = GetParam();
  const auto [m, n, k] = test.shape;
  const std::string shape = ".m" + std::to_string(m) + "n" + std::to_string(n) + "k" + std::to_string(k);
  std::mt19937 random(11);
  std::vector<int> a(static_cast<std::size_t>(m * k)), b(static_cast<std::size_t>(k * n)),
      c(static_cast<std::size_t>(m * n));
  for (int& x : a) x = small_number(test.type, random);
  for (int& x : b) x = small_number(test.type, random);
  for (int& x : c) x = small_number(test.accumulator, random);
  const bool ac = test.a_layout == "col", bc = test.b_layout == "col", cc = test.c_layout == "col";
  const int lda = (ac ? m : k) + (bits_of_type(test.type) < 8 ? 0 : 16),
            ldb = (bc ? k : n) + (bits_of_type(test.type) < 8 ? 0 : 16), ldc = (cc ? m : n) + 8;
  const std::string prefix = test.type == "f64" ? "%fd" : "%r", sum = prefix_of(test.accumulator);
  const std::string fa = names_of(prefix, 8, wmma_registers(test, 'a')),
                    fb = names_of(prefix, 24, wmma_registers(test, 'b')),
                    fc = names_of(sum, 40, wmma_registers(test, 'c'));
  const std::string space = test.space;
  const std::string types = test.type == "f16"
                                ? "." + test.accumulator + "." + test.accumulator
                                : "." + test.accumulator + "." + test.type + "." + test.type + "." + test.accumulator;
  const std::string operation = test.type == "b1" ? ".and.popc" : "";
  Launcher launch(kernel(".param .u64 a, .param .u64 b, .param .u64 c",
                         "ld.param.u64 %rd1, [a];\nld.param.u64 %rd2, [b];\nld.param.u64 %rd3, [c];\n"
                         "wmma.load.a.sync.aligned." +
                             test.a_layout + shape + space + "." + test.type + " " + fa + ", [%rd1], " +
                             std::to_string(lda) + ";\n" + "wmma.load.b.sync.aligned." + test.b_layout + shape + space +
                             "." + test.type + " " + fb + ", [%rd2], " + std::to_string(ldb) + ";\n" +
                             "wmma.load.c.sync.aligned." + test.c_layout + shape + space + "." + test.accumulator +
                             " " + fc + ", [%rd3], " + std::to_string(ldc) + ";\n" + "wmma.mma" + operation +
                             ".sync.aligned.row.col" + shape + types + " " + fc + ", " + fa + ", " + fb + ", " + fc +
                             ";\n" + "wmma.store.d.sync.aligned." + test.c_layout + shape + space + "." +
                             test.accumulator + " [%rd3], " + fc + ", " + std::to_string(ldc) + ";\nret;"));
  ASSERT_TRUE(launch.errors.empty()) << format(launch.errors.front());
  launch.add_buffer(bytes_of_matrix(a, m, k, ac, lda, test.type));
  launch.add_buffer(bytes_of_matrix(b, k, n, bc, ldb, test.type));
  const auto before = bytes_of_matrix(c, m, n, cc, ldc, test.accumulator);
  const int out = launch.add_buffer(before);
  for (int row = 0; row < m; ++row)
    for (int column = 0; column < n; ++column)
      for (int x = 0; x < k; ++x)
        c[static_cast<std::size_t>(row * n + column)] +=
            a[static_cast<std::size_t>(row * k + x)] * b[static_cast<std::size_t>(x * n + column)];
  EXPECT_EQ(Launcher::values<std::uint8_t>(launch.run(), out), bytes_of_matrix(c, m, n, cc, ldc, test.accumulator));
}

std::vector<WmmaCase> wmma_cases() {
  std::vector<WmmaCase> cases;
  for (const Shape shape : {Shape{16, 16, 16}, Shape{32, 8, 16}, Shape{8, 32, 16}})
    for (const auto& [type, accumulator] : {std::pair{"f16", "f32"}, std::pair{"f16", "f16"}, std::pair{"bf16", "f32"},
                                            std::pair{"s8", "s32"}, std::pair{"u8", "s32"}}) {
      cases.push_back({shape, type, accumulator, "row", "col", "row", ".global"});
      cases.push_back({shape, type, accumulator, "col", "row", "col", ""});
    }
  for (const auto& [a, b, c] : {std::tuple{"row", "col", "row"}, std::tuple{"col", "row", "col"}}) {
    cases.push_back({{16, 16, 8}, "tf32", "f32", a, b, c, ".global"});
    cases.push_back({{8, 8, 4}, "f64", "f64", a, b, c, ".global"});
  }
  for (const char* type : {"s4", "u4"}) cases.push_back({{8, 8, 32}, type, "s32", "row", "col", "col", ".global"});
  cases.push_back({{8, 8, 128}, "b1", "s32", "row", "col", "row", ".global"});
  return cases;
}
INSTANTIATE_TEST_SUITE_P(Forms, Wmma, testing::ValuesIn(wmma_cases()), [](const auto& p) {
  const WmmaCase& test = p.param;
  return "m" + std::to_string(test.shape.m) + "n" + std::to_string(test.shape.n) + "k" + std::to_string(test.shape.k) +
         "_" + test.type + "_" + test.accumulator + "_" + test.a_layout + "_" + test.b_layout;
});

// ldmatrix fetches a fragment of 16-bit elements from shared memory, as the machine code of sm_90 shows.
TEST(Wmma, IsCountedAsTheHardwareFetchesIt) {
  const auto totals = [](const std::string& load) {
    Launcher k(with_tile("mov.u32 %r5, 0;\n", load));
    k.add_buffer(tile_words());
    k.add_buffer(std::vector<U32>(32));
    const LaunchResult result = k.run();
    trace::MemoryTotals sum;
    for (std::size_t s = 0; s < result.trace.sites.size(); ++s)
      if (result.trace.sites[s].opcode.starts_with("wmma.load")) sum = result.trace.totals.sites[s].memory;
    return sum;
  };
  const std::string f16 = "{%r10, %r11, %r12, %r13, %r14, %r15, %r16, %r17}, [%r5], ";
  const trace::MemoryTotals dense = totals("wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 " + f16 + "16;");
  EXPECT_EQ(dense.requests, 1u);
  EXPECT_EQ(dense.wavefronts, 8u) << "8 rows, 32 bytes apart: two of them in each bank, four times";
  EXPECT_EQ(dense.ideal_wavefronts, 4u);
  EXPECT_EQ(totals("wmma.load.a.sync.aligned.row.m16n16k16.shared.f16 " + f16 + "24;").wavefronts, 4u)
      << "48 bytes apart: none";
  EXPECT_EQ(totals("wmma.load.a.sync.aligned.row.m32n8k16.shared.f16 " + f16 + "24;").requests, 2u);
}

// Its requests are one execution, also in sums over the events.
TEST(Wmma, IsOneExecutionWithSeveralRequests) {
  Launcher k(with_tile("mov.u32 %r5, 0;\n",
                       "wmma.load.a.sync.aligned.row.m32n8k16.shared.f16 "
                       "{%r10, %r11, %r12, %r13, %r14, %r15, %r16, %r17}, [%r5], 24;"));
  k.add_buffer(tile_words());
  k.add_buffer(std::vector<U32>(32));
  const LaunchResult result = k.run();
  const trace::Totals again = metrics::recompute_totals(result.trace);
  EXPECT_EQ(again, result.trace.totals);
  for (const trace::Site& site : result.trace.sites)
    if (site.opcode.starts_with("wmma.load")) {
      EXPECT_EQ(again.sites[site.id].executions, 1u);
      EXPECT_EQ(again.sites[site.id].memory.requests, 2u);
      const trace::Totals alone =
          metrics::recompute_totals(result.trace, [&](const trace::WarpEvent& event) { return event.site == site.id; });
      EXPECT_EQ(alone.sites[site.id].executions, 1u);
    }
}

// ---- undefined or unknown behaviour ----

std::string fault_of(Launcher& k) {
  const LaunchResult result = k.run_anyway();
  return result.diagnostics.empty()
             ? "none"
             : result.diagnostics.front().code + ": " + std::string(result.diagnostics.front().message);
}

TEST(Tensor, NeedsAWholeWarp) {
  const std::string product =
      "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r10, %r11}, {%r1}, {%r1}, {%r1, %r1};\n";
  Launcher part(kernel("", product + "ret;"));
  part.block = {48, 1, 1};
  EXPECT_THAT(fault_of(part),
              testing::AllOf(HasSubstr("tensor.incomplete_warp"), HasSubstr("this warp has no lanes 16–31")));
  Launcher left(kernel("", "mov.u32 %r2, %tid.x;\nsetp.eq.u32 %p1, %r2, 5;\n@%p1 exit;\n" + product + "ret;"));
  EXPECT_THAT(fault_of(left), testing::AllOf(HasSubstr("tensor.incomplete_warp"), HasSubstr("lane 5 exited before")));
  Launcher branch(
      kernel("", "mov.u32 %r2, %tid.x;\nsetp.lt.u32 %p1, %r2, 16;\n@%p1 bra END;\n" + product + "END:\nret;"));
  EXPECT_THAT(fault_of(branch),
              testing::AllOf(HasSubstr("tensor.incomplete_warp"), HasSubstr("lanes 0–15 exited before")));
  Launcher guarded(kernel("", "mov.u32 %r2, %tid.x;\nsetp.lt.u32 %p1, %r2, 16;\n@%p1 " + product + "ret;"));
  EXPECT_THAT(fault_of(guarded), HasSubstr("tensor.incomplete_warp"));
  Launcher whole(
      kernel("", "mov.u32 %r2, %tid.x;\nsetp.lt.u32 %p1, %r2, 16;\n@%p1 bra END;\nadd.u32 %r3, %r2, 1;\nEND:\n" +
                     product + "ret;"));
  EXPECT_EQ(fault_of(whole), "none");
}

TEST(Tensor, NamesARowThatIsMisaligned) {
  Launcher k(with_tile("mul.lo.u32 %r5, %r1, 24;\n",
                       "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r10, %r11, %r12, %r13}, [%r5];"));
  k.add_buffer(tile_words());
  k.add_buffer(std::vector<U32>(32));
  EXPECT_THAT(fault_of(k), testing::AllOf(HasSubstr("memory.misaligned"), HasSubstr("thread (1, 0, 0)")));
}

TEST(Tensor, ReadsMatricesInSharedMemoryOnly) {
  Launcher k(
      kernel(".param .u64 in", "ld.param.u64 %rd1, [in];\nldmatrix.sync.aligned.m8n8.x1.b16 {%r10}, [%rd1];\nret;"));
  k.add_buffer(tile_words());
  EXPECT_THAT(fault_of(k), testing::AllOf(HasSubstr("memory.out_of_bounds"), HasSubstr("shared")));
}

TEST(Tensor, NeedsOneAddressAndStride) {
  Launcher k(kernel(".param .u64 in",
                    "ld.param.u64 %rd1, [in];\nmov.u32 %r1, %tid.x;\nadd.u32 %r1, %r1, 32;\n"
                    "wmma.load.a.sync.aligned.row.m8n8k32.global.u4 {%r10}, [%rd1], %r1;\nret;"));
  k.add_buffer(tile_words());
  EXPECT_THAT(fault_of(k), HasSubstr("tensor.lanes_differ"));
}

TEST(Tensor, RefusesFormsItDoesNotKnow) {
  for (const std::string form : {"mma.sync.aligned.m16n8k16.col.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2, "
                                 "%r3, %r4}, {%r5, %r6}, {%f1, %f2, %f3, %f4}",
                                 "mma.sync.aligned.m16n8k64.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2, "
                                 "%r3, %r4}, {%r5, %r6}, {%f1, %f2, %f3, %f4}",
                                 "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2}, "
                                 "{%r5, %r6}, {%f1, %f2, %f3, %f4}",
                                 "ldmatrix.sync.aligned.m16n16.x1.trans.shared.b8 {%r1, %r2}, [%r5]"}) {
    Launcher k(test::for_target("sm_100a", kernel("", form + ";\nret;")));
    EXPECT_TRUE(k.errors.empty()) << form;
    k.fault("run.unsupported_instruction");
  }
}

}  // namespace
}  // namespace lanescope::sim
