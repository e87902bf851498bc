// Made by tests/tools/random_kernels.py --seed 12 --kernels 10: what each must leave in its buffers stands in the .out beside it.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
typedef unsigned int u32;
typedef int s32;
typedef unsigned long long u64;
typedef long long s64;
typedef unsigned short u16;
typedef short s16;
typedef unsigned char u8;
typedef signed char s8;
#define DYNAMIC_SHARED(name) extern __shared__ unsigned name[]
__device__ unsigned lane_id() { unsigned l; asm("mov.u32 %0, %%laneid;" : "=r"(l)); return l; }
__device__ u32 ptx_add_carry(u32 a, u32 b, u32 c, u32 d) { u32 r; asm("{.reg .u32 l, h, c; add.cc.u32 l, %1, %3; addc.cc.u32 h, %2, %4; addc.u32 c, 0, 0; mad.lo.u32 %0, h, 3, c;}" : "=&r"(r) : "r"(a), "r"(b), "r"(c), "r"(d)); return r; }
__device__ float ptx_add_ftz(float a, float b) { float r; asm("add.rn.ftz.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); return r; }
__device__ u32 ptx_add_sat_s32(u32 a, u32 b) { u32 r; asm("add.sat.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); return r; }
__device__ u32 ptx_bfe_s32(u32 a, u32 b, u32 c) { u32 r; asm("bfe.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ u32 ptx_bfi_b32(u32 a, u32 b, u32 c, u32 d) { u32 r; asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(a), "r"(b), "r"(c), "r"(d)); return r; }
__device__ u64 ptx_bfi_b64(u64 a, u64 b, u32 c, u32 d) { u64 r; asm("bfi.b64 %0, %1, %2, %3, %4;" : "=l"(r) : "l"(a), "l"(b), "r"(c), "r"(d)); return r; }
__device__ u32 ptx_cnot_b32(u32 a) { u32 r; asm("cnot.b32 %0, %1;" : "=r"(r) : "r"(a)); return r; }
__device__ u32 ptx_cvt_pack_sat_s16(u32 a, u32 b) { u32 r; asm("cvt.pack.sat.s16.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); return r; }
__device__ u32 ptx_cvt_s32_s8(u32 a) { u32 r; asm("cvt.s32.s8 %0, %1;" : "=r"(r) : "r"(a)); return r; }
__device__ u32 ptx_cvt_sat_s8_s32(u32 a) { u32 r; asm("cvt.sat.s8.s32 %0, %1;" : "=r"(r) : "r"(a)); return r; }
__device__ u32 ptx_cvt_sat_u8_s32(u32 a) { u32 r; asm("cvt.sat.u8.s32 %0, %1;" : "=r"(r) : "r"(a)); return r; }
__device__ u32 ptx_dp2a_lo_s32_u32(u32 a, u32 b, u32 c) { u32 r; asm("dp2a.lo.s32.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ float ptx_fma_sat(float a, float b, float c) { float r; asm("fma.rn.sat.f32 %0, %1, %2, %3;" : "=f"(r) : "f"(a), "f"(b), "f"(c)); return r; }
__device__ u32 ptx_lop3_96(u32 a, u32 b, u32 c) { u32 r; asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ u32 ptx_mad24_lo_u32(u32 a, u32 b, u32 c) { u32 r; asm("mad24.lo.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ u32 ptx_mad_carry(u32 a, u32 b, u32 c, u32 d) { u32 r; asm("{.reg .u32 l; mad.lo.cc.u32 l, %1, %2, %3; madc.hi.u32 %0, %1, %2, %4;}" : "=&r"(r) : "r"(a), "r"(b), "r"(c), "r"(d)); return r; }
__device__ u64 ptx_mad_wide_s32(u32 a, u32 b, u64 c) { u64 r; asm("mad.wide.s32 %0, %1, %2, %3;" : "=l"(r) : "r"(a), "r"(b), "l"(c)); return r; }
__device__ u64 ptx_mad_wide_u32(u32 a, u32 b, u64 c) { u64 r; asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(r) : "r"(a), "r"(b), "l"(c)); return r; }
__device__ float ptx_min_nan(float a, float b) { float r; asm("min.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); return r; }
__device__ u32 ptx_mul24_lo_s32(u32 a, u32 b) { u32 r; asm("mul24.lo.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); return r; }
__device__ u32 ptx_mul_hi_s16(u32 a, u32 b) { u32 r; asm("{.reg .b16 a, b; cvt.u16.u32 a, %1; cvt.u16.u32 b, %2; mul.hi.s16 a, a, b; cvt.u32.u16 %0, a;}" : "=&r"(r) : "r"(a), "r"(b)); return r; }
__device__ float ptx_mul_sat(float a, float b) { float r; asm("mul.rn.sat.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); return r; }
__device__ u32 ptx_prmt_ecr(u32 a, u32 b, u32 c) { u32 r; asm("prmt.b32.ecr %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ u32 ptx_prmt_f4e(u32 a, u32 b, u32 c) { u32 r; asm("prmt.b32.f4e %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ u32 ptx_sad_s32(u32 a, u32 b, u32 c) { u32 r; asm("sad.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ u32 ptx_sad_u16(u32 a, u32 b, u32 c) { u32 r; asm("{.reg .b16 a, b, c; cvt.u16.u32 a, %1; cvt.u16.u32 b, %2; cvt.u16.u32 c, %3; sad.u16 a, a, b, c; cvt.u32.u16 %0, a;}" : "=&r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ u32 ptx_shl_b32(u32 a, u32 b) { u32 r; asm("shl.b32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); return r; }
__device__ u32 ptx_shr_u32(u32 a, u32 b) { u32 r; asm("shr.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); return r; }
__device__ u32 ptx_slct_f32(u32 a, u32 b, float c) { u32 r; asm("slct.b32.f32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "f"(c)); return r; }
__device__ u32 ptx_sub_carry(u32 a, u32 b, u32 c, u32 d) { u32 r; asm("{.reg .u32 l, h, c; sub.cc.u32 l, %1, %3; subc.cc.u32 h, %2, %4; subc.u32 c, 0, 0; mad.lo.u32 %0, h, 3, c;}" : "=&r"(r) : "r"(a), "r"(b), "r"(c), "r"(d)); return r; }
__device__ u32 mix(u32 h, u32 v) { h = (h ^ v) * 0x9e3779b1u; return h ^ h >> 15; }
__device__ u32 fold(u64 v) { return (u32)(v >> 32) * 31u + (u32)v; }
__device__ u32 bits(float v) { return v != v ? 0x7fffffffu : __float_as_uint(v); }
__device__ u32 bits(double v) { return v != v ? 0x7fffffffu : fold((u64)__double_as_longlong(v)); }
__device__ float num(float v) { return v != v ? 1.5f : v; }
__device__ double num(double v) { return v != v ? 1.5 : v; }
__device__ float odd_float(u32 v) {
  if ((v & 0x70000u) == 0) return __uint_as_float(v << 13 | v >> 19);
  return __uint_as_float((v & 0x807fffffu) | (v & 0x8000u ? 127u + (v >> 24 & 7u) : 118u + (v >> 24 & 15u)) << 23);
}
__device__ double odd_double(u64 v) {
  if ((v & 0x700000000ull) == 0) return __longlong_as_double((s64)(v << 29 | v >> 35));
  return __longlong_as_double((s64)((v & 0x800fffffffffffffull) | (1000ull + (v >> 56 & 31ull)) << 52));
}
__device__ s32 quotient(s32 a, s32 b) { return b == 0 ? a : b == -1 ? (s32)(0u - (u32)a) : a / b; }
__device__ s32 rest(s32 a, s32 b) { return b == 0 || b == -1 ? (s32)((u32)a * 3u) : a % b; }
__device__ s64 quotient(s64 a, s64 b) { return b == 0 ? a : b == -1 ? (s64)(0ull - (u64)a) : a / b; }
__device__ s64 rest(s64 a, s64 b) { return b == 0 || b == -1 ? (s64)((u64)a * 3u) : a % b; }
__device__ u32 member(u32 m, u32 r) { const u32 some = m & ~0u >> (r & 31u); return some ? 31u - (u32)__clz(some) : (u32)__ffs(m) - 1u; }
template <typename T> __device__ T from_member(u32 m, T v, u32 r) { return __shfl_sync(m, v, (int)member(m, r)); }
template <int width, typename T> __device__ T from_index(u32 m, T v, u32 r) {
  const u32 source = (lane_id() & ~(width - 1u)) + (r & (width - 1u));
  const T got = __shfl_sync(m, v, (int)(r & 63u), width);
  return m >> source & 1u ? got : v;
}
template <int width, typename T> __device__ T from_below(u32 m, T v, u32 r) {
  const u32 within = lane_id() & (width - 1u), delta = r & 31u, source = within < delta ? lane_id() : lane_id() - delta;
  const T got = __shfl_up_sync(m, v, delta, width);
  return m >> source & 1u ? got : v;
}
template <int width, typename T> __device__ T from_above(u32 m, T v, u32 r) {
  const u32 within = lane_id() & (width - 1u), delta = r & 31u, source = within + delta >= width ? lane_id() : lane_id() + delta;
  const T got = __shfl_down_sync(m, v, delta, width);
  return m >> source & 1u ? got : v;
}
template <int width, typename T> __device__ T from_flipped(u32 m, T v, u32 r) {
  u32 source = lane_id() ^ (r & 31u);
  if (source > (lane_id() | (width - 1u))) source = lane_id();
  const T got = __shfl_xor_sync(m, v, (int)(r & 31u), width);
  return m >> source & 1u ? got : v;
}
template <typename T, int n> struct Rolled { T v[n]; __device__ T& at(u32 i) { return v[i % n]; } };
__constant__ u32 fixed[64] = {0u, 2654435858u, 2027808646u, 2415085660u, 3816266900u, 1936385070u, 1070407466u, 1218334088u, 2380164936u, 260932714u, 3450572014u, 3359148244u, 4281628700u, 1923046086u, 578367698u, 247593536u, 930723600u, 2627757890u, 1043729110u, 473604556u, 917384228u, 2375068126u, 551688954u, 4037181304u, 4241610584u, 1164976794u, 3397214526u, 2348389188u, 2313468076u, 3292451190u, 990371234u, 3997162800u, 3722891296u, 167556722u, 1921093670u, 393567548u, 4174912948u, 380227982u, 1894414538u, 127538024u, 3669533032u, 3930464970u, 910333838u, 3199074228u, 2206751548u, 2228333094u, 3263818866u, 1018241568u, 4081535792u, 3863766946u, 364935030u, 2174974636u, 703951172u, 246831934u, 803616922u, 2374306136u, 663932280u, 4262429946u, 284897246u, 1616236068u, 3961479116u, 3025659094u, 3103743298u, 4195731728u};
struct Bundle { u32 a; u8 b; u16 c; u64 d; float e; u32 z; double f; };
__device__ u32 bits(__half v) { const u32 b = __half_as_ushort(v); return (b & 0x7fffu) > 0x7c00u ? 0x7fffu : b; }
__device__ u32 bits(__nv_bfloat16 v) { const u32 b = __bfloat16_as_ushort(v); return (b & 0x7fffu) > 0x7f80u ? 0x7fffu : b; }

__device__ u32 k12_0_kept[800];
// run: --kernel k12_0 --grid 2,2,1 --block 100,1,1 --arg u32[1024]=random:605 --arg u32[400]=0 --arg u32[6400]=0 --arg u32[160]=random:606 --arg u64[24]=random:607 --arg f32[8]=0 --arg f64[8]=0
__global__ void k12_0(const u32* in, u32* out, u32* scratch, u32* bins, u64* wide, float* sums, double* dsums) {
  const u32 t = threadIdx.x + 100u * (threadIdx.y + 1u * threadIdx.z);
  const u32 gid = t + 100u * (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z));
  const u32 L = lane_id();
  const u32 m = t / 32u == 3u ? 0xfu : 0xffffffffu;
  u32* const own = scratch + gid * 16u;
  u16* const own16 = (u16*)(own + 4);
  u8* const own8 = (u8*)(own + 8);
  u64* const own64 = (u64*)(own + 10);
  uint4* const own128 = (uint4*)(own + 12);
  u32 held[4] = {gid, in[gid & 1023u], 7u, t};
  u32 h = gid, u0 = in[(gid * 7u) & 1023u];
  s32 i0 = (s32)in[(gid + 100u) & 1023u] >> (L & 15u);
  u64 w0 = (u64)u0 << 32 | in[t & 1023u];
  float f0 = odd_float(u0 * 77u);
  double d0 = odd_double(w0 * 12345u);
  __shared__ float tile_float[100];
  tile_float[t] = (float)t;
  __shared__ u32 tally[64];
  for (u32 i = t; i < 64u; i += 100u) tally[i] = i * 3u;
  __syncthreads();
  u32 v1 = (u32)own16[(u32)((const u8*)in)[(((f0 > f0)) ? blockDim.x : bits(3.0f)) & 4092u] & 7u];
  tile_float[(t * 31u + 1u) % 100u] = __fdiv_rd(fmaxf(__ll2float_ru((s64)(u64)v1), rintf(f0)), fmaxf(fminf(odd_float(v1), f0), __ull2float_rn(w0)));
  __syncthreads();
  float f2 = tile_float[(99u - t)];
  __syncthreads();
  int allv3;
  u32 v3 = __match_all_sync(m, ((u64)v1 & 1u), &allv3);
  v3 += (u32)(allv3 != 0);
  u32 v4 = __reduce_or_sync(m, u0);
  u32 n5 = 5u;
  while (n5-- != 0u && (((u0 % 2u == 0u)) && ((v4 == L)))) {
    for (u32 k6 = 0u, nk6 = (threadIdx.x % 4u); k6 < nk6; ++k6) {
      h = mix(h, (((threadIdx.y >= blockDim.x)) ? threadIdx.x : blockIdx.x));
      h = mix(h, 0x100u);
    }
    if (((fold(min(w0, w0)) % 5u == 0u))) {
      u32 a7[5];
      for (u32 k8 = 0u; k8 < 5u; ++k8) a7[k8] = bits(__uint2float_rn(blockIdx.x)) + k8 * 0xffffffffu;
      a7[(fold((u64)v4) - gid) % 5u] = (bits(__fmul_rn(__frcp_rn(f0), -1.0f)) >> (bits(__ull2float_ru((w0 ^ 0x20ull))) & 31u));
      switch (bits(rintf(__fadd_rd(copysignf(odd_float(threadIdx.y), num(1.0f)), __fmaf_rd(f0, -2147483648.0f, f2)))) % 8u) {
        case 0: {
          for (u32 k9 = 0u, nk9 = 2u; k9 < nk9; ++k9) {
            u32 v10 = (u32)i0;
            u0 -= fold((u64)v1);
            h = mix(h, a7[lane_id() % 5u]);
          }
          h = mix(h, (u32)((s32)(u16)fixed[1] >> (bits(fmaxf(f0, -2147483648.0f)) & 31u)));
        }
        case 1: {
          *(volatile u64*)own64 = (w0 / (((u64)__double2ull_rd(odd_double((u64)0x3fu)) >> (fold(((const u64*)in)[L & 511u]) & 63u)) | 1ull));
        } break;
        case 2: {
          if ((((gridDim.x > v3)) && (!(((0xd10e5771u % 5u == 0u)))))) atomicAdd(&bins[0 + (t & 7u)], bits(__fmul_ru(1e-45f, -2147483648.0f)));
        }
        case 3: {
          v1 = bits(odd_float((u32)((const u8*)in)[gridDim.x & 4092u]));
        } break;
        case 4: {
          v3 = ((u32)(s8)0x7fffffffu ^ k12_0_kept[gid * 2u + (L & 1u)]);
          for (u32 k11 = 0u, nk11 = (threadIdx.x % 4u); k11 < nk11; ++k11) {
            if (((0x76ea6b2eb1f14763ull == (u64)i0))) atomicMax(&bins[16 + (u0 & 7u)], __ldg(in + (a7[t % 5u] & 1023u)));
            f0 = __fadd_rz(odd_float(gid), __double2float_rd(__ll2double_rn((s64)w0)));
            h = mix(h, (bits(odd_float(threadIdx.x)) >> ((v4 >> (0x7u & 31u)) & 31u)));
          }
        } break;
        case 5: {
          for (u32 k12 = 0u, nk12 = (threadIdx.x % 4u); k12 < nk12; ++k12) {
            v1 = bits(0.0f);
            v3 = ((((lane_id() == 7u)) ? a7[gid % 5u] : (u32)__float2uint_rd(1.0f)) | bits(__fmaf_ru(-2147483648.0f, odd_float(threadIdx.x), odd_float(v1))));
            u32 v13 = atomicCAS(&own[(threadIdx.z + blockIdx.y) & 3u], (lane_id() & threadIdx.y) & 3u, __ldcs(in + (((t << (v4 & 31u)) & (t << (0x40u & 31u))) & 1023u)));
          }
        } break;
      }
    }
  }
  h = mix(h, in[t & 1023u]);
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, v1);
  h = mix(h, v3);
  h = mix(h, v4);
  h = mix(h, (u32)i0);
  h = mix(h, fold(w0));
  h = mix(h, bits(f0));
  h = mix(h, bits(f2));
  h = mix(h, bits(d0));
  h = mix(h, held[h & 3u]);
  out[gid] = h;
  __syncthreads();
  for (u32 i = t; i < 64u; i += 100u) atomicXor(&bins[80u + i], tally[i] * (gid / 100u + 1u));
}

__device__ u32 k12_1_plain0(u32 x, s32 y, const u32* in, u32 gid) {
  if ((((__fadd_rd(truncf(3.4e38f), __fmul_rn(0.5f, 0.0f)) < __fmaf_rn(odd_float(x), 1e10f, __fmul_rn(odd_float(x), 3.4e38f)))) || ((bits((1e-310 != -0.0 ? odd_double(0xffffffffffffffffull) : odd_double(0x7ull))) != bits(__hfma_relu(__ushort_as_half((u16)0x4e332d13u), __ushort_as_half((u16)x), __ushort_as_half((u16)x))))))) {
    u32 v1 = x;
    if (((odd_float(0x0u) < __fsqrt_ru(1.17549435e-38f)))) {
      Bundle g2[3];
      for (u32 kg2 = 0u; kg2 < 3u; ++kg2) g2[kg2] = Bundle{(((threadIdx.y >= 0x100u)) ? v1 : 0xcfaa7293u) + kg2, (u8)kg2, (u16)(0x80000000u % (threadIdx.x | 1u)), (u64)x, __fmaf_rz(1.17549435e-38f, 0.1f, odd_float(x)), 1u, __dmul_rd(1e18, 0.1)};
      g2[(fold(0x7ull) | bits(__ushort_as_half((u16)x))) % 3u].d ^= (u8)(((v1 <= blockDim.x)) ? bits(-9223372036854775808.0) : bits(-1.0));
      g2[(u32)__float2int_rn(rintf(0.5f)) % 3u] = g2[bits(__hfma_relu(__ushort_as_half((u16)x), __ushort_as_half((u16)gid), __ushort_as_half((u16)v1))) % 3u];
      u32 v3 = g2[(u32)__half2uint_rd(__ushort_as_half((u16)(threadIdx.z + blockIdx.y))) % 3u].a;
      u64 w4 = g2[blockDim.x % 3u].d;
      double d5 = g2[bits(__float2half_rz(odd_float(0x40u))) % 3u].f;
      w4 += ((((u64)((threadIdx.z + blockIdx.y) - v1) * v3) - __umul64hi((w4 + w4), (w4 << (gridDim.x & 63u)))) << (bits(__hmin_nan(__hadd_rn(__ushort_as_half((u16)x), __ushort_as_half((u16)v3)), __ushort_as_half((u16)v3))) & 63u));
    } else {
      if (((ptx_cnot_b32(bits(3.0f)) % 4u == 0u))) {
        for (u32 k6 = 0u, nk6 = ((bits(__ushort_as_half((u16)v1)) + ((((s32)v1 > y)) ? v1 : v1)) % 6u); k6 < nk6; ++k6) {
          Rolled<u32, 8> ra7;
          u32 (&a7)[8] = ra7.v;
          for (u32 k8 = 0u; k8 < 8u; ++k8) a7[k8] = ptx_cnot_b32(bits(__ushort_as_half((u16)0x1fu))) + k8 * 0x40u;
          a7[bits(__dsqrt_rz(0.1)) % 8u] ^= bits(__double2half(5e-324));
        }
        u32 n9 = 6u;
        while (n9-- != 0u && (((u32)(u8)x > bits(0.5f)))) {
          Bundle g10[3];
          for (u32 kg10 = 0u; kg10 < 3u; ++kg10) g10[kg10] = Bundle{bits(__ushort_as_bfloat16((u16)v1)) + kg10, (u8)kg10, (u16)bits(-0.0), ((u64)0x21u % ((u64)v1 | 1ull)), odd_float((threadIdx.z + blockIdx.y)), 1u, (odd_double((u64)x) == odd_double(0x1ull) ? 5e-324 : 1.7e308)};
          g10[in[(u32)((const s16*)in)[0x3u & 2046u] & 1023u] % 3u].a ^= (u8)bits(-9223372036854775808.0);
          g10[(v1 + (u32)(y >> (x & 31u))) % 3u] = g10[bits(__hiloint2double((s32)x, (s32)0xffffu)) % 3u];
          u32 v11 = g10[bits(1e-45f) % 3u].c;
          u64 w12 = g10[bits(3.4e38f) % 3u].d;
          double d13 = g10[0x100u % 3u].f;
          u8 x14 = (u8)(bits(odd_double((u64)0xffu)) - (v11 & v11));
          for (u32 kx14 = 0u, nx14 = (threadIdx.x % 4u); kx14 < nx14; ++kx14) x14 = (u8)(x14 * (u8)(u32)(u16)(u32)w12);
          x14 = (u8)(x14 / ((u8)(bits(__float2half_rn(1e-40f)) & 0x3ffu) | 1));
          u32 v15 = (u32)x14;
          Bundle g16[2];
          for (u32 kg16 = 0u; kg16 < 2u; ++kg16) g16[kg16] = Bundle{(u32)((const s8*)in)[x & 4092u] + kg16, (u8)kg16, (u16)(u32)__half2ushort_rn(__ushort_as_half((u16)v1)), (((1.5f != 3.0f)) ? (u64)threadIdx.x : w12), fmaxf(1.17549435e-38f, odd_float(v11)), 1u, odd_double(w12)};
          g16[(u32)min(y, y) % 2u].d ^= (u8)(bits(0.1f) + bits(-1.0));
          g16[(u32)__half2uint_rd(hfloor(__ushort_as_half((u16)0xffffu))) % 2u] = g16[bits(__ushort_as_half((u16)x)) % 2u];
          u32 v17 = g16[(u32)(u16)fold(w12) % 2u].c;
          u64 w18 = g16[v1 % 2u].d;
          double d19 = g16[bits(__low2half(__floats2half2_rn(odd_float(v11), odd_float(0x3u)))) % 2u].f;
        }
        for (u32 k20 = 0u, nk20 = (lane_id() & 3u); k20 < nk20; ++k20) {
          u8 x21 = (u8)(bits(__ushort_as_bfloat16((u16)threadIdx.y)) - bits(0.0f));
          for (u32 kx21 = 0u, nx21 = (threadIdx.x % 4u); kx21 < nx21; ++kx21) x21 = (u8)(x21 | (u8)bits(__float2half_rz(-1.0f)));
          x21 = (u8)(x21 % ((u8)(bits(__ddiv_rd(0.0, odd_double(0x1ull))) & 0x3ffu) | 1));
          u32 v22 = (u32)x21;
        }
      } else {
        for (u32 k23 = 0u, nk23 = (lane_id() & 3u); k23 < nk23; ++k23) {
          if (((((const uint4*)in)[blockIdx.x & 255u].w & 32u) != 0u)) break;
          u64 w24 = (u64)(threadIdx.z + blockIdx.y);
          u32 a25[9];
          for (u32 k26 = 0u; k26 < 9u; ++k26) a25[k26] = bits(__hsub_rn(__ushort_as_bfloat16((u16)x), __ushort_as_bfloat16((u16)v1))) + k26 * 0xffffffffu;
          a25[bits(__uint2double_rn(v1)) % 9u] = fold(0xc0ull);
          u32 a27[5];
          for (u32 k28 = 0u; k28 < 5u; ++k28) a27[k28] = (u32)(s8)bits(1e-45f) + k28 * 0x5u;
          a27[blockIdx.x % 5u] ^= ptx_mad24_lo_u32(lane_id(), (k23 & 63u), blockDim.x);
        }
        s32 i29 = (s32)(u8)v1;
      }
    }
    x = (((x + 0xa1u) - 0x5cu) << ((x - (u32)__float2uint_ru(1.17549435e-38f)) & 31u));
  }
  x -= ((bits(4294967296.0f) * bits(__ushort_as_bfloat16((u16)lane_id()))) * bits(odd_float(0x7u)));
  u32 n30 = 1u;
  do {
    if ((((odd_float(x) == -0.0f)) || (!(((x >= x)))))) {
      x *= 0x100u;
    } else {
    }
  } while (--n30 != 0u && ((bits(1e18) & 64u) != 0u));
  Rolled<u32, 4> ra31;
  u32 (&a31)[4] = ra31.v;
  for (u32 k32 = 0u; k32 < 4u; ++k32) a31[k32] = threadIdx.x + k32 * 0x2u;
  a31[x % 4u] += bits(odd_double(0x100ull));
  float f33 = odd_float(0x0u);
  for (u32 k34 = 0u, nk34 = ((u32)(((s32)x >> (x & 31u)) >> (ptx_cvt_pack_sat_s16(threadIdx.y, (0x0u & 63u)) & 31u)) & 3u); k34 < nk34; ++k34) {
  }
  if ((((ptx_sad_s32(lane_id(), x, 0x1fu) == (u32)y)) && ((!(((blockIdx.x != (threadIdx.z + blockIdx.y))))) || (!(((gid % 2u == 0u))))))) {
  }
  return mix(0x3u, ((0x48946877u + x) / (a31[x % 4u] | 1u)));
}
// run: --kernel k12_1 --grid 1,3,2 --block 45,1,1 --arg u32[1024]=random:651 --arg u32[270]=0 --arg u32[4320]=0 --arg u32[160]=random:652 --arg u64[24]=random:653 --arg f32[8]=0 --arg f64[8]=0
__global__ void k12_1(const u32* in, u32* out, u32* scratch, u32* bins, u64* wide, float* sums, double* dsums) {
  const u32 t = threadIdx.x + 45u * (threadIdx.y + 1u * threadIdx.z);
  const u32 gid = t + 45u * (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z));
  const u32 L = lane_id();
  const u32 m = t / 32u == 1u ? 0x1fffu : 0xffffffffu;
  u32* const own = scratch + gid * 16u;
  u16* const own16 = (u16*)(own + 4);
  u8* const own8 = (u8*)(own + 8);
  u64* const own64 = (u64*)(own + 10);
  uint4* const own128 = (uint4*)(own + 12);
  u32 held[4] = {gid, in[gid & 1023u], 7u, t};
  u32 h = gid, u0 = in[(gid * 7u) & 1023u];
  s32 i0 = (s32)in[(gid + 100u) & 1023u] >> (L & 15u);
  u64 w0 = (u64)u0 << 32 | in[t & 1023u];
  float f0 = odd_float(u0 * 77u);
  double d0 = odd_double(w0 * 12345u);
  Bundle g35[4];
  for (u32 kg35 = 0u; kg35 < 4u; ++kg35) g35[kg35] = Bundle{bits(__ushort_as_half((u16)0x21u)) + kg35, (u8)kg35, (u16)bits(__ushort_as_half((u16)t)), ((u64)u0 & w0), __fsub_ru(odd_float(u0), f0), 1u, (double)f0};
  g35[(fold((u64)__float2ull_rz(odd_float(L))) & bits(odd_double(w0))) % 4u].d ^= (u8)bits(__hfma(__hfma(__ushort_as_bfloat16((u16)blockDim.x), __ushort_as_bfloat16((u16)0xffffffffu), __ushort_as_bfloat16((u16)t)), (__hlt(__ushort_as_bfloat16((u16)L), __ushort_as_bfloat16((u16)blockDim.x)) ? __ushort_as_bfloat16((u16)L) : __ushort_as_bfloat16((u16)threadIdx.x)), __float2bfloat16_rn(f0)));
  g35[fold((w0 & (u64)0x1u)) % 4u] = g35[((blockIdx.x ^ u0) >> ((0x20u ^ u0) & 31u)) % 4u];
  u32 v36 = g35[0x5u % 4u].b;
  u64 w37 = g35[fixed[5] % 4u].d;
  double d38 = g35[in[(gid * 3u + 31u) & 1023u] % 4u].f;
  i0 = (s32)0x21u;
  v36 = ptx_cvt_pack_sat_s16(((gid / (u0 | 1u)) & (t * 0x3u)), ptx_cnot_b32(__ldg(in + (0x40u & 1023u))));
  Bundle g39[4];
  for (u32 kg39 = 0u; kg39 < 4u; ++kg39) g39[kg39] = Bundle{0xffffu + kg39, (u8)kg39, (u16)bits(d0), ((!(((lane_id() == 3u)))) ? (u64)u0 : w0), odd_float(v36), 1u, odd_double(w37)};
  g39[(bits(odd_float(lane_id())) >> ((0x100u >> (threadIdx.x & 31u)) & 31u)) % 4u].c ^= (u8)gid;
  g39[bits(odd_float(v36)) % 4u] = g39[bits((((i0 < i0)) ? f0 : f0)) % 4u];
  u32 v40 = g39[(u32)(i0 >> (t & 31u)) % 4u].b;
  u64 w41 = g39[bits(0.5) % 4u].d;
  double d42 = g39[bits(__dsub_rd(odd_double((u64)gid), odd_double(w37))) % 4u].f;
  h = mix(h, k12_1_plain0((blockIdx.x >> (u0 & 31u)), (s32)(blockDim.x * threadIdx.x), in, gid));
  const u32* p44 = ((lane_id() == 28u)) ? held + (bits(d38) & 3u) : in + ((u32)(u16)t & 1023u);
  u32 v43 = *p44;
  __stcg(own + (L & 3u), fold(w0));
  atomicAdd((__half*)sums + (bits(__dadd_rz(d38, odd_double(w0))) & 3u), __float2half_rn((float)((u32)(((0x2u % 2u == 0u))) & 1u)));
  const u32* p46 = ((lane_id() >= 11u)) ? own + (bits(-9223372036854775808.0) & 3u) : held + ((u32)((volatile u16*)own16)[t & 7u] & 3u);
  u32 v45 = *p46;
  u32* p47 = (((threadIdx.y % 5u == 0u)) || (((s32)u0 < i0))) ? own + (ptx_sad_u16(L, t, (threadIdx.x & 63u)) & 3u) : held + (ptx_cvt_pack_sat_s16(v43, (t & 63u)) & 3u);
  *p47 ^= ((v40 % (v43 | 1u)) - ptx_cnot_b32(0x3u));
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, v36);
  h = mix(h, v40);
  h = mix(h, v43);
  h = mix(h, v45);
  h = mix(h, (u32)i0);
  h = mix(h, fold(w0));
  h = mix(h, fold(w37));
  h = mix(h, fold(w41));
  h = mix(h, bits(f0));
  h = mix(h, bits(d0));
  h = mix(h, bits(d38));
  h = mix(h, bits(d42));
  h = mix(h, held[h & 3u]);
  out[gid] = h;
}

// run: --kernel k12_2 --grid 1,1,1 --block 3,5,2 --arg u32[1024]=random:288 --arg u32[30]=0 --arg u32[480]=0 --arg u32[160]=random:289 --arg u64[24]=random:290 --arg f32[8]=0 --arg f64[8]=0
__global__ void k12_2(const u32* in, u32* out, u32* scratch, u32* bins, u64* wide, float* sums, double* dsums) {
  const u32 t = threadIdx.x + 3u * (threadIdx.y + 5u * threadIdx.z);
  const u32 gid = t + 30u * (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z));
  const u32 L = lane_id();
  const u32 m = t / 32u == 0u ? 0x3fffffffu : 0xffffffffu;
  u32* const own = scratch + gid * 16u;
  u16* const own16 = (u16*)(own + 4);
  u8* const own8 = (u8*)(own + 8);
  u64* const own64 = (u64*)(own + 10);
  uint4* const own128 = (uint4*)(own + 12);
  u32 held[4] = {gid, in[gid & 1023u], 7u, t};
  u32 h = gid, u0 = in[(gid * 7u) & 1023u];
  s32 i0 = (s32)in[(gid + 100u) & 1023u] >> (L & 15u);
  u64 w0 = (u64)u0 << 32 | in[t & 1023u];
  float f0 = odd_float(u0 * 77u);
  double d0 = odd_double(w0 * 12345u);
  u32 n1 = 5u;
  while (n1-- != 0u && (((u0 << (threadIdx.y & 31u)) < (((blockIdx.x % 4u == 1u)) ? t : u0)))) {
    ((volatile u32*)own)[(u32)__float2int_ru(__fdiv_rd(f0, f0)) & 3u] = (u32)(u16)bits(fmodf(__fmaf_ru(1.17549435e-38f, 1.17549435e-38f, f0), ptx_min_nan(f0, odd_float(threadIdx.y))));
    s32 i2 = (i0 >> (0x3u & 31u));
  }
  const bool c3 = ((lane_id() < 21u));
  const u32 m4 = __ballot_sync(m, c3);
  if (c3) {
    const bool c5 = ((__dmul_rn(-0.0, odd_double(0xffffull)) <= (double)0.1f));
    const u32 m6 = __ballot_sync(m4, c5);
    if (c5) {
      __stcg(own + (bits((((0xfffffffeu <= 0x40u)) ? -1.0f : f0)) & 3u), (((u0 & 2u) != 0u) ? L : 0x20u));
      if (((i0 < i0))) {
        h = mix(h, (~0x21u));
        h = mix(h, (((isnan(f0)) ? t : 0x1u) ^ u0));
      }
      u16 x7 = (u16)fold(((const ulonglong2*)in)[(u32)i0 & 255u].y);
      for (u32 kx7 = 0u, nx7 = (ptx_mad_carry((u32)((!(((lane_id() >= 4u))))), (in[threadIdx.y & 1023u] & 63u), ((L >> (t & 31u)) & 63u), 0x31u) % 2u); kx7 < nx7; ++kx7) x7 = (u16)(x7 - (u16)(fold((u64)__float2ull_rn(odd_float(0xa1u))) << (u0 & 31u)));
      x7 = (u16)(x7 % ((u16)(0x3fu & 0x3ffu) | 1));
      u32 v8 = (u32)x7;
      float f10 = from_above<32>(m6, (float)(__double2float_rd(d0)), 16u);
      h = mix(h, (~bits(fmaxf(f10, f0))));
    } else {
      const bool c11 = ((f0 == __fsub_rz(__fdiv_rd(f0, 3.0f), odd_float(L))));
      const u32 m12 = __ballot_sync((m4 & ~m6), c11);
      if (c11) {
        if ((((gid < 0x2u)) || ((f0 <= 0.1f)))) own[(u32)__float2int_rd(__fmaf_rn(f0, f0, 1e10f)) & 3u] += __vsubss2((((threadIdx.z + blockIdx.y) - t) >> ((u32)((s32)0x1fu >> (u0 & 31u)) & 31u)), ((const uint4*)in)[0x1fu & 255u].y);
        d0 = __fma_rn((((f0 > 1e10f)) ? __dmul_rd(odd_double(w0), d0) : __uint2double_rn(0x31a9bc67u)), fabs(round(d0)), odd_double((u64)(s32)blockIdx.x));
        f0 = (__fmul_rz(__fadd_rd(1.5f, 0.1f), __frcp_rn(0.0f)) / __fmaf_rd(f0, __fsub_rd(__fmaf_rd(f0, f0, odd_float(u0)), __fdiv_rn(odd_float(t), 1.0f)), odd_float(u0)));
        u32 v13 = (u32)__ballot_sync(m12, ((__fdiv_rd(__fsqrt_ru(fmaxf(f0, f0)), f0) >= __fmul_rn((((lane_id() > L)) ? fmaxf(f0, f0) : odd_float(lane_id())), __fmaf_rn(__fmul_ru(f0, 3.0f), __fsqrt_rn(f0), __fmaf_rn(f0, odd_float(u0), f0))))));
      }
      h = mix(h, (ptx_sub_carry((u32)__float2uint_rz(fminf(f0, 1e10f)), 0x3fu, (bits(__ull2float_rd(w0)) & 63u), (u32)((u64)L << 32 | 0x6au)) & (u32)((s32)rest((s64)w0, (s64)w0) >> ((u32)__float2uint_ru(__int2float_rn((s32)gid)) & 31u))));
      h = mix(h, (L * L));
    }
    h = mix(h, (u0 & u0));
  }
  for (u32 k14 = 0u; k14 < 3u; ++k14) {
    if ((((((!(((k14 & 4u) != 0u))) ? blockDim.x : 0xffffu) % 4u == 0u)) && (((u32)(u8)u0 == bits(f0))))) {
      h = mix(h, (lane_id() / (0x21u | 1u)));
    } else {
      s16 x15 = (s16)(0x100u / (u0 | 1u));
      for (u32 kx15 = 0u, nx15 = (threadIdx.x % 4u); kx15 < nx15; ++kx15) x15 = (s16)(x15 * (s16)__ldg(in + (fold((u64)__double2ull_ru(d0)) & 1023u)));
      x15 = (s16)(x15 >> ((u32)__double2int_ru(d0) & 7u));
      u32 v16 = (u32)x15;
      u32 n17 = 4u;
      do {
        h = mix(h, (u32)__float2int_rn(odd_float(L)));
        h = mix(h, bits(__fmul_rz(f0, __fsub_rn(3.0f, f0))));
        own[(u32)__double2uint_ru(__dadd_ru(odd_double(0xfffffffffffffffeull), d0)) & 3u] = u0;
        h = mix(h, bits(f0));
      } while (--n17 != 0u && ((fold((u64)__float2ll_ru(f0)) <= bits(f0))));
      h = mix(h, (((L & 16u) != 0u) ? L : threadIdx.y));
    }
    h = mix(h, (u32)((((fold((u64)__float2ull_rd(odd_float(u0))) << (bits(f0) & 31u)) % 2u == 0u))));
  }
  h = mix(h, (bits(fminf(odd_float(u0), odd_float(L))) * t));
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, (u32)i0);
  h = mix(h, fold(w0));
  h = mix(h, bits(f0));
  h = mix(h, bits(d0));
  h = mix(h, held[h & 3u]);
  out[gid] = h;
}

__device__ u32 k12_3_kept[64];
// run: --kernel k12_3 --grid 1,1,1 --block 32,1,1 --arg u32[1024]=random:499 --arg u32[32]=0 --arg u32[512]=0 --arg u32[160]=random:500 --arg u64[24]=random:501 --arg f32[8]=0 --arg f64[8]=0
__global__ void k12_3(const u32* in, u32* out, u32* scratch, u32* bins, u64* wide, float* sums, double* dsums) {
  const u32 t = threadIdx.x + 32u * (threadIdx.y + 1u * threadIdx.z);
  const u32 gid = t + 32u * (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z));
  const u32 L = lane_id();
  const u32 m = 0xffffffffu;
  u32* const own = scratch + gid * 16u;
  u16* const own16 = (u16*)(own + 4);
  u8* const own8 = (u8*)(own + 8);
  u64* const own64 = (u64*)(own + 10);
  uint4* const own128 = (uint4*)(own + 12);
  u32 held[4] = {gid, in[gid & 1023u], 7u, t};
  u32 h = gid, u0 = in[(gid * 7u) & 1023u];
  s32 i0 = (s32)in[(gid + 100u) & 1023u] >> (L & 15u);
  u64 w0 = (u64)u0 << 32 | in[t & 1023u];
  float f0 = odd_float(u0 * 77u);
  double d0 = odd_double(w0 * 12345u);
  if (((d0 != d0))) {
    switch (0x80000000u % 5u) {
      case 0: {
        if ((((bits(f0) + (((0xffffffffu & 64u) != 0u) ? gid : 0x100u)) != t))) {
          if ((((u32)__double2int_rn(odd_double((u64)L)) > (bits(0.1f) ^ (u32)__float2int_rn(f0))))) {
            *own64 = (((u64)L * fold((u64)__double2ull_ru(odd_double(w0)))) | (u64)quotient(i0, (s32)(t * threadIdx.x)));
            s32 i1 = quotient((i0 >> (lane_id() & 31u)), rest((s32)0x100u, i0));
            __stcg(own + (t & 3u), bits((1e-310 == -9223372036854775808.0 ? 2.5 : d0)));
            h = mix(h, (bits(__fadd_rn(1e10f, 3.4e38f)) - (~(blockIdx.x ^ blockIdx.x))));
          }
        }
      } break;
      case 1: {
        h = mix(h, fold(w0));
        if (((bits(1.5f) & 2u) != 0u)) atomicMin((s32*)bins + 64 + (((L - L) - (u32)(u8)0x3u) & 7u), (s32)t);
        h = mix(h, ptx_mul_hi_s16(bits(__fdiv_ru(odd_float(L), __double2float_rd(d0))), (bits(__frcp_rn(0.1f)) & 63u)));
      } break;
      case 2: {
        h = mix(h, t);
        h = mix(h, (u32)((const ushort4*)own16)[(u32)(s8)bits(__uint2float_ru(0x21u)) & 1u].w);
      } break;
      case 3: {
        h = mix(h, bits(f0));
      } break;
      case 4: {
        float f2 = __fdiv_rn(3.4e38f, -2147483648.0f);
      } break;
    }
    for (u32 k3 = 0u, nk3 = (lane_id() & 3u); k3 < nk3; ++k3) {
      h = mix(h, fold((u64)__float2ll_ru(fmaxf(odd_float(bits(odd_float(L))), 1e10f))));
      h = mix(h, (u32)__float2uint_rd((((0x898ebce5u & 64u) != 0u) ? __fmaf_ru(odd_float(0xe752ab82u), f0, f0) : fminf(f0, 3.4e38f))));
    }
    h = mix(h, (u32)(__mulhi((s32)(in[0x3u & 1023u] - (t & 0x7de8081fu)), (s32)(s8)(u32)own8[(threadIdx.z + blockIdx.y) & 7u]) >> ((((lane_id() < 31u)) ? (u32)(s16)ptx_cvt_s32_s8(0x1fu) : ptx_bfe_s32((((threadIdx.y & 64u) != 0u) ? u0 : blockIdx.x), 0x80000000u, bits(f0))) & 31u)));
    f0 = odd_float(u0);
    h = mix(h, (u32)(((lane_id() != 3u))));
  } else {
    d0 = __dmul_rz((double)fmaxf(odd_float(threadIdx.y), f0), __dadd_rn(__fma_rz(odd_double((u64)u0), odd_double(w0), d0), __dsub_ru(d0, odd_double(0x7fffffffffffffffull))));
    s16 x4 = (s16)0x40u;
    for (u32 kx4 = 0u, nx4 = ((u32)(s32)(u0 * 0xffu) & 7u); kx4 < nx4; ++kx4) x4 = (s16)(x4 + (s16)(~(u32)__double2uint_rz(odd_double(0x5ull))));
    x4 = (s16)(x4 >> ((u32)__popc(t) & 7u));
    u32 v5 = (u32)x4;
  }
  float f7 = from_index<16>(m, (float)(f0), 1u);
  u32 a8[4];
  for (u32 k9 = 0u; k9 < 4u; ++k9) a8[k9] = k12_3_kept[gid * 2u + ((u32)(u8)threadIdx.x & 1u)] + k9 * 0xc8u;
  a8[gid % 4u] ^= (u32)__double2int_rd(__fma_ru(odd_double(w0), (double)-1.0f, (((w0 > w0)) ? d0 : d0)));
  own[(u32)((~i0) >> ((u32)(((lane_id() < 19u))) & 31u)) & 3u] = (((lane_id() > 20u)) ? ptx_prmt_f4e(lane_id(), 0x100u, 0xfbu) : bits(__saturatef(f7)));
  d0 = odd_double(((u64)L * threadIdx.x));
  *own128 = make_uint4((0x3fu & u0), (u32)__float2int_ru(odd_float(t)), (u0 * L), bits(-0.0f));
  Bundle g10[2];
  for (u32 kg10 = 0u; kg10 < 2u; ++kg10) g10[kg10] = Bundle{(L & threadIdx.x) + kg10, (u8)kg10, (u16)__umulhi(u0, threadIdx.y), (w0 * (u64)gridDim.x), copysignf(odd_float(t), num(3.0f)), 1u, __dmul_rd(odd_double(w0), odd_double(w0))};
  g10[bits(__int2float_ru((s32)0x3u)) % 2u].c ^= (u8)(u32)(s8)blockDim.x;
  g10[lane_id() % 2u] = g10[(threadIdx.z + blockIdx.y) % 2u];
  u32 v11 = g10[(L * (((blockIdx.x > t)) ? threadIdx.x : gridDim.x)) % 2u].c;
  u64 w12 = g10[((u0 | gridDim.x) & (u0 >> (u0 & 31u))) % 2u].d;
  double d13 = g10[(u32)__float2uint_ru(__fmul_ru(odd_float(0x100u), odd_float(gridDim.x))) % 2u].f;
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, v11);
  h = mix(h, (u32)i0);
  h = mix(h, fold(w0));
  h = mix(h, fold(w12));
  h = mix(h, bits(f0));
  h = mix(h, bits(f7));
  h = mix(h, bits(d0));
  h = mix(h, bits(d13));
  h = mix(h, held[h & 3u]);
  out[gid] = h;
}

// run: --kernel k12_4 --grid 2,2,1 --block 5,4,2 --arg u32[1024]=random:204 --arg u32[160]=0 --arg u32[2560]=0 --arg u32[160]=random:205 --arg u64[24]=random:206 --arg f32[8]=0 --arg f64[8]=0
__global__ void k12_4(const u32* in, u32* out, u32* scratch, u32* bins, u64* wide, float* sums, double* dsums) {
  const u32 t = threadIdx.x + 5u * (threadIdx.y + 4u * threadIdx.z);
  const u32 gid = t + 40u * (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z));
  const u32 L = lane_id();
  const u32 m = t / 32u == 1u ? 0xffu : 0xffffffffu;
  u32* const own = scratch + gid * 16u;
  u16* const own16 = (u16*)(own + 4);
  u8* const own8 = (u8*)(own + 8);
  u64* const own64 = (u64*)(own + 10);
  uint4* const own128 = (uint4*)(own + 12);
  u32 held[4] = {gid, in[gid & 1023u], 7u, t};
  u32 h = gid, u0 = in[(gid * 7u) & 1023u];
  s32 i0 = (s32)in[(gid + 100u) & 1023u] >> (L & 15u);
  u64 w0 = (u64)u0 << 32 | in[t & 1023u];
  float f0 = odd_float(u0 * 77u);
  double d0 = odd_double(w0 * 12345u);
  h = mix(h, ((t - 0x5u) & (u32)i0));
  u32 n1 = 3u;
  do {
    u32 a2[6];
    for (u32 k3 = 0u; k3 < 6u; ++k3) a2[k3] = ((threadIdx.x * L) + blockIdx.x) + k3 * 0x7u;
    a2[(fold(ptx_mad_wide_s32(L, (L & 63u), (u64)L)) - (t & t)) % 6u] = ((((u0 > t)) || ((t > L))) ? ((u32)((const uchar4*)in)[0x3fu & 1023u].x / ((threadIdx.y * u0) | 1u)) : ((((L % 2u == 0u)) ? t : L) | (threadIdx.x | threadIdx.y)));
  } while (--n1 != 0u && (((s32)u0 < (~i0))));
  u32 v5 = from_index<32>(m, (u32)((((gid & 4u) != 0u) ? L : u0)), 6u);
  h = mix(h, (u32)((const u8*)own)[t & 63u]);
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, v5);
  h = mix(h, (u32)i0);
  h = mix(h, fold(w0));
  h = mix(h, bits(f0));
  h = mix(h, bits(d0));
  h = mix(h, held[h & 3u]);
  out[gid] = h;
}

// run: --kernel k12_5 --grid 2,2,1 --block 8,6,1 --arg u32[1024]=random:912 --arg u32[192]=0 --arg u32[3072]=0 --arg u32[160]=random:913 --arg u64[24]=random:914 --arg f32[8]=0 --arg f64[8]=0
__global__ void k12_5(const u32* in, u32* out, u32* scratch, u32* bins, u64* wide, float* sums, double* dsums) {
  const u32 t = threadIdx.x + 8u * (threadIdx.y + 6u * threadIdx.z);
  const u32 gid = t + 48u * (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z));
  const u32 L = lane_id();
  const u32 m = t / 32u == 1u ? 0xffffu : 0xffffffffu;
  u32* const own = scratch + gid * 16u;
  u16* const own16 = (u16*)(own + 4);
  u8* const own8 = (u8*)(own + 8);
  u64* const own64 = (u64*)(own + 10);
  uint4* const own128 = (uint4*)(own + 12);
  u32 held[4] = {gid, in[gid & 1023u], 7u, t};
  u32 h = gid, u0 = in[(gid * 7u) & 1023u];
  s32 i0 = (s32)in[(gid + 100u) & 1023u] >> (L & 15u);
  u64 w0 = (u64)u0 << 32 | in[t & 1023u];
  float f0 = odd_float(u0 * 77u);
  double d0 = odd_double(w0 * 12345u);
  __shared__ u64 tile_u64[48];
  tile_u64[t] = (u64)t;
  __syncthreads();
  u0 ^= u0;
  h = mix(h, fold((w0 ^ w0)));
  h = mix(h, (u32)(s16)u0);
  tile_u64[(t * 1u + 18u) % 48u] = (((u64)(t & 0x7u) << 32 | (0x1fu << (0x1u & 31u))) << (ptx_cvt_s32_s8(lane_id()) & 63u));
  __syncthreads();
  u64 w1 = tile_u64[(47u - t)];
  __syncthreads();
  double d3 = from_member(m, (double)((double)-0.0f), gridDim.x);
  const bool c4 = ((u0 < L));
  const u32 m5 = __ballot_sync(m, c4);
  if (c4) {
    const bool c6 = ((0xffu == bits(f0)));
    const u32 m7 = __ballot_sync(m5, c6);
    if (c6) {
      u32 a8[2];
      for (u32 k9 = 0u; k9 < 2u; ++k9) a8[k9] = ((blockDim.x + L) | (u32)i0) + k9 * 0x7u;
      a8[(u32)(u64)i0 % 2u] += bits(__double2float_rn(d0));
      u0 &= (u32)((const s8*)in)[__usad(((L * 0x21u) * (u32)(s16)t), (u32)(s16)bits(f0), (ptx_bfi_b32(L, t, 0x0u, 0x5u) / ((L & L) | 1u))) & 4092u];
      for (u32 k10 = 0u, nk10 = ((0x1fu + (u0 << (t & 31u))) % 5u); k10 < nk10; ++k10) {
        u8 x11 = (u8)fold(w1);
        for (u32 kx11 = 0u, nx11 = (((u0 >> (L & 31u)) ^ (u32)((s32)k10 >> (L & 31u))) % 6u); kx11 < nx11; ++kx11) x11 = (u8)(x11 | (u8)(u32)((((u64)L == (u64)(threadIdx.z + blockIdx.y)))));
        x11 = (u8)(x11 / ((u8)((u32)((const s8*)in)[bits(f0) & 4092u] & 0x3ffu) | 1));
        u32 v12 = (u32)x11;
        u32 n13 = 5u;
        do {
          *(volatile u64*)own64 = ((u64)v12 * u0);
        } while (--n13 != 0u && ((k10 > (0x5u * v12))));
        for (u32 k14 = 0u, nk14 = 1u; k14 < nk14; ++k14) {
          h = mix(h, (u32)(s32)(s8)(u32)__float2uint_rd(f0));
          d0 = __dadd_rn(__dmul_ru(odd_double(0x8aull), d0), odd_double(w1));
          d0 = __fma_rn(__dmul_rd(odd_double(w0), d3), -(0.0), (double)f0);
          s32 i15 = (s32)(bits(fmaxf((((0x1fu < L)) ? f0 : 1.17549435e-38f), __double2float_rn(d3))) - u0);
        }
        if (((-(3.4e38f) < ldexpf(f0, (s32)(L % 300u) - 150)))) {
          w0 -= ((u64)((threadIdx.z + blockIdx.y) << (t & 31u)) * (lane_id() | gid));
          h = mix(h, (u32)((volatile u16*)own16)[__usad(bits(f0), (u32)__float2uint_ru(odd_float(u0)), (u32)(s8)threadIdx.x) & 7u]);
          f0 = fminf(fdimf(f0, f0), copysignf(0.1f, num(1.0f)));
          h = mix(h, u0);
          h = mix(h, bits(__fadd_rd((odd_float(u0) / f0), __fadd_rz(f0, odd_float(0xb85f15bau)))));
        }
        h = mix(h, ((u32)own8[a8[v12 % 2u] & 7u] + L));
      }
      float f17 = from_above<4>(m7, (float)(__fmaf_rz(roundf(f0), rintf(-1.0f), __fdiv_rz(odd_float(L), f0))), 4u);
    } else {
      *own128 = make_uint4(L, (u32)__float2uint_ru(odd_float(blockDim.x)), (L & blockIdx.x), bits(__fadd_rz(f0, f0)));
      h = mix(h, bits(nextafterf(odd_float(gridDim.x), f0)));
    }
    h = mix(h, ((bits(f0) >> (bits(f0) & 31u)) >> (L & 31u)));
  } else {
    h = mix(h, fold((u64)min(i0, (s32)0xffu)));
  }
  own[fold(ptx_bfi_b64((u64)(s32)L, w1, ((((L < 0x3u)) ? t : u0) & 63u), fold(ptx_bfi_b64(w1, w1, blockIdx.x, (0x1u & 63u))))) & 3u] = ((u32)((u64)0x40u | w0) * (u32)(s8)fold(((const u64*)in)[t & 511u]));
  h = mix(h, (((u32)(((gid & 16u) != 0u)) & ((u32)(i0 >> (L & 31u)) ^ (u32)__popc(blockDim.x))) / (fold(*own64) | 1u)));
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, (u32)i0);
  h = mix(h, fold(w0));
  h = mix(h, fold(w1));
  h = mix(h, bits(f0));
  h = mix(h, bits(d0));
  h = mix(h, bits(d3));
  h = mix(h, held[h & 3u]);
  out[gid] = h;
}

__device__ u32 k12_6_kept[128];
__device__ __noinline__ u32 k12_6_recursive0(u32 n, u32 x, const u32* in) {
  if (n == 0u || (((blockIdx.x <= threadIdx.x)) && (((s32)n >= (s32)lane_id())))) return (in[(threadIdx.z + blockIdx.y) & 1023u] | ((((u64)x == (u64)blockIdx.x)) ? n : n));
  u32 r = k12_6_recursive0(n - 1u, ((n ^ 0x7fffffffu) + fold(0x40ull)), in);
  if ((((bits(0.5f) & 64u) != 0u) && (((blockDim.x & r) <= ptx_cvt_sat_s8_s32(0x7u))))) {
    double d1 = __dadd_rn(__dadd_rd((double)1e-45f, fmin(1e18, odd_double((u64)0xe304e89bu))), __dmul_rn(__uint2double_rn(x), odd_double((u64)n)));
  } else {
    r = (((u32)(s32)gridDim.x | (u32)(((r % 4u == 1u)))) << ((((lane_id() == 17u)) ? (gridDim.x % (gridDim.x | 1u)) : (u32)(((lane_id() != 5u)))) & 31u));
  }
  switch (((u32)(s32)0x4du - (r ^ n)) % 3u) {
    case 0: {
      s32 i2 = min((s32)((u32)(s16)(n * lane_id()) + (((r < r)) ? (n | r) : (r ^ n))), ((!(((threadIdx.y & 16u) != 0u))) ? rest((~(s32)n), (~(s32)r)) : __float2int_ru(__int2float_ru((s32)lane_id()))));
    } break;
    case 1: {
      u16 x3 = (u16)(((0x3ull <= (u64)r)) ? r : (threadIdx.z + blockIdx.y));
      for (u32 kx3 = 0u, nx3 = (threadIdx.x % 4u); kx3 < nx3; ++kx3) x3 = (u16)(x3 * (u16)(u32)((u64)r * blockDim.x));
      x3 = (u16)(x3 % ((u16)(((x * x) >> ((0xf3b3fa1fu & r) & 31u)) & 0x3ffu) | 1));
      u32 v4 = (u32)x3;
      r *= (bits(1.5f) | (n ^ lane_id()));
    } break;
    case 2: {
      if (((blockDim.x >= (threadIdx.z + blockIdx.y)))) {
        Rolled<u32, 2> ra5;
        u32 (&a5)[2] = ra5.v;
        for (u32 k6 = 0u; k6 < 2u; ++k6) a5[k6] = ptx_add_sat_s32((0x7fffffffu % (0x20u | 1u)), (blockDim.x & 63u)) + k6 * 0x21u;
        a5[((u32)(s32)0xffffu * (u32)((s32)r >> (x & 31u))) % 2u] = ptx_dp2a_lo_s32_u32(ptx_add_sat_s32((x & gridDim.x), (0x100u + r)), (blockDim.x & 63u), 0x0u);
      } else {
        s32 i7 = __float2int_rn(odd_float(n));
        switch ((u32)(u64)0x3fu % 4u) {
          case 0: {
            if ((((((((s32)r == i7)) && ((r % 2u == 0u))) ? (s32)(s8)((isnan(0.0f)) ? gridDim.x : n) : (s32)(u8)in[0x30486a1u & 1023u]) < __float2int_rz(fabsf(ceilf(3.0f)))))) {
              s32 i8 = (s32)(0xffffffffu + gridDim.x);
              double d9 = -0.0;
            }
          } break;
          case 1: {
            s32 i10 = rest((s32)(u8)ptx_cvt_pack_sat_s16((((0x375b92ecu & 4u) != 0u) ? 0x100u : n), 0x2u), (s32)(((x | blockIdx.x) * fold((u64)x)) - (((n < x)) ? (0x100u - n) : (((lane_id() == 19u)) ? n : r))));
          } break;
          default: {
            u32 a11[5];
            for (u32 k12 = 0u; k12 < 5u; ++k12) a11[k12] = __vadd4((u32)((const s8*)in)[n & 4092u], (u32)(s32)threadIdx.y) + k12 * 0xffffu;
            a11[ptx_sub_carry((((0x1fu > r)) ? r : blockIdx.x), 0xd18dc713u, (threadIdx.z + blockIdx.y), (0xb428e166u & 63u)) % 5u] = ((r * x) & (x + x));
            s32 i13 = (s32)(a11[((u32)((const uchar4*)in)[(threadIdx.z + blockIdx.y) & 1023u].z | (n * threadIdx.y)) % 5u] * a11[(threadIdx.z + blockIdx.y) % 5u]);
          } break;
        }
      }
    } break;
  }
  u32 v14 = (u32)(s32)(u8)ptx_sub_carry(r, (ptx_add_sat_s32(n, ((threadIdx.z + blockIdx.y) & 63u)) & 63u), (__ldg(in + (0x7fffffffu & 1023u)) & 63u), 0x100u);
  v14 = bits(roundf(odd_float(0xffffffffu)));
  float f15 = fmaxf(ldexpf(0.1f, (s32)(r % 300u) - 150), copysignf(odd_float(0x20u), num(4294967296.0f)));
  f15 = __double2float_ru(__ull2double_rz((u64)x));
  return __vcmpgts4(ptx_dp2a_lo_s32_u32((threadIdx.z + blockIdx.y), 0x3u, blockIdx.x), (v14 ^ 0xffu));
}

__device__ __noinline__ u32 k12_6_masked1(u32 m, u32 x, s32 y, const u32* in, u32 gid) {
  const u32 L = lane_id();
  u32 a16[9];
  for (u32 k17 = 0u; k17 < 9u; ++k17) a16[k17] = ((L * L) | (threadIdx.y | 0x416852a1u)) + k17 * 0x40u;
  a16[((0x80000000u ^ 0x3u) - (u32)(u64)x) % 9u] = fold((((u64)(~blockDim.x) << 32 | (0x4fu & L)) << ((u32)((u64)x % (0xffffffffffffffffull | 1ull)) & 63u)));
  switch ((u32)((const s16*)in)[x & 2046u] % 9u) {
    case 0: {
      u8 x18 = (u8)(L & x);
      for (u32 kx18 = 0u, nx18 = (lane_id() & 3u); kx18 < nx18; ++kx18) x18 = (u8)(x18 * (u8)ptx_add_sat_s32((u32)((const uchar4*)in)[L & 1023u].w, (0x4a8ae62u >> (x & 31u))));
      x18 = (u8)(x18 / ((u8)(ptx_cvt_sat_s8_s32((~0xffffu)) & 0x3ffu) | 1));
      u32 v19 = (u32)x18;
    } break;
    case 1: {
      x ^= ((__dp4a(x, 0x1fu, x) - bits(4294967296.0f)) << ((((lane_id() < 30u)) ? (0xffu >> (lane_id() & 31u)) : bits(odd_float(L))) & 31u));
    } break;
    case 2: {
    } break;
    case 3: {
    } break;
    case 4: {
    } break;
    case 5: {
    } break;
    default: {
    }
  }
  return mix(fold(((isnan(1e-40f)) ? (0x5ull >> (0x1u & 63u)) : ((u64)L << 32 | x))), (L & x));
}

__device__ __noinline__ void k12_6_through2(u32& x, u32* at, u32 v) {
  if (v % 6u) x = mix(x, at[v & 3u]);
  at[x & 3u] += v * 19254u;
}
// run: --kernel k12_6 --grid 2,1,1 --block 32,1,1 --arg u32[1024]=random:807 --arg u32[64]=0 --arg u32[1024]=0 --arg u32[160]=random:808 --arg u64[24]=random:809 --arg f32[8]=0 --arg f64[8]=0
__global__ void k12_6(const u32* in, u32* out, u32* scratch, u32* bins, u64* wide, float* sums, double* dsums) {
  const u32 t = threadIdx.x + 32u * (threadIdx.y + 1u * threadIdx.z);
  const u32 gid = t + 32u * (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z));
  const u32 L = lane_id();
  const u32 m = 0xffffffffu;
  u32* const own = scratch + gid * 16u;
  u16* const own16 = (u16*)(own + 4);
  u8* const own8 = (u8*)(own + 8);
  u64* const own64 = (u64*)(own + 10);
  uint4* const own128 = (uint4*)(own + 12);
  u32 held[4] = {gid, in[gid & 1023u], 7u, t};
  u32 h = gid, u0 = in[(gid * 7u) & 1023u];
  s32 i0 = (s32)in[(gid + 100u) & 1023u] >> (L & 15u);
  u64 w0 = (u64)u0 << 32 | in[t & 1023u];
  float f0 = odd_float(u0 * 77u);
  double d0 = odd_double(w0 * 12345u);
  u32 v20 = k12_6_masked1(m, ((((u32)(u8)(u32)(u16)L & 4u) != 0u) ? (u32)((isnan(f0))) : in[k12_6_recursive0((L & (threadIdx.z + blockIdx.y)) & 7u, (0xed90d059u * L), in) & 1023u]), i0, in, gid);
  k12_6_through2(v20, held, ((u32)__mulhi((s32)(s64)(u64)0x5u, ((!((isnan(odd_float(lane_id()))))) ? i0 : (s32)u0)) ^ k12_6_recursive0((u32)((const u16*)in)[k12_6_recursive0(v20 & 3u, L, in) & 2046u] & 7u, (u32)__dp4a(min(i0, (s32)v20), (s32)(0xa8e90c0eu * u0), (s32)(u16)blockIdx.x), in)));
  u32 a21[4];
  for (u32 k22 = 0u; k22 < 4u; ++k22) a21[k22] = (u32)__float2int_rd(f0) + k22 * 0x7335c9efu;
  a21[k12_6_recursive0((0x21u | L) & 3u, k12_6_recursive0(t & 3u, t, in), in) % 4u] += t;
  u32 v23 = (u32)__syncthreads_or((((lane_id() > 18u)) && ((__fma_ru(__dsub_ru(d0, d0), __dmul_rn(1.7e308, d0), __ull2double_rz((u64)lane_id())) >= -0.0))));
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, v20);
  h = mix(h, v23);
  h = mix(h, (u32)i0);
  h = mix(h, fold(w0));
  h = mix(h, bits(f0));
  h = mix(h, bits(d0));
  h = mix(h, held[h & 3u]);
  out[gid] = h;
}

// run: --kernel k12_7 --grid 2,1,1 --block 10,5,1 --arg u32[1024]=random:943 --arg u32[100]=0 --arg u32[1600]=0 --arg u32[160]=random:944 --arg u64[24]=random:945 --arg f32[8]=0 --arg f64[8]=0
__global__ void k12_7(const u32* in, u32* out, u32* scratch, u32* bins, u64* wide, float* sums, double* dsums) {
  const u32 t = threadIdx.x + 10u * (threadIdx.y + 5u * threadIdx.z);
  const u32 gid = t + 50u * (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z));
  const u32 L = lane_id();
  const u32 m = t / 32u == 1u ? 0x3ffffu : 0xffffffffu;
  u32* const own = scratch + gid * 16u;
  u16* const own16 = (u16*)(own + 4);
  u8* const own8 = (u8*)(own + 8);
  u64* const own64 = (u64*)(own + 10);
  uint4* const own128 = (uint4*)(own + 12);
  u32 held[4] = {gid, in[gid & 1023u], 7u, t};
  u32 h = gid, u0 = in[(gid * 7u) & 1023u];
  s32 i0 = (s32)in[(gid + 100u) & 1023u] >> (L & 15u);
  u64 w0 = (u64)u0 << 32 | in[t & 1023u];
  float f0 = odd_float(u0 * 77u);
  double d0 = odd_double(w0 * 12345u);
  __shared__ uint4 tile_uint4[50];
  tile_uint4[t] = make_uint4(t, gid, 1u, 2u);
  __syncthreads();
  *own64 = ((((u64)__double2ll_ru(odd_double(w0)) >> ((((t >= L)) ? L : L) & 63u)) + (u64)(((gid != lane_id())) ? (s32)threadIdx.y : i0)) / ((__brevll((u64)(s32)t) & ((u64)(t ^ u0) * (lane_id() + blockDim.x))) | 1ull));
  own[ptx_sad_s32((t + gridDim.x), fixed[blockDim.x & 63u], (lane_id() << (u0 & 31u))) & 3u] = u0;
  tile_uint4[(t * 7u + 10u) % 50u] = make_uint4(t, (((0xffu >= t)) ? u0 : L), (u32)w0, (0x7fffffffu ^ L));
  __syncthreads();
  u32 v2 = (u32)((const u8*)tile_uint4)[u0 % 800u];
  __syncthreads();
  u64 w4 = from_below<4>(m, (u64)((w0 & ((u64)(s32)(lane_id() + u0) * ((((threadIdx.z + blockIdx.y) & 4u) != 0u) ? (((d0 < 1.0)) ? w0 : w0) : ((u64)L >> (0x21u & 63u)))))), fold(__brevll(w0)));
  float f6 = from_member(m, (float)(__fsqrt_ru((__uint2float_rn(0xffu) == f0 ? f0 : __fsqrt_rz(f0)))), 4u);
  int allv7;
  u32 v7 = __match_all_sync(m, ((w0 - 0x21ull) & 1u), &allv7);
  v7 += (u32)(allv7 != 0);
  v2 = (L % (v2 | 1u));
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, v2);
  h = mix(h, v7);
  h = mix(h, (u32)i0);
  h = mix(h, fold(w0));
  h = mix(h, fold(w4));
  h = mix(h, bits(f0));
  h = mix(h, bits(f6));
  h = mix(h, bits(d0));
  h = mix(h, held[h & 3u]);
  out[gid] = h;
}

// run: --kernel k12_8 --grid 1,1,1 --block 70,1,1 --arg u32[1024]=random:659 --arg u32[70]=0 --arg u32[1120]=0 --arg u32[160]=random:660 --arg u64[24]=random:661 --arg f32[8]=0 --arg f64[8]=0
__global__ void k12_8(const u32* in, u32* out, u32* scratch, u32* bins, u64* wide, float* sums, double* dsums) {
  const u32 t = threadIdx.x + 70u * (threadIdx.y + 1u * threadIdx.z);
  const u32 gid = t + 70u * (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z));
  const u32 L = lane_id();
  const u32 m = t / 32u == 2u ? 0x3fu : 0xffffffffu;
  u32* const own = scratch + gid * 16u;
  u16* const own16 = (u16*)(own + 4);
  u8* const own8 = (u8*)(own + 8);
  u64* const own64 = (u64*)(own + 10);
  uint4* const own128 = (uint4*)(own + 12);
  u32 held[4] = {gid, in[gid & 1023u], 7u, t};
  u32 h = gid, u0 = in[(gid * 7u) & 1023u];
  s32 i0 = (s32)in[(gid + 100u) & 1023u] >> (L & 15u);
  u64 w0 = (u64)u0 << 32 | in[t & 1023u];
  float f0 = odd_float(u0 * 77u);
  double d0 = odd_double(w0 * 12345u);
  __shared__ uint2 tile_uint2[70];
  tile_uint2[t] = make_uint2(t, gid);
  __shared__ u32 tally[64];
  for (u32 i = t; i < 64u; i += 70u) tally[i] = i * 3u;
  __syncthreads();
  u32 n1 = 4u;
  while (n1-- != 0u && (((u0 | u0) % 4u == 1u))) {
    switch (ptx_prmt_ecr(0xf2fe86f4u, threadIdx.y, 0x137bb30u) % 2u) {
      case 0: {
        h = mix(h, ptx_slct_f32(fold(ptx_mad_wide_u32((u32)((const uchar4*)in)[0xffu & 1023u].x, (blockIdx.x - t), (w0 - 0x1ull))), (u0 & 63u), odd_float(__umulhi(u0, t))));
      } break;
      default: {
        own8[__ldg(in + ((L >> (L & 31u)) & 1023u)) & 7u] ^= (u8)blockIdx.x;
        if ((((__usad(t, L, t) <= (((lane_id() >= 30u)) ? L : t))) || (isnan(__fsub_ru(0.0f, f0))))) {
          if (((L % 4u == 0u))) {
            double d2 = __dmul_rd(__hiloint2double((s32)(u32)i0, (s32)(u32)((s32)u0 >> (t & 31u))), __fma_rn(__int2double_rn((s32)L), __dmul_rz(d0, d0), odd_double(w0)));
            h = mix(h, L);
          } else {
            h = mix(h, __funnelshift_r(bits(ptx_add_ftz(odd_float(0x21u), ptx_add_ftz(__fadd_rd(odd_float(blockDim.x), f0), __fmaf_rd(f0, odd_float(u0), f0)))), (u32)(((lane_id() <= 25u))), ptx_shl_b32((__byte_perm(threadIdx.x, t, L) & t), (in[fold(w0) & 1023u] & 63u))));
            w0 *= (0x7ull + w0);
            u8 x3 = (u8)0x1u;
            for (u32 kx3 = 0u, nx3 = (threadIdx.x % 2u); kx3 < nx3; ++kx3) x3 = (u8)(x3 * (u8)ptx_slct_f32(ptx_shl_b32(L, (threadIdx.y & 63u)), (L | L), __fmaf_rd(odd_float(t), 3.0f, f0)));
            x3 = (u8)(x3 % ((u8)((((t & 16u) != 0u) ? (u32)((s32)gridDim.x >> (L & 31u)) : __usad(u0, blockIdx.x, 0x1fu)) & 0x3ffu) | 1));
            u32 v4 = (u32)x3;
            h = mix(h, (u32)(((lane_id() > 14u))));
            h = mix(h, (u32)((const ushort4*)in)[(u32)(((u0 & 2u) != 0u)) & 511u].z);
          }
          s32 i5 = (s32)((u32)((s32)0x1u >> (t & 31u)) + (threadIdx.z + blockIdx.y));
        }
      } break;
    }
  }
  u0 &= gridDim.x;
  const bool c6 = (((odd_double((u64)t) != odd_double(w0))) && ((L % 3u == 1u)));
  const u32 m7 = __ballot_sync(m, c6);
  if (c6) {
    for (u32 k8 = 0u, nk8 = 3u; k8 < nk8; ++k8) {
      atomicMax(&bins[16 + ((u32)own16[ptx_slct_f32(L, 0x40u, f0) & 7u] & 7u)], (u32)(s8)(u32)own8[(fold(0x1ull) >> (__vminu4(gid, t) & 31u)) & 7u]);
      s32 i9 = quotient(i0, i0);
      u0 = t;
      if (((0x649bb4dfu % 2u == 1u))) {
        ((ushort4*)own16)[bits(ptx_add_ftz(ptx_fma_sat(odd_float(0x100u), 4294967296.0f, f0), (((k8 & 1u) != 0u) ? f0 : f0))) & 1u] = make_ushort4((u16)(k8 | (u32)i0), (u16)bits(ptx_add_ftz(ptx_fma_sat(odd_float(0x100u), 4294967296.0f, f0), (((k8 & 1u) != 0u) ? f0 : f0))), 3, 4);
      } else {
        if ((((s32)(t - 0x5u) < (s32)(t + t)))) {
          h = mix(h, (ptx_mul24_lo_s32(bits((1e10f != f0 ? odd_float(0x5u) : 1e-40f)), in[ptx_cvt_sat_u8_s32(0x21u) & 1023u]) << (ptx_mul24_lo_s32(((u32)(u16)k8 % ((threadIdx.y / (t | 1u)) | 1u)), (__dp4a(__ldcs(in + (k8 & 1023u)), (u32)i9, (u32)__dp4a((s32)gridDim.x, i9, (s32)blockIdx.x)) & 63u)) & 31u)));
          u32 v10 = (u32)__dp4a(quotient(i9, (s32)u0), rest(i0, (s32)gid), i0);
          i0 = __mulhi(i9, i0);
          own16[((const uint2*)in)[own128->y & 511u].y & 7u] = (u16)(u32)(~i0);
        } else {
        }
        h = mix(h, bits(ptx_add_ftz((((0xec46b812u % 2u == 0u)) ? f0 : 0.1f), (((k8 != 0x0u)) ? f0 : f0))));
      }
    }
  } else {
  }
  tile_uint2[(t * 1u + 31u) % 70u] = make_uint2(((u32)__mulhi(quotient(max((s32)L, i0), i0), (((L % 4u == 0u)) ? (((t < L)) ? i0 : (s32)t) : quotient(i0, (s32)threadIdx.x))) << (__usad(t, (u32)own8[t & 7u], __umulhi((0x20u / (L | 1u)), ptx_mul24_lo_s32(L, u0))) & 31u)), (u32)__dp4a(i0, i0, (s32)L));
  __syncthreads();
  u32 v11 = tile_uint2[((t + 17u) % 70u)].y;
  __syncthreads();
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, v11);
  h = mix(h, (u32)i0);
  h = mix(h, fold(w0));
  h = mix(h, bits(f0));
  h = mix(h, bits(d0));
  h = mix(h, held[h & 3u]);
  out[gid] = h;
}

__device__ u32 k12_9_kept[256];
// run: --kernel k12_9 --grid 1,1,1 --block 128,1,1 --arg u32[1024]=random:207 --arg u32[128]=0 --arg u32[2048]=0 --arg u32[160]=random:208 --arg u64[24]=random:209 --arg f32[8]=0 --arg f64[8]=0
__global__ void k12_9(const u32* in, u32* out, u32* scratch, u32* bins, u64* wide, float* sums, double* dsums) {
  const u32 t = threadIdx.x + 128u * (threadIdx.y + 1u * threadIdx.z);
  const u32 gid = t + 128u * (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z));
  const u32 L = lane_id();
  const u32 m = 0xffffffffu;
  u32* const own = scratch + gid * 16u;
  u16* const own16 = (u16*)(own + 4);
  u8* const own8 = (u8*)(own + 8);
  u64* const own64 = (u64*)(own + 10);
  uint4* const own128 = (uint4*)(own + 12);
  u32 held[4] = {gid, in[gid & 1023u], 7u, t};
  u32 h = gid, u0 = in[(gid * 7u) & 1023u];
  s32 i0 = (s32)in[(gid + 100u) & 1023u] >> (L & 15u);
  u64 w0 = (u64)u0 << 32 | in[t & 1023u];
  float f0 = odd_float(u0 * 77u);
  double d0 = odd_double(w0 * 12345u);
  const bool c1 = ((odd_float(u0) <= __fadd_rz(odd_float(gridDim.x), odd_float(t))));
  const u32 m2 = __ballot_sync(m, !c1);
  if (c1) { out[gid] = mix(h, (u32)rest((s32)threadIdx.x, i0)); return; }
  __stcg(own + (own[(~L) & 3u] & 3u), (fold(((u64)0x5u - (u64)0xc056d516u)) & (u32)(w0 ^ w0)));
  switch (u0 % 3u) {
    case 0: {
      u0 = (u32)(i0 >> (L & 31u));
      u0 |= (u32)(u16)(0x7u | L);
      h = mix(h, u0);
    } break;
    case 1: {
      u32 v3 = (u32)((const u8*)in)[__ldg(in + ((0x100u - (threadIdx.z + blockIdx.y)) & 1023u)) & 4092u];
      for (u32 k4 = 0u, nk4 = 2u; k4 < nk4; ++k4) {
        v3 |= ((~v3) + (((!((((s32)k4 < (s32)k4)))) ? 0xffu : L) << (bits(0.0f) & 31u)));
        h = mix(h, (ptx_mul_hi_s16(L, v3) + (u32)(((i0 <= i0)))));
      }
      h = mix(h, ((u32)(u64)0xffu << (in[in[(u32)((const u16*)in)[u0 & 2046u] & 1023u] & 1023u] & 31u)));
    } break;
    default: {
      h = mix(h, t);
    } break;
  }
  own16[(u32)w0 & 7u] = (u16)bits(fminf(f0, f0));
  h = mix(h, ((((((s32)threadIdx.x != i0)) ? u0 : 0x21u) >> ((((gridDim.x % 4u == 0u)) ? threadIdx.x : threadIdx.x) & 31u)) - (((f0 <= f0)) ? __funnelshift_r(0x3u, 0xc117a44eu, t) : in[0x1u & 1023u])));
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, (u32)i0);
  h = mix(h, fold(w0));
  h = mix(h, bits(f0));
  h = mix(h, bits(d0));
  h = mix(h, held[h & 3u]);
  out[gid] = h;
}
