// The product of two matrices, as computed by the tensor cores. tensor.h describes what is known about it.

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "sim/alu/alu_soft_float.h"
#include "sim/alu/half.h"
#include "sim/tensor/tensor.h"
#include "sim/tensor/warpgroup.h"

namespace lanescope::sim {

namespace {

int quad_of(const Fragment& f, int lane) {
  return f.quads ? lane % 16 / 4 : 0;
}

// The raw elements in the order of product, row and column.
std::vector<std::uint64_t> gather(const Fragment& f, const std::vector<LaneValues>& registers) {
  const auto rows = static_cast<std::size_t>(f.rows()), columns = static_cast<std::size_t>(f.columns());
  std::vector<std::uint64_t> elements((f.quads ? 4 : 1) * rows * columns);
  const int bits = bits_of(f.element), per = f.per_register();
  const std::uint64_t all = bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1;
  for (int reg = 0; reg < f.registers(); ++reg)
    for (int lane = 0; lane < 32; ++lane) {
      const std::uint64_t value = registers[static_cast<std::size_t>(reg)][static_cast<std::size_t>(lane)];
      for (int part = 0; part < per; ++part) {
        const Fragment::Place at = f.place(lane, reg, part);
        const std::size_t row = static_cast<std::size_t>(quad_of(f, lane)) * rows + static_cast<std::size_t>(at.row);
        elements[row * columns + static_cast<std::size_t>(at.column)] = value >> (part * bits) & all;
      }
    }
  return elements;
}

std::vector<LaneValues> scatter(const Fragment& f, const std::vector<std::uint64_t>& elements) {
  const auto rows = static_cast<std::size_t>(f.rows()), columns = static_cast<std::size_t>(f.columns());
  std::vector<LaneValues> registers(static_cast<std::size_t>(f.registers()), LaneValues{});
  for (int reg = 0; reg < f.registers(); ++reg)
    for (int lane = 0; lane < 32; ++lane)
      for (int part = 0; part < f.per_register(); ++part) {
        const Fragment::Place at = f.place(lane, reg, part);
        const std::size_t row = static_cast<std::size_t>(quad_of(f, lane)) * rows + static_cast<std::size_t>(at.row);
        registers[static_cast<std::size_t>(reg)][static_cast<std::size_t>(lane)] |=
            elements[row * columns + static_cast<std::size_t>(at.column)] << (part * bits_of(f.element));
      }
  return registers;
}

// ---- integers and bits ------------------------------------------------------------------------------

std::int64_t integer_of(std::uint64_t raw, Element element) {
  const int unused = 64 - bits_of(element);
  if (element == Element::u8 || element == Element::u4 || element == Element::b1) return static_cast<std::int64_t>(raw);
  return static_cast<std::int64_t>(raw << unused) >> unused;
}

std::uint64_t integer_dot(const TensorOp& op, const std::int64_t* a, const std::int64_t* b, std::uint64_t c) {
  std::int64_t sum = static_cast<std::int32_t>(c);
  if (op.a.element == Element::b1) {
    for (int i = 0; i < op.a.k; ++i) sum += op.exclusive ? a[i] ^ b[i] : a[i] & b[i];
  } else {
    for (int i = 0; i < op.a.k; ++i) sum += a[i] * b[i];
  }
  if (op.saturate)
    sum = std::clamp<std::int64_t>(sum, std::numeric_limits<std::int32_t>::min(),
                                   std::numeric_limits<std::int32_t>::max());
  return static_cast<std::uint32_t>(sum);
}

// ---- f64 --------------------------------------------------------------------------------------------

std::uint64_t double_dot(const TensorOp& op, const std::uint64_t* a, const std::uint64_t* b, std::uint64_t c) {
  if (op.rounding == ptx::Rounding::rn) {
    double sum = std::bit_cast<double>(c);
    for (int i = 0; i < op.a.k; ++i) sum = std::fma(std::bit_cast<double>(a[i]), std::bit_cast<double>(b[i]), sum);
    if (!std::isnan(sum)) return std::bit_cast<std::uint64_t>(sum);
  }
  const auto is_nan = [](std::uint64_t bits) { return std::isnan(std::bit_cast<double>(bits)); };
  for (int i = 0; i < op.a.k; ++i) {
    // If an operand is a NaN, the result is that NaN, made quiet.
    if (is_nan(c) || is_nan(a[i]) || is_nan(b[i])) {
      c = (is_nan(a[i]) ? a[i] : is_nan(b[i]) ? b[i] : c) | std::uint64_t{1} << 51;
      continue;
    }
    c = round_to(exact_fma(unpack(a[i], format_f64), unpack(b[i], format_f64), unpack(c, format_f64), op.rounding),
                 format_f64, op.rounding);
  }
  return c;
}

// ---- narrower floating point ------------------------------------------------------------------------

constexpr int most_kept_bits = 25;     // below the largest exponent
constexpr int lowest_exponent = -126;  // for a zero
constexpr int exponent_of_none = -20000;

// ±significand · 2^(exponent − fraction bits of its type).
struct Split {
  std::int32_t significand = 0;
  std::int32_t exponent = lowest_exponent;
  enum class Kind : std::uint8_t { finite, infinity, nan } kind = Kind::finite;
};

Split split_float(std::uint64_t raw, FloatFormat format) {
  Split result;
  const std::uint64_t fraction = raw & ((std::uint64_t{1} << format.fraction_bits) - 1);
  const int all = (1 << format.exponent_bits) - 1;
  const int exponent = static_cast<int>(raw >> format.fraction_bits) & all;
  const bool negative = (raw >> (format.width() - 1) & 1) != 0;
  if (exponent == all) {
    result.kind = fraction != 0 ? Split::Kind::nan : Split::Kind::infinity;
    result.significand = negative ? -1 : 1;
    return result;
  }
  const auto significand =
      static_cast<std::int32_t>(exponent == 0 ? fraction : fraction | std::uint64_t{1} << format.fraction_bits);
  if (significand == 0) return result;
  result.significand = negative ? -significand : significand;
  result.exponent = std::max(exponent, 1) - format.bias();
  return result;
}

FloatFormat element_format(Element element) {
  switch (element) {
    case Element::bf16:
      return format_bf16;
    case Element::tf32:
      return format_tf32;
    case Element::f32:
      return format_f32;
    default:
      return format_f16;
  }
}

// A factor of wgmma. An 8-bit float gets as many fraction bits as f16 has, but subnormal ones are not normalised.
Split split_in_place(std::uint64_t raw, Element element) {
  if (element != Element::e4m3)
    return split_float(element == Element::e5m2   ? raw << 8
                       : element == Element::tf32 ? raw >> 13
                                                  : raw,
                       element_format(element));
  Split result;
  const bool negative = (raw & 0x80) != 0;
  const auto exponent = static_cast<int>(raw >> 3 & 15), fraction = static_cast<int>(raw & 7);
  if ((raw & 0x7f) == 0x7f) {
    result.kind = Split::Kind::nan;
    return result;
  }
  const std::int32_t significand = exponent == 0 ? fraction : fraction | 8;
  if (significand == 0) return result;
  constexpr int shift = format_f16.fraction_bits - format_e4m3.fraction_bits;
  result.significand = (negative ? -significand : significand) * (1 << shift);
  result.exponent = std::max(exponent, 1) - format_e4m3.bias();
  return result;
}

// The form that the multiplier uses: 8-bit floats as f16, tf32 without the lower 13 bits.
std::uint64_t widened(std::uint64_t raw, Element element) {
  if (element == Element::e5m2) return raw << 8;
  if (element == Element::tf32) return raw >> 13;
  if (element == Element::e4m3) return round_to(unpack(raw, format_e4m3), format_f16, ptx::Rounding::rn);
  return raw;
}

std::int64_t cut_off(std::int64_t significand, int shift) {
  if (significand == 0) return 0;  // a zero's exponent, and so its shift, can be anything
  if (shift >= 0) return significand << shift;
  if (shift <= -63) return 0;
  return significand < 0 ? -(-significand >> -shift) : significand >> -shift;
}

// The value in the result's type: f32 truncated, f16 rounded to nearest.
std::uint64_t rounded(std::int64_t sum, int exponent, Element result) {
  ExactNumber number;
  number.kind = sum == 0 ? ExactNumber::Kind::zero : ExactNumber::Kind::finite;
  number.negative = sum < 0;
  const auto magnitude = static_cast<std::uint64_t>(sum < 0 ? -sum : sum);
  number.significand = magnitude;
  number.exponent = exponent;
  if (result == Element::f16) {
    const std::uint64_t half = round_to(number, format_f16, ptx::Rounding::rn);
    return half == 0x8000 ? 0 : half;  // also if it was rounded to zero
  }
  if (static_cast<int>(std::bit_width(magnitude)) - 1 + exponent > 127 && sum != 0)
    return sum < 0 ? 0xff800000u : 0x7f800000u;
  return round_to(number, format_f32, ptx::Rounding::rz);
}

// a + b in this format, rounded to nearest.
std::uint64_t added(std::uint64_t a, std::uint64_t b, FloatFormat format) {
  constexpr auto rn = ptx::Rounding::rn;
  return round_to(
      exact_fma(unpack(a, format),
                unpack(std::uint64_t{(1u << (format.exponent_bits - 1)) - 1} << format.fraction_bits, format),
                unpack(b, format), rn),
      format, rn);
}

struct FloatShape {
  int fraction = 0;    // bits of a factor
  int at_once = 0;     // products per step
  FloatFormat addend;  // of c and d
  Element result{};
  int kept_bits = most_kept_bits;
  int result_bits = 24;  // of the truncated significand
  bool adds = true;      // c is added, even if it is zero
};

// One step of the chain: c + Σ a·b over `count` products.
std::uint64_t fused_step(const FloatShape& shape, const Split* a, const Split* b, int count, const Split& c) {
  using Kind = Split::Kind;
  bool nan = c.kind == Kind::nan;
  bool plus = c.kind == Kind::infinity && c.significand > 0, minus = c.kind == Kind::infinity && c.significand < 0;
  int largest = shape.adds ? c.exponent : exponent_of_none;
  for (int i = 0; i < count; ++i) {
    if (a[i].kind != Kind::finite || b[i].kind != Kind::finite) {
      const std::int32_t sign = a[i].significand == 0 || b[i].significand == 0     ? 0
                                : (a[i].significand < 0) == (b[i].significand < 0) ? 1
                                                                                   : -1;
      nan |= a[i].kind == Kind::nan || b[i].kind == Kind::nan || sign == 0;
      plus |= sign > 0;
      minus |= sign < 0;
    }
    if (a[i].significand != 0 && b[i].significand != 0) largest = std::max(largest, a[i].exponent + b[i].exponent);
  }
  const bool half = shape.result == Element::f16;
  if (nan || (plus && minus)) return half ? 0x7fff : 0x7fffffff;
  if (plus || minus) return half ? (minus ? 0xfc00 : 0x7c00) : (minus ? 0xff800000u : 0x7f800000u);
  std::int64_t sum = cut_off(c.significand, shape.kept_bits - shape.addend.fraction_bits + c.exponent - largest);
  for (int i = 0; i < count; ++i)
    sum += cut_off(std::int64_t{a[i].significand} * b[i].significand,
                   shape.kept_bits - 2 * shape.fraction + a[i].exponent + b[i].exponent - largest);
  if (shape.result_bits < 24 && !half)
    if (const auto width = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(sum < 0 ? -sum : sum)));
        width > shape.result_bits) {
      const int beyond = width - shape.result_bits;
      sum = cut_off(sum, -beyond) * (std::int64_t{1} << beyond);
    }
  return rounded(sum, largest - shape.kept_bits, shape.result);
}

std::uint64_t float_dot(const FloatShape& shape, const Split* a, const Split* b, int k, std::uint64_t c,
                        FloatFormat first_addend) {
  FloatShape step = shape;
  step.addend = first_addend;
  for (int i = 0; i < k; i += shape.at_once) {
    c = fused_step(step, a + i, b + i, std::min(shape.at_once, k - i), split_float(c, step.addend));
    step.addend = shape.addend;
  }
  return c;
}

bool is_eight_bits(Element element) {
  return element == Element::e4m3 || element == Element::e5m2;
}

// The position of element i of k in the order of the products.
int order_of(Element element, int i, int k) {
  if (!is_eight_bits(element)) return i;
  return i % 4 / 2 * (k / 2) + i / 4 * 2 + i % 2;
}

// The rows of a or the columns of b, each with its k elements contiguous, in the order of the products unless
// `is_natural`.
template <typename T, typename Convert>
std::vector<T> lines(const Fragment& f, const std::vector<std::uint64_t>& elements, bool is_natural,
                     Convert&& convert) {
  const bool is_a = f.matrix == Fragment::Matrix::a;
  const int count = (f.quads ? 4 : 1) * (is_a ? f.m : f.n);
  std::vector<T> result(elements.size());
  for (int line = 0; line < count; ++line)
    for (int i = 0; i < f.k; ++i) {
      const int product = is_a ? 0 : line / f.n;
      const int from = is_a ? line * f.k + i : (product * f.k + i) * f.n + line % f.n;
      const int to = is_natural ? i : order_of(f.element, i, f.k);
      result[static_cast<std::size_t>(line * f.k + to)] = convert(elements[static_cast<std::size_t>(from)]);
    }
  return result;
}

// As each(): of a column of b, dot() gets the elements that meet the stored ones of a's row. b is in natural order.
template <typename T, typename Dot>
std::vector<std::uint64_t> each_chosen(const TensorOp& op, const std::vector<std::uint8_t>& columns,
                                       const std::vector<T>& a, const std::vector<T>& b, std::vector<std::uint64_t> c,
                                       Dot&& dot) {
  const int stored = op.a.k;
  std::vector<T> chosen(static_cast<std::size_t>(stored));
  for (int row = 0; row < op.a.m; ++row)
    for (int column = 0; column < op.b.n; ++column) {
      for (int i = 0; i < stored; ++i)
        chosen[static_cast<std::size_t>(order_of(op.a.element, i, stored))] =
            b[static_cast<std::size_t>(column * op.b.k + columns[static_cast<std::size_t>(row * stored + i)])];
      std::uint64_t& element = c[static_cast<std::size_t>(row * op.b.n + column)];
      element = dot(a.data() + row * stored, chosen.data(), element);
    }
  return c;
}

// dot(row of a, column of b, c) for each element of c.
template <typename T, typename Dot>
std::vector<std::uint64_t> each(const TensorOp& op, const std::vector<std::uint8_t>& columns, const std::vector<T>& a,
                                const std::vector<T>& b, std::vector<std::uint64_t> c, Dot&& dot) {
  if (op.sparse) return each_chosen(op, columns, a, b, std::move(c), dot);
  const int m = op.a.m, n = op.a.n, k = op.a.k;
  for (int product = 0; product < (op.a.quads ? 4 : 1); ++product)
    for (int row = 0; row < m; ++row)
      for (int column = 0; column < n; ++column) {
        std::uint64_t& element = c[static_cast<std::size_t>((product * m + row) * n + column)];
        element = dot(a.data() + (product * m + row) * k, b.data() + (product * n + column) * k, element);
      }
  return c;
}

// f16 m8n8k4, for which sm_90 has no instruction: a chain of fused multiply-adds in f32; then c is added.
std::vector<std::uint64_t> quad_products(const TensorOp& op, const std::vector<std::uint64_t>& a,
                                         const std::vector<std::uint64_t>& b, std::vector<std::uint64_t> c) {
  const auto as_float = [](std::uint64_t raw) { return half_to_float(static_cast<std::uint16_t>(raw)); };
  return each(op, {}, lines<float>(op.a, a, true, as_float), lines<float>(op.b, b, true, as_float), std::move(c),
              [&](const float* x, const float* y, std::uint64_t z) {
                const float addend =
                    op.c.element == Element::f16 ? as_float(z) : std::bit_cast<float>(static_cast<std::uint32_t>(z));
                if (op.d.element == Element::f16) {
                  const float first = std::fma(x[1], y[1], x[0] * y[0]), second = std::fma(x[3], y[3], x[2] * y[2]);
                  return std::uint64_t{float_to_half(addend + first + second)};
                }
                float sum = 0;
                for (int i = 0; i < 4; ++i) sum = std::fma(x[i], y[i], sum);
                const float whole = addend + sum;
                return std::isnan(whole) ? std::uint64_t{0x7fffffff}
                                         : std::uint64_t{std::bit_cast<std::uint32_t>(whole)};
              });
}

}  // namespace

std::vector<LaneValues> multiply(const TensorOp& op, const std::vector<LaneValues>& a, const std::vector<LaneValues>& b,
                                 const std::vector<LaneValues>& c, const std::vector<std::uint8_t>& columns) {
  const std::vector<std::uint64_t> from_a = gather(op.a, a), from_b = gather(op.b, b);
  std::vector<std::uint64_t> sums = gather(op.c, c);
  if (op.a.element == Element::f64) {
    const auto same = [](std::uint64_t raw) { return raw; };
    sums =
        each(op, columns, lines<std::uint64_t>(op.a, from_a, true, same),
             lines<std::uint64_t>(op.b, from_b, true, same), std::move(sums),
             [&](const std::uint64_t* x, const std::uint64_t* y, std::uint64_t z) { return double_dot(op, x, y, z); });
  } else if (op.c.element == Element::s32) {
    const auto lines_of = [](const Fragment& f, const std::vector<std::uint64_t>& elements) {
      return lines<std::int64_t>(f, elements, true, [&](std::uint64_t raw) { return integer_of(raw, f.element); });
    };
    sums =
        each(op, columns, lines_of(op.a, from_a), lines_of(op.b, from_b), std::move(sums),
             [&](const std::int64_t* x, const std::int64_t* y, std::uint64_t z) { return integer_dot(op, x, y, z); });
  } else {
    const FloatFormat factor = element_format(op.a.element), addend = element_format(op.c.element);
    const bool eight_bits = is_eight_bits(op.a.element);
    const FloatShape shape{factor.fraction_bits, op.products_at_once(), element_format(op.d.element), op.d.element};
    const auto lines_of = [&](const Fragment& f, const std::vector<std::uint64_t>& elements) {
      const bool is_natural = op.sparse && f.matrix == Fragment::Matrix::b;
      return lines<Split>(f, elements, is_natural,
                          [&](std::uint64_t raw) { return split_float(widened(raw, f.element), factor); });
    };
    if (op.a.quads) return scatter(op.d, quad_products(op, from_a, from_b, std::move(sums)));
    sums = each(op, columns, lines_of(op.a, from_a), lines_of(op.b, from_b), std::move(sums),
                [&](const Split* x, const Split* y, std::uint64_t z) {
                  if (eight_bits) return added(z, float_dot(shape, x, y, op.a.k, 0, shape.addend), shape.addend);
                  return float_dot(shape, x, y, op.a.k, z, addend);
                });
  }
  return scatter(op.d, sums);
}

void multiply_lines(const WarpgroupOp& op, const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b,
                    std::vector<std::uint64_t>& sums, bool adds) {
  const auto converted = [](const std::vector<std::uint64_t>& raw, auto&& convert) {
    std::vector<decltype(convert(raw[0]))> result;
    for (const std::uint64_t one : raw) result.push_back(convert(one));
    return result;
  };
  TensorOp rules;  // for integers
  const int rows = static_cast<int>(a.size()) / op.k;
  rules.a = {Fragment::Matrix::a, op.a, rows, op.n, op.k, false, false};
  rules.saturate = op.saturate;
  const auto each_sum = [&](const auto& of_a, const auto& of_b, auto&& dot) {
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < op.n; ++column) {
        std::uint64_t& sum = sums[static_cast<std::size_t>(row * op.n + column)];
        sum = dot(of_a.data() + row * op.k, of_b.data() + column * op.k, sum);
      }
  };
  if (op.sum == Element::s32) {
    each_sum(
        converted(a, [&](std::uint64_t raw) { return integer_of(raw, op.a); }),
        converted(b, [&](std::uint64_t raw) { return integer_of(raw, op.b); }),
        [&](const std::int64_t* x, const std::int64_t* y, std::uint64_t z) { return integer_dot(rules, x, y, z); });
    return;
  }
  const FloatFormat factor = element_format(op.a), addend = element_format(op.sum);
  const FloatShape shape{factor.fraction_bits, op.k, addend, op.sum, op.kept_bits(), op.result_bits(), adds};
  each_sum(converted(a, [&](std::uint64_t raw) { return split_in_place(raw, op.a); }),
           converted(b, [&](std::uint64_t raw) { return split_in_place(raw, op.b); }),
           [&](const Split* x, const Split* y, std::uint64_t z) { return float_dot(shape, x, y, op.k, z, addend); });
}

}  // namespace lanescope::sim
