// mma.sp on a GPU, for every shape and type of sm_90, against the dense product of the expanded A. The program also runs
// in the interpreter. sparse_products.out holds what an H100 printed (driver 580.159.04).
//   nvcc -std=c++17 -arch=sm_90a -o build/sparse tests/exec/sparse_products.cu && build/sparse
//   lanescope exec tests/exec/sparse_products.cu
//
// One line per form: whether small numbers, whose sums are exact, give the host's product; and a number (FNV-1a) of the
// sums of 64 products of random bits, which shows how they are rounded.

#include <cuda_runtime.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>
#include <utility>
#include <vector>

// Each lane's registers of a, b and c, in the order [register][lane]; d replaces c.
#define OPERANDS_2 "r"(a[t]), "r"(a[32 + t]), "r"(b[t]), "r"(b[32 + t]), "r"(meta[t])
#define OPERANDS_4                                                                                            \
  "r"(a[t]), "r"(a[32 + t]), "r"(a[64 + t]), "r"(a[96 + t]), "r"(b[t]), "r"(b[32 + t]), "r"(b[64 + t]), "r"(b[96 + t]), \
      "r"(meta[t])
#define KERNEL(name, type, ...)                                                                             \
  __global__ void name(const uint32_t* a, const uint32_t* b, void* sums, const uint32_t* meta) {              \
    const int t = threadIdx.x;                                                                                \
    type* d = static_cast<type*>(sums);                                                                       \
    __VA_ARGS__                                                                                                      \
  }
#define FOUR_SUMS(name, type, letter, text)                                                                 \
  KERNEL(name, type, {                                                                                        \
    type d0 = d[t], d1 = d[32 + t], d2 = d[64 + t], d3 = d[96 + t];                                            \
    asm volatile(text : "+" letter(d0), "+" letter(d1), "+" letter(d2), "+" letter(d3) : name##_operands);       \
    d[t] = d0, d[32 + t] = d1, d[64 + t] = d2, d[96 + t] = d3;                                                  \
  })
#define TWO_SUMS(name, text)                                                                                \
  KERNEL(name, uint32_t, {                                                                                    \
    uint32_t d0 = d[t], d1 = d[32 + t];                                                                        \
    asm volatile(text : "+r"(d0), "+r"(d1) : name##_operands);                                                  \
    d[t] = d0, d[32 + t] = d1;                                                                                 \
  })
#define SMALL_4(words, selector) words " {%0,%1,%2,%3}, {%4,%5}, {%6,%7}, {%0,%1,%2,%3}, %8, " selector ";"
#define LARGE_4(words, selector) \
  words " {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9,%10,%11}, {%0,%1,%2,%3}, %12, " selector ";"
#define SMALL_2(words, selector) words " {%0,%1}, {%2,%3}, {%4,%5}, {%0,%1}, %6, " selector ";"
#define LARGE_2(words, selector) words " {%0,%1}, {%2,%3,%4,%5}, {%6,%7,%8,%9}, {%0,%1}, %10, " selector ";"

#define SP "mma.sp.sync.aligned."
#define OM "mma.sp::ordered_metadata.sync.aligned."
#define f16_0_operands OPERANDS_2
FOUR_SUMS(f16_0, float, "f", SMALL_4(SP "m16n8k16.row.col.f32.f16.f16.f32", "0"))
#define f16_3_operands OPERANDS_2
TWO_SUMS(f16_3, SMALL_2(OM "m16n8k16.row.col.f16.f16.f16.f16", "3"))
#define bf16_2_operands OPERANDS_2
FOUR_SUMS(bf16_2, float, "f", SMALL_4(SP "m16n8k16.row.col.f32.bf16.bf16.f32", "2"))
#define f16_wide_0_operands OPERANDS_4
FOUR_SUMS(f16_wide_0, float, "f", LARGE_4(OM "m16n8k32.row.col.f32.f16.f16.f32", "0"))
#define f16_wide_1_operands OPERANDS_4
TWO_SUMS(f16_wide_1, LARGE_2(SP "m16n8k32.row.col.f16.f16.f16.f16", "1"))
#define bf16_wide_1_operands OPERANDS_4
FOUR_SUMS(bf16_wide_1, float, "f", LARGE_4(SP "m16n8k32.row.col.f32.bf16.bf16.f32", "1"))
#define tf32_1_operands OPERANDS_2
FOUR_SUMS(tf32_1, float, "f", SMALL_4(SP "m16n8k8.row.col.f32.tf32.tf32.f32", "1"))
#define tf32_wide_1_operands OPERANDS_4
FOUR_SUMS(tf32_wide_1, float, "f", LARGE_4(OM "m16n8k16.row.col.f32.tf32.tf32.f32", "1"))
#define s8_0_operands OPERANDS_2
FOUR_SUMS(s8_0, uint32_t, "r", SMALL_4(SP "m16n8k32.row.col.satfinite.s32.s8.u8.s32", "0"))
#define u8_1_operands OPERANDS_2
FOUR_SUMS(u8_1, uint32_t, "r", SMALL_4(OM "m16n8k32.row.col.s32.u8.u8.s32", "1"))
#define s8_wide_operands OPERANDS_4
FOUR_SUMS(s8_wide, uint32_t, "r", LARGE_4(SP "m16n8k64.row.col.s32.s8.s8.s32", "0"))
#define s4_1_operands OPERANDS_2
FOUR_SUMS(s4_1, uint32_t, "r", SMALL_4(SP "m16n8k64.row.col.s32.s4.u4.s32", "1"))
#define u4_wide_operands OPERANDS_4
FOUR_SUMS(u4_wide, uint32_t, "r", LARGE_4(OM "m16n8k128.row.col.satfinite.s32.u4.s4.s32", "0"))
#define e4m3_operands OPERANDS_4
FOUR_SUMS(e4m3, float, "f", LARGE_4(SP "m16n8k64.row.col.f32.e4m3.e5m2.f32", "0"))
#define e5m2_operands OPERANDS_4
FOUR_SUMS(e5m2, float, "f", LARGE_4(OM "m16n8k64.row.col.f32.e5m2.e5m2.f32", "0"))

struct Form {
  const char* name;
  void (*kernel)(const uint32_t*, const uint32_t*, void*, const uint32_t*);
  int k, selector;
  bool ordered;
  std::string a, b, sum;
};

int bits_of(const std::string& type) {
  if (type == "s4" || type == "u4") return 4;
  if (type == "s8" || type == "u8" || type[0] == 'e') return 8;
  return type == "f16" || type == "bf16" ? 16 : 32;
}

uint32_t encoded(const std::string& type, int value) {
  const float as_float = static_cast<float>(value);
  uint32_t f32;
  std::memcpy(&f32, &as_float, 4);
  const uint32_t sign = f32 >> 31, exponent = f32 >> 23 & 255;
  if (type == "f32" || type == "tf32") return f32;
  if (type == "bf16") return f32 >> 16;
  if (type == "f16") return value == 0 ? 0 : sign << 15 | (exponent - 112) << 10 | (f32 >> 13 & 1023);
  if (type == "e5m2") return encoded("f16", value) >> 8;
  if (type == "e4m3") return value == 0 ? 0 : sign << 7 | (exponent - 120) << 3 | (f32 >> 20 & 7);
  return static_cast<uint32_t>(value) & (bits_of(type) == 32 ? ~0u : (1u << bits_of(type)) - 1);
}

int small(const std::string& type, std::mt19937& random) {
  const int value = static_cast<int>(random() % 4);
  return type[0] == 'u' ? value : value - 2;
}

// [register][lane]
struct Words {
  int bits;
  std::vector<uint32_t> words;
  Words(const std::string& type, int elements_of_lane)
      : bits(bits_of(type)), words(static_cast<size_t>(elements_of_lane * bits)) {}
  void set(int lane, int i, uint32_t value) { words[i * bits / 32 * 32 + lane] |= value << i * bits % 32; }
  uint32_t get(int lane, int i) const {
    const uint32_t all = bits == 32 ? ~0u : (1u << bits) - 1;
    return words[i * bits / 32 * 32 + lane] >> i * bits % 32 & all;
  }
};

struct Product {
  Words a, b, c;
  std::vector<uint32_t> meta;
  std::vector<int> expected;  // 16 rows of 8; none for random bits
};

Product product_of(const Form& form, bool exact, std::mt19937& random) {
  const int k = form.k, half = k / 2, bits = bits_of(form.a), chunk = bits == 4 ? 8 : bits == 32 ? 2 : 4;
  const int chunks = k / chunk, per = 32 / bits;
  Product made{Words(form.a, half / 2), Words(form.b, k / 4), Words(form.sum, 4), std::vector<uint32_t>(32, ~0u), {}};
  std::vector<int> dense(16 * k), stored, b(8 * k), c(128);
  std::vector<uint32_t> choices;
  for (int row = 0; row < 16; ++row)
    for (int i = 0; i < chunks; ++i) {
      int* at = &dense[row * k + i * chunk];
      if (chunk == 2) {
        const int second = random() % 2;
        choices.push_back(second ? 14 : 4);
        stored.push_back(at[second] = small(form.a, random));
        continue;
      }
      uint32_t first = random() % 4, other = (first + 1 + random() % 3) % 4;
      if (form.ordered && first > other) std::swap(first, other);
      choices.push_back(first | other << 2);
      for (const uint32_t part : {first, other})
        for (int e = 0; e < chunk / 4; ++e) stored.push_back(at[part * chunk / 4 + e] = small(form.a, random));
    }
  for (int& x : b) x = small(form.b, random);
  for (int& x : c) x = 3 * small(form.sum, random);
  const auto word = [&](int row, int first, int count) {
    uint32_t bits_of_row = 0;
    for (int i = 0; i < count; ++i) bits_of_row |= choices[row * chunks + first + i] << 4 * i;
    return bits_of_row;
  };
  for (int lane = 0; lane < 32; ++lane) {
    const int group = lane / 4, own = lane % 4, lanes = chunks / 4;
    if (bits <= 8 && (chunks == 16 || own / 2 == form.selector))
      made.meta[lane] = word(group + 8 * (own % 2), chunks == 16 ? own / 2 * 8 : 0, 8);
    if (bits > 8 && own / lanes == form.selector)
      made.meta[lane] = word(group, own % lanes * 4, 4) | word(group + 8, own % lanes * 4, 4) << 16;
    for (int i = 0; i < half / 2; ++i) {
      const int row = group + i / per % 2 * 8, column = own * per + i % per + i / per / 2 * 4 * per;
      made.a.set(lane, i, encoded(form.a, stored[row * half + column]));
    }
    for (int i = 0; i < k / 4; ++i)
      made.b.set(lane, i, encoded(form.b, b[(own * per + i % per + i / per * 4 * per) * 8 + group]));
    for (int i = 0; i < 4; ++i)
      made.c.set(lane, i, encoded(form.sum, c[(group + i / 2 * 8) * 8 + own * 2 + i % 2]));
  }
  if (!exact) {
    for (Words* all : {&made.a, &made.b, &made.c})
      for (uint32_t& one : all->words) one = random();
    return made;
  }
  for (int row = 0; row < 16; ++row)
    for (int column = 0; column < 8; ++column) {
      int sum = c[row * 8 + column];
      for (int x = 0; x < k; ++x) sum += dense[row * k + x] * b[x * 8 + column];
      made.expected.push_back(sum);
    }
  return made;
}

uint32_t* room(size_t words) {
  void* made = nullptr;
  cudaMalloc(&made, 4 * words);
  return static_cast<uint32_t*>(made);
}

int main() {
  const Form forms[] = {{"m16n8k16 f16", f16_0, 16, 0, false, "f16", "f16", "f32"},
                        {"m16n8k16 f16 f16", f16_3, 16, 3, true, "f16", "f16", "f16"},
                        {"m16n8k16 bf16", bf16_2, 16, 2, false, "bf16", "bf16", "f32"},
                        {"m16n8k32 f16", f16_wide_0, 32, 0, true, "f16", "f16", "f32"},
                        {"m16n8k32 f16 f16", f16_wide_1, 32, 1, false, "f16", "f16", "f16"},
                        {"m16n8k32 bf16", bf16_wide_1, 32, 1, false, "bf16", "bf16", "f32"},
                        {"m16n8k8 tf32", tf32_1, 8, 1, false, "tf32", "tf32", "f32"},
                        {"m16n8k16 tf32", tf32_wide_1, 16, 1, true, "tf32", "tf32", "f32"},
                        {"m16n8k32 s8 u8", s8_0, 32, 0, false, "s8", "u8", "s32"},
                        {"m16n8k32 u8 u8", u8_1, 32, 1, true, "u8", "u8", "s32"},
                        {"m16n8k64 s8 s8", s8_wide, 64, 0, false, "s8", "s8", "s32"},
                        {"m16n8k64 s4 u4", s4_1, 64, 1, false, "s4", "u4", "s32"},
                        {"m16n8k128 u4 s4", u4_wide, 128, 0, true, "u4", "s4", "s32"},
                        {"m16n8k64 e4m3 e5m2", e4m3, 64, 0, false, "e4m3", "e5m2", "f32"},
                        {"m16n8k64 e5m2 e5m2", e5m2, 64, 0, true, "e5m2", "e5m2", "f32"}};
  uint32_t *a = room(128), *b = room(128), *d = room(128), *meta = room(32);
  std::mt19937 random(5);
  bool all_right = true;
  for (const Form& form : forms) {
    uint64_t hash = 1469598103934665603ull;
    int wrong = 0;
    for (int turn = 0; turn < 65; ++turn) {
      Product product = product_of(form, turn == 0, random);
      const std::pair<uint32_t*, const std::vector<uint32_t>*> inputs[] = {
          {a, &product.a.words}, {b, &product.b.words}, {d, &product.c.words}, {meta, &product.meta}};
      for (const auto& [to, from] : inputs) cudaMemcpy(to, from->data(), 4 * from->size(), cudaMemcpyHostToDevice);
      form.kernel<<<1, 32>>>(a, b, d, meta);
      cudaMemcpy(product.c.words.data(), d, 4 * product.c.words.size(), cudaMemcpyDeviceToHost);
      if (const cudaError_t failed = cudaGetLastError(); failed != cudaSuccess) {
        std::printf("%s: %s\n", form.name, cudaGetErrorString(failed));
        return 1;
      }
      for (int lane = 0; lane < 32; ++lane)
        for (int i = 0; i < 4; ++i) {
          const uint32_t got = product.c.get(lane, i);
          const int place = (lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2;
          if (turn == 0) wrong += got != encoded(form.sum, product.expected[place]);
          if (turn > 0) hash = (hash ^ got) * 1099511628211ull;
        }
    }
    all_right = all_right && wrong == 0;
    std::printf("%-20s selector %d%s: %3d of 128 wrong; random bits %016llx\n", form.name, form.selector,
                form.ordered ? " ordered" : "", wrong, static_cast<unsigned long long>(hash));
  }
  std::printf("%s\n", all_right ? "all right" : "WRONG");
  return all_right ? 0 : 1;
}
