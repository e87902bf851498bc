// The approximate instructions, computed well within the errors that PTX allows. They use only operations that IEEE 754
// defines exactly (no fma, no library), so every instruction set gives the same bits. The tests that measure the errors
// state them (tests/unit/sim/alu/alu_approximate_test.cpp). See alu_lanes.inl.

struct Rsqrt {
  float operator()(float a) const { return 1.0f / __builtin_sqrtf(a); }
};
// a times the reciprocal of b. As the manual requires, a subnormal reciprocal counts as zero.
struct DivApproximate : Modified32 {
  using Modified32::Modified32;
  float operator()(float a, float b) const {
    const float x = in(a), y = in(b);
    const float reciprocal = 1.0f / y;
    const U32 bits = bits_as<U32>(reciprocal);
    const float flushed = bits_as<float>((bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits);
    const bool tiny = (bits_as<U32>(y) & 0x7f800000u) == 0;  // 1/y may be infinite where x/y is not
    return out(tiny ? x / y : x * flushed);
  }
};

// 2^x for |x| < 1000: x = n + f, |f| <= 1/2, and a polynomial in f ln 2.
static inline double exp2_of(double x) {
  // Adding this constant leaves n, biased like an exponent, in the low bits of the sum.
  constexpr double magic = 0x1.8p52 + 1023;
  const double shifted = x + magic;
  const double n = shifted - magic;
  const double f = (x - n) * 0x1.62e42fefa39efp-1;
  double p = 1.0 / 3628800;
  p = p * f + 1.0 / 362880;
  p = p * f + 1.0 / 40320;
  p = p * f + 1.0 / 5040;
  p = p * f + 1.0 / 720;
  p = p * f + 1.0 / 120;
  p = p * f + 1.0 / 24;
  p = p * f + 1.0 / 6;
  p = p * f + 1.0 / 2;
  p = p * f + 1.0;
  p = p * f + 1.0;
  return p * bits_as<double>(bits_as<U64>(shifted) << 52);
}

static inline float exp2_of(float x) {
  // Beyond ±200 the f32 result is infinite or zero anyway. A NaN passes through.
  const float below = x > 200.0f ? 200.0f : x;
  const float held = below < -200.0f ? -200.0f : below;
  return static_cast<float>(exp2_of(static_cast<double>(held)));
}

// log2 of a positive finite x: x = 2^e m with m about 1, and the series of atanh in (m - 1) / (m + 1).
static inline float log2_of(float a) {
  const double x = static_cast<double>(a);
  const U64 bits = bits_as<U64>(x);
  // e increases where m would pass sqrt(2), so e is counted from the bits of sqrt(1/2).
  constexpr U64 origin = 0x3fe6a09e667f3bcdu;
  const U64 offset = bits - origin;
  const U64 e_bits = offset & 0xfff0000000000000u;
  const double m = bits_as<double>(bits - e_bits);
  // The 12-bit signed exponent as a double: the reverse of the trick in exp2_of.
  constexpr double magic = 0x1.8p52;
  const U64 exponent = (offset >> 52) & 0xfff;
  const double e = bits_as<double>(bits_as<U64>(magic) + (exponent ^ 0x800u)) - (magic + 2048);
  const double s = (m - 1.0) / (m + 1.0), z = s * s;
  double p = 1.0 / 13;
  p = p * z + 1.0 / 11;
  p = p * z + 1.0 / 9;
  p = p * z + 1.0 / 7;
  p = p * z + 1.0 / 5;
  p = p * z + 1.0 / 3;
  p = p * z + 1.0;
  const auto r = static_cast<float>(e + s * p * 0x1.71547652b82fep+1);
  return a > 0 ? (a < __builtin_inff() ? r : a) : a == 0 ? -__builtin_inff() : bits_as<float>(nan32);
}

struct Exp2 {
  float operator()(float a) const { return exp2_of(a); }
};
struct Log2 {
  float operator()(float a) const { return log2_of(a); }
};

// sin (quarter 0) or cos (quarter 1): x = n pi/2 + r with |r| <= pi/4, and the series of sin and cos.
template <int quarter>
struct SinCos {
  float operator()(float a) const {
    const bool finite = (bits_as<U32>(a) & 0x7fffffffu) < 0x7f800000u;
    const double x = static_cast<double>(finite ? a : 0.0f);
    constexpr double magic = 0x1.8p52;
    // For angles so large that n has no fraction, n = 0 is used. Such a result only stays within its range.
    const double turns = x * 0x1.45f306dc9c883p-1;
    const bool large = (turns > 0x1p50) | (turns < -0x1p50);
    const double shifted = (large ? 0.0 : turns) + magic;
    const double n = shifted - magic;
    // pi/2 in three parts. The products of n with the first two are exact for n below 2^20.
    double r = x - n * 0x1.921fb54400000p+0;
    r = r - n * 0x1.0b4611a600000p-34;
    r = r - n * 0x1.3198a2e037073p-69;
    const double bounded = r > 1.0 ? 1.0 : r < -1.0 ? -1.0 : r;
    const U64 q = bits_as<U64>(shifted) + quarter;
    const double z = bounded * bounded;
    double s = -1.0 / 39916800;
    s = s * z + 1.0 / 362880;
    s = s * z - 1.0 / 5040;
    s = s * z + 1.0 / 120;
    s = s * z - 1.0 / 6;
    s = bounded * (s * z + 1.0);
    double c = -1.0 / 3628800;
    c = c * z + 1.0 / 40320;
    c = c * z - 1.0 / 720;
    c = c * z + 1.0 / 24;
    c = c * z - 1.0 / 2;
    c = c * z + 1.0;
    const double magnitude = (q & 1) != 0 ? c : s;
    const auto value = static_cast<float>((q & 2) != 0 ? -magnitude : magnitude);
    return finite ? value : bits_as<float>(nan32);
  }
};

// tanh x = (u - 1) / (u + 1), u = e^2x. For small x this loses digits, and the result is x itself.
static inline float tanh_of(float a) {
  const float below = a > 20.0f ? 20.0f : a;
  const float held = below < -20.0f ? -20.0f : below;
  const double u = exp2_of(static_cast<double>(held) * 0x1.71547652b82fep+1);
  const auto r = static_cast<float>((u - 1.0) / (u + 1.0));
  const bool small = (bits_as<U32>(a) & 0x7fffffffu) < 0x39800000u;  // 2^-12
  return small ? a : r;
}
struct Tanh {
  float operator()(float a) const { return tanh_of(a); }
};

// f16 and bf16: the f32 result, rounded.
template <class H, class Op>
static __attribute__((noinline)) void half_function_of(const Operation& o, const Cell<U16>* a, Cell<U16>* d,
                                                       int count) {
  const HalfModifiers<H> modifiers(o);
  alignas(64) float x[64];
  const Op op;
  LANESCOPE_LANES_APART
  for (int i = 0; i < count; ++i) d[i].v = modifiers.flush(a[i].v);
  widen_all<H>(d, x, count);
  LANESCOPE_LANES_APART
  for (int i = 0; i < count; ++i) x[i] = op(x[i]);
  narrow_all<H>(x, d, count);
  LANESCOPE_LANES_APART
  for (int i = 0; i < count; ++i) d[i].v = modifiers.flush(d[i].v);
}
template <class H, class Op, class D>
static void half_function(std::byte* registers, const Operation& o, Cell<D>* d) {
  half_function_of<H, Op>(o, slot<U16>(registers, o.a), reinterpret_cast<Cell<U16>*>(d),
                          16 * static_cast<int>(sizeof(D)));
}

static void add_approximate_rows(AluTable& t) {
  const auto approximate = [](Mnemonic o, Type type, std::uint32_t flags = 0) {
    AluForm form = form_of(o, type, flags);
    form.rounding = Rounding::approx;
    return form;
  };
  const auto f32 = [&]<class Op>(Mnemonic o, Op) {
    with_subsets(approximate(o, Type::f32), alu_ftz,
                 [&](const AluForm& f) { long1<Around<Modified32, Op>, float, float>(t, f); });
  };
  f32("rcp", Rcp<float>());
  f32("sqrt", Sqrt<float>());
  f32("rsqrt", Rsqrt());
  f32("ex2", Exp2());
  f32("lg2", Log2());
  f32("sin", SinCos<0>());
  f32("cos", SinCos<1>());
  long1<Around<Plain32, Tanh>, float, float>(t, approximate("tanh", Type::f32));
  AluForm full = form_of("div", Type::f32);
  full.rounding = Rounding::full;
  with_subsets(full, alu_ftz,
               [&](const AluForm& f) { long2<Around<Modified32, Div<float>>, float, float, float>(t, f); });
  with_subsets(approximate("div", Type::f32), alu_ftz,
               [&](const AluForm& f) { long2<DivApproximate, float, float, float>(t, f); });

  add_long<U16, half_function<F16, Exp2, U16>>(t, approximate("ex2", Type::f16));
  add_long<U32, half_function<F16, Exp2, U32>>(t, approximate("ex2", Type::f16x2));
  add_long<U16, half_function<Bf16, Exp2, U16>>(t, approximate("ex2", Type::bf16, alu_ftz));
  add_long<U32, half_function<Bf16, Exp2, U32>>(t, approximate("ex2", Type::bf16x2, alu_ftz));
  add_long<U16, half_function<F16, Tanh, U16>>(t, approximate("tanh", Type::f16));
  add_long<U32, half_function<F16, Tanh, U32>>(t, approximate("tanh", Type::f16x2));
  add_long<U16, half_function<Bf16, Tanh, U16>>(t, approximate("tanh", Type::bf16));
  add_long<U32, half_function<Bf16, Tanh, U32>>(t, approximate("tanh", Type::bf16x2));
}
