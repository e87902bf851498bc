// Products of a warpgroup against an H200 (driver 580, CUDA 13.0): 80 products m64n8 per type, random and adversarial
// (wide exponents, cancellation, subnormal and huge numbers, zeros, infinity, NaN, any bits). Each is computed plainly,
// with signs changed, without accumulating, and twice in a row. The GPU's results are stored as one number per 40,960
// sums.

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "sim/tensor/warpgroup.h"

namespace lanescope::sim {
namespace {

using U8 = std::uint8_t;
using U32 = std::uint32_t;
using U64 = std::uint64_t;

constexpr int modes = 10, per_mode = 8;
constexpr int rows = 64, columns = 8, line_bytes = WarpgroupOp::line_bytes;

struct ProductKind {
  std::string name;
  Element a, b, sum;
  bool saturate;
  std::vector<U64> digests;
};

// The order determines the numbers' seeds, so it must not change.
const std::vector<ProductKind>& kinds() {
  using E = Element;
  static const std::vector<ProductKind> all = {
      {"f16_f32",
       E::f16,
       E::f16,
       E::f32,
       false,
       {0x75e6e1a4b47f045eull, 0x75e6e1a4b47f045eull, 0x3398b5d0846493fdull, 0x3398b5d0846493fdull,
        0xb50bda333af67890ull, 0x3b962724def05bb8ull, 0x11435fa83af67890ull}},
      {"f16_f16",
       E::f16,
       E::f16,
       E::f16,
       false,
       {0xc6f866e85775b83aull, 0xc6f866e85775b83aull, 0x81d324d233dd90b6ull, 0x81d324d233dd90b6ull,
        0xb71e82002e16f718ull, 0x8f647a155a38c60dull, 0xc75114f753707718ull}},
      {"bf16_f32",
       E::bf16,
       E::bf16,
       E::f32,
       false,
       {0x72f4ce2a32c526beull, 0x72f4ce2a32c526beull, 0x388d3808545c48ffull, 0x388d3808545c48ffull,
        0x15d874f9f119399eull, 0x5fe878512a3797d9ull, 0x035a5d1d7119399eull}},
      {"tf32_f32",
       E::tf32,
       E::tf32,
       E::f32,
       false,
       {0x539f01ca386b2116ull, 0x539f01ca386b2116ull, 0x21748154cfa25d69ull, 0x21748154cfa25d69ull,
        0x31c9cb92143f0cd2ull, 0xb250e5d884d99539ull, 0xd19c4adf943f0cd2ull}},
      {"e4m3_f32",
       E::e4m3,
       E::e4m3,
       E::f32,
       false,
       {0xfaf74ba7331093d6ull, 0xfaf74ba7331093d6ull, 0xfbd1fe16159fd7d6ull, 0xfbd1fe16159fd7d6ull,
        0xbf7aec4932d1d088ull, 0x120eb3d8c5fc7fd6ull, 0x23a4d095b2d1d088ull}},
      {"e4m3_f16",
       E::e4m3,
       E::e4m3,
       E::f16,
       false,
       {0x4363dd5557f575d2ull, 0x4363dd5557f575d2ull, 0x93146f6240a6cb57ull, 0x93146f6240a6cb57ull,
        0x58e3bbeedb9f3118ull, 0xd69fb349c688a305ull, 0x31fc70726d9e3118ull}},
      {"e5m2_f32",
       E::e5m2,
       E::e5m2,
       E::f32,
       false,
       {0xa75de42cc66d8202ull, 0xa75de42cc66d8202ull, 0xd3131926e3572e02ull, 0xd3131926e3572e02ull,
        0xbec0d8a6f22b1259ull, 0x73c1e492ffac4a02ull, 0x7fd63c09f22b1259ull}},
      {"e5m2_f16",
       E::e5m2,
       E::e5m2,
       E::f16,
       false,
       {0xd91894b2a6054d2cull, 0xd91894b2a6054d2cull, 0x927f3ac9321daa89ull, 0x927f3ac9321daa89ull,
        0x2b5b63a7bd78170eull, 0x82b41c52895c6e49ull, 0xfe670c6b7704170eull}},
      {"e4m3e5m2_f32",
       E::e4m3,
       E::e5m2,
       E::f32,
       false,
       {0x1897065459d2f47cull, 0x1897065459d2f47cull, 0x45f58801bdb4c87cull, 0x45f58801bdb4c87cull,
        0x6131f90de16b2040ull, 0xfd8a60c7c4836c7cull, 0x92d9f529616b2040ull}},
      {"e5m2e4m3_f16",
       E::e5m2,
       E::e4m3,
       E::f16,
       false,
       {0x396fe6df08bda56full, 0x396fe6df08bda56full, 0xac71a90021bf6ccdull, 0xac71a90021bf6ccdull,
        0x99068e54788f632aull, 0xc0d66ad9399572ecull, 0x5b69439e538a632aull}},
      {"s8s8",
       E::s8,
       E::s8,
       E::s32,
       false,
       {0x2bcef54406021e18ull, 0x2bcef54406021e18ull, 0xe8eabcb08345fbbaull, 0x10e8a4f6bcbdfe55ull}},
      {"u8u8_sat",
       E::u8,
       E::u8,
       E::s32,
       true,
       {0xb42876512a047119ull, 0xb42876512a047119ull, 0x1c57b2abc5ed7ee6ull, 0xab40fc97e0192e3dull}},
      {"s8u8_sat",
       E::s8,
       E::u8,
       E::s32,
       true,
       {0x8efe549125aaf81cull, 0x8efe549125aaf81cull, 0xfc852b92d4e7400dull, 0x4c1cdb398bc53152ull}},
      {"u8s8",
       E::u8,
       E::s8,
       E::s32,
       false,
       {0xbd4b2e4c459b828aull, 0xbd4b2e4c459b828aull, 0x106a8ee66440aa18ull, 0xdc0e88129e3e5a77ull}},
      {"s8s8_sat",
       E::s8,
       E::s8,
       E::s32,
       true,
       {0xee26dce5b0003a3cull, 0xee26dce5b0003a3cull, 0xc82cf39deb838bdaull, 0x67967a898105546aull}},
      {"b1",
       E::b1,
       E::b1,
       E::s32,
       false,
       {0x491e8220b0644f60ull, 0x491e8220b0644f60ull, 0xc77c299d64e46e67ull, 0x79874cd7963435aeull}},
  };
  return all;
}

// How a kind's products are computed; integers have no signs to change.
struct Variant {
  bool negate_a = false, negate_b = false, adds = true;
  int times = 1;
  bool of_reals_alone = false;
};
const Variant variants[] = {{},
                            {},  // on the GPU, A comes from registers
                            {.negate_a = true, .of_reals_alone = true},
                            {.negate_b = true, .of_reals_alone = true},
                            {.adds = false},
                            {.times = 2},
                            {.negate_a = true, .adds = false, .of_reals_alone = true}};

class Random {
 public:
  explicit Random(U64 seed) : state_(seed * 0x9e3779b97f4a7c15ull + 1) {}
  U64 next() {
    U64 z = (state_ += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  int range(int low, int high) { return low + static_cast<int>(next() % static_cast<U64>(high - low + 1)); }
  U32 bit() { return static_cast<U32>(next() & 1); }

 private:
  U64 state_;
};

struct Format {
  int exponent_bits, fraction_bits;
  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  int sign() const { return exponent_bits + fraction_bits; }
  int width() const { return sign() + 1; }
  bool is_wide() const { return bias() > 40; }
};
Format format_of_element(Element element) {
  switch (element) {
    case Element::f16:
      return {5, 10};
    case Element::bf16:
      return {8, 7};
    case Element::e4m3:
      return {4, 3};
    case Element::e5m2:
      return {5, 2};
    default:
      return {8, 23};
  }
}

struct Product {
  std::vector<U8> a = std::vector<U8>(rows * line_bytes), b = std::vector<U8>(columns * line_bytes);
  std::vector<U32> c = std::vector<U32>(rows * columns);
};

class Maker {
 public:
  Maker(int kind, int product)
      : random_(static_cast<U64>(kind) * 1000 + static_cast<U64>(product) + 12345),
        kind_(kinds()[static_cast<std::size_t>(kind)]),
        mode_(product / per_mode),
        near_(product % 2 == 1),
        a_(format_of_element(kind_.a)),
        b_(format_of_element(kind_.b)),
        c_(format_of_element(kind_.sum)),
        half_(kind_.sum == Element::f16),
        k_(line_bytes * 8 / bits_of(kind_.a)) {}

  Product make() {
    if (kind_.sum == Element::s32)
      integers();
    else
      reals();
    return std::move(made_);
  }

 private:
  void integers() {
    const auto byte = [&] {
      if (mode_ % 3 == 1) return static_cast<U8>(random_.bit() != 0 ? 0x80 : 0x7f);
      if (mode_ % 3 == 2) return static_cast<U8>((random_.next() & 7) != 0 ? 0xff : 0x80);
      return static_cast<U8>(random_.next());
    };
    for (U8& x : made_.a) x = byte();
    for (U8& x : made_.b) x = byte();
    for (U32& x : made_.c) {
      if (mode_ < 5)
        x = static_cast<U32>(random_.next());
      else if (random_.bit() != 0)
        x = 0x7fffffffu - static_cast<U32>(random_.next() & 0xfffff);
      else
        x = 0x80000000u + static_cast<U32>(random_.next() & 0xfffff);
    }
  }

  // ±1.m · 2^exponent with random sign and m, clamped to the format's range.
  U32 number(Format f, int exponent, bool any_fraction = true) {
    U32 fraction = any_fraction ? static_cast<U32>(random_.next() & ((1u << f.fraction_bits) - 1)) : 0;
    int biased = std::min(exponent + f.bias(), (1 << f.exponent_bits) - 2);
    if (biased < 1) {
      const int shift = 1 - biased;
      fraction = shift > f.fraction_bits ? 0 : (fraction | 1u << f.fraction_bits) >> shift;
      biased = 0;
    }
    return random_.bit() << f.sign() | static_cast<U32>(biased) << f.fraction_bits | fraction;
  }
  U32 zero_or_one(Format f, int odds) {
    return random_.next() % static_cast<U64>(odds) != 0 ? random_.bit() << f.sign() : number(f, 0, false);
  }
  U32 maybe_special(Format f, U32 ordinary, int odds) {
    if (random_.next() % static_cast<U64>(odds) != 0) return ordinary;
    const U32 exponent = ((1u << f.exponent_bits) - 1) << f.fraction_bits;
    const U32 sign = random_.bit() << f.sign();
    const bool infinite = random_.bit() != 0;
    if (f.exponent_bits == 4) return sign | exponent | 7;
    return sign | exponent | (infinite ? 0 : 1u << random_.range(0, f.fraction_bits - 1));
  }

  static void put(std::vector<U8>& lines, int line, int i, Format f, U32 value) {
    const int bytes = f.width() / 8;
    std::memcpy(lines.data() + line * line_bytes + i * bytes, &value, static_cast<std::size_t>(bytes));
  }
  static U32 get(const std::vector<U8>& lines, int line, int i, Format f) {
    U32 value = 0;
    std::memcpy(&value, lines.data() + line * line_bytes + i * f.width() / 8, static_cast<std::size_t>(f.width()) / 8);
    return value;
  }
  template <typename A, typename B, typename C>
  void fill(A&& a, B&& b, C&& c) {
    for (int row = 0; row < rows; ++row)
      for (int i = 0; i < k_; ++i) put(made_.a, row, i, a_, a(i));
    for (int column = 0; column < columns; ++column)
      for (int i = 0; i < k_; ++i) put(made_.b, column, i, b_, b(i));
    for (U32& x : made_.c) x = c();
  }
  // Exponents between these.
  void fill_between(int a_low, int a_high, int b_low, int b_high, int c_low, int c_high) {
    fill([&](int) { return number(a_, random_.range(a_low, a_high)); },
         [&](int) { return number(b_, random_.range(b_low, b_high)); },
         [&] { return number(c_, random_.range(c_low, c_high)); });
  }

  void reals() {
    const int wide_a = a_.is_wide() ? 20 : a_.bias(), wide_b = b_.is_wide() ? 20 : b_.bias();
    switch (mode_) {
      case 0:
        return fill_between(-4, 0, -4, 0, -4, 2);
      case 1:
        return fill_between(1 - wide_a, wide_a, 1 - wide_b, wide_b, half_ ? -14 : -wide_a - wide_b,
                            half_ ? 15 : wide_a + wide_b);
      case 2:
        return cancelling();
      case 3:
        return fill([&](int) { return static_cast<U32>(random_.next()); },
                    [&](int) { return static_cast<U32>(random_.next()); },
                    [&] { return static_cast<U32>(random_.next()) & (half_ ? 0xffffu : ~0u); });
      case 4:
        return fill_between(a_.bias() < 10 ? -6 : -9, 0, b_.bias() < 10 ? -6 : -9, 0, half_ ? 6 : 8, half_ ? 12 : 14);
      case 5:
        return fill_between(a_.is_wide() ? -75 : 1 - a_.bias() - a_.fraction_bits, a_.is_wide() ? -60 : 2 - a_.bias(),
                            b_.is_wide() ? -75 : 1 - b_.bias() - b_.fraction_bits, b_.is_wide() ? -60 : 2 - b_.bias(),
                            half_          ? -24
                            : a_.is_wide() ? -149
                                           : -50,
                            half_          ? -13
                            : a_.is_wide() ? -120
                                           : -16);
      case 6:
        return fill(
            [&](int) { return large(a_); }, [&](int) { return large(b_); },
            [&] { return number(c_, half_ ? random_.range(12, 15) : random_.range(a_.is_wide() ? 120 : 20, 127)); });
      case 7:
        return fill([&](int) { return zero_or_one(a_, 4); }, [&](int) { return zero_or_one(b_, 4); },
                    [&] { return zero_or_one(c_, 3); });
      case 8:
        return fill([&](int) { return maybe_special(a_, number(a_, random_.range(-2, 2)), 60); },
                    [&](int) { return maybe_special(b_, number(b_, random_.range(-2, 2)), 60); },
                    [&] { return maybe_special(c_, number(c_, random_.range(-2, 2)), 30); });
      default:
        return one_large();
    }
  }
  U32 large(Format f) { return number(f, f.is_wide() ? random_.range(58, 64) : f.bias() - random_.range(0, 2)); }

  // Pairs of products that cancel, and one pair that does not.
  void cancelling() {
    fill_between(-3, 3, -3, 3, -16, -6);
    for (int i = 0; i < k_ / 2 - 1; ++i) {
      const int x = near_ ? 2 * i : i, y = near_ ? 2 * i + 1 : i + k_ / 2;
      for (int row = 0; row < rows; ++row) put(made_.a, row, y, a_, get(made_.a, row, x, a_));
      for (int column = 0; column < columns; ++column)
        put(made_.b, column, y, b_, get(made_.b, column, x, b_) ^ 1u << b_.sign());
    }
    for (int row = 0; row < rows; ++row) {
      put(made_.a, row, near_ ? k_ - 2 : k_ / 2 - 1, a_, number(a_, random_.range(-6, -2)));
      put(made_.a, row, k_ - 1, a_, number(a_, random_.range(-6, -2)));
    }
  }

  void one_large() {
    const int at = random_.range(0, k_ - 1);
    const auto other = [&](Format f) { return number(f, random_.range(f.bias() < 10 ? -7 : -9, -2)); };
    fill([&](int i) { return i == at ? number(a_, a_.is_wide() ? 10 : 7) : other(a_); },
         [&](int i) { return i == at ? number(b_, b_.is_wide() ? 10 : 7) : other(b_); },
         [&] { return number(c_, half_ ? random_.range(-14, 4) : random_.range(-18, 8)); });
  }

  Random random_;
  const ProductKind& kind_;
  int mode_;
  bool near_;
  Format a_, b_, c_;
  bool half_;
  int k_;
  Product made_;
};

// The sums, row by row, of one warp after another.
std::vector<U8> sums_of(const ProductKind& kind, const Variant& variant, const Product& product) {
  WarpgroupOp op;
  op.a = kind.a;
  op.b = kind.b;
  op.sum = kind.sum;
  op.n = columns;
  op.k = line_bytes * 8 / bits_of(kind.a);
  op.saturate = kind.saturate;
  op.negate_a = variant.negate_a;
  op.negate_b = variant.negate_b;
  const Fragment fragment = op.fragment();
  for (int reg = 0; reg < fragment.registers(); ++reg) op.d_slots.push_back(static_cast<U32>(reg) * 128);
  find_places(op);
  const auto bytes = static_cast<std::size_t>(bits_of(kind.sum)) / 8;
  std::vector<U8> sums(rows * columns * bytes);
  for (int warp = 0; warp < 4; ++warp) {
    std::vector<std::byte> registers(512);
    const auto each = [&](auto&& visit) {
      for (int reg = 0; reg < fragment.registers(); ++reg)
        for (int lane = 0; lane < 32; ++lane)
          for (int part = 0; part < fragment.per_register(); ++part) {
            const Fragment::Place at = fragment.place(lane, reg, part);
            visit(static_cast<std::size_t>((warp * 16 + at.row) * columns + at.column),
                  registers.data() + reg * 128 + lane * 4 + static_cast<std::size_t>(part) * bytes);
          }
    };
    each([&](std::size_t i, std::byte* place) { std::memcpy(place, &product.c[i], bytes); });
    for (int time = 0; time < variant.times; ++time) {
      WarpgroupInput input;
      std::memcpy(input.a.data(), product.a.data() + warp * 16 * line_bytes, input.a.size());
      std::memcpy(input.b.data(), product.b.data(), product.b.size());
      multiply(op, input, variant.adds, registers.data(), tile_kernels(isa()));
    }
    each([&](std::size_t i, const std::byte* place) { std::memcpy(sums.data() + i * bytes, place, bytes); });
  }
  return sums;
}

U64 digest(U64 so_far, const std::vector<U8>& bytes) {
  for (std::size_t i = 0; i < bytes.size(); i += 8) {
    U64 word;
    std::memcpy(&word, bytes.data() + i, 8);
    so_far = (so_far ^ word) * 0x100000001b3ull;
  }
  return so_far;
}

class WarpgroupOnH200 : public testing::TestWithParam<int> {};

TEST_P(WarpgroupOnH200, GivesTheSameBits) {
  const ProductKind& kind = kinds()[static_cast<std::size_t>(GetParam())];
  std::vector<Product> made;
  for (int product = 0; product < modes * per_mode; ++product) made.push_back(Maker(GetParam(), product).make());
  std::size_t next = 0;
  for (const Variant& variant : variants) {
    if (variant.of_reals_alone && kind.sum == Element::s32) continue;
    U64 found = 0xcbf29ce484222325ull;
    for (const Product& product : made) found = digest(found, sums_of(kind, variant, product));
    ASSERT_LT(next, kind.digests.size());
    EXPECT_EQ(found, kind.digests[next]) << "variant " << &variant - variants;
    ++next;
  }
  EXPECT_EQ(next, kind.digests.size());
}
INSTANTIATE_TEST_SUITE_P(EveryType, WarpgroupOnH200, testing::Range(0, 16),
                         [](const auto& parameter) { return kinds()[static_cast<std::size_t>(parameter.param)].name; });

}  // namespace
}  // namespace lanescope::sim
