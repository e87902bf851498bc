// kernel: narrow
// What the headers of libraries for the host bring to kernels.
#include <cublas_v2.h>
#include <cuda.h>
#include <cufftXt.h>
__global__ void narrow(half* a, __nv_bfloat16* b, CUtexObject, const __grid_constant__ CUtensorMap map, cufftComplex* wave) {
  a[0] = __float2half(wave[0].x);
  b[0] = __float2bfloat16(wave[0].y);
}
int main() { cublasHandle_t handle; }
