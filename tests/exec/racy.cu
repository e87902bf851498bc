// All threads of a block add to one element without an order. Argument: the number of blocks.
#include <cstdlib>

__global__ void add(int* sum) {
  sum[0] += threadIdx.x;
}

int main(int count, char** arguments) {
  int* sum;
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  add<<<count > 1 ? std::atoi(arguments[1]) : 1, 64>>>(sum);
  cudaDeviceSynchronize();
}
