// Litmus kernels of asynchronous copies (cp.async).
#include <cuda_pipeline.h>

// run: --grid 1 --block 32 --arg i32[32]=0 --arg i32[32]=iota
// verdict: copy_not_awaited cp.async.wait_group
__global__ void copy_not_awaited(int* out, const int* in) {
  __shared__ int tile[32];
  __pipeline_memcpy_async(tile + threadIdx.x, in + threadIdx.x, 4);
  __pipeline_commit();
  out[threadIdx.x] = tile[threadIdx.x];
}

// A thread may read what it copied and waited for.
// run: --grid 1 --block 32 --arg i32[32]=0 --arg i32[32]=iota
// verdict: safe
__global__ void copy_awaited(int* out, const int* in) {
  __shared__ int tile[32];
  __pipeline_memcpy_async(tile + threadIdx.x, in + threadIdx.x, 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[threadIdx.x] = tile[threadIdx.x];
}

// Other threads need a barrier as well.
// run: --grid 1 --block 64 --arg i32[64]=0 --arg i32[64]=iota
// verdict: read_write __syncthreads()
__global__ void copy_of_another(int* out, const int* in) {
  __shared__ int tile[64];
  tile[threadIdx.x] = 0;
  __syncthreads();
  __pipeline_memcpy_async(tile + threadIdx.x, in + threadIdx.x, 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[threadIdx.x] = tile[63 - threadIdx.x];
}

// run: --grid 1 --block 64 --arg i32[64]=0 --arg i32[64]=iota
// verdict: safe
__global__ void copy_of_another_in_step(int* out, const int* in) {
  __shared__ int tile[64];
  __pipeline_memcpy_async(tile + threadIdx.x, in + threadIdx.x, 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];
}

// A barrier does not wait for copies.
// run: --grid 1 --block 64 --arg i32[64]=0 --arg i32[64]=iota
// verdict: copy_not_awaited cp.async.wait_group
__global__ void barrier_instead_of_waiting(int* out, const int* in) {
  __shared__ int tile[64];
  tile[threadIdx.x] = 0;
  __syncthreads();
  __pipeline_memcpy_async(tile + threadIdx.x, in + threadIdx.x, 4);
  __pipeline_commit();
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];
}

// Two groups: only the first is waited for, and only that one is read.
// run: --grid 1 --block 32 --arg i32[32]=0 --arg i32[64]=iota
// verdict: safe
__global__ void first_of_two_groups(int* out, const int* in) {
  __shared__ int tile[64];
  __pipeline_memcpy_async(tile + threadIdx.x, in + threadIdx.x, 4);
  __pipeline_commit();
  __pipeline_memcpy_async(tile + 32 + threadIdx.x, in + 32 + threadIdx.x, 4);
  __pipeline_commit();
  __pipeline_wait_prior(1);
  out[threadIdx.x] = tile[threadIdx.x];
}

// run: --grid 1 --block 32 --arg i32[32]=0 --arg i32[64]=iota
// verdict: copy_not_awaited cp.async.wait_group
__global__ void second_of_two_groups(int* out, const int* in) {
  __shared__ int tile[64];
  __pipeline_memcpy_async(tile + threadIdx.x, in + threadIdx.x, 4);
  __pipeline_commit();
  __pipeline_memcpy_async(tile + 32 + threadIdx.x, in + 32 + threadIdx.x, 4);
  __pipeline_commit();
  __pipeline_wait_prior(1);
  out[threadIdx.x] = tile[32 + threadIdx.x];
}
