// The frequent integer, logic and shift instructions. See alu_lanes.inl.

template <class T>
struct Unsigned;
template <>
struct Unsigned<std::uint16_t> {
  using type = std::uint16_t;
};
template <>
struct Unsigned<U32> {
  using type = U32;
};
template <>
struct Unsigned<U64> {
  using type = U64;
};
template <>
struct Unsigned<std::int16_t> {
  using type = std::uint16_t;
};
template <>
struct Unsigned<S32> {
  using type = U32;
};
template <>
struct Unsigned<S64> {
  using type = U64;
};

// Arithmetic is unsigned, so that it wraps. 16-bit products are computed in 32 bits, because promotion to int could
// overflow.
template <class T>
struct Promoted {
  using type = T;
};
template <>
struct Promoted<std::uint16_t> {
  using type = U32;
};
template <class T>
using Word = typename Promoted<T>::type;

template <class T>
using UnsignedOf = typename Unsigned<T>::type;
// clang-format off
template <class T> struct Add   { T operator()(T a, T b) const { return static_cast<T>(a + b); } };
template <class T> struct Sub   { T operator()(T a, T b) const { return static_cast<T>(a - b); } };
template <class T> struct And   { T operator()(T a, T b) const { return a & b; } };
template <class T> struct Or    { T operator()(T a, T b) const { return a | b; } };
template <class T> struct Xor   { T operator()(T a, T b) const { return a ^ b; } };
template <class T> struct Not   { T operator()(T a) const { return static_cast<T>(~a); } };
template <class T> struct Cnot  { T operator()(T a) const { return a == 0 ? 1 : 0; } };
template <class T> struct Neg   { T operator()(T a) const { return static_cast<T>(T(0) - a); } };
template <class T> struct Min   { T operator()(T a, T b) const { return a < b ? a : b; } };
template <class T> struct Max   { T operator()(T a, T b) const { return a > b ? a : b; } };
template <class T> inline constexpr U32 width_of = 8 * sizeof(T);
// clang-format on
template <class T>
struct MulLo {
  T operator()(T a, T b) const { return static_cast<T>(Word<T>(a) * b); }
};
template <class T>
struct MadLo {
  T operator()(T a, T b, T c) const { return static_cast<T>(Word<T>(a) * b + c); }
};
template <class T>
struct Abs {
  T operator()(T a) const { return static_cast<T>(a < 0 ? UnsignedOf<T>(0) - UnsignedOf<T>(a) : UnsignedOf<T>(a)); }
};
template <class T>
struct MinRelu {
  T operator()(T a, T b) const { return Max<T>()(Min<T>()(a, b), T(0)); }
};
template <class T>
struct MaxRelu {
  T operator()(T a, T b) const { return Max<T>()(Max<T>()(a, b), T(0)); }
};
template <class T>
struct Sad {
  T operator()(T a, T b, T c) const {
    return static_cast<T>(UnsignedOf<T>(c) +
                          (a < b ? UnsignedOf<T>(b) - UnsignedOf<T>(a) : UnsignedOf<T>(a) - UnsignedOf<T>(b)));
  }
};
template <class T>
struct Shl {
  T operator()(T a, U32 b) const { return static_cast<T>(b < width_of<T> ? Word<T>(a) << (b & (width_of<T> - 1)) : 0); }
};
template <class T>
struct ShrUnsigned {
  T operator()(T a, U32 b) const { return static_cast<T>(b < width_of<T> ? a >> (b & (width_of<T> - 1)) : 0); }
};
// On a signed T the shift fills with the sign.
template <class T>
struct ShrSigned {
  T operator()(T a, U32 b) const { return static_cast<T>(a >> (b < width_of<T> ? b : width_of<T> - 1)); }
};

// Products that are twice as wide as their factors.
template <class Wide, class T>
struct MulWide {
  Wide operator()(T a, T b) const { return static_cast<Wide>(Wide(a) * Wide(b)); }
};
template <class Wide, class T>
struct MadWide {  // Wide is unsigned, so that the sum wraps
  Wide operator()(T a, T b, Wide c) const {
    using Product = std::conditional_t<(T(-1) < T(0)), std::make_signed_t<Wide>, Wide>;
    return static_cast<Wide>(static_cast<Wide>(Product(a) * Product(b)) + c);
  }
};
template <class Wide, class T>
struct MulHi {
  T operator()(T a, T b) const { return static_cast<T>((Wide(a) * Wide(b)) >> (8 * sizeof(T))); }
};
template <class Wide, class T>
struct MadHi {
  T operator()(T a, T b, T c) const { return static_cast<T>(UnsignedOf<T>(MulHi<Wide, T>()(a, b)) + UnsignedOf<T>(c)); }
};

// The quotient of 32-bit integers is exact in double: its distance from the next integer is at least 1/b. The rounding
// error of the division is less: at most 2^-53 times a quotient below 2^32 / b.
struct DivU32 {
  // Divisor 1 << shift; mask = (1 << shift) - 1.
  struct ByPower {
    U32 mask, shift;
    U32 operator()(U32 a) const { return a >> shift; }
  };
  // The low bits of 2^52 + x are x for an integer x below 2^52. Every instruction set can vectorise this conversion.
  static constexpr double offset = 0x1p52;
  static double number(U32 x) { return bits_as<double>(bits_as<U64>(offset) | x) - offset; }
  U32 operator()(U32 a, U32 b) const {
    const double quotient = number(a) / number(b == 0 ? 1u : b);
    const double nearest = (quotient + offset) - offset;
    const double floor = nearest > quotient ? nearest - 1.0 : nearest;
    const auto q = static_cast<U32>(bits_as<U64>(floor + offset));
    return b == 0 ? 0xffffffffu : q;
  }
};
struct DivS32 {
  // Rounds towards zero.
  struct ByPower {
    U32 mask, shift;
    S32 operator()(S32 a) const {
      const U32 bias = static_cast<U32>(a >> 31) & mask;
      return static_cast<S32>(static_cast<U32>(a) + bias) >> shift;
    }
  };
  S32 operator()(S32 a, S32 b) const {
    const bool overflow = (a == -2147483647 - 1) & (b == -1);
    const double quotient = static_cast<double>(overflow ? 0 : a) / static_cast<double>(b == 0 ? 1 : b);
    const auto q = static_cast<S32>(quotient);
    return b == 0 ? -1 : overflow ? a : q;
  }
};
struct RemU32 {
  struct ByPower {
    U32 mask, shift;
    U32 operator()(U32 a) const { return a & mask; }
  };
  U32 operator()(U32 a, U32 b) const { return b == 0 ? 0xffffffffu : a - DivU32()(a, b) * b; }
};
struct RemS32 {
  struct ByPower {
    U32 mask, shift;
    S32 operator()(S32 a) const {
      const U32 bias = static_cast<U32>(a >> 31) & mask;
      return static_cast<S32>(((static_cast<U32>(a) + bias) & mask) - bias);
    }
  };
  S32 operator()(S32 a, S32 b) const {
    const auto q = static_cast<U32>(DivS32()(a, b));
    return b == 0 ? -1 : static_cast<S32>(static_cast<U32>(a) - q * static_cast<U32>(b));
  }
};

// Mostly all lanes divide by the same power of two. Then a shift replaces the division.
template <class Op, class T>
static __attribute__((noinline)) void division_body(std::byte* registers, const Operation& o, Cell<T>* d) {
  const auto* a = slot<T>(registers, o.a);
  const auto* b = slot<T>(registers, o.b);
  const T divisor = b[0].v;
  if (!all_alike(b) || divisor <= 0 || (divisor & (divisor - 1)) != 0) return binary_body<Op, T, T, T>(registers, o, d);
  const auto power = static_cast<U32>(divisor);
  const typename Op::ByPower op{power - 1, static_cast<U32>(__builtin_ctz(power))};
  store_lanes<false>(
      d, 0, [=](int i) __attribute__((always_inline))->T { return op(a[i].v); });
}

// Funnel shifts of the 64-bit value b:a.
template <bool left, bool clamp>
struct Shf {
  U32 operator()(U32 a, U32 b, U32 c) const {
    const U32 n = clamp ? (c < 32 ? c : 32) : c & 31;
    const U64 both = (static_cast<U64>(b) << 32) | a;
    return left ? static_cast<U32>((both << n) >> 32) : static_cast<U32>(both >> n);
  }
};

// The truth table as a tree of multiplexers over constants: c selects the value for each (a, b), then b for each a,
// then a.
struct Lop3 {
  // For (a, b) = 00, 01, 10, 11: the result for c = 0, and the bits that c = 1 changes.
  U32 low[4], change[4];
  explicit Lop3(const Operation& o) {
    for (int i = 0; i < 4; ++i) {
      low[i] = (o.immediate >> (2 * i)) & 1 ? ~0u : 0u;
      change[i] = low[i] ^ ((o.immediate >> (2 * i + 1)) & 1 ? ~0u : 0u);
    }
  }
  U32 operator()(U32 a, U32 b, U32 c) const {
    const U32 t00 = low[0] ^ (c & change[0]), t01 = low[1] ^ (c & change[1]);
    const U32 t10 = low[2] ^ (c & change[2]), t11 = low[3] ^ (c & change[3]);
    const U32 t0 = t00 ^ (b & (t00 ^ t01)), t1 = t10 ^ (b & (t10 ^ t11));
    return t0 ^ (a & (t0 ^ t1));
  }
};

// prmt without a mode: each nibble of c selects a byte of b:a. If the nibble's top bit is set, the result byte is
// filled with that byte's sign.
struct Prmt {
  U32 operator()(U32 a, U32 b, U32 c) const {
    U32 result = 0;
    for (U32 k = 0; k < 4; ++k) {
      const U32 selector = c >> (4 * k);
      const U32 word = (selector & 4) != 0 ? b : a;
      const U32 byte = (word >> (8 * (selector & 3))) & 0xff;
      const U32 sign = (byte & 0x80) != 0 ? 0xffu : 0u;
      result |= ((selector & 8) != 0 ? sign : byte) << (8 * k);
    }
    return result;
  }
};

template <class T>
struct Bfe {
  T operator()(T a, U32 b, U32 c) const {
    constexpr U32 width = 8 * sizeof(T);
    const U32 position = b & 0xff, length = c & 0xff;
    const bool is_signed = T(-1) < T(0);
    // If signed, an arithmetic shift supplies the sign where the field extends beyond a. Then the field's top bit is
    // moved up and back to extend its sign.
    const T shifted = is_signed ? static_cast<T>(a >> (position < width ? position : width - 1))
                                : static_cast<T>(position < width ? a >> (position & (width - 1)) : T(0));
    const U32 spare = length < width ? width - length : 0;
    const auto up = static_cast<T>(static_cast<UnsignedOf<T>>(shifted) << (spare & (width - 1)));
    const auto back = static_cast<T>(up >> (spare & (width - 1)));
    return length == 0 ? T(0) : back;
  }
};
template <class T>
struct Bfi {
  T operator()(T a, T b, U32 c, U32 d) const {
    constexpr U32 width = 8 * sizeof(T);
    const U32 position = c & 0xff, length = d & 0xff;
    const T ones = length < width ? static_cast<T>((T(1) << (length & (width - 1))) - 1) : static_cast<T>(~T(0));
    const T field = position < width ? static_cast<T>(ones << (position & (width - 1))) : T(0);
    const T value = static_cast<T>(a << (position & (width - 1)));
    return (b & ~field) | (value & field);
  }
};

template <class T>
static __attribute__((noinline)) void bfi(std::byte* registers, const Operation& o, Cell<T>* d) {
  const auto *a = slot<T>(registers, o.a), *b = slot<T>(registers, o.b);
  const auto *position = slot<U32>(registers, o.c), *length = slot<U32>(registers, o.d);
  store_lanes<false>(
      d,
      0, [=](int i) __attribute__((always_inline))->T { return Bfi<T>()(a[i].v, b[i].v, position[i].v, length[i].v); });
}

template <class T>
struct Popc {
  U32 operator()(T a) const {
    if constexpr (sizeof(T) == 8)
      return static_cast<U32>(__builtin_popcountll(a));
    else
      return static_cast<U32>(__builtin_popcount(a));
  }
};
template <class T>
struct Clz {
  U32 operator()(T a) const {
    if constexpr (sizeof(T) == 8)
      return a == 0 ? 64u : static_cast<U32>(__builtin_clzll(a));
    else
      return a == 0 ? 32u : static_cast<U32>(__builtin_clz(a));
  }
};

// Rows of a binary operation for every integer type. words2: `Op` on unsigned words, since the sign does not matter.
template <template <class> class Op>
static void words2(AluTable& t, Mnemonic o, U32 flags = 0) {
  for (Type type : types16) long2<Op<U16>, U16, U16, U16>(t, form_of(o, type, flags));
  for (Type type : types32) row2<Op<U32>, U32, U32, U32>(t, form_of(o, type, flags));
  for (Type type : types64) row2<Op<U64>, U64, U64, U64>(t, form_of(o, type, flags));
}
// numbers2: `Op` on words with the type's sign.
template <template <class> class Op>
static void numbers2(AluTable& t, Mnemonic o) {
  long2<Op<U16>, U16, U16, U16>(t, form_of(o, Type::u16));
  long2<Op<S16>, S16, S16, S16>(t, form_of(o, Type::s16));
  row2<Op<U32>, U32, U32, U32>(t, form_of(o, Type::u32));
  row2<Op<S32>, S32, S32, S32>(t, form_of(o, Type::s32));
  row2<Op<U64>, U64, U64, U64>(t, form_of(o, Type::u64));
  row2<Op<S64>, S64, S64, S64>(t, form_of(o, Type::s64));
}
template <template <class> class Op>
static void bits2(AluTable& t, Mnemonic o) {
  long2<Op<U16>, U16, U16, U16>(t, form_of(o, Type::b16));
  row2<Op<U32>, U32, U32, U32>(t, form_of(o, Type::b32));
  row2<Op<U64>, U64, U64, U64>(t, form_of(o, Type::b64));
}
template <template <class> class Op>
static void bits1(AluTable& t, Mnemonic o) {
  long1<Op<U16>, U16, U16>(t, form_of(o, Type::b16));
  row1<Op<U32>, U32, U32>(t, form_of(o, Type::b32));
  row1<Op<U64>, U64, U64>(t, form_of(o, Type::b64));
}

static void add_integer_rows(AluTable& t) {
  words2<Add>(t, "add");
  words2<Sub>(t, "sub");
  words2<MulLo>(t, "mul", alu_lo);
  numbers2<Min>(t, "min");
  numbers2<Max>(t, "max");
  long2<MinRelu<S32>, S32, S32, S32>(t, form_of("min", Type::s32, alu_relu));
  long2<MaxRelu<S32>, S32, S32, S32>(t, form_of("max", Type::s32, alu_relu));

  for (Type type : types16) long3<MadLo<U16>, U16, U16, U16, U16>(t, form_of("mad", type, alu_lo));
  for (Type type : types32) row3<MadLo<U32>, U32, U32, U32, U32>(t, form_of("mad", type, alu_lo));
  for (Type type : types64) row3<MadLo<U64>, U64, U64, U64, U64>(t, form_of("mad", type, alu_lo));
  long2<MulWide<U32, U16>, U32, U16, U16>(t, form_of("mul", Type::u16, alu_wide));
  long2<MulWide<S32, S16>, S32, S16, S16>(t, form_of("mul", Type::s16, alu_wide));
  row2<MulWide<U64, U32>, U64, U32, U32>(t, form_of("mul", Type::u32, alu_wide));
  row2<MulWide<S64, S32>, S64, S32, S32>(t, form_of("mul", Type::s32, alu_wide));
  long3<MadWide<U32, U16>, U32, U16, U16, U32>(t, form_of("mad", Type::u16, alu_wide));
  long3<MadWide<U32, S16>, U32, S16, S16, U32>(t, form_of("mad", Type::s16, alu_wide));
  row3<MadWide<U64, U32>, U64, U32, U32, U64>(t, form_of("mad", Type::u32, alu_wide));
  row3<MadWide<U64, S32>, U64, S32, S32, U64>(t, form_of("mad", Type::s32, alu_wide));
  long2<MulHi<U32, U16>, U16, U16, U16>(t, form_of("mul", Type::u16, alu_hi));
  long2<MulHi<S32, S16>, S16, S16, S16>(t, form_of("mul", Type::s16, alu_hi));
  long2<MulHi<U64, U32>, U32, U32, U32>(t, form_of("mul", Type::u32, alu_hi));
  long2<MulHi<S64, S32>, S32, S32, S32>(t, form_of("mul", Type::s32, alu_hi));
  long3<MadHi<U32, U16>, U16, U16, U16, U16>(t, form_of("mad", Type::u16, alu_hi));
  long3<MadHi<S32, S16>, S16, S16, S16, S16>(t, form_of("mad", Type::s16, alu_hi));
  long3<MadHi<U64, U32>, U32, U32, U32, U32>(t, form_of("mad", Type::u32, alu_hi));
  long3<MadHi<S64, S32>, S32, S32, S32, S32>(t, form_of("mad", Type::s32, alu_hi));

  long1<Abs<S16>, S16, S16>(t, form_of("abs", Type::s16));
  row1<Abs<S32>, S32, S32>(t, form_of("abs", Type::s32));
  long1<Abs<S64>, S64, S64>(t, form_of("abs", Type::s64));
  long1<Neg<U16>, U16, U16>(t, form_of("neg", Type::s16));
  row1<Neg<U32>, U32, U32>(t, form_of("neg", Type::s32));
  row1<Neg<U64>, U64, U64>(t, form_of("neg", Type::s64));
  long3<Sad<U32>, U32, U32, U32, U32>(t, form_of("sad", Type::u32));
  long3<Sad<S32>, S32, S32, S32, S32>(t, form_of("sad", Type::s32));
  add_long<U32, division_body<DivU32, U32>>(t, form_of("div", Type::u32));
  add_long<S32, division_body<DivS32, S32>>(t, form_of("div", Type::s32));
  add_long<U32, division_body<RemU32, U32>>(t, form_of("rem", Type::u32));
  add_long<S32, division_body<RemS32, S32>>(t, form_of("rem", Type::s32));

  bits2<And>(t, "and");
  bits2<Or>(t, "or");
  bits2<Xor>(t, "xor");
  bits1<Not>(t, "not");
  bits1<Cnot>(t, "cnot");
  long3<Lop3, U32, U32, U32, U32>(t, form_of("lop3", Type::b32));
  long2<Shl<U16>, U16, U16, U32>(t, form_of("shl", Type::b16));
  row2<Shl<U32>, U32, U32, U32>(t, form_of("shl", Type::b32));
  row2<Shl<U64>, U64, U64, U32>(t, form_of("shl", Type::b64));
  long2<ShrUnsigned<U16>, U16, U16, U32>(t, form_of("shr", Type::b16));
  long2<ShrUnsigned<U16>, U16, U16, U32>(t, form_of("shr", Type::u16));
  row2<ShrUnsigned<U32>, U32, U32, U32>(t, form_of("shr", Type::b32));
  row2<ShrUnsigned<U32>, U32, U32, U32>(t, form_of("shr", Type::u32));
  row2<ShrUnsigned<U64>, U64, U64, U32>(t, form_of("shr", Type::b64));
  row2<ShrUnsigned<U64>, U64, U64, U32>(t, form_of("shr", Type::u64));
  long2<ShrSigned<S16>, S16, S16, U32>(t, form_of("shr", Type::s16));
  row2<ShrSigned<S32>, S32, S32, U32>(t, form_of("shr", Type::s32));
  row2<ShrSigned<S64>, S64, S64, U32>(t, form_of("shr", Type::s64));
  long3<Shf<true, true>, U32, U32, U32, U32>(t, form_of("shf", Type::b32, alu_left | alu_clamp));
  long3<Shf<true, false>, U32, U32, U32, U32>(t, form_of("shf", Type::b32, alu_left | alu_wrap));
  long3<Shf<false, true>, U32, U32, U32, U32>(t, form_of("shf", Type::b32, alu_right | alu_clamp));
  long3<Shf<false, false>, U32, U32, U32, U32>(t, form_of("shf", Type::b32, alu_right | alu_wrap));

  long3<Prmt, U32, U32, U32, U32>(t, form_of("prmt", Type::b32));
  long3<Bfe<U32>, U32, U32, U32, U32>(t, form_of("bfe", Type::u32));
  long3<Bfe<S32>, S32, S32, U32, U32>(t, form_of("bfe", Type::s32));
  long3<Bfe<U64>, U64, U64, U32, U32>(t, form_of("bfe", Type::u64));
  long3<Bfe<S64>, S64, S64, U32, U32>(t, form_of("bfe", Type::s64));
  add_long<U32, bfi<U32>>(t, form_of("bfi", Type::b32));
  add_long<U64, bfi<U64>>(t, form_of("bfi", Type::b64));
  long1<Popc<U32>, U32, U32>(t, form_of("popc", Type::b32));
  long1<Popc<U64>, U32, U64>(t, form_of("popc", Type::b64));
  long1<Clz<U32>, U32, U32>(t, form_of("clz", Type::b32));
  long1<Clz<U64>, U32, U64>(t, form_of("clz", Type::b64));
}
