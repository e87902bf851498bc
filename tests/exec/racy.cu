// All threads of a block add to one element without an order. Arguments: the number of blocks, and the first block that
// does so.
#include <cstdlib>

__global__ void add(int* sum, unsigned first) {
  if (blockIdx.x >= first) sum[0] += threadIdx.x;
}

int main(int count, char** arguments) {
  int* sum;
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  add<<<count > 1 ? std::atoi(arguments[1]) : 1, 64>>>(sum, count > 2 ? std::atoi(arguments[2]) : 0);
  cudaDeviceSynchronize();
}
