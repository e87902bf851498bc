// Functions: not inlined, recursive, called through pointers and tables, virtual, templates, lambdas.
#include <cstdio>

__device__ __noinline__ float cube(const float* in, int i) { return in[i] * in[i] * in[i]; }
__device__ __noinline__ float cubes(const float* in, int i) { return cube(in, i) + cube(in, i ^ 1); }
// run: --grid 2 --block 64 --arg f32[128]=iota --arg f32[128]=0
__global__ void two_deep(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = cubes(in, i);
}

__device__ __noinline__ int power(const int* in, int i, int n) { return n == 0 ? 1 : in[i] % 3 * power(in, i, n - 1); }
// run: --grid 1 --block 64 --arg i32[64]=iota --arg i32[64]=0
__global__ void recursion_of_one_depth(const int* in, int* out) { out[threadIdx.x] = power(in, threadIdx.x, 5); }

__device__ __noinline__ int sum_down(const int* in, int i) {
  if (i <= 0) return in[0];
  if (in[i] % 5 == 0) return in[i] + sum_down(in, i / 2);
  return in[i] - sum_down(in, i / 3);
}
// run: --grid 2 --block 56 --arg i32[112]=iota --arg i32[112]=0
__global__ void recursion_of_many_depths(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = sum_down(in, i);
}

__device__ __noinline__ int fibonacci(const int* in, int n) { return n < 2 ? in[n] : fibonacci(in, n - 1) + fibonacci(in, n - 2); }
// run: --grid 1 --block 64 --arg i32[64]=iota --arg i32[64]=0
__global__ void recursion_twice_over(const int* in, int* out) { out[threadIdx.x] = fibonacci(in, in[threadIdx.x] % 7); }

typedef int (*Pick)(const int*, int);
__device__ __noinline__ int straight(const int* in, int i) { return in[i]; }
__device__ __noinline__ int crossed(const int* in, int i) { return 2 * in[i ^ 1] + in[0]; }
__device__ __noinline__ int apply(Pick pick, const int* in, int i) { return pick(in, i) + in[i]; }
// run: --grid 2 --block 64 --arg i32[128]=iota --arg i32[128]=0
__global__ void pointer_to_one_of_two(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = apply(in[i] % 3 ? straight : crossed, in, i);
}
// run: --grid 2 --block 64 --arg i32[128]=iota --arg i32[128]=0
__global__ void pointer_by_warp(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = apply(i / 32 % 2 ? straight : crossed, in, i);
}

struct Shape {
  __device__ virtual int area(const int* in, int i) const = 0;
};
struct Square : Shape {
  __device__ __noinline__ int area(const int* in, int i) const override { return in[i] * in[i]; }
};
struct Oblong : Shape {
  __device__ __noinline__ int area(const int* in, int i) const override { return in[i] * (in[i] + 1); }
};
// run: --grid 1 --block 64 --arg i32[64]=iota --arg i32[64]=0
__global__ void virtual_call(const int* in, int* out) {
  Square square;
  Oblong oblong;
  const Shape* shape = threadIdx.x < 32 ? static_cast<const Shape*>(&square) : &oblong;
  out[threadIdx.x] = shape->area(in, threadIdx.x);
}

template <typename Function>
__device__ void for_each_of(int n, Function function) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) function(i);
}
// run: --grid 1 --block 64 --arg i32[150]=iota --arg i32[150]=0
__global__ void lambda_in_a_template(const int* in, int* out) {
  const int add = in[7];
  for_each_of(150, [=](int i) { out[i] = in[i] + add; });
}

__device__ __noinline__ void note(int* out, int i, int v) {
  if (v % 2) out[i] += v;
}
// run: --grid 1 --block 64 --arg i32[64]=iota --arg i32[64]=0
__global__ void function_that_returns_early(const int* in, int* out) {
  for (int j = 0; j <= in[threadIdx.x] % 4; ++j) note(out, threadIdx.x, in[threadIdx.x] + j);
}

// run: --grid 1 --block 32 --arg i32[32]=iota --arg i32[32]=0
__global__ void prints(const int* in, int* out) {
  if (in[threadIdx.x] == 5) printf("lane %d\n", in[threadIdx.x]);
  out[threadIdx.x] = in[threadIdx.x] * 2;
}
