// N loads, then N stores. `N` is a template argument: the compiler makes one kernel for each N that
// is asked for. The loops are unrolled, so every index of `held` is a constant, and the array can
// live in registers: two for each double.
template <int N>
__global__ void copy_register_n(const double* in, double* out) {
  const size_t i = threadIdx.x + N * blockDim.x * blockIdx.x;
  double held[N];
  // @phase load
#pragma unroll
  for (int k = 0; k < N; ++k) held[k] = in[i + k * blockDim.x];
  // @phase store
#pragma unroll
  for (int k = 0; k < N; ++k) out[i + k * blockDim.x] = held[k];
}
