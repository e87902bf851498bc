#include "beside.h"

__global__ void includes(float* out) { out[threadIdx.x] = beside; }
