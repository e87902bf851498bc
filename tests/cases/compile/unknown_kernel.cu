// kernel: vector_ad
// kernel: square
// kernel: entirely_else
__device__ int square(int x) { return x * x; }
__global__ void vector_add(int* out) { out[0] = square(out[1]); }
namespace deep {
template <typename T, int COUNT>
__global__ void fill(T* out) { out[threadIdx.x] = COUNT; }
}
// __global__ void in_a_comment() {}
const char* text = "__global__ void in_a_string() {}";
