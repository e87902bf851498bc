// Made by tests/tools/random_kernels.py --seed 11 --kernels 10 --size 16: what each must leave in its buffers stands in the .out beside it.
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
__device__ u32 ptx_add_sat_s32(u32 a, u32 b) { u32 r; asm("add.sat.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); return r; }
__device__ u64 ptx_bfe_s64(u64 a, u32 b, u32 c) { u64 r; asm("bfe.s64 %0, %1, %2, %3;" : "=l"(r) : "l"(a), "r"(b), "r"(c)); return r; }
__device__ u64 ptx_bfe_u64(u64 a, u32 b, u32 c) { u64 r; asm("bfe.u64 %0, %1, %2, %3;" : "=l"(r) : "l"(a), "r"(b), "r"(c)); return r; }
__device__ u32 ptx_bfi_b32(u32 a, u32 b, u32 c, u32 d) { u32 r; asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(a), "r"(b), "r"(c), "r"(d)); return r; }
__device__ u64 ptx_bfi_b64(u64 a, u64 b, u32 c, u32 d) { u64 r; asm("bfi.b64 %0, %1, %2, %3, %4;" : "=l"(r) : "l"(a), "l"(b), "r"(c), "r"(d)); return r; }
__device__ u32 ptx_bfind_u64(u64 a) { u32 r; asm("bfind.u64 %0, %1;" : "=r"(r) : "l"(a)); return r; }
__device__ u32 ptx_cvt_sat_s16_u32(u32 a) { u32 r; asm("{.reg .b16 a; cvt.sat.s16.u32 a, %1; cvt.s32.s16 %0, a;}" : "=&r"(r) : "r"(a)); return r; }
__device__ u32 ptx_dp4a_u32_s32(u32 a, u32 b, u32 c) { u32 r; asm("dp4a.u32.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ u32 ptx_lop3_1b(u32 a, u32 b, u32 c) { u32 r; asm("lop3.b32 %0, %1, %2, %3, 0x1b;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ u32 ptx_mad_hi_s32(u32 a, u32 b, u32 c) { u32 r; asm("mad.hi.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ u64 ptx_mad_wide_u32(u32 a, u32 b, u64 c) { u64 r; asm("mad.wide.u32 %0, %1, %2, %3;" : "=l"(r) : "r"(a), "r"(b), "l"(c)); return r; }
__device__ float ptx_min_nan(float a, float b) { float r; asm("min.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); return r; }
__device__ u32 ptx_prmt_b4e(u32 a, u32 b, u32 c) { u32 r; asm("prmt.b32.b4e %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ u32 ptx_prmt_ecr(u32 a, u32 b, u32 c) { u32 r; asm("prmt.b32.ecr %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ u32 ptx_prmt_rc8(u32 a, u32 b, u32 c) { u32 r; asm("prmt.b32.rc8 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ u32 ptx_set_hs_f32(u32 a, u32 b) { u32 r; asm("{.reg .f32 d; set.hs.f32.u32 d, %1, %2; mov.b32 %0, d;}" : "=&r"(r) : "r"(a), "r"(b)); return r; }
__device__ u32 ptx_sub_carry(u32 a, u32 b, u32 c, u32 d) { u32 r; asm("{.reg .u32 l, h, c; sub.cc.u32 l, %1, %3; subc.cc.u32 h, %2, %4; subc.u32 c, 0, 0; mad.lo.u32 %0, h, 3, c;}" : "=&r"(r) : "r"(a), "r"(b), "r"(c), "r"(d)); return r; }
__device__ u32 ptx_sub_sat_s32(u32 a, u32 b) { u32 r; asm("sub.sat.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); return r; }
__device__ u32 ptx_szext_clamp_u32(u32 a, u32 b) { u32 r; asm("szext.clamp.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); return r; }
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
// run: --kernel k11_0 --grid 2,2,1 --block 6,3,1 --arg u32[1024]=random:758 --arg u32[72]=0 --arg u32[1152]=0 --arg u32[160]=random:759 --arg u64[24]=random:760 --arg f32[8]=0 --arg f64[8]=0
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
  for (u32 k1 = 0u; k1 < 1u; ++k1) {
    u32 v3 = from_index<32>(m, (u32)(fold(w0)), fold(w0));
  }
  d0 = -(fmax((double)__half2float(__ushort_as_half((u16)t)), __dadd_rz(__dmul_rn(d0, d0), (odd_double(w0) != d0 ? 0.5 : 1e18))));
  h = mix(h, bits(__ushort_as_bfloat16((u16)lane_id())));
  const bool c4 = (((i0 != __mulhi(((s32)u0 >> (L & 31u)), (s32)(gid - u0)))) && ((bits(__hfma_sat(__ushort_as_half((u16)t), __ushort_as_half((u16)threadIdx.x), __ushort_as_half((u16)0x100u))) % 3u == 0u)));
  const u32 m5 = __ballot_sync(m, c4);
  if (c4) {
    const u32 c6 = ((((lane_id() >= 15u)) || ((u0 != gridDim.x))) && (((L - u0) > bits(__ushort_as_half((u16)L)))));
    u32 v7 = guarded_atomic(c6, own + (L & 3u), (bits(truncf((((t % 5u == 1u)) ? odd_float(0x100u) : f0))) >> ((u32)(i0 >> (bits(__ushort_as_half((u16)threadIdx.y)) & 31u)) & 31u)));
    __half q8 = (__hlt(__ushort_as_half((u16)L), __hneg(__float2half_ru(f0))) ? __hfma_relu(__double2half(-1.0), __ushort_as_half((u16)L), __low2half(__lowhigh2highlow(__halves2half2(__ushort_as_half((u16)0x7u), __ushort_as_half((u16)t))))) : __hmul_rn(__int2half_rd((s32)v7), __float2half_rd(f0)));
  } else {
    u0 = (((0xffffu % 5u == 1u)) ? (u32)__half2int_rn(__ushort_as_half((u16)L)) : (((L & 4u) != 0u) ? t : blockDim.x));
    ((volatile u32*)own)[bits(__ushort_as_half((u16)(threadIdx.z + blockIdx.y))) & 3u] = (u32)__half2uint_ru(htrunc(__ushort_as_half((u16)t)));
    const u32 c9 = ((((((d0 < d0)) ? bits(__ushort_as_bfloat16((u16)u0)) : bits(__ushort_as_half((u16)0xffu))) % 4u == 1u)) || ((bits(__ushort_as_bfloat16((u16)L)) != threadIdx.x)));
    u32 v10 = guarded_atomic(c9, own + (blockDim.x & 3u), bits(__ushort_as_half((u16)t)));
  }
  for (u32 k11 = 0u; k11 < 2u; ++k11) {
    const bool c12 = ((i0 >= (s32)0x80000000u));
    const u32 m13 = __ballot_sync(m, c12);
    if (c12) {
      *(volatile u64*)own64 = ((((u64)i0 >> ((blockDim.x << (threadIdx.x & 31u)) & 63u)) + (w0 / (((u64)L << 32 | t) | 1ull))) & __umul64hi((((u64)gridDim.x * w0) * (w0 | w0)), 0x5ull));
    }
    float f15 = from_index<32>(m, (float)(ceilf(__fmaf_rn(fminf(__fmul_rz(odd_float(0x7fffffffu), odd_float(u0)), odd_float(0xfffffffeu)), __uint2float_rz(k11), f0))), 8u);
  }
  const u32 c16 = (((w0 >= w0)) && ((L & 1u) != 0u));
  u32 v17 = guarded_load(c16, in + (bits(__float2bfloat16_rn(3.4e38f)) & 1023u), bits(__ushort_as_half((u16)t)));
  h = mix(h, bits(__high2half(__hfma2(__halves2half2(__ushort_as_half((u16)lane_id()), __ushort_as_half((u16)t)), __halves2half2(__ushort_as_half((u16)gridDim.x), __ushort_as_half((u16)u0)), __halves2half2(__ushort_as_half((u16)gridDim.x), __ushort_as_half((u16)0x21u))))));
  if (gid == 23u) printf("k11_0 %s 100%% %.3e %llx %lld %20llu %lld\n", "prints", num(__dsub_rz(__hiloint2double((s32)0xfffffffeu, (s32)u0), __dmul_rd(d0, 0.5))), (((v17 % 5u == 0u)) ? ((u64)0x7u << 32 | v17) : (w0 - w0)), (s64)(s32)(L * blockDim.x), ((u64)in[0x80000000u & 1023u] * (u32)__half2ushort_rn(__ushort_as_half((u16)L))), (s64)__rhadd((s32)v17, i0));
  const bool c18 = ((((~L) != bits(__hfma(__ushort_as_bfloat16((u16)(threadIdx.z + blockIdx.y)), __ushort_as_bfloat16((u16)0xffffu), __ushort_as_bfloat16((u16)v17))))) && ((((~u0) - (blockDim.x / ((threadIdx.z + blockIdx.y) | 1u))) & 8u) != 0u));
  const u32 m19 = __ballot_sync(m, c18);
  if (c18) {
  } else {
  }
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, v17);
  h = mix(h, (u32)i0);
  h = mix(h, fold(w0));
  h = mix(h, bits(f0));
  h = mix(h, bits(d0));
  h = mix(h, held[h & 3u]);
  out[gid] = h;
}

__device__ u32 k11_1_kept[132];
// run: --kernel k11_1 --grid 2,1,1 --block 33,1,1 --arg u32[1024]=random:972 --arg u32[66]=0 --arg u32[1056]=0 --arg u32[160]=random:973 --arg u64[24]=random:974 --arg f32[8]=0 --arg f64[8]=0
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
  __shared__ u16 tile_u16[33];
  tile_u16[t] = (u16)t;
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
          own8[__vabsdiffu4(fixed[0], (u32)(i8 >> (k2 & 31u))) & 7u] ^= (u8)own[(~threadIdx.x) & 3u];
          d0 = __fma_ru(__dadd_rd(odd_double((((u0 % 2u == 0u)) ? w0 : (u64)gid)), odd_double(0xffffull)), (double)odd_float((0x5u << (0x20u & 31u))), fmin((double)1e-40f, __dadd_ru(trunc(d0), (double)0.5f)));
          if (((!(((blockIdx.x <= t)))) && (!(((gid > t)))))) own[gridDim.x & 3u] += bits(__fmaf_ru(odd_float(0x21u), -1.0f, 1.17549435e-38f));
          h = mix(h, (threadIdx.x | k2));
        }
        u32 n9 = 1u;
        do {
          const u32 c10 = (((k2 - gridDim.x) % 2u == 0u));
          u32 v11 = guarded_atomic(c10, own + ((u32)(s8)(u32)(u16)0xffffffffu & 3u), (u32)__rhadd((s32)L, i0));
          d0 = round(__ll2double_rd((s64)(u64)0x3fu));
          s32 i12 = __mulhi((s32)(s8)(~(u32)((volatile u16*)own16)[v11 & 7u]), (s32)(s16)own128->z);
          __stcg(own + (ptx_mad_hi_s32((0x40u * L), 0x20u, (0xffu & 63u)) & 3u), k2);
        } while (--n9 != 0u && (((u32)((const uchar4*)in)[0x1fu & 1023u].x & 16u) != 0u));
        u64 w13 = w0;
      }
      h = mix(h, fold(((u64)L * u0)));
    }
    switch ((u32)((const u8*)own)[blockIdx.x & 63u] % 11u) {
      case 0: {
      } break;
      case 1: {
      } break;
      case 2: {
      }
      case 3: {
      } break;
      case 4: {
      } break;
      case 5: {
      } break;
      case 6: {
        h = mix(h, fixed[19]);
      } break;
      case 7: {
        h = mix(h, L);
      } break;
      default: {
      } break;
    }
  }
  s8 x14 = (s8)((const volatile u32*)in)[u0 & 1023u];
  for (u32 kx14 = 0u, nx14 = (bits(__uint2float_ru(L)) % 6u); kx14 < nx14; ++kx14) x14 = (s8)(x14 | (s8)(u32)min((s32)lane_id(), i0));
  x14 = (s8)(x14 >> (fold(w0) & 7u));
  u32 v15 = (u32)x14;
  u32 v16 = atomicAnd(&own[(u32)rest(i0, i0) & 3u], fold(((u64)v15 * u0)));
  for (u32 k17 = 0u; k17 < 1u; ++k17) {
    h = mix(h, in[ptx_mad_hi_s32(bits(odd_float(v16)), 0xffffffffu, bits(odd_float((threadIdx.z + blockIdx.y)))) & 1023u]);
  }
  u32 n18 = 4u;
  do {
  } while (--n18 != 0u && (((u64)__double2ll_rz(d0) > ((u64)(threadIdx.z + blockIdx.y) << 32 | v16))));
  tile_u16[(t * 8u + 11u) % 33u] = (u16)t;
  __syncthreads();
  u32 v19 = tile_u16[(__ldg(in + ((u32)(s8)0x100u & 1023u)) % 33u)];
  __syncthreads();
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, v15);
  h = mix(h, v16);
  h = mix(h, v19);
  h = mix(h, (u32)i0);
  h = mix(h, fold(w0));
  h = mix(h, bits(f0));
  h = mix(h, bits(d0));
  h = mix(h, held[h & 3u]);
  out[gid] = h;
}

__device__ u32 k11_2_kept[14];
// run: --kernel k11_2 --grid 1,1,1 --block 7,1,1 --arg u32[1024]=random:948 --arg u32[7]=0 --arg u32[112]=0 --arg u32[160]=random:949 --arg u64[24]=random:950 --arg f32[8]=0 --arg f64[8]=0
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
  __shared__ u32 tile_u32[7];
  __shared__ u8 tile_u8[7];
  tile_u32[t] = (u32)t;
  tile_u8[t] = (u8)t;
  __shared__ u32 tally[64];
  for (u32 i = t; i < 64u; i += 7u) tally[i] = i * 3u;
  __syncthreads();
  const bool c1 = ((L < u0));
  const u32 m2 = __ballot_sync(m, c1);
  if (c1) {
    Bundle g3[4];
    for (u32 kg3 = 0u; kg3 < 4u; ++kg3) g3[kg3] = Bundle{u0 + kg3, (u8)kg3, (u16)ptx_sub_carry(0xffu, t, 0x100u, (L & 63u)), (w0 - w0), __fmaf_ru(odd_float(lane_id()), 3.0f, odd_float(t)), 1u, __dmul_rz(d0, d0)};
    g3[threadIdx.x % 4u].d ^= (u8)((!(((t & 8u) != 0u))) ? (u32)((const ushort4*)own16)[0xbdu & 1u].w : bits(odd_double((u64)threadIdx.y)));
    g3[bits((double)odd_float(blockDim.x)) % 4u] = g3[__vneg4((t >> (L & 31u))) % 4u];
    u32 v4 = g3[((0xa53fa397u * blockDim.x) & bits(odd_float(t))) % 4u].c;
    u64 w5 = g3[t % 4u].d;
    double d6 = g3[((0xf6u | t) % ((u32)((s32)L >> (t & 31u)) | 1u)) % 4u].f;
    const u32* p8 = ((bits(f0) % 5u == 0u)) ? in + ((~0xffffu) & 1023u) : held + (bits(d0) & 3u);
    u32 v7 = *p8;
    if (((((u64)bits(__double2float_rn(d6)) << 32 | fold((u64)__float2ull_rd(1.17549435e-38f))) < ((((u64)t | w5) + (u64)(s64)0xfffffffffffffffeull) << ((u32)__float2uint_rn(__fadd_rd(4294967296.0f, -2147483648.0f)) & 63u))))) {
      v4 |= ptx_sub_sat_s32((bits(odd_double(0x3435b3ba20f2f660ull)) >> (bits(-0.0) & 31u)), (((w0 > w5)) ? (gid + 0xccfc935cu) : v4));
      u64 w9 = ((u64)threadIdx.x * threadIdx.y);
      atomicMin((s32*)bins + 64 + ((~(u32)(i0 >> (v7 & 31u))) & 7u), i0);
    } else {
      atomicAnd(&wide[12 + ((fold(*own64) << (__vadd4(u0, 0x1u) & 31u)) & 3u)], __brevll((u64)v4));
    }
  } else {
    u32 n10 = 2u;
    while (n10-- != 0u && ((lane_id() <= 1u))) {
      const u32 c11 = ((fabs(__ull2double_rz(((u64)L * threadIdx.y))) != odd_double(0x100ull)));
      u32 v12 = guarded_load(c11, in + ((u32)(((L % 4u == 0u)) ? (s32)0xffu : i0) & 1023u), (t | t));
      if ((((bits(odd_double(w0)) + L) & 2u) != 0u)) {
        Bundle g13[2];
        for (u32 kg13 = 0u; kg13 < 2u; ++kg13) g13[kg13] = Bundle{(threadIdx.y % (lane_id() | 1u)) + kg13, (u8)kg13, (u16)(0x5u + u0), ((u64)(threadIdx.z + blockIdx.y) * u0), (((1e18 == d0)) ? odd_float(L) : odd_float(L)), 1u, floor(d0)};
        g13[(~lane_id()) % 2u].b ^= (u8)bits(__fadd_rz(f0, __fmaf_rz(f0, odd_float(L), f0)));
        g13[u0 % 2u] = g13[t % 2u];
        u32 v14 = g13[L % 2u].c;
        u64 w15 = g13[(0x21u / ((0xffffu ^ blockIdx.x) | 1u)) % 2u].d;
        double d16 = g13[in[bits(d0) & 1023u] % 2u].f;
        const u32 c17 = ((v12 & 64u) != 0u);
        u32 v18 = guarded_load(c17, in + (0x21u & 1023u), bits(d16));
        const u32 c19 = ((t & 32u) != 0u);
        guarded_store(c19, own + ((((odd_double((u64)v18) > odd_double(0x8000000000000000ull))) ? (threadIdx.y ^ 0x1ddf6a9au) : ptx_dp4a_u32_s32((threadIdx.z + blockIdx.y), v18, 0x40u)) & 3u), 0x40u);
        for (u32 k21 = 0u, nk21 = (lane_id() & 3u); k21 < nk21; ++k21) {
          if (((bits(f0) <= (u0 >> (v14 & 31u))))) continue;
        }
      } else {
      }
      h = mix(h, bits(1.5f));
    }
  }
  switch (bits(__dadd_rd(d0, d0)) % 5u) {
    case 0: {
    } break;
    case 1: {
      h = mix(h, ((u0 - u0) - max(t, t)));
    } break;
    case 2: {
    }
    case 3: {
    }
    default: {
      h = mix(h, bits(fminf(f0, __fmaf_rn(__double2float_ru(d0), __fmaf_rd(odd_float(0x3fu), odd_float(u0), f0), (((L <= u0)) ? odd_float(0x80000000u) : odd_float(lane_id()))))));
    } break;
  }
  ((uchar4*)own8)[(u32)((const s16*)in)[bits(3.0f) & 2046u] & 1u] = make_uchar4((u8)bits(__fma_ru(__ll2double_rn(max((s64)(u64)t, (s64)(u64)0x5u)), (round(odd_double((u64)t)) >= __ull2double_rz((u64)u0) ? __dmul_rn(d0, d0) : __uint2double_rn(t)), fmin(__dsub_rz(d0, 1e18), fmin(odd_double(w0), d0)))), (u8)(u32)((const s16*)in)[bits(3.0f) & 2046u], 3, 4);
  if ((((i0 == i0)) || (isnan(f0)))) atomicMax(&bins[16 + (bits(__dsqrt_rn(1.0)) & 7u)], (fixed[(u32)((const s8*)in)[u0 & 4092u] & 63u] * (t * bits(f0))));
  if ((((lane_id() < 3u)) && ((u0 & 16u) != 0u))) tile_u8[(t * 31u + 33u) % 7u] = (u8)(bits(odd_double(((u64)u0 << 32 | 0xd02cd9bbu))) | 0x7fffffffu);
  __syncthreads();
  u32 v22 = tile_u8[((t + 5u) % 7u)];
  __syncthreads();
  own[threadIdx.y & 3u] = (L - 0x7u);
  tile_u32[(t * 2u + 29u) % 7u] = bits(__fsub_rd(__frcp_ru(__int2float_rz((s32)v22)), __fsqrt_rd(fabsf(f0))));
  __syncthreads();
  u32 v23 = tile_u32[((t + 18u) % 7u)];
  __syncthreads();
  const u32* p25 = ((ceilf(odd_float(0xffffffffu)) >= fmaxf(f0, odd_float(threadIdx.y)))) ? held + ((v23 ^ v22) & 3u) : in + ((v23 % (0x1bu | 1u)) & 1023u);
  u32 v24 = *p25;
  u32* p26 = (((0x3u % 3u == 1u)) && ((gid >= 0x9fu))) ? own + ((u32)own8[v22 & 7u] & 3u) : held + (gid & 3u);
  *p26 = ((u32)w0 ^ 0xffu);
  d0 = (((odd_double(w0) > d0)) ? d0 : -0.0);
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, v22);
  h = mix(h, v23);
  h = mix(h, v24);
  h = mix(h, (u32)i0);
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
        a9[(u32)(s8)(u32)((const s16*)in)[k2 & 2046u] % 10u] = fold(ptx_bfe_u64((u64)rest((s64)(u64)x, (s64)(u64)k2), (((((!(((gridDim.x & 8u) != 0u))) ? 0x5u : k2) * (((threadIdx.y & 64u) != 0u) ? 0x85a05969u : x)) & 63u) & 255u), (((((!(((0xfffffffeu & 32u) != 0u))) ? x : threadIdx.y) / ((x & blockIdx.x) | 1u)) & 63u) & 255u)));
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
    }
  }
  s8 x14 = (s8)__vneg4((u32)((s32)n >> (n & 31u)));
  for (u32 kx14 = 0u, nx14 = (threadIdx.x % 4u); kx14 < nx14; ++kx14) x14 = (s8)(x14 & (s8)((0x3fu ^ 0xffffffffu) * (0x100u >> (x & 31u))));
  x14 = (s8)(x14 >> ((n & n) & 7u));
  u32 v15 = (u32)x14;
  for (u32 k16 = 0u, nk16 = (lane_id() & 3u); k16 < nk16; ++k16) {
  }
  Rolled<u32, 7> ra17;
  u32 (&a17)[7] = ra17.v;
  for (u32 k18 = 0u; k18 < 7u; ++k18) a17[k18] = (0x5u % (v15 | 1u)) + k18 * 0x7fffffffu;
  a17[bits(odd_float(0x0u)) % 7u] += (((u32)(s32)v15 / ((n << (x & 31u)) | 1u)) % ((fold((u64)threadIdx.y) | (v15 >> (n & 31u))) | 1u));
  s32 i19 = (s32)(s64)((u64)v15 << 32 | r);
  if (((((u64)v15 != (u64)threadIdx.x)) || ((v15 < v15)))) r ^= k11_3_recursive1(n / 2u, (u32)(__mulhi(i19, (s32)0x7fffffffu) >> ((u32)i19 & 31u)), in);
  return bits(fabsf(4294967296.0f));
}
// run: --kernel k11_3 --grid 1,1,1 --block 96,1,1 --arg u32[1024]=random:398 --arg u32[96]=0 --arg u32[1536]=0 --arg u32[160]=random:399 --arg u64[24]=random:400 --arg f32[8]=0 --arg f64[8]=0
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
  u32 v20 = k11_3_plain0(L, i0, in, gid);
  i0 = (((ptx_min_nan(odd_float(u0), -0.0f) != __int2float_ru((s32)blockIdx.x))) ? (s32)((t * 0x5u) - (blockDim.x ^ u0)) : i0);
  w0 &= ((u64)t ^ (u64)t);
  u0 = t;
  if (((lane_id() >= 9u))) {
  } else {
  }
  for (u32 k21 = 0u; k21 < 2u; ++k21) {
  }
  if ((((s32)L == i0))) {
    h = mix(h, (t % (v20 | 1u)));
  } else {
  }
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, v20);
  h = mix(h, (u32)i0);
  h = mix(h, fold(w0));
  h = mix(h, bits(f0));
  h = mix(h, bits(d0));
  h = mix(h, held[h & 3u]);
  out[gid] = h;
}

__device__ u32 k11_4_kept[64];
// run: --kernel k11_4 --grid 1,1,1 --block 32,1,1 --arg u32[1024]=random:764 --arg u32[32]=0 --arg u32[512]=0 --arg u32[160]=random:765 --arg u64[24]=random:766 --arg f32[8]=0 --arg f64[8]=0
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
  if (gid == 20u) printf("k11_4 %s 100%% %#o %+d %#o\n", "prints", 0x6654b134u, __float2int_rz(__fdiv_ru(0.0f, 1.17549435e-38f)), bits(__double2float_rz(0.0)));
  tile_u32[(t * 7u + 2u) % 32u] = ((((f0 <= f0)) && ((i0 < (s32)blockIdx.x))) ? (~L) : (u32)(s16)(u32)(((u0 % 4u == 0u))));
  __syncthreads();
  u32 v1 = tile_u32[(31u - t)];
  __syncthreads();
  u0 = (u32)(s16)blockIdx.x;
  s32 i2 = (~(s32)L);
  u32 v3 = (u32)__syncthreads_and((!((((odd_float(0x80000000u) < 0.0f ? odd_float(0x5u) : f0) == __fmaf_rn(f0, f0, odd_float(t)))))));
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, v1);
  h = mix(h, v3);
  h = mix(h, (u32)i0);
  h = mix(h, (u32)i2);
  h = mix(h, fold(w0));
  h = mix(h, bits(f0));
  h = mix(h, bits(d0));
  h = mix(h, held[h & 3u]);
  out[gid] = h;
}

// run: --kernel k11_5 --grid 1,3,2 --block 8,4,4 --shared 512 --arg u32[1024]=random:382 --arg u32[768]=0 --arg u32[12288]=0 --arg u32[160]=random:383 --arg u64[24]=random:384 --arg f32[8]=0 --arg f64[8]=0
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
  __shared__ float tile_float[128];
  DYNAMIC_SHARED(dynamic);
  dynamic[t] = t;
  tile_float[t] = (float)t;
  __syncthreads();
  d0 = odd_double(__brevll((u64)i0));
  s8 x1 = (s8)lane_id();
  for (u32 kx1 = 0u, nx1 = (lane_id() & 3u); kx1 < nx1; ++kx1) x1 = (s8)(x1 * (s8)0x2u);
  x1 = (s8)(x1 >> ((((L % 2u == 1u)) ? 0x1fu : 0xffffu) & 7u));
  u32 v2 = (u32)x1;
  dynamic[(t * 17u + 13u) % 128u] = (0x20u / ((u32)own8[(((0x7fffffffffffffffull >= w0)) ? blockDim.x : (u32)(((d0 < 1e18)))) & 7u] | 1u));
  __syncthreads();
  u32 v4 = (u32)((const u8*)dynamic)[(u32)__clz(fixed[v2 & 63u]) % 512u];
  __syncthreads();
  if (((((lane_id() != 17u)) || ((t & 16u) != 0u)) && (((gid & 64u) != 0u) || ((threadIdx.y % 3u == 1u))))) {
    u32 v5 = (__ldcs(in + (bits(f0) & 1023u)) ^ (u32)(s16)(u32)i0);
    ((volatile u32*)own)[own[(u32)own8[v5 & 7u] & 3u] & 3u] = (((lane_id() > 7u)) ? ((u32)((const uchar4*)own8)[v2 & 1u].w >> (fold((u64)t) & 31u)) : (u32)((const ushort4*)own16)[(u32)own16[0x100u & 7u] & 1u].y);
    s16 x6 = (s16)(u32)(i0 >> (0x3u & 31u));
    for (u32 kx6 = 0u, nx6 = 5u; kx6 < nx6; ++kx6) x6 = (s16)(x6 | (s16)fold(((u64)u0 << 32 | t)));
    x6 = (s16)(x6 >> ((v2 & u0) & 7u));
    u32 v7 = (u32)x6;
    ((volatile u32*)own)[((u32)((const ushort4*)in)[v5 & 511u].x | (~threadIdx.y)) & 3u] = in[(gid / ((~bits(0.1f)) | 1u)) & 1023u];
  }
  own8[((((blockDim.x != t)) ? v4 : v2) + (0xe1u & L)) & 7u] = (u8)(((v2 % 4u == 0u)) ? ((const uint4*)in)[threadIdx.x & 255u].x : bits(odd_float(v2)));
  if (((__fdiv_ru(odd_float(v2), odd_float(u0)) > f0))) {
    switch (bits(__fmaf_rn(__int2float_rz((s32)(u32)((const u8*)in)[0x80000000u & 4092u]), __fmaf_rn(f0, odd_float(threadIdx.y), f0), (3.0f / copysignf(f0, num(0.5f))))) % 4u) {
      case 0: {
        u32 n8 = 6u;
        while (n8-- != 0u && (((t | lane_id()) > (t | v4)))) {
          i0 = min(i0, i0);
          h = mix(h, ((u32)(s16)fold(__umul64hi(0x3full, w0)) - fold(((u64)0x1fu - (0x8000000000000000ull >> (v4 & 63u))))));
          u32 v9 = bits(copysignf(fabsf(f0), num(truncf(odd_float(0xffffffffu)))));
        }
        h = mix(h, bits(__fmul_rd(__fadd_rd(1.17549435e-38f, odd_float(threadIdx.x)), __fsub_rz(odd_float(v2), f0))));
        h = mix(h, (u0 ^ fold(w0)));
      } break;
      case 1: {
        h = mix(h, fold((u64)(s32)u0));
      } break;
      case 2: {
        h = mix(h, (ptx_dp4a_u32_s32((u32)((const s8*)in)[blockDim.x & 4092u], (threadIdx.y - v2), ((v2 << (threadIdx.y & 31u)) & 63u)) * in[(v2 << (0x100u & 31u)) & 1023u]));
      } break;
    }
  }
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, v2);
  h = mix(h, v4);
  h = mix(h, (u32)i0);
  h = mix(h, fold(w0));
  h = mix(h, bits(f0));
  h = mix(h, bits(d0));
  h = mix(h, held[h & 3u]);
  out[gid] = h;
}

// run: --kernel k11_6 --grid 5,1,1 --block 8,6,1 --arg u32[1024]=random:271 --arg u32[240]=0 --arg u32[3840]=0 --arg u32[160]=random:272 --arg u64[24]=random:273 --arg f32[8]=0 --arg f64[8]=0
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
  const u32 n2 = ((u32)(w0 ^ w0) & 7u);
  u32 m3 = m;
  for (u32 k1 = 0u;; ++k1) {
    m3 = __ballot_sync(m3, k1 < n2);
    if (k1 >= n2) break;
    if ((((blockIdx.x % 3u == 1u)) || ((blockDim.x % 2u == 1u)))) atomicMin((s32*)bins + 64 + (((L / (u0 | 1u)) * (0xbd92e060u - L)) & 7u), (((((t != u0)) ? (s32)u0 : (((u0 & 64u) != 0u) ? (s32)gid : i0)) >> ((u32)(quotient(i0, i0) >> ((u32)((const s16*)in)[0x31u & 2046u] & 31u)) & 31u)) >> (ptx_lop3_1b(fold((((gid != k1)) ? (u64)L : (u64)threadIdx.y)), (((u32)(((lane_id() != 21u))) & (L - k1)) & 63u), own128->w) & 31u)));
    ((uchar4*)own8)[((k1 >> (k1 & 31u)) % ((gridDim.x * lane_id()) | 1u)) & 1u] = make_uchar4((u8)(gridDim.x + (((lane_id() * L) & (k1 << (t & 31u))) + ((t - blockDim.x) / ((u0 << (k1 & 31u)) | 1u)))), (u8)((k1 >> (k1 & 31u)) % ((gridDim.x * lane_id()) | 1u)), 3, 4);
    s32 i4 = __mulhi(max(max(i0, (s32)blockDim.x), (s32)(0xfffffffeu * 0x40u)), max((i0 >> (t & 31u)), (~i0)));
    atomicSub(&tally[0 + (in[fold(w0) & 1023u] & 7u)], 0x0u);
    h = mix(h, (u32)(((lane_id() == 24u))));
  }
  const u32 c5 = ((0xffull >= w0));
  const u32 m7 = __ballot_sync(m, c5);
  u32 v6 = guarded_shuffle(c5, m7, (__ldg(in + (t & 1023u)) * fold(w0)), member(m7, bits(-0.0f)));
  atomicAnd(&tally[24 + (__funnelshift_lc((((lane_id() > 21u)) ? v6 : L), t, 0x5u) & 7u)], ptx_cvt_sat_s16_u32(((blockDim.x ^ L) | (threadIdx.x | blockDim.x))));
  double d9 = from_above<8>(m, (double)(d0), ((0x3u / (gridDim.x | 1u)) + (u32)(u16)gid));
  *own128 = make_uint4((L ^ (((i0 < i0)) ? (u0 ^ lane_id()) : bits(f0))), (u32)(s32)u0, fold((u64)u0), (u32)((u64)L << (t & 63u)));
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, v6);
  h = mix(h, (u32)i0);
  h = mix(h, fold(w0));
  h = mix(h, bits(f0));
  h = mix(h, bits(d0));
  h = mix(h, bits(d9));
  h = mix(h, held[h & 3u]);
  out[gid] = h;
  __syncthreads();
  for (u32 i = t; i < 64u; i += 48u) atomicXor(&bins[80u + i], tally[i] * (gid / 48u + 1u));
}

// run: --kernel k11_7 --grid 2,1,1 --block 5,3,1 --arg u32[1024]=random:757 --arg u32[30]=0 --arg u32[480]=0 --arg u32[160]=random:758 --arg u64[24]=random:759 --arg f32[8]=0 --arg f64[8]=0
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
  const u32 c1 = ((((u32)(u64)gridDim.x ^ bits(__ushort_as_half((u16)blockIdx.x))) != ((u32)(((odd_float(0x20u) < odd_float(L)))) << ((u32)(s16)L & 31u))));
  u32 v2 = guarded_load(c1, in + ((bits(__ushort_as_bfloat16((u16)threadIdx.x)) + bits(odd_float(0x1du))) & 1023u), (L | L));
  double d3 = fmin(odd_double((w0 ^ w0)), odd_double((u64)__double2ull_rn(d0)));
  i0 = (s32)(s8)blockDim.x;
  own[0x20u & 3u] = (gridDim.x - ((((lane_id() <= 3u)) && ((t & 2u) != 0u)) ? ((u32)__half2uint_ru(__ushort_as_half((u16)t)) >> ((threadIdx.x | lane_id()) & 31u)) : (u32)(w0 << ((threadIdx.z + blockIdx.y) & 63u))));
  for (u32 k4 = 0u; k4 < 2u; ++k4) {
    own16[t & 7u] = (u16)bits(__ushort_as_half((u16)u0));
    float f5 = odd_float(v2);
    u32 n6 = 4u;
    while (n6-- != 0u && ((fmaxf(1.0f, 1.0f) >= fmaxf(f5, 0.5f)))) {
      u32 v7 = (((fold(*own64) & 32u) != 0u) ? (u32)((s32)(k4 - t) >> (ptx_bfi_b32(t, (blockIdx.x & 63u), (0x100u & 255u), (v2 & 255u)) & 31u)) : ptx_bfind_u64((u64)(s64)(u64)v2));
      s16 x8 = (s16)((~(L - gid)) & (((lane_id() >= 18u)) ? k4 : bits(odd_float((threadIdx.z + blockIdx.y)))));
      for (u32 kx8 = 0u, nx8 = (lane_id() & 3u); kx8 < nx8; ++kx8) x8 = (s16)(x8 - (s16)bits(__double2float_rd(d3)));
      x8 = (s16)(x8 >> ((threadIdx.x * lane_id()) & 7u));
      u32 v9 = (u32)x8;
    }
    u64 w10 = w0;
  }
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, v2);
  h = mix(h, (u32)i0);
  h = mix(h, fold(w0));
  h = mix(h, bits(f0));
  h = mix(h, bits(d0));
  h = mix(h, bits(d3));
  h = mix(h, held[h & 3u]);
  out[gid] = h;
}

__device__ u32 k11_8_kept[140];
// run: --kernel k11_8 --grid 1,1,1 --block 70,1,1 --arg u32[1024]=random:525 --arg u32[70]=0 --arg u32[1120]=0 --arg u32[160]=random:526 --arg u64[24]=random:527 --arg f32[8]=0 --arg f64[8]=0
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
  const u32 c1 = (((t * 0x1f7ebeabu) % 5u == 1u));
  u32 v2 = guarded_load(c1, in + (ptx_add_sat_s32(((const uint2*)in)[L & 511u].y, 0xffffu) & 1023u), in[u0 & 1023u]);
  if (((quotient((((v2 & 64u) != 0u) ? (s32)(u8)v2 : (i0 >> (u0 & 31u))), (((t % 5u == 1u)) ? (s32)((threadIdx.z + blockIdx.y) * L) : (s32)(u16)0x100u)) < quotient((s32)quotient((s64)(u64)u0, (s64)w0), (s32)(u16)fold(ptx_bfi_b64(w0, 0x100ull, (0x100u & 255u), ((gridDim.x & 63u) & 255u))))))) {
    const u32 c3 = ((!(((lane_id() >= 23u)))) && (((((lane_id() & 32u) != 0u) ? u0 : (threadIdx.z + blockIdx.y)) & 8u) != 0u));
    u32 v4 = guarded_load(c3, in + ((__ldcs(in + (gridDim.x & 1023u)) + (u32)(((0xffffffffu & 8u) != 0u))) & 1023u), (u0 >> (t & 31u)));
    own8[(u32)((const u8*)own)[(u32)(s16)v2 & 63u] & 7u] = (u8)v2;
    *(volatile u64*)own64 = __umul64hi(((u64)0x3fu & w0), ((u64)L / (w0 | 1ull)));
  }
  u64 w6 = from_below<32>(m, (u64)(((w0 << (threadIdx.x & 63u)) + w0)), 1u);
  const u32 n8 = (lane_id() & 3u);
  u32 m9 = m;
  for (u32 k7 = 0u;; ++k7) {
    m9 = __ballot_sync(m9, k7 < n8);
    if (k7 >= n8) break;
    const u32* p11 = (((((t <= 0x8cd14dd0u)) ? t : u0) & 8u) != 0u) ? own + ((v2 % (L | 1u)) & 3u) : held + ((k7 - L) & 3u);
    u32 v10 = *p11;
    u32* p12 = ((fmax(d0, odd_double(w0)) < -1.0)) ? own + (fold(ptx_bfe_s64((u64)t, (v2 & 255u), (0x1u & 255u))) & 3u) : held + (in[(gid * 3u + 10u) & 1023u] & 3u);
    *p12 ^= 0x21u;
    h = mix(h, fold(w0));
    h = mix(h, (fold(((const u64*)in)[(L >> (lane_id() & 31u)) & 511u]) - (u32)(u64)(s32)t));
    const bool c13 = ((threadIdx.y & 16u) != 0u);
    const u32 m14 = __ballot_sync(m9, !c13);
    if (c13) continue;
    h = mix(h, (((((t % 4u == 0u)) ? fold(((const u64*)in)[v10 & 511u]) : (u32)((const u8*)in)[k7 & 4092u]) ^ (((w6 >= (u64)u0)) ? (v2 / (v10 | 1u)) : (u32)(u16)v2)) & (u32)((const ushort4*)in)[fixed[19] & 511u].w));
    const u32 n16 = 3u;
    u32 m17 = m14;
    for (u32 k15 = 0u;; ++k15) {
      m17 = __ballot_sync(m17, k15 < n16);
      if (k15 >= n16) break;
      *own128 = make_uint4(k15, in[0x3f1640a2u & 1023u], (u32)(((t <= L))), ((u32)((const ushort4*)own16)[L & 1u].y * (((k7 & 4u) != 0u) ? 0x7fffffffu : u0)));
      const bool c18 = ((round((0.5 == d0 ? d0 : d0)) != odd_double((u64)i0)));
      const u32 m19 = __ballot_sync(m17, c18);
      if (c18) {
        ((ushort4*)own16)[own128->w & 1u] = make_ushort4((u16)(((k15 < L)) ? v2 : gid), (u16)own128->w, 3, 4);
        u0 = in[fold((u64)__double2ull_rz(odd_double(w6))) & 1023u];
        own[((const uint4*)in)[in[lane_id() & 1023u] & 255u].x & 3u] = (u32)i0;
      } else {
      }
      const bool c20 = ((((((L % 3u == 0u)) ? v2 : ((((threadIdx.z + blockIdx.y) & 1u) != 0u) ? 0xffffu : u0)) != __byte_perm((u32)((const u8*)own)[u0 & 63u], (lane_id() << (t & 31u)), (v10 & v2)))) && ((lane_id() >= 4u)));
      const u32 m21 = __ballot_sync(m17, !c20);
      if (c20) continue;
    }
  }
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, v2);
  h = mix(h, (u32)i0);
  h = mix(h, fold(w0));
  h = mix(h, fold(w6));
  h = mix(h, bits(f0));
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
