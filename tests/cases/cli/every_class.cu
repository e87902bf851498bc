// Accesses of every class that has numbers, and a branch, barriers, a shuffle and a vote.
__global__ void every_class(int* data, int* sums, int n) {
  __shared__ int counts[32];
  int kept[8];
  const int i = threadIdx.x;
  counts[i] = i;
  __syncthreads();
  for (int k = 0; k < 8; ++k) kept[k] = k * n;
  int sum = kept[data[i] & 7] + counts[31 - i];
  __syncthreads();
  atomicAdd(&counts[i & 3], 1);
  if (i < n) sum += atomicAdd(&sums[0], 1);
  atomicAdd(&sums[1], 1);
  sum += __shfl_xor_sync(0xffffffffu, sum, 1) + __any_sync(0xffffffffu, sum > n);
  data[i] = sum;
}
