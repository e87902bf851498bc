#pragma once
// Floating point: the processor's own, in the requested rounding mode; its conversions to and from integers.

#include <cfenv>
#include <cmath>
#include <cstring>

#include "integers.h"
#include "threads.h"
#include "types.h"

// Floating point: the processor's own, in the requested rounding mode.
enum class Round { rn = FE_TONEAREST, rz = FE_TOWARDZERO, ru = FE_UPWARD, rd = FE_DOWNWARD };
template <typename Do>
auto rounded(Round mode, Do&& act) -> decltype(act()) {
  std::fesetround(static_cast<int>(mode));
  volatile auto value = act();
  std::fesetround(FE_TONEAREST);
  return value;
}
#define LANESCOPE_ROUNDINGS(X) X(rn) X(rz) X(ru) X(rd)
#define LANESCOPE_FLOAT(R)                                                                     \
  inline float __fadd_##R(float a, float b) {                                                  \
    volatile float x = a, y = b;                                                               \
    return rounded(Round::R, [&]() -> float { return x + y; });                                \
  }                                                                                            \
  inline float __fsub_##R(float a, float b) {                                                  \
    volatile float x = a, y = b;                                                               \
    return rounded(Round::R, [&]() -> float { return x - y; });                                \
  }                                                                                            \
  inline float __fmul_##R(float a, float b) {                                                  \
    volatile float x = a, y = b;                                                               \
    return rounded(Round::R, [&]() -> float { return x * y; });                                \
  }                                                                                            \
  inline float __fdiv_##R(float a, float b) {                                                  \
    volatile float x = a, y = b;                                                               \
    return rounded(Round::R, [&]() -> float { return x / y; });                                \
  }                                                                                            \
  inline float __frcp_##R(float a) {                                                           \
    return __fdiv_##R(1.0f, a);                                                                \
  }                                                                                            \
  inline float __fsqrt_##R(float a) {                                                          \
    volatile float x = a;                                                                      \
    return rounded(Round::R, [&]() -> float { return std::sqrt(static_cast<float>(x)); });     \
  }                                                                                            \
  inline float __fmaf_##R(float a, float b, float c) {                                         \
    volatile float x = a, y = b, z = c;                                                        \
    return rounded(Round::R, [&]() -> float {                                                  \
      return std::fma(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z));    \
    });                                                                                        \
  }                                                                                            \
  inline double __dadd_##R(double a, double b) {                                               \
    volatile double x = a, y = b;                                                              \
    return rounded(Round::R, [&]() -> double { return x + y; });                               \
  }                                                                                            \
  inline double __dsub_##R(double a, double b) {                                               \
    volatile double x = a, y = b;                                                              \
    return rounded(Round::R, [&]() -> double { return x - y; });                               \
  }                                                                                            \
  inline double __dmul_##R(double a, double b) {                                               \
    volatile double x = a, y = b;                                                              \
    return rounded(Round::R, [&]() -> double { return x * y; });                               \
  }                                                                                            \
  inline double __ddiv_##R(double a, double b) {                                               \
    volatile double x = a, y = b;                                                              \
    return rounded(Round::R, [&]() -> double { return x / y; });                               \
  }                                                                                            \
  inline double __drcp_##R(double a) {                                                         \
    return __ddiv_##R(1.0, a);                                                                 \
  }                                                                                            \
  inline double __dsqrt_##R(double a) {                                                        \
    volatile double x = a;                                                                     \
    return rounded(Round::R, [&]() -> double { return std::sqrt(static_cast<double>(x)); });   \
  }                                                                                            \
  inline double __fma_##R(double a, double b, double c) {                                      \
    volatile double x = a, y = b, z = c;                                                       \
    return rounded(Round::R, [&]() -> double {                                                 \
      return std::fma(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)); \
    });                                                                                        \
  }                                                                                            \
  inline float __double2float_##R(double a) {                                                  \
    volatile double x = a;                                                                     \
    return rounded(Round::R, [&]() -> float { return static_cast<float>(x); });                \
  }                                                                                            \
  inline float __int2float_##R(int a) {                                                        \
    volatile int x = a;                                                                        \
    return rounded(Round::R, [&]() -> float { return static_cast<float>(x); });                \
  }                                                                                            \
  inline float __uint2float_##R(u32 a) {                                                       \
    volatile s64 x = a;                                                                        \
    return rounded(Round::R, [&]() -> float { return static_cast<float>(x); });                \
  }                                                                                            \
  inline float __ll2float_##R(s64 a) {                                                         \
    volatile s64 x = a;                                                                        \
    return rounded(Round::R, [&]() -> float { return static_cast<float>(x); });                \
  }                                                                                            \
  inline double __ll2double_##R(s64 a) {                                                       \
    volatile s64 x = a;                                                                        \
    return rounded(Round::R, [&]() -> double { return static_cast<double>(x); });              \
  }                                                                                            \
  inline float __ull2float_##R(u64 a) {                                                        \
    volatile u64 x = a;                                                                        \
    return rounded(Round::R, [&]() -> float {                                                  \
      volatile long double wide = static_cast<long double>(x);                                 \
      return static_cast<float>(wide);                                                         \
    });                                                                                        \
  }                                                                                            \
  inline double __ull2double_##R(u64 a) {                                                      \
    volatile u64 x = a;                                                                        \
    return rounded(Round::R, [&]() -> double {                                                 \
      volatile long double wide = static_cast<long double>(x);                                 \
      return static_cast<double>(wide);                                                        \
    });                                                                                        \
  }
LANESCOPE_ROUNDINGS(LANESCOPE_FLOAT)
#undef LANESCOPE_FLOAT

// To integers: clamped to the type. PTX's page of cvt defines NaN: 0 from single precision, and from double precision
// to unsigned 32 bits; otherwise only the type's highest bit is set.
inline double to_whole(double a, Round mode) {
  switch (mode) {
    case Round::rz:
      return std::trunc(a);
    case Round::ru:
      return std::ceil(a);
    case Round::rd:
      return std::floor(a);
    default:
      return std::nearbyint(a);
  }
}
template <typename T>
T to_integer(double a, Round mode, T of_nan) {
  if (a != a) return of_nan;
  const double whole = to_whole(a, mode);
  const double low = static_cast<T>(-1) < static_cast<T>(0) ? -std::ldexp(1.0, 8 * sizeof(T) - 1) : 0;
  const double end = std::ldexp(1.0, 8 * sizeof(T) - (low < 0));
  if (whole < low) return low < 0 ? static_cast<T>(static_cast<T>(1) << (8 * sizeof(T) - 1)) : static_cast<T>(0);
  if (whole >= end) return low < 0 ? static_cast<T>(~(static_cast<T>(1) << (8 * sizeof(T) - 1))) : static_cast<T>(-1);
  return static_cast<T>(whole);
}
#define LANESCOPE_CONVERT(R)                                                                \
  inline int __float2int_##R(float a) {                                                     \
    return to_integer<s32>(static_cast<double>(a), Round::R, 0);                            \
  }                                                                                         \
  inline u32 __float2uint_##R(float a) {                                                    \
    return to_integer<u32>(static_cast<double>(a), Round::R, 0);                            \
  }                                                                                         \
  inline s64 __float2ll_##R(float a) {                                                      \
    return to_integer<s64>(static_cast<double>(a), Round::R, static_cast<s64>(1ull << 63)); \
  }                                                                                         \
  inline u64 __float2ull_##R(float a) {                                                     \
    return to_integer<u64>(static_cast<double>(a), Round::R, 1ull << 63);                   \
  }                                                                                         \
  inline int __double2int_##R(double a) {                                                   \
    return to_integer<s32>(a, Round::R, static_cast<s32>(1u << 31));                        \
  }                                                                                         \
  inline u32 __double2uint_##R(double a) {                                                  \
    return to_integer<u32>(a, Round::R, 1u << 31);                                          \
  }                                                                                         \
  inline s64 __double2ll_##R(double a) {                                                    \
    return to_integer<s64>(a, Round::R, static_cast<s64>(1ull << 63));                      \
  }                                                                                         \
  inline u64 __double2ull_##R(double a) {                                                   \
    return to_integer<u64>(a, Round::R, 1ull << 63);                                        \
  }
LANESCOPE_ROUNDINGS(LANESCOPE_CONVERT)
#undef LANESCOPE_CONVERT

inline double __int2double_rn(int a) {
  return a;
}
inline double __uint2double_rn(u32 a) {
  return a;
}
inline u32 __float_as_uint(float a) {
  return static_cast<u32>(cuda_on_host::bits_of(a));
}
inline int __float_as_int(float a) {
  return static_cast<int>(__float_as_uint(a));
}
inline float __uint_as_float(u32 a) {
  return cuda_on_host::from_bits<float>(a);
}
inline s64 __double_as_longlong(double a) {
  return static_cast<s64>(cuda_on_host::bits_of(a));
}
inline double __longlong_as_double(s64 a) {
  return cuda_on_host::from_bits<double>(static_cast<u64>(a));
}
inline int __double2hiint(double a) {
  return static_cast<int>(cuda_on_host::bits_of(a) >> 32);
}
inline int __double2loint(double a) {
  return static_cast<int>(cuda_on_host::bits_of(a));
}
inline double __hiloint2double(int hi, int lo) {
  return __longlong_as_double(static_cast<s64>(static_cast<u64>(static_cast<u32>(hi)) << 32 | static_cast<u32>(lo)));
}
inline float __saturatef(float a) {
  return a > 0 ? (a < 1 ? a : 1.0f) : 0.0f;
}
// PTX: if one operand is NaN, the other one; and +0 is greater than -0.
template <typename T>
T lesser(T a, T b) {
  return a != a ? b : b != b ? a : a == b ? (std::signbit(a) ? a : b) : a < b ? a : b;
}
template <typename T>
T greater(T a, T b) {
  return a != a ? b : b != b ? a : a == b ? (std::signbit(a) ? b : a) : a < b ? b : a;
}
template <typename T>
T min(T a, T b) {
  return b < a ? b : a;
}
template <typename T>
T max(T a, T b) {
  return a < b ? b : a;
}
inline float ptx_add_ftz(float a, float b) {
  const auto flushed = [](float x) { return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x; };
  return flushed(flushed(a) + flushed(b));
}
inline float ptx_mul_sat(float a, float b) {
  return __saturatef(a * b);
}
inline float ptx_fma_sat(float a, float b, float c) {
  return __saturatef(std::fma(a, b, c));
}
inline float ptx_min_nan(float a, float b) {
  return a != a || b != b ? NAN : lesser(a, b);
}
inline float ptx_max_xorsign_abs(float a, float b) {
  const float most = greater(std::fabs(a), std::fabs(b));
  return __uint_as_float((__float_as_uint(most) & 0x7fffffffu) |
                         ((__float_as_uint(a) ^ __float_as_uint(b)) & 0x80000000u));
}
inline u32 ptx_testp(float a) {
  const int kind = std::fpclassify(a);
  return static_cast<u32>((kind != FP_NAN && kind != FP_INFINITE) | (kind == FP_INFINITE) << 1 | (kind == FP_NAN) << 2 |
                          (kind == FP_NORMAL || kind == FP_ZERO) << 3 | (kind == FP_SUBNORMAL) << 4);
}
inline u32 ptx_setp_unordered(float a, float b) {
  const bool nan = a != a || b != b;
  return static_cast<u32>((nan || a < b) | (nan || a >= b) << 1 | (nan || a == b) << 2 | (nan || a != b) << 3 |
                          nan << 4 | !nan << 5 | (a != b && !nan) << 6);
}
inline u32 ptx_cvt_sat_u8_f32(float a) {
  return a != a ? 0
                : static_cast<u32>(
                      held(static_cast<int>(std::fmin(std::fmax(std::nearbyint(static_cast<double>(a)), -1.0), 256.0)),
                           0, 255));
}
inline u32 ptx_cvt_s16_f32(float a) {
  return a != a ? 0
                : static_cast<u16>(held(
                      static_cast<int>(std::fmin(std::fmax(std::floor(static_cast<double>(a)), -40000.0), 40000.0)),
                      -32768, 32767));
}
