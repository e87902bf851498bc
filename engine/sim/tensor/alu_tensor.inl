// Tensor core products, eight columns at a time: see tensor_tile.h. Included once for each instruction set, in a
// namespace of its own. No function from a header is called, because the linker could use one instruction set's copy
// for all.
//
// Narrow floats: a factor is significand · 2^exponent, with an integral significand in an f32. The product of two
// significands is exact in f32 (at most 22 bits). It is scaled to units of the last kept bit and converted to an
// integer, which truncates towards zero, as in the model. The sum of 16 products fits in 32 bits, and that of 32 whose
// factors have 8 bits. c is added in f64, exactly.

constexpr int columns_at_once = 8;
constexpr int most_elements = Tile::most_elements;
constexpr int exponent_of_none = -20000;

// Eight columns. Written as vectors, because the compiler unrolls a loop of eight before it can vectorise it.
typedef float Floats __attribute__((vector_size(32)));
typedef std::int32_t Integers __attribute__((vector_size(32)));
typedef std::uint32_t Words __attribute__((vector_size(32)));
typedef double Doubles __attribute__((vector_size(64)));
typedef std::int64_t Longs __attribute__((vector_size(64)));

template <class Vector, class T>
static inline void load(const T* from, Vector& to) {
  static_assert(sizeof(Vector) == columns_at_once * sizeof(T));
  __builtin_memcpy(&to, from, sizeof to);
}
template <class Vector, class T>
static inline void store(const Vector& from, T* to) {
  static_assert(sizeof(Vector) == columns_at_once * sizeof(T));
  __builtin_memcpy(to, &from, sizeof from);
}

template <class T>
static inline T loaded(const std::byte* at) {
  T value;
  __builtin_memcpy(&value, at, sizeof(T));
  return value;
}

struct Parts {
  alignas(64) float significand[most_elements];
  alignas(64) std::int32_t exponent[most_elements];
};

// False if a value is infinite or NaN.
static bool take_apart(const std::uint32_t* raw, int count, TileFormat format, int zero_exponent, Parts& parts) {
  const int all = (1 << format.exponent_bits) - 1, bias = all >> 1;
  const int fraction_bits = format.fraction_bits, sign_bit = format.exponent_bits + fraction_bits;
  const std::int32_t implied = 1 << fraction_bits;
  std::int32_t special = 0;
  for (int i = 0; i < count; ++i) {
    const auto bits = static_cast<std::int32_t>(raw[i]);
    const std::int32_t exponent = (bits >> fraction_bits) & all;
    const std::int32_t fraction = bits & (implied - 1);
    special |= (exponent == all) & (format.infinite | (fraction == implied - 1));
    const std::int32_t magnitude = exponent == 0 ? fraction : fraction | implied;
    const std::int32_t negative = -((bits >> sign_bit) & 1);
    parts.significand[i] = static_cast<float>((magnitude ^ negative) - negative);
    const std::int32_t at_least_one = exponent > 1 ? exponent : 1;
    parts.exponent[i] = magnitude == 0 ? zero_exponent : at_least_one - bias;
  }
  return special == 0;
}

template <class T>
static void take(const std::byte* registers, const std::uint32_t* at, int count, std::uint32_t* raw) {
  for (int i = 0; i < count; ++i) raw[i] = loaded<T>(registers + at[i]);
}
static void take_elements(const std::byte* registers, const std::uint32_t* at, int count, TileFormat format,
                          std::uint32_t* raw) {
  if (format.bytes == 1) return take<std::uint8_t>(registers, at, count, raw);
  if (format.bytes == 2) return take<std::uint16_t>(registers, at, count, raw);
  take<std::uint32_t>(registers, at, count, raw);
  for (int i = 0; i < count; ++i) raw[i] >>= format.unused_bits;
}

struct Sums {
  double value[columns_at_once];  // exact
  float cut[columns_at_once];     // truncated towards zero
};

// c + Σ a·b for `count` products, in eight columns. `fraction`: the fraction bits of a product.
static void one_step(const Tile& tile, const float* a, const std::int32_t* a_exponent, const float* b,
                     const std::int32_t* b_exponent, int count, int fraction, int addend_fraction, const float* c,
                     const std::int32_t* c_exponent, Sums& sums) {
  constexpr int bias32 = 127, bias64 = 1023;
  const int stride = tile.n, kept_bits = tile.kept_bits;
  Integers exponent_of_c, exponent;
  load(c_exponent, exponent_of_c);
  Integers largest = exponent_of_c, whole = {};
  for (int t = 0; t < count; ++t) {
    load(b_exponent + t * stride, exponent);
    exponent += a_exponent[t];
    largest = exponent > largest ? exponent : largest;
  }
  // 2^exponent as an f32; 0 if it is below f32's normal numbers.
  const Integers unit = bias32 + kept_bits - largest;
  Floats factor;
  for (int t = 0; t < count; ++t) {
    load(b_exponent + t * stride, exponent);
    load(b + t * stride, factor);
    Integers power = exponent + a_exponent[t] + unit - fraction;
    power &= power > 0;
    power <<= 23;
    Floats scale;
    __builtin_memcpy(&scale, &power, sizeof scale);
    whole += __builtin_convertvector(factor * a[t] * scale, Integers);
  }
  Integers power = exponent_of_c + unit - addend_fraction;
  power &= power > 0;
  power <<= 23;
  Floats scale, addend;
  __builtin_memcpy(&scale, &power, sizeof scale);
  load(c, addend);
  const Integers whole_addend = __builtin_convertvector(addend * scale, Integers);
  Longs power64 = __builtin_convertvector(largest, Longs) + (bias64 - kept_bits);
  power64 <<= 52;
  Doubles last_bit;
  __builtin_memcpy(&last_bit, &power64, sizeof last_bit);
  const Doubles value =
      (__builtin_convertvector(whole, Doubles) + __builtin_convertvector(whole_addend, Doubles)) * last_bit;
  Longs bits;
  __builtin_memcpy(&bits, &value, sizeof bits);
  bits &= -(std::int64_t{1} << (53 - tile.result_bits));
  Doubles cut;
  __builtin_memcpy(&cut, &bits, sizeof cut);
  double cut_values[columns_at_once];
  store(cut, cut_values);
  store(value, sums.value);
  store(__builtin_convertvector(cut, Floats), sums.cut);
  // Subnormal f32 numbers have fewer bits.
  const Longs tiny = (value > -0x1p-126) & (value < 0x1p-126) & (value != 0.0);
  std::int64_t tinies[columns_at_once];
  store(tiny, tinies);
  for (int j = 0; j < columns_at_once; ++j)
    if (tinies[j] != 0)
      sums.cut[j] = static_cast<float>(static_cast<std::int64_t>(cut_values[j] * 0x1p149)) * 0x1p-149f;
}

static bool float_product(const Tile& tile, const std::byte* registers, std::uint32_t* d) {
  const int m = tile.m, n = tile.n, k = tile.k, at_once = tile.at_once;
  std::uint32_t raw[most_elements];
  Parts a, b, c;
  constexpr int exponent_of_zero = -126;
  take_elements(registers, tile.a_at, m * k, tile.factor, raw);
  if (!take_apart(raw, m * k, tile.factor, exponent_of_none, a)) return false;
  take_elements(registers, tile.b_at, k * n, tile.b_factor, raw);
  if (!take_apart(raw, k * n, tile.b_factor, exponent_of_none, b)) return false;
  take_elements(registers, tile.c_at, m * n, tile.addend, raw);
  if (!take_apart(raw, m * n, tile.addend, tile.adds ? exponent_of_zero : exponent_of_none, c)) return false;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; j += columns_at_once) {
      float* const c_row = c.significand + i * n + j;
      std::int32_t* const c_exponent = c.exponent + i * n + j;
      int fraction = tile.addend.fraction_bits;
      for (int t = 0;; t += at_once) {
        Sums sums;
        one_step(tile, a.significand + i * k + t, a.exponent + i * k + t, b.significand + t * n + j,
                 b.exponent + t * n + j, k - t < at_once ? k - t : at_once,
                 tile.factor.fraction_bits + tile.b_factor.fraction_bits, fraction, c_row, c_exponent, sums);
        std::uint32_t* const result = d + i * n + j;
        for (int x = 0; x < columns_at_once; ++x) {
          const auto bits = __builtin_bit_cast(std::uint32_t, sums.cut[x]);
          const bool odd = tile.to_odd && static_cast<double>(sums.cut[x]) != sums.value[x];
          result[x] = bits | static_cast<std::uint32_t>(odd);
        }
        if (t + at_once >= k) break;
        Parts next;
        constexpr TileFormat f32{4, 8, 23, 0};
        if (!take_apart(result, columns_at_once, f32, exponent_of_zero, next)) return false;
        fraction = f32.fraction_bits;
        for (int x = 0; x < columns_at_once; ++x) {
          c_row[x] = next.significand[x];
          c_exponent[x] = next.exponent[x];
        }
      }
    }
  return true;
}

static void byte_product(const Tile& tile, const std::byte* registers, std::uint32_t* d) {
  const int m = tile.m, n = tile.n, k = tile.k;
  std::uint32_t a[most_elements], b[most_elements];
  const auto take_bytes = [&](const std::uint32_t* at, int count, bool is_signed, std::uint32_t* to) {
    const std::uint32_t sign = is_signed ? 0x80 : 0;
    for (int i = 0; i < count; ++i) to[i] = (loaded<std::uint8_t>(registers + at[i]) ^ sign) - sign;
  };
  take_bytes(tile.a_at, m * k, tile.a_signed, a);
  take_bytes(tile.b_at, k * n, tile.b_signed, b);
  take<std::uint32_t>(registers, tile.c_at, m * n, d);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; j += columns_at_once) {
      Words sum, factor;
      load(d + i * n + j, sum);
      for (int t = 0; t < k; ++t) {
        load(b + t * n + j, factor);
        sum += factor * a[i * k + t];
      }
      store(sum, d + i * n + j);
    }
}

static bool double_product(const Tile& tile, const std::byte* registers, double* d) {
  const int m = tile.m, n = tile.n, k = tile.k;
  double a[most_elements], b[most_elements];
  for (int i = 0; i < m * k; ++i) a[i] = loaded<double>(registers + tile.a_at[i]);
  for (int i = 0; i < k * n; ++i) b[i] = loaded<double>(registers + tile.b_at[i]);
  for (int i = 0; i < m * n; ++i) d[i] = loaded<double>(registers + tile.c_at[i]);
  bool nan = false;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; j += columns_at_once) {
      double sum[columns_at_once];
      for (int x = 0; x < columns_at_once; ++x) sum[x] = d[i * n + j + x];
      for (int t = 0; t < k; ++t)
        for (int x = 0; x < columns_at_once; ++x) sum[x] = __builtin_fma(a[i * k + t], b[t * n + j + x], sum[x]);
      for (int x = 0; x < columns_at_once; ++x) {
        nan |= sum[x] != sum[x];
        d[i * n + j + x] = sum[x];
      }
    }
  return !nan;
}

static const TileKernels kernels{float_product, byte_product, double_product};
