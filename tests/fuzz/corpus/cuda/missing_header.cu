// kernel: alone
#include "not_there.cuh"
__global__ void alone(int* out) { out[0] = from_there(1); }
