// Comparisons of f16 and bf16, single and in pairs.
#include "sim/alu/alu_scalar.h"

namespace lanescope::sim {

namespace {

using ptx::Compare;
using ptx::Type;
using U16 = std::uint16_t;
using U32 = std::uint32_t;
using U64 = std::uint64_t;

struct F16 {
  static constexpr U16 exponent = 0x7c00;
};
struct Bf16 {
  static constexpr U16 exponent = 0x7f80;
};

enum class Test { equal, less, less_equal, apart, numbers };

// Orders encodings by their values; both zeros are 0.
int key(U16 h) {
  return (h & 0x8000) != 0 ? -(h & 0x7fff) : h & 0x7fff;
}

template <class H, Test test>
bool holds(U16 a, U16 b, bool ftz) {
  if ((a & 0x7fff) > H::exponent || (b & 0x7fff) > H::exponent) return false;
  if (ftz) {
    a = (a & H::exponent) == 0 ? 0 : a;
    b = (b & H::exponent) == 0 ? 0 : b;
  }
  switch (test) {
    case Test::equal:
      return key(a) == key(b);
    case Test::less:
      return key(a) < key(b);
    case Test::less_equal:
      return key(a) <= key(b);
    case Test::apart:
      return key(a) != key(b);
    case Test::numbers:
      return true;
  }
}

template <class H, Test test>
U64 compare_halves(const std::byte* r, const Operation& o) {
  U64 bits = 0;
  for (int i = 0; i < 32; ++i)
    bits |= U64{holds<H, test>(load_lane<U16>(r, o.a, i), load_lane<U16>(r, o.b, i), (o.flags & compare_ftz) != 0)}
            << i;
  return bits;
}
template <class H, Test test>
U64 compare_pairs(const std::byte* r, const Operation& o) {
  U64 bits = 0;
  for (int i = 0; i < 64; ++i)
    bits |= U64{holds<H, test>(load_lane<U16>(r, o.a, i), load_lane<U16>(r, o.b, i), (o.flags & compare_ftz) != 0)}
            << (i / 2 + 32 * (i % 2));
  return bits;
}

U64 truth(const std::byte* r, const Operation& o) {
  const U64 bits = reinterpret_cast<CompareKernel>(o.immediate)(r, o);
  return (o.flags & compare_invert) != 0 ? ~bits : bits;
}
U32 combined(const std::byte* r, const Operation& o, U32 t) {
  if ((o.flags & (compare_and | compare_or | compare_xor)) == 0) return t;
  U32 c = load_mask(r, o.c);
  if ((o.flags & compare_negate_c) != 0) c = ~c;
  return (o.flags & compare_and) != 0 ? t & c : (o.flags & compare_or) != 0 ? t | c : t ^ c;
}

void setp_half(std::byte* r, const Operation& o, U32 mask) {
  const auto t = static_cast<U32>(truth(r, o));
  const U32 p = combined(r, o, t), q = combined(r, o, ~t);
  store_mask(r, o.dst, p, mask);
  if ((o.flags & compare_second) != 0) store_mask(r, o.dst2, q, mask);
}
// One predicate per half.
void setp_pair(std::byte* r, const Operation& o, U32 mask) {
  const U64 t = truth(r, o);
  const U32 p = combined(r, o, static_cast<U32>(t)), q = combined(r, o, static_cast<U32>(t >> 32));
  store_mask(r, o.dst, p, mask);
  if ((o.flags & compare_second) != 0) store_mask(r, o.dst2, q, mask);
}
template <class D>
void set_half(std::byte* r, const Operation& o, U32 mask) {
  const U32 p = combined(r, o, static_cast<U32>(truth(r, o)));
  each_lane(mask, [&](int i) { store_lane(r, o.dst, i, (p >> i & 1) != 0 ? static_cast<D>(o.extra) : D{0}); });
}
void set_pair(std::byte* r, const Operation& o, U32 mask) {
  const U64 t = truth(r, o);
  const U32 low = combined(r, o, static_cast<U32>(t)), high = combined(r, o, static_cast<U32>(t >> 32));
  each_lane(mask, [&](int i) {
    const U32 value = o.extra & 0xffff;
    store_lane(r, o.dst, i, ((low >> i & 1) != 0 ? value : 0) | ((high >> i & 1) != 0 ? value << 16 : 0));
  });
}

template <Handler handler>
void full(std::byte* r, const Operation& o, U32) {
  handler(r, o, 0xffffffffu);
}

void rows(AluTable& t, Type source, Compare compare, U32 flags, CompareKernel kernel, bool invert, bool swap) {
  const bool pair = source == Type::f16x2 || source == Type::bf16x2;
  AluForm f = form("setp", source, flags);
  f.compare = compare;
  if (pair)
    t.add_compare(f, full<setp_pair>, setp_pair, kernel, invert, swap);
  else
    t.add_compare(f, full<setp_half>, setp_half, kernel, invert, swap);
  f.opcode = row_opcode("set");
  const auto set = [&](Type type, Handler all, Handler masked) {
    f.type = type;
    t.add_compare(f, all, masked, kernel, invert, swap);
  };
  if (pair) {
    for (Type type : {source, Type::u32, Type::s32}) set(type, full<set_pair>, set_pair);
    return;
  }
  for (Type type : {Type::u32, Type::s32}) set(type, full<set_half<U32>>, set_half<U32>);
  for (Type type : {Type::u16, Type::s16}) set(type, full<set_half<U16>>, set_half<U16>);
  if (source == Type::f16) set(Type::f16, full<set_half<U16>>, set_half<U16>);
  if (flags == 0) set(Type::bf16, full<set_half<U16>>, set_half<U16>);
}

template <class H>
void rows_of_format(AluTable& t, Type single, Type pair, U32 flags) {
  const auto both = [&]<Test test>(Compare compare, std::integral_constant<Test, test>, bool invert, bool swap) {
    rows(t, single, compare, flags, compare_halves<H, test>, invert, swap);
    rows(t, pair, compare, flags, compare_pairs<H, test>, invert, swap);
  };
  constexpr std::integral_constant<Test, Test::equal> equal;
  constexpr std::integral_constant<Test, Test::less> less;
  constexpr std::integral_constant<Test, Test::less_equal> less_equal;
  constexpr std::integral_constant<Test, Test::apart> apart;
  constexpr std::integral_constant<Test, Test::numbers> numbers;
  both(Compare::eq, equal, false, false);
  both(Compare::neu, equal, true, false);
  both(Compare::ne, apart, false, false);
  both(Compare::equ, apart, true, false);
  both(Compare::lt, less, false, false);
  both(Compare::gt, less, false, true);
  both(Compare::geu, less, true, false);
  both(Compare::leu, less, true, true);
  both(Compare::le, less_equal, false, false);
  both(Compare::ge, less_equal, false, true);
  both(Compare::gtu, less_equal, true, false);
  both(Compare::ltu, less_equal, true, true);
  both(Compare::num, numbers, false, false);
  both(Compare::nan, numbers, true, false);
}

}  // namespace

void add_scalar_half_rows(AluTable& t) {
  rows_of_format<F16>(t, Type::f16, Type::f16x2, 0);
  rows_of_format<F16>(t, Type::f16, Type::f16x2, alu_ftz);
  rows_of_format<Bf16>(t, Type::bf16, Type::bf16x2, 0);
}

}  // namespace lanescope::sim
