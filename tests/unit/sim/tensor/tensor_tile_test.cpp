// The products by vector instructions against multiply(), which works element by element: equal bit by bit, for each
// shape and type that the decoder gives them, on every instruction set of this machine.

#include <bit>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include "sim/tensor/tensor.h"
#include "sim/tensor/tensor_tile.h"
#include "sim/tensor/warpgroup.h"

namespace lanescope::sim {
namespace {

struct ProductCase {
  const char* name;
  int m, n, k;
  Element a, b, c, d;
  bool wmma;
};

constexpr ProductCase products[] = {
    {"mma.m16n8k16.f32.f16", 16, 8, 16, Element::f16, Element::f16, Element::f32, Element::f32, false},
    {"mma.m16n8k8.f16.f16", 16, 8, 8, Element::f16, Element::f16, Element::f16, Element::f16, false},
    {"mma.m16n8k16.f16.f16.f32", 16, 8, 16, Element::f16, Element::f16, Element::f32, Element::f16, false},
    {"mma.m16n8k16.f32.f16.f16", 16, 8, 16, Element::f16, Element::f16, Element::f16, Element::f32, false},
    {"mma.m16n8k16.bf16", 16, 8, 16, Element::bf16, Element::bf16, Element::f32, Element::f32, false},
    {"mma.m16n8k8.tf32", 16, 8, 8, Element::tf32, Element::tf32, Element::f32, Element::f32, false},
    {"mma.m16n8k4.tf32", 16, 8, 4, Element::tf32, Element::tf32, Element::f32, Element::f32, false},
    {"wmma.m16n16k16.f32", 16, 16, 16, Element::f16, Element::f16, Element::f32, Element::f32, true},
    {"wmma.m32n8k16.f16", 32, 8, 16, Element::f16, Element::f16, Element::f16, Element::f16, true},
    {"wmma.m8n32k16.bf16", 8, 32, 16, Element::bf16, Element::bf16, Element::f32, Element::f32, true},
    {"wmma.m16n16k8.tf32", 16, 16, 8, Element::tf32, Element::tf32, Element::f32, Element::f32, true},
    {"mma.m16n8k32.s8", 16, 8, 32, Element::s8, Element::s8, Element::s32, Element::s32, false},
    {"mma.m8n8k16.u8.s8", 8, 8, 16, Element::u8, Element::s8, Element::s32, Element::s32, false},
    {"wmma.m16n16k16.u8", 16, 16, 16, Element::u8, Element::u8, Element::s32, Element::s32, true},
    {"mma.m8n8k4.f64", 8, 8, 4, Element::f64, Element::f64, Element::f64, Element::f64, false},
    {"mma.m16n8k16.f64", 16, 8, 16, Element::f64, Element::f64, Element::f64, Element::f64, false},
};

// A register file with one matrix after another, as multiply() and multiply_quickly() see it.
struct Multiplied {
  TensorOp op;
  std::vector<std::byte> registers;

  explicit Multiplied(const ProductCase& of) {
    using Matrix = Fragment::Matrix;
    const auto fragment = [&](Matrix matrix, Element element) {
      return Fragment{matrix, element, of.m, of.n, of.k, false, false};
    };
    op.kind = TensorOp::Kind::multiply;
    op.a = fragment(Matrix::a, of.a);
    op.b = fragment(Matrix::b, of.b);
    op.c = fragment(Matrix::c, of.c);
    op.d = fragment(Matrix::c, of.d);
    op.of_wmma = of.wmma;
    place(op.a, op.a_slots);
    place(op.b, op.b_slots);
    place(op.c, op.c_slots);
    place(op.d, op.slots);
    find_places(op);
  }
  void place(const Fragment& fragment, std::vector<std::uint32_t>& slots) {
    for (int i = 0; i < fragment.registers(); ++i) {
      slots.push_back(static_cast<std::uint32_t>(registers.size()));
      registers.resize(registers.size() + static_cast<std::size_t>(32 * fragment.register_bytes()));
    }
  }
  std::vector<LaneValues> values(const Fragment& fragment, const std::vector<std::uint32_t>& slots) const {
    std::vector<LaneValues> values(slots.size(), LaneValues{});
    const auto bytes = static_cast<std::size_t>(fragment.register_bytes());
    for (std::size_t i = 0; i < slots.size(); ++i)
      for (std::size_t lane = 0; lane < 32; ++lane)
        std::memcpy(&values[i][lane], registers.data() + slots[i] + lane * bytes, bytes);
    return values;
  }
  // By the reference, which may also report that NaN bits are undefined.
  std::vector<LaneValues> expected() const {
    return multiply(op, values(op.a, op.a_slots), values(op.b, op.b_slots), values(op.c, op.c_slots));
  }
  // Each element from `number`.
  template <typename Number>
  void fill(const Fragment& fragment, const std::vector<std::uint32_t>& at, Number&& number) {
    for (const std::uint32_t place : at) {
      const std::uint64_t bits = number();
      std::memcpy(registers.data() + place, &bits, static_cast<std::size_t>(bits_of(fragment.element)) / 8);
    }
  }
};

struct Kind {
  int exponent_bits, fraction_bits;
};
Kind kind_of_element(Element element) {
  switch (element) {
    case Element::f16:
      return {5, 10};
    case Element::bf16:
      return {8, 7};
    case Element::f64:
      return {11, 52};
    default:
      return {8, 23};
  }
}

// Bits of a finite number: any exponent, one near that of 1, or zero; sometimes with all fraction bits set.
std::uint64_t random_number(Element element, int spread, std::mt19937_64& random) {
  if (element == Element::s8 || element == Element::u8 || element == Element::s32) return random();
  const auto [exponent_bits, fraction_bits] = kind_of_element(element);
  const std::uint64_t all = (std::uint64_t{1} << exponent_bits) - 1,
                      fractions = (std::uint64_t{1} << fraction_bits) - 1;
  const std::uint64_t exponent =
      spread == 0 ? random() % all
                  : all / 2 - static_cast<std::uint64_t>(spread) / 2 + random() % static_cast<std::uint64_t>(spread);
  const std::uint64_t fraction = random() % 8 == 0 ? fractions : random() & fractions;
  const std::uint64_t sign = random() % 2;
  if (random() % 16 == 0) return sign << (exponent_bits + fraction_bits);
  return sign << (exponent_bits + fraction_bits) | exponent << fraction_bits | fraction;
}

std::vector<Isa> isas_of_machine() {
  std::vector<Isa> all{Isa::baseline};
  if (isa() != Isa::baseline) all.push_back(Isa::avx2);
  if (isa() == Isa::avx512) all.push_back(Isa::avx512);
  return all;
}

TEST(TensorTile, GivesTheBitsOfTheReference) {
  std::mt19937_64 random(23);
  for (const ProductCase& of : products)
    for (const int spread : {4, 24, 0})
      for (int times = 0; times < 60; ++times) {
        Multiplied product(of);
        product.fill(product.op.a, product.op.a_at, [&] { return random_number(of.a, spread, random); });
        product.fill(product.op.b, product.op.b_at, [&] { return random_number(of.b, spread, random); });
        product.fill(product.op.c, product.op.c_at, [&] { return random_number(of.c, spread, random); });
        const std::vector<LaneValues> expected = product.expected();
        for (const Isa isa : isas_of_machine()) {
          Multiplied quick = product;
          if (!multiply_quickly(quick.op, quick.registers.data(), tile_kernels(isa))) {
            // Only sums that leave the range.
            EXPECT_EQ(spread, 0) << of.name;
            continue;
          }
          ASSERT_EQ(quick.values(quick.op.d, quick.op.slots), expected)
              << of.name << ", " << name_of(isa) << ", exponents over " << spread << ", time " << times;
        }
      }
}

// Non-finite numbers, at any position, are left to the reference, and the registers stay unchanged.
TEST(TensorTile, LeavesWhatIsNotFinite) {
  std::mt19937_64 random(5);
  for (const ProductCase& of : products) {
    if (of.d == Element::s32) continue;
    for (const bool nan : {false, true}) {
      if (of.a == Element::f64 && !nan) continue;  // a chain of f64 treats infinity like any number
      Multiplied product(of);
      product.fill(product.op.a, product.op.a_at, [&] { return random_number(of.a, 4, random); });
      product.fill(product.op.b, product.op.b_at, [&] { return random_number(of.b, 4, random); });
      product.fill(product.op.c, product.op.c_at, [&] { return random_number(of.c, 4, random); });
      const auto [exponent_bits, fraction_bits] = kind_of_element(of.b);
      const std::uint64_t special = ((std::uint64_t{1} << exponent_bits) - 1) << fraction_bits |
                                    static_cast<std::uint64_t>(nan) << (fraction_bits - 1);
      std::memcpy(product.registers.data() + product.op.b_at[random() % product.op.b_at.size()], &special,
                  static_cast<std::size_t>(bits_of(of.b)) / 8);
      for (const Isa isa : isas_of_machine()) {
        Multiplied quick = product;
        EXPECT_FALSE(multiply_quickly(quick.op, quick.registers.data(), tile_kernels(isa))) << of.name;
        EXPECT_EQ(quick.registers, product.registers) << of.name;
      }
    }
  }
}

// wgmma of 8-bit floats against multiply_lines(): every byte as a factor, so NaN, infinity, subnormal numbers and zeros
// too, and sums of any exponent.
class EightBitWarpgroup : public testing::TestWithParam<std::tuple<Element, Element, Element>> {
 protected:
  static constexpr int columns = 24, depth = 32, rows = WarpgroupOp::rows;

  EightBitWarpgroup() {
    std::tie(op_.a, op_.b, op_.sum) = GetParam();
    op_.n = columns;
    op_.k = depth;
    for (int i = 0; i < op_.fragment().registers(); ++i)
      op_.d_slots.push_back(static_cast<std::uint32_t>(registers_.size()) + static_cast<std::uint32_t>(i) * 128);
    registers_.resize(op_.d_slots.size() * 128);
    find_places(op_);
  }

  std::uint8_t factor(Element element, bool is_finite) {
    const auto byte = static_cast<std::uint8_t>(random_());
    const bool special = element == Element::e5m2 ? (byte & 0x7c) == 0x7c : (byte & 0x7f) == 0x7f;
    return is_finite && special ? std::uint8_t{0x81} : byte;  // negative and subnormal
  }

  // What multiply_lines() gives for the same input.
  std::vector<std::byte> expected(const WarpgroupInput& input, bool adds) const {
    std::vector<std::uint64_t> a, b, sums(static_cast<std::size_t>(rows * columns));
    for (int i = 0; i < rows * depth; ++i)
      a.push_back(static_cast<std::uint64_t>(input.a[static_cast<std::size_t>(i)]));
    for (int i = 0; i < columns * depth; ++i)
      b.push_back(static_cast<std::uint64_t>(input.b[static_cast<std::size_t>(i)]));
    std::vector<std::byte> result = registers_;
    const Fragment fragment = op_.fragment();
    const auto bytes = static_cast<std::size_t>(bits_of(op_.sum)) / 8;
    const auto each = [&](auto&& visit) {
      for (int reg = 0; reg < fragment.registers(); ++reg)
        for (int lane = 0; lane < 32; ++lane)
          for (int part = 0; part < fragment.per_register(); ++part) {
            const Fragment::Place at = fragment.place(lane, reg, part);
            visit(
                sums[static_cast<std::size_t>(at.row * columns + at.column)],
                result.data() + op_.d_slots[static_cast<std::size_t>(reg)] + lane * 4 + part * static_cast<int>(bytes));
          }
    };
    if (adds) each([&](std::uint64_t& sum, const std::byte* place) { std::memcpy(&sum, place, bytes); });
    multiply_lines(op_, a, b, sums, adds);
    each([&](std::uint64_t& sum, std::byte* place) { std::memcpy(place, &sum, bytes); });
    return result;
  }

  WarpgroupOp op_;
  std::vector<std::byte> registers_;
  std::mt19937_64 random_{77};
};

TEST_P(EightBitWarpgroup, GivesTheBitsOfTheReference) {
  ASSERT_NE(op_.strip, 0) << "no vector kernel takes it";
  for (int times = 0; times < 200; ++times) {
    auto input = std::make_unique<WarpgroupInput>();
    const bool is_finite = times % 4 != 0, adds = times % 3 != 0;
    for (std::byte& one : input->a) one = std::byte{factor(op_.a, is_finite)};
    for (std::byte& one : input->b) one = std::byte{factor(op_.b, is_finite)};
    if (times % 5 == 0) input->a.fill(std::byte{0});
    for (std::byte& one : registers_) one = std::byte{static_cast<std::uint8_t>(random_())};
    if (is_finite && op_.sum == Element::f32)  // sums near the products' exponents
      for (std::size_t i = 3; i < registers_.size(); i += 4)
        registers_[i] = std::byte{static_cast<std::uint8_t>(0x38 + random_() % 16 + 128 * (random_() % 2))};
    const std::vector<std::byte> wanted = expected(*input, adds);
    for (const Isa isa : isas_of_machine()) {
      std::vector<std::byte> given = registers_;
      auto same = std::make_unique<WarpgroupInput>(*input);
      multiply(op_, *same, adds, given.data(), tile_kernels(isa));
      ASSERT_EQ(given, wanted) << name_of(isa) << ", time " << times;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Sim, EightBitWarpgroup,
                         testing::Combine(testing::Values(Element::e4m3, Element::e5m2),
                                          testing::Values(Element::e4m3, Element::e5m2),
                                          testing::Values(Element::f32, Element::f16)));

}  // namespace
}  // namespace lanescope::sim
