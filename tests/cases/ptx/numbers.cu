// Floating point in every width, exact and approximate: half, bfloat16, float, double.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

template <typename T, typename T2>
__global__ void narrow(T* a, T2* b, float* f, int* n) {
  const int i = threadIdx.x;
  const T x = a[i], y = a[i + 32], z = a[i + 64];
  const T2 p = b[i], q = b[i + 32], r = b[i + 64];
  int k = 0;
  auto one = [&](T value) { a[64 * ++k + i] = value; };
  auto two = [&](T2 value) { b[64 * ++k + i] = value; };
  auto integer = [&](int value) { n[64 * ++k + i] = value; };
  one(__hadd(x, y)); one(__hsub(x, y)); one(__hmul(x, y)); one(__hdiv(x, y)); one(__hfma(x, y, z));
  one(__hneg(x)); one(__habs(x)); one(__hmax(x, y)); one(__hmin(x, y)); one(__hadd_sat(x, y)); one(__hfma_sat(x, y, z));
  one(hsqrt(x)); one(hrsqrt(x)); one(hrcp(x)); one(hlog(x)); one(hlog2(x)); one(hexp(x)); one(hexp2(x)); one(hsin(x));
  one(hcos(x)); one(htanh(x)); one(hfloor(x)); one(hceil(x)); one(htrunc(x)); one(hrint(x));
  two(__hadd2(p, q)); two(__hmul2(p, q)); two(__hfma2(p, q, r)); two(__h2div(p, q)); two(__hmax2(p, q)); two(h2sqrt(p));
  two(h2exp(p)); two(h2sin(p)); two(__hlt2(p, q)); two(__hgeu2(p, q)); two(__shfl_xor_sync(~0u, p, 1));
#if __CUDA_ARCH__ >= 800
  one(__hmin_nan(x, y)); one(__hfma_relu(x, y, z)); two(__hmax2_nan(p, q)); one(htanh_approx(x));
#endif
  integer(__hlt(x, y)); integer(__heq(x, y)); integer(__hneu(x, y)); integer(__hbeq2(p, q)); integer(__hisnan(x));
  integer(int(float(x))); integer(int(x)); one(T(f[i])); one(T(double(f[i + 1]))); one(T(n[i])); f[i] = float(z);
  atomicAdd(a, x);
  atomicAdd(b, p);
}
template __global__ void narrow<__half, __half2>(__half*, __half2*, float*, int*);
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
template __global__ void narrow<__nv_bfloat16, __nv_bfloat162>(__nv_bfloat16*, __nv_bfloat162*, float*, int*);
#endif

__global__ void eight(__nv_fp8_e4m3* a, __nv_fp8x2_e5m2* b, float* f, float2* f2) {
  const int i = threadIdx.x;
  a[i] = __nv_fp8_e4m3(f[i]);
  f[i + 1] = float(a[i + 2]);
  b[i] = __nv_fp8x2_e5m2(f2[i]);
}

__global__ void single(float* a, int* n) {
  const int i = threadIdx.x;
  const float x = a[i], y = a[i + 32], z = a[i + 64];
  int k = 0, e = 0;
  float s = 0, c = 0;
  auto keep = [&](float value) { a[64 * ++k + i] = value; };
  keep(sinf(x)); keep(cosf(x)); keep(tanf(x)); keep(asinf(x)); keep(atan2f(x, y)); keep(sinhf(x)); keep(tanhf(x));
  keep(expf(x)); keep(exp2f(x)); keep(exp10f(x)); keep(expm1f(x)); keep(logf(x)); keep(log2f(x)); keep(log1pf(x));
  keep(powf(x, y)); keep(sqrtf(x)); keep(rsqrtf(x)); keep(cbrtf(x)); keep(hypotf(x, y)); keep(erff(x)); keep(lgammaf(x));
  keep(fmodf(x, y)); keep(remainderf(x, y)); keep(floorf(x)); keep(roundf(x)); keep(rintf(x)); keep(truncf(x));
  keep(fmaxf(x, y)); keep(fminf(x, y)); keep(fdimf(x, y)); keep(fmaf(x, y, z)); keep(copysignf(x, y));
  keep(nextafterf(x, y)); keep(ldexpf(x, n[i])); keep(frexpf(x, &e)); keep(modff(x, &s)); sincosf(x, &s, &c); keep(s + c);
  keep(__sinf(x)); keep(__expf(x)); keep(__logf(x)); keep(__powf(x, y)); keep(__fdividef(x, y)); keep(__saturatef(x));
  keep(__fadd_ru(x, y)); keep(__fmul_rz(x, y)); keep(__fmaf_rd(x, y, z)); keep(__frcp_rn(x)); keep(__fsqrt_rd(x));
  keep(__frsqrt_rn(x)); keep(__fdiv_ru(x, y)); keep(x / y); keep(1 / x); keep(__int2float_rn(n[i])); keep(n[i + 9]);
  n[i] = e + __float2int_rn(x) + __float2uint_rz(y) + __float_as_int(z) + isnan(x) + isinf(y) + signbit(z) + lrintf(x);
}

__global__ void wide(double* a, int* n, long long* l, float* f) {
  const int i = threadIdx.x;
  const double x = a[i], y = a[i + 32], z = a[i + 64];
  int k = 0, e = 0;
  auto keep = [&](double value) { a[64 * ++k + i] = value; };
  keep(sin(x)); keep(tan(x)); keep(acos(x)); keep(atan2(x, y)); keep(sinh(x)); keep(tanh(x)); keep(exp(x)); keep(expm1(x));
  keep(log(x)); keep(log2(x)); keep(pow(x, y)); keep(sqrt(x)); keep(rsqrt(x)); keep(cbrt(x)); keep(hypot(x, y));
  keep(erfc(x)); keep(tgamma(x)); keep(fmod(x, y)); keep(remainder(x, y)); keep(floor(x)); keep(round(x)); keep(rint(x));
  keep(fmax(x, y)); keep(fma(x, y, z)); keep(copysign(x, y)); keep(nextafter(x, y)); keep(ldexp(x, n[i]));
  keep(frexp(x, &e)); keep(x / y); keep(1.0 / x); keep(__dadd_ru(x, y)); keep(__drcp_rn(x)); keep(__dsqrt_rz(x));
  keep(__ddiv_rd(x, y)); keep(__fma_ru(x, y, z)); keep(__int2double_rn(n[i])); keep(__ll2double_rn(l[i]));
  keep(__hiloint2double(n[i], n[i + 1]));
  l[i] = __double2ll_rn(x) + __double2ull_rz(y) + __double_as_longlong(z) + llrint(x);
  n[i] = e + __double2int_rn(x) + __double2hiint(x) + __double2loint(y) + isnan(x);
  f[i] = __double2float_rz(x);
}
