// kernel: anything
__device__ int helper(int x) { return x; }
