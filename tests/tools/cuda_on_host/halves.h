#pragma once
// Half and bfloat16.

#include <cmath>
#include <cstring>

#include "floats.h"
#include "lanes.h"

// Half and bfloat16, by integers, from an exact value: rounded to `bits` bits of precision, with the smallest normal
// exponent `least`.
struct SmallFloat {
  int bits, least, exponent_bits;
};
constexpr SmallFloat half_kind{11, -14, 5}, bfloat_kind{8, -126, 8};
inline u16 small_bits(SmallFloat kind, double value, Round mode) {
  const u64 raw = cuda_on_host::bits_of(value);
  const u16 sign = static_cast<u16>(raw >> 63 << 15);
  const int fraction_bits = kind.bits - 1;
  const u16 infinity = static_cast<u16>(((1 << kind.exponent_bits) - 1) << fraction_bits);
  if (value != value) return 0x7fff;
  if (std::isinf(value)) return static_cast<u16>(sign | infinity);
  if (value == 0) return sign;
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(value), &exponent);  // [0.5, 1)
  const u64 whole = static_cast<u64>(std::ldexp(fraction, 53));     // 53 bits
  --exponent;                                                       // value = 1.xxx * 2^exponent
  int drop = 53 - kind.bits;
  if (exponent < kind.least) drop += kind.least - exponent;
  const bool up_sign = sign ? mode == Round::rd : mode == Round::ru;
  u64 kept = drop > 63 ? 0 : whole >> drop;
  const u64 rest = drop > 63 ? 1 : whole & ((1ull << drop) - 1);
  const u64 half = drop > 63 ? 2 : 1ull << (drop - 1);
  if (mode == Round::rn ? rest > half || (rest == half && (kept & 1)) : up_sign && rest != 0) ++kept;
  const int biased = exponent < kind.least ? 0 : exponent - kind.least;  // kept includes the hidden bit
  const u64 magnitude = (static_cast<u64>(biased) << fraction_bits) + kept;
  if (magnitude >= infinity) {
    const bool to_largest = mode == Round::rz || (mode == Round::ru && sign) || (mode == Round::rd && !sign);
    return static_cast<u16>(sign | (to_largest ? infinity - 1 : infinity));
  }
  return static_cast<u16>(sign | magnitude);
}
inline double small_value(SmallFloat kind, u16 bits) {
  const int fraction_bits = kind.bits - 1, exponent = (bits & 0x7fff) >> fraction_bits,
            fraction = bits & ((1 << fraction_bits) - 1);
  double value = 0;
  if (exponent == (1 << kind.exponent_bits) - 1)
    value = fraction ? NAN : INFINITY;
  else if (exponent == 0)
    value = std::ldexp(fraction, kind.least - fraction_bits);
  else
    value = std::ldexp((1 << fraction_bits) + fraction, exponent - 1 + kind.least - fraction_bits);
  return bits & 0x8000 ? -value : value;
}
// a + b rounded to odd: rounding this sum again gives the same as rounding the exact sum.
inline double odd_sum(double a, double b) {
  volatile double sum = a + b;
  if (std::isinf(sum) || sum != sum) return sum;
  volatile double part = sum - a;
  volatile double rest = sum - part;
  volatile double lost_a = a - rest, lost_b = b - part;
  const double lost = lost_a + lost_b;
  if (lost == 0 || (cuda_on_host::bits_of(static_cast<double>(sum)) & 1)) return sum;
  return std::nextafter(static_cast<double>(sum), lost > 0 ? INFINITY : -INFINITY);
}

struct __half {
  u16 bits;
};
struct __nv_bfloat16 {
  u16 bits;
};
struct __half2 {
  __half x, y;
};
inline __half half_of(double v, Round mode = Round::rn) {
  return {small_bits(half_kind, v, mode)};
}
inline double value_of(__half h) {
  return small_value(half_kind, h.bits);
}
inline __nv_bfloat16 bfloat_of(double v, Round mode = Round::rn) {
  return {small_bits(bfloat_kind, v, mode)};
}
inline double value_of(__nv_bfloat16 h) {
  return small_value(bfloat_kind, h.bits);
}
inline __half __ushort_as_half(u16 a) {
  return {a};
}
inline u16 __half_as_ushort(__half a) {
  return a.bits;
}
inline __nv_bfloat16 __ushort_as_bfloat16(u16 a) {
  return {a};
}
inline u16 __bfloat16_as_ushort(__nv_bfloat16 a) {
  return a.bits;
}
inline float __half2float(__half a) {
  return static_cast<float>(value_of(a));
}
inline float __bfloat162float(__nv_bfloat16 a) {
  return static_cast<float>(value_of(a));
}
inline __half __double2half(double a) {
  return half_of(a);
}
#define LANESCOPE_HALF(R)                                               \
  inline __half __float2half_##R(float a) {                             \
    return half_of(static_cast<double>(a), Round::R);                   \
  }                                                                     \
  inline __nv_bfloat16 __float2bfloat16_##R(float a) {                  \
    return bfloat_of(static_cast<double>(a), Round::R);                 \
  }                                                                     \
  inline __half __int2half_##R(int a) {                                 \
    return half_of(a, Round::R);                                        \
  }                                                                     \
  inline __half __uint2half_##R(u32 a) {                                \
    return half_of(a, Round::R);                                        \
  }                                                                     \
  inline int __half2int_##R(__half a) {                                 \
    return to_integer<s32>(value_of(a), Round::R, 0);                   \
  }                                                                     \
  inline u32 __half2uint_##R(__half a) {                                \
    return to_integer<u32>(value_of(a), Round::R, 0);                   \
  }                                                                     \
  inline u16 __half2ushort_##R(__half a) {                              \
    return to_integer<u16>(value_of(a), Round::R, static_cast<u16>(0)); \
  }
LANESCOPE_ROUNDINGS(LANESCOPE_HALF)
#undef LANESCOPE_HALF
inline __half __hadd_rn(__half a, __half b) {
  return half_of(value_of(a) + value_of(b));
}
inline __half __hsub_rn(__half a, __half b) {
  return half_of(value_of(a) - value_of(b));
}
inline __half __hmul_rn(__half a, __half b) {
  return half_of(value_of(a) * value_of(b));
}
inline __half __hfma(__half a, __half b, __half c) {
  return half_of(odd_sum(value_of(a) * value_of(b), value_of(c)));
}
inline double saturated(double v) {
  return v > 0 ? (v < 1 ? v : 1.0) : 0.0;
}
inline __half __hadd_sat(__half a, __half b) {
  return half_of(saturated(value_of(half_of(value_of(a) + value_of(b)))));
}
inline __half __hfma_sat(__half a, __half b, __half c) {
  return half_of(saturated(value_of(__hfma(a, b, c))));
}
inline __half __hfma_relu(__half a, __half b, __half c) {
  const double v = value_of(__hfma(a, b, c));
  return half_of(v > 0 ? v : v != v ? v : 0.0);
}
inline __half __hdiv_rounded(__half a, __half b) {
  return half_of(value_of(a) / value_of(b));
}
inline __half __hneg(__half a) {
  return {static_cast<u16>(a.bits ^ 0x8000)};
}
inline __half __habs(__half a) {
  return {static_cast<u16>(a.bits & 0x7fff)};
}
inline __half __hmin(__half a, __half b) {
  return half_of(lesser(value_of(a), value_of(b)));
}
inline __half __hmax(__half a, __half b) {
  return half_of(greater(value_of(a), value_of(b)));
}
inline __half __hmin_nan(__half a, __half b) {
  return value_of(a) != value_of(a) || value_of(b) != value_of(b) ? __half{0x7fff} : __hmin(a, b);
}
inline bool __hlt(__half a, __half b) {
  return value_of(a) < value_of(b);
}
inline bool __heq(__half a, __half b) {
  return value_of(a) == value_of(b);
}
inline bool __hgeu(__half a, __half b) {
  return !(value_of(a) < value_of(b));
}
inline bool __hisnan(__half a) {
  return value_of(a) != value_of(a);
}
inline __half htrunc(__half a) {
  return half_of(std::trunc(value_of(a)));
}
inline __half hfloor(__half a) {
  return half_of(std::floor(value_of(a)));
}
inline __half hceil(__half a) {
  return half_of(std::ceil(value_of(a)));
}
inline __half hrint(__half a) {
  return half_of(std::nearbyint(value_of(a)));
}
inline __half2 __halves2half2(__half x, __half y) {
  return {x, y};
}
inline __half __low2half(__half2 a) {
  return a.x;
}
inline __half __high2half(__half2 a) {
  return a.y;
}
inline __half2 __lowhigh2highlow(__half2 a) {
  return {a.y, a.x};
}
inline __half2 __hadd2_rn(__half2 a, __half2 b) {
  return {__hadd_rn(a.x, b.x), __hadd_rn(a.y, b.y)};
}
inline __half2 __hmul2_rn(__half2 a, __half2 b) {
  return {__hmul_rn(a.x, b.x), __hmul_rn(a.y, b.y)};
}
inline __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
  return {__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y)};
}
inline __half2 __hmax2(__half2 a, __half2 b) {
  return {__hmax(a.x, b.x), __hmax(a.y, b.y)};
}
inline __half2 __floats2half2_rn(float x, float y) {
  return {__float2half_rn(x), __float2half_rn(y)};
}
inline __nv_bfloat16 __hadd_rn(__nv_bfloat16 a, __nv_bfloat16 b) {
  return bfloat_of(odd_sum(value_of(a), value_of(b)));
}
inline __nv_bfloat16 __hsub_rn(__nv_bfloat16 a, __nv_bfloat16 b) {
  return bfloat_of(odd_sum(value_of(a), -value_of(b)));
}
inline __nv_bfloat16 __hmul_rn(__nv_bfloat16 a, __nv_bfloat16 b) {
  return bfloat_of(value_of(a) * value_of(b));
}
inline __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
  return bfloat_of(odd_sum(value_of(a) * value_of(b), value_of(c)));
}
inline __nv_bfloat16 __hmin(__nv_bfloat16 a, __nv_bfloat16 b) {
  return bfloat_of(lesser(value_of(a), value_of(b)));
}
inline __nv_bfloat16 __hmax(__nv_bfloat16 a, __nv_bfloat16 b) {
  return bfloat_of(greater(value_of(a), value_of(b)));
}
inline bool __hlt(__nv_bfloat16 a, __nv_bfloat16 b) {
  return value_of(a) < value_of(b);
}

// Atomics of halves, for sums that are equal in every order.
inline __half atomicAdd(__half* at, __half v) {
  const __half old = *at;
  *at = __hadd_rn(old, v);
  return old;
}
inline __half2 atomicAdd(__half2* at, __half2 v) {
  const __half2 old = *at;
  *at = __hadd2_rn(old, v);
  return old;
}

inline void copy_4(void* to, const void* from) {
  std::memcpy(to, from, 4);
}
inline void copy_8(void* to, const void* from) {
  std::memcpy(to, from, 8);
}
inline void copy_16(void* to, const void* from) {
  std::memcpy(to, from, 16);
}
inline void copies_done() {}
