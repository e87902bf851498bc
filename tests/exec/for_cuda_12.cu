// Uses what CUDA 13 removed or changed: members of cudaDeviceProp, the number of a device as a place, bases and names of
// function objects. Without the headers of Thrust and CUB, which take long to compile.
#include <cstdio>

struct Square : thrust::unary_function<float, float> {
  __host__ __device__ result_type operator()(argument_type x) const { return x * x; }
};

// CUB scans the sums that it knows in another way than other operators.
template <typename Operator>
constexpr bool is_known_sum(Operator) {
  return false;
}
constexpr bool is_known_sum(cuda::std::plus<>) { return true; }
static_assert(is_known_sum(cub::Sum{}), "cub::Sum is libcu++'s own");

static void show(const cudaDeviceProp& prop) {
  std::printf("%d %d %d %d\n", prop.clockRate > 0, prop.memoryClockRate > 0, prop.deviceOverlap, prop.computeMode);
}

__global__ void largest(const float* in, float* out) {
  float all = 0;
  for (int i = 0; i < 32; ++i) all = cub::Max()(all, Square()(in[i]));
  *out = cub::Sum()(all, cub::Min()(all, 1.0f));
}

int main() {
  cudaDeviceProp prop;
  struct cudaDeviceProp second;
  std::printf("%d\n", cudaGetDeviceProperties(&prop, 0));
  show(prop);
  float *in, *out;
  cudaMallocManaged(&in, 32 * sizeof(float));
  cudaMallocManaged(&out, sizeof(float));
  for (int i = 0; i < 32; ++i) in[i] = i;
  cudaMemAdvise(in, 128, cudaMemAdviseSetReadMostly, 0);
  cudaMemPrefetchAsync(in, 128, 0);
  largest<<<1, 1>>>(in, out);
  cudaMemPrefetchAsync(out, sizeof(float), cudaCpuDeviceId, nullptr);
  cudaDeviceSynchronize();
  std::printf("%g %s\n", *out, cudaGetErrorName(cudaGetLastError()));
  std::printf("%s\n", cudaGetErrorName(cudaGetDeviceProperties(&second, 7)));
}
