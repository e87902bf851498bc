// Four kernels with known memory traffic, to compare our timing with Nsight Compute's gpu__time_duration (beside_ncu.cu
// runs them under ncu, beside_ncu.cpp times them).

extern "C" __global__ void empty() {}

extern "C" __global__ void axpy(const float* x, float* y, float a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" __global__ void fill(float* out, float value, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = value;
}

extern "C" __global__ void gather(const float* in, const int* from, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[from[i]];
}
