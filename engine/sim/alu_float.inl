// f32 and f64 arithmetic: round to nearest in both, and f32's other roundings. See alu_lanes.inl; on NaN, alu_rows.h.

static constexpr u32 nan32 = 0x7fffffffu;

// What stands around an f32 operation: nothing but the canonical NaN …
struct Plain32 {
  float in(float x) const { return x; }
  float out(float r) const { return r == r ? r : bits_as<float>(nan32); }
};
// … or .ftz and .sat as the instruction has them.
struct Modified32 {
  u32 limit;        // magnitudes below it are flushed, as bits
  float low, high;  // the result's range
  u32 nan;
  explicit Modified32(const Operation& o)
      : limit((o.flags & alu_ftz) != 0 ? 0x00800000u : 0u),
        low((o.flags & alu_sat) != 0 ? 0.0f : -__builtin_inff()),
        high((o.flags & alu_sat) != 0 ? 1.0f : __builtin_inff()),
        nan((o.flags & alu_sat) != 0 ? 0u : nan32) {}
  float in(float x) const {
    const u32 bits = bits_as<u32>(x);
    return bits_as<float>((bits & 0x7fffffffu) < limit ? bits & 0x80000000u : bits);
  }
  float out(float r) const {
    const float flushed = in(r);
    const float above = flushed <= low ? low : flushed;  // also turns -0 into 0
    const float clamped = above > high ? high : above;
    return r == r ? clamped : bits_as<float>(nan);
  }
};

// clang-format off
template <class M> struct AddF32  : M { using M::M; float operator()(float a, float b) const { return M::out(M::in(a) + M::in(b)); } };
template <class M> struct SubF32  : M { using M::M; float operator()(float a, float b) const { return M::out(M::in(a) - M::in(b)); } };
template <class M> struct MulF32  : M { using M::M; float operator()(float a, float b) const { return M::out(M::in(a) * M::in(b)); } };
template <class M> struct DivF32  : M { using M::M; float operator()(float a, float b) const { return M::out(M::in(a) / M::in(b)); } };
template <class M> struct FmaF32  : M { using M::M; float operator()(float a, float b, float c) const { return M::out(__builtin_fmaf(M::in(a), M::in(b), M::in(c))); } };
template <class M> struct RcpF32  : M { using M::M; float operator()(float a) const { return M::out(1.0f / M::in(a)); } };
template <class M> struct SqrtF32 : M { using M::M; float operator()(float a) const { return M::out(__builtin_sqrtf(M::in(a))); } };
template <class M> struct AbsF32  : M { using M::M; float operator()(float a) const { return M::out(bits_as<float>(bits_as<u32>(M::in(a)) & 0x7fffffffu)); } };
template <class M> struct NegF32  : M { using M::M; float operator()(float a) const { return M::out(bits_as<float>(bits_as<u32>(M::in(a)) ^ 0x80000000u)); } };
// clang-format on

struct CopysignF32 {
  u32 operator()(u32 a, u32 b) const { return (a & 0x80000000u) | (b & 0x7fffffffu); }
};
struct CopysignF64 {
  u64 operator()(u64 a, u64 b) const { return (a & (u64(1) << 63)) | (b & ~(u64(1) << 63)); }
};

// The smaller or the larger; -0 is below +0, and a number beats a NaN.
template <bool max>
struct MinMaxF32 {
  float operator()(float a, float b) const {
    const u32 x = bits_as<u32>(a), y = bits_as<u32>(b);
    const u32 zeros = max ? x & y : x | y;  // where a and b are equal: the same bits, or zeros
    const u32 ordered = a == b ? zeros : (max ? a > b : a < b) ? x : y;
    const u32 number = b != b ? x : a != a ? y : ordered;
    return a != a && b != b ? bits_as<float>(nan32) : bits_as<float>(number);
  }
};
// With any of .ftz, .NaN and .xorsign.abs.
template <bool max>
struct MinMaxModifiedF32 : Modified32 {
  u32 magnitude, sign;
  bool nan_wins;
  explicit MinMaxModifiedF32(const Operation& o)
      : Modified32(o),
        magnitude((o.flags & alu_xorsign) != 0 ? 0x7fffffffu : 0xffffffffu),
        sign((o.flags & alu_xorsign) != 0 ? 0x80000000u : 0u),
        nan_wins((o.flags & alu_nan) != 0) {}
  float operator()(float a, float b) const {
    const u32 x = bits_as<u32>(in(a)), y = bits_as<u32>(in(b));
    const float best = MinMaxF32<max>()(bits_as<float>(x & magnitude), bits_as<float>(y & magnitude));
    const u32 signed_best = (bits_as<u32>(best) & magnitude) | ((x ^ y) & sign);
    const bool any = a != a || b != b, both = a != a && b != b;
    return both || (nan_wins && any) ? bits_as<float>(nan32) : bits_as<float>(signed_best);
  }
};

// The other roundings. The exact result is held as a double s and what s lacks, e; then s is rounded to odd
// (its last bit set when it is not exact), which a second rounding to 24 bits cannot mistake for exact or for a tie
// (Boldo and Melquiond, "Emulation of FMA and correctly rounded sums", 2008).
struct DirectedF32 : Modified32 {
  bool up, down, zero;
  explicit DirectedF32(const Operation& o)
      : Modified32(o),
        up(static_cast<Rounding>(o.extra) == Rounding::rp),
        down(static_cast<Rounding>(o.extra) == Rounding::rm),
        zero(static_cast<Rounding>(o.extra) == Rounding::rz) {}
  float rounded(double s, double e) const {
    const u64 bits = bits_as<u64>(s);
    const bool outward = (e > 0) == (s > 0);
    const bool inexact = e > 0 || e < 0;  // false for NaN: s infinite or NaN
    const u64 odd_bits = inexact && (bits & 1) == 0 ? (outward ? bits + 1 : bits - 1) : bits;
    const double odd = bits_as<double>(odd_bits);
    const float nearest = static_cast<float>(odd);
    const double back = static_cast<double>(nearest);
    const u32 n = bits_as<u32>(nearest);
    const bool above = back > odd && (down || (zero && odd > 0));
    const bool below = back < odd && (up || (zero && odd < 0));
    const u32 lower = nearest > 0 ? n - 1 : nearest < 0 ? n + 1 : 0x80000001u;
    const u32 upper = nearest > 0 ? n + 1 : nearest < 0 ? n - 1 : 0x00000001u;
    return out(bits_as<float>(above ? lower : below ? upper : n));
  }
  float sum(double p, double c) const {
    const double s = p + c;
    const double c_part = s - p;
    const double e = (p - (s - c_part)) + (c - c_part);
    // An exact zero from unlike signs is -0 when rounding down.
    const u64 signs = bits_as<u64>(p) | bits_as<u64>(c);
    const double signed_s = s == 0 && down ? bits_as<double>(signs & (u64(1) << 63)) : s;
    return rounded(signed_s, e);
  }
};
// clang-format off
struct AddDirectedF32 : DirectedF32 { using DirectedF32::DirectedF32; float operator()(float a, float b) const { return sum(in(a), in(b)); } };
struct SubDirectedF32 : DirectedF32 { using DirectedF32::DirectedF32; float operator()(float a, float b) const { return sum(in(a), -in(b)); } };
struct MulDirectedF32 : DirectedF32 { using DirectedF32::DirectedF32; float operator()(float a, float b) const { return rounded(static_cast<double>(in(a)) * in(b), 0); } };
struct FmaDirectedF32 : DirectedF32 { using DirectedF32::DirectedF32; float operator()(float a, float b, float c) const { return sum(static_cast<double>(in(a)) * in(b), in(c)); } };
// clang-format on

// f64: the NaN that a result which is one gets.
static inline double nan_of(double a) {
  return bits_as<double>(a != a ? bits_as<u64>(a) | 0x0008000000000000u : u64(0xfff8000000000000u));
}
static inline double nan_of(double a, double b) { return a != a ? nan_of(a) : nan_of(b); }
static inline double nan_of(double a, double b, double c) { return a != a ? nan_of(a) : nan_of(b, c); }
static inline double or_nan(double r, double nan) { return r == r ? r : nan; }

// clang-format off
struct AddF64  { double operator()(double a, double b) const { return or_nan(a + b, nan_of(a, b)); } };
struct SubF64  { double operator()(double a, double b) const { return or_nan(a - b, nan_of(a, b)); } };
struct MulF64  { double operator()(double a, double b) const { return or_nan(a * b, nan_of(a, b)); } };
struct DivF64  { double operator()(double a, double b) const { return or_nan(a / b, nan_of(a, b)); } };
struct FmaF64  { double operator()(double a, double b, double c) const { return or_nan(__builtin_fma(a, b, c), nan_of(a, b, c)); } };
struct RcpF64  { double operator()(double a) const { return or_nan(1.0 / a, nan_of(a)); } };
struct SqrtF64 { double operator()(double a) const { return or_nan(__builtin_sqrt(a), nan_of(a)); } };
struct NegF64  { u64 operator()(u64 a) const { return a ^ (u64(1) << 63); } };
// clang-format on
struct AbsF64 {  // a NaN passes through unchanged
  u64 operator()(u64 a) const {
    const u64 magnitude = a & ~(u64(1) << 63);
    return magnitude > u64(0x7ff0000000000000u) ? a : magnitude;
  }
};
template <bool max>
struct MinMaxF64 {
  double operator()(double a, double b) const {
    const u64 x = bits_as<u64>(a), y = bits_as<u64>(b);
    const u64 ordered = a == b ? (max ? x & y : x | y) : (max ? a > b : a < b) ? x : y;
    const u64 number = b != b ? x : a != a ? y : ordered;
    return a != a && b != b ? nan_of(a) : bits_as<double>(number);
  }
};

// Plain where no modifier is written, modified with every subset of `optional`.
template <template <class> class Op>
static void f32_rows1(AluTable& t, AluForm form, std::uint32_t optional) {
  with_subsets(form, optional, [&](const AluForm& f) { long1<Op<Modified32>, float, float>(t, f); });
  row1<Op<Plain32>, float, float>(t, form);
}
template <template <class> class Op>
static void f32_rows2(AluTable& t, AluForm form, std::uint32_t optional) {
  with_subsets(form, optional, [&](const AluForm& f) { long2<Op<Modified32>, float, float, float>(t, f); });
  row2<Op<Plain32>, float, float, float>(t, form);
}

static void add_float_rows(AluTable& t) {
  const auto rounded = [](Opcode o, Type type, Rounding rounding) {
    AluForm form = form_of(o, type);
    form.rounding = rounding;
    return form;
  };
  const auto nearest = [&](Opcode o, Type type) { return rounded(o, type, Rounding::rn); };
  f32_rows2<AddF32>(t, nearest(Opcode::add, Type::f32), alu_ftz | alu_sat);
  f32_rows2<SubF32>(t, nearest(Opcode::sub, Type::f32), alu_ftz | alu_sat);
  f32_rows2<MulF32>(t, nearest(Opcode::mul, Type::f32), alu_ftz | alu_sat);
  f32_rows2<DivF32>(t, nearest(Opcode::div, Type::f32), alu_ftz);
  f32_rows1<RcpF32>(t, nearest(Opcode::rcp, Type::f32), alu_ftz);
  f32_rows1<SqrtF32>(t, nearest(Opcode::sqrt, Type::f32), alu_ftz);
  f32_rows1<AbsF32>(t, form_of(Opcode::abs, Type::f32), alu_ftz);
  f32_rows1<NegF32>(t, form_of(Opcode::neg, Type::f32), alu_ftz);
  static constexpr Opcode fmas[] = {Opcode::fma, Opcode::mad};
  static constexpr Rounding directed[] = {Rounding::rz, Rounding::rm, Rounding::rp};
  for (Opcode o : fmas) {
    with_subsets(nearest(o, Type::f32), alu_ftz | alu_sat, [&](const AluForm& f) {
      long3<FmaF32<Modified32>, float, float, float, float>(t, f);
    });
    row3<FmaF32<Plain32>, float, float, float, float>(t, nearest(o, Type::f32));
    row3<FmaF64, double, double, double, double>(t, nearest(o, Type::f64));
    for (Rounding r : directed)
      with_subsets(rounded(o, Type::f32, r), alu_ftz | alu_sat, [&](const AluForm& f) {
        long3<FmaDirectedF32, float, float, float, float>(t, f);
      });
  }
  for (Rounding r : directed) {
    const std::uint32_t optional = alu_ftz | alu_sat;
    with_subsets(rounded(Opcode::add, Type::f32, r), optional,
                 [&](const AluForm& f) { long2<AddDirectedF32, float, float, float>(t, f); });
    with_subsets(rounded(Opcode::sub, Type::f32, r), optional,
                 [&](const AluForm& f) { long2<SubDirectedF32, float, float, float>(t, f); });
    with_subsets(rounded(Opcode::mul, Type::f32, r), optional,
                 [&](const AluForm& f) { long2<MulDirectedF32, float, float, float>(t, f); });
  }
  with_subsets(form_of(Opcode::min, Type::f32), alu_ftz | alu_nan | alu_xorsign,
               [&](const AluForm& f) { long2<MinMaxModifiedF32<false>, float, float, float>(t, f); });
  with_subsets(form_of(Opcode::max, Type::f32), alu_ftz | alu_nan | alu_xorsign,
               [&](const AluForm& f) { long2<MinMaxModifiedF32<true>, float, float, float>(t, f); });
  long2<MinMaxF32<false>, float, float, float>(t, form_of(Opcode::min, Type::f32));
  long2<MinMaxF32<true>, float, float, float>(t, form_of(Opcode::max, Type::f32));
  long2<CopysignF32, u32, u32, u32>(t, form_of(Opcode::copysign, Type::f32));

  row2<AddF64, double, double, double>(t, nearest(Opcode::add, Type::f64));
  row2<SubF64, double, double, double>(t, nearest(Opcode::sub, Type::f64));
  row2<MulF64, double, double, double>(t, nearest(Opcode::mul, Type::f64));
  long2<DivF64, double, double, double>(t, nearest(Opcode::div, Type::f64));
  long1<RcpF64, double, double>(t, nearest(Opcode::rcp, Type::f64));
  long1<SqrtF64, double, double>(t, nearest(Opcode::sqrt, Type::f64));
  row1<AbsF64, u64, u64>(t, form_of(Opcode::abs, Type::f64));
  row1<NegF64, u64, u64>(t, form_of(Opcode::neg, Type::f64));
  long2<MinMaxF64<false>, double, double, double>(t, form_of(Opcode::min, Type::f64));
  long2<MinMaxF64<true>, double, double, double>(t, form_of(Opcode::max, Type::f64));
  long2<CopysignF64, u64, u64, u64>(t, form_of(Opcode::copysign, Type::f64));
}
