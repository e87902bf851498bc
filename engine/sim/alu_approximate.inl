// The approximate instructions, computed well within the errors that PTX allows. Only operations that IEEE 754 defines
// exactly are used (no fma, no library), so every instruction set gives the same bits. Errors are stated beside the tests
// that measure them (tests/unit/sim/alu_approximate_test.cpp). See alu_lanes.inl.

struct RcpApproximate : Modified32 {
  using Modified32::Modified32;
  float operator()(float a) const { return out(1.0f / in(a)); }
};
struct SqrtApproximate : Modified32 {
  using Modified32::Modified32;
  float operator()(float a) const { return out(__builtin_sqrtf(in(a))); }
};
struct RsqrtApproximate : Modified32 {
  using Modified32::Modified32;
  float operator()(float a) const { return out(1.0f / __builtin_sqrtf(in(a))); }
};
struct DivFull : Modified32 {
  using Modified32::Modified32;
  float operator()(float a, float b) const { return out(in(a) / in(b)); }
};
// a times a reciprocal that is zero where it would be subnormal, which the manual asks for.
struct DivApproximate : Modified32 {
  using Modified32::Modified32;
  float operator()(float a, float b) const {
    const float x = in(a), y = in(b);
    const float reciprocal = 1.0f / y;
    const u32 bits = bits_as<u32>(reciprocal);
    const float flushed = bits_as<float>((bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits);
    const bool tiny = (bits_as<u32>(y) & 0x7f800000u) == 0;  // 1/y may be infinite where x/y is not
    return out(tiny ? x / y : x * flushed);
  }
};

// 2^x for |x| < 1000: x = n + f, |f| <= 1/2, and a polynomial in f ln 2.
static inline double exp2_of(double x) {
  // Adding it leaves n, biased as an exponent is, in the low bits of the sum.
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
  return p * bits_as<double>(bits_as<u64>(shifted) << 52);
}

static inline float exp2_of(float x) {
  // Beyond ±200 the result is infinite or zero in f32 anyway.
  const float held = x > 200.0f ? 200.0f : x < -200.0f ? -200.0f : x;
  const auto r = static_cast<float>(exp2_of(static_cast<double>(held == held ? held : 0.0f)));
  return x == x ? r : x;
}

// log2 of a positive finite x: x = 2^e m with m about 1, and the series of atanh in (m - 1) / (m + 1).
static inline float log2_of(float a) {
  const double x = static_cast<double>(a);
  const u64 bits = bits_as<u64>(x);
  // e steps where m passes sqrt(2): e counts from the bits above those of sqrt(1/2).
  constexpr u64 origin = 0x3fe6a09e667f3bcdu;
  const u64 offset = bits - origin;
  const u64 e_bits = offset & 0xfff0000000000000u;
  const double m = bits_as<double>(bits - e_bits);
  // The 12-bit signed exponent as a double, by the magic of exp2_of in reverse.
  constexpr double magic = 0x1.8p52;
  const u64 exponent = (offset >> 52) & 0xfff;
  const double e = bits_as<double>(bits_as<u64>(magic) + (exponent ^ 0x800u)) - (magic + 2048);
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

struct Ex2Approximate : Modified32 {
  using Modified32::Modified32;
  float operator()(float a) const { return out(exp2_of(in(a))); }
};
struct Lg2Approximate : Modified32 {
  using Modified32::Modified32;
  float operator()(float a) const { return out(log2_of(in(a))); }
};

// sin (quarter 0) or cos (quarter 1): x = n pi/2 + r with |r| <= pi/4, and the series of sin and cos.
template <int quarter>
struct SinCosApproximate : Modified32 {
  using Modified32::Modified32;
  float operator()(float a) const {
    const float x32 = in(a);
    const bool finite = (bits_as<u32>(x32) & 0x7fffffffu) < 0x7f800000u;
    const double x = static_cast<double>(finite ? x32 : 0.0f);
    constexpr double magic = 0x1.8p52;
    // Angles too large for n to have a fraction are taken as n = 0 and lose all meaning but their range.
    const double turns = x * 0x1.45f306dc9c883p-1;
    const bool large = turns > 0x1p50 || turns < -0x1p50;
    const double shifted = (large ? 0.0 : turns) + magic;
    const double n = shifted - magic;
    // pi/2 in three parts, of which the products of the first two with n are exact for n below 2^20.
    double r = x - n * 0x1.921fb54400000p+0;
    r = r - n * 0x1.0b4611a600000p-34;
    r = r - n * 0x1.3198a2e037073p-69;
    const double bounded = r > 1.0 ? 1.0 : r < -1.0 ? -1.0 : r;
    const u64 q = bits_as<u64>(shifted) + quarter;
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
    return out(finite ? value : bits_as<float>(nan32));
  }
};

// tanh x = (u - 1) / (u + 1), u = e^2x; x itself where that loses digits.
static inline float tanh_of(float a) {
  const float held = a > 20.0f ? 20.0f : a < -20.0f ? -20.0f : a;
  const double x = static_cast<double>(held == held ? held : 0.0f);
  const double u = exp2_of(x * 0x1.71547652b82fep+1);
  const auto r = static_cast<float>((u - 1.0) / (u + 1.0));
  const bool small = held < 0x1p-12f && held > -0x1p-12f;
  return a == a ? (small ? a : r) : a;
}
struct TanhApproximate : Plain32 {
  float operator()(float a) const { return out(tanh_of(a)); }
};

// f16 and bf16: f32's result, rounded.
struct HalfEx2 {
  float operator()(float a) const { return exp2_of(a); }
};
struct HalfTanh {
  float operator()(float a) const { return tanh_of(a); }
};
template <class H, class Op>
static __attribute__((noinline)) void half_function_of(const Operation& o, const Cell<u16>* a, Cell<u16>* d, int count) {
  const HalfModifiers<H> modifiers(o);
  alignas(64) float x[64];
  const Op op;
#pragma GCC ivdep
  for (int i = 0; i < count; ++i) d[i].v = modifiers.flush(a[i].v);
  widen_all<H>(d, x, count);
#pragma GCC ivdep
  for (int i = 0; i < count; ++i) x[i] = op(x[i]);
  narrow_all<H>(x, d, count);
#pragma GCC ivdep
  for (int i = 0; i < count; ++i) d[i].v = modifiers.flush(d[i].v);
}
template <class H, class Op, class D>
static void half_function(std::byte* registers, const Operation& o, Cell<D>* d) {
  half_function_of<H, Op>(o, slot<u16>(registers, o.a), reinterpret_cast<Cell<u16>*>(d), 16 * static_cast<int>(sizeof(D)));
}

static void add_approximate_rows(AluTable& t) {
  const auto approximate = [](Opcode o, Type type, std::uint32_t flags = 0) {
    AluForm form = form_of(o, type, flags);
    form.rounding = Rounding::approx;
    return form;
  };
  const auto f32 = [&]<class Op>(Opcode o, Op*) {
    with_subsets(approximate(o, Type::f32), alu_ftz, [&](const AluForm& f) { long1<Op, float, float>(t, f); });
  };
  f32(Opcode::rcp, static_cast<RcpApproximate*>(nullptr));
  f32(Opcode::sqrt, static_cast<SqrtApproximate*>(nullptr));
  f32(Opcode::rsqrt, static_cast<RsqrtApproximate*>(nullptr));
  f32(Opcode::ex2, static_cast<Ex2Approximate*>(nullptr));
  f32(Opcode::lg2, static_cast<Lg2Approximate*>(nullptr));
  f32(Opcode::sin, static_cast<SinCosApproximate<0>*>(nullptr));
  f32(Opcode::cos, static_cast<SinCosApproximate<1>*>(nullptr));
  long1<TanhApproximate, float, float>(t, approximate(Opcode::tanh, Type::f32));
  AluForm full = form_of(Opcode::div, Type::f32);
  full.rounding = Rounding::full;
  with_subsets(full, alu_ftz, [&](const AluForm& f) { long2<DivFull, float, float, float>(t, f); });
  with_subsets(approximate(Opcode::div, Type::f32), alu_ftz,
               [&](const AluForm& f) { long2<DivApproximate, float, float, float>(t, f); });

  add_long<u16, half_function<F16, HalfEx2, u16>>(t, approximate(Opcode::ex2, Type::f16));
  add_long<u32, half_function<F16, HalfEx2, u32>>(t, approximate(Opcode::ex2, Type::f16x2));
  add_long<u16, half_function<Bf16, HalfEx2, u16>>(t, approximate(Opcode::ex2, Type::bf16, alu_ftz));
  add_long<u32, half_function<Bf16, HalfEx2, u32>>(t, approximate(Opcode::ex2, Type::bf16x2, alu_ftz));
  add_long<u16, half_function<F16, HalfTanh, u16>>(t, approximate(Opcode::tanh, Type::f16));
  add_long<u32, half_function<F16, HalfTanh, u32>>(t, approximate(Opcode::tanh, Type::f16x2));
  add_long<u16, half_function<Bf16, HalfTanh, u16>>(t, approximate(Opcode::tanh, Type::bf16));
  add_long<u32, half_function<Bf16, HalfTanh, u32>>(t, approximate(Opcode::tanh, Type::bf16x2));
}
