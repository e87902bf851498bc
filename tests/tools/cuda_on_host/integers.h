#pragma once
// CUDA's functions on integers, and on bytes and halves of a word.

#include <cstdlib>

#include "types.h"

// Integers. Written out, so that no compiler builtin decides a result.
inline int __popc(u32 a) {
  int n = 0;
  for (; a; a &= a - 1) ++n;
  return n;
}
inline int __popcll(u64 a) {
  int n = 0;
  for (; a; a &= a - 1) ++n;
  return n;
}
inline int __clzll(u64 a) {
  int n = 0;
  while (n < 64 && !(a >> (63 - n) & 1)) ++n;
  return n;
}
inline int __clz(u32 a) {
  int n = 0;
  while (n < 32 && !(a >> (31 - n) & 1)) ++n;
  return n;
}
inline int __ffs(u32 a) {
  for (int i = 0; i < 32; ++i)
    if (a >> i & 1) return i + 1;
  return 0;
}
inline int __ffsll(u64 a) {
  for (int i = 0; i < 64; ++i)
    if (a >> i & 1) return i + 1;
  return 0;
}
inline u32 __brev(u32 a) {
  u32 r = 0;
  for (int i = 0; i < 32; ++i) r |= (a >> i & 1) << (31 - i);
  return r;
}
inline u64 __brevll(u64 a) {
  u64 r = 0;
  for (int i = 0; i < 64; ++i) r |= (a >> i & 1) << (63 - i);
  return r;
}
inline u32 __umulhi(u32 a, u32 b) {
  return static_cast<u32>(static_cast<u64>(a) * b >> 32);
}
inline s32 __mulhi(s32 a, s32 b) {
  return static_cast<s32>(static_cast<s64>(a) * b >> 32);
}
inline u64 __umul64hi(u64 a, u64 b) {
  return static_cast<u64>(static_cast<unsigned __int128>(a) * b >> 64);
}
inline s64 __mul64hi(s64 a, s64 b) {
  return static_cast<s64>(static_cast<__int128>(a) * b >> 64);
}
inline u32 __byte_perm(u32 a, u32 b, u32 s) {
  const u64 both = static_cast<u64>(b) << 32 | a;
  u32 r = 0;
  for (int i = 0; i < 4; ++i) r |= static_cast<u32>(both >> (8 * (s >> (4 * i) & 7)) & 255) << (8 * i);
  return r;
}
inline u32 __funnelshift_l(u32 lo, u32 hi, u32 s) {
  return static_cast<u32>(((static_cast<u64>(hi) << 32 | lo) << (s & 31)) >> 32);
}
inline u32 __funnelshift_r(u32 lo, u32 hi, u32 s) {
  return static_cast<u32>((static_cast<u64>(hi) << 32 | lo) >> (s & 31));
}
inline u32 __funnelshift_lc(u32 lo, u32 hi, u32 s) {
  return s >= 32 ? lo : __funnelshift_l(lo, hi, s);
}
inline u32 __funnelshift_rc(u32 lo, u32 hi, u32 s) {
  return s >= 32 ? hi : __funnelshift_r(lo, hi, s);
}
inline u32 __usad(u32 a, u32 b, u32 c) {
  return c + (a > b ? a - b : b - a);
}
inline u32 __sad(s32 a, s32 b, u32 c) {
  return c + (a > b ? static_cast<u32>(a) - static_cast<u32>(b) : static_cast<u32>(b) - static_cast<u32>(a));
}
inline u32 __uhadd(u32 a, u32 b) {
  return static_cast<u32>((static_cast<u64>(a) + b) >> 1);
}
inline s32 __hadd(s32 a, s32 b) {
  return static_cast<s32>((static_cast<s64>(a) + b) >> 1);
}
inline s32 __rhadd(s32 a, s32 b) {
  return static_cast<s32>((static_cast<s64>(a) + b + 1) >> 1);
}
inline u32 __umul24(u32 a, u32 b) {
  return (a & 0xffffffu) * (b & 0xffffffu);
}
template <typename A, typename B>
u32 dot4(u32 a, u32 b, u32 c) {
  for (int i = 0; i < 4; ++i)
    c += static_cast<u32>(static_cast<A>(a >> (8 * i))) * static_cast<u32>(static_cast<B>(b >> (8 * i)));
  return c;
}
template <typename A, typename B, typename C>
u32 dot2(u32 a, u32 b, u32 c, int first) {
  for (int i = 0; i < 2; ++i)
    c += static_cast<u32>(static_cast<A>(a >> (16 * i))) * static_cast<u32>(static_cast<B>(b >> (8 * (i + first))));
  return c;
}
inline u32 __dp4a(u32 a, u32 b, u32 c) {
  return dot4<u8, u8>(a, b, c);
}
inline s32 __dp4a(s32 a, s32 b, s32 c) {
  return static_cast<s32>(dot4<s8, s8>(static_cast<u32>(a), static_cast<u32>(b), static_cast<u32>(c)));
}

// Four bytes or two halves at a time.
template <int bits, typename Each>
u32 by_parts(u32 a, u32 b, Each each) {
  u32 r = 0;
  constexpr u32 mask = (1u << bits) - 1;
  for (int i = 0; i < 32; i += bits) r |= (static_cast<u32>(each(a >> i & mask, b >> i & mask)) & mask) << i;
  return r;
}
inline int as_signed(u32 v, int bits) {
  return static_cast<int>(v << (32 - bits)) >> (32 - bits);
}
inline int held(int v, int low, int high) {
  return v < low ? low : v > high ? high : v;
}
inline u32 __vadd4(u32 a, u32 b) {
  return by_parts<8>(a, b, [](u32 x, u32 y) { return x + y; });
}
inline u32 __vsub2(u32 a, u32 b) {
  return by_parts<16>(a, b, [](u32 x, u32 y) { return x - y; });
}
inline u32 __vaddus4(u32 a, u32 b) {
  return by_parts<8>(a, b, [](u32 x, u32 y) { return x + y > 255 ? 255 : x + y; });
}
inline u32 __vsubss2(u32 a, u32 b) {
  return by_parts<16>(a, b, [](u32 x, u32 y) { return held(as_signed(x, 16) - as_signed(y, 16), -32768, 32767); });
}
inline u32 __vavgu4(u32 a, u32 b) {
  return by_parts<8>(a, b, [](u32 x, u32 y) { return (x + y + 1) / 2; });
}
inline u32 __vabsdiffu4(u32 a, u32 b) {
  return by_parts<8>(a, b, [](u32 x, u32 y) { return x > y ? x - y : y - x; });
}
inline u32 __vmaxs2(u32 a, u32 b) {
  return by_parts<16>(a, b, [](u32 x, u32 y) { return as_signed(x, 16) > as_signed(y, 16) ? x : y; });
}
inline u32 __vminu4(u32 a, u32 b) {
  return by_parts<8>(a, b, [](u32 x, u32 y) { return x < y ? x : y; });
}
inline u32 __vcmpgts4(u32 a, u32 b) {
  return by_parts<8>(a, b, [](u32 x, u32 y) { return as_signed(x, 8) > as_signed(y, 8) ? 255 : 0; });
}
inline u32 __vseteq2(u32 a, u32 b) {
  return by_parts<16>(a, b, [](u32 x, u32 y) { return x == y; });
}
inline u32 __vneg4(u32 a) {
  return by_parts<8>(a, 0, [](u32 x, u32) { return 0 - x; });
}
inline u32 __vabsss2(u32 a) {
  return by_parts<16>(a, 0, [](u32 x, u32) {
    const int v = as_signed(x, 16);
    return held(v < 0 ? -v : v, 0, 32767);
  });
}
inline u32 __vsads4(u32 a, u32 b) {
  u32 sum = 0;
  for (int i = 0; i < 32; i += 8)
    sum += static_cast<u32>(std::abs(as_signed(a >> i & 255, 8) - as_signed(b >> i & 255, 8)));
  return sum;
}
