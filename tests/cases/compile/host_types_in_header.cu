// kernel: twice
#include "parts/host_types.h"
__global__ void twice(float* a) { a[threadIdx.x] *= 2; }
int main() {
  SystemClock clock;
  Worker worker = start(nullptr);
  twice<<<1, 32>>>(nullptr);
}
