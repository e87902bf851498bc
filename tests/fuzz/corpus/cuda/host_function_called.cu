// kernel: apply
float half_of(float x) { return x / 2; }
float offset = 1;
__global__ void apply(float* values) { values[0] = half_of(values[0]) + offset; }
