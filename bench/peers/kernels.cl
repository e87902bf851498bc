// The four kernels of `lanescope bench` in OpenCL: the same work, step for step, for a peer to run.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// 1,048,576 doubles through local memory: two a work-item, 256 work-items a group.
__kernel void copy2(__global const double* in, __global double* out) {
  __local double tile[512];
  const int t = get_local_id(0);
  const int base = get_group_id(0) * 512 + t;
  tile[t] = in[base];
  tile[t + 256] = in[base + 256];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[base] = tile[t];
  out[base + 256] = tile[t + 256];
}

// 1,048,576 floats, 256 a group: at every step the work-items whose number is a multiple of 2 * step add.
__kernel void reduce0(__global const float* in, __global float* sums) {
  __local float partial[256];
  const int t = get_local_id(0);
  partial[t] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int step = 1; step < (int)get_local_size(0); step *= 2) {
    if (t % (2 * step) == 0) partial[t] += partial[t + step];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0) sums[get_group_id(0)] = partial[0];
}

// 4,194,304 floats.
__kernel void saxpy(__global const float* x, __global float* y, float a, int n) {
  const int i = get_global_id(0);
  if (i < n) y[i] = a * x[i] + y[i];
}

// 128 × 128, in tiles of 16 × 16.
__kernel void matmul(__global const float* a, __global const float* b, __global float* c, int n) {
  __local float tile_a[16][16], tile_b[16][16];
  const int x = get_local_id(0), y = get_local_id(1);
  const int row = get_group_id(1) * 16 + y, column = get_group_id(0) * 16 + x;
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    tile_a[y][x] = a[row * n + k + x];
    tile_b[y][x] = b[(k + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 16; ++j) sum += tile_a[y][j] * tile_b[j][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}
