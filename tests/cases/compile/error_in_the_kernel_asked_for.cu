// kernel: broken
// The errors of the kernel that was asked for are told, beside those of another one.
__global__ void other(float* values) {
  values[0] = undeclared;
}

__global__ void broken(float* values) {
  values[0] = missing;
}
