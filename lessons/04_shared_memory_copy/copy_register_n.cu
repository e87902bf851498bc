// N loads, then N stores. The array is indexed by constants once the loops are unrolled,
// so it lives in registers: two for every double.
template <int N>
__global__ void copy_register_n(const double* in, double* out) {
  const size_t i = threadIdx.x + size_t{N} * blockDim.x * blockIdx.x;
  double held[N];
  // @phase load
#pragma unroll
  for (int k = 0; k < N; ++k) held[k] = in[i + k * blockDim.x];
  // @phase store
#pragma unroll
  for (int k = 0; k < N; ++k) out[i + k * blockDim.x] = held[k];
}
