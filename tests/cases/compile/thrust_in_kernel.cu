// kernel: multiply
#include <thrust/complex.h>
__global__ void multiply(thrust::complex<float>* values) { values[0] = values[1] * values[2]; }
