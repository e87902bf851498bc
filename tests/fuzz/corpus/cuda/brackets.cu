// kernel: open
__global__ void open(int* out) {
  if (out[0] > 1) {
    out[1] = (out[2] + 3;
    out[2] = out[3;
  }
