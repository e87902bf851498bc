// kernel: count
#include <cuda/std/type_traits>
#include <cub/block/block_reduce.cuh>
struct Later;
__global__ void count(int* x) {
  __shared__ typename cub::BlockReduce<Later, 32>::TempStorage storage;
  x[0] = sizeof(storage);
  x[1] = cuda::std::is_trivially_copyable<Later>::value;
}
