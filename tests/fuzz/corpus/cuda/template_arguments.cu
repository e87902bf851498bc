// kernel: fill
// kernel: fill<float>
// kernel: fill<nothing, 4>
// kernel: same
template <typename T, int COUNT>
__global__ void fill(T* out) { out[threadIdx.x] = COUNT; }
__global__ void same(int* out) { *out = 1; }
__global__ void same(float* out) { *out = 1; }
