// The approximate instructions, as ptxas builds them from the functions of the special function unit (alu_sfu.inl):
// without .ftz, arguments are scaled so that the unit sees no subnormal number. Each result is that of an H200; see
// tests/unit/sim/alu/alu_sfu_test.cpp. See alu_lanes.inl.

template <U32 (*function)(U32)>
static inline float by_sfu(float a) {
  return bits_as<float>(function(bits_as<U32>(a)));
}
static inline bool is_below_normal(float a) {
  return (bits_as<U32>(a) & 0x7fffffffu) < 0x00800000u;
}
static inline float choose(bool condition, float x, float y) {
  return bits_as<float>(pick(condition, bits_as<U32>(x), bits_as<U32>(y)));
}

// Below, with .ftz a subnormal argument is zero already, so that scaling changes nothing.
struct Rcp32 : Modified32 {
  using Modified32::Modified32;
  float operator()(float a) const {
    const float x = in(a);
    const float scale = choose(__builtin_fabsf(x) > 0x1p126f, 0.25f, choose(is_below_normal(x), 0x1p24f, 1.0f));
    const float used = limit == 0 ? scale : 1.0f;
    return out(by_sfu<sfu_rcp>(x * used) * used);
  }
};
struct Sqrt32 : Modified32 {
  using Modified32::Modified32;
  float operator()(float a) const {
    const float x = in(a);
    const bool small = is_below_normal(x);
    return out(by_sfu<sfu_sqrt>(x * choose(small, 0x1p24f, 1.0f)) * choose(small, 0x1p-12f, 1.0f));
  }
};
struct Rsqrt32 : Modified32 {
  using Modified32::Modified32;
  float operator()(float a) const {
    const float x = in(a);
    const bool small = is_below_normal(x);
    return out(by_sfu<sfu_rsqrt>(x * choose(small, 0x1p24f, 1.0f)) * choose(small, 0x1p12f, 1.0f));
  }
};
struct Exp2 : Modified32 {
  using Modified32::Modified32;
  float operator()(float a) const {
    const float x = in(a);
    const bool small = (x < -126.0f) & (limit == 0);
    const float r = by_sfu<sfu_ex2>(x * choose(small, 0.5f, 1.0f));
    return out(r * choose(small, r, 1.0f));
  }
};
struct Log2 : Modified32 {
  using Modified32::Modified32;
  float operator()(float a) const {
    const float x = in(a);
    const bool small = is_below_normal(x);
    return out(by_sfu<sfu_lg2>(x * choose(small, 0x1p24f, 1.0f)) - choose(small, 24.0f, 0.0f));
  }
};
template <int quarter>
struct SinCos {
  float operator()(float a) const { return by_sfu<sfu_sin<quarter>>(a); }
};
struct Tanh {
  float operator()(float a) const { return by_sfu<sfu_tanh>(a); }
};
// a times the reciprocal of b, which is zero where it would be subnormal; `full` scales large divisors too.
template <bool full>
struct DivApproximate : Modified32 {
  using Modified32::Modified32;
  float operator()(float a, float b) const {
    const float x = in(a), y = in(b);
    const float up = choose(is_below_normal(y), 0x1p24f, 1.0f);
    const float scale = full ? choose(__builtin_fabsf(y) > 0x1p126f, 0.25f, up) : up;
    return out(in(x * scale) * by_sfu<sfu_rcp>(in(y * scale)));
  }
};

// f16 and bf16: the f32 result, rounded towards zero. That of f16 has units of 2^-24 below 2^-14.
template <class H>
static inline float truncated_to(float r);
template <>
inline float truncated_to<Bf16>(float r) {
  return bits_as<float>(bits_as<U32>(r) & 0xffff0000u);
}
template <>
inline float truncated_to<F16>(float r) {
  const bool small = __builtin_fabsf(r) < 0x1p-14f;
  const float units = static_cast<float>(static_cast<S32>(choose(small, r, 0.0f) * 0x1p24f)) * 0x1p-24f;
  return choose(small, __builtin_copysignf(units, r), bits_as<float>(bits_as<U32>(r) & 0xffffe000u));
}
template <class H, U32 (*function)(U32)>
static __attribute__((noinline)) void half_function_of(const Operation& o, const Cell<U16>* a, Cell<U16>* d,
                                                       int count) {
  const HalfModifiers<H> modifiers(o);
  alignas(64) float x[64];
  LANESCOPE_LANES_APART
  for (int i = 0; i < count; ++i) d[i].v = modifiers.flush(a[i].v);
  widen_all<H>(d, x, count);
  LANESCOPE_LANES_APART
  for (int i = 0; i < count; ++i) x[i] = truncated_to<H>(by_sfu<function>(x[i]));
  narrow_all<H>(x, d, count);
  LANESCOPE_LANES_APART
  for (int i = 0; i < count; ++i) d[i].v = modifiers.flush(d[i].v);
}
template <class H, U32 (*function)(U32), class D>
static void half_function(std::byte* registers, const Operation& o, Cell<D>* d) {
  half_function_of<H, function>(o, slot<U16>(registers, o.a), reinterpret_cast<Cell<U16>*>(d),
                                16 * static_cast<int>(sizeof(D)));
}

// The upper word of an f64 function from the upper word of its argument; the lower ones are ignored and zero.
template <U32 (*function)(U32)>
struct OfUpperWord {
  U64 operator()(U64 a) const { return U64{function(static_cast<U32>(a >> 32))} << 32; }
};

static void add_approximate_rows(AluTable& t) {
  const auto approximate = [](Mnemonic o, Type type, std::uint32_t flags = 0) {
    AluForm form = form_of(o, type, flags);
    form.rounding = Rounding::approx;
    return form;
  };
  const auto f32 = [&]<class Op>(Mnemonic o, Op*) {
    with_subsets(approximate(o, Type::f32), alu_ftz, [&](const AluForm& f) { long1<Op, float, float>(t, f); });
  };
  f32("rcp", static_cast<Rcp32*>(nullptr));
  f32("sqrt", static_cast<Sqrt32*>(nullptr));
  f32("rsqrt", static_cast<Rsqrt32*>(nullptr));
  f32("ex2", static_cast<Exp2*>(nullptr));
  f32("lg2", static_cast<Log2*>(nullptr));
  f32("sin", static_cast<Around<Modified32, SinCos<0>>*>(nullptr));
  f32("cos", static_cast<Around<Modified32, SinCos<1>>*>(nullptr));
  long1<Around<Plain32, Tanh>, float, float>(t, approximate("tanh", Type::f32));
  long1<OfUpperWord<sfu_rcp64>, U64, U64>(t, approximate("rcp", Type::f64, alu_ftz));
  long1<OfUpperWord<sfu_rsqrt64>, U64, U64>(t, approximate("rsqrt", Type::f64, alu_ftz));
  AluForm full = form_of("div", Type::f32);
  full.rounding = Rounding::full;
  with_subsets(full, alu_ftz, [&](const AluForm& f) { long2<DivApproximate<true>, float, float, float>(t, f); });
  with_subsets(approximate("div", Type::f32), alu_ftz,
               [&](const AluForm& f) { long2<DivApproximate<false>, float, float, float>(t, f); });

  add_long<U16, half_function<F16, sfu_ex2, U16>>(t, approximate("ex2", Type::f16));
  add_long<U32, half_function<F16, sfu_ex2, U32>>(t, approximate("ex2", Type::f16x2));
  add_long<U16, half_function<Bf16, sfu_ex2, U16>>(t, approximate("ex2", Type::bf16, alu_ftz));
  add_long<U32, half_function<Bf16, sfu_ex2, U32>>(t, approximate("ex2", Type::bf16x2, alu_ftz));
  add_long<U16, half_function<F16, sfu_tanh, U16>>(t, approximate("tanh", Type::f16));
  add_long<U32, half_function<F16, sfu_tanh, U32>>(t, approximate("tanh", Type::f16x2));
  add_long<U16, half_function<Bf16, sfu_tanh, U16>>(t, approximate("tanh", Type::bf16));
  add_long<U32, half_function<Bf16, sfu_tanh, U32>>(t, approximate("tanh", Type::bf16x2));
}
