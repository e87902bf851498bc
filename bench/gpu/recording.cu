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

// A warp in eight parts, each with an access or two of its own.
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
