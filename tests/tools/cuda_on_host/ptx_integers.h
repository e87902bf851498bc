#pragma once
// PTX instructions on integers.

#include "integers.h"
#include "lanes.h"

// PTX instructions by name, as the kernels write them in inline assembly.
inline u32 ptx_bfe_u32(u32 a, u32 b, u32 c) {
  const unsigned pos = b & 255, len = c & 255;
  u32 r = 0;
  for (unsigned i = 0; i < len && i < 32; ++i)
    if (pos + i < 32) r |= (a >> (pos + i) & 1) << i;
  return r;
}
inline u64 bfe64(u64 a, u32 b, u32 c, unsigned width, bool with_sign) {
  const unsigned pos = b & 255, len = c & 255;
  u64 sign = 0;
  if (with_sign && len != 0) sign = a >> (pos + len - 1 < width - 1 ? pos + len - 1 : width - 1) & 1;
  u64 r = 0;
  for (unsigned i = 0; i < width; ++i) r |= (i < len && pos + i < width ? a >> (pos + i) & 1 : sign) << i;
  return r;
}
inline u32 ptx_bfe_s32(u32 a, u32 b, u32 c) {
  return static_cast<u32>(bfe64(a, b, c, 32, true));
}
inline u64 ptx_bfe_u64(u64 a, u32 b, u32 c) {
  return bfe64(a, b, c, 64, false);
}
inline u64 ptx_bfe_s64(u64 a, u32 b, u32 c) {
  return bfe64(a, b, c, 64, true);
}
inline u32 ptx_bfi_b32(u32 a, u32 b, u32 c, u32 d) {
  const unsigned pos = c & 255, len = d & 255;
  for (unsigned i = 0; i < len && pos + i < 32; ++i) b = (b & ~(1u << (pos + i))) | (a >> i & 1) << (pos + i);
  return b;
}
inline u64 ptx_bfi_b64(u64 a, u64 b, u32 c, u32 d) {
  const unsigned pos = c & 255, len = d & 255;
  for (unsigned i = 0; i < len && pos + i < 64; ++i) b = (b & ~(1ull << (pos + i))) | (a >> i & 1) << (pos + i);
  return b;
}
inline u32 ptx_shl_b32(u32 a, u32 b) {
  return b > 31 ? 0 : a << b;
}
inline u32 ptx_shr_u32(u32 a, u32 b) {
  return b > 31 ? 0 : a >> b;
}
inline u32 ptx_shr_s32(u32 a, u32 b) {
  return static_cast<u32>(static_cast<s32>(a) >> (b > 31 ? 31 : b));
}
inline u64 ptx_shl_b64(u64 a, u32 b) {
  return b > 63 ? 0 : a << b;
}
inline u64 ptx_shr_s64(u64 a, u32 b) {
  return static_cast<u64>(static_cast<s64>(a) >> (b > 63 ? 63 : b));
}
inline u32 ptx_shl_b16(u32 a, u32 b) {
  return b > 15 ? 0 : (a << b) & 0xffffu;
}
inline u32 ptx_shr_s16(u32 a, u32 b) {
  return static_cast<u16>(static_cast<s16>(a) >> (b > 15 ? 15 : b));
}
inline u32 ptx_bfind_u32(u32 a) {
  return a == 0 ? ~0u : 31u - static_cast<u32>(__clz(a));
}
inline u32 ptx_bfind_s32(u32 a) {
  return ptx_bfind_u32(static_cast<s32>(a) < 0 ? ~a : a);
}
inline u32 ptx_bfind_shiftamt_u32(u32 a) {
  return a == 0 ? ~0u : static_cast<u32>(__clz(a));
}
inline u32 ptx_bfind_u64(u64 a) {
  return a == 0 ? ~0u : 63u - static_cast<u32>(__clzll(a));
}
inline u32 ptx_bmsk_clamp(u32 a, u32 b) {
  u32 r = 0;
  for (u64 i = 0; i < b && i < 32; ++i)
    if (a + i < 32) r |= 1u << (a + i);
  return a > 31 ? 0 : r;
}
inline u32 ptx_bmsk_wrap(u32 a, u32 b) {
  return ptx_bmsk_clamp(a & 31, b & 31);
}
inline u32 ptx_szext_clamp_u32(u32 a, u32 b) {
  return b >= 32 ? a : a & ((1u << b) - 1);
}
inline u32 ptx_szext_wrap_s32(u32 a, u32 b) {
  b &= 31;
  return b == 0 ? 0 : static_cast<u32>(static_cast<s32>(a << (32 - b)) >> (32 - b));
}
inline u32 lop3(u32 a, u32 b, u32 c, u32 table) {
  u32 r = 0;
  for (int i = 0; i < 32; ++i) r |= (table >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1)) & 1) << i;
  return r;
}
inline u32 ptx_lop3_96(u32 a, u32 b, u32 c) {
  return lop3(a, b, c, 0x96);
}
inline u32 ptx_lop3_1b(u32 a, u32 b, u32 c) {
  return lop3(a, b, c, 0x1b);
}
inline u32 ptx_lop3_e2(u32 a, u32 b, u32 c) {
  return lop3(a, b, c, 0xe2);
}
inline u32 picked_byte(u32 a, u32 b, u32 s) {  // one nibble of prmt's selector, including its sign bit
  const u32 byte = static_cast<u32>((static_cast<u64>(b) << 32 | a) >> (8 * (s & 7))) & 255;
  return s & 8 ? (byte & 128 ? 255 : 0) : byte;
}
inline u32 ptx_prmt(u32 a, u32 b, u32 c) {
  u32 r = 0;
  for (int i = 0; i < 4; ++i) r |= picked_byte(a, b, c >> (4 * i) & 15) << (8 * i);
  return r;
}
inline u32 prmt_of(u32 a, u32 b, u32 s0, u32 s1, u32 s2, u32 s3) {
  return ptx_prmt(a, b, s3 << 12 | s2 << 8 | s1 << 4 | s0);
}
inline u32 ptx_prmt_f4e(u32 a, u32 b, u32 c) {
  c &= 3;
  return prmt_of(a, b, c, c + 1, c + 2, c + 3);
}
inline u32 ptx_prmt_b4e(u32 a, u32 b, u32 c) {
  c &= 3;
  return prmt_of(a, b, c, (c + 7) & 7, (c + 6) & 7, (c + 5) & 7);
}
inline u32 ptx_prmt_rc8(u32 a, u32 b, u32 c) {
  c &= 3;
  return prmt_of(a, b, c, c, c, c);
}
inline u32 ptx_prmt_ecl(u32 a, u32 b, u32 c) {
  c &= 3;
  return prmt_of(a, b, c, c > 1 ? c : 1, c > 2 ? c : 2, 3);
}
inline u32 ptx_prmt_ecr(u32 a, u32 b, u32 c) {
  c &= 3;
  return prmt_of(a, b, 0, c < 1 ? c : 1, c < 2 ? c : 2, c);
}
inline u32 ptx_prmt_rc16(u32 a, u32 b, u32 c) {
  c &= 1;
  return prmt_of(a, b, 2 * c, 2 * c + 1, 2 * c, 2 * c + 1);
}
inline u32 ptx_mad_hi_u32(u32 a, u32 b, u32 c) {
  return __umulhi(a, b) + c;
}
inline u32 ptx_mad_hi_s32(u32 a, u32 b, u32 c) {
  return static_cast<u32>(__mulhi(static_cast<s32>(a), static_cast<s32>(b))) + c;
}
inline u32 ptx_mad_hi_sat_s32(u32 a, u32 b, u32 c) {
  const s64 sum = static_cast<s64>(__mulhi(static_cast<s32>(a), static_cast<s32>(b))) + static_cast<s32>(c);
  return static_cast<u32>(sum > 2147483647ll ? 2147483647ll : sum < -2147483648ll ? -2147483648ll : sum);
}
inline u64 ptx_mad_wide_u32(u32 a, u32 b, u64 c) {
  return static_cast<u64>(a) * b + c;
}
inline u64 ptx_mad_wide_s32(u32 a, u32 b, u64 c) {
  return static_cast<u64>(static_cast<s64>(static_cast<s32>(a)) * static_cast<s32>(b)) + c;
}
inline u32 ptx_mul_wide_s16(u32 a, u32 b) {
  return static_cast<u32>(static_cast<s16>(a) * static_cast<s16>(b));
}
inline u32 ptx_mul_wide_u16(u32 a, u32 b) {
  return (a & 0xffffu) * (b & 0xffffu);
}
inline u32 ptx_mul_hi_s16(u32 a, u32 b) {
  return static_cast<u16>((static_cast<s16>(a) * static_cast<s16>(b)) >> 16);
}
inline u32 ptx_mul24_hi_u32(u32 a, u32 b) {
  return static_cast<u32>(static_cast<u64>(a & 0xffffffu) * (b & 0xffffffu) >> 16);
}
inline u32 ptx_mul24_lo_s32(u32 a, u32 b) {
  const s64 x = static_cast<s32>(a << 8) >> 8, y = static_cast<s32>(b << 8) >> 8;
  return static_cast<u32>(x * y);
}
inline u32 ptx_mad24_lo_u32(u32 a, u32 b, u32 c) {
  return __umul24(a, b) + c;
}
inline u32 ptx_add_sat_s32(u32 a, u32 b) {
  const s64 sum = static_cast<s64>(static_cast<s32>(a)) + static_cast<s32>(b);
  return static_cast<u32>(sum > 2147483647ll ? 2147483647ll : sum < -2147483648ll ? -2147483648ll : sum);
}
inline u32 ptx_sub_sat_s32(u32 a, u32 b) {
  const s64 sum = static_cast<s64>(static_cast<s32>(a)) - static_cast<s32>(b);
  return static_cast<u32>(sum > 2147483647ll ? 2147483647ll : sum < -2147483648ll ? -2147483648ll : sum);
}
// Carries: 96 bits in three words; returns the highest word.
inline u32 ptx_add_carry(u32 a0, u32 a1, u32 b0, u32 b1) {
  const u64 a = static_cast<u64>(a1) << 32 | a0, b = static_cast<u64>(b1) << 32 | b0, sum = a + b;
  return static_cast<u32>(sum >> 32) * 3 + (sum < a);
}
inline u32 ptx_sub_carry(u32 a0, u32 a1, u32 b0, u32 b1) {
  const u64 a = static_cast<u64>(a1) << 32 | a0, b = static_cast<u64>(b1) << 32 | b0;
  return static_cast<u32>((a - b) >> 32) * 3 + (a < b ? ~0u : 0u);
}
inline u32 ptx_mad_carry(u32 a, u32 b, u32 c, u32 d) {
  return static_cast<u32>((static_cast<u64>(a) * b + (static_cast<u64>(d) << 32 | c)) >> 32);
}
inline u32 ptx_sad_s32(u32 a, u32 b, u32 c) {
  return __sad(static_cast<s32>(a), static_cast<s32>(b), c);
}
inline u32 ptx_sad_u16(u32 a, u32 b, u32 c) {
  a &= 0xffff;
  b &= 0xffff;
  return (c + (a > b ? a - b : b - a)) & 0xffff;
}
inline u32 ptx_abs_s32(u32 a) {
  return static_cast<s32>(a) < 0 ? 0u - a : a;
}
inline u32 ptx_cnot_b32(u32 a) {
  return a == 0;
}
inline u32 ptx_slct_s32(u32 a, u32 b, u32 c) {
  return static_cast<s32>(c) >= 0 ? a : b;
}
inline u32 ptx_slct_f32(u32 a, u32 b, float c) {
  return c >= 0 ? a : b;
}
inline u32 ptx_set_lt_u32(u32 a, u32 b) {
  return a < b ? ~0u : 0;
}
inline u32 ptx_set_hs_f32(u32 a, u32 b) {
  return a >= b ? 0x3f800000u : 0;
}
inline u32 ptx_fns(u32 mask, u32 base, u32 offset) {
  const s32 n = static_cast<s32>(offset);
  base &= 31;
  if (n == 0) return mask >> base & 1 ? base : ~0u;
  s32 left = n > 0 ? n : -n;
  for (s32 i = static_cast<s32>(base); i >= 0 && i<32; i += n> 0 ? 1 : -1)
    if (mask >> i & 1 && --left == 0) return static_cast<u32>(i);
  return ~0u;
}
inline u32 ptx_dp4a_u32_s32(u32 a, u32 b, u32 c) {
  return dot4<u8, s8>(a, b, c);
}
inline u32 ptx_dp2a_lo_s32_u32(u32 a, u32 b, u32 c) {
  return dot2<s16, u8, u32>(a, b, c, 0);
}
inline u32 ptx_dp2a_hi_u32_s32(u32 a, u32 b, u32 c) {
  return dot2<u16, s8, u32>(a, b, c, 2);
}
inline u32 ptx_cvt_sat_u8_s32(u32 a) {
  return static_cast<u32>(held(static_cast<s32>(a), 0, 255));
}
inline u32 ptx_cvt_sat_s8_s32(u32 a) {
  return static_cast<u32>(held(static_cast<s32>(a), -128, 127));
}
inline u32 ptx_cvt_sat_s16_u32(u32 a) {
  return a > 32767 ? 32767 : a;
}
inline u32 ptx_cvt_sat_u32_s64(u64 a) {
  const s64 v = static_cast<s64>(a);
  return v < 0 ? 0 : v > 0xffffffffll ? ~0u : static_cast<u32>(v);
}
inline u32 ptx_cvt_s32_s8(u32 a) {
  return static_cast<u32>(static_cast<s32>(static_cast<s8>(a)));
}
inline u32 ptx_cvt_u32_u16(u32 a) {
  return static_cast<u16>(a);
}
inline u32 ptx_cvt_pack_sat_s16(u32 a, u32 b) {
  return static_cast<u32>(held(static_cast<s32>(a), -32768, 32767)) << 16 |
         (static_cast<u32>(held(static_cast<s32>(b), -32768, 32767)) & 0xffffu);
}
inline u32 ptx_min_s16(u32 a, u32 b) {
  return static_cast<u16>(static_cast<s16>(a) < static_cast<s16>(b) ? a : b);
}
inline u32 ptx_div_s16(u32 a, u32 b) {
  return static_cast<u16>(static_cast<s16>(a) / static_cast<s16>(b | 1));
}  // callers avoid -32768 / -1
inline u32 ptx_rem_u16(u32 a, u32 b) {
  return (a & 0xffffu) % ((b & 0xffffu) | 1u);
}

inline u32 guarded_load(u32 c, const u32* from, u32 other) {
  return c ? *from : other;
}
inline void guarded_store(u32 c, u32* to, u32 v) {
  if (c) *to = v;
}
inline u32 guarded_atomic(u32 c, u32* to, u32 v) {
  return c ? atomicAdd(to, v) : 0;
}
inline u32 guarded_shuffle(u32 c, u32 m, u32 v, u32 from) {
  return c ? __shfl_sync(m, v, static_cast<int>(from)) : v;
}
inline u32 guarded_ballot(u32 c, u32 m, u32 q) {
  return c ? __ballot_sync(m, static_cast<int>(q)) : 5;
}
