// Atomics on a local variable, which the compiler cannot see to be one. PTX leaves them undefined; a GPU carries them out.
__device__ __noinline__ int add_at(int* p, int v) { return atomicAdd(p, v); }
__device__ __noinline__ void max_at(int* p, int v) { atomicMax(p, v); }
__device__ __noinline__ unsigned long long cas_at(unsigned long long* p, unsigned long long was, unsigned long long v) {
  return atomicCAS(p, was, v);
}
__device__ __noinline__ float real_at(float* p, float v) { return atomicAdd(p, v); }

// run: --grid 2 --block 64 --arg i32[128]=0 --arg i32=1
__global__ void integers_of_a_thread(int* out, int local) {
  int mine[4] = {1, 2, 3, 4};
  int* p = local ? mine + threadIdx.x % 4 : out;
  const int old = add_at(p, 10 + threadIdx.x);
  max_at(p, 40);
  out[blockIdx.x * 64 + threadIdx.x] = old * 1000 + mine[threadIdx.x % 4];
}

// run: --grid 1 --block 64 --arg u64[128]=0 --arg i32=1
__global__ void wide_of_a_thread(unsigned long long* out, int local) {
  unsigned long long mine[2] = {threadIdx.x, 7};
  unsigned long long* p = local ? mine : out;
  const unsigned long long old = cas_at(p, 5, 1ull << 40);
  out[2 * threadIdx.x] = old;
  out[2 * threadIdx.x + 1] = mine[0] + mine[1];
}

// run: --grid 1 --block 64 --arg f32[64]=0 --arg i32=1
__global__ void reals_of_a_thread(float* out, int local) {
  float mine[2] = {0.5f, 8};
  float* p = local ? mine : out;
  const float old = real_at(p + threadIdx.x % 2, threadIdx.x);
  out[threadIdx.x] = old + mine[threadIdx.x % 2];
}

// run: --grid 1 --block 64 --arg i32[64]=0 --arg i32[2]=0 --arg i32=32
__global__ void half_of_a_warp_in_local(int* out, int* sum, int every) {
  int mine[4] = {1, 2, 3, 4};
  int* p = threadIdx.x % every < 16 ? mine + threadIdx.x % 4 : sum;
  const int old = add_at(p, 1);
  out[threadIdx.x] = (p == sum ? 0 : old) + mine[threadIdx.x % 4];
}
