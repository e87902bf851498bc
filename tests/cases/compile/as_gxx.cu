// kernel: limits
// Macros and keywords that nvcc and g++ have before the first line, and macros of a POSIX system.
#include "parts/build_settings.h"
#include "parts/posix_stamp.h"
#ifndef __linux__
#error Unsupported system
#endif
#ifdef __NVCC__
using Value = float;
#else
using Value = float4;  // for another vendor
#endif
__global__ void limits(double* a, Stamp* at) {
  static_assert(__FLT_MAX__ == 3.402823466e+38f && __INT_MAX__ == 2147483647 && __SIZEOF_LONG__ == sizeof(long), "");
  static_assert(sizeof(__UINT64_TYPE__) == 8 && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && __GNUC__ >= 4, "");
  static_assert(sizeof(Value) == 4, "");
  a[0] = __DBL_MAX__;
  a[1] = -__FLT_MAX__;
  at[0] = __INT64_C(1);
  __asm__ __volatile__("membar.gl;");
}
