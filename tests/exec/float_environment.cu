// A program that traps on floating-point exceptions, rounds upwards and flushes subnormal numbers on the host. Its kernels
// compute as on a GPU, and afterwards the host's settings are the same.
#include <xmmintrin.h>

#include <cfenv>
#include <cstdio>

__global__ void compute(const float* in, float* out, double* wide) {
  out[0] = 1 / in[0];             // infinity
  out[1] = rsqrtf(in[0]);         // infinity
  out[2] = in[1] * in[2];         // a subnormal number
  out[3] = in[3] + in[4];         // rounds to 1
  wide[0] = sqrt(double(in[5]));  // NaN
  wide[1] = double(in[3]) / 3;
}

int main() {
  float *in, out[4];
  double *wide, results[2];
  const float values[] = {0, 1e-30f, 1e-10f, 1, 1e-10f, -1};
  cudaMallocManaged(&in, sizeof(values) + sizeof(out));
  cudaMallocManaged(&wide, sizeof(results));
  for (int i = 0; i < 6; ++i) in[i] = values[i];
  feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
  std::fesetround(FE_UPWARD);
  _mm_setcsr(_mm_getcsr() | 0x8040);
  const unsigned before = _mm_getcsr() & ~0x3fu;
  compute<<<1, 1>>>(in, in + 6, wide);
  cudaDeviceSynchronize();
  const bool same = (_mm_getcsr() & ~0x3fu) == before && std::fegetround() == FE_UPWARD;
  fedisableexcept(FE_ALL_EXCEPT);
  std::fesetround(FE_TONEAREST);
  _mm_setcsr(_mm_getcsr() & ~0x8040u);
  std::printf("%g %g %a %a %g %a %s\n", in[6], in[7], in[8], in[9], wide[0] != wide[0] ? 1.0 : 0.0, wide[1],
              same ? "same" : "changed");
}
