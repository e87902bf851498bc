// mma against products computed on the host. The positions of a lane's elements follow the tables of "PTX ISA", element
// by element. Expected roundings come from exact sums, or from the published findings that sim/tensor.h names.

#include <bit>
#include <cmath>
#include <random>

#include "sim/alu/half.h"
#include "sim/launcher.h"
#include "sim/small_numbers.h"
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
using U32 = std::uint32_t;
using U64 = std::uint64_t;

// Element i of a lane's part of A, B and C: rows and columns as in the manual.
int row_of_a(Shape s, int e, int lane, int i) {
  return s.m == 8 ? lane >> 2 : (lane >> 2) + (i / e % 2 == 0 ? 0 : 8);
}
int column_of_a(Shape s, int e, int lane, int i) {
  return lane % 4 * e + i % e + i / (s.m == 8 ? e : 2 * e) * 4 * e;
}
int row_of_b(int e, int lane, int i) {
  return lane % 4 * e + i % e + i / e * 4 * e;
}
int row_of_c(int lane, int i) {
  return (lane >> 2) + (i < 2 ? 0 : 8);
}
int column_of_c(int lane, int i) {
  return lane % 4 * 2 + (i & 1);
}

struct MmaCase {
  std::string words;  // between the shape and the types
  Shape shape;
  std::string d, a, b, c;
  std::string tail = "";
};

std::string text_of(const MmaCase& test) {
  return "mma.sync.aligned.m" + std::to_string(test.shape.m) + "n8k" + std::to_string(test.shape.k) + ".row.col" +
         test.words + "." + test.d + "." + test.a + "." + test.b + "." + test.c + test.tail;
}

struct Operand {
  std::string names;  // {%r1, %r2}
  std::string loads;
};
// Registers loaded from, or stored to, words [register][lane] at %rdBASE; some are 64-bit.
Operand operand(const std::string& prefix, int first, int count, const std::string& type, int base,
                bool stored = false) {
  const int bytes = type == "f64" ? 8 : 4;
  Operand result;
  for (int i = 0; i < count; ++i) {
    const std::string name = prefix + std::to_string(first + i);
    result.names += (i == 0 ? "{" : ", ") + name;
    const std::string place = "[%rd" + std::to_string(base) + "+" + std::to_string(i * 32 * bytes) + "]";
    const std::string width = bytes == 8 ? "f64 " : prefix == "%f" ? "f32 " : "b32 ";
    result.loads += stored ? "st.global." + width + place + ", " + name + ";\n"
                           : "ld.global." + width + name + ", " + place + ";\n";
  }
  result.names += "}";
  return result;
}
std::string mma_kernel(const std::string& instruction, const std::array<std::string, 4>& types,
                       const std::array<int, 4>& counts) {
  const Operand a = operand(prefix_of(types[1]), 8, counts[1], types[1], 1),
                b = operand(prefix_of(types[2]), 24, counts[2], types[2], 2),
                c = operand(prefix_of(types[3]), 40, counts[3], types[3], 3),
                d = operand(prefix_of(types[0]), 50, counts[0], types[0], 4, true);
  std::string body = "mov.u32 %r1, %laneid;\n";
  const char* names[] = {"", "a", "b", "c", "d"};
  for (int i = 1; i <= 4; ++i) {
    const std::string n = std::to_string(i);
    const std::string& type = types[static_cast<std::size_t>(i % 4)];
    body += "ld.param.u64 %rd" + n + ", [" + names[i] + "];\nmul.wide.u32 %rd9, %r1, " + (type == "f64" ? "8" : "4") +
            ";\nadd.s64 %rd" + n + ", %rd" + n + ", %rd9;\n";
  }
  body += a.loads + b.loads + c.loads + instruction + " " + d.names + ", " + a.names + ", " + b.names + ", " + c.names +
          ";\n" + d.loads + "ret;";
  return kernel(".param .u64 a, .param .u64 b, .param .u64 c, .param .u64 d", body);
}

// A lane's elements packed into registers of 32 or 64 bits, [register][lane].
struct Packed {
  std::vector<U64> words;
  int bits, per, register_bits;
  Packed(const std::string& type, int elements)
      : words(static_cast<std::size_t>(elements * bits_of_type(type) / (type == "f64" ? 64 : 32) * 32)),
        bits(bits_of_type(type)),
        per((type == "f64" ? 64 : 32) / bits),
        register_bits(type == "f64" ? 64 : 32) {}
  void set(int lane, int i, U64 value) {
    words[static_cast<std::size_t>(i / per * 32 + lane)] |= value << (i % per * bits);
  }
  U64 get(int lane, int i) const {
    return words[static_cast<std::size_t>(i / per * 32 + lane)] >> (i % per * bits) &
           (bits == 64 ? ~U64{0} : (U64{1} << bits) - 1);
  }
  int registers() const { return static_cast<int>(words.size() / 32); }
  int add_to(Launcher& k) const {
    if (register_bits == 64) return k.add_buffer(words);
    return k.add_buffer(std::vector<U32>(words.begin(), words.end()));
  }
  void read(const LaunchResult& result, int buffer) {
    if (register_bits == 64) {
      words = Launcher::values<U64>(result, buffer);
    } else {
      const auto values = Launcher::values<U32>(result, buffer);
      words.assign(values.begin(), values.end());
    }
  }
};

class Mma : public testing::TestWithParam<MmaCase> {};

TEST_P(Mma, IsTheHostsProduct) {
  const MmaCase& test = GetParam();
  const auto [m, n, k] = test.shape;
  std::mt19937 random(7);
  std::vector<int> a(static_cast<std::size_t>(m * k)), b(static_cast<std::size_t>(k * n)),
      c(static_cast<std::size_t>(m * n));
  for (int& x : a) x = small_number(test.a, random);
  for (int& x : b) x = small_number(test.b, random);
  for (int& x : c) x = small_number(test.c, random) * 3;
  const int ea = test.a == "f64" ? 1 : 32 / bits_of_type(test.a);
  Packed pa(test.a, m * k / 32), pb(test.b, k * n / 32), pc(test.c, m * n / 32), pd(test.d, m * n / 32);
  for (int lane = 0; lane < 32; ++lane) {
    for (int i = 0; i < m * k / 32; ++i)
      pa.set(lane, i,
             encoded(test.a, a[static_cast<std::size_t>(row_of_a(test.shape, ea, lane, i) * k +
                                                        column_of_a(test.shape, ea, lane, i))]));
    for (int i = 0; i < k * n / 32; ++i)
      pb.set(lane, i, encoded(test.b, b[static_cast<std::size_t>(row_of_b(ea, lane, i) * n + lane / 4)]));
    for (int i = 0; i < m * n / 32; ++i)
      pc.set(lane, i, encoded(test.c, c[static_cast<std::size_t>(row_of_c(lane, i) * n + column_of_c(lane, i))]));
  }
  Launcher launch(mma_kernel(text_of(test), {test.d, test.a, test.b, test.c},
                             {pd.registers(), pa.registers(), pb.registers(), pc.registers()}));
  ASSERT_TRUE(launch.errors.empty()) << format(launch.errors.front());
  pa.add_to(launch);
  pb.add_to(launch);
  pc.add_to(launch);
  const int out = pd.add_to(launch);
  pd.read(launch.run(), out);
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < m * n / 32; ++i) {
      const int row = row_of_c(lane, i), column = column_of_c(lane, i);
      int sum = c[static_cast<std::size_t>(row * n + column)];
      for (int x = 0; x < k; ++x) {
        const int p = a[static_cast<std::size_t>(row * k + x)], q = b[static_cast<std::size_t>(x * n + column)];
        sum += test.tail == ".xor.popc" ? p ^ q : p * q;
      }
      ASSERT_EQ(pd.get(lane, i), encoded(test.d, sum)) << "lane " << lane << " element " << i << " is " << sum;
    }
}

INSTANTIATE_TEST_SUITE_P(
    Forms, Mma,
    testing::Values(
        MmaCase{"", {16, 8, 16}, "f32", "f16", "f16", "f32"}, MmaCase{"", {16, 8, 8}, "f32", "f16", "f16", "f32"},
        MmaCase{"", {16, 8, 16}, "f16", "f16", "f16", "f16"}, MmaCase{"", {16, 8, 8}, "f16", "f16", "f16", "f16"},
        MmaCase{"", {16, 8, 16}, "f32", "bf16", "bf16", "f32"}, MmaCase{"", {16, 8, 8}, "f32", "bf16", "bf16", "f32"},
        MmaCase{"", {16, 8, 8}, "f32", "tf32", "tf32", "f32"}, MmaCase{"", {16, 8, 4}, "f32", "tf32", "tf32", "f32"},
        MmaCase{"", {8, 8, 4}, "f64", "f64", "f64", "f64"}, MmaCase{"", {16, 8, 4}, "f64", "f64", "f64", "f64"},
        MmaCase{"", {16, 8, 8}, "f64", "f64", "f64", "f64"}, MmaCase{"", {16, 8, 16}, "f64", "f64", "f64", "f64"},
        MmaCase{"", {8, 8, 16}, "s32", "s8", "u8", "s32"}, MmaCase{".satfinite", {16, 8, 16}, "s32", "u8", "s8", "s32"},
        MmaCase{"", {16, 8, 32}, "s32", "s8", "s8", "s32"}, MmaCase{"", {8, 8, 32}, "s32", "s4", "u4", "s32"},
        MmaCase{"", {16, 8, 32}, "s32", "u4", "u4", "s32"},
        MmaCase{".satfinite", {16, 8, 64}, "s32", "s4", "s4", "s32"},
        MmaCase{"", {8, 8, 128}, "s32", "b1", "b1", "s32", ".xor.popc"},
        MmaCase{"", {16, 8, 128}, "s32", "b1", "b1", "s32", ".and.popc"},
        MmaCase{"", {16, 8, 256}, "s32", "b1", "b1", "s32", ".xor.popc"},
        MmaCase{"", {16, 8, 32}, "f32", "e4m3", "e5m2", "f32"}, MmaCase{"", {16, 8, 32}, "f16", "e5m2", "e4m3", "f16"},
        MmaCase{"", {16, 8, 16}, "f32", "e4m3", "e4m3", "f32"}),
    [](const auto& p) {
      std::string name = text_of(p.param).substr(17);
      for (char& letter : name)
        if (letter == '.') letter = '_';
      return name;
    });

// m8n8k4: four products, each by two groups of four lanes.
TEST(MmaOfQuads, AreTheHostsProducts) {
  for (const std::string layouts : {"row.col", "col.row", "row.row", "col.col"}) {
    const bool a_by_column = layouts.starts_with("col"), b_by_column = layouts.ends_with("col");
    int a[4][8][4], b[4][4][8], c[4][8][8];
    std::mt19937 random(3);
    for (auto& x : a)
      for (auto& y : x)
        for (int& z : y) z = small_number("f16", random);
    for (auto& x : b)
      for (auto& y : x)
        for (int& z : y) z = small_number("f16", random);
    for (auto& x : c)
      for (auto& y : x)
        for (int& z : y) z = small_number("f32", random);
    const auto place_of_c = [](int lane, int i) {
      return std::pair{(lane & 1) + (i & 2) + (lane < 16 ? 0 : 4), (i & 4) + (lane & 2) + (i & 1)};
    };
    Packed pa("f16", 4), pb("f16", 4), pc("f32", 8), pd("f32", 8);
    for (int lane = 0; lane < 32; ++lane) {
      const int q = lane % 16 / 4, upper = lane < 16 ? 0 : 4;
      for (int i = 0; i < 4; ++i) {
        pa.set(lane, i, encoded("f16", a_by_column ? a[q][i + upper][lane % 4] : a[q][lane % 4 + upper][i]));
        pb.set(lane, i, encoded("f16", b_by_column ? b[q][i][lane % 4 + upper] : b[q][lane % 4][i + upper]));
      }
      for (int i = 0; i < 8; ++i)
        pc.set(lane, i, encoded("f32", c[q][place_of_c(lane, i).first][place_of_c(lane, i).second]));
    }
    Launcher launch(mma_kernel("mma.sync.aligned.m8n8k4." + layouts + ".f32.f16.f16.f32", {"f32", "f16", "f16", "f32"},
                               {8, 2, 2, 8}));
    ASSERT_TRUE(launch.errors.empty());
    pa.add_to(launch);
    pb.add_to(launch);
    pc.add_to(launch);
    const int out = pd.add_to(launch);
    pd.read(launch.run(), out);
    for (int lane = 0; lane < 32; ++lane)
      for (int i = 0; i < 8; ++i) {
        const auto [row, column] = place_of_c(lane, i);
        const int q = lane % 16 / 4;
        int sum = c[q][row][column];
        for (int x = 0; x < 4; ++x) sum += a[q][row][x] * b[q][x][column];
        ASSERT_EQ(pd.get(lane, i), encoded("f32", sum)) << layouts << " lane " << lane << " element " << i;
      }
  }
}

// All elements of A are `a`, of B `b`, of C `c`. Returns the value of every element of D.
U32 uniform_product(const std::string& instruction, const std::array<std::string, 4>& types,
                    const std::array<int, 4>& counts, U32 a, U32 b, U32 c) {
  Launcher launch(mma_kernel(instruction, types, counts));
  EXPECT_TRUE(launch.errors.empty());
  for (std::size_t i = 1; i <= 3; ++i)
    launch.add_buffer(std::vector<U32>(static_cast<std::size_t>(counts[i]) * 32, i == 1 ? a : i == 2 ? b : c));
  const int out = launch.add_buffer(std::vector<U32>(static_cast<std::size_t>(counts[0]) * 32));
  const auto values = Launcher::values<U32>(launch.run(), out);
  for (const U32 value : values) EXPECT_EQ(value, values.front());
  return values.front();
}
U32 halves(float a, float b, float c) {
  const auto both = [](float x) {
    const U32 one = float_to_half(x);
    return one | one << 16;
  };
  return uniform_product("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", {"f32", "f16", "f16", "f32"},
                         {4, 4, 2, 4}, both(a), both(b), std::bit_cast<U32>(c));
}

TEST(MmaRounding, AddsAllProductsInOneStep) {
  // 16 products of 2⁻²⁴ beside 1: each is kept; the sum 1 + 2⁻²⁰ is representable.
  EXPECT_EQ(halves(0x1p-12f, 0x1p-12f, 1), std::bit_cast<U32>(1 + 0x1p-20f));
  // Products of 2⁻²⁶ beside 1 are below the 25 bits that are kept, although their sum 2⁻²² is not.
  EXPECT_EQ(halves(0x1p-13f, 0x1p-13f, 1), std::bit_cast<U32>(1.0f));
  // Truncated towards zero, not rounded: 2 + 16 · (2⁻²⁶ + …) loses them; 1 − 16 · 2⁻²⁵ = 1 − 2⁻²¹ is representable.
  EXPECT_EQ(halves(-0x1p-12f, 0x1p-13f, 1), std::bit_cast<U32>(1 - 0x1p-21f));
  // The result is truncated too: 2²⁴ − 1 + 16 · ¼ = 2²⁴ + 3 is halfway between 2²⁴ + 2 and 2²⁴ + 4; rounding to even
  // would give the latter.
  EXPECT_EQ(halves(0.5f, 0.5f, 0x1p24f - 1), std::bit_cast<U32>(0x1p24f + 2));
  EXPECT_EQ(halves(-0.5f, 0.5f, 1 - 0x1p24f), std::bit_cast<U32>(-0x1p24f - 2));
  EXPECT_EQ(halves(INFINITY, 1, 0), 0x7f800000u);
  EXPECT_EQ(halves(INFINITY, 0, 0), 0x7fffffffu);
  EXPECT_EQ(halves(INFINITY, 1, -INFINITY), 0x7fffffffu);
  EXPECT_EQ(halves(0x1p-24f, 0x1p-24f, 0), std::bit_cast<U32>(0x1p-44f)) << "subnormal factors count";
}

TEST(MmaRounding, LeavesTheLowerBitsOfTf32Out) {
  EXPECT_EQ(uniform_product("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", {"f32", "tf32", "tf32", "f32"},
                            {4, 4, 2, 4}, 0x3f801fff, 0x3f800000, 0),
            std::bit_cast<U32>(8.0f));
}

TEST(MmaRounding, SaturatesOrWrapsIntegers) {
  const std::array<std::string, 4> types{"s32", "s8", "s8", "s32"};
  EXPECT_EQ(uniform_product("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32", types, {4, 4, 2, 4},
                            0x7f7f7f7f, 0x7f7f7f7f, 0x7fffff00),
            0x7fffffffu);
  EXPECT_EQ(uniform_product("mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", types, {4, 4, 2, 4}, 0x7f7f7f7f,
                            0x7f7f7f7f, 0x7fffff00),
            0x7fffff00u + 32 * 127 * 127);
}

}  // namespace
}  // namespace lanescope::sim
