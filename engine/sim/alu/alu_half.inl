// f16 and bf16, single and in pairs, computed in f32. See alu_lanes.inl.
//
// A sum, difference or product that is computed in f32 and then rounded again is correctly rounded, because 24 bits are
// at least 2 · 11 + 2 (f16; bf16 has 8) (Figueroa, "When is double rounding innocuous?", 1995). This does not hold for
// fma. Its exact value is therefore rounded to odd first, as in DirectedF32.

static constexpr U16 nan16 = 0x7fff;

struct F16 {
  static constexpr U32 exponent = 0x7c00;
  static float widen(U16 h) {
    const U32 magnitude = h & 0x7fffu, sign = (h & 0x8000u) << 16;
    // Read as the exponent and fraction of an f32, the value is too small by a factor of 2^112, also for subnormals.
    const U32 scaled = bits_as<U32>(bits_as<float>(magnitude << 13) * 0x1p112f);
    const U32 bits = magnitude > exponent ? nan32 : magnitude == exponent ? sign | 0x7f800000u : sign | scaled;
    return bits_as<float>(bits);
  }
  static U16 narrow(float x) {
    const U32 bits = bits_as<U32>(x), magnitude = bits & 0x7fffffffu, sign = (bits >> 16) & 0x8000u;
    const U32 normal = (magnitude - (112u << 23) + 0xfffu + ((magnitude >> 13) & 1)) >> 13;
    // After adding 0.5, the last bit of the sum has the weight of the smallest subnormal, so the addition rounds.
    const U32 small = bits_as<U32>(bits_as<float>(magnitude) + 0.5f) - 0x3f000000u;
    const U32 finite = magnitude < (113u << 23) ? small : normal;
    const U32 ranged = magnitude >= 0x477ff000u ? exponent : finite;
    return static_cast<U16>(magnitude > 0x7f800000u ? U32(nan16) : sign | ranged);
  }
};
struct Bf16 {
  static constexpr U32 exponent = 0x7f80;
  static float widen(U16 h) { return bits_as<float>(U32(h) << 16); }
  static U16 narrow(float x) {
    const U32 bits = bits_as<U32>(x);
    const U32 rounded = (bits + 0x7fffu + ((bits >> 16) & 1)) >> 16;
    return static_cast<U16>((bits & 0x7fffffffu) > 0x7f800000u ? U32(nan16) : rounded);
  }
};

// Converts `count` elements (32 or 64) between memory and f32.
template <class H>
static inline void widen_all(const Cell<U16>* from, float* to, int count) {
#if defined(__AVX512BW__)
  if constexpr (std::is_same_v<H, F16>) {
    for (int i = 0; i < count; i += 16) {
      const __m512 x = _mm512_cvtph_ps(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + i)));
      const __mmask16 nan = _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q);
      _mm512_storeu_ps(to + i, _mm512_mask_mov_ps(x, nan, _mm512_castsi512_ps(_mm512_set1_epi32(nan32))));
    }
    return;
  }
#elif defined(__F16C__)
  if constexpr (std::is_same_v<H, F16>) {
    for (int i = 0; i < count; i += 8) {
      const __m256 x = _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i)));
      const __m256 nan = _mm256_cmp_ps(x, x, _CMP_UNORD_Q);
      _mm256_storeu_ps(to + i, _mm256_blendv_ps(x, _mm256_castsi256_ps(_mm256_set1_epi32(nan32)), nan));
    }
    return;
  }
#endif
  LANESCOPE_LANES_APART
  for (int i = 0; i < count; ++i) to[i] = H::widen(from[i].v);
}

template <class H>
static inline void narrow_all(const float* from, Cell<U16>* to, int count) {
#if defined(__AVX512BW__)
  if constexpr (std::is_same_v<H, F16>) {
    for (int i = 0; i < count; i += 16) {
      const __m512 x = _mm512_loadu_ps(from + i);
      const __mmask16 nan = _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q);
      const __m256i h = _mm512_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + i), _mm256_mask_set1_epi16(h, nan, nan16));
    }
    return;
  }
#elif defined(__F16C__)
  if constexpr (std::is_same_v<H, F16>) {
    for (int i = 0; i < count; i += 8) {
      const __m256 x = _mm256_loadu_ps(from + i);
      const __m256i unordered = _mm256_castps_si256(_mm256_cmp_ps(x, x, _CMP_UNORD_Q));
      const __m128i nan = _mm_packs_epi32(_mm256_castsi256_si128(unordered), _mm256_extracti128_si256(unordered, 1));
      const __m128i h = _mm256_cvtps_ph(x, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to + i), _mm_blendv_epi8(h, _mm_set1_epi16(nan16), nan));
    }
    return;
  }
#endif
  LANESCOPE_LANES_APART
  for (int i = 0; i < count; ++i) to[i].v = H::narrow(from[i]);
}

// Modifiers of half arithmetic. out() applies them to the result before rounding, since rounding keeps order and sign.
template <class H>
struct HalfModifiers {
  float low, high;
  bool no_nan;
  U16 subnormal;  // the largest operand magnitude that is flushed
  U32 tiny;       // results below it, as f32 bits, are flushed
  explicit HalfModifiers(const Operation& o)
      : low((o.flags & (alu_sat | alu_relu)) != 0 ? 0.0f : -__builtin_inff()),
        high((o.flags & alu_sat) != 0 ? 1.0f : __builtin_inff()),
        no_nan((o.flags & alu_sat) != 0),
        subnormal((o.flags & alu_ftz) != 0 ? static_cast<U16>((H::exponent & (0u - H::exponent)) - 1) : U16(0)),
        // 2^-14 minus half a unit of the 11-bit result below it. Results from here on round to 2^-14.
        tiny((o.flags & alu_ftz) != 0 ? bits_as<U32>(0x1.ffep-15f) : 0u) {}
  float out(float r) const {
    const U32 bits = bits_as<U32>(r);
    const float kept = bits_as<float>((bits & 0x7fffffffu) < tiny ? bits & 0x80000000u : bits);
    const float above = kept <= low ? low : kept;
    const float clamped = above > high ? high : above;
    return r == r ? clamped : no_nan ? 0.0f : r;
  }
  // .ftz on an encoding.
  U16 flush(U16 h) const { return (h & 0x7fff) <= subnormal ? h & 0x8000 : h; }
};

template <class H>
struct HalfFma {
  float operator()(float a, float b, float c) const {
    if constexpr (std::is_same_v<H, F16>) {
      return odd_sum(a * b, c);  // the product, of 22 bits, is exact
    } else {
      const double odd = odd_sum(static_cast<double>(a) * b, static_cast<double>(c));
      const auto f = static_cast<float>(odd);
      // If f is zero, a tiny value was lost, and the result must be the smallest subnormal of its sign. The arithmetic
      // of to_odd() gives this for ±0 too.
      const double rest = odd - static_cast<double>(f);
      const U32 bits = bits_as<U32>(f);
      const U32 inexact = static_cast<U32>(rest > 0) | static_cast<U32>(rest < 0);
      const U32 inward = static_cast<U32>(rest > 0) ^ static_cast<U32>(odd > 0);
      const U32 even = inexact & ~bits & 1;
      return bits_as<float>(bits + even - ((even & inward) << 1));
    }
  }
};

// `count` elements: 32 or 64.
template <class H, class Op, int operands, bool modified>
static __attribute__((noinline)) void half_arithmetic_of(std::byte* registers, const Operation& o, Cell<U16>* d,
                                                         int count) {
  const HalfModifiers<H> modifiers(o);
  const Cell<U16>* sources[3] = {slot<U16>(registers, o.a), slot<U16>(registers, o.b), slot<U16>(registers, o.c)};
  alignas(64) float wide[3][64];
  alignas(64) Cell<U16> flushed[64];
  for (int k = 0; k < operands; ++k) {
    const Cell<U16>* from = sources[k];
    if constexpr (modified) {
      LANESCOPE_LANES_APART
      for (int i = 0; i < count; ++i) flushed[i].v = modifiers.flush(sources[k][i].v);
      from = flushed;
    }
    widen_all<H>(from, wide[k], count);
  }
  const Op op;
  LANESCOPE_LANES_APART
  for (int i = 0; i < count; ++i) {
    float r;
    if constexpr (operands == 2)
      r = op(wide[0][i], wide[1][i]);
    else
      r = op(wide[0][i], wide[1][i], wide[2][i]);
    if constexpr (modified) r = modifiers.out(r);
    wide[0][i] = r;
  }
  narrow_all<H>(wide[0], d, count);
}
// D is the type of a lane's register: u16, or u32 for a pair.
template <class H, class Op, int operands, bool modified, class D>
static void half_arithmetic(std::byte* registers, const Operation& o, Cell<D>* d) {
  half_arithmetic_of<H, Op, operands, modified>(registers, o, reinterpret_cast<Cell<U16>*>(d),
                                                16 * static_cast<int>(sizeof(D)));
}

// ---- min, max, abs, neg: on encodings ----

template <class H, bool max>
struct HalfMinMax {
  U16 magnitude, sign, subnormal;
  bool nan_wins;
  explicit HalfMinMax(const Operation& o)
      : magnitude((o.flags & alu_xorsign) != 0 ? 0x7fff : 0xffff),
        sign((o.flags & alu_xorsign) != 0 ? 0x8000 : 0),
        subnormal(HalfModifiers<H>(o).subnormal),
        nan_wins((o.flags & alu_nan) != 0) {}
  U16 flush(U16 h) const { return (h & 0x7fff) <= subnormal ? h & 0x8000 : h; }
  // Orders encodings by their values, with -0 below 0.
  static S16 key(U16 h) { return static_cast<S16>(h ^ ((static_cast<S16>(h) >> 15) & 0x7fff)); }
  U16 operator()(U16 a, U16 b) const {
    const U16 x = flush(a) & magnitude, y = flush(b) & magnitude;
    const bool a_nan = (a & 0x7fff) > H::exponent, b_nan = (b & 0x7fff) > H::exponent;
    const U16 ordered = (max ? key(x) > key(y) : key(x) < key(y)) ? x : y;
    const U16 number = b_nan ? x : a_nan ? y : ordered;
    const U16 signed_number = static_cast<U16>((number & magnitude) | ((a ^ b) & sign));
    return static_cast<U16>(pick((a_nan & b_nan) | (nan_wins & (a_nan | b_nan)), nan16, signed_number));
  }
};
template <class H, bool negate>
struct HalfSign {
  U16 subnormal;
  explicit HalfSign(const Operation& o) : subnormal(HalfModifiers<H>(o).subnormal) {}
  U16 operator()(U16 a) const {
    const U16 flushed = (a & 0x7fff) <= subnormal ? a & 0x8000 : a;
    const U16 value = negate ? flushed ^ 0x8000 : flushed & 0x7fff;
    return (a & 0x7fff) > H::exponent ? nan16 : value;
  }
};

// Applies an operation on encodings to each half of every lane's register.
template <class Op, int operands, class D>
static __attribute__((noinline)) void half_words(std::byte* registers, const Operation& o, Cell<D>* d) {
  constexpr int count = 16 * static_cast<int>(sizeof(D));
  const Op op = make<Op>(o);
  const auto *a = slot<U16>(registers, o.a), *b = slot<U16>(registers, o.b);
  auto* halves = reinterpret_cast<Cell<U16>*>(d);
  LANESCOPE_LANES_APART
  for (int i = 0; i < count; ++i) {
    if constexpr (operands == 1)
      halves[i].v = op(a[i].v);
    else
      halves[i].v = op(a[i].v, b[i].v);
  }
}

// ---- conversions ----

template <class H>
static __attribute__((noinline)) void widen_lanes(std::byte* registers, const Operation& o, Cell<float>* d) {
  widen_all<H>(slot<U16>(registers, o.a), reinterpret_cast<float*>(d), 32);
}

// cvt.rn from f32 with .relu, .satfinite and .sat: one value to 16 bits.
template <class H>
struct NarrowModifiers {
  float low, high;
  U32 limit;
  bool no_nan;
  explicit NarrowModifiers(const Operation& o)
      : low((o.flags & (alu_sat | alu_relu)) != 0 ? 0.0f
            : (o.flags & alu_satfinite) != 0      ? -most
                                                  : -__builtin_inff()),
        high((o.flags & alu_sat) != 0         ? 1.0f
             : (o.flags & alu_satfinite) != 0 ? most
                                              : __builtin_inff()),
        limit((o.flags & alu_ftz) != 0 ? 0x00800000u : 0u),
        no_nan((o.flags & alu_sat) != 0) {}
  static constexpr float most = std::is_same_v<H, F16> ? 65504.0f : 0x1.fep127f;
  float operator()(float a) const {
    const U32 bits = bits_as<U32>(a);
    const float x = bits_as<float>((bits & 0x7fffffffu) < limit ? bits & 0x80000000u : bits);
    const float above = x <= low ? low : x;
    const float clamped = above > high ? high : above;
    return x == x ? clamped : no_nan ? 0.0f : x;
  }
};
template <class H>
static __attribute__((noinline)) void narrow_lanes(std::byte* registers, const Operation& o, Cell<U16>* d) {
  const NarrowModifiers<H> modifiers(o);
  const auto* a = slot<float>(registers, o.a);
  alignas(64) float x[32];
  LANESCOPE_LANES_APART
  for (int i = 0; i < 32; ++i) x[i] = modifiers(a[i].v);
  narrow_all<H>(x, d, 32);
}
// Two values to a pair, a in the upper half.
template <class H>
static __attribute__((noinline)) void narrow_pairs(std::byte* registers, const Operation& o, Cell<U32>* d) {
  const NarrowModifiers<H> modifiers(o);
  const auto *a = slot<float>(registers, o.a), *b = slot<float>(registers, o.b);
  alignas(64) float x[64];
  alignas(64) Cell<U16> h[64];
  LANESCOPE_LANES_APART
  for (int i = 0; i < 32; ++i) {
    x[i] = modifiers(b[i].v);
    x[32 + i] = modifiers(a[i].v);
  }
  narrow_all<H>(x, h, 64);
  LANESCOPE_LANES_APART
  for (int i = 0; i < 32; ++i) d[i].v = U32(h[32 + i].v) << 16 | h[i].v;
}

template <class H, class D, class Op, int operands>
static void half_arithmetic_rows(AluTable& t, Mnemonic o, Type type) {
  static constexpr Rounding roundings[] = {Rounding::rn, Rounding::none};  // none means .rn; fma must state it
  static constexpr std::uint32_t f16_modifiers[] = {alu_ftz, alu_sat, alu_ftz | alu_sat, alu_relu, alu_ftz | alu_relu};
  for (Rounding rounding : roundings) {
    if (rounding == Rounding::none && operands == 3) continue;
    AluForm form = form_of(o, type);
    form.rounding = rounding;
    add_long<D, half_arithmetic<H, Op, operands, false, D>>(t, form);
    for (std::uint32_t flags : f16_modifiers) {
      if (!std::is_same_v<H, F16> && flags != alu_relu) continue;
      if ((flags & alu_relu) != 0 && operands == 2) continue;
      form.flags = flags;
      add_long<D, half_arithmetic<H, Op, operands, true, D>>(t, form);
    }
  }
}

template <class H, class D>
static void half_rows_of(AluTable& t, Type type) {
  half_arithmetic_rows<H, D, Add<float>, 2>(t, "add", type);
  half_arithmetic_rows<H, D, Sub<float>, 2>(t, "sub", type);
  half_arithmetic_rows<H, D, Mul<float>, 2>(t, "mul", type);
  half_arithmetic_rows<H, D, HalfFma<H>, 3>(t, "fma", type);
  const std::uint32_t ftz = std::is_same_v<H, F16> ? alu_ftz : 0u;
  with_subsets(form_of("min", type), ftz | alu_nan | alu_xorsign,
               [&](const AluForm& f) { add_long<D, half_words<HalfMinMax<H, false>, 2, D>>(t, f); });
  with_subsets(form_of("max", type), ftz | alu_nan | alu_xorsign,
               [&](const AluForm& f) { add_long<D, half_words<HalfMinMax<H, true>, 2, D>>(t, f); });
  with_subsets(form_of("abs", type), ftz,
               [&](const AluForm& f) { add_long<D, half_words<HalfSign<H, false>, 1, D>>(t, f); });
  with_subsets(form_of("neg", type), ftz,
               [&](const AluForm& f) { add_long<D, half_words<HalfSign<H, true>, 1, D>>(t, f); });
}

template <class H>
static void half_convert_rows(AluTable& t, Type type, Type pair) {
  AluForm form = form_of("cvt", Type::f32);
  form.source = type;
  add_long<float, widen_lanes<H>>(t, form);
  form.type = type;
  form.source = Type::f32;
  form.rounding = Rounding::rn;
  // Only f16 has .sat and .ftz, and never together with .relu or .satfinite.
  static constexpr std::uint32_t modifiers[] = {0,       alu_relu, alu_satfinite,    alu_relu | alu_satfinite,
                                                alu_sat, alu_ftz,  alu_ftz | alu_sat};
  for (std::uint32_t flags : modifiers) {
    if (!std::is_same_v<H, F16> && (flags & (alu_sat | alu_ftz)) != 0) continue;
    form.flags = flags;
    form.type = type;
    add_long<U16, narrow_lanes<H>>(t, form);
    if ((flags & (alu_sat | alu_ftz)) != 0) continue;
    form.type = pair;
    add_long<U32, narrow_pairs<H>>(t, form);
  }
}

static void add_half_rows(AluTable& t) {
  half_rows_of<F16, U16>(t, Type::f16);
  half_rows_of<F16, U32>(t, Type::f16x2);
  half_rows_of<Bf16, U16>(t, Type::bf16);
  half_rows_of<Bf16, U32>(t, Type::bf16x2);
  half_convert_rows<F16>(t, Type::f16, Type::f16x2);
  half_convert_rows<Bf16>(t, Type::bf16, Type::bf16x2);
}
