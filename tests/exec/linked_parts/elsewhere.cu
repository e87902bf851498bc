__device__ int next(int i) { return i + 1; }
__global__ void elsewhere(int* p) { *p = next(*p); }
