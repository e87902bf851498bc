// The kernels of tests/cases/witnesses/fragments.cu.

#include <bit>
#include <cstdint>

#include "core/half.h"
#include "instrument/witness_references.h"

namespace lanescope::test {
namespace {

// An element as a double, from its bits or its value.
struct HalfBits {
  using Stored = std::uint16_t;
  static double value(Stored bits) { return half_value(bits); }
  static Stored stored(double value) { return half_bits(value); }
};
struct BfloatBits {
  using Stored = std::uint16_t;
  static double value(Stored bits) { return std::bit_cast<float>(std::uint32_t{bits} << 16); }
};
template <typename T>
struct Plain {
  using Stored = T;
  static double value(Stored stored) { return static_cast<double>(stored); }
  static Stored stored(double value) { return static_cast<Stored>(value); }
};

struct Extent {
  int m, n, k;
};

// Four products: rows · rows, rows · columns, columns · rows, columns · columns; C and D as A. All sums are exact in
// double precision.
template <typename Element, typename Sum>
WitnessReference four_products(Extent of) {
  return [of](HostArguments& with) {
    for (int i = 0; i < 4; ++i) {
      const bool a_by_rows = i < 2, b_by_rows = i % 2 == 0;
      const auto* a = with.of<typename Element::Stored>(0) + i * of.m * of.k;
      const auto* b = with.of<typename Element::Stored>(1) + i * of.k * of.n;
      const auto* c = with.of<typename Sum::Stored>(2) + i * of.m * of.n;
      auto* d = with.of<typename Sum::Stored>(3) + i * of.m * of.n;
      for (int row = 0; row < of.m; ++row)
        for (int column = 0; column < of.n; ++column) {
          const int place = a_by_rows ? row * of.n + column : column * of.m + row;
          double sum = Sum::value(c[place]);
          for (int j = 0; j < of.k; ++j)
            sum += Element::value(a[a_by_rows ? row * of.k + j : j * of.m + row]) *
                   Element::value(b[b_by_rows ? j * of.n + column : column * of.k + j]);
          d[place] = Sum::stored(sum);
        }
    }
  };
}

// Two products of 8 × 8 elements; a line of A or B is 16 bytes. C and D are by rows, then by columns.
template <typename Of>
WitnessReference two_narrow_products(Of&& of_lines) {
  return [of_lines](HostArguments& with) {
    for (int i = 0; i < 2; ++i)
      for (int row = 0; row < 8; ++row)
        for (int column = 0; column < 8; ++column) {
          const int place = 64 * i + (i == 0 ? row * 8 + column : column * 8 + row);
          with.of<int>(3)[place] = with.of<int>(2)[place] + of_lines(with.of<std::uint32_t>(0) + 4 * (8 * i + row),
                                                                     with.of<std::uint32_t>(1) + 4 * (8 * i + column));
        }
  };
}

int nibble(const std::uint32_t* line, int index, bool is_signed) {
  const int value = static_cast<int>(line[index / 8] >> index % 8 * 4 & 15u);
  return is_signed && value >= 8 ? value - 16 : value;
}

WitnessReference products_of_nibbles(bool are_signed) {
  return two_narrow_products([are_signed](const std::uint32_t* a, const std::uint32_t* b) {
    int sum = 0;
    for (int i = 0; i < 32; ++i) sum += nibble(a, i, are_signed) * nibble(b, i, are_signed);
    return sum;
  });
}

}  // namespace

void add_fragments(WitnessReferences& all) {
  using Float = Plain<float>;
  using Int = Plain<std::int32_t>;
  constexpr Extent square{16, 16, 16}, tall{32, 8, 16}, broad{8, 32, 16};
  all["halves_16x16x16"] = all["shared_halves_16x16x16"] = four_products<HalfBits, Float>(square);
  all["halves_32x8x16"] = four_products<HalfBits, Float>(tall);
  all["halves_8x32x16"] = four_products<HalfBits, Float>(broad);
  all["sums_of_halves_16x16x16"] = four_products<HalfBits, HalfBits>(square);
  all["sums_of_halves_32x8x16"] = four_products<HalfBits, HalfBits>(tall);
  all["sums_of_halves_8x32x16"] = all["shared_sums_of_halves_8x32x16"] = four_products<HalfBits, HalfBits>(broad);
  all["bfloats_16x16x16"] = four_products<BfloatBits, Float>(square);
  all["bfloats_32x8x16"] = all["shared_bfloats_32x8x16"] = four_products<BfloatBits, Float>(tall);
  all["bfloats_8x32x16"] = four_products<BfloatBits, Float>(broad);
  all["tf32_16x16x8"] = all["shared_tf32_16x16x8"] = four_products<Float, Float>({16, 16, 8});
  all["doubles_8x8x4"] = all["shared_doubles_8x8x4"] = four_products<Plain<double>, Plain<double>>({8, 8, 4});
  all["signed_bytes_16x16x16"] = all["shared_bytes_16x16x16"] = four_products<Plain<std::int8_t>, Int>(square);
  all["signed_bytes_32x8x16"] = four_products<Plain<std::int8_t>, Int>(tall);
  all["signed_bytes_8x32x16"] = four_products<Plain<std::int8_t>, Int>(broad);
  all["unsigned_bytes_16x16x16"] = four_products<Plain<std::uint8_t>, Int>(square);
  all["unsigned_bytes_32x8x16"] = four_products<Plain<std::uint8_t>, Int>(tall);
  all["unsigned_bytes_8x32x16"] = four_products<Plain<std::uint8_t>, Int>(broad);
  all["signed_nibbles_8x8x32"] = products_of_nibbles(true);
  all["unsigned_nibbles_8x8x32"] = products_of_nibbles(false);
  all["bits_8x8x128"] = two_narrow_products([](const std::uint32_t* a, const std::uint32_t* b) {
    int differ = 0;
    for (int i = 0; i < 4; ++i) differ += std::popcount(a[i] ^ b[i]);
    return differ;
  });
  all["tiles_of_a_matrix"] = [](HostArguments& with) {
    for (int row = 0; row < 64; ++row)
      for (int column = 0; column < 64; ++column) {
        double sum = 0;
        for (int i = 0; i < 64; ++i)
          sum += half_value(with.of<std::uint16_t>(0)[row * 64 + i]) *
                 half_value(with.of<std::uint16_t>(1)[i * 64 + column]);
        with.of<float>(2)[row * 64 + column] = static_cast<float>(sum);
      }
  };
  all["in_either_memory"] = [](HostArguments& with) {
    for (int row = 0; row < 32; ++row)
      for (int column = 0; column < 16; ++column)
        for (int i = 0; i < 16; ++i)
          with.of<int>(2)[row * 16 + column] +=
              with.of<std::int8_t>(0)[row * 16 + i] * with.of<std::int8_t>(1)[column * 16 + i];
  };
}

}  // namespace lanescope::test
