// kernel: step
#include "settings.h"
#ifdef WIDE_STEPS
#define STEP 8
#else
#define STEP 1
#endif
__global__ void step(int* out) { out[threadIdx.x] += STEP; }
