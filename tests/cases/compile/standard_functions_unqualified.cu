// kernel: mean
#include <cmath>
#include <type_traits>
#include <cub/block/block_reduce.cuh>
using namespace std;
#include "parts/exponential.h"
// With `using namespace std;` NVRTC sees both CUDA's exp(float) and libcu++'s.
__global__ void mean(float* x) {
  using Reduce = cub::BlockReduce<float, 128>;
  __shared__ typename aligned_storage<sizeof(Reduce::TempStorage), alignof(Reduce::TempStorage)>::type storage;
  float v = exp(x[threadIdx.x]) + sqrt(exp(x[0])) + exponential(x[1]); int unused = 0;
  v = Reduce(reinterpret_cast<Reduce::TempStorage&>(storage)).Sum(v);
  if (threadIdx.x == 0) x[0] = std::exp(v);
}
