#pragma once
// CUDA's keywords and small types. See ../cuda_on_host.h.

#define __global__
#define __device__
#define __constant__ static const
#define __shared__ static
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __align__(n) alignas(n)
#define DYNAMIC_SHARED(name) unsigned* const name = reinterpret_cast<unsigned*>(cuda_on_host::dynamic_shared)

typedef unsigned int u32;
typedef int s32;
typedef unsigned long long u64;
typedef long long s64;
typedef unsigned short u16;
typedef short s16;
typedef unsigned char u8;
typedef signed char s8;

struct dim3 {
  unsigned x = 1, y = 1, z = 1;
};
struct alignas(8) uint2 {
  u32 x, y;
};
struct alignas(16) uint4 {
  u32 x, y, z, w;
};
struct alignas(4) ushort2 {
  u16 x, y;
};
struct alignas(8) ushort4 {
  u16 x, y, z, w;
};
struct alignas(4) uchar4 {
  u8 x, y, z, w;
};
struct alignas(16) ulonglong2 {
  u64 x, y;
};
inline uint2 make_uint2(u32 x, u32 y) {
  return {x, y};
}
inline uint4 make_uint4(u32 x, u32 y, u32 z, u32 w) {
  return {x, y, z, w};
}
inline ushort2 make_ushort2(u16 x, u16 y) {
  return {x, y};
}
inline ushort4 make_ushort4(u16 x, u16 y, u16 z, u16 w) {
  return {x, y, z, w};
}
inline uchar4 make_uchar4(u8 x, u8 y, u8 z, u8 w) {
  return {x, y, z, w};
}
inline ulonglong2 make_ulonglong2(u64 x, u64 y) {
  return {x, y};
}
