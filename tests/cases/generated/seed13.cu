// Made by tests/tools/random_kernels.py --seed 13 --kernels 10 --size 25: what each must leave in its buffers stands in the .out beside it.
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
__device__ void copy_4(void* to, const void* from) { asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" :: "r"((u32)__cvta_generic_to_shared(to)), "l"(from) : "memory"); }
__device__ void copy_8(void* to, const void* from) { asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" :: "r"((u32)__cvta_generic_to_shared(to)), "l"(from) : "memory"); }
__device__ void copy_16(void* to, const void* from) { asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"((u32)__cvta_generic_to_shared(to)), "l"(from) : "memory"); }
__device__ void copies_done() { asm volatile("cp.async.wait_all;" ::: "memory"); }
__device__ u32 ptx_add_carry(u32 a, u32 b, u32 c, u32 d) { u32 r; asm("{.reg .u32 l, h, c; add.cc.u32 l, %1, %3; addc.cc.u32 h, %2, %4; addc.u32 c, 0, 0; mad.lo.u32 %0, h, 3, c;}" : "=&r"(r) : "r"(a), "r"(b), "r"(c), "r"(d)); return r; }
__device__ float ptx_add_ftz(float a, float b) { float r; asm("add.rn.ftz.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); return r; }
__device__ u32 ptx_bfi_b32(u32 a, u32 b, u32 c, u32 d) { u32 r; asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(a), "r"(b), "r"(c), "r"(d)); return r; }
__device__ u32 ptx_bfind_s32(u32 a) { u32 r; asm("bfind.s32 %0, %1;" : "=r"(r) : "r"(a)); return r; }
__device__ u32 ptx_bfind_u32(u32 a) { u32 r; asm("bfind.u32 %0, %1;" : "=r"(r) : "r"(a)); return r; }
__device__ u32 ptx_bmsk_clamp(u32 a, u32 b) { u32 r; asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); return r; }
__device__ u32 ptx_cnot_b32(u32 a) { u32 r; asm("cnot.b32 %0, %1;" : "=r"(r) : "r"(a)); return r; }
__device__ u32 ptx_cvt_s16_f32(float a) { u32 r; asm("{.reg .b16 a; cvt.rmi.s16.f32 a, %1; cvt.u32.u16 %0, a;}" : "=&r"(r) : "f"(a)); return r; }
__device__ u32 ptx_cvt_s32_s8(u32 a) { u32 r; asm("cvt.s32.s8 %0, %1;" : "=r"(r) : "r"(a)); return r; }
__device__ u32 ptx_cvt_sat_s16_u32(u32 a) { u32 r; asm("{.reg .b16 a; cvt.sat.s16.u32 a, %1; cvt.s32.s16 %0, a;}" : "=&r"(r) : "r"(a)); return r; }
__device__ u32 ptx_cvt_sat_u8_f32(float a) { u32 r; asm("cvt.rni.sat.u8.f32 %0, %1;" : "=r"(r) : "f"(a)); return r; }
__device__ u32 ptx_cvt_u32_u16(u32 a) { u32 r; asm("{.reg .b16 a; cvt.u16.u32 a, %1; cvt.u32.u16 %0, a;}" : "=&r"(r) : "r"(a)); return r; }
__device__ float ptx_fma_sat(float a, float b, float c) { float r; asm("fma.rn.sat.f32 %0, %1, %2, %3;" : "=f"(r) : "f"(a), "f"(b), "f"(c)); return r; }
__device__ u32 ptx_lop3_e2(u32 a, u32 b, u32 c) { u32 r; asm("lop3.b32 %0, %1, %2, %3, 0xe2;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ u32 ptx_mad_carry(u32 a, u32 b, u32 c, u32 d) { u32 r; asm("{.reg .u32 l; mad.lo.cc.u32 l, %1, %2, %3; madc.hi.u32 %0, %1, %2, %4;}" : "=&r"(r) : "r"(a), "r"(b), "r"(c), "r"(d)); return r; }
__device__ float ptx_min_nan(float a, float b) { float r; asm("min.NaN.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); return r; }
__device__ u32 ptx_mul24_hi_u32(u32 a, u32 b) { u32 r; asm("mul24.hi.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); return r; }
__device__ u32 ptx_prmt_rc16(u32 a, u32 b, u32 c) { u32 r; asm("prmt.b32.rc16 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ u32 ptx_sad_u16(u32 a, u32 b, u32 c) { u32 r; asm("{.reg .b16 a, b, c; cvt.u16.u32 a, %1; cvt.u16.u32 b, %2; cvt.u16.u32 c, %3; sad.u16 a, a, b, c; cvt.u32.u16 %0, a;}" : "=&r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ u32 ptx_set_hs_f32(u32 a, u32 b) { u32 r; asm("{.reg .f32 d; set.hs.f32.u32 d, %1, %2; mov.b32 %0, d;}" : "=&r"(r) : "r"(a), "r"(b)); return r; }
__device__ u32 ptx_setp_unordered(float a, float b) { u32 r; asm("{.reg .pred p, q; .reg .u32 t; setp.ltu.f32 p|q, %1, %2; selp.u32 %0, 1, 0, p; setp.geu.f32 p, %1, %2; selp.u32 t, 2, 0, p; or.b32 %0, %0, t; setp.equ.f32 p, %1, %2; selp.u32 t, 4, 0, p; or.b32 %0, %0, t; setp.neu.f32 p, %1, %2; selp.u32 t, 8, 0, p; or.b32 %0, %0, t; setp.nan.f32 p, %1, %2; selp.u32 t, 16, 0, p; or.b32 %0, %0, t; setp.num.f32 p, %1, %2; selp.u32 t, 32, 0, p; or.b32 %0, %0, t; setp.ne.f32 p, %1, %2; selp.u32 t, 64, 0, p; or.b32 %0, %0, t;}" : "=&r"(r) : "f"(a), "f"(b)); return r; }
__device__ u32 ptx_shl_b32(u32 a, u32 b) { u32 r; asm("shl.b32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); return r; }
__device__ u64 ptx_shl_b64(u64 a, u32 b) { u64 r; asm("shl.b64 %0, %1, %2;" : "=l"(r) : "l"(a), "r"(b)); return r; }
__device__ u32 ptx_shr_s16(u32 a, u32 b) { u32 r; asm("{.reg .b16 a; cvt.u16.u32 a, %1; shr.s16 a, a, %2; cvt.u32.u16 %0, a;}" : "=&r"(r) : "r"(a), "r"(b)); return r; }
__device__ u64 ptx_shr_s64(u64 a, u32 b) { u64 r; asm("shr.s64 %0, %1, %2;" : "=l"(r) : "l"(a), "r"(b)); return r; }
__device__ u32 ptx_shr_u32(u32 a, u32 b) { u32 r; asm("shr.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); return r; }
__device__ u32 ptx_slct_s32(u32 a, u32 b, u32 c) { u32 r; asm("slct.b32.s32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
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

// run: --kernel k13_0 --grid 2,2,1 --block 45,1,1 --arg u32[1024]=random:533 --arg u32[180]=0 --arg u32[2880]=0 --arg u32[160]=random:534 --arg u64[24]=random:535 --arg f32[8]=0 --arg f64[8]=0
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
    u32 n1 = 2u;
    do {
      float f2 = __fsqrt_ru(f0);
      own16[ptx_shr_s16((u32)__float2uint_rn(odd_float(threadIdx.y)), 0x3u) & 7u] = (u16)(in[t & 1023u] * (u0 % (u0 | 1u)));
      own16[fold((u64)__double2ull_rd(odd_double(w0))) & 7u] = (u16)(u32)own8[t & 7u];
      w0 = ((u64)ptx_cvt_s32_s8((u32)((const s16*)in)[t & 2046u]) << 32 | (bits(odd_float(L)) * (u32)__float2int_rn(f0)));
    } while (--n1 != 0u && ((t % 4u == 0u)));
    if (((f0 <= 4294967296.0f))) {
      if (((0x0u % 3u == 1u))) {
        u32 a3[2];
        for (u32 k4 = 0u; k4 < 2u; ++k4) a3[k4] = ptx_cvt_s32_s8(bits(f0)) + k4 * 0xffffu;
        a3[(u32)(0x20ull & (u64)t) % 2u] ^= (u32)(s32)(u8)(bits(0.1f) + (gridDim.x | t));
        s16 x5 = (s16)((u32)__ffsll(((u64)(s32)L + __brevll((u64)blockIdx.x))) - (u32)(((L & 4u) != 0u) ? (u64)__double2ull_rd(d0) : (((L == u0)) ? w0 : (u64)gid)));
        for (u32 kx5 = 0u, nx5 = (threadIdx.x % 4u); kx5 < nx5; ++kx5) x5 = (s16)(x5 | (s16)((u32)__double2int_rn(1.0) * bits(3.4e38f)));
        x5 = (s16)(x5 >> ((u32)__double2uint_rz(d0) & 7u));
        u32 v6 = (u32)x5;
        ((uchar4*)own8)[bits(f0) & 1u] = make_uchar4((u8)bits((((L % 5u == 0u)) ? __uint2float_rz(0x5u) : ldexpf(f0, (s32)(gridDim.x % 300u) - 150))), (u8)bits(f0), 3, 4);
      } else {
        h = mix(h, (L * 0x0u));
      }
      const u32 c7 = ((i0 > min((s32)blockIdx.x, (((s32)t >> (u0 & 31u)) >> ((0x40u ^ blockIdx.x) & 31u)))));
      u32 v8 = guarded_load(c7, in + (bits(__uint2float_rn(u0)) & 1023u), (t * L));
    }
    h = mix(h, (u32)__double2int_ru((((i0 > i0)) ? __dadd_rd(d0, 1e-310) : trunc(d0))));
    u32 n9 = 1u;
    while (n9-- != 0u && ((((s32)threadIdx.y == (s32)t)) || (isnan(f0)))) {
      const u32 c10 = (((ptx_bfi_b32(t, (0xffffffffu & 63u), (0xffffu & 255u), (u0 & 255u)) <= fold(w0))) && ((odd_double(w0) <= fmax(d0, d0))));
      u32 v11 = guarded_atomic(c10, own + (t & 3u), (u32)(s8)(u32)(u16)gridDim.x);
      h = mix(h, 0x100u);
    }
    h = mix(h, (u32)min(i0, i0));
  }
  h = mix(h, ((u32)(s32)(s64)(u64)u0 ^ u0));
  const bool c12 = ((in[gridDim.x & 1023u] % 5u == 0u));
  const u32 m13 = __ballot_sync(m, c12);
  if (c12) {
    h = mix(h, (u32)((const u8*)own)[L & 63u]);
    h = mix(h, (fold((u64)u0) | (t + u0)));
  } else {
    u32 n14 = 6u;
    while (n14-- != 0u && (((lane_id() > 4u)) && ((L % 5u == 0u)))) {
      s32 i15 = __rhadd(((s32)(L + L) >> (bits(odd_float(blockIdx.x)) & 31u)), quotient((s32)0x5u, (s32)(L * u0)));
    }
    u0 ^= fold((u64)__float2ull_rz(f0));
    h = mix(h, bits((fmaxf(-2147483648.0f, 1.5f) / ptx_add_ftz(odd_float(blockIdx.x), f0))));
  }
  switch (bits(odd_float(u0)) % 4u) {
    case 0: {
      h = mix(h, t);
      atomicOr(&bins[32 + (t & 7u)], (((u0 >> (L & 31u)) - 0x1fu) % ((((u0 % 5u == 0u)) ? (u32)(((t >= t))) : (((L == u0)) ? u0 : L)) | 1u)));
      h = mix(h, gridDim.x);
    }
    case 1: {
    }
    case 2: {
    }
    case 3: {
    } break;
  }
  u32 n16 = 1u;
  while (n16-- != 0u && (((lane_id() < 4u)) || ((0x5u == L)))) {
    h = mix(h, ((u32)(u16)(own128->z - __ldg(in + (u0 & 1023u))) >> ((u32)__float2int_ru(__saturatef(f0)) & 31u)));
  }
  f0 = odd_float(L);
  const bool c17 = (((lane_id() == 27u)) || ((lane_id() <= 7u)));
  const u32 m18 = __ballot_sync(m, c17);
  if (c17) {
    h = mix(h, (u32)quotient(((((s32)threadIdx.x <= i0)) ? (((0x20u % 3u == 1u)) ? (s32)gid : i0) : quotient((s32)t, i0)), (s32)t));
  } else {
    h = mix(h, (lane_id() / ((~(u32)((s32)t >> (0x80000000u & 31u))) | 1u)));
  }
  const u32 c19 = ((bits((__saturatef(f0) >= __ull2float_rd(w0) ? floorf(f0) : __frcp_rd(3.4e38f))) > (u32)((w0 * w0) >> ((u32)(s8)u0 & 63u))));
  const u32 m21 = __ballot_sync(m, c19);
  u32 v20 = guarded_shuffle(c19, m21, (u0 >> (t & 31u)), member(m21, fold((u64)lane_id())));
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

// run: --kernel k13_1 --grid 5,1,1 --block 9,1,1 --arg u32[1024]=random:929 --arg u32[45]=0 --arg u32[720]=0 --arg u32[160]=random:930 --arg u64[24]=random:931 --arg f32[8]=0 --arg f64[8]=0
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
  if ((((max(w0, w0) << ((((lane_id() == 13u)) ? t : u0) & 63u)) > __brevll(((u64)0x5u << 32 | 0xffffffffu))))) {
    h = mix(h, ptx_add_carry((u32)(u16)L, ((0x7u ^ blockIdx.x) & 63u), bits(-0.0f), (((d0 <= d0)) ? 0x1fu : 0xfffffffeu)));
    u32 n1 = 4u;
    do {
      u32 n2 = 3u;
      while (n2-- != 0u && ((isnan(1e10f)) && (!(((t != t)))))) {
        i0 = (s32)(fold((u64)__double2ull_ru(__int2double_rn((s32)t))) - ((((0x2u & 4u) != 0u) ? L : threadIdx.y) ^ bits(d0)));
        Bundle g3[3];
        for (u32 kg3 = 0u; kg3 < 3u; ++kg3) g3[kg3] = Bundle{ptx_cvt_s16_f32(f0) + kg3, (u8)kg3, (u16)bits(d0), ((u64)threadIdx.x * blockDim.x), __fsub_rd(0.0f, f0), 1u, __ddiv_ru(d0, -9223372036854775808.0)};
        g3[own[0x80000000u & 3u] % 3u].b ^= (u8)lane_id();
        g3[(u32)min(i0, (s32)blockIdx.x) % 3u] = g3[u0 % 3u];
        u32 v4 = g3[bits(__fmaf_rn(3.0f, f0, f0)) % 3u].b;
        u64 w5 = g3[((((d0 != d0)) ? t : gid) - (((t != t)) ? t : t)) % 3u].d;
        double d6 = g3[bits(fmin(d0, odd_double(w0))) % 3u].f;
        d0 = (double)fabsf((((L < L)) ? f0 : odd_float(v4)));
        for (u32 k7 = 0u, nk7 = (lane_id() & 3u); k7 < nk7; ++k7) {
          d6 = __int2double_rn((s32)bits(fmin(fmin(d0, 0.5), fmax(d0, d6))));
          h = mix(h, ((((u0 >= blockIdx.x)) ? 0xb2u : 0x7fffffffu) * (0x21u - k7)));
          const u32 c8 = ((0x7u != L));
          u32 v9 = guarded_load(c8, in + ((u32)__double2int_rd(__dsqrt_rn(d6)) & 1023u), bits(f0));
          own[(u32)(s16)gid & 3u] = bits(fmaxf(__ll2float_ru((s64)((u64)0x5bu << (L & 63u))), f0));
        }
        h = mix(h, fold((u64)__double2ull_ru(__fma_rn(odd_double(w0), ceil(d6), __dsub_rn(odd_double(w0), d0)))));
      }
      for (u32 k10 = 0u, nk10 = ((bits(d0) + fold((u64)__double2ll_rn(d0))) % 2u); k10 < nk10; ++k10) {
        const u32* p12 = (((lane_id() == 29u)) && ((u0 >= L))) ? in + ((lane_id() | L) & 1023u) : held + (bits(d0) & 3u);
        u32 v11 = *p12;
        u32* p13 = (((L * k10) & 64u) != 0u) ? own + (bits(odd_double(0x20ull)) & 3u) : held + (lane_id() & 3u);
        *p13 += ((u32)(((u64)k10 % (w0 | 1ull)) + (w0 << (lane_id() & 63u))) << (ptx_add_carry(((lane_id() ^ gridDim.x) << ((k10 | u0) & 31u)), 0xffu, ((u0 & k10) * (~blockDim.x)), (in[(u0 ^ threadIdx.y) & 1023u] & 63u)) & 31u));
        own[(u32)i0 & 3u] = fold((u64)__double2ull_rd(__ll2double_rz((s64)w0)));
        h = mix(h, (((blockDim.x % 4u == 0u)) ? (u32)((u64)t << 32 | lane_id()) : ((((lane_id() >= 8u)) ? 0x765689ddu : k10) >> ((((lane_id() >= 13u)) ? t : t) & 31u))));
      }
      u0 ^= ptx_cvt_u32_u16(__ldcs(in + (t & 1023u)));
    } while (--n1 != 0u && (((0xffffffffu != u0)) && ((lane_id() >= 3u))));
    h = mix(h, L);
  } else {
    Bundle g14[3];
    for (u32 kg14 = 0u; kg14 < 3u; ++kg14) g14[kg14] = Bundle{fold((u64)__float2ll_rz(1.0f)) + kg14, (u8)kg14, (u16)(u32)(s8)u0, (w0 << (t & 63u)), __fsqrt_ru(f0), 1u, __ull2double_rd(w0)};
    g14[blockIdx.x % 3u].d ^= (u8)bits(trunc(odd_double(w0)));
    g14[t % 3u] = g14[0x3u % 3u];
    u32 v15 = g14[bits(odd_float(blockDim.x)) % 3u].a;
    u64 w16 = g14[bits(__fadd_rd(f0, f0)) % 3u].d;
    double d17 = g14[(u32)own16[(threadIdx.y >> (blockIdx.x & 31u)) & 7u] % 3u].f;
    h = mix(h, fold((u64)__float2ull_ru(ldexpf(copysignf(f0, num(f0)), (s32)((u32)(s32)v15 % 300u) - 150))));
  }
  const bool c18 = ((bits(__dsqrt_rn(odd_double((u64)u0))) % 2u == 1u));
  const u32 m19 = __ballot_sync(m, c18);
  if (c18) {
    s16 x20 = (s16)L;
    for (u32 kx20 = 0u, nx20 = 1u; kx20 < nx20; ++kx20) x20 = (s16)(x20 ^ (s16)bits(odd_float(0x2u)));
    x20 = (s16)(x20 >> (bits(f0) & 7u));
    u32 v21 = (u32)x20;
    h = mix(h, bits(__double2float_ru(odd_double(w0))));
  } else {
    const u32 c22 = (((lane_id() >= 15u)) && ((lane_id() >= 10u)));
    guarded_store(c22, own + (ptx_cnot_b32(bits(d0)) & 3u), (u32)__double2int_ru(__dsub_rn(__dsub_rz(__uint2double_rn(blockIdx.x), odd_double(w0)), (__dsub_rz(d0, d0) >= (double)f0 ? fmax(odd_double(w0), 1.0) : __dsub_rd(d0, d0)))));
    u64 w25 = from_below<32>((m & ~m19), (u64)((u64)(s64)(u64)u0), 2u);
    int allv26;
    u32 v26 = __match_all_sync((m & ~m19), (min(w0, w0) & 7u), &allv26);
    v26 += (u32)(allv26 != 0);
  }
  Bundle g27[2];
  for (u32 kg27 = 0u; kg27 < 2u; ++kg27) g27[kg27] = Bundle{(lane_id() ^ 0x40u) + kg27, (u8)kg27, (u16)(u0 ^ gid), (((u0 <= u0)) ? w0 : (u64)L), __fmaf_rn(f0, f0, f0), 1u, __dmul_rd(d0, d0)};
  g27[(fold(w0) | (u32)((const s8*)in)[u0 & 4092u]) % 2u].d ^= (u8)(((0x8000000000000000ull != w0)) ? L : u0);
  g27[u0 % 2u] = g27[ptx_add_carry(bits(d0), ((threadIdx.z + blockIdx.y) * t), (bits(f0) & 63u), (u32)(u8)t) % 2u];
  u32 v28 = g27[(bits(d0) - (u0 + u0)) % 2u].a;
  u64 w29 = g27[bits((odd_float(0x5u) < -2147483648.0f ? f0 : f0)) % 2u].d;
  double d30 = g27[bits(copysignf(odd_float(t), num(odd_float(gridDim.x)))) % 2u].f;
  h = mix(h, (u32)__double2uint_rd(__fma_ru(odd_double(w0), d30, __dmul_ru(__fma_rn(odd_double(w0), 1.7e308, d30), __dmul_rn(d30, d30)))));
  w29 = __umul64hi(__umul64hi(((u64)L - w29), (((f0 < f0)) ? (u64)0x5u : w29)), (((u64)blockDim.x * v28) << (bits(odd_float(threadIdx.y)) & 63u)));
  const bool c31 = ((fold(__brevll((u64)gid)) % 3u == 0u));
  const u32 m32 = __ballot_sync(m, !c31);
  if (c31) { out[gid] = mix(h, bits(__double2float_ru(d0))); return; }
  w29 = (max((u64)i0, ((u64)blockDim.x << 32 | blockIdx.x)) & ((((lane_id() != 24u)) ? w29 : 0x21ull) | (((odd_float(0xffffu) != f0)) ? (u64)u0 : 0x2ull)));
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, v28);
  h = mix(h, (u32)i0);
  h = mix(h, fold(w0));
  h = mix(h, fold(w29));
  h = mix(h, bits(f0));
  h = mix(h, bits(d0));
  h = mix(h, bits(d30));
  h = mix(h, held[h & 3u]);
  out[gid] = h;
}

__device__ __noinline__ Bundle k13_2_bundle0(Bundle g, u32 x, const u32* in) {
  if (((g.f >= g.f))) {
    if (((ptx_set_hs_f32(blockIdx.x, threadIdx.x) & 16u) != 0u)) {
      u32 v1 = (((lane_id() != 17u)) ? (u32)__popcll((u64)x) : (((x & 1u) != 0u) ? g.a : g.a));
      double d2 = __dsub_rn(fmin(g.f, odd_double(g.d)), g.f);
      if ((((v1 & 8u) != 0u) || (((~0x100u) < (u32)((s32)0x100u >> (0xaf427038u & 31u)))))) {
        if ((((ptx_set_hs_f32((x & x), (0x20u << (threadIdx.x & 31u))) * x) % 3u == 0u))) {
          g.d = ((u64)gridDim.x << 32 | ((u32)(((lane_id() >= 22u))) % (((gridDim.x % (v1 | 1u)) + (((threadIdx.y % 5u == 0u)) ? 0x0u : x)) | 1u)));
          s32 i3 = (s32)(x + v1);
          u32 v4 = bits(odd_float(0x100u));
          g.d = (u64)min(i3, (s32)(s64)0x49407852f12ce325ull);
        } else {
          g.a |= ((((v1 & 8u) != 0u) ? 0x7fffffffu : blockDim.x) | bits(g.e));
          bool x5 = ((x == x));
          for (u32 kx5 = 0u; kx5 < ((u32)__float2int_rn(odd_float(0x1fu)) % 5u); ++kx5) x5 = x5 != ((((blockDim.x & 1u) != 0u) || (((s32)g.a < (s32)blockIdx.x))));
          u32 v6 = (u32)x5;
          v6 &= (u32)((s32)v1 >> (v1 & 31u));
        }
        u32 a7[5];
        for (u32 k8 = 0u; k8 < 5u; ++k8) a7[k8] = (ptx_set_hs_f32(x, 0x1u) * ((const volatile u32*)in)[x & 1023u]) + k8 * 0x2u;
        a7[__umulhi((g.a + x), v1) % 5u] ^= a7[(u32)(((x <= 0x3fu))) % 5u];
      } else {
        u32 n9 = 2u;
        do {
          u16 x10 = (u16)bits((__fadd_ru(g.e, odd_float(x)) / copysignf(g.e, num(1e-45f))));
          for (u32 kx10 = 0u, nx10 = ((u32)((const u8*)in)[in[threadIdx.x & 1023u] & 4092u] % 6u); kx10 < nx10; ++kx10) x10 = (u16)(x10 + (u16)(~(u32)((const s16*)in)[g.a & 2046u]));
          x10 = (u16)(x10 / ((u16)(fold(0x7fffffffffffffffull) & 0x3ffu) | 1));
          u32 v11 = (u32)x10;
          if (((gridDim.x & 32u) != 0u)) break;
          d2 = g.f;
        } while (--n9 != 0u && (((u32)((const s8*)in)[(threadIdx.z + blockIdx.y) & 4092u] < ((const uint4*)in)[lane_id() & 255u].y)));
        if (((lane_id() < 31u))) {
          s32 i12 = (s32)blockIdx.x;
          s16 x13 = (s16)blockDim.x;
          for (u32 kx13 = 0u, nx13 = (((((blockIdx.x & 4u) != 0u) ? g.a : 0x20u) & (~g.a)) % 3u); kx13 < nx13; ++kx13) x13 = (s16)(x13 * (s16)((threadIdx.y * threadIdx.x) % (fold((u64)lane_id()) | 1u)));
          x13 = (s16)(x13 >> ((g.a >> (0x1fu & 31u)) & 7u));
          u32 v14 = (u32)x13;
        } else {
          s16 x15 = (s16)(~((g.a << (g.a & 31u)) | ptx_bmsk_clamp(v1, (0x20u & 63u))));
          for (u32 kx15 = 0u, nx15 = (in[(v1 & v1) & 1023u] & 3u); kx15 < nx15; ++kx15) x15 = (s16)(x15 - (s16)(u32)((const ushort4*)in)[in[x & 1023u] & 511u].w);
          x15 = (s16)(x15 >> (bits(g.e) & 7u));
          u32 v16 = (u32)x15;
          u32 a17[8];
          for (u32 k18 = 0u; k18 < 8u; ++k18) a17[k18] = (u32)(u8)__ldcs(in + (v1 & 1023u)) + k18 * 0x20u;
          a17[((u32)((const u16*)in)[0xffu & 2046u] + (blockIdx.x / (x | 1u))) % 8u] += ((bits(ldexpf(3.4e38f, (s32)(v1 % 300u) - 150)) ^ (v1 >> ((g.a | v1) & 31u))) * fold((u64)__double2ll_ru(d2)));
          s32 i19 = ((s32)blockDim.x >> (g.a & 31u));
          v16 += (u32)(s8)v1;
        }
      }
    }
  } else {
  }
  switch ((u32)((const ushort4*)in)[ptx_bmsk_clamp(g.a, 0x21u) & 511u].x % 10u) {
    case 0: {
    }
    case 1: {
    } break;
    case 2: {
    } break;
    case 3: {
    } break;
    case 4: {
    }
    case 5: {
    } break;
    case 6: {
    }
    case 7: {
    } break;
  }
  u32 v20 = fixed[x & 63u];
  if ((((lane_id() != 11u)) || ((__mulhi(rest((s32)x, (s32)x), (s32)(g.a + lane_id())) <= (((lane_id() != 32u)) ? (s32)(g.a - g.a) : (~(s32)v20)))))) {
  } else {
  }
  for (u32 k21 = 0u, nk21 = ((((((threadIdx.z + blockIdx.y) != (threadIdx.z + blockIdx.y))) ? v20 : x) - (x & 0x80000000u)) & 7u); k21 < nk21; ++k21) {
  }
  if ((!((((s32)v20 < (s32)g.a))))) {
  }
  g.a ^= in[0x84u & 1023u];
  g.a = mix(g.a, mix(fold(g.d), mix(bits(g.e), mix(bits(g.f), g.b ^ g.c))));
  return g;
}
// run: --kernel k13_2 --grid 1,3,2 --block 6,4,1 --arg u32[1024]=random:112 --arg u32[144]=0 --arg u32[2304]=0 --arg u32[160]=random:113 --arg u64[24]=random:114 --arg f32[8]=0 --arg f64[8]=0
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
  __shared__ u16 tile_u16[24];
  __shared__ uint4 tile_uint4[24];
  tile_u16[t] = (u16)t;
  tile_uint4[t] = make_uint4(t, gid, 1u, 2u);
  __syncthreads();
  if (((0x3fu % 5u == 0u))) copy_16(&tile_uint4[t], in + (((isnan(f0)) ? (((t % 4u == 1u)) ? t : u0) : (t - gid)) & 1020u));
  copies_done();
  __syncthreads();
  u32 v22 = tile_uint4[(u32)k13_2_bundle0({L, (u8)(u32)k13_2_bundle0({lane_id(), (u8)threadIdx.y, (u16)0x1au, w0, f0, 0u, d0}, gridDim.x, in).a, (u16)own128->w, ((u64)u0 << 32 | 0x2u), (f0 >= f0 ? 1e-40f : 1e-45f), 0u, __ull2double_ru((u64)0x1u)}, (0x0u | t), in).b % 24u].z;
  __syncthreads();
  switch ((ptx_bmsk_clamp(((u32)k13_2_bundle0({0xfu, (u8)0xbd7103e7u, (u16)u0, 0x7ull, 3.4e38f, 0u, odd_double((u64)(threadIdx.z + blockIdx.y))}, L, in).b + L), (u32)k13_2_bundle0({ptx_shl_b32(u0, (t & 63u)), (u8)(0x3fu - 0xffffffffu), (u16)(u32)(s32)0x7fffffffu, ((u64)0xffffffffu >> (L & 63u)), f0, 0u, __fma_rn(1e18, d0, d0)}, (~L), in).c) + (fold(*own64) - (u32)(i0 >> (blockDim.x & 31u)))) % 11u) {
    case 0: {
    }
    case 1: {
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
    case 7: {
    } break;
    case 8: {
      h = mix(h, ((((u32)(i0 >> (v22 & 31u)) ^ v22) + bits(__fmaf_rn(f0, f0, f0))) - (u32)((w0 >> (gridDim.x & 63u)) / ((u64)i0 | 1ull))));
    } break;
  }
  h = mix(h, in[L & 1023u]);
  tile_u16[(t * 7u + 11u) % 24u] = (u16)in[(u32)(w0 + (u64)L) & 1023u];
  __syncthreads();
  u32 v23 = tile_u16[((((v22 % 2u == 1u)) ? in[t & 1023u] : 0x0u) % 24u)];
  __syncthreads();
  const bool c24 = (((lane_id() < 14u)) || ((gid == (threadIdx.z + blockIdx.y))));
  const u32 m25 = __ballot_sync(m, !c24);
  if (c24) { out[gid] = mix(h, ((u32)((s32)v22 >> (0xffu & 31u)) & (u32)k13_2_bundle0({0x0u, (u8)L, (u16)v22, w0, f0, 0u, 5e-324}, blockIdx.x, in).c)); return; }
  const bool c26 = ((((u0 | t) & (u32)(u16)0xffffu) <= fold(((u64)u0 * gridDim.x))));
  const u32 m27 = __ballot_sync(m25, !c26);
  if (c26) { out[gid] = mix(h, ((gid & u0) + L)); return; }
  const bool c28 = ((__funnelshift_r(((const volatile u32*)in)[L & 1023u], fold(w0), (blockDim.x % (gridDim.x | 1u))) & 4u) != 0u);
  const u32 m29 = __ballot_sync(m27, c28);
  if (c28) {
    h = mix(h, (u32)k13_2_bundle0({((((0x80000000u - u0) & 16u) != 0u) ? ((v22 & 0x0u) + (u32)(((i0 == i0)))) : (L | 0x5u)), (u8)ptx_sad_u16(((((v23 >= u0)) ? v23 : 0x7fffffffu) ^ (lane_id() << (t & 31u))), (u32)(s16)(u32)w0, (bits(fminf(odd_float(t), odd_float(threadIdx.x))) & 63u)), (u16)in[v22 & 1023u], ((u64)(~fold(w0)) * in[(u32)i0 & 1023u]), __fsub_rd(-1.0f, (((threadIdx.x & 64u) != 0u) ? 1e-40f : __fsub_rd(f0, 1.0f))), 0u, (double)__ull2float_ru((w0 / (w0 | 1ull)))}, (u32)((0x8000000000000000ull - 0x20ull) & (w0 - (u64)v23)), in).c);
  }
  const bool c30 = ((d0 > d0));
  const u32 m31 = __ballot_sync(m27, !c30);
  if (c30) { out[gid] = mix(h, threadIdx.y); return; }
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, v22);
  h = mix(h, v23);
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
// run: --kernel k13_3 --grid 1,3,2 --block 13,4,1 --arg u32[1024]=random:236 --arg u32[312]=0 --arg u32[4992]=0 --arg u32[160]=random:237 --arg u64[24]=random:238 --arg f32[8]=0 --arg f64[8]=0
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
  double d23 = from_member(m, (double)(__dmul_rz(d0, __dsub_rz(__uint2double_rn((t * t)), odd_double(w0)))), L);
  h = mix(h, ((u32)((const s8*)in)[(__byte_perm(t, L, L) ^ (u32)(s32)u0) & 4092u] + u0));
  const u32 n25 = (threadIdx.x % 4u);
  u32 m26 = m;
  for (u32 k24 = 0u;; ++k24) {
    m26 = __ballot_sync(m26, k24 < n25);
    if (k24 >= n25) break;
    h = mix(h, (L ^ L));
    const bool c27 = ((((0xffu % (gid | 1u)) & 32u) != 0u) && (((u0 << (L & 31u)) < (blockDim.x | 0x100u))));
    m26 = __ballot_sync(m26, !c27);
    if (c27) break;
  }
  const bool c28 = (!((((L << (t & 31u)) & 16u) != 0u)));
  const u32 m29 = __ballot_sync(m, c28);
  if (c28) {
  }
  s32 i31 = from_index<32>(m, (s32)(((((((threadIdx.x != 0x20u)) ? f0 : __fsqrt_rz(-0.0f)) < __double2float_rz(floor(1.7e308)))) ? __float2int_rz(1e10f) : max((((u0 % 3u == 1u)) ? __rhadd((s32)L, (s32)L) : i0), __rhadd((s32)u0, min(i0, i0))))), ((((0.0f <= 1.0f)) ? 0x80000000u : 0x4b58ccbau) ^ u0));
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, (u32)i0);
  h = mix(h, (u32)i31);
  h = mix(h, fold(w0));
  h = mix(h, bits(f0));
  h = mix(h, bits(d0));
  h = mix(h, bits(d23));
  h = mix(h, held[h & 3u]);
  out[gid] = h;
}

__device__ u32 k13_4_kept[960];
// run: --kernel k13_4 --grid 5,1,1 --block 96,1,1 --arg u32[1024]=random:222 --arg u32[480]=0 --arg u32[7680]=0 --arg u32[160]=random:223 --arg u64[24]=random:224 --arg f32[8]=0 --arg f64[8]=0
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
  __shared__ u32 tally[64];
  for (u32 i = t; i < 64u; i += 96u) tally[i] = i * 3u;
  __syncthreads();
  h = mix(h, bits(__ll2float_ru((s64)(((1e-45f == f0)) ? (u64)blockIdx.x : w0))));
  for (u32 k1 = 0u; k1 < 1u; ++k1) {
    u32 v2 = (u32)__uni_sync(m, ((t > (u32)(s32)((t & t) - (k1 % (0x40u | 1u))))));
  }
  const bool c3 = (!(((u0 % 4u == 1u))));
  const u32 m4 = __ballot_sync(m, c3);
  if (c3) {
    const bool c5 = ((lane_id() > 4u));
    const u32 m6 = __ballot_sync(m4, c5);
    if (c5) {
      const u32 n8 = (lane_id() & 3u);
      u32 m9 = m6;
      for (u32 k7 = 0u;; ++k7) {
        m9 = __ballot_sync(m9, k7 < n8);
        if (k7 >= n8) break;
        switch (threadIdx.y % 10u) {
          case 0: {
            ((uchar4*)own8)[(u32)own16[(u32)(s32)gid & 7u] & 1u] = make_uchar4((u8)(u32)(s16)0xd89c77bbu, (u8)(u32)own16[(u32)(s32)gid & 7u], 3, 4);
            w0 = (u64)__double2ull_rn(fmax(-1.0, d0));
          }
          case 1: {
            w0 *= ((u64)__ldcs(in + ((~L) & 1023u)) << 32 | (((lane_id() > 32u)) ? (t - k7) : (u32)(((i0 < (s32)k7)))));
            h = mix(h, ((fold(ptx_shl_b64(w0, u0)) % ((u0 & k7) | 1u)) * (ptx_shr_u32(u0, (t & 63u)) >> (ptx_bfind_u32(k7) & 31u))));
          }
          case 2: {
            if (((lane_id() == 3u))) atomicMax((s32*)bins + 72 + (((0x7fffffffu % (t | 1u)) % ((u32)(s32)0x5u | 1u)) & 7u), (((((u64)L == w0)) && ((lane_id() < 13u))) ? rest(rest(i0, (s32)k7), (s32)(s64)0x40ull) : (s32)(fold((u64)L) * (u32)(s8)u0)));
            s8 x10 = (s8)(((t & 4u) != 0u) ? (u32)i0 : t);
            for (u32 kx10 = 0u, nx10 = (bits(__fsqrt_rn(f0)) & 3u); kx10 < nx10; ++kx10) x10 = (s8)(x10 + (s8)(((threadIdx.x >= lane_id())) ? (((1e-40f > 3.4e38f)) ? lane_id() : u0) : (u32)i0));
            x10 = (s8)(x10 >> ((threadIdx.x % (u0 | 1u)) & 7u));
            u32 v11 = (u32)x10;
          } break;
          case 3: {
            s8 x12 = (s8)(((gid & 1u) != 0u) ? L : u0);
            for (u32 kx12 = 0u, nx12 = (lane_id() & 3u); kx12 < nx12; ++kx12) x12 = (s8)(x12 - (s8)(((L % 2u == 1u)) ? (u32)(s32)gid : (((threadIdx.x != L)) ? blockIdx.x : k7)));
            x12 = (s8)(x12 >> ((u32)(u16)0x1fu & 7u));
            u32 v13 = (u32)x12;
          } break;
          case 4: {
            s8 x14 = (s8)fold((u64)L);
            for (u32 kx14 = 0u, nx14 = ((u32)__popcll(((u64)lane_id() | w0)) % 6u); kx14 < nx14; ++kx14) x14 = (s8)(x14 + (s8)t);
            x14 = (s8)(x14 >> ((u32)(s16)0x5u & 7u));
            u32 v15 = (u32)x14;
            u32 a16[9];
            for (u32 k17 = 0u; k17 < 9u; ++k17) a16[k17] = (bits(3.4e38f) + (0x21u ^ gid)) + k17 * 0x2u;
            a16[v15 % 9u] = (((const volatile u32*)in)[0x3u & 1023u] % ((gridDim.x >> ((threadIdx.z + blockIdx.y) & 31u)) | 1u));
            h = mix(h, fold(__umul64hi(w0, (u64)t)));
          }
          case 5: {
            w0 ^= ((((lane_id() != 1u)) || (((threadIdx.y <= k7)) && ((lane_id() <= 10u)))) ? ((u64)fold(ptx_shl_b64(__brevll(w0), 0x0u)) << 32 | (((d0 >= odd_double((u64)L))) ? fold((u64)L) : (u32)w0)) : ((u64)bits((f0 / f0)) << 32 | ((u32)(i0 >> (gid & 31u)) - (u0 & k7))));
          } break;
          case 6: {
            h = mix(h, ((u32)((s32)(s16)0x7u >> (u0 & 31u)) ^ (~max(blockIdx.x, 0x21u))));
            i0 = __float2int_rn(__fadd_rd(f0, ptx_min_nan(__fmaf_ru(f0, f0, f0), copysignf(f0, num(odd_float(threadIdx.y))))));
          }
          case 7: {
            i0 = (((lane_id() < 29u)) ? i0 : (((lane_id() >= 11u)) ? i0 : i0));
            h = mix(h, (0x5u & u0));
            h = mix(h, bits(__uint2float_rd(((u32)((const ushort4*)own16)[u0 & 1u].w >> ((((lane_id() < 30u)) ? k7 : 0xffffffffu) & 31u)))));
          }
          case 8: {
            const u32 c18 = ((0xffffffffu & 2u) != 0u);
            u32 v19 = guarded_atomic(c18, own + (((~threadIdx.y) + 0x100u) & 3u), in[fold((((L & 8u) != 0u) ? w0 : 0x5ull)) & 1023u]);
            atomicXor(&tally[40 + ((ptx_mul24_hi_u32(v19, 0xe8u) + ((!(((lane_id() <= 11u)))) ? t : L)) & 7u)], (((u0 >= gridDim.x)) ? 0x5u : 0x1fu));
            h = mix(h, ((((s32)k7 >= i0)) ? (u32)(((L & 64u) != 0u)) : bits(0.1f)));
          } break;
        }
        const bool c20 = ((0xde5a5ff7u & 64u) != 0u);
        const u32 m21 = __ballot_sync(m9, c20);
        if (c20) {
          *own128 = make_uint4((((0x20u < u0)) ? min(gid, k7) : ((((threadIdx.z + blockIdx.y) >= blockIdx.x)) ? lane_id() : gridDim.x)), (((0x1fu & 2u) != 0u) ? k7 : t), fold((u64)0x80000000u), (0x20u * L));
          __syncwarp(m21);
          u32 v22 = m21;
        } else {
          h = mix(h, ((fold(w0) * (u0 | u0)) & (u32)(s16)(u32)i0));
        }
        h = mix(h, ((t - blockIdx.x) * (((u0 > 0xffffu)) ? 0xffffffffu : threadIdx.y)));
        const bool c23 = (!(((((s32)0x5u != (i0 >> (k7 & 31u)))) || ((lane_id() == 5u)))));
        m9 = __ballot_sync(m9, !c23);
        if (c23) break;
      }
    }
  } else {
  }
  h = mix(h, (u32)__dp4a((s32)(0x100u - 0x7fu), rest(i0, i0), (s32)(s64)w0));
  const bool c24 = ((t > threadIdx.y));
  const u32 m25 = __ballot_sync(m, c24);
  if (c24) {
  } else {
    h = mix(h, bits(f0));
  }
  u32 n26 = 5u;
  if ((((i0 == (s32)t)) || ((u0 == 0x1u)))) goto into28;
  again27:
  u0 = mix(u0, ((((s32)L < (s32)0xd3u)) ? u0 : (((t <= u0)) ? u0 : 0x3fu)));
  into28:
  u0 += ((0xffu * L) | (u32)((const uchar4*)own8)[L & 1u].x);
  if (--n26 != 0u && (((0x3u & 16u) != 0u) && ((odd_float(gid) != 1.17549435e-38f)))) goto again27;
  if (n26 > 1u && (((d0 >= d0)) && ((L != 0x7fffffffu)))) { n26 -= 1u; goto into28; }
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

// run: --kernel k13_5 --grid 1,1,1 --block 70,1,1 --arg u32[1024]=random:993 --arg u32[70]=0 --arg u32[1120]=0 --arg u32[160]=random:994 --arg u64[24]=random:995 --arg f32[8]=0 --arg f64[8]=0
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
  u32 v3 = from_index<32>(m, (u32)((u32)__mulhi(rest((s32)(u0 + 0x16u), max(i0, (s32)lane_id())), ((((0x7u & 2u) != 0u) ? (s32)0xffffffffu : (s32)t) >> ((L * L) & 31u)))), 3u);
  atomicAdd(&bins[0 + (((u32)(s16)blockDim.x >> (((((s32)L > i0)) ? gid : t) & 31u)) & 7u)], ((ptx_cvt_sat_s16_u32(threadIdx.y) + min(t, t)) | ((u32)(s16)v3 >> ((~threadIdx.x) & 31u))));
  u32 a4[3];
  for (u32 k5 = 0u; k5 < 3u; ++k5) a4[k5] = (u32)((const uchar4*)own8)[(L % (v3 | 1u)) & 1u].z + k5 * 0x20u;
  a4[(u32)(((0xffffffffu == v1))) % 3u] ^= (threadIdx.z + blockIdx.y);
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
  __syncthreads();
  for (u32 i = t; i < 64u; i += 70u) atomicXor(&bins[80u + i], tally[i] * (gid / 70u + 1u));
}

__device__ u32 k13_6_kept[84];
// run: --kernel k13_6 --grid 1,3,2 --block 7,1,1 --arg u32[1024]=random:265 --arg u32[42]=0 --arg u32[672]=0 --arg u32[160]=random:266 --arg u64[24]=random:267 --arg f32[8]=0 --arg f64[8]=0
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
  __shared__ u32 tally[64];
  for (u32 i = t; i < 64u; i += 7u) tally[i] = i * 3u;
  __syncthreads();
  h = mix(h, (u32)(s32)(u16)(u32)w0);
  atomicAdd(&sums[ptx_cvt_sat_u8_f32(f0) & 7u], (((odd_float(t) < ceilf(3.4e38f))) ? in[(gid * 3u + 30u) & 1023u] : (u32)(u16)(u32)((const uchar4*)in)[0x100u & 1023u].y) & 15u);
  const bool c1 = ((lane_id() != 29u));
  const u32 m2 = __ballot_sync(m, c1);
  if (c1) {
    atomicSub(&bins[0 + (in[0x3u & 1023u] & 7u)], __usad(blockDim.x, gridDim.x, (threadIdx.z + blockIdx.y)));
    h = mix(h, fold(((u64)0x40u << 32 | 0x3u)));
  } else {
    const bool c3 = ((((u32)(s8)u0 / (__usad(L, (threadIdx.z + blockIdx.y), 0xddu) | 1u)) < (bits(f0) << ((((t <= threadIdx.y)) ? L : 0x557ef45eu) & 31u))));
    const u32 m4 = __ballot_sync((m & ~m2), c3);
    if (c3) {
      atomicMax(&bins[16 + ((u32)((u64)L + w0) & 7u)], 0xffu);
      u32 v5 = atomicAdd(&own[(u32)((const uchar4*)own8)[(L & 0xebb2ee0bu) & 1u].y & 3u], (((blockDim.x & 4u) != 0u) ? (t >> (u0 & 31u)) : (u32)((const s16*)in)[u0 & 2046u]));
      const u32 c6 = ((own[u0 & 3u] != min(v5, v5)));
      const u32 m8 = __ballot_sync(m4, c6);
      u32 v7 = guarded_shuffle(c6, m8, ptx_setp_unordered(f0, 3.4e38f), member(m8, (threadIdx.x % (0x1fu | 1u))));
      h = mix(h, (u32)(((L % 5u == 0u))));
    }
    if (((lane_id() < 7u))) {
      u32 a9[10];
      for (u32 k10 = 0u; k10 < 10u; ++k10) a9[k10] = ((blockDim.x * t) - (threadIdx.x % (t | 1u))) + k10 * 0x2au;
      a9[((u32)(u8)0x80000000u + (u32)own8[0xffffffffu & 7u]) % 10u] += gridDim.x;
      u32 a11[9];
      for (u32 k12 = 0u; k12 < 9u; ++k12) a11[k12] = (u32)((u64)L & w0) + k12 * 0x3fu;
      a11[((((u0 & 1u) != 0u) ? lane_id() : threadIdx.y) - (((L % 3u == 0u)) ? 0x100u : L)) % 9u] += (0xffffu ^ 0x3u);
      atomicAnd(&tally[24 + ((u32)min((s32)L, i0) & 7u)], ((bits(ceilf(1.5f)) * ((~L) + (u32)(s32)t)) ^ ((bits(odd_float(0x21u)) & (~0xfffffffeu)) * gridDim.x)));
      u0 *= ((((L + L) & 32u) != 0u) ? ((t - lane_id()) >> (bits(-0.0f) & 31u)) : fold(min((u64)t, 0xfffffffffffffffeull)));
      h = mix(h, (u32)(((lane_id() <= 13u))));
    }
    h = mix(h, ((((lane_id() > 12u)) && (isnan(f0))) ? ((!(((u0 <= L)))) ? (L % (L | 1u)) : in[u0 & 1023u]) : (u32)((((u64)lane_id() != (u64)t)))));
  }
  for (u32 k13 = 0u; k13 < 4u; ++k13) {
    u32 n14 = 2u;
    while (n14-- != 0u && ((__fadd_rd(f0, odd_float(0x3u)) == rintf(f0)))) {
      s32 i15 = quotient((s32)((t + (threadIdx.z + blockIdx.y)) * (L - u0)), (s32)((L >> (u0 & 31u)) + (L % (blockIdx.x | 1u))));
      h = mix(h, (u32)(s16)(((odd_float(0xffffffffu) != odd_float(t))) ? threadIdx.x : t));
    }
    d0 = round(__dadd_ru(d0, odd_double(w0)));
    h = mix(h, bits(__fsub_rd(__int2float_rz((s32)k13), f0)));
  }
  const u32 n17 = (threadIdx.x % 4u);
  u32 m18 = m;
  for (u32 k16 = 0u;; ++k16) {
    m18 = __ballot_sync(m18, k16 < n17);
    if (k16 >= n17) break;
    u64 w19 = atomicCAS(own64, (u64)((u32)i0 & 1u), (u64)(s64)((u64)(s64)w0 << ((k16 - (threadIdx.z + blockIdx.y)) & 63u)));
    u32 n20 = 4u;
    while (n20-- != 0u && ((lane_id() <= 1u))) {
      if ((!(((0x80000000u % 5u == 0u))))) atomicAdd(&sums[((((L & 16u) != 0u) ? u0 : t) & fold(((const u64*)in)[0x20u & 511u])) & 7u], (u32)((const uchar4*)in)[(u32)(s8)t & 1023u].y & 15u);
      if ((((u32)w0 & 4u) != 0u)) {
        if ((((i0 <= i0)) && ((blockDim.x % 2u == 1u)))) atomicSub(&bins[56 + (u0 & 7u)], 1u);
        atomicMin(&tally[8 + (fixed[11] & 7u)], bits(ptx_min_nan(__fmaf_ru(__fmaf_ru(ptx_add_ftz(f0, odd_float(0x40u)), __fsub_rz(f0, f0), __fadd_ru(f0, f0)), __double2float_rn(__dmul_rd(odd_double((u64)L), odd_double((u64)threadIdx.y))), 1.17549435e-38f), __fdiv_rd(__ll2float_rz((s64)(u64)u0), (((0xc8122b3fu == t)) ? f0 : odd_float(threadIdx.y))))));
        atomicAdd(&bins[0 + ((u32)(s8)(u0 * L) & 7u)], bits(ptx_min_nan(__fdiv_ru(odd_float(0xfffffffeu), f0), __fadd_ru(f0, odd_float(u0)))));
        h = mix(h, k16);
      } else {
        h = mix(h, (((((u64)(s64)0x3ull > (w19 | w0))) ? fixed[3] : (((L >= 0xffu)) ? fold(*own64) : (u32)(i0 >> (k16 & 31u)))) & fold(w19)));
      }
    }
    h = mix(h, ((u32)(s8)L - bits(fmaxf(f0, odd_float(blockDim.x)))));
    const bool c21 = (((fold(((u64)k16 & w0)) / (fold((u64)i0) | 1u)) & 1u) != 0u);
    const u32 m22 = __ballot_sync(m18, !c21);
    if (c21) continue;
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
  for (u32 i = t; i < 64u; i += 7u) atomicXor(&bins[80u + i], tally[i] * (gid / 7u + 1u));
}

__device__ u32 k13_7_kept[12];
// run: --kernel k13_7 --grid 1,1,1 --block 6,1,1 --arg u32[1024]=random:493 --arg u32[6]=0 --arg u32[96]=0 --arg u32[160]=random:494 --arg u64[24]=random:495 --arg f32[8]=0 --arg f64[8]=0
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
  __shared__ u32 tile_u32[6];
  tile_u32[t] = (u32)t;
  __syncthreads();
  u32 v1 = (u32)__any_sync(m, ((((!(((lane_id() >= t)))) ? (L & L) : t) % 2u == 1u)));
  d0 = __fma_rd(__ull2double_rz((((gridDim.x % 2u == 0u)) ? (w0 >> (0xbda88b2eu & 63u)) : ((u64)v1 << 32 | u0))), ((((t & 2u) != 0u) || ((t % 3u == 1u))) ? (d0 < __dsub_rz(odd_double(w0), d0) ? odd_double(0xf70b985286d9048ull) : fmax(2.5, odd_double(w0))) : (((lane_id() > 13u)) ? d0 : __fma_rn(d0, d0, -0.0))), (__dadd_rn(__dsub_rz(d0, -0.0), (double)1.5f) == fmin(__ull2double_rd((u64)v1), __dadd_rn(d0, d0)) ? __ddiv_rz(odd_double(w0), (((odd_float(gid) == odd_float(0x74u))) ? odd_double((u64)blockIdx.x) : d0)) : __fma_ru(__fma_ru(d0, 1.0, odd_double(w0)), __dmul_ru(d0, odd_double(w0)), odd_double(w0))));
  h = mix(h, (u32)(s32)blockIdx.x);
  d0 = __ddiv_rz(odd_double((((u64)v1 * v1) | w0)), __dsub_rz(__dsub_ru((d0 != odd_double((u64)v1) ? d0 : d0), __dadd_rd(d0, d0)), (((lane_id() < 4u)) ? __dmul_rd(d0, d0) : (((blockDim.x > v1)) ? d0 : -9223372036854775808.0))));
  u8 x2 = (u8)v1;
  for (u32 kx2 = 0u, nx2 = 2u; kx2 < nx2; ++kx2) x2 = (u8)(x2 & (u8)(u0 | (0xb6c3e37u ^ t)));
  x2 = (u8)(x2 / ((u8)(v1 & 0x3ffu) | 1));
  u32 v3 = (u32)x2;
  float f5 = from_index<4>(m, (float)((((lane_id() < 1u)) ? __frcp_rz(f0) : odd_float(gid))), L);
  tile_u32[(t * 1u + 5u) % 6u] = ((u32)__float2uint_rd(f5) + (((t % 5u == 0u)) ? 0x80000000u : L));
  __syncthreads();
  u32 v6 = tile_u32[((t + 33u) % 6u)];
  __syncthreads();
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, v1);
  h = mix(h, v3);
  h = mix(h, v6);
  h = mix(h, (u32)i0);
  h = mix(h, fold(w0));
  h = mix(h, bits(f0));
  h = mix(h, bits(f5));
  h = mix(h, bits(d0));
  h = mix(h, held[h & 3u]);
  out[gid] = h;
}

// run: --kernel k13_8 --grid 3,1,1 --block 10,4,1 --arg u32[1024]=random:974 --arg u32[120]=0 --arg u32[1920]=0 --arg u32[160]=random:975 --arg u64[24]=random:976 --arg f32[8]=0 --arg f64[8]=0
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
  if (gid == 102u) printf("k13_8 %s 100%% %g %.3e %f %#o %-7u|\n", "prints", num(-0.0f), num(__dsub_rd((d0 < odd_double(w0) ? 1e-310 : 0.0), odd_double(w0))), num(__dmul_rd(__ddiv_rd(odd_double(w0), 1e-310), __hiloint2double((s32)u0, (s32)L))), bits((d0 < d0 ? odd_double(w0) : d0)), bits(trunc(1.7e308)));
  u32 a5[10];
  for (u32 k6 = 0u; k6 < 10u; ++k6) a5[k6] = L + k6 * 0x2u;
  a5[bits((double)1.0f) % 10u] += L;
  const u32 c7 = ((bits(fmaxf(odd_float(lane_id()), __uint2float_rn(blockIdx.x))) < u0));
  const u32 m9 = __ballot_sync(m, c7);
  u32 v8 = guarded_shuffle(c7, m9, (bits(__ushort_as_bfloat16((u16)blockIdx.x)) & (u32)__double2uint_ru(odd_double(w0))), member(m9, fold(((const ulonglong2*)in)[u0 & 255u].x)));
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, v8);
  h = mix(h, (u32)i0);
  h = mix(h, (u32)i1);
  h = mix(h, fold(w0));
  h = mix(h, bits(f0));
  h = mix(h, bits(f4));
  h = mix(h, bits(d0));
  h = mix(h, held[h & 3u]);
  out[gid] = h;
}

// run: --kernel k13_9 --grid 2,2,1 --block 45,1,1 --arg u32[1024]=random:741 --arg u32[180]=0 --arg u32[2880]=0 --arg u32[160]=random:742 --arg u64[24]=random:743 --arg f32[8]=0 --arg f64[8]=0
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
  const bool c1 = ((__fsqrt_ru(__fsub_rd(__fmaf_rz(f0, f0, odd_float(t)), (f0 >= odd_float(t) ? odd_float(threadIdx.y) : f0))) <= __fadd_rn(odd_float(bits(f0)), fabsf(__int2float_rd((s32)t)))));
  const u32 m2 = __ballot_sync(m, c1);
  if (c1) {
    if (((lane_id() <= 12u))) {
      u8 x3 = (u8)(((f0 != __double2float_rd(odd_double(w0)))) ? fold(w0) : (u32)__popcll(((u64)L << 32 | u0)));
      for (u32 kx3 = 0u, nx3 = ((u32)(s32)(L + 0x1u) % 2u); kx3 < nx3; ++kx3) x3 = (u8)(x3 & (u8)((const uint2*)in)[in[0xe149ad0cu & 1023u] & 511u].x);
      x3 = (u8)(x3 / ((u8)(((const uint4*)in)[(((u0 % 4u == 1u)) ? u0 : t) & 255u].x & 0x3ffu) | 1));
      u32 v4 = (u32)x3;
      d0 = __uint2double_rn((t << ((blockIdx.x % (0x21u | 1u)) & 31u)));
      h = mix(h, (u32)((const ushort4*)own16)[0xc9306ad0u & 1u].w);
    } else {
      Rolled<u32, 8> ra5;
      u32 (&a5)[8] = ra5.v;
      for (u32 k6 = 0u; k6 < 8u; ++k6) a5[k6] = ((u0 * 0x5u) ^ bits(f0)) + k6 * 0xffffffffu;
      a5[ptx_bfind_s32(((const uint2*)in)[gridDim.x & 511u].x) % 8u] += in[(gid * 8u + 10u) & 1023u];
      u16 x7 = (u16)(fold(((const u64*)in)[0x0u & 511u]) << (threadIdx.x & 31u));
      for (u32 kx7 = 0u, nx7 = (((0xfffffffeu & L) * ptx_bfind_s32(blockIdx.x)) % 3u); kx7 < nx7; ++kx7) x7 = (u16)(x7 + (u16)(a5[L % 8u] << ((t | t) & 31u)));
      x7 = (u16)(x7 / ((u16)(bits(fabsf(odd_float(blockDim.x))) & 0x3ffu) | 1));
      u32 v8 = (u32)x7;
      for (u32 k9 = 0u, nk9 = (v8 & 7u); k9 < nk9; ++k9) {
        own8[(u32)(w0 - 0x1ull) & 7u] = (u8)((u32)((s32)(v8 * v8) >> ((0x3u - u0) & 31u)) | v8);
        v8 = bits(roundf(__fdiv_rn(odd_float(v8), __double2float_ru(1.7e308))));
      }
      ((ushort4*)own16)[fold((w0 + (u64)u0)) & 1u] = make_ushort4((u16)(((v8 & 4u) != 0u) ? v8 : v8), (u16)fold((w0 + (u64)u0)), 3, 4);
      h = mix(h, (u32)min(i0, (((0x0u & 16u) != 0u) ? i0 : (s32)L)));
    }
  }
  h = mix(h, own[((const volatile u32*)in)[L & 1023u] & 3u]);
  switch (fold(*own64) % 8u) {
    case 0: {
      for (u32 k10 = 0u, nk10 = 2u; k10 < nk10; ++k10) {
        for (u32 k11 = 0u, nk11 = (lane_id() & 3u); k11 < nk11; ++k11) {
          double d12 = __dsub_rz(__int2double_rn((s32)u0), __dsqrt_rn(odd_double(w0)));
          Bundle g13[4];
          for (u32 kg13 = 0u; kg13 < 4u; ++kg13) g13[kg13] = Bundle{(u32)(u8)t + kg13, (u8)kg13, (u16)fold(w0), (w0 - (u64)k10), __double2float_rz(d12), 1u, (((k10 & 8u) != 0u) ? odd_double((u64)u0) : d12)};
          g13[(u32)(s16)(((L == u0)) ? k10 : 0x3u) % 4u].a ^= (u8)(fold(((u64)k10 ^ (u64)0x2bbc358du)) / ((bits(f0) >> (in[k10 & 1023u] & 31u)) | 1u));
          g13[(u32)(u8)fold(w0) % 4u] = g13[(u32)(((u0 <= 0xffffu))) % 4u];
          u32 v14 = g13[k10 % 4u].a;
          u64 w15 = g13[in[(((lane_id() == 27u)) ? lane_id() : blockDim.x) & 1023u] % 4u].d;
          double d16 = g13[fold(((u64)u0 | (u64)k10)) % 4u].f;
          u8 x17 = (u8)bits((((lane_id() < 20u)) ? __saturatef(f0) : odd_float(0xf22d895au)));
          for (u32 kx17 = 0u, nx17 = (threadIdx.x % 4u); kx17 < nx17; ++kx17) x17 = (u8)(x17 | (u8)(u32)rest((s32)k10, i0));
          x17 = (u8)(x17 / ((u8)((~(u0 * k10)) & 0x3ffu) | 1));
          u32 v18 = (u32)x17;
          i0 = (((((v18 & 1u) != 0u) || ((lane_id() <= 28u))) ? (((s32)L >> (k10 & 31u)) >> ((u32)i0 & 31u)) : (~(s32)(v18 * blockDim.x))) >> ((u32)((const ushort4*)in)[(u32)(s32)(threadIdx.x + k10) & 511u].w & 31u));
          h = mix(h, (u32)__umul64hi(w15, (u64)L));
        }
      }
    } break;
    case 1: {
      u64 w19 = ((u64)__mul64hi((s64)w0, (s64)w0) ^ w0);
      if ((((in[(gid * 33u + 25u) & 1023u] << (((0x1u ^ u0) - (((u0 >= u0)) ? lane_id() : u0)) & 31u)) != gid))) {
        h = mix(h, __funnelshift_l(lane_id(), (bits(ptx_min_nan(f0, 3.4e38f)) & (u32)(rest(i0, i0) >> ((L % (u0 | 1u)) & 31u))), (((const uint4*)in)[gridDim.x & 255u].z & (u32)min(i0, i0))));
        h = mix(h, fold(*own64));
      }
    } break;
    case 2: {
      if (((lane_id() <= 12u))) {
        h = mix(h, (u32)i0);
        h = mix(h, fixed[(u32)own8[L & 7u] & 63u]);
      }
    } break;
    case 3: {
      const u32 c20 = ((!((((0x5u | blockIdx.x) < L)))) || (((bits(odd_float(gridDim.x)) & (u32)((const uchar4*)in)[gid & 1023u].z) % 5u == 0u)));
      u32 v21 = guarded_atomic(c20, own + ((u32)(s32)(u8)u0 & 3u), (fold(((const ulonglong2*)in)[(u32)i0 & 255u].x) | (in[L & 1023u] * t)));
      h = mix(h, (u32)(((v21 < t))));
    } break;
    case 4: {
      if (((i0 > (((u0 % 5u == 0u)) ? (s32)gid : i0)))) atomicAnd(&bins[24 + ((u32)((const u8*)own)[fold(w0) & 63u] & 7u)], (u32)((const ushort4*)in)[(((L & 32u) != 0u) ? u0 : L) & 511u].z);
      h = mix(h, own[fold((u64)(s64)w0) & 3u]);
    } break;
    case 5: {
      h = mix(h, 0xffffffffu);
    } break;
    case 6: {
    } break;
    default: {
    } break;
  }
  u0 = (u32)(u8)in[0xfffffffeu & 1023u];
  h = mix(h, ((u32)((s32)(L - u0) >> ((u32)((const u8*)own)[L & 63u] & 31u)) | ((((0x68bd6eacu % 4u == 0u)) ? u0 : t) - (u32)(s32)gid)));
  u32 a22[3];
  for (u32 k23 = 0u; k23 < 3u; ++k23) a22[k23] = bits(__fadd_ru(1.5f, f0)) + k23 * 0x100u;
  a22[own[bits(1e-45f) & 3u] % 3u] = (u32)((const ushort4*)own16)[a22[L % 3u] & 1u].x;
  own16[max(((const uint4*)in)[0x20u & 255u].y, (u32)(s32)threadIdx.y) & 7u] = (u16)(u32)own8[u0 & 7u];
  f0 = __fsqrt_rn(__fsqrt_rd(f0));
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
