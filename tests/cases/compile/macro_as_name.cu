// kernel: k
#define N 32
#define EPS 1e-5f  /* small */
#define HALF(x) ((x) / 2)
__global__ void k(float* x, int N) {
  float EPS = x[0];
  x[HALF(4)] = (N;
}
__constant__ unsigned int N;
template <int N>
__global__ void t(float* x) { x[0] = N; }
