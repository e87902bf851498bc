// All threads of a block add to one element without an order.
__global__ void add(int* sum) {
  sum[0] += threadIdx.x;
}

int main() {
  int* sum;
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  add<<<1, 64>>>(sum);
  cudaDeviceSynchronize();
}
