// set, setp and selp. A kernel compares 32 lanes into a mask. Few kernels are needed: > is < with exchanged operands,
// and an unordered comparison is the inverse of the opposite ordered one. See alu_lanes.inl.

// `integer` and `real`: the same for AVX-512, as in _mm512_cmp_epi32_mask() and _mm512_cmp_ps_mask().

// clang-format off
struct Equal     { template <class V> auto operator()(V a, V b) const { return a == b; }
                   static constexpr int integer = 0, real = 0x00; };
struct Less      { template <class V> auto operator()(V a, V b) const { return a < b; }
                   static constexpr int integer = 1, real = 0x11; };
struct LessEqual { template <class V> auto operator()(V a, V b) const { return a <= b; }
                   static constexpr int integer = 2, real = 0x12; };
// Ordered and not equal: neither value is a NaN.
struct Apart     { template <class V> auto operator()(V a, V b) const { return (a < b) | (a > b); }
                   static constexpr int integer = 4, real = 0x0c; };
struct Numbers   { template <class V> auto operator()(V a, V b) const { return (a == a) & (b == b); }
                   static constexpr int real = 0x07; };
// clang-format on

#if defined(__AVX512BW__)
// Compilers make a vector of truths first, and a mask from that.
template <class T, class Test>
static inline std::uint64_t compare_vectors(const Cell<T>* a, const Cell<T>* b) {
  constexpr bool is_real = T(0.5) != T(0), is_signed = T(-1) < T(0);
  if constexpr (is_real && sizeof(T) == 8)
    return _mm512_cmp_pd_mask(_mm512_load_pd(a), _mm512_load_pd(b), Test::real);
  else if constexpr (is_real)
    return _mm512_cmp_ps_mask(_mm512_load_ps(a), _mm512_load_ps(b), Test::real);
  else if constexpr (sizeof(T) == 8 && is_signed)
    return _mm512_cmp_epi64_mask(_mm512_load_si512(a), _mm512_load_si512(b), Test::integer);
  else if constexpr (sizeof(T) == 8)
    return _mm512_cmp_epu64_mask(_mm512_load_si512(a), _mm512_load_si512(b), Test::integer);
  else if constexpr (sizeof(T) == 4 && is_signed)
    return _mm512_cmp_epi32_mask(_mm512_load_si512(a), _mm512_load_si512(b), Test::integer);
  else if constexpr (sizeof(T) == 4)
    return _mm512_cmp_epu32_mask(_mm512_load_si512(a), _mm512_load_si512(b), Test::integer);
  else if constexpr (is_signed)
    return _mm512_cmp_epi16_mask(_mm512_load_si512(a), _mm512_load_si512(b), Test::integer);
  else
    return _mm512_cmp_epu16_mask(_mm512_load_si512(a), _mm512_load_si512(b), Test::integer);
}
#endif

template <class T, class Test>
static std::uint64_t compare_kernel(const std::byte* registers, const Operation& o) {
  const auto *a = slot<T>(registers, o.a), *b = slot<T>(registers, o.b);
#if defined(__AVX512BW__)
  std::uint64_t bits = 0;
  for (int i = 0; i < 32; i += vector_lanes<T>) bits |= compare_vectors<T, Test>(a + i, b + i) << i;
  return bits;
#else
  return compare_lanes(a, b, Test());
#endif
}
// f32 with .ftz.
template <class Test>
static std::uint64_t compare_flushed(const std::byte* registers, const Operation& o) {
  return compare_lanes(slot<float>(registers, o.a), slot<float>(registers, o.b), [](auto a, auto b) {
    const auto flush = [](auto x) {
      const auto bits = reinterpret_cast<Vector<U32>>(x);
      return reinterpret_cast<Vector<float>>((bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits);
    };
    return Test()(flush(a), flush(b));
  });
}

static inline std::uint32_t combine(const std::byte* registers, const Operation& o, std::uint32_t t) {
  if ((o.flags & (compare_and | compare_or | compare_xor)) == 0) return t;
  std::uint32_t c = read_predicate(registers, o.c);
  if ((o.flags & compare_negate_c) != 0) c = ~c;
  return (o.flags & compare_and) != 0 ? t & c : (o.flags & compare_or) != 0 ? t | c : t ^ c;
}

template <bool masked, std::uint64_t (*kernel)(const std::byte*, const Operation&)>
static void setp(std::byte* registers, const Operation& o, std::uint32_t mask) {
  if constexpr (!masked) mask = 0xffffffffu;
  auto t = static_cast<std::uint32_t>(kernel(registers, o));
  if ((o.flags & compare_invert) != 0) t = ~t;
  const std::uint32_t p = combine(registers, o, t), q = combine(registers, o, ~t);
  write_predicate(registers, o.dst, p, mask);
  if ((o.flags & compare_second) != 0) write_predicate(registers, o.dst2, q, mask);
}

// d = the value in Operation::extra where the comparison is true, else 0.
template <class D>
static void set(std::byte* registers, const Operation& o, Cell<D>* d) {
  const auto kernel = reinterpret_cast<CompareKernel>(o.immediate);
  auto t = static_cast<std::uint32_t>(kernel(registers, o));
  if ((o.flags & compare_invert) != 0) t = ~t;
  const std::uint32_t p = combine(registers, o, t);
  const D value = static_cast<D>(o.extra);
  for_lanes<D>(
      p, [=](int i, bool in) __attribute__((always_inline)) { d[i].v = in ? value : D(0); });
}

template <class T>
static __attribute__((noinline)) void selp(std::byte* registers, const Operation& o, Cell<T>* d) {
  const std::uint32_t c = read_predicate(registers, o.c);
  const auto *a = slot<T>(registers, o.a), *b = slot<T>(registers, o.b);
  for_lanes<T>(
      c, [=](int i, bool in) __attribute__((always_inline)) {
        const T x = a[i].v, y = b[i].v;
        d[i].v = in ? x : y;
      });
}

template <bool masked, class T>
static void copy(std::byte* registers, const Operation& o, std::uint32_t mask) {
  const auto* a = slot<T>(registers, o.a);
  auto* d = slot<T>(registers, o.dst);
  if constexpr (masked) {
    store_lanes<true>(
        d, mask, [=](int i) __attribute__((always_inline))->T { return a[i].v; });
  } else {
    for (int i = 0; i < 32; i += vector_lanes<T>)
      *reinterpret_cast<Vector<T>*>(d + i) = *reinterpret_cast<const Vector<T>*>(a + i);
  }
}

using Compare = ptx::Compare;

// The rows for one kernel: setp, and set with each result type.
template <std::uint64_t (*kernel)(const std::byte*, const Operation&)>
static void compare_rows(AluTable& t, Type source, Compare compare, bool invert, bool swap, std::uint32_t flags) {
  AluForm form;
  form.opcode = row_opcode("setp");
  form.type = form.source = source;
  form.compare = compare;
  form.flags = flags;
  t.add_compare(form, &setp<false, kernel>, &setp<true, kernel>, kernel, invert, swap);
  form.opcode = row_opcode("set");
  static constexpr Type results32[] = {Type::u32, Type::s32, Type::f32};
  for (Type type : results32) {
    form.type = type;
    t.add_compare(form, &long_full<U32, set<U32>>, &long_masked<U32, set<U32>>, kernel, invert, swap);
  }
  static constexpr Type results16[] = {Type::f16, Type::bf16};
  for (Type type : results16) {
    if (type == Type::bf16 && flags != 0) continue;  // bf16 has no .ftz
    form.type = type;
    t.add_compare(form, &long_full<U16, set<U16>>, &long_masked<U16, set<U16>>, kernel, invert, swap);
  }
}

template <class T>
static void ordered_integer_rows(AluTable& t, Type type) {
  compare_rows<compare_kernel<T, Less>>(t, type, Compare::lt, false, false, 0);
  compare_rows<compare_kernel<T, Less>>(t, type, Compare::gt, false, true, 0);
  compare_rows<compare_kernel<T, Less>>(t, type, Compare::ge, true, false, 0);
  compare_rows<compare_kernel<T, Less>>(t, type, Compare::le, true, true, 0);
  if (T(-1) < T(0)) return;
  compare_rows<compare_kernel<T, Less>>(t, type, Compare::lo, false, false, 0);
  compare_rows<compare_kernel<T, Less>>(t, type, Compare::hi, false, true, 0);
  compare_rows<compare_kernel<T, Less>>(t, type, Compare::hs, true, false, 0);
  compare_rows<compare_kernel<T, Less>>(t, type, Compare::ls, true, true, 0);
}
template <class T>
static void equality_rows(AluTable& t, Type type) {
  compare_rows<compare_kernel<T, Equal>>(t, type, Compare::eq, false, false, 0);
  compare_rows<compare_kernel<T, Equal>>(t, type, Compare::ne, true, false, 0);
}

template <std::uint64_t (*equal)(const std::byte*, const Operation&),
          std::uint64_t (*less)(const std::byte*, const Operation&),
          std::uint64_t (*less_equal)(const std::byte*, const Operation&),
          std::uint64_t (*apart)(const std::byte*, const Operation&),
          std::uint64_t (*numbers)(const std::byte*, const Operation&)>
static void float_compare_rows(AluTable& t, Type type, std::uint32_t flags) {
  compare_rows<equal>(t, type, Compare::eq, false, false, flags);
  compare_rows<equal>(t, type, Compare::neu, true, false, flags);
  compare_rows<apart>(t, type, Compare::ne, false, false, flags);
  compare_rows<apart>(t, type, Compare::equ, true, false, flags);
  compare_rows<less>(t, type, Compare::lt, false, false, flags);
  compare_rows<less>(t, type, Compare::gt, false, true, flags);
  compare_rows<less>(t, type, Compare::geu, true, false, flags);
  compare_rows<less>(t, type, Compare::leu, true, true, flags);
  compare_rows<less_equal>(t, type, Compare::le, false, false, flags);
  compare_rows<less_equal>(t, type, Compare::ge, false, true, flags);
  compare_rows<less_equal>(t, type, Compare::gtu, true, false, flags);
  compare_rows<less_equal>(t, type, Compare::ltu, true, true, flags);
  compare_rows<numbers>(t, type, Compare::num, false, false, flags);
  compare_rows<numbers>(t, type, Compare::nan, true, false, flags);
}

static void add_compare_rows(AluTable& t) {
  static constexpr Type all16[] = {Type::b16, Type::u16, Type::s16};
  static constexpr Type all32[] = {Type::b32, Type::u32, Type::s32};
  static constexpr Type all64[] = {Type::b64, Type::u64, Type::s64};
  for (Type type : all16) equality_rows<U16>(t, type);
  for (Type type : all32) equality_rows<U32>(t, type);
  for (Type type : all64) equality_rows<U64>(t, type);
  ordered_integer_rows<U16>(t, Type::u16);
  ordered_integer_rows<S16>(t, Type::s16);
  ordered_integer_rows<U32>(t, Type::u32);
  ordered_integer_rows<S32>(t, Type::s32);
  ordered_integer_rows<U64>(t, Type::u64);
  ordered_integer_rows<S64>(t, Type::s64);
  float_compare_rows<compare_kernel<float, Equal>, compare_kernel<float, Less>, compare_kernel<float, LessEqual>,
                     compare_kernel<float, Apart>, compare_kernel<float, Numbers>>(t, Type::f32, 0);
  float_compare_rows<compare_kernel<double, Equal>, compare_kernel<double, Less>, compare_kernel<double, LessEqual>,
                     compare_kernel<double, Apart>, compare_kernel<double, Numbers>>(t, Type::f64, 0);
  float_compare_rows<compare_flushed<Equal>, compare_flushed<Less>, compare_flushed<LessEqual>, compare_flushed<Apart>,
                     compare_flushed<Numbers>>(t, Type::f32, alu_ftz);

  static constexpr Type of16[] = {Type::b16, Type::u16, Type::s16};
  static constexpr Type of32[] = {Type::b32, Type::u32, Type::s32, Type::f32};
  static constexpr Type of64[] = {Type::b64, Type::u64, Type::s64, Type::f64};
  for (Type type : of16) {
    t.add(form_of("mov", type), &copy<false, U16>, &copy<true, U16>);
    add_long<U16, selp<U16>>(t, form_of("selp", type));
  }
  for (Type type : of32) {
    t.add(form_of("mov", type), &copy<false, U32>, &copy<true, U32>);
    add_long<U32, selp<U32>>(t, form_of("selp", type));
  }
  for (Type type : of64) {
    t.add(form_of("mov", type), &copy<false, U64>, &copy<true, U64>);
    add_long<U64, selp<U64>>(t, form_of("selp", type));
  }
}
