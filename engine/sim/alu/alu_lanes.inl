// Loops over the 32 lanes of register slots, and the few operations that need intrinsics. The alu_lanes*.cpp files
// include this in a namespace of their own, once for each instruction set.
//
// Everything here is a template or static, and only types come from the standard library. operation.h says why.

// Stands before a loop over lanes. It promises that no lane reads what another one writes.
#if defined(__clang__)
#define LANESCOPE_LANES_APART _Pragma("clang loop vectorize(assume_safety)")
#pragma clang diagnostic ignored "-Wpass-failed"  // some loops stay as they are
#else
#define LANESCOPE_LANES_APART _Pragma("GCC ivdep")
#endif
// The same for a loop so short that Clang would write it out, lane by lane, before it looks for vectors.
#if defined(__clang__)
#define LANESCOPE_FEW_STEPS_APART _Pragma("clang loop vectorize(assume_safety)") _Pragma("clang loop unroll(disable)")
#else
#define LANESCOPE_FEW_STEPS_APART LANESCOPE_LANES_APART
#endif

using U16 = std::uint16_t;
using U32 = std::uint32_t;
using U64 = std::uint64_t;
using S16 = std::int16_t;
using S32 = std::int32_t;
using S64 = std::int64_t;

// ---- slots ----

// One lane of a slot. A slot may be written as one type and read as another.
template <class T>
struct __attribute__((may_alias)) Cell {
  T v;
};

template <class T>
static inline Cell<T>* slot(std::byte* registers, std::uint32_t offset) {
  return reinterpret_cast<Cell<T>*>(__builtin_assume_aligned(registers + offset, 64));
}
template <class T>
static inline const Cell<T>* slot(const std::byte* registers, std::uint32_t offset) {
  return reinterpret_cast<const Cell<T>*>(__builtin_assume_aligned(registers + offset, 64));
}
static inline std::uint32_t read_predicate(const std::byte* registers, std::uint32_t offset) {
  return reinterpret_cast<const Cell<std::uint32_t>*>(registers + offset)->v;
}
static inline void write_predicate(std::byte* registers, std::uint32_t offset, std::uint32_t bits, std::uint32_t mask) {
  auto* p = reinterpret_cast<Cell<std::uint32_t>*>(registers + offset);
  p->v = (p->v & ~mask) | (bits & mask);
}

template <class To, class From>
static constexpr To bits_as(From from) {
  return __builtin_bit_cast(To, from);
}

// condition ? x : y without a branch, because a loop with branches is not vectorised. For the same reason conditions
// are joined by & and |, never by && and ||.
static inline U32 pick(bool condition, U32 x, U32 y) {
  return y ^ ((x ^ y) & (0u - static_cast<U32>(condition)));
}

// s rounded to odd: if s is inexact, its last bit is set. e is the error, with the sign of the missing part. A later
// rounding to fewer bits cannot mistake the result for exact or for a tie (Boldo and Melquiond, "Emulation of FMA and
// correctly rounded sums", 2008).
template <class T>
static inline T to_odd(T s, T e) {
  using Bits = std::conditional_t<sizeof(T) == 4, U32, U64>;
  const Bits bits = bits_as<Bits>(s);
  const Bits inexact = static_cast<Bits>(e > 0) | static_cast<Bits>(e < 0);  // 0 for a NaN
  const Bits inward = static_cast<Bits>(e > 0) ^ static_cast<Bits>(s > 0);
  const Bits even = inexact & ~bits & 1;
  return bits_as<T>(bits + even - ((even & inward) << 1));
}
// p + c rounded to odd. Must not overflow.
template <class T>
static inline T odd_sum(T p, T c) {
  const T s = p + c, c_part = s - p;
  return to_odd(s, (p - (s - c_part)) + (c - c_part));
}

// ---- lane masks as vectors ----

alignas(64) static constexpr std::uint16_t lane_bit16[16] = {1,   2,   4,    8,    16,   32,   64,    128,
                                                             256, 512, 1024, 2048, 4096, 8192, 16384, 32768};
alignas(64) static constexpr std::uint32_t lane_bit32[32] = {
    1u << 0,  1u << 1,  1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,  1u << 8,  1u << 9,  1u << 10,
    1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15, 1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21,
    1u << 22, 1u << 23, 1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31};
alignas(64) static constexpr std::uint64_t lane_bit64[32] = {
    1u << 0,  1u << 1,  1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,  1u << 8,  1u << 9,  1u << 10,
    1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15, 1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21,
    1u << 22, 1u << 23, 1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31};

// Calls set(i, lane i is in mask) for all lanes. The test is as wide as W, so that it vectorises together with work on
// such lanes.
template <class W, class F>
static inline void for_lanes(std::uint32_t mask, F set) {
  if constexpr (sizeof(W) == 2) {
    for (int half = 0; half < 2; ++half) {
      const auto part = static_cast<std::uint16_t>(mask >> (16 * half));
      LANESCOPE_LANES_APART
      for (int i = 0; i < 16; ++i) set(16 * half + i, (part & lane_bit16[i]) != 0);
    }
  } else if constexpr (sizeof(W) == 4) {
    LANESCOPE_LANES_APART
    for (int i = 0; i < 32; ++i) set(i, (mask & lane_bit32[i]) != 0);
  } else {
    const std::uint64_t wide = mask;
    LANESCOPE_LANES_APART
    for (int i = 0; i < 32; ++i) set(i, (wide & lane_bit64[i]) != 0);
  }
}

// The same lanes, for reading what is overwritten. Where a mask is not a register, Clang would make the blend of d[i]
// and a new value a masked store, which takes several times as long on AMD's processors.
template <class D>
static inline const Cell<D>* before(const Cell<D>* d) {
#if defined(__clang__) && !defined(__AVX512F__)
  asm("" : "+r"(d));
#endif
  return d;
}

// d[i] = value(i) for all lanes, or only for those in mask.
template <bool masked, class D, class F>
static inline void store_lanes(Cell<D>* d, std::uint32_t mask, F value) {
  if constexpr (masked) {
    const Cell<D>* const was = before(d);
    for_lanes<D>(
        mask, [=](int i, bool in) __attribute__((always_inline)) {
          const D result = value(i), old = was[i].v;  // always reads both, so there is no branch
          d[i].v = in ? result : old;
        });
  } else {
    LANESCOPE_LANES_APART
    for (int i = 0; i < 32; ++i) d[i].v = value(i);
  }
}

// ---- handlers ----

// An operation is a function object on lanes. If it depends on modifiers, it is constructed from the Operation.
template <class Op>
static inline Op make(const Operation& operation) {
  if constexpr (requires { Op(operation); })
    return Op(operation);
  else
    return Op();
}

template <bool masked, class Op, class D, class A>
static void unary(std::byte* registers, const Operation& o, std::uint32_t mask) {
  const Op op = make<Op>(o);
  const auto* a = slot<A>(registers, o.a);
  store_lanes<masked>(
      slot<D>(registers, o.dst), mask, [=](int i) __attribute__((always_inline))->D { return op(a[i].v); });
}

template <bool masked, class Op, class D, class A, class B>
static void binary(std::byte* registers, const Operation& o, std::uint32_t mask) {
  const Op op = make<Op>(o);
  const auto* a = slot<A>(registers, o.a);
  const auto* b = slot<B>(registers, o.b);
  store_lanes<masked>(
      slot<D>(registers, o.dst), mask, [=](int i) __attribute__((always_inline))->D { return op(a[i].v, b[i].v); });
}

template <bool masked, class Op, class D, class A, class B, class C>
static void ternary(std::byte* registers, const Operation& o, std::uint32_t mask) {
  const Op op = make<Op>(o);
  const auto* a = slot<A>(registers, o.a);
  const auto* b = slot<B>(registers, o.b);
  const auto* c = slot<C>(registers, o.c);
  store_lanes<masked>(
      slot<D>(registers, o.dst),
      mask, [=](int i) __attribute__((always_inline))->D { return op(a[i].v, b[i].v, c[i].v); });
}

// Long operations share one copy of the loop. The masked variant computes into a temporary and then blends.
template <class D>
static __attribute__((noinline)) void blend(Cell<D>* d, const Cell<D>* values, std::uint32_t mask) {
  store_lanes<true>(
      d, mask, [=](int i) __attribute__((always_inline))->D { return values[i].v; });
}
template <class D, void (*body)(std::byte* registers, const Operation& o, Cell<D>* d)>
static void long_full(std::byte* registers, const Operation& o, std::uint32_t) {
  body(registers, o, slot<D>(registers, o.dst));
}
template <class D, void (*body)(std::byte* registers, const Operation& o, Cell<D>* d)>
static void long_masked(std::byte* registers, const Operation& o, std::uint32_t mask) {
  alignas(64) Cell<D> values[32];
  body(registers, o, values);
  blend(slot<D>(registers, o.dst), values, mask);
}
template <class D, void (*body)(std::byte* registers, const Operation& o, Cell<D>* d)>
static void add_long(AluTable& table, const AluForm& form) {
  table.add(form, &long_full<D, body>, &long_masked<D, body>);
}

template <class Op, class D, class A>
static __attribute__((noinline)) void unary_body(std::byte* registers, const Operation& o, Cell<D>* d) {
  const Op op = make<Op>(o);
  const auto* a = slot<A>(registers, o.a);
  store_lanes<false>(
      d, 0, [=](int i) __attribute__((always_inline))->D { return op(a[i].v); });
}
template <class Op, class D, class A, class B>
static __attribute__((noinline)) void binary_body(std::byte* registers, const Operation& o, Cell<D>* d) {
  const Op op = make<Op>(o);
  const auto* a = slot<A>(registers, o.a);
  const auto* b = slot<B>(registers, o.b);
  store_lanes<false>(
      d, 0, [=](int i) __attribute__((always_inline))->D { return op(a[i].v, b[i].v); });
}
template <class Op, class D, class A, class B, class C>
static __attribute__((noinline)) void ternary_body(std::byte* registers, const Operation& o, Cell<D>* d) {
  const Op op = make<Op>(o);
  const auto* a = slot<A>(registers, o.a);
  const auto* b = slot<B>(registers, o.b);
  const auto* c = slot<C>(registers, o.c);
  store_lanes<false>(
      d, 0, [=](int i) __attribute__((always_inline))->D { return op(a[i].v, b[i].v, c[i].v); });
}

// ---- rows ----

using Type = ptx::Type;
using Rounding = ptx::Rounding;

static constexpr Type types16[] = {Type::u16, Type::s16};
static constexpr Type types32[] = {Type::u32, Type::s32};
static constexpr Type types64[] = {Type::u64, Type::s64};

// Adds the row of a form.
template <class Op, class D, class A>
static void row1(AluTable& table, const AluForm& form) {
  table.add(form, &unary<false, Op, D, A>, &unary<true, Op, D, A>);
}
template <class Op, class D, class A, class B>
static void row2(AluTable& table, const AluForm& form) {
  table.add(form, &binary<false, Op, D, A, B>, &binary<true, Op, D, A, B>);
}
template <class Op, class D, class A, class B, class C>
static void row3(AluTable& table, const AluForm& form) {
  table.add(form, &ternary<false, Op, D, A, B, C>, &ternary<true, Op, D, A, B, C>);
}

// The same for long operations.
template <class Op, class D, class A>
static void long1(AluTable& table, const AluForm& form) {
  add_long<D, unary_body<Op, D, A>>(table, form);
}
template <class Op, class D, class A, class B>
static void long2(AluTable& table, const AluForm& form) {
  add_long<D, binary_body<Op, D, A, B>>(table, form);
}
template <class Op, class D, class A, class B, class C>
static void long3(AluTable& table, const AluForm& form) {
  add_long<D, ternary_body<Op, D, A, B, C>>(table, form);
}

static inline AluForm form_of(Mnemonic mnemonic, Type type, std::uint32_t flags = 0) {
  AluForm form;
  form.opcode = row_opcode(mnemonic);
  form.type = form.source = type;
  form.flags = flags;
  return form;
}

// The same for every subset of the `optional` flags.
template <class F>
static void with_subsets(AluForm form, std::uint32_t optional, F add) {
  const std::uint32_t required = form.flags;
  for (std::uint32_t subset = optional;; subset = (subset - 1) & optional) {
    form.flags = required | subset;
    add(form);
    if (subset == 0) break;
  }
}

// ---- movemask ----

#if defined(__AVX512BW__)
inline constexpr int vector_bytes = 64;
#elif defined(__AVX2__)
inline constexpr int vector_bytes = 32;
#else
inline constexpr int vector_bytes = 16;
#endif
template <class T>
inline constexpr int vector_lanes = vector_bytes / static_cast<int>(sizeof(T));

template <class T>
struct VectorOf {
  typedef T type __attribute__((vector_size(vector_bytes), may_alias));
};
template <class T>
using Vector = typename VectorOf<T>::type;

// One bit for each element of a vector whose elements are 0 or all ones. W is an integer type.
template <class W>
static inline std::uint32_t movemask(Vector<W> truth) {
#if defined(__AVX512BW__)
  if constexpr (sizeof(W) == 8)
    return _mm512_movepi64_mask(reinterpret_cast<__m512i>(truth));
  else if constexpr (sizeof(W) == 4)
    return _mm512_movepi32_mask(reinterpret_cast<__m512i>(truth));
  else
    return _mm512_movepi16_mask(reinterpret_cast<__m512i>(truth));
#elif defined(__AVX2__)
  if constexpr (sizeof(W) == 8)
    return static_cast<std::uint32_t>(_mm256_movemask_pd(reinterpret_cast<__m256d>(truth)));
  else if constexpr (sizeof(W) == 4)
    return static_cast<std::uint32_t>(_mm256_movemask_ps(reinterpret_cast<__m256>(truth)));
  else
    return _pext_u32(static_cast<std::uint32_t>(_mm256_movemask_epi8(reinterpret_cast<__m256i>(truth))), 0x55555555u);
#elif defined(__SSE2__)
  if constexpr (sizeof(W) == 8)
    return static_cast<std::uint32_t>(_mm_movemask_pd(reinterpret_cast<__m128d>(truth)));
  else if constexpr (sizeof(W) == 4)
    return static_cast<std::uint32_t>(_mm_movemask_ps(reinterpret_cast<__m128>(truth)));
  else
    return static_cast<std::uint32_t>(
               _mm_movemask_epi8(_mm_packs_epi16(reinterpret_cast<__m128i>(truth), _mm_setzero_si128()))) &
           0xffu;
#else
  std::uint32_t bits = 0;
  for (int i = 0; i < vector_lanes<W>; ++i) bits |= (truth[i] != 0 ? 1u : 0u) << i;
  return bits;
#endif
}

// Whether all lanes hold what the first one holds.
template <class T>
static inline bool all_alike(const Cell<T>* a) {
  const Vector<T> first = Vector<T>{} + a[0].v;
  Vector<T> differs{};
  for (int i = 0; i < 32; i += vector_lanes<T>) differs |= *reinterpret_cast<const Vector<T>*>(a + i) ^ first;
  auto truth = differs != 0;
  using Word = std::remove_reference_t<decltype(truth[0])>;
  return movemask<Word>(truth) == 0;
}

// Bit i = test(a[i], b[i]). `test` takes two vectors.
template <class T, class F>
static inline std::uint32_t compare_lanes(const Cell<T>* a, const Cell<T>* b, F test) {
  std::uint32_t bits = 0;
  for (int i = 0; i < 32; i += vector_lanes<T>) {
    const auto x = *reinterpret_cast<const Vector<T>*>(a + i);
    const auto y = *reinterpret_cast<const Vector<T>*>(b + i);
    auto truth = test(x, y);
    using Word = std::remove_reference_t<decltype(truth[0])>;
    bits |= movemask<Word>(truth) << i;
  }
  return bits;
}
