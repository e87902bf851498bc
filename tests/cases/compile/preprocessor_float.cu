// kernel: k
#if __FLT_MAX__ > 1
#define SCALE 2
#endif
__global__ void k(float* x) { x[0] = 1; }
