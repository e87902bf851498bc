// Where a lane reads is itself read from memory: the indices come in order, the elements do not.
__global__ void gather(const float* in, const int* index, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  // @phase load
  const int from = index[i];     // @index
  const float value = in[from];  // @gather
  // @phase store
  out[i] = value;
}
