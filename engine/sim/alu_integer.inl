// Integer arithmetic, logic and shifts that kernels are full of. See alu_lanes.inl.

template <class T> struct Unsigned;
template <> struct Unsigned<std::uint16_t> { using type = std::uint16_t; };
template <> struct Unsigned<std::uint32_t> { using type = std::uint32_t; };
template <> struct Unsigned<std::uint64_t> { using type = std::uint64_t; };
template <> struct Unsigned<std::int16_t> { using type = std::uint16_t; };
template <> struct Unsigned<std::int32_t> { using type = std::uint32_t; };
template <> struct Unsigned<std::int64_t> { using type = std::uint64_t; };

// Arithmetic is done unsigned: it wraps. 16-bit products are formed in 32 bits, out of reach of int.
template <class T> struct Promoted { using type = T; };
template <> struct Promoted<std::uint16_t> { using type = std::uint32_t; };
template <class T> using Word = typename Promoted<T>::type;

template <class T> using U = typename Unsigned<T>::type;
// clang-format off
template <class T> struct Add   { T operator()(T a, T b) const { return static_cast<T>(a + b); } };
template <class T> struct Sub   { T operator()(T a, T b) const { return static_cast<T>(a - b); } };
template <class T> struct MulLo { T operator()(T a, T b) const { return static_cast<T>(Word<T>(a) * b); } };
template <class T> struct MadLo { T operator()(T a, T b, T c) const { return static_cast<T>(Word<T>(a) * b + c); } };
template <class T> struct And   { T operator()(T a, T b) const { return a & b; } };
template <class T> struct Or    { T operator()(T a, T b) const { return a | b; } };
template <class T> struct Xor   { T operator()(T a, T b) const { return a ^ b; } };
template <class T> struct Not   { T operator()(T a) const { return static_cast<T>(~a); } };
template <class T> struct Cnot  { T operator()(T a) const { return a == 0 ? 1 : 0; } };
template <class T> struct Neg   { T operator()(T a) const { return static_cast<T>(T(0) - a); } };
template <class T> struct Abs   { T operator()(T a) const { return static_cast<T>(a < 0 ? U<T>(0) - U<T>(a) : U<T>(a)); } };
template <class T> struct Min   { T operator()(T a, T b) const { return a < b ? a : b; } };
template <class T> struct Max   { T operator()(T a, T b) const { return a > b ? a : b; } };
template <class T> struct MinRelu { T operator()(T a, T b) const { return Max<T>()(Min<T>()(a, b), T(0)); } };
template <class T> struct MaxRelu { T operator()(T a, T b) const { return Max<T>()(Max<T>()(a, b), T(0)); } };
template <class T> struct Sad   { T operator()(T a, T b, T c) const { return static_cast<T>(U<T>(c) + (a < b ? U<T>(b) - U<T>(a) : U<T>(a) - U<T>(b))); } };
template <class T> inline constexpr u32 width_of = 8 * sizeof(T);
template <class T> struct Shl   { T operator()(T a, u32 b) const { return static_cast<T>(b < width_of<T> ? Word<T>(a) << (b & (width_of<T> - 1)) : 0); } };
// On a signed T the shift fills with the sign.
template <class T> struct ShrUnsigned { T operator()(T a, u32 b) const { return static_cast<T>(b < width_of<T> ? a >> (b & (width_of<T> - 1)) : 0); } };
template <class T> struct ShrSigned   { T operator()(T a, u32 b) const { return static_cast<T>(a >> (b < width_of<T> ? b : width_of<T> - 1)); } };
// clang-format on

// Products twice as wide as their factors.
template <class Wide, class T>
struct MulWide {
  Wide operator()(T a, T b) const { return static_cast<Wide>(Wide(a) * Wide(b)); }
};
template <class Wide, class T>
struct MadWide {  // Wide unsigned: the sum wraps
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
  T operator()(T a, T b, T c) const {
    return static_cast<T>(U<T>(MulHi<Wide, T>()(a, b)) + U<T>(c));
  }
};

// A quotient of 32-bit integers is exact in double: its distance from the next integer, at least 1/b, exceeds the
// rounding error of the division, at most 2^-53 of a quotient below 2^32 / b.
struct DivU32 {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    const double quotient = static_cast<double>(a) / static_cast<double>(b == 0 ? 1u : b);
    // Below 2^32: by way of int64, which every instruction set converts to, slowly or not.
    const auto q = static_cast<std::uint32_t>(static_cast<std::int64_t>(quotient));
    return b == 0 ? 0xffffffffu : q;
  }
};
struct DivS32 {
  std::int32_t operator()(std::int32_t a, std::int32_t b) const {
    const bool overflow = a == -2147483647 - 1 && b == -1;
    const double quotient = static_cast<double>(overflow ? 0 : a) / static_cast<double>(b == 0 ? 1 : b);
    const auto q = static_cast<std::int32_t>(quotient);
    return b == 0 ? -1 : overflow ? a : q;
  }
};
struct RemU32 {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b) const {
    return b == 0 ? a : a - DivU32()(a, b) * b;
  }
};
struct RemS32 {
  std::int32_t operator()(std::int32_t a, std::int32_t b) const {
    const auto q = static_cast<std::uint32_t>(DivS32()(a, b));
    return b == 0 ? a : static_cast<std::int32_t>(static_cast<std::uint32_t>(a) - q * static_cast<std::uint32_t>(b));
  }
};

// Funnel shifts: b:a is the 64-bit value.
template <bool left, bool clamp>
struct Shf {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
    const std::uint32_t n = clamp ? (c < 32 ? c : 32) : c & 31;
    const std::uint64_t both = (static_cast<std::uint64_t>(b) << 32) | a;
    return left ? static_cast<std::uint32_t>((both << n) >> 32) : static_cast<std::uint32_t>(both >> n);
  }
};

// The truth table selects between two functions of (a, b) by c, those between four of a by b, and so on: a tree
// of multiplexers over constants.
struct Lop3 {
  std::uint32_t low[4], change[4];  // result for c = 0, and what c = 1 changes, for (a, b) = 00, 01, 10, 11
  explicit Lop3(const Operation& o) {
    for (int i = 0; i < 4; ++i) {
      low[i] = (o.immediate >> (2 * i)) & 1 ? ~0u : 0u;
      change[i] = low[i] ^ ((o.immediate >> (2 * i + 1)) & 1 ? ~0u : 0u);
    }
  }
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
    const std::uint32_t t00 = low[0] ^ (c & change[0]), t01 = low[1] ^ (c & change[1]);
    const std::uint32_t t10 = low[2] ^ (c & change[2]), t11 = low[3] ^ (c & change[3]);
    const std::uint32_t t0 = t00 ^ (b & (t00 ^ t01)), t1 = t10 ^ (b & (t10 ^ t11));
    return t0 ^ (a & (t0 ^ t1));
  }
};

// prmt without a mode: each nibble of c picks a byte of b:a; its top bit asks for that byte's sign instead.
struct Prmt {
  std::uint32_t operator()(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
    std::uint32_t result = 0;
    for (std::uint32_t k = 0; k < 4; ++k) {
      const std::uint32_t selector = c >> (4 * k);
      const std::uint32_t word = (selector & 4) != 0 ? b : a;
      const std::uint32_t byte = (word >> (8 * (selector & 3))) & 0xff;
      const std::uint32_t sign = (byte & 0x80) != 0 ? 0xffu : 0u;
      result |= ((selector & 8) != 0 ? sign : byte) << (8 * k);
    }
    return result;
  }
};

template <class T>
struct Bfe {
  T operator()(T a, std::uint32_t b, std::uint32_t c) const {
    constexpr std::uint32_t width = 8 * sizeof(T);
    const std::uint32_t position = b & 0xff, length = c & 0xff;
    const bool is_signed = T(-1) < T(0);
    // Signed: an arithmetic shift supplies the sign where the field leaves a. The field's top bit is moved up and back.
    const T shifted = is_signed ? static_cast<T>(a >> (position < width ? position : width - 1))
                                : static_cast<T>(position < width ? a >> (position & (width - 1)) : T(0));
    const std::uint32_t spare = length < width ? width - length : 0;
    const auto up = static_cast<T>(static_cast<U<T>>(shifted) << (spare & (width - 1)));
    const auto back = static_cast<T>(up >> (spare & (width - 1)));
    return length == 0 ? T(0) : back;
  }
};
template <class T>
struct Bfi {
  T operator()(T a, T b, std::uint32_t c, std::uint32_t d) const {
    constexpr std::uint32_t width = 8 * sizeof(T);
    const std::uint32_t position = c & 0xff, length = d & 0xff;
    const T ones = length < width ? static_cast<T>((T(1) << (length & (width - 1))) - 1) : static_cast<T>(~T(0));
    const T field = position < width ? static_cast<T>(ones << (position & (width - 1))) : T(0);
    const T value = static_cast<T>(a << (position & (width - 1)));
    return (b & ~field) | (value & field);
  }
};

template <class T>
static __attribute__((noinline)) void bfi(std::byte* registers, const Operation& o, Cell<T>* d) {
  const auto *a = slot<T>(registers, o.a), *b = slot<T>(registers, o.b);
  const auto *position = slot<u32>(registers, o.c), *length = slot<u32>(registers, o.d);
  store_lanes<false>(d, 0, [=](int i) __attribute__((always_inline)) -> T {
    return Bfi<T>()(a[i].v, b[i].v, position[i].v, length[i].v);
  });
}

template <class T> struct Popc {
  std::uint32_t operator()(T a) const {
    if constexpr (sizeof(T) == 8) return static_cast<std::uint32_t>(__builtin_popcountll(a));
    else return static_cast<std::uint32_t>(__builtin_popcount(a));
  }
};
template <class T> struct Clz {
  std::uint32_t operator()(T a) const {
    if constexpr (sizeof(T) == 8) return a == 0 ? 64u : static_cast<std::uint32_t>(__builtin_clzll(a));
    else return a == 0 ? 32u : static_cast<std::uint32_t>(__builtin_clz(a));
  }
};

// Rows of a binary operation for every integer type: `Op` on unsigned words, whatever the sign …
template <template <class> class Op>
static void words2(AluTable& t, Opcode o, std::uint32_t flags = 0) {
  for (Type type : types16) long2<Op<u16>, u16, u16, u16>(t, form_of(o, type, flags));
  for (Type type : types32) row2<Op<u32>, u32, u32, u32>(t, form_of(o, type, flags));
  for (Type type : types64) row2<Op<u64>, u64, u64, u64>(t, form_of(o, type, flags));
}
// … or on words of that sign.
template <template <class> class Op>
static void numbers2(AluTable& t, Opcode o) {
  long2<Op<u16>, u16, u16, u16>(t, form_of(o, Type::u16));
  long2<Op<s16>, s16, s16, s16>(t, form_of(o, Type::s16));
  row2<Op<u32>, u32, u32, u32>(t, form_of(o, Type::u32));
  row2<Op<s32>, s32, s32, s32>(t, form_of(o, Type::s32));
  row2<Op<u64>, u64, u64, u64>(t, form_of(o, Type::u64));
  row2<Op<s64>, s64, s64, s64>(t, form_of(o, Type::s64));
}
template <template <class> class Op>
static void bits2(AluTable& t, Opcode o) {
  long2<Op<u16>, u16, u16, u16>(t, form_of(o, Type::b16));
  row2<Op<u32>, u32, u32, u32>(t, form_of(o, Type::b32));
  row2<Op<u64>, u64, u64, u64>(t, form_of(o, Type::b64));
}
template <template <class> class Op>
static void bits1(AluTable& t, Opcode o) {
  long1<Op<u16>, u16, u16>(t, form_of(o, Type::b16));
  row1<Op<u32>, u32, u32>(t, form_of(o, Type::b32));
  row1<Op<u64>, u64, u64>(t, form_of(o, Type::b64));
}

static void add_integer_rows(AluTable& t) {
  words2<Add>(t, Opcode::add);
  words2<Sub>(t, Opcode::sub);
  words2<MulLo>(t, Opcode::mul, alu_lo);
  numbers2<Min>(t, Opcode::min);
  numbers2<Max>(t, Opcode::max);
  long2<MinRelu<s32>, s32, s32, s32>(t, form_of(Opcode::min, Type::s32, alu_relu));
  long2<MaxRelu<s32>, s32, s32, s32>(t, form_of(Opcode::max, Type::s32, alu_relu));

  for (Type type : types16) long3<MadLo<u16>, u16, u16, u16, u16>(t, form_of(Opcode::mad, type, alu_lo));
  for (Type type : types32) row3<MadLo<u32>, u32, u32, u32, u32>(t, form_of(Opcode::mad, type, alu_lo));
  for (Type type : types64) row3<MadLo<u64>, u64, u64, u64, u64>(t, form_of(Opcode::mad, type, alu_lo));
  long2<MulWide<u32, u16>, u32, u16, u16>(t, form_of(Opcode::mul, Type::u16, alu_wide));
  long2<MulWide<s32, s16>, s32, s16, s16>(t, form_of(Opcode::mul, Type::s16, alu_wide));
  row2<MulWide<u64, u32>, u64, u32, u32>(t, form_of(Opcode::mul, Type::u32, alu_wide));
  row2<MulWide<s64, s32>, s64, s32, s32>(t, form_of(Opcode::mul, Type::s32, alu_wide));
  long3<MadWide<u32, u16>, u32, u16, u16, u32>(t, form_of(Opcode::mad, Type::u16, alu_wide));
  long3<MadWide<u32, s16>, u32, s16, s16, u32>(t, form_of(Opcode::mad, Type::s16, alu_wide));
  row3<MadWide<u64, u32>, u64, u32, u32, u64>(t, form_of(Opcode::mad, Type::u32, alu_wide));
  row3<MadWide<u64, s32>, u64, s32, s32, u64>(t, form_of(Opcode::mad, Type::s32, alu_wide));
  long2<MulHi<u32, u16>, u16, u16, u16>(t, form_of(Opcode::mul, Type::u16, alu_hi));
  long2<MulHi<s32, s16>, s16, s16, s16>(t, form_of(Opcode::mul, Type::s16, alu_hi));
  long2<MulHi<u64, u32>, u32, u32, u32>(t, form_of(Opcode::mul, Type::u32, alu_hi));
  long2<MulHi<s64, s32>, s32, s32, s32>(t, form_of(Opcode::mul, Type::s32, alu_hi));
  long3<MadHi<u32, u16>, u16, u16, u16, u16>(t, form_of(Opcode::mad, Type::u16, alu_hi));
  long3<MadHi<s32, s16>, s16, s16, s16, s16>(t, form_of(Opcode::mad, Type::s16, alu_hi));
  long3<MadHi<u64, u32>, u32, u32, u32, u32>(t, form_of(Opcode::mad, Type::u32, alu_hi));
  long3<MadHi<s64, s32>, s32, s32, s32, s32>(t, form_of(Opcode::mad, Type::s32, alu_hi));

  long1<Abs<s16>, s16, s16>(t, form_of(Opcode::abs, Type::s16));
  row1<Abs<s32>, s32, s32>(t, form_of(Opcode::abs, Type::s32));
  long1<Abs<s64>, s64, s64>(t, form_of(Opcode::abs, Type::s64));
  long1<Neg<u16>, u16, u16>(t, form_of(Opcode::neg, Type::s16));
  row1<Neg<u32>, u32, u32>(t, form_of(Opcode::neg, Type::s32));
  row1<Neg<u64>, u64, u64>(t, form_of(Opcode::neg, Type::s64));
  long3<Sad<u32>, u32, u32, u32, u32>(t, form_of(Opcode::sad, Type::u32));
  long3<Sad<s32>, s32, s32, s32, s32>(t, form_of(Opcode::sad, Type::s32));
  long2<DivU32, u32, u32, u32>(t, form_of(Opcode::div, Type::u32));
  long2<DivS32, s32, s32, s32>(t, form_of(Opcode::div, Type::s32));
  long2<RemU32, u32, u32, u32>(t, form_of(Opcode::rem, Type::u32));
  long2<RemS32, s32, s32, s32>(t, form_of(Opcode::rem, Type::s32));

  bits2<And>(t, Opcode::and_);
  bits2<Or>(t, Opcode::or_);
  bits2<Xor>(t, Opcode::xor_);
  bits1<Not>(t, Opcode::not_);
  bits1<Cnot>(t, Opcode::cnot);
  long3<Lop3, u32, u32, u32, u32>(t, form_of(Opcode::lop3, Type::b32));
  long2<Shl<u16>, u16, u16, u32>(t, form_of(Opcode::shl, Type::b16));
  row2<Shl<u32>, u32, u32, u32>(t, form_of(Opcode::shl, Type::b32));
  row2<Shl<u64>, u64, u64, u32>(t, form_of(Opcode::shl, Type::b64));
  long2<ShrUnsigned<u16>, u16, u16, u32>(t, form_of(Opcode::shr, Type::b16));
  long2<ShrUnsigned<u16>, u16, u16, u32>(t, form_of(Opcode::shr, Type::u16));
  row2<ShrUnsigned<u32>, u32, u32, u32>(t, form_of(Opcode::shr, Type::b32));
  row2<ShrUnsigned<u32>, u32, u32, u32>(t, form_of(Opcode::shr, Type::u32));
  row2<ShrUnsigned<u64>, u64, u64, u32>(t, form_of(Opcode::shr, Type::b64));
  row2<ShrUnsigned<u64>, u64, u64, u32>(t, form_of(Opcode::shr, Type::u64));
  long2<ShrSigned<s16>, s16, s16, u32>(t, form_of(Opcode::shr, Type::s16));
  row2<ShrSigned<s32>, s32, s32, u32>(t, form_of(Opcode::shr, Type::s32));
  row2<ShrSigned<s64>, s64, s64, u32>(t, form_of(Opcode::shr, Type::s64));
  long3<Shf<true, true>, u32, u32, u32, u32>(t, form_of(Opcode::shf, Type::b32, alu_left | alu_clamp));
  long3<Shf<true, false>, u32, u32, u32, u32>(t, form_of(Opcode::shf, Type::b32, alu_left | alu_wrap));
  long3<Shf<false, true>, u32, u32, u32, u32>(t, form_of(Opcode::shf, Type::b32, alu_right | alu_clamp));
  long3<Shf<false, false>, u32, u32, u32, u32>(t, form_of(Opcode::shf, Type::b32, alu_right | alu_wrap));

  long3<Prmt, u32, u32, u32, u32>(t, form_of(Opcode::prmt, Type::b32));
  long3<Bfe<u32>, u32, u32, u32, u32>(t, form_of(Opcode::bfe, Type::u32));
  long3<Bfe<s32>, s32, s32, u32, u32>(t, form_of(Opcode::bfe, Type::s32));
  long3<Bfe<u64>, u64, u64, u32, u32>(t, form_of(Opcode::bfe, Type::u64));
  long3<Bfe<s64>, s64, s64, u32, u32>(t, form_of(Opcode::bfe, Type::s64));
  add_long<u32, bfi<u32>>(t, form_of(Opcode::bfi, Type::b32));
  add_long<u64, bfi<u64>>(t, form_of(Opcode::bfi, Type::b64));
  long1<Popc<u32>, u32, u32>(t, form_of(Opcode::popc, Type::b32));
  long1<Popc<u64>, u32, u64>(t, form_of(Opcode::popc, Type::b64));
  long1<Clz<u32>, u32, u32>(t, form_of(Opcode::clz, Type::b32));
  long1<Clz<u64>, u32, u64>(t, form_of(Opcode::clz, Type::b64));
}
