// kernel: any
// arch: sm_12345
__global__ void any(int* out) { out[0] = 1; }
