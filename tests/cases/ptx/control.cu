// Calls that are not inlined, recursion, pointers to functions, virtual calls, printf, switches, assert, heap, local arrays.
#include <cassert>
#include <cstdio>
#include <cstring>

__device__ float table[4] = {1.0f, -2.5f, 3e-30f, 0.f};
__constant__ int constants[3] = {1, -2, 3};
struct Point { int a; double b; char c[3]; };
using Function = int (*)(int);

__device__ __noinline__ int triple(int x) { return x * 3 + threadIdx.x; }
__device__ __noinline__ int mix(int x) { return x * 5 ^ clock(); }
__device__ Function functions[2] = {triple, mix};
__device__ __noinline__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
__device__ __noinline__ Point moved(Point p, int k) {
  p.a += k; p.b *= k; p.c[k & 1] = 3;
  return p;
}

__global__ void __launch_bounds__(256, 2) choose(int* a, int n, Point p) {
  const int i = threadIdx.x;
  int v = 0;
  switch (a[i]) {
    case 0: v = triple(n); break;
    case 1: v = functions[n & 1](i); break;
    case 2: v = fibonacci(i); break;
    case 3: v = constants[n]; break;
    case 4: v = n * 7; a[n] = v; break;
    case 5: v = moved(p, n).a; break;
    case 6: v = printf("hello %d %f %s\n", i, table[n] * 1.0, "text"); break;
    case 7: a[3] = n; [[fallthrough]];
    case 8: v = __popc(n); break;
    default: v = -1;
  }
  int local[10];
  for (int k = 0; k < 10; ++k) local[k * i % 10] = v;
  a[i] = local[n];
  assert(a[n] > 0);
}

struct Shape { virtual __device__ float area(float x) = 0; };
struct Square : Shape { float k; __device__ float area(float x) override { return x * x * k; } };
struct Circle : Shape { __device__ float area(float x) override { return 3.14f * x * x; } };

__global__ void shapes(float* a, int n) {
  Square square;
  square.k = a[1];
  Circle circle;
  Shape* shape = n > 3 ? static_cast<Shape*>(&square) : &circle;
  for (int i = 0; i < n; ++i) a[i] = shape->area(a[i]);
  float* heap = new float[n];
  heap[n - 1] = a[0];
  a[2] = heap[n / 2];
  delete[] heap;
  memcpy(a + 100, a, n);
  memset(a + 200, 0, 40);
}

template <int kernels>
__global__ void loops(int* a, int n) {
  extern __shared__ int dynamic[];
  __shared__ int fixed[2][33];
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    if (a[i] < 0) continue;
    if (a[i] == 7) break;
    do {
      dynamic[i] += kernels;
    } while (dynamic[i] < a[i] && fixed[i & 1][i % 33]++ < 5);
    __syncthreads();
  }
  if (n > 3 && a[0] || a[1] > n) return;
  a[n] = fixed[1][3];
}
template __global__ void loops<4>(int*, int);
