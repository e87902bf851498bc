// f32 and f64 arithmetic: round to nearest for both, and the other roundings for f32. See alu_lanes.inl; for NaN, see
// alu_rows.h.

static constexpr U32 nan32 = 0x7fffffffu;

// How an f32 operation treats its operands and its result. Without modifiers: only the canonical NaN.
struct Plain32 {
  float in(float x) const { return x; }
  float out(float r) const { return r == r ? r : bits_as<float>(nan32); }
};
// With the instruction's .ftz and .sat.
struct Modified32 {
  U32 limit;        // magnitudes below this, as bits, are flushed
  float low, high;  // the result's range
  U32 nan;
  explicit Modified32(const Operation& o)
      : limit((o.flags & alu_ftz) != 0 ? 0x00800000u : 0u),
        low((o.flags & alu_sat) != 0 ? 0.0f : -__builtin_inff()),
        high((o.flags & alu_sat) != 0 ? 1.0f : __builtin_inff()),
        nan((o.flags & alu_sat) != 0 ? 0u : nan32) {}
  float in(float x) const {
    const U32 bits = bits_as<U32>(x);
    return bits_as<float>((bits & 0x7fffffffu) < limit ? bits & 0x80000000u : bits);
  }
  float out(float r) const {
    const float flushed = in(r);
    const float above = flushed <= low ? low : flushed;  // also turns -0 into 0
    const float clamped = above > high ? high : above;
    return r == r ? clamped : bits_as<float>(nan);
  }
};

// The operations for f32 and f64. For sums and differences, see Add and Sub in alu_integer.inl.
// clang-format off
template <class T> struct Mul  { T operator()(T a, T b) const { return a * b; } };
template <class T> struct Div  { T operator()(T a, T b) const { return a / b; } };
template <class T> struct Rcp  { T operator()(T a) const { return T(1) / a; } };
static inline float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
static inline double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }
template <class T> struct Fma  { T operator()(T a, T b, T c) const { return fused(a, b, c); } };
static inline float root(float a) { return __builtin_sqrtf(a); }
static inline double root(double a) { return __builtin_sqrt(a); }
template <class T> struct Sqrt { T operator()(T a) const { return root(a); } };
// clang-format on
struct AbsF32 {
  float operator()(float a) const { return bits_as<float>(bits_as<U32>(a) & 0x7fffffffu); }
};
struct NegF32 {
  float operator()(float a) const { return bits_as<float>(bits_as<U32>(a) ^ 0x80000000u); }
};

// An f32 operation with its modifiers.
template <class Modifiers, class Op>
struct Around : Modifiers {
  using Modifiers::Modifiers;
  template <class... Operands>
  float operator()(Operands... x) const {
    return Modifiers::out(Op()(Modifiers::in(x)...));
  }
};

struct CopysignF32 {
  U32 operator()(U32 a, U32 b) const { return (a & 0x80000000u) | (b & 0x7fffffffu); }
};
struct CopysignF64 {
  U64 operator()(U64 a, U64 b) const { return (a & (U64(1) << 63)) | (b & ~(U64(1) << 63)); }
};

// The smaller or the larger value. -0 is below +0; if one operand is a NaN, the result is the other one.
template <bool max>
struct MinMaxF32 {
  float operator()(float a, float b) const {
    const U32 x = bits_as<U32>(a), y = bits_as<U32>(b);
    const U32 zeros = max ? x & y : x | y;  // a and b are equal: either the same bits, or two zeros
    const U32 ordered = a == b ? zeros : (max ? a > b : a < b) ? x : y;
    const U32 number = b != b ? x : a != a ? y : ordered;
    return bits_as<float>(pick((a != a) & (b != b), nan32, number));
  }
};
// With any of .ftz, .NaN and .xorsign.abs.
template <bool max>
struct MinMaxModifiedF32 : Modified32 {
  U32 magnitude, sign;
  bool nan_wins;
  explicit MinMaxModifiedF32(const Operation& o)
      : Modified32(o),
        magnitude((o.flags & alu_xorsign) != 0 ? 0x7fffffffu : 0xffffffffu),
        sign((o.flags & alu_xorsign) != 0 ? 0x80000000u : 0u),
        nan_wins((o.flags & alu_nan) != 0) {}
  float operator()(float a, float b) const {
    const U32 x = bits_as<U32>(in(a)), y = bits_as<U32>(in(b));
    const float best = MinMaxF32<max>()(bits_as<float>(x & magnitude), bits_as<float>(y & magnitude));
    const U32 signed_best = (bits_as<U32>(best) & magnitude) | ((x ^ y) & sign);
    const bool any = (a != a) | (b != b), both = (a != a) & (b != b);
    return bits_as<float>(pick(both | (nan_wins & any), nan32, signed_best));
  }
};

// The other roundings. The exact result is a double s plus an error e. It is rounded to odd first, and then in the
// required direction.
struct DirectedF32 : Modified32 {
  U32 up, down, zero;  // 0 or 1
  explicit DirectedF32(const Operation& o)
      : Modified32(o),
        up(static_cast<Rounding>(o.extra) == Rounding::rp),
        down(static_cast<Rounding>(o.extra) == Rounding::rm),
        zero(static_cast<Rounding>(o.extra) == Rounding::rz) {}
  // s + e, rounded to f32.
  float rounded(double s, double e) const {
    const double odd = to_odd(s, e);
    const auto nearest = static_cast<float>(odd);
    const double back = static_cast<double>(nearest);
    const U32 is_above = static_cast<U32>(back > odd), is_below = static_cast<U32>(back < odd);
    const U32 positive = static_cast<U32>(odd > 0);
    const U32 lowered = is_above & (down | (zero & positive));
    const U32 raised = is_below & (up | (zero & (positive ^ 1)));
    // Encodings in the order of their values, -0 one below 0, so that ±1 is the neighbour.
    const U32 bits = bits_as<U32>(nearest);
    const U32 ordered = bits ^ ((0u - (bits >> 31)) >> 1);
    const U32 stepped = ordered - lowered + raised;
    return out(bits_as<float>(stepped ^ ((0u - (stepped >> 31)) >> 1)));
  }
  float sum(double p, double c) const {
    const double s = p + c;
    const double c_part = s - p;
    const double e = (p - (s - c_part)) + (c - c_part);
    // An exact zero as the sum of operands with unlike signs is -0 when rounding down.
    const U64 signs = bits_as<U64>(p) | bits_as<U64>(c);
    const U64 is_zero = static_cast<U64>(s == 0) & down;
    const double signed_s = bits_as<double>(bits_as<U64>(s) | ((0 - is_zero) & signs & (U64(1) << 63)));
    return rounded(signed_s, e);
  }
};
struct AddDirectedF32 : DirectedF32 {
  using DirectedF32::DirectedF32;
  float operator()(float a, float b) const { return sum(in(a), in(b)); }
};
struct SubDirectedF32 : DirectedF32 {
  using DirectedF32::DirectedF32;
  float operator()(float a, float b) const { return sum(in(a), -in(b)); }
};
struct MulDirectedF32 : DirectedF32 {
  using DirectedF32::DirectedF32;
  float operator()(float a, float b) const { return rounded(static_cast<double>(in(a)) * in(b), 0); }
};
struct FmaDirectedF32 : DirectedF32 {
  using DirectedF32::DirectedF32;
  float operator()(float a, float b, float c) const { return sum(static_cast<double>(in(a)) * in(b), in(c)); }
};

// The NaN that an f64 operation gives for these operands. Of several, an H200 takes that of b, then of c, then of a.
static inline double nan_of(double a) {
  return bits_as<double>(a != a ? bits_as<U64>(a) | 0x0008000000000000u : U64(0xfff8000000000000u));
}
static inline double nan_of(double a, double b) {
  return b != b ? nan_of(b) : nan_of(a);
}
static inline double nan_of(double a, double b, double c) {
  return b != b ? nan_of(b) : nan_of(a, c);
}
static inline double or_nan(double r, double nan) {
  return r == r ? r : nan;
}

// The same operations for f64.
template <class Op>
struct Ieee64 {
  template <class... Operands>
  double operator()(Operands... x) const {
    return or_nan(Op()(x...), nan_of(x...));
  }
};
// A division by a NaN of a NaN gives the first.
struct Div64 {
  double operator()(double a, double b) const { return or_nan(a / b, a != a ? nan_of(a) : nan_of(b)); }
};
struct NegF64 {  // a NaN keeps its sign and becomes quiet
  U64 operator()(U64 a) const {
    const U64 sign = U64(1) << 63;
    return (a & ~sign) > U64(0x7ff0000000000000u) ? a | U64(0x0008000000000000u) : a ^ sign;
  }
};
struct AbsF64 {  // likewise
  U64 operator()(U64 a) const {
    const U64 magnitude = a & ~(U64(1) << 63);
    return magnitude > U64(0x7ff0000000000000u) ? a | U64(0x0008000000000000u) : magnitude;
  }
};
template <bool max>
struct MinMaxF64 {
  double operator()(double a, double b) const {
    const U64 x = bits_as<U64>(a), y = bits_as<U64>(b);
    const U64 ordered = a == b ? (max ? x & y : x | y) : (max ? a > b : a < b) ? x : y;
    const U64 number = b != b ? x : a != a ? y : ordered;
    return ((a != a) & (b != b)) ? nan_of(b) : bits_as<double>(number);
  }
};

// Rows without a modifier, and rows with every subset of the `optional` modifiers.
template <class Op>
static void f32_rows1(AluTable& t, AluForm form, std::uint32_t optional) {
  with_subsets(form, optional, [&](const AluForm& f) { long1<Around<Modified32, Op>, float, float>(t, f); });
  row1<Around<Plain32, Op>, float, float>(t, form);
}
template <class Op>
static void f32_rows2(AluTable& t, AluForm form, std::uint32_t optional) {
  with_subsets(form, optional, [&](const AluForm& f) { long2<Around<Modified32, Op>, float, float, float>(t, f); });
  row2<Around<Plain32, Op>, float, float, float>(t, form);
}

static void add_float_rows(AluTable& t) {
  const auto rounded = [](Mnemonic o, Type type, Rounding rounding) {
    AluForm form = form_of(o, type);
    form.rounding = rounding;
    return form;
  };
  const auto nearest = [&](Mnemonic o, Type type) { return rounded(o, type, Rounding::rn); };
  f32_rows2<Add<float>>(t, nearest("add", Type::f32), alu_ftz | alu_sat);
  f32_rows2<Sub<float>>(t, nearest("sub", Type::f32), alu_ftz | alu_sat);
  f32_rows2<Mul<float>>(t, nearest("mul", Type::f32), alu_ftz | alu_sat);
  f32_rows2<Div<float>>(t, nearest("div", Type::f32), alu_ftz);
  f32_rows1<Rcp<float>>(t, nearest("rcp", Type::f32), alu_ftz);
  f32_rows1<Sqrt<float>>(t, nearest("sqrt", Type::f32), alu_ftz);
  f32_rows1<AbsF32>(t, form_of("abs", Type::f32), alu_ftz);
  f32_rows1<NegF32>(t, form_of("neg", Type::f32), alu_ftz);
  static constexpr Mnemonic fmas[] = {"fma", "mad"};
  static constexpr Rounding directed[] = {Rounding::rz, Rounding::rm, Rounding::rp};
  for (Mnemonic o : fmas) {
    with_subsets(nearest(o, Type::f32), alu_ftz | alu_sat,
                 [&](const AluForm& f) { long3<Around<Modified32, Fma<float>>, float, float, float, float>(t, f); });
    row3<Around<Plain32, Fma<float>>, float, float, float, float>(t, nearest(o, Type::f32));
    row3<Ieee64<Fma<double>>, double, double, double, double>(t, nearest(o, Type::f64));
    for (Rounding r : directed)
      with_subsets(rounded(o, Type::f32, r), alu_ftz | alu_sat,
                   [&](const AluForm& f) { long3<FmaDirectedF32, float, float, float, float>(t, f); });
  }
  for (Rounding r : directed) {
    const std::uint32_t optional = alu_ftz | alu_sat;
    with_subsets(rounded("add", Type::f32, r), optional,
                 [&](const AluForm& f) { long2<AddDirectedF32, float, float, float>(t, f); });
    with_subsets(rounded("sub", Type::f32, r), optional,
                 [&](const AluForm& f) { long2<SubDirectedF32, float, float, float>(t, f); });
    with_subsets(rounded("mul", Type::f32, r), optional,
                 [&](const AluForm& f) { long2<MulDirectedF32, float, float, float>(t, f); });
  }
  with_subsets(form_of("min", Type::f32), alu_ftz | alu_nan | alu_xorsign,
               [&](const AluForm& f) { long2<MinMaxModifiedF32<false>, float, float, float>(t, f); });
  with_subsets(form_of("max", Type::f32), alu_ftz | alu_nan | alu_xorsign,
               [&](const AluForm& f) { long2<MinMaxModifiedF32<true>, float, float, float>(t, f); });
  long2<MinMaxF32<false>, float, float, float>(t, form_of("min", Type::f32));
  long2<MinMaxF32<true>, float, float, float>(t, form_of("max", Type::f32));
  long2<CopysignF32, U32, U32, U32>(t, form_of("copysign", Type::f32));

  row2<Ieee64<Add<double>>, double, double, double>(t, nearest("add", Type::f64));
  row2<Ieee64<Sub<double>>, double, double, double>(t, nearest("sub", Type::f64));
  row2<Ieee64<Mul<double>>, double, double, double>(t, nearest("mul", Type::f64));
  long2<Div64, double, double, double>(t, nearest("div", Type::f64));
  long1<Ieee64<Rcp<double>>, double, double>(t, nearest("rcp", Type::f64));
  long1<Ieee64<Sqrt<double>>, double, double>(t, nearest("sqrt", Type::f64));
  row1<AbsF64, U64, U64>(t, form_of("abs", Type::f64));
  row1<NegF64, U64, U64>(t, form_of("neg", Type::f64));
  long2<MinMaxF64<false>, double, double, double>(t, form_of("min", Type::f64));
  long2<MinMaxF64<true>, double, double, double>(t, form_of("max", Type::f64));
  long2<CopysignF64, U64, U64, U64>(t, form_of("copysign", Type::f64));
}
