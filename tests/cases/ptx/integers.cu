// Integer and bit operations, atomics, warp operations: every intrinsic that has PTX of its own.
#include <cuda_fp16.h>

__global__ void bits(unsigned* a, int* n, unsigned long long* u, long long* l, unsigned short* h, signed char* c) {
  const int i = threadIdx.x;
  const unsigned x = a[i], y = a[i + 32], z = a[i + 64];
  const int sx = n[i], sy = n[i + 32];
  int k = 0;
  auto keep = [&](unsigned value) { a[64 * ++k + i] = value; };
  keep(__popc(x)); keep(__popcll(u[i])); keep(__clz(x)); keep(__clzll(u[i])); keep(__ffs(x)); keep(__ffsll(u[i]));
  keep(__brev(x)); u[i] = __brevll(u[i + 1]); keep(__byte_perm(x, y, z)); keep(__fns(x, y, sx));
  keep(__funnelshift_l(x, y, z)); keep(__funnelshift_r(x, y, z));
  keep(__funnelshift_lc(x, y, z)); keep(__funnelshift_rc(x, y, z));
  keep(__mulhi(sx, sy)); keep(__umulhi(x, y)); keep(__mul24(sx, sy)); keep(__umul24(x, y));
  l[i] = __mul64hi(l[i], l[i + 1]); u[i + 9] = __umul64hi(u[i], u[i + 1]);
  keep(__sad(sx, sy, z)); keep(__usad(x, y, z)); keep(__hadd(sx, sy)); keep(__urhadd(x, y));
  keep(__dp4a(sx, sy, sx)); keep(__dp4a(x, y, z)); keep(__dp2a_lo(sx, sy, sx)); keep(__dp2a_hi(x, y, z));
  keep(__vabs2(x)); keep(__vadd4(x, y)); keep(__vaddss2(x, y)); keep(__vaddus4(x, y)); keep(__vavgs2(x, y));
  keep(__vavgu4(x, y)); keep(__vcmpeq2(x, y)); keep(__vcmpgts4(x, y)); keep(__vmaxs2(x, y)); keep(__vminu4(x, y));
  keep(__vneg2(x)); keep(__vsads4(x, y)); keep(__vsadu2(x, y)); keep(__vseteq4(x, y)); keep(__vsub4(x, y));
  keep(__vsubss2(x, y)); keep(__vabsdiffu4(x, y)); keep(__vabsdiffs2(x, y)); keep(__vimax3_s32(sx, sy, sx));
  keep(__viaddmax_s16x2(x, y, z)); keep(__vimin3_u16x2(x, y, z));
  keep(x / y); keep(x % y); keep(sx / sy); keep(sx % sy); keep(x / 7); keep(sx % 10);
  u[i] = u[i + 2] / u[i + 3] + u[i + 4] % u[i + 5];
  l[i] = l[i + 2] / l[i + 3] + l[i + 4] % l[i + 5];
  keep(min(sx, sy)); keep(max(x, y)); keep(abs(sx)); l[i + 9] = min(l[i], l[i + 1]); l[i + 7] = llabs(l[i]);
  h[i] = h[i + 1] * h[i + 2] + h[i + 3] / h[i + 4]; h[i + 9] = min(h[i], h[i + 2]);
  c[i] = c[i + 1] * c[i + 2] - c[i + 3]; c[i + 7] = c[i + 5] >> h[i];
  keep(x << y); keep(sx >> sy); u[i] = u[i] << x; l[i] = l[i] >> x; keep((x & y) | (z ^ x));
  keep(clock()); u[5] = clock64(); keep(__ldg(a + 99)); keep(__ldcg(a)); keep(__ldcs(a)); __stwt(a + 3, x); __stcs(a + 4, x);
}

__global__ void atomics(int* i, unsigned* u, unsigned long long* ull, float* f, double* d, unsigned short* us, __half2* h) {
  const int v = threadIdx.x;
  __shared__ int s[32];
  __shared__ float sf;
  __shared__ unsigned long long su;
  i[v] = atomicAdd(i, v) + atomicSub(i + 1, v) + atomicExch(i + 2, v) + atomicMin(i + 3, v) + atomicMax(i + 4, v) +
         atomicCAS(i + 5, v, 3) + atomicAnd(i + 6, v) + atomicOr(i + 7, v) + atomicXor(i + 8, v) + atomicInc(u, v) +
         atomicDec(u + 1, v) + atomicAdd_block(i + 9, v) + atomicAdd_system(i + 10, v) + atomicAdd(&s[v], 1) +
         atomicCAS(us, (unsigned short)1, (unsigned short)2);
  ull[v] = atomicAdd(ull, 1ull) + atomicMax(ull + 1, 3ull) + atomicCAS(ull + 2, 1ull, 2ull) + atomicExch(ull + 3, 1ull) +
           atomicAnd(ull + 4, 3ull);
  f[v] = atomicAdd(f, 1.f) + atomicExch(f + 1, 2.f);
  d[v] = atomicAdd(d, 1.0);
  h[v] = atomicAdd(h, h[v + 1]);
  atomicAdd(&sf, 2.f); atomicMax(&su, 4ull); atomicAdd(i + 20, 1); atomicAdd(f + 20, 1.f); atomicMin(u + 20, 3u);
  atomicOr(ull + 20, 1ull); atomicAdd(d + 4, 2.0);
  __threadfence_block(); __threadfence(); __threadfence_system();
#if __CUDA_ARCH__ >= 900
  const float4 quad = atomicAdd((float4*)f, make_float4(1, 2, 3, 4));
  f[9] = quad.x + atomicAdd((float2*)f, make_float2(1, 2)).y;
#endif
}

__global__ void warp(int* n, unsigned* u, unsigned long long* ull, float* f) {
  const int i = threadIdx.x, x = n[i];
  int all = 0;
  n[i] = __shfl_sync(~0u, x, 3) + __shfl_up_sync(~0u, x, 1, 16) + __shfl_down_sync(~0u, x, 2) +
         __shfl_xor_sync(~0u, x, 4, 8) + __all_sync(~0u, x) + __any_sync(~0u, x) + __uni_sync(~0u, x) +
         __ballot_sync(~0u, x > 2) + __activemask() + __match_any_sync(~0u, x) + __syncthreads_count(x) +
         __syncthreads_and(x) + __syncthreads_or(x);
  u[i] = __match_all_sync(~0u, ull[i], &all) + all;
  ull[i] = __shfl_sync(~0u, ull[i], 2);
  f[i] = __shfl_sync(~0u, f[i], 2);
  __syncwarp(0xff);
  __nanosleep(20);
#if __CUDA_ARCH__ >= 800
  n[i + 1] = __reduce_add_sync(~0u, x) + __reduce_min_sync(~0u, x) + __reduce_and_sync(~0u, u[i]) +
             __reduce_max_sync(~0u, u[i]);
#endif
}

// Inline assembly declares the same names again and again.
__global__ void assembly(unsigned* a) {
#pragma unroll
  for (int k = 0; k < 3; ++k)
    asm volatile(
        "{ .reg .pred p; .reg .b32 t; setp.eq.u32 p, %0, 0; @p bra DONE; add.u32 t, %0, 1; mov.u32 %0, t; DONE: }"
        : "+r"(a[threadIdx.x + k]));
}
