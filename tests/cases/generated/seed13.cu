// Made by tests/tools/random_kernels.py --seed 13 --kernels 10: what each must leave in its buffers stands in the .out beside it.
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
__device__ u64 ptx_bfe_s64(u64 a, u32 b, u32 c) { u64 r; asm("bfe.s64 %0, %1, %2, %3;" : "=l"(r) : "l"(a), "r"(b), "r"(c)); return r; }
__device__ u32 ptx_bfe_u32(u32 a, u32 b, u32 c) { u32 r; asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ u64 ptx_bfe_u64(u64 a, u32 b, u32 c) { u64 r; asm("bfe.u64 %0, %1, %2, %3;" : "=l"(r) : "l"(a), "r"(b), "r"(c)); return r; }
__device__ u32 ptx_bfi_b32(u32 a, u32 b, u32 c, u32 d) { u32 r; asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(a), "r"(b), "r"(c), "r"(d)); return r; }
__device__ u32 ptx_bfind_shiftamt_u32(u32 a) { u32 r; asm("bfind.shiftamt.u32 %0, %1;" : "=r"(r) : "r"(a)); return r; }
__device__ u32 ptx_bfind_u32(u32 a) { u32 r; asm("bfind.u32 %0, %1;" : "=r"(r) : "r"(a)); return r; }
__device__ u32 ptx_bmsk_clamp(u32 a, u32 b) { u32 r; asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); return r; }
__device__ u32 ptx_cnot_b32(u32 a) { u32 r; asm("cnot.b32 %0, %1;" : "=r"(r) : "r"(a)); return r; }
__device__ u32 ptx_cvt_s16_f32(float a) { u32 r; asm("{.reg .b16 a; cvt.rmi.s16.f32 a, %1; cvt.u32.u16 %0, a;}" : "=&r"(r) : "f"(a)); return r; }
__device__ u32 ptx_cvt_sat_s8_s32(u32 a) { u32 r; asm("cvt.sat.s8.s32 %0, %1;" : "=r"(r) : "r"(a)); return r; }
__device__ u32 ptx_cvt_sat_u8_f32(float a) { u32 r; asm("cvt.rni.sat.u8.f32 %0, %1;" : "=r"(r) : "f"(a)); return r; }
__device__ u32 ptx_dp2a_lo_s32_u32(u32 a, u32 b, u32 c) { u32 r; asm("dp2a.lo.s32.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ float ptx_fma_sat(float a, float b, float c) { float r; asm("fma.rn.sat.f32 %0, %1, %2, %3;" : "=f"(r) : "f"(a), "f"(b), "f"(c)); return r; }
__device__ u32 ptx_lop3_e2(u32 a, u32 b, u32 c) { u32 r; asm("lop3.b32 %0, %1, %2, %3, 0xe2;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ u32 ptx_mad_carry(u32 a, u32 b, u32 c, u32 d) { u32 r; asm("{.reg .u32 l; mad.lo.cc.u32 l, %1, %2, %3; madc.hi.u32 %0, %1, %2, %4;}" : "=&r"(r) : "r"(a), "r"(b), "r"(c), "r"(d)); return r; }
__device__ u32 ptx_mad_hi_sat_s32(u32 a, u32 b, u32 c) { u32 r; asm("mad.hi.sat.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ u64 ptx_mad_wide_s32(u32 a, u32 b, u64 c) { u64 r; asm("mad.wide.s32 %0, %1, %2, %3;" : "=l"(r) : "r"(a), "r"(b), "l"(c)); return r; }
__device__ float ptx_min_nan(float a, float b) { float r; asm("min.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); return r; }
__device__ float ptx_mul_sat(float a, float b) { float r; asm("mul.rn.sat.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); return r; }
__device__ u32 ptx_mul_wide_s16(u32 a, u32 b) { u32 r; asm("{.reg .b16 a, b; cvt.u16.u32 a, %1; cvt.u16.u32 b, %2; mul.wide.s16 %0, a, b;}" : "=&r"(r) : "r"(a), "r"(b)); return r; }
__device__ u32 ptx_prmt(u32 a, u32 b, u32 c) { u32 r; asm("prmt.b32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ u32 ptx_prmt_ecr(u32 a, u32 b, u32 c) { u32 r; asm("prmt.b32.ecr %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ u32 ptx_prmt_rc16(u32 a, u32 b, u32 c) { u32 r; asm("prmt.b32.rc16 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ u32 ptx_sad_u16(u32 a, u32 b, u32 c) { u32 r; asm("{.reg .b16 a, b, c; cvt.u16.u32 a, %1; cvt.u16.u32 b, %2; cvt.u16.u32 c, %3; sad.u16 a, a, b, c; cvt.u32.u16 %0, a;}" : "=&r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ u32 ptx_shr_u32(u32 a, u32 b) { u32 r; asm("shr.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); return r; }
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

// run: --kernel k13_0 --grid 2,2,1 --block 45,1,1 --arg u32[1024]=random:28 --arg u32[180]=0 --arg u32[2880]=0 --arg u32[160]=random:29 --arg u64[24]=random:30 --arg f32[8]=0 --arg f64[8]=0
__global__ void k13_0(const u32* in, u32* out, u32* scratch, u32* bins, u64* wide, float* sums, double* dsums) {
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
  if (((((u64)t << 32 | t) < (((t & 16u) != 0u) ? (u64)threadIdx.y : w0)))) {
    for (u32 k1 = 0u, nk1 = (in[u0 & 1023u] & 3u); k1 < nk1; ++k1) {
      f0 = ((((threadIdx.y % 3u == 0u)) && ((0x21u > 0x7u))) ? __fsub_rn(0.0f, 1.0f) : __fdiv_rz(__frcp_ru(odd_float(k1)), 1e-45f));
      h = mix(h, bits(__fmul_ru(odd_float(gid), __fsub_rz(f0, 3.0f))));
    }
    h = mix(h, (u32)((((threadIdx.z + blockIdx.y) <= u0))));
    u32 a2[7];
    for (u32 k3 = 0u; k3 < 7u; ++k3) a2[k3] = (bits(odd_float(t)) | max(lane_id(), threadIdx.x)) + k3 * 0x1u;
    a2[bits(odd_float(u0)) % 7u] = bits(__fadd_rn(odd_float(L), f0));
    h = mix(h, fold(w0));
    h = mix(h, bits(__frcp_ru(3.0f)));
  }
  u0 = (u32)__float2int_rd(odd_float(0x3u));
  u0 |= fold(*own64);
  w0 &= ((w0 << (L & 63u)) * max(w0, (u64)u0));
  d0 = fmax(__fma_ru((double)f0, __dadd_rz(d0, -0.0), __ull2double_rz(w0)), __dsub_rn(fabs(odd_double(0x8000000000000000ull)), trunc(d0)));
  own[fold((u64)__float2ull_rz(__fmul_ru(1.17549435e-38f, f0))) & 3u] = bits(odd_float(blockDim.x));
  for (u32 k4 = 0u, nk4 = (threadIdx.x % 4u); k4 < nk4; ++k4) {
    if (((lane_id() >= 8u))) continue;
    own[0x20u & 3u] = (((t & 2u) != 0u) ? t : t);
    s16 x5 = (s16)(((L % 5u == 1u)) ? in[(fold((u64)__float2ull_rd(0.5f)) << (fold((u64)__double2ll_rz(2.5)) & 31u)) & 1023u] : (u32)__double2int_ru((((i0 > i0)) ? __dadd_rd(d0, 1e-310) : trunc(d0))));
    for (u32 kx5 = 0u, nx5 = 5u; kx5 < nx5; ++kx5) x5 = (s16)(x5 ^ (s16)(u32)(i0 >> (u0 & 31u)));
    x5 = (s16)(x5 >> (gid & 7u));
    u32 v6 = (u32)x5;
    h = mix(h, (u32)own16[(u32)(u8)u0 & 7u]);
  }
  u0 = fold((u64)__double2ll_rd(round(__dmul_ru(ceil(d0), fmin(5e-324, odd_double((u64)L))))));
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

__device__ __noinline__ void k13_1_through0(u32& x, u32* at, u32 v) {
  if (v % 4u) x = mix(x, at[v & 3u]);
  at[x & 3u] += v * 30066u;
}

__device__ __noinline__ void k13_1_through1(u32& x, u32* at, u32 v) {
  if (v % 4u) x = mix(x, at[v & 3u]);
  at[x & 3u] += v * 36826u;
}
// run: --kernel k13_1 --grid 5,1,1 --block 9,1,1 --arg u32[1024]=random:426 --arg u32[45]=0 --arg u32[720]=0 --arg u32[160]=random:427 --arg u64[24]=random:428 --arg f32[8]=0 --arg f64[8]=0
__global__ void k13_1(const u32* in, u32* out, u32* scratch, u32* bins, u64* wide, float* sums, double* dsums) {
  const u32 t = threadIdx.x + 9u * (threadIdx.y + 1u * threadIdx.z);
  const u32 gid = t + 9u * (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z));
  const u32 L = lane_id();
  const u32 m = t / 32u == 0u ? 0x1ffu : 0xffffffffu;
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
  for (u32 i = t; i < 64u; i += 9u) tally[i] = i * 3u;
  __syncthreads();
  if ((((max(w0, w0) << ((((lane_id() == 13u)) ? t : u0) & 63u)) > __brevll(((u64)0x5u << 32 | 0xffffffffu))))) {
    h = mix(h, ptx_add_carry((u32)(u16)L, ((0x7u ^ blockIdx.x) & 63u), bits(-0.0f), (((d0 <= d0)) ? 0x1fu : 0xfffffffeu)));
    u32 n1 = 4u;
    do {
      for (u32 k2 = 0u, nk2 = (threadIdx.x % 4u); k2 < nk2; ++k2) {
        k13_1_through0(u0, held, ptx_szext_clamp_u32(u0, L));
        Rolled<u32, 3> ra3;
        u32 (&a3)[3] = ra3.v;
        for (u32 k4 = 0u; k4 < 3u; ++k4) a3[k4] = bits(fminf(odd_float(blockDim.x), 0.1f)) + k4 * 0x1fu;
        a3[(bits(d0) * ptx_cnot_b32(threadIdx.x)) % 3u] ^= ptx_mad_hi_sat_s32((((u32)__mulhi(i0, (s32)threadIdx.x) << (fold((u64)k2) & 31u)) + bits(__drcp_rn(odd_double(w0)))), bits(odd_double(__umul64hi(0xffffffffffffffffull, w0))), 0x5u);
      }
      u32 n5 = 4u;
      do {
        ((volatile u32*)own)[(L + bits(f0)) & 3u] = fold((w0 * w0));
        i0 = (s32)(s8)(u32)(s16)blockDim.x;
        u0 = bits(trunc((double)f0));
      } while (--n5 != 0u && (((s32)(u8)t == min(i0, (s32)0xffffu))));
      h = mix(h, ((((~0x3fu) >= (u32)__dp4a((s32)t, (s32)u0, (s32)t))) ? ((((s32)0x3fu < i0)) ? (u32)(s32)(threadIdx.z + blockIdx.y) : ptx_cnot_b32(t)) : bits(__double2float_ru(odd_double((u64)t)))));
    } while (--n1 != 0u && (((w0 - (u64)L) < max(0x40ull, w0))));
    h = mix(h, bits(ldexpf(__fsub_rd(odd_float(t), odd_float((threadIdx.z + blockIdx.y))), (s32)((L & gid) % 300u) - 150)));
  } else {
    if ((((u32)__double2uint_rz(0.1) != (fixed[35] >> (0xffffffffu & 31u))))) {
      i0 = i0;
      h = mix(h, fold((w0 ^ 0x3ull)));
      u32 a6[9];
      for (u32 k7 = 0u; k7 < 9u; ++k7) a6[k7] = fixed[1] + k7 * 0xd8ab62ecu;
      a6[(u32)((const u16*)in)[(L ^ 0x40u) & 2046u] % 9u] ^= ((((u0 > 0x2u)) ? t : threadIdx.x) * fold((u64)threadIdx.y));
    }
    i0 = max((s32)((u32)(w0 ^ w0) * fold((w0 << (blockIdx.x & 63u)))), __float2int_rn(__fmul_ru((odd_float(t) / f0), __int2float_rz((s32)0x1fu))));
  }
  u16 x8 = (u16)__vadd4(L, t);
  for (u32 kx8 = 0u, nx8 = ((L * (0xffffffffu & gridDim.x)) & 3u); kx8 < nx8; ++kx8) x8 = (u16)(x8 & (u16)bits(-(d0)));
  x8 = (u16)(x8 % ((u16)(((u0 - blockIdx.x) / (t | 1u)) & 0x3ffu) | 1));
  u32 v9 = (u32)x8;
  const bool c10 = ((1.17549435e-38f == odd_float(0x0u)));
  const u32 m11 = __ballot_sync(m, c10);
  if (c10) {
    if (((fold(((const u64*)in)[blockIdx.x & 511u]) != bits(odd_double((u64)v9))))) {
      for (u32 k12 = 0u, nk12 = (lane_id() & 3u); k12 < nk12; ++k12) {
        if (((bits(1e-40f) & 16u) != 0u)) {
          if (((lane_id() >= 27u))) continue;
          Rolled<u32, 4> ra13;
          u32 (&a13)[4] = ra13.v;
          for (u32 k14 = 0u; k14 < 4u; ++k14) a13[k14] = ((k12 ^ 0x80000000u) % (bits(f0) | 1u)) + k14 * 0x1fu;
          a13[(fold(w0) % ((u32)__double2uint_rz(1e-310) | 1u)) % 4u] = (u32)((s32)(bits(f0) - ptx_mad_carry(0x1u, t, 0xfffffffeu, (t & 63u))) >> (gridDim.x & 31u));
          h = mix(h, (u32)own8[(u32)(s32)(s16)t & 7u]);
        }
        k13_1_through1(v9, held, u0);
        v9 = bits(odd_float(t));
      }
    }
    h = mix(h, (u32)(~(s32)((threadIdx.y % (lane_id() | 1u)) - 0xffu)));
  }
  atomicSub(&bins[56 + (fold((u64)__double2ull_rn(__dadd_ru(1e18, 0.5))) & 7u)], 1u);
  __stcg(own + (bits(__fmaf_ru(odd_float(blockDim.x), 1e-40f, odd_float(blockDim.x))) & 3u), bits(odd_float(v9)));
  const u32* p16 = ((bits(-1.0) == bits(1.0))) ? own + (fold((u64)__float2ll_ru(f0)) & 3u) : held + (((threadIdx.z + blockIdx.y) >> (blockIdx.x & 31u)) & 3u);
  u32 v15 = *p16;
  Bundle g17[4];
  for (u32 kg17 = 0u; kg17 < 4u; ++kg17) g17[kg17] = Bundle{(u32)((const u8*)own)[v9 & 63u] + kg17, (u8)kg17, (u16)bits(d0), (w0 | w0), (((L % 3u == 0u)) ? f0 : odd_float(threadIdx.y)), 1u, fmax(d0, d0)};
  g17[(bits(odd_float(v9)) & (u32)(i0 >> (blockDim.x & 31u))) % 4u].b ^= (u8)bits(odd_double(((u64)t << 32 | 0x21u)));
  g17[0xffffffffu % 4u] = g17[(u32)__double2uint_rz((((lane_id() != 16u)) ? 0.0 : -1.0)) % 4u];
  u32 v18 = g17[(v15 << (bits(f0) & 31u)) % 4u].c;
  u64 w19 = g17[bits(1e-40f) % 4u].d;
  double d20 = g17[(((isnan(odd_float(t))) ? gid : u0) / ((threadIdx.y / (0x0u | 1u)) | 1u)) % 4u].f;
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, v9);
  h = mix(h, v15);
  h = mix(h, v18);
  h = mix(h, (u32)i0);
  h = mix(h, fold(w0));
  h = mix(h, fold(w19));
  h = mix(h, bits(f0));
  h = mix(h, bits(d0));
  h = mix(h, bits(d20));
  h = mix(h, held[h & 3u]);
  out[gid] = h;
}

__device__ __noinline__ Bundle k13_2_bundle0(Bundle g, u32 x, const u32* in) {
  if (((g.f >= g.f))) {
    if (((ptx_testp(g.e) & 16u) != 0u)) {
      g.f = odd_double(((u64)0x455f4332u + g.d));
      x *= (0x1fu * in[x & 1023u]);
    }
    switch (((const volatile u32*)in)[(g.a % (g.a | 1u)) & 1023u] % 11u) {
      case 0: {
        g.e = __double2float_rd((double)fmaxf(-1.0f, 1e-45f));
        switch ((in[(g.a / (threadIdx.x | 1u)) & 1023u] + (~(u32)__clzll(0x40ull))) % 3u) {
          case 0: {
            u32 v1 = blockDim.x;
            if ((((s32)((u32)g.d * (u32)(((lane_id() >= 22u)))) >= (rest((s32)gridDim.x, (s32)g.a) >> ((u32)(s32)g.a & 31u))))) {
              v1 |= x;
              x = (fold(((0x40ull << (lane_id() & 63u)) & (g.d << (v1 & 63u)))) | fold(((u64)x * (threadIdx.x >> (v1 & 31u)))));
            }
          }
          case 1: {
            g.e = __double2float_rd(1e18);
          } break;
          case 2: {
            if (((bits(__fsub_ru(__uint2float_ru(threadIdx.y), __uint2float_ru(blockDim.x))) < (((!((((s32)x <= (s32)0x7fffffffu)))) || ((g.a % 2u == 0u))) ? ((((g.a <= x)) ? 0x21u : x) & (((g.e <= 0.0f)) ? x : x)) : (fold((u64)blockIdx.x) % ((g.a - x) | 1u)))))) {
              x *= ((x | x) & bits(g.e));
              g.d = (g.d >> (x & 63u));
              s32 i2 = ((isnan(__fdiv_rz(odd_float(x), g.e))) ? (~(s32)x) : quotient((s32)(u8)0x21u, (s32)(0x3u + 0x1u)));
              Rolled<u32, 5> ra3;
              u32 (&a3)[5] = ra3.v;
              for (u32 k4 = 0u; k4 < 5u; ++k4) a3[k4] = fold(((u64)threadIdx.y * g.a)) + k4 * 0x7u;
              a3[((x * g.a) | x) % 5u] ^= (u32)(i2 >> (x & 31u));
            } else {
              x = ((u32)((s32)lane_id() >> (g.a & 31u)) & bits(g.e));
              g.a = in[(threadIdx.z + blockIdx.y) & 1023u];
              bool x5 = ((lane_id() > 11u));
              for (u32 kx5 = 0u; kx5 < (((g.a >> (x & 31u)) % (blockDim.x | 1u)) & 3u); ++kx5) x5 = x5 != ((((s32)(0x2u + blockIdx.x) != ((s32)g.a >> (x & 31u)))));
              u32 v6 = (u32)x5;
              g.f = __int2double_rn((s32)__ldcs(in + (x & 1023u)));
            }
            if (((((blockIdx.x / (blockDim.x | 1u)) | (~(threadIdx.z + blockIdx.y))) & 4u) != 0u)) {
              g.d ^= ((u64)__mul64hi(((s64)(u64)threadIdx.y >> (g.a & 63u)), (s64)0x20ull) | __brevll(((g.d / (g.d | 1ull)) % (((u64)x * 0x7fffffffu) | 1ull))));
              x = (((u32)((s32)x >> (g.a & 31u)) - g.a) >> (x & 31u));
              u16 x7 = (u16)(x % (threadIdx.x | 1u));
              for (u32 kx7 = 0u, nx7 = (lane_id() & 3u); kx7 < nx7; ++kx7) x7 = (u16)(x7 - (u16)0xffffu);
              x7 = (u16)(x7 % ((u16)(((u32)((const u16*)in)[0x7fffffffu & 2046u] + (blockIdx.x / (x | 1u))) & 0x3ffu) | 1));
              u32 v8 = (u32)x7;
            } else {
            }
          } break;
        }
      } break;
      case 1: {
      } break;
      case 2: {
      } break;
      case 3: {
      } break;
      case 4: {
      } break;
      case 5: {
      } break;
      case 6: {
      } break;
      case 7: {
      } break;
      default: {
      } break;
    }
  } else {
  }
  u32 n9 = 2u;
  do {
  } while (--n9 != 0u && (((x * g.a) & 4u) != 0u));
  for (u32 k10 = 0u, nk10 = ((u32)(s32)(u16)x % 6u); k10 < nk10; ++k10) {
  }
  u32 n11 = 5u;
  while (n11-- != 0u && (((g.d | (u64)x) > (((0x2b751a0au % 3u == 0u)) ? g.d : g.d)))) {
  }
  if ((((ptx_shr_u32(x, 0x3u) ^ (u32)(u8)gridDim.x) % 2u == 1u))) {
  }
  if ((!(((lane_id() != 11u))))) {
  } else {
  }
  g.b ^= (gridDim.x & x);
  g.a = mix(g.a, mix(fold(g.d), mix(bits(g.e), mix(bits(g.f), g.b ^ g.c))));
  return g;
}
// run: --kernel k13_2 --grid 1,3,2 --block 6,4,1 --arg u32[1024]=random:114 --arg u32[144]=0 --arg u32[2304]=0 --arg u32[160]=random:115 --arg u64[24]=random:116 --arg f32[8]=0 --arg f64[8]=0
__global__ void k13_2(const u32* in, u32* out, u32* scratch, u32* bins, u64* wide, float* sums, double* dsums) {
  const u32 t = threadIdx.x + 6u * (threadIdx.y + 4u * threadIdx.z);
  const u32 gid = t + 24u * (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z));
  const u32 L = lane_id();
  const u32 m = t / 32u == 0u ? 0xffffffu : 0xffffffffu;
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
  for (u32 k12 = 0u, nk12 = (((threadIdx.y % ((threadIdx.z + blockIdx.y) | 1u)) - bits(f0)) % 3u); k12 < nk12; ++k12) {
  }
  ((volatile u32*)own)[(min(L, t) | (0x1fu + 0xffu)) & 3u] = (~(u32)__dp4a(i0, i0, (s32)t));
  const bool c13 = (((u0 & 8u) != 0u) || ((lane_id() == 18u)));
  const u32 m14 = __ballot_sync(m, !c13);
  if (c13) { out[gid] = mix(h, (u32)(s16)(u32)own8[t & 7u]); return; }
  const bool c15 = ((ptx_cvt_sat_u8_f32(__fdiv_rd(odd_float(u0), (odd_float(u0) != odd_float(u0) ? odd_float(0x21u) : odd_float(u0)))) % 2u == 0u));
  const u32 m16 = __ballot_sync(m14, c15);
  if (c15) {
  }
  atomicInc(&bins[48 + ((u32)(u8)bits(odd_float((threadIdx.z + blockIdx.y))) & 7u)], 0xffffffu);
  *own64 = (w0 * (((u64)t * L) * (u64)(s32)threadIdx.x));
  for (u32 k17 = 0u, nk17 = 1u; k17 < nk17; ++k17) {
  }
  h = mix(h, (threadIdx.y / ((((u32)(u16)0xffffu | (u32)w0) >> (ptx_bfe_u32((((lane_id() > 22u)) ? L : (threadIdx.z + blockIdx.y)), ((blockIdx.x & L) & 63u), 0x3u) & 31u)) | 1u)));
  w0 = ((u64)(u32)((const u8*)in)[t & 4092u] << 32 | (threadIdx.y % (u0 | 1u)));
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

__device__ __noinline__ u32 k13_3_masked0(u32 m, u32 x, s32 y, const u32* in, u32 gid) {
  const u32 L = lane_id();
  const bool c1 = (((u32)(quotient((y >> (0x21u & 31u)), (s32)(0x1a24abbeu * x)) >> (fold(((const u64*)in)[0x20u & 511u]) & 31u)) & 2u) != 0u);
  const u32 m2 = __ballot_sync(m, !c1);
  if (c1) { return (((0x40u & 32u) != 0u) ? (lane_id() << (L & 31u)) : in[gridDim.x & 1023u]); }
  s32 i3 = (s32)(s8)L;
  switch ((((2.5 > 1.0)) ? lane_id() : (~(in[0x40u & 1023u] << ((u32)(u8)threadIdx.x & 31u)))) % 9u) {
    case 0: {
      x = (u32)__ffs((u32)(s32)rest((s64)0x3full, (s64)(u64)L));
      if ((((x != 0x746120d8u)) && ((y <= i3)))) {
        Rolled<u32, 5> ra4;
        u32 (&a4)[5] = ra4.v;
        for (u32 k5 = 0u; k5 < 5u; ++k5) a4[k5] = (u32)rest((s32)x, (s32)x) + k5 * 0xffffffffu;
        a4[gid % 5u] ^= (((lane_id() == 24u)) ? bits(__fmul_rn(__double2float_rn(odd_double(0x21ull)), odd_float(L))) : (L - (u32)(__mulhi((s32)0xfffffffeu, (s32)L) >> ((u32)0x3ull & 31u))));
        u64 w6 = (u64)(s64)((u64)(0x80000000u * L) << 32 | (u32)(u8)x);
        x = (in[lane_id() & 1023u] + fold(w6));
        if (((ptx_prmt_rc16((min(L, threadIdx.x) & (u32)y), 0x7fffffffu, blockDim.x) != ((u32)((s32)(L + 0xffu) >> ((x + 0x48u) & 31u)) & (L & (gridDim.x - threadIdx.x)))))) {
          x = blockIdx.x;
          double d7 = __dmul_rz(odd_double((w6 << ((L / (x | 1u)) & 63u))), -1.0);
        } else {
          if (((blockDim.x % 2u == 1u))) {
            u32 a8[8];
            for (u32 k9 = 0u; k9 < 8u; ++k9) a8[k9] = __funnelshift_rc(threadIdx.y, __usad(x, x, x), x) + k9 * 0x6u;
            a8[((gridDim.x % (threadIdx.y | 1u)) << ((L >> (L & 31u)) & 31u)) % 8u] += x;
          } else {
            u16 x10 = (u16)(u32)quotient((((L < 0x0u)) ? y : (s32)x), quotient((s32)threadIdx.y, i3));
            for (u32 kx10 = 0u, nx10 = (threadIdx.x % 4u); kx10 < nx10; ++kx10) x10 = (u16)(x10 ^ (u16)__funnelshift_l((x * x), (L | L), (u32)(u16)x));
            x10 = (u16)(x10 / ((u16)((u32)((((x == L)) ? y : (s32)x) >> ((gid - L) & 31u)) & 0x3ffu) | 1));
            u32 v11 = (u32)x10;
            x *= (u32)w6;
            u32 a12[8];
            for (u32 k13 = 0u; k13 < 8u; ++k13) a12[k13] = (((0x80000000u % 3u == 0u)) ? (u32)i3 : (threadIdx.x % (L | 1u))) + k13 * 0x2u;
            a12[fold((u64)(s64)w6) % 8u] += ((const uint2*)in)[L & 511u].x;
          }
          if ((isnan(((((u32)(u8)L & 32u) != 0u) ? __fdiv_rn(0.1f, __double2float_rz(5e-324)) : __ll2float_ru((s64)__umul64hi(w6, w6)))))) {
            w6 += (u64)min((s64)(u64)L, (s64)(u64)L);
          }
          u64 w14 = w6;
        }
      } else {
        if (((quotient(__float2int_rn(1.5f), rest(i3, (s32)x)) >= (s32)(s64)i3 * y))) {
          for (u32 k15 = 0u, nk15 = (__byte_perm(fold(0x8000000000000000ull), (~0x20u), fold(0x3cull)) & 3u); k15 < nk15; ++k15) {
            i3 = (~y);
            u32 a16[11];
            for (u32 k17 = 0u; k17 < 11u; ++k17) a16[k17] = L + k17 * 0x80000000u;
            a16[((u32)((const s16*)in)[k15 & 2046u] + (0x21u ^ L)) % 11u] += (0xffffu ^ (u32)__float2int_rd(0.1f));
            if (((lane_id() >= 21u))) break;
            u32 v18 = (u32)((s32)(x + L) >> (bits(3.4e38f) & 31u));
          }
        }
      }
    } break;
    case 1: {
    } break;
    case 2: {
    } break;
    case 3: {
    }
    case 4: {
    } break;
    case 5: {
    } break;
    case 6: {
    } break;
    case 7: {
    } break;
    default: {
    } break;
  }
  const u32 n20 = ((u32)((const s16*)in)[(u32)(u16)x & 2046u] & 7u);
  u32 m21 = m2;
  for (u32 k19 = 0u;; ++k19) {
    m21 = __ballot_sync(m21, k19 < n20);
    if (k19 >= n20) break;
  }
  return mix((u32)(s32)x, (x >> ((~(u32)__brev(threadIdx.x)) & 31u)));
}
// run: --kernel k13_3 --grid 1,3,2 --block 13,4,1 --arg u32[1024]=random:314 --arg u32[312]=0 --arg u32[4992]=0 --arg u32[160]=random:315 --arg u64[24]=random:316 --arg f32[8]=0 --arg f64[8]=0
__global__ void k13_3(const u32* in, u32* out, u32* scratch, u32* bins, u64* wide, float* sums, double* dsums) {
  const u32 t = threadIdx.x + 13u * (threadIdx.y + 4u * threadIdx.z);
  const u32 gid = t + 52u * (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z));
  const u32 L = lane_id();
  const u32 m = t / 32u == 1u ? 0xfffffu : 0xffffffffu;
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
  ((uchar4*)own8)[ptx_prmt_rc16((0x7fffffffu - L), 0x5u, 0x81544bd8u) & 1u] = make_uchar4((u8)L, (u8)ptx_prmt_rc16((0x7fffffffu - L), 0x5u, 0x81544bd8u), 3, 4);
  ((volatile u32*)own)[(u32)((u64)0xffu << 32 | 0x20u) & 3u] = (L & 0x1u);
  *own128 = make_uint4((((((lane_id() > 12u)) || ((0xffffffffu % 3u == 0u))) || ((lane_id() == 16u))) ? ptx_cvt_s16_f32((odd_float(blockDim.x) == odd_float(L) ? odd_float(0x100u) : __fadd_rn(f0, f0))) : (((threadIdx.z + blockIdx.y) - (u0 & t)) ^ t)), (t * t), bits(odd_float(L)), ((0x2u >> (threadIdx.x & 31u)) ^ (t + L)));
  s16 x22 = (s16)t;
  for (u32 kx22 = 0u, nx22 = (bits(odd_float(0x100u)) & 3u); kx22 < nx22; ++kx22) x22 = (s16)(x22 | (s16)u0);
  x22 = (s16)(x22 >> (blockDim.x & 7u));
  u32 v23 = (u32)x22;
  atomicMin((s32*)bins + 64 + (in[(0x2u * t) & 1023u] & 7u), ((((d0 <= d0)) || ((0x1u > gridDim.x))) ? (s32)((t * u0) - (t | gridDim.x)) : quotient(__mulhi(i0, i0), quotient((s32)L, (s32)blockIdx.x))));
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, v23);
  h = mix(h, (u32)i0);
  h = mix(h, fold(w0));
  h = mix(h, bits(f0));
  h = mix(h, bits(d0));
  h = mix(h, held[h & 3u]);
  out[gid] = h;
}

__device__ u32 k13_4_kept[960];
// run: --kernel k13_4 --grid 5,1,1 --block 96,1,1 --arg u32[1024]=random:595 --arg u32[480]=0 --arg u32[7680]=0 --arg u32[160]=random:596 --arg u64[24]=random:597 --arg f32[8]=0 --arg f64[8]=0
__global__ void k13_4(const u32* in, u32* out, u32* scratch, u32* bins, u64* wide, float* sums, double* dsums) {
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
  __shared__ u16 tile_u16[96];
  tile_u16[t] = (u16)t;
  __syncthreads();
  h = mix(h, bits(__ll2float_ru((s64)(((1e-45f == f0)) ? (u64)blockIdx.x : w0))));
  for (u32 k1 = 0u; k1 < 1u; ++k1) {
    *(volatile u64*)own64 = w0;
  }
  tile_u16[(t * 1u + 34u) % 96u] = (u16)(u32)(u16)0x100u;
  __syncthreads();
  u32 v2 = tile_u16[((t + 11u) % 96u)];
  __syncthreads();
  switch ((u32)((const s16*)in)[((u32)(u8)0x3u ^ 0x40u) & 2046u] % 8u) {
    case 0: {
      v2 *= (u32)rest((i0 >> (t & 31u)), quotient(i0, (s32)L));
      h = mix(h, ((~(u32)(s8)u0) % (((u32)(s8)v2 << ((u0 + L) & 31u)) | 1u)));
    }
    case 1: {
      float f3 = fminf(__fsqrt_rn(fminf(__fdiv_rd(odd_float(t), odd_float(0x1u)), odd_float(u0))), __int2float_rn((s32)(~L)));
      switch (((fold(ptx_bfe_s64((0x21ull >> ((threadIdx.z + blockIdx.y) & 63u)), bits(ptx_mul_sat(f3, f3)), 0x5u)) >> ((u32)(s16)(threadIdx.x >> (t & 31u)) & 31u)) * (((u32)(i0 >> (0x1fu & 31u)) * bits(f3)) - (bits(3.4e38f) | (u0 ^ 0x20u)))) % 5u) {
        case 0: {
          s16 x4 = (s16)(t + ((u32)(((u0 % 4u == 1u))) - (u0 * 0x5u)));
          for (u32 kx4 = 0u, nx4 = (lane_id() & 3u); kx4 < nx4; ++kx4) x4 = (s16)(x4 ^ (s16)((0x90798ea1u | lane_id()) << (bits(f0) & 31u)));
          x4 = (s16)(x4 >> (ptx_bfind_u32(threadIdx.x) & 7u));
          u32 v5 = (u32)x4;
          if (((((u32)(((v2 < L))) <= L)) && ((in[u0 & 1023u] > fold(w0))))) {
            if (((v2 % 2u == 0u))) {
              own8[in[(~0x1fu) & 1023u] & 7u] = (u8)(__byte_perm((u32)((s32)0x0u >> ((((threadIdx.x != L)) ? blockIdx.x : v2) & 31u)), (u32)(u16)fold(0x7ull), (((0xffffu == u0)) ? 0x80000000u : fold(w0))) & (u32)((u64)(L + L) * v2));
              h = mix(h, (u0 ^ threadIdx.y));
              f0 = rintf(fminf(f3, f0));
              w0 += (u64)(s64)i0 * i0;
            } else {
              u64 w6 = (((u64)(s64)i0 * (s32)v2 >> (gid & 63u)) ^ (u64)(s32)(gid * __dp4a(gid, threadIdx.y, L)));
            }
            u64 w7 = ((u64)((u32)(i0 >> (gid & 31u)) - (u0 & v5)) * (t ^ (v5 * gridDim.x)));
          }
        } break;
        case 1: {
          u0 &= (u32)((~(s32)(s64)(u64)0x21u) >> (((L % (v2 | 1u)) << ((((blockIdx.x & 64u) != 0u) ? threadIdx.x : 0x7fffffffu) & 31u)) & 31u));
        } break;
        default: {
          *own64 = w0;
          if (((((0xffu - (u32)(i0 >> (blockIdx.x & 31u))) % 3u == 0u)) && ((((u32)w0 < (v2 << (t & 31u)))) || (((0x100u * t) % 4u == 1u))))) {
            if (((lane_id() <= 0u))) {
              f0 = (((v2 & 2u) != 0u) ? f0 : __frcp_rn(f0));
              *(volatile u64*)own64 = ((u64)(s64)(s32)blockDim.x - (((lane_id() <= 12u)) ? w0 : __umul64hi((u64)0x80000000u, w0)));
            }
            u32 n8 = 5u;
            while (n8-- != 0u && ((__dsub_rn(-1.0, odd_double(w0)) == odd_double(w0)))) {
              h = mix(h, (u32)__rhadd(min((s32)v2, i0), __float2int_rd(f0)));
              h = mix(h, __funnelshift_lc((((0x2u >> (threadIdx.y & 31u)) / ((u32)((volatile u16*)own16)[lane_id() & 7u] | 1u)) ^ (((L < v2)) ? (v2 & 0x21u) : (t | L))), (((u32)(s8)0xffu & (t * v2)) & u0), in[(u32)own16[(0x40u / ((threadIdx.z + blockIdx.y) | 1u)) & 7u] & 1023u]));
            }
          }
        } break;
      }
    } break;
    case 2: {
      h = mix(h, ((((v2 % 4u == 1u)) ? 0xffu : (L & L)) % (__funnelshift_rc(bits(ptx_min_nan(1e-45f, f0)), (u0 & threadIdx.x), bits(f0)) | 1u)));
    }
    case 3: {
      h = mix(h, 0xffu);
    } break;
    case 4: {
    } break;
    default: {
      h = mix(h, in[(ptx_bfind_shiftamt_u32((~L)) ^ __vneg4(fold(0x9d3b913c64063272ull))) & 1023u]);
    }
  }
  v2 -= 0x7fffffffu;
  u32 a9[3];
  for (u32 k10 = 0u; k10 < 3u; ++k10) a9[k10] = ptx_bfind_shiftamt_u32((u32)(u16)L) + k10 * 0x100u;
  a9[lane_id() % 3u] += bits(ptx_mul_sat(__fadd_rd(__fmaf_rn(__fsub_ru(f0, f0), fabsf(f0), odd_float(blockIdx.x)), ptx_fma_sat(f0, f0, f0)), ldexpf(floorf(__fsub_rd(f0, odd_float(threadIdx.y))), (s32)((u32)(s32)(L * threadIdx.x) % 300u) - 150)));
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

// run: --kernel k13_5 --grid 1,1,1 --block 70,1,1 --arg u32[1024]=random:421 --arg u32[70]=0 --arg u32[1120]=0 --arg u32[160]=random:422 --arg u64[24]=random:423 --arg f32[8]=0 --arg f64[8]=0
__global__ void k13_5(const u32* in, u32* out, u32* scratch, u32* bins, u64* wide, float* sums, double* dsums) {
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
  u32 v1 = (u32)atomicCAS(own16 + (u0 & 7u), (u16)(fold((u64)0x5u) & 1u), (u16)((!(((threadIdx.x >= u0)))) ? ((0xffu & t) - __ldcs(in + (gid & 1023u))) : fold((0xd8a186cde0093df7ull | (u64)threadIdx.x))));
  v1 |= (((((odd_double(w0) == d0)) ? v1 : t) * (((v1 > 0x0u)) ? threadIdx.x : t)) ^ ((u0 - 0xffu) * v1));
  own8[threadIdx.y & 7u] = (u8)(u32)__mulhi(rest((s32)(u0 + 0x16u), max(i0, (s32)lane_id())), ((((0x7u & 2u) != 0u) ? (s32)0xffffffffu : (s32)t) >> ((L * L) & 31u)));
  *own64 = ((u64)min((s64)w0, (s64)w0) | __umul64hi((w0 + (u64)t), ((u64)L * L)));
  if (((lane_id() > 2u))) atomicAdd(&bins[0 + (bits(__fsub_rn(odd_float(t), f0)) & 7u)], (blockIdx.x >> (u0 & 31u)));
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
  for (u32 i = t; i < 64u; i += 70u) atomicXor(&bins[80u + i], tally[i] * (gid / 70u + 1u));
}

__device__ u32 k13_6_kept[84];
// run: --kernel k13_6 --grid 1,3,2 --block 7,1,1 --arg u32[1024]=random:680 --arg u32[42]=0 --arg u32[672]=0 --arg u32[160]=random:681 --arg u64[24]=random:682 --arg f32[8]=0 --arg f64[8]=0
__global__ void k13_6(const u32* in, u32* out, u32* scratch, u32* bins, u64* wide, float* sums, double* dsums) {
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
  __shared__ float tile_float[7];
  __shared__ uint4 tile_uint4[7];
  tile_float[t] = (float)t;
  tile_uint4[t] = make_uint4(t, gid, 1u, 2u);
  __syncthreads();
  h = mix(h, (u32)(s32)(u16)(u32)w0);
  atomicMax((s32*)bins + 72 + (bits(ptx_min_nan(f0, fminf(f0, f0))) & 7u), (s32)((L + t) - (u32)(s32)u0));
  const bool c1 = (((fold(((u64)t << 32 | gridDim.x)) & 16u) != 0u) && (((lane_id() >= 25u)) || ((((u64)threadIdx.x * 0xbu) <= min(w0, (u64)t)))));
  const u32 m2 = __ballot_sync(m, c1);
  if (c1) {
    ((volatile u32*)own)[((u32)(s32)t & (u32)(s8)t) & 3u] = (in[0xffffffffu & 1023u] * (u32)__dp4a(i0, i0, i0));
  }
  if (((u0 % 5u == 0u))) tile_uint4[(t * 17u + 5u) % 7u] = make_uint4((fold(__umul64hi((u64)(s32)L, ((u64)u0 << 32 | blockDim.x))) % ((in[(((blockDim.x == t)) ? 0xffffffffu : blockIdx.x) & 1023u] >> (((u32)(u8)gid - (u0 << (0x89e442eau & 31u))) & 31u)) | 1u)), (u32)(u8)L, min(t, t), (u32)0x3ull);
  __syncthreads();
  u32 v3 = tile_uint4[(6u - t)].x;
  __syncthreads();
  if ((((0xffffffffu % 3u == 1u)) && ((t & 8u) != 0u))) tile_float[(t * 8u + 17u) % 7u] = __frcp_rz(__uint2float_rn((u32)__mulhi((s32)t, i0)));
  __syncthreads();
  float f4 = tile_float[(6u - t)];
  __syncthreads();
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, v3);
  h = mix(h, (u32)i0);
  h = mix(h, fold(w0));
  h = mix(h, bits(f0));
  h = mix(h, bits(f4));
  h = mix(h, bits(d0));
  h = mix(h, held[h & 3u]);
  out[gid] = h;
}

__device__ u32 k13_7_kept[12];
// run: --kernel k13_7 --grid 1,1,1 --block 6,1,1 --shared 24 --arg u32[1024]=random:748 --arg u32[6]=0 --arg u32[96]=0 --arg u32[160]=random:749 --arg u64[24]=random:750 --arg f32[8]=0 --arg f64[8]=0
__global__ void k13_7(const u32* in, u32* out, u32* scratch, u32* bins, u64* wide, float* sums, double* dsums) {
  const u32 t = threadIdx.x + 6u * (threadIdx.y + 1u * threadIdx.z);
  const u32 gid = t + 6u * (blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z));
  const u32 L = lane_id();
  const u32 m = t / 32u == 0u ? 0x3fu : 0xffffffffu;
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
  __shared__ u64 tile_u64[6];
  DYNAMIC_SHARED(dynamic);
  dynamic[t] = t;
  tile_u64[t] = (u64)t;
  __syncthreads();
  if (((((threadIdx.z + blockIdx.y) - L) < 0x20u))) own[((lane_id() % (t | 1u)) - (t / (t | 1u))) & 3u] += L;
  dynamic[(t * 7u + 23u) % 6u] = (((((0x7fffffffu << (0x1u & 31u)) & 4u) != 0u) || (((lane_id() <= 1u)) && ((lane_id() % 5u == 0u)))) ? bits(1.0f) : u0);
  __syncthreads();
  u32 v1 = dynamic[(ptx_cvt_sat_s8_s32((0x0u / (0x3u | 1u))) % 6u)];
  __syncthreads();
  v1 = ((v1 | 0x0u) + ptx_prmt(0x40u, (u0 & 63u), 0x1fu));
  u32 v3 = from_member(m, (u32)(in[u0 & 1023u]), (u32)__float2int_rz(odd_float(v1)));
  i0 = (s32)(s16)v3;
  const u32 n5 = ((bits(1.0f) + (u32)i0) & 7u);
  u32 m6 = m;
  for (u32 k4 = 0u;; ++k4) {
    m6 = __ballot_sync(m6, k4 < n5);
    if (k4 >= n5) break;
    u64 w7 = (u64)(s32)blockDim.x;
    i0 = (s32)(s16)(u32)__mulhi(min((s32)(0x80000000u - k4), __mulhi(i0, (s32)u0)), __float2int_rd(__fmul_rd(1.17549435e-38f, f0)));
    i0 = (((v3 > threadIdx.y)) ? min(i0, (s32)(threadIdx.z + blockIdx.y)) : (s32)(s64)w7);
    switch ((u0 & gid) % 9u) {
      case 0: {
        if ((((0x40u % 2u == 1u)) || ((1.0f <= odd_float(t))))) own[t & 3u] += (((f0 >= f0)) ? k4 : bits(f0));
        u8 x8 = (u8)((u32)__float2uint_rd(f0) + (((t % 5u == 0u)) ? 0x80000000u : L));
        for (u32 kx8 = 0u, nx8 = (threadIdx.x % 4u); kx8 < nx8; ++kx8) x8 = (u8)(x8 | (u8)__vneg4((u0 / (0xffu | 1u))));
        x8 = (u8)(x8 % ((u8)(fold(max((u64)threadIdx.y, w0)) & 0x3ffu) | 1));
        u32 v9 = (u32)x8;
        h = mix(h, bits(__fmaf_rd(1.17549435e-38f, -0.0f, odd_float(threadIdx.x))));
      }
      case 1: {
        if (((fold((u64)__float2ll_ru(__fdiv_ru(odd_float(gridDim.x), ptx_fma_sat(odd_float(gridDim.x), 0.0f, odd_float(k4))))) & 16u) != 0u)) {
          h = mix(h, ((u32)((volatile u16*)own16)[fold((u64)__float2ll_rn(f0)) & 7u] / ((u32)own16[(t + u0) & 7u] | 1u)));
          ((uchar4*)own8)[((v3 / (v3 | 1u)) << ((0x21u << (threadIdx.y & 31u)) & 31u)) & 1u] = make_uchar4((u8)(u32)((s32)(gridDim.x - (u32)(u16)fold(w7)) >> (fold((u64)(s64)w7) & 31u)), (u8)((v3 / (v3 | 1u)) << ((0x21u << (threadIdx.y & 31u)) & 31u)), 3, 4);
          h = mix(h, ((threadIdx.x % (v1 | 1u)) + fold(w0)));
        } else {
          if (((L >= L))) {
            h = mix(h, (bits(__uint2float_rn(u0)) << (((L & 0x2u) + (u32)__double2uint_rd(d0)) & 31u)));
            i0 = min(rest(rest((s32)(u16)k4, (s32)(s16)(threadIdx.z + blockIdx.y)), (((k4 % 4u == 1u)) ? i0 : (s32)t)), (~(s32)v3));
            Rolled<u32, 6> ra10;
            u32 (&a10)[6] = ra10.v;
            for (u32 k11 = 0u; k11 < 6u; ++k11) a10[k11] = (fold((u64)__float2ull_rz(odd_float(lane_id()))) ^ u0) + k11 * 0x3fu;
            a10[(u32)(min((s32)L, (s32)threadIdx.x) >> (k4 & 31u)) % 6u] = fold((u64)__float2ll_ru(fmaxf(__uint2float_rn(0x80000000u), (((gid % 4u == 1u)) ? 0.0f : 3.4e38f))));
          }
          if (((lane_id() > 21u))) {
            i0 = __float2int_rn(f0);
            own16[(u32)__double2uint_ru(__dadd_ru(odd_double(w0), 1e-310)) & 7u] = (u16)(u32)own16[bits(__uint2float_rd((u32)i0)) & 7u];
            *(volatile u64*)own64 = ((min(w7, (u64)0x39u) | ((u64)u0 * 0xffu)) << ((((k4 >= blockDim.x)) ? (((d0 != 0.5)) ? threadIdx.x : u0) : threadIdx.x) & 63u));
            h = mix(h, ((lane_id() / (gridDim.x | 1u)) | (k4 << (u0 & 31u))));
          }
        }
        f0 = odd_float(threadIdx.x);
      }
      case 2: {
        h = mix(h, (u32)(u16)(~(u32)((const s8*)in)[(blockIdx.x >> (blockIdx.x & 31u)) & 4092u]));
      } break;
      case 3: {
      }
      case 4: {
        h = mix(h, fold((u64)__double2ll_rd(fmax(odd_double((w7 + w0)), __fma_rd(fmin(odd_double(w0), d0), d0, fmax(odd_double(w7), d0))))));
      }
      case 5: {
        h = mix(h, ((bits(__double2float_rd(d0)) - ((((w7 != (u64)v3)) ? 0x1fu : v3) % ((gid / (gid | 1u)) | 1u))) << (bits(__fadd_rz(1e10f, __fdiv_rz(0.5f, 1.5f))) & 31u)));
      }
      case 6: {
        h = mix(h, bits(f0));
      } break;
    }
    const bool c12 = (((bits(__fmaf_rn(f0, f0, odd_float(u0))) & 8u) != 0u) && ((lane_id() <= 9u)));
    const u32 m13 = __ballot_sync(m6, !c12);
    if (c12) continue;
    h = mix(h, (t - v1));
  }
  own8[(bits(f0) - (v3 & 0x40u)) & 7u] ^= (u8)bits(odd_float(ptx_mul_wide_s16(v1, u0)));
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, v1);
  h = mix(h, v3);
  h = mix(h, (u32)i0);
  h = mix(h, fold(w0));
  h = mix(h, bits(f0));
  h = mix(h, bits(d0));
  h = mix(h, held[h & 3u]);
  out[gid] = h;
}

__device__ __noinline__ void k13_8_through0(u32& x, u32* at, u32 v) {
  if (v % 7u) x = mix(x, at[v & 3u]);
  at[x & 3u] += v * 8250u;
}

__device__ __noinline__ void k13_8_through1(u32& x, u32* at, u32 v) {
  if (v % 3u) x = mix(x, at[v & 3u]);
  at[x & 3u] += v * 54142u;
}

__device__ __noinline__ void k13_8_through2(u32& x, u32* at, u32 v) {
  if (v % 4u) x = mix(x, at[v & 3u]);
  at[x & 3u] += v * 54903u;
}

__device__ __noinline__ void k13_8_through3(u32& x, u32* at, u32 v) {
  if (v % 7u) x = mix(x, at[v & 3u]);
  at[x & 3u] += v * 39313u;
}
// run: --kernel k13_8 --grid 3,1,1 --block 10,4,1 --arg u32[1024]=random:509 --arg u32[120]=0 --arg u32[1920]=0 --arg u32[160]=random:510 --arg u64[24]=random:511 --arg f32[8]=0 --arg f64[8]=0
__global__ void k13_8(const u32* in, u32* out, u32* scratch, u32* bins, u64* wide, float* sums, double* dsums) {
  const u32 t = threadIdx.x + 10u * (threadIdx.y + 4u * threadIdx.z);
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
  s32 i1 = (s32)(bits(odd_float(L)) * (u32)(u8)ptx_szext_clamp_u32(u0, 0x2u));
  u32 a2[6];
  for (u32 k3 = 0u; k3 < 6u; ++k3) a2[k3] = u0 + k3 * 0x1u;
  a2[(u32)i1 % 6u] += ptx_lop3_e2(bits(__dadd_rn(__dsub_rz(d0, 0.5), (((d0 <= odd_double(w0))) ? d0 : d0))), ((const uint2*)in)[fold(__brevll(w0)) & 511u].y, (threadIdx.x & 63u));
  float f4 = fmaxf(-(1e-40f), (((0x21u & 32u) != 0u) ? f0 : f0));
  k13_8_through0(u0, own, bits(__drcp_rd(d0)));
  if (((w0 > 0x5ull))) {
    k13_8_through1(u0, held, (u32)__half2int_rn(__double2half(__fma_rd(odd_double((u64)0x40u), d0, -1.0))));
    h = mix(h, bits((__heq(__hmul_rn(__high2half(__hfma2(__halves2half2(__ushort_as_half((u16)t), __ushort_as_half((u16)(threadIdx.z + blockIdx.y))), __halves2half2(__ushort_as_half((u16)L), __ushort_as_half((u16)0xfffffffeu)), __halves2half2(__ushort_as_half((u16)gid), __ushort_as_half((u16)threadIdx.y)))), __double2half(0.1)), __hfma_relu(__ushort_as_half((u16)0x1fu), __hadd_sat(__ushort_as_half((u16)u0), __ushort_as_half((u16)u0)), __double2half(odd_double(w0)))) ? __ushort_as_half((u16)lane_id()) : __ushort_as_half((u16)t))));
  } else {
    atomicSub(&bins[56 + ((bits(0.0f) % (bits(__ushort_as_half((u16)L)) | 1u)) & 7u)], 1u);
    if ((((u0 * L) & 16u) != 0u)) {
      k13_8_through2(u0, held, 0xffffffffu);
      Rolled<u32, 11> ra5;
      u32 (&a5)[11] = ra5.v;
      for (u32 k6 = 0u; k6 < 11u; ++k6) a5[k6] = own[bits(f4) & 3u] + k6 * 0x1fu;
      a5[bits(__high2half(__lowhigh2highlow(__halves2half2(__ushort_as_half((u16)u0), __ushort_as_half((u16)lane_id()))))) % 11u] ^= 0x2au;
      h = mix(h, blockDim.x);
    } else {
      if (((t < bits(1.0)))) {
        u64 w7 = (u64)(s64)w0;
        k13_8_through3(u0, held, bits(__ushort_as_half((u16)blockIdx.x)));
      } else {
        const u32* p9 = ((bits(__ushort_as_half((u16)u0)) & 4u) != 0u) ? held + (bits(__ushort_as_bfloat16((u16)blockDim.x)) & 3u) : in + (fold((u64)__double2ll_rz(2.5)) & 1023u);
        u32 v8 = *p9;
        u32* p10 = ((bits(odd_double(w0)) & 32u) != 0u) ? own + (fold(ptx_bfe_u64(w0, u0, 0x7u)) & 3u) : held + (bits(__ushort_as_half((u16)blockDim.x)) & 3u);
        *p10 ^= u0;
        bool x11 = ((lane_id() >= 6u));
        for (u32 kx11 = 0u; kx11 < (in[bits(-9223372036854775808.0) & 1023u] % 3u); ++kx11) x11 = x11 != ((((t ^ v8) % 4u == 1u)));
        u32 v12 = (u32)x11;
        for (u32 k13 = 0u, nk13 = (lane_id() & 3u); k13 < nk13; ++k13) {
          if ((((u32)own16[L & 7u] != (u0 & v8)))) break;
          Bundle g14[2];
          for (u32 kg14 = 0u; kg14 < 2u; ++kg14) g14[kg14] = Bundle{(t << (v12 & 31u)) + kg14, (u8)kg14, (u16)bits(__ushort_as_bfloat16((u16)L)), ((u64)gridDim.x >> (L & 63u)), __fmul_rd(-0.0f, 1e-40f), 1u, odd_double(w0)};
          g14[fold((u64)__float2ull_ru(rintf(f0))) % 2u].c ^= (u8)bits(__ushort_as_bfloat16((u16)L));
          g14[(v12 - (u32)__float2int_rn(f4)) % 2u] = g14[bits(fmin(-1.0, d0)) % 2u];
          u32 v15 = g14[fold(__brevll(w0)) % 2u].b;
          u64 w16 = g14[bits(__double2half(d0)) % 2u].d;
          double d17 = g14[bits(__fmul_rz(f0, f4)) % 2u].f;
          if (((bits(f0) & 8u) != 0u)) continue;
        }
        h = mix(h, (u32)((s32)(u16)(threadIdx.z + blockIdx.y) >> ((gridDim.x * bits(1e-45f)) & 31u)));
      }
      u0 -= (~(bits(__dadd_rd(d0, 1.7e308)) * L));
    }
    for (u32 k18 = 0u, nk18 = (bits(__half2float(__ushort_as_half((u16)L))) & 7u); k18 < nk18; ++k18) {
      u0 += bits(__hfma_sat(__ushort_as_half((u16)t), __ushort_as_half((u16)L), __ushort_as_half((u16)gid)));
      const u32* p20 = ((L < bits(-2147483648.0f))) ? held + ((u32)__half2ushort_rz(__ushort_as_half((u16)0x2u)) & 3u) : own + ((u32)i1 & 3u);
      u32 v19 = *p20;
      f0 = __fadd_rz(__int2float_rd((s32)(u32)(((L & 32u) != 0u))), __int2float_rd((s32)(u0 - t)));
      u32 v21 = L;
      h = mix(h, (u32)quotient(i0, i1));
    }
    h = mix(h, L);
  }
  u32 n22 = 5u;
  while (n22-- != 0u && (((threadIdx.y << (u0 & 31u)) >= bits(d0)))) {
  }
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, (u32)i0);
  h = mix(h, (u32)i1);
  h = mix(h, fold(w0));
  h = mix(h, bits(f0));
  h = mix(h, bits(f4));
  h = mix(h, bits(d0));
  h = mix(h, held[h & 3u]);
  out[gid] = h;
}

// run: --kernel k13_9 --grid 2,2,1 --block 45,1,1 --shared 180 --arg u32[1024]=random:743 --arg u32[180]=0 --arg u32[2880]=0 --arg u32[160]=random:744 --arg u64[24]=random:745 --arg f32[8]=0 --arg f64[8]=0
__global__ void k13_9(const u32* in, u32* out, u32* scratch, u32* bins, u64* wide, float* sums, double* dsums) {
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
  __shared__ u8 tile_u8[45];
  DYNAMIC_SHARED(dynamic);
  dynamic[t] = t;
  tile_u8[t] = (u8)t;
  __syncthreads();
  const bool c1 = ((__fsqrt_ru(__fsub_rd(__fmaf_rz(f0, f0, odd_float(t)), (f0 >= odd_float(t) ? odd_float(threadIdx.y) : f0))) <= __fadd_rn(odd_float(bits(f0)), fabsf(__int2float_rd((s32)t)))));
  const u32 m2 = __ballot_sync(m, c1);
  if (c1) {
    if (((lane_id() <= 12u))) {
      u32 a3[3];
      for (u32 k4 = 0u; k4 < 3u; ++k4) a3[k4] = bits(__fmaf_rn(odd_float(threadIdx.y), -2147483648.0f, f0)) + k4 * 0x2u;
      a3[((((t != u0)) ? 0x5u : L) / (0x22793a89u | 1u)) % 3u] = ((const uint2*)in)[0x3u & 511u].y;
      h = mix(h, (gid & bits(odd_float(L))));
    } else {
      atomicMin(&bins[8 + (in[(0x0u << (L & 31u)) & 1023u] & 7u)], __dp4a(__byte_perm((u32)((const ushort4*)own16)[t & 1u].x, L, in[t & 1023u]), L, (fixed[blockIdx.x & 63u] / (fold(w0) | 1u))));
      switch ((((((lane_id() > 14u)) ? L : 0x3fu) + (0x21u * blockDim.x)) ^ (u0 + ((const uint2*)in)[gridDim.x & 511u].x)) % 9u) {
        case 0: {
          u32 a5[10];
          for (u32 k6 = 0u; k6 < 10u; ++k6) a5[k6] = fold((u64)(s32)L) + k6 * 0xffffu;
          a5[(u32)(((lane_id() <= blockIdx.x)) ? i0 : i0) % 10u] ^= bits((((t <= threadIdx.x)) ? odd_float(t) : odd_float(L)));
          h = mix(h, (u0 * u0));
          h = mix(h, (((blockDim.x > L)) ? gridDim.x : blockDim.x));
        } break;
        case 1: {
          h = mix(h, fold((u64)(s64)((u64)0x0u - w0)));
        }
        case 2: {
          if (((lane_id() <= 8u))) atomicOr(&bins[32 + ((u32)((s32)t >> (0x40u & 31u)) & 7u)], own128->y);
          h = mix(h, t);
        }
        case 3: {
          h = mix(h, (L & L));
        } break;
        case 4: {
          const u32* p8 = (((blockIdx.x != threadIdx.y)) && ((t % 3u == 1u))) ? in + (t & 1023u) : held + (L & 3u);
          u32 v7 = *p8;
          u32* p9 = ((ptx_dp2a_lo_s32_u32(gridDim.x, (lane_id() & 63u), 0x100u) <= (L - L))) ? own + (gid & 3u) : held + (L & 3u);
          *p9 = (u32)own8[(ptx_sad_u16((threadIdx.z + blockIdx.y), 0x5u, L) >> ((u32)own8[0x480564bbu & 7u] & 31u)) & 7u];
          h = mix(h, (u32)(s16)in[blockIdx.x & 1023u]);
        } break;
        case 5: {
          ((ushort4*)own16)[((L * t) >> ((u32)((const u8*)in)[L & 4092u] & 31u)) & 1u] = make_ushort4((u16)bits(roundf(__fdiv_rn(odd_float(t), __double2float_ru(1.7e308)))), (u16)((L * t) >> ((u32)((const u8*)in)[L & 4092u] & 31u)), 3, 4);
          h = mix(h, in[(gid * 33u + 29u) & 1023u]);
          h = mix(h, (L ^ 0x7u));
        } break;
        case 6: {
          for (u32 k10 = 0u, nk10 = (threadIdx.x % 4u); k10 < nk10; ++k10) {
            *own64 = (u64)k10;
            *own64 = ((u64)((((lane_id() <= 16u)) && ((t & 1u) != 0u)) ? ((L % (t | 1u)) + (blockIdx.x - L)) : bits(__fmul_rz(f0, -1.0f))) * u0);
            *(volatile u64*)own64 = (u64)0xffffu;
            atomicMin((s32*)bins + 64 + (fold(((u64)u0 | (u64)k10)) & 7u), __float2int_ru(ptx_add_ftz(__fdiv_rn(f0, odd_float(k10)), (((lane_id() == 1u)) ? -2147483648.0f : odd_float(0x9d615c97u)))));
            h = mix(h, (u32)((((0x21u % 5u == 0u)) && ((L % 4u == 1u)))));
          }
          h = mix(h, fold(((u64)__double2ull_rn(d0) << ((u32)((const uchar4*)own8)[L & 1u].w & 63u))));
        } break;
        default: {
          h = mix(h, (u32)((s32)L >> (threadIdx.y & 31u)));
          u16 x11 = (u16)(u32)((const u8*)in)[blockIdx.x & 4092u];
          for (u32 kx11 = 0u, nx11 = (lane_id() & 3u); kx11 < nx11; ++kx11) x11 = (u16)(x11 + (u16)0x8800d1d9u);
          x11 = (u16)(x11 % ((u16)((t * ((const uint2*)in)[u0 & 511u].x) & 0x3ffu) | 1));
          u32 v12 = (u32)x11;
          h = mix(h, fixed[48]);
        }
      }
      h = mix(h, own128->w);
    }
  }
  h = mix(h, (u32)__clz((u32)__dp4a(i0, (s32)u0, (s32)gid)));
  if (((!(((lane_id() != 0u)))) || ((odd_double((u64)t) < d0)))) dynamic[(t * 16u + 24u) % 45u] = ((u32)(s32)L ^ (u32)((const uchar4*)in)[(L ^ L) & 1023u].w);
  __syncthreads();
  u32 v13 = dynamic[((t + 13u) % 45u)];
  __syncthreads();
  const bool c14 = (isnan((f0 >= f0 ? f0 : 1e10f)));
  const u32 m15 = __ballot_sync(m, c14);
  if (c14) {
    i0 = quotient((((w0 > (w0 - w0))) ? __rhadd(__float2int_rn(odd_float(L)), (s32)(0x3u * lane_id())) : (~rest(i0, i0))), (s32)(((const uint4*)in)[(u32)((const s8*)in)[(threadIdx.z + blockIdx.y) & 4092u] & 255u].z - (u32)(quotient(i0, i0) >> ((u32)((const ushort4*)own16)[v13 & 1u].z & 31u))));
  }
  u32 n16 = 5u;
  do {
  } while (--n16 != 0u && ((in[u0 & 1023u] >= (v13 / (gid | 1u)))));
  __stcg(own + ((u32)own16[(u32)(s8)threadIdx.y & 7u] & 3u), bits(f0));
  s16 x17 = (s16)v13;
  for (u32 kx17 = 0u, nx17 = 4u; kx17 < nx17; ++kx17) x17 = (s16)(x17 | (s16)((lane_id() - lane_id()) | (u32)((const ushort4*)in)[u0 & 511u].w));
  x17 = (s16)(x17 >> (in[gid & 1023u] & 7u));
  u32 v18 = (u32)x17;
  u32 v19 = __match_any_sync(m, ((u32)((const s16*)in)[(u0 >> (threadIdx.y & 31u)) & 2046u] & 7u));
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, v13);
  h = mix(h, v18);
  h = mix(h, v19);
  h = mix(h, (u32)i0);
  h = mix(h, fold(w0));
  h = mix(h, bits(f0));
  h = mix(h, bits(d0));
  h = mix(h, held[h & 3u]);
  out[gid] = h;
}
