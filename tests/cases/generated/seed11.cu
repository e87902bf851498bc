// Made by tests/tools/random_kernels.py --seed 11 --kernels 10: what each must leave in its buffers stands in the .out beside it.
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
__device__ void copy_4(void* to, const void* from) { asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"((u32)__cvta_generic_to_shared(to)), "l"(from) : "memory"); }
__device__ void copy_8(void* to, const void* from) { asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" :: "r"((u32)__cvta_generic_to_shared(to)), "l"(from) : "memory"); }
__device__ void copy_16(void* to, const void* from) { asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"((u32)__cvta_generic_to_shared(to)), "l"(from) : "memory"); }
__device__ void copies_done() { asm volatile("cp.async.wait_all;" ::: "memory"); }
__device__ float ptx_add_ftz(float a, float b) { float r; asm("add.rn.ftz.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); return r; }
__device__ u32 ptx_add_sat_s32(u32 a, u32 b) { u32 r; asm("add.sat.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); return r; }
__device__ u32 ptx_bfe_s32(u32 a, u32 b, u32 c) { u32 r; asm("bfe.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ u64 ptx_bfe_s64(u64 a, u32 b, u32 c) { u64 r; asm("bfe.s64 %0, %1, %2, %3;" : "=l"(r) : "l"(a), "r"(b), "r"(c)); return r; }
__device__ u32 ptx_bfe_u32(u32 a, u32 b, u32 c) { u32 r; asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ u64 ptx_bfe_u64(u64 a, u32 b, u32 c) { u64 r; asm("bfe.u64 %0, %1, %2, %3;" : "=l"(r) : "l"(a), "r"(b), "r"(c)); return r; }
__device__ u32 ptx_bfind_s32(u32 a) { u32 r; asm("bfind.s32 %0, %1;" : "=r"(r) : "r"(a)); return r; }
__device__ u32 ptx_bfind_u32(u32 a) { u32 r; asm("bfind.u32 %0, %1;" : "=r"(r) : "r"(a)); return r; }
__device__ u32 ptx_cvt_s16_f32(float a) { u32 r; asm("{.reg .b16 a; cvt.rmi.s16.f32 a, %1; cvt.u32.u16 %0, a;}" : "=&r"(r) : "f"(a)); return r; }
__device__ u32 ptx_cvt_sat_s16_u32(u32 a) { u32 r; asm("{.reg .b16 a; cvt.sat.s16.u32 a, %1; cvt.s32.s16 %0, a;}" : "=&r"(r) : "r"(a)); return r; }
__device__ u32 ptx_cvt_sat_u8_f32(float a) { u32 r; asm("cvt.rni.sat.u8.f32 %0, %1;" : "=r"(r) : "f"(a)); return r; }
__device__ u32 ptx_cvt_u32_u16(u32 a) { u32 r; asm("{.reg .b16 a; cvt.u16.u32 a, %1; cvt.u32.u16 %0, a;}" : "=&r"(r) : "r"(a)); return r; }
__device__ float ptx_fma_sat(float a, float b, float c) { float r; asm("fma.rn.sat.f32 %0, %1, %2, %3;" : "=f"(r) : "f"(a), "f"(b), "f"(c)); return r; }
__device__ u32 ptx_fns(u32 a, u32 b, u32 c) { u32 r; asm("{.reg .b32 b; and.b32 b, %2, 31; fns.b32 %0, %1, b, %3;}" : "=&r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ u32 ptx_lop3_1b(u32 a, u32 b, u32 c) { u32 r; asm("lop3.b32 %0, %1, %2, %3, 0x1b;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ u32 ptx_mad_hi_s32(u32 a, u32 b, u32 c) { u32 r; asm("mad.hi.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ u32 ptx_mad_hi_sat_s32(u32 a, u32 b, u32 c) { u32 r; asm("mad.hi.sat.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ u64 ptx_mad_wide_u32(u32 a, u32 b, u64 c) { u64 r; asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(r) : "r"(a), "r"(b), "l"(c)); return r; }
__device__ float ptx_min_nan(float a, float b) { float r; asm("min.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); return r; }
__device__ u32 ptx_mul24_lo_s32(u32 a, u32 b) { u32 r; asm("mul24.lo.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); return r; }
__device__ u32 ptx_prmt(u32 a, u32 b, u32 c) { u32 r; asm("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ u32 ptx_prmt_b4e(u32 a, u32 b, u32 c) { u32 r; asm("prmt.b32.b4e %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ u32 ptx_prmt_ecr(u32 a, u32 b, u32 c) { u32 r; asm("prmt.b32.ecr %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ u32 ptx_prmt_f4e(u32 a, u32 b, u32 c) { u32 r; asm("prmt.b32.f4e %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ u32 ptx_prmt_rc16(u32 a, u32 b, u32 c) { u32 r; asm("prmt.b32.rc16 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ u32 ptx_sad_s32(u32 a, u32 b, u32 c) { u32 r; asm("sad.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ u32 ptx_set_hs_f32(u32 a, u32 b) { u32 r; asm("{.reg .f32 d; set.hs.f32.u32 d, %1, %2; mov.b32 %0, d;}" : "=&r"(r) : "r"(a), "r"(b)); return r; }
__device__ u32 ptx_set_lt_u32(u32 a, u32 b) { u32 r; asm("set.lt.u32.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); return r; }
__device__ u32 ptx_shr_s32(u32 a, u32 b) { u32 r; asm("shr.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); return r; }
__device__ u32 ptx_sub_sat_s32(u32 a, u32 b) { u32 r; asm("sub.sat.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); return r; }
__device__ u32 ptx_szext_clamp_u32(u32 a, u32 b) { u32 r; asm("szext.clamp.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); return r; }
__device__ u32 ptx_testp(float a) { u32 r; asm("{.reg .pred p; .reg .u32 t; testp.finite.f32 p, %1; selp.u32 %0, 1, 0, p; testp.infinite.f32 p, %1; selp.u32 t, 2, 0, p; or.b32 %0, %0, t; testp.notanumber.f32 p, %1; selp.u32 t, 4, 0, p; or.b32 %0, %0, t; testp.normal.f32 p, %1; selp.u32 t, 8, 0, p; or.b32 %0, %0, t; testp.subnormal.f32 p, %1; selp.u32 t, 16, 0, p; or.b32 %0, %0, t;}" : "=&r"(r) : "f"(a)); return r; }
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

__device__ u32 k11_0_kept[144];
// run: --kernel k11_0 --grid 2,2,1 --block 6,3,1 --arg u32[1024]=random:21 --arg u32[72]=0 --arg u32[1152]=0 --arg u32[160]=random:22 --arg u64[24]=random:23 --arg f32[8]=0 --arg f64[8]=0
__global__ void k11_0(const u32* in, u32* out, u32* scratch, u32* bins, u64* wide, float* sums, double* dsums) {
  const u32 t = threadIdx.x + 6u * (threadIdx.y + 3u * threadIdx.z);
  const u32 gid = t + 18u * (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z));
  const u32 L = lane_id();
  const u32 m = t / 32u == 0u ? 0x3ffffu : 0xffffffffu;
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
  __shared__ double tile_double[18];
  __shared__ uint2 tile_uint2[18];
  tile_double[t] = (double)t;
  tile_uint2[t] = make_uint2(t, gid);
  __syncthreads();
  const bool c1 = (((lane_id() < 28u)) || ((0x2u % 3u == 0u)));
  const u32 m2 = __ballot_sync(m, c1);
  if (c1) {
    u32 n3 = 6u;
    do {
      u16 x4 = (u16)threadIdx.y;
      for (u32 kx4 = 0u, nx4 = (lane_id() & 3u); kx4 < nx4; ++kx4) x4 = (u16)(x4 ^ (u16)(0x5u << ((u32)(((0x1fu == L))) & 31u)));
      x4 = (u16)(x4 % ((u16)(bits(__ushort_as_bfloat16((u16)L)) & 0x3ffu) | 1));
      u32 v5 = (u32)x4;
      h = mix(h, v5);
      v5 = fold(w0);
      h = mix(h, (bits(__hfma(__hfma_relu(__ushort_as_half((u16)u0), __ushort_as_half((u16)0x258dbb5fu), __ushort_as_half((u16)gridDim.x)), __ushort_as_half((u16)0xfffffffeu), __ushort_as_half((u16)L))) - (u32)((const uchar4*)in)[bits(__ushort_as_half((u16)u0)) & 1023u].w));
    } while (--n3 != 0u && (((lane_id() <= 25u)) && ((u0 % 4u == 0u))));
    h = mix(h, (fold(w0) - ptx_bfe_s32((u32)__half2int_rn(__hmin_nan(__ushort_as_half((u16)L), __ushort_as_half((u16)0x80000000u))), (bits(__ushort_as_half((u16)0x100u)) & 63u), 0xffffffffu)));
  }
  __half q6 = __hneg(__float2half_rn(f0));
  tile_uint2[(t * 31u + 30u) % 18u] = make_uint2((((u32)(u16)t - bits(__ushort_as_half((u16)L))) & bits(__float2bfloat16_ru(f0))), (u32)((const uchar4*)own8)[u0 & 1u].x);
  __syncthreads();
  u32 v7 = tile_uint2[(17u - t)].y;
  __syncthreads();
  const bool c8 = (((0xffffu % 4u == 1u)) && ((lane_id() >= 0u)));
  const u32 m9 = __ballot_sync(m, c8);
  if (c8) {
    u32 v10 = (u32)__all_sync(m9, ((0x7u <= 0x1u)));
    const bool c11 = ((((double)-(odd_float(L)) < __dmul_rn(__dsub_rn(0.1, d0), d0))) || ((bits(__high2half(__floats2half2_rn(1e-45f, odd_float(u0)))) % 4u == 0u)));
    const u32 m12 = __ballot_sync(m9, c11);
    if (c11) {
      if (((threadIdx.x < t))) {
        switch (fold(((u64)(ptx_bfe_s32(0xfffffffeu, lane_id(), v7) >> ((~v10) & 31u)) * bits(-(odd_float(L))))) % 9u) {
          case 0: {
            h = mix(h, bits(q6));
            if (((((!(((0x7u >= blockDim.x)))) ? v10 : threadIdx.x) <= ptx_bfe_s32(0xffffffffu, 0x7fffffffu, (threadIdx.z + blockIdx.y))))) own[v10 & 3u] += ((u32)(i0 >> ((gridDim.x << (u0 & 31u)) & 31u)) & in[(0x0u & t) & 1023u]);
          } break;
          case 1: {
            ((uchar4*)own8)[((((v7 > 0x20u)) ? v7 : blockDim.x) & __dp4a((threadIdx.z + blockIdx.y), L, blockDim.x)) & 1u] = make_uchar4((u8)(lane_id() + v7), (u8)((((v7 > 0x20u)) ? v7 : blockDim.x) & __dp4a((threadIdx.z + blockIdx.y), L, blockDim.x)), 3, 4);
            u32 a13[7];
            for (u32 k14 = 0u; k14 < 7u; ++k14) a13[k14] = (((0xbf59f81u != u0)) ? bits(q6) : bits(__ushort_as_bfloat16((u16)u0))) + k14 * 0x3u;
            a13[__byte_perm(bits(__ushort_as_bfloat16((u16)v7)), ((!(((t > lane_id())))) ? t : gridDim.x), __vaddus4(v7, t)) % 7u] ^= bits(fminf(__fdiv_rz(__half2float(__ushort_as_half((u16)v10)), (((lane_id() >= lane_id())) ? 0.5f : odd_float(0x7fffffffu))), __fmul_rd(ceilf(f0), __half2float(__ushort_as_half((u16)v7)))));
          } break;
          case 2: {
            i0 = (s32)(s64)w0;
            v7 |= (u32)__half2ushort_rn(__uint2half_rn(__ldcs(in + (L & 1023u))));
            h = mix(h, ((bits(__ushort_as_bfloat16((u16)t)) & in[0x7fffffffu & 1023u]) >> (((blockDim.x / ((threadIdx.z + blockIdx.y) | 1u)) % (v10 | 1u)) & 31u)));
          } break;
          case 3: {
            h = mix(h, bits(f0));
            u32 v15 = (threadIdx.z + blockIdx.y);
          }
          case 4: {
            d0 = __dsub_rd(0.1, __ddiv_rz(0.5, d0));
            *(volatile u64*)own64 = w0;
            h = mix(h, (u32)__popc(((t >> (bits(4294967296.0f) & 31u)) ^ bits(__ushort_as_half((u16)v10)))));
          } break;
          case 5: {
            *own64 = (__brevll(w0) * (min(w0, w0) ^ (w0 % (w0 | 1ull))));
            w0 *= (u64)(s64)quotient(i0, (s32)(0x5u - t)) * (s32)(s8)(~0xffffu);
          } break;
          case 6: {
            d0 = __fma_rd((((blockDim.x & 8u) != 0u) ? d0 : 1.7e308), fmax(d0, d0), __fma_rn(2.5, d0, odd_double(0x0ull)));
          }
          case 7: {
          } break;
        }
        h = mix(h, (((fabs(odd_double(w0)) < __dsub_rz(d0, odd_double((u64)0xffffffffu)))) ? (bits(f0) & (L % (blockDim.x | 1u))) : fold(((const ulonglong2*)in)[bits(__ushort_as_half((u16)(threadIdx.z + blockIdx.y))) & 255u].y)));
      }
      h = mix(h, ((((L < v10)) ? v7 : 0x7fffffffu) * bits(q6)));
    } else {
    }
  }
  i0 = (s32)(__vsubss2(((lane_id() >> (blockIdx.x & 31u)) << (bits(q6) & 31u)), ((u32)__half2uint_rd(__ushort_as_half((u16)0xdbdd875u)) & (u32)w0)) * ptx_fns((u32)__half2ushort_rn(__hfma_relu(q6, __ushort_as_half((u16)0x80000000u), __ushort_as_half((u16)u0))), 0xe7dcadd7u, (bits(__hmax(q6, __ushort_as_half((u16)L))) & 63u)));
  u0 = bits(__float2half_rz(odd_float(L)));
  s32 i16 = __float2int_rd(f0);
  for (u32 k17 = 0u; k17 < 1u; ++k17) {
  }
  tile_double[(t * 7u + 37u) % 18u] = odd_double(0xf4ull);
  __syncthreads();
  double d18 = tile_double[(17u - t)];
  __syncthreads();
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, v7);
  h = mix(h, (u32)i0);
  h = mix(h, (u32)i16);
  h = mix(h, fold(w0));
  h = mix(h, bits(f0));
  h = mix(h, bits(d0));
  h = mix(h, bits(d18));
  h = mix(h, bits(q6));
  h = mix(h, held[h & 3u]);
  out[gid] = h;
}

__device__ u32 k11_1_kept[132];
// run: --kernel k11_1 --grid 2,1,1 --block 33,1,1 --arg u32[1024]=random:441 --arg u32[66]=0 --arg u32[1056]=0 --arg u32[160]=random:442 --arg u64[24]=random:443 --arg f32[8]=0 --arg f64[8]=0
__global__ void k11_1(const u32* in, u32* out, u32* scratch, u32* bins, u64* wide, float* sums, double* dsums) {
  const u32 t = threadIdx.x + 33u * (threadIdx.y + 1u * threadIdx.z);
  const u32 gid = t + 33u * (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z));
  const u32 L = lane_id();
  const u32 m = t / 32u == 1u ? 0x1u : 0xffffffffu;
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
  __shared__ float tile_float[33];
  tile_float[t] = (float)t;
  __shared__ u32 tally[64];
  for (u32 i = t; i < 64u; i += 33u) tally[i] = i * 3u;
  __syncthreads();
  for (u32 k1 = 0u; k1 < 3u; ++k1) {
    const u32 n3 = ((u32)((volatile u16*)own16)[gid & 7u] % 4u);
    u32 m4 = m;
    for (u32 k2 = 0u;; ++k2) {
      m4 = __ballot_sync(m4, k2 < n3);
      if (k2 >= n3) break;
      const bool c5 = ((i0 >= i0));
      const u32 m6 = __ballot_sync(m4, c5);
      if (c5) {
        for (u32 k7 = 0u, nk7 = (lane_id() & 3u); k7 < nk7; ++k7) {
          s32 i8 = (s32)0x3fu;
          if (((lane_id() <= 28u))) continue;
          own16[(((threadIdx.x & 1u) != 0u) ? (0x2u & u0) : (0x7fffffffu * 0x21u)) & 7u] = (u16)(((0x1fu % 3u == 1u)) ? 0x21u : 0x20u);
          h = mix(h, (u32)((const s16*)in)[((u32)own16[k1 & 7u] ^ 0x593135d1u) & 2046u]);
        }
        h = mix(h, 0x100u);
        u0 |= ((own[t & 3u] + (u32)(s32)k2) % ((fold(w0) | ptx_bfe_u32(gid, 0xacu, blockIdx.x)) | 1u));
      }
      __stcg(own + ((u32)((const u16*)in)[(lane_id() & u0) & 2046u] & 3u), (ptx_lop3_1b((u32)own16[k1 & 7u], (fixed[34] & 63u), t) | (u32)(0x8000000000000000ull * w0)));
      h = mix(h, (u32)((u64)__ldcs(in + (L & 1023u)) * ptx_bfe_u32(k2, k1, (threadIdx.x & 63u))));
    }
    const bool c9 = (((__ldcs(in + (k1 & 1023u)) >> ((u32)i0 & 31u)) > bits(f0)));
    const u32 m10 = __ballot_sync(m, c9);
    if (c9) {
      Bundle g11[3];
      for (u32 kg11 = 0u; kg11 < 3u; ++kg11) g11[kg11] = Bundle{(u32)((s32)0x7u >> (gridDim.x & 31u)) + kg11, (u8)kg11, (u16)(u32)((const u8*)in)[u0 & 4092u], (0x100ull + (u64)0x40u), fmaxf(f0, odd_float(0x5u)), 1u, odd_double((u64)blockDim.x)};
      g11[bits(__fsqrt_rn(odd_float(k1))) % 3u].a ^= (u8)((((u32)((const ushort4*)in)[0xfffffffeu & 511u].y & 16u) != 0u) ? (u32)quotient(i0, (s32)t) : bits(f0));
      g11[in[bits(f0) & 1023u] % 3u] = g11[((blockIdx.x - 0x21u) ^ (L + 0x7u)) % 3u];
      u32 v12 = g11[(u32)((const uchar4*)own8)[(t - lane_id()) & 1u].y % 3u].c;
      u64 w13 = g11[fold(w0) % 3u].d;
      double d14 = g11[(u32)max(i0, i0) % 3u].f;
      *own128 = make_uint4(fold(((u64)(s64)(u64)k1 << ((((lane_id() >= 11u)) ? (k1 | u0) : (threadIdx.z + blockIdx.y)) & 63u))), k11_1_kept[gid * 2u + (L & 1u)], blockIdx.x, v12);
      h = mix(h, fold(((u64)(blockDim.x % (L | 1u)) << 32 | (u32)((volatile u16*)own16)[0x7fffffffu & 7u])));
    }
    if ((((odd_float(L) == f0)) && ((lane_id() >= 29u)))) tile_float[(t * 16u + 31u) % 33u] = __fmaf_ru(__fdiv_rn(f0, odd_float(u0)), fmaxf(odd_float(u0), f0), f0);
    __syncthreads();
    float f15 = tile_float[(in[(u32)i0 & 1023u] % 33u)];
    __syncthreads();
  }
  own16[fixed[57] & 7u] = (u16)((~__ldcs(in + ((u0 - u0) & 1023u))) >> ((~__vminu4((~u0), (threadIdx.y & u0))) & 31u));
  const bool c16 = (((((threadIdx.x == L)) ? 0x7u : t) < ptx_mul24_lo_s32(L, 0x1fu)));
  const u32 m17 = __ballot_sync(m, c16);
  if (c16) {
    *(volatile u64*)own64 = (u64)i0;
    w0 = ((u64)__ldg(in + (L & 1023u)) * ((u0 % (u0 | 1u)) + (u32)((const uchar4*)in)[t & 1023u].x));
    atomicSub(&bins[56 + (bits(odd_float(L)) & 7u)], 1u);
    for (u32 k18 = 0u, nk18 = (lane_id() & 3u); k18 < nk18; ++k18) {
      u16 x19 = (u16)bits(ptx_fma_sat(__fsub_rn(1.5f, odd_float(k18)), __fmaf_rz((f0 < odd_float(t) ? f0 : 4294967296.0f), fminf(0.1f, odd_float(k18)), __fmaf_rn(odd_float(t), f0, 1.17549435e-38f)), (f0 >= f0 ? f0 : f0)));
      for (u32 kx19 = 0u, nx19 = (fixed[31] & 7u); kx19 < nx19; ++kx19) x19 = (u16)(x19 * (u16)(u32)min(i0, (s32)lane_id()));
      x19 = (u16)(x19 % ((u16)(in[in[L & 1023u] & 1023u] & 0x3ffu) | 1));
      u32 v20 = (u32)x19;
      atomicMax(&tally[16 + (ptx_mad_hi_s32(__ldg(in + (lane_id() & 1023u)), ((L >> (0x20u & 31u)) & 63u), (0x21u - t)) & 7u)], (u32)((const u8*)in)[(u32)((((threadIdx.y % 4u == 1u)) && ((u0 & 2u) != 0u))) & 4092u]);
      u0 = (u32)(((s32)(s8)ptx_mul24_lo_s32(v20, ((threadIdx.z + blockIdx.y) & 63u)) >> (ptx_cvt_sat_s16_u32(fixed[0x2u & 63u]) & 31u)) >> (in[L & 1023u] & 31u));
      w0 = (((((t >= k18)) ? (((L % 2u == 0u)) ? w0 : w0) : ((u64)L ^ w0)) >> ((u32)((volatile u16*)own16)[0x100u & 7u] & 63u)) * (u64)__double2ll_rz((((t % 3u == 1u)) ? odd_double(w0) : (double)odd_float(L))));
    }
    h = mix(h, (u32)own8[((const volatile u32*)in)[(~t) & 1023u] & 7u]);
  } else {
  }
  u32 a21[9];
  for (u32 k22 = 0u; k22 < 9u; ++k22) a21[k22] = ((u32)((const uchar4*)in)[gridDim.x & 1023u].y % (bits(f0) | 1u)) + k22 * 0xfffffffeu;
  a21[fold(*own64) % 9u] += (fold((((u0 & 2u) != 0u) ? w0 : w0)) - fixed[(((u0 & 32u) != 0u) ? u0 : L) & 63u]);
  i0 = i0;
  for (u32 k23 = 0u; k23 < 3u; ++k23) {
    h = mix(h, 0x21u);
  }
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, (u32)i0);
  h = mix(h, fold(w0));
  h = mix(h, bits(f0));
  h = mix(h, bits(d0));
  h = mix(h, held[h & 3u]);
  out[gid] = h;
  __syncthreads();
  for (u32 i = t; i < 64u; i += 33u) atomicXor(&bins[80u + i], tally[i] * (gid / 33u + 1u));
}

__device__ u32 k11_2_kept[14];
// run: --kernel k11_2 --grid 1,1,1 --block 7,1,1 --arg u32[1024]=random:468 --arg u32[7]=0 --arg u32[112]=0 --arg u32[160]=random:469 --arg u64[24]=random:470 --arg f32[8]=0 --arg f64[8]=0
__global__ void k11_2(const u32* in, u32* out, u32* scratch, u32* bins, u64* wide, float* sums, double* dsums) {
  const u32 t = threadIdx.x + 7u * (threadIdx.y + 1u * threadIdx.z);
  const u32 gid = t + 7u * (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z));
  const u32 L = lane_id();
  const u32 m = t / 32u == 0u ? 0x7fu : 0xffffffffu;
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
  __shared__ u32 tally[64];
  for (u32 i = t; i < 64u; i += 7u) tally[i] = i * 3u;
  __syncthreads();
  const bool c1 = ((L < u0));
  const u32 m2 = __ballot_sync(m, c1);
  if (c1) {
    u8 x3 = (u8)ptx_set_lt_u32(bits(odd_double(w0)), (L & 63u));
    for (u32 kx3 = 0u, nx3 = (threadIdx.x % 4u); kx3 < nx3; ++kx3) x3 = (u8)(x3 + (u8)(u32)(((f0 > 0.5f)) ? i0 : i0));
    x3 = (u8)(x3 / ((u8)((u32)((s32)t >> (bits(f0) & 31u)) & 0x3ffu) | 1));
    u32 v4 = (u32)x3;
    u32 v5 = (u32)__any_sync(m2, (((double)__fmul_rz(-2147483648.0f, odd_float(blockIdx.x)) > (__fma_rd(__ull2double_rn(w0), __hiloint2double((s32)L, (s32)L), odd_double(w0)) != (odd_double(w0) >= __ddiv_rd(d0, -0.0) ? (((blockDim.x % 2u == 1u)) ? d0 : odd_double(w0)) : odd_double(w0)) ? __int2double_rn((s32)(0xffffffffu >> (blockDim.x & 31u))) : __int2double_rn((s32)bits(f0))))));
    const bool c6 = (((lane_id() == 4u)) || (((threadIdx.z + blockIdx.y) >= gid)));
    const u32 m7 = __ballot_sync(m2, c6);
    if (c6) {
      own8[(u32)__double2uint_ru(odd_double(w0)) & 7u] ^= (u8)bits(d0);
      const u32* p9 = ((fabsf(odd_float(0xffu)) == f0)) ? in + (fold(0xffffull) & 1023u) : held + (0xccfc935cu & 3u);
      u32 v8 = *p9;
    } else {
      const u32* p11 = ((bits(odd_float(t)) % 2u == 1u)) ? held + ((u32)((const ushort4*)own16)[0xcacd389u & 1u].y & 3u) : own + ((t + 0x2u) & 3u);
      u32 v10 = *p11;
      u32* p12 = (((5e-324 <= -1.0)) || ((d0 == 0.0))) ? own + (bits(d0) & 3u) : held + (__vadd4(u0, 0x1u) & 3u);
      *p12 = (v4 & fixed[(v5 / (u0 | 1u)) & 63u]);
    }
  } else {
    f0 = (((blockDim.x != L)) ? f0 : odd_float(u0));
    h = mix(h, ((((1.0f >= 0.5f)) || ((f0 > f0))) ? (bits(1.0) / ((u32)(((w0 == w0))) | 1u)) : threadIdx.x));
  }
  u32 a13[11];
  for (u32 k14 = 0u; k14 < 11u; ++k14) a13[k14] = bits(f0) + k14 * 0xffffffffu;
  a13[(u0 | bits(1.0f)) % 11u] += (((d0 <= 1.0)) ? (threadIdx.z + blockIdx.y) : L);
  h = mix(h, (~((u32)(s32)0x2u - (u32)__dp4a((s32)(threadIdx.z + blockIdx.y), i0, i0))));
  h = mix(h, (((t & 64u) != 0u) ? L : t));
  const u32* p16 = ((__fmul_rz(1e-45f, 0.1f) < odd_float(t))) ? held + ((u0 & 0x3fu) & 3u) : in + (fold((u64)__float2ll_rd(f0)) & 1023u);
  u32 v15 = *p16;
  i0 = ((s32)(bits(rintf(f0)) + ((0x1fu - gid) >> (bits(odd_float(L)) & 31u))) >> ((bits((((t & 16u) != 0u) ? d0 : d0)) + ptx_prmt((0x1fu | u0), (0x3u ^ v15), 0x0u)) & 31u));
  s32 i18 = from_flipped<32>(m, (s32)(rest((s32)(((u0 % (0x1fu | 1u)) * (blockIdx.x + L)) * bits(__ull2double_rz((u64)v15))), (((fold((u64)threadIdx.x) & 8u) != 0u) ? __float2int_rn(fmaxf(f0, f0)) : i0))), __byte_perm((u32)(((0x1u & 8u) != 0u)), ptx_cvt_s16_f32(f0), (L >> (v15 & 31u))));
  switch (fold((u64)__double2ull_ru(__int2double_rn((s32)a13[(threadIdx.z + blockIdx.y) % 11u]))) % 7u) {
    case 0: {
      for (u32 k19 = 0u, nk19 = (bits(__fmul_rz(f0, odd_float(t))) % 2u); k19 < nk19; ++k19) {
        h = mix(h, max(bits(f0), (0xfffffffeu - 0xffffu)));
        h = mix(h, bits(fminf(f0, __fmaf_rn(__double2float_ru(d0), __fmaf_rd(odd_float(0x3fu), odd_float(L), f0), (((t <= k19)) ? odd_float(0x80000000u) : odd_float(lane_id()))))));
      }
      u0 = (t - u0);
      h = mix(h, (bits(d0) + (0x40u & u0)));
    } break;
    case 1: {
      if ((((u32)min(max(i18, (s32)blockIdx.x), (s32)(s8)L) != 0x0u))) {
        u32 n20 = 6u;
        do {
          double d21 = fmin(d0, d0);
          if ((!(((L & 64u) != 0u)))) break;
          u0 = ((u32)__float2uint_rn(__double2float_rn(__ll2double_rz((s64)w0))) >> (bits(__fmaf_rz(odd_float(v15), f0, ldexpf(f0, (s32)(lane_id() % 300u) - 150))) & 31u));
          atomicOr(&bins[32 + ((((L & 2u) != 0u) ? (0x40u << (0x3u & 31u)) : (u0 + t)) & 7u)], v15);
          h = mix(h, (fold(((const ulonglong2*)in)[((u32)w0 & bits(0.5f)) & 255u].x) - ptx_testp(__fadd_ru(ceilf(0.0f), ptx_fma_sat(f0, f0, -0.0f)))));
        } while (--n20 != 0u && (((v15 % (gridDim.x | 1u)) % 5u == 0u)));
        h = mix(h, (t * 0x2u));
      }
      h = mix(h, (u32)__ffs(lane_id()));
    } break;
    case 2: {
      h = mix(h, 0x3u);
    } break;
    case 3: {
    } break;
    case 4: {
    }
    default: {
    } break;
  }
  atomicSub(&bins[0 + ((ptx_shr_s32(gridDim.x, (0x7u & 63u)) & bits(d0)) & 7u)], L);
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, v15);
  h = mix(h, (u32)i0);
  h = mix(h, (u32)i18);
  h = mix(h, fold(w0));
  h = mix(h, bits(f0));
  h = mix(h, bits(d0));
  h = mix(h, held[h & 3u]);
  out[gid] = h;
}

__device__ __noinline__ u32 k11_3_plain0(u32 x, s32 y, const u32* in, u32 gid) {
  double d1 = __dsub_rd(odd_double((((threadIdx.y <= x)) ? ((u64)x << (x & 63u)) : (u64)(threadIdx.z + blockIdx.y))), __dmul_ru(__dsub_rz(1.7e308, ceil(5e-324)), fmax(-9223372036854775808.0, __fma_rn(1e18, 0.0, -1.0))));
  for (u32 k2 = 0u, nk2 = (lane_id() & 3u); k2 < nk2; ++k2) {
    if ((((u64)gid <= (u64)blockDim.x))) {
      for (u32 k3 = 0u, nk3 = 1u; k3 < nk3; ++k3) {
        if ((((k2 & 4u) != 0u) && ((gid < x)))) continue;
        if (((y < y))) {
          x = (k2 ^ x);
          u32 a4[10];
          for (u32 k5 = 0u; k5 < 10u; ++k5) a4[k5] = (__ldg(in + (lane_id() & 1023u)) & bits(0.5f)) + k5 * 0xffu;
          a4[(fold(0x100ull) * (~x)) % 10u] = (((x & k2) * (((lane_id() == 31u)) ? gid : k2)) << (((u32)__dp4a(y, y, y) >> (fold((u64)x) & 31u)) & 31u));
          u8 x6 = (u8)__vneg4(__ldcs(in + (k3 & 1023u)));
          for (u32 kx6 = 0u, nx6 = (0xffu & 7u); kx6 < nx6; ++kx6) x6 = (u8)(x6 ^ (u8)fold(((const u64*)in)[(k2 ^ gid) & 511u]));
          x6 = (u8)(x6 % ((u8)(a4[ptx_szext_clamp_u32(k3, 0x7u) % 10u] & 0x3ffu) | 1));
          u32 v7 = (u32)x6;
        } else {
          s32 i8 = (s32)x;
        }
        if ((isnan(odd_float(k3)))) continue;
        u32 a9[10];
        for (u32 k10 = 0u; k10 < 10u; ++k10) a9[k10] = ((blockIdx.x ^ k2) << ((threadIdx.y ^ threadIdx.x) & 31u)) + k10 * 0x21u;
        a9[(u32)(s8)(u32)((const s16*)in)[k2 & 2046u] % 10u] = fold(ptx_bfe_u64((u64)rest((s64)(u64)x, (s64)(u64)k2), ((((!(((gridDim.x & 8u) != 0u))) ? 0x5u : k2) * (((threadIdx.y & 64u) != 0u) ? 0x85a05969u : x)) & 63u), ((((!(((0xfffffffeu & 32u) != 0u))) ? x : threadIdx.y) / ((x & blockIdx.x) | 1u)) & 63u)));
      }
    } else {
      float f11 = __fadd_ru(1e-45f, 1e-45f);
      u64 w12 = ((u64)(s64)y & (u64)(s32)(x + 0x5u));
    }
  }
  return mix((u32)(u8)(__umul24(x, x) * x), (0x21u + x));
}

__device__ __noinline__ u32 k11_3_recursive1(u32 n, u32 x, const u32* in) {
  if (n == 0u || (((~(s32)0x7u) > (((1e-45f != -2147483648.0f)) ? (s32)x : (s32)n)))) return gridDim.x;
  u32 r = k11_3_recursive1(n - 1u, fixed[fold((u64)x) & 63u], in);
  if (((((u32)(((lane_id() != 9u))) + (((blockDim.x >= r)) ? (u32)(s32)x : (x + n))) % 3u == 1u))) {
    for (u32 k13 = 0u, nk13 = (lane_id() & 3u); k13 < nk13; ++k13) {
      if (((isnan(odd_float(0x80000000u))) || ((0x3fu >= n)))) continue;
      u64 w14 = ((u64)((const uint4*)in)[bits(odd_float(0x3u)) & 255u].x << 32 | ((u32)(((3.4e38f <= 1.17549435e-38f))) - (bits(1.0f) & (u32)(u16)0x3fu)));
      w14 = w14;
    }
    for (u32 k15 = 0u, nk15 = (in[ptx_szext_clamp_u32(r, (r & 63u)) & 1023u] % 4u); k15 < nk15; ++k15) {
      if ((((r + threadIdx.y) % 3u == 1u))) break;
      if (((lane_id() >= 31u))) {
        switch (fold((u64)r) % 3u) {
          case 0: {
            double d16 = trunc(fmin(odd_double((u64)x), 1.0));
          }
          case 1: {
            u32 a17[10];
            for (u32 k18 = 0u; k18 < 10u; ++k18) a17[k18] = bits(odd_float(r)) + k18 * 0x1fu;
            a17[(((0x80000000u >= 0x40u)) ? (0xffffu & blockDim.x) : (u32)__popc(0xffffu)) % 10u] += ptx_set_hs_f32((__vabsss2(n) * fold((u64)lane_id())), 0x2u);
          }
        }
      }
    }
  }
  u32 v19 = in[x & 1023u];
  for (u32 k20 = 0u, nk20 = (bits(ptx_min_nan(odd_float(r), -0.0f)) & 7u); k20 < nk20; ++k20) {
  }
  s32 i21 = __mulhi((s32)(r - threadIdx.y), (~(s32)0x1fu));
  Rolled<u32, 4> ra22;
  u32 (&a22)[4] = ra22.v;
  for (u32 k23 = 0u; k23 < 4u; ++k23) a22[k23] = ptx_set_hs_f32(x, (~0xacu)) + k23 * 0xffffu;
  a22[fold(((u64)threadIdx.x * x)) % 4u] += (~fold(((u64)0x1u << 32 | fold((u64)v19))));
  if ((((s32)(s16)0x3fu == rest((s32)threadIdx.x, (s32)x)))) r ^= k11_3_recursive1(n / 2u, (fold(0x40ull) | blockDim.x), in);
  return (((i21 > i21)) ? (r % (x | 1u)) : __vabsss2(r));
}
// run: --kernel k11_3 --grid 1,1,1 --block 96,1,1 --arg u32[1024]=random:292 --arg u32[96]=0 --arg u32[1536]=0 --arg u32[160]=random:293 --arg u64[24]=random:294 --arg f32[8]=0 --arg f64[8]=0
__global__ void k11_3(const u32* in, u32* out, u32* scratch, u32* bins, u64* wide, float* sums, double* dsums) {
  const u32 t = threadIdx.x + 96u * (threadIdx.y + 1u * threadIdx.z);
  const u32 gid = t + 96u * (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z));
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
  __shared__ uint2 tile_uint2[96];
  tile_uint2[t] = make_uint2(t, gid);
  __syncthreads();
  ((uchar4*)own8)[(u32)(w0 & w0) & 1u] = make_uchar4((u8)(((__mulhi(i0, (s32)u0) <= rest(i0, i0))) ? L : threadIdx.x), (u8)(u32)(w0 & w0), 3, 4);
  ((ushort4*)own16)[(u32)(s8)u0 & 1u] = make_ushort4((u16)k11_3_recursive1(u0 & 3u, threadIdx.y, in), (u16)(u32)(s8)u0, 3, 4);
  h = mix(h, ((L * L) * k11_3_plain0(t, (s32)t, in, gid)));
  h = mix(h, (((threadIdx.z + blockIdx.y) & 0xffffffffu) + k11_3_plain0(t, (s32)u0, in, gid)));
  tile_uint2[(t * 7u + 4u) % 96u] = make_uint2(k11_3_recursive1((bits(4294967296.0f) << (k11_3_recursive1(0x7fffffffu & 7u, L, in) & 31u)) & 7u, (u32)__mulhi(quotient((s32)t, (s32)L), (s32)(s64)w0), in), (u32)(((gridDim.x % 2u == 1u))));
  __syncthreads();
  u32 v24 = tile_uint2[((((lane_id() > 26u)) ? L : (u32)((const u8*)in)[L & 4092u]) % 96u)].x;
  __syncthreads();
  u32 v25 = (u32)__reduce_add_sync(m, (s32)(s16)k11_3_plain0(t, __float2int_ru(f0), in, gid));
  h = mix(h, (((((i0 == (s32)0x100u)) ? v25 : 0x7fffffffu) | fold(ptx_bfe_s64(0x2ull, 0x0u, 0x21u))) ^ (u32)((!(((lane_id() != 6u)))))));
  u0 = ((blockIdx.x | 0x40u) + (v25 << (t & 31u)));
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, v24);
  h = mix(h, v25);
  h = mix(h, (u32)i0);
  h = mix(h, fold(w0));
  h = mix(h, bits(f0));
  h = mix(h, bits(d0));
  h = mix(h, held[h & 3u]);
  out[gid] = h;
}

__device__ u32 k11_4_kept[64];
// run: --kernel k11_4 --grid 1,1,1 --block 32,1,1 --arg u32[1024]=random:397 --arg u32[32]=0 --arg u32[512]=0 --arg u32[160]=random:398 --arg u64[24]=random:399 --arg f32[8]=0 --arg f64[8]=0
__global__ void k11_4(const u32* in, u32* out, u32* scratch, u32* bins, u64* wide, float* sums, double* dsums) {
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
  __shared__ u32 tile_u32[32];
  tile_u32[t] = (u32)t;
  __syncthreads();
  if ((((u32)__mulhi((s32)0x80000000u, i0) % 2u == 1u))) {
    u0 *= ((u32)(s32)((((threadIdx.y < threadIdx.x)) ? threadIdx.x : u0) - (blockIdx.x / (t | 1u))) << (((((lane_id() ^ blockDim.x) & 4u) != 0u) ? in[(u0 >> (L & 31u)) & 1023u] : t) & 31u));
  }
  h = mix(h, (u32)(((w0 < (u64)blockDim.x))));
  tile_u32[(t * 31u + 10u) % 32u] = 0x6654b134u;
  __syncthreads();
  u32 v2 = (u32)((const u8*)tile_u32)[((((u0 > L)) ? t : gid) & (t | t)) % 128u];
  __syncthreads();
  for (u32 k3 = 0u; k3 < 2u; ++k3) {
    u32 v4 = (u32)__all_sync(m, ((fold((u64)0x3u) % 4u == 0u)));
    const bool c5 = ((gid != 0xffffu));
    const u32 m6 = __ballot_sync(m, c5);
    if (c5) {
      s32 i7 = (~(s32)L);
      double d9 = from_index<32>(m6, (double)(__dsub_rz((double)ptx_add_ftz(0.0f, odd_float(0x5u)), 1e-310)), v2);
    } else {
      u32 v10 = __reduce_min_sync((m & ~m6), __usad((((~u0) % ((u32)((const s8*)in)[k3 & 4092u] | 1u)) >> ((u32)(((0xffu & 2u) != 0u)) & 31u)), k11_4_kept[gid * 2u + ((u32)((~i0) >> ((0xef10121bu & (threadIdx.z + blockIdx.y)) & 31u)) & 1u)], ptx_add_sat_s32(((u0 % (blockIdx.x | 1u)) >> ((0x21u >> (t & 31u)) & 31u)), ((u32)i0 % ((k3 << (blockDim.x & 31u)) | 1u)))));
    }
    s32 i11 = (s32)(s64)(u64)0x7u;
    u32 n12 = 3u;
    while (n12-- != 0u && (((threadIdx.x >= L)) && ((i11 >= i0)))) {
      if (((L & 8u) != 0u)) {
        if (((f0 < f0))) {
          w0 = (((u64)fold(((const ulonglong2*)in)[t & 255u].x) << 32 | bits(f0)) | ((w0 * w0) * (w0 ^ (u64)v4)));
          f0 = __fsub_rd(f0, odd_float(threadIdx.x));
          k11_4_kept[gid * 2u + (lane_id() & 1u)] ^= (((isnan(f0)) || (isnan(3.4e38f))) ? ((gridDim.x & L) | (u32)i11) : 0xffffffffu);
          h = mix(h, ((u32)((const uchar4*)in)[fold((u64)0x40u) & 1023u].z ^ bits(ptx_fma_sat(f0, 1.5f, odd_float(0x5u)))));
        }
        w0 = max(w0, 0x3ull);
      }
      ((volatile u32*)own)[(((threadIdx.y < 0x20u)) ? (u32)(s32)k3 : ptx_cvt_sat_u8_f32(f0)) & 3u] = (u32)(u16)(u32)(s32)0x20u;
      h = mix(h, (__umulhi(k3, gridDim.x) * bits(odd_float(v2))));
    }
    h = mix(h, (u32)(~(s32)v4));
  }
  for (u32 k13 = 0u, nk13 = (t % 6u); k13 < nk13; ++k13) {
    d0 = __fma_rd(__fma_rd((((0x5u & 1u) != 0u) ? d0 : odd_double(w0)), __drcp_rd(odd_double(w0)), __ddiv_ru(d0, odd_double((u64)lane_id()))), __dmul_rn(__fma_rn(d0, d0, odd_double(w0)), odd_double(0x5ull)), __ddiv_ru(odd_double((u64)v2), __dsub_rd(d0, d0)));
    ((uchar4*)own8)[(ptx_bfind_u32(k13) % (threadIdx.y | 1u)) & 1u] = make_uchar4((u8)(u32)((const s16*)in)[(u32)w0 & 2046u], (u8)(ptx_bfind_u32(k13) % (threadIdx.y | 1u)), 3, 4);
    switch ((u32)__ffs(fold(*own64)) % 8u) {
      case 0: {
        u32 n14 = 5u;
        while (n14-- != 0u && ((t % 3u == 1u))) {
          w0 = ((u64)L << 32 | t);
          h = mix(h, ((ptx_sad_s32(u0, t, ((t >> (v2 & 31u)) & 63u)) - v2) ^ (u32)((const uchar4*)in)[((u32)(((L != L))) - (u32)(i0 >> (t & 31u))) & 1023u].y));
        }
        h = mix(h, (~(u32)((const ushort4*)own16)[0x3fu & 1u].x));
      } break;
      case 1: {
      } break;
      case 2: {
        h = mix(h, bits(__uint2float_rd((u32)__mulhi(rest(i0, (s32)gridDim.x), __float2int_rd(f0)))));
      } break;
      case 3: {
        h = mix(h, u0);
      } break;
      case 4: {
      } break;
      case 5: {
        h = mix(h, __vadd4(((((k13 != 0x7fffffffu)) ? blockIdx.x : 0x40u) * (u32)i0), v2));
      } break;
      case 6: {
      } break;
    }
  }
  const bool c15 = ((((0xffu * L) < (0x7u - u0))) || (((s32)(u8)t == ((s32)v2 >> (v2 & 31u)))));
  const u32 m16 = __ballot_sync(m, c15);
  if (c15) {
  }
  switch (threadIdx.x % 7u) {
    case 0: {
    } break;
    case 1: {
    } break;
    case 2: {
      h = mix(h, (u32)(u16)(fold((u64)(s64)w0) + ((gid ^ u0) / ((threadIdx.y * threadIdx.x) | 1u))));
    } break;
    case 3: {
    } break;
    case 4: {
    }
    case 5: {
    }
    default: {
      h = mix(h, ((((f0 > __fdiv_rz(f0, f0))) ? (u32)((((s32)0x7fffffffu == i0))) : (u32)rest(i0, i0)) | ((((odd_float(v2) >= odd_float(gid))) && ((t < t))) ? (u32)w0 : (u32)((const u8*)own)[(blockIdx.x - L) & 63u])));
    } break;
  }
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, v2);
  h = mix(h, (u32)i0);
  h = mix(h, fold(w0));
  h = mix(h, bits(f0));
  h = mix(h, bits(d0));
  h = mix(h, held[h & 3u]);
  out[gid] = h;
}

// run: --kernel k11_5 --grid 1,3,2 --block 8,4,4 --arg u32[1024]=random:387 --arg u32[768]=0 --arg u32[12288]=0 --arg u32[160]=random:388 --arg u64[24]=random:389 --arg f32[8]=0 --arg f64[8]=0
__global__ void k11_5(const u32* in, u32* out, u32* scratch, u32* bins, u64* wide, float* sums, double* dsums) {
  const u32 t = threadIdx.x + 8u * (threadIdx.y + 4u * threadIdx.z);
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
  __shared__ u8 tile_u8[128];
  __shared__ uint4 tile_uint4[128];
  tile_u8[t] = (u8)t;
  tile_uint4[t] = make_uint4(t, gid, 1u, 2u);
  __syncthreads();
  d0 = odd_double(__brevll((u64)i0));
  Rolled<u32, 4> ra1;
  u32 (&a1)[4] = ra1.v;
  for (u32 k2 = 0u; k2 < 4u; ++k2) a1[k2] = (threadIdx.z + blockIdx.y) + k2 * 0x20u;
  a1[(u32)(s32)(t + t) % 4u] += min(fold(*own64), (u0 >> (fold((u64)lane_id()) & 31u)));
  if (((lane_id() > 32u))) copy_16(&tile_uint4[t], in + (a1[(u32)(s32)u0 % 4u] & 1020u));
  copies_done();
  __syncthreads();
  u32 v3 = tile_uint4[0xffu % 128u].w;
  __syncthreads();
  own16[(t - fold(*own64)) & 7u] = (u16)(fold(((u64)v3 << 32 | t)) ^ a1[bits(f0) % 4u]);
  if ((((u64)0xffffffffu < (w0 ^ w0)))) own[0x8a1fefeeu & 3u] += a1[fold(((const ulonglong2*)in)[fixed[20] & 255u].x) % 4u];
  if (((fminf(odd_float(L), f0) > __fdiv_rn(f0, f0)))) tile_u8[(t * 7u + 18u) % 128u] = (u8)0xb50905c4u;
  __syncthreads();
  u32 v4 = tile_u8[(fold(*own64) % 128u)];
  __syncthreads();
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, v3);
  h = mix(h, v4);
  h = mix(h, (u32)i0);
  h = mix(h, fold(w0));
  h = mix(h, bits(f0));
  h = mix(h, bits(d0));
  h = mix(h, held[h & 3u]);
  out[gid] = h;
}

// run: --kernel k11_6 --grid 5,1,1 --block 8,6,1 --arg u32[1024]=random:175 --arg u32[240]=0 --arg u32[3840]=0 --arg u32[160]=random:176 --arg u64[24]=random:177 --arg f32[8]=0 --arg f64[8]=0
__global__ void k11_6(const u32* in, u32* out, u32* scratch, u32* bins, u64* wide, float* sums, double* dsums) {
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
  __shared__ u32 tally[64];
  for (u32 i = t; i < 64u; i += 48u) tally[i] = i * 3u;
  __syncthreads();
  if ((((s32)threadIdx.x > i0))) {
    u0 = 0x40u;
    if ((((t & 8u) != 0u) && ((((u0 != t)) || ((blockDim.x >= 0x1u))) && (((L | L) % 3u == 1u))))) {
      f0 = f0;
      own16[(threadIdx.z + blockIdx.y) & 7u] = (u16)(t | threadIdx.y);
      if ((((odd_float(L) <= f0)) && ((0x20u > 0x7fffffffu)))) atomicMax(&bins[16 + ((bits(f0) | threadIdx.y) & 7u)], u0);
      h = mix(h, (0xffffu & t));
    }
    atomicXor(&bins[40 + ((L >> ((u32)(s32)0x86u & 31u)) & 7u)], (u32)(quotient(i0, i0) >> (ptx_sub_sat_s32(0x7fffffffu, t) & 31u)));
    atomicMin(&tally[8 + ((u32)(rest(i0, i0) >> (0x7u & 31u)) & 7u)], (u32)((const u8*)own)[(u32)max((i0 >> (gid & 31u)), quotient((s32)0xffu, i0)) & 63u]);
  }
  h = mix(h, ((u32)(rest(i0, (s32)gridDim.x) >> (L & 31u)) * 0xd09d2e43u));
  h = mix(h, (((u32)(u8)in[0x5u & 1023u] >> (((L % (0x2u | 1u)) / ((L - t) | 1u)) & 31u)) | (((L ^ t) - fold(0x7ull)) - (~(((lane_id() >= 4u)) ? lane_id() : t)))));
  for (u32 k1 = 0u; k1 < 3u; ++k1) {
    h = mix(h, (u32)((const s16*)in)[(L & blockIdx.x) & 2046u]);
    if ((!(((lane_id() < 20u))))) atomicXor(&wide[20 + (bits(fminf(1.17549435e-38f, 1.5f)) & 3u)], w0);
    atomicInc(&bins[48 + (((0x21u >> (0x40u & 31u)) << ((u32)((((u64)t == w0))) & 31u)) & 7u)], 0xffffffu);
    const u32 n3 = (((0x3u / (gridDim.x | 1u)) + (u32)(u16)gid) % 3u);
    u32 m4 = m;
    for (u32 k2 = 0u;; ++k2) {
      m4 = __ballot_sync(m4, k2 < n3);
      if (k2 >= n3) break;
      i0 = (s32)((u32)(s32)(t - (k1 + 0x20u)) - L);
      ((ushort4*)own16)[(u32)(quotient((s32)0xffffffffu, (s32)gid) >> ((0x100u >> (L & 31u)) & 31u)) & 1u] = make_ushort4((u16)(u32)i0, (u16)(u32)(quotient((s32)0xffffffffu, (s32)gid) >> ((0x100u >> (L & 31u)) & 31u)), 3, 4);
      const u32 n6 = (ptx_cvt_u32_u16((u32)((s32)0x7fffffffu >> (0xffffu & 31u))) & 3u);
      u32 m7 = m4;
      for (u32 k5 = 0u;; ++k5) {
        m7 = __ballot_sync(m7, k5 < n6);
        if (k5 >= n6) break;
        w0 = 0x52ull;
        atomicMax(&wide[8 + (0xa8u & 3u)], ((u64)0xffffffffu >> (threadIdx.y & 63u)));
        h = mix(h, (((0xffu - (threadIdx.z + blockIdx.y)) + (gid / (0x5u | 1u))) | ((const uint4*)in)[(0x3fu | L) & 255u].y));
        const bool c8 = ((((blockDim.x & 4u) != 0u) && ((k1 % 5u == 0u))) || (((0x80000000u & 16u) != 0u) || (isnan(odd_float(L)))));
        const u32 m9 = __ballot_sync(m7, !c8);
        if (c8) continue;
        atomicOr(&bins[32 + ((t & (u32)w0) & 7u)], k2);
        const bool c10 = ((k5 < gridDim.x));
        const u32 m11 = __ballot_sync(m9, c10);
        if (c10) {
          f0 = -0.0f;
          *own128 = make_uint4((L / ((threadIdx.z + blockIdx.y) | 1u)), (u32)(u8)u0, bits(f0), (((lane_id() <= gid)) ? gridDim.x : __vaddus4(0xfffffffeu, k2)));
          h = mix(h, (u32)(__rhadd((s32)gid, ((s32)threadIdx.x >> (u0 & 31u))) >> (((((odd_double(w0) <= d0)) ? k5 : t) / ((u32)__popc(k5) | 1u)) & 31u)));
        }
      }
    }
  }
  u16 x12 = (u16)in[in[(u32)((volatile u16*)own16)[L & 7u] & 1023u] & 1023u];
  for (u32 kx12 = 0u, nx12 = (((0x1fu << (gridDim.x & 31u)) % ((u32)(u8)gid | 1u)) & 3u); kx12 < nx12; ++kx12) x12 = (u16)(x12 - (u16)(bits(odd_float(L)) << (bits(f0) & 31u)));
  x12 = (u16)(x12 / ((u16)(((u32)(s8)t + (((L & 1u) != 0u) ? u0 : u0)) & 0x3ffu) | 1));
  u32 v13 = (u32)x12;
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, v13);
  h = mix(h, (u32)i0);
  h = mix(h, fold(w0));
  h = mix(h, bits(f0));
  h = mix(h, bits(d0));
  h = mix(h, held[h & 3u]);
  out[gid] = h;
  __syncthreads();
  for (u32 i = t; i < 64u; i += 48u) atomicXor(&bins[80u + i], tally[i] * (gid / 48u + 1u));
}

// run: --kernel k11_7 --grid 2,1,1 --block 5,3,1 --arg u32[1024]=random:497 --arg u32[30]=0 --arg u32[480]=0 --arg u32[160]=random:498 --arg u64[24]=random:499 --arg f32[8]=0 --arg f64[8]=0
__global__ void k11_7(const u32* in, u32* out, u32* scratch, u32* bins, u64* wide, float* sums, double* dsums) {
  const u32 t = threadIdx.x + 5u * (threadIdx.y + 3u * threadIdx.z);
  const u32 gid = t + 15u * (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z));
  const u32 L = lane_id();
  const u32 m = t / 32u == 0u ? 0x7fffu : 0xffffffffu;
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
  float f2 = from_member(m, (float)(__fdiv_rn(__frcp_rz(odd_float(0x1fu)), ptx_min_nan(f0, 3.0f))), 15u);
  h = mix(h, (u32)(s32)(s64)w0);
  const u32 n4 = ((u32)(u64)i0 & 3u);
  u32 m5 = m;
  for (u32 k3 = 0u;; ++k3) {
    m5 = __ballot_sync(m5, k3 < n4);
    if (k3 >= n4) break;
    i0 = (s32)(t - 0xffu);
    u32 v6 = (bits(__ushort_as_bfloat16((u16)t)) >> (((lane_id() & t) - bits(__ushort_as_bfloat16((u16)gid))) & 31u));
    h = mix(h, bits(__float2bfloat16_rz(3.0f)));
  }
  __half q7 = __ushort_as_half((u16)(ptx_mad_hi_sat_s32(bits(f2), (u32)__half2ushort_ru(__ushort_as_half((u16)u0)), ((0x7u % (t | 1u)) & 63u)) % ((bits(__ushort_as_half((u16)u0)) << ((L | 0x1bu) & 31u)) | 1u)));
  u32 v8 = (bits(__ushort_as_bfloat16((u16)u0)) - (u32)__half2uint_rz(__ushort_as_half((u16)u0)));
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, v8);
  h = mix(h, (u32)i0);
  h = mix(h, fold(w0));
  h = mix(h, bits(f0));
  h = mix(h, bits(f2));
  h = mix(h, bits(d0));
  h = mix(h, bits(q7));
  h = mix(h, held[h & 3u]);
  out[gid] = h;
}

__device__ u32 k11_8_kept[140];
// run: --kernel k11_8 --grid 1,1,1 --block 70,1,1 --arg u32[1024]=random:177 --arg u32[70]=0 --arg u32[1120]=0 --arg u32[160]=random:178 --arg u64[24]=random:179 --arg f32[8]=0 --arg f64[8]=0
__global__ void k11_8(const u32* in, u32* out, u32* scratch, u32* bins, u64* wide, float* sums, double* dsums) {
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
  __shared__ float tile_float[70];
  tile_float[t] = (float)t;
  __syncthreads();
  int allv1;
  u32 v1 = __match_all_sync(m, ((w0 * w0) & 7u), &allv1);
  v1 += (u32)(allv1 != 0);
  tile_float[(t * 1u + 5u) % 70u] = fabsf(f0);
  __syncthreads();
  float f2 = tile_float[((fixed[2] & (u32)((const uchar4*)own8)[threadIdx.y & 1u].z) % 70u)];
  __syncthreads();
  tile_float[(t * 17u + 14u) % 70u] = __fsub_rd(__fmaf_rn(__frcp_rn(odd_float(u0)), __double2float_rz(d0), (f0 < f0 ? f2 : 1.0f)), __double2float_rn(d0));
  __syncthreads();
  float f3 = tile_float[((__usad(threadIdx.y, lane_id(), 0x0u) + bits(odd_float(v1))) % 70u)];
  __syncthreads();
  u32 v4 = atomicAdd(&own[(u32)(u16)((const uint2*)in)[L & 511u].x & 3u], __vabsdiffu4((u0 & blockIdx.x), (u32)(((f0 <= f3)))));
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, v1);
  h = mix(h, v4);
  h = mix(h, (u32)i0);
  h = mix(h, fold(w0));
  h = mix(h, bits(f0));
  h = mix(h, bits(f2));
  h = mix(h, bits(f3));
  h = mix(h, bits(d0));
  h = mix(h, held[h & 3u]);
  out[gid] = h;
}

// run: --kernel k11_9 --grid 1,1,1 --block 13,3,1 --arg u32[1024]=random:398 --arg u32[39]=0 --arg u32[624]=0 --arg u32[160]=random:399 --arg u64[24]=random:400 --arg f32[8]=0 --arg f64[8]=0
__global__ void k11_9(const u32* in, u32* out, u32* scratch, u32* bins, u64* wide, float* sums, double* dsums) {
  const u32 t = threadIdx.x + 13u * (threadIdx.y + 3u * threadIdx.z);
  const u32 gid = t + 39u * (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z));
  const u32 L = lane_id();
  const u32 m = t / 32u == 1u ? 0x7fu : 0xffffffffu;
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
  __shared__ u32 tally[64];
  for (u32 i = t; i < 64u; i += 39u) tally[i] = i * 3u;
  __syncthreads();
  i0 = (s32)(0x37bf4d78u + (gid % (0x40u | 1u)));
  if (((fold(w0) > gid))) atomicOr(&bins[32 + (((u32)0x3full << (u0 & 31u)) & 7u)], (u32)(s32)(ptx_prmt_ecr((u32)(i0 >> (threadIdx.y & 31u)), ((L / (L | 1u)) & 63u), ptx_cvt_sat_s16_u32(u0)) + ptx_add_sat_s32((~blockIdx.x), L)));
  u32 v1 = atomicCAS(&own[((0x1fu - blockIdx.x) % ((t - blockDim.x) | 1u)) & 3u], (u32)(((1.17549435e-38f != -2147483648.0f))) & 3u, (((f0 == odd_float(L))) ? (u32)((volatile u16*)own16)[t & 7u] : (0xffffu % (u0 | 1u))));
  f0 = __fmul_rn(f0, f0);
  atomicXor(&bins[40 + ((((0x3fu <= 0x20u)) ? fold(ptx_mad_wide_u32(gridDim.x, (t & 63u), w0)) : (u32)(u8)blockDim.x) & 7u)], ((((v1 != threadIdx.x)) && ((blockDim.x & 4u) != 0u)) ? (u32)((s32)(u8)t >> ((((threadIdx.y <= u0)) ? L : L) & 31u)) : (((const uint4*)in)[0xffu & 255u].z & (blockDim.x % (0x100u | 1u)))));
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, v1);
  h = mix(h, (u32)i0);
  h = mix(h, fold(w0));
  h = mix(h, bits(f0));
  h = mix(h, bits(d0));
  h = mix(h, held[h & 3u]);
  out[gid] = h;
  __syncthreads();
  for (u32 i = t; i < 64u; i += 39u) atomicXor(&bins[80u + i], tally[i] * (gid / 39u + 1u));
}
