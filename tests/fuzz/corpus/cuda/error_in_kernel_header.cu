// kernel: pad
#include "parts/host_helpers.h"
#include "parts/inner.cuh"
__global__ void pad(int* out, int n) { out[threadIdx.x] = rounded_up(n, 32); }
int main() { return seconds_now() > 0; }
