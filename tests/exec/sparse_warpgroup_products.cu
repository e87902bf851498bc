// wgmma.mma_async.sp on a GPU, for every type, against the dense product of the expanded A. The program also runs in
// the interpreter. sparse_warpgroup_products.out holds what an H200 printed (driver 580.159.04).
//   nvcc -std=c++17 -arch=sm_90a -o build/sparse tests/exec/sparse_warpgroup_products.cu && build/sparse
//   lanescope exec tests/exec/sparse_warpgroup_products.cu
//
// One line per form: whether small numbers, whose sums are exact, give the host's product; and a number (FNV-1a) of the
// sums of 64 products of random bits, which shows how they are rounded.

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>
#include <vector>

constexpr int columns = 16, matrix_bytes = 16 * 1024;  // A, and as much for B

struct Inputs {
  const uint32_t *image, *of_a, *meta;
  uint32_t* sums;  // [register][thread], of d
  uint64_t a, b;   // descriptors, for matrices at 0 and at matrix_bytes
};

// Copies both matrices, and makes the descriptors those of where they are.
__device__ Inputs placed(Inputs in) {
  extern __shared__ __align__(1024) uint32_t shared[];
  for (int i = threadIdx.x; i < 2 * matrix_bytes / 4; i += 128) shared[i] = in.image[i];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  const uint64_t at = static_cast<uint64_t>(__cvta_generic_to_shared(shared)) >> 4;
  in.a += at, in.b += at;
  return in;
}

#define EIGHT "{%0,%1,%2,%3,%4,%5,%6,%7}"
#define FOUR "{%0,%1,%2,%3}"
#define RUN(instruction, operands) \
  "wgmma.fence.sync.aligned;\n" instruction " " operands ";\nwgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n"
// d has 8 registers of this kind; A in shared memory, or in registers.
#define PRODUCT_8(name, type, letter, form, tail)                                                                    \
  __global__ void name(Inputs given) {                                                                               \
    const Inputs in = placed(given);                                                                                 \
    const int t = threadIdx.x;                                                                                       \
    type* d = reinterpret_cast<type*>(in.sums) + t;                                                                  \
    type d0 = d[0], d1 = d[128], d2 = d[256], d3 = d[384], d4 = d[512], d5 = d[640], d6 = d[768], d7 = d[896];       \
    asm volatile(RUN("wgmma.mma_async.sp.sync.aligned." form, EIGHT ", %8, %9, %10, " tail)                          \
                 : "+" letter(d0), "+" letter(d1), "+" letter(d2), "+" letter(d3), "+" letter(d4), "+" letter(d5),   \
                   "+" letter(d6), "+" letter(d7)                                                                    \
                 : "l"(in.a), "l"(in.b), "r"(in.meta[t]));                                                           \
    d[0] = d0, d[128] = d1, d[256] = d2, d[384] = d3, d[512] = d4, d[640] = d5, d[768] = d6, d[896] = d7;            \
  }
#define PRODUCT_8R(name, type, letter, form, tail)                                                                   \
  __global__ void name(Inputs given) {                                                                               \
    const Inputs in = placed(given);                                                                                 \
    const int t = threadIdx.x;                                                                                       \
    type* d = reinterpret_cast<type*>(in.sums) + t;                                                                  \
    const uint32_t* a = in.of_a + t;                                                                                 \
    type d0 = d[0], d1 = d[128], d2 = d[256], d3 = d[384], d4 = d[512], d5 = d[640], d6 = d[768], d7 = d[896];       \
    asm volatile(RUN("wgmma.mma_async.sp.sync.aligned." form, EIGHT ", {%8,%9,%10,%11}, %12, %13, " tail)            \
                 : "+" letter(d0), "+" letter(d1), "+" letter(d2), "+" letter(d3), "+" letter(d4), "+" letter(d5),   \
                   "+" letter(d6), "+" letter(d7)                                                                    \
                 : "r"(a[0]), "r"(a[128]), "r"(a[256]), "r"(a[384]), "l"(in.b), "r"(in.meta[t]));                    \
    d[0] = d0, d[128] = d1, d[256] = d2, d[384] = d3, d[512] = d4, d[640] = d5, d[768] = d6, d[896] = d7;            \
  }
#define PRODUCT_4(name, form, tail)                                                                                  \
  __global__ void name(Inputs given) {                                                                               \
    const Inputs in = placed(given);                                                                                 \
    const int t = threadIdx.x;                                                                                       \
    uint32_t* d = in.sums + t;                                                                                       \
    uint32_t d0 = d[0], d1 = d[128], d2 = d[256], d3 = d[384];                                                       \
    asm volatile(RUN("wgmma.mma_async.sp.sync.aligned." form, FOUR ", %4, %5, %6, " tail)                            \
                 : "+r"(d0), "+r"(d1), "+r"(d2), "+r"(d3)                                                            \
                 : "l"(in.a), "l"(in.b), "r"(in.meta[t]));                                                           \
    d[0] = d0, d[128] = d1, d[256] = d2, d[384] = d3;                                                                \
  }

PRODUCT_8(f16_0, float, "f", "m64n16k32.f32.f16.f16", "0, 1, 1, 1, 0, 0")
PRODUCT_8R(f16_1r, float, "f", "m64n16k32.f32.f16.f16", "1, 1, 1, -1, 0")
PRODUCT_4(f16_f16, "m64n16k32.f16.f16.f16", "0, 1, 1, 1, 0, 0")
PRODUCT_8(f16_lines, float, "f", "m64n16k32.f32.f16.f16", "1, 1, 1, 1, 1, 1")
PRODUCT_8(f16_b_lines, float, "f", "m64n16k32.f32.f16.f16", "0, 1, 1, 1, 0, 1")
PRODUCT_8(bf16_1, float, "f", "m64n16k32.f32.bf16.bf16", "1, 1, -1, 1, 0, 0")
PRODUCT_8(tf32_0, float, "f", "m64n16k16.f32.tf32.tf32", "0, 1, 1, 1")
PRODUCT_8R(tf32_1r, float, "f", "m64n16k16.f32.tf32.tf32", "1, 1, 1, 1")
PRODUCT_8(s8_u8, uint32_t, "r", "m64n16k64.s32.s8.u8", "0, 1")
PRODUCT_8(u8_s8, uint32_t, "r", "m64n16k64.s32.u8.s8.satfinite", "0, 1")
PRODUCT_8R(u8_u8r, uint32_t, "r", "m64n16k64.s32.u8.u8", "0, 0")
PRODUCT_8(e4m3, float, "f", "m64n16k64.f32.e4m3.e5m2", "0, 1, 1, 1")
PRODUCT_8R(e5m2r, float, "f", "m64n16k64.f32.e5m2.e5m2", "0, 1, 1, 1")
PRODUCT_4(e5m2_f16, "m64n16k64.f16.e5m2.e4m3", "0, 1, 1, 1")

// The layout of a matrix in shared memory: bytes per row of the swizzle pattern (16: none), the direction, and the two
// distances.
struct Way {
  int row = 16;
  bool by_line = false;
  int leading = 0, stride = 0;
  uint64_t descriptor(int at) const {
    const uint64_t swizzle = row == 128 ? 1 : row == 64 ? 2 : row == 32 ? 3 : 0;
    return uint64_t(at) >> 4 | uint64_t(leading) >> 4 << 16 | uint64_t(stride) >> 4 << 32 | swizzle << 62;
  }
  int in_pattern(int number, int byte) const {
    return number * row + (byte / 16 ^ number * row / 128 % (row / 16)) * 16 + byte % 16;
  }
  int along_k(int line, int byte) const {
    if (row == 16) return line / 8 * stride + byte / 16 * leading + line % 8 * 16 + byte % 16;
    return line / 8 * stride + byte / row * leading + in_pattern(line % 8, byte % row);
  }
  int along_lines(int line, int k) const {  // 16-bit elements
    if (row == 16) return line / 8 * stride + k / 8 * leading + k % 8 * 16 + line % 8 * 2;
    const int lines = row / 2;
    return line / lines * leading + k / 8 * stride + in_pattern(k % 8, line % lines * 2);
  }
};

struct Form {
  const char* name;
  void (*kernel)(Inputs);
  std::string a, b, sum;
  int selector;
  Way way_a, way_b;
  int sign = 1, adds = 1;
};

int bits_of(const std::string& type) {
  return type == "s8" || type == "u8" || type[0] == 'e' ? 8 : type == "f16" || type == "bf16" ? 16 : 32;
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

void put(std::vector<uint32_t>& words, int byte, int bits, uint32_t value) {
  words[byte / 4] |= value << byte % 4 * 8 & (bits == 32 ? ~0u : ((1u << bits) - 1) << byte % 4 * 8);
}

struct Product {
  std::vector<uint32_t> image, of_a, meta, sums;
  std::vector<uint32_t> expected;  // as sums; none for random bits
};

// Where element (row, column) of d is in `sums`, in bytes.
int place_of_sum(const Form& form, int row, int column) {
  const int thread = row / 16 * 32 + row % 8 * 4 + column % 8 / 2, per = 32 / bits_of(form.sum);
  const int element = column / 8 * 4 + row % 16 / 8 * 2 + column % 2;
  return (element / per * 128 + thread) * 4 + element % per * bits_of(form.sum) / 8;
}

Product product_of(const Form& form, int turn, std::mt19937& random) {
  const int bits = bits_of(form.a), stored = 256 / bits, k = 2 * stored, chunk = bits == 32 ? 2 : 4, chunks = k / chunk;
  const int sum_bits = bits_of(form.sum), registers = columns / 2 * sum_bits / 32;
  Product made;
  made.image.resize(2 * matrix_bytes / 4), made.of_a.resize(4 * 128), made.meta.assign(128, ~0u);
  made.sums.resize(registers * 128), made.expected.resize(registers * 128);
  std::vector<int> dense(64 * k), b(k * columns), c(64 * columns);
  std::vector<uint32_t> choices;
  // Small numbers, any bits, or bits of numbers that are not huge.
  const auto value_of = [&](const std::string& type, int& exact) {
    exact = small(type, random);
    if (turn == 0) return encoded(type, exact);
    const uint32_t huge = turn % 2 == 0 ? 0 : 1u << (bits_of(type) - 2);
    return static_cast<uint32_t>(random()) & ~(type[0] == 's' || type[0] == 'u' ? 0 : huge);
  };
  const auto place = [](const Way& way, int line, int i, int width) {
    return way.by_line ? way.along_lines(line, i) : way.along_k(line, i * width / 8);
  };
  for (int row = 0; row < 64; ++row)
    for (int i = 0, at = 0; i < chunks; ++i) {
      uint32_t parts[2] = {static_cast<uint32_t>(random() % (chunk == 2 ? 2 : 3)), 0};
      parts[1] = parts[0] + 1 + random() % (chunk == 2 ? 1 : 3 - parts[0]);
      choices.push_back(chunk == 2 ? (parts[0] ? 14 : 4) : parts[0] | parts[1] << 2);
      for (int part = 0; part < chunk / 2; ++part, ++at) {
        const uint32_t value = value_of(form.a, dense[row * k + i * chunk + static_cast<int>(parts[part])]);
        put(made.image, place(form.way_a, row, at, bits), bits, value);
        const int byte = at * bits / 8, thread = row / 16 * 32 + row % 8 * 4 + byte % 16 / 4;
        put(made.of_a, ((row % 16 / 8 + byte / 16 * 2) * 128 + thread) * 4 + byte % 4, bits, value);
      }
    }
  for (int column = 0; column < columns; ++column)
    for (int i = 0; i < k; ++i)
      put(made.image, matrix_bytes + place(form.way_b, column, i, bits), bits, value_of(form.b, b[i * columns + column]));
  const auto word = [&](int row, int first, int count) {
    uint32_t of_row = 0;
    for (int i = 0; i < count; ++i) of_row |= choices[row * chunks + first + i] << 4 * i;
    return of_row;
  };
  for (int thread = 0; thread < 128; ++thread) {
    const int row = thread / 32 * 16 + thread % 32 / 4, own = thread % 4;
    if (bits == 8)
      made.meta[thread] = word(row + 8 * (own % 2), own / 2 * 8, 8);
    else if (own / 2 == form.selector)
      made.meta[thread] = word(row, own % 2 * 4, 4) | word(row + 8, own % 2 * 4, 4) << 16;
  }
  for (int row = 0; row < 64; ++row)
    for (int column = 0; column < columns; ++column) {
      int sum = 0;
      put(made.sums, place_of_sum(form, row, column), sum_bits, value_of(form.sum, sum));
      if (form.adds == 0) sum = 0;
      for (int i = 0; i < k; ++i) sum += form.sign * dense[row * k + i] * b[i * columns + column];
      put(made.expected, place_of_sum(form, row, column), sum_bits, encoded(form.sum, sum));
    }
  return made;
}

uint32_t* room(size_t words) {
  void* made = nullptr;
  cudaMalloc(&made, 4 * words);
  return static_cast<uint32_t*>(made);
}

int main() {
  const Way plain{16, false, 128, 512}, by128{128, false, 16, 1024}, by64{64, false, 16, 512};
  const Way by32{32, false, 4096, 256}, lines{128, true, 8192, 1024};
  const Form forms[] = {{"f16, f32", f16_0, "f16", "f16", "f32", 0, plain, plain},
                        {"f16, f32, swizzled", f16_0, "f16", "f16", "f32", 0, by128, by64},
                        {"f16, f32, two patterns", f16_0, "f16", "f16", "f32", 0, by32, by32},
                        {"f16, f32, A in registers", f16_1r, "f16", "f16", "f32", 1, plain, by128, -1},
                        {"f16, f16", f16_f16, "f16", "f16", "f16", 0, by64, by128},
                        {"f16, f32, by lines", f16_lines, "f16", "f16", "f32", 1, lines, lines},
                        {"f16, f32, B by lines", f16_b_lines, "f16", "f16", "f32", 0, by64, lines},
                        {"bf16", bf16_1, "bf16", "bf16", "f32", 1, by64, by128, -1},
                        {"tf32", tf32_0, "tf32", "tf32", "f32", 0, by128, by128},
                        {"tf32, A in registers", tf32_1r, "tf32", "tf32", "f32", 1, plain, plain},
                        {"s8, u8", s8_u8, "s8", "u8", "s32", 0, plain, plain},
                        {"u8, s8, satfinite", u8_s8, "u8", "s8", "s32", 0, by64, by64},
                        {"u8, u8, A in registers, not added", u8_u8r, "u8", "u8", "s32", 0, plain, by128, 1, 0},
                        {"e4m3, e5m2", e4m3, "e4m3", "e5m2", "f32", 0, by64, by128},
                        {"e5m2, e5m2, A in registers", e5m2r, "e5m2", "e5m2", "f32", 0, plain, plain},
                        {"e5m2, e4m3, f16", e5m2_f16, "e5m2", "e4m3", "f16", 0, by128, by64}};
  uint32_t *image = room(2 * matrix_bytes / 4), *of_a = room(512), *meta = room(128), *sums = room(1024);
  std::mt19937 random(5);
  bool all_right = true;
  for (const Form& form : forms) {
    uint64_t hash = 1469598103934665603ull;
    int wrong = 0;
    for (int turn = 0; turn < 65; ++turn) {
      Product product = product_of(form, turn, random);
      const auto give = [](uint32_t* to, const std::vector<uint32_t>& from) {
        cudaMemcpy(to, from.data(), 4 * from.size(), cudaMemcpyHostToDevice);
      };
      give(image, product.image), give(of_a, product.of_a), give(meta, product.meta), give(sums, product.sums);
      form.kernel<<<1, 128, 2 * matrix_bytes>>>(
          {image, of_a, meta, sums, form.way_a.descriptor(0), form.way_b.descriptor(matrix_bytes)});
      std::vector<uint32_t> got(product.sums.size());
      const cudaError_t error = cudaMemcpy(got.data(), sums, 4 * got.size(), cudaMemcpyDeviceToHost);
      if (error != cudaSuccess) {
        std::printf("%s: %s\n", form.name, cudaGetErrorString(error));
        return 1;
      }
      if (turn == 0) {
        for (size_t i = 0; i < got.size(); ++i) wrong += got[i] != product.expected[i];
        continue;
      }
      for (const uint32_t one : got) hash = (hash ^ one) * 1099511628211ull;
    }
    std::printf("%-36s %s, rounded %016llx\n", form.name, wrong == 0 ? "right" : "WRONG", static_cast<unsigned long long>(hash));
    all_right = all_right && wrong == 0;
  }
  return all_right ? 0 : 1;
}
