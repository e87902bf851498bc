// Made by tests/tools/random_kernels.py --seed 12 --kernels 10 --size 16: what each must leave in its buffers stands in the .out beside it.
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
__device__ u32 guarded_load(u32 c, const u32* from, u32 other) { u32 r; asm volatile("{.reg .pred p; setp.ne.u32 p, %1, 0; mov.u32 %0, %3; @p ld.global.u32 %0, [%2];}" : "=&r"(r) : "r"(c), "l"(from), "r"(other) : "memory"); return r; }
__device__ void guarded_store(u32 c, u32* to, u32 v) { asm volatile("{.reg .pred p; setp.eq.u32 p, %0, 0; @!p st.global.u32 [%1], %2;}" :: "r"(c), "l"(to), "r"(v) : "memory"); }
__device__ u32 guarded_atomic(u32 c, u32* to, u32 v) { u32 r; asm volatile("{.reg .pred p; setp.ne.u32 p, %1, 0; mov.u32 %0, 0; @p atom.global.add.u32 %0, [%2], %3;}" : "=&r"(r) : "r"(c), "l"(to), "r"(v) : "memory"); return r; }
__device__ u32 guarded_shuffle(u32 c, u32 m, u32 v, u32 from) { u32 r; asm volatile("{.reg .pred p; setp.ne.u32 p, %1, 0; mov.u32 %0, %3; @p shfl.sync.idx.b32 %0, %3, %4, 31, %2;}" : "=&r"(r) : "r"(c), "r"(m), "r"(v), "r"(from)); return r; }
__device__ u32 guarded_ballot(u32 c, u32 m, u32 q) { u32 r; asm volatile("{.reg .pred p, q; setp.ne.u32 p, %1, 0; setp.ne.u32 q, %3, 0; mov.u32 %0, 5; @p vote.sync.ballot.b32 %0, q, %2;}" : "=&r"(r) : "r"(c), "r"(m), "r"(q)); return r; }
__device__ u32 ptx_add_carry(u32 a, u32 b, u32 c, u32 d) { u32 r; asm("{.reg .u32 l, h, c; add.cc.u32 l, %1, %3; addc.cc.u32 h, %2, %4; addc.u32 c, 0, 0; mad.lo.u32 %0, h, 3, c;}" : "=&r"(r) : "r"(a), "r"(b), "r"(c), "r"(d)); return r; }
__device__ u32 ptx_add_sat_s32(u32 a, u32 b) { u32 r; asm("add.sat.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); return r; }
__device__ u64 ptx_bfe_s64(u64 a, u32 b, u32 c) { u64 r; asm("bfe.s64 %0, %1, %2, %3;" : "=l"(r) : "l"(a), "r"(b), "r"(c)); return r; }
__device__ u64 ptx_bfe_u64(u64 a, u32 b, u32 c) { u64 r; asm("bfe.u64 %0, %1, %2, %3;" : "=l"(r) : "l"(a), "r"(b), "r"(c)); return r; }
__device__ u32 ptx_bfi_b32(u32 a, u32 b, u32 c, u32 d) { u32 r; asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(a), "r"(b), "r"(c), "r"(d)); return r; }
__device__ u64 ptx_bfi_b64(u64 a, u64 b, u32 c, u32 d) { u64 r; asm("bfi.b64 %0, %1, %2, %3, %4;" : "=l"(r) : "l"(a), "l"(b), "r"(c), "r"(d)); return r; }
__device__ u32 ptx_bfind_u64(u64 a) { u32 r; asm("bfind.u64 %0, %1;" : "=r"(r) : "l"(a)); return r; }
__device__ u32 ptx_cnot_b32(u32 a) { u32 r; asm("cnot.b32 %0, %1;" : "=r"(r) : "r"(a)); return r; }
__device__ u32 ptx_cvt_pack_sat_s16(u32 a, u32 b) { u32 r; asm("cvt.pack.sat.s16.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); return r; }
__device__ u32 ptx_cvt_s32_s8(u32 a) { u32 r; asm("cvt.s32.s8 %0, %1;" : "=r"(r) : "r"(a)); return r; }
__device__ u32 ptx_cvt_sat_s8_s32(u32 a) { u32 r; asm("cvt.sat.s8.s32 %0, %1;" : "=r"(r) : "r"(a)); return r; }
__device__ u32 ptx_cvt_sat_u32_s64(u64 a) { u32 r; asm("cvt.sat.u32.s64 %0, %1;" : "=r"(r) : "l"(a)); return r; }
__device__ u32 ptx_cvt_u32_u16(u32 a) { u32 r; asm("{.reg .b16 a; cvt.u16.u32 a, %1; cvt.u32.u16 %0, a;}" : "=&r"(r) : "r"(a)); return r; }
__device__ u32 ptx_dp2a_hi_u32_s32(u32 a, u32 b, u32 c) { u32 r; asm("dp2a.hi.u32.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ u32 ptx_dp2a_lo_s32_u32(u32 a, u32 b, u32 c) { u32 r; asm("dp2a.lo.s32.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ float ptx_fma_sat(float a, float b, float c) { float r; asm("fma.rn.sat.f32 %0, %1, %2, %3;" : "=f"(r) : "f"(a), "f"(b), "f"(c)); return r; }
__device__ u32 ptx_lop3_96(u32 a, u32 b, u32 c) { u32 r; asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ u32 ptx_lop3_e2(u32 a, u32 b, u32 c) { u32 r; asm("lop3.b32 %0, %1, %2, %3, 0xe2;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ u32 ptx_mad_hi_s32(u32 a, u32 b, u32 c) { u32 r; asm("mad.hi.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ u32 ptx_mad_hi_u32(u32 a, u32 b, u32 c) { u32 r; asm("mad.hi.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ u32 ptx_min_s16(u32 a, u32 b) { u32 r; asm("{.reg .b16 a, b; cvt.u16.u32 a, %1; cvt.u16.u32 b, %2; min.s16 a, a, b; cvt.u32.u16 %0, a;}" : "=&r"(r) : "r"(a), "r"(b)); return r; }
__device__ u32 ptx_mul24_hi_u32(u32 a, u32 b) { u32 r; asm("mul24.hi.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); return r; }
__device__ u32 ptx_mul24_lo_s32(u32 a, u32 b) { u32 r; asm("mul24.lo.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); return r; }
__device__ u32 ptx_mul_hi_s16(u32 a, u32 b) { u32 r; asm("{.reg .b16 a, b; cvt.u16.u32 a, %1; cvt.u16.u32 b, %2; mul.hi.s16 a, a, b; cvt.u32.u16 %0, a;}" : "=&r"(r) : "r"(a), "r"(b)); return r; }
__device__ u32 ptx_mul_wide_u16(u32 a, u32 b) { u32 r; asm("{.reg .b16 a, b; cvt.u16.u32 a, %1; cvt.u16.u32 b, %2; mul.wide.u16 %0, a, b;}" : "=&r"(r) : "r"(a), "r"(b)); return r; }
__device__ u32 ptx_sad_u16(u32 a, u32 b, u32 c) { u32 r; asm("{.reg .b16 a, b, c; cvt.u16.u32 a, %1; cvt.u16.u32 b, %2; cvt.u16.u32 c, %3; sad.u16 a, a, b, c; cvt.u32.u16 %0, a;}" : "=&r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ u32 ptx_set_hs_f32(u32 a, u32 b) { u32 r; asm("{.reg .f32 d; set.hs.f32.u32 d, %1, %2; mov.b32 %0, d;}" : "=&r"(r) : "r"(a), "r"(b)); return r; }
__device__ u32 ptx_shr_s16(u32 a, u32 b) { u32 r; asm("{.reg .b16 a; cvt.u16.u32 a, %1; shr.s16 a, a, %2; cvt.u32.u16 %0, a;}" : "=&r"(r) : "r"(a), "r"(b)); return r; }
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
// run: --kernel k12_0 --grid 2,2,1 --block 100,1,1 --arg u32[1024]=random:882 --arg u32[400]=0 --arg u32[6400]=0 --arg u32[160]=random:883 --arg u64[24]=random:884 --arg f32[8]=0 --arg f64[8]=0
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
  __syncthreads();
  u32 v1 = (u32)own16[(u32)((const u8*)in)[(((f0 > f0)) ? blockDim.x : bits(3.0f)) & 4092u] & 7u];
  tile_float[(t * 31u + 1u) % 100u] = __fdiv_rd(fmaxf(__ll2float_ru((s64)(u64)v1), rintf(f0)), fmaxf(fminf(odd_float(v1), f0), __ull2float_rn(w0)));
  __syncthreads();
  float f2 = tile_float[(99u - t)];
  __syncthreads();
  int allv3;
  u32 v3 = __match_all_sync(m, ((u64)v1 & 1u), &allv3);
  v3 += (u32)(allv3 != 0);
  const u32 c4 = ((threadIdx.x & 1u) != 0u);
  const u32 m6 = __ballot_sync(m, c4);
  u32 v5 = guarded_shuffle(c4, m6, (u32)__float2uint_rn(odd_float(L)), member(m6, (v1 / (blockIdx.x | 1u))));
  h = mix(h, (u32)((const uchar4*)own8)[fold((u64)__float2ll_rn(f2)) & 1u].x);
  if (((__funnelshift_r(v3, 0xfbadbf41u, v3) == fold((u64)__float2ll_rn(odd_float(v1)))))) {
    ((uchar4*)own8)[fold(((const ulonglong2*)in)[(u32)__float2uint_rz(odd_float(v5)) & 255u].x) & 1u] = make_uchar4((u8)fold((u64)__float2ull_rn(rintf(__double2float_rd(-9223372036854775808.0)))), (u8)fold(((const ulonglong2*)in)[(u32)__float2uint_rz(odd_float(v5)) & 255u].x), 3, 4);
    u32 n7 = 4u;
    while (n7-- != 0u && ((i0 < (s32)(0x20u * lane_id())))) {
      for (u32 k8 = 0u, nk8 = (ptx_mad_hi_u32(bits(1e-40f), (v3 + 0x40u), 0xffffffffu) & 7u); k8 < nk8; ++k8) {
        u32 n9 = 4u;
        do {
          if ((((k8 % 2u == 0u)) || ((L & 64u) != 0u))) break;
          Rolled<u32, 2> ra10;
          u32 (&a10)[2] = ra10.v;
          for (u32 k11 = 0u; k11 < 2u; ++k11) a10[k11] = ((u32)(i0 >> (0x3fu & 31u)) % ((0xfffffffeu * threadIdx.x) | 1u)) + k11 * 0x40u;
          a10[ptx_mad_hi_s32((u32)(s16)threadIdx.y, bits(ptx_fma_sat(f2, f0, f2)), (u32)i0) % 2u] += (u32)(u16)threadIdx.y;
          atomicSub(&bins[56 + (a10[(u32)(u8)(threadIdx.z + blockIdx.y) % 2u] & 7u)], 1u);
        } while (--n9 != 0u && (((lane_id() & 32u) != 0u) && ((lane_id() % 3u == 0u))));
        if (((fold((((u64)v3 % ((u64)0x185b9241u | 1ull)) * __umul64hi(w0, w0))) <= (((bits(f0) <= (u32)((s32)k8 >> (0x40u & 31u)))) ? (u32)__double2uint_rn(__ddiv_rn(d0, 0.0)) : ptx_bfi_b32(u0, 0x0u, (u0 & 255u), (bits(f2) & 255u)))))) {
          u64 w12 = atomicMin(own64, (((u64)u0 << 32 | L) / ((u64)u0 | 1ull)));
          s16 x13 = (s16)(u32)__clz(v3);
          for (u32 kx13 = 0u, nx13 = 5u; kx13 < nx13; ++kx13) x13 = (s16)(x13 | (s16)gridDim.x);
          x13 = (s16)(x13 >> ((L / (threadIdx.x | 1u)) & 7u));
          u32 v14 = (u32)x13;
        } else {
          h = mix(h, (fold(((u64)(0x104e2b2u + 0x21u) << 32 | (u0 ^ threadIdx.x))) | (u32)__float2uint_rz((((v5 & 1u) != 0u) ? __fmaf_ru(-2147483648.0f, odd_float(threadIdx.x), odd_float(v1)) : __fmul_rn(1.17549435e-38f, f0)))));
        }
      }
    }
  } else {
    h = mix(h, (((u32)(s8)(u32)__double2uint_rz(0.0) - ((u32)((const u8*)own)[t & 63u] >> (ptx_mad_hi_u32(threadIdx.x, lane_id(), (lane_id() & 63u)) & 31u))) << (threadIdx.y & 31u)));
  }
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, v1);
  h = mix(h, v3);
  h = mix(h, v5);
  h = mix(h, (u32)i0);
  h = mix(h, fold(w0));
  h = mix(h, bits(f0));
  h = mix(h, bits(f2));
  h = mix(h, bits(d0));
  h = mix(h, held[h & 3u]);
  out[gid] = h;
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
        }
      }
    }
  }
  if (((bits(__fma_rd(5e-324, 0.1, 2.5)) % 5u == 0u))) {
  }
  if (((bits(__ushort_as_half((u16)0x7u)) > ((const uint4*)in)[0x1u & 255u].x))) {
  } else {
  }
  Bundle g24[3];
  for (u32 kg24 = 0u; kg24 < 3u; ++kg24) g24[kg24] = Bundle{bits(odd_float(x)) + kg24, (u8)kg24, (u16)bits(__ushort_as_half((u16)0xffffffffu)), ((u64)lane_id() * x), 0.1f, 1u, (((y != y)) ? 1e18 : odd_double((u64)x))};
  g24[(u32)((u64)x << 32 | x) % 3u].b ^= (u8)bits(__hmin(__ushort_as_bfloat16((u16)x), __ushort_as_bfloat16((u16)x)));
  g24[bits(odd_float(0x7u)) % 3u] = g24[(x - (u32)__float2uint_ru(1.17549435e-38f)) % 3u];
  u32 v25 = g24[((((0xf420675du < x)) ? lane_id() : 0x5u) * in[0x5u & 1023u]) % 3u].a;
  u64 w26 = g24[bits(__fma_ru(odd_double(0x8000000000000000ull), odd_double((u64)x), 0.5)) % 3u].d;
  double d27 = g24[bits(-0.0) % 3u].f;
  u32 v28 = ptx_cnot_b32((u32)__half2ushort_rd(__ushort_as_half((u16)0x32ef2b55u)));
  switch ((bits(__ushort_as_bfloat16((u16)x)) + v25) % 3u) {
    case 0: {
    } break;
    case 1: {
    }
  }
  if (((bits(__fmul_rn(rintf(1.17549435e-38f), floorf(4294967296.0f))) <= bits(__half2float(__int2half_rd((s32)v25)))))) {
  }
  return mix(((u32)w26 * bits(odd_double(w26))), v28);
}
// run: --kernel k12_1 --grid 1,3,2 --block 45,1,1 --arg u32[1024]=random:182 --arg u32[270]=0 --arg u32[4320]=0 --arg u32[160]=random:183 --arg u64[24]=random:184 --arg f32[8]=0 --arg f64[8]=0
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
  __shared__ u16 tile_u16[45];
  tile_u16[t] = (u16)t;
  __syncthreads();
  u64 w29 = w0;
  h = mix(h, ((u32)(u16)threadIdx.y + bits(d0)));
  for (u32 k30 = 0u, nk30 = (lane_id() & 3u); k30 < nk30; ++k30) {
  }
  u8 x31 = (u8)bits(__ushort_as_bfloat16((u16)L));
  for (u32 kx31 = 0u, nx31 = (lane_id() & 3u); kx31 < nx31; ++kx31) x31 = (u8)(x31 ^ (u8)bits(1e-310));
  x31 = (u8)(x31 % ((u8)((u32)w0 & 0x3ffu) | 1));
  u32 v32 = (u32)x31;
  *own64 = (u64)v32;
  tile_u16[(t * 8u + 28u) % 45u] = (u16)bits(odd_double(w0));
  __syncthreads();
  u32 v33 = tile_u16[(44u - t)];
  __syncthreads();
  own8[bits(__ddiv_rd(d0, odd_double(0x2ull))) & 7u] = (u8)(blockDim.x & L);
  u16 x34 = (u16)(u32)((((u32)w29 == 0x7fffffffu)) ? __umul64hi(((u64)v32 << 32 | (threadIdx.z + blockIdx.y)), (((v32 % 4u == 0u)) ? w0 : (u64)t)) : (u64)0x3fu);
  for (u32 kx34 = 0u, nx34 = 1u; kx34 < nx34; ++kx34) x34 = (u16)(x34 * (u16)fold((u64)__float2ll_rz(odd_float(u0))));
  x34 = (u16)(x34 % ((u16)(bits(ldexpf(3.4e38f, (s32)(0x2u % 300u) - 150)) & 0x3ffu) | 1));
  u32 v35 = (u32)x34;
  Bundle g36[3];
  for (u32 kg36 = 0u; kg36 < 3u; ++kg36) g36[kg36] = Bundle{(u32)__double2int_rd(d0) + kg36, (u8)kg36, (u16)(blockIdx.x ^ v35), ((u64)0xffffu * 0x0u), f0, 1u, __dmul_rd(odd_double(0x3full), d0)};
  g36[k12_1_plain0((u32)__half2ushort_rz(__ushort_as_half((u16)threadIdx.x)), (s32)L, in, gid) % 3u].c ^= (u8)threadIdx.x;
  g36[bits(ceilf(odd_float(blockIdx.x))) % 3u] = g36[0xffffu % 3u];
  u32 v37 = g36[fold((((threadIdx.y <= blockDim.x)) ? 0xffffffffffffffffull : 0x7fffffffffffffffull)) % 3u].b;
  u64 w38 = g36[bits(__ushort_as_bfloat16((u16)L)) % 3u].d;
  double d39 = g36[blockDim.x % 3u].f;
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, v32);
  h = mix(h, v33);
  h = mix(h, v35);
  h = mix(h, v37);
  h = mix(h, (u32)i0);
  h = mix(h, fold(w0));
  h = mix(h, fold(w29));
  h = mix(h, fold(w38));
  h = mix(h, bits(f0));
  h = mix(h, bits(d0));
  h = mix(h, bits(d39));
  h = mix(h, held[h & 3u]);
  out[gid] = h;
}

// run: --kernel k12_2 --grid 1,1,1 --block 3,5,2 --arg u32[1024]=random:701 --arg u32[30]=0 --arg u32[480]=0 --arg u32[160]=random:702 --arg u64[24]=random:703 --arg f32[8]=0 --arg f64[8]=0
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
  u32 a1[11];
  for (u32 k2 = 0u; k2 < 11u; ++k2) a1[k2] = t + k2 * 0x7u;
  a1[bits(fmaxf(f0, odd_float(blockIdx.x))) % 11u] += ((u32)(s8)(u32)__float2int_ru(f0) / (((blockDim.x - 0x3fu) % ((t ^ t) | 1u)) | 1u));
  i0 = (s32)(u8)__vsub2(threadIdx.y, 0x100u);
  for (u32 k3 = 0u; k3 < 1u; ++k3) {
    const u32 c4 = ((own[threadIdx.y & 3u] < (k3 ^ k3)));
    guarded_store(c4, own + (bits(__fadd_rz(4294967296.0f, f0)) & 3u), k3);
    u32 v7 = from_below<32>(m, (u32)(L), 21u);
    const bool c8 = ((__dmul_rn(-0.0, odd_double(0xffffull)) <= (double)0.1f));
    const u32 m9 = __ballot_sync(m, c8);
    if (c8) {
      __stcg(own + (bits((((0xfffffffeu <= 0x40u)) ? -1.0f : f0)) & 3u), (((t & 8u) != 0u) ? L : u0));
      if (((i0 < i0))) {
        if (((d0 != odd_double(w0)))) {
          const u32 c10 = ((lane_id() > 11u));
          guarded_store(c10, own + ((((lane_id() > 17u)) ? (v7 ^ threadIdx.y) : own[k3 & 3u]) & 3u), (((u32)__double2int_ru(0.0) * 0x0u) % ((u32)__float2uint_ru((((v7 % 5u == 1u)) ? f0 : -2147483648.0f)) | 1u)));
          u32 a12[11];
          for (u32 k13 = 0u; k13 < 11u; ++k13) a12[k13] = ((isnan(f0)) ? (L + 0x7u) : fold((u64)__float2ull_ru(f0))) + k13 * 0xffu;
          a12[fold((u64)__double2ll_rn(__fma_rn(d0, -9223372036854775808.0, d0))) % 11u] += fold((u64)__double2ull_rz(odd_double(0x1full)));
        }
        for (u32 k14 = 0u, nk14 = (lane_id() & 3u); k14 < nk14; ++k14) {
          i0 = min((s32)(s16)k3, (((lane_id() <= 13u)) ? __float2int_rn(fmaxf(odd_float(lane_id()), 0.1f)) : (s32)(s8)0x21u));
          w0 = w0;
          h = mix(h, k14);
        }
        h = mix(h, ((u32)__double2uint_rn(odd_double(w0)) ^ (L | (threadIdx.z + blockIdx.y))));
      }
      u32 v15 = (((u32)((const s8*)in)[fold(((const ulonglong2*)in)[0x7u & 255u].y) & 4092u] | (((gridDim.x % 2u == 0u)) ? u0 : fold(0x1full))) + bits(odd_float((u32)(((v7 % 2u == 1u))))));
    } else {
    }
    h = mix(h, (lane_id() % ((bits(f0) & (u32)__popc(0x7u)) | 1u)));
  }
  h = mix(h, gid);
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
// run: --kernel k12_3 --grid 1,1,1 --block 32,1,1 --shared 128 --arg u32[1024]=random:460 --arg u32[32]=0 --arg u32[512]=0 --arg u32[160]=random:461 --arg u64[24]=random:462 --arg f32[8]=0 --arg f64[8]=0
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
  __shared__ u16 tile_u16[32];
  __shared__ u8 tile_u8[32];
  DYNAMIC_SHARED(dynamic);
  dynamic[t] = t;
  tile_u16[t] = (u16)t;
  tile_u8[t] = (u8)t;
  __shared__ u32 tally[64];
  for (u32 i = t; i < 64u; i += 32u) tally[i] = i * 3u;
  __syncthreads();
  if (((d0 != d0))) {
    Rolled<u32, 5> ra1;
    u32 (&a1)[5] = ra1.v;
    for (u32 k2 = 0u; k2 < 5u; ++k2) a1[k2] = bits(__fdiv_rn(f0, f0)) + k2 * 0x0u;
    a1[(bits(f0) | (t + 0x100u)) % 5u] = fold((u64)__float2ull_ru(fminf(odd_float(L), odd_float(L))));
    const u32 c3 = ((lane_id() <= 9u));
    u32 v4 = guarded_atomic(c3, own + (bits(((isnan(f0)) ? f0 : 1.5f)) & 3u), (u32)min(i0, i0));
    s16 x5 = (s16)(bits(__dsub_rz(2.5, d0)) * (((blockDim.x & 1u) != 0u) ? (u32)(s32)u0 : bits(f0)));
    for (u32 kx5 = 0u, nx5 = (threadIdx.x % 4u); kx5 < nx5; ++kx5) x5 = (s16)(x5 - (s16)t);
    x5 = (s16)(x5 >> (fold((u64)__double2ull_ru(d0)) & 7u));
    u32 v6 = (u32)x5;
    h = mix(h, (u32)(((t & 8u) != 0u)));
    h = mix(h, (u32)((const u8*)own)[((u32)((s32)0xfffffffeu >> (v6 & 31u)) - (u32)((const u8*)in)[v6 & 4092u]) & 63u]);
  } else {
    s32 i7 = (s32)(fold(w0) - ptx_mul_wide_u16(u0, t));
    ((volatile u32*)own)[fold((u64)__double2ull_rz(__dsub_rd(d0, odd_double(w0)))) & 3u] = (((lane_id() <= 32u)) ? (u32)__double2int_ru((double)__double2float_rz(d0)) : (u32)((s32)(s16)(u32)(u8)u0 >> ((u32)__float2uint_ru(fmaxf(odd_float(L), odd_float(t))) & 31u)));
    if ((((u32)((const u8*)own)[fold(*own64) & 63u] & 8u) != 0u)) {
      Bundle g8[4];
      for (u32 kg8 = 0u; kg8 < 4u; ++kg8) g8[kg8] = Bundle{(u32)__popcll((u64)(threadIdx.z + blockIdx.y)) + kg8, (u8)kg8, (u16)(u32)i7, (u64)(s64)w0, f0, 1u, odd_double(w0)};
      g8[(u32)own8[(u32)(i7 >> (threadIdx.x & 31u)) & 7u] % 4u].b ^= (u8)u0;
      g8[(((gridDim.x <= u0)) ? (0x3fu ^ 0x1fu) : (~threadIdx.y)) % 4u] = g8[bits(odd_float(blockDim.x)) % 4u];
      u32 v9 = g8[bits(__dadd_rd(d0, odd_double(w0))) % 4u].c;
      u64 w10 = g8[(bits(f0) + (((1e-45f == f0)) ? 0xfffffffeu : lane_id())) % 4u].d;
      double d11 = g8[bits(__fdiv_rd(-1.0f, -1.0f)) % 4u].f;
      atomicMin((s32*)bins + 64 + ((u32)(i0 >> (0x100u & 31u)) & 7u), rest(quotient(i7, i7), (s32)u0));
      h = mix(h, ptx_dp2a_hi_u32_s32(bits(__fdiv_ru(odd_float(L), __double2float_rd(d11))), (bits(__frcp_rn(0.1f)) & 63u), (bits((fmax(odd_double(w10), d0) != __ll2double_rd((s64)w10) ? __fma_ru(odd_double((u64)threadIdx.y), d11, d11) : odd_double((u64)0x1u))) & 63u)));
      for (u32 k12 = 0u, nk12 = 4u; k12 < nk12; ++k12) {
        if ((((d11 >= -9223372036854775808.0)) && ((lane_id() < 25u)))) atomicOr(&bins[32 + (ptx_shr_s16(k12_3_kept[gid * 2u + (blockDim.x & 1u)], u0) & 7u)], (lane_id() >> (0x100u & 31u)));
        const u32 c13 = ((k12 != (u32)(s16)bits(__fmaf_rn(f0, 0.1f, f0))));
        u32 v14 = guarded_atomic(c13, own + (L & 3u), (u32)((isnan(rintf(f0)))));
        switch ((u32)(((v9 & 32u) != 0u)) % 10u) {
          case 0: {
            Bundle g15[4];
            for (u32 kg15 = 0u; kg15 < 4u; ++kg15) g15[kg15] = Bundle{(t - t) + kg15, (u8)kg15, (u16)blockDim.x, (u64)(s64)w10, fminf(odd_float(k12), f0), 1u, __dmul_rz(d11, d0)};
            g15[0x2u % 4u].a ^= (u8)bits(__fadd_rz(__fsub_rn(__frcp_rz(4294967296.0f), __fmaf_ru(f0, 1.5f, f0)), (__fdiv_rz(f0, 0.1f) / __int2float_rn((s32)0x40u))));
            g15[(u32)(max((s32)blockDim.x, i0) >> ((threadIdx.x * (threadIdx.z + blockIdx.y)) & 31u)) % 4u] = g15[(u32)own16[bits(f0) & 7u] % 4u];
            u32 v16 = g15[fold(max(w10, 0x5ull)) % 4u].c;
            u64 w17 = g15[0x1fu % 4u].d;
            double d18 = g15[(u32)w10 % 4u].f;
          }
          case 1: {
            h = mix(h, (u32)__rhadd((s32)v9, i7));
          } break;
          case 2: {
          } break;
          case 3: {
          }
          case 4: {
          }
          case 5: {
          } break;
          case 6: {
          } break;
          default: {
          } break;
        }
      }
    }
  }
  tile_u16[(t * 1u + 21u) % 32u] = (u16)((own[threadIdx.x & 3u] - ((((u64)blockIdx.x > w0)) ? t : u0)) & (ptx_mul_wide_u16(u0, (0x21u & 63u)) << ((u0 ^ t) & 31u)));
  __syncthreads();
  u32 v19 = tile_u16[(31u - t)];
  __syncthreads();
  if (((((u64)0x7fffffffu < (u64)u0)) || ((lane_id() != 15u)))) dynamic[(t * 17u + 25u) % 32u] = bits(fmaxf(f0, odd_float((threadIdx.z + blockIdx.y))));
  __syncthreads();
  u32 v20 = dynamic[((t + 32u) % 32u)];
  __syncthreads();
  Bundle g21[2];
  for (u32 kg21 = 0u; kg21 < 2u; ++kg21) g21[kg21] = Bundle{(u32)__popc(0xffffffffu) + kg21, (u8)kg21, (u16)(((lane_id() != 3u)) ? blockIdx.x : v19), (((threadIdx.x & 4u) != 0u) ? w0 : w0), f0, 1u, __dadd_rn(d0, d0)};
  g21[(fold(w0) / ((v20 << (v19 & 31u)) | 1u)) % 2u].b ^= (u8)(gridDim.x >> (0x20u & 31u));
  g21[bits(odd_double(w0)) % 2u] = g21[bits(__fmaf_rn(f0, f0, odd_float(gid))) % 2u];
  u32 v22 = g21[(ptx_lop3_e2(L, (t & 63u), (threadIdx.x & 63u)) + (u0 / (t | 1u))) % 2u].c;
  u64 w23 = g21[bits((((v20 % 2u == 1u)) ? f0 : -0.0f)) % 2u].d;
  double d24 = g21[ptx_lop3_e2(((isnan(-2147483648.0f)) ? lane_id() : blockDim.x), 0xffffffffu, ((u0 + threadIdx.y) & 63u)) % 2u].f;
  switch ((u32)__double2int_rn(fmin(odd_double(w0), d0)) % 6u) {
    case 0: {
      h = mix(h, bits(-(d0)));
    }
    case 1: {
    } break;
    case 2: {
      h = mix(h, fold((u64)__float2ll_rd((__int2float_ru((s32)(~u0)) / __fdiv_ru(f0, __double2float_ru(d0))))));
    } break;
    case 3: {
    } break;
  }
  if (((fold((u64)__double2ull_ru(odd_double(w23))) % 5u == 0u))) {
  }
  u32 a25[9];
  for (u32 k26 = 0u; k26 < 9u; ++k26) a25[k26] = (u32)(s32)(u0 * v20) + k26 * 0x9574c9f5u;
  a25[bits((1e10f / 3.0f)) % 9u] = (L << (0x21u & 31u));
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, v19);
  h = mix(h, v20);
  h = mix(h, v22);
  h = mix(h, (u32)i0);
  h = mix(h, fold(w0));
  h = mix(h, fold(w23));
  h = mix(h, bits(f0));
  h = mix(h, bits(d0));
  h = mix(h, bits(d24));
  h = mix(h, held[h & 3u]);
  out[gid] = h;
  __syncthreads();
  for (u32 i = t; i < 64u; i += 32u) atomicXor(&bins[80u + i], tally[i] * (gid / 32u + 1u));
}

// run: --kernel k12_4 --grid 2,2,1 --block 5,4,2 --arg u32[1024]=random:238 --arg u32[160]=0 --arg u32[2560]=0 --arg u32[160]=random:239 --arg u64[24]=random:240 --arg f32[8]=0 --arg f64[8]=0
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
  u32 a1[6];
  for (u32 k2 = 0u; k2 < 6u; ++k2) a1[k2] = bits(truncf(f0)) + k2 * 0xffu;
  a1[(blockIdx.x ^ (L - u0)) % 6u] += (((0x7fffffffu & t) << ((((i0 >= i0)) ? gridDim.x : t) & 31u)) - (((i0 >= i0)) ? (gridDim.x * L) : (L & t)));
  own8[a1[(((u0 != u0)) ? 0x2u : gridDim.x) % 6u] & 7u] = (u8)(u32)((((t != u0)) ? ((u64)threadIdx.x + w0) : w0) - (u64)__double2ll_rz(__drcp_rn(d0)));
  if (gid == 1u) printf("k12_4 %s 100%%\n", "prints");
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

// run: --kernel k12_5 --grid 2,2,1 --block 8,6,1 --arg u32[1024]=random:269 --arg u32[192]=0 --arg u32[3072]=0 --arg u32[160]=random:270 --arg u64[24]=random:271 --arg f32[8]=0 --arg f64[8]=0
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
  const u32 c2 = ((odd_float(u0) > __fadd_rd(f0, odd_float(0x3u))));
  const u32 m4 = __ballot_sync(m, c2);
  u32 v3 = guarded_shuffle(c2, m4, __umulhi(threadIdx.x, fold((u64)__double2ull_rn((((t % 5u == 0u)) ? (double)odd_float(0xffu) : __dmul_rd(odd_double(w0), odd_double((u64)lane_id())))))), member(m4, (u32)__float2int_rz(0.5f)));
  *(volatile u64*)own64 = 0x2ull;
  u0 = (u32)(u8)(u32)i0;
  if ((((bits(__saturatef(odd_float(gid))) > (0x1fu + (t << (gridDim.x & 31u))))) || ((lane_id() <= 0u)))) {
    if (((0x2u % 3u == 1u))) {
      u16 x5 = (u16)fold(w0);
      for (u32 kx5 = 0u, nx5 = (lane_id() & 3u); kx5 < nx5; ++kx5) x5 = (u16)(x5 ^ (u16)(u32)(((L % 4u == 1u))));
      x5 = (u16)(x5 % ((u16)((u32)(u8)bits(f0) & 0x3ffu) | 1));
      u32 v6 = (u32)x5;
      s32 i7 = min((s32)((0xfffffffeu ^ 0x0u) + (u32)(s32)L), (s32)v6);
      h = mix(h, (~lane_id()));
    }
    own8[fold(ptx_bfi_b64(((u64)v3 & w0), __umul64hi((u64)0x3u, w0), (0x1fu & 255u), (0xffu & 255u))) & 7u] = (u8)bits(__fadd_rz(f0, f0));
    h = mix(h, (L ^ u0));
  }
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, v3);
  h = mix(h, (u32)i0);
  h = mix(h, fold(w0));
  h = mix(h, fold(w1));
  h = mix(h, bits(f0));
  h = mix(h, bits(d0));
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
          } break;
        }
      }
    } break;
  }
  if (((((u32)(~(s32)n) & 8u) != 0u) && ((((lane_id() <= 14u)) || ((threadIdx.y < n))) || (((~r) == (x - threadIdx.y)))))) {
  } else {
  }
  switch (ptx_sub_carry(r, ((u32)(s8)blockIdx.x ^ (x ^ r)), 0x5d9e1d87u, (bits(-2147483648.0f) << (blockDim.x & 31u))) % 10u) {
    case 0: {
    } break;
    case 1: {
    } break;
    case 2: {
    } break;
    case 3: {
    } break;
    case 4: {
    }
    case 5: {
    }
    case 6: {
    } break;
    case 7: {
    }
    case 8: {
    }
  }
  s16 x13 = (s16)(u32)(s32)x;
  for (u32 kx13 = 0u, nx13 = 1u; kx13 < nx13; ++kx13) x13 = (s16)(x13 - (s16)ptx_cvt_u32_u16(in[n & 1023u]));
  x13 = (s16)(x13 >> ((~blockDim.x) & 7u));
  u32 v14 = (u32)x13;
  x = (u32)((const u16*)in)[(0x4f77a17bu >> ((r / (n | 1u)) & 31u)) & 2046u];
  if ((((u32)(s32)lane_id() > (v14 + n)))) r ^= k12_6_recursive0(n / 2u, v14, in);
  return (v14 | in[blockIdx.x & 1023u]);
}

__device__ __noinline__ u32 k12_6_plain1(u32 x, s32 y, const u32* in, u32 gid) {
  if ((((u32)((((threadIdx.z + blockIdx.y) != x))) & 16u) != 0u)) {
  } else {
  }
  switch (((((blockIdx.x & 4u) != 0u) ? (u32)((const uchar4*)in)[x & 1023u].w : (0x4a8ae62u >> (x & 31u))) & ((((lane_id() >= 21u)) ? gridDim.x : x) >> (ptx_cvt_pack_sat_s16(gridDim.x, (threadIdx.y & 63u)) & 31u))) % 4u) {
    case 0: {
    } break;
    case 1: {
    }
    case 2: {
    } break;
    case 3: {
    } break;
  }
  for (u32 k15 = 0u, nk15 = 2u; k15 < nk15; ++k15) {
  }
  double d16 = (double)roundf(__double2float_rz(1e18));
  return mix(((((u32)(s16)x & 1u) != 0u) ? (bits(odd_float(0x5u)) & (x & x)) : (bits(1e10f) & (x - 0x3u))), ptx_cvt_sat_s8_s32((x | x)));
}
// run: --kernel k12_6 --grid 2,1,1 --block 32,1,1 --arg u32[1024]=random:763 --arg u32[64]=0 --arg u32[1024]=0 --arg u32[160]=random:764 --arg u64[24]=random:765 --arg f32[8]=0 --arg f64[8]=0
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
  u32 a17[7];
  for (u32 k18 = 0u; k18 < 7u; ++k18) a17[k18] = (t >> ((t | threadIdx.x) & 31u)) + k18 * 0x0u;
  a17[0x2u % 7u] += bits(-0.0f);
  if (((max(a17[0xfffffffeu % 7u], k12_6_recursive0(L & 7u, k12_6_plain1(0x7u, (s32)u0, in, gid), in)) % 4u == 0u))) {
  } else {
    h = mix(h, (u32)(u16)(u32)(((lane_id() % 3u == 0u))));
  }
  h = mix(h, (u32)__dp4a((s32)(s16)(u0 - L), min(max((s32)L, i0), (((blockIdx.x != t)) ? (s32)t : (s32)u0)), ((((u0 % 5u == 0u)) ? (s32)u0 : (s32)lane_id()) >> (k12_6_plain1(gridDim.x, i0, in, gid) & 31u))));
  for (u32 k19 = 0u, nk19 = ((((t % 5u == 0u)) ? (blockIdx.x << (threadIdx.y & 31u)) : (L >> (t & 31u))) & 3u); k19 < nk19; ++k19) {
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
}

// run: --kernel k12_7 --grid 2,1,1 --block 10,5,1 --arg u32[1024]=random:358 --arg u32[100]=0 --arg u32[1600]=0 --arg u32[160]=random:359 --arg u64[24]=random:360 --arg f32[8]=0 --arg f64[8]=0
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
  __shared__ double tile_double[50];
  __shared__ u32 tile_u32[50];
  tile_double[t] = (double)t;
  tile_u32[t] = (u32)t;
  __syncthreads();
  u32 v1 = (u32)__uni_sync(m, ((0xffffffffu >= (u0 & L))));
  u32 v2 = (v1 * (u32)(__float2int_rn(f0) >> ((t | L) & 31u)));
  tile_u32[(t * 7u + 15u) % 50u] = (bits(3.4e38f) - bits(__fmaf_rz(odd_float(t), odd_float(L), ldexpf(1.0f, (s32)(lane_id() % 300u) - 150))));
  __syncthreads();
  u32 v4 = (u32)((const u8*)tile_u32)[(((isnan(odd_float(threadIdx.y))) ? threadIdx.y : 0xb466e261u) / ((u32)__clzll((u64)t) | 1u)) % 200u];
  __syncthreads();
  tile_double[(t * 3u + 1u) % 50u] = fmax(__dadd_rd(2.5, d0), __dadd_rz(d0, -1.0));
  __syncthreads();
  double d5 = tile_double[(__byte_perm(ptx_lop3_96(0x21u, ((threadIdx.z + blockIdx.y) & 63u), v1), fold((u64)u0), v2) % 50u)];
  __syncthreads();
  tile_u32[(t * 3u + 3u) % 50u] = ((u32)((const uchar4*)in)[(gridDim.x >> (t & 31u)) & 1023u].x | (u32)((isnan(f0))));
  __syncthreads();
  u32 v6 = tile_u32[((t + 22u) % 50u)];
  __syncthreads();
  h = mix(h, fold(((u64)0xc4u * (u32)(u8)(((0x40u != v1)) ? (threadIdx.z + blockIdx.y) : v1))));
  if ((((0x3u & L) & 64u) != 0u)) {
    atomicAnd(&wide[12 + (__vadd4(bits(odd_float(L)), (u32)__mulhi((s32)v6, (s32)0x2u)) & 3u)], ((u64)t * t));
  }
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, v1);
  h = mix(h, v2);
  h = mix(h, v4);
  h = mix(h, v6);
  h = mix(h, (u32)i0);
  h = mix(h, fold(w0));
  h = mix(h, bits(f0));
  h = mix(h, bits(d0));
  h = mix(h, bits(d5));
  h = mix(h, held[h & 3u]);
  out[gid] = h;
}

// run: --kernel k12_8 --grid 1,1,1 --block 70,1,1 --arg u32[1024]=random:920 --arg u32[70]=0 --arg u32[1120]=0 --arg u32[160]=random:921 --arg u64[24]=random:922 --arg f32[8]=0 --arg f64[8]=0
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
  __shared__ u32 tally[64];
  for (u32 i = t; i < 64u; i += 70u) tally[i] = i * 3u;
  __syncthreads();
  switch (__vneg4(fold(ptx_bfe_u64(w0, (((ptx_mul24_lo_s32(u0, L) | __dp4a(blockDim.x, L, u0)) & 63u) & 255u), ((((lane_id() == 27u)) ? ptx_set_hs_f32(lane_id(), threadIdx.x) : (((0x2u % 2u == 1u)) ? L : lane_id())) & 255u)))) % 9u) {
    case 0: {
      if ((((u32)((s32)u0 >> (u0 & 31u)) > fixed[25]))) {
        for (u32 k1 = 0u, nk1 = 4u; k1 < nk1; ++k1) {
          Rolled<u32, 9> ra2;
          u32 (&a2)[9] = ra2.v;
          for (u32 k3 = 0u; k3 < 9u; ++k3) a2[k3] = (u32)(w0 + w0) + k3 * 0x2u;
          a2[fold(ptx_bfe_u64(__umul64hi(w0, w0), ((k1 ^ k1) & 255u), (((k1 * 0x40u) & 63u) & 255u))) % 9u] += (u32)(s8)ptx_cvt_sat_u32_s64(w0);
          const u32 c4 = (((gid > 0x38u)) || (isnan(f0)));
          u32 v5 = guarded_load(c4, in + (ptx_mul_hi_s16((0x3u - L), (ptx_sad_u16(blockDim.x, (blockIdx.x & 63u), (L & 63u)) & 63u)) & 1023u), (t ^ (threadIdx.z + blockIdx.y)));
          i0 = (s32)(u8)0x2fu;
          atomicAdd(&tally[0 + ((u32)quotient(i0, i0) & 7u)], __umul24((((fold(w0) % 2u == 0u)) ? u0 : fold((((0x0u >= L)) ? (u64)L : w0))), threadIdx.y));
        }
        h = mix(h, (__vminu4(__byte_perm(t, lane_id(), t), (u32)(((0x0u & 2u) != 0u))) & threadIdx.x));
        u0 = __byte_perm(u0, L, t);
      }
    } break;
    case 1: {
      float f6 = roundf(1.17549435e-38f);
      h = mix(h, ((const uint4*)in)[fold(w0) & 255u].w);
    } break;
    case 2: {
      const u32 c7 = (((u32)(__rhadd(i0, (s32)threadIdx.y) >> (bits(odd_float(u0)) & 31u)) & 16u) != 0u);
      guarded_store(c7, own + ((u32)__rhadd(i0, i0) & 3u), (blockDim.x | L));
      h = mix(h, (u32)(s32)(t + u0));
      h = mix(h, in[(t ^ t) & 1023u]);
    }
    case 3: {
      d0 = fmin(odd_double(w0), d0);
      h = mix(h, gridDim.x);
    }
    case 4: {
      ((ushort4*)own16)[(ptx_cvt_sat_u32_s64((u64)t) * 0x5u) & 1u] = make_ushort4((u16)(((u32)((isnan(-2147483648.0f))) ^ ptx_min_s16((u32)(((u0 & 2u) != 0u)), (fold(*own64) & 63u))) % (fold(w0) | 1u)), (u16)(ptx_cvt_sat_u32_s64((u64)t) * 0x5u), 3, 4);
      h = mix(h, (u32)(s16)(u32)((const u16*)in)[t & 2046u]);
    }
    case 5: {
      for (u32 k9 = 0u, nk9 = (L & 7u); k9 < nk9; ++k9) {
      }
      h = mix(h, ptx_bfind_u64((u64)(s64)w0));
    } break;
    case 6: {
    }
    case 7: {
    } break;
    case 8: {
    } break;
  }
  double d10 = __dsub_rn(__dsub_rz(d0, d0), (double)ldexpf(f0, (s32)(u0 % 300u) - 150));
  for (u32 k11 = 0u; k11 < 1u; ++k11) {
    h = mix(h, 0x3fu);
  }
  u0 = (t | ptx_sad_u16(L, 0x3u, u0));
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, (u32)i0);
  h = mix(h, fold(w0));
  h = mix(h, bits(f0));
  h = mix(h, bits(d0));
  h = mix(h, bits(d10));
  h = mix(h, held[h & 3u]);
  out[gid] = h;
}

__device__ u32 k12_9_kept[256];
// run: --kernel k12_9 --grid 1,1,1 --block 128,1,1 --arg u32[1024]=random:245 --arg u32[128]=0 --arg u32[2048]=0 --arg u32[160]=random:246 --arg u64[24]=random:247 --arg f32[8]=0 --arg f64[8]=0
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
  *own128 = make_uint4(in[L & 1023u], (0xffffffffu - u0), (u32)i0, (u32)rest((s32)threadIdx.x, i0));
  u0 = (u32)__mulhi((s32)0x7fffffffu, i0);
  u32 v1 = (u32)__any_sync(m, ((t % 2u == 1u)));
  float f2 = fabsf(odd_float(threadIdx.x));
  float f4 = from_flipped<32>(m, (float)(odd_float(own128->x)), 1u);
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, v1);
  h = mix(h, (u32)i0);
  h = mix(h, fold(w0));
  h = mix(h, bits(f0));
  h = mix(h, bits(f2));
  h = mix(h, bits(f4));
  h = mix(h, bits(d0));
  h = mix(h, held[h & 3u]);
  out[gid] = h;
}
