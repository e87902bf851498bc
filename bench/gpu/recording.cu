// Kernels for the cost of recording: `lanescope bench --gpu` times each plain and while it records itself.
// The `// run:` lines say how each is launched.

// run: --kernel copy --grid 16384 --block 256 --arg f32[4194304]=1 --arg f32[4194304] --arg i32=4194304
__global__ void copy(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}

// run: --kernel block_sums --grid 4096 --block 256 --arg f32[1048576]=1 --arg f32[4096]
__global__ void block_sums(const float* in, float* sums) {
  __shared__ float partial[256];
  partial[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) partial[threadIdx.x] += partial[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = partial[0];
}

// run: --kernel matmul --grid 16,16 --block 16,16 --arg f32[65536]=1 --arg f32[65536]=1 --arg f32[65536] --arg i32=256
__global__ void matmul(const float* a, const float* b, float* c, int n) {
  __shared__ float tile_a[16][16], tile_b[16][16];
  const int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    tile_a[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
    __syncthreads();
    for (int j = 0; j < 16; ++j) sum += tile_a[threadIdx.y][j] * tile_b[j][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

// A function that is not inlined and that each thread calls twice: its accesses are recorded too.
// run: --kernel calls --grid 4096 --block 256 --arg f32[1048576]=1 --arg f32[1048576]
__device__ __noinline__ float mean(const float* in, int i) { return 0.5f * (in[i] + in[i ^ 1]); }
__global__ void calls(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = mean(in, i) + mean(in, i ^ 32);
}

// The same through a pointer: neighbouring lanes call different functions.
// run: --kernel pointers --grid 4096 --block 256 --arg f32[1048576]=1 --arg f32[1048576]
__device__ __noinline__ float middle(const float* in, int i) { return 0.25f * (in[i] + in[i ^ 2]); }
__global__ void pointers(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float (*pick)(const float*, int) = i % 3 ? mean : middle;
  out[i] = pick(in, i) + pick(in, i ^ 32);
}

// Many accesses of each thread, from registers of their own: thirteen loads and a store for each of eight points above each other.
// run: --kernel stencil --grid 4,16,16 --block 32,8 --arg f32[2097152]=1 --arg f32[2097152] --arg i32=128
__global__ void stencil(const float* in, float* out, int n) {
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  for (int z = blockIdx.z * 8; z < blockIdx.z * 8 + 8; ++z) {
    if (x < 2 || y < 2 || z < 2 || x >= n - 2 || y >= n - 2 || z >= n - 2) continue;
    const int i = (z * n + y) * n + x;
    float sum = in[i];
    for (int d = 1; d <= 2; ++d)
      sum += in[i - d] + in[i + d] + in[i - d * n] + in[i + d * n] + in[i - d * n * n] + in[i + d * n * n];
    out[i] = sum;
  }
}

// A warp in eight parts, each with one or two accesses of its own.
// run: --kernel choices --grid 4096 --block 256 --arg i32[1048576]=random:5 --arg f32[1048576]=1 --arg f32[1048576]
__global__ void choices(const unsigned* which, const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float value = 0;
  switch (which[i] & 7) {
    case 0: value = in[i]; break;
    case 1: value = in[i ^ 1] * 2; out[i] = 1; break;
    case 2: value = sinf(in[i ^ 2]); break;
    case 3: value = in[i ^ 3] + in[i ^ 4]; break;
    case 4: value = in[i & 1023] - 1; break;
    case 5: value = sqrtf(in[i ^ 5]); break;
    case 6: value = in[i ^ 6] / 3; break;
    default: value = 5;
  }
  out[i] = value;
}

// One byte per thread, one sector per warp.
// run: --kernel brighten --grid 16384 --block 256 --arg u8[4194304]=random:7 --arg u8[4194304] --arg i32=4194304
__global__ void brighten(const unsigned char* in, unsigned char* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = static_cast<unsigned char>(min(255, in[i] * 5 / 4));
}

// Counts in shared memory with atomics, then adds the counts in global memory.
// run: --kernel histogram --grid 1024 --block 256 --arg u8[4194304]=random:3 --arg i32[256]=0 --arg i32=4194304
__global__ void histogram(const unsigned char* in, int* counts, int n) {
  __shared__ int mine[256];
  mine[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&mine[in[i]], 1);
  __syncthreads();
  if (mine[threadIdx.x]) atomicAdd(&counts[threadIdx.x], mine[threadIdx.x]);
}

// A per-thread array that does not fit into registers; the data decides which elements are read.
// run: --kernel own_arrays --grid 2048 --block 256 --arg i32[4194304]=random:9 --arg i32[524288]
__global__ void own_arrays(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  int held[8];
  for (int j = 0; j < 8; ++j) held[j] = in[j * threads + i];
  int at = held[0] & 7, sum = 0;
  for (int j = 0; j < 8; ++j) sum += at = held[(at + sum) & 7] & 7;
  out[i] = sum;
}

// A 5 × 5 convolution through a tile with its border in shared memory.
// run: --kernel convolution --grid 64,64 --block 16,16 --arg f32[1048576]=1 --arg f32[25]=1 --arg f32[1048576] --arg i32=1024
__global__ void convolution(const float* in, const float* weights, float* out, int n) {
  __shared__ float tile[20][20];
  const int left = blockIdx.x * 16 - 2, top = blockIdx.y * 16 - 2;
  for (int i = threadIdx.y * 16 + threadIdx.x; i < 400; i += 256) {
    const int x = left + i % 20, y = top + i / 20;
    tile[i / 20][i % 20] = x >= 0 && y >= 0 && x < n && y < n ? in[y * n + x] : 0;
  }
  __syncthreads();
  float sum = 0;
  for (int dy = 0; dy < 5; ++dy)
    for (int dx = 0; dx < 5; ++dx) sum += weights[dy * 5 + dx] * tile[threadIdx.y + dy][threadIdx.x + dx];
  out[(blockIdx.y * 16 + threadIdx.y) * n + blockIdx.x * 16 + threadIdx.x] = sum;
}

// Two halves at a time: three loads and a store of four bytes each.
#include <cuda_fp16.h>
// run: --kernel halves --grid 4096 --block 256 --arg f16[2097152]=1 --arg f16[2097152]=2 --arg f16[2097152]=3 --arg f16[2097152]
__global__ void halves(const __half2* a, const __half2* b, const __half2* c, __half2* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = __hfma2(a[i], b[i], c[i]);
}

// Addresses that look alike in the text and are not as far from each other in two lanes: a record of five words a lane.
// run: --kernel multiples --grid 1024 --block 256 --arg f32[2097152]=1 --arg f32[262144] --arg i32=1
__global__ void multiples(const float* in, float* out, int step) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, far = i * step;
  out[i] = in[i] + in[i + far] + in[i + 2 * far] + in[i + 4 * far] + in[i + 6 * far];
}
