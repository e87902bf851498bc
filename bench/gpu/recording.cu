// Kernels to weigh what recording costs: `lanescope bench --gpu` times each plain and while it records itself.
// The lines `// run:` say how each is launched.

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

// A function that was not inlined, called twice by each thread: its accesses are recorded too.
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
