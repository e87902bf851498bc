// The frequent conversions; the others are in alu_scalar_convert.cpp. See alu_lanes.inl.

// ---- integer to integer: the low bits of a, as a T, extended to the destination's slot ----

template <class D, class T>
struct Extend {
  template <class S>
  D operator()(S a) const {
    return static_cast<D>(static_cast<T>(a));
  }
};

template <class Op, class D, class S>
static void extend_all(std::byte* registers, const Operation& o, std::uint32_t) {
  const auto* a = slot<S>(registers, o.a);
  auto* d = slot<D>(registers, o.dst);
  LANESCOPE_FEW_STEPS_APART
  for (int i = 0; i < 32; ++i) d[i].v = Op()(a[i].v);
}

// These are not forms of PTX. They say which part of a slot is kept, how it is extended, and to which width.
// select_alu() reduces every integer cvt without .sat to one of these.
template <class D, class T, class S>
static void extend_row(AluTable& t, Type part, Type source, std::uint32_t to) {
  AluForm form;
  form.opcode = row_opcode("cvt");
  form.type = part;
  form.source = source;
  form.flags = to;
  // Addresses and indices use these widths so often that the masked case gets a loop of its own.
  if constexpr (sizeof(T) == 4 && sizeof(D) != sizeof(S))
    t.add(form, &extend_all<Extend<D, T>, D, S>, &unary<true, Extend<D, T>, D, S>);
  else
    long1<Extend<D, T>, D, S>(t, form);
}
template <class D, std::uint32_t to>
static void extend_rows(AluTable& t) {
  using S8 = signed char;
  using U8 = unsigned char;
  extend_row<D, U8, U16>(t, Type::u8, Type::b16, to);
  extend_row<D, S8, U16>(t, Type::s8, Type::b16, to);
  extend_row<D, U8, U32>(t, Type::u8, Type::b32, to);
  extend_row<D, S8, U32>(t, Type::s8, Type::b32, to);
  extend_row<D, U8, U64>(t, Type::u8, Type::b64, to);
  extend_row<D, S8, U64>(t, Type::s8, Type::b64, to);
  extend_row<D, U16, U16>(t, Type::u16, Type::b16, to);
  extend_row<D, U16, U32>(t, Type::u16, Type::b32, to);
  extend_row<D, U16, U64>(t, Type::u16, Type::b64, to);
  if constexpr (sizeof(D) >= 4) {
    extend_row<D, S16, U16>(t, Type::s16, Type::b16, to);
    extend_row<D, S16, U32>(t, Type::s16, Type::b32, to);
    extend_row<D, S16, U64>(t, Type::s16, Type::b64, to);
    extend_row<D, U32, U32>(t, Type::u32, Type::b32, to);
    extend_row<D, U32, U64>(t, Type::u32, Type::b64, to);
  }
  if constexpr (sizeof(D) >= 8) {
    extend_row<D, S32, U32>(t, Type::s32, Type::b32, to);
    extend_row<D, S32, U64>(t, Type::s32, Type::b64, to);
    extend_row<D, U64, U64>(t, Type::u64, Type::b64, to);
  }
}

// ---- floating point to integer: rounded, clamped to the range, NaN as in the manual ----

template <Rounding rounding>
static inline float integral(float x) {
  if constexpr (rounding == Rounding::rni)
    return __builtin_rintf(x);
  else if constexpr (rounding == Rounding::rzi)
    return __builtin_truncf(x);
  else if constexpr (rounding == Rounding::rmi)
    return __builtin_floorf(x);
  else
    return __builtin_ceilf(x);
}
template <Rounding rounding>
static inline double integral(double x) {
  if constexpr (rounding == Rounding::rni)
    return __builtin_rint(x);
  else if constexpr (rounding == Rounding::rzi)
    return __builtin_trunc(x);
  else if constexpr (rounding == Rounding::rmi)
    return __builtin_floor(x);
  else
    return __builtin_ceil(x);
}

template <class D, class S, Rounding rounding>
struct ToInteger {
  U32 limit;  // for .ftz: smaller magnitudes are flushed
  explicit ToInteger(const Operation& o) : limit((o.flags & alu_ftz) != 0 ? 0x00800000u : 0u) {}
  D operator()(S a) const {
    constexpr bool is_signed = D(-1) < D(0);
    constexpr D most = is_signed ? static_cast<D>((U64(1) << (8 * sizeof(D) - 1)) - 1) : static_cast<D>(~U64(0));
    constexpr D least = is_signed ? static_cast<D>(-most - 1) : D(0);
    // 2^n, the first value that is too large; exact in S.
    constexpr S above = static_cast<S>(U64(1) << (8 * sizeof(D) - (is_signed ? 1 : 0) - 1)) * 2;
    constexpr S below = is_signed ? -above : S(0);
    S x = a;
    if constexpr (sizeof(S) == 4) {
      const U32 bits = bits_as<U32>(a);
      x = bits_as<float>((bits & 0x7fffffffu) < limit ? bits & 0x80000000u : bits);
    }
    x = integral<rounding>(x);
    const bool inside = (x >= below) & (x < above);
    const D value = static_cast<D>(inside ? x : S(0));
    constexpr D of_nan = sizeof(S) == 8 || sizeof(D) == 8 ? static_cast<D>(U64(1) << (8 * sizeof(D) - 1)) : D(0);
    return a != a ? of_nan : x >= above ? most : x < below ? least : value;
  }
};

template <class D, class S>
static void to_integer_rows(AluTable& t, Type to, Type from) {
  const auto form = [&](Rounding rounding) {
    AluForm f = form_of("cvt", to);
    f.source = from;
    f.rounding = rounding;
    return f;
  };
  const std::uint32_t optional = alu_sat | (sizeof(S) == 4 ? alu_ftz : 0u);
  with_subsets(form(Rounding::rni), optional,
               [&](const AluForm& f) { long1<ToInteger<D, S, Rounding::rni>, D, S>(t, f); });
  with_subsets(form(Rounding::rzi), optional,
               [&](const AluForm& f) { long1<ToInteger<D, S, Rounding::rzi>, D, S>(t, f); });
  with_subsets(form(Rounding::rmi), optional,
               [&](const AluForm& f) { long1<ToInteger<D, S, Rounding::rmi>, D, S>(t, f); });
  with_subsets(form(Rounding::rpi), optional,
               [&](const AluForm& f) { long1<ToInteger<D, S, Rounding::rpi>, D, S>(t, f); });
}

// ---- integer to floating point, to nearest ----

template <class D>
struct FromInteger {
  float low, high;
  explicit FromInteger(const Operation& o)
      : low((o.flags & alu_sat) != 0 ? 0.0f : -__builtin_inff()),
        high((o.flags & alu_sat) != 0 ? 1.0f : __builtin_inff()) {}
  template <class S>
  D operator()(S a) const {
    const D x = static_cast<D>(a);
    return x < D(low) ? D(low) : x > D(high) ? D(high) : x;
  }
};
template <class D, class S>
static void from_integer_rows(AluTable& t, Type to, Type from) {
  AluForm form = form_of("cvt", to);
  form.source = from;
  form.rounding = Rounding::rn;
  with_subsets(form, alu_sat | (sizeof(D) == 4 ? alu_ftz : 0u),
               [&](const AluForm& f) { long1<FromInteger<D>, D, S>(t, f); });
}

// ---- floating point to floating point ----

template <Rounding rounding>
struct IntegralF32 : Modified32 {
  using Modified32::Modified32;
  float operator()(float a) const { return out(integral<rounding>(in(a))); }
};
template <Rounding rounding>
struct IntegralF64 {
  double low, high;
  bool sat;
  explicit IntegralF64(const Operation& o)
      : low((o.flags & alu_sat) != 0 ? 0.0 : -__builtin_inf()),
        high((o.flags & alu_sat) != 0 ? 1.0 : __builtin_inf()),
        sat((o.flags & alu_sat) != 0) {}
  double operator()(double a) const {
    const double x = rounding == Rounding::none ? a : integral<rounding>(a);
    const double clamped = x <= low ? low : x > high ? high : x;
    return a == a ? clamped : sat ? 0.0 : nan_of(a);
  }
};
struct CopyF32 : Modified32 {
  using Modified32::Modified32;
  float operator()(float a) const { return out(in(a)); }
};
struct F32ToF64 {
  U32 limit;
  bool sat;
  explicit F32ToF64(const Operation& o)
      : limit((o.flags & alu_ftz) != 0 ? 0x00800000u : 0u), sat((o.flags & alu_sat) != 0) {}
  double operator()(float a) const {
    const U32 bits = bits_as<U32>(a);
    const double x = static_cast<double>(bits_as<float>((bits & 0x7fffffffu) < limit ? bits & 0x80000000u : bits));
    const double saturated = x > 0 ? (x < 1 ? x : 1.0) : 0.0;
    return sat ? saturated : x;
  }
};
struct F64ToF32 : Modified32 {
  double tiny;  // 2^-126 minus half a unit of the 24-bit result below it
  explicit F64ToF32(const Operation& o) : Modified32(o), tiny((o.flags & alu_ftz) != 0 ? 0x1.ffffffp-127 : 0.0) {}
  float operator()(double a) const {
    const double kept = __builtin_fabs(a) < tiny ? __builtin_copysign(0.0, a) : a;
    const float result = out(static_cast<float>(kept));
    const U64 bits = bits_as<U64>(a);
    const U32 upper = static_cast<U32>(bits >> 32) & 0x80000000u;
    const U32 payload = 0x7fc00000u | (static_cast<U32>(bits >> 29) & 0x003fffffu);
    return ((a == a) | (nan == 0)) ? result : bits_as<float>(upper | payload);
  }
};

static void add_convert_rows(AluTable& t) {
  extend_rows<U16, alu_to16>(t);
  extend_rows<U32, alu_to32>(t);
  extend_rows<U64, alu_to64>(t);

  to_integer_rows<S32, float>(t, Type::s32, Type::f32);
  to_integer_rows<U32, float>(t, Type::u32, Type::f32);
  to_integer_rows<S64, float>(t, Type::s64, Type::f32);
  to_integer_rows<U64, float>(t, Type::u64, Type::f32);
  to_integer_rows<S32, double>(t, Type::s32, Type::f64);
  to_integer_rows<U32, double>(t, Type::u32, Type::f64);
  to_integer_rows<S64, double>(t, Type::s64, Type::f64);
  to_integer_rows<U64, double>(t, Type::u64, Type::f64);
  from_integer_rows<float, U16>(t, Type::f32, Type::u16);
  from_integer_rows<float, S16>(t, Type::f32, Type::s16);
  from_integer_rows<float, U32>(t, Type::f32, Type::u32);
  from_integer_rows<float, S32>(t, Type::f32, Type::s32);
  from_integer_rows<float, U64>(t, Type::f32, Type::u64);
  from_integer_rows<float, S64>(t, Type::f32, Type::s64);
  from_integer_rows<double, U32>(t, Type::f64, Type::u32);
  from_integer_rows<double, S32>(t, Type::f64, Type::s32);
  from_integer_rows<double, U64>(t, Type::f64, Type::u64);
  from_integer_rows<double, S64>(t, Type::f64, Type::s64);

  AluForm f32 = form_of("cvt", Type::f32), f64 = form_of("cvt", Type::f64);
  with_subsets(f32, alu_ftz | alu_sat, [&](const AluForm& f) { long1<CopyF32, float, float>(t, f); });
  with_subsets(f64, alu_sat, [&](const AluForm& f) { long1<IntegralF64<Rounding::none>, double, double>(t, f); });
  f32.rounding = f64.rounding = Rounding::rni;
  with_subsets(f32, alu_ftz | alu_sat,
               [&](const AluForm& f) { long1<IntegralF32<Rounding::rni>, float, float>(t, f); });
  with_subsets(f64, alu_sat, [&](const AluForm& f) { long1<IntegralF64<Rounding::rni>, double, double>(t, f); });
  f32.rounding = f64.rounding = Rounding::rzi;
  with_subsets(f32, alu_ftz | alu_sat,
               [&](const AluForm& f) { long1<IntegralF32<Rounding::rzi>, float, float>(t, f); });
  with_subsets(f64, alu_sat, [&](const AluForm& f) { long1<IntegralF64<Rounding::rzi>, double, double>(t, f); });
  f32.rounding = f64.rounding = Rounding::rmi;
  with_subsets(f32, alu_ftz | alu_sat,
               [&](const AluForm& f) { long1<IntegralF32<Rounding::rmi>, float, float>(t, f); });
  with_subsets(f64, alu_sat, [&](const AluForm& f) { long1<IntegralF64<Rounding::rmi>, double, double>(t, f); });
  f32.rounding = f64.rounding = Rounding::rpi;
  with_subsets(f32, alu_ftz | alu_sat,
               [&](const AluForm& f) { long1<IntegralF32<Rounding::rpi>, float, float>(t, f); });
  with_subsets(f64, alu_sat, [&](const AluForm& f) { long1<IntegralF64<Rounding::rpi>, double, double>(t, f); });

  AluForm widen = form_of("cvt", Type::f64), narrow = form_of("cvt", Type::f32);
  widen.source = Type::f32;
  narrow.source = Type::f64;
  narrow.rounding = Rounding::rn;
  with_subsets(widen, alu_ftz | alu_sat, [&](const AluForm& f) { long1<F32ToF64, double, float>(t, f); });
  with_subsets(narrow, alu_ftz | alu_sat, [&](const AluForm& f) { long1<F64ToF32, float, double>(t, f); });
}
