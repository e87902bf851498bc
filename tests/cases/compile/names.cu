// kernel: plain
// kernel: with_c_name
// kernel: outer::inner::fill<float, 3>
// kernel: outer::inner::fill<unsigned long, sizeof(int) * 2, false>
// kernel: hidden
// kernel: by_macro
// kernel: specialised<int>
// kernel: _Z5plainPf
// kernel: pick<outer::Larger>
__global__ void plain(float* out) { out[0] = 1; }
extern "C" __global__ void with_c_name(float* out) { out[0] = 2; }
namespace outer {
struct Larger {
  __device__ static float of(float a, float b) { return a > b ? a : b; }
};
namespace inner {
template <typename T, int COUNT, bool UP = true>
__global__ void __launch_bounds__(128) fill(T* out) { out[threadIdx.x] = UP ? COUNT : -COUNT; }
}
}
namespace {
__global__ void hidden(float* out) { out[0] = 3; }
}
#define KERNEL(name) __global__ void name(float* out) { out[0] = 4; }
KERNEL(by_macro)
template <typename T>
__global__ void specialised(T* out) { out[0] = 5; }
template <>
__global__ void specialised<int>(int* out) { out[0] = 6; }
template <typename Pick>
__global__ void pick(float* out) { out[0] = Pick::of(out[1], out[2]); }
