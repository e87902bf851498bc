// mma.sp against the dense product of the expanded A, computed on the host. Where the elements and the metadata of a
// lane are follows the tables and figures of "PTX ISA".

#include <algorithm>
#include <random>

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
using test::small_number;
using testing::HasSubstr;
using U32 = std::uint32_t;

struct SparseCase {
  std::string kind;  // "sp", "sp::ordered_metadata"
  int k;
  std::string d, a, b, c;
  int selector;
  std::string words = "";  // between the layouts and the types
};

std::string text_of(const SparseCase& test) {
  return "mma." + test.kind + ".sync.aligned.m16n8k" + std::to_string(test.k) + ".row.col" + test.words + "." + test.d +
         "." + test.a + "." + test.b + "." + test.c;
}

// The registers of one operand, [register][lane].
struct LaneWords {
  std::string type;
  std::vector<U32> words;
  LaneWords(std::string of, int elements_per_lane)
      : type(std::move(of)), words(static_cast<std::size_t>(elements_per_lane * bits_of_type(type))) {}
  int per() const { return 32 / bits_of_type(type); }
  int registers() const { return static_cast<int>(words.size() / 32); }
  U32& at(int lane, int i) { return words[static_cast<std::size_t>(i / per() * 32 + lane)]; }
  void set(int lane, int i, int value) {
    at(lane, i) |= static_cast<U32>(encoded(type, value)) << (i % per() * bits_of_type(type));
  }
  U32 get(int lane, int i) {
    const int bits = bits_of_type(type);
    return at(lane, i) >> (i % per() * bits) & (bits == 32 ? ~0u : (1u << bits) - 1);
  }
};

// Loads the operands from %rd1 … %rd4 and the metadata from %rd5, and stores d to %rd6.
std::string sparse_kernel(const std::string& instruction, const std::vector<const LaneWords*>& operands, int selector) {
  std::string body = "mov.u32 %r1, %laneid;\nmul.wide.u32 %rd9, %r1, 4;\n", parameters, names[4];
  for (int i = 1; i <= 5; ++i) {
    const std::string n = std::to_string(i);
    parameters += (i == 1 ? "" : ", ") + (".param .u64 p" + n);
    body += "ld.param.u64 %rd" + n + ", [p" + n + "];\nadd.s64 %rd" + n + ", %rd" + n + ", %rd9;\n";
  }
  const int first[] = {8, 16, 24, 32};  // a, b, c, d
  std::string stores;
  for (std::size_t o = 0; o < 4; ++o) {
    const std::string prefix = prefix_of(operands[o]->type), type = prefix == "%f" ? "f32 " : "b32 ";
    for (int i = 0; i < operands[o]->registers(); ++i) {
      const std::string name = prefix + std::to_string(first[o] + i);
      const std::string place = "[%rd" + std::to_string(o < 3 ? o + 1 : 5) + "+" + std::to_string(128 * i) + "]";
      names[o] += (i == 0 ? "{" : ", ") + name;
      (o < 3 ? body : stores) +=
          o < 3 ? "ld.global." + type + name + ", " + place + ";\n" : "st.global." + type + place + ", " + name + ";\n";
    }
    names[o] += "}";
  }
  body += "ld.global.b32 %r2, [%rd4];\n" + instruction + " " + names[3] + ", " + names[0] + ", " + names[1] + ", " +
          names[2] + ", %r2, " + std::to_string(selector) + ";\n" + stores + "ret;";
  return kernel(parameters, body);
}

// A chunk of columns, and the choices of two of its four parts.
int chunk_of(const std::string& type) {
  const int bits = bits_of_type(type);
  return bits == 4 ? 8 : bits == 32 ? 2 : 4;
}

struct SparseMatrix {
  std::vector<int> dense;    // 16 rows of k
  std::vector<int> stored;   // 16 rows of k / 2
  std::vector<U32> choices;  // 16 rows of k / chunk, 4 bits each
};

SparseMatrix random_matrix(const SparseCase& test, std::mt19937& random) {
  const int chunk = chunk_of(test.a), chunks = test.k / chunk;
  SparseMatrix made;
  made.dense.resize(static_cast<std::size_t>(16 * test.k));
  for (int row = 0; row < 16; ++row)
    for (int i = 0; i < chunks; ++i) {
      int* const at = made.dense.data() + row * test.k + i * chunk;
      if (chunk == 2) {
        const bool second = random() % 2 != 0;
        made.choices.push_back(second ? 0b1110 : 0b0100);
        made.stored.push_back(at[second ? 1 : 0] = small_number(test.a, random));
        continue;
      }
      U32 pick[2] = {static_cast<U32>(random() % 4), 0};
      do pick[1] = static_cast<U32>(random() % 4);
      while (pick[1] == pick[0]);
      if (test.kind != "sp") std::sort(pick, pick + 2);
      made.choices.push_back(pick[0] | pick[1] << 2);
      for (const U32 part : pick)
        for (int e = 0; e < chunk / 4; ++e)
          made.stored.push_back(at[static_cast<int>(part) * chunk / 4 + e] = small_number(test.a, random));
    }
  return made;
}

// A lane's metadata: ones where it has none to give.
U32 metadata_of(const SparseCase& test, const SparseMatrix& matrix, int lane) {
  const int chunks = test.k / chunk_of(test.a), group = lane / 4, own = lane % 4;
  const auto word = [&](int row, int first, int count) {
    U32 bits = 0;
    for (int i = 0; i < count; ++i) bits |= matrix.choices[static_cast<std::size_t>(row * chunks + first + i)] << 4 * i;
    return bits;
  };
  if (bits_of_type(test.a) <= 8) {
    if (chunks == 16) return word(group + 8 * (own % 2), own / 2 * 8, 8);
    return own / 2 == test.selector ? word(group + 8 * (own % 2), 0, 8) : ~0u;
  }
  const int lanes = chunks / 4;
  if (own / lanes != test.selector) return ~0u;
  return word(group, own % lanes * 4, 4) | word(group + 8, own % lanes * 4, 4) << 16;
}

class SparseMma : public testing::TestWithParam<SparseCase> {};

TEST_P(SparseMma, IsTheDenseProductOfTheExpandedMatrix) {
  const SparseCase& test = GetParam();
  const int k = test.k, half = k / 2;
  std::mt19937 random(11);
  const SparseMatrix a = random_matrix(test, random);
  std::vector<int> b(static_cast<std::size_t>(k * 8)), c(128);
  for (int& x : b) x = small_number(test.b, random);
  for (int& x : c) x = small_number(test.c, random) * 3;
  LaneWords wa(test.a, half / 2), wb(test.b, k / 4), wc(test.c, 4), wd(test.d, 4), meta("u8", 4);
  const int per = wa.per();
  for (int lane = 0; lane < 32; ++lane) {
    const int group = lane / 4, own = lane % 4;
    for (int i = 0; i < half / 2; ++i) {
      const int row = group + (i / per % 2 == 0 ? 0 : 8), column = own * per + i % per + i / per / 2 * 4 * per;
      wa.set(lane, i, a.stored[static_cast<std::size_t>(row * half + column)]);
    }
    for (int i = 0; i < k / 4; ++i)
      wb.set(lane, i, b[static_cast<std::size_t>((own * per + i % per + i / per * 4 * per) * 8 + group)]);
    for (int i = 0; i < 4; ++i)
      wc.set(lane, i, c[static_cast<std::size_t>((group + (i < 2 ? 0 : 8)) * 8 + own * 2 + i % 2)]);
    meta.words[static_cast<std::size_t>(lane)] = metadata_of(test, a, lane);
  }
  Launcher launch(sparse_kernel(text_of(test), {&wa, &wb, &wc, &wd}, test.selector));
  ASSERT_TRUE(launch.errors.empty()) << format(launch.errors.front());
  for (const LaneWords* words : {&wa, &wb, &wc, &meta}) launch.add_buffer(words->words);
  const int out = launch.add_buffer(wd.words);
  wd.words = Launcher::values<U32>(launch.run(), out);
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < 4; ++i) {
      const int row = lane / 4 + (i < 2 ? 0 : 8), column = lane % 4 * 2 + i % 2;
      int sum = c[static_cast<std::size_t>(row * 8 + column)];
      for (int x = 0; x < k; ++x)
        sum += a.dense[static_cast<std::size_t>(row * k + x)] * b[static_cast<std::size_t>(x * 8 + column)];
      ASSERT_EQ(wd.get(lane, i), static_cast<U32>(encoded(test.d, sum))) << "lane " << lane << " element " << i;
    }
}

INSTANTIATE_TEST_SUITE_P(Forms, SparseMma,
                         testing::Values(SparseCase{"sp", 16, "f32", "f16", "f16", "f32", 0},
                                         SparseCase{"sp::ordered_metadata", 16, "f16", "f16", "f16", "f16", 3},
                                         SparseCase{"sp", 16, "f32", "bf16", "bf16", "f32", 2},
                                         SparseCase{"sp::ordered_metadata", 32, "f32", "f16", "f16", "f32", 0},
                                         SparseCase{"sp", 32, "f16", "f16", "f16", "f16", 1},
                                         SparseCase{"sp", 32, "f32", "bf16", "bf16", "f32", 1},
                                         SparseCase{"sp", 8, "f32", "tf32", "tf32", "f32", 1},
                                         SparseCase{"sp::ordered_metadata", 16, "f32", "tf32", "tf32", "f32", 1},
                                         SparseCase{"sp", 32, "s32", "s8", "u8", "s32", 0, ".satfinite"},
                                         SparseCase{"sp::ordered_metadata", 32, "s32", "u8", "u8", "s32", 1},
                                         SparseCase{"sp", 64, "s32", "s8", "s8", "s32", 0},
                                         SparseCase{"sp", 64, "s32", "s4", "u4", "s32", 1},
                                         SparseCase{"sp::ordered_metadata", 128, "s32", "u4", "s4", "s32", 0,
                                                    ".satfinite"},
                                         SparseCase{"sp", 64, "f32", "e4m3", "e5m2", "f32", 0},
                                         SparseCase{"sp::ordered_metadata", 64, "f32", "e5m2", "e5m2", "f32", 0}),
                         [](const auto& p) {
                           std::string name = text_of(p.param) + "_" + std::to_string(p.param.selector);
                           for (char& letter : name)
                             if (letter == '.' || letter == ':') letter = '_';
                           return name;
                         });

// m16n8k16 of f16 with all elements of A 1, the rows of B given, and the same metadata in all lanes.
Launcher halves(const std::string& kind, U32 metadata, const std::array<U32, 16>& rows_of_b) {
  LaneWords a("f16", 4), b("f16", 4), c("f32", 4), d("f32", 4);
  for (U32& word : a.words) word = 0x3c003c00;
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < 4; ++i)
      b.at(lane, i) |= rows_of_b[static_cast<std::size_t>(lane % 4 * 2 + i % 2 + i / 2 * 8)] << (i % 2 * 16);
  Launcher launch(sparse_kernel("mma." + kind + ".sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", {&a, &b, &c, &d}, 0));
  for (const LaneWords* words : {&a, &b, &c}) launch.add_buffer(words->words);
  launch.add_buffer(std::vector<U32>(32, metadata));
  launch.add_buffer(d.words);
  return launch;
}

TEST(SparseMmaColumns, WhatIsNotChosenDoesNotCount) {
  std::array<U32, 16> rows{};
  for (std::size_t i = 0; i < rows.size(); ++i)
    rows[i] = i % 4 == 1 || i % 4 == 2 ? 0x3c00 : i % 4 == 0 ? 0x7c00 : 0x7e00;
  Launcher launch = halves("sp", 0x99999999, rows);  // columns 1 and 2 of each four: infinity and NaN stand beside
  const auto values = Launcher::values<float>(launch.run(), 4);
  EXPECT_THAT(values, testing::Each(8.0f));
}

TEST(SparseMmaColumns, UndefinedMetadataIsNamed) {
  const std::array<U32, 16> rows{};
  const Diagnostic same = halves("sp", 0x44454444, rows).fault("tensor.bad_metadata");
  EXPECT_THAT(std::string(same.message), HasSubstr("0x44454444"));
  EXPECT_THAT(std::string(same.message), HasSubstr("0b0101"));
  halves("sp::ordered_metadata", 0x44414444, rows).fault("tensor.bad_metadata");
  EXPECT_TRUE(halves("sp", 0x44414444, rows).run().completed) << "in the other order: only ordered metadata forbid it";
}

TEST(SparseMmaColumns, OtherFormsAreRefused) {
  const std::string f = "{%f1, %f2, %f3, %f4}", r2 = "{%r1, %r2}", r4 = "{%r1, %r2, %r3, %r4}";
  for (const std::string& form :
       {"mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32 " + f + ", " + r4 + ", " + r4 + ", " + f + ", %r9, 2",
        "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 " + f + ", " + r2 + ", " + r2 + ", " + f + ", %r9, 4",
        "mma.sp.sync.aligned.m16n8k64.row.col.f32.e4m3.e4m3.f32 " + f + ", " + r4 + ", " + r4 + ", " + f + ", %r9, 1",
        "mma.sp.sync.aligned.m16n8k64.row.col.f16.e4m3.e4m3.f16 " + r2 + ", " + r4 + ", " + r4 + ", " + r2 + ", %r9, 0",
        "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 " + f + ", " + r2 + ", " + r2 + ", " + f,
        "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 " + f + ", " + r4 + ", " + r2 + ", " + f + ", %r9, 0"}) {
    Launcher k(kernel("", form + ";\nret;"));
    EXPECT_TRUE(k.errors.empty()) << form;
    k.fault("run.unsupported_instruction");
  }
}

}  // namespace
}  // namespace lanescope::sim
