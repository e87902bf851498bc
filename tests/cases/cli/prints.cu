#include <cstdio>

__global__ void prints(int n) {
  if (threadIdx.x < n) printf("thread %d of %d\n", threadIdx.x, n);
}
