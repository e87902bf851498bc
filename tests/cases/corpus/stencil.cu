// One step of heat flow in a box: each inner cell moves towards its six neighbours, the border stays.
// kernel: heat(out, in, nx, ny, nz), three-dimensional blocks, coefficients in constant memory
// run: --kernel heat --grid 3,2,2 --block 8,8,4 --arg f32[2310]=0 --arg f32[2310]=random:5 --arg i32=22 --arg i32=15 --arg i32=7
// kernel: smooth<RADIUS>(out, in, n), a moving average whose block keeps its stretch and a halo in shared memory
// run: --kernel 'smooth<3>' --grid 4 --block 64 --arg f32[250]=0 --arg f32[250]=iota --arg i32=250

__constant__ float coefficients[2] = {0.5f, 0.08333333f};

__global__ void heat(float* __restrict__ out, const float* __restrict__ in, int nx, int ny, int nz) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  const int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= nx || y >= ny || z >= nz) return;

  const int row = nx, plane = nx * ny;
  const int at = x + y * row + z * plane;
  const bool border = x == 0 || y == 0 || z == 0 || x == nx - 1 || y == ny - 1 || z == nz - 1;
  if (border) {
    out[at] = in[at];
    return;
  }
  const float neighbours = in[at - 1] + in[at + 1] + in[at - row] + in[at + row] + in[at - plane] + in[at + plane];
  out[at] = fmaf(coefficients[0], in[at], coefficients[1] * neighbours);
}

template <int RADIUS>
__global__ void smooth(float* out, const float* in, int n) {
  constexpr int BLOCK = 64;
  __shared__ float stretch[BLOCK + 2 * RADIUS];

  const int i = blockIdx.x * BLOCK + threadIdx.x;
  const int local = threadIdx.x + RADIUS;
  auto load = [=](int at) { return in[min(max(at, 0), n - 1)]; };
  stretch[local] = load(i);
  if (threadIdx.x < RADIUS) {
    stretch[threadIdx.x] = load(i - RADIUS);
    stretch[local + BLOCK] = load(i + BLOCK);
  }
  __syncthreads();
  if (i >= n) return;

  float sum = 0;
#pragma unroll
  for (int offset = -RADIUS; offset <= RADIUS; ++offset) sum += stretch[local + offset];
  out[i] = sum / (2 * RADIUS + 1);
}
