// Made by tests/tools/random_kernels.py --seed 13 --kernels 10 --size 16: what each must leave in its buffers stands in the .out beside it.
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
__device__ u32 ptx_bfe_u32(u32 a, u32 b, u32 c) { u32 r; asm("bfe.u32 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ u32 ptx_bfi_b32(u32 a, u32 b, u32 c, u32 d) { u32 r; asm("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(a), "r"(b), "r"(c), "r"(d)); return r; }
__device__ u32 ptx_bfind_s32(u32 a) { u32 r; asm("bfind.s32 %0, %1;" : "=r"(r) : "r"(a)); return r; }
__device__ u32 ptx_bfind_u32(u32 a) { u32 r; asm("bfind.u32 %0, %1;" : "=r"(r) : "r"(a)); return r; }
__device__ u32 ptx_bfind_u64(u64 a) { u32 r; asm("bfind.u64 %0, %1;" : "=r"(r) : "l"(a)); return r; }
__device__ u32 ptx_bmsk_clamp(u32 a, u32 b) { u32 r; asm("bmsk.clamp.b32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); return r; }
__device__ u32 ptx_cvt_s16_f32(float a) { u32 r; asm("{.reg .b16 a; cvt.rmi.s16.f32 a, %1; cvt.u32.u16 %0, a;}" : "=&r"(r) : "f"(a)); return r; }
__device__ u32 ptx_cvt_s32_s8(u32 a) { u32 r; asm("cvt.s32.s8 %0, %1;" : "=r"(r) : "r"(a)); return r; }
__device__ u32 ptx_cvt_sat_s16_u32(u32 a) { u32 r; asm("{.reg .b16 a; cvt.sat.s16.u32 a, %1; cvt.s32.s16 %0, a;}" : "=&r"(r) : "r"(a)); return r; }
__device__ u32 ptx_cvt_sat_u8_f32(float a) { u32 r; asm("cvt.rni.sat.u8.f32 %0, %1;" : "=r"(r) : "f"(a)); return r; }
__device__ float ptx_fma_sat(float a, float b, float c) { float r; asm("fma.rn.sat.f32 %0, %1, %2, %3;" : "=f"(r) : "f"(a), "f"(b), "f"(c)); return r; }
__device__ u32 ptx_lop3_e2(u32 a, u32 b, u32 c) { u32 r; asm("lop3.b32 %0, %1, %2, %3, 0xe2;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ u32 ptx_mad_carry(u32 a, u32 b, u32 c, u32 d) { u32 r; asm("{.reg .u32 l; mad.lo.cc.u32 l, %1, %2, %3; madc.hi.u32 %0, %1, %2, %4;}" : "=&r"(r) : "r"(a), "r"(b), "r"(c), "r"(d)); return r; }
__device__ float ptx_mul_sat(float a, float b) { float r; asm("mul.rn.sat.f32 %0, %1, %2;" : "=f"(r) : "f"(a), "f"(b)); return r; }
__device__ u32 ptx_prmt_b4e(u32 a, u32 b, u32 c) { u32 r; asm("prmt.b32.b4e %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ u32 ptx_prmt_rc16(u32 a, u32 b, u32 c) { u32 r; asm("prmt.b32.rc16 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ u32 ptx_prmt_rc8(u32 a, u32 b, u32 c) { u32 r; asm("prmt.b32.rc8 %0, %1, %2, %3;" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ u32 ptx_sad_u16(u32 a, u32 b, u32 c) { u32 r; asm("{.reg .b16 a, b, c; cvt.u16.u32 a, %1; cvt.u16.u32 b, %2; cvt.u16.u32 c, %3; sad.u16 a, a, b, c; cvt.u32.u16 %0, a;}" : "=&r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ u32 ptx_set_hs_f32(u32 a, u32 b) { u32 r; asm("{.reg .f32 d; set.hs.f32.u32 d, %1, %2; mov.b32 %0, d;}" : "=&r"(r) : "r"(a), "r"(b)); return r; }
__device__ u32 ptx_setp_unordered(float a, float b) { u32 r; asm("{.reg .pred p, q; .reg .u32 t; setp.ltu.f32 p|q, %1, %2; selp.u32 %0, 1, 0, p; setp.geu.f32 p, %1, %2; selp.u32 t, 2, 0, p; or.b32 %0, %0, t; setp.equ.f32 p, %1, %2; selp.u32 t, 4, 0, p; or.b32 %0, %0, t; setp.neu.f32 p, %1, %2; selp.u32 t, 8, 0, p; or.b32 %0, %0, t; setp.nan.f32 p, %1, %2; selp.u32 t, 16, 0, p; or.b32 %0, %0, t; setp.num.f32 p, %1, %2; selp.u32 t, 32, 0, p; or.b32 %0, %0, t; setp.ne.f32 p, %1, %2; selp.u32 t, 64, 0, p; or.b32 %0, %0, t;}" : "=&r"(r) : "f"(a), "f"(b)); return r; }
__device__ u32 ptx_shl_b32(u32 a, u32 b) { u32 r; asm("shl.b32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); return r; }
__device__ u64 ptx_shl_b64(u64 a, u32 b) { u64 r; asm("shl.b64 %0, %1, %2;" : "=l"(r) : "l"(a), "r"(b)); return r; }
__device__ u32 ptx_shr_s16(u32 a, u32 b) { u32 r; asm("{.reg .b16 a; cvt.u16.u32 a, %1; shr.s16 a, a, %2; cvt.u32.u16 %0, a;}" : "=&r"(r) : "r"(a), "r"(b)); return r; }
__device__ u32 ptx_shr_s32(u32 a, u32 b) { u32 r; asm("shr.s32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); return r; }
__device__ u64 ptx_shr_s64(u64 a, u32 b) { u64 r; asm("shr.s64 %0, %1, %2;" : "=l"(r) : "l"(a), "r"(b)); return r; }
__device__ u32 ptx_shr_u32(u32 a, u32 b) { u32 r; asm("shr.u32 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); return r; }
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

// run: --kernel k13_0 --grid 2,2,1 --block 45,1,1 --shared 180 --arg u32[1024]=random:451 --arg u32[180]=0 --arg u32[2880]=0 --arg u32[160]=random:452 --arg u64[24]=random:453 --arg f32[8]=0 --arg f64[8]=0
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
  __shared__ u8 tile_u8[45];
  DYNAMIC_SHARED(dynamic);
  dynamic[t] = t;
  tile_u8[t] = (u8)t;
  __syncthreads();
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
  } else {
    h = mix(h, (fold((u64)u0) | (t + u0)));
  }
  h = mix(h, ((ptx_bfind_u64(w0) / ((u32)w0 | 1u)) + (((u0 % 5u == 0u)) ? (L + L) : bits(odd_float(blockIdx.x)))));
  h = mix(h, gid);
  dynamic[(t * 7u + 35u) % 45u] = 0x1fu;
  __syncthreads();
  u32 v14 = dynamic[((~fold((u64)__float2ull_rz(f0))) % 45u)];
  __syncthreads();
  const u32 c15 = (((fold((u64)__double2ll_rd(((isnan(f0)) ? d0 : -0.0))) / (((const uint2*)in)[bits(odd_float(u0)) & 511u].y | 1u)) % 5u == 1u));
  const u32 m17 = __ballot_sync(m, c15);
  u32 v16 = guarded_ballot(c15, m17, (u32)((((threadIdx.x > blockDim.x)) && ((w0 < w0)))));
  for (u32 k18 = 0u; k18 < 2u; ++k18) {
  }
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, v14);
  h = mix(h, v16);
  h = mix(h, (u32)i0);
  h = mix(h, fold(w0));
  h = mix(h, bits(f0));
  h = mix(h, bits(d0));
  h = mix(h, held[h & 3u]);
  out[gid] = h;
}

// run: --kernel k13_1 --grid 5,1,1 --block 9,1,1 --arg u32[1024]=random:862 --arg u32[45]=0 --arg u32[720]=0 --arg u32[160]=random:863 --arg u64[24]=random:864 --arg f32[8]=0 --arg f64[8]=0
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
  __shared__ u32 tile_u32[9];
  tile_u32[t] = (u32)t;
  __syncthreads();
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
      h = mix(h, u0);
    } while (--n1 != 0u && ((__fmaf_rd(1e-45f, f0, 3.0f) <= ceilf(f0))));
    h = mix(h, (gid & ((u32)(s32)(u0 * L) / (__ldg(in + (0x2u & 1023u)) | 1u))));
  } else {
    h = mix(h, gridDim.x);
  }
  const bool c14 = ((lane_id() > 26u));
  const u32 m15 = __ballot_sync(m, c14);
  if (c14) {
    h = mix(h, (u32)__double2uint_rn(__fma_rn(d0, d0, 2.5)));
  }
  double d17 = from_above<2>(m, (double)((((lane_id() <= 9u)) ? d0 : d0)), bits(fmaxf(f0, f0)));
  Bundle g18[3];
  for (u32 kg18 = 0u; kg18 < 3u; ++kg18) g18[kg18] = Bundle{bits(0.1) + kg18, (u8)kg18, (u16)bits(d17), min((u64)L, 0xb6ull), __fdiv_rd(-2147483648.0f, odd_float(u0)), 1u, __dsub_rd(d17, odd_double((u64)0x1u))};
  g18[bits(__fadd_rd(3.0f, f0)) % 3u].d ^= (u8)L;
  g18[(u32)__float2int_ru(0.0f) % 3u] = g18[L % 3u];
  u32 v19 = g18[bits(__fmaf_ru(f0, odd_float(0x40u), f0)) % 3u].a;
  u64 w20 = g18[fold(((const ulonglong2*)in)[blockDim.x & 255u].x) % 3u].d;
  double d21 = g18[(u32)__float2int_ru(floorf(f0)) % 3u].f;
  if (((bits(d17) < bits(odd_double((u64)blockIdx.x))))) tile_u32[(t * 17u + 19u) % 9u] = blockIdx.x;
  __syncthreads();
  u32 v23 = (u32)((const u8*)tile_u32)[__umulhi(__byte_perm(threadIdx.y, v19, v19), (L | gridDim.x)) % 36u];
  __syncthreads();
  s16 x24 = (s16)(u32)((((((s32)v23 >> (t & 31u)) <= (s32)(0xd739d9afu * u0))) ? (s32)v19 : __float2int_ru(__double2float_rz(odd_double((u64)0x21u)))) >> (bits((f0 != f0 ? __fmaf_ru(0.5f, odd_float((threadIdx.z + blockIdx.y)), f0) : fmaxf(f0, f0))) & 31u));
  for (u32 kx24 = 0u, nx24 = (((u32)i0 << (bits(f0) & 31u)) & 7u); kx24 < nx24; ++kx24) x24 = (s16)(x24 ^ (s16)((0x7u << (lane_id() & 31u)) & (u32)((const ushort4*)own16)[v23 & 1u].z));
  x24 = (s16)(x24 >> ((v19 * 0x20u) & 7u));
  u32 v25 = (u32)x24;
  Bundle g26[4];
  for (u32 kg26 = 0u; kg26 < 4u; ++kg26) g26[kg26] = Bundle{bits(d0) + kg26, (u8)kg26, (u16)bits(odd_double(w20)), (u64)(s64)w20, __fmaf_ru(-1.0f, odd_float(u0), 1.5f), 1u, odd_double(w0)};
  g26[(((f0 != f0)) ? bits(odd_double((u64)v23)) : (u32)(s8)v23) % 4u].c ^= (u8)bits((((gridDim.x & 64u) != 0u) ? f0 : f0));
  g26[bits(d17) % 4u] = g26[bits(__ull2double_rn(w0)) % 4u];
  u32 v27 = g26[(u32)((s32)threadIdx.y >> ((0x3fu % (L | 1u)) & 31u)) % 4u].c;
  u64 w28 = g26[(((f0 != 4294967296.0f)) ? (0x7fffffffu & t) : (u32)w0) % 4u].d;
  double d29 = g26[fold((u64)__double2ll_ru(odd_double(w0))) % 4u].f;
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, v19);
  h = mix(h, v23);
  h = mix(h, v25);
  h = mix(h, v27);
  h = mix(h, (u32)i0);
  h = mix(h, fold(w0));
  h = mix(h, fold(w20));
  h = mix(h, fold(w28));
  h = mix(h, bits(f0));
  h = mix(h, bits(d0));
  h = mix(h, bits(d17));
  h = mix(h, bits(d21));
  h = mix(h, bits(d29));
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
        } while (--n9 != 0u && (((v1 + g.a) != (~threadIdx.x))));
      }
    }
  } else {
  }
  if (((g.a >= g.a))) {
  }
  for (u32 k12 = 0u, nk12 = (((u32)(s32)x % ((u32)(u16)0x2u | 1u)) % 2u); k12 < nk12; ++k12) {
  }
  u32 n13 = 1u;
  do {
  } while (--n13 != 0u && ((__fsub_rd(1.5f, 1.0f) >= truncf(g.e))));
  s8 x14 = (s8)(blockIdx.x % ((~(~0x7fffffffu)) | 1u));
  for (u32 kx14 = 0u, nx14 = (threadIdx.x % 4u); kx14 < nx14; ++kx14) x14 = (s8)(x14 * (s8)(u32)((s32)x >> ((g.a + x) & 31u)));
  x14 = (s8)(x14 >> ((g.a >> (x & 31u)) & 7u));
  u32 v15 = (u32)x14;
  u32 n16 = 4u;
  while (n16-- != 0u && (((v15 > 0xffffu)) || ((lane_id() > 6u)))) {
  }
  g.a ^= (x & threadIdx.y);
  g.a = mix(g.a, mix(fold(g.d), mix(bits(g.e), mix(bits(g.f), g.b ^ g.c))));
  return g;
}
// run: --kernel k13_2 --grid 1,3,2 --block 6,4,1 --arg u32[1024]=random:883 --arg u32[144]=0 --arg u32[2304]=0 --arg u32[160]=random:884 --arg u64[24]=random:885 --arg f32[8]=0 --arg f64[8]=0
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
  __shared__ uint4 tile_uint4[24];
  tile_uint4[t] = make_uint4(t, gid, 1u, 2u);
  __syncthreads();
  f0 = __fdiv_rn(__fdiv_rz(odd_float((u32)(((0xc934c7b7u & 4u) != 0u))), odd_float((u0 + blockDim.x))), ceilf(fminf(__fmaf_ru(f0, f0, 1.17549435e-38f), __fsub_ru(odd_float(gridDim.x), odd_float(lane_id())))));
  const u32 n18 = 2u;
  u32 m19 = m;
  for (u32 k17 = 0u;; ++k17) {
    m19 = __ballot_sync(m19, k17 < n18);
    if (k17 >= n18) break;
    h = mix(h, (u32)((s32)((u32)(u64)gid + (u32)(s32)0x1u) >> ((u32)k13_2_bundle0({(u32)((const u16*)in)[L & 2046u], (u8)(0x7u - gridDim.x), (u16)(0xc4u | k17), (u64)i0, fmaxf(f0, odd_float(gridDim.x)), 0u, (d0 != odd_double(w0) ? d0 : d0)}, (0x3u & k17), in).a & 31u)));
  }
  const bool c20 = ((lane_id() != 32u));
  const u32 m21 = __ballot_sync(m, c20);
  if (c20) {
    h = mix(h, in[((~(u32)((s32)gridDim.x >> (L & 31u))) + (u32)(u64)(threadIdx.z + blockIdx.y)) & 1023u]);
  }
  if ((((0x80000000u < L)) && ((0x80000000u == 0x13u)))) copy_4(&tile_uint4[t], in + ((bits(1.5f) >> (bits(f0) & 31u)) & 1020u));
  copies_done();
  __syncthreads();
  u32 v22 = tile_uint4[(u32)(u8)threadIdx.x % 24u].z;
  __syncthreads();
  s32 i23 = (s32)(s16)0x100u;
  ((ushort4*)own16)[L & 1u] = make_ushort4((u16)(u32)(s8)u0, (u16)L, 3, 4);
  v22 &= (in[(u32)(s16)(((f0 == f0)) ? L : t) & 1023u] / (((u32)(((0xfffffffeu & 4u) != 0u) ? (s32)u0 : i0) >> (u0 & 31u)) | 1u));
  if (((ptx_bmsk_clamp(((u32)k13_2_bundle0({0xfu, (u8)0xbd7103e7u, (u16)u0, 0x7ull, 3.4e38f, 0u, odd_double((u64)(threadIdx.z + blockIdx.y))}, L, in).b + L), (u32)k13_2_bundle0({ptx_shl_b32(u0, (t & 63u)), (u8)(0x3fu - 0xffffffffu), (u16)(u32)(s32)0x7fffffffu, ((u64)0xffffffffu >> (L & 63u)), f0, 0u, __fma_rn(1e18, d0, d0)}, (~L), in).c) >= (threadIdx.z + blockIdx.y)))) {
  } else {
    h = mix(h, L);
  }
  v22 *= ptx_sad_u16((ptx_bfe_u32(v22, (v22 & 255u), ((0xffffffffu & 63u) & 255u)) / (fixed[18] | 1u)), ((((isnan(f0)) ? v22 : L) | (u32)w0) & 63u), 0x92u);
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, v22);
  h = mix(h, (u32)i0);
  h = mix(h, (u32)i23);
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
        }
      } else {
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
    }
    case 7: {
    }
    default: {
    } break;
  }
  double d14 = __int2double_rn((s32)x);
  return mix((u32)(u8)0x7u, (x + 0x20u));
}
// run: --kernel k13_3 --grid 1,3,2 --block 13,4,1 --arg u32[1024]=random:253 --arg u32[312]=0 --arg u32[4992]=0 --arg u32[160]=random:254 --arg u64[24]=random:255 --arg f32[8]=0 --arg f64[8]=0
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
  for (u32 k15 = 0u; k15 < 3u; ++k15) {
  }
  for (u32 k16 = 0u, nk16 = (t & 3u); k16 < nk16; ++k16) {
  }
  own[((u0 - threadIdx.x) ^ (t | threadIdx.y)) & 3u] = (0x7fffffffu * (~L));
  u32 a17[3];
  for (u32 k18 = 0u; k18 < 3u; ++k18) a17[k18] = fixed[56] + k18 * 0x1fu;
  a17[t % 3u] = (u0 - 0xe4u);
  u32 v19 = k13_3_masked0(m, u0, (s32)(s64)0x40ull, in, gid);
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, v19);
  h = mix(h, (u32)i0);
  h = mix(h, fold(w0));
  h = mix(h, bits(f0));
  h = mix(h, bits(d0));
  h = mix(h, held[h & 3u]);
  out[gid] = h;
}

__device__ u32 k13_4_kept[960];
// run: --kernel k13_4 --grid 5,1,1 --block 96,1,1 --arg u32[1024]=random:129 --arg u32[480]=0 --arg u32[7680]=0 --arg u32[160]=random:130 --arg u64[24]=random:131 --arg f32[8]=0 --arg f64[8]=0
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
          } break;
          case 7: {
            h = mix(h, (u32)((s32)blockIdx.x >> (0x7u & 31u)));
          }
          default: {
          } break;
        }
      }
      h = mix(h, in[(u32)0x5ull & 1023u]);
    }
  } else {
    h = mix(h, (((bits(f0) - (((lane_id() == 6u)) ? u0 : gridDim.x)) | (in[threadIdx.y & 1023u] / ((lane_id() - L) | 1u))) - (((0x6eu >> (u0 & 31u)) / ((u32)((const uchar4*)in)[t & 1023u].z | 1u)) & (u32)((volatile u16*)own16)[(~0x1fu) & 7u])));
  }
  if ((((s32)(u16)(0x21u % (L | 1u)) >= (s32)(s64)i0))) {
  }
  u32 a18[6];
  for (u32 k19 = 0u; k19 < 6u; ++k19) a18[k19] = (bits(f0) & ptx_shr_s32(threadIdx.y, 0x100u)) + k19 * 0x21u;
  a18[fold(((const u64*)in)[fold((u64)u0) & 511u]) % 6u] = (u32)(u8)(((0x80000000u % 3u == 0u)) ? u0 : u0);
  const bool c20 = ((min(i0, i0) < (s32)(gridDim.x + u0)));
  const u32 m21 = __ballot_sync(m, c20);
  if (c20) {
  } else {
    h = mix(h, ((u32)((const u8*)own)[u0 & 63u] & (u32)(i0 >> (u0 & 31u))));
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
// run: --kernel k13_6 --grid 1,3,2 --block 7,1,1 --arg u32[1024]=random:152 --arg u32[42]=0 --arg u32[672]=0 --arg u32[160]=random:153 --arg u64[24]=random:154 --arg f32[8]=0 --arg f64[8]=0
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
    h = mix(h, in[(gid * 8u + 12u) & 1023u]);
  }
  for (u32 k16 = 0u, nk16 = (((L & lane_id()) & bits(odd_float(t))) % 3u); k16 < nk16; ++k16) {
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

// run: --kernel k13_9 --grid 2,2,1 --block 45,1,1 --arg u32[1024]=random:881 --arg u32[180]=0 --arg u32[2880]=0 --arg u32[160]=random:882 --arg u64[24]=random:883 --arg f32[8]=0 --arg f64[8]=0
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
  __shared__ double tile_double[45];
  tile_double[t] = (double)t;
  __syncthreads();
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
        }
      }
    } break;
    case 1: {
      h = mix(h, ((u32)own8[(in[gridDim.x & 1023u] | (u32)(s16)u0) & 7u] * ((((0x80000000u >= L)) ? (t % (0x3u | 1u)) : bits(f0)) ^ (u32)(u16)in[t & 1023u])));
    }
    case 2: {
      h = mix(h, gridDim.x);
    } break;
    case 3: {
      h = mix(h, (~(~(u32)i0)));
    } break;
    case 4: {
    }
    case 5: {
    }
    case 6: {
    } break;
    case 7: {
    } break;
  }
  Rolled<u32, 7> ra17;
  u32 (&a17)[7] = ra17.v;
  for (u32 k18 = 0u; k18 < 7u; ++k18) a17[k18] = u0 + k18 * 0x1fu;
  a17[(u32)((volatile u16*)own16)[(u32)(s8)0x0u & 7u] % 7u] ^= (u32)((const ushort4*)in)[t & 511u].w;
  tile_double[(t * 16u + 35u) % 45u] = (-(1e18) >= odd_double(w0) ? d0 : __fma_ru(d0, 0.5, d0));
  __syncthreads();
  double d19 = tile_double[((t + 3u) % 45u)];
  __syncthreads();
  u32 n20 = 6u;
  while (n20-- != 0u && ((ptx_mul_sat(0.5f, 0.1f) != __fdiv_rd(f0, f0)))) {
    h = mix(h, (gid ^ 0x1u));
  }
  const u32* p22 = ((((u64)0xffu << 32 | L) < ((u64)blockIdx.x << 32 | u0))) ? in + ((u32)(s16)t & 1023u) : held + (t & 3u);
  u32 v21 = *p22;
  u32* p23 = (((s32)(L * u0) < max((s32)t, i0))) ? own + ((u32)own16[0xffu & 7u] & 3u) : held + (fold((u64)u0) & 3u);
  *p23 = blockIdx.x;
  d19 = __dmul_rn(d0, d19);
  h = mix(h, L);
  h = mix(h, t);
  h = mix(h, u0);
  h = mix(h, v21);
  h = mix(h, (u32)i0);
  h = mix(h, fold(w0));
  h = mix(h, bits(f0));
  h = mix(h, bits(d0));
  h = mix(h, bits(d19));
  h = mix(h, held[h & 3u]);
  out[gid] = h;
}
