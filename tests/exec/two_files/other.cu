#include "shared.cuh"

static __device__ int own = 70;

static __device__ __noinline__ int add_own(int x) {
  return own * x;
}

__device__ int other(int x) {
  printf("the other: %d\n", add_own(x));
  return odd(x) + triple(x) + *pick(0);
}
